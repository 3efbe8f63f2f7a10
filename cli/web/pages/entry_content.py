"""What the replay page says of an entry: its kind, what begins behind it, why values changed, names and rules."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from cli.phrases.fact_phrases import cause
from cli.phrases.sums import result_title
from cli.phrases.value_names import ValueNames
from cli.questions.rules import rule_heading, rule_text
from cli.questions.session_states import ChangeStep
from cli.questions.why import EntryRoll
from cli.story.passages import OWN_WORDS
from cli.web.pages.content import BeforeCorrection, PageEntry, Reason, ValueDifference
from ledger.facts import (
    RESERVED,
    ActionSpent,
    Allowed,
    Amended,
    BaseFact,
    ConditionBegan,
    ConditionEnded,
    Counted,
    CountsCleared,
    EncounterEnded,
    Fact,
    Judged,
    PointsLost,
    PointsRegained,
    PoolSet,
    Reached,
    Rolled,
    SessionClosed,
    SessionOpened,
    TokensMoved,
    Told,
    WoundChanged,
    Wounded,
)
from ledger.implied_passes import implying_entry
from ledger.names import escape
from ledger.projection import Value
from ledger.records import Record
from ledger.redaction.fact_redaction import SECRET
from ledger.redaction.line_redaction import SEEN
from projections.recap.episodes import without_closing
from projections.state import State
from rulebooks.common.texts import Texts, Wording

SILENT: Final = (ActionSpent, Allowed, Counted, CountsCleared, Reached)  # facts that are nobody's deed
EFFECTS: Final = (
    ConditionBegan, ConditionEnded, PointsLost, PointsRegained, PoolSet, TokensMoved, WoundChanged, Wounded,
)  # fmt: skip
ROUND, AFTER = "Round ", "After "
CHANGE: Final = re.compile(r"(?<=[0-9])>(?=-?[0-9])")
HIDDEN_LINE: Final = "the game master acts in secret"


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


def with_arrows(results: Iterable[str]) -> tuple[str, ...]:
    """Return results with an arrow between the numbers of a change: `speed 14→11`."""
    return tuple(CHANGE.sub("→", text) for text in results)


def said_of(record: Record) -> dict[str, Any]:
    """Return the declaration of a record, or what is left of it for the players."""
    said = msgspec.json.decode(record.declared.said) if record.declared else {}
    return {**said, **said.pop(SEEN, {})}


def beings_in(record: Record) -> Iterator[str]:
    """Yield the beings that act or suffer in an entry, each once."""
    facts = [fact for fact in record.facts[1:] if not isinstance(fact, SILENT)]
    names = (getattr(fact, field, "") for fact in facts for field in ("who", "against"))
    yield from dict.fromkeys(name for name in (record.by, *names) if name and name not in RESERVED)


def begins(facts: Iterable[BaseFact]) -> str:
    """Return what begins behind an entry with these facts: a round, or what comes after an encounter; else nothing."""
    title = ""
    for fact in facts:
        if isinstance(fact, EncounterEnded):
            return f"{AFTER}{escape(fact.encounter)}"
        if isinstance(fact, Reached) and fact.point == "round":
            title = f"{ROUND}{fact.round}"
    return title


def hidden_entry(record: Record) -> PageEntry:
    """Return an entry that is secret: its id, and what it changed that everybody sees."""
    return PageEntry(id=str(record.id), kind=SECRET, by="", line=HIDDEN_LINE, at="", secret=True)


def correction_of(entry: PageEntry, cause: str | None, results: Sequence[str]) -> BeforeCorrection | None:
    """Return what an entry was before the correction that caused its take; None if nothing of it is different.

    `results`: what came of it, summarized as those of its variations are: for itself alone.
    """
    if not cause or not entry.variations:
        return None
    before = entry.variations[-1]
    line = before.line if before.line != entry.line else ""
    was = "; ".join(before.results) if before.results != tuple(results) else ""
    how = "changed" if before.because.startswith("changed") else "corrected"
    return BeforeCorrection(by=cause, how=how, line=line, results=was) if line or was else None


def finished_entry(facts: Sequence[BaseFact], rolls: Mapping[str, EntryRoll], id: str) -> str:
    """Return the earlier entry whose roll these facts make final, if they throw no dice of their own."""
    if rolls_in(facts):
        return ""
    purposes = {purpose for fact in facts if isinstance(fact, Judged) and fact.final for purpose in fact.rolls}
    entries = {rolls[purpose].entry for purpose in purposes if purpose in rolls} - {id}
    return entries.pop() if len(entries) == 1 else ""


def effects(facts: Iterable[Fact], known: Collection[str]) -> list[Fact]:
    """Return what a roll did when it became final, without the results that are known from its own entry by title."""
    return [
        fact
        for fact in facts
        if isinstance(fact, EFFECTS) or (isinstance(fact, Judged) and result_title(fact) not in known)
    ]


def own_facts(facts: Sequence[Fact]) -> Sequence[Fact]:
    """Return the facts of an entry without the result of the earlier roll that it makes final, and its effects."""
    own = without_closing(facts)
    return own if len(own) < len(facts) else [fact for fact in facts if not isinstance(fact, (Judged, *EFFECTS))]


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
                    before=step.before,
                    after=step.after,
                    cause=cause(step.fact),
                    rule=escape(step.fact.rules[0]) if step.fact.rules else "",
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
    return {escape(rule): (rule_heading(texts, rule), rule_text(texts, rule)) for rule in sorted(cited)}
