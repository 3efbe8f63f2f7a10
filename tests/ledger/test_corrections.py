"""Corrections one by one: what each fate is, what is drawn, what is refused, what comes back."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from ledger.builtin import AddWords, CloseSession, Correct, CreateCampaign, OpenSession, Tell
from ledger.corrections.age import entry_age
from ledger.corrections.amend import note_error, plan_amendment
from ledger.corrections.compensate import compensate, plan_compensation
from ledger.corrections.plan import check_writable, write_correction
from ledger.corrections.undo import undo
from ledger.dice import fixed_seed
from ledger.errors import NeverDrawn, Overtaken, Refused
from ledger.facts import Amended, Invalidated, PointsSpent, parse_entry_id
from ledger.odds import odds
from ledger.read_model_sql import create_table_sql
from ledger.records import latest_takes
from ledger.service import Ledger
from ledger.store import MemoryStore
from ledger.whatif import WhatIf
from tests.ledger.board import VALUES, Adjust, Board, Boards, Fight, Flip, Toss, Truce
from tests.ledger.coin import Purse
from tests.ledger.edits import (
    DROP,
    GuardedSeeds,
    amend,
    ask_what_if,
    board,
    bytes_of_all,
    current_take,
    findings_of,
    folded_state,
    insertion,
    open_session,
    outcomes_by_id,
    packed_state,
    plan,
    question,
    replacement,
    revoke,
    said,
    shows,
    sources,
    state,
)
from tests.ledger.strategies import AT, LEDGER
from tests.ledger.test_service import Meanwhile

ANA, BO = Flip(by="Ana"), Flip(by="Bo")


@pytest.fixture
def ledger():
    """Ana and Bo have 5 points each; session 1 is open. The first faces of flips: 2 2 1 2 1 1 1 1."""
    made = board()
    yield made
    assert findings_of(made) == []
    assert packed_state(folded_state(made.store)) == packed_state(made.state)


# Fates


def fought(ledger):
    """A fight in which Bo loses his first place: 1.1, then Ana, Ana, Bo."""
    said(ledger, Fight(by="Ana"))  # 1.1
    said(ledger, Toss(by="Ana"), 2, 2)  # 1.2: Bo is dizzy
    said(ledger, Toss(by="Ana"), 1, 1)  # 1.3
    said(ledger, Toss(by="Bo"), 1, 1)  # 1.4


def test_new_turn_is_passed_and_later_entries_are_kept(ledger):
    fought(ledger)
    result = plan(ledger, {"1.2": replacement(Toss(by="Ana"), 1, 2)}).what_if
    assert outcomes_by_id(result) == {
        "1.2": "amended",
        "1.2+1": "newly open",
        "1.3": "unchanged",
        "1.4": "unchanged",
    }
    assert result.value_changes == []
    _, takes = amend(ledger, {"1.2": replacement(Toss(by="Ana"), 1, 2)})
    assert [str(take.id) for take in takes] == ["1.2", "1.2+1"]
    assert current_take(ledger.store, "1.2+1").by == "Bo"


def test_whoever_gets_a_place_back_may_use_it(ledger):
    fought(ledger)
    edits = {parse_entry_id("1.2"): replacement(Toss(by="Ana"), 1, 2)}
    result = plan(ledger, {**edits, **insertion(ledger, "1.2", Toss(by="Bo"), 1, 1)}).what_if
    assert (outcomes_by_id(result)["1.2+1"], result.need, result.with_outcome("newly open")) == ("put in", None, [])


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
    assert "BOARD-TURN" in result.with_outcome("no longer possible")[0].refusal


def test_new_turn_after_an_insert_is_passed_after_it(ledger):
    fought(ledger)
    amend(ledger, insertion(ledger, "1.2", Purse(by="Bo", points=7)))
    assert outcomes_by_id(plan(ledger, {"1.2": replacement(Toss(by="Ana"), 1, 2)}).what_if)["1.2+2"] == "newly open"


def test_a_place_that_came_up_on_record_too_is_not_passed_for_anybody(ledger):
    """Ana's toss is left out: it is still her turn, so Bo's is no longer possible."""
    said(ledger, Fight(by="Ana"))
    said(ledger, Toss(by="Ana"), 1, 1)
    said(ledger, Toss(by="Bo"), 1, 1)
    for edits in ({"1.2": DROP}, {"1.2": DROP, "1.1": replacement(Fight(by="Bo"))}):
        result = plan(ledger, edits).what_if
        assert (outcomes_by_id(result)["1.3"], result.with_outcome("newly open")) == ("no longer possible", [])


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


def test_what_has_lapsed_is_not_the_last_line(ledger):
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


def test_what_was_claimed_is_compared_with_what_is_so_now(ledger):
    said(ledger, Purse(by="Ana", points=3))
    said(ledger, ANA, 1, claims=(("Ana.points", 2),))
    amend(ledger, {"1.1": replacement(Purse(by="Ana", points=2))})
    claimed = current_take(ledger.store, "1.2").facts[-1]
    assert (claimed.claimed, claimed.actual) == (2, 1)
    revoke(ledger, "1.3")
    assert current_take(ledger.store, "1.2").facts[-1].actual == 2


def test_inserts_stand_behind_inserts_in_order(ledger):
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


# Dice


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
    """A flip on the table that needs a die of luck since the purse was amended."""
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


def test_an_entry_that_is_asked_for_a_face_may_be_left_out(ledger):
    edits = lucky(ledger)
    result = plan(ledger, {**edits, "1.2": DROP}).what_if
    assert (result.need, outcomes_by_id(result)["1.2"], outcomes_by_id(result)["1.3"]) == (
        None,
        "left out",
        "unchanged",
    )


@pytest.mark.parametrize("faces", [(2,), (2, 3)])
def test_too_few_or_wrong_faces_are_asked_for_again(ledger, faces):
    result = plan(ledger, {**lucky(ledger), "1.2": replacement(ANA, *faces, outcome="answer")}).what_if
    assert (str(result.need.id), result.need.purpose) == ("1.2", "flip")


# Another rulebook


def test_changed_rules_allow_only_stand_and_compensate(ledger):
    said(ledger, ANA, 1)
    said(ledger, BO, 1)
    newer = Ledger(ledger.store, Board(heads=1), Boards(), ledger.seeds)
    correction = plan_amendment(newer, {parse_entry_id("1.1"): replacement(ANA, 2)}, by="gm", because="")
    assert correction.what_if.rule_difference.entry == "1.1"
    before = bytes_of_all(ledger.store)
    with pytest.raises(Refused, match=r"L-RULES.*1\.1"):
        write_correction(newer, correction, at=AT, line="~")
    assert bytes_of_all(ledger.store) == before
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


# Made good


def test_compensation_entries_are_undone_with_their_correction(ledger):
    said(ledger, ANA, 1)
    correction = plan(ledger, {"1.1": replacement(BO, 1)})
    adjustments, left = plan_compensation(ledger, correction)
    assert [(said.value, said.change) for said in adjustments] == [("Ana.points", 1), ("Bo.points", -1)]
    assert (plan_compensation(ledger, correction, only=["Bo.points"])[0], left) == (adjustments[1:], [])
    own, records = compensate(ledger, correction, [(said, "made good") for said in adjustments], at=AT, line="~")
    assert [(str(record.id), record.cause, record.line) for record in records] == [
        ("1.3", "1.2", "made good"),
        ("1.4", "1.2", "made good"),
    ]
    assert ledger.state.values() == {"Ana.points": 5, "Bo.points": 4}
    revoke(ledger, own.id)
    assert ledger.state.values() == {"Ana.points": 4, "Bo.points": 5}
    revoke(ledger, "1.5")
    assert ledger.state.values() == {"Ana.points": 5, "Bo.points": 4}


def test_an_adjustment_that_is_refused_leaves_nothing(ledger):
    said(ledger, ANA, 1)
    correction = plan(ledger, {"1.1": DROP})
    before = bytes_of_all(ledger.store), packed_state(ledger.state)
    good, bad = (Adjust(by="gm", value="Ana.points", change=change, reason="") for change in (1, -99))
    with pytest.raises(Refused, match="BOARD-ADJUST"):
        compensate(ledger, correction, [(good, ""), (bad, "")], at=AT, line="~")
    assert (bytes_of_all(ledger.store), packed_state(ledger.state)) == before


# Refusals


def played(ledger):
    said(ledger, AddWords(by="Ana", words="brass kettle"))  # 1.1
    said(ledger, ANA)  # 1.2
    said(ledger, BO)  # 1.3
    revoke(ledger)  # 1.4
    amend(ledger, {"1.2": replacement(BO)})  # 1.5


@pytest.mark.parametrize(
    ("edits", "says"),
    [
        ({"0.0": DROP}, "L-AMEND: entry 0.0 cannot"),
        ({"1.0": DROP}, "L-AMEND: entry 1.0 cannot"),
        ({"1.0": replacement(ANA)}, "L-AMEND: entry 1.0 cannot"),
        ({"1.1": DROP}, "L-AMEND: entry 1.1 cannot"),
        ({"1.3": replacement(ANA)}, "L-AMEND: there is no entry 1.3"),  # taken back
        ({"1.4": DROP}, r"L-AMEND: entry 1.4 is a correction.*undo 1\.4"),
        ({"1.9": DROP}, "L-AMEND: there is no entry 1.9"),
        ({"1.2+1": DROP}, "L-AMEND: there is no entry 1.2+1".replace("+", r"\+")),
        ({"1.9+1": replacement(ANA, outcome="insert")}, "L-AMEND: there is no entry 1.9 to"),
        ({"2.0+1": replacement(ANA, outcome="insert")}, "L-AMEND: there is no entry 2.0 to"),
        ({"1.2": replacement(Flip(by="Cy"))}, "BOARD-POOR: entry 1.2: Cy has no points"),
        ({"1.2": replacement(BO), "1.0": DROP}, "L-AMEND: entry 1.0 cannot"),
    ],
)
def test_what_cannot_be_amended_is_refused_and_nothing_changes(ledger, edits, says):
    played(ledger)
    before = bytes_of_all(ledger.store), packed_state(ledger.state)
    with pytest.raises(Refused, match=says):
        plan(ledger, edits)
    assert (bytes_of_all(ledger.store), packed_state(ledger.state)) == before


def test_a_closing_is_not_amended(ledger):
    ledger.close_session(at=AT)
    with pytest.raises(Refused, match=r"L-AMEND: entry 1\.1 cannot"):
        plan(ledger, {"1.1": DROP})


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ("1.0", "is not a correction"),
        ("1.1", "is not a correction"),
        ("1.2", r"is not a correction.*amend --drop 1\.2"),
        ("1.4", "entry 1.3 has been changed since"),
        ("1.7", r"entry 1.2 has been changed since.*undo 1\.8"),
        ("1.9", "there is no entry 1.9"),
        ("8.1", "there is no entry 8.1"),
    ],
)
def test_what_cannot_be_taken_back_is_refused_and_nothing_changes(ledger, entry, says):
    played(ledger)  # up to 1.5
    said(ledger, BO)  # 1.3 again
    said(ledger, Purse(by="Ana", points=9))  # 1.6
    amend(ledger, {"1.2": replacement(ANA)})  # 1.7
    amend(ledger, {"1.2": replacement(BO)})  # 1.8
    before = bytes_of_all(ledger.store), packed_state(ledger.state)
    with pytest.raises(Refused, match=f"L-UNDO.*{says}"):
        revoke(ledger, entry)
    assert (bytes_of_all(ledger.store), packed_state(ledger.state)) == before


def test_corrections_of_one_entry_are_taken_back_last_first_each_once(ledger):
    said(ledger, ANA)
    amend(ledger, {"1.1": replacement(BO)})  # 1.2
    amend(ledger, {"1.1": DROP})  # 1.3
    for entry in ("1.3", "1.2"):
        revoke(ledger, entry)
        with pytest.raises(Refused, match="undone already"):
            revoke(ledger, entry)
    assert ledger.state.values()["Ana.points"] == 6


def test_what_is_typed_where_nothing_is_thrown_is_not_kept(ledger):
    said(ledger, ANA)
    amend(ledger, {"1.1": replacement(Purse(by="Ana", points=1), 2, 2)})
    assert current_take(ledger.store, "1.1").declared.faces is None


# Somebody else writes


@pytest.mark.parametrize("settle", ["retcon", "stand", "compensate"])
def test_who_is_overtaken_writes_nothing(store, settle):
    one = board(MemoryStore() if isinstance(store, MemoryStore) else filed(store))
    other = Ledger(one.store, Board(), Boards(), one.seeds)
    said(one, ANA, 1)
    correction = plan(one, {"1.1": replacement(BO, 1)})
    said(other, Purse(by="Ana", points=2))
    before = bytes_of_all(one.store)
    settles = {
        "stand": lambda: note_error(one, correction, "stand", at=AT, line="~"),
        "compensate": lambda: compensate(one, correction, [], at=AT, line="~"),
        "retcon": lambda: write_correction(one, correction, at=AT, line="~"),
    }
    for look in (lambda: None, one.refresh):
        look()
        with pytest.raises(Overtaken):
            settles[settle]()
        assert bytes_of_all(one.store) == before
    assert packed_state(folded_state(one.store)) == packed_state(one.state)
    assert findings_of(one) == []


def filed(store):
    """The file with the table of the board."""
    store.connection.execute(create_table_sql(VALUES))
    return store


def test_who_is_overtaken_in_the_last_moment_writes_nothing():
    one = board(Meanwhile())
    said(one, ANA, 1)
    correction = plan(one, {"1.1": replacement(BO, 1)})
    other = Ledger(one.store, Board(), Boards(), one.seeds)
    one.store.before("append", lambda: said(other, Purse(by="Ana", points=2)))
    with pytest.raises(Overtaken):
        write_correction(one, correction, at=AT, line="~")
    assert packed_state(folded_state(one.store)) == packed_state(one.state)
    assert findings_of(one) == []


class Later(MemoryStore):
    """Somebody else writes once, just before the head is read for the second time."""

    def __init__(self):
        super().__init__()
        self.heads, self.act = None, None

    def head(self):
        if self.heads is not None:
            self.heads += 1
            if self.heads == 2:
                self.heads = None
                self.act()
        return super().head()


@pytest.mark.parametrize(
    "ask", [lambda one: undo(one, by="gm", at=AT), lambda one: amend(one, {"1.1": replacement(BO, 1)})]
)
def test_append_between_plan_and_what_if_is_noticed(ask):
    """Else an undo would take back what is not the last line any more."""
    one = board(Later())
    said(one, ANA, 1)
    other = Ledger(one.store, Board(), Boards(), GuardedSeeds())
    assert other.state.position == one.state.position
    one.store.act = lambda: said(other, BO, 1)
    one.store.heads = 0
    with pytest.raises(Overtaken):
        ask(one)
    assert one.store.head().position == 6
    assert packed_state(folded_state(one.store)) == packed_state(
        Ledger(one.store, Board(), Boards(), GuardedSeeds()).state
    )


def test_a_request_of_a_correction_is_known(ledger):
    said(ledger, ANA)
    own, _ = amend(ledger, {"1.1": DROP}, request="k")
    assert ledger.store.find_request("k") == own
    assert ledger.find_request("k", "amend") == own
    assert [take.request for take in ledger.store.takes() if take.cause] == [None]


# How old an error is


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


# Questions


def test_run_up_to_an_entry_ignores_later_corrections(ledger):
    """What counts there was said by a correction that stands behind the part."""
    said(ledger, ANA, 1)
    ledger.close_session(at=AT)
    open_session(ledger, "another")
    amend(ledger, {"1.1": replacement(BO, 2)})
    result = WhatIf(ledger.store, Board(), Boards()).run({}, start=parse_entry_id("1.0"), upto=parse_entry_id("1.2"))
    assert outcomes_by_id(result) == dict.fromkeys(("1.0", "1.1", "1.2"), "unchanged")


def test_a_preview_shows_no_face_and_leaves_no_trace(ledger):
    before = packed_state(ledger.state)
    with question(ledger):
        with pytest.raises(NeverDrawn):
            ledger.preview(ANA)
        assert ledger.preview(Purse(by="Ana", points=3))[0].now == 3
    assert packed_state(ledger.state) == before


@pytest.mark.parametrize(
    ("what", "points"),
    [
        (ANA, 5),
        (Flip(by="Ana", sides=3), 5),
        (Flip(by="Ana", again=True), 5),  # the second flip is followed
        (Flip(by="Ana", again=True), 1),  # after tails it is not even possible
        (ANA, 12),  # luck is the first throw, and the flip is followed behind it
        (Toss(by="Ana"), 5),
        (Purse(by="Ana", points=1), 5),
    ],
)
def test_odds_are_those_of_all_faces(ledger, what, points):
    said(ledger, Fight(by="Ana"))
    said(ledger, Purse(by="Ana", points=points))
    before = packed_state(ledger.state)
    with question(ledger):
        try:
            found = odds(Board(), ledger.state, what, parse_entry_id("1.3")).chances
        except Refused:
            assert (what.again, points) == (True, 1)
            return
    assert packed_state(ledger.state) == before
    expected = Counter()
    sides = {Flip: (what.sides,) if isinstance(what, Flip) else (), Toss: (2, 2), Purse: ()}[type(what)]
    for shown in product(*(range(1, most + 1) for most in sides)):
        heads = sum(face == 2 for face in shown)
        result = f"{heads} heads" if isinstance(what, Toss) else "heads" if heads else "tails"
        expected[result] += bool(sides)
    shares = {(one.what, one.result): Fraction(one.ways, one.of) for one in found if one.what == what.verbs[0]}
    assert shares == {
        (what.verbs[0], result): Fraction(ways, sum(expected.values())) for result, ways in expected.items() if ways
    }


# What was wrong once


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


def test_what_was_made_good_and_came_back_is_read_from_the_middle_too(ledger):
    said(ledger, ANA, 1)
    correction = plan(ledger, {"1.1": DROP})
    adjustments, _ = plan_compensation(ledger, correction)
    own, _ = compensate(ledger, correction, [(each, "") for each in adjustments], at=AT, line="~")
    undone, _ = revoke(ledger, own.id)
    assert outcomes_by_id(ask_what_if(ledger, insertion(ledger, str(own.id), Purse(by="Bo", points=1)))) == {
        "1.2+1": "put in",
        "1.4": "unchanged",
    }
    revoke(ledger, undone.id)
    assert outcomes_by_id(ask_what_if(ledger, {}, "1.3"))["1.3"] == "unchanged"


def test_amended_entry_with_another_die_keeps_both_faces(ledger):
    """Each die is keyed by its sides too: the d2 of a line that was taken back is no d3."""
    said(ledger, Flip(by="Ana", sides=2))
    undo(ledger, by="gm", at=AT)
    said(ledger, Flip(by="Ana", sides=3))
    assert ask_what_if(ledger, {}, "1.1").rule_difference is None


def test_a_face_of_a_taken_back_line_with_another_die_is_met_again(ledger):
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


def test_what_is_put_in_behind_the_closing_draws_no_die(ledger):
    """Between sessions there are no seeded dice, also not later."""
    ledger.close_session(at=AT)
    said(ledger, Purse(by="Ana", points=3))
    assert ask_what_if(ledger, {"1.2": replacement(ANA)}).need is not None
    assert plan(ledger, insertion(ledger, "1.1", ANA)).what_if.need is not None


@pytest.mark.parametrize(
    "what",
    [
        AddWords(by="Ana", words="brass kettle"),
        CloseSession(by="gm", seed=fixed_seed("a board").hex()),
        OpenSession(by="gm", number=2, title="", rulebook="", commitment="", fixed=False),
        CreateCampaign(by="gm", ledger=LEDGER, name="", game="", rulebook=""),
        Correct(by="gm", edits=(("1.1@1", "stand"),)),
    ],
)
@pytest.mark.parametrize("how", ["insert", "retcon"])
def test_words_openings_closings_and_corrections_are_not_said_later(ledger, what, how):
    """Words put in behind the opening would change the key of every die that is drawn from then on."""
    said(ledger, ANA)
    before = bytes_of_all(ledger.store)
    edits = insertion(ledger, "1.0", what) if how == "insert" else {"1.1": replacement(what)}
    with pytest.raises(Refused, match="L-AMEND"):
        plan(ledger, edits)
    assert bytes_of_all(ledger.store) == before


def test_undone_words_do_not_come_back_after_a_drawn_die(ledger):
    """Else somebody throws, takes back, brings words back, and throws better."""
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
    """Else somebody amends, takes back, and says the same with new dice."""
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
    """Behind the face that is missing nobody knows what would be."""
    said(ledger, ANA)
    said(ledger, BO)
    correction = plan(ledger, {"1.1": replacement(Flip(by="Ana", again=True))})
    assert correction.what_if.need is not None
    with pytest.raises(Refused, match="L-NEEDS"):
        plan_compensation(ledger, correction)


def test_what_is_taken_back_is_seen_by_those_who_saw_it(ledger):
    ledger.declare(Tell(by="gm", kind="scene", who="gm", text="A spy."), at=AT, seen="gm")
    revoke(ledger)
    assert [take.seen for take in ledger.store.takes(after=parse_entry_id("1.0"), upto=parse_entry_id("1.1"))] == [
        "gm",
        "gm",
    ]


@pytest.mark.parametrize("insert", [1, 3])
def test_what_is_put_in_stands_right_behind_what_is_there(ledger, insert):
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
