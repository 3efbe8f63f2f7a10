"""Rulings, options and adjustments: the values that the table may set, and their domains."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.facts import Fact, Placed, PoolSet, Scalar, SheetChanged, WindowClosed
from projections.state import Being, State
from rulebooks.common.rulebook import Rulebook
from rulebooks.common.value_table import ValueTable
from rulebooks.common.values import check_whole, new_maximum, new_points, number, outside_domain
from rulebooks.momentum import guards, wounds, zones
from rulebooks.momentum.texts import TEXTS, left_over, no_text
from rulebooks.momentum.weapons import HELD, SCORE_MOST, SHIELD, parse_dice

MAXIMUM: Final = f"{guards.HP}.most"


class Values(ValueTable):
    """MO-HP-3, MO-ACT-5: hit points, a zone, and entries of the sheet; or a path."""

    domain = "a value of somebody in play (NAME.hp)"
    owned = guards.HP

    def set_value(self, name: str, to: Scalar, because: str, state: State) -> Iterator[Fact]:
        """Set one value of somebody, or a path of a zone."""
        part, _, tie = name.partition(".")
        if (zone := state.being(part)) is not None and zone.kind == zones.PLACE:
            yield from zones.set_path(zone.name, tie, to, state)
            return
        being, what = self.find(name, state)
        if what in (guards.HP, MAXIMUM):
            yield set_hp(being.name, what, number(what, to), because, state, self.rule)
        elif what == "place":
            yield zones.place_in_zone(being.name, zones.find_zone(str(to), state), self.rule)
        else:
            yield from self.set_entry(being, what, to, because, state)

    def value_now(self, being: Being, what: str, state: State) -> Scalar | None:
        """Return the value as it is, also of the maximum."""
        most = state.pools[being.name, guards.HP].most or 0
        return most if what == MAXIMUM else super().value_now(being, what, state)

    def set_entry(self, being: Being, entry: str, to: Scalar, because: str, state: State) -> Iterator[Fact]:
        """Set an entry of the sheet, and what follows from it."""
        who = being.name
        now, was = sheet_value(who, entry, to, state), state.sheet(who, entry)
        if now != was:
            yield SheetChanged(rules=(self.rule,), who=who, key=entry, was=was, now=now, because=because)
        if entry == wounds.FATE and f"{wounds.FATE} {who}" in state.windows:
            yield WindowClosed(rules=("MO-HP-3",), window=f"{wounds.FATE} {who}", outcome="ruled")
        if entry == HELD:
            yield from pick_up(who, str(to), state)


def set_hp(who: str, what: str, to: int, because: str, state: State, rule: str) -> PoolSet:
    """MO-HP-1: set hit points, 0 to their maximum, or the maximum, 1 at least."""
    if what == guards.HP:
        return new_points(who, guards.HP, to, because, state, rule, "MO-HP-1")
    check_whole(f"{who}'s maximum", to, 1)
    return new_maximum(who, guards.HP, to, because, state, rule, "MO-HP-1")


def sheet_value(who: str, what: str, to: Scalar, state: State) -> Scalar | None:
    """MO-DFN-1, MO-REQ-1, MO-WPN-1: return the value of an entry within its domain; None for no shield or no text."""
    was = state.sheet(who, what)
    if what == "defense":
        check_whole(what, number(what, to), 1)
    elif what == SHIELD:
        if to not in ("yes", "no"):
            raise outside_domain(what, "yes or no", to)
        return None if to == "no" else to
    elif what.startswith("weapon.") and (what.endswith(".damage") or (what.endswith(".rushed") and to)):
        parse_dice(str(to))
    elif what == wounds.FATE and state.points(who, guards.HP):
        raise outside_domain(f"{who}'s fate", "ruled of somebody at 0 HP", to)
    elif what in (HELD, wounds.FATE) or what.startswith("weapon."):
        return str(to) or None
    elif what == guards.ALLOWANCE:
        check_whole(what, number(what, to), 0, 2)
        return str(to)
    elif isinstance(was, int):
        check_whole(what, number(what, to), 1, SCORE_MOST)
    elif was is None:
        known = ", ".join([guards.HP, MAXIMUM, "place", SHIELD, wounds.FATE, guards.ALLOWANCE, *state.sheet_of(who)])
        raise outside_domain("value", known, what)
    return to


def pick_up(who: str, weapons: str, state: State) -> Iterator[Fact]:
    """MO-GAP-24: a thrown weapon that is held again is in no zone."""
    for weapon in weapons.split(", "):
        thing = f"{who}'s {weapon}"
        if state.place(thing):
            yield Placed(rules=("MO-TAG-2",), who=thing, place="")


def rulebook(rule: str) -> Rulebook:
    """Return the rulebook with values that are set under this rule."""
    return Rulebook(texts=TEXTS, rules=(rule,), values=Values(rule), no_text=no_text, left_over=left_over)


RULEBOOK: Final = rulebook("MO-HP-3")
