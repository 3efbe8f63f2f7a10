"""A correction and its undo leave the ledger as if two scenes had been told instead, at random."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from ledger.builtin import Tell
from ledger.corrections.amend import plan_amendment
from ledger.corrections.correction import check_writable, write_correction
from ledger.corrections.undo import plan_undo
from ledger.errors import LedgerError, Refused
from ledger.facts import EntryId
from ledger.whatif import Edit, last_insert
from rulebooks.testing.corrections import DROP, replacement
from tests.ledger.board import Fight, Flip, Pass, Toss, Truce
from tests.ledger.coin import Purse
from tests.ledger.edits import board, findings_of, input_at, open_session, question, revoke, said, state
from tests.ledger.strategies import AT

WHOSE_TURN = "whose turn it is"
WHO = st.sampled_from(["Ana", "Bo"])
SAYING = (
    st.builds(Flip, by=WHO, again=st.booleans(), sides=st.sampled_from([2, 3]))
    | st.builds(Purse, by=WHO, points=st.sampled_from([0, 1, 2, 12]))
    | st.builds(Toss, by=st.sampled_from(["Ana", "Bo", WHOSE_TURN, WHOSE_TURN, WHOSE_TURN]))
    | st.just(Toss(by=WHOSE_TURN))
    | st.builds(Pass, by=WHO)
    | st.builds(Fight, by=WHO)
    | st.builds(Truce, by=WHO)
)
ON_THE_TABLE = st.sampled_from([(), (), (1, 1, 1, 1), (2, 2, 2, 2)])  # all alike: in order or by purpose is the same
TURN_OF_THE_EVENING, UNDO = "open or close", "undo"
STEP = st.tuples(SAYING, ON_THE_TABLE)
TOSSES = st.lists(st.tuples(st.just(Toss(by=WHOSE_TURN)), ON_THE_TABLE), min_size=2, max_size=5)
PLAYED = st.lists(STEP, min_size=1, max_size=6) | TOSSES.map(lambda tosses: [(Fight(by="Ana"), ()), *tosses])
BETWEEN = st.lists(STEP | st.sampled_from([TURN_OF_THE_EVENING, UNDO]), max_size=6)


def told(ledger):
    said(ledger, Tell(by="gm", kind="scene", who="gm", text="Rain."))


def turned(ledger):
    if ledger.state.session.open:
        ledger.close_session(at=AT)
    else:
        open_session(ledger, "another evening")


def named(ledger, what):
    """Return the declaration by the player whose turn it is."""
    turn = str(ledger.state.values().get("turn", "Ana"))
    return msgspec.structs.replace(what, by=turn) if what.by == WHOSE_TURN else what


def tried(ledger, what, faces):
    try:
        what = named(ledger, what)
        said(ledger, what, *faces)
    except LedgerError:
        return False
    return True


def both_play(corrected, other, between):
    """Play the same in both ledgers; tell a scene in the other one if it refuses."""
    lines = 0
    for step in between:
        if step == TURN_OF_THE_EVENING:
            turned(corrected)
            turned(other)
            lines = 0
        elif step == UNDO:
            if lines:
                revoke(corrected)
                revoke(other)
                lines -= 1
        else:
            what = named(corrected, step[0])
            if tried(corrected, what, step[1]):
                if not tried(other, what, step[1]):
                    told(other)
                lines += 1


def answered(ledger, edits):
    """Return the correction with typed faces for the entries that need them; else give the example up."""
    for _ in range(40):
        with question(ledger):
            correction = plan_amendment(ledger, edits, by="gm", because="")
        need = correction.what_if.need
        if need is None:
            return correction
        edit = edits.get(need.id)
        given_ = edit.input if edit else input_at(ledger, need.id)
        lying = (edit.input.faces or ()) if edit and edit.in_order else ()
        new = msgspec.structs.replace(given_, faces=(*lying, *(2 for _ in need.sides)), faces_by_purpose=None)
        outcome = edit.outcome if edit else "answer"
        edits = {**edits, need.id: Edit(input=new, outcome=outcome, in_order=True)}
    raise AssertionError("the table is asked for ever")


def edits_at(ledger, where, how, what, faces):
    """Return an edit of a line of the first session, or an insert after one."""
    ids = [take.id for take in ledger.store.takes() if EntryId(1, 0) < take.id < EntryId(2, 0)]
    assume(ids)
    id = ids[where % len(ids)]
    if how == "insert":
        id = EntryId(id.session, id.number, last_insert(ids, id) + 1)
    was = input_at(ledger, id)
    if how == "other faces" and was is not None:
        new = msgspec.structs.replace(was, faces=faces or (1, 1), faces_by_purpose=None)
        return {id: Edit(input=new, outcome="retcon", in_order=True)}
    how = "retcon" if how == "other faces" else how
    return {id: DROP if how == "drop" else replacement(named(ledger, what), *faces, outcome=how)}


HOW = ["retcon", "other faces", "other faces", "drop", "insert"]


@pytest.mark.slow
@given(
    played=PLAYED,
    evening=st.sampled_from(["the same", "closed", "the next"]),
    where=st.integers(0, 5),
    how=st.sampled_from(HOW),
    what=SAYING,
    faces=ON_THE_TABLE,
    between=BETWEEN,
)
def test_correction_and_undo_equal_two_told_scenes(played, evening, where, how, what, faces, between):
    corrected, other = board(points=9), board(points=9)
    for step in played:
        assert tried(corrected, *step) == tried(other, *step)
    turns = ["the same", "closed", "the next"].index(evening)
    for _ in range(turns):
        turned(corrected)
        turned(other)

    edits = edits_at(corrected, where, how, what, faces)
    try:
        correction = answered(corrected, edits)
    except Refused:
        assume(False)
    event(", ".join(sorted({outcome.outcome for outcome in correction.what_if.outcomes} - {"unchanged", "carried"})))
    own, _ = write_correction(corrected, correction, at=AT, line="~")
    told(other)
    both_play(corrected, other, [step for step in between if step[1]])  # drawn dice take a number that it has freed

    before = state(corrected)
    with question(corrected):
        undone_take = plan_undo(corrected, own.id, by="gm")
    try:
        check_writable(undone_take)
    except Refused as error:
        assume(error.code != "L-NEEDS")
        raise
    undone, _ = write_correction(corrected, undone_take, at=AT, line="undo")
    told(other)
    if not undone_take.what_if.entries_with_outcome(
        "new turn"
    ):  # declarations in between may have freed a number that is not used yet
        assert state(corrected) == state(other)
        assert corrected.state.session == other.state.session

    revoke(corrected, undone.id)
    assert state(corrected) == before
    assert findings_of(corrected) == []


CORRECTION = st.tuples(st.integers(0, 9), st.sampled_from(HOW), SAYING, ON_THE_TABLE)


@given(
    played=PLAYED,
    closed=st.booleans(),
    corrections=st.lists(CORRECTION, min_size=2, max_size=4),
    order=st.permutations(range(4)),
)
def test_corrections_are_undone_in_any_allowed_order(played, closed, corrections, order):
    """A correction that has to be undone first can be undone: no two wait for each other."""
    ledger = board(points=4)
    for step in played:
        tried(ledger, *step)
    if closed:
        turned(ledger)
    before, made = state(ledger), []
    for correction in corrections:
        try:
            made.append(write_correction(ledger, answered(ledger, edits_at(ledger, *correction)), at=AT, line="~")[0])
        except Refused:
            event("refused")
    waiting = [made[n] for n in order if n < len(made)]
    while waiting:
        left = [own for own in waiting if not undone(ledger, own)]
        assert len(left) < len(waiting)
        event(f"{len(left)} wait")
        waiting = left
    assert state(ledger) == before
    assert findings_of(ledger) == []


def undone(ledger, own):
    try:
        with question(ledger):
            correction = plan_undo(ledger, own.id, by="gm")
    except Refused as error:
        if error.code != "L-UNDO":
            raise
        return False
    assume(correction.what_if.need is None)
    # A turn that this gives to somebody while another correction holds is passed, and stays passed.
    assume(not correction.what_if.entries_with_outcome("new turn"))
    write_correction(ledger, correction, at=AT, line="undo")
    return True
