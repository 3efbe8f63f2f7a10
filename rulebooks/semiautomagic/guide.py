"""What a screen asks of Semiautomagic: who is up, what is left, words that fit, and what was not said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from ledger.declarations import Declaration
from ledger.facts import GM, Sum
from ledger.names import name_key
from projections.state import State
from rulebooks.common.adjustments import Adjust
from rulebooks.common.guide import Guide
from rulebooks.common.values import sheet_number
from rulebooks.semiautomagic import (
    actions,
    cover,
    defence,
    guards,
    locations,
    sight,
    squares,
    target,
    turns,
    unclaimed,
    weapons,
)
from rulebooks.semiautomagic.creatures import numbers, toughness
from rulebooks.semiautomagic.declarations.combat import Attack
from rulebooks.semiautomagic.declarations.turns import Draw, Locate, StartEncounter, Wear
from rulebooks.semiautomagic.items import CARRIED, HELD, PART, WORN, dropped_items, items_of, short_name, tie_of
from rulebooks.semiautomagic.turns import TURN_SECONDS

MOUNT_NOUNS: Final = ("horse", "mount", "steed", "warhorse", "mare", "stallion", "gelding", "pony", "beast", "animal")


class SemiautomagicGuide(Guide):
    """The guide of Semiautomagic."""

    turn_actions = ((guards.SECONDS, TURN_SECONDS),)
    defence_field = "defence"
    remarks = staticmethod(unclaimed.remarks)
    unclaimed = staticmethod(unclaimed.unclaimed)
    next_up = staticmethod(turns.next_up)

    def can_use(self, who: str, action: str, state: State) -> bool:
        """TT-OUT-6: the dead, the dying and the unconscious do nothing."""
        return guards.is_able(who, state)

    def computed(self, who: str, state: State) -> Iterable[Sum]:
        """TT-OUT-3, TT-OUT-5: Target, Toughness, Minimum Toughness and speed of a creature as they are now."""
        if state.kind(who) not in guards.CREATURES:
            return ()
        return tuple(steps.sum() for steps in (*target.computed_targets(who, state), *numbers(who, state)))

    def can_strike(self, who: str, state: State) -> bool:
        """TT-OUT-1: with a second left of the own turn."""
        return state.encounter is None or guards.seconds_left(who, state) > 0

    def strikes(self, who: str, target: str, state: State) -> Iterable[Declaration]:
        """TT-OUT-2: an attack with each weapon that is ready, those in hand first.

        TT-INV-2: who cannot be seen is heard first, and located by it.
        """
        if not squares.is_located(target, who, state) and sight.invisibility(target, who, state):
            yield Locate(by=who, target=target)
        yield from (said for _, said in self.levels(Attack(by=who, target=target), state))

    def defended(self, said: Declaration, state: State) -> Iterable[Declaration]:
        """TT-OUT-2: an attack with each defence that its target has, the one with the highest bonus first."""
        if isinstance(said, Attack) and not said.defence and guards.is_able(said.target, state):
            own = defence.defences_of(said.target, state)
            for kind in sorted(own, key=lambda kind: -defence.defence_bonus(said.target, kind, state)):
                yield msgspec.structs.replace(said, defence=kind)

    def fight(self, who: Sequence[str]) -> Declaration:
        """TT-OUT-1: return the declaration that begins a fight in this order of turns."""
        return StartEncounter(by=GM, order=tuple(who))

    def hardiness(self, who: str, state: State) -> int:
        """TT-OUT-5, TT-OUT-6: Toughness, which each wound makes less."""
        return toughness(who, state).total

    def distance(self, one: str, other: str, state: State) -> int | None:
        """TT-FLK-1: the squares between two creatures, if both are placed."""
        here, there = squares.square_of(one, state), squares.square_of(other, state)
        if here is None or there is None:
            return None
        return max(abs(here[0] - there[0]), abs(here[1] - there[1]))

    def levels(self, said: Declaration, state: State) -> Iterable[tuple[str, Declaration]]:
        """Return an attack with each weapon that is ready, if none is said."""
        if isinstance(said, Attack) and not said.weapon:
            ready = [item for item in weapons.weapons_of(said.by, state) if tie_of(item, state) in (HELD, PART)]
            names = [short_name(item, state) for item in ready]
            return [(name, msgspec.structs.replace(said, weapon=name)) for name in names] or [("", said)]
        return [("", said)]

    def vocabulary(self, declaration: type[Declaration], field: str, state: State, by: str) -> Iterable[str]:
        """Return weapons and items, locations, grades of cover, kinds of light, and the names of options."""
        match field:
            case "value" if declaration is Adjust:
                creatures = (being for being in state.beings_in_order() if being.kind in guards.CREATURES)
                return [f"{name_key(being.name)}.wounds" for being in creatures]
            case "weapon":
                return [short_name(item, state) for item in weapons.weapons_of(by, state)]
            case "item" if declaration is Attack:
                whose = [being.name for being in state.beings_in_order() if being.kind in guards.CREATURES]
                items = [item for who in whose for item in items_of(who, state, HELD, WORN, CARRIED)]
                return sorted({short_name(item, state) for item in items})
            case "item" if declaration is Draw:
                items = [*items_of(by, state, CARRIED, WORN), *dropped_items(by, state)]
                return sorted({short_name(item, state) for item in items})
            case "item" if declaration is Wear:
                items = [*items_of(by, state, CARRIED, HELD), *dropped_items(by, state)]
                return sorted({short_name(item, state) for item in items if actions.can_wear(item, state)})
            case "item":
                return sorted({short_name(item, state) for item in items_of(by, state, HELD, WORN)})
            case "at" | "location" | "injuries":
                return locations.rows(state)
            case "grade":
                return cover.GRADES
            case "light":
                return sight.LIGHTS
            case "place":
                lit = {being.name for being in state.beings_in_order() if being.kind == sight.PLACE}
                return sorted(lit | {each.place for each in state.places.values()} - {squares.HERE})
        return super().vocabulary(declaration, field, state, by)

    def nouns(self, state: State) -> Mapping[str, Sequence[str]]:
        """TT-MNT-1: return the words for a mount, with those who are ridden or trained for it."""
        creatures = [being.name for being in state.beings_in_order() if being.kind in guards.CREATURES]
        mounts = [who for who in creatures if guards.rider_of(who, state) or sheet_number(who, "warhorse", state)]
        riders = [rider for who in mounts if (rider := guards.rider_of(who, state))]
        return {**dict.fromkeys(MOUNT_NOUNS, mounts), "rider": riders} if mounts else {}

    def refused_words(self, declaration: type[Declaration], field: str, state: State, by: str) -> Iterable[str]:
        """TT-CAL-4: return the weapons that somebody has dropped."""
        if field != "weapon":
            return []
        return [short_name(item, state) for item in dropped_items(by, state) if weapons.is_weapon(item, state)]
