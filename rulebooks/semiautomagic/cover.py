"""Cover: its grade, the steps of the stance, the Target that it gives, and what an attack does to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from ledger.facts import GM, ConditionBegan, Fact, Joined, Ruled, SheetChanged, WoundChanged
from projections.state import Condition, State
from rulebooks.common.beings import check_free
from rulebooks.common.conditions import condition_end, has_condition, new_condition
from rulebooks.common.decisions import decides
from rulebooks.common.sums import SumSteps
from rulebooks.common.values import check_whole, sheet_number
from rulebooks.semiautomagic.declarations.scene import SetCover
from rulebooks.semiautomagic.guards import find_creature
from rulebooks.semiautomagic.items import wounds
from rulebooks.semiautomagic.texts import check_reason, outside_domain, unknown

COVER: Final = "cover"
OBJECT: Final = "object"
NOBODY: Final = GM  # of a source that is no creature: a cover against one foe alone does not hold against it
GRADES: Final = ("none", "light", "medium", "heavy", "total")
LIGHT, MEDIUM, HEAVY, TOTAL = 1, 2, 3, 4
GRADE_RULES: Final = ("", "TT-COV-1", "TT-COV-2", "TT-COV-3", "TT-COV-4")
CROUCHING: Final = "crouching"
PRONE: Final = "prone"
STANCE_STEPS: Final = {CROUCHING: 1, PRONE: 2}


class Effective(msgspec.Struct, frozen=True, kw_only=True):
    """The cover of a creature against another: the object, its grade, and the grade after the steps of the stance."""

    object: str
    grade: int
    effective: int
    rules: tuple[str, ...]


def stance(who: str, state: State) -> str:
    """TT-STN-1: crouching, prone, or empty for standing."""
    return next((name for name in STANCE_STEPS if has_condition(who, name, state)), "")


def change_stance(who: str, after: str, state: State, *rules: str) -> Iterator[Fact]:
    """TT-STN-1: standing, crouching or prone, one at a time."""
    before = stance(who, state)
    if before and before != after:
        yield condition_end(f"{before} {who}", state, after, *rules)
    if after in (CROUCHING, PRONE) and before != after:
        yield new_condition(who, after, *rules)


def covers_of(who: str, state: State, against: str = "") -> list[Condition]:
    """TT-COV-5: somebody's covers that count against this creature; against nobody in particular, all of them."""
    covers = [condition for _, condition in state.conditions_of(who) if condition.name == COVER]
    return [cover for cover in covers if not against or not kept_against(cover) or against in kept_against(cover)]


def one_sided_covers(who: str, state: State) -> list[Condition]:
    """TT-GAP-43: somebody's covers that hold against certain foes alone."""
    return [cover for cover in covers_of(who, state) if kept_against(cover)]


def kept_against(condition: Condition) -> tuple[str, ...]:
    """Return those against whom a cover counts; empty: all."""
    return msgspec.json.decode(condition.note, type=tuple[str, ...]) if condition.note else ()


def effective_cover(who: str, state: State, against: str = "") -> Effective | None:
    """TT-STN-2, TT-GAP-15: the best cover, one grade higher for who crouches, two for the prone, at most total.

    Two who are behind the same object have it between them, unless `against` of one of them says otherwise.
    """
    covers = covers_of(who, state, against)
    if not covers:
        return None
    best = max(covers, key=lambda condition: condition.degree)
    steps = STANCE_STEPS.get(stance(who, state), 0)
    effective = min(TOTAL, best.degree + steps)
    raised = ("TT-GAP-15",) if best.degree < TOTAL <= best.degree + steps else ()
    rules = (GRADE_RULES[effective], *(("TT-STN-2",) if steps else ()), *raised)
    return Effective(object=best.about, grade=best.degree, effective=effective, rules=rules)


def add_cover(steps: SumSteps, cover: Effective) -> None:
    """TT-COV-1, TT-COV-2, TT-COV-3: +1, +2 or +3 Target. Total cover makes invisible instead (TT-COV-4)."""
    if cover.effective < TOTAL:
        steps.add(cover.effective, cover.rules[0], f"{GRADES[cover.effective]} cover")


def perception_bonus(who: str, state: State, against: str = "") -> tuple[int, tuple[str, ...]]:
    """TT-COV-1 to TT-COV-3: +1, +2 or +3 to the DC of seeing who hides behind it. TT-GAP-34: none for total cover."""
    cover = effective_cover(who, state, against)
    if cover is None or cover.effective == TOTAL:
        return 0, ()
    return cover.effective, cover.rules


def has_evasion(who: str, state: State, against: str = "") -> bool:
    """TT-COV-3: heavy cover dodges as if with Evasion, which a sheet may have as well (TT-OUT-10)."""
    cover = effective_cover(who, state, against)
    return bool(sheet_number(who, "evasion", state)) or (cover is not None and cover.effective >= HEAVY)


def cover_toughness(object: str, state: State) -> SumSteps | None:
    """TT-HIT-3, TT-GAP-8: the Toughness of a cover, less its wounds. None: the game master has not said it."""
    written = state.sheet(object, "toughness")
    if not isinstance(written, int):
        return None
    steps = SumSteps("toughness", written)
    steps.add(-wounds(object, state), "TT-GAP-8", "wounds of the cover")
    return steps


@decides(SetCover)
def set_cover(said: SetCover, state: State) -> Iterator[Fact]:
    """TT-COV-5: the game master rules on the grade. TT-HIT-1: and on whether it matters that the cover is hit."""
    find_creature(said.who, state, "who")
    for who in said.against:
        find_creature(who, state, "against")
    if said.grade not in GRADES:
        raise outside_domain("grade", f"one of {', '.join(GRADES)}", said.grade)
    for name, value in (("toughness", said.toughness), ("durability", said.durability)):
        if value is not None:
            check_whole(name, value, 0, refusal=outside_domain)
    check_reason(said.reason, "a grade of cover")
    being = state.being(said.object or f"{said.who}'s cover")
    if being is not None and being.kind != OBJECT:
        raise unknown("object", "a cover in play, or a new name", said.object)
    object = being.name if being else said.object or f"{said.who}'s cover"
    if being is None:
        check_free(object, state, outside_domain)
    yield Ruled(rules=("TT-COV-5",), name="cover", text=f"{said.who}: {said.grade}", because=said.reason)
    if not said.object:
        yield from leave_covers(said.who, "" if said.grade == GRADES[0] else object, state)
    if said.grade != GRADES[0]:
        yield from describe_object(object, said, state)
        yield new_cover(cover_id(said.who, object), said.who, object, GRADES.index(said.grade), said.against)
    elif cover_id(said.who, object) in state.conditions:
        yield condition_end(cover_id(said.who, object), state, "ruling", "TT-COV-5")


def leave_covers(who: str, stays: str, state: State) -> Iterator[Fact]:
    """TT-COV-5: a cover without a name is the only one that somebody has; without a grade there is none."""
    for id, cover in state.conditions_of(who):
        if cover.name == COVER and cover.about != stays:
            yield condition_end(id, state, "ruling", "TT-COV-5")


def describe_object(object: str, said: SetCover, state: State) -> Iterator[Fact]:
    """TT-HIT-1: the cover joins, or its numbers change where new ones are said."""
    fresh = not said.object and not is_in_use(object, state)  # another obstacle than the last one without a name
    numbers = (("toughness", said.toughness), ("durability", said.durability), ("matters", int(said.matters) or None))
    if state.being(object) is None:
        sheet = tuple((name, value) for name, value in numbers if value is not None)
        yield Joined(rules=("TT-COV-5", "TT-HIT-1"), who=object, kind=OBJECT, side="gm", sheet=sheet, seen="table")
        return
    for name, value in numbers:
        was = state.sheet(object, name)
        if (value is not None or fresh) and value != was:
            yield SheetChanged(rules=("TT-HIT-1",), who=object, key=name, was=was, now=value, because=said.reason)
    for id, wound in state.wounds_of(object) if fresh else ():
        yield WoundChanged(
            rules=("TT-GAP-8",), who=object, wound=id, kind=wound.kind, value=0, in_force=False, because=said.reason
        )


def is_in_use(object: str, state: State) -> bool:
    """Return whether anybody is behind an object."""
    return any(cover.name == COVER and cover.about == object for cover in state.conditions.values())


def cover_id(who: str, object: str) -> str:
    """Return the id of a creature's cover behind an object."""
    return f"{COVER} {who} {object}"


def new_cover(id: str, who: str, object: str, grade: int, against: tuple[str, ...], *rules: str) -> ConditionBegan:
    """Return the fact that a creature has this grade of cover."""
    return ConditionBegan(
        rules=(*rules, GRADE_RULES[grade], "TT-COV-5"),
        id=id,
        who=who,
        name=COVER,
        degree=grade,
        about=object,
        note=msgspec.json.encode(against).decode() if against else "",
    )


def lower_grade(object: str, state: State) -> Iterator[Fact]:
    """TT-HIT-3: total to heavy, medium, light and none, for all behind it; the real grade (TT-GAP-8)."""
    rules = ("TT-HIT-3", "TT-GAP-8")
    for id, cover in sorted(state.conditions.items()):
        if cover.name != COVER or cover.about != object:
            continue
        if cover.degree == LIGHT:
            yield condition_end(id, state, "shot to pieces", *rules)
        else:
            yield new_cover(id, cover.who, object, cover.degree - 1, kept_against(cover), *rules)
