"""A state machine that plays the coin game at random and compares it with a model."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from ledger import snapshots
from ledger.builtin import AddWords, Claim
from ledger.corrections.undo import undo
from ledger.dice import fixed_seed
from ledger.errors import LedgerError
from ledger.facts import Rolled
from ledger.ledger_state import initial_state, load_state
from ledger.quick_check import quick_check
from ledger.records import latest_takes
from ledger.snapshots import build_snapshots
from ledger.verify import verify
from tests.ledger.coin import Coin, Coins, Flip, Purse
from tests.ledger.strategies import AT, LEDGER, bytes_of, faces, new_ledger, packed_state

WHO = st.sampled_from(["Ana", "Bo"])
FACES = st.none() | st.lists(st.sampled_from([1, 2, 1, 2, 0, 3]), max_size=3)


class CoinsOnPaper(RuleBasedStateMachine):
    """The model: points, next and reusable numbers, lines that may be undone, faces drawn."""

    def __init__(self):
        super().__init__()
        self.patch = pytest.MonkeyPatch()
        self.patch.setattr(snapshots, "FACTS_BETWEEN_SNAPSHOTS", 6)  # so that snapshots come often
        self.ledger = new_ledger()
        self.points, self.session, self.open = {}, 0, False
        self.next, self.void = 1, set()
        self.lines = []  # points before each line that may be taken back, and what it was
        self.met, self.drawn = {}, False

    def teardown(self):
        self.patch.undo()

    @initialize(points=st.integers(0, 9))
    def begin(self, points):
        self.ledger.create("Coins", at=AT, ledger=LEDGER)
        self.lines.append(("founded", {}))
        self.purse("Ana", points)

    def does(self, kind, legal, act):
        """Act: it is written exactly if the model allows it; else nothing changes."""
        before, log = packed_state(self.ledger.state), bytes_of(self.ledger.store)
        try:
            record = act()
        except LedgerError:
            assert not legal
            assert (packed_state(self.ledger.state), bytes_of(self.ledger.store)) == (before, log)
            return None
        assert legal
        if kind != "open":
            number = min(self.void, default=self.next)
            assert (record.session, record.number) == (self.session, number)
            self.void -= {number}
            self.next = max(self.next, number + 1)
        self.lines.append((kind, dict(self.points)))
        self.meets(record)
        return record

    def meets(self, record):
        """Check that the same throw has always the same face."""
        for fact in record.facts:
            if isinstance(fact, Rolled) and fact.source == "seed":
                shown = faces(record)[fact.purpose]
                assert self.met.setdefault((str(record.id), fact.purpose), shown) == shown
                self.drawn = True

    @rule(who=WHO, points=st.integers(0, 9))
    def purse(self, who, points):
        self.does("purse", True, lambda: self.ledger.declare(Purse(by=who, points=points), at=AT))
        self.points[who] = points

    @rule(who=WHO, again=st.booleans(), typed=FACES)
    def flip(self, who, again, typed):
        cost = 1 + again
        dice = self.open if typed is None else len(typed) >= cost and set(typed[:cost]) <= {1, 2}
        legal = dice and self.points.get(who, 0) >= cost
        if self.does("flip", legal, lambda: self.ledger.declare(Flip(by=who, again=again), at=AT, faces=typed)):
            self.points[who] -= cost

    @rule(who=WHO, claimed=st.integers(0, 9))
    def claim(self, who, claimed):
        said = Claim(by=who, values=((f"{who}.points", claimed),))
        record = self.does("claim", True, lambda: self.ledger.declare(said, at=AT))
        assert record.facts[1].actual == self.points.get(who)

    @rule(who=WHO)
    def say_something_that_cannot_be(self, who):
        self.does("purse", False, lambda: self.ledger.declare(Purse(by=who, points="many"), at=AT))

    @rule(who=WHO)
    def add_words(self, who):
        legal = self.open and not self.drawn and ("words", who) not in [kind for kind, _ in self.lines]
        said = AddWords(by=who, words="brass kettle")
        self.does(("words", who), legal, lambda: self.ledger.declare(said, at=AT))

    @rule()
    def undo(self):
        kind, before = self.lines[-1]
        legal = kind not in ("founded", "open", "close") and not (kind[0] == "words" and self.drawn)
        log = bytes_of(self.ledger.store)
        try:
            amendment = undo(self.ledger, by="gm", at=AT)
        except LedgerError:
            assert not legal
            assert bytes_of(self.ledger.store) == log
            return
        assert legal
        assert (amendment.session, amendment.number) == (self.session, self.next)
        self.next += 1
        self.lines.pop()
        self.points = before
        undone, _, _ = amendment.facts[1].entry.partition("@")
        self.void.add(int(undone.partition(".")[2]))

    @rule(seed=st.integers(0, 3))
    def open_session(self, seed):
        secret = None if seed == 0 else fixed_seed(f"seed {seed}")
        open_session = not self.open
        record = self.does("open", open_session, lambda: self.ledger.open_session("evening", at=AT, seed=secret))
        if record:
            self.session, self.open, self.drawn = self.session + 1, True, False
            self.next, self.void = 1, set()
            self.lines = self.lines[-1:]
            assert str(record.id) == f"{self.session}.0"

    @precondition(lambda self: self.open)
    @rule()
    def close_session(self):
        self.does("close", True, lambda: self.ledger.close_session(at=AT))
        self.open = False

    @precondition(lambda self: not self.open)
    @rule()
    def close_what_is_not_open(self):
        self.does("close", False, lambda: self.ledger.close_session(at=AT))

    @rule()
    def sit_down_at_another_table(self):
        self.ledger = new_ledger(self.ledger.store, seeds=self.ledger.seeds)

    @rule()
    def rebuild_the_snapshots(self):
        self.ledger.store.replace_snapshots(build_snapshots(self.ledger.store, Coins()), after=self.ledger.store.head())

    @rule()
    def throw_the_snapshots_away(self):
        self.ledger.store.replace_snapshots([], after=self.ledger.store.head())

    @invariant()
    def the_points_are_those_on_paper_and_never_negative(self):
        assert self.ledger.state.state.points == self.points
        assert min(self.points.values(), default=0) >= 0

    @invariant()
    def snapshot_and_tail_are_the_fold_from_zero(self):
        zero = initial_state(Coins())
        for record in latest_takes(self.ledger.store.takes()):
            zero.fold(record)
        zero.head = self.ledger.store.head()
        assert (
            packed_state(zero)
            == packed_state(load_state(self.ledger.store, Coins()))
            == packed_state(self.ledger.state)
        )

    @invariant()
    def replay_and_verify_find_nothing(self):
        report, findings = verify(self.ledger.store, Coin(), Coins())
        assert (report.differences, findings) == ([], [])
        assert quick_check(self.ledger.store, Coins())[1] == []


TestCoinsOnPaper = CoinsOnPaper.TestCase


def test_the_paper_would_notice_another_rule():
    machine = CoinsOnPaper()
    machine.begin(5)
    machine.ledger.game = Coin(heads=1)
    machine.flip("Ana", False, [1])
    with pytest.raises(AssertionError):
        machine.replay_and_verify_find_nothing()
    machine.teardown()
