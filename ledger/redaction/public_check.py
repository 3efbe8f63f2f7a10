"""Check the public leaves of a ledger: each must say what everybody saw of its record when it was written.

The records are looked at in order of writing, so that what was known then is what those before say. Nothing is decided
again. A leaf that says something else would show the players other facts than those that count.
"""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, Final

import msgspec

from ledger.acts import is_caused_by
from ledger.errors import LedgerError, unusable
from ledger.facts import (
    GM,
    VISIBLE,
    BaseFact,
    Declared,
    EntryId,
    Joined,
    Revealed,
    WindowClosed,
    WindowOpened,
    Withheld,
)
from ledger.game import GameProtocol
from ledger.records import (
    ENCODER,
    PUBLIC_DECODER,
    SALT_DIGITS,
    PublicRecord,
    Record,
    StoredRecord,
    current_bytes,
    is_canonical,
    is_older,
)
from ledger.redaction.line_redaction import LEFT_OUT, SEEN, seen_line
from ledger.redaction.public_records import ALL_OPEN, Writing, may_hide, public_record
from ledger.store import ReadableStore

SALT: Final = re.compile(rb"[0-9a-f]{%d}" % SALT_DIGITS)
OPEN_FIELDS: Final = ("v", "position", "session", "number", "insert", "take", "at", "seen")  # that nothing hides
BLANKS: Final = {
    "cause": None,
    "request": None,
    "by": GM,
    "holder": "",
    "door": "",
}  # others
TAKEN_IN: Final[frozenset[type[BaseFact]]] = frozenset({WindowOpened, WindowClosed, Joined, Revealed})
replace = msgspec.structs.replace
Change = tuple[EntryId, int, bool]  # in which entry and fact something began (True) or ended


class Changes:
    """What began and ended by name, as the takes that count at a time say."""

    def __init__(self) -> None:
        self.by_name = defaultdict[str, list[Change]](list)  # in order of entries

    def add(self, name: str, entry: EntryId, number: int, begins: bool) -> None:
        """Take in a fact of an entry."""
        changes, change = self.by_name[name], (entry, number, begins)
        if changes and change < changes[-1]:
            insort(changes, change)
        else:
            changes.append(change)

    def remove(self, entry: EntryId) -> None:
        """Take back what an entry has said."""
        for changes in self.by_name.values():
            index = bisect_left(changes, (entry, 0, False))
            while index < len(changes) and changes[index][0] == entry:
                del changes[index]

    def beginning(self, name: str, entry: EntryId) -> EntryId | None:
        """Return the entry in which something began that goes on before an entry; None if it does not."""
        changes = self.by_name.get(name, [])
        index = bisect_left(changes, (entry, 0, False))
        begun, _, goes_on = changes[index - 1] if index else (entry, 0, False)
        return begun if goes_on else None


class Written:
    """What is known of secrets and windows after the takes so far, in order of writing."""

    def __init__(self, store: ReadableStore) -> None:
        self._store, self._position = store, 0
        self._hidden, self._windows = Changes(), Changes()
        self._secret = set[EntryId]()  # entries with a secret take
        self.beings = frozenset[str]()

    def add(self, act: Sequence[Record]) -> None:
        """Take in what was written together."""
        self._position, is_news = act[-1].position, False
        for take in act:
            if take.seen != VISIBLE:
                self._secret.add(take.id)
            if take.take > 1:
                is_news = True
                self._hidden.remove(take.id)
                self._windows.remove(take.id)
            for number, fact in enumerate(take.facts) if take.has_any(TAKEN_IN) else ():
                if type(fact) is WindowOpened or type(fact) is WindowClosed:
                    self._windows.add(fact.window, take.id, number, type(fact) is WindowOpened)
                elif (type(fact) is Joined or type(fact) is Revealed) and fact.who:
                    is_news = True
                    self._hidden.add(fact.who, take.id, number, type(fact) is Joined and fact.seen != VISIBLE)
        if is_news:
            names = self._hidden.by_name.items()
            self.beings = frozenset(name for name, changes in names if changes and changes[-1][2])

    def writing(self, entry: EntryId, before: frozenset[str]) -> Writing:
        """Return what is known when a take of an entry is written; `before`: who was hidden before its act."""
        opening = partial(self._windows.beginning, entry=entry)
        beings = before | self.beings
        return Writing(beings, opening, self.takes, self._secret.__contains__, no_secrets=not self._secret)

    def takes(self, entry: EntryId) -> Iterable[Record]:
        """Return all takes of an entry so far."""
        return self._store.takes(after=entry.before, upto=entry, as_of=self._position)


class PublicCheck:
    """The check of the public leaves of a ledger, whose records are added in order of writing."""

    def __init__(self, store: ReadableStore, game: GameProtocol[Any]) -> None:
        self._written, self._game = Written(store), game
        self._act: list[tuple[StoredRecord, Record]] = []
        self._all_open = True  # so far nothing is hidden
        self.problems: list[tuple[Record, str]] = []

    def add(self, stored: StoredRecord, record: Record) -> None:
        """Look at the next record. What was written together is looked at when it is complete."""
        if self._act and not is_caused_by(record, self._act[0][1]):
            self.finish()
        self._act.append((stored, record))

    def finish(self) -> None:
        """Look at what was written together last."""
        act, self._act = self._act, []
        if not act:
            return
        before = self._written.beings
        try:
            self._written.add([record for _, record in act])
            self._all_open = self._all_open and not any(may_hide(record, ALL_OPEN, self._game) for _, record in act)
            for stored, record in act:
                seen = record
                if not self._all_open:
                    seen = public_record(record, self._written.writing(record.id, before), self._game)
                if what := leaf_problem(stored, record, seen):
                    self.problems.append((record, what))
        except Exception as error:
            first = act[0][1]
            what = (error if isinstance(error, LedgerError) else unusable(error, "entry", first.id)).what
            self.problems.append((first, f"what everybody sees of it cannot be found: {what}"))


def leaf_problem(stored: StoredRecord, record: Record, seen: Record) -> str:
    """Return what is wrong with the public leaf of a record, of which everybody sees `seen`; empty if nothing is.

    What was hidden in an older format is not compared: other rules may have hidden it. `shape_problem` looks at that.
    """
    if is_older(stored.public):
        return ""
    if seen is record or seen == record:
        return "it is sealed, although nothing of it is hidden" if stored.sealed is not None else ""
    if stored.sealed is None:
        return "it is not sealed, although something of it is hidden"
    if ENCODER.encode(seen) == stored.public:
        return ""
    public = PUBLIC_DECODER.decode(stored.public)
    if headers := [name for name in BLANKS if getattr(public, name) != getattr(seen, name)]:
        return f"its public part has another {headers[0]} than everybody saw"
    pairs = enumerate(zip(public.facts, seen.facts, strict=False), start=1)
    wrong = [number for number, (fact, shown) in pairs if fact != shown]
    if wrong == [1] and is_same_but_numbers(public.facts[0], seen.facts[0], record.facts[0]):
        return ""
    return "its public part says something else than everybody saw" + (f" in fact {wrong[0]}" if wrong else "")


def shape_problem(stored: StoredRecord, record: Record) -> str:
    """Return what can be seen to be wrong with the leaves of a record without its game; empty if nothing is.

    The public part is of the same take, and each of its facts is of the kind of the whole fact, or withheld.
    """
    if stored.sealed is None:
        return ""
    if not SALT.match(stored.sealed):
        return f"its salt is not {SALT_DIGITS} hex digits"
    try:
        public: PublicRecord = PUBLIC_DECODER.decode(current_bytes(stored.public))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        return f"its public part cannot be read: {error}"
    if not is_canonical(public, stored.public):
        return "the bytes of its public part are not canonical"
    for name in (*OPEN_FIELDS, *BLANKS):
        allowed = {getattr(record, name), BLANKS.get(name, getattr(record, name))}
        if getattr(public, name) not in allowed:
            return f"its public part is of another record: its {name} differs"
    if len(public.facts) != max(len(record.facts), record.seen != VISIBLE):
        return "its public part has another number of facts than the whole"
    for number, (fact, whole) in enumerate(zip(public.facts, record.facts, strict=False), start=1):
        if type(fact) not in (type(whole), Withheld):
            return f"its public part says something else than the whole in fact {number}"
    return ""


def is_same_but_numbers(public: object, seen: object, whole: object) -> bool:
    """Return whether a declaration says what everybody saw of the whole one, but for numbers in its text.

    Another version may know other words for numbers, and other names with numbers.
    """
    if not (isinstance(public, Declared) and isinstance(seen, Declared) and isinstance(whole, Declared)):
        return False
    if seen == whole or replace(public, said=seen.said, line=seen.line) != seen:
        return False
    same_text = is_shortened(public.line, whole.line) and seen_line(public.line) == seen_line(whole.line)
    return same_text and _says(public, seen, whole)


def is_shortened(line: str, whole: str) -> bool:
    """Return whether a line is another in which words are left out."""
    if LEFT_OUT not in line:
        return line == whole
    first, *middle, last = line.split(LEFT_OUT)
    place, end = len(first), len(whole) - len(last)
    if not (whole.startswith(first) and whole.endswith(last)):
        return False
    for part in middle:
        found = whole.find(part, place, end)
        if found < 0:
            return False
        place = found + len(part)
    return place <= end


def _says(public: Declared, seen: Declared, whole: Declared) -> bool:
    """Return whether what a declaration says is what everybody saw, but for texts with a number."""
    said, shown, all_said = (msgspec.json.decode(each.said) for each in (public, seen, whole))
    texts, shown_texts = said.pop(SEEN, {}), shown.pop(SEEN, {})
    others = (all_said.get(name) for name in texts.keys() ^ shown_texts.keys())
    return (
        said == shown
        and all(all_said.get(name) == text for name, text in texts.items())
        and all(seen_line(text) != text for text in map(str, others))
    )
