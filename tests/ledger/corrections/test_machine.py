"""A state machine that plays the board game and corrects entries at random, in both stores at once."""

from __future__ import annotations

import tempfile
from pathlib import Path

import msgspec
import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from ledger import snapshots, take_check
from ledger.builtin import AddWords, Claim
from ledger.corrections.amend import note_error, plan_amendment
from ledger.corrections.compensate import compensate, plan_compensation
from ledger.corrections.correction import Correction, check_writable, write_correction
from ledger.corrections.undo import plan_undo
from ledger.errors import LedgerError, Refused
from ledger.facts import Amended, EntryId, Rolled, parse_entry_id
from ledger.implied_passes import implying_entry
from ledger.ledger_state import initial_state, load_state
from ledger.odds import count_odds
from ledger.quick_check import quick_check
from ledger.read_model_check import check_read_models
from ledger.records import latest_takes
from ledger.redecide import TakeHistory, revealed_seeds
from ledger.snapshots import build_snapshots
from ledger.verify import verify
from ledger.whatif import EDITED, Edit, WhatIf, last_insert
from rulebooks.testing.corrections import replacement
from tests.ledger.board import Board, Boards, Fight, Flip, Pass, Toss, Truce
from tests.ledger.coin import Purse
from tests.ledger.edits import Both, board, comparable, open_session, question, whole_decision
from tests.ledger.strategies import AT, bytes_of, folded_state, packed_state

WHO = st.sampled_from(["Ana", "Bo"])
FLIPS = st.builds(Flip, by=WHO, again=st.booleans(), sides=st.sampled_from([2, 2, 3]))
SAID = (
    FLIPS
    | st.builds(Purse, by=WHO, points=st.sampled_from([0, 1, 2, 12]))
    | st.builds(Toss, by=WHO)
    | st.builds(Toss, by=WHO)
    | st.builds(Pass, by=WHO)
    | st.builds(Fight, by=WHO)
    | st.builds(Truce, by=WHO)
    | st.builds(Claim, by=WHO, values=st.just((("Ana.points", 5),)))
)
FACES = st.just(()) | st.lists(st.sampled_from([1, 2]), min_size=1, max_size=4).map(tuple)
PLACE = st.floats(0, 0.999)


class Corrections(RuleBasedStateMachine):
    """The preview of a correction is what is written, and older entries do not change."""

    def __init__(self):
        super().__init__()
        self.patch = pytest.MonkeyPatch()
        self.patch.setattr(snapshots, "FACTS_BETWEEN_SNAPSHOTS", 8)  # so that snapshots come often
        self.patch.setattr(take_check, "LET_GO_AT", 4)  # so that checks let go of entries often
        self.folder = tempfile.TemporaryDirectory()
        self.store = Both(Path(self.folder.name) / "ledger.db")
        self.log, self.stood = [], {}

    def teardown(self):
        try:
            for position, state in self.stood.items():
                assert packed_state(load_state(self.store, Boards(), as_of=position)) == state
        finally:
            self.store.close()
            self.folder.cleanup()
            self.patch.undo()

    @initialize(points=st.sampled_from([1, 3, 9]))
    def begin(self, points):
        self.ledger = board(self.store, points=points)

    # What is played

    @rule(said=SAID, faces=FACES)
    def say(self, said, faces):
        self.does(lambda: self.ledger.declare(said, at=AT, faces=faces or None))

    @rule(said=SAID)
    def say_it_on_real_dice(self, said):
        self.does(lambda: self.ledger.declare(said, at=AT, faces=(1, 2, 2, 1)))

    @rule(faces=st.sampled_from([(), (2, 2), (2, 2), (1, 1)]))
    def toss(self, faces):
        """Toss for the player whose turn it is; begin a fight if there is none."""
        turn = self.ledger.state.values().get("turn")
        said = Fight(by="Ana") if turn is None else Toss(by=str(turn))
        self.does(lambda: self.ledger.declare(said, at=AT, faces=faces or None))

    @rule(where=PLACE, faces=st.sampled_from([(1, 1), (2, 2), (1, 2)]))
    def other_faces(self, where, faces):
        """Replace the typed faces of an entry."""
        tossed = [
            take for take in latest_takes(self.store.takes()) if take.declared and b"toss" in bytes(take.declared.said)
        ]
        if tossed:
            id = tossed[int(where * len(tossed))].id
            new = msgspec.structs.replace(TakeHistory(self.store.takes()).input(id), faces=faces, faces_by_purpose=None)
            self.writes_answered({id: Edit(input=new, outcome="retcon", in_order=True)})

    @rule(who=WHO)
    def add_words(self, who):
        self.does(lambda: self.ledger.declare(AddWords(by=who, words="brass kettle"), at=AT))

    @rule(seed=st.integers(1, 3))
    def open_or_close(self, seed):
        if self.ledger.state.session.open:
            self.ledger.close_session(at=AT)
        else:
            open_session(self.ledger, f"seed {seed}")

    def does(self, act):
        """Act; a refusal changes nothing."""
        before = bytes_of(self.store), packed_state(self.ledger.state)
        try:
            return act()
        except LedgerError:
            self.ledger.refresh()
            assert (bytes_of(self.store), packed_state(self.ledger.state)) == before
            return None

    # What is corrected

    @rule(where=PLACE, how=st.sampled_from(["retcon", "retcon", "drop", "insert"]), said=SAID, faces=FACES)
    def amend(self, where, how, said, faces):
        self.written([(where, how, said, faces)])

    @rule(where=PLACE, other=PLACE, said=SAID, faces=FACES)
    def amend_two(self, where, other, said, faces):
        self.written([(where, "retcon", said, faces), (other, "drop", said, ())])

    @rule()
    def undo(self):
        self.revoked(None)

    @rule(which=st.integers(0, 3))
    def undo_a_correction(self, which):
        corrections = [str(take.id) for take in latest_takes(self.store.takes()) if take.has(Amended)]
        if corrections:
            self.revoked(corrections[-1 - which % len(corrections)])

    @rule(where=PLACE, said=SAID, faces=FACES)
    def let_it_stand(self, where, said, faces):
        correction = self.planned(self.edits([(where, "retcon", said, faces)]))
        if correction is not None:
            before = self.ledger.state.values()
            note_error(self.ledger, correction, "stand", at=AT, line="~ stand")
            assert self.ledger.state.values() == before

    @rule(where=PLACE, said=SAID)
    def make_it_good(self, where, said):
        correction = self.planned(self.edits([(where, "retcon", said, ())]))
        if correction is not None and correction.what_if.need is None:
            before = len(list(self.store.read()))
            try:
                adjustments, left = plan_compensation(self.ledger, correction)
            except Refused as error:
                if "was compensated in" not in error.what:
                    raise
                return
            compensate(self.ledger, correction, [(said, "adjusted") for said in adjustments], at=AT, line="~ good")
            values = self.ledger.state.values()
            assert {
                name for name, _, now in correction.what_if.value_changes if values.get(name, 0) != (now or 0)
            } <= set(left)
            assert len(list(self.store.read())) == before + 1 + len(adjustments)

    def ids(self):
        return sorted({take.id for take in self.store.takes()})

    def edits(self, wanted):
        ids, edits = self.ids(), {}
        for where, how, said, faces in wanted:
            id = ids[int(where * len(ids))]
            if how == "insert":
                id = EntryId(id.session, id.number, last_insert((*ids, *edits), id) + 1)
            dropped = Edit(input=None, outcome="drop")
            edits[id] = dropped if how == "drop" else replacement(said, *faces, outcome=how)
        return edits

    def planned(self, edits):
        """Return the correction, or None if it is refused; a refusal changes nothing."""
        before = bytes_of(self.store), packed_state(self.ledger.state)
        try:
            with question(self.ledger):
                correction = self.agreed(lambda: plan_amendment(self.ledger, edits, by="gm", because="so it was"))
        except Refused:
            correction = None
        assert (bytes_of(self.store), packed_state(self.ledger.state)) == before
        if correction is not None:
            self.no_peeking(correction)
        return correction

    def agreed(self, plan):
        """Return a planned correction, after checking that deciding every entry again gives the same."""
        correction = plan()
        with whole_decision():
            assert comparable(plan().what_if) == comparable(correction.what_if)
        return correction

    def written(self, wanted):
        """Plan a correction, type the faces that it needs, and write it."""
        self.writes_answered(self.edits(wanted))

    def writes_answered(self, edits):
        for _ in range(40):
            correction = self.planned(edits)
            if correction is None:
                return
            need = correction.what_if.need
            if need is None:
                break
            with pytest.raises(Refused, match="L-NEEDS"):
                check_writable(correction)
            edits = self.answered(edits, correction)
        else:
            raise AssertionError("the table is asked for ever")
        self.writes(correction)

    def answered(self, edits, correction):
        """Type one more face for the entry that needs it, or drop the entry if it is of an earlier session."""
        need = correction.what_if.need
        edit, lying = edits.get(need.id), ()
        if edit is None:
            given = TakeHistory(self.store.takes()).input(need.id)
            outcome = "answer"
        else:
            given, outcome = edit.input, edit.outcome
            lying = given.faces or () if edit.in_order else ()
        faces = (*lying, *(1 for _ in need.sides))
        if len(faces) > 12:
            return {**edits, need.id: Edit(input=None, outcome="drop")}
        new = msgspec.structs.replace(given, faces=faces, faces_by_purpose=None)
        return {**edits, need.id: Edit(input=new, outcome=outcome, in_order=True)}

    def revoked(self, entry):
        before = bytes_of(self.store), packed_state(self.ledger.state)
        try:
            with question(self.ledger):
                id = None if entry is None else parse_entry_id(entry)
                correction = self.agreed(lambda: plan_undo(self.ledger, id, by="gm"))
            self.no_peeking(correction)
            check_writable(correction)
        except Refused as error:
            refused = error.code
        else:
            self.writes(correction)
            return
        assert refused in ("L-UNDO", "L-WORDS", "L-NEEDS")
        assert (bytes_of(self.store), packed_state(self.ledger.state)) == before

    def writes(self, correction: Correction):
        """Check that exactly the planned takes are written."""
        result, old = correction.what_if, bytes_of(self.store)
        assert result.rule_difference is None
        assert result.before == self.ledger.state.values()
        own, takes = write_correction(self.ledger, correction, at=AT, line="~")
        planned = [(outcome.id, outcome.after) for outcome in result.outcomes if outcome.writes]
        assert [(take.id, take.facts) for take in takes] == planned
        stored = [take for take in self.store.takes() if take.cause == str(own.id)]
        assert [(take.id, take.facts) for take in stored] == planned
        assert self.ledger.state.values() == result.after
        assert bytes_of(self.store)[: len(old)] == old
        for outcome in result.outcomes:
            assert outcome.writes or outcome.outcome in ("unchanged", *EDITED)

    def no_peeking(self, correction):
        """Check that in an open session only faces appear that were typed or shown before."""
        shown = {}
        for take in self.store.takes():
            shown.setdefault(take.id, set()).update(dice_of(take.facts))
        closed = revealed_seeds(self.store.takes())
        for outcome in correction.what_if.outcomes:
            for fact in outcome.after:
                if isinstance(fact, Rolled) and fact.source == "table":
                    assert {die.face for die in fact.dice} <= set(outcome.input.faces)
                elif isinstance(fact, Rolled) and outcome.id.session not in closed:
                    assert dice_of([fact]) <= shown.get(outcome.id, set())

    # What holds after everything

    @rule()
    def rebuild_or_throw_away_the_snapshots(self):
        self.store.replace_snapshots(build_snapshots(self.store, Boards()), after=self.store.head())

    @rule()
    def throw_the_snapshots_away(self):
        self.store.replace_snapshots([], after=self.store.head())

    @rule(where=PLACE)
    def without_a_change_nothing_changes(self, where):
        ids = self.ids()
        start = ids[int(where * len(ids))]
        with question(self.ledger), whole_decision():
            result = WhatIf(self.store, Board(), Boards()).run({}, start=start)
        assert {outcome.outcome for outcome in result.outcomes} <= {"unchanged"}
        assert (result.need, result.rule_difference, result.value_changes) == (None, None, [])
        assert not any(outcome.writes for outcome in result.outcomes)
        counting = [take for take in latest_takes(self.store.takes()) if take.facts]
        act = [take.id for take in counting if take.id >= start or implying_entry(take) == str(start)]
        assert [outcome.id for outcome in result.outcomes] == act

    @rule(where=PLACE)
    def as_it_was_at_an_entry(self, where):
        ids = self.ids()
        id = ids[int(where * len(ids))]
        ledger_state = load_state(self.store, Boards(), at=id)
        zero = from_zero_upto(self.store, id)
        assert packed_state(ledger_state)[:4] == packed_state(zero)[:4]

    @rule(said=SAID)
    def ask_for_the_odds(self, said):
        before = packed_state(self.ledger.state)
        try:
            with question(self.ledger):
                count_odds(Board(), self.ledger.state, said, EntryId(9, 9))
        except Refused:
            pass
        assert packed_state(self.ledger.state) == before

    @invariant()
    def older_records_stay_as_they_are(self):
        log = bytes_of(self.store)
        assert log[: len(self.log)] == self.log
        self.log = log

    @invariant()
    def snapshot_and_tail_are_the_fold_from_zero(self):
        ledger_state = self.ledger.state
        assert (
            packed_state(folded_state(self.store, Boards()))
            == packed_state(load_state(self.store, Boards()))
            == packed_state(ledger_state)
        )
        self.stood[ledger_state.position] = packed_state(ledger_state)

    @invariant()
    def replay_verify_and_read_tables_find_nothing(self):
        report, findings = verify(self.store, Board(), Boards())
        assert (report.differences, findings) == ([], [])
        quick, findings = quick_check(self.store, Boards())
        assert (quick.facts, findings) == (sum(len(take.facts) for take in latest_takes(self.store.takes())), [])
        assert list(check_read_models(self.store.file, Boards())) == []


def dice_of(facts):
    return {
        (fact.purpose, die.ordinal, die.sides, die.face)
        for fact in facts
        if isinstance(fact, Rolled)
        for die in fact.dice
    }


def from_zero_upto(store, id):
    ledger_state = initial_state(Boards())
    for record in latest_takes(store.takes(upto=id)):
        ledger_state.fold(record)
    return ledger_state


TestCorrections = Corrections.TestCase


def test_question_starts_behind_what_was_inserted_before():
    """Found at random: a line inserted before an entry is no pass that the entry implies."""
    machine = Corrections()
    try:
        machine.begin(points=1)
        machine.amend(where=0.75, how="insert", said=Purse(by="Ana", points=0), faces=())
        machine.add_words(who="Ana")
        for where in (0.0, 0.25, 0.5, 0.75, 0.99):
            machine.without_a_change_nothing_changes(where=where)
    finally:
        machine.teardown()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("where", "how", "written"),
    [(0.34, "retcon", ["fight", "pass"]), (0.0, "insert", ["fight"])],  # there is no room before an inserted line
)
def test_implied_pass_takes_no_place_of_an_older_line(where, how, written):
    """Found at random: a pass was written over the line inserted before the changed entry."""
    machine = Corrections()
    try:
        machine.begin(points=1)
        machine.toss(faces=())
        machine.amend(where=0.0, how="insert", said=Fight(by="Ana"), faces=())
        machine.amend(where=where, how=how, said=Pass(by="Bo"), faces=())
        machine.replay_verify_and_read_tables_find_nothing()
        inserts = [take.declared for take in latest_takes(machine.store.takes()) if take.insert]
        assert [msgspec.json.decode(declared.said)["say"] for declared in inserts] == written
    finally:
        machine.teardown()
