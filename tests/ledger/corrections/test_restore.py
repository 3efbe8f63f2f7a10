"""Undone corrections: the restored inputs, faces and numbers."""

from __future__ import annotations

import pytest

from ledger.builtin import AddWords, CloseSession, Correct, CreateCampaign, OpenSession, Tell
from ledger.corrections.amend import note_error
from ledger.corrections.compensate import compensate, plan_compensation
from ledger.corrections.undo import undo
from ledger.dice import fixed_seed
from ledger.errors import Refused
from ledger.facts import Invalidated, parse_entry_id
from rulebooks.testing.corrections import DROP, replacement
from tests.ledger.board import Fight, Flip, Pass, Toss
from tests.ledger.coin import Purse
from tests.ledger.edits import (
    amend,
    ask_what_if,
    board,
    current_take,
    findings_of,
    insertion,
    outcomes_by_id,
    plan,
    revoke,
    said,
    shows,
    sources,
    state,
)
from tests.ledger.strategies import AT, LEDGER, bytes_of

ANA, BO = Flip(by="Ana"), Flip(by="Bo")


def test_earlier_correction_may_be_undone_after_the_later_one(ledger):
    said(ledger, ANA)
    first, _ = amend(ledger, {"1.1": replacement(BO)})
    second, _ = amend(ledger, {"1.1": DROP})
    with pytest.raises(Refused, match=f"L-UNDO.*undo {second.id}"):
        revoke(ledger, first.id)
    revoke(ledger, second.id)
    revoke(ledger, first.id)
    assert ledger.state.values()["Ana.points"] == 6


def test_restored_correction_may_be_undone_by_its_own_id(ledger):
    said(ledger, ANA)
    own, _ = amend(ledger, {"1.1": DROP})
    undone, _ = revoke(ledger, own.id)
    revoke(ledger, undone.id)
    revoke(ledger, own.id)
    assert ledger.state.values()["Ana.points"] == 6


def test_restored_compensation_is_folded_from_the_middle(ledger):
    said(ledger, ANA, 1)
    correction = plan(ledger, {"1.1": DROP})
    adjustments, _ = plan_compensation(ledger, correction)
    own, _ = compensate(ledger, correction, [(each, "") for each in adjustments], at=AT, line="~")
    undone, _ = revoke(ledger, own.id)
    assert outcomes_by_id(ask_what_if(ledger, insertion(ledger, str(own.id), Purse(by="Bo", points=1)))) == {
        "1.2+1": "inserted",
        "1.4": "unchanged",
    }
    revoke(ledger, undone.id)
    assert outcomes_by_id(ask_what_if(ledger, {}, "1.3"))["1.3"] == "unchanged"


def test_amended_entry_with_another_die_keeps_both_faces(ledger):
    """The key of a die contains its sides: a d2 of an undone line is not a d3."""
    said(ledger, Flip(by="Ana", sides=2))
    undo(ledger, by="gm", at=AT)
    said(ledger, Flip(by="Ana", sides=3))
    assert ask_what_if(ledger, {}, "1.1").rule_difference is None


def test_undone_line_with_another_die_keeps_its_face(ledger):
    first = said(ledger, Flip(by="Ana", sides=2))
    undo(ledger, by="gm", at=AT)
    said(ledger, Flip(by="Ana", sides=3))
    amend(ledger, {"1.1": replacement(Flip(by="Ana", sides=2))})
    assert shows(current_take(ledger.store, "1.1")) == shows(first)


def test_more_dice_of_a_purpose_than_were_drawn_in_time_are_marked(ledger):
    said(ledger, Flip(by="Ana", sides=2))
    ledger.close_session(at=AT)
    amend(ledger, {"1.1": replacement(Flip(by="Ana", sides=3))})
    assert sources(current_take(ledger.store, "1.1")) == {"flip": "revealed"}
    revoke(ledger, "1.3")
    assert sources(current_take(ledger.store, "1.1")) == {"flip": "seed"}


def test_insert_after_the_closing_draws_no_die(ledger):
    """Entries between sessions never have seeded dice."""
    ledger.close_session(at=AT)
    said(ledger, Purse(by="Ana", points=3))
    assert ask_what_if(ledger, {"1.2": replacement(ANA)}).need is not None
    assert plan(ledger, insertion(ledger, "1.1", ANA)).what_if.need is not None


@pytest.mark.parametrize(
    "what",
    [
        AddWords(by="Ana", words="brass kettle"),
        CloseSession(by="gm", seed=fixed_seed("a board 5833").hex()),
        OpenSession(by="gm", number=2, title="", rulebook="", commitment="", fixed=False),
        CreateCampaign(by="gm", ledger=LEDGER, name="", game="", rulebook=""),
        Correct(by="gm", edits=(("1.1@1", "stand"),)),
    ],
)
@pytest.mark.parametrize("how", ["insert", "retcon"])
def test_session_declarations_are_never_inserted(ledger, what, how):
    """Words inserted after the opening would change the key of every later die."""
    said(ledger, ANA)
    before = bytes_of(ledger.store)
    edits = insertion(ledger, "1.0", what) if how == "insert" else {"1.1": replacement(what)}
    with pytest.raises(Refused, match="L-AMEND"):
        plan(ledger, edits)
    assert bytes_of(ledger.store) == before


def test_undone_words_do_not_come_back_after_a_drawn_die(ledger):
    """Otherwise somebody could throw, undo, restore words, and throw better."""
    said(ledger, AddWords(by="Ana", words="a"))  # 1.1
    said(ledger, AddWords(by="Bo", words="b"))  # 1.2
    revoke(ledger)  # 1.3
    revoke(ledger)  # 1.4
    assert str(said(ledger, ANA).id) == "1.1"
    revoke(ledger)
    with pytest.raises(Refused, match="L-WORDS"):
        revoke(ledger, "1.3")


def test_words_that_came_back_do_not_go_once_a_face_was_seen(ledger):
    said(ledger, AddWords(by="Ana", words="a"))  # 1.1
    revoke(ledger)  # 1.2
    revoke(ledger, "1.2")  # 1.3
    said(ledger, ANA)
    with pytest.raises(Refused, match="L-WORDS"):
        revoke(ledger, "1.3")


@pytest.mark.parametrize("then", ["retcon", "stand"])
def test_undone_corrected_line_leaves_its_number_to_the_next(ledger, then):
    """Otherwise somebody could amend, undo, and repeat the line with new dice."""
    first = said(ledger, ANA)
    if then == "stand":
        note_error(ledger, plan(ledger, {"1.1": replacement(BO)}), "stand", at=AT, line="~")
    else:
        amend(ledger, {"1.1": replacement(BO)})
    revoke(ledger)
    again = said(ledger, ANA)
    assert (str(again.id), shows(again)) == ("1.1", shows(first))


def test_dropped_insert_does_not_take_an_undone_number(ledger):
    said(ledger, ANA)
    said(ledger, ANA)
    revoke(ledger)  # 1.2, by 1.3
    amend(ledger, insertion(ledger, "1.2", Purse(by="Bo", points=1)))  # 1.4
    revoke(ledger, "1.4")
    assert str(said(ledger, ANA).id) == "1.2"


def test_number_of_a_dropped_line_is_not_used_again(ledger):
    said(ledger, ANA)
    said(ledger, ANA)
    amend(ledger, {"1.2": DROP})  # 1.3
    assert str(said(ledger, ANA).id) == "1.4"


def test_dropped_insert_does_not_keep_the_number_before_it(ledger):
    said(ledger, ANA)
    said(ledger, ANA)
    revoke(ledger)  # 1.2, by 1.3
    amend(ledger, insertion(ledger, "1.2", Purse(by="Bo", points=1)))  # 1.4
    amend(ledger, {"1.2+1": DROP})  # 1.5
    assert str(said(ledger, ANA).id) == "1.2"


def test_typed_faces_survive_while_a_restored_line_is_refused(ledger):
    said(ledger, Purse(by="Ana", points=3))  # 1.1
    said(ledger, ANA, 2)  # 1.2
    amend(ledger, {"1.2": replacement(ANA, 1)})  # 1.3
    amend(ledger, {"1.1": replacement(Purse(by="Ana", points=0))})  # 1.4: 1.2 lapses
    revoke(ledger, "1.3")  # 1.5: /2 again, and still not possible
    assert current_take(ledger.store, "1.2").has(Invalidated)
    revoke(ledger, "1.4")
    assert shows(current_take(ledger.store, "1.2")) == {"flip": (2,)}


def test_typed_faces_unused_by_a_restored_line_are_not_lost(ledger):
    said(ledger, Purse(by="Ana", points=12))  # 1.1
    said(ledger, ANA, 2, 1)  # 1.2: luck, flip
    amend(ledger, {"1.2": replacement(ANA, 1, 1)})  # 1.3
    amend(ledger, {"1.1": replacement(Purse(by="Ana", points=3))})  # 1.4: no luck
    revoke(ledger, "1.3")  # 1.5
    assert shows(current_take(ledger.store, "1.2")) == {"flip": (1,)}
    revoke(ledger, "1.4")
    assert shows(current_take(ledger.store, "1.2")) == {"luck of flip": (2,), "flip": (1,)}


def test_correction_without_effect_on_one_entry_can_be_undone(ledger):
    said(ledger, ANA)
    said(ledger, BO)
    amend(ledger, {"1.1": replacement(ANA, outcome="retcon"), "1.2": DROP})
    before = state(ledger)
    revoke(ledger, "1.3")
    assert outcomes_by_id(ask_what_if(ledger, {}, "1.1"))["1.2"] == "unchanged"
    assert state(ledger) != before


def test_compensation_is_refused_while_faces_are_needed(ledger):
    """Nobody knows what follows a missing face."""
    said(ledger, ANA)
    said(ledger, BO)
    correction = plan(ledger, {"1.1": replacement(Flip(by="Ana", again=True))})
    assert correction.what_if.need is not None
    with pytest.raises(Refused, match="L-NEEDS"):
        plan_compensation(ledger, correction)


def test_void_take_keeps_its_visibility(ledger):
    ledger.declare(Tell(by="gm", kind="scene", who="gm", text="A spy."), at=AT, seen="gm")
    revoke(ledger)
    assert [take.seen for take in ledger.store.takes(after=parse_entry_id("1.0"), upto=parse_entry_id("1.1"))] == [
        "gm",
        "gm",
    ]


@pytest.mark.parametrize("insert", [1, 3])
def test_insert_must_have_the_next_number(ledger, insert):
    said(ledger, ANA)
    amend(ledger, insertion(ledger, "1.1", Purse(by="Bo", points=1)))
    with pytest.raises(Refused, match="L-AMEND"):
        plan(ledger, {f"1.1+{insert}": replacement(Purse(by="Bo", points=2), outcome="insert")})


def test_undone_equal_correction_does_not_block_the_one_before(ledger):
    said(ledger, ANA)
    first, _ = amend(ledger, {"1.1": replacement(ANA, 1)})
    second, takes = amend(ledger, {"1.1": replacement(ANA, 1, 1)})  # a face that no die asks for
    assert takes == []
    revoke(ledger, second.id)
    revoke(ledger, first.id)
    assert sources(current_take(ledger.store, "1.1")) == {"flip": "seed"}


def test_undo_passes_no_turn_for_a_line_refused_before():
    """The toss takes Bo's turn, so that Bo's pass stays refused; the undo of a second correction gives Bo no other."""
    ledger = board()
    for what in (Fight(by="Ana"), Pass(by="Ana"), Pass(by="Bo")):
        said(ledger, what)
    dizzying = {"1.2": replacement(Toss(by="Ana"), 2, 2)}
    amend(ledger, dizzying)
    assert current_take(ledger.store, "1.3").has(Invalidated)
    before = state(ledger)
    amendment, _ = amend(ledger, dizzying)
    revoke(ledger, amendment.id)
    assert current_take(ledger.store, "1.3").has(Invalidated)
    assert state(ledger) == before
    assert findings_of(ledger) == []
