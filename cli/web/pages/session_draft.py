"""A replay page while it is made, entry by entry. What is made can be copied, and gone on with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from typing import Any, Final

import msgspec

from cli.output import plain_texts
from cli.phrases import entries, state_rows, sums
from cli.phrases.overview import Overview
from cli.phrases.summary import Summaries
from cli.questions import rule_uses
from cli.questions.luck import luck_of_records
from cli.questions.name_table import NO_NAMES, NameTable
from cli.questions.players_ledger import PlayersLedger
from cli.questions.session_states import SessionEntry, SessionStates
from cli.questions.takes import why_void
from cli.questions.why import EntryRoll, dice_behind
from cli.questions.window_dice import window_dice
from cli.story.line_words import LineWords, reasons_of
from cli.story.page import Page, Story, page_of_span, session_story
from cli.story.passages import OWN_WORDS
from cli.story.sentences import storytellers
from cli.story.span import SessionSpan, entry_of, position_and_session
from cli.web.pages import entry_content, entry_sums, series
from cli.web.pages.content import LaterOutcome, PageEntry, SessionPage, Variation
from cli.web.pages.entry_sums import deciding_rules
from cli.web.pages.hues import hues_of
from cli.web.pages.idle_entries import has_other_value, idle_kind
from cli.web.pages.marks import marks, merged, turning_points
from cli.web.pages.story import told_lines
from cli.web.pages.throws import DiceTones, entry_throws
from ledger.facts import VISIBLE, CampaignCreated, EntryId, Fact, Joined, SessionClosed, SessionOpened, Told, WordsAdded
from ledger.ledger_state import LedgerState
from ledger.names import escape
from ledger.records import Record, shown_records
from ledger.redecide import group_by_entry
from ledger.store import ReadableStore
from projections.recap.episodes import without_closing
from projections.state import State
from rulebooks.common.game import Game

SPOKEN: Final = ("said", "pass")  # kinds of entries whose lines are put in words
IN_ITS_HEADING: Final = (
    CampaignCreated,
    SessionOpened,
    SessionClosed,
    Joined,
    WordsAdded,
)  # what came of it is its line


class PageDraft:
    """A page while it is made, entry by entry."""

    def __init__(self, store: ReadableStore, number: int, position: int, book: Game) -> None:
        """Begin at the opening of a session, as of a position."""
        self.store, self.number, self._book = store, number, book
        self._wording = book.texts().lexicon.wording
        self._summaries, self._words = Summaries(self._wording), LineWords(book)
        self._states = SessionStates(store, number, position)
        self.added = 0  # entries
        self._records = list[Record]()  # that count
        self._rolls = dict[str, EntryRoll]()  # of the session so far, by purpose
        self._entries = list[PageEntry]()
        self._before = list[Variation]()  # of entries before the first that counts
        self._opening = self._rows = self._rows_of(self._states.opening)
        self._values_before = self._values = self._states.opening.values()
        self._levels = [series.levels_of(self._states.opening.state, book.vital)]

    def copy(self) -> PageDraft:
        """Return the same draft; what is added to one is not added to the other."""
        other = copy(self)
        other._summaries, other._states = self._summaries.copy(), self._states.copy()
        other._records, other._rolls = list(self._records), dict(self._rolls)
        other._entries, other._before, other._levels = list(self._entries), list(self._before), list(self._levels)
        return other

    @property
    def last(self) -> EntryId:
        """The last entry that was added; before the first, the end of the session before."""
        return max(self._states.now.last, EntryId(self.number, -1))

    @property
    def bounds(self) -> dict[str, EntryId]:
        """What of the session is still to be added, as bounds of `Store.takes`."""
        return {"after": self.last, "upto": EntryId(self.number + 1, -1)}

    def page(self, role: str, position: int, names: NameTable = NO_NAMES) -> SessionPage:
        """Return the page of what was added so far, as of a position. `names`: what its story calls everybody."""
        with plain_texts():
            texts, now = self._book.texts(), self._states.now.state
            changed = {change.value for entry in self._entries for change in entry.changes}
            seen = list(shown_records(self._records))
            span = self._span(seen)
            told = session_story(span, storytellers(self._book, names))
            return SessionPage(
                game=texts.content.title,
                role=role,
                recap=self._recap(span, told, position, names),
                opening=self._opening,
                values=self._values_before,
                before=tuple(self._before),
                entries=tuple(with_told(self._entries, told_lines(told))),
                names=entry_content.value_names(changed, now, self._wording),
                rules=entry_content.rule_texts(self._entries, texts),
                series=tuple(series.series_of(self._levels, texts.lexicon)),
                luck=tuple(luck_of_records(seen, now)),
                hues=hues_of(now),
            )

    def _span(self, seen: Iterable[Record]) -> SessionSpan:
        """Return what was added so far, as a story reads it; `seen`: its records as they are seen."""
        return SessionSpan(
            number=self.number,
            before=self._states.opening,
            after=self._states.now,
            records=tuple(self._records),
            entries=tuple(entry_of(record, record.facts) for record in seen),
        )

    def _recap(self, span: SessionSpan, told: Story, position: int, names: NameTable) -> Page:
        """Return the recap of what was added so far."""
        return page_of_span(
            self.store,
            span,
            position=position,
            book=self._book,
            storytellers=storytellers(self._book, names),
            summaries=None,
            told=told,
        )

    def _rows_of(self, state: LedgerState[State]) -> dict[str, Any]:
        return rows_of(state_rows.overview(state, self._book, window_dice(self.store, state)))

    def add(self, takes: Sequence[Record], position: int) -> None:
        """Add the next entry, given all its takes as of a position."""
        with plain_texts():
            self._add(self._states.add(takes, position))
            self.added += 1

    def _add(self, entry: SessionEntry) -> None:
        """Add an entry; one that is withheld only if it changed something that everybody sees."""
        whole = entry.takes[-1]
        record = next(shown_records([whole]), None)
        if whole.facts:
            self._records.append(whole)
        self._name_beings(entry.position.state)
        rows, values = self._rows_of(entry.position), entry.position.values()
        changes = tuple(entry_content.value_differences(self._values, values, entry.steps))
        changed = changed_rows(self._rows, rows)
        variations = tuple(self._variations(entry)) if record is not None else ()
        if whole.facts and (record is not None or changed or changes):
            seen = entry_content.hidden_entry(whole) if record is None else self._entry(record, whole)
            seen = msgspec.structs.replace(seen, rows=changed, changes=changes, variations=variations)
            if record is not None:
                alone = self._summary_alone(record) if variations else ()
                seen = msgspec.structs.replace(seen, corrected=entry_content.correction_of(seen, record.cause, alone))
                seen = self._with_idleness(self._with_outcome(seen, record.facts[1:]), whole)
            self._entries.append(seen)
            self._rows, self._values = rows, values
            self._levels.append(series.levels_of(entry.position.state, self._book.vital))
        elif self._entries:
            last = self._entries[-1]
            self._entries[-1] = msgspec.structs.replace(last, variations=(*last.variations, *variations))
        else:
            self._before += variations

    def _with_outcome(self, entry: PageEntry, facts: Sequence[Fact]) -> PageEntry:
        """Return an entry with the earlier one whose roll it makes final, which is noted there with what came of it."""
        of = entry_content.finished_entry(facts, self._rolls, entry.id)
        index = next((index for index, each in enumerate(self._entries) if of and each.id == of), None)
        if index is None:
            return entry
        rolled = self._entries[index]
        known = {result.title for result in rolled.sums}
        results = entry_content.with_arrows(
            Summaries(self._wording).summarize(entry_content.effects(facts, known), entry.by)
        )
        if not results:
            return entry
        own = entry_content.own_facts(facts)
        ids, narration = {*map(id, own)}, self._book.texts().narration
        closing = turning_points([fact for fact in facts if id(fact) not in ids], narration, self._wording)
        self._entries[index] = msgspec.structs.replace(
            rolled,
            outcome=LaterOutcome(entry=entry.id, results=results),
            turns=merged(rolled.turns, closing),
        )
        return msgspec.structs.replace(
            entry,
            of=of,
            results=entry_content.with_arrows(Summaries(self._wording).summarize(own, entry.by)),
            turns=tuple(turning_points(own, narration, self._wording)),
        )

    def _with_idleness(self, entry: PageEntry, whole: Record) -> PageEntry:
        """Return an entry with what it is if nothing happens in it. `whole`: with the places of what is withheld."""
        facts = whole.facts[1:]
        if entry.turns or entry.secret or entry.variations or entry.corrected or not facts:
            return entry
        own = entry_content.own_facts(facts) if entry.of else facts
        said = entry_content.said_of(whole)
        kind = self._words.kind(said)
        has_text = kind is not None and bool(reasons_of(kind, said))
        return msgspec.structs.replace(entry, idle=idle_kind(own, entry.kind, kind, has_text=has_text))

    def _name_beings(self, state: State) -> None:
        """Name values in the words of the beings that have joined by now."""
        beings = tuple(being.name for being in state.beings_in_order())
        if beings != self._wording.beings:
            self._wording = self._summaries.wording = msgspec.structs.replace(self._wording, beings=beings)

    def _entry(self, record: Record, whole: Record) -> PageEntry:
        """Return an entry that is seen, without what it changed. `whole`: with the places of what is withheld."""
        blank = self.store.blank_sums(whole) if isinstance(self.store, PlayersLedger) else ()
        facts = record.facts[1:]
        kind, by, line = entry_content.kind_of(record), record.by, entries.heading(record)
        if kind in OWN_WORDS:
            told = next(fact for fact in facts if isinstance(fact, Told))
            by, line, facts = told.by, escape(told.text), ()
        self._rolls |= {
            fact.purpose: EntryRoll(entry=str(record.id), roll=fact) for fact in entry_content.rolls_in(record.facts)
        }
        dice = dice_behind(record.facts, self._rolls)
        narration = self._book.texts().narration
        tones = DiceTones(self._wording.colours, hues_of(self._states.now.state))
        summary = self._summaries.summarize(() if record.has(*IN_ITS_HEADING) else facts, record.by)
        results = entry_content.with_arrows(summary)
        words = self._words.text(entry_content.said_of(record), record.by) if kind in SPOKEN else ""
        own_marks = tuple(marks(facts, results, self._wording))
        return PageEntry(
            id=str(record.id),
            kind=kind,
            by=escape(by),
            line=line,
            at=record.at,
            secret=record.seen != VISIBLE,
            words=words,
            who=tuple(map(escape, entry_content.beings_in(record))),
            results=results,
            quiet=bool(words) and not own_marks and not has_other_value(facts),
            marks=own_marks,
            begins=entry_content.begins(facts),
            sums=tuple(entry_sums.result_sums(whole, blank, dice, self._wording)),
            dice=tuple(sums.roll_source(each, str(record.id)) for each in dice),
            rules=tuple(rule_uses.cited_rules(record.facts)),
            rows={},
            changes=(),
            variations=(),
            turns=tuple(turning_points(record.facts, narration, self._wording)),
            throws=tuple(entry_throws(record.facts, entry_content.rolls_in(record.facts), narration.low, tones)),
            decided=deciding_rules(record.facts, self._wording),
        )

    def _summary_alone(self, record: Record) -> tuple[str, ...]:
        """Return what came of an entry for itself alone, without the end of the roll before it."""
        facts = without_closing(record.facts[1:])
        return entry_content.with_arrows(Summaries(self._wording).summarize(facts, record.by))

    def _variations(self, entry: SessionEntry) -> Iterator[Variation]:
        """Yield the takes of an entry that do not count."""
        takes = list(shown_records(entry.takes))
        for take in takes[:-1]:
            if take.facts:
                results = self._summary_alone(take)
                yield Variation(
                    take=f"{take.id}@{take.take}",
                    by=escape(take.by),
                    line=entries.heading(take),
                    results=results,
                    marks=tuple(marks(take.facts, results, self._wording)),
                    because=escape(why_void(self.store, take, takes)),
                )


def with_told(entries: Iterable[PageEntry], told: Mapping[str, str]) -> Iterator[PageEntry]:
    """Yield entries with what the story tells of those that are lines; such a line is not idle."""
    for entry in entries:
        is_told = entry.kind in SPOKEN and entry.id in told
        yield msgspec.structs.replace(entry, told=told[entry.id], idle="") if is_told else entry


Rows = Mapping[str, Any]  # a key, and the row as JSON: `being Kess`, `slot 0`, `tokens`


def rows_of(overview: Overview) -> dict[str, Any]:
    """Return an overview as rows under keys; rows without content are left out."""
    content = msgspec.to_builtins(overview)
    rows = {f"being {row['who']}": row for row in content.pop("beings")}
    encounter = content.pop("encounter")
    if encounter:
        rows |= {f"slot {number}": row for number, row in enumerate(encounter.pop("rows"))}
        rows["encounter"] = encounter
    return rows | {name: row for name, row in content.items() if row}


def changed_rows(before: Rows, after: Rows) -> dict[str, Any]:
    """Return the rows that differ, as they are now; None for one that is gone."""
    gone = {key: None for key in before if key not in after}
    return gone | {key: row for key, row in after.items() if before.get(key) != row}


def session_page(
    store: ReadableStore,
    session: int | None,
    *,
    as_of: int | None,
    book: Game,
    role: str,
    names: NameTable = NO_NAMES,
) -> SessionPage:
    """Return the replay page of a session (None: the last), as of a position. Raises InputError if there is none.

    `names`: what its story calls everybody.
    """
    position, number = position_and_session(store, as_of, session)
    draft = PageDraft(store, number, position, book)
    for takes in group_by_entry(store.takes(**draft.bounds, as_of=position)):
        draft.add(takes, position)
    return draft.page(role, position, names)
