"""The result of a what-if as text and as JSON: entries and values on record and instead."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Any, Final

from cli.output import align_columns, paint, safe
from cli.render.log import INDENT, heading
from cli.render.odds import outcome, outcome_name, share
from cli.render.phrases import ledger_value
from cli.render.summary import Summaries
from ledger.claims import OUTCOME_PREFIX
from ledger.diff import ReplayDifference
from ledger.facts import Claimed, Fact
from ledger.whatif import EDITED, EntryOutcome, Need, WhatIfResult
from rulebooks.common.texts import Wording

COLOURS: Final = {"changed": "yellow", "no longer possible": "red", "possible again": "green", "new turn": "cyan"}
QUIET: Final = ("unchanged", "carried")
NAMED: Final = re.compile(r'\{"fact":"([a-z-]+)"')
OPTION: Final = "option."
NESTED: Final = ("[{", "{")
SHORT: Final = 60  # letters of a value of a fact
LEAD: Final = 25  # of them before the first that differs


def whatif_lines(result: WhatIfResult, wording: Wording) -> Iterator[str]:
    """Return the result entry by entry; unchanged entries are only counted."""
    before, after = Summaries(wording), Summaries(wording)
    for entry in result.outcomes:
        was = _summary(before, entry.before.facts if entry.before else ())
        now = _summary(after, entry.after)
        if entry.outcome not in QUIET:
            yield from _entry(entry, was, now)
    yield ", ".join(f"{count} {name}" for name, count in Counter(entry.outcome for entry in result.outcomes).items())
    yield from _claims(result)
    if result.need is None:
        yield from _values(result)
    else:
        yield from _needed_roll(result.need)
    if result.rule_difference is not None:
        yield paint(f"the installed rules differ without the change: {safe(str(result.rule_difference))}", fg="red")


def _claims(result: WhatIfResult) -> Iterator[str]:
    """Return the claims that differ from the ledger in the changed world."""
    for entry in result.outcomes:
        for fact in entry.after:
            if isinstance(fact, Claimed) and fact.claimed != fact.actual:
                actual = ledger_value(fact.actual)
                name, claimed = (
                    safe(fact.value.removeprefix(OUTCOME_PREFIX)),
                    safe(str(fact.claimed)),
                )
                yield f"{entry.id} claims {name} {claimed}, the ledger would say {actual}"


def _summary(summaries: Summaries, facts: Sequence[Fact]) -> str:
    """Return the summary of facts."""
    return "; ".join(summaries.summarize(facts, facts[0].by)) if facts and hasattr(facts[0], "by") else ""


def _entry(entry: EntryOutcome, was: str, now: str) -> Iterator[str]:
    """Return one changed entry: its outcome, its line, and both summaries."""
    old = entry.before.line if entry.before else ""
    new = entry.input.line if entry.input else ""
    line = safe(new or old) or (heading(entry.before) if entry.before else "")
    name = paint(entry.outcome, fg=COLOURS.get(entry.outcome), bold=entry.outcome in EDITED)
    yield f"{str(entry.id).ljust(5)} {name}: {line}"
    if old and new and old != new:
        yield f"{INDENT}it was: {safe(old)}"
    if entry.refusal:
        yield f"{INDENT}now: {safe(entry.refusal)}"
        now = ""
    if was and was != now:
        yield f"{INDENT}was: {was}"
    if now and was != now:
        yield f"{INDENT}now: {now}"
    if entry.difference is not None and was == now and not entry.refusal:
        yield f"{INDENT}{_difference(entry.difference)}"


def _difference(difference: ReplayDifference) -> str:
    """Return the first field that differs; of whole facts only their kinds, of long nested values only the name."""
    if difference.field == "data":
        return f"{difference.kind}: the data of the game differs"
    old, new = difference.recorded, difference.derived
    if difference.field == "fact":
        old, new = ((names[1] if (names := NAMED.match(text)) else text) for text in (old, new))
        return f"fact {difference.fact}: {safe(old)} > {safe(new)}"
    if all(text.startswith(NESTED) for text in (old, new)) and max(len(old), len(new)) > SHORT:
        return f"{difference.kind} {difference.field}: not the same"
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))
    return f"{difference.kind} {difference.field}: {_short(old, same)} > {_short(new, same)}"


def _short(text: str, same: int) -> str:
    """Return a value of a fact; of a long one the part around the first character that differs."""
    start = max(0, min(same - LEAD, len(text) - SHORT)) if len(text) > SHORT else 0
    end = start + SHORT
    return safe(f"{'...' if start else ''}{text[start:end]}{'...' if end < len(text) else ''}")


def _values(result: WhatIfResult) -> Iterator[str]:
    """Return the values that end differently, on record and instead."""
    rows = [[safe(name), _value(name, was), _value(name, now)] for name, was, now in result.value_changes]
    if rows:
        yield ""
        yield from align_columns([["at the end", "on record", "instead"], *rows])
    else:
        yield "all values end the same"


def _value(name: str, value: object) -> str:
    """Return a value, in words where there is none."""
    none = "by default" if name.startswith(OPTION) else "none"
    return none if value is None else safe(str(value)) or none


def _needed_roll(need: Need) -> Iterator[str]:
    """Return the roll that the table has to make, and its odds."""
    yield paint(f"{need.id} {safe(need.line)}", bold=True)
    yield f"{INDENT}the run ends here: {safe(need.why)}"
    chances = need.odds()
    order = [outcome(chance) for chance in chances]
    for chance in chances:
        yield f"{INDENT}{safe(outcome_name(outcome(chance), order))}: {share(chance.ways, chance.of)}"


def whatif_json(result: WhatIfResult) -> dict[str, Any]:
    """Return the result for JSON."""
    return {
        "position": result.position,
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
