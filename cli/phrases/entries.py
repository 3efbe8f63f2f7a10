"""Entries as text: the line, the arithmetic, the result, and what changed. For any game, from facts alone."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final

import msgspec

from cli.output import paint
from cli.phrases import conditions, encounters, windows
from cli.phrases.actions import LOST, actions, idle_turns
from cli.phrases.fact_phrases import EVENTS, NO_WORDS, changed_values, phrase_of
from cli.phrases.movements import movements
from cli.phrases.parts import in_brackets, readable
from cli.phrases.phrase import clause, column, sentence
from cli.phrases.results import result_lines, unjudged_rolls
from cli.phrases.summary import Summaries
from cli.phrases.ties import ties
from ledger.facts import (
    ActionSpent,
    CampaignCreated,
    ChainCommitted,
    ConditionBegan,
    Declared,
    EncounterEnded,
    Fact,
    Joined,
    Judged,
    Ruled,
    SessionClosed,
    SessionOpened,
    TimePassed,
    WindowOpened,
    Withheld,
    WoundChanged,
    Wounded,
)
from ledger.implied_passes import implying_entry, is_turn
from ledger.names import escape
from ledger.records import Door, Record
from ledger.redaction.fact_redaction import SECRET
from rulebooks.common.encounters import PassOn
from rulebooks.common.texts import Wording

CHAIN: Final = re.compile(r"\b([0-9a-f]{8})[0-9a-f]{56}\b")  # in a line that commits to one
INDENT = "      "
TIME_UP: Final = "time limit"  # the holder of a line that a table said because nobody had answered
DOORS: Final[Mapping[Door, str]] = {
    "": "",
    "keyboard": "at the keyboard",
    "file": "from a file",
    "page": "from a page",
}
HEADED: Final = (CampaignCreated, SessionOpened, SessionClosed, Joined)  # said by the heading of their entry


def before_lines(before: Sequence[Record], wording: Wording) -> Iterator[str]:
    """Yield the lines of what was written with a record, before it: passes in one line, other entries by themselves."""
    for implied, records in groupby(before, key=lambda take: implying_entry(take) != ""):
        if implied:
            yield from pass_lines(list(records), wording)
        else:
            for record in records:
                yield from record_lines(record, wording)


def pass_lines(passes: Sequence[Record], wording: Wording) -> list[str]:
    """Return implied passes in lines: who passes, then what came of it besides turns."""
    name = paint(str(passes[0].id).ljust(5), dim=True)
    facts = [fact for each in passes for fact in each.facts[1:] if not is_turn(fact) or is_loss(fact)]
    return [
        f"{name} {'; '.join(escape(each.line) for each in passes)}",
        *(INDENT + line for line in fact_lines(facts, wording)),
    ]


def is_loss(fact: Fact) -> bool:
    """Return whether somebody loses an action, which is printed also where turns are not."""
    return isinstance(fact, ActionSpent) and fact.outcome == LOST


def record_lines(record: Record, wording: Wording, *, takes: bool = False) -> list[str]:
    """Return an entry in lines: its id and line, then what it did; `takes`: with its take and its door."""
    name = f"{record.id}@{record.take}" if takes else str(record.id)
    if record.declared is None:
        cause = f" by {escape(record.cause)}" if record.cause else ""
        return [f"{paint(name.ljust(5), dim=True)} taken back{cause}"]
    head = f"{paint(name.ljust(5), bold=True)} {heading(record)}{in_brackets(door_text(record) if takes else '')}"
    told = fact_lines(record.facts[1:], wording, record.by, passed_over(record))
    return [head, *(INDENT + line for line in told)]


def door_text(record: Record) -> str:
    """Return by which door a record came in, and who held the link; empty if nobody has recorded it."""
    door, holder = DOORS[record.door], escape(record.holder)
    if record.holder == TIME_UP:
        return "nobody had answered in time"
    return f"from the page of {holder}" if record.door == "page" and holder else ", ".join(filter(None, (door, holder)))


def passed_over(record: Record) -> list[str]:
    """Return whose turns went by unused because the line let all pass who were still to come."""
    idle = idle_turns(record.facts)
    declared = record.declared
    if not idle or declared is None or msgspec.json.decode(declared.said).get("say") != PassOn.__struct_config__.tag:
        return []
    return idle


def oneline_records(records: Iterable[Record], wording: Wording, *, takes: bool = False) -> Iterator[list[str]]:
    """Yield each entry in one line: its id, the line, and its results and changes in a few words."""
    summaries = Summaries(wording)
    for record in records:
        if record.declared is None:
            yield record_lines(record, wording, takes=takes)
            continue
        said = record.has(CampaignCreated, SessionOpened, SessionClosed, Joined)  # by its heading
        came = "" if said else "; ".join(summaries.summarize(record.facts[1:], record.by))
        head, *_ = record_lines(record, wording, takes=takes)
        yield [f"{head} -> {came}" if came else head]


def heading(record: Record) -> str:
    """Return the line as it was typed, with the hash of a chain shortened, or the name of a declaration without one."""
    if record.line:
        implied = f"implied by {implying}" if (implying := implying_entry(record)) else ""
        end = "the line ends here" if record.is_cut_short else ""
        line = CHAIN.sub(r"\1…", record.line) if record.has(ChainCommitted) else record.line
        return escape(line) + in_brackets(implied, escape(record.by) if record.line_start else "", end)
    if record.has(Withheld):
        return SECRET
    headed = next((fact for fact in record.facts if isinstance(fact, HEADED)), None)
    if isinstance(headed, SessionClosed):
        return f"session {record.session} closes"
    if headed is not None:
        return clause(phrase_of(headed, NO_WORDS))
    return f"{escape(record.by)} speaks" if record.declared is None else _declaration_name(record.declared)


def _declaration_name(declared: Declared) -> str:
    """Return the name of a declaration without a line: `change sheet: Kess`."""
    said = msgspec.json.decode(declared.said)
    what = readable(str(said.get("say", "")).replace("-", "_"))
    return f"{what}: {escape(str(said['name']))}" if said.get("name") else what


def fact_lines(facts: Sequence[Fact], wording: Wording, by: str = "", unused: Sequence[str] = ()) -> list[str]:
    """Return facts in lines: results and events, all changes on one line, then the turn cycle and what is open.

    `unused` says which turns or actions went by: it stands before the time that passes with them. What a ruling says in
    its own words is not said again.
    """
    ruled = [sentence(phrase_of(fact, wording)) for fact in facts if isinstance(fact, Ruled)]
    lines = [line for line in _fact_lines(facts, wording, by, unused) if line]
    return [line for line in lines if line in ruled or not any(line in text for text in ruled)]


def _fact_lines(facts: Sequence[Fact], wording: Wording, by: str, unused: Sequence[str]) -> Iterator[str]:
    joined = {fact.who for fact in facts if isinstance(fact, Joined)}
    results = {id(fact): lines for fact, lines in result_lines(facts, wording)}
    thrown = unjudged_rolls(facts)
    events = {id(fact): results.get(id(fact), ()) for fact in facts if isinstance(fact, Judged)}
    events |= {
        id(fact): [thrown.get(id(fact)) or _event_line(fact, wording)] for fact in facts if id(fact) not in events
    }
    parts = list(windows.split_by_closing(facts, by))
    for part, speaker in parts:
        for index, timed in enumerate(split_by_time(part)):
            yield from _part_lines(timed, events, wording, by, {speaker, *joined})
            yield from () if index or part is not parts[-1][0] else unused
    yield encounters.order_line(facts)
    yield encounters.cycle_line(facts)
    yield from (
        windows.open_text(fact.kind, fact.who, fact.awaits, wording) for fact in facts if isinstance(fact, WindowOpened)
    )


def split_by_time(facts: Sequence[Fact]) -> Iterator[Sequence[Fact]]:
    """Yield the facts in parts: what came before some time passed, except at the end of an encounter, and the rest."""
    start, is_end = 0, any(isinstance(fact, EncounterEnded) for fact in facts)
    for index, fact in enumerate(facts):
        if isinstance(fact, TimePassed) and not is_end:
            yield facts[start:index]
            start = index
    yield facts[start:]


def _part_lines(
    facts: Sequence[Fact], events: Mapping[int, Sequence[str]], wording: Wording, by: str, own: Collection[str]
) -> Iterator[str]:
    """Yield results and events, then what they changed; a wound stands before what became of it or of its being."""
    healing = {(fact.who, fact.wound) for fact in facts if isinstance(fact, WoundChanged)}
    stricken = {fact.who for fact in facts if isinstance(fact, ConditionBegan)}
    wounds = [fact for fact in facts if isinstance(fact, Wounded)]
    early = [fact for fact in wounds if (fact.who, fact.wound) in healing or fact.who in stricken]
    for fact in facts:
        if fact in early:
            yield column(phrase_of(fact, wording), own)
        yield from events[id(fact)]
    yield from conditions.condition_texts(facts, wording)
    yield from ties(facts, wording)
    yield from movements(facts, wording)
    changes = changed_values([fact for fact in facts if fact not in early], wording, own)
    yield ", ".join(part for part in (*actions(facts, by, wording), changes) if part)


def _event_line(fact: Fact, wording: Wording) -> str:
    """Return a fact that has a line of its own; empty for others. What a heading says has only its details here."""
    phrase = phrase_of(fact, wording)
    if isinstance(fact, HEADED):
        return phrase.detail
    if not isinstance(fact, EVENTS) or phrase.is_silent:
        return ""
    text = column(phrase) if phrase.value else sentence(phrase)
    return paint(text, fg="red") if phrase.is_wrong else text
