"""Corrections one by one: what each fate is, what is drawn, what is refused, what comes back."""

from __future__ import annotations

import pytest

from ledger.correcting import compensation, note, undo
from ledger.dice import fixed_seed
from ledger.errors import Refused
from ledger.facts import Lapsed, entry_id
from ledger.ground import AddWords, CloseSession, Correct, Found, OpenSession, Tell
from tests.ledger.board import Flip
from tests.ledger.coin import Purse
from tests.ledger.making import AT, LEDGER
from tests.ledger.supposing import (
    DROP,
    amend,
    board,
    bytes_of_all,
    counted,
    fates,
    foreseen_to,
    from_zero,
    instead,
    packed,
    put_in,
    revoke,
    said,
    shows,
    sources,
    state,
    supposed,
    wrong,
)

ANA, BO = Flip(by="Ana"), Flip(by="Bo")


@pytest.fixture
def table():
    """Ana and Bo have 5 points each; session 1 is open. The first faces of flips: 2 2 1 2 1 1 1 1."""
    made = board()
    yield made
    assert wrong(made) == []
    assert packed(from_zero(made.store)) == packed(made.standing)


# Bugs


def test_an_entry_said_again_with_another_die_keeps_both_faces_on_record(table):
    """Each die is keyed by its sides too: the d2 of a line that was taken back is no d3."""
    said(table, Flip(by="Ana", sides=2))
    undo(table, by="gm", at=AT)
    said(table, Flip(by="Ana", sides=3))
    assert supposed(table, {}, "1.1").otherwise is None


def test_a_face_of_a_taken_back_line_with_another_die_is_met_again(table):
    first = said(table, Flip(by="Ana", sides=2))
    undo(table, by="gm", at=AT)
    said(table, Flip(by="Ana", sides=3))
    amend(table, {"1.1": instead(Flip(by="Ana", sides=2))})
    assert shows(counted(table.store, "1.1")) == shows(first)


def test_more_dice_of_a_purpose_than_were_drawn_in_time_are_marked(table):
    said(table, Flip(by="Ana", sides=2))
    table.close_session(at=AT)
    amend(table, {"1.1": instead(Flip(by="Ana", sides=3))})
    assert sources(counted(table.store, "1.1")) == {"flip": "revealed"}
    revoke(table, "1.3")
    assert sources(counted(table.store, "1.1")) == {"flip": "seed"}


def test_what_is_put_in_behind_the_closing_draws_no_die(table):
    """Between sessions there are no seeded dice, also not later."""
    table.close_session(at=AT)
    said(table, Purse(by="Ana", points=3))
    assert supposed(table, {"1.2": instead(ANA)}).need is not None
    assert foreseen_to(table, put_in(table, "1.1", ANA)).sight.need is not None


@pytest.mark.parametrize(
    "what",
    [
        AddWords(by="Ana", words="brass kettle"),
        CloseSession(by="gm", seed=fixed_seed("a board").hex()),
        OpenSession(by="gm", number=2, title="", rulebook="", commitment="", fixed=False),
        Found(by="gm", ledger=LEDGER, name="", game="", rulebook=""),
        Correct(by="gm", edits=(("1.1@1", "stand"),)),
    ],
)
@pytest.mark.parametrize("how", ["insert", "retcon"])
def test_words_openings_closings_and_corrections_are_not_said_later(table, what, how):
    """Words put in behind the opening would change the key of every die that is drawn from then on."""
    said(table, ANA)
    before = bytes_of_all(table.store)
    edits = put_in(table, "1.0", what) if how == "insert" else {"1.1": instead(what)}
    with pytest.raises(Refused, match="L-AMEND"):
        foreseen_to(table, edits)
    assert bytes_of_all(table.store) == before


def test_words_that_were_taken_back_do_not_come_back_once_a_face_was_seen(table):
    """Else somebody throws, takes back, brings words back, and throws better."""
    said(table, AddWords(by="Ana", words="a"))  # 1.1
    said(table, AddWords(by="Bo", words="b"))  # 1.2
    revoke(table)  # 1.3
    revoke(table)  # 1.4
    assert str(said(table, ANA).id) == "1.1"
    revoke(table)
    with pytest.raises(Refused, match="L-WORDS"):
        revoke(table, "1.3")


def test_words_that_came_back_do_not_go_once_a_face_was_seen(table):
    said(table, AddWords(by="Ana", words="a"))  # 1.1
    revoke(table)  # 1.2
    revoke(table, "1.2")  # 1.3
    said(table, ANA)
    with pytest.raises(Refused, match="L-WORDS"):
        revoke(table, "1.3")


@pytest.mark.parametrize("then", ["retcon", "stand"])
def test_a_line_that_was_corrected_and_then_taken_back_leaves_its_number_to_the_next(table, then):
    """Else somebody amends, takes back, and says the same with new dice."""
    first = said(table, ANA)
    if then == "stand":
        note(table, foreseen_to(table, {"1.1": instead(BO)}), "stand", at=AT, line="~")
    else:
        amend(table, {"1.1": instead(BO)})
    revoke(table)
    again = said(table, ANA)
    assert (str(again.id), shows(again)) == ("1.1", shows(first))


def test_what_was_put_in_and_left_out_again_does_not_take_the_number_of_a_line_that_was_taken_back(table):
    said(table, ANA)
    said(table, ANA)
    revoke(table)  # 1.2, by 1.3
    amend(table, put_in(table, "1.2", Purse(by="Bo", points=1)))  # 1.4
    revoke(table, "1.4")
    assert str(said(table, ANA).id) == "1.2"


def test_a_number_that_a_drop_left_is_not_used_although_another_drop_was_taken_back(table):
    said(table, ANA)
    said(table, ANA)
    amend(table, {"1.2": DROP})  # 1.3
    assert str(said(table, ANA).id) == "1.4"


def test_a_dropped_insert_does_not_hold_the_number_that_it_stands_behind(table):
    said(table, ANA)
    said(table, ANA)
    revoke(table)  # 1.2, by 1.3
    amend(table, put_in(table, "1.2", Purse(by="Bo", points=1)))  # 1.4
    amend(table, {"1.2+1": DROP})  # 1.5
    assert str(said(table, ANA).id) == "1.2"


def test_faces_of_the_table_are_not_lost_where_a_restored_line_is_not_possible_yet(table):
    said(table, Purse(by="Ana", points=3))  # 1.1
    said(table, ANA, 2)  # 1.2
    amend(table, {"1.2": instead(ANA, 1)})  # 1.3
    amend(table, {"1.1": instead(Purse(by="Ana", points=0))})  # 1.4: 1.2 lapses
    revoke(table, "1.3")  # 1.5: /2 again, and still not possible
    assert counted(table.store, "1.2").of(Lapsed)
    revoke(table, "1.4")
    assert shows(counted(table.store, "1.2")) == {"flip": (2,)}


def test_faces_of_the_table_that_a_restored_line_does_not_need_yet_are_not_lost(table):
    said(table, Purse(by="Ana", points=12))  # 1.1
    said(table, ANA, 2, 1)  # 1.2: luck, flip
    amend(table, {"1.2": instead(ANA, 1, 1)})  # 1.3
    amend(table, {"1.1": instead(Purse(by="Ana", points=3))})  # 1.4: no luck
    revoke(table, "1.3")  # 1.5
    assert shows(counted(table.store, "1.2")) == {"flip": (1,)}
    revoke(table, "1.4")
    assert shows(counted(table.store, "1.2")) == {"luck of flip": (2,), "flip": (1,)}


def test_a_correction_that_says_of_one_entry_what_was_said_is_taken_back_all_the_same(table):
    said(table, ANA)
    said(table, BO)
    amend(table, {"1.1": instead(ANA, outcome="retcon"), "1.2": DROP})
    before = state(table)
    revoke(table, "1.3")
    assert fates(supposed(table, {}, "1.1"))["1.2"] == "unchanged"
    assert state(table) != before


def test_nothing_is_made_good_while_the_table_is_still_asked_for_faces(table):
    """Behind the face that is missing nobody knows what would be."""
    said(table, ANA)
    said(table, BO)
    correction = foreseen_to(table, {"1.1": instead(Flip(by="Ana", again=True))})
    assert correction.sight.need is not None
    with pytest.raises(Refused, match="L-NEEDS"):
        compensation(table, correction)


def test_what_is_taken_back_is_seen_by_those_who_saw_it(table):
    table.declare(Tell(by="gm", kind="scene", who="gm", text="A spy."), at=AT, seen="gm")
    revoke(table)
    assert [take.seen for take in table.store.takes(after=entry_id("1.0"), upto=entry_id("1.1"))] == ["gm", "gm"]


@pytest.mark.parametrize("insert", [1, 3])
def test_what_is_put_in_stands_right_behind_what_is_there(table, insert):
    said(table, ANA)
    amend(table, put_in(table, "1.1", Purse(by="Bo", points=1)))
    with pytest.raises(Refused, match="L-AMEND"):
        foreseen_to(table, {f"1.1+{insert}": instead(Purse(by="Bo", points=2), outcome="insert")})
