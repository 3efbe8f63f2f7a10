"""What everybody sees of takes that are about to be written: decided once, with what is known at that time.

A correction is looked at with all takes that it causes, any other take by itself: so `verify` can do it again. What is
revealed later changes no public bytes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, Generic

import msgspec

from ledger.acts import acts_of
from ledger.extracts import Extract
from ledger.facts import (
    KINDS,
    Amended,
    BaseFact,
    Declared,
    EntryId,
    Fact,
    Judged,
    Told,
    WindowClosed,
    WindowOpened,
    parse_entry_id,
)
from ledger.game import GameProtocol
from ledger.health import Vitals, is_vital
from ledger.ledger_state import LedgerState, RollbackPoint
from ledger.names import name_key
from ledger.projection import Projection, S
from ledger.records import Record
from ledger.redaction.fact_redaction import VISIBLE, default_values
from ledger.redaction.known_secrets import HEALTH_KINDS, kinds_by_tag
from ledger.redaction.line_redaction import Hidden
from ledger.redaction.open_windows import OpenWindows
from ledger.redaction.secrets import Secrets
from ledger.redaction.seen_records import seen_record
from ledger.redecide import corrected_entry
from ledger.store import Store

Openings = dict[str, EntryId]  # the open windows, with the entries that opened them
ALWAYS: Final[Mapping[type[BaseFact], Sequence[tuple[str, Any]]]] = {
    kind: [(name, default_values(kind)[name]) for name in kind.hides.always] for kind in KINDS if kind.hides.always
}  # fields that nobody sees, with what they are if they say nothing


class WritingMoment(msgspec.Struct):
    """What is known of the moment before an entry: the open windows, and how the hidden beings were that it changes."""

    openings: Openings
    vitals: dict[str, Vitals] = {}


class WritingKnowledge:
    """What is known of secrets when takes are written behind the end of a store (a `Knowledge`)."""

    def __init__(self, store: Store, projection: Projection[Any], secrets: Secrets, hidden: Hidden) -> None:
        self.store, self.projection, self.secrets, self.hidden = store, projection, secrets, hidden
        self.new: Sequence[Record] = ()  # the takes that are written
        self.moments: Mapping[EntryId, WritingMoment] = {}

    @cached_property
    def revealed(self) -> Collection[EntryId]:
        """The entries that were revealed."""
        return frozenset(map(parse_entry_id, self.secrets.revealed))

    def before(self, record: Record | Extract) -> Hidden:
        """Return what is hidden, with the vitals before a record of those hidden beings whose health it changes."""
        vitals = self.moments[record.id].vitals
        return msgspec.structs.replace(self.hidden, vitals=vitals) if vitals else self.hidden

    def opening(self, window: str, entry: EntryId) -> EntryId | None:
        """Return the entry that opened a window which is open before an entry; None if it is not open there."""
        if moment := self.moments.get(entry):
            return moment.openings.get(window)
        return self._windows.opening(window, entry)

    @cached_property
    def _windows(self) -> OpenWindows:
        """The windows of the entries before all that are written."""
        return OpenWindows(self.store, self.projection, self.store.head().position)

    def has_secret_take(self, entry: EntryId) -> bool:
        """Return whether a take of an entry is secret."""
        return self.secrets.has_entries and any(take.seen != VISIBLE for take in self.takes(entry))

    def takes(self, entry: EntryId) -> Iterator[Record]:
        """Yield all takes of an entry, also those that are written."""
        yield from self.store.takes(after=entry.before, upto=entry)
        yield from (take for take in self.new if take.id == entry)

    def is_retaken(self, record: Record | Extract) -> bool:
        """Return whether the entry of a record has other takes."""
        return record.take > 1


class WritingMoments(Generic[S]):
    """The moments before the entries of takes of any entries and before those that they correct.

    They are noted while the takes are folded with all others. Of older entries the store knows.
    """

    def __init__(self, public: PublicRecords[S], takes: Sequence[Record], was: Secrets) -> None:
        self.public, self.by_entry = public, dict[EntryId, WritingMoment]()
        self._secrets, self._wanted = was, {take.id for take in takes}
        for take in takes:
            self._secrets = self._secrets.after(take)
            corrected = (corrected_entry(fact) for fact in take.facts if isinstance(fact, Amended))
            self._wanted.update(map(parse_entry_id, corrected))

    def note(self, state: LedgerState[S], record: Record) -> None:
        """Note the moment before an entry, of which `record` is the take that counts, and `state` the state before."""
        if record.id in self._wanted:
            self.by_entry[record.id] = self.public.moment(state, record, self._secrets)


class PublicRecords(Generic[S]):
    """What everybody sees of the next takes of a ledger."""

    def __init__(self, store: Store, game: GameProtocol[S], projection: Projection[S]) -> None:
        self.store, self.game, self.projection = store, game, projection
        self._hidden: tuple[Secrets, Hidden] | None = None  # the latest

    def of_line(self, records: Sequence[Record], state: LedgerState[S], mark: RollbackPoint) -> list[Record]:
        """Return the records of a line, which `state` has folded since `mark`, as everybody sees them.

        What they say of secrets is taken into the state.
        """
        shown, earlier = list[Record](), list[tuple[EntryId, Fact]]()
        for index, record in enumerate(records):
            state.secrets = state.secrets.after(record)
            if self._may_hide(record, state.secrets):
                known = self._knowledge(state.secrets, records[: index + 1])
                moment = moment_of(self.projection, state.state, mark[0], record, known.hidden)
                known.moments = {record.id: moment_after(moment, earlier, known.hidden)}
                shown.append(seen_record(record, known))
            else:
                shown.append(record)
            earlier += ((record.id, fact) for fact in record.facts)
        return shown

    def of_takes(self, takes: Sequence[Record], was: Secrets, now: Secrets, moments: WritingMoments[S]) -> list[Record]:
        """Return takes of any entries as everybody sees them; `was` and `now` are the secrets before and after them."""
        shown, secrets = list[Record](), was
        acts = list(acts_of(takes))
        for act in acts:
            for take in act:
                secrets = secrets.after(take)
            if len(acts) == 1:
                secrets = now  # a correction may take back what was revealed
            known = self._knowledge(secrets, takes[: len(shown) + len(act)])
            known.moments = moments.by_entry
            shown += (seen_record(take, known) if self._may_hide(take, secrets) else take for take in act)
        return shown

    def moment(self, state: LedgerState[S], record: Record, secrets: Secrets) -> WritingMoment:
        """Return the moment before an entry, of which `state` is the state before it and `record` a take."""
        mark = self.projection.mark(state.state)
        return moment_of(self.projection, state.state, mark, record, self._hidden_by(secrets))

    def _knowledge(self, secrets: Secrets, new: Sequence[Record]) -> WritingKnowledge:
        """Return what is known of secrets when these takes are written."""
        known = WritingKnowledge(self.store, self.projection, secrets, self._hidden_by(secrets))
        known.new = new
        return known

    def _hidden_by(self, secrets: Secrets) -> Hidden:
        """Return what is hidden from the players."""
        if self._hidden is None or self._hidden[0] is not secrets:
            self._hidden = secrets, hidden_by(secrets, self.game)
        return self._hidden[1]

    def _may_hide(self, record: Record, secrets: Secrets) -> bool:
        """Return whether something of a record may be hidden: a quick look, for tables that hide nothing."""
        if record.seen != VISIBLE or secrets.has_entries or secrets.joined:
            return True
        for fact in record.facts:
            if isinstance(fact, Judged | Told) and fact.seen != VISIBLE:
                return True
            if type(fact) in ALWAYS and any(getattr(fact, name) != blank for name, blank in ALWAYS[type(fact)]):
                return True
            if isinstance(fact, Declared) and any(name in bytes(fact.said) for name in self._secret_fields):
                return True
        return False

    @cached_property
    def _secret_fields(self) -> Collection[bytes]:
        """The fields with which a declaration says that its numbers are secret."""
        return {kind.secret.encode() for kind in kinds_by_tag(self.game.declarations).values() if kind.secret}


def hidden_by(secrets: Secrets, game: GameProtocol[Any]) -> Hidden:
    """Return what is hidden from the players."""
    return Hidden(
        beings=secrets.beings,
        conditions=secrets.struck,
        keys=frozenset(map(name_key, secrets.beings)),
        vitals={},
        vital=game.vital,
        kinds=kinds_by_tag(game.declarations),
        wording=game.wording,
    )


def moment_of(projection: Projection[S], state: S, mark: int, record: Record, hidden: Hidden) -> WritingMoment:
    """Return what was known at a mark, of those whose health a record changes."""
    named = {getattr(fact, "who", "") for fact in record.facts if type(fact) in HEALTH_KINDS}
    vitals = {who: projection.vitals(state, who, hidden.vital, mark) for who in named if hidden.is_hidden(who)}
    return WritingMoment(dict(projection.openings(state, mark)), vitals)


def moment_after(moment: WritingMoment, facts: Iterable[tuple[EntryId, Fact]], hidden: Hidden) -> WritingMoment:
    """Return what is known after more facts, each with its entry."""
    for entry, fact in facts:
        if isinstance(fact, WindowOpened):
            moment.openings[fact.window] = entry
        elif isinstance(fact, WindowClosed):
            moment.openings.pop(fact.window, None)
        elif is_vital(fact, hidden.vital) and fact.who in moment.vitals:
            moment.vitals[fact.who] = moment.vitals[fact.who].after(fact)
    return moment
