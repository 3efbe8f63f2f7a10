"""The numbers of throws: no other line moves a die, and no number can be chosen."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ledger.builtin import Tell
from ledger.corrections.undo import undo
from ledger.facts import Rolled
from ledger.records import Record
from ledger.service import Ledger
from ledger.throws import CountingThrows, next_number, throw_problems
from rulebooks.testing.corrections import DROP, replacement
from tests.ledger.board import Flip, Values
from tests.ledger.edits import amend, board, findings_of, insertion, open_session, revoke, said, shows
from tests.ledger.strategies import AT

ANA, BO = Flip(by="Ana"), Flip(by="Bo")


def numbers(record: Record) -> list[int]:
    return [fact.throw for fact in record.facts if isinstance(fact, Rolled)]


def counting(ledger: Ledger[Values]) -> dict[str, list[int]]:
    last = {record.id: record for record in ledger.store.takes()}
    return {str(id): numbers(record) for id, record in last.items() if numbers(record)}


def note(ledger: Ledger[Values]) -> Record:
    return said(ledger, Tell(by="gm", kind="fiction", who="", text="it rains", seen="gm"))


@pytest.mark.parametrize(
    "between",
    [
        lambda ledger: None,
        note,
        lambda ledger: [note(ledger) for _ in range(7)],
        lambda ledger: said(ledger, ANA, 2),  # typed faces have no number
        lambda ledger: undo(ledger, by="gm", at=AT),
    ],
)
def test_no_other_line_moves_a_die(between: Callable[[Ledger[Values]], object]) -> None:
    plain, ledger = board(), board()
    said(plain, ANA)
    expected = shows(said(plain, ANA))
    said(ledger, ANA)
    note(ledger)
    between(ledger)
    assert shows(said(ledger, ANA)) == expected


def test_undone_line_meets_the_same_die_whatever_is_said_between() -> None:
    ledger = board()
    first = said(ledger, ANA)
    undo(ledger, by="gm", at=AT)
    for _ in range(3):
        note(ledger)
    assert (numbers(again := said(ledger, ANA)), shows(again)) == ([1], shows(first))


def test_another_speaker_of_one_purpose_meets_the_die_that_was_undone() -> None:
    ledger = board()
    first = said(ledger, ANA)
    undo(ledger, by="gm", at=AT)
    assert shows(said(ledger, BO)) == shows(first)


def test_entry_keeps_its_number_and_frees_it_when_dropped() -> None:
    ledger = board()
    first, second = said(ledger, ANA), said(ledger, ANA)
    note(ledger)
    amend(ledger, {str(first.id): DROP})
    assert counting(ledger) == {str(second.id): [2]}
    third = said(ledger, ANA)
    assert (numbers(third), shows(third)) == ([1], shows(first))
    fourth = said(ledger, ANA)
    assert numbers(fourth) == [3]
    amend(ledger, {str(second.id): replacement(BO)})
    assert counting(ledger)[str(second.id)] == [2]
    assert findings_of(ledger) == []


def test_restored_entry_keeps_its_number_beside_another() -> None:
    ledger = board()
    first = said(ledger, ANA)
    note(ledger)
    dropped, _ = amend(ledger, {str(first.id): DROP})
    again = said(ledger, ANA)
    revoke(ledger, dropped.id)
    assert counting(ledger) == {str(first.id): [1], str(again.id): [1]}
    assert numbers(said(ledger, ANA)) == [2]
    assert findings_of(ledger) == []


def test_insertion_after_the_reveal_takes_the_next_number() -> None:
    ledger = board()
    first, second = said(ledger, ANA), said(ledger, ANA)
    ledger.close_session(at=AT)
    _, takes = amend(ledger, insertion(ledger, str(first.id), BO))
    assert [numbers(take) for take in takes if take.facts and numbers(take)] == [[3]]
    assert counting(ledger)[str(second.id)] == [2]
    assert findings_of(ledger) == []


def test_numbers_begin_anew_with_each_session() -> None:
    ledger = board()
    said(ledger, ANA)
    ledger.close_session(at=AT)
    open_session(ledger, "another")
    assert numbers(said(ledger, ANA)) == [1]


def test_the_next_number_is_the_lowest_free_one() -> None:
    assert [next_number(taken) for taken in ([], [1], [2], [1, 2, 4], [2, 3])] == [1, 2, 1, 3, 1]


def test_number_that_counts_twice_is_free_when_both_are_gone() -> None:
    throws = CountingThrows([("flip", 1), ("flip", 1), ("toss", 1)])
    throws.replace([("flip", 1)], [])
    assert throws.next("flip") == 2
    throws.replace([("flip", 1)], [])
    assert (throws.next("flip"), throws.next("toss"), throws.next("new")) == (1, 2, 1)


def test_chosen_number_is_found() -> None:
    ledger = board()
    records = [said(ledger, ANA), said(ledger, ANA)]
    assert list(throw_problems(records)) == []
    assert [what for _, what in throw_problems(records[1:])] == [
        "flip is throw 2 of the session, and should be throw 1"
    ]
