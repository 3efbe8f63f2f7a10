"""A seat at a table in memory, for any book: what is said there, what is refused, and that nothing else happens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ledger.declarations import Declaration
from ledger.dice import TypedDice
from ledger.errors import Refused
from ledger.facts import EntryId, Judged
from ledger.position import decide_and_fold, load_state
from ledger.records import Head, Record
from ledger.replay import Replay
from ledger.seeds import MemorySeeds
from ledger.service import Ledger
from ledger.store import MemoryStore
from projections.projection import StateProjection
from projections.state import State
from rulebooks.common.game import Game

AT = "2026-01-01T20:00:00Z"


class ReadableStore(MemoryStore):
    """A store in memory that also keeps the rows of the read tables, as the file does."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[str, dict[tuple[Any, ...], tuple[Any, ...]]] = {
            table.name: {} for table in StateProjection.read_models
        }

    def append(self, records: Any, *, changes: Any = (), **where: Any) -> Head:
        """Add all records, then the rows that they come to."""
        head = super().append(records, **where)
        for change in changes:
            if change.row is None:
                self.kept[change.model.name].pop(change.key, None)
            else:
                self.kept[change.model.name][change.key] = change.row
        return head

    def filled(self, state: State) -> None:
        """As if the state had come about entry by entry."""
        for table in StateProjection.read_models:
            self.kept[table.name] = {row[: len(table.key)]: row for row in table.rows(state)}

    def check_rows(self, state: State) -> None:
        """The rows that were written bit by bit are those of the whole state."""
        for table in StateProjection.read_models:
            kept = self.kept[table.name]
            assert [kept[key] for key in sorted(kept)] == list(table.rows(state)), table.name


class TableSeat:
    """A table of a book, with nobody at it yet and no session open."""

    def __init__(self, book: Game, prefix: str, check: Callable[[State], None]) -> None:
        """`prefix` begins the book's codes; `check` sees to it that a state keeps its bounds."""
        self.book, self.prefix, self.check = book, prefix, check
        self.store = ReadableStore()
        self.table = Ledger(self.store, book, StateProjection(), MemorySeeds())
        self.table.create("Tests", at=AT, ledger="0" * 32)

    @property
    def state(self) -> State:
        return self.table.state.state

    def say(self, said: Declaration, *faces: Any) -> Record:
        """Declare, with the faces on the table. Sees to it that the state keeps its bounds."""
        record = self.table.declare(said, at=AT, faces=faces or None)
        self.check(self.state)
        return record

    def refused(self, said: Declaration, *faces: Any) -> Refused:
        """The refusal. Sees to it that nothing changed and no die was looked at."""
        refusal = self.refused_late(said, *faces)
        assert not self._used(said, faces)
        return refusal

    def refused_late(self, said: Declaration, *faces: Any) -> Refused:
        """The refusal, also of what is refused for its very dice. Sees to it that nothing changed."""
        before = self.trace()
        with pytest.raises(Refused) as raised:
            self.table.declare(said, at=AT, faces=faces or None)
        refusal = raised.value
        assert self.trace() == before
        assert "{" not in str(refusal)
        assert refusal.hint
        assert set(refusal.rules) <= self.book.texts().rules.keys()
        return refusal

    def code(self, said: Declaration, *faces: Any) -> str:
        """The code of the refusal, without the book's prefix."""
        return self.refused(said, *faces).code.removeprefix(self.prefix)

    def trace(self) -> tuple[bytes, int, str, dict[str, Any]]:
        """Everything that a refusal must leave as it was."""
        head, place = self.store.head(), self.table.state
        return place.projection.pack(place.state), head.position, head.hash, dict(place.reusable_numbers)

    def _used(self, said: Declaration, faces: tuple[Any, ...]) -> tuple[int, ...]:
        """The faces that the refused declaration had asked for: more than enough lie there, so none is missing."""
        place = self.table.state
        dice = TypedDice(faces) if faces else Enough((7, 6) * 8)
        with pytest.raises(Refused):
            decide_and_fold(self.book, place, said, dice, EntryId(place.last.session, place.last.number + 1))
        return dice.used_faces

    def replayed(self) -> None:
        """Replay finds no difference, and the fold of the store is the state at the table."""
        report = Replay(self.store, self.book, StateProjection()).run()
        assert not report.differences, [str(found) for found in report.differences]
        place = self.table.state
        again = load_state(self.store, StateProjection())
        assert again.projection.pack(again.state) == place.projection.pack(place.state)


class Enough(TypedDice):
    """Faces for whatever is thrown, without the check of how many there are."""

    def expect(self, *sides: int) -> None: ...


def cited(facts: Any) -> set[str]:
    """All rules that these facts cite, the steps of their sums included."""
    found: set[str] = set()
    for fact in facts:
        found.update(fact.rules)
        if isinstance(fact, Judged):
            found.update(step.rule for added in fact.sums for step in added.steps)
    return found


def of_kind(record: Record, kind: type[Any]) -> list[Any]:
    return [fact for fact in record.facts if isinstance(fact, kind)]
