"""What somebody may see of a ledger: the game master everything, the players nothing that is hidden from them.

Hidden are: entries that are not seen by the table; the numbers of beings that are not; results whose target is not; the
words and numbers of a line that says them. `Revealed` shows an entry or a being from then on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from typing import Any, Final

import msgspec

from cli.options import PLAYERS
from cli.queries.redaction import VISIBLE, Hidden, NumberedFacts, has_secrets, seen_facts, seen_line
from cli.queries.seen_state import secret_writes, seen_state
from ledger.builtin import BUILTIN
from ledger.facts import (
    Amended,
    EntryId,
    Fact,
    Joined,
    PointsLost,
    PointsRegained,
    PointsSpent,
    PoolSet,
    Wounded,
    parse_entry_id,
)
from ledger.ledger_state import LedgerState
from ledger.names import name_key
from ledger.records import Record, latest_takes
from ledger.store import Store
from projections.state import State
from rulebooks.common.game import Game

SECRET: Final = "secret"  # the reason of a change in a secret entry
VITAL: Final = (PoolSet, PointsSpent, PointsRegained, PointsLost, Wounded)


class View:
    """What the game master sees: everything. What the players see is the subclass."""

    def __init__(self, store: Store) -> None:
        self.store = store

    @property
    def hidden(self) -> Collection[str]:
        """The beings whose numbers are hidden."""
        return ()

    @property
    def has_secrets(self) -> bool:
        """Whether there are entries that are not seen."""
        return False

    def record(self, record: Record) -> Record | None:
        """Return a record as it is seen; None if it is secret."""
        return record

    def facts(self, record: Record) -> NumberedFacts:
        """Return the facts of a record as they are seen, with their numbers in the record."""
        return list(enumerate(record.facts, start=1))

    def changes(self, record: Record) -> tuple[Fact, ...]:
        """Return all facts of a record, as sums need them; without the reasons if it is secret."""
        return record.facts

    def hides(self, value: str) -> bool:
        """Return whether a value, as `thug.health`, is not seen."""
        return False

    def state(self, position: LedgerState[State]) -> LedgerState[State]:
        """Return the state as it is seen."""
        return position

    def records(self, records: Iterable[Record]) -> Iterator[Record]:
        """Yield the records that are seen, as they are seen."""
        for record in records:
            seen = self.record(record)
            if seen is not None:
                yield seen

    def latest(self, **bounds: Any) -> Iterator[Record]:
        """Yield the takes that count and are seen, as they are seen; the bounds are those of `Store.takes`."""
        yield from self.records(latest_takes(self.store.takes(**bounds)))


class PlayersView(View):
    """What the players see."""

    def __init__(self, store: Store, book: Game, *, as_of: int | None = None) -> None:
        super().__init__(store)
        lexicon = book.texts().lexicon
        self._vital, self._wording = lexicon.short.get(lexicon.vital, lexicon.vital), lexicon.wording
        self._kinds = {str(kind.__struct_config__.tag): kind for kind in (*book.declarations, *BUILTIN)}
        self._position = 0
        self._joined: set[str] = set()
        self._most: dict[str, int] = {}
        self._takes: dict[EntryId, int] = {}
        self._has_secrets = False
        for record in store.takes(as_of=as_of):
            self.add(record)

    def add(self, record: Record) -> None:
        """Learn what a record hides."""
        self._position = max(self._position, record.position)
        self._takes[record.id] = self._takes.get(record.id, 0) + 1
        self._has_secrets = self._has_secrets or record.seen != VISIBLE
        for fact in record.facts:
            if isinstance(fact, Joined) and fact.seen != VISIBLE:
                self._joined.add(fact.who)
            elif isinstance(fact, PoolSet) and fact.pool == self._vital and fact.most is not None:
                self._most[fact.who] = fact.most
        self.__dict__.pop("_hidden", None)

    @property
    def hidden(self) -> Collection[str]:
        """The beings whose numbers are hidden."""
        return self._hidden.beings

    @property
    def has_secrets(self) -> bool:
        """Whether there are entries that are not seen."""
        return self._has_secrets

    @cached_property
    def _hidden(self) -> Hidden:
        beings = frozenset(self._joined)
        return Hidden(
            beings=beings,
            keys=frozenset(map(name_key, beings)),
            most=self._most,
            vital=self._vital,
            kinds=self._kinds,
            wording=self._wording,
        )

    def is_secret(self, record: Record) -> bool:
        """Return whether an entry is not for the players: it is secret, or corrects one that is."""
        return record.seen != VISIBLE or any(take.seen != VISIBLE for take in self._corrected(record))

    def record(self, record: Record) -> Record | None:
        """Return a record as the players see it; None if it is secret."""
        if record.position > self._position:
            self.add(record)
        if self.is_secret(record):
            return None
        return msgspec.structs.replace(record, facts=tuple(fact for _, fact in self.facts(record)))

    def facts(self, record: Record) -> NumberedFacts:
        """Return the facts of a record that is not secret as the players see them."""
        hidden, id = self._hidden, record.id
        others = self.store.takes(after=id.before, upto=id) if self._takes.get(id, 0) > 1 else ()
        seen = seen_facts(record, hidden, secret=any(has_secrets(take, hidden) for take in others))
        if record.declared is not None and any(has_secrets(take, hidden) for take in self._corrected(record)):
            number, declared = seen[0]
            seen[0] = number, msgspec.structs.replace(declared, line=seen_line(record.line))
        return seen

    def changes(self, record: Record) -> tuple[Fact, ...]:
        """Return all facts of a record, as sums need them; without the reasons if it is secret."""
        if not self.is_secret(record):
            return record.facts
        return tuple(
            msgspec.structs.replace(fact, because=SECRET, rules=()) if hasattr(fact, "because") else fact
            for fact in record.facts
        )

    def hides(self, value: str) -> bool:
        """Return whether a value is a hidden being's."""
        return self._hidden.owns(value)

    def state(self, position: LedgerState[State]) -> LedgerState[State]:
        """Return the state as the players see it."""
        hidden, health = self._hidden, dict[str, EntryId]()
        for record in self._latest(position):
            for fact in record.facts:
                if isinstance(fact, VITAL) and getattr(fact, "pool", self._vital) == self._vital:
                    health[fact.who] = record.id
        written = secret_writes(self._latest(position), self.is_secret, hidden) if self._has_secrets else {}
        return seen_state(position, hidden, written, health)

    def _latest(self, position: LedgerState[State]) -> Iterator[Record]:
        """Yield the takes that count up to a state."""
        return latest_takes(self.store.takes(upto=position.last, as_of=position.position))

    def _corrected(self, record: Record) -> Iterator[Record]:
        """Yield all takes of the entries that a correction names."""
        for fact in record.facts:
            if isinstance(fact, Amended):
                id = parse_entry_id(fact.entry.partition("@")[0])
                yield from self.store.takes(after=id.before, upto=id)


def load_view(store: Store, book: Game, role: str, *, as_of: int | None = None) -> View:
    """Return what a role sees of a ledger, as of a position."""
    return PlayersView(store, book, as_of=as_of) if role == PLAYERS else View(store)
