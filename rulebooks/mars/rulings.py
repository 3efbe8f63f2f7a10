"""Rulings, options and adjustments: the values that the table may set, and their domains."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.facts import Fact, PoolSet, Scalar, SheetChanged
from projections.state import State
from rulebooks.common.conditions import condition_end, has_condition, new_condition
from rulebooks.common.rulebook import Rulebook
from rulebooks.common.values import new_points, number
from rulebooks.mars.combat.weapons import HELD
from rulebooks.mars.guards import (
    BLIND,
    DEAD,
    DEFEATED,
    DYING,
    ENCUMBERED,
    HEALTH,
    OVERENCUMBERED,
    PRONE,
    SURPRISED,
    UNCONSCIOUS,
)
from rulebooks.mars.harm.wounds import begin_dying, end_dying, end_dying_of_healed, fall, kill, knock_out
from rulebooks.mars.maneuvers.slots import ENTRY
from rulebooks.mars.tasks.roll_values import parse_roll_value
from rulebooks.mars.tasks.stat_values import SKILL
from rulebooks.mars.texts import TEXTS, check_whole, left_over, no_text, value_refusal
from rulebooks.mars.turns.challenges import GRADE, SIMPLE
from rulebooks.mars.turns.hands import find_items

RULE: Final = "GR-GAP-54"
PLAIN: Final = (PRONE, BLIND, ENCUMBERED, OVERENCUMBERED, SURPRISED, DEFEATED)
CONDITIONS: Final = (*PLAIN, UNCONSCIOUS, DYING, DEAD)
GRADES: Final = (SIMPLE, "elite")
TEAM: Final = "team"


def character_value(name: str, state: State) -> tuple[str, str]:
    """Return the character and the value that this names. Raises the refusal of anybody else."""
    part, _, what = name.partition(".")
    being = state.being(part)
    if being is None or (being.name, HEALTH) not in state.pools or not what:
        raise value_refusal("the value", "a value of somebody in play (NAME.health)", name)
    return being.name, what


def set_value(name: str, to: Scalar, because: str, state: State) -> Iterator[Fact]:
    """GR-GAP-54: set one value of somebody: a pool, a condition, or an entry of the sheet."""
    who, what = character_value(name, state)
    if (who, what) in state.pools:
        yield from set_points(who, what, number(name, to, value_refusal), because, state)
    elif what in CONDITIONS:
        yield from set_condition(who, what, number(name, to, value_refusal), state)
    else:
        yield from set_entry(who, what, to, because, state)


def set_points(who: str, pool: str, to: int, because: str, state: State) -> Iterator[Fact]:
    """GR-GAP-54: set a pool within its bounds. GR-GAP-58, GR-DMG-4: what follows from it follows."""
    if pool == HEALTH:
        yield new_health(who, to, because, state)
    else:
        yield new_points(who, pool, to, because, state, RULE, refusal=value_refusal)
    yield from end_dying_of_healed(who, state)
    yield from fall(who, state)


def new_health(who: str, to: int, because: str, state: State) -> PoolSet:
    """GR-DMG-3: health, which may be below 0."""
    old = state.pools[who, HEALTH]
    if old.most is not None and to > old.most:
        raise value_refusal(f"{who}'s health", f"{old.most} or less", to)
    return PoolSet(
        rules=(RULE,), who=who, pool=HEALTH, was=old.points, now=to, least=None, most=old.most, because=because
    )


def set_condition(who: str, name: str, to: int, state: State) -> Iterator[Fact]:
    """GR-GAP-54: begin a condition (1) or end it (0), if that changes anything."""
    check_whole(f"{who}'s {name}", to, 0, 1)
    if bool(to) == has_condition(who, name, state):
        return
    if not to:
        if name == DYING:
            yield from end_dying(who, state, "ruling", RULE)
        else:
            yield condition_end(f"{name} {who}", state, "ruling", RULE)
    elif has_condition(who, DEAD, state):
        raise value_refusal(f"{who}'s {name}", "0 for the dead", to)
    elif name == DEAD:
        yield from kill(who, state, RULE)
    elif name == DYING:
        yield from begin_dying(who, state, RULE)
    elif name == UNCONSCIOUS:
        yield from knock_out(who, state, RULE)
    else:
        yield new_condition(who, name, RULE)


def set_entry(who: str, entry: str, to: Scalar, because: str, state: State) -> Iterator[Fact]:
    """GR-GAP-54, GR-CHAL-3: set an entry of the sheet: a number, a roll value, a team, a grade, what is in hand."""
    was = state.sheet(who, entry)
    if entry == GRADE:
        if to not in GRADES:
            raise value_refusal(f"{who}'s grade", " or ".join(GRADES), to)
    elif entry == HELD:
        to = ", ".join(find_items(who, tuple(name for name in str(to).split(", ") if name), state))
    elif entry != TEAM and was is None and not entry.startswith(SKILL):
        known = ", ".join([*CONDITIONS, GRADE, TEAM, *state.sheet_of(who)])
        raise value_refusal("the value", known, entry)
    elif isinstance(was, int):
        check_whole(f"{who}'s {entry}", number(entry, to, value_refusal), 0)
    elif isinstance(was, str) and not entry.startswith(ENTRY) and was.startswith("r") and was[1:2].isdigit():
        parse_roll_value(str(to).partition(" ")[0], state, entry)
    rules = ("GR-CHAL-3", RULE) if entry == GRADE else (RULE,)
    now = to if to != "" else None
    if was != now:
        yield SheetChanged(rules=rules, who=who, key=entry, was=was, now=now, because=because)


def change_value(name: str, change: int, because: str, state: State) -> Iterator[Fact]:
    """GR-GAP-54: change one value of somebody: a pool, a number on the sheet, or a condition, which counts as 1."""
    who, what = character_value(name, state)
    if (who, what) in state.pools:
        now: Scalar | None = state.points(who, what)
    elif what in CONDITIONS:
        now = int(has_condition(who, what, state))
    else:
        now = state.sheet(who, what)
    yield from set_value(name, number(name, now, value_refusal) + change, because, state)


RULEBOOK: Final = Rulebook(
    texts=TEXTS,
    rules=(RULE,),
    set_value=set_value,
    change_value=change_value,
    no_text=no_text,
    outside_domain=value_refusal,
    left_over=left_over,
)
