"""What a screen asks of Momentum: who is up, what is left, words that fit, and what was not said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from ledger.declarations import Declaration, Ruling
from ledger.facts import GM, Sum
from projections.state import State
from rulebooks.common.conditions import has_condition
from rulebooks.common.guide import Guide
from rulebooks.momentum import sheets, turns, unclaimed, weapons, zones
from rulebooks.momentum.declarations import Attack, Flee, Move, Reaction, StartEncounter
from rulebooks.momentum.guards import ACTION, FLED, checks_due, is_in_fight, is_out, members_to_act
from rulebooks.momentum.weapons import held_weapons, weapons_on_sheet
from rulebooks.momentum.zones import NEIGHBOUR, zone_of, zones_away, zones_of_fight

ONE_ZONE: Final = "here"


class MomentumGuide(Guide):
    """The guide of Momentum."""

    turn_actions = ((ACTION, turns.TURN_ACTIONS),)
    turn_phases = ("pc", "foe")
    defence_field = "reactions"
    unclaimed = staticmethod(unclaimed.unclaimed)

    def can_use(self, who: str, action: str, state: State) -> bool:
        """MO-HP-2: nobody at 0 HP acts or reacts, nor anybody who fled."""
        return not is_out(who, state)

    def has_fled(self, who: str, state: State) -> bool:
        """MO-ROUND-8: whether somebody has fled."""
        return has_condition(who, FLED, state)

    def can_strike(self, who: str, state: State) -> bool:
        """MO-ROUND-2: once all have rolled to seize momentum."""
        return not checks_due(state)

    def strikes(self, who: str, target: str, state: State) -> Iterable[Declaration]:
        """MO-ATK-1, MO-ZONE-2 to 4: an attack with a weapon that reaches, else a move to a zone that is nearer."""
        yield Attack(by=who, target=target)
        for weapon in held_weapons(who, state)[1:]:
            yield Attack(by=who, target=target, weapon=weapon)
        here = self.distance(who, target, state)
        for zone in state.ties_from(zone_of(who, state), NEIGHBOUR):
            there = self.distance(zone, target, state)
            if here is not None and there is not None and there < here:
                yield Move(by=who, zone=zone)

    def defended(self, said: Declaration, state: State) -> Iterable[Declaration]:
        """MO-DEFEND-1: an attack that is met with a shield."""
        if isinstance(said, Attack) and state.sheet(said.target, weapons.SHIELD):
            yield msgspec.structs.replace(said, reactions=(Reaction(who=said.target, kind="defend"),))

    def fight(self, who: Sequence[str]) -> Declaration:
        """MO-ROUND-1, MO-ZONE-1: return the declaration that begins a fight in one zone."""
        return StartEncounter(by=GM, zones=(ONE_ZONE,), participants=tuple(who))

    def flight(self, who: str, state: State) -> Declaration:
        """MO-ROUND-8: return the declaration with which somebody flees."""
        return Flee(by=who, reason="flees")

    def distance(self, one: str, other: str, state: State) -> int | None:
        """MO-ZONE-1: the number of moves between their zones."""
        return zones.distance(one, other, state)

    def left(self, who: str, state: State) -> Mapping[str, int]:
        """MO-ACT-1: the actions of the open turn, or those that the next turn begins with."""
        return {ACTION: turns.actions_left(who, state)} if is_in_fight(who, state) and not is_out(who, state) else {}

    def next_up(self, state: State) -> Iterable[str]:
        """MO-ROUND-2, MO-ROUND-6: who has the turn; else those whose check is due, or who have yet to act."""
        encounter = state.encounter
        if encounter is None or encounter.turn:
            return super().next_up(state)
        return checks_due(state) or members_to_act(encounter, encounter.phase, state)

    def distance_text(self, one: str, other: str, state: State) -> str:
        """MO-ZONE-1: the number of moves between their zones; a zone is where it is."""
        if not (zone_of(one, state) and zone_of(other, state)):
            return ""
        return zones_away(self.distance(one, other, state), zone_of(other, state))

    def computed(self, who: str, state: State) -> Iterable[Sum]:
        """MO-REACT-3: the number of actions that somebody's next turn would begin with."""
        return (turns.allowance(who, state),) if is_in_fight(who, state) and not is_out(who, state) else ()

    def vocabulary(self, declaration: type[Declaration], field: str, state: State, by: str) -> Iterable[str]:
        """Return weapons that are held, scores, zones, and the names of options, also as rulings set them."""
        if field == "weapon":
            yield from held_weapons(by, state)
        elif field == "ability":
            yield from sheets.written_scores(by, state)
        elif field in ("zone", "pcs", "foes", "zones", "one", "other"):
            yield from zones_of_fight(state)
        elif declaration is Ruling and field == "changes":
            yield "option"
        else:
            yield from super().vocabulary(declaration, field, state, by)

    def refused_words(self, declaration: type[Declaration], field: str, state: State, by: str) -> Iterable[str]:
        """MO-GAP-24: return the weapons that somebody has thrown away or dropped."""
        if field != "weapon":
            return []
        return [name for name in weapons_on_sheet(by, state) if name not in held_weapons(by, state)]
