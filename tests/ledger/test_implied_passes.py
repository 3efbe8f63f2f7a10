"""Implied passes: written with the line that implies them, taken back and decided again with it."""

from __future__ import annotations

from collections import deque
from typing import Any

import msgspec
import pytest

from ledger import implied_passes
from ledger.acts import written_before
from ledger.corrections.undo import plan_undo, undo
from ledger.errors import Refused
from ledger.facts import EntryId, parse_entry_id
from ledger.odds import count_odds
from ledger.records import Record, latest_takes
from ledger.service import Ledger
from ledger.take_check import CauseCheck
from ledger.verify import verify
from ledger.writing_order import Log
from rulebooks.testing.corrections import DROP, replacement
from tests.ledger.board import Board, Boards, Fight, Pass, Toss, Values
from tests.ledger.coin import Purse
from tests.ledger.edits import amend, board, insertion, outcomes_by_id, plan, said
from tests.ledger.strategies import AT, bytes_of, packed_state

TOSS = Toss(by="Bo")


def idle(**more: Any) -> Ledger[Values]:
    """Return a fight in which it is the turn of Ana, who has no points."""
    ledger = board(**more)
    said(ledger, Purse(by="Ana", points=0))  # 1.1
    said(ledger, Fight(by="Ana"))  # 1.2
    return ledger


def history(ledger: Ledger[Values]) -> list[tuple[str, str | None, str]]:
    """Return id, cause and speaker of the takes that count."""
    counting = (take for take in latest_takes(ledger.store.takes(after=EntryId(1, 2))) if take.facts)
    return [(str(take.id), take.cause, take.by) for take in counting]


def check(ledger: Ledger[Values]) -> None:
    """Check that replay and verify find nothing."""
    report, findings = verify(ledger.store, Board(), Boards())
    assert (report.differences, findings) == ([], [])


def implied(ledger: Ledger[Values], record: Record) -> list[str]:
    return [str(take.id) for take in written_before(ledger.store, record)]


def test_pass_is_an_entry_of_its_own_before_the_line() -> None:
    ledger = idle()
    record = said(ledger, TOSS, 1, 1, request="k")
    assert history(ledger) == [("1.2+1", "1.3", "Ana"), ("1.3", None, "Bo")]
    assert implied(ledger, record) == ["1.2+1"]
    assert said(ledger, TOSS, 1, 1, request="k") == record
    check(ledger)


def test_dice_do_not_depend_on_the_passes() -> None:
    faces = []
    for first in (Pass(by="Ana"), None):
        ledger = idle()
        if first is None:
            faces.append(said(ledger, TOSS).facts[1])
        else:
            said(ledger, first)
            undo(ledger, by="gm", at=AT)
            faces.append(said(ledger, TOSS).facts[1])
    assert faces[0] == faces[1]


def test_line_is_decided_again_when_somebody_else_appends_first() -> None:
    ledger = idle()
    other = Ledger(ledger.store, Board(), Boards(), ledger.seeds)
    assert ledger.state.values()["turn"] == "Ana"
    said(other, Purse(by="Bo", points=9))
    record = said(ledger, TOSS, 1, 1)
    assert (str(record.id), implied(ledger, record)) == ("1.4", ["1.3+1"])
    said(other, Pass(by="Ana"))
    assert implied(other, said(other, Toss(by="Bo"), 1, 1)) == []
    check(ledger)


def test_refused_line_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = idle()
    monkeypatch.setattr(implied_passes, "MOST", 1)
    before = bytes_of(ledger.store), packed_state(ledger.state)
    with pytest.raises(Refused, match="the turn of Bo"):
        said(ledger, Toss(by="Cy"))
    assert (bytes_of(ledger.store), packed_state(ledger.state)) == before


def test_undo_takes_back_the_passes() -> None:
    ledger = idle()
    said(ledger, TOSS, 1, 1)
    undo(ledger, by="gm", at=AT)
    assert history(ledger) == [("1.4", None, "gm")]
    assert ledger.state.values()["turn"] == "Ana"
    again = said(ledger, TOSS, 1, 1)
    assert (str(again.id), again.take, implied(ledger, again)) == ("1.3", 3, ["1.2+1"])
    check(ledger)


def test_undo_of_an_undo_brings_them_back() -> None:
    ledger = idle()
    said(ledger, TOSS, 1, 1)
    taken = undo(ledger, by="gm", at=AT)
    undo(ledger, taken.id, by="gm", at=AT)
    assert [id for id, _, _ in history(ledger)][:2] == ["1.2+1", "1.3"]
    check(ledger)


def test_amended_line_implies_its_own_passes() -> None:
    ledger = idle()
    said(ledger, TOSS, 1, 1)
    amend(ledger, {"1.3": replacement(Toss(by="Ana"), 1, 1)})
    assert [id for id, _, _ in history(ledger)] == ["1.3", "1.4"]
    check(ledger)
    amend(ledger, {"1.3": replacement(TOSS, 1, 1)})
    assert [id for id, _, _ in history(ledger)] == ["1.2+1", "1.3", "1.4", "1.5"]
    check(ledger)


def test_earlier_change_ends_an_implied_pass() -> None:
    ledger = idle()
    said(ledger, TOSS, 1, 1)
    edits = {"1.1": replacement(Purse(by="Ana", points=3))}
    outcomes = outcomes_by_id(plan(ledger, edits).what_if)
    assert (outcomes["1.2+1"], outcomes["1.2+2"], outcomes["1.3"]) == ("no pass", "new turn", "unchanged")
    amend(ledger, edits)
    check(ledger)
    amend(ledger, {"1.1": replacement(Purse(by="Ana", points=0))})
    assert [id for id, _, _ in history(ledger)][:2] == ["1.2+2", "1.3"]
    check(ledger)


def test_inserted_line_stands_between_pass_and_line() -> None:
    ledger = idle()
    said(ledger, TOSS, 1, 1)
    amend(ledger, insertion(ledger, "1.2", Purse(by="Bo", points=2)))
    assert [(id, by) for id, _, by in history(ledger)][:3] == [("1.2+2", "Bo"), ("1.2+3", "Ana"), ("1.3", "Bo")]
    check(ledger)
    amend(ledger, {"1.3": DROP})
    assert history(ledger)[0][0] == "1.2+2"
    check(ledger)
    said(ledger, Toss(by="Bo"), 1, 1)
    check(ledger)


def test_implied_pass_cannot_be_amended() -> None:
    ledger = idle()
    said(ledger, TOSS, 1, 1)
    with pytest.raises(Refused, match=r"a pass that entry 1\.3 implies"):
        plan(ledger, {"1.2+1": DROP})


def test_correction_and_its_undo_change_nothing() -> None:
    ledger = idle()
    said(ledger, TOSS, 1, 1)
    before = packed_state(ledger.state), history(ledger)
    own, _ = amend(ledger, {"1.1": replacement(Purse(by="Ana", points=3))})
    undo(ledger, own.id, by="gm", at=AT)
    assert packed_state(ledger.state)[0] == before[0][0]
    assert [by for *_, by in history(ledger)][:2] == [by for *_, by in before[1]]
    assert plan_undo(ledger, by="gm").said.edits[0][0].startswith("1.3@")
    check(ledger)


def test_odds_of_a_line_that_implies_passes() -> None:
    ledger = idle()
    state = packed_state(ledger.state)
    odds = count_odds(Board(), ledger.state, TOSS, EntryId(1, 3))
    ways = {chance.result: chance.ways for chance in odds.chances}
    assert ways == {"0 heads": 1, "1 heads": 2, "2 heads": 1, "dizzy": 1}
    assert packed_state(ledger.state) == state


def test_forged_pass_is_found() -> None:
    ledger = idle()
    said(ledger, TOSS, 1, 1)
    board_with_turns = Board()
    board_with_turns.skips = lambda said, state: []  # type: ignore[method-assign]
    report, _ = verify(ledger.store, board_with_turns, Boards())
    assert [(found.entry, found.field) for found in report.differences] == [("1.2+1", "implied_by")]
    assert parse_entry_id("1.2+1").insert == 1


def cause_problems(takes: list[Record]) -> list[str]:
    """Return what is wrong with the causes of takes."""
    log = Log.of_takes(takes)
    check = CauseCheck(log)
    deque(log.touch(check.watch(log)), maxlen=0)
    return [what for _, what in check.findings()]


@pytest.mark.parametrize(
    ("forged", "what"),
    [
        ({"cause": "1.9"}, "its cause, entry 1.9, is not a correction"),
        ({"cause": None}, "it is inserted, but no correction is its cause"),
    ],
)
def test_pass_with_another_cause_is_found(forged: dict[str, Any], what: str) -> None:
    ledger = idle()
    said(ledger, TOSS, 1, 1)
    *takes, passed, line = sorted(ledger.store.takes(), key=lambda take: take.position)
    changed = [*takes, msgspec.structs.replace(passed, **forged), line]
    assert cause_problems(changed) == [what]


def test_pass_that_is_not_written_right_before_its_line_is_found() -> None:
    ledger = idle()
    said(ledger, TOSS, 1, 1)
    *takes, passed, line = sorted(ledger.store.takes(), key=lambda take: take.position)
    other = msgspec.structs.replace(line, position=line.position + 1, number=line.number + 1)
    assert cause_problems([*takes, passed, other]) == ["its cause, entry 1.3, is not written right after it"]
