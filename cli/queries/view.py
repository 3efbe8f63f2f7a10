"""What somebody may see of a ledger: the game master everything, the players nothing that is hidden from them.

Hidden are: entries that are not seen by the table; the numbers of beings that are not; results whose target is not; the
words and numbers of a line that says them. `Revealed` shows an entry or a being from then on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

import msgspec

from cli.errors import InputError
from cli.options import PLAYERS
from cli.queries.dice_facts import DICE, DICE_TO_REDACT, seen_dice
from cli.queries.health import VITAL_KINDS, VitalHistory, is_vital
from cli.queries.open_windows import OpenWindows
from cli.queries.redaction import VISIBLE, NumberedFacts, OlderRoll, has_secrets, seen_facts
from cli.queries.seen_line import Hidden, says_hidden, seen_line
from cli.queries.seen_state import PlayersFold, SeenFold
from ledger.builtin import BUILTIN
from ledger.declarations import Declaration
from ledger.extracts import Extract, Kinds, OtherFact
from ledger.facts import (
    Amended,
    ConditionBegan,
    Declared,
    EncounterBegan,
    EntryId,
    Fact,
    Joined,
    Judged,
    OrderSet,
    Revealed,
    Told,
    WindowChanged,
    WindowClosed,
    WindowOpened,
    parse_entry_id,
)
from ledger.ledger_state import LedgerState
from ledger.names import name_key
from ledger.odds import Odds
from ledger.records import ENCODER, Record, latest_takes
from ledger.store import Store
from projections.state import State
from rulebooks.common.game import Game

TEXTS: Final[Kinds] = frozenset((Told, Amended))  # a correction of a secret entry is secret
PRESENCE: Final[Kinds] = frozenset((Declared, Joined, EncounterBegan, OrderSet, Amended))  # a correction may be secret
TELLING: Final[Kinds] = frozenset((*VITAL_KINDS, ConditionBegan, Joined, Revealed))  # that say what is hidden
SEEN_MOST: Final = 2000  # records that are kept as they are seen
FOLDS_MOST: Final = 4
SECRET: Final = "secret"  # the reason of a change in a secret entry


class View:
    """What the game master sees: everything. What the players see is the subclass."""

    def __init__(self, store: Store) -> None:
        self.store = store

    @property
    def hidden(self) -> Collection[str]:
        """The beings whose numbers are hidden."""
        return ()

    @property
    def sees_all(self) -> bool:
        """Whether every entry is seen as it is stored."""
        return True

    @property
    def has_secrets(self) -> bool:
        """Whether there are entries that are not seen."""
        return False

    def follow(self, records: Sequence[Record]) -> bool:
        """Take in records that were appended. Returns whether all entries before the oldest are seen as before."""
        return True

    def record(self, record: Record) -> Record | None:
        """Return a record as it is seen; None if it is secret."""
        return record

    def is_secret(self, record: Record | Extract) -> bool:
        """Return whether an entry is not seen."""
        return False

    def facts(self, record: Record) -> NumberedFacts:
        """Return the facts of a record as they are seen, with their numbers in the record."""
        return list(enumerate(record.facts, start=1))

    def changes(self, record: Record) -> tuple[Fact, ...]:
        """Return all facts of a record, as sums need them; without the reasons if it is secret."""
        return record.facts

    def hides(self, value: str) -> bool:
        """Return whether a value, as `thug.health`, is not seen."""
        return False

    def presence(self, since: int, as_of: int) -> Iterator[object]:
        """Yield the facts that say who spoke, joined or was in an encounter since a session; others may be empty."""
        for number in sorted(number for number in self.store.session_sizes() if number >= since):
            for take in self.store.extracts(PRESENCE, session=number, as_of=as_of):
                if take.counts and not self.is_secret(take):
                    yield from take.facts

    def texts(self) -> list[tuple[EntryId, Told]]:
        """Return all texts that count and are seen, each with its entry, in order."""
        takes = (take for take in self.store.extracts(TEXTS) if take.counts and not self.is_secret(take))
        found = [(take.id, fact) for take in takes for fact in take.facts if isinstance(fact, Told)]
        return sorted((pair for pair in found if self.shows_text(*pair)), key=lambda pair: pair[0])

    def shows_text(self, entry: EntryId, fact: Told) -> bool:
        """Return whether a text of an entry that is not secret is seen."""
        return True

    def check_odds(self, said: Declaration, position: LedgerState[State]) -> None:
        """Raise InputError if the odds of a declaration would tell something hidden."""

    def check_results(self, odds: Iterable[Odds]) -> None:
        """Raise InputError if odds were counted with something hidden."""

    def state(self, position: LedgerState[State]) -> LedgerState[State]:
        """Return the state as it is seen."""
        return position

    def fold(self, position: LedgerState[State]) -> SeenFold:
        """Return what makes the states of this view from here on, entry by entry."""
        return SeenFold()

    def records(self, records: Iterable[Record]) -> Iterator[Record]:
        """Yield the records that are seen, as they are seen."""
        for record in records:
            seen = self.record(record)
            if seen is not None:
                yield seen

    def latest(self, **bounds: Any) -> Iterator[Record]:
        """Yield the takes that count and are seen, as they are seen; the bounds are those of `Store.takes`."""
        yield from self.records(latest_takes(self.store.takes(**bounds)))

    def dice(self, session: int | None = None) -> Iterator[tuple[int, Iterable[object]]]:
        """Yield the session of each record that counts and is seen, and its rolls, results and losses.

        Other facts may be among them, empty.
        """
        for take in self.store.extracts(DICE, session=session):
            if take.counts:
                yield take.session, take.facts


class PlayersView(View):
    """What the players see."""

    def __init__(self, store: Store, book: Game, *, as_of: int | None = None) -> None:
        super().__init__(store)
        lexicon = book.texts().lexicon
        self._as_of = as_of
        self._vital, self._wording = lexicon.vital_value, lexicon.wording
        self._kinds = {str(kind.__struct_config__.tag): kind for kind in (*book.declarations, *BUILTIN)}
        self._load()

    def _load(self) -> None:
        """Learn from the facts that say so what is hidden."""
        self._seen: dict[int, tuple[Record, Record | None]] = {}  # by position: pages ask for a record many times
        self._position = self.store.head().position if self._as_of is None else self._as_of
        self._last: EntryId | None = None  # the last entry, once it was asked for
        self._beings: set[str] = set()
        self._vitals = VitalHistory()
        self._retaken = dict[int, Collection[EntryId]]()  # by session, the entries with several takes
        self._secrets: set[EntryId] = set()
        self._shown: set[EntryId] = set()
        self._conditions: set[str] = set()  # who has had a condition that began in a secret entry
        self._windows = OpenWindows(self.store, self._position)
        self._folds: dict[EntryId, PlayersFold] = {}  # where states were asked for last: others go on from there
        extracts = self.store.extracts(TELLING, as_of=self._position, secret=True)
        takes = sorted(extracts, key=lambda take: (take.session, take.number, take.insert))
        self._add(takes, [take for take in takes if take.counts])

    def follow(self, records: Sequence[Record]) -> bool:
        """Take in records that were appended. Returns whether all entries before the oldest are seen as before."""
        known = self._knowledge()
        ids = [self._last_entry(), *(record.id for record in records)]
        if all(one < other for one, other in pairwise(ids)):
            self._last, self._position = ids[-1], max(self._position, *(record.position for record in records))
            self._windows.follow(records)
            self._add(records, records)
        else:
            self._load()
        if self._knowledge() == known:
            return True
        self._seen.clear()
        return False

    def _knowledge(self) -> tuple[object, ...]:
        """Return what can change how an older entry is seen, and whether secret entries are looked for in the state."""
        return self._hidden, frozenset(self._shown), self.has_secrets

    def _last_entry(self) -> EntryId:
        """Return the last entry that is known."""
        if self._last is None:
            start = EntryId(max(self.store.session_sizes(), default=0), -1)
            self._last = max((take.id for take in self.store.takes(after=start, as_of=self._position)), default=start)
        return self._last

    def _add(self, takes: Sequence[Extract | Record], latest: Sequence[Extract | Record]) -> None:
        """Take in takes of entries behind all others, in order of id, and those of them that count."""
        for take in takes:
            if take.seen != VISIBLE:
                self._secrets.add(take.id)
            for fact in take.facts:
                if isinstance(fact, Joined) and fact.seen != VISIBLE:
                    self._beings.add(fact.who)
        for take in latest:
            self._add_latest(take)
        self._secrets -= self._shown
        for take in takes:
            if take.id in self._secrets:
                self._conditions.update(fact.who for fact in take.facts if isinstance(fact, ConditionBegan))
        self._folds.clear()
        self._hidden = Hidden(
            beings=frozenset(self._beings),
            conditions=frozenset(self._conditions),
            keys=frozenset(map(name_key, self._beings)),
            vitals={},
            vital=self._vital,
            kinds=self._kinds,
            wording=self._wording,
        )

    def _add_latest(self, take: Extract | Record) -> None:
        """Take in the facts of a take that counts: how beings are, and what was revealed."""
        entry = take.id
        for fact in take.facts:
            if isinstance(fact, OtherFact):
                continue
            if is_vital(fact, self._vital):
                self._vitals.add(entry, fact)
            elif isinstance(fact, Revealed) and not fact.entry:
                self._beings.discard(fact.who)
            elif isinstance(fact, Revealed) and (shown := parse_entry_id(fact.entry)) < entry:
                self._shown.add(shown)

    @property
    def hidden(self) -> Collection[str]:
        """The beings whose numbers are hidden."""
        return self._hidden.beings

    @property
    def sees_all(self) -> bool:
        """Whether every entry is seen as it is stored."""
        return False

    @property
    def has_secrets(self) -> bool:
        """Whether there are entries that are not seen."""
        return bool(self._secrets)

    def is_secret(self, record: Record | Extract) -> bool:
        """Return whether an entry is not for the players: it is secret, or corrects one that is."""
        secret = record.seen != VISIBLE and record.id in self._secrets
        return secret or any(take.seen != VISIBLE and take.id in self._secrets for take in self._corrected(record))

    def record(self, record: Record) -> Record | None:
        """Return a record as the players see it; None if it is secret."""
        if record.position > self._position:
            self._load()
        whole, seen = self._seen.get(record.position, (None, None))
        if whole != record:
            seen = self._find_seen(record)
            if len(self._seen) >= SEEN_MOST:
                self._seen.clear()
            self._seen[record.position] = record, seen
        return seen

    def _find_seen(self, record: Record) -> Record | None:
        """Return a record as the players see it; None if it is secret."""
        if self.is_secret(record):
            return None
        seen = msgspec.structs.replace(record, facts=tuple(fact for _, fact in self.facts(record)))
        # A request may be a digest of the line, from which its numbers could be guessed.
        return seen if seen == record else msgspec.structs.replace(seen, request=None)

    def facts(self, record: Record) -> NumberedFacts:
        """Return the facts of a record that is not secret as the players see them."""
        id = record.id
        if id in self._shown:
            return list(enumerate(record.facts, start=1))
        others = self.store.takes(after=id.before, upto=id) if self._is_retaken(id) else ()
        secret = any(map(self.has_hidden, others))
        seen = seen_facts(record, self._hidden_before(record), self._rolls(record), secret=secret)
        if record.declared is not None and any(map(self.has_hidden, self._corrected(record))):
            number, declared = seen[0]
            seen[0] = number, msgspec.structs.replace(declared, line=seen_line(record.line))
        return seen

    def _is_retaken(self, entry: EntryId) -> bool:
        """Return whether an entry has several takes."""
        session = entry.session
        if session not in self._retaken:
            self._retaken[session] = self.store.last_takes(session=session, as_of=self._position).keys()
        return entry in self._retaken[session]

    def _hidden_before(self, record: Record) -> Hidden:
        """Return what is hidden, with the vitals before a record of those hidden beings whose vitals it changes."""
        changed = {fact.who for fact in record.facts if is_vital(fact, self._vital)} & self._beings
        if not changed:
            return self._hidden
        vitals = {who: self._vitals.before(who, record.id) for who in changed}
        return msgspec.structs.replace(self._hidden, vitals=vitals)

    def has_hidden(self, record: Record) -> bool:
        """Return whether something in a record is hidden, so that its line may say it."""
        return record.id not in self._shown and has_secrets(record, self._hidden, self._rolls(record))

    def _rolls(self, record: Record | Extract) -> Mapping[int, OlderRoll]:
        """Return what is hidden of earlier rolls that a record goes on with, by the number of the fact."""
        rolls, own = dict[int, OlderRoll](), set[str]()  # the windows that were opened or closed in the record itself
        for number, fact in enumerate(record.facts, start=1):
            if isinstance(fact, WindowOpened):
                own.add(fact.window)
            elif isinstance(fact, Judged | WindowChanged | WindowClosed) and fact.window and fact.window not in own:
                opened = self._windows.opening(fact.window, record.id)
                if opened is not None:
                    rolls[number] = self._kind_of_roll(opened)
                if isinstance(fact, WindowClosed):
                    own.add(fact.window)
        return rolls

    def _kind_of_roll(self, opened: EntryId) -> OlderRoll:
        """Return what is hidden of a roll that an entry opened."""
        if opened in self._secrets:
            return "secret"
        return "shown" if opened in self._shown else "older"

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

    def shows_text(self, entry: EntryId, fact: Told) -> bool:
        """Return whether a text of an entry that is not secret is seen."""
        return fact.seen == VISIBLE or entry in self._shown

    def dice(self, session: int | None = None) -> Iterator[tuple[int, Iterable[object]]]:
        """Yield the session of each record that counts and is seen, and its rolls, results and losses as seen."""
        for take in self.store.extracts(DICE_TO_REDACT, session=session):
            if not take.counts or self.is_secret(take):
                continue
            if take.id in self._shown:
                yield take.session, take.facts
            else:
                rolls = self._rolls(take) if self._secrets or self._shown else {}
                yield take.session, seen_dice(take.facts, self._hidden, rolls)

    def check_odds(self, said: Declaration, position: LedgerState[State]) -> None:
        """Raise InputError if the odds of a declaration would tell something hidden."""
        content = msgspec.json.decode(ENCODER.encode(said))
        if says_hidden(content, self._hidden):
            raise odds_error()
        for window in position.state.windows.values():
            opened = next(latest_takes(self.store.takes(after=window.opened.before, upto=window.opened)))
            if self.is_secret(opened) or self.has_hidden(opened):
                raise odds_error()

    def check_results(self, odds: Iterable[Odds]) -> None:
        """Raise InputError if odds were counted with something hidden."""
        for each in odds:
            beings = any(self._hidden.is_hidden(chance.who, chance.against) for chance in each.chances)
            if each.secret or beings or any(self.hides(expected.value) for expected in each.expected):
                raise odds_error()

    def state(self, position: LedgerState[State]) -> LedgerState[State]:
        """Return the state as the players see it."""
        return self.fold(position).state(position)

    def fold(self, position: LedgerState[State]) -> SeenFold:
        """Return what makes the states of this view from here on, entry by entry."""
        if position.position != self._position:
            return self._walk(self._new_fold(), position, after=None)
        if not self._secrets:
            fold = self._new_fold()
            fold.health.update(self._vitals.last_changes(position.last))
            return fold
        nearest = max((entry for entry in self._folds if entry <= position.last), default=None)
        fold = self._new_fold() if nearest is None else self._folds[nearest].copy()
        self._walk(fold, position, after=nearest)
        while len(self._folds) >= FOLDS_MOST:
            del self._folds[min(self._folds)]
        self._folds[position.last] = fold.copy()
        return fold

    def _new_fold(self) -> PlayersFold:
        """Return what makes the states from the first entry on."""
        return PlayersFold(self._hidden, self.is_secret if self._secrets else None)

    def _walk(self, fold: PlayersFold, position: LedgerState[State], *, after: EntryId | None) -> PlayersFold:
        """Add the records behind an entry up to a state, and return the fold."""
        for record in latest_takes(self.store.takes(after=after, upto=position.last, as_of=position.position)):
            fold.add(record)
        return fold

    def _corrected(self, record: Record | Extract) -> Iterator[Record]:
        """Yield all takes of the entries that a correction names."""
        for fact in record.facts:
            if isinstance(fact, Amended):
                id = parse_entry_id(fact.entry.partition("@")[0])
                yield from self.store.takes(after=id.before, upto=id)


def odds_error() -> InputError:
    """Return the error for odds that rest on hidden numbers."""
    what = "these odds rest on numbers that are the game master's"
    return InputError(what, hint="Ask about a difficulty that everybody knows, as in v5.")


def load_view(store: Store, book: Game, role: str, *, as_of: int | None = None) -> View:
    """Return what a role sees of a ledger, as of a position."""
    return PlayersView(store, book, as_of=as_of) if role == PLAYERS else View(store)
