"""A ledger that is played: decide a declaration, fold its facts, append the record.

Each fact is folded as soon as the rules yield it. A refusal rolls the state back, and nothing is appended. The head
that the decision was based on goes with the append; if somebody else appended first, the state is loaded and the
declaration decided again. Corrections are in `ledger/corrections`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Generic

import msgspec

from ledger.acts import CutShort, cut_short, repeated_refusal
from ledger.builtin import BUILTIN, AddWords, CloseSession, CreateCampaign, OpenSession, words_too_late
from ledger.change_rows import row_changes, state_and_changes_after
from ledger.declarations import Declaration
from ledger.declared_line import DeclaredLine
from ledger.dice import SEED_BYTES, AskedDice, Dice, LinkOf, RecordedDice, SecretDice, TypedDice, commitment
from ledger.errors import Damaged, LedgerError, NeverDrawn, Overtaken, Refused
from ledger.facts import GM, Claims, Declared, EntryId, Fact, Rolled, SessionClosed
from ledger.game import GameProtocol, encode_declaration
from ledger.implied_passes import ImpliedPass, decide_with_passes, free_ids, pass_records, refusal_before_dice
from ledger.ledger_state import LedgerState, decide_and_fold, load_state
from ledger.links import LineLinks, LinkSource
from ledger.projection import Projection, S
from ledger.read_models import row_changes_between
from ledger.records import LIBRARY, Head, Record, Sender, with_format
from ledger.redaction.public_records import PublicRecords
from ledger.seeds import SeedDenied, Seeds, find_key, find_seed
from ledger.session import SessionState
from ledger.snapshots import snapshot_if_due
from ledger.speakers import Encoded, Speakers
from ledger.store import Snapshot, Store, overtaken


class Ledger(Generic[S]):
    """One campaign: a store, a game, a projection, and the seeds of open sessions.

    `sender`: by which door what is written comes in, with corrections and what they cause. `links`: who gives links for
    shared dice, if somebody does.
    """

    def __init__(
        self, store: Store, game: GameProtocol[S], projection: Projection[S], seeds: Seeds, sender: Sender = LIBRARY
    ) -> None:
        self.store, self.game, self.projection, self.seeds = store, game, projection, seeds
        self.sender = sender
        self.links: LinkSource | None = None
        self.declarations = frozenset((*game.declarations, *BUILTIN))
        self._state: LedgerState[S] | None = None
        self._public = PublicRecords(store, game)

    @property
    def state(self) -> LedgerState[S]:
        """The current state, loaded when first used and after `refresh`."""
        if self._state is None:
            self._state = load_state(self.store, self.projection)
        return self._state

    @property
    def shares_dice(self) -> bool:
        """Whether dice rest on links of players' pages now, who are asked for them while a line is decided."""
        return self.state.session.open and self.state.session.shared_dice is True

    @property
    def rulebook_version(self) -> str:
        """The installed rulebook and its version, as sessions record it."""
        return f"{self.game.name} {self.game.version}"

    def create(self, name: str, *, at: str, ledger: str | None = None) -> Record:
        """Append the first record: a campaign of this game, with an id of its own (32 hex digits)."""
        said = CreateCampaign(
            by=GM,
            ledger=ledger or os.urandom(16).hex(),
            name=name,
            game=self.game.name,
            rulebook=self.rulebook_version,
            revision=self.game.revision,
        )
        return self.declare(said, at=at)

    def open_session(
        self,
        title: str,
        *,
        at: str,
        seed: bytes | None = None,
        players: tuple[str, ...] = (),
        shared_dice: bool = False,
    ) -> Record:
        """Open the next session with a secret seed, or with a given one, which is recorded as `fixed`.

        Where `players` are listed, only they and the game master may add words to the key of the dice. With
        `shared_dice` the dice rest on links too, which players' pages give.
        """
        session = self.state.session
        secret = os.urandom(SEED_BYTES) if seed is None else seed
        number = session.number + 1
        promise = commitment(session.ledger, number, secret)
        said = OpenSession(
            by=GM,
            number=number,
            title=title,
            rulebook=self.rulebook_version,
            revision=self.game.revision,
            commitment=promise,
            fixed=seed is not None,
            players=players,
            shared_dice=shared_dice or msgspec.UNSET,
        )
        if session.open:
            return self.declare(said, at=at)
        if self._is_revealed(session):
            self.seeds.delete(session.commitment)  # a close that was killed has left it
        self.seeds.save(promise, secret)
        try:
            return self.declare(said, at=at)
        except BaseException:
            if not self._may_have_opened(promise):
                self.seeds.delete(promise)
            raise

    def _is_revealed(self, session: SessionState) -> bool:
        """Return whether the seed of a session stands in the ledger."""
        takes = self.store.takes(after=EntryId(session.number, -1)) if session.number else ()
        return any(isinstance(fact, SessionClosed) and fact.seed for take in takes for fact in take.facts)

    def _may_have_opened(self, promise: str) -> bool:
        """Return whether a session with this commitment is open; True if the ledger cannot be read."""
        self.refresh()
        try:
            return self.state.session.commitment == promise
        except LedgerError:
            return True

    def close_session(self, *, at: str, lost: bool = False) -> Record:
        """Close the open session and reveal its seed. With `lost`, a seed that is missing is no error.

        Raises Refused if somebody else closed the session first, also if another one is open by then; and if the seed
        is there and somebody else's to read.
        """
        session = self.state.session
        seed = None
        if session.open:
            try:
                seed = find_seed(self.seeds, session)
            except Refused as error:
                if not lost or isinstance(error.__cause__, SeedDenied):
                    raise
        said = CloseSession(by=GM, seed=(seed or b"").hex(), lost=seed is None)
        record = self.declare(said, at=at, session=session.number)
        if record not in self.store.takes(upto=record.id, after=EntryId(record.session, record.number - 1)):
            raise Damaged("the closing of the session was not kept", where=str(record.id), hint="The seed file stays.")
        if seed is not None:
            self.seeds.delete(session.commitment)
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
        session: int | None = None,
    ) -> Record:
        """Append a declaration with all facts that it causes, or nothing. The arguments are those of a `DeclaredLine`.

        Raises Refused, BadFaces or OutOfBalance, and then nothing has changed.
        """
        typed = None if faces is None else tuple(faces)
        declared = DeclaredLine(
            at=at, text=line, faces=typed, request=request, seen=seen, claims=claims, session=session
        )
        return self.declare_each([said], declared)[-1]

    def declare_each(self, declarations: Iterable[Declaration], line: DeclaredLine) -> list[Record]:
        """Append what one line declares of several, one entry each: all of them, or nothing.

        Each is decided after those before it; one that comes too early, after another of them whose turn it is. One
        that would only let go where nothing is left is left out, unless all are. The last record has the request; a
        repeated one returns it.

        Raises CutShort for one who is refused after dice were thrown for another: those before are kept. Raises
        Overtaken, and nothing is kept, if the ledger has another history than the one that was read.
        """
        encoded = [encode_declaration(said, self.declarations, self.game.name) for said in declarations]
        while True:
            if earlier := self.find_request(line.request, line.text, encoded[-1][0]):
                if earlier.is_cut_short:
                    raise repeated_refusal(earlier)
                return [earlier]
            self._check_session(encoded, line)
            try:
                records, refused = self._append_each(encoded, line)
            except Overtaken as error:
                self.refresh()
                if error.is_fork:
                    raise
                continue
            if refused is not None:
                raise CutShort.after(records[-1], refused)
            return records

    def _check_session(self, encoded: Iterable[Encoded], line: DeclaredLine) -> None:
        """Raise Refused if the session of a line was closed, or words for its key come after its first die."""
        if any(isinstance(said, AddWords) for _, said in encoded) and self.has_drawn_dice():
            raise words_too_late()
        if line.session not in (None, self.state.session.number):
            raise Refused("L-CLOSED", f"session {line.session} was closed by somebody else", hint="Look at the log.")

    def _append_each(self, encoded: Sequence[Encoded], line: DeclaredLine) -> tuple[list[Record], Refused | None]:
        """Decide and append a line. Return its records without implied passes, and the refusal that cuts it short."""
        state = self.state
        mark = state.mark()
        beings, openings = self.projection.hidden_beings(state.state), self.projection.openings(state.state)
        try:
            records, refused = self._decide_each(encoded, line)
            records[-1] = msgspec.structs.replace(records[-1], request=line.request)
            records = list(map(with_format, records))
            snapshot = snapshot_if_due(state, records[-1])
            changed = self.projection.value_changes(state.state)
            changes = (*row_changes(records, changed), *self.projection.row_changes(state.state))
            public = self._public.of_line(records, beings, openings)
            head = self.store.append(records, after=state.head, public=public, snapshot=snapshot, changes=changes)
        except BaseException:
            state.roll_back(mark)
            raise
        state.head = head
        own = [record for record in records if record.cause is None]
        for record in own:
            self._advance(record, snapshot)
        return own, refused

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Append all that is declared inside in one transaction, durable at its end. A refusal leaves what was before.

        If an error leaves the block or the transaction fails, nothing was appended.
        """
        try:
            with self.store.batch():
                yield
        except BaseException:
            self.refresh()
            raise

    def preview(self, said: Declaration) -> list[Fact]:
        """Return the facts that a declaration would cause without dice. Raises Refused like `declare`."""
        _, said = encode_declaration(said, self.declarations, self.game.name)
        state = self.state
        with state.trial():
            return decide_and_fold(self.game, state, said, RecordedDice({}, "seed"), state.next_entry())

    def append(self, takes: Sequence[Record], *, after: Head) -> None:
        """Append takes, also of older entries, that were decided at the head `after`, and update the read models.

        Raises Overtaken if that is not the head any more, and then nothing has changed.
        """
        self.refresh()
        was, takes = self.state, list(map(with_format, takes))
        if was.head != after:
            raise overtaken(self.store, after)
        now, changes, openings = state_and_changes_after(self.store, self.projection, takes)
        changes += row_changes_between(self.projection.read_models, was.state, now.state)
        hidden = self.projection.hidden_beings
        public = self._public.of_takes(takes, hidden(was.state), hidden(now.state), openings)
        self._state = None
        now.head = self.store.append(takes, after=after, public=public, changes=changes)
        self._state = now

    def refresh(self) -> None:
        """Load the state again when it is next used: somebody else may have appended."""
        self._state = None

    def find_request(self, request: str | None, line: str, raw: bytes | None = None) -> Record | None:
        """Return the record of this request, if there is one. Raises Refused if its line was another.

        Without a line the encoded declarations (`raw`) are compared.
        """
        earlier = None if request is None else self.store.find_request(request)
        if earlier is None or earlier.declared is None:
            return None
        if earlier.line != line or (not line and raw is not None and bytes(earlier.declared.said) != raw):
            raise Refused("L-REQUEST", f"request '{request}' was another line: {earlier.line}", hint="Use a new key.")
        return earlier

    def has_drawn_dice(self) -> bool:
        """Return whether a die was drawn from the seed in this session, also in a take that no longer counts."""
        takes = self.store.takes(after=EntryId(self.state.last.session, -1))
        return any(isinstance(fact, Rolled) and fact.source == "seed" for take in takes for fact in take.facts)

    def _decide_each(self, encoded: Sequence[Encoded], line: DeclaredLine) -> tuple[list[Record], Refused | None]:
        """Return the records of a line, with implied passes, folded, and the refusal that cuts it short, if any.

        Raises Refused, naming who if several say it.
        """
        state, records, speakers = self.state, list[Record](), Speakers(encoded)
        links = LineLinks(self.store, state.session, self.links)
        opens = any(isinstance(said, OpenSession) for _, said in encoded)
        entries = iter((state.next_entry(opens=True),)) if opens else state.next_entries()
        start = entry = next(entries)
        while speaker := speakers.next(partial(refusal_before_dice, self.game, state, id=entry)):
            raw, said = speaker
            try:
                link_of = links.link_of(said.by, line.seen)
                passes, dice, facts = self._decide(said, entry, line, link_of)
            except LedgerError as error:
                speakers.refuse(speaker, error)
                continue
            speakers.accept(facts)
            links.add(facts)
            used = dice.used_faces if isinstance(dice, TypedDice) else ()
            declared = Declared(
                by=said.by, said=msgspec.Raw(raw), line=line.text, faces=used or None, claims=line.claims
            )
            if speakers.are_several:
                declared = msgspec.structs.replace(declared, line_start=str(start))
            after = state.position + len(records)
            records += pass_records(
                self.store, passes, entry, after=after, at=line.at, sender=line.sender or self.sender
            )
            records.append(self._record(entry, declared, facts, line, behind=len(records)))
            entry = next(entries, entry)
        if speakers.idle is not None and not records:
            raise speakers.idle
        if speakers.cut is not None:
            records[-1] = cut_short(records[-1])
        return records, speakers.cut

    def _decide(
        self, said: Declaration, entry: EntryId, line: DeclaredLine, link_of: LinkOf | None
    ) -> tuple[list[ImpliedPass], Dice, list[Fact]]:
        """Return implied passes, dice and facts, folded. Raises Refused if a die is needed and there is no seed."""
        free = free_ids(self.store, entry)
        try:
            dice = partial(self._dice, line, link_of)
            return decide_with_passes(self.game, self.state, said, dice, entry, line.claims, free)
        except NeverDrawn as error:
            raise Refused(
                "L-CLOSED",
                "no session is open, so no die can be drawn",
                hint="Open one (campaign open), or type the faces on the table, as in /7.6.",
            ) from error

    def _dice(self, line: DeclaredLine, link_of: LinkOf | None = None) -> Dice:
        """Return the dice of an entry: typed or asked faces, the session's seed, or dice that can show nothing."""
        if line.faces is not None:
            return TypedDice(line.faces)
        if line.ask is not None:
            return AskedDice(line.ask)
        if not self.state.session.open:
            return RecordedDice({}, "seed")
        return SecretDice(partial(find_key, self.seeds, self.state.session), self.state.next_throw, link_of)

    def _record(
        self, entry: EntryId, declared: Declared, facts: Iterable[Fact], line: DeclaredLine, *, behind: int
    ) -> Record:
        """Return the next take of `entry`, written `behind` so many others."""
        sender = line.sender or self.sender
        return Record(
            position=self.state.position + behind + 1,
            session=entry.session,
            number=entry.number,
            insert=entry.insert,
            take=self.state.reusable_numbers.get(entry.number, 0) + 1,
            cause=None,
            request=None,
            by=declared.by,
            holder=sender.holder,
            door=sender.door,
            at=line.at,
            seen=line.seen,
            facts=(declared, *facts),
        )

    def _advance(self, record: Record, snapshot: Snapshot | None) -> None:
        """Move the state on after its record is appended."""
        state = self.state
        self.projection.commit(state.state)
        state.reusable_numbers.pop(record.number, None)
        if record.session != state.last.session:
            state.reusable_numbers.clear()
        state.last = max(state.last, record.id)
        if snapshot is not None:
            state.facts_since_snapshot = 0
