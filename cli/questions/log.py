"""Which entries of a ledger a log lists: of a session, about a being, the last few."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, zip_longest
from typing import Final

import msgspec

from cli.questions.canonical_line import written_records
from cli.questions.players_ledger import printed_records
from cli.questions.state_at import find_subject, state_at
from ledger.errors import InputError
from ledger.extracts import Kinds
from ledger.facts import ENTRY_ID, Declared, EntryId, Told
from ledger.implied_passes import is_turn
from ledger.name_match import fold_word
from ledger.names import NUMBER_MOST, escape
from ledger.projection import Row
from ledger.read_models import entry_row
from ledger.records import Record, latest_takes
from ledger.sql_store import SqlStore
from ledger.sqlite_read_models import has_words
from ledger.store import ReadableStore, Store, follow
from projections.state import Being
from rulebooks.common.game import Game

NAMED_MOST: Final = 12  # scenes in the answer to one that is unknown
TEXTS: Final[Kinds] = frozenset((Told,))
SAID: Final[Kinds] = frozenset((Declared,))  # every take with facts has one


class SceneSpan(msgspec.Struct, frozen=True):
    """A scene: its title, its number in its session, its first entry, and the entry that begins the next one."""

    title: str
    number: int
    first: EntryId
    next: EntryId

    def has(self, id: EntryId) -> bool:
        """Return whether an entry is one of the scene."""
        return not id < self.first and id < self.next


class LogFilter(msgspec.Struct, frozen=True):
    """The session, the being and the scenes of a log; None stands for all of them."""

    session: int | None = None
    who: str | None = None
    scenes: tuple[SceneSpan, ...] | None = None

    def admits(self, record: Record) -> bool:
        """Return whether a record belongs to the log."""
        in_scene = self.scenes is None or any(scene.has(record.id) for scene in self.scenes)
        return in_scene and self.session in (None, record.session) and (self.who is None or is_about(record, self.who))


def log_filter(store: ReadableStore, what: str | None, session: int | None, scene: str | None = None) -> LogFilter:
    """Return the filter for an argument, a session's number or a name, and the session and the scene of options.

    Raises InputError for a name that nobody has or several have, for two sessions, and for an unknown scene.
    """
    chosen = _subject_filter(store, what, session)
    if scene is None:
        return chosen
    spans = find_scenes(store, scene, chosen.session)
    return msgspec.structs.replace(chosen, scenes=tuple(spans))


def find_scenes(store: ReadableStore, scene: str, session: int | None) -> list[SceneSpan]:
    """Return the scenes whose titles have these words; or the one with this number, in the last session with scenes.

    Raises InputError with the titles where there is none.
    """
    spans = [span for span in scene_spans(texts_of(store)) if session in (None, span.first.session)]
    if scene.isdecimal():
        last = spans[-1].first.session if spans else 0
        matching = [span for span in spans if f"{span.number}" == scene and span.first.session == last]
    else:
        matching = [span for span in spans if fold_word(scene) in fold_word(span.title)]
    if not matching:
        earlier = "..., " if len(spans) > NAMED_MOST else ""
        titles = earlier + ", ".join(f"{span.number} {escape(span.title)}" for span in spans[-NAMED_MOST:]) or "none"
        raise InputError(f"there is no scene '{escape(scene)}'", hint=f"There is: {titles}.")
    return matching


def texts_of(store: ReadableStore) -> list[tuple[EntryId, Told]]:
    """Return all texts that count, each with its entry, in order."""
    takes = (take for take in store.extracts(TEXTS) if take.counts)
    texts = [(take.id, fact) for take in takes for fact in take.facts if isinstance(fact, Told)]
    return sorted(texts, key=lambda pair: pair[0])


def scene_spans(texts: Iterable[tuple[EntryId, Told]]) -> list[SceneSpan]:
    """Return the scenes that begin in these texts, in order; what is before the first of a session is in none."""
    begun = [(fact.text, entry) for entry, fact in texts if fact.kind == "scene"]
    spans, starts = list[SceneSpan](), [entry for _, entry in begun]
    for (title, first), following in zip_longest(begun, starts[1:]):
        end = EntryId(first.session + 1, -1)
        number = spans[-1].number + 1 if spans and spans[-1].first.session == first.session else 1
        spans.append(SceneSpan(title, number, first, end if following is None else min(following, end)))
    return spans


def _subject_filter(store: ReadableStore, what: str | None, session: int | None) -> LogFilter:
    """Return the filter without a scene."""
    if what is None:
        return LogFilter(session)
    if what.removeprefix("-").isdecimal():
        if session is not None:
            raise InputError("two sessions are named", hint="Leave one out.")
        if not what.isdecimal() or int(what[:20]) > NUMBER_MOST:
            raise InputError(f"there is no session {escape(what)}")
        return LogFilter(int(what))
    if ENTRY_ID.fullmatch(what):
        hint = f"For one entry: campaign why {what}"
        raise InputError(f"'{what}' is an entry, and log lists those of a session or of a being", hint=hint)
    subject = find_subject(state_at(store, None, None).state, what)
    if not isinstance(subject, Being):
        raise InputError(f"'{escape(what)}' is no being", hint="Name a being, or the number of a session.")
    return LogFilter(session, subject.name)


def is_about(record: Record, who: str) -> bool:
    """Return whether a being speaks in an entry, or something happens to it there besides its turn."""
    facts = (fact for fact in record.facts if not is_turn(fact))
    return record.by == who or any(who in (getattr(fact, "who", ""), getattr(fact, "against", "")) for fact in facts)


def listed_sessions(store: ReadableStore, chosen: LogFilter, *, last_first: bool) -> list[int]:
    """Return the sessions to list: all, those of scenes or a being, or the one. Raises InputError if it is too late."""
    session, numbers = chosen.session, sorted(store.session_sizes(), reverse=last_first)
    if session is not None:
        if numbers and session > max(numbers):
            raise no_session(session, max(numbers))
        return [session]
    if chosen.scenes is not None:
        return sorted({scene.first.session for scene in chosen.scenes}, reverse=last_first)
    if chosen.who is None:
        return numbers
    named = {take.session for take in store.extracts(SAID, name=chosen.who)}
    return [number for number in numbers if number in named]


def session_records(store: ReadableStore, session: int) -> Iterator[Record]:
    """Yield the takes that count of a session."""
    return latest_takes(store.takes(after=EntryId(session, -1), upto=EntryId(session + 1, -1)))


def last_of(sessions: Iterable[Iterable[Record]], most: int) -> list[Record]:
    """Return the last records of sessions, which are given last first. Earlier records are not read."""
    last = list[Record]()
    for records in sessions:
        last[:0] = records
        if len(last) >= most:
            break
    return last[-most:]


class Listing(msgspec.Struct, frozen=True, kw_only=True):
    """Which entries a log lists, and how.

    `most`: only the last so many. `typed`: lines as they were typed. `takes`: all takes in order of writing. `whole`:
    entries without facts too. `wake` waits for more to be appended; None: the log ends.
    """

    chosen: LogFilter
    most: int | None = None
    typed: bool = False
    takes: bool = False
    whole: bool = False
    wake: Callable[[], bool] | None = None


def listed_records(store: Store, seen: ReadableStore, book: Game, listing: Listing) -> Iterable[Record]:
    """Return the records of a log, as they are printed for who reads `seen`."""
    chosen, most = listing.chosen, listing.most

    def listed_of(records: Iterable[Record]) -> Iterator[Record]:
        written = records if listing.typed else written_records(records, book)
        for record in printed_records(seen, written):
            if chosen.admits(record) and (listing.whole or listing.takes or record.facts):
                yield record

    if listing.takes or listing.wake is not None:
        records = listed_of(check_session(chosen.session, follow(store, after=0, wake=listing.wake or (lambda: False))))
        return deque(records, maxlen=most) if most else records
    in_sessions = LogFilter(chosen.session) if listing.whole else chosen
    sessions = listed_sessions(store, in_sessions, last_first=most is not None)
    by_session = (listed_of(session_records(store, session)) for session in sessions)
    return last_of(by_session, most) if most else chain.from_iterable(by_session)


def check_session(session: int | None, records: Iterable[Record]) -> Iterator[Record]:
    """Yield the records. Raises InputError at their end if the session is later than all of them."""
    last = 0
    for record in records:
        last = max(last, record.session)
        yield record
    if session is not None and session > last:
        raise no_session(session, last)


def no_session(session: int, last: int) -> InputError:
    """Return the error for a session that there is not."""
    return InputError(f"there is no session {session}", hint=f"The last one is {last}.")


def entry_table(records: Iterable[Record], store: ReadableStore) -> Iterator[Row]:
    """Yield the rows of `entries` for these records."""
    counted = {record.id: record.position for record in store.takes()}  # the last take of each entry
    for record in records:
        yield entry_row(record, int(counted.get(record.id) == record.position))


def find_entries(store: SqlStore, seen: ReadableStore, text: str, *, takes: bool) -> Iterator[Record]:
    """Yield the entries that have all words of a text, or words that begin so, in what is `seen` of them."""
    for record in store.search(text, takes=takes):
        for shown in printed_records(seen, [record]):
            if spoken_words(shown) == spoken_words(record) or has_words(text, *spoken_words(shown)):
                yield shown


def spoken_words(record: Record) -> tuple[str, str]:
    """Return the line of an entry, and its narration."""
    return record.line, "\n".join(fact.text for fact in record.facts if isinstance(fact, Told))
