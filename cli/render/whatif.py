"""The result of a what-if as text and as JSON: entries and values on record and instead."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Any, Final

from cli.output import aligned, paint, safe
from cli.render.log import INDENT, heading
from cli.render.odds import outcome, outcome_name, share
from cli.render.summary import Summaries
from ledger.claims import OUTCOME_PREFIX
from ledger.diff import ReplayDifference
from ledger.facts import Claimed, Fact
from ledger.whatif import EDITED, EntryOutcome, Need, WhatIfResult
from rulebooks.common.texts import Wording

COLOURS: Final = {
    "changed": "yellow",
    "no longer possible": "red",
    "possible again": "green",
    "newly open": "cyan",
}
QUIET: Final = ("unchanged", "carried")
NAMED: Final = re.compile(r'\{"fact":"([a-z-]+)"')
OPTION: Final = "option."
NESTED: Final = ("[{", "{")
SHORT: Final = 60  # letters of a value of a fact
LEAD: Final = 25  # of them before the first that differs


def whatif_lines(sight: WhatIfResult, wording: Wording) -> Iterator[str]:
    """Return the result entry by entry; unchanged entries are only counted."""
    before, after = Summaries(wording, secrets=True), Summaries(wording, secrets=True)
    for fate in sight.outcomes:
        was = _summary(before, fate.before.facts if fate.before else ())
        now = _summary(after, fate.after)
        if fate.outcome not in QUIET:
            yield from _entry(fate, was, now)
    yield ", ".join(f"{count} {fate}" for fate, count in Counter(fate.outcome for fate in sight.outcomes).items())
    yield from _claims(sight)
    if sight.need is None:
        yield from _values(sight)
    else:
        yield from _needed_roll(sight.need)
    if sight.rule_difference is not None:
        yield paint(f"today's rules decide {safe(str(sight.rule_difference))} without any change", fg="red")


def _claims(sight: WhatIfResult) -> Iterator[str]:
    """Return the claims that the ledger would then disagree with."""
    for fate in sight.outcomes:
        for fact in fate.after:
            if isinstance(fact, Claimed) and fact.claimed != fact.actual:
                actual = "nothing" if fact.actual is None else safe(str(fact.actual))
                name, claimed = safe(fact.value.removeprefix(OUTCOME_PREFIX)), safe(str(fact.claimed))
                yield f"{fate.id} claims {name} {claimed}, the ledger would say {actual}"


def _summary(summaries: Summaries, facts: Sequence[Fact]) -> str:
    """Return the summary of facts."""
    return "; ".join(summaries.of(facts, facts[0].by)) if facts and hasattr(facts[0], "by") else ""


def _entry(fate: EntryOutcome, was: str, now: str) -> Iterator[str]:
    """Return one changed entry: its fate, its line, and both summaries."""
    old = fate.before.line if fate.before else ""
    new = fate.input.line if fate.input else ""
    line = safe(new or old) or (heading(fate.before) if fate.before else "")
    name = paint(fate.outcome, fg=COLOURS.get(fate.outcome), bold=fate.outcome in EDITED)
    yield f"{str(fate.id).ljust(5)} {name}: {line}"
    if old and new and old != new:
        yield f"{INDENT}it was: {safe(old)}"
    if fate.refusal:
        yield f"{INDENT}now: {safe(fate.refusal)}"
        now = ""
    if was and was != now:
        yield f"{INDENT}was: {was}"
    if now and was != now:
        yield f"{INDENT}now: {now}"
    if fate.difference is not None and was == now and not fate.refusal:
        yield f"{INDENT}{_difference(fate.difference)}"


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


def _values(sight: WhatIfResult) -> Iterator[str]:
    """Return the values that end differently, on record and instead."""
    rows = [[safe(name), _value(name, was), _value(name, now)] for name, was, now in sight.value_changes]
    if rows:
        yield ""
        yield from aligned([["at the end", "on record", "instead"], *rows])
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


def whatif_json(sight: WhatIfResult) -> dict[str, Any]:
    """Return the result for JSON."""
    return {
        "position": sight.position,
        "entries": [
            {
                "entry": str(fate.id),
                "fate": fate.outcome,
                "by": fate.input.by if fate.input else (fate.before.by if fate.before else ""),
                "line": fate.input.line if fate.input else "",
                "before": fate.before.facts if fate.before else (),
                "after": fate.after,
                "difference": fate.difference,
                "refusal": fate.refusal,
            }
            for fate in sight.outcomes
        ],
        "values": [{"value": name, "before": was, "after": now} for name, was, now in sight.value_changes],
        "need": None if sight.need is None else _need_json(sight.need),
        "otherwise": sight.rule_difference,
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
