"""Undoing the last line, and using its number again."""

from __future__ import annotations

import pytest

from ledger import sqlite_store as sqlite
from ledger.builtin import AddWords
from ledger.corrections.undo import undo
from ledger.errors import LedgerError, Refused
from ledger.facts import Amended
from tests.ledger.coin import Purse
from tests.ledger.strategies import (
    AT,
    bytes_of,
    create_ledger,
    faces,
    flip,
    folded_state,
    new_ledger,
    packed_state,
    points,
    undone_take,
)


@pytest.fixture
def ledger():
    """The coin ledger: no turns are needed here."""
    return create_ledger()


def test_an_undo_takes_the_last_line_back(ledger):
    undone = flip(ledger)
    amendment = undo(ledger, by="gm", at=AT, line="undo")
    assert undone_take(ledger, amendment) == undone
    assert amendment.facts[1] == Amended(entry="1.1@1", outcome="undo", because="")
    void = list(ledger.store.takes())[4]
    assert (str(void.id), void.take, void.facts, void.cause, void.request) == ("1.1", 2, (), "1.2", None)
    assert points(ledger) == 20


@pytest.mark.slow
def test_an_undo_is_one_append_or_none(tmp_path):
    store = sqlite.create_store(tmp_path / "ledger.db")
    ledger = create_ledger(store)
    flip(ledger)
    store.connection.execute(
        "CREATE TRIGGER second BEFORE INSERT ON records WHEN NEW.take = 2 BEGIN SELECT RAISE(ABORT,'no'); END"
    )
    before = bytes_of(store)
    with pytest.raises(LedgerError):
        undo(ledger, by="gm", at=AT)
    assert bytes_of(store) == before
    assert points(ledger) == 19
    store.close()


def test_repeated_line_after_undo_gets_the_same_faces(ledger):
    first = flip(ledger, again=True)
    undo(ledger, by="gm", at=AT)
    second = flip(ledger, again=True)
    assert (second.id, second.take, faces(second)) == (first.id, 3, faces(first))
    assert second.facts[1:] == first.facts[1:]


def test_after_undo_another_declaration_gets_the_same_face(ledger):
    first = flip(ledger, again=True)
    undo(ledger, by="gm", at=AT)
    assert faces(flip(ledger))["flip"] == faces(first)["flip"]


def test_after_several_undos_numbers_are_used_again_lowest_first(ledger):
    thrown = [flip(ledger) for _ in range(4)]
    undone = [str(undone_take(ledger, undo(ledger, by="gm", at=AT)).id) for _ in range(3)]
    again = [flip(ledger) for _ in range(4)]
    assert undone == ["1.4", "1.3", "1.2"]
    assert [(str(record.id), record.take) for record in again] == [("1.2", 3), ("1.3", 3), ("1.4", 3), ("1.8", 1)]
    assert [faces(record) for record in again[:3]] == [faces(record) for record in thrown[1:]]
    assert points(ledger) == 20 - 5
    assert packed_state(ledger.state) == packed_state(folded_state(ledger.store))


def test_line_may_be_undone_repeatedly(ledger):
    met = set()
    for take in range(1, 10, 2):
        record = flip(ledger)
        assert (str(record.id), record.take) == ("1.1", take)
        met.add(str(faces(record)))
        undo(ledger, by="gm", at=AT)
    assert len(met) == 1
    assert points(ledger) == 20


def test_loaded_state_has_reusable_numbers(ledger):
    flip(ledger)
    flip(ledger)
    undo(ledger, by="gm", at=AT)
    reopened = new_ledger(ledger.store, seeds=ledger.seeds)
    assert (str(flip(reopened).id), str(flip(reopened).id)) == ("1.2", "1.4")


@pytest.mark.parametrize(
    "prepare",
    [
        lambda ledger: None,  # the opening stays
        lambda ledger: (flip(ledger), undo(ledger, by="gm", at=AT)),  # what is taken back is not taken back twice
        lambda ledger: (flip(ledger), ledger.close_session(at=AT)),  # the closing stays, and all before it
        lambda ledger: (flip(ledger), ledger.close_session(at=AT), ledger.open_session("two", at=AT)),
    ],
)
def test_openings_and_closings_are_not_undone(ledger, prepare):
    prepare(ledger)
    before = bytes_of(ledger.store)
    with pytest.raises(Refused, match="L-UNDO"):
        undo(ledger, by="gm", at=AT)
    assert bytes_of(ledger.store) == before


def test_creation_is_not_undone():
    ledger = new_ledger()
    ledger.create("Coins", at=AT)
    with pytest.raises(Refused, match="L-UNDO"):
        undo(ledger, by="gm", at=AT)


def test_line_between_sessions_may_be_undone(ledger):
    ledger.close_session(at=AT)
    ledger.declare(Purse(by="Ana", points=3), at=AT)
    undo(ledger, by="gm", at=AT)
    assert points(ledger) == 20


def test_words_are_refused_after_an_undone_throw(ledger):
    """Otherwise somebody could throw, undo, add words, and throw better."""
    flip(ledger)
    undo(ledger, by="gm", at=AT)
    with pytest.raises(Refused, match="L-WORDS"):
        ledger.declare(AddWords(by="Ana", words="fishing"), at=AT)


def test_words_are_not_undone_after_a_drawn_die(ledger):
    ledger.declare(AddWords(by="Ana", words="brass kettle"), at=AT)
    flip(ledger)
    undo(ledger, by="gm", at=AT)
    with pytest.raises(Refused, match="L-"):
        undo(ledger, by="gm", at=AT)


def test_words_are_undone_before_a_drawn_die(ledger):
    ledger.declare(AddWords(by="Ana", words="brass ketle"), at=AT)
    undo(ledger, by="gm", at=AT)
    ledger.declare(AddWords(by="Ana", words="brass kettle"), at=AT)
    assert ledger.state.session.words == (("Ana", "brass kettle"),)
