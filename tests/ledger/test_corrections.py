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
    Sealed,
    amend,
    board,
    bytes_of_all,
    counted,
    fates,
    foreseen_to,
    from_zero,
    instead,
    opens,
    packed,
    put_in,
    question,
    revoke,
    said,
    shows,
    sources,
    state,
    supposed,
    wrong,
)
from tests.ledger.strategies import AT, LEDGER
from tests.ledger.test_service import Meanwhile

ANA, BO = Flip(by="Ana"), Flip(by="Bo")


@pytest.fixture
def table():
    """Ana and Bo have 5 points each; session 1 is open. The first faces of flips: 2 2 1 2 1 1 1 1."""
    made = board()
    yield made
    assert wrong(made) == []
    assert packed(from_zero(made.store)) == packed(made.state)


# Fates


def fought(table):
    """A fight in which Bo loses his first place: 1.1, then Ana, Ana, Bo."""
    said(table, Fight(by="Ana"))  # 1.1
    said(table, Toss(by="Ana"), 2, 2)  # 1.2: Bo is dizzy
    said(table, Toss(by="Ana"), 1, 1)  # 1.3
    said(table, Toss(by="Bo"), 1, 1)  # 1.4


def test_a_place_that_newly_opens_is_passed_and_everything_behind_it_stands(table):
    fought(table)
    sight = foreseen_to(table, {"1.2": instead(Toss(by="Ana"), 1, 2)}).what_if
    assert fates(sight) == {
        "1.2": "amended",
        "1.2+1": "newly open",
        "1.3": "unchanged",
        "1.4": "unchanged",
    }
    assert sight.value_changes == []
    _, takes = amend(table, {"1.2": instead(Toss(by="Ana"), 1, 2)})
    assert [str(take.id) for take in takes] == ["1.2", "1.2+1"]
    assert counted(table.store, "1.2+1").by == "Bo"


def test_whoever_gets_a_place_back_may_use_it(table):
    fought(table)
    edits = {parse_entry_id("1.2"): instead(Toss(by="Ana"), 1, 2)}
    sight = foreseen_to(table, {**edits, **put_in(table, "1.2", Toss(by="Bo"), 1, 1)}).what_if
    assert (fates(sight)["1.2+1"], sight.need, sight.with_outcome("newly open")) == ("put in", None, [])


def test_a_pass_that_was_put_in_goes_with_the_undo_comes_with_its_undo_and_lapses_when_the_place_is_lost_again(table):
    fought(table)
    before = state(table)
    own, _ = amend(table, {"1.2": instead(Toss(by="Ana"), 1, 2)})
    after = state(table)
    undone, _ = revoke(table, own.id)
    assert (counted(table.store, "1.2+1").facts, state(table)) == ((), before)
    revoke(table, undone.id)
    assert (counted(table.store, "1.2+1").by, state(table)) == ("Bo", after)
    sight = foreseen_to(table, {"1.2": instead(Toss(by="Ana"), 2, 2)}).what_if
    assert fates(sight)["1.2+1"] == "no longer possible"
    assert "BOARD-TURN" in sight.with_outcome("no longer possible")[0].refusal


def test_a_place_that_opened_behind_what_was_put_in_there_is_passed_behind_it(table):
    fought(table)
    amend(table, put_in(table, "1.2", Purse(by="Bo", points=7)))
    assert fates(foreseen_to(table, {"1.2": instead(Toss(by="Ana"), 1, 2)}).what_if)["1.2+2"] == "newly open"


def test_a_place_that_came_up_on_record_too_is_not_passed_for_anybody(table):
    """Ana's toss is left out: it is still her turn, so Bo's is no longer possible."""
    said(table, Fight(by="Ana"))
    said(table, Toss(by="Ana"), 1, 1)
    said(table, Toss(by="Bo"), 1, 1)
    for edits in ({"1.2": DROP}, {"1.2": DROP, "1.1": instead(Fight(by="Bo"))}):
        sight = foreseen_to(table, edits).what_if
        assert (fates(sight)["1.3"], sight.with_outcome("newly open")) == ("no longer possible", [])


def poor(table):
    """Ana has one point, wins one, and spends both: 1.1 to 1.4."""
    said(table, Purse(by="Ana", points=1))
    for face in (2, 1, 1):
        said(table, ANA, face)


def test_what_becomes_impossible_lapses_and_comes_back_when_it_is_possible_again(table):
    poor(table)
    before = [counted(table.store, f"1.{n}").facts for n in (3, 4)]
    amend(table, {"1.2": instead(ANA, 1)})  # 1.5
    lapsed = [counted(table.store, f"1.{n}") for n in (3, 4)]
    assert [[type(fact) for fact in take.facts[1:]] for take in lapsed] == [[Invalidated], [Invalidated]]
    assert [take.declared.faces for take in lapsed] == [(1,), (1,)]  # they lay there
    assert lapsed[0].facts[1] == Invalidated(rules=("BOARD-1",), code="BOARD-POOR", what="Ana has no points")
    with pytest.raises(Refused, match="BOARD-POOR"):
        said(table, ANA, 1)
    assert str(said(table, BO, 1).id) == "1.6"  # the number of what lapsed stays its own
    sight = foreseen_to(table, {"1.1": instead(Purse(by="Ana", points=2))}).what_if
    assert (fates(sight)["1.3"], fates(sight)["1.4"]) == ("possible again", "unchanged")
    amend(table, {"1.1": instead(Purse(by="Ana", points=3))})
    assert [take.has(Invalidated) for take in (counted(table.store, "1.3"), counted(table.store, "1.4"))] == [
        False,
        False,
    ]
    revoke(table, "1.7")
    revoke(table, "1.5")
    assert [counted(table.store, f"1.{n}").facts for n in (3, 4)] == before


def test_what_has_lapsed_is_not_the_last_line(table):
    poor(table)
    amend(table, {"1.2": instead(ANA, 1)})
    own, _ = revoke(table)
    assert own.facts[1].entry == "1.2@2"
    assert fates(supposed(table, {}, "1.1"))["1.3"] == "unchanged"


def test_running_values_alone_are_carried(table):
    said(table, Purse(by="Ana", points=3))
    said(table, ANA, 1)
    said(table, BO, 1)
    sight = foreseen_to(table, {"1.1": instead(Purse(by="Ana", points=4))}).what_if
    assert fates(sight) == {"1.1": "amended", "1.2": "carried", "1.3": "unchanged"}
    assert sight.value_changes == [("Ana.points", 2, 3)]


def test_a_correction_reaches_over_sessions_and_the_closings_between(table):
    said(table, Purse(by="Ana", points=3))
    table.close_session(at=AT)  # 1.2: the bill
    opens(table, "another")
    said(table, ANA, 1)
    own, takes = amend(table, {"1.1": instead(Purse(by="Ana", points=1))})
    assert [str(take.id) for take in takes] == ["1.1", "1.2", "2.1"]
    assert counted(table.store, "2.1").has(Invalidated)
    assert str(own.id) == "2.2"
    revoke(table, own.id)
    assert counted(table.store, "2.1").has(PointsSpent)


def test_entries_before_the_first_session_and_between_sessions_are_corrected_too():
    table = board(opened=False)
    amend(table, {"0.1": instead(Purse(by="Ana", points=2))})  # 0.3
    amend(table, put_in(table, "0.1", Purse(by="Cy", points=1)))  # 0.4
    opens(table)
    table.close_session(at=AT)
    assert str(said(table, Purse(by="Bo", points=4)).id) == "1.2"
    amend(table, put_in(table, "1.1", Purse(by="Bo", points=9)))
    revoke(table, "0.4")
    assert table.state.values() == {"Ana.points": 1, "Bo.points": 4}
    assert wrong(table) == []


def test_what_was_claimed_is_compared_with_what_is_so_now(table):
    said(table, Purse(by="Ana", points=3))
    said(table, ANA, 1, claims=(("Ana.points", 2),))
    amend(table, {"1.1": instead(Purse(by="Ana", points=2))})
    claimed = counted(table.store, "1.2").facts[-1]
    assert (claimed.claimed, claimed.actual) == (2, 1)
    revoke(table, "1.3")
    assert counted(table.store, "1.2").facts[-1].actual == 2


def test_inserts_stand_behind_inserts_in_order(table):
    said(table, ANA, 1)
    amend(table, put_in(table, "1.1", Purse(by="Bo", points=1)))
    amend(table, put_in(table, "1.1", Purse(by="Bo", points=2)))
    two = put_in(table, "1.1", Purse(by="Bo", points=3))
    amend(table, {**two, **put_in(table, "1.1", Purse(by="Bo", points=4), more=two)})
    ids = [
        str(record.id)
        for record in latest_takes(table.store.takes(after=parse_entry_id("1.0"), upto=parse_entry_id("1.2")))
    ]
    assert ids == ["1.1", "1.1+1", "1.1+2", "1.1+3", "1.1+4", "1.2"]
    assert table.state.values()["Bo.points"] == 4
    assert str(said(table, ANA, 1).id) == "1.5"


# Dice


def test_once_a_seed_is_revealed_new_faces_are_drawn_and_marked_and_the_others_stay(table):
    said(table, ANA)
    table.close_session(at=AT)
    own, _ = amend(table, {"1.1": instead(Flip(by="Ana", again=True))})
    assert sources(counted(table.store, "1.1")) == {"flip": "seed", "flip again": "revealed"}
    again, _ = amend(table, {"1.1": instead(Flip(by="Bo", again=True))})
    assert sources(counted(table.store, "1.1")) == {"flip": "seed", "flip again": "revealed"}
    revoke(table, again.id)
    revoke(table, own.id)
    assert sources(counted(table.store, "1.1")) == {"flip": "seed"}


def test_a_closing_that_is_decided_again_reveals_nothing_later_than_it_did(table):
    said(table, Purse(by="Ana", points=0))
    said(table, BO)
    table.close_session(at=AT)
    amend(table, {"1.1": instead(Purse(by="Ana", points=2))})  # the bill changes: the closing has a second take
    assert len([take for take in table.store.takes() if str(take.id) == "1.3"]) == 2
    amend(table, put_in(table, "1.2", ANA))
    assert sources(counted(table.store, "1.2")) == {"flip": "seed"}
    assert sources(counted(table.store, "1.2+1")) == {"flip": "revealed"}


def test_while_the_session_is_open_a_face_that_was_never_drawn_is_a_need_with_its_odds(table):
    said(table, ANA)
    sight = foreseen_to(table, {"1.1": instead(Flip(by="Ana", again=True))}).what_if
    assert (str(sight.need.id), sight.need.purpose, sight.need.sides) == ("1.1", "flip again", (2,))
    assert {chance.of for chance in sight.need.odds()} == {2 * 2}  # both flips are followed
    with pytest.raises(Refused, match="L-NEEDS"):
        write_correction(table, foreseen_to(table, put_in(table, "1.1", BO)), at=AT, line="~")


def test_a_session_whose_seed_was_lost_shows_no_face_later():
    table = board()
    said(table, ANA)
    table.seeds.delete(table.state.session.commitment)
    table.close_session(at=AT, lost=True)
    assert foreseen_to(table, put_in(table, "1.1", BO)).what_if.need is not None
    amend(table, {"1.1": instead(BO)})  # the face that was drawn is known
    assert sources(counted(table.store, "1.1")) == {"flip": "seed"}


def test_faces_of_the_table_are_kept_by_purpose_where_only_the_surroundings_change(table):
    said(table, Purse(by="Ana", points=12))
    said(table, ANA, 2, 1)
    assert shows(counted(table.store, "1.2")) == {"luck of flip": (2,), "flip": (1,)}
    amend(table, {"1.1": instead(Purse(by="Ana", points=3))})
    assert shows(counted(table.store, "1.2")) == {"flip": (1,)}
    revoke(table, "1.3")
    assert shows(counted(table.store, "1.2")) == {"luck of flip": (2,), "flip": (1,)}


def test_faces_of_the_table_are_taken_in_order_where_something_else_is_said(table):
    said(table, Purse(by="Ana", points=12))
    said(table, ANA, 2, 1)
    amend(table, {"1.2": instead(BO, 2, 1)})
    assert (shows(counted(table.store, "1.2")), counted(table.store, "1.2").declared.faces) == ({"flip": (2,)}, (2,))


def lucky(table):
    """A flip on the table that needs a die of luck since the purse was amended."""
    said(table, Purse(by="Ana", points=3))
    said(table, ANA, 1)
    said(table, BO, 1)
    return {"1.1": instead(Purse(by="Ana", points=12))}


def test_a_face_that_is_missing_on_the_table_is_answered_and_the_answer_goes_with_the_undo(table):
    edits = lucky(table)
    need = foreseen_to(table, edits).what_if.need
    assert (str(need.id), need.purpose, need.sides) == ("1.2", "luck of flip", (2,))
    own, _ = amend(table, {**edits, "1.2": instead(ANA, 2, 1, outcome="answer")})
    assert [(fact.entry, fact.outcome) for fact in own.facts[1:]] == [("1.1@1", "retcon"), ("1.2@1", "answer")]
    assert shows(counted(table.store, "1.2")) == {"luck of flip": (2,), "flip": (1,)}
    revoke(table, own.id)
    assert shows(counted(table.store, "1.2")) == {"flip": (1,)}


def test_an_entry_that_is_asked_for_a_face_may_be_left_out(table):
    edits = lucky(table)
    sight = foreseen_to(table, {**edits, "1.2": DROP}).what_if
    assert (sight.need, fates(sight)["1.2"], fates(sight)["1.3"]) == (None, "left out", "unchanged")


@pytest.mark.parametrize("faces", [(2,), (2, 3)])
def test_too_few_or_wrong_faces_are_asked_for_again(table, faces):
    sight = foreseen_to(table, {**lucky(table), "1.2": instead(ANA, *faces, outcome="answer")}).what_if
    assert (str(sight.need.id), sight.need.purpose) == ("1.2", "flip")


# Another rulebook


def test_where_todays_rules_decide_otherwise_nothing_is_written_but_it_may_stand_or_be_made_good(table):
    said(table, ANA, 1)
    said(table, BO, 1)
    newer = Ledger(table.store, Board(heads=1), Boards(), table.seeds)
    correction = plan_amendment(newer, {parse_entry_id("1.1"): instead(ANA, 2)}, by="gm", because="")
    assert correction.what_if.rule_difference.entry == "1.1"
    before = bytes_of_all(table.store)
    with pytest.raises(Refused, match=r"L-RULES.*1\.1"):
        write_correction(newer, correction, at=AT, line="~")
    assert bytes_of_all(table.store) == before
    assert note_error(newer, correction, "stand", at=AT, line="~").facts[1] == Amended(
        entry="1.1@1", outcome="stand", because=""
    )
    correction = plan_amendment(newer, {parse_entry_id("1.1"): instead(ANA, 2)}, by="gm", because="")
    adjustments, _ = plan_compensation(newer, correction)
    assert [said.value for said in adjustments] == ["Bo.points"]
    compensate(newer, correction, [(said, "") for said in adjustments], at=AT, line="~")
    table.refresh()


def test_what_todays_rules_decide_otherwise_may_be_taken_back_and_left_out(table):
    said(table, ANA, 1)
    newer = Ledger(table.store, Board(heads=1), Boards(), table.seeds)
    assert foreseen_to(newer, {"1.1": DROP}).what_if.rule_difference is None
    revoke(newer)
    table.refresh()
    assert table.state.values()["Ana.points"] == 5


def test_behind_the_entry_that_todays_rules_decide_otherwise_corrections_are_written(table):
    said(table, ANA, 1)
    said(table, Purse(by="Bo", points=2))
    newer = Ledger(table.store, Board(heads=1), Boards(), table.seeds)
    amend(newer, {"1.2": instead(Purse(by="Bo", points=3))})
    table.refresh()


def test_an_entry_that_todays_rulebook_cannot_read_is_told_and_no_traceback(table):
    fought(table)
    newer = Ledger(table.store, Board(declarations=(Purse, Flip, Fight, Adjust)), Boards(), table.seeds)
    correction = plan_amendment(newer, {parse_entry_id("1.1"): DROP}, by="gm", because="")
    assert correction.what_if.rule_difference.entry == "1.2"
    with pytest.raises(Refused, match="L-RULES"):
        check_writable(correction)
    note_error(newer, correction, "stand", at=AT, line="~")
    table.refresh()


# Made good


def test_what_ends_otherwise_is_made_good_by_entries_of_their_own_and_taken_back_with_their_correction(table):
    said(table, ANA, 1)
    correction = foreseen_to(table, {"1.1": instead(BO, 1)})
    adjustments, left = plan_compensation(table, correction)
    assert [(said.value, said.change) for said in adjustments] == [("Ana.points", 1), ("Bo.points", -1)]
    assert (plan_compensation(table, correction, only=["Bo.points"])[0], left) == (adjustments[1:], [])
    own, records = compensate(table, correction, [(said, "made good") for said in adjustments], at=AT, line="~")
    assert [(str(record.id), record.cause, record.line) for record in records] == [
        ("1.3", "1.2", "made good"),
        ("1.4", "1.2", "made good"),
    ]
    assert table.state.values() == {"Ana.points": 5, "Bo.points": 4}
    revoke(table, own.id)
    assert table.state.values() == {"Ana.points": 4, "Bo.points": 5}
    revoke(table, "1.5")
    assert table.state.values() == {"Ana.points": 5, "Bo.points": 4}


def test_an_adjustment_that_is_refused_leaves_nothing(table):
    said(table, ANA, 1)
    correction = foreseen_to(table, {"1.1": DROP})
    before = bytes_of_all(table.store), packed(table.state)
    good, bad = (Adjust(by="gm", value="Ana.points", change=change, reason="") for change in (1, -99))
    with pytest.raises(Refused, match="BOARD-ADJUST"):
        compensate(table, correction, [(good, ""), (bad, "")], at=AT, line="~")
    assert (bytes_of_all(table.store), packed(table.state)) == before


# Refusals


def played(table):
    said(table, AddWords(by="Ana", words="brass kettle"))  # 1.1
    said(table, ANA)  # 1.2
    said(table, BO)  # 1.3
    revoke(table)  # 1.4
    amend(table, {"1.2": instead(BO)})  # 1.5


@pytest.mark.parametrize(
    ("edits", "says"),
    [
        ({"0.0": DROP}, "L-AMEND: entry 0.0 cannot"),
        ({"1.0": DROP}, "L-AMEND: entry 1.0 cannot"),
        ({"1.0": instead(ANA)}, "L-AMEND: entry 1.0 cannot"),
        ({"1.1": DROP}, "L-AMEND: entry 1.1 cannot"),
        ({"1.3": instead(ANA)}, "L-AMEND: there is no entry 1.3"),  # taken back
        ({"1.4": DROP}, r"L-AMEND: entry 1.4 is a correction.*undo 1\.4"),
        ({"1.9": DROP}, "L-AMEND: there is no entry 1.9"),
        ({"1.2+1": DROP}, "L-AMEND: there is no entry 1.2+1".replace("+", r"\+")),
        ({"1.9+1": instead(ANA, outcome="insert")}, "L-AMEND: there is no entry 1.9 to"),
        ({"2.0+1": instead(ANA, outcome="insert")}, "L-AMEND: there is no entry 2.0 to"),
        ({"1.2": instead(Flip(by="Cy"))}, "BOARD-POOR: entry 1.2: Cy has no points"),
        ({"1.2": instead(BO), "1.0": DROP}, "L-AMEND: entry 1.0 cannot"),
    ],
)
def test_what_cannot_be_amended_is_refused_and_nothing_changes(table, edits, says):
    played(table)
    before = bytes_of_all(table.store), packed(table.state)
    with pytest.raises(Refused, match=says):
        foreseen_to(table, edits)
    assert (bytes_of_all(table.store), packed(table.state)) == before


def test_a_closing_is_not_amended(table):
    table.close_session(at=AT)
    with pytest.raises(Refused, match=r"L-AMEND: entry 1\.1 cannot"):
        foreseen_to(table, {"1.1": DROP})


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
def test_what_cannot_be_taken_back_is_refused_and_nothing_changes(table, entry, says):
    played(table)  # up to 1.5
    said(table, BO)  # 1.3 again
    said(table, Purse(by="Ana", points=9))  # 1.6
    amend(table, {"1.2": instead(ANA)})  # 1.7
    amend(table, {"1.2": instead(BO)})  # 1.8
    before = bytes_of_all(table.store), packed(table.state)
    with pytest.raises(Refused, match=f"L-UNDO.*{says}"):
        revoke(table, entry)
    assert (bytes_of_all(table.store), packed(table.state)) == before


def test_corrections_of_one_entry_are_taken_back_last_first_each_once(table):
    said(table, ANA)
    amend(table, {"1.1": instead(BO)})  # 1.2
    amend(table, {"1.1": DROP})  # 1.3
    for entry in ("1.3", "1.2"):
        revoke(table, entry)
        with pytest.raises(Refused, match="undone already"):
            revoke(table, entry)
    assert table.state.values()["Ana.points"] == 6


def test_what_is_typed_where_nothing_is_thrown_is_not_kept(table):
    said(table, ANA)
    amend(table, {"1.1": instead(Purse(by="Ana", points=1), 2, 2)})
    assert counted(table.store, "1.1").declared.faces is None


# Somebody else writes


@pytest.mark.parametrize("settle", ["retcon", "stand", "compensate"])
def test_who_is_overtaken_writes_nothing(store, settle):
    one = board(MemoryStore() if isinstance(store, MemoryStore) else filed(store))
    other = Ledger(one.store, Board(), Boards(), one.seeds)
    said(one, ANA, 1)
    correction = foreseen_to(one, {"1.1": instead(BO, 1)})
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
    assert packed(from_zero(one.store)) == packed(one.state)
    assert wrong(one) == []


def filed(store):
    """The file with the table of the board."""
    store._db.execute(create_table_sql(VALUES))
    return store


def test_who_is_overtaken_in_the_last_moment_writes_nothing():
    one = board(Meanwhile())
    said(one, ANA, 1)
    correction = foreseen_to(one, {"1.1": instead(BO, 1)})
    other = Ledger(one.store, Board(), Boards(), one.seeds)
    one.store.before("append", lambda: said(other, Purse(by="Ana", points=2)))
    with pytest.raises(Overtaken):
        write_correction(one, correction, at=AT, line="~")
    assert packed(from_zero(one.store)) == packed(one.state)
    assert wrong(one) == []


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
    "ask", [lambda one: undo(one, by="gm", at=AT), lambda one: amend(one, {"1.1": instead(BO, 1)})]
)
def test_what_comes_between_the_choice_of_what_is_corrected_and_the_foresight_is_not_missed(ask):
    """Else an undo would take back what is not the last line any more."""
    one = board(Later())
    said(one, ANA, 1)
    other = Ledger(one.store, Board(), Boards(), Sealed())
    assert other.state.position == one.state.position
    one.store.act = lambda: said(other, BO, 1)
    one.store.heads = 0
    with pytest.raises(Overtaken):
        ask(one)
    assert one.store.head().position == 6
    assert packed(from_zero(one.store)) == packed(Ledger(one.store, Board(), Boards(), Sealed()).state)


def test_a_request_of_a_correction_is_known(table):
    said(table, ANA)
    own, _ = amend(table, {"1.1": DROP}, request="k")
    assert table.store.find_request("k") == own
    assert table.find_request("k", "amend") == own
    assert [take.request for take in table.store.takes() if take.cause] == [None]


# How old an error is


def test_of_this_round_are_the_last_line_and_what_was_said_since_the_round_began(table):
    said(table, Fight(by="Ana"))  # 1.1
    for who in ("Ana", "Bo", "Ana"):  # with 1.3 a round begins
        said(table, Toss(by=who), 1, 1)
    assert ages(table, "0.1", "1.1", "1.2", "1.3", "1.4") == [
        "earlier_session",
        "same_session",
        "same_session",
        "same_round",
        "same_round",
    ]
    said(table, Truce(by="Ana"))
    assert ages(table, "1.3", "1.4", "1.5") == ["same_session", "same_session", "same_round"]


def test_without_a_fight_only_the_last_line_is_of_this_round_whatever_was_corrected_since(table):
    said(table, ANA)
    said(table, BO)
    said(table, BO)
    revoke(table)
    note_error(table, foreseen_to(table, {"1.2": DROP}), "stand", at=AT, line="~")
    assert ages(table, "1.1", "1.2") == ["same_session", "same_round"]
    table.close_session(at=AT)
    assert ages(table, "1.2") == ["same_session"]
    opens(table, "another")
    assert ages(table, "1.2") == ["earlier_session"]


def ages(table, *entries):
    return [entry_age(table, parse_entry_id(entry)) for entry in entries]


# Questions


def test_of_a_part_that_was_corrected_later_nothing_changes_without_a_change(table):
    """What counts there was said by a correction that stands behind the part."""
    said(table, ANA, 1)
    table.close_session(at=AT)
    opens(table, "another")
    amend(table, {"1.1": instead(BO, 2)})
    sight = WhatIf(table.store, Board(), Boards()).run({}, start=parse_entry_id("1.0"), upto=parse_entry_id("1.2"))
    assert fates(sight) == dict.fromkeys(("1.0", "1.1", "1.2"), "unchanged")


def test_a_preview_shows_no_face_and_leaves_no_trace(table):
    before = packed(table.state)
    with question(table):
        with pytest.raises(NeverDrawn):
            table.preview(ANA)
        assert table.preview(Purse(by="Ana", points=3))[0].now == 3
    assert packed(table.state) == before


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
def test_odds_are_those_of_all_faces(table, what, points):
    said(table, Fight(by="Ana"))
    said(table, Purse(by="Ana", points=points))
    before = packed(table.state)
    with question(table):
        try:
            found = odds(Board(), table.state, what, parse_entry_id("1.3")).chances
        except Refused:
            assert (what.again, points) == (True, 1)
            return
    assert packed(table.state) == before
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


def test_once_a_later_correction_is_taken_back_the_earlier_one_may_be_too(table):
    said(table, ANA)
    first, _ = amend(table, {"1.1": instead(BO)})
    second, _ = amend(table, {"1.1": DROP})
    with pytest.raises(Refused, match=f"L-UNDO.*undo {second.id}"):
        revoke(table, first.id)
    revoke(table, second.id)
    revoke(table, first.id)
    assert table.state.values()["Ana.points"] == 6


def test_a_correction_that_came_back_may_be_taken_back_by_its_own_name(table):
    said(table, ANA)
    own, _ = amend(table, {"1.1": DROP})
    undone, _ = revoke(table, own.id)
    revoke(table, undone.id)
    revoke(table, own.id)
    assert table.state.values()["Ana.points"] == 6


def test_what_was_made_good_and_came_back_is_read_from_the_middle_too(table):
    said(table, ANA, 1)
    correction = foreseen_to(table, {"1.1": DROP})
    adjustments, _ = plan_compensation(table, correction)
    own, _ = compensate(table, correction, [(each, "") for each in adjustments], at=AT, line="~")
    undone, _ = revoke(table, own.id)
    assert fates(supposed(table, put_in(table, str(own.id), Purse(by="Bo", points=1)))) == {
        "1.2+1": "put in",
        "1.4": "unchanged",
    }
    revoke(table, undone.id)
    assert fates(supposed(table, {}, "1.3"))["1.3"] == "unchanged"


def test_an_entry_said_again_with_another_die_keeps_both_faces_on_record(table):
    """Each die is keyed by its sides too: the d2 of a line that was taken back is no d3."""
    said(table, Flip(by="Ana", sides=2))
    undo(table, by="gm", at=AT)
    said(table, Flip(by="Ana", sides=3))
    assert supposed(table, {}, "1.1").rule_difference is None


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
    assert foreseen_to(table, put_in(table, "1.1", ANA)).what_if.need is not None


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
        note_error(table, foreseen_to(table, {"1.1": instead(BO)}), "stand", at=AT, line="~")
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
    assert counted(table.store, "1.2").has(Invalidated)
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
    assert correction.what_if.need is not None
    with pytest.raises(Refused, match="L-NEEDS"):
        plan_compensation(table, correction)


def test_what_is_taken_back_is_seen_by_those_who_saw_it(table):
    table.declare(Tell(by="gm", kind="scene", who="gm", text="A spy."), at=AT, seen="gm")
    revoke(table)
    assert [take.seen for take in table.store.takes(after=parse_entry_id("1.0"), upto=parse_entry_id("1.1"))] == [
        "gm",
        "gm",
    ]


@pytest.mark.parametrize("insert", [1, 3])
def test_what_is_put_in_stands_right_behind_what_is_there(table, insert):
    said(table, ANA)
    amend(table, put_in(table, "1.1", Purse(by="Bo", points=1)))
    with pytest.raises(Refused, match="L-AMEND"):
        foreseen_to(table, {f"1.1+{insert}": instead(Purse(by="Bo", points=2), outcome="insert")})


def test_a_correction_that_said_the_same_and_was_taken_back_does_not_hold_the_one_before(table):
    said(table, ANA)
    first, _ = amend(table, {"1.1": instead(ANA, 1)})
    second, takes = amend(table, {"1.1": instead(ANA, 1, 1)})  # a face that no die asks for
    assert takes == []
    revoke(table, second.id)
    revoke(table, first.id)
    assert sources(counted(table.store, "1.1")) == {"flip": "seed"}
