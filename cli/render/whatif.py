"""The result of a what-if as text and as JSON: entries and values on record and instead."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from cli.notation.formatter import format_declaration, format_faces
from cli.output import align_columns, paint
from cli.phrases.counts import count_phrase
from cli.phrases.entries import INDENT, fact_lines, heading
from cli.phrases.parts import in_brackets, ledger_value
from cli.phrases.summary import Summaries
from cli.phrases.value_names import ValueNames
from cli.render.conclusion import OPTION, conclusion, states_of
from cli.render.odds import outcome, outcome_name, share
from ledger.facts import Claimed, Declared, EntryId, Fact
from ledger.names import escape
from ledger.projection import Value
from ledger.whatif import EDITED, EntryOutcome, Need, Remedy, WhatIfResult
from projections.recap.episodes import without_closing
from rulebooks.common.texts import Wording

COLOURS: Final = {"changed": "yellow", "no longer possible": "red", "possible again": "green", "new turn": "cyan"}
QUIET: Final = ("unchanged", "carried")


def whatif_lines(result: WhatIfResult, wording: Wording) -> Iterator[str]:
    """Return what it comes to, then the entries that differ, claims that would be wrong, and the values at the end."""
    facts = [
        fact for entry in result.outcomes for fact in (*(entry.before.facts if entry.before else ()), *entry.after)
    ]
    names = ValueNames(facts, wording)
    yield paint(conclusion(result, wording, names), bold=True)
    before, after = Summaries(wording), Summaries(wording)
    for index, entry in enumerate(result.outcomes):
        was, now = (
            _summary(summaries, facts, first=not index)
            for summaries, facts in ((before, entry.before.facts if entry.before else ()), (after, entry.after))
        )
        if entry.outcome not in QUIET:
            yield from _entry(entry, was, now, wording)
    yield from _claims(result, names)
    if result.need is None:
        yield from _values(result, names, wording, states_of(facts))
    else:
        yield from _needed_roll(result.need)
    if result.rule_difference is not None:
        yield paint(f"the installed rules differ without the change: {escape(str(result.rule_difference))}", fg="red")


def _claims(result: WhatIfResult, names: ValueNames) -> Iterator[str]:
    """Return the claims that differ from the ledger in the changed world."""
    for entry in result.outcomes:
        for fact in entry.after:
            if isinstance(fact, Claimed) and fact.claimed != fact.actual:
                claim = f"{names.claim(fact.value)} {escape(str(fact.claimed))}"
                yield f"{entry.id} claims {claim}, the ledger would say {ledger_value(fact.actual)}"


def _summary(summaries: Summaries, facts: Sequence[Fact], *, first: bool) -> str:
    """Return the summary of facts. The `first` entry leaves out the end of the roll before it."""
    if not facts or not isinstance(facts[0], Declared):
        return ""
    return "; ".join(summaries.summarize(without_closing(facts[1:]) if first else facts[1:], facts[0].by))


def _entry(entry: EntryOutcome, was: str, now: str, wording: Wording) -> Iterator[str]:
    """Return one changed entry: its outcome, its line, and both summaries."""
    old = entry.before.line if entry.before else ""
    new = entry.input.line if entry.input else ""
    line = escape(new or old) + _speaker(entry) if new or old else _unwritten(entry)
    name = paint(entry.outcome, fg=COLOURS.get(entry.outcome), bold=entry.outcome in EDITED)
    yield f"{str(entry.id).ljust(5)} {name}: {line}"
    if old and new and old != new:
        yield f"{INDENT}it was: {escape(old)}"
    if was and was != now:
        yield f"{INDENT}was: {was}"
    if entry.refusal:
        yield f"{INDENT}now: {escape(entry.refusal)}"
        if entry.remedy is not None:
            rolled = any(line.faces for line in entry.remedy.lines)
            faces = ", with the faces that are rolled" if rolled else ""
            yield f"{INDENT}to keep it{faces}: {escape(remedy_options(entry.remedy))}"
    elif now and was != now:
        yield f"{INDENT}now: {now}"
    if entry.difference is not None and was == now and not entry.refusal:
        yield from _differing_lines(entry, wording)


def _speaker(entry: EntryOutcome) -> str:
    """Return who said an entry of a line of several, in brackets; empty for any other."""
    said = entry.input or entry.before
    return in_brackets(escape(said.by)) if said is not None and said.line_start else ""


def _unwritten(entry: EntryOutcome) -> str:
    """Return the name of an entry without a line, by its facts on record or else by those instead."""
    if entry.before is None:
        return ""
    return heading(msgspec.structs.replace(entry.before, facts=entry.before.facts or entry.after))


def remedy_options(remedy: Remedy) -> str:
    """Return the options of the command with which an entry is kept: the lines before it."""
    lines = [" ".join([format_declaration(line.said), *format_faces(line.faces or None)]) for line in remedy.lines]
    after = EntryId(remedy.after.session, remedy.after.number)  # one that the edits insert is not in the ledger
    return " ".join(f"--insert {after} {shlex.quote(line)}" for line in lines)


def _differing_lines(entry: EntryOutcome, wording: Wording) -> Iterator[str]:
    """Yield the lines of the log in which an entry of the same summary differs."""
    was = fact_lines(entry.before.facts[1:] if entry.before else (), wording, entry.before.by if entry.before else "")
    now = fact_lines(entry.after[1:], wording, entry.input.by if entry.input else "")
    lines = [f"{INDENT}was: {line}" for line in was if line not in now]
    lines += [f"{INDENT}now: {line}" for line in now if line not in was]
    yield from lines or [f"{INDENT}with the same result and the same changes"]


def _values(result: WhatIfResult, names: ValueNames, wording: Wording, states: Mapping[str, object]) -> Iterator[str]:
    """Return the values that end differently, on record and instead; `states`: ties and conditions among them."""

    def text(name: str, value: Value | None, none: str) -> str:
        if name in states and value in (None, 1):
            return "no" if value is None else "yes"
        count = value if isinstance(value, int) else 0
        phrase = (
            count_phrase(name.partition(".")[2] or name, count, escape(names.about(name)), wording) if count else ""
        )
        return phrase or names.text(name, value, none=none)

    rows = []
    for name, was, now in result.value_changes:
        none = "by default" if name.startswith(OPTION) else "none"
        texts = [text(name, was, none), text(name, now, none)]
        if not names.is_silent(name) and texts[0] != texts[1]:
            rows.append([names.name(name), *texts])
    if rows:
        yield ""
        yield from align_columns([["at the end", "on record", "instead"], *rows])


def _needed_roll(need: Need) -> Iterator[str]:
    """Return the roll that the table has to make, and its odds."""
    yield paint(f"{need.id} {escape(need.line)}", bold=True)
    yield f"{INDENT}the run ends here: {escape(need.why)}"
    chances = need.odds()
    order = [outcome(chance) for chance in chances]
    for chance in chances:
        yield f"{INDENT}{escape(outcome_name(outcome(chance), order))}: {share(chance.ways, chance.of)}"


def whatif_json(result: WhatIfResult) -> dict[str, Any]:
    """Return the result for JSON."""
    return {
        "position": result.head.position,
        "entries": [
            {
                "entry": str(entry.id),
                "outcome": entry.outcome,
                "by": entry.input.by if entry.input else (entry.before.by if entry.before else ""),
                "line": entry.input.line if entry.input else "",
                "before": entry.before.facts if entry.before else (),
                "after": entry.after,
                "difference": entry.difference,
                "refusal": entry.refusal,
                "keep": "" if entry.remedy is None else remedy_options(entry.remedy),
            }
            for entry in result.outcomes
        ],
        "values": [{"value": name, "before": was, "after": now} for name, was, now in result.value_changes],
        "need": None if result.need is None else _need_json(result.need),
        "rule_difference": result.rule_difference,
    }


def _need_json(need: Need) -> dict[str, Any]:
    """Return the roll that the table has to make."""
    return {
        "entry": str(need.id),
        "line": need.line,
        "purpose": need.purpose,
        "sides": need.sides,
        "why": need.why,
        "odds": need.odds(),
    }
