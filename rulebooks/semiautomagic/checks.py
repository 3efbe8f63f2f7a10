"""Rolls: the dice of an entry, a d6 with a bonus against a number; and the fortitude checks that are due."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Final

import msgspec

from ledger.dice import Dice
from ledger.facts import Die, Fact, Judged, Rolled, WindowClosed, WindowOpened
from projections.state import State, Window
from rulebooks.common.dice import EntryDice
from rulebooks.common.sums import SumSteps
from rulebooks.common.values import sheet_number
from rulebooks.semiautomagic.declarations.turns import Fortitude
from rulebooks.semiautomagic.guards import check_alive, find_creature
from rulebooks.semiautomagic.texts import option, refusal

FORTITUDE: Final = "fortitude"


def throw_dice(who: str, purpose: str, throws: EntryDice, *sides: int, rules: tuple[str, ...]) -> tuple[int, Rolled]:
    """Throw the dice of a purpose and return their total with the fact."""
    faces: tuple[int, ...] = throws.group(lambda dice: dice.throw(purpose, *sides), sum)  # their total alone matters
    pairs = enumerate(zip(sides, faces, strict=True))
    dice = tuple(Die(ordinal=index, sides=most, face=face) for index, (most, face) in pairs)
    rolled = Rolled(rules=rules, who=who, purpose=purpose, source=throws.dice.source, dice=dice)
    return sum(die.face for die in dice), rolled


def check_sides(state: State) -> int:
    """TT-GAP-2: the sides of the die of attacks, defences and checks."""
    return 10 if option(state, "attack_die") == "d10" else 6


def roll_sum(
    who: str, purpose: str, name: str, state: State, throws: EntryDice, *rules: str
) -> Generator[Fact, None, SumSteps]:
    """TT-GAP-2: throw the die of a check, and return the sum that begins with its face."""
    face, rolled = throw_dice(who, purpose, throws, check_sides(state), rules=rules)
    yield rolled
    return SumSteps(name, face)


class FortitudeDue(msgspec.Struct, frozen=True, kw_only=True):
    """A fortitude check that is due: its DC, what a failure does, and the hand that it is about."""

    dc: int
    failure: str
    hand: int = 0


def ask_fortitude(who: str, due: FortitudeDue, state: State) -> WindowOpened:
    """TT-CAL-4, TT-GAP-30: a check is due, against the damage dealt."""
    taken = [int(id.rsplit(" ", 1)[1]) for id, window in state.windows.items() if window.kind == FORTITUDE]
    return WindowOpened(
        rules=("TT-CAL-4", "TT-GAP-30"),
        window=f"{FORTITUDE} {who} {max(taken, default=0) + 1}",
        kind=FORTITUDE,
        who=who,
        awaits=(who,),
        data=msgspec.json.encode(due).decode(),
    )


def due_checks(who: str, state: State) -> list[tuple[str, Window]]:
    """Return the fortitude checks that somebody has to make, oldest first."""
    mine = [(id, window) for id, window in state.windows.items() if window.kind == FORTITUDE and window.who == who]
    return sorted(mine, key=lambda pair: pair[1].order)


def roll_fortitude(said: Fortitude, state: State, dice: Dice) -> Generator[Fact, None, FortitudeDue | None]:
    """TT-GAP-30: d6 + fortitude against the damage, meet or beat. Returns the check if it failed."""
    find_creature(said.by, state)
    check_alive(said.by, state)
    waiting = due_checks(said.by, state)
    if not waiting:
        raise refusal("NOT-DUE", case=FORTITUDE, name=said.by)
    id, window = waiting[0]
    due = msgspec.json.decode(window.data, type=FortitudeDue)
    purpose, rules = f"fortitude {said.by}", ("TT-GAP-30", "TT-CAL-4")
    steps = yield from roll_sum(said.by, purpose, FORTITUDE, state, EntryDice(dice, refusal), *rules)
    steps.add(sheet_number(said.by, FORTITUDE, state), "TT-GAP-30", FORTITUDE)
    passed = steps.total >= due.dc
    yield Judged(
        rules=rules,
        what=FORTITUDE,
        who=said.by,
        sums=(steps.sum(),),
        total=steps.total,
        target=due.dc,
        result="passed" if passed else "failed",
        margin=steps.total - due.dc,
        rolls=(purpose,),
        final=True,
    )
    yield WindowClosed(rules=rules, window=id, outcome="passed" if passed else "failed")
    return None if passed else due


def void_checks(who: str, state: State) -> Iterator[Fact]:
    """TT-GAP-30: a check that is due for somebody who is dead is not made."""
    for id, _ in due_checks(who, state):
        yield WindowClosed(rules=("TT-GAP-30",), window=id, outcome="void")
