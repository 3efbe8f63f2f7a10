"""A foresight in words and as JSON: each entry in both worlds, the values side by side, what the table is asked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Any, Final

from cli.commands.odds import named, outcome, share
from cli.output import aligned, paint, safe
from cli.render.log import INDENT, heading
from cli.render.summary import Results
from ledger.builtin import OUTCOME_PREFIX
from ledger.facts import Claimed, Fact
from ledger.field_diff import ReplayDifference
from ledger.whatif import EDITED, EntryOutcome, Need, WhatIfResult

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


def foretold(sight: WhatIfResult) -> Iterator[str]:
    """The foresight, entry by entry; what stays the same is only counted."""
    before, after = Results(secrets=True), Results(secrets=True)
    for fate in sight.outcomes:
        was = _told(before, fate.before.facts if fate.before else ())
        now = _told(after, fate.after)
        if fate.outcome not in QUIET:
            yield from _entry(fate, was, now)
    yield ", ".join(f"{count} {fate}" for fate, count in Counter(fate.outcome for fate in sight.outcomes).items())
    yield from claims(sight)
    if sight.need is None:
        yield from side_by_side(sight)
    else:
        yield from needed(sight.need)
    if sight.rule_difference is not None:
        yield paint(f"today's rules decide {safe(str(sight.rule_difference))} without any change", fg="red")


def claims(sight: WhatIfResult) -> Iterator[str]:
    """What the table or a print says otherwise than the ledger would then say."""
    for fate in sight.outcomes:
        for fact in fate.after:
            if isinstance(fact, Claimed) and fact.claimed != fact.actual:
                actual = "nothing" if fact.actual is None else safe(str(fact.actual))
                name, claimed = safe(fact.value.removeprefix(OUTCOME_PREFIX)), safe(str(fact.claimed))
                yield f"{fate.id} claims {name} {claimed}, the ledger would say {actual}"


def _told(results: Results, facts: Sequence[Fact]) -> str:
    """What some facts come to."""
    return "; ".join(results.of(facts, facts[0].by)) if facts and hasattr(facts[0], "by") else ""


def _entry(fate: EntryOutcome, was: str, now: str) -> Iterator[str]:
    """One entry: its fate, its line, and both outcomes."""
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
        yield f"{INDENT}{_parted(fate.difference)}"


def _parted(found: ReplayDifference) -> str:
    """The first field that differs, in both worlds; of whole facts their names, of notes and sums that they differ."""
    if found.field == "data":
        return f"{found.kind}: what the rules note there differs"
    old, new = found.recorded, found.derived
    if found.field == "fact":
        old, new = ((names[1] if (names := NAMED.match(text)) else text) for text in (old, new))
        return f"fact {found.fact}: {safe(old)} > {safe(new)}"
    if all(text.startswith(NESTED) for text in (old, new)) and max(len(old), len(new)) > SHORT:
        return f"{found.kind} {found.field}: not the same"
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))
    return f"{found.kind} {found.field}: {_short(old, same)} > {_short(new, same)}"


def _short(text: str, same: int) -> str:
    """A value of a fact; where it is long, only what stands around the first letter that is not the same."""
    start = max(0, min(same - LEAD, len(text) - SHORT)) if len(text) > SHORT else 0
    end = start + SHORT
    return safe(f"{'...' if start else ''}{text[start:end]}{'...' if end < len(text) else ''}")


def side_by_side(sight: WhatIfResult) -> Iterator[str]:
    """The values that end otherwise: on record, and as foreseen."""
    rows = [[safe(name), _value(name, was), _value(name, now)] for name, was, now in sight.value_changes]
    if rows:
        yield ""
        yield from aligned([["at the end", "on record", "instead"], *rows])
    else:
        yield "all values end the same"


def _value(name: str, value: object) -> str:
    """A value, in words where there is none."""
    none = "by default" if name.startswith(OPTION) else "none"
    return none if value is None else safe(str(value)) or none


def needed(need: Need) -> Iterator[str]:
    """What the table is asked, and the odds."""
    yield paint(f"{need.id} {safe(need.line)}", bold=True)
    yield f"{INDENT}the run ends here: {safe(need.why)}"
    order = [outcome(chance) for chance in need.odds]
    for chance in need.odds:
        yield f"{INDENT}{safe(named(outcome(chance), order))}: {share(chance.ways, chance.of)}"


def foresight_json(sight: WhatIfResult) -> dict[str, Any]:
    """The foresight for machines."""
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
        "need": None if sight.need is None else need_json(sight.need),
        "otherwise": sight.rule_difference,
    }


def need_json(need: Need) -> dict[str, Any]:
    """What the table is asked, for machines."""
    return {
        "entry": str(need.id),
        "line": need.line,
        "purpose": need.purpose,
        "sides": need.sides,
        "why": need.why,
        "odds": need.odds,
    }
