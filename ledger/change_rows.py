"""The read model `changes`: one row for every change of every value, with the entry, the fact and the rule behind it.

The rows of a take say what it changed when it was last folded: for a take that counts, in the history as it is now;
for a superseded one, in the history as it was. So a correction also writes the rows of later entries again whose
values now change from another number; their facts may be the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Generic

from ledger.acts import acts_of
from ledger.errors import stored_errors
from ledger.facts import BaseFact, EntryId, tag
from ledger.ledger_state import LedgerState, history_with, snapshot_before
from ledger.projection import ChangedValue, ColumnType, Projection, ReadModel, Row, RowChange, S
from ledger.records import Record
from ledger.store import Store

if TYPE_CHECKING:
    from ledger.writing_order import WritingOrder

SESSION, NUMBER = 10**10, 10**4  # the factors of a moment
KEY: Final = ("position", "fact", "value")
COLUMNS: Final[dict[str, ColumnType]] = {
    "position": "INTEGER",
    "fact": "INTEGER",
    "value": "TEXT",
    "entry": "TEXT",
    "moment": "INTEGER",
    "session": "INTEGER",
    "take": "INTEGER",
    "counts": "INTEGER",
    "at": "TEXT",
    "who": "TEXT",
    "what": "TEXT",
    "before": "ANY",
    "after": "ANY",
    "change": "INTEGER",
    "actor": "TEXT",
    "kind": "TEXT",
    "cause": "TEXT",
    "rule": "TEXT",
}


def moment(entry: EntryId) -> int:
    """Return a number that sorts as the entries do in history."""
    return entry.session * SESSION + entry.number * NUMBER + entry.insert


def entry_at(moment: int) -> EntryId:
    """Return the entry of a moment."""
    session, rest = divmod(moment, SESSION)
    return EntryId(session, *divmod(rest, NUMBER))


def change_rows(records: Iterable[Record], changes: Iterable[ChangedValue], counts: int = 1) -> Iterator[Row]:
    """Yield the row of each change that these records made."""
    facts = ((record, number, fact) for record in records for number, fact in enumerate(record.facts, start=1))
    fact: BaseFact | None = None
    entry: Record | None = None
    head: Row = ()
    for change in changes:
        if change.fact is not fact:
            record, number, fact = next(each for each in facts if each[2] is change.fact)
            if record is not entry:
                entry = record
                head = (str(record.id), moment(record.id), record.session, record.take, counts, record.at)
        values = (change.who, change.what, change.before, change.after, _difference(change))
        cause = (getattr(fact, "by", "") or record.by, tag(type(fact)), getattr(fact, "because", ""))
        yield (record.position, number, change.name, *head, *values, *cause, fact.rules[0] if fact.rules else "")


def _difference(change: ChangedValue) -> int | None:
    """Return by how much a number changed; no value counts as 0. None for text."""
    before, after = change.before or 0, change.after or 0
    return after - before if isinstance(before, int) and isinstance(after, int) else None


def row_changes(records: Sequence[Record], changes: Iterable[ChangedValue]) -> list[RowChange]:
    """Return the rows to write with records that are appended behind all others."""
    return [RowChange(CHANGES, row[: len(KEY)], row) for row in change_rows(records, changes)]


def state_and_changes_after(
    store: Store, projection: Projection[S], takes: Sequence[Record]
) -> tuple[LedgerState[S], list[RowChange], dict[int, Mapping[str, EntryId]]]:
    """Return the state that the ledger will have once these takes are appended, and the rows that differ then.

    With them by position, for each of these takes that counts: the windows that are open before its entry.
    """
    position, new = takes[0].position - 1, {take.position for take in takes}
    before, after = snapshot_before(store, projection, takes), snapshot_before(store, projection, takes)
    old = [*history_with(store, (), after=before.last, as_of=position)]
    now = [*history_with(store, takes, after=after.last, as_of=position)]
    stored = {row[: len(KEY)]: row for record in old for row in change_rows([record], before.fold_changes(record))}
    wanted, openings = dict[Row, Row](), dict[int, Mapping[str, EntryId]]()
    for record in now:
        if record.position in new:
            openings[record.position] = projection.openings(after.state)
        wanted |= {row[: len(KEY)]: row for row in change_rows([record], after.fold_changes(record))}
    kept = {record.position for record in now} - new
    gone = [RowChange(CHANGES, key, None) for key in stored if key[0] in kept and key not in wanted]
    changed = [RowChange(CHANGES, key, row) for key, row in wanted.items() if stored.get(key) != row]
    return after, gone + changed, openings


class History(Generic[S]):
    """A ledger folded in the order of writing: each correction takes back what it changes and folds it again.

    The entries that a later correction reaches are kept, and no others.
    """

    def __init__(self, projection: Projection[S], takes: Iterable[Record], order: WritingOrder) -> None:
        """`takes` stand in the order of writing; `order` knows which of them reach back."""
        self.projection, self.state = projection, projection.empty()
        self.takes, self.order = takes, order
        self._rows: dict[int, list[Row]] = {}  # by position
        self._folded: list[tuple[Record, int]] = []  # in order of entries, with the mark before each

    def rows(self) -> Iterator[Row]:
        """Yield the rows of all takes, sorted by their key."""
        for act in acts_of(self.takes):
            self._fold(act)
            reached = self.order.reach.after(act[-1].position)
            if reached is None or reached > self._folded[-1][0].id:
                self.projection.commit(self.state)
                self._folded.clear()
                for position in sorted(self._rows):
                    yield from sorted(self._rows.pop(position))

    def _fold(self, takes: Sequence[Record]) -> None:
        """Take back the entries from the oldest of these takes on, and fold them with these takes."""
        entries, oldest = {take.id: take for take in takes}, min(take.id for take in takes)
        while self._folded and self._folded[-1][0].id >= oldest:
            record, mark = self._folded.pop()
            self.projection.roll_back(self.state, mark)
            entries.setdefault(record.id, record)
        for entry, record in sorted(entries.items()):
            self._folded.append((record, self.projection.mark(self.state)))
            with stored_errors(f"entry {entry}"):
                for fact in record.facts:
                    self.projection.step(self.state, entry, fact)
                changes = self.projection.value_changes(self.state)
            counts = int(record.position not in self.order.superseded)
            self._rows[record.position] = [*change_rows([record], changes, counts)]


LINKS: Final = {"position": "entries (position)", "who": "characters (name)"}
CHANGES: Final[ReadModel[History[Any]]] = ReadModel(
    name="changes", key=KEY, columns=COLUMNS, rows=History.rows, links=LINKS, index=("value", "counts", "moment")
)
