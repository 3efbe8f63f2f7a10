"""Replay: decide every entry again from its declaration, typed faces and seed, and compare the facts.

After a difference the recorded facts are folded, so that each difference is reported once. No snapshot is used: the
fold starts from the first record. In an open session only recorded faces are used, and its seed is not read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from itertools import groupby
from typing import Generic, Protocol

import msgspec

from ledger.builtin import BUILTIN
from ledger.declarations import Declaration
from ledger.dice import Dice, TypedDice
from ledger.diff import ReplayDifference, first_difference, refused_difference, to_json
from ledger.errors import LedgerError, NewerRules, unusable
from ledger.facts import Claimed, EntryId, Invalidated, Rolled, Scalar, SessionClosed, parse_entry_id
from ledger.game import GameProtocol, decoder
from ledger.implied_passes import implying_entry, place_before
from ledger.ledger_state import LedgerState, decide_and_fold, initial_state
from ledger.projection import Projection, S
from ledger.records import REMEMBERED_MOST, Record
from ledger.redecide import RevealedSeed, dice_for_entry, group_by_entry, redecide, revealed_seeds, typed_faces_used
from ledger.store import Store


class ClaimMismatch(msgspec.Struct, frozen=True, kw_only=True):
    """A claim that differs from what the ledger says at its entry."""

    entry: str
    value: str
    claimed: Scalar
    actual: Scalar | None


class ReplayReport(msgspec.Struct, kw_only=True):
    """The counts, differences and wrong claims of a replay."""

    sessions: list[int] = []
    entries: int = 0
    facts: int = 0
    drawn: int = 0  # faces computed again from revealed seeds
    typed: int = 0  # faces typed in: nothing can compute them
    sealed: int = 0  # faces of an open session, whose seed is still secret
    unproved: int = 0  # faces of a session that was closed without its seed
    rulebooks: list[str] = []
    differences: list[ReplayDifference] = []
    claims: list[ClaimMismatch] = []

    def add(self, later: ReplayReport) -> None:
        """Add the report of the sessions after these."""
        self.sessions += later.sessions
        self.entries += later.entries
        self.facts += later.facts
        self.drawn += later.drawn
        self.typed += later.typed
        self.sealed += later.sealed
        self.unproved += later.unproved
        self.rulebooks += (name for name in later.rulebooks if name not in self.rulebooks)
        self.differences += later.differences
        self.claims += later.claims


class Replay(Generic[S]):
    """A ledger whose entries are decided again."""

    def __init__(
        self, store: Store, game: GameProtocol[S], projection: Projection[S], *, reads_twice: bool = False
    ) -> None:
        """`reads_twice`: somebody else asks for each declaration a little earlier."""
        self.store, self.game, self.projection = store, game, projection
        self.decoder = decoder(game, BUILTIN)
        self.decode: Callable[[msgspec.Raw], Declaration] = self.decoder.decode
        if reads_twice:
            remembered = lru_cache(REMEMBERED_MOST)(self.decoder.decode)
            self.decode = lambda said: remembered(bytes(said))

    def run(self, session: int | None = None) -> ReplayReport:
        """Replay one session, or all. The state before it is folded from the recorded facts.

        The replay ends, with a last difference, at an entry whose recorded facts do not add up.
        """
        report, state = ReplayReport(), initial_state(self.projection)
        self.run_from(state, self.store.takes(), report, session)
        return report

    def run_from(
        self,
        state: LedgerState[S],
        takes: Iterable[Record],
        report: ReplayReport,
        session: int | None = None,
        watcher: Watcher | None = None,
    ) -> bool:
        """Replay one session of these, or all, from the state before them, and return whether their facts add up.

        `takes` are those of whole sessions, in order of id. They are folded into `state`, at which `watcher` looks.
        """
        for of_session in sessions_of(takes):
            number = of_session.number
            if watcher is not None:
                watcher.before_session(of_session)
            for takes_of_entry in of_session.entries:
                record = takes_of_entry[-1]
                is_folded = session in (None, number) and self._replay_entry(state, takes_of_entry, of_session, report)
                try:
                    state.accept(record) if is_folded else state.fold(record)
                except LedgerError as error:
                    report.differences.append(_balance_difference(record, error))
                    return False
                if watcher is not None:
                    watcher.after_entry(record)
                if report.sessions[-1:] == [number] and state.session.rulebook not in report.rulebooks:
                    report.rulebooks.append(state.session.rulebook)
        return True

    def _replay_entry(
        self, state: LedgerState[S], takes: Sequence[Record], session: SessionTakes, report: ReplayReport
    ) -> bool:
        """Decide one entry again and compare its facts; return whether they are the same, and folded."""
        record = takes[-1]
        declared = record.declared
        if declared is None:
            return False
        if report.sessions[-1:] != [record.session]:
            report.sessions.append(record.session)
        report.entries += 1
        report.facts += len(record.facts)
        _count_entry(record, session, report)
        is_pass = bool(declared.implied_by)
        pass_difference = self._pass_difference(state, record, session) if is_pass else None  # before the entry
        mark = state.mark()
        difference = self._fold_again(state, record, takes, session.seeds) or pass_difference
        if difference is None:
            return True
        report.differences.append(difference)
        state.roll_back(mark)
        return False

    def _pass_difference(self, state: LedgerState[S], record: Record, session: SessionTakes) -> ReplayDifference | None:
        """Return the difference of a pass from the one that its entry implies in this state."""
        implying = implying_entry(record)
        return (
            pass_difference(self.game, self.decoder, state, record, session.last_take(implying)) if implying else None
        )

    def decide_again(
        self, state: LedgerState[S], record: Record, takes: Sequence[Record], seeds: Mapping[int, RevealedSeed]
    ) -> ReplayDifference | None:
        """Decide one take in the state before it; return the first difference. The state stays as it is.

        `takes` are all takes of its entry.
        """
        mark = state.mark()
        try:
            return self._fold_again(state, record, takes, seeds)
        finally:
            if state.mark() != mark:
                state.roll_back(mark)

    def _fold_again(
        self, state: LedgerState[S], record: Record, takes: Sequence[Record], seeds: Mapping[int, RevealedSeed]
    ) -> ReplayDifference | None:
        """Decide one take and fold the facts that follow; return the first difference."""
        declared = record.declared
        assert declared is not None
        dice = (
            TypedDice(declared.faces)
            if declared.faces is not None
            else dice_for_entry(state, takes, seeds, declared.said)
        )
        try:
            said = self.decode(declared.said)
            decide = redecide if record.has(Invalidated) else decide_and_fold
            derived = decide(self.game, state, said, dice, record.id, declared.claims)
        except NewerRules:
            raise
        except LedgerError as error:
            return refused_difference(record, error)
        except Exception as error:
            return refused_difference(record, unusable(error, "entry", record.id))
        return _declaration_difference(record, said, dice) or first_difference(record, derived)


class SessionTakes:
    """All takes of a session: those of each entry, and the seed that its close revealed."""

    def __init__(self, number: int, takes: Iterable[Record]) -> None:
        """`takes` must be in order of id."""
        self.number, self.entries = number, list(group_by_entry(takes))
        self.seeds = revealed_seeds(take for takes in self.entries for take in takes)
        self.is_lost = not self.seeds and any(takes[-1].has(SessionClosed) for takes in self.entries)

    def last_take(self, name: str) -> Record | None:
        """Return the last take of an entry of this session."""
        return self._last_takes.get(parse_entry_id(name))

    @cached_property
    def _last_takes(self) -> Mapping[EntryId, Record]:
        return {takes[-1].id: takes[-1] for takes in self.entries}


def sessions_of(takes: Iterable[Record]) -> Iterator[SessionTakes]:
    """Yield the takes of each session; `takes` must be in order of id."""
    return (SessionTakes(number, group) for number, group in groupby(takes, key=lambda take: take.session))


class Watcher(Protocol):
    """Who looks at a state on its way through the entries of a ledger."""

    def before_session(self, session: SessionTakes) -> None:
        """Look at the state before a session."""

    def after_entry(self, record: Record) -> None:
        """Look at the state after an entry: the one of this take, which counts."""


def pass_difference(
    game: GameProtocol[S],
    decoder: msgspec.json.Decoder[Declaration],
    state: LedgerState[S],
    record: Record,
    cause: Record | None,
) -> ReplayDifference | None:
    """Return how a pass differs from the one that the entry `cause` implies in the state before it."""
    assert record.declared is not None
    derived: object = None
    if cause is not None and cause.declared and place_before(cause.id) < record.id < cause.id:
        with suppress(msgspec.MsgspecError):
            derived = next(iter(game.skips(decoder.decode(cause.declared.said), state.state)), None)
            if derived == decoder.decode(record.declared.said):
                return None
    return ReplayDifference(
        entry=str(record.id),
        fact=1,
        kind="declared",
        field="implied_by",
        recorded=to_json(implying_entry(record)),
        derived=to_json(derived),
        rules=(),
    )


def _count_entry(record: Record, session: SessionTakes, report: ReplayReport) -> None:
    """Count the faces of an entry by their source, and collect its wrong claims."""
    for fact in record.facts:
        if type(fact) is Rolled:
            if fact.source == "table":
                report.typed += len(fact.dice)
            elif record.session in session.seeds:
                report.drawn += len(fact.dice)
            elif session.is_lost:
                report.unproved += len(fact.dice)
            else:
                report.sealed += len(fact.dice)
        elif type(fact) is Claimed and fact.claimed != fact.actual:
            claim = ClaimMismatch(entry=str(record.id), value=fact.value, claimed=fact.claimed, actual=fact.actual)
            report.claims.append(claim)


def _declaration_difference(record: Record, said: Declaration, dice: Dice) -> ReplayDifference | None:
    """Compare the first fact with the declaration: who made it, and which typed faces were thrown."""
    declared = record.declared
    assert declared is not None
    faces = typed_faces_used(dice)
    if (said.by, faces) == (declared.by, declared.faces):
        return None
    if record.has(Invalidated):
        faces = declared.faces
    for field, recorded, derived in (("by", declared.by, said.by), ("faces", declared.faces, faces)):
        if recorded != derived:
            return ReplayDifference(
                entry=str(record.id),
                fact=1,
                kind="declared",
                field=field,
                recorded=to_json(recorded),
                derived=to_json(derived),
                rules=declared.rules,
            )
    return None


def _balance_difference(record: Record, error: LedgerError) -> ReplayDifference:
    """Return the difference of an entry whose recorded facts do not add up."""
    return ReplayDifference(
        entry=str(record.id),
        fact=len(record.facts),
        kind="entry",
        field="balance",
        recorded=f"{len(record.facts)} facts",
        derived=error.what,
        rules=(),
    )
