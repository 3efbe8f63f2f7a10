"""A ledger in memory for the tests of any game: make a declaration, expect a refusal, check the replay."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, NamedTuple

import pytest

from ledger.declarations import Declaration
from ledger.dice import SeededDice, TypedDice, fixed_seed
from ledger.errors import Refused
from ledger.facts import GM, ConditionEnded, EntryId, Fact, Judged
from ledger.ledger_state import LedgerState, decide_and_fold, load_state
from ledger.memory_store import MemorySeeds, MemoryStore
from ledger.records import Head, Record
from ledger.replay import Replay
from ledger.service import Ledger
from ledger.session import SessionState
from projections.projection import StateProjection
from projections.state import State
from projections.values import NAMED
from rulebooks.common.game import Game
from rulebooks.testing.log_sentences import check_told
from rulebooks.testing.refusal_words import check_wording

POINTS = ("pools", "tokens")  # an entry of the sheet may say what a pool begins with, under the name of the pool
AT = "2026-01-01T20:00:00Z"


class RowStore(MemoryStore):
    """A store in memory that also keeps the rows of the read models, as the file does."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[str, dict[tuple[Any, ...], tuple[Any, ...]]] = {
            table.name: {} for table in StateProjection.read_models
        }

    def append(self, records: Any, *, changes: Any = (), **where: Any) -> Head:
        """Append records, then change the rows of the read models."""
        head = super().append(records, **where)
        for change in changes:
            rows = self.kept.setdefault(change.model.name, {})
            if change.row is None:
                rows.pop(change.key, None)
            else:
                rows[change.key] = change.row
        return head

    def copy(self) -> RowStore:
        """Return a store with the same records and rows."""
        other = RowStore()
        other._log, other._records, other._snapshots = self._log[:], self._records[:], self._snapshots[:]
        other.kept = {name: dict(rows) for name, rows in self.kept.items()}
        return other

    def check_rows(self, state: State) -> None:
        """Check that the rows written entry by entry are those of the whole state."""
        for table in StateProjection.read_models:
            kept = self.kept[table.name]
            assert [kept[key] for key in sorted(kept)] == list(table.rows(state)), table.name


class Beginning(NamedTuple):
    """What many tests begin with: a ledger in memory and its state."""

    store: RowStore
    seeds: MemorySeeds
    session: SessionState
    last: EntryId
    packed: bytes


BEGINNINGS: dict[tuple[str, str], Beginning] = {}


def check_names(state: State) -> None:
    """Check that no two parts of the state have a value of one name, but for points and what the sheet says of them."""
    parts: dict[str, str] = {}
    for part, named in NAMED.items():
        names = {name for key, item in state.parts[part].items() for name, _ in named(key, item)}
        for name in names:
            earlier = parts.setdefault(name, part)
            assert earlier == part or (earlier in POINTS and part == "sheets"), (name, earlier, part)


class TableSeat:
    """A ledger of one game in memory, with no sheets and no session yet."""

    def __init__(self, book: Game, prefix: str, check: Callable[[State], None], silent: Collection[str] = ()) -> None:
        """Make a ledger with nothing in it, for `begin`.

        `prefix` begins the game's codes; `check` asserts that a state keeps its bounds. The log says nothing of
        what is in `silent` (see check_told).
        """
        self.book, self.prefix, self.check, self.silent = book, prefix, check, silent
        self._use(RowStore(), MemorySeeds())

    def _use(self, store: RowStore, seeds: MemorySeeds) -> None:
        self.store, self.ledger = store, Ledger(store, self.book, StateProjection(), seeds)

    def begin(self, play: Callable[[], None], *given: Any) -> None:
        """Create the campaign and play the beginning of a test, or copy what was played with the same `given`."""
        key = (self.book.name, repr(given))
        if key not in BEGINNINGS:
            self.ledger.create("Tests", at=AT, ledger="0" * 32)
            play()
            store, seeds, state = self.store, self.ledger.seeds, self.ledger.state
            assert isinstance(seeds, MemorySeeds)
            assert not state.reusable_numbers
            BEGINNINGS[key] = Beginning(store.copy(), seeds.copy(), state.session, state.last, self._packed())
            return
        beginning = BEGINNINGS[key]
        self._use(beginning.store.copy(), beginning.seeds.copy())
        projection = self.ledger.projection
        state = LedgerState(projection, projection.unpack(beginning.packed), beginning.session, beginning.last)
        state.head = self.store.head()
        self.ledger._state = state

    def _packed(self) -> bytes:
        return self.ledger.projection.pack(self.state)

    @property
    def state(self) -> State:
        """The state of the game."""
        return self.ledger.state.state

    def points(self, who: str, pool: str) -> int:
        """Return the points that somebody has in a pool."""
        return self.state.points(who, pool)

    def add_facts(self, facts: tuple[Fact, ...]) -> None:
        """Append facts in a record without a declaration, which replay does not decide again."""
        if not facts:
            return
        state = self.ledger.state
        last, head = state.last, self.store.head()
        record = Record(
            position=head.position + 1,
            session=last.session,
            number=last.number + 1,
            insert=0,
            take=1,
            cause=None,
            request=None,
            by=GM,
            at=AT,
            seen="table",
            facts=facts,
        )
        for fact in facts:
            state.step(record.id, fact)
        changes = self.ledger.projection.row_changes(self.state)
        state.head = self.store.append([record], after=head, changes=changes)
        self.ledger._advance(record, None)

    def say(self, said: Declaration, *faces: Any, seen: str = "table") -> Record:
        """Declare, with these faces on the table; check the bounds of the state, and that the log says all of it."""
        record = self.ledger.declare(said, at=AT, faces=faces or None, seen=seen)
        self.check(self.state)
        check_names(self.state)
        check_told(record, self.book, self.silent)
        assert [fact for fact in record.facts if isinstance(fact, ConditionEnded) and not fact.rules] == []
        return record

    def refusal(self, said: Declaration, *faces: Any) -> Refused:
        """Return the refusal of a declaration; check that nothing changed and no die was used."""
        refusal = self.refusal_of_dice(said, *faces)
        assert refusal.code.endswith("-DICE") or not self._faces_used(said, faces)
        return refusal

    def refusal_of_dice(self, said: Declaration, *faces: Any) -> Refused:
        """Return the refusal of a declaration for its dice; check that nothing changed."""
        before = self.snapshot()
        with pytest.raises(Refused) as raised:
            self.ledger.declare(said, at=AT, faces=faces or None)
        refusal = raised.value
        assert self.snapshot() == before
        check_wording(refusal, said, self.state, self.book)
        assert set(refusal.rules) <= self.book.texts().rules.keys()
        return refusal

    def code(self, said: Declaration, *faces: Any) -> str:
        """Return the code of the refusal, without the game's prefix."""
        return self.refusal(said, *faces).code.removeprefix(self.prefix)

    def snapshot(self) -> tuple[bytes, int, str, dict[Any, Any]]:
        """Return everything that a refusal must leave unchanged."""
        head, state = self.store.head(), self.ledger.state
        return self._packed(), head.position, head.hash, dict(state.reusable_numbers)

    def _faces_used(self, said: Declaration, faces: tuple[Any, ...]) -> tuple[int, ...]:
        """Return the faces that a refused declaration asked for, when more than enough are there."""
        state = self.ledger.state
        dice = TypedDice(faces) if faces else EnoughDice((7, 6) * 8)
        with pytest.raises(Refused):
            decide_and_fold(self.book, state, said, dice, EntryId(state.last.session, state.last.number + 1))
        return dice.used_faces

    def check_faces_decide_no_refusal(self, said: Declaration) -> None:
        """Check that a line is refused with the same code and text whatever the drawn faces are, or is taken.

        A refusal comes before the first die.
        """
        state = self.ledger.state
        entry, outcomes = EntryId(state.last.session, state.last.number + 1), set[tuple[str, str]]()
        late: list[str] = []
        for seed in ("one", "two", "three", "four"):
            mark, dice = state.mark(), WatchedDice(fixed_seed(seed), state.next_throw)
            try:
                decide_and_fold(self.book, state, said, dice, entry)
            except Refused as refused:
                check_wording(refused, said, self.state, self.book)
                outcomes.add((refused.code, str(refused)))
                late += dice.drawn
            else:
                outcomes.add(("taken", ""))
                state.roll_back(mark)
        assert len(outcomes) == 1, (said, outcomes)
        assert not late, (said, outcomes, late)

    def check_left_over_faces_are_refused(self, said: Declaration) -> None:
        """Check that a line is not taken with more typed faces than it has dice, unless its roll is not made."""
        state, dice = self.ledger.state, EnoughDice((1,) * 100)
        mark, entry = state.mark(), EntryId(state.last.session, state.last.number + 1)
        try:
            facts = decide_and_fold(self.book, state, said, dice, entry)
        except Refused:
            return
        state.roll_back(mark)
        assert any(map(self.book.rulebook.drops_faces, facts)), said

    def check_replay(self) -> None:
        """Check that replay finds no difference, and that the store folds to the state and rows in use."""
        report = Replay(self.store, self.book, StateProjection()).run()
        assert not report.differences, [str(difference) for difference in report.differences]
        state = self.ledger.state
        loaded = load_state(self.store, StateProjection())
        assert loaded.projection.pack(loaded.state) == state.projection.pack(state.state)
        self.store.check_rows(state.state)

    def check_closing(self) -> None:
        """Close the session, then check its bounds and its replay."""
        self.ledger.close_session(at=AT)
        self.check(self.state)
        check_names(self.state)
        self.check_replay()


class WatchedDice(SeededDice):
    """Dice of a seed, and the purposes for which they were drawn."""

    def __init__(self, key: bytes, next_throw: Callable[[str], int]) -> None:
        super().__init__(key, next_throw)
        self.drawn: list[str] = []

    def throw(self, purpose: str, *sides: int) -> tuple[int, ...]:
        """Throw dice, and keep for what."""
        self.drawn.append(purpose)
        return super().throw(purpose, *sides)


class EnoughDice(TypedDice):
    """Typed faces for whatever is thrown, without the check of how many there are."""

    def expect(self, *sides: int) -> None:
        """Do nothing."""


def cited(facts: Any) -> set[str]:
    """Return all rules that these facts cite, the steps of their sums included."""
    rules: set[str] = set()
    for fact in facts:
        rules.update(fact.rules)
        if isinstance(fact, Judged):
            rules.update(step.rule for added in fact.sums for step in added.steps)
    return rules


def of_kind(record: Record, kind: type[Any]) -> list[Any]:
    """Return the facts of a kind in a record."""
    return [fact for fact in record.facts if isinstance(fact, kind)]
