"""The protocol of a projection (facts in, state out), and the read models of a state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, Literal, Protocol, TypeVar

import msgspec

from ledger.facts import BaseFact, EntryId, Fact, Scalar

S = TypeVar("S")
Value = Scalar
Row = tuple[Scalar | None, ...]
ColumnType = Literal["TEXT", "INTEGER", "ANY"]


class ReadModel(msgspec.Struct, Generic[S], frozen=True, kw_only=True, eq=False):
    """A SQL table for readers, computed from the state and stored beside the records.

    The first columns are its `key`. `rows` are sorted by it, and no two rows have the same key. `index` are columns by
    which rows are found too; a table without its index is read slowly, and is right.
    """

    name: str
    columns: Mapping[str, ColumnType]
    key: tuple[str, ...]
    rows: Callable[[S], Iterable[Row]]
    links: Mapping[str, str] = {}  # foreign keys: a column, and the table with its key, as in `entries (position)`
    index: tuple[str, ...] = ()


class RowChange(msgspec.Struct, frozen=True, eq=False):
    """A row of a read model that changed: the row as it is now, or None if it was deleted."""

    model: ReadModel[Any]
    key: Row
    row: Row | None


class ChangedValue(msgspec.Struct, frozen=True, kw_only=True, eq=False, gc=False):
    """A value before and after a fact; None: there is no such value.

    `name` is the whole name (`talos.might`), `who` its owner (Talos; None for a value of the campaign), `what` the
    rest of the name (`might`).
    """

    fact: BaseFact
    name: str
    who: str | None
    what: str
    before: Value | None
    after: Value | None


class Projection(Protocol[S]):
    """Folds facts into a state, with arithmetic only. Implemented in `projections/`."""

    def empty(self) -> S:
        """Return the state before the first fact."""

    def step(self, state: S, entry: EntryId, fact: Fact) -> None:
        """Fold one fact. Raises OutOfBalance when its numbers differ from the sums in the state."""

    def fold(self, state: S, entry: EntryId, facts: Iterable[Fact]) -> None:
        """Fold the facts of an entry, one after the other."""

    def mark(self, state: S) -> int:
        """Return a point to roll back to."""

    def roll_back(self, state: S, mark: int) -> None:
        """Undo every step since `mark`."""

    def commit(self, state: S) -> None:
        """Make all steps so far permanent: they can no longer be rolled back."""

    def pack(self, state: S) -> bytes:
        """Return the state as canonical JSON: equal states give equal bytes."""

    def unpack(self, body: bytes) -> S:
        """Return the state that was packed into `body`."""

    def values(self, state: S) -> Mapping[str, Value]:
        """Return every named value: `talos.might` -> 7."""

    def openings(self, state: S) -> Mapping[str, EntryId]:
        """Return the open windows, each with the entry that opened it."""

    def hidden_beings(self, state: S) -> frozenset[str]:
        """Return the beings whose numbers the players do not see."""

    @property
    def read_models(self) -> tuple[ReadModel[S], ...]:
        """The read models of a state."""

    def value_changes(self, state: S) -> Iterable[ChangedValue]:
        """Return the values that changed since they were last asked for, or since the last commit, fact by fact."""

    def row_changes(self, state: S) -> Iterable[RowChange]:
        """Return the rows that changed since the last commit."""
