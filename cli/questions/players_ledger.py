"""The ledger as the players see it: the reading half of a store that knows what is hidden from them.

Hidden are: entries that are not seen by the table; the numbers of beings that are not; results whose target is not; the
words and numbers of a line that says them. `Revealed` shows an entry or a being from then on.

A fact that is hidden is `Withheld` in its place, so that the others keep their numbers. Of a secret entry everything
is, but numbers of the players that it changed. The players' state is the fold of what they see, so that:

- it has no conditions with which the game keeps its books, and nothing that it notes of a window;
- a word says how a hidden being is, from its joining on (`redaction.health_facts`);
- what a secret entry did to anything but the players' numbers is unknown until somebody states it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Final, Unpack

import msgspec

from cli.questions.roles import PLAYERS
from ledger import facts
from ledger.declarations import Declaration
from ledger.extracts import Extract, ExtractLimits, Kinds
from ledger.ledger_state import initial_state, unpack_state
from ledger.players_copy import PlayersCopy
from ledger.records import ENCODER, Head, Record, shown_records
from ledger.redaction import fact_redaction, seen_records
from ledger.redaction.known_secrets import TELLING, KnownSecrets
from ledger.redaction.line_redaction import says_hidden
from ledger.redaction.open_windows import OpenWindows
from ledger.session import SESSION_FACTS
from ledger.store import ReadableStore, Snapshot
from projections.projection import FOLDS, StateProjection
from rulebooks.common.game import Game


class Said(msgspec.Struct, frozen=True, tag_field="fact", tag="declared", gc=False):
    """A declaration without what it says: every take with facts has one."""


FOLDED: Final[Kinds] = frozenset[Any]({*FOLDS, *SESSION_FACTS, facts.Amended, Said}) - {facts.Rolled, facts.Withheld}
SEEN_MOST: Final = 2000  # records that are kept as they are seen
replace = msgspec.structs.replace


class LogKnowledge(KnownSecrets):
    """What is known of the secrets of a ledger up to a position, read of the ledger itself."""

    def __init__(self, store: ReadableStore, book: Game, position: int) -> None:
        super().__init__(book)
        self.store, self.position = store, position
        self.windows = OpenWindows(store, StateProjection(), position)
        self._retaken = dict[int, Collection[facts.EntryId]]()  # by session, the entries with several takes

    def opening(self, window: str, entry: facts.EntryId) -> facts.EntryId | None:
        """Return the entry that opened a window which is open before an entry; None if it is not open there."""
        return self.windows.opening(window, entry)

    def has_secret_take(self, entry: facts.EntryId) -> bool:
        """Return whether a take of an entry is secret."""
        return entry in self.entries

    def takes(self, entry: facts.EntryId) -> Iterator[Record]:
        """Return all takes of an entry."""
        return self.store.takes(after=entry.before, upto=entry)

    def is_retaken(self, record: Record | Extract) -> bool:
        """Return whether the entry of a record has other takes."""
        session = record.session
        if session not in self._retaken:
            self._retaken[session] = self.store.last_takes(session=session, as_of=self.position).keys()
        return record.id in self._retaken[session]


class PlayersLedger:
    """A `ReadableStore` of what the players see of another."""

    def __init__(self, store: ReadableStore, book: Game, *, as_of: int | None = None) -> None:
        self.store = store
        self._book, self._as_of = book, as_of
        self.generation = 0  # how often older records came to be seen otherwise
        self._load()

    def read_from(self, store: ReadableStore) -> None:
        """Read from another connection to the same ledger from now on."""
        self.store = self._known.store = self._known.windows.store = store

    # What a store is asked

    def head(self) -> Head:
        """Return the last position and its hash. What was appended since the last time is taken in first."""
        head = self.store.head()
        if self._as_of is None and head.position > self._position:
            self.follow(list(self.store.records(after=self._position)))
        return head

    def records(self, *, after: int = 0) -> Iterator[Record]:
        """Yield the log in order of writing, after a position, as the players see it."""
        return map(self.seen, self.store.records(after=after))

    def takes(
        self, *, after: facts.EntryId | None = None, upto: facts.EntryId | None = None, as_of: int | None = None
    ) -> Iterator[Record]:
        """Yield takes in order of id, then of writing, as the players see them."""
        return map(self.seen, self.store.takes(after=after, upto=upto, as_of=as_of))

    def entry_ids(self, *, after: int = 0) -> Iterator[tuple[int, facts.EntryId]]:
        """Yield the position and the entry of each take, in order of writing, after a position."""
        return self.store.entry_ids(after=after)

    def extracts(self, kinds: Kinds, **limits: Unpack[ExtractLimits]) -> Iterator[Extract]:
        """Yield takes in which the players see something, in order of writing, with all facts that they see."""
        for take in self.store.extracts(kinds, **(limits | {"whole": True})):
            take.facts = seen_records.seen_facts(whole_record(take), self._known)
            if any(fact is not facts.WITHHELD for fact in take.facts):
                yield take

    def ends(self, session: int, *, as_of: int | None = None) -> tuple[Record, ...]:
        """Return the first and the last take of a session that count and have facts, as the players see them."""
        return tuple(map(self.seen, self.store.ends(session, as_of=as_of)))

    def last_takes(self, *, session: int | None = None, as_of: int | None = None) -> dict[facts.EntryId, int]:
        """Return the entries, of a session or of all, with more than one take, each with the position of its last."""
        return self.store.last_takes(session=session, as_of=as_of)

    def session_sizes(self) -> dict[int, int]:
        """Return the number of takes of each session, in order of sessions."""
        return self.store.session_sizes()

    def latest_snapshot(self, *, upto: facts.EntryId | None = None, as_of: int | None = None) -> Snapshot | None:
        """Return the state that the players see at the start of a session. It is made when it is asked for."""
        position = self._position if as_of is None else as_of
        session = max(self.session_sizes(), default=0) if upto is None else upto.session
        if session > 0 and (position, session) not in self._starts:
            self._starts[position, session] = self._make_snapshot(session, position)
        return self._starts.get((position, session))

    def _make_snapshot(self, session: int, position: int) -> Snapshot:
        """Fold what the players see of all sessions before one, from the nearest snapshot on."""
        start = max((number for at, number in self._starts if at == position and number < session), default=0)
        nearest = self._starts.get((position, start))
        projection = StateProjection()
        state = unpack_state(nearest.body, projection, nearest.entry) if nearest else initial_state(projection)
        for number in self.session_sizes():
            if start <= number < session:
                takes = self.store.extracts(FOLDED, session=number, as_of=position)
                for take in sorted((take for take in takes if take.counts), key=lambda take: take.id):
                    take.facts = self._folded(take)
                    state.fold(take)
        return state.to_snapshot(state.last, position)

    def _folded(self, take: Extract) -> tuple[Any, ...]:
        """Return the facts of a take that are folded, as the players see them."""
        take.facts = tuple(fact for fact in take.facts if isinstance(fact, facts.BaseFact))
        if seen_records.is_secret(take, self._known):
            return tuple(fact_redaction.secret_facts(take.facts, self._known.hidden))
        return tuple(fact_redaction.folded_facts(take.facts, self._known.before(take)))

    # What is hidden

    def _load(self) -> None:
        """Learn from the facts that say so what is hidden."""
        self.generation += 1
        self._seen: dict[int, tuple[Record, Record]] = {}  # by position: pages ask for a record many times
        self._position = self.store.head().position if self._as_of is None else self._as_of
        self._last: facts.EntryId | None = None  # the last entry, once it was asked for
        self._known = LogKnowledge(self.store, self._book, self._position)
        self._starts = dict[tuple[int, int], Snapshot]()  # by position and session
        extracts = self.store.extracts(TELLING, as_of=self._position, secret=True)
        takes = sorted(extracts, key=lambda take: (take.session, take.number, take.insert))
        self._known.add(takes, [take for take in takes if take.counts])

    def follow(self, records: Sequence[Record]) -> bool:
        """Take in records that were appended. Returns whether all entries before the oldest are seen as before."""
        known = self._known.knowledge
        ids = [self._last_entry(), *(record.id for record in records)]
        if all(one < other for one, other in pairwise(ids)):
            self._last, before = ids[-1], self._position
            self._position = max(before, *(record.position for record in records))
            starts = ((number, each) for (at, number), each in self._starts.items() if at == before)
            self._starts = {(self._position, number): each for number, each in starts}
            self._known.windows.follow(records)
            self._known.position = self._position
            self._known.add(records, records)
        else:
            self._load()
        if self._known.knowledge == known:
            return True
        self.generation += 1
        self._seen.clear()
        self._starts.clear()
        return False

    def _last_entry(self) -> facts.EntryId:
        """Return the last entry that is known."""
        if self._last is None:
            start = facts.EntryId(max(self.store.session_sizes(), default=0), -1)
            self._last = max((take.id for take in self.store.takes(after=start, as_of=self._position)), default=start)
        return self._last

    @property
    def hidden(self) -> Collection[str]:
        """The beings whose numbers are hidden."""
        return self._known.hidden.beings

    @property
    def has_secrets(self) -> bool:
        """Whether there are entries that are not seen."""
        return bool(self._known.entries)

    def seen(self, record: Record) -> Record:
        """Return a record as the players see it."""
        if record.position > self._position:
            self.head()
        known = self._seen.get(record.position)
        if known is None or known[0] != record:
            if len(self._seen) >= SEEN_MOST:
                self._seen.clear()
            known = self._seen[record.position] = record, seen_records.seen_record(record, self._known)
        return known[1]

    def has_secrets_in(self, record: Record) -> bool:
        """Return whether a record of the whole ledger is secret, or something in it is hidden."""
        return seen_records.is_secret(record, self._known) or seen_records.has_hidden(record, self._known)

    def is_redacted(self, record: Record) -> bool:
        """Return whether something in a record that was read here is hidden."""
        whole, seen = self._seen.get(record.position, (None, record))
        return whole is not seen

    def blank_sums(self, record: Record) -> Collection[int]:
        """Return the numbers of those results of a record, as it is seen, whose arithmetic is hidden."""
        whole, _ = self._seen.get(record.position, (record, record))
        pairs = enumerate(zip(whole.facts, record.facts, strict=False), start=1)
        return [
            number
            for number, (fact, seen) in pairs
            if isinstance(fact, facts.Judged) and isinstance(seen, facts.Judged) and fact.sums and not seen.sums
        ]

    def names_hidden(self, said: Declaration) -> bool:
        """Return whether a declaration says that its numbers are secret, or names a hidden being or its value."""
        return says_hidden(msgspec.json.decode(ENCODER.encode(said)), self._known.hidden)

    def hides(self, value: str) -> bool:
        """Return whether a value is a hidden being's."""
        return self._known.hidden.owns(value)


def whole_record(take: Extract) -> Record:
    """Return a take with all of its facts as a record."""
    fields = {name: getattr(take, name) for name in Record.__struct_fields__ if name != "request"}
    return Record(**fields, request=None)


def store_for(store: ReadableStore, book: Game, role: str, *, as_of: int | None = None) -> ReadableStore:
    """Return what a role sees of a ledger, as of a position. Everybody sees all that is in a players' bundle."""
    if role == PLAYERS and not isinstance(store, PlayersCopy):
        return PlayersLedger(store, book, as_of=as_of)
    return store


def hidden_beings(store: ReadableStore) -> Collection[str]:
    """Return the beings whose numbers are hidden from who reads a store."""
    return store.hidden if isinstance(store, PlayersLedger) else ()


def printed_records(store: ReadableStore, records: Iterable[Record]) -> Iterator[Record]:
    """Yield records of the whole ledger as they are printed for who reads a store."""
    return shown_records(map(store.seen, records) if isinstance(store, PlayersLedger) else records)
