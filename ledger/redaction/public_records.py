"""What everybody sees of a take: its public leaf, decided once, when the take is written.

It is the redaction of the players' ledger (`seen_records`), by what the ledger says up to then, and where that needs
more than the ledger itself it shows less:

- A being is hidden if it is so before or after the act: whoever joined hidden and was not revealed.
- No word says how a hidden being is; a hidden result has no total; an encounter in which somebody is out does not say
  who. So a leaf does not depend on the words of a book, which may change.
- A secret entry that was revealed keeps its seals: its salt proves what stood there.
- A take in which no word of a hidden being's name stands tells nothing of it. The game's notes to itself are left in
  such a take, if nothing else in it is hidden.

So a later version computes the same leaves from the same records, but for numbers in the text of a line: it may know
other words for them. `public_check` allows that, and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import msgspec

from ledger import facts
from ledger.acts import acts_of
from ledger.extracts import Extract
from ledger.game import GameProtocol
from ledger.names import name_key
from ledger.records import ENCODER, Record
from ledger.redaction.known_secrets import kinds_by_tag
from ledger.redaction.line_redaction import Hidden
from ledger.redaction.seen_records import seen_record
from ledger.store import ReadableStore

Openings = Mapping[str, facts.EntryId]  # the windows that are open before an entry, with the entries that opened them
Opening = Callable[[str], facts.EntryId | None]  # the entry that opened a window, if it is open before an entry
Takes = Callable[[facts.EntryId], Iterable[Record]]  # all takes of an entry


class Everything:
    """A container of everything."""

    def __contains__(self, item: object) -> bool:
        return True


class NoWording:
    """The words of no book: of a hidden result and of a hidden being nothing is said in numbers or words."""

    health = ("", "", "")
    dice_counts: Container[str] = Everything()

    def health_word(self, points: int, most: int | None) -> str:
        """Return no word."""
        return ""


class Writing(msgspec.Struct, frozen=True):
    """What is known when a take is written.

    Attributes:
        beings: the hidden beings, before or after the act.
        opening: returns the entry that opened a window which is open before its entry.
        takes: returns all takes of an entry, as far as they are written, with those of its own act.
        has_secret_take: returns whether one of these is secret.
        no_secrets: whether no take at all is known to be secret, so that no window is.
        all_open: whether nothing at all of the takes before its act is hidden, so that no other take hides its entry.
    """

    beings: frozenset[str]
    opening: Opening
    takes: Takes
    has_secret_take: Callable[[facts.EntryId], bool]
    no_secrets: bool = False
    all_open: bool = False


ALL_OPEN: Final = Writing(
    frozenset(), lambda window: None, lambda entry: (), lambda entry: False, no_secrets=True, all_open=True
)


class WritingKnowledge:
    """The `Knowledge` of secrets with which one record is written."""

    revealed: Final[tuple[facts.EntryId, ...]] = ()

    def __init__(self, record: Record, writing: Writing, game: GameProtocol[Any]) -> None:
        self.hidden = hidden_by(writing.beings, game)
        self._record, self._opening = record, writing.opening
        self.takes, self.has_secret_take = writing.takes, writing.has_secret_take

    def before(self, record: Record | Extract) -> Hidden:
        """Return what is hidden, without vitals."""
        return self.hidden

    def opening(self, window: str, entry: facts.EntryId) -> facts.EntryId | None:
        """Return the entry that opened a window which is open before that of the record."""
        return self._opening(window) if entry == self._record.id else None

    def is_retaken(self, record: Record | Extract) -> bool:
        """Return whether the entry of a record has other takes."""
        return record.take > 1


def hidden_by(beings: frozenset[str], game: GameProtocol[Any]) -> Hidden:
    """Return what is hidden, with no words for it."""
    return _hidden(beings, game.declarations)


@lru_cache(maxsize=8)
def _hidden(beings: frozenset[str], declarations: tuple[type[Any], ...]) -> Hidden:
    return Hidden(
        beings=beings,
        conditions=Everything(),
        keys=frozenset(map(name_key, beings)),
        vitals={},
        vital="",
        kinds=kinds_by_tag(declarations),
        wording=NoWording(),
        shows_notes=not beings,
    )


def public_record(record: Record, writing: Writing, game: GameProtocol[Any]) -> Record:
    """Return a record as everybody sees it when it is written: the same record if nothing in it is hidden.

    Args:
        record: the whole record.
        writing: what is known then.
        game: the game, whose declarations may say that their numbers are secret.
    """
    if not may_hide(record, writing, game):
        return record
    return seen_record(record, WritingKnowledge(record, writing, game))


def may_hide(record: Record, writing: Writing, game: GameProtocol[Any]) -> bool:
    """Return whether something of a record may be hidden: nothing is where no word of a hidden being's name stands."""
    if record.seen != facts.VISIBLE or (record.take > 1 and not writing.all_open):
        return True
    if writing.beings and _name_words(writing.beings)(ENCODER.encode(record.facts).decode().casefold()):
        return True
    for fact in record.facts:
        hides = MAY_HIDE.get(type(fact))
        if hides is not None and hides(fact, writing, game):
            return True
    return False


def _is_unseen(fact: facts.Joined | facts.Told, writing: Writing, game: GameProtocol[Any]) -> bool:
    return fact.seen != facts.VISIBLE


def _is_of_secret_window(
    fact: facts.Judged | facts.WindowChanged | facts.WindowClosed, writing: Writing, game: GameProtocol[Any]
) -> bool:
    if writing.no_secrets or not fact.window:
        return False
    opened = writing.opening(fact.window)
    return opened is not None and writing.has_secret_take(opened)


@lru_cache(maxsize=8)
def _name_words(beings: frozenset[str]) -> Callable[[str], object]:
    """Return what finds a word of one of these names in a text of small letters."""
    words = {word for name in beings for word in re.findall(r"\w+", name.casefold())}
    return re.compile("|".join(map(re.escape, sorted(words)))).search


@lru_cache(maxsize=8)
def _secret_fields(declarations: tuple[type[Any], ...]) -> Callable[[bytes], object]:
    """Return what finds in a declaration, as JSON, that one of its fields says its numbers to be secret."""
    fields = {re.escape(kind.secret) for kind in kinds_by_tag(declarations).values() if kind.secret}
    return re.compile(rf'"(?:{"|".join(fields) or "(?!)"})":(?!false|null|0[,}}]|"")'.encode()).search


MAY_HIDE: Final[Mapping[type[facts.BaseFact], Callable[[Any, Writing, GameProtocol[Any]], object]]] = {
    facts.Joined: _is_unseen,
    facts.Told: _is_unseen,
    facts.Judged: lambda fact, writing, game: fact.seen != facts.VISIBLE or _is_of_secret_window(fact, writing, game),
    facts.WindowChanged: _is_of_secret_window,
    facts.WindowClosed: _is_of_secret_window,
    facts.Amended: lambda fact, writing, game: not writing.all_open,
    facts.EncounterEnded: lambda fact, writing, game: fact.out,
    facts.Declared: lambda fact, writing, game: _secret_fields(game.declarations)(bytes(fact.said)),
}
"""By the kind of a fact, whether something of it may be hidden where nobody in it is."""


class PublicRecords:
    """What everybody sees of the next takes of a ledger."""

    def __init__(self, store: ReadableStore, game: GameProtocol[Any]) -> None:
        self.store, self.game = store, game
        self._position = -1  # of the last record of a line
        self._secret = dict[facts.EntryId, bool]()  # entries that opened a window: whether they have a secret take

    def of_line(self, records: Sequence[Record], beings: frozenset[str], openings: Openings) -> list[Record]:
        """Return the records of a line as everybody sees them, each decided behind those before it.

        Args:
            records: new entries in their order.
            beings: the hidden beings before them.
            openings: the windows that are open before them.
        """
        shown, written = list[Record](), list[Record]()
        if self._position != records[0].position - 1:
            self._secret.clear()  # somebody else has written since
        for record in records:
            written.append(record)
            if record.take == 1 and record.has(facts.WindowOpened):
                self._secret[record.id] = record.seen != facts.VISIBLE
            after = beings_after(beings, record)
            writing = self._writing(beings | after, openings.get, written)
            shown.append(public_record(record, writing, self.game))
            beings, openings = after, openings_after(openings, record)
        self._position = records[-1].position
        return shown

    def of_takes(
        self, takes: Sequence[Record], was: frozenset[str], now: frozenset[str], openings: Mapping[int, Openings]
    ) -> list[Record]:
        """Return takes of any entries as everybody sees them.

        Args:
            takes: a correction with all that it causes, or new entries.
            was: the hidden beings before them.
            now: the hidden beings after them.
            openings: by position, the windows that are open before the entry of a take.
        """
        shown, beings, acts = list[Record](), was, list(acts_of(takes))
        for act in acts:
            after = now if len(acts) == 1 or len(act) > 1 else beings_after(beings, act[0])
            written, known = takes[: len(shown) + len(act)], beings | after
            self._secret.clear()
            for take in act:
                writing = self._writing(known, openings.get(take.position, {}).get, written)
                shown.append(public_record(take, writing, self.game))
            beings = after
        self._secret.clear()
        return shown

    def _writing(self, beings: frozenset[str], opening: Opening, written: Sequence[Record]) -> Writing:
        """Return what is known when a take is written, with others that are written up to it or with it."""

        def takes(entry: facts.EntryId) -> list[Record]:
            stored = self.store.takes(after=entry.before, upto=entry)
            return [*stored, *(take for take in written if take.id == entry)]

        def has_secret_take(entry: facts.EntryId) -> bool:
            if entry not in self._secret:
                self._secret[entry] = any(take.seen != facts.VISIBLE for take in takes(entry))
            return self._secret[entry]

        return Writing(beings, opening, takes, has_secret_take)


def beings_after(beings: frozenset[str], record: Record) -> frozenset[str]:
    """Return the hidden beings after a new entry."""
    for fact in record.facts:
        if type(fact) is facts.Joined and fact.seen != facts.VISIBLE:
            beings |= {fact.who}
        elif type(fact) is facts.Revealed and not fact.entry:
            beings -= {fact.who}
    return beings


def openings_after(openings: Openings, record: Record) -> Openings:
    """Return the open windows after a new entry."""
    for fact in record.facts:
        if type(fact) is facts.WindowOpened:
            openings = {**openings, fact.window: record.id}
        elif type(fact) is facts.WindowClosed:
            openings = {window: entry for window, entry in openings.items() if window != fact.window}
    return openings
