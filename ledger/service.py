"""The table: where reading, folding, throwing, deciding and writing meet. Generic over game and state.

declare -> decide -> fold -> append: each fact is folded as the rules yield it; a refusal at any point rolls
everything back, and nothing is appended and no die used up. What the head was when the state was read goes with
the append; when somebody else was faster, the state is read and the declaration decided again.

Who corrects what was said is `ledger/correcting`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Final, Generic

import msgspec

from ledger.builtin import (
    BUILTIN,
    AddWords,
    CloseSession,
    CreateCampaign,
    OpenSession,
)
from ledger.declarations import Declaration
from ledger.dice import (
    SEED_BYTES,
    Dice,
    RecordedDice,
    SeededDice,
    TypedDice,
    commitment,
    session_key,
)
from ledger.errors import NeverDrawn, Overtaken, Refused, Unreadable
from ledger.facts import (
    GM,
    Claims,
    Declared,
    EntryId,
    Fact,
    Rolled,
    SessionOpened,
)
from ledger.game import GameProtocol
from ledger.position import LedgerState, decide_and_fold, load_state, state_after
from ledger.projection import Projection, S
from ledger.read_models import row_changes_between
from ledger.records import ENCODER, Record
from ledger.seeds import Seeds
from ledger.store import Snapshot, Store

FACTS_BETWEEN_SNAPSHOTS: Final = 500


class Ledger(Generic[S]):
    """A ledger that is being played: one store, one game, one tally, and the seeds beside it."""

    def __init__(self, store: Store, game: GameProtocol[S], projection: Projection[S], seeds: Seeds) -> None:
        self.store, self.game, self.projection, self.seeds = store, game, projection, seeds
        self.declarations = frozenset((*game.declarations, *BUILTIN))
        self._state: LedgerState[S] | None = None

    @property
    def state(self) -> LedgerState[S]:
        """Where the ledger stands now, as far as this table has read."""
        if self._state is None:
            self._state = load_state(self.store, self.projection)
        return self._state

    def create(self, name: str, *, at: str, ledger: str | None = None) -> Record:
        """The first record: a campaign of this game, with an id of its own (32 hex digits)."""
        said = CreateCampaign(
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
        place = self.state
        secret = os.urandom(SEED_BYTES) if seed is None else seed
        number = place.session.number + 1
        promise = commitment(place.session.ledger, number, secret)
        said = OpenSession(
            by=GM, number=number, title=title, rulebook=self.rulebook, commitment=promise, fixed=seed is not None
        )
        if place.session.open:
            return self.declare(said, at=at)
        self.seeds.save(promise, secret)
        try:
            return self.declare(said, at=at)
        except Refused:  # of anything else nobody knows whether it was written: better a seed too many
            if self.state.session.commitment != promise:
                self.seeds.delete(promise)
            raise

    def close_session(self, *, at: str, lost: bool = False) -> Record:
        """Close the session at hand and reveal its seed; or, when it is `lost` for good, without it."""
        sitting = self.state.session
        seed = self._seed() if sitting.open else b""
        if seed is None and not lost:
            raise self._seed_missing()
        record = self.declare(CloseSession(by=GM, seed=(seed or b"").hex(), lost=seed is None), at=at)
        self.seeds.delete(sitting.commitment)
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
        claims: Claims = (),
    ) -> Record:
        """Append what was said and all that follows from it, or nothing.

        `at` is the caller's clock, `faces` those on the table, `request` a key with which the same line may be
        said twice and counts once, `claims` what the table remembers of the outcome. Raises Refused, BadFaces or
        OutOfBalance, and then nothing has happened.
        """
        raw, said = self._checked_declaration(said)
        typed = None if faces is None else tuple(faces)
        while True:
            if earlier := self.find_request(request, line, raw):
                return earlier
            place = self.state
            if isinstance(said, AddWords) and self.has_drawn_dice():
                raise words_too_late()
            entry = self._next_entry(said)
            dice = self._dice(entry, typed)
            mark = place.mark()
            try:
                facts = self._decide(place, said, dice, entry, claims)
                used = dice.used_faces if isinstance(dice, TypedDice) else ()
                declared = Declared(by=said.by, said=msgspec.Raw(raw), line=line, faces=used or None, claims=claims)
                record = Record(
                    position=place.position + 1,
                    session=entry.session,
                    number=entry.number,
                    insert=entry.insert,
                    take=place.reusable_numbers.get(entry.number, 0) + 1,
                    cause=None,
                    request=request,
                    by=said.by,
                    at=at,
                    seen=seen,
                    facts=(declared, *facts),
                )
                checkpoint = self._snapshot_if_due(record)
                changes = tuple(self.projection.row_changes(place.state))
                self.store.append([record], after=place.position, snapshot=checkpoint, changes=changes)
            except Overtaken:
                self._state = None
                continue
            except BaseException:
                place.roll_back(mark)
                raise
            self._advance(record, checkpoint)
            return record

    def preview(self, said: Declaration) -> list[Fact]:
        """What would follow from this, without dice; nothing is written. Raises Refused like `declare`."""
        _, said = self._checked_declaration(said)
        place = self.state
        mark = place.mark()
        try:
            return decide_and_fold(self.game, place, said, RecordedDice({}, "seed"), self._next_entry(said))
        finally:
            place.roll_back(mark)

    def append(self, takes: Sequence[Record]) -> None:
        """Append takes, also of older entries, at the positions that they say; or nothing, if the head has moved.

        What they change in the read tables is what differs afterwards. Raises Overtaken.
        """
        self.refresh()
        place, position = self.state, takes[0].position - 1
        if place.position != position:
            raise Overtaken(position, place.position)
        after = state_after(self.store, self.projection, takes)
        changes = tuple(row_changes_between(self.projection.read_models, place.state, after.state))
        self._state = None
        self.store.append(takes, after=position, changes=changes)
        self._state = after

    def refresh(self) -> None:
        """Read again where the ledger stands when next asked: somebody else may have written."""
        self._state = None

    def find_request(self, request: str | None, line: str, raw: bytes | None = None) -> Record | None:
        """The record of this request, if it was said before. Raises Refused when it was something else.

        Lines are compared as they were typed; where there is none, what was said is.
        """
        earlier = None if request is None else self.store.find_request(request)
        if earlier is None or earlier.declared is None:
            return None
        if earlier.line != line or (not line and raw is not None and bytes(earlier.declared.said) != raw):
            raise Refused(
                "L-REQUEST",
                f"request '{request}' was another line: {earlier.line}",
                hint="Use a new key.",
            )
        return earlier

    def has_drawn_dice(self) -> bool:
        """Whether anybody has seen a seeded face of this session, also in a take that no longer counts."""
        takes = self.store.takes(after=EntryId(self.state.last.session, -1))
        return any(isinstance(fact, Rolled) and fact.source == "seed" for take in takes for fact in take.facts)

    def _checked_declaration(self, said: Declaration) -> tuple[bytes, Declaration]:
        """What was said as it will be stored, and as it reads from there: decoding checks the types."""
        try:
            raw = ENCODER.encode(said)
            if type(said) not in self.declarations:
                raise TypeError(f"it is no declaration of {self.game.name}")
            return raw, msgspec.json.decode(raw, type=type(said))
        except (msgspec.MsgspecError, TypeError, UnicodeError) as error:
            raise Unreadable(f"this cannot be said: {error}", where=str(type(said).__struct_config__.tag)) from error

    def _decide(
        self, place: LedgerState[S], said: Declaration, dice: Dice, entry: EntryId, claims: Claims
    ) -> list[Fact]:
        """What follows, or a refusal that says why no die can be drawn now."""
        try:
            return decide_and_fold(self.game, place, said, dice, entry, claims)
        except NeverDrawn as error:
            if place.session.open:
                raise self._seed_missing() from error
            raise Refused(
                "L-CLOSED",
                "no session is open, so no die can be drawn",
                hint="Open one (campaign open), or type the faces on the table, as in /7.6.",
            ) from error

    def _seed_missing(self) -> Refused:
        """The seed of the open session is not beside the ledger."""
        return Refused(
            "L-SEED",
            f"the seed of session {self.state.session.number} is not beside the ledger",
            hint="Put its file back, or type the faces, as in /7.6. Lost for good: campaign close --seed-lost",
        )

    def _next_entry(self, said: Declaration) -> EntryId:
        """The entry that the next declaration is a take of."""
        place = self.state
        if isinstance(said, OpenSession):
            return EntryId(place.session.number + 1, 0)
        return EntryId(place.last.session, min(place.reusable_numbers, default=place.last.number + 1))

    def _dice(self, entry: EntryId, typed: tuple[int, ...] | None) -> Dice:
        """The dice of an entry: typed faces, the session's seed, or none to be had."""
        if typed is not None:
            return TypedDice(typed)
        sitting, seed = self.state.session, self._seed()
        if seed is None:
            return RecordedDice({}, "seed")
        return SeededDice(session_key(seed, sitting.ledger, sitting.number, sitting.words), str(entry))

    def _seed(self) -> bytes | None:
        """The seed of the open session, if it lies beside the ledger, and is the one that was committed to."""
        sitting = self.state.session
        seed = self.seeds.get(sitting.commitment) if sitting.open else None
        if seed is None or commitment(sitting.ledger, sitting.number, seed) != sitting.commitment:
            return None
        return seed

    def _snapshot_if_due(self, record: Record) -> Snapshot | None:
        """A checkpoint at each session's opening, and when many facts have been folded since the last."""
        place = self.state
        if record.has(SessionOpened) or place.facts_since_snapshot >= FACTS_BETWEEN_SNAPSHOTS:
            return place.to_snapshot(record.id, record.position)
        return None

    def _advance(self, record: Record, checkpoint: Snapshot | None) -> None:
        """What was decided is written: the standing moves on."""
        place = self.state
        self.projection.commit(place.state)
        place.position = record.position
        place.reusable_numbers.pop(record.number, None)
        if record.session != place.last.session:
            place.reusable_numbers.clear()
        place.last = max(place.last, record.id)
        if checkpoint is not None:
            place.facts_since_snapshot = 0


def words_too_late() -> Refused:
    """Whoever has seen a die knows what other words would do, also when it was taken back."""
    return Refused("L-WORDS", "dice have been drawn in this session", hint="Words belong right after the opening.")
