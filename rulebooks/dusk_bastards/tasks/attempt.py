"""Attempts and retries: their task, stat and difficulty, worked out once; then the roll."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from ledger.dice import Dice
from ledger.facts import Fact, Ruled
from projections.state import State
from rulebooks.common.decisions import decides
from rulebooks.common.values import shared_fields
from rulebooks.dusk_bastards.combat.modifiers import task_modifiers
from rulebooks.dusk_bastards.declarations.tasks import Attempt, Retry, Search
from rulebooks.dusk_bastards.guards import turn_to_act
from rulebooks.dusk_bastards.tasks import retries
from rulebooks.dusk_bastards.tasks.difficulty import Target
from rulebooks.dusk_bastards.tasks.resolution import Plan, resolve, wait
from rulebooks.dusk_bastards.tasks.stats import is_physical, stat_of
from rulebooks.dusk_bastards.texts import refusal
from rulebooks.dusk_bastards.turns.allowances import check_moment, use_action


@decides(Attempt)
def attempt(said: Attempt, state: State, dice: Dice) -> Iterator[Fact]:
    """DB-PLAY-1 to 8: an attempt at a task."""
    return resolve_task(prepare(said, state), state, dice)


@decides(Retry)
def retry(said: Retry, state: State, dice: Dice) -> Iterator[Fact]:
    """DB-RETRY-2: a new action; stat, difficulty and duration are the old ones unless said otherwise."""
    return resolve_task(prepare_retry(said, state), state, dice)


def prepare(said: Attempt, state: State) -> Plan:
    """DB-GAP-78: a task that failed before in this scene is tried again, unless it is said to be new.

    Without a difficulty, so is one that failed in another scene.
    """
    if said.difficulty is not None and not retries.is_failed_here(said, state):
        stat = stat_of(said, state)
        turn = turn_to_act(said.by, state, physical=is_physical(said, stat))
        check_moment(said, turn, state)
        return Plan(said=said, turn=turn, stat=stat, bases=(said.difficulty,), locates=said.locates)
    failed = {name for failure in retries.failures_of(said.by, state) for name in failure.attempt.names}
    if said.task not in failed:
        raise refusal("DIFFICULTY").of_field("difficulty")
    return prepare_retry(Retry(**shared_fields(said, Retry)), state)


def prepare_retry(said: Retry, state: State) -> Plan:
    """DB-RETRY-2: return the retry as its failed attempt completes it."""
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
    return Plan(
        said=again,
        turn=turn,
        stat=said.stat or failed.stat,
        bases=(failed.difficulty if said.difficulty is None else said.difficulty,),
        retries=id,
        locates=said.locates or failed.locates,
    )


def resolve_task(plan: Plan, state: State, dice: Dice) -> Iterator[Fact]:
    """DB-PLAY-8: the action is used and the wait is over before the roll is made."""
    said, turn = plan.said, plan.turn
    assert isinstance(said, Search)
    assert turn is not None
    yield from use_action(turn, said.slot, state)
    if isinstance(said, Attempt) and said.new:
        yield Ruled(rules=("DB-RETRY-1", "DB-GAP-78"), name="new task", text=said.task, because=said.new)
    yield from wait(plan, state)
    yield from resolve(plan, [Target(base=plan.bases[0], modifiers=task_modifiers(said, state))], state, dice)
