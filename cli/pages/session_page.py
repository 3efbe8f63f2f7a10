"""The replay page of a session, made entry by entry. Everything in it comes through a view."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from cli.errors import InputError
from cli.output import plain_texts, safe
from cli.pages.content import PageEntry, Reason, ResultSums, SessionPage, ValueDifference, Variation
from cli.pages.marks import mark, marks
from cli.pages.rows import changed_rows, rows_of
from cli.pages.series import levels_of, series_of
from cli.queries.coverage import cited_rules
from cli.queries.luck import LuckReport, luck_reports
from cli.queries.recap_page import Page, recap_page
from cli.queries.rules import rule_heading, rule_text
from cli.queries.session_states import ChangeStep, SeenEntry, SessionStates
from cli.queries.story import OWN_WORDS
from cli.queries.takes import why_void
from cli.queries.view import SECRET, View
from cli.queries.why import EntryRoll
from cli.queries.window_dice import window_dice
from cli.render.log import heading
from cli.render.phrases import cause
from cli.render.sentences import storytellers
from cli.render.state import overview
from cli.render.summary import Summaries
from cli.render.value_names import ValueNames
from cli.render.why import first_die, result_numbers, result_title, roll_source, sum_rows
from ledger.facts import (
    Amended,
    BaseFact,
    CampaignCreated,
    EncounterEnded,
    Fact,
    Joined,
    Judged,
    Reached,
    Rolled,
    SessionClosed,
    SessionOpened,
    Told,
)
from ledger.implied_passes import implying_entry
from ledger.ledger_state import LedgerState
from ledger.projection import Value
from ledger.records import Record
from projections.state import State
from rulebooks.common.game import Game
from rulebooks.common.texts import Texts, Wording

IN_ITS_HEADING: Final = (CampaignCreated, SessionOpened, SessionClosed, Joined)  # what came of it is its line
HIDDEN_LINE: Final = "the game master acts in secret"


def session_page(view: View, session: int | None, *, as_of: int | None, book: Game, role: str) -> SessionPage:
    """Return the replay page of a session (None: the last), as of a position. Raises InputError as `recap_page`."""
    with plain_texts():
        lexicon = book.texts().lexicon
        recap = recap_page(
            view,
            session=session,
            as_of=as_of,
            book=book,
            storytellers=storytellers(book),
            summaries=Summaries(lexicon.wording),
        )
        return PageDraft(view, recap, book).page(role)


class PageDraft:
    """A page while it is made, entry by entry."""

    def __init__(self, view: View, recap: Page, book: Game) -> None:
        self._view, self._recap, self._book = view, recap, book
        self._wording = book.texts().lexicon.wording
        self._summaries = Summaries(self._wording)
        self._states = SessionStates(view, recap.session, recap.position)
        self._rolls = dict[str, EntryRoll]()  # of the session so far, by purpose
        self._entries = list[PageEntry]()
        self._before = list[Variation]()  # of entries before the first that counts
        self._state = self._states.opening
        self._rows = self._rows_of(self._state)
        self._values = self._state.values()
        self._levels = [levels_of(self._state.state)]

    def page(self, role: str) -> SessionPage:
        """Return the finished page."""
        opening, values = self._rows, self._values
        for entry in self._states:
            self._add(entry)
        texts = self._book.texts()
        changed = {change.value for entry in self._entries for change in entry.changes}
        return SessionPage(
            game=texts.content.title,
            role=role,
            recap=self._recap,
            opening=opening,
            values=values,
            before=tuple(self._before),
            entries=tuple(self._entries),
            names=value_names(changed, self._state.state, self._wording),
            rules=rule_texts(self._entries, texts),
            series=tuple(series_of(self._levels)),
            luck=tuple(self._luck()),
        )

    def _luck(self) -> list[LuckReport]:
        """Return the luck of the session's dice; nothing where none was thrown."""
        try:
            return luck_reports(self._view, self._state.state, self._recap.session, self._recap.position)
        except InputError:
            return []

    def _rows_of(self, state: LedgerState[State]) -> dict[str, Any]:
        return rows_of(overview(state, self._book, window_dice(self._view, state)))

    def _add(self, entry: SeenEntry) -> None:
        """Add an entry; one that is secret only if it changed something that everybody sees."""
        rows, values = self._rows_of(entry.position), entry.position.values()
        changes = tuple(value_differences(self._values, values, entry.steps))
        changed = changed_rows(self._rows, rows)
        record, variations = entry.record, tuple(self._variations(entry))
        if entry.whole.facts and (record is not None or changed or changes):
            seen = hidden_entry(entry.whole) if record is None else self._entry(record, entry.numbers)
            seen = msgspec.structs.replace(seen, rows=changed, changes=changes, variations=variations)
            self._entries.append(seen)
            self._rows, self._values = rows, values
            self._levels.append(levels_of(entry.position.state))
        elif self._entries:
            last = self._entries[-1]
            self._entries[-1] = msgspec.structs.replace(last, variations=(*last.variations, *variations))
        else:
            self._before += variations
        self._state = entry.position

    def _entry(self, record: Record, numbers: Sequence[int]) -> PageEntry:
        """Return an entry that is seen, without what it changed."""
        facts = record.facts[1:]
        kind, by, line = kind_of(record), record.by, heading(record)
        if kind in OWN_WORDS:
            told = next(fact for fact in facts if isinstance(fact, Told))
            by, line, facts = told.by, safe(told.text), ()
        self._rolls |= {fact.purpose: EntryRoll(entry=str(record.id), roll=fact) for fact in rolls_in(record.facts)}
        dice = list(self._dice_of(record.facts))
        results = tuple(self._summaries.summarize(facts, record.by))
        if record.has(*IN_ITS_HEADING):
            results = ()
        return PageEntry(
            id=str(record.id),
            kind=kind,
            by=safe(by),
            line=line,
            at=record.at,
            results=results,
            marks=tuple(marks(facts, results, self._wording)),
            begins=begins(facts),
            sums=tuple(self._sums(record, numbers, dice)),
            dice=tuple(roll_source(each, str(record.id)) for each in dice),
            rules=tuple(cited_rules(record.facts)),
            rows={},
            changes=(),
            variations=(),
        )

    def _dice_of(self, facts: Sequence[Fact]) -> Iterator[EntryRoll]:
        """Yield the dice of the entry, then earlier ones that its results rest on."""
        wanted = [fact.purpose for fact in rolls_in(facts)]
        wanted += [purpose for fact in facts if isinstance(fact, Judged) for purpose in fact.rolls]
        yield from (self._rolls[purpose] for purpose in dict.fromkeys(wanted) if purpose in self._rolls)

    def _sums(self, record: Record, numbers: Sequence[int], dice: Sequence[EntryRoll]) -> Iterator[ResultSums]:
        """Yield each result of an entry with its arithmetic."""
        wording = self._wording
        for number, fact in zip(numbers, record.facts, strict=True):
            if isinstance(fact, Judged):
                yield ResultSums(
                    number=number,
                    title=result_title(fact),
                    mark=mark(fact.result, wording),
                    numbers=result_numbers(fact).strip(),
                    rows=tuple(
                        tuple(row)
                        for total in fact.sums
                        for row in sum_rows(total, first_die(total, fact, dice, wording))
                    ),
                    rules=tuple(map(safe, fact.rules)),
                )

    def _variations(self, entry: SeenEntry) -> Iterator[Variation]:
        """Yield the takes of an entry that do not count."""
        last = entry.takes[-1].position if entry.takes else 0
        for take in entry.takes:
            if take.facts and take.position != last:
                results = tuple(Summaries(self._wording).summarize(take.facts[1:], take.by))
                yield Variation(
                    take=f"{take.id}@{take.take}",
                    by=safe(take.by),
                    line=heading(take),
                    results=results,
                    marks=tuple(marks(take.facts, results, self._wording)),
                    because=safe(why_void(self._view, take, entry.takes)),
                )


def kind_of(record: Record) -> str:
    """Return what kind of entry it is: `scene`, `correction`, `pass`, or else `said`."""
    facts = record.facts[1:]
    if implying_entry(record):
        return "pass"
    if record.has(SessionOpened, SessionClosed):
        return "session"
    if record.has(Amended):
        return "correction"
    told = [fact.kind for fact in facts if isinstance(fact, Told)]
    return told[0] if len(facts) == len(told) == 1 and told[0] in OWN_WORDS else "said"


def begins(facts: Iterable[BaseFact]) -> str:
    """Return what begins behind an entry with these facts: a round, or what comes after an encounter; else nothing."""
    title = ""
    for fact in facts:
        if isinstance(fact, EncounterEnded):
            return f"After {safe(fact.encounter)}"
        if isinstance(fact, Reached) and fact.point == "round":
            title = f"Round {fact.round}"
    return title


def hidden_entry(record: Record) -> PageEntry:
    """Return an entry that is secret: its id, and what it changed that everybody sees."""
    return PageEntry(
        id=str(record.id),
        kind=SECRET,
        by="",
        line=HIDDEN_LINE,
        at="",
        results=(),
        marks=(),
        begins="",
        sums=(),
        dice=(),
        rules=(),
        rows={},
        changes=(),
        variations=(),
    )


def rolls_in(facts: Iterable[BaseFact]) -> list[Rolled]:
    """Return the rolls among facts."""
    return [fact for fact in facts if isinstance(fact, Rolled)]


def value_differences(
    before: Mapping[str, Value], after: Mapping[str, Value], steps: Mapping[str, Sequence[ChangeStep]]
) -> Iterator[ValueDifference]:
    """Yield the values that differ, each with the facts that changed it."""
    for name in sorted({*before, *after}):
        was, now = before.get(name), after.get(name)
        if was != now:
            reasons = tuple(
                Reason(
                    number=step.number,
                    before=step.before,
                    after=step.after,
                    cause=cause(step.fact),
                    rules=tuple(map(safe, step.fact.rules)),
                )
                for step in steps.get(name, ())
            )
            yield ValueDifference(value=name, before=was, after=now, reasons=reasons)


def value_names(changed: Iterable[str], state: State, wording: Wording) -> dict[str, str]:
    """Return the names of values as people say them, without those for which the book has no words."""
    names = ValueNames((), wording, (being.name for being in state.beings_in_order()))
    return {value: names.name(value) for value in sorted(changed) if not names.is_silent(value)}


def rule_texts(entries: Iterable[PageEntry], texts: Texts) -> dict[str, tuple[str, str]]:
    """Return heading and text of every rule that the entries name."""
    cited = {rule for entry in entries for rule in entry.rules}
    cited |= {
        rule for entry in entries for change in entry.changes for reason in change.reasons for rule in reason.rules
    }
    return {safe(rule): (rule_heading(texts, rule), rule_text(texts, rule)) for rule in sorted(cited)}
