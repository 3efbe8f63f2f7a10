"""What a screen asks of MARS: who is up, what is left, words that fit, and what was not said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

import msgspec

from ledger.declarations import Declaration, Ruling
from ledger.facts import GM, Sum
from ledger.names import fold_case
from projections.state import State
from rulebooks.common.conditions import has_condition
from rulebooks.common.guide import Guide, Situation
from rulebooks.common.sides import is_here
from rulebooks.mars import guards
from rulebooks.mars.combat import defence
from rulebooks.mars.combat.weapons import carried_items, held_items, held_weapons, weapon_of
from rulebooks.mars.declarations import turns
from rulebooks.mars.declarations.combat import Attack, Blow
from rulebooks.mars.declarations.harm import ApplyEffect, BreakObject, RemoveEffect, Repair
from rulebooks.mars.declarations.maneuvers import AcquireManeuver, AnswerWithManeuver, Maneuver
from rulebooks.mars.declarations.parts import Reaction
from rulebooks.mars.declarations.tasks import Check, GroupCheck, UseSkill
from rulebooks.mars.harm import effects, rest
from rulebooks.mars.maneuvers import performance, slots, table
from rulebooks.mars.tasks.stat_values import COMBAT_SKILLS, DERIVED, INITIATIVE, SKILL, SKILLS, value_of
from rulebooks.mars.turns import actions, movement
from rulebooks.mars.unclaimed import unclaimed


class MarsGuide(Guide):
    """The guide of MARS."""

    turn_actions = ((guards.AP, actions.POINTS_A_TURN), (guards.FREE_ACTION, 1), (guards.REACTION, 1))
    days_of_rest = staticmethod(rest.days_of_rest)
    defence_field = "defences"

    def unclaimed(self, said: Declaration, state: State) -> Iterable[Situation]:
        """Return situations that were known or possible and not said."""
        return unclaimed(said, state)

    def can_use(self, who: str, action: str, state: State) -> bool:
        """GR-UNC-1, GR-STU-4: the helpless take no action, and the stunned have no reaction."""
        return guards.is_able(who, state) and not (
            action == guards.REACTION and has_condition(who, guards.STUNNED, state)
        )

    def can_strike(self, who: str, state: State) -> bool:
        """GR-ACT-1: with an action point left of the own turn, or before it, once all have rolled initiative."""
        encounter = state.encounter
        if encounter is None or encounter.scale == guards.CHALLENGE:
            return True
        return guards.has_begun(encounter) and (encounter.turn != who or state.actions_left(who, guards.AP) > 0)

    def strikes(self, who: str, target: str, state: State) -> Iterable[Declaration]:
        """GR-ATK-1: one attack with the weapon in hand. GR-ATK-5: a second of the same turn would be at a penalty."""
        return (Attack(by=who, target=target),)

    def defended(self, said: Declaration, state: State) -> Iterable[Declaration]:
        """GR-BLK-1, GR-PAR-1, GR-EVD-1: a block with a shield, a parry, or stepping out of the way."""
        if not isinstance(said, Attack) or not defence.can_defend(said.target, said.defences, state):
            return ()
        return map(partial(defended_by, said), defence.possible_defences(said.target, state))

    def fight(self, who: Sequence[str]) -> Declaration:
        """GR-ENC-1: return the declaration that begins a fight of the teams of the sheets."""
        return turns.StartEncounter(by=GM, participants=tuple(who))

    def hardiness(self, who: str, state: State) -> int:
        """GR-DMG-1: endurance, which damage takes first, and health."""
        return state.points(who, guards.ENDURANCE) + state.points(who, guards.HEALTH)

    def left(self, who: str, state: State) -> Mapping[str, int]:
        """GR-ACT-1, GR-ACT-4: points and actions are those of the own turn; outside it there is the reaction."""
        own = state.encounter is not None and state.encounter.turn == who
        return {
            action: number for action, number in super().left(who, state).items() if own or action == guards.REACTION
        }

    def has_any_left(self, who: str, state: State) -> bool:
        """GR-ACT-1: who has a point left of their own turn need not be asked for more; outside it a reaction counts."""
        if state.encounter is None or state.encounter.turn != who:
            reactions = state.allowances.get((who, guards.REACTION))
            return reactions != 0 or not self.can_use(who, guards.REACTION, state)
        points = state.actions_left(who, guards.AP) and self.can_use(who, guards.AP, state)
        return bool(points) or super().has_any_left(who, state)

    def next_up(self, state: State) -> Iterable[str]:
        """GR-INIT-1, GR-INIT-5: those who have to roll, whose turn it is, or of whom the team may choose one."""
        encounter = state.encounter
        if encounter is None or encounter.scale == guards.CHALLENGE:
            return ()
        return guards.initiative_due(encounter, state) or super().next_up(state) or guards.next_to_act(state)

    def teams(self, state: State) -> Mapping[str, Sequence[str]]:
        """GR-INIT-2: the teams of the sheets, before an encounter has its own."""
        teams = dict[str, list[str]]()
        for being in state.beings_in_order() if state.encounter is None else ():
            if is_here(being, state) and (team := str(state.sheet(being.name, "team") or "")):
                teams.setdefault(fold_case(team), []).append(being.name)
        return teams

    def computed(self, who: str, state: State) -> Iterable[Sum]:
        """GR-MOV-1: the speed of somebody now."""
        return (movement.speed_sum(who, state),) if (who, guards.HEALTH) in state.pools else ()

    def rolled(self, who: str, state: State) -> Mapping[str, str]:
        """GR-OUT-6: the derived stats of somebody now; in an encounter without initiative, which is rolled once."""
        if (who, guards.HEALTH) not in state.pools:
            return {}
        names = [name for name in DERIVED if name != INITIATIVE or state.encounter is None]
        return {name: str(value_of(who, name, state).roll) for name in names}

    def vocabulary(self, declaration: type[Declaration], field: str, state: State, by: str) -> Iterable[str]:
        """Return items, skills, maneuvers, effects, teams and the names of options."""
        if declaration is AnswerWithManeuver and field == "name":
            yield from performance.ANSWERS
        elif declaration is Maneuver and field == "name":
            yield from slots.learned_maneuvers(by, state)
            yield from table.rows()
        elif declaration is AcquireManeuver and field == "name":
            yield from table.rows()
        elif declaration is turns.Ready and field == "maneuver":
            yield from (row.name for row in table.rows().values() if not row.is_reaction)
        elif declaration in (ApplyEffect, RemoveEffect) and field == "effect":
            yield from effects.EFFECTS
            yield from effects.SAID
        elif issubclass(declaration, Blow | turns.Ready) and field == "weapon":
            yield from (weapon.name for weapon in held_weapons(by, state))
        elif field == "skill" and issubclass(declaration, Blow | AcquireManeuver):
            yield from COMBAT_SKILLS
        elif declaration is turns.Brandish and field == "items":
            yield from carried_items(by, state)
        elif declaration is Repair and field == "item":
            yield from sorted({pool for _, pool in state.pools} - set(guards.RESOURCES))
        elif field in ("item", "away"):
            yield from held_items(by, state)
        elif field in ("name", "skill", "opposed") and declaration in (Check, GroupCheck, UseSkill, BreakObject):
            own = (entry.removeprefix(SKILL) for entry in state.sheet_of(by) if entry.startswith(SKILL))
            yield from dict.fromkeys((*own, *SKILLS, *DERIVED, *guards.STATS))
        elif declaration is turns.InitiativeRuling and field == "teams":
            yield from (slot.slot for slot in state.encounter.order) if state.encounter else ()
        elif declaration is Ruling and field == "changes":
            yield "option"
        else:
            yield from super().vocabulary(declaration, field, state, by)

    def refused_words(self, declaration: type[Declaration], field: str, state: State, by: str) -> Iterable[str]:
        """GR-BRA-1: return the weapons and items that somebody does not have in hand."""
        held = held_items(by, state)
        if declaration is Repair:
            return []
        if field == "weapon" and issubclass(declaration, Blow | turns.Ready):
            return [item for item in carried_items(by, state) if item not in held and weapon_of(by, item, state)]
        return [item for item in carried_items(by, state) if item not in held] if field == "item" else []


def defended_by(said: Attack, reaction: Reaction) -> Attack:
    """Return an attack that is met by this defence alone."""
    return msgspec.structs.replace(said, defences=(reaction,))
