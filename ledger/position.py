"""Where a ledger stands: the fold of the takes that count, now or at any entry or position of the past.

State is the fold in order of entries. Numbers of lines that were taken back at the end of a session (entries behind
which only such ones and corrections stand) are used again, lowest first: the next declaration is a take of that
entry, and the same line said again meets the same dice. Who says something else in between takes that number with
it; the log of all takes shows both. What an amendment leaves out keeps its number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import merge
from typing import Final, Generic

import msgspec

from ledger.builtin import BUILTIN, SESSION_FACTS, SessionState, compare_claims, decide_builtin, is_closing
from ledger.declarations import Declaration, Ruling
from ledger.dice import Dice
from ledger.errors import Damaged
from ledger.facts import Amended, Claims, EntryId, Fact, parse_entry_id
from ledger.game import GameProtocol
from ledger.projection import Projection, S, Value
from ledger.records import ENCODER, Record, latest_takes
from ledger.store import Snapshot, Store

BEFORE_FIRST: Final = EntryId(0, -1)
KEEPS_NUMBER: Final = ("drop", "revoke")  # outcomes of `Amended` with which an entry keeps its number
Mark = tuple[int, SessionState, int]


class PackedLedgerState(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The body of a checkpoint: the ground's state and the tally's."""

    session: SessionState
    state: msgspec.Raw


class LedgerState(Generic[S]):
    """Where a ledger stands at some entry: the tally's state, the sitting, and which number comes next."""

    def __init__(self, projection: Projection[S], state: S, session: SessionState, last: EntryId) -> None:
        self.projection, self.state, self.session, self.last = projection, state, session, last
        self.reusable_numbers: dict[int, int] = {}  # numbers taken back at the end, and how many takes each has
        self.position = 0
        self.facts_since_snapshot = 0  # folded since the checkpoint

    def fold(self, record: Record) -> None:
        """Take in the take that counts of the next entry."""
        entry = record.id
        if entry.session != self.last.session or (record.facts and not record.has(Amended)):
            self.reusable_numbers.clear()
        self.last = max(self.last, entry)
        if not record.facts and not record.insert:
            self.reusable_numbers[record.number] = record.take
        for fact in record.facts:
            self.step(entry, fact)
            if isinstance(fact, Amended) and fact.outcome in KEEPS_NUMBER:
                self._keep_number(parse_entry_id(fact.entry.partition("@")[0]))
        self.projection.commit(self.state)

    def _keep_number(self, named: EntryId) -> None:
        """The number of an entry that a correction leaves out stays its own: the entry may come back."""
        if named.session == self.last.session and not named.insert:
            self.reusable_numbers.pop(named.number, None)

    def step(self, entry: EntryId, fact: Fact) -> None:
        """Fold one fact into both states."""
        self.projection.step(self.state, entry, fact)
        if type(fact) in SESSION_FACTS:
            self.session = self.session.after(fact)
        self.facts_since_snapshot += 1

    def mark(self) -> Mark:
        """A place to roll back to."""
        return self.projection.mark(self.state), self.session, self.facts_since_snapshot

    def roll_back(self, mark: Mark) -> None:
        """As if nothing had been folded since `mark`."""
        place, self.session, self.facts_since_snapshot = mark
        self.projection.roll_back(self.state, place)

    def values(self) -> dict[str, Value]:
        """Every value that may be asked for by name."""
        return dict(self.projection.values(self.state))

    def to_snapshot(self, entry: EntryId, position: int) -> Snapshot:
        """This standing, packed."""
        frame = PackedLedgerState(session=self.session, state=msgspec.Raw(self.projection.pack(self.state)))
        return Snapshot(position=position, entry=entry, body=ENCODER.encode(frame))


def initial_state(projection: Projection[S]) -> LedgerState[S]:
    """Where a ledger stands before its first entry."""
    return LedgerState(projection, projection.empty(), SessionState(), BEFORE_FIRST)


def load_state(
    store: Store, projection: Projection[S], *, at: EntryId | None = None, as_of: int | None = None
) -> LedgerState[S]:
    """Where the ledger stands: now, `at` the end of an entry, or `as_of` what it said at a position.

    From the nearest checkpoint, and the takes that count behind it.
    """
    position = store.head().position if as_of is None else as_of  # first: what comes later is not half seen
    found = _from_snapshot(store.latest_snapshot(upto=at, as_of=position), projection)
    found.position = position
    for record in latest_takes(store.takes(after=found.last, upto=at, as_of=position)):
        found.fold(record)
    return found


def state_after(store: Store, projection: Projection[S], takes: Sequence[Record]) -> LedgerState[S]:
    """Where the ledger will stand once these takes are written at the positions that they say."""
    oldest, position = min(take.id for take in takes), takes[0].position - 1
    before = oldest.before
    found = _from_snapshot(store.latest_snapshot(upto=before, as_of=position), projection)
    found.position = takes[-1].position
    written = store.takes(after=found.last, as_of=position)
    for record in latest_takes(merge(written, sorted(takes, key=_history_order), key=_history_order)):
        found.fold(record)
    return found


def _history_order(take: Record) -> tuple[EntryId, int]:
    """Takes stand in order of entries, then of writing."""
    return take.id, take.position


def _from_snapshot(kept: Snapshot | None, projection: Projection[S]) -> LedgerState[S]:
    """Where a ledger stood at a checkpoint, or before its first entry."""
    if kept is None:
        return initial_state(projection)
    try:
        frame = msgspec.json.decode(kept.body, type=PackedLedgerState)
        return LedgerState(projection, projection.unpack(bytes(frame.state)), frame.session, kept.entry)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise Damaged(
            "a checkpoint cannot be read",
            where=f"entry {kept.entry}",
            hint="Make them again: campaign rebuild.",
        ) from error


def decide_and_fold(
    game: GameProtocol[S], state: LedgerState[S], said: Declaration, dice: Dice, entry: EntryId, claims: Claims = ()
) -> list[Fact]:
    """The facts that follow from `said`, folded into `place` one by one. On any error `place` is as it was.

    `claims` about the outcome are compared at the end, and change nothing.
    """
    mark = state.mark()
    facts: list[Fact] = []
    try:
        for fact in dispatch(game, state, said, dice):
            state.step(entry, fact)
            facts.append(fact)
        for claim in compare_claims(claims, facts, state.values) if claims else ():
            state.step(entry, claim)
            facts.append(claim)
    except BaseException:
        state.roll_back(mark)
        raise
    return facts


def dispatch(game: GameProtocol[S], state: LedgerState[S], said: Declaration, dice: Dice) -> Iterator[Fact]:
    """Ground or game, whoever the declaration belongs to."""
    if isinstance(said, Ruling):
        yield from game.decide_ruling(said, state.state)
    elif isinstance(said, BUILTIN):
        if is_closing(said):
            yield from game.before_close(state.state)
        yield from decide_builtin(said, state.session, state.values)
    else:
        yield from game.decide(said, state.state, dice)
