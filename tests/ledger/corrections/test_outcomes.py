"""Outcomes of later entries, their dice, and entries with changed rules."""

from __future__ import annotations

import pytest

from ledger.corrections.amend import note_error, plan_amendment
from ledger.corrections.compensate import compensate, plan_compensation
from ledger.corrections.correction import check_writable, write_correction
from ledger.errors import Refused
from ledger.facts import Amended, Invalidated, PointsSpent, parse_entry_id
from ledger.records import latest_takes
from ledger.service import Ledger
from ledger.sqlite_store import create_store
from ledger.whatif import Remedy, RemedyLine
from rulebooks.testing.corrections import DROP, replacement
from tests.ledger.board import Adjust, Board, Boards, Fight, Flip, Pass, Toss
from tests.ledger.coin import Purse
from tests.ledger.edits import (
    amend,
    ask_what_if,
    board,
    current_take,
    findings_of,
    insertion,
    open_session,
    outcomes_by_id,
    plan,
    revoke,
    said,
    shows,
    sources,
    state,
)
from tests.ledger.strategies import AT, Forger, bytes_of, changing

ANA, BO = Flip(by="Ana"), Flip(by="Bo")


def fought(ledger):
    """A fight in which Bo loses his first turn: 1.1, then Ana, Ana, Bo."""
    said(ledger, Fight(by="Ana"))  # 1.1
    said(ledger, Toss(by="Ana"), 2, 2)  # 1.2: Bo is dizzy
    said(ledger, Toss(by="Ana"), 1, 1)  # 1.3
    said(ledger, Toss(by="Bo"), 1, 1)  # 1.4


def test_new_turn_is_passed_and_later_entries_are_kept(ledger):
    fought(ledger)
    result = plan(ledger, {"1.2": replacement(Toss(by="Ana"), 1, 2)}).what_if
    assert outcomes_by_id(result) == {
        "1.2": "amended",
        "1.2+1": "new turn",
        "1.3": "unchanged",
        "1.4": "unchanged",
    }
    assert result.value_changes == []
    _, takes = amend(ledger, {"1.2": replacement(Toss(by="Ana"), 1, 2)})
    assert [str(take.id) for take in takes] == ["1.2", "1.2+1"]
    assert current_take(ledger.store, "1.2+1").by == "Bo"


def test_insert_uses_a_restored_turn(ledger):
    fought(ledger)
    edits = {parse_entry_id("1.2"): replacement(Toss(by="Ana"), 1, 2)}
    result = plan(ledger, {**edits, **insertion(ledger, "1.2", Toss(by="Bo"), 1, 1)}).what_if
    assert (outcomes_by_id(result)["1.2+1"], result.need, result.entries_with_outcome("new turn")) == (
        "inserted",
        None,
        [],
    )


@pytest.mark.slow
def test_inserted_pass_follows_undo_and_lapses_with_its_turn(ledger):
    fought(ledger)
    before = state(ledger)
    own, _ = amend(ledger, {"1.2": replacement(Toss(by="Ana"), 1, 2)})
    after = state(ledger)
    undone, _ = revoke(ledger, own.id)
    assert (current_take(ledger.store, "1.2+1").facts, state(ledger)) == ((), before)
    revoke(ledger, undone.id)
    assert (current_take(ledger.store, "1.2+1").by, state(ledger)) == ("Bo", after)
    result = plan(ledger, {"1.2": replacement(Toss(by="Ana"), 2, 2)}).what_if
    assert outcomes_by_id(result)["1.2+1"] == "no longer possible"
    assert "BOARD-TURN" in result.entries_with_outcome("no longer possible")[0].refusal


def test_new_turn_after_an_insert_is_passed_after_it(ledger):
    fought(ledger)
    amend(ledger, insertion(ledger, "1.2", Purse(by="Bo", points=7)))
    assert outcomes_by_id(plan(ledger, {"1.2": replacement(Toss(by="Ana"), 1, 2)}).what_if)["1.2+2"] == "new turn"


def test_turn_that_a_change_gives_back_is_passed(ledger):
    """Without Ana's toss it is still her turn, and she says nothing in it any more."""
    said(ledger, Fight(by="Ana"))
    said(ledger, Toss(by="Ana"), 1, 1)
    said(ledger, Toss(by="Bo"), 1, 1)
    for edits in ({"1.2": DROP}, {"1.2": DROP, "1.1": replacement(Fight(by="Bo"))}):
        outcomes = outcomes_by_id(plan(ledger, edits).what_if)
        assert (outcomes["1.2+1"], outcomes["1.3"]) == ("new turn", "unchanged")


def test_turn_in_which_its_owner_still_acts_is_not_passed(ledger):
    """Bo comes first by mistake of the insert: what keeps his toss is named, and passing Ana's turn keeps it."""
    said(ledger, Fight(by="Ana"))
    said(ledger, Toss(by="Ana"), 1, 1)
    said(ledger, Toss(by="Bo"), 1, 1)
    said(ledger, Toss(by="Ana"), 1, 1)
    result = plan(ledger, insertion(ledger, "1.2", Pass(by="Bo"))).what_if
    assert outcomes_by_id(result) == {"1.2+1": "inserted", "1.3": "no longer possible", "1.4": "unchanged"}
    (fallen,) = result.entries_with_outcome("no longer possible")
    assert fallen.remedy == Remedy(after=parse_entry_id("1.2+1"), lines=(RemedyLine(Pass(by="Ana"), ()),))


def poor(ledger):
    """Ana has one point, wins one, and spends both: 1.1 to 1.4."""
    said(ledger, Purse(by="Ana", points=1))
    for face in (2, 1, 1):
        said(ledger, ANA, face)


def test_refused_entry_is_invalidated_and_comes_back(ledger):
    poor(ledger)
    before = [current_take(ledger.store, f"1.{n}").facts for n in (3, 4)]
    amend(ledger, {"1.2": replacement(ANA, 1)})  # 1.5
    lapsed = [current_take(ledger.store, f"1.{n}") for n in (3, 4)]
    assert [[type(fact) for fact in take.facts[1:]] for take in lapsed] == [[Invalidated], [Invalidated]]
    assert [take.declared.faces for take in lapsed] == [(1,), (1,)]  # they lay there
    assert lapsed[0].facts[1] == Invalidated(rules=("BOARD-1",), code="BOARD-POOR", what="Ana has no points")
    with pytest.raises(Refused, match="BOARD-POOR"):
        said(ledger, ANA, 1)
    assert str(said(ledger, BO, 1).id) == "1.6"  # the number of what lapsed stays its own
    result = plan(ledger, {"1.1": replacement(Purse(by="Ana", points=2))}).what_if
    assert (outcomes_by_id(result)["1.3"], outcomes_by_id(result)["1.4"]) == ("possible again", "unchanged")
    amend(ledger, {"1.1": replacement(Purse(by="Ana", points=3))})
    assert [
        take.has(Invalidated) for take in (current_take(ledger.store, "1.3"), current_take(ledger.store, "1.4"))
    ] == [
        False,
        False,
    ]
    revoke(ledger, "1.7")
    revoke(ledger, "1.5")
    assert [current_take(ledger.store, f"1.{n}").facts for n in (3, 4)] == before


def test_invalidated_entry_is_not_the_last_line(ledger):
    poor(ledger)
    amend(ledger, {"1.2": replacement(ANA, 1)})
    own, _ = revoke(ledger)
    assert own.facts[1].entry == "1.2@2"
    assert outcomes_by_id(ask_what_if(ledger, {}, "1.1"))["1.3"] == "unchanged"


def test_running_values_alone_are_carried(ledger):
    said(ledger, Purse(by="Ana", points=3))
    said(ledger, ANA, 1)
    said(ledger, BO, 1)
    result = plan(ledger, {"1.1": replacement(Purse(by="Ana", points=4))}).what_if
    assert outcomes_by_id(result) == {"1.1": "amended", "1.2": "carried", "1.3": "unchanged"}
    assert result.value_changes == [("Ana.points", 2, 3)]


def test_a_correction_reaches_over_sessions_and_the_closings_between(ledger):
    said(ledger, Purse(by="Ana", points=3))
    ledger.close_session(at=AT)  # 1.2: the bill
    open_session(ledger, "another")
    said(ledger, ANA, 1)
    own, takes = amend(ledger, {"1.1": replacement(Purse(by="Ana", points=1))})
    assert [str(take.id) for take in takes] == ["1.1", "1.2", "2.1"]
    assert current_take(ledger.store, "2.1").has(Invalidated)
    assert str(own.id) == "2.2"
    revoke(ledger, own.id)
    assert current_take(ledger.store, "2.1").has(PointsSpent)


@pytest.mark.slow
def test_forged_correction_of_another_session_is_found(path):
    ledger = board(create_store(path.with_name("board.db"), Boards.read_models))
    said(ledger, Purse(by="Ana", points=3))
    ledger.close_session(at=AT)
    open_session(ledger, "another")
    amend(ledger, {"1.1": replacement(Purse(by="Ana", points=1))})  # 2.1
    assert findings_of(ledger) == []
    forger = Forger(path.with_name("board.db"))
    forger.rewrite(changing("2.1", fact=(1, {"entry": "1.1@2"})), chained=True)
    assert "entry 2.1@1: it names 1.1@2, but 1.1@1 counted" in findings_of(ledger)
    forger.rewrite(changing("1.1", fact=(1, {"now": 4})), chained=True)
    assert "entry 1.1@1: the replay differs" in "".join(findings_of(ledger))
    ledger.store.close()


def test_entries_outside_sessions_are_corrected_too():
    ledger = board(opened=False)
    amend(ledger, {"0.1": replacement(Purse(by="Ana", points=2))})  # 0.3
    amend(ledger, insertion(ledger, "0.1", Purse(by="Cy", points=1)))  # 0.4
    open_session(ledger)
    ledger.close_session(at=AT)
    assert str(said(ledger, Purse(by="Bo", points=4)).id) == "1.2"
    amend(ledger, insertion(ledger, "1.1", Purse(by="Bo", points=9)))
    revoke(ledger, "0.4")
    assert ledger.state.values() == {"Ana.points": 1, "Bo.points": 4}
    assert findings_of(ledger) == []


def test_claims_are_compared_with_corrected_values(ledger):
    said(ledger, Purse(by="Ana", points=3))
    said(ledger, ANA, 1, claims=(("Ana.points", 2),))
    amend(ledger, {"1.1": replacement(Purse(by="Ana", points=2))})
    claimed = current_take(ledger.store, "1.2").facts[-1]
    assert (claimed.claimed, claimed.actual) == (2, 1)
    revoke(ledger, "1.3")
    assert current_take(ledger.store, "1.2").facts[-1].actual == 2


def test_inserts_are_numbered_in_order(ledger):
    said(ledger, ANA, 1)
    amend(ledger, insertion(ledger, "1.1", Purse(by="Bo", points=1)))
    amend(ledger, insertion(ledger, "1.1", Purse(by="Bo", points=2)))
    two = insertion(ledger, "1.1", Purse(by="Bo", points=3))
    amend(ledger, {**two, **insertion(ledger, "1.1", Purse(by="Bo", points=4), more=two)})
    ids = [
        str(record.id)
        for record in latest_takes(ledger.store.takes(after=parse_entry_id("1.0"), upto=parse_entry_id("1.2")))
    ]
    assert ids == ["1.1", "1.1+1", "1.1+2", "1.1+3", "1.1+4", "1.2"]
    assert ledger.state.values()["Bo.points"] == 4
    assert str(said(ledger, ANA, 1).id) == "1.5"


def test_faces_drawn_after_the_reveal_are_marked(ledger):
    said(ledger, ANA)
    ledger.close_session(at=AT)
    own, _ = amend(ledger, {"1.1": replacement(Flip(by="Ana", again=True))})
    assert sources(current_take(ledger.store, "1.1")) == {"flip": "seed", "flip again": "revealed"}
    again, _ = amend(ledger, {"1.1": replacement(Flip(by="Bo", again=True))})
    assert sources(current_take(ledger.store, "1.1")) == {"flip": "seed", "flip again": "revealed"}
    revoke(ledger, again.id)
    revoke(ledger, own.id)
    assert sources(current_take(ledger.store, "1.1")) == {"flip": "seed"}


def test_redecided_closing_reveals_the_seed_at_its_first_take(ledger):
    said(ledger, Purse(by="Ana", points=0))
    said(ledger, BO)
    ledger.close_session(at=AT)
    amend(ledger, {"1.1": replacement(Purse(by="Ana", points=2))})  # the bill changes: the closing has a second take
    assert len([take for take in ledger.store.takes() if str(take.id) == "1.3"]) == 2
    amend(ledger, insertion(ledger, "1.2", ANA))
    assert sources(current_take(ledger.store, "1.2")) == {"flip": "seed"}
    assert sources(current_take(ledger.store, "1.2+1")) == {"flip": "revealed"}


def test_undrawn_face_of_open_session_is_a_need_with_odds(ledger):
    said(ledger, ANA)
    result = plan(ledger, {"1.1": replacement(Flip(by="Ana", again=True))}).what_if
    assert (str(result.need.id), result.need.purpose, result.need.sides) == ("1.1", "flip again", (2,))
    assert {chance.of for chance in result.need.odds()} == {2 * 2}  # both flips are followed
    with pytest.raises(Refused, match="L-NEEDS"):
        write_correction(ledger, plan(ledger, insertion(ledger, "1.1", BO)), at=AT, line="~")


def test_a_session_whose_seed_was_lost_shows_no_face_later():
    ledger = board()
    said(ledger, ANA)
    ledger.seeds.delete(ledger.state.session.commitment)
    ledger.close_session(at=AT, lost=True)
    assert plan(ledger, insertion(ledger, "1.1", BO)).what_if.need is not None
    amend(ledger, {"1.1": replacement(BO)})  # the face that was drawn is known
    assert sources(current_take(ledger.store, "1.1")) == {"flip": "seed"}


def test_typed_faces_are_kept_by_purpose_in_a_changed_state(ledger):
    said(ledger, Purse(by="Ana", points=12))
    said(ledger, ANA, 2, 1)
    assert shows(current_take(ledger.store, "1.2")) == {"luck of flip": (2,), "flip": (1,)}
    amend(ledger, {"1.1": replacement(Purse(by="Ana", points=3))})
    assert shows(current_take(ledger.store, "1.2")) == {"flip": (1,)}
    revoke(ledger, "1.3")
    assert shows(current_take(ledger.store, "1.2")) == {"luck of flip": (2,), "flip": (1,)}


def test_typed_faces_are_taken_in_order_for_a_new_declaration(ledger):
    said(ledger, Purse(by="Ana", points=12))
    said(ledger, ANA, 2, 1)
    amend(ledger, {"1.2": replacement(BO, 2, 1)})
    assert (shows(current_take(ledger.store, "1.2")), current_take(ledger.store, "1.2").declared.faces) == (
        {"flip": (2,)},
        (2,),
    )


def lucky(ledger):
    """A flip with typed faces that needs one more die after the purse is amended."""
    said(ledger, Purse(by="Ana", points=3))
    said(ledger, ANA, 1)
    said(ledger, BO, 1)
    return {"1.1": replacement(Purse(by="Ana", points=12))}


def test_answer_to_a_missing_face_goes_with_the_undo(ledger):
    edits = lucky(ledger)
    need = plan(ledger, edits).what_if.need
    assert (str(need.id), need.purpose, need.sides) == ("1.2", "luck of flip", (2,))
    own, _ = amend(ledger, {**edits, "1.2": replacement(ANA, 2, 1, outcome="answer")})
    assert [(fact.entry, fact.outcome) for fact in own.facts[1:]] == [("1.1@1", "retcon"), ("1.2@1", "answer")]
    assert shows(current_take(ledger.store, "1.2")) == {"luck of flip": (2,), "flip": (1,)}
    revoke(ledger, own.id)
    assert shows(current_take(ledger.store, "1.2")) == {"flip": (1,)}


def test_entry_that_needs_a_face_may_be_dropped(ledger):
    edits = lucky(ledger)
    result = plan(ledger, {**edits, "1.2": DROP}).what_if
    assert (result.need, outcomes_by_id(result)["1.2"], outcomes_by_id(result)["1.3"]) == (
        None,
        "removed",
        "unchanged",
    )


@pytest.mark.parametrize("faces", [(2,), (2, 3)])
def test_too_few_or_wrong_faces_are_asked_for_again(ledger, faces):
    result = plan(ledger, {**lucky(ledger), "1.2": replacement(ANA, *faces, outcome="answer")}).what_if
    assert (str(result.need.id), result.need.purpose) == ("1.2", "flip")


def test_changed_rules_allow_only_stand_and_compensate(ledger):
    said(ledger, ANA, 1)
    said(ledger, BO, 1)
    newer = Ledger(ledger.store, Board(heads=1), Boards(), ledger.seeds)
    correction = plan_amendment(newer, {parse_entry_id("1.1"): replacement(ANA, 2)}, by="gm", because="")
    assert correction.what_if.rule_difference.entry == "1.1"
    before = bytes_of(ledger.store)
    with pytest.raises(Refused, match=r"L-RULES.*1\.1"):
        write_correction(newer, correction, at=AT, line="~")
    assert bytes_of(ledger.store) == before
    assert note_error(newer, correction, "stand", at=AT, line="~").facts[1] == Amended(
        entry="1.1@1", outcome="stand", because=""
    )
    correction = plan_amendment(newer, {parse_entry_id("1.1"): replacement(ANA, 2)}, by="gm", because="")
    adjustments, _ = plan_compensation(newer, correction)
    assert [said.value for said in adjustments] == ["Bo.points"]
    compensate(newer, correction, [(said, "") for said in adjustments], at=AT, line="~")
    ledger.refresh()


def test_entry_with_changed_rules_may_be_undone_or_dropped(ledger):
    said(ledger, ANA, 1)
    newer = Ledger(ledger.store, Board(heads=1), Boards(), ledger.seeds)
    assert plan(newer, {"1.1": DROP}).what_if.rule_difference is None
    revoke(newer)
    ledger.refresh()
    assert ledger.state.values()["Ana.points"] == 5


def test_corrections_after_an_entry_with_changed_rules_are_written(ledger):
    said(ledger, ANA, 1)
    said(ledger, Purse(by="Bo", points=2))
    newer = Ledger(ledger.store, Board(heads=1), Boards(), ledger.seeds)
    amend(newer, {"1.2": replacement(Purse(by="Bo", points=3))})
    ledger.refresh()


def test_entry_unknown_to_the_rulebook_is_a_rule_difference(ledger):
    fought(ledger)
    newer = Ledger(ledger.store, Board(declarations=(Purse, Flip, Fight, Adjust)), Boards(), ledger.seeds)
    correction = plan_amendment(newer, {parse_entry_id("1.1"): DROP}, by="gm", because="")
    assert correction.what_if.rule_difference.entry == "1.2"
    with pytest.raises(Refused, match="L-RULES"):
        check_writable(correction)
    note_error(newer, correction, "stand", at=AT, line="~")
    ledger.refresh()
