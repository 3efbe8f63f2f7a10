"""Turns of a combat at random: who acts implies passes, and corrections decide them again."""

from __future__ import annotations

from contextlib import suppress

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from ledger.acts import written_before
from ledger.corrections.amend import plan_amendment
from ledger.corrections.correction import check_writable, write_correction
from ledger.corrections.undo import undo
from ledger.declarations import Declaration
from ledger.errors import LedgerError, Refused
from ledger.facts import GM, ActionSpent, EntryId
from ledger.verify import verify
from ledger.whatif import last_insert
from projections.projection import StateProjection
from rulebooks.common.encounters import PassOn
from rulebooks.dusk_bastards.declarations.combat import Attack
from rulebooks.dusk_bastards.declarations.turns import Deed, Initiative, Move, Pass, QuickDeed, StartEncounter
from rulebooks.testing.corrections import DROP, replacement
from tests.rulebooks.dusk_bastards.seat import AT, BOOK, Seat, close

PCS, ALL = ("Ash", "Bryn", "Cole"), ("Ash", "Bryn", "Cole", "thug", "captain")
WHO = st.sampled_from(ALL)
ACTS = st.one_of(
    st.builds(Deed, by=WHO),
    st.builds(Deed, by=WHO),
    st.builds(QuickDeed, by=WHO),
    st.builds(Move, by=WHO),
    st.builds(Pass, by=WHO),
    st.builds(Attack, by=st.sampled_from(PCS), target=st.just("thug"), stat=st.just("might"), damage=st.just(1)),
    st.just(PassOn(by=GM)),
    st.just(close()),
)


class Turns(RuleBasedStateMachine):
    """After any acts and corrections no main action was let go, and replay and verify find nothing."""

    @initialize(faces=st.lists(st.tuples(st.integers(1, 12), st.integers(1, 12)), min_size=3, max_size=3))
    def begin(self, faces: list[tuple[int, int]]) -> None:
        self.seat = Seat(*ALL)
        self.seat.say(StartEncounter(by=GM, participants=ALL))
        for who, rolled in zip(PCS, faces, strict=True):
            self.seat.say(Initiative(by=who), *rolled)

    def declare(self, said: Declaration) -> None:
        before = self.seat.snapshot()
        try:
            record = self.seat.ledger.declare(said, at=AT)
        except Refused:
            assert self.seat.snapshot() == before
            return
        spent = [fact for each in written_before(self.seat.store, record) for fact in each.facts]
        passed = {fact.action for fact in spent if isinstance(fact, ActionSpent) and fact.outcome == "passed"}
        assert passed <= {"bonus"}

    @rule(said=ACTS)
    def act(self, said: Declaration) -> None:
        self.declare(said)

    @rule(bonus=st.booleans())
    def act_in_turn_and_let_the_next_act(self, bonus: bool) -> None:
        if self.seat.state.encounter and self.seat.state.encounter.phase == "movement":
            self.declare(PassOn(by=GM))
        encounter = self.seat.state.encounter
        if encounter is None or not encounter.turn:
            return
        self.declare(QuickDeed(by=encounter.turn) if bonus else Deed(by=encounter.turn))
        for who in ALL:
            self.declare(Deed(by=who))

    @rule()
    def undo_last(self) -> None:
        with suppress(Refused):
            undo(self.seat.ledger, by=GM, at=AT)

    @rule(where=st.floats(0, 0.999), how=st.sampled_from(["retcon", "drop", "insert"]), said=ACTS)
    def correct(self, where: float, how: str, said: Declaration) -> None:
        ledger = self.seat.ledger
        ids = sorted({take.id for take in ledger.store.takes() if take.session})
        id = ids[int(where * len(ids))]
        if how == "insert":
            id = EntryId(id.session, id.number, last_insert(ids, id) + 1)
        before = self.seat.snapshot()
        try:
            edit = DROP if how == "drop" else replacement(said, outcome=how)
            correction = plan_amendment(ledger, {id: edit}, by=GM, because="so it was")
            check_writable(correction)
        except LedgerError:
            assert self.seat.snapshot() == before
            return
        write_correction(ledger, correction, at=AT, line="~")

    @invariant()
    def somebody_is_in_turn(self) -> None:
        encounter = self.seat.state.encounter
        assert encounter is None or encounter.turn or not encounter.round or self.seat.state.windows

    def teardown(self) -> None:
        report, findings = verify(self.seat.store, BOOK, StateProjection())
        assert ([str(difference) for difference in report.differences], findings) == ([], [])


TestTurns = Turns.TestCase
