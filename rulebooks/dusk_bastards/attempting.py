"""How you play: one attempt, in the order that DB-PLAY-8 fixes, from the words to the open roll."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from ledger.dice import Dice
from ledger.facts import GM, Fact, Judged, Sum, TimePassed, WindowOpened
from projections.state import State
from rulebooks.dusk_bastards.book import TEXTS, refused, value_refused, whole
from rulebooks.dusk_bastards.costs import check_points, cost, lacking, payment, spent
from rulebooks.dusk_bastards.declarations import STATS, Attempt, Cost, Retry, Stat, Task
from rulebooks.dusk_bastards.destiny import check_split, destined, half_rounded_up
from rulebooks.dusk_bastards.difficulty import difficulty, routine, target_number
from rulebooks.dusk_bastards.effort import check_effort
from rulebooks.dusk_bastards.retrying import Failed, failed_by, note, remembered, to_retry, tried_again
from rulebooks.dusk_bastards.rolling import (
    OPEN_ROLL,
    TAKING_20,
    Roll,
    check_dice,
    judged,
    target_sum,
    thrown,
)
from rulebooks.dusk_bastards.spending import check_shares, spend_first

DIFFICULTY_MOST: Final = 12


def check_form(said: Task, state: State, dice: Dice) -> None:
    """DB-PLAY-9: the form of the input first: values, faces, difficulty."""
    check_actor(said.by, state)
    for field in ("effort", "free_effort", "initial_cost"):
        whole(field, getattr(said, field), 0)
    for steps in [*(asset.steps for asset in said.assets), *(found.steps for found in (*said.ease, *said.hinder))]:
        whole("steps", steps, 1)
    for paid in said.ability_cost:
        whole("ability_cost", paid.points, 0)
    check_shares(said.refund, said.destiny_first)
    for helper in said.helpers:
        if state.being(helper) is None:
            raise value_refused("helpers", "somebody in play", helper)
    if said.duration is not None:
        whole("duration", said.duration, 0)
    if isinstance(said, Attempt) and said.difficulty is not None:
        stat_of(said, state)
    check_dice(dice, 1)
    if said.difficulty is not None and not 0 <= said.difficulty <= DIFFICULTY_MOST:
        raise refused("DIFFICULTY")


def check_actor(who: str, state: State) -> None:
    """DB-ROLL-3: players make all rolls, for their characters."""
    being = state.being(who)
    if being is None or being.kind != "pc":
        raise value_refused("by", "a player's character in play", who)
    if being.name != who:
        raise value_refused("by", f"spelled {being.name}, as on the sheet", who)


def stat_of(said: Task, state: State) -> Stat:
    """DB-STAT-1: the stat that was named, or the one that the sheet or common use gives this task."""
    known = said.stat or state.sheet(said.by, f"stat.{said.task}")
    for stat in STATS:
        if known == stat:
            return stat
    words = TEXTS.words.words
    for stat in STATS:
        if said.task in words[stat]:
            return stat
    tasks = [*tasks_of(said.by, state), *(word for stat in STATS for word in words[stat])]
    domain = f"might, speed or intellect (m, s or i){nearest_task(said.task, tasks)}"
    raise value_refused(f"the stat of '{said.task}'", domain, "nothing")


def nearest_task(task: str, tasks: list[str]) -> str:
    """A hint at the task that may have been meant, for a refusal."""
    from difflib import get_close_matches

    nearest = get_close_matches(task, tasks, 1)
    return f"; the nearest task that is known: {nearest[0]}" if nearest else ""


def tasks_of(who: str, state: State) -> list[str]:
    """The tasks that stand on a character's sheet."""
    return [entry.removeprefix("skill.") for entry in state.sheet_of(who) if entry.startswith("skill.")]


def attempt(said: Attempt, state: State, dice: Dice) -> Iterator[Fact]:
    """DB-PLAY-1 to 8. Without a difficulty, a task that failed before is tried again (DB-RETRY-1)."""
    if said.difficulty is not None:
        yield from tried(said, stat_of(said, state), said.difficulty, state, dice)
        return
    if said.task not in {note(found).task for _, found in failed_by(said.by, state)} - {""}:
        raise refused("DIFFICULTY")
    again = {field: getattr(said, field) for field in said.__struct_fields__}
    yield from retry(Retry(**again), state, dice)


def retry(said: Retry, state: State, dice: Dice) -> Iterator[Fact]:
    """DB-RETRY-2: a new action; stat, difficulty and duration are the old ones unless said otherwise."""
    id, failed = to_retry(said, state)
    again = msgspec.structs.replace(
        said,
        task=failed.task,
        duration=failed.duration if said.duration is None else said.duration,
    )
    base = failed.difficulty if said.difficulty is None else said.difficulty
    yield from tried(again, said.stat or failed.stat, base, state, dice, retries=id)


def tried(said: Task, stat: Stat, base: int, state: State, dice: Dice, *, retries: str = "") -> Iterator[Fact]:
    """DB-PLAY-8: Destiny before the roll, costs, routine check, roll, destined effect, provisional result."""
    yield from spend_first(said.by, said.destiny_first, state)
    check_effort(said, stat, state)
    if retries and not said.effort + said.free_effort:
        raise refused("RETRY-EFFORT")
    short = lacking(said, stat, state, retry=bool(retries))
    if short is not None:
        yield from automatic_failure(said, stat, base, state, short, retries)
        return
    check_points(said, stat, state)
    out = {cost.stat: cost.points for cost in spent(said, stat, state)}
    check_split(said.refund, out, half_rounded_up(sum(out.values())))
    final = difficulty(said, base, state) if base else routine(base)
    paid = cost(said, stat, state)
    yield from payment(said, stat, state)
    yield from time_taken(said)
    sums = (final, *([paid] if paid else []))
    if not final.total:
        yield succeeded(said, sums)
        yield from tried_again(said.by, said.task, retries, state)
        return
    target = target_number(final.total)
    roll = Roll(
        who=said.by,
        task=said.task,
        stat=stat,
        base=base,
        duration=said.duration,
        hidden=said.hidden,
        floor=TAKING_20 if said.take20 else 0,
        target=target,
        retries=retries,
        spent=tuple(Cost(pool, points) for pool, points in out.items()),
        sums=(*sums, target_sum(final.total, target)),
    )
    yield from rolled(said, roll, state, dice)


def rolled(said: Task, roll: Roll, state: State, dice: Dice) -> Iterator[Fact]:
    """DB-PLAY-5, DB-DEST-4: the roll, its destined effect, the provisional result; then the window is open."""
    roll, faces = thrown(roll, dice, f"task {said.by}")
    yield faces
    roll = yield from destined(roll, state, said.refund)
    yield judged(roll, final=False)
    yield WindowOpened(
        rules=("DB-DEST-4",), window=OPEN_ROLL, kind="roll", who=said.by, awaits=(said.by, GM), data=roll.packed()
    )


def succeeded(said: Task, sums: tuple[Sum, ...]) -> Fact:
    """DB-PLAY-3, DB-MOD-3: routine: success without a roll, so no destined effect and no tokens."""
    eased = ("DB-PLAY-3", "DB-MOD-3", "DB-MOD-1", "DB-DIFF-2") if sums[0].start else ("DB-PLAY-1", "DB-MOD-3")
    return Judged(
        rules=(*eased, "DB-ACT-3"),
        what="task",
        who=said.by,
        sums=sums,
        result="routine",
        final=True,
        seen="gm" if said.hidden else "table",
    )


def automatic_failure(
    said: Task, stat: Stat, base: int, state: State, short: tuple[Stat, int], retries: str
) -> Iterator[Fact]:
    """DB-COST-4, DB-ACT-4: who cannot pay the minimum fails; nothing is spent, nothing rolled."""
    pool, least = short
    needed = Sum(name=f"least {pool}", start=least, steps=(), total=least)
    yield Judged(
        rules=("DB-COST-4", "DB-ACT-4"),
        what="task",
        who=said.by,
        sums=(needed,),
        total=state.points(said.by, pool),
        target=least,
        result="automatic failure",
        final=True,
    )
    failed = Failed(task=said.task, stat=stat, difficulty=base, duration=said.duration)
    yield from tried_again(said.by, said.task, retries, state)
    yield from remembered(said.by, failed, state, None)


def time_taken(said: Task) -> Iterator[Fact]:
    """DB-T20-1: taking 20 takes twenty times the usual time; DB-RETRY-2: a retry as long as the attempt."""
    if said.duration:
        seconds = said.duration * (20 if said.take20 else 1)
        rule = "DB-T20-1" if said.take20 else "DB-RETRY-2" if isinstance(said, Retry) else "DB-ACT-3"
        yield TimePassed(rules=(rule,), seconds=seconds, label="taking 20" if said.take20 else said.task)
