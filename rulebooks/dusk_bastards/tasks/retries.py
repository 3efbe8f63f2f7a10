"""Retries: a failed attempt is remembered, tried again with Effort, or forbidden.

A failed attempt is a condition `failed` of the character; its data is for a retry. FAILED_KEPT of each
character are kept, so that the state of a long campaign does not carry every failure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

import msgspec

from ledger.declarations import Declaration
from ledger.facts import ConditionBegan, EntryId, Fact, Ruled, parse_entry_id
from ledger.names import fold_case
from projections.derived import derived_of_being
from projections.state import Condition, State
from rulebooks.common.conditions import condition_end
from rulebooks.common.decisions import decides
from rulebooks.common.rulings import ruling_words
from rulebooks.dusk_bastards.declarations.parts import Effect, Stat
from rulebooks.dusk_bastards.declarations.tasks import Attempt, ForbidRetry, Retry
from rulebooks.dusk_bastards.harm.conditions import LOCATED, impose
from rulebooks.dusk_bastards.tasks.roll import Roll, consequences_of
from rulebooks.dusk_bastards.texts import refusal

FAILED: Final = "failed"
FAILED_KEPT: Final = 8


class FailedAttempt(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A failed attempt: the values that a retry inherits, and the reason if a retry is forbidden.

    `hidden`: the players do not know its difficulty.
    """

    task: str
    stat: Stat
    difficulty: int
    duration: int | None
    locates: str = ""
    forbidden: str = ""
    scene: str = ""
    hidden: bool | msgspec.UnsetType = msgspec.UNSET
    skill: str | msgspec.UnsetType = msgspec.UNSET

    @property
    def names(self) -> tuple[str, ...]:
        """What the attempt may be called: its task, and the task of the sheet that it was rolled as."""
        return tuple([name for name in (self.task, self.skill) if name])


FAILED_ATTEMPTS: Final = msgspec.json.Decoder(FailedAttempt)


class KeptFailure(msgspec.Struct, frozen=True):
    """A failed attempt that is remembered: the condition that remembers it, with its id, and what it says."""

    id: str
    condition: Condition
    attempt: FailedAttempt


@derived_of_being
def failures_of(who: str, state: State) -> tuple[KeptFailure, ...]:
    """Return a character's failed attempts, in no order."""
    return tuple(
        [
            KeptFailure(id, condition, decode_failed_attempt(condition.data))
            for id, condition in state.conditions.items()
            if condition.who == who and condition.name == FAILED
        ]
    )


def by_entry(failures: Iterable[KeptFailure]) -> list[KeptFailure]:
    """Return failed attempts in the order of their entries. `forbid` does not make one newer."""
    return sorted(failures, key=age)


def age(failure: KeptFailure) -> tuple[EntryId, EntryId, str]:
    """Return the sort key of a failed attempt: the older, the lower."""
    return parse_entry_id(failed_entry(failure.condition)), failure.condition.since, failure.id


def failed_entry(condition: Condition) -> str:
    """Return the entry of the failed attempt: the entry of its roll, or of its automatic failure."""
    return condition.about or str(condition.since)


@lru_cache(maxsize=256)
def decode_failed_attempt(data: str) -> FailedAttempt:
    """Return the failed attempt in this JSON: the same text is asked for by every later attempt of its character."""
    return FAILED_ATTEMPTS.decode(data)


@consequences_of("task")
def settle_task(roll: Roll, state: State, won: bool, opened: EntryId | None) -> Iterator[Fact]:
    """DB-RETRY-4: a failure can be tried again; a success cannot, and locates the one who was searched for."""
    yield from forget_retried(roll.who, roll.task, roll.retries, state)
    if won and roll.locates:
        yield from impose(roll.locates, Effect(LOCATED, until="encounter"), state)
    if not won:
        task, stat, base = roll.task, roll.stat, roll.base
        failed = FailedAttempt(
            task=task,
            stat=stat,
            difficulty=base,
            duration=roll.duration,
            locates=roll.locates,
            scene=scene(state),
            hidden=roll.hidden or msgspec.UNSET,
            skill=roll.skill,
        )
        yield from remember_failure(roll.who, failed, state, opened)


def forget_retried(who: str, task: str, retried: str, state: State) -> Iterator[Fact]:
    """DB-RETRY-2: end the failed attempt that was retried, and all others of its task."""
    failures = failures_of(who, state)
    over = [failure for failure in failures if failure.id == retried or (task and failure.attempt.task == task)]
    for failure in by_entry(over) if over else ():
        yield condition_end(failure.id, state, "tried again", "DB-RETRY-2")


def remember_failure(who: str, failed: FailedAttempt, state: State, opened: EntryId | None) -> Iterator[Fact]:
    """DB-RETRY-4: a failed attempt, also an automatic one, is kept for a retry."""
    earlier = failures_of(who, state)
    surplus = len(earlier) + 1 - FAILED_KEPT
    for failure in by_entry(earlier)[:surplus] if surplus > 0 else ():
        yield condition_end(failure.id, state, "forgotten", "DB-RETRY-4")
    entry = str(opened) if opened else ""
    id = f"{FAILED} {who} {entry or failed.task or failed.stat}"
    yield failed_condition(id, who, entry, failed, "DB-RETRY-4", "DB-RETRY-1")


def failed_condition(id: str, who: str, entry: str, failed: FailedAttempt, *rules: str) -> ConditionBegan:
    """Return the fact that a failed attempt is kept for a retry."""
    data = msgspec.json.encode(failed, order="deterministic").decode()
    return ConditionBegan(rules=rules, id=id, who=who, name=FAILED, about=entry, data=data)


def scene(state: State) -> str:
    """DB-GAP-78: the scene of the story, or the encounter that is running in it."""
    encounter = state.encounter
    return encounter.id if encounter else state.scene.get("began", "")


def is_failed_here(said: Attempt, state: State) -> bool:
    """DB-GAP-78: whether a task was failed in this scene, at whatever difficulty, and is not said to be new.

    It is another task if it has other words. Outside an encounter it is a new scene after ten minutes at once.
    """
    if said.new or not said.task:
        return False
    here = scene(state)
    for failure in failures_of(said.by, state):
        failed = failure.attempt
        if failed.task == said.task and failed.scene == here and is_recent(failure.condition, state):
            return True
    return False


def is_recent(condition: Condition, state: State) -> bool:
    """DB-GAP-78: whether a failure is of this encounter (names come again); or no long time has passed."""
    encounter, failed = state.encounter, parse_entry_id(failed_entry(condition))
    if encounter is not None:
        return failed >= encounter.since
    return "passed" not in state.scene or failed >= parse_entry_id(state.scene["passed"])


def is_retry_of(said: Retry, failure: KeptFailure) -> bool:
    """DB-RETRY-4: whether the retry may mean this failed attempt, by its entry and its task."""
    return (said.of is None or said.of == failed_entry(failure.condition)) and (
        not said.task or said.task in failure.attempt.names
    )


def failure_to_retry(said: Retry, state: State) -> tuple[str, FailedAttempt] | None:
    """DB-RETRY-4: one's own failed attempt, the one named or the last; None if there is none."""
    failures = [failure for failure in failures_of(said.by, state) if is_retry_of(said, failure)]
    if not failures:
        return None
    last = max(failures, key=age)
    return last.id, last.attempt


def retry_stat(said: Retry, failure: tuple[str, FailedAttempt] | None) -> Stat | None:
    """DB-RETRY-2: the stat that is said, or that of the attempt which is tried again; None without one."""
    return said.stat or (failure[1].stat if failure else None)


def check_retry(said: Retry, failure: tuple[str, FailedAttempt] | None, state: State) -> tuple[str, FailedAttempt]:
    """DB-RETRY-4, DB-RETRY-3: there is a failed attempt to retry, and it is not forbidden."""
    if failure is None:
        raise refusal("RETRY-TARGET", name=said.by)
    _, failed = failure
    if reason := failed.forbidden or next(filter(None, (retry_ban(name, state) for name in failed.names)), ""):
        raise refusal("RETRY-FORBIDDEN", reason=reason)
    return failure


def tasks_tried(said: Declaration, state: State) -> tuple[str, ...]:
    """DB-RETRY-2: the task that is tried and what it is rolled as; without words those of the last failure."""
    failed = failures_of(said.by, state) if isinstance(said, Retry) and not said.task else ()
    if failed:
        return max(failed, key=age).attempt.names
    return tuple(filter(None, (getattr(said, "task", ""), getattr(said, "skill", ""))))


def retry_ban(task: str, state: State) -> str:
    """DB-RETRY-3: the words of the ruling that nobody tries this task again; empty without one."""
    law = state.ruling_value(f"task.{fold_case(task)}.retry")
    return ruling_words(law[0], state) if law else ""


@decides(ForbidRetry)
def forbid_retry(said: ForbidRetry, state: State) -> Iterator[Fact]:
    """DB-RETRY-3: the game master rules that this cannot be tried again."""
    for id, condition in state.conditions.items():
        if condition.name == FAILED and failed_entry(condition) == said.of:
            yield Ruled(
                rules=("DB-RETRY-3",),
                name="no retry",
                text=f"{condition.who} may not retry {said.of}",
                because=said.reason,
                about=said.of,
            )
            failed = decode_failed_attempt(condition.data)
            forbidden = msgspec.structs.replace(failed, forbidden=said.reason)
            yield failed_condition(id, condition.who, said.of, forbidden, "DB-RETRY-3")
            return
    raise refusal("RETRY-TARGET", name=said.of)
