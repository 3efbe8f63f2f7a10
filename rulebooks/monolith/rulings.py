"""Rulings, options and adjustments: the values that the table may set, and their domains."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.errors import Refused
from ledger.facts import Fact, Scalar, SheetChanged
from projections.state import State
from rulebooks.common.conditions import has_condition, new_condition
from rulebooks.common.rulebook import Rulebook
from rulebooks.common.values import check_whole, new_points, number, outside_domain
from rulebooks.monolith.guards import CRITICAL, DEAD, FLED, STABLE, TREATED, UNCONSCIOUS
from rulebooks.monolith.morale import put_to_flight
from rulebooks.monolith.scores import BODY, WEAPON
from rulebooks.monolith.texts import TEXTS, left_over, refusal
from rulebooks.monolith.weapons import parse_weapon
from rulebooks.monolith.wounds import begin_critical, end_conditions, kill, start_clock, treat

CONDITIONS: Final = (CRITICAL, TREATED, STABLE, UNCONSCIOUS, DEAD, FLED)


def set_value(name: str, to: Scalar, because: str, state: State) -> Iterator[Fact]:
    """ML-GAP-6: set one value of somebody: a pool, a condition, or an entry of the sheet."""
    part, _, what = name.partition(".")
    being = state.being(part)
    if being is None or not what:
        raise outside_domain("value", "a value of somebody in play (NAME.hp)", name)
    who = being.name
    if what in CONDITIONS and being.kind in ("pc", "npc"):
        yield from set_condition(who, what, number(name, to), state)
    elif (who, what) in state.pools:
        yield from set_points(who, what, number(name, to), because, state)
    else:
        yield from set_entry(who, what, to, because, state)


def set_points(who: str, pool: str, to: int, because: str, state: State) -> Iterator[Fact]:
    """ML-GAP-6: set hit points or Body within their bounds. ML-BODY-1: Body 0 is death."""
    yield new_points(who, pool, to, because, state, "ML-GAP-6", "ML-GAP-31")
    if pool == BODY and not to and not has_condition(who, DEAD, state):
        yield from kill(who, state, "ML-BODY-1", "ML-GAP-31")


def set_condition(who: str, name: str, to: int, state: State) -> Iterator[Fact]:
    """ML-GAP-6: begin a condition (1) or end it (0), if that changes anything.

    ML-BODY-1: Body 0 is death, and death ends all other conditions.
    """
    check_whole(f"{who}'s {name}", to, 0, 1)
    if name == DEAD and not to and not state.points(who, BODY):
        raise outside_domain(f"{who}'s {name}", "1 while Body is 0 (set Body first)", to)
    if name != DEAD and to and has_condition(who, DEAD, state):
        raise outside_domain(f"{who}'s {name}", "0 for the dead", to)
    if not to:
        untreated = name == TREATED and has_condition(who, TREATED, state) and has_condition(who, CRITICAL, state)
        yield from end_conditions(who, (name,), state, "ruling", "ML-GAP-6")
        if untreated:
            yield start_clock(who, state, "ML-CRIT-4")
    elif has_condition(who, name, state):
        return
    elif name == CRITICAL:
        yield from begin_critical(who, state)
    elif name == TREATED:
        yield from treat(who, state, "ML-GAP-6")
    elif name == DEAD:
        yield from kill(who, state, "ML-GAP-6")
    elif name == FLED:
        yield put_to_flight(who, state, "ML-GAP-6")
    else:
        yield new_condition(who, name, "ML-GAP-6")


def set_entry(who: str, entry: str, to: Scalar, because: str, state: State) -> Iterator[Fact]:
    """ML-GAP-4: set an entry of the sheet: armor, a score, a weapon."""
    was = state.sheet(who, entry)
    if entry.startswith(WEAPON) and (isinstance(to, int) or parse_weapon(to, entry) is None):
        raise outside_domain(entry, "a die and its tags, as in d8 blast nonlethal", to)
    if isinstance(was, str) and isinstance(to, int):
        raise outside_domain(entry, "a text", to)
    if isinstance(was, int) and number(entry, to) < 0:
        raise outside_domain(f"{who}'s {entry}", "a whole number of 0 or more", to)
    if was != to:
        yield SheetChanged(rules=("ML-GAP-4",), who=who, key=entry, was=was, now=to, because=because)


def change_value(name: str, change: int, because: str, state: State) -> Iterator[Fact]:
    """ML-GAP-6: change one value of somebody; a condition counts as 1 while it holds."""
    part, _, what = name.partition(".")
    being = state.being(part)
    who = being.name if being else part
    written = state.sheet(who, what)
    points = state.points(who, what) or (written if isinstance(written, int) else 0)
    now = int(has_condition(who, what, state)) if what in CONDITIONS else points
    yield from set_value(name, now + change, because, state)


def no_text(field: str, what: str) -> Refused:
    """Return the refusal of a ruling without its text or reason."""
    return refusal("RULING", what=what)


RULEBOOK: Final = Rulebook(
    texts=TEXTS,
    rules=("ML-GAP-6",),
    set_value=set_value,
    change_value=change_value,
    no_text=no_text,
    left_over=left_over,
)
