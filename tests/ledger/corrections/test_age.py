"""The age of an error."""

from __future__ import annotations

from ledger.corrections.age import entry_age
from ledger.corrections.amend import note_error
from ledger.facts import parse_entry_id
from rulebooks.testing.corrections import DROP
from tests.ledger.board import Fight, Flip, Toss, Truce
from tests.ledger.edits import open_session, plan, revoke, said
from tests.ledger.strategies import AT

ANA, BO = Flip(by="Ana"), Flip(by="Bo")


def test_last_line_and_entries_of_the_round_are_of_this_round(ledger):
    said(ledger, Fight(by="Ana"))  # 1.1
    for who in ("Ana", "Bo", "Ana"):  # with 1.3 a round begins
        said(ledger, Toss(by=who), 1, 1)
    assert ages(ledger, "0.1", "1.1", "1.2", "1.3", "1.4") == [
        "earlier_session",
        "same_session",
        "same_session",
        "same_round",
        "same_round",
    ]
    said(ledger, Truce(by="Ana"))
    assert ages(ledger, "1.3", "1.4", "1.5") == ["same_session", "same_session", "same_round"]


def test_without_a_fight_only_the_last_line_is_of_this_round(ledger):
    said(ledger, ANA)
    said(ledger, BO)
    said(ledger, BO)
    revoke(ledger)
    note_error(ledger, plan(ledger, {"1.2": DROP}), "stand", at=AT, line="~")
    assert ages(ledger, "1.1", "1.2") == ["same_session", "same_round"]
    ledger.close_session(at=AT)
    assert ages(ledger, "1.2") == ["same_session"]
    open_session(ledger, "another")
    assert ages(ledger, "1.2") == ["earlier_session"]


def ages(ledger, *entries):
    return [entry_age(ledger, parse_entry_id(entry)) for entry in entries]
