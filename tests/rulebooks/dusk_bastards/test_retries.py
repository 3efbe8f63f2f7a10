"""Retries, beyond the worked cases."""

from __future__ import annotations

import pytest

from cli.notation.line_parser import parse_line
from cli.questions.line_scope import line_scope
from ledger.builtin import Tell
from ledger.declarations import Declaration
from ledger.errors import Refused
from ledger.facts import GM, Ruled, TimePassed
from rulebooks.dusk_bastards.declarations.harm import Rest
from rulebooks.dusk_bastards.declarations.tasks import Attempt, ForbidRetry, Retry
from rulebooks.dusk_bastards.declarations.turns import EndEncounter, StartEncounter
from rulebooks.dusk_bastards.declarations.world import AdvanceTime
from tests.rulebooks.dusk_bastards.seat import (
    BOOK,
    DAWN,
    DUSK,
    Seat,
    again,
    close,
    eased,
    failing,
    final_difficulty,
    of_kind,
    spent,
    sum_of,
    task,
    tries,
)


def retry_result(seat: Seat, said: Declaration) -> tuple[int, int | None]:
    """Return base difficulty and target number, which differ between the attempts of these tests."""
    record = seat.say(said, *DUSK)
    base = sum_of(task(record), "difficulty").start
    return base, task(record).target


def test_retry_repeats_the_last_or_the_named_failure() -> None:
    """DB-RETRY-2, DB-RETRY-4."""
    seat = Seat("Ash", Ash={"might": 12, "sheet": {"might": 60}})
    first, second, third = (failing(seat, task=word, difficulty=base) for word, base in [("a", 5), ("b", 6), ("", 7)])
    assert retry_result(seat, again(of=first)) == (5, 12)
    assert retry_result(seat, again(of=second)) == (6, 15)
    assert retry_result(seat, again(of=third)) == (7, 18)


def test_retry_repeats_the_latest_failure() -> None:
    seat = Seat("Ash", Ash={"sheet": {"might": 60}})
    for word, base in [("a", 5), ("b", 6), ("", 7)]:
        failing(seat, task=word, difficulty=base)
    assert retry_result(seat, again()) == (7, 18)


def test_retry_may_name_the_task() -> None:
    seat = Seat("Ash", Ash={"sheet": {"might": 60}})
    for word, base in [("a", 5), ("b", 6), ("", 7)]:
        failing(seat, task=word, difficulty=base)
    assert retry_result(seat, again(task="a")) == (5, 12)
    assert seat.code(again(task="c"), *DAWN) == "RETRY-TARGET"


def test_attempt_without_difficulty_is_a_retry() -> None:
    seat = Seat("Ash", Ash={"sheet": {"might": 60}})
    failing(seat, task="a", difficulty=6)
    failing(seat, task="b", difficulty=7)
    said = Attempt(by="Ash", task="a", effort=1)
    assert retry_result(seat, said) == (6, 15)
    assert seat.code(Attempt(by="Ash", task="b"), *DAWN) == "RETRY-EFFORT"
    assert seat.code(Attempt(by="Ash", task="c", effort=1), *DAWN) == "DIFFICULTY"
    assert seat.code(Attempt(by="Ash", stat="might", effort=1), *DAWN) == "DIFFICULTY"


def test_retry_inherits_stat_difficulty_duration_only() -> None:
    """DB-RETRY-2, DB-MOD-2."""
    seat = Seat("Ash")
    seat.say(tries(stat="intellect", difficulty=9, assets=(2,), ease=eased(1), initial_cost=1, duration=60), *DUSK)
    record = seat.say(again(), *DUSK)
    assert (spent(record), final_difficulty(record)) == ({"intellect": 3}, 8)
    assert [fact.seconds for fact in of_kind(record, TimePassed)] == [60]


def test_retry_may_change_what_it_inherits() -> None:
    seat = Seat("Ash")
    failing(seat, difficulty=9, duration=60)
    record = seat.say(again(stat="speed", difficulty=6, duration=30), *DUSK)
    assert (spent(record), final_difficulty(record)) == ({"speed": 3}, 5)
    assert [fact.seconds for fact in of_kind(record, TimePassed)] == [30]


def test_failed_retry_may_be_retried_with_effort() -> None:
    """DB-RETRY-2."""
    seat = Seat("Ash")
    failing(seat, task="a")
    failed = str(seat.say(again(), *DUSK).id)
    seat.say(close())
    assert seat.code(Retry(by="Ash"), *DAWN) == "RETRY-EFFORT"
    assert task(seat.say(again(of=failed), 11, 12)).result == "success"
    seat.say(close())
    assert seat.code(again(), *DAWN) == "RETRY-TARGET"


@pytest.mark.parametrize("word", ["", "a"])
def test_success_cannot_be_retried(word: str) -> None:
    """DB-RETRY-4: whether the task has a name or not."""
    seat = Seat("Ash")
    failing(seat, task=word)
    seat.say(again(), 11, 12)
    seat.say(close())
    assert seat.code(again(), *DAWN) == "RETRY-TARGET"


@pytest.mark.parametrize("word", ["", "a"])
def test_routine_success_cannot_be_retried(word: str) -> None:
    seat = Seat("Ash")
    failing(seat, task=word)
    record = seat.say(again(trained=("x", "y"), ease=eased(3)), *DAWN)
    assert task(record).result == "routine"
    assert seat.code(again(), *DAWN) == "RETRY-TARGET"


@pytest.mark.parametrize("word", ["", "a"])
def test_automatic_failure_can_be_retried(word: str) -> None:
    """DB-RETRY-4: also a retry that failed so; there is one thing to retry then, not two."""
    seat = Seat("Ash", Ash={"might": 4})
    failed = failing(seat, task=word)
    assert task(seat.say(again(initial_cost=5), *DAWN)).result == "automatic failure"
    assert seat.code(again(of=failed), *DAWN) == "RETRY-TARGET"
    assert task(seat.say(again(), 11, 12)).result == "success"
    seat.say(close())
    assert seat.code(again(), *DAWN) == "RETRY-TARGET"


def test_failure_of_another_cannot_be_retried() -> None:
    """DB-RETRY-4."""
    seat = Seat("Ash", "Bryn")
    failed = failing(seat, "Bryn", task="a")
    assert seat.code(again("Ash"), *DAWN) == "RETRY-TARGET"
    assert seat.code(again("Ash", of=failed), *DAWN) == "RETRY-TARGET"
    assert seat.code(again("Ash", task="a"), *DAWN) == "RETRY-TARGET"
    assert seat.code(again("Bryn", of="9.9"), *DAWN) == "RETRY-TARGET"
    assert retry_result(seat, again("Bryn", of=failed)) == (5, 12)


def test_failing_open_roll_can_be_retried_at_once() -> None:
    """DB-DEST-4: the retry closes it, and is read against the state after."""
    seat = Seat("Ash")
    entry = str(seat.say(tries(), *DUSK).id)
    assert retry_result(seat, again(of=entry)) == (5, 12)
    seat.say(tries(difficulty=2), 5, 7)
    assert seat.code(again(of=entry), *DAWN) == "RETRY-TARGET"


def test_forbidden_retry_is_refused_by_entry_or_task() -> None:
    """DB-RETRY-3."""
    seat = Seat("Ash")
    entry = failing(seat, task="talk")
    seat.say(ForbidRetry(by=GM, of=entry, reason="no more talk"))
    for said in (again(), again(of=entry), again(task="talk"), Attempt(by="Ash", task="talk", effort=1)):
        assert seat.code(said, *DAWN) == "RETRY-FORBIDDEN"
    said = tries(task="talk", difficulty=4, new="another guard")
    assert task(seat.say(said, 11, 12)).result == "success"


def test_forbidden_retry_leaves_other_failures() -> None:
    seat = Seat("Ash")
    first = failing(seat, task="talk", difficulty=5)
    failing(seat, task="climb", difficulty=6)
    seat.say(ForbidRetry(by=GM, of=first, reason="no more talk"))
    assert retry_result(seat, again()) == (6, 15)
    assert seat.code(again(of=first), *DAWN) == "RETRY-FORBIDDEN"


def test_automatic_failure_can_be_forbidden() -> None:
    seat = Seat("Ash", Ash={"might": 2})
    entry = str(seat.say(tries(initial_cost=3), *DAWN).id)
    seat.say(ForbidRetry(by=GM, of=entry, reason="too heavy"))
    assert "too heavy" in str(seat.refusal(again(), *DAWN))


def test_only_a_failed_attempt_can_be_forbidden() -> None:
    seat = Seat("Ash")
    entry = str(seat.say(tries(), 12, 11).id)
    seat.say(close())
    assert seat.code(ForbidRetry(by=GM, of=entry, reason="x")) == "RETRY-TARGET"
    assert seat.code(ForbidRetry(by=GM, of="7.7", reason="x")) == "RETRY-TARGET"


def test_last_eight_failures_are_kept() -> None:
    """FAILED_KEPT, a rule of the program and not of the book."""
    seat = Seat("Ash", "Bryn")
    other = failing(seat, "Bryn")
    entries = [failing(seat, task=f"task {number}") for number in range(9)]
    kept = [entry for entry in entries if _can_retry(seat, entry)]
    assert kept == entries[1:]
    assert _can_retry(seat, other, "Bryn")


def _can_retry(seat: Seat, entry: str, who: str = "Ash") -> bool:
    """Without Effort a retry is refused: for that reason, or because there is nothing to retry."""
    return seat.code(Retry(by=who, of=entry), *DAWN) == "RETRY-EFFORT"


def test_failed_task_said_again_with_a_difficulty_is_a_retry() -> None:
    """DB-GAP-78, DB-RETRY-1: the name makes it the same task, whatever difficulty is said."""
    seat = Seat("Ash", Ash={"sheet": {"might": 60}})
    failing(seat, task="climb", difficulty=6)
    assert seat.code(tries(task="climb", difficulty=4), *DAWN) == "RETRY-EFFORT"
    assert retry_result(seat, tries(task="climb", difficulty=4, effort=1)) == (4, 9)


@pytest.mark.parametrize("difficulty", [None, 6])
def test_refused_retry_has_the_line_of_another_task(difficulty: int | None) -> None:
    """DB-RETRY-1, DB-GAP-78: the line behind the last colon is taken."""
    seat = Seat("Ash", Ash={"sheet": {"might": 60}})
    failing(seat, task="climb", difficulty=6)
    with pytest.raises(Refused) as refused:
        seat.say(tries(task="climb", difficulty=difficulty), *DAWN)
    line = refused.value.hint.rpartition(": ")[2]
    parsed = parse_line(line, line_scope(seat.ledger.state, BOOK))
    assert parsed is not None
    assert seat.say(parsed.declaration, *DAWN)


def test_forbidden_task_stays_forbidden_with_a_difficulty() -> None:
    """DB-GAP-78, DB-RETRY-3."""
    seat = Seat("Ash", Ash={"sheet": {"might": 60}})
    failed = failing(seat, task="climb", difficulty=6)
    seat.say(ForbidRetry(by=GM, of=failed, reason="the wall has come down"))
    assert seat.code(tries(task="climb", difficulty=6, effort=1), *DAWN) == "RETRY-FORBIDDEN"
    record = seat.say(tries(task="climb", difficulty=6, new="the other wall"), *DAWN)
    assert [(fact.name, fact.because) for fact in of_kind(record, Ruled)] == [("new task", "the other wall")]


def test_scene_line_makes_a_failed_task_new() -> None:
    """DB-GAP-78."""
    seat = Seat("Ash")
    failing(seat, task="climb", difficulty=6)
    assert seat.code(tries(task="climb", difficulty=6), *DAWN) == "RETRY-EFFORT"
    seat.say(Tell(by=GM, kind="scene", who=GM, text="Another wall"))
    assert seat.say(tries(task="climb", difficulty=6), *DAWN)
    seat.check_replay()


def test_failure_of_another_scene_makes_no_retry() -> None:
    """DB-GAP-78."""
    seat = Seat("Ash", "captain", Ash={"sheet": {"might": 60}})
    failing(seat, task="climb", difficulty=6)
    seat.say(StartEncounter(by=GM, kind="the wall", scale="exploration"))
    assert seat.say(tries(task="climb", difficulty=6), *DAWN)


def test_second_fight_of_one_name_is_another_scene() -> None:
    """DB-GAP-78, DB-ENC-1."""
    seat = Seat("Ash", "captain", Ash={"sheet": {"might": 60}})
    for _ in range(2):
        seat.say(StartEncounter(by=GM, kind="the wall", scale="exploration"))
        failing(seat, task="climb", difficulty=6, slot="none")
        assert seat.code(tries(task="climb", difficulty=6, slot="none"), *DAWN) == "RETRY-EFFORT"
        seat.say(EndEncounter(by=GM))
    seat.check_closing()


@pytest.mark.parametrize(
    ("between", "barred"),
    [
        ((), True),
        ((AdvanceTime(by=GM, seconds=599, label="a wait"),), True),
        ((AdvanceTime(by=GM, seconds=600, label="a wait"),), False),
        ((tries("Bryn", difficulty=0, duration=600),), False),
        ((Rest(by="Ash", kind="one_action"),), True),
        ((Rest(by="Ash", kind="ten_minutes"),), False),
    ],
)
def test_failed_task_is_new_once_ten_minutes_have_passed(between: tuple[Declaration, ...], barred: bool) -> None:
    """DB-GAP-78: a rest or other time ends the scene; what the attempt itself took does not count."""
    seat = Seat("Ash", "Bryn")
    failing(seat, task="climb", difficulty=6, duration=3600)
    for said in between:
        seat.say(said, *([3] if isinstance(said, Rest) else []))
    if barred:
        assert seat.code(tries(task="climb", difficulty=6), *DAWN) == "RETRY-EFFORT"
    else:
        assert task(seat.say(tries(task="climb", difficulty=6), *DAWN)).result
    seat.check_replay()


def test_rounds_of_exploration_do_not_end_the_bar() -> None:
    """DB-GAP-78: in an encounter its end does, though each round takes ten minutes."""
    seat = Seat("Ash", "captain")
    seat.say(StartEncounter(by=GM, kind="the wall", scale="exploration"))
    failing(seat, task="climb", difficulty=6)
    seat.say(AdvanceTime(by=GM, seconds=1200, label="a storm"))
    assert seat.code(tries(task="climb", difficulty=6, slot="none"), *DAWN) == "RETRY-EFFORT"


def test_task_of_a_skill_in_other_words_is_another() -> None:
    """DB-GAP-78: the guard at the well is not the guard at the moat."""
    seat = Seat("Ash", Ash={"sheet": {"might": 60, "skills": {"sneak": "trained speed"}}})
    failing(seat, task="sneak past the moat", skill="sneak", difficulty=6)
    assert seat.code(tries(task="sneak past the moat", skill="sneak", difficulty=6), *DAWN) == "RETRY-EFFORT"
    assert seat.say(tries(task="sneak past the well", skill="sneak", difficulty=6), *DAWN)


def test_retry_keeps_the_skill_and_goes_by_its_name() -> None:
    """DB-RETRY-2, DB-SKILL-1."""
    seat = Seat("Ash", Ash={"sheet": {"might": 60, "skills": {"sneak": "trained speed"}}})
    failing(seat, task="sneak past the moat", skill="sneak", stat="speed", difficulty=6)
    assert retry_result(seat, Attempt(by="Ash", task="sneak", effort=1)) == (6, 12)


def test_refusal_of_a_retry_names_a_line_that_is_taken() -> None:
    seat = Seat("Ash")
    failing(seat, task="climb the wall", difficulty=6)
    refusal = str(seat.refusal(tries(task="climb the wall", difficulty=6), *DAWN))
    line = 'Ash "climb the wall" v6 might new="another one"'
    assert refusal.endswith(f"{line}.")
    assert seat.say(line_of(seat, line), *DAWN)


def line_of(seat: Seat, line: str) -> Declaration:
    """Return what a line declares."""
    parsed = parse_line(line, line_scope(seat.ledger.state, BOOK))
    assert parsed is not None
    return parsed.declaration
