"""Attempts and retries: their task, stat and difficulty."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from ledger.dice import Dice
from ledger.facts import Fact, Ruled
from projections.state import State
from rulebooks.common.decisions import decides
from rulebooks.dusk_bastards.combat.modifiers import task_modifiers
from rulebooks.dusk_bastards.declarations.tasks import Attempt, Retry
from rulebooks.dusk_bastards.guards import turn_to_act
from rulebooks.dusk_bastards.tasks import retries
from rulebooks.dusk_bastards.tasks.difficulty import Target
from rulebooks.dusk_bastards.tasks.resolution import Plan, resolve, wait
from rulebooks.dusk_bastards.tasks.stats import is_physical, stat_of
from rulebooks.dusk_bastards.texts import refusal
from rulebooks.dusk_bastards.turns.allowances import check_moment, use_action


@decides(Attempt)
def attempt(said: Attempt, state: State, dice: Dice) -> Iterator[Fact]:
    """DB-PLAY-1 to 8. DB-GAP-78: a task that failed before in this scene is tried again, unless it is said to be new.

    Without a difficulty, so is one that failed in another scene.
    """
    if said.difficulty is not None and not retries.is_failed_here(said, state):
        stat = stat_of(said, state)
        turn = turn_to_act(said.by, state, physical=is_physical(said, stat))
        check_moment(said, turn, state)
        yield from use_action(turn, said.slot, state)
        if said.new:
            yield Ruled(rules=("DB-RETRY-1", "DB-GAP-78"), name="new task", text=said.task, because=said.new)
        plan = Plan(said=said, stat=stat, locates=said.locates)
        yield from wait(plan, state)
        target = Target(base=said.difficulty, modifiers=task_modifiers(said, state))
        yield from resolve(plan, [target], state, dice)
        return
    failed = {
        name for _, condition in retries.failures_of(said.by, state) for name in retries.failed_attempt(condition).names
    }
    if said.task not in failed:
        raise refusal("DIFFICULTY")
    again = {field: getattr(said, field) for field in Retry.__struct_fields__ if field != "of"}
    yield from retry(Retry(**again), state, dice)


@decides(Retry)
def retry(said: Retry, state: State, dice: Dice) -> Iterator[Fact]:
    """DB-RETRY-2: a new action; stat, difficulty and duration are the old ones unless said otherwise."""
    failure = retries.failure_to_retry(said, state)
    physical = is_physical(said, retries.retry_stat(said, failure))
    turn = turn_to_act(said.by, state, physical=physical)
    check_moment(said, turn, state)
    id, failed = retries.check_retry(said, failure, state)
    again = msgspec.structs.replace(
        said,
        task=failed.task,
        skill=said.skill or failed.skill or "",
        duration=failed.duration if said.duration is None else said.duration,
        hidden=said.hidden or (said.difficulty is None and failed.hidden is True),
    )
    base = failed.difficulty if said.difficulty is None else said.difficulty
    plan = Plan(said=again, stat=said.stat or failed.stat, retries=id, locates=said.locates or failed.locates)
    yield from use_action(turn, said.slot, state)
    yield from wait(plan, state)
    yield from resolve(plan, [Target(base=base, modifiers=task_modifiers(said, state))], state, dice)
