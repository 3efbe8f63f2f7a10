"""Rulings, options and adjustments: the values that the table may set, and their domains."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from ledger.errors import Refused
from ledger.facts import Fact, Placed, PoolSet, Scalar, SheetChanged, WindowClosed
from projections.state import State
from rulebooks.common.rulebook import Rulebook
from rulebooks.common.values import check_whole, new_maximum, new_points, number, outside_domain
from rulebooks.momentum.guards import ALLOWANCE, HP
from rulebooks.momentum.texts import TEXTS, left_over, refusal
from rulebooks.momentum.weapons import HELD, SCORE_MOST, SHIELD, parse_dice
from rulebooks.momentum.wounds import FATE
from rulebooks.momentum.zones import PLACE, find_zone, place_in_zone, set_path

MAXIMUM: Final = f"{HP}.most"


def combatant_value(name: str, state: State) -> tuple[str, str]:
    """Return the being and the value that this names. Raises the refusal of anybody without hit points."""
    who, _, what = name.partition(".")
    being = state.being(who)
    if being is None or (being.name, HP) not in state.pools:
        raise outside_domain("value", "a value of somebody in play (NAME.hp)", name)
    return being.name, what


def set_value(rule: str, name: str, to: Scalar, because: str, state: State) -> Iterator[Fact]:
    """MO-HP-3, MO-ACT-5: set one value of somebody: hit points, a zone, or an entry of the sheet; or a path."""
    part, _, tie = name.partition(".")
    if (zone := state.being(part)) is not None and zone.kind == PLACE:
        yield from set_path(zone.name, tie, to, state)
        return
    who, what = combatant_value(name, state)
    if what in (HP, MAXIMUM):
        yield set_hp(who, what, number(what, to), because, state, rule)
    elif what == "place":
        yield place_in_zone(who, find_zone(str(to), state), rule)
    else:
        now = sheet_value(who, what, to, state)
        was = state.sheet(who, what)
        if now != was:
            yield SheetChanged(rules=(rule,), who=who, key=what, was=was, now=now, because=because)
        if what == FATE and f"{FATE} {who}" in state.windows:
            yield WindowClosed(rules=("MO-HP-3",), window=f"{FATE} {who}", outcome="ruled")
        if what == HELD:
            yield from pick_up(who, str(to), state)


def set_hp(who: str, what: str, to: int, because: str, state: State, rule: str) -> PoolSet:
    """MO-HP-1: set hit points, 0 to their maximum, or the maximum, 1 at least."""
    if what == HP:
        return new_points(who, HP, to, because, state, rule, "MO-HP-1")
    check_whole(f"{who}'s maximum", to, 1)
    return new_maximum(who, HP, to, because, state, rule, "MO-HP-1")


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
    elif what == FATE and state.points(who, HP):
        raise outside_domain(f"{who}'s fate", "ruled of somebody at 0 HP", to)
    elif what in (HELD, FATE) or what.startswith("weapon."):
        return str(to) or None
    elif what == ALLOWANCE:
        check_whole(what, number(what, to), 0, 2)
        return str(to)
    elif isinstance(was, int):
        check_whole(what, number(what, to), 1, SCORE_MOST)
    elif was is None:
        known = ", ".join([HP, MAXIMUM, "place", SHIELD, FATE, ALLOWANCE, *state.sheet_of(who)])
        raise outside_domain("value", known, what)
    return to


def pick_up(who: str, weapons: str, state: State) -> Iterator[Fact]:
    """MO-GAP-24: a thrown weapon that is held again is in no zone."""
    for weapon in weapons.split(", "):
        thing = f"{who}'s {weapon}"
        if state.place(thing):
            yield Placed(rules=("MO-TAG-2",), who=thing, place="")


def change_value(name: str, change: int, because: str, state: State) -> Iterator[Fact]:
    """MO-HP-3: change one value of somebody: hit points, their maximum, or a number on the sheet."""
    who, what = combatant_value(name, state)
    pool = state.pools[who, HP]
    now = {HP: pool.points, MAXIMUM: pool.most or 0}.get(what, state.sheet(who, what))
    yield from set_value("MO-HP-3", name, number(what, now) + change, because, state)


def no_text(field: str, what: str) -> Refused:
    """Return the refusal of a ruling without its text or reason."""
    return refusal("RULING")


def rulebook(rule: str) -> Rulebook:
    """Return the rulebook with values that are set under this rule."""
    return Rulebook(
        texts=TEXTS,
        rules=(rule,),
        set_value=partial(set_value, rule),
        change_value=change_value,
        no_text=no_text,
        left_over=left_over,
    )


RULEBOOK: Final = rulebook("MO-HP-3")
