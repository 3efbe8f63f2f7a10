"""The table: where reading, folding, throwing, deciding and writing meet. Generic over game and state.

declare -> decide -> fold -> append: each fact is folded as the rules yield it; a refusal at any point rolls
everything back, and nothing is appended and no die used up. What the head was when the state was read goes with
the append; when somebody else was faster, the state is read and the declaration decided again.

State is the fold of the takes that count, in order of entries. Numbers voided at the end of a session (entries
behind which only void ones and corrections stand) are used again, lowest first: the next declaration is a take
of that entry, and the same line said again meets the same dice. Who says something else in between takes that
number with it; the log of all takes shows both.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from heapq import merge
from typing import Final, Generic

import msgspec

from ledger.dice import (
    SEED_BYTES,
    Dice,
    RecordedDice,
    SeededDice,
    TypedDice,
    commitment,
    session_key,
)
from ledger.errors import Damaged, NeverDrawn, Overtaken, Refused, Unreadable
from ledger.facts import (
    GM,
    Amended,
    Declared,
    EntryId,
    Fact,
    Founded,
    Rolled,
    SessionClosed,
    SessionOpened,
    WordsAdded,
)
from ledger.game import Declaration, Game, S, Tally, Value
from ledger.ground import (
    GROUND,
    SEATED,
    AddWords,
    CloseSession,
    Found,
    OpenSession,
    Sitting,
    Undo,
    closing,
    decide_ground,
)
from ledger.readable import changes_between
from ledger.records import ENCODER, Record, counting
from ledger.seeds import Seeds
from ledger.store import Checkpoint, Store

FACTS_BETWEEN_CHECKPOINTS: Final = 500
NOTHING: Final = EntryId(0, -1)
Mark = tuple[int, Sitting, int]


class Frame(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The body of a checkpoint: the ground's state and the tally's."""

    sitting: Sitting
    state: msgspec.Raw


class Standing(Generic[S]):
    """Where a ledger stands at some entry: the tally's state, the sitting, and which number comes next."""

    def __init__(self, tally: Tally[S], state: S, sitting: Sitting, last: EntryId) -> None:
        self.tally, self.state, self.sitting, self.last = tally, state, sitting, last
        self.spare: dict[int, int] = {}  # voided numbers at the end, and how many takes each has
        self.position = 0
        self.facts = 0  # folded since the checkpoint

    def fold(self, record: Record) -> None:
        """Take in the take that counts of the next entry."""
        entry = record.id
        if entry.session != self.last.session:
            self.spare.clear()
        self.last = max(self.last, entry)
        if not record.facts and not record.insert:
            self.spare[record.number] = record.take
        elif self.spare and not record.of(Amended):
            self.spare.clear()
        for fact in record.facts:
            self.step(entry, fact)
        self.tally.settle(self.state)

    def step(self, entry: EntryId, fact: Fact) -> None:
        """Fold one fact into both states."""
        self.tally.step(self.state, entry, fact)
        if type(fact) in SEATED:
            self.sitting = self.sitting.after(fact)
        self.facts += 1

    def mark(self) -> Mark:
        """A place to roll back to."""
        return self.tally.mark(self.state), self.sitting, self.facts

    def roll_back(self, mark: Mark) -> None:
        """As if nothing had been folded since `mark`."""
        place, self.sitting, self.facts = mark
        self.tally.roll_back(self.state, place)

    def values(self) -> dict[str, Value]:
        """Every value that may be asked for by name."""
        return dict(self.tally.values(self.state))

    def checkpoint(self, entry: EntryId, position: int) -> Checkpoint:
        """This standing, packed."""
        frame = Frame(sitting=self.sitting, state=msgspec.Raw(self.tally.pack(self.state)))
        return Checkpoint(position=position, entry=entry, body=ENCODER.encode(frame))


def beginning(tally: Tally[S]) -> Standing[S]:
    """Where a ledger stands before its first entry."""
    return Standing(tally, tally.empty(), Sitting(), NOTHING)


def standing(store: Store, tally: Tally[S], *, at: EntryId | None = None, as_of: int | None = None) -> Standing[S]:
    """Where the ledger stands: now, `at` the end of an entry, or `as_of` what it said at a position.

    From the nearest checkpoint, and the takes that count behind it.
    """
    position = store.head().position if as_of is None else as_of  # first: what comes later is not half seen
    found = _unpacked(store.checkpoint(upto=at, as_of=position), tally)
    found.position = position
    for record in counting(store.takes(after=found.last, upto=at, as_of=position)):
        found.fold(record)
    return found


def foreseen(store: Store, tally: Tally[S], takes: Sequence[Record]) -> Standing[S]:
    """Where the ledger will stand once these takes are written at the positions that they say."""
    oldest, position = min(take.id for take in takes), takes[0].position - 1
    before = EntryId(oldest.session, oldest.number, oldest.insert - 1)
    found = _unpacked(store.checkpoint(upto=before, as_of=position), tally)
    found.position = takes[-1].position
    written = store.takes(after=found.last, as_of=position)
    for record in counting(merge(written, sorted(takes, key=_in_order), key=_in_order)):
        found.fold(record)
    return found


def _in_order(take: Record) -> tuple[EntryId, int]:
    """Takes stand in order of entries, then of writing."""
    return take.id, take.position


def _unpacked(kept: Checkpoint | None, tally: Tally[S]) -> Standing[S]:
    """Where a ledger stood at a checkpoint, or before its first entry."""
    if kept is None:
        return beginning(tally)
    try:
        frame = msgspec.json.decode(kept.body, type=Frame)
        return Standing(tally, tally.unpack(bytes(frame.state)), frame.sitting, kept.entry)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise Damaged(
            "a checkpoint cannot be read",
            where=f"entry {kept.entry}",
            mend="Make them again: campaign rebuild.",
        ) from error


def decided(game: Game[S], place: Standing[S], said: Declaration, dice: Dice, entry: EntryId) -> list[Fact]:
    """The facts that follow from `said`, folded into `place` one by one. On any error `place` is as it was."""
    mark = place.mark()
    facts: list[Fact] = []
    try:
        for fact in _following(game, place, said, dice):
            place.step(entry, fact)
            facts.append(fact)
    except BaseException:
        place.roll_back(mark)
        raise
    return facts


def _following(game: Game[S], place: Standing[S], said: Declaration, dice: Dice) -> Iterator[Fact]:
    """Ground or game, whoever the declaration belongs to."""
    if isinstance(said, GROUND):
        if closing(said):
            yield from game.settle(place.state)
        yield from decide_ground(said, place.sitting, place.values)
    else:
        yield from game.decide(said, place.state, dice)


class Table(Generic[S]):
    """A ledger that is being played: one store, one game, one tally, and the seeds beside it."""

    def __init__(self, store: Store, game: Game[S], tally: Tally[S], seeds: Seeds) -> None:
        self.store, self.game, self.tally, self.seeds = store, game, tally, seeds
        self.sayable = frozenset((*game.declarations, *GROUND))
        self._standing: Standing[S] | None = None

    @property
    def standing(self) -> Standing[S]:
        """Where the ledger stands now, as far as this table has read."""
        if self._standing is None:
            self._standing = standing(self.store, self.tally)
        return self._standing

    def found(self, name: str, *, at: str, ledger: str | None = None) -> Record:
        """The first record: a campaign of this game, with an id of its own (32 hex digits)."""
        said = Found(
            by=GM,
            ledger=ledger or os.urandom(16).hex(),
            name=name,
            game=self.game.name,
            rulebook=self.rulebook,
        )
        return self.declare(said, at=at)

    @property
    def rulebook(self) -> str:
        """The installed book and its version, as a session names it."""
        return f"{self.game.name} {self.game.version}"

    def open_session(self, title: str, *, at: str, seed: bytes | None = None) -> Record:
        """Open the next session with a secret seed, or with a given one, which is marked for ever."""
        place = self.standing
        secret = os.urandom(SEED_BYTES) if seed is None else seed
        number = place.sitting.number + 1
        promise = commitment(place.sitting.ledger, number, secret)
        said = OpenSession(
            by=GM, number=number, title=title, rulebook=self.rulebook, commitment=promise, fixed=seed is not None
        )
        if place.sitting.open:
            return self.declare(said, at=at)
        self.seeds.keep(promise, secret)
        try:
            return self.declare(said, at=at)
        except Refused:  # of anything else nobody knows whether it was written: better a seed too many
            if self.standing.sitting.commitment != promise:
                self.seeds.forget(promise)
            raise

    def close_session(self, *, at: str, lost: bool = False) -> Record:
        """Close the session at hand and reveal its seed; or, when it is `lost` for good, without it."""
        sitting = self.standing.sitting
        seed = self._seed() if sitting.open else b""
        if seed is None and not lost:
            raise self._seed_missing()
        record = self.declare(CloseSession(by=GM, seed=(seed or b"").hex(), lost=seed is None), at=at)
        self.seeds.forget(sitting.commitment)
        return record

    def declare(
        self,
        said: Declaration,
        *,
        at: str,
        line: str = "",
        faces: Iterable[int] | None = None,
        request: str | None = None,
        seen: str = "table",
    ) -> Record:
        """Append what was said and all that follows from it, or nothing.

        `at` is the caller's clock, `faces` those on the table, `request` a key with which the same line may be
        said twice and counts once. Raises Refused, BadFaces or OutOfBalance, and then nothing has happened.
        """
        raw, said = self._checked(said)
        typed = None if faces is None else tuple(faces)
        while True:
            if earlier := self._requested(request, line, raw):
                return earlier
            place = self.standing
            if isinstance(said, AddWords) and self._drawn():
                raise _too_late()
            entry = self._next(said)
            dice = self._dice(entry, typed)
            mark = place.mark()
            try:
                facts = self._facts(place, said, dice, entry)
                used = dice.used if isinstance(dice, TypedDice) else ()
                declared = Declared(by=said.by, said=msgspec.Raw(raw), line=line, faces=used or None)
                record = Record(
                    position=place.position + 1,
                    session=entry.session,
                    number=entry.number,
                    insert=entry.insert,
                    take=place.spare.get(entry.number, 0) + 1,
                    cause=None,
                    request=request,
                    by=said.by,
                    at=at,
                    seen=seen,
                    facts=(declared, *facts),
                )
                checkpoint = self._checkpoint(record)
                changes = tuple(self.tally.changes(place.state))
                self.store.append([record], after=place.position, checkpoint=checkpoint, changes=changes)
            except Overtaken:
                self._standing = None
                continue
            except BaseException:
                place.roll_back(mark)
                raise
            self._appended(record, checkpoint)
            return record

    def preview(self, said: Declaration) -> list[Fact]:
        """What would follow from this, without dice; nothing is written. Raises Refused like `declare`."""
        _, said = self._checked(said)
        place = self.standing
        mark = place.mark()
        try:
            return decided(self.game, place, said, RecordedDice({}, "seed"), self._next(said))
        finally:
            place.roll_back(mark)

    def undo(self, *, by: str, at: str, line: str = "undo", request: str | None = None) -> tuple[Record, Record]:
        """Take the last line back: the record of the undo, and the take that no longer counts.

        Raises Refused when there is nothing to take back: openings and closings stay.
        """
        if earlier := self._requested(request, line):
            return earlier, self._undone_by(earlier)
        self._standing = None
        place = self.standing
        undone = self._last_line()
        if undone.of(WordsAdded) and self._drawn():
            raise _too_late()
        said = Undo(by=by, entry=f"{undone.id}@{undone.take}")
        number = place.last.number + 1
        facts = decided(self.game, place, said, RecordedDice({}, "seed"), EntryId(place.last.session, number))
        declared = Declared(by=by, said=msgspec.Raw(ENCODER.encode(said)), line=line, faces=None)
        amendment = Record(
            position=place.position + 1,
            session=place.last.session,
            number=number,
            insert=0,
            take=1,
            cause=None,
            request=request,
            by=by,
            at=at,
            seen="table",
            facts=(declared, *facts),
        )
        void = msgspec.structs.replace(
            undone,
            position=place.position + 2,
            take=undone.take + 1,
            cause=str(amendment.id),
            request=None,
            by=by,
            at=at,
            facts=(),
        )
        self._standing = None
        self._standing = self._corrected(place, [amendment, void])
        return amendment, undone

    def _corrected(self, place: Standing[S], takes: Sequence[Record]) -> Standing[S]:
        """Append takes of older entries; what they change in the read tables is what differs afterwards."""
        after = foreseen(self.store, self.tally, takes)
        changes = tuple(changes_between(self.tally.tables, place.state, after.state))
        self.store.append(takes, after=place.position, changes=changes)
        return after

    def _requested(self, request: str | None, line: str, raw: bytes | None = None) -> Record | None:
        """The record of this request, if it was said before. Raises Refused when it was something else.

        Lines are compared as they were typed; where there is none, what was said is.
        """
        earlier = None if request is None else self.store.by_request(request)
        if earlier is None or earlier.declared is None:
            return None
        if earlier.line != line or (not line and raw is not None and bytes(earlier.declared.said) != raw):
            raise Refused(
                "L-REQUEST",
                f"request '{request}' was another line: {earlier.line}",
                mend="Use a new key.",
            )
        return earlier

    def _undone_by(self, amendment: Record) -> Record:
        """The take that an undo took back."""
        (named,) = (fact.entry for fact in amendment.facts if isinstance(fact, Amended))
        takes = self.store.takes(upto=amendment.id, as_of=amendment.position)
        return next(take for take in takes if f"{take.id}@{take.take}" == named)

    def _drawn(self) -> bool:
        """Whether anybody has seen a seeded face of this session, also in a take that no longer counts."""
        takes = self.store.takes(after=EntryId(self.standing.last.session, -1))
        return any(isinstance(fact, Rolled) and fact.source == "seed" for take in takes for fact in take.facts)

    def _checked(self, said: Declaration) -> tuple[bytes, Declaration]:
        """What was said as it will be stored, and as it reads from there: decoding checks the types."""
        try:
            raw = ENCODER.encode(said)
            if type(said) not in self.sayable:
                raise TypeError(f"it is no declaration of {self.game.name}")
            return raw, msgspec.json.decode(raw, type=type(said))
        except (msgspec.MsgspecError, TypeError, UnicodeError) as error:
            raise Unreadable(f"this cannot be said: {error}", where=str(type(said).__struct_config__.tag)) from error

    def _last_line(self) -> Record:
        """The last entry that counts and is no correction."""
        session = EntryId(self.standing.last.session, -1)
        last: Record | None = None
        for record in counting(self.store.takes(after=session)):
            if record.facts and not record.of(Amended):
                last = record
        if last is None or last.of(Founded, SessionOpened, SessionClosed):
            raise Refused("L-UNDO", "there is no line to take back", mend="Openings and closings of a session stay.")
        return last

    def _facts(self, place: Standing[S], said: Declaration, dice: Dice, entry: EntryId) -> list[Fact]:
        """What follows, or a refusal that says why no die can be drawn now."""
        try:
            return decided(self.game, place, said, dice, entry)
        except NeverDrawn as error:
            if place.sitting.open:
                raise self._seed_missing() from error
            raise Refused(
                "L-CLOSED",
                "no session is open, so no die can be drawn",
                mend="Open one (campaign open), or type the faces on the table, as in /7.6.",
            ) from error

    def _seed_missing(self) -> Refused:
        """The seed of the open session is not beside the ledger."""
        return Refused(
            "L-SEED",
            f"the seed of session {self.standing.sitting.number} is not beside the ledger",
            mend="Put its file back, or type the faces, as in /7.6. Lost for good: campaign close --seed-lost",
        )

    def _next(self, said: Declaration) -> EntryId:
        """The entry that the next declaration is a take of."""
        place = self.standing
        if isinstance(said, OpenSession):
            return EntryId(place.sitting.number + 1, 0)
        return EntryId(place.last.session, min(place.spare, default=place.last.number + 1))

    def _dice(self, entry: EntryId, typed: tuple[int, ...] | None) -> Dice:
        """The dice of an entry: typed faces, the session's seed, or none to be had."""
        if typed is not None:
            return TypedDice(typed)
        sitting, seed = self.standing.sitting, self._seed()
        if seed is None:
            return RecordedDice({}, "seed")
        return SeededDice(session_key(seed, sitting.ledger, sitting.number, sitting.words), str(entry))

    def _seed(self) -> bytes | None:
        """The seed of the open session, if it lies beside the ledger, and is the one that was committed to."""
        sitting = self.standing.sitting
        seed = self.seeds.get(sitting.commitment) if sitting.open else None
        if seed is None or commitment(sitting.ledger, sitting.number, seed) != sitting.commitment:
            return None
        return seed

    def _checkpoint(self, record: Record) -> Checkpoint | None:
        """A checkpoint at each session's opening, and when many facts have been folded since the last."""
        place = self.standing
        if record.of(SessionOpened) or place.facts >= FACTS_BETWEEN_CHECKPOINTS:
            return place.checkpoint(record.id, record.position)
        return None

    def _appended(self, record: Record, checkpoint: Checkpoint | None) -> None:
        """What was decided is written: the standing moves on."""
        place = self.standing
        self.tally.settle(place.state)
        place.position = record.position
        place.spare.pop(record.number, None)
        if record.session != place.last.session:
            place.spare.clear()
        place.last = max(place.last, record.id)
        if checkpoint is not None:
            place.facts = 0


def _too_late() -> Refused:
    """Whoever has seen a die knows what other words would do, also when it was taken back."""
    return Refused("L-WORDS", "dice have been drawn in this session", mend="Words belong right after the opening.")
