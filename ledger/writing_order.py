"""The takes of a ledger in order of writing, read again for each check, so that no check holds all of them.

Held in memory is only what corrections touch: they themselves, the takes that they caused, the takes of entries that
have several, and how far back each of them reaches.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from itertools import accumulate
from typing import Any, Final, Self

from ledger.errors import Unreadable
from ledger.facts import Amended, BaseFact, EntryId, SessionClosed, parse_entry_id
from ledger.implied_passes import place_before
from ledger.ledger_state import BEFORE_FIRST
from ledger.records import BY_POSITION, DECODER, ENCODER, Record
from ledger.redecide import RevealedSeed, corrected_entry, revealed_seeds
from ledger.store import Store

NEVER: Final = 1 << 60  # a position or session behind all others
LOOKED_AT: Final[frozenset[type[BaseFact]]] = frozenset({Amended, SessionClosed})
Ids = Iterable[tuple[int, EntryId]]  # position and entry of takes, in order of writing


class Reach:
    """How far back in history later takes reach."""

    def __init__(self, pairs: Ids) -> None:
        """`pairs` are positions with the oldest entry that the take there needs, in order of positions."""
        kept = list(pairs)
        self._positions = [position for position, _ in kept]
        self._oldest = [*accumulate((id for _, id in reversed(kept)), min)][::-1]

    def after(self, position: int) -> EntryId | None:
        """Return the oldest entry that a take behind this position needs; None if none reaches back."""
        index = bisect_right(self._positions, position)
        return self._oldest[index] if index < len(self._oldest) else None


class WritingOrder:
    """The takes that were written after later entries: the entries that they replace, and how far back they reach."""

    def __init__(self, ids: Callable[[], Ids], last: EntryId = BEFORE_FIRST) -> None:
        """`ids` is called again for `superseded`; `last` is the last entry that was written before these."""
        self._ids = ids
        self.back, self.oldest = list[tuple[int, EntryId]](), EntryId(NEVER, 0)
        written: dict[int, list[int]] = {}  # the first and the last position of each session
        for position, id in ids():
            if id > last:
                last = id
            else:
                self.back.append((position, id))
            if id < self.oldest:
                self.oldest = id
            written.setdefault(id.session, [position, position])[1] = position
        self._evenings = dict(_evenings(written))
        self.replaced = frozenset(id for _, id in self.back)
        self.reach = Reach(self.back)

    @cached_property
    def superseded(self) -> frozenset[int]:
        """The positions of the takes that are not the last ones of their entries."""
        return frozenset(self._superseded(self._ids()) if self.replaced else ())

    def is_of_its_evening(self, take: Record) -> bool:
        """Return whether a take was written behind all takes of earlier sessions, and before those of later ones."""
        earlier, later = self._evenings[take.session]
        return earlier < take.position < later

    def _superseded(self, ids: Ids) -> Iterator[int]:
        """Yield the positions of the takes that are not the last ones of their entries."""
        last: dict[EntryId, int] = {}
        for position, id in ids:
            if id in self.replaced:
                if id in last:
                    yield last[id]
                last[id] = position


class Log:
    """A ledger in order of writing, with its corrections, which are looked for when they are first asked for."""

    def __init__(
        self, takes: Callable[[], Iterable[Record]], ids: Callable[[], Ids], last: EntryId = BEFORE_FIRST
    ) -> None:
        """`takes` and `ids` read the ledger whenever they are called, behind `last` if that is not its beginning."""
        self._takes, self._ids, self._last = takes, ids, last

    @classmethod
    def of(cls, store: Store) -> Self:
        """Return the log of a store."""
        return cls(store.records, store.entry_ids)

    @classmethod
    def of_takes(cls, takes: Iterable[Record]) -> Self:
        """Return the log of some takes."""
        kept = sorted(takes, key=BY_POSITION)
        return cls(partial(iter, kept), partial(ids_of, kept))

    def __iter__(self) -> Iterator[Record]:
        return iter(self._takes())

    @cached_property
    def order(self) -> WritingOrder:
        """The takes that were written after later entries."""
        return WritingOrder(self._ids, self._last)

    @cached_property
    def touched(self) -> Touched:
        """What corrections touch."""
        touched = Touched(self.order)
        deque(touched.watch(self), maxlen=0)
        return touched

    def touch(self, takes: Iterable[Record]) -> Iterator[Record]:
        """Find what corrections touch while somebody else reads this log: yield `takes`, all that can be read of it."""
        self.touched = Touched(self.order)
        return self.touched.watch(takes)


class StoredTakes(Sequence[Record]):
    """Takes that are held as they are stored, in a tenth of the memory, and decoded whenever they are asked for."""

    def __init__(self) -> None:
        self._bodies: list[bytes] = []

    def append(self, take: Record) -> None:
        """Add a take."""
        self._bodies.append(ENCODER.encode(take))

    def __getitem__(self, index: Any) -> Any:
        bodies = self._bodies[index]
        return DECODER.decode(bodies) if isinstance(bodies, bytes) else list(map(DECODER.decode, bodies))

    def __len__(self) -> int:
        return len(self._bodies)


class Touched:
    """What corrections touch, as far as a log was read: all that is held of it."""

    def __init__(self, order: WritingOrder) -> None:
        self.seeds: dict[int, RevealedSeed] = {}  # that sessions revealed, by session
        self._reaching = list[tuple[int, EntryId]]()  # positions of takes with an entry that each needs
        self.order, self.oldest, self.last_correction = order, order.oldest, 0
        self.decided_again = set[int]()  # the positions of takes that a check may decide again
        self._last: dict[EntryId, int] = {}  # the positions of the last takes of entries that have several
        self.sessions = {id.session for id in order.replaced}  # that have one of them
        self._reaching_out = set[int]()  # the positions of takes that need entries of other sessions
        self.corrections: dict[str, StoredTakes] = defaultdict(StoredTakes)  # by their names
        self.caused: dict[str, StoredTakes] = defaultdict(StoredTakes)  # by the name of their correction
        self.replaced: dict[EntryId, StoredTakes] = defaultdict(StoredTakes)  # the takes of entries that have several
        self.amended: dict[str, dict[str, str]] = {}  # outcomes of entries, by the name of their correction

    @cached_property
    def reach(self) -> Reach:
        """How far back the takes reach, once all were read."""
        return Reach(sorted([*self.order.back, *self._reaching]))

    def watch(self, takes: Iterable[Record]) -> Iterator[Record]:
        """Yield these takes, which are those of the log in this order, and look at each of them."""
        for take in takes:
            if (id := take.id) in self.order.replaced:
                self.replaced[id].append(take)
                if id in self._last:
                    self.decided_again.add(self._last[id])
                self._last[id] = take.position
            if take.cause is not None or take.has_any(LOOKED_AT) or take.line_start:
                self._add(take)
            yield take

    def _add(self, take: Record) -> None:
        """Take in a take that is a correction or a part of one, closes its session, or goes on with a line."""
        name, is_amending = str(take.id), take.has(Amended)
        if take.cause in self.amended:
            self.caused[take.cause].append(take)
            self._decide_again(take)
        if is_amending:
            self.amended[name] = {corrected_entry(fact): fact.outcome for fact in amended_facts(take)}
        if is_amending and take.cause is None:
            self.corrections[name].append(take)
            self.last_correction = take.position
            self._decide_again(take)
        with suppress(Unreadable):  # what somebody forged is found by the checks
            for entry in _entries_needed(take, is_amending and take.cause is None):
                self._reaching.append((take.position, entry))
                if entry.session != take.session:
                    self._reaching_out.add(take.position)
        for session, seed in revealed_seeds([take]).items():
            self.seeds.setdefault(session, seed)

    def is_within_session(self, take: Record) -> bool:
        """Return whether the state that a take had follows from the state before its session, and from its session."""
        return take.position not in self._reaching_out and self.order.is_of_its_evening(take)

    def _decide_again(self, take: Record) -> None:
        """Note a take that a check may decide again."""
        self.decided_again.add(take.position)
        self.sessions.add(take.session)


def _evenings(written: Mapping[int, Sequence[int]]) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield each session with the last position of all earlier sessions, and the first position of all later ones.

    `written` are the first and the last position of each session.
    """
    sessions = sorted(written)
    ends = accumulate((written[session][1] for session in sessions), max, initial=0)
    starts = [*accumulate((written[session][0] for session in reversed(sessions)), min, initial=NEVER)][-2::-1]
    yield from zip(sessions, zip(ends, starts, strict=False), strict=True)


def ids_of(takes: Iterable[Record]) -> Iterator[tuple[int, EntryId]]:
    """Yield position and entry of each take."""
    return ((take.position, take.id) for take in takes)


def is_correction(take: Record) -> bool:
    """Return whether somebody made a correction with this take: it does not only follow from another."""
    return take.cause is None and take.has(Amended)


def amended_facts(take: Record) -> list[Amended]:
    """Return the entries that a correction names."""
    return [fact for fact in take.facts if isinstance(fact, Amended)]


def first_corrected(correction: Record) -> EntryId:
    """Return the first entry that a correction names."""
    return min(parse_entry_id(corrected_entry(fact)) for fact in amended_facts(correction))


def _entries_needed(take: Record, is_correcting: bool) -> Iterator[EntryId]:
    """Yield the entries before which a take is decided or read again, if that is not where it stands."""
    if take.line_start:
        yield parse_entry_id(take.line_start)
    if is_correcting:
        yield place_before(first_corrected(take))
