"""The state of a ledger after an entry: the fold of the takes that count, now or at any entry or position of the past.

State is the fold in order of entries. When the last lines of a session are undone, their numbers are used again, lowest
first: the next declaration is a take of that entry, and the log of all takes shows both. An entry that an amendment
drops keeps its number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from heapq import merge
from itertools import chain, count, pairwise
from typing import Any, Final, Generic

import msgspec

from ledger.builtin import CloseSession, decide_builtin, is_builtin
from ledger.claims import compare_claims
from ledger.declarations import Declaration, Ruling
from ledger.dice import Dice, faces_left_over
from ledger.errors import BadFaces, LedgerError, NewerRules, stored_errors, unusable
from ledger.extracts import Extract
from ledger.facts import Amended, CampaignCreated, Claims, EntryId, Fact, Rolled, SessionOpened, parse_entry_id
from ledger.game import GameProtocol
from ledger.links import recorded_links
from ledger.projection import ChangedValue, Projection, S, Value
from ledger.records import EMPTY, ENCODER, Head, Record, latest_takes
from ledger.session import SESSION_FACTS, SessionState
from ledger.store import ReadableStore, Snapshot, Store
from ledger.throws import Throws, list_throws, next_number

BEFORE_FIRST: Final = EntryId(0, -1)
KEEPS_NUMBER: Final = ("drop", "revoke")  # outcomes of `Amended` with which an entry keeps its number
LEDGER_FACTS: Final = SESSION_FACTS | {Amended}  # that are folded here, whatever the game
RollbackPoint = tuple[int, SessionState, int, Throws]


class PackedLedgerState(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The body of a snapshot: the session state with its throws, and the packed state of the projection."""

    session: SessionState
    throws: tuple[tuple[str, int], ...]
    state: msgspec.Raw


class LedgerState(Generic[S]):
    """The state after an entry: the projection's state, the session with its throws, and which number comes next."""

    def __init__(self, projection: Projection[S], state: S, session: SessionState, last: EntryId) -> None:
        self.projection, self.state, self.session, self.last = projection, state, session, last
        self.throws: Throws = None
        self.reusable_numbers: dict[int, int] = {}  # undone at the end of the session: number -> count of its takes
        self.head = EMPTY  # of the log, up to which it was read
        self.facts_since_snapshot = 0
        self.supposed_revision: int | None = None  # of the rules, whatever sessions record: a what-if supposes it

    @property
    def position(self) -> int:
        """The position up to which the log was read."""
        return self.head.position

    def copy(self) -> LedgerState[S]:
        """Return the same state; what is folded into one is not in the other."""
        state = self.projection.unpack(self.projection.pack(self.state))
        other = LedgerState(self.projection, state, self.session, self.last)
        other.throws, other.reusable_numbers = self.throws, dict(self.reusable_numbers)
        other.head, other.facts_since_snapshot = self.head, self.facts_since_snapshot
        other.supposed_revision = self.supposed_revision
        return other

    def fold(self, record: Record | Extract) -> None:
        """Fold the take that counts of the next entry. Raises OutOfBalance, or Damaged for facts of no sense."""
        entry = record.id
        try:
            self._fold(entry, record)
            self.projection.commit(self.state)
        except LedgerError:
            raise
        except Exception as error:
            raise unusable(error, "entry", entry) from error

    def follow(self, store: ReadableStore) -> bool:
        """Fold what was appended since the log was read, and return True; False where something older has changed.

        After False or an error the state is of no use any more.
        """
        head = store.head()
        appended = list(store.records(after=self.position))
        if not all(one < other for one, other in pairwise([self.last, *(record.id for record in appended)])):
            return False
        for record in appended:
            self.fold(record)
        self.head = head
        return True

    def fold_changes(self, record: Record) -> list[ChangedValue]:
        """Fold the take that counts of the next entry, and return the values that it changed. Raises like `fold`."""
        entry = record.id
        with stored_errors("entry", entry):
            self._fold(entry, record)
            changes = list(self.projection.value_changes(self.state))
            self.projection.commit(self.state)
            return changes

    def accept(self, record: Record) -> None:
        """Take in the take that counts of the next entry, whose facts have been folded one by one."""
        entry = record.id
        try:
            self._move_to(entry, record, is_correction=record.has(Amended))
            self.projection.commit(self.state)
        except LedgerError:
            raise
        except Exception as error:
            raise unusable(error, "entry", entry) from error

    def _fold(self, entry: EntryId, record: Record | Extract) -> None:
        """Fold a take; any error may come of facts that somebody forged."""
        facts, is_correction = record.facts, False
        self.projection.fold(self.state, entry, facts)
        if not LEDGER_FACTS.isdisjoint(map(type, facts)):
            for fact in facts:
                if type(fact) in LEDGER_FACTS:
                    self._fold_session(fact)
                    is_correction = is_correction or type(fact) is Amended
        self.facts_since_snapshot += len(facts)
        self._move_to(entry, record, is_correction=is_correction)

    def _fold_session(self, fact: Fact) -> None:
        """Fold a fact of the session: what it is, and the throws that it has had."""
        self.session = self.session.after(fact)
        if type(fact) is SessionOpened:
            self.throws = None
        elif type(fact) is Rolled and fact.throw:
            self.throws = (fact.purpose, fact.throw, self.throws)

    def next_throw(self, purpose: str) -> int:
        """Return the number of the next throw of a purpose: the lowest that no entry so far has."""
        return next_number(number for name, number in list_throws(self.throws) if name == purpose)

    def _move_to(self, entry: EntryId, record: Record | Extract, *, is_correction: bool) -> None:
        """Move on to a take: which entry is the last, and which numbers may be used again."""
        if entry.session != self.last.session or (record.facts and not is_correction):
            self.reusable_numbers.clear()
        if entry > self.last:
            self.last = entry
        if not record.facts and not record.insert:
            self.reusable_numbers[record.number] = record.take
        if is_correction:
            for fact in record.facts:
                if isinstance(fact, Amended) and fact.outcome in KEEPS_NUMBER:
                    self._keep_number(parse_entry_id(fact.entry.partition("@")[0]))

    def _keep_number(self, dropped: EntryId) -> None:
        """Do not reuse the number of a dropped entry: it may be restored."""
        if dropped.session == self.last.session and not dropped.insert:
            self.reusable_numbers.pop(dropped.number, None)

    def step(self, entry: EntryId, fact: Fact) -> None:
        """Fold one fact."""
        if self.supposed_revision is not None and isinstance(fact, CampaignCreated | SessionOpened):
            fact = msgspec.structs.replace(fact, revision=self.supposed_revision)
        self.projection.step(self.state, entry, fact)
        if type(fact) in SESSION_FACTS:
            self._fold_session(fact)
        self.facts_since_snapshot += 1

    def mark(self) -> RollbackPoint:
        """Return a point to roll back to."""
        return self.projection.mark(self.state), self.session, self.facts_since_snapshot, self.throws

    def roll_back(self, mark: RollbackPoint) -> None:
        """Undo every step since `mark`."""
        projection_mark, self.session, self.facts_since_snapshot, self.throws = mark
        self.projection.roll_back(self.state, projection_mark)

    @contextmanager
    def trial(self) -> Iterator[None]:
        """Undo every step inside, also where an error ends it."""
        mark = self.mark()
        try:
            yield
        finally:
            self.roll_back(mark)

    def next_entry(self, *, opens: bool = False) -> EntryId:
        """Return the id of the next entry: the lowest reusable number, or the next one; that of an opening session."""
        if opens:
            return EntryId(self.session.number + 1, 0)
        return next(self.next_entries())

    def next_entries(self) -> Iterator[EntryId]:
        """Yield the ids of the next entries: the reusable numbers, then those behind the last."""
        last = self.last
        for number in chain(sorted(self.reusable_numbers), count(last.number + 1)):
            yield EntryId(last.session, number)

    def values(self) -> dict[str, Value]:
        """Return every named value."""
        return dict(self.projection.values(self.state))

    def to_snapshot(self, entry: EntryId, position: int) -> Snapshot:
        """Return this state, packed."""
        return Snapshot(position=position, entry=entry, body=self.pack())

    def pack(self) -> bytes:
        """Return this state as canonical JSON: equal states give equal bytes."""
        throws = tuple(sorted(list_throws(self.throws)))
        packed = msgspec.Raw(self.projection.pack(self.state))
        return ENCODER.encode(PackedLedgerState(session=self.session, throws=throws, state=packed))

    def leads_on_like(self, other: LedgerState[S]) -> bool:
        """Return whether all later entries follow from another state as from this one: throws keep their numbers."""
        same = (self.session, self.supposed_revision) == (other.session, other.supposed_revision)
        return same and self.projection.pack(self.state) == self.projection.pack(other.state)


def initial_state(projection: Projection[S]) -> LedgerState[S]:
    """Return the state before the first entry."""
    return LedgerState(projection, projection.empty(), SessionState(), BEFORE_FIRST)


def load_state(
    store: ReadableStore, projection: Projection[S], *, at: EntryId | None = None, as_of: int | None = None
) -> LedgerState[S]:
    """Return the state now, after the entry `at`, or as the ledger was at the position `as_of`.

    It is folded from the nearest snapshot.
    """
    head = store.head() if as_of is None else past_head(as_of)  # read first: later appends are ignored
    state = _from_snapshot(store.latest_snapshot(upto=at, as_of=head.position), projection)
    state.head = head
    for record in latest_takes(store.takes(after=state.last, upto=at, as_of=head.position)):
        state.fold(record)
    return state


def past_head(position: int) -> Head:
    """Return the head of a state of the past: it has no hash, so that nothing can be appended to it."""
    return Head(position, "")


def snapshot_before(store: Store, projection: Projection[S], takes: Sequence[Record]) -> LedgerState[S]:
    """Return the state of the latest snapshot before the oldest entry of these takes, which are not appended yet."""
    oldest, position = min(take.id for take in takes), takes[0].position - 1
    return _from_snapshot(store.latest_snapshot(upto=oldest.before, as_of=position), projection)


def history_with(store: Store, takes: Sequence[Record], *, after: EntryId, as_of: int) -> Iterator[Record]:
    """Yield the takes that count once these takes are appended behind the position `as_of`: the entries `after` one."""
    stored = store.takes(after=after, as_of=as_of)
    return latest_takes(merge(stored, sorted(takes, key=_history_order), key=_history_order))


def _history_order(take: Record) -> tuple[EntryId, int]:
    """Return the key that sorts takes by entry, then by position."""
    return take.id, take.position


def _from_snapshot(snapshot: Snapshot | None, projection: Projection[S]) -> LedgerState[S]:
    """Return the state in a snapshot, or the initial one. One of another version may have other parts: it is no use."""
    if snapshot is not None:
        with suppress(msgspec.MsgspecError, UnicodeDecodeError):
            return unpack_state(snapshot.body, projection, snapshot.entry)
    return initial_state(projection)


def unpack_state(body: bytes, projection: Projection[S], last: EntryId) -> LedgerState[S]:
    """Return the state that `LedgerState.pack` packed after the entry `last`. Raises an error of msgspec or Unicode."""
    packed = msgspec.json.decode(body, type=PackedLedgerState)
    state = LedgerState(projection, projection.unpack(bytes(packed.state)), packed.session, last)
    for purpose, number in packed.throws:
        state.throws = (purpose, number, state.throws)
    return state


def decide_and_fold(
    game: GameProtocol[S], state: LedgerState[S], said: Declaration, dice: Dice, entry: EntryId, claims: Claims = ()
) -> list[Fact]:
    """Return the facts that `said` causes, each folded into `state` before the next is decided.

    Claims are compared at the end. On any error `state` is rolled back.
    """
    mark = state.mark()
    facts: list[Fact] = []
    try:
        for fact in dispatch(game, state, said, dice):
            if type(fact) is Rolled and (throw := dice.throws.get(fact.purpose)):
                links = recorded_links(fact, throw, dice.links)
                fact = msgspec.structs.replace(fact, throw=throw, links=links)
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
    """Decide a declaration with the ledger's own rules or those of the game.

    Raises NewerRules if the session has a later revision of the rules than the game, and Damaged if the rules cannot
    use the state: a record that somebody forged has made it.
    """
    if state.session.revision > game.revision:
        raise _newer_rules(game, state.session)
    try:
        if not is_builtin(type(said)):
            yield from game.decide(said, state.state, dice)
            return
        _check_no_faces(dice)
        if isinstance(said, Ruling):
            yield from game.decide_ruling(said, state.state)
            return
        if isinstance(said, CloseSession):
            yield from game.before_close(state.state)
        yield from decide_builtin(said, state.session, state.values)
    except LedgerError:
        raise
    except Exception as error:
        raise unusable(error, "the state after entry", state.last) from error


def _newer_rules(game: GameProtocol[Any], session: SessionState) -> NewerRules:
    """Return the error for a session whose rules are later than those of the game."""
    played = f"session {session.number} was played" if session.number else "the campaign was created"
    return NewerRules(
        f"{played} with revision {session.revision} of {game.name}, and this program has revision {game.revision}",
        hint=f"It can be read. To play it or decide it again, install a newer version of {game.name}:"
        " pip install -U campaign-ledger, or the package of its own that it came with",
    )


def _check_no_faces(dice: Dice) -> None:
    """Raise Refused if faces are typed for a line that throws no dice."""
    try:
        dice.check_all_used()
    except BadFaces as error:
        raise faces_left_over(error.what) from error
