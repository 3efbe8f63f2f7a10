"""What a change would come to, in one or two sentences: results, wounds, who is gone, values at the end, entries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from cli.output import safe
from cli.render.phrases import plural, readable
from cli.render.value_names import ValueNames
from ledger.facts import ConditionBegan, Fact, Judged, Wounded
from ledger.whatif import EDITED, EntryOutcome, WhatIfResult
from rulebooks.common.texts import Wording

OPTION: Final = "option."  # begins the names of readings, which are supposed
UNTOLD: Final = (OPTION, "clock.", "encounter.")  # begin names of values that follow from others
NAMED_MOST: Final = 3  # differences in the first sentence


def conclusion(result: WhatIfResult, wording: Wording, names: ValueNames) -> str:
    """Return what would change, then how many later entries change, fall away or open."""
    return f"{_first_sentence(result, wording, names)} {_entries(result)}"


def _first_sentence(result: WhatIfResult, wording: Wording, names: ValueNames) -> str:
    """Return the differences that matter most."""
    told = list(dict.fromkeys(_differences(result, wording, names)))
    more = f", and {len(told) - NAMED_MOST} more" if len(told) > NAMED_MOST else ""
    if result.need is not None:
        told = [f"from {result.need.id} on it takes dice that were never thrown", *told]
    if not told:
        return "would change no value: all end the same."
    return f"would change: {'; '.join(told[:NAMED_MOST])}{more}."


def _differences(result: WhatIfResult, wording: Wording, names: ValueNames) -> Iterator[str]:
    """Yield results of what is edited, wounds and who is gone, then later results, and values at the end."""
    edited = [entry for entry in result.outcomes if entry.outcome in EDITED]
    later = [entry for entry in result.outcomes if entry.outcome not in EDITED]
    yield from (text for entry in edited for text in _results(entry))
    before = [fact for entry in result.outcomes if entry.before for fact in entry.before.facts]
    after = [fact for entry in result.outcomes for fact in entry.after]
    yield from _events(before, after, wording)
    yield from (text for entry in later for text in _results(entry))
    if result.need is None:
        for name, was, now in result.value_changes:
            if not (names.is_silent(name) or name.startswith(UNTOLD) or _is_event(name, wording)):
                yield f"{names.name(name)} ends at {names.text(name, now)} instead of {names.text(name, was)}"


def _results(entry: EntryOutcome) -> Iterator[str]:
    """Yield the results of an entry that would be others."""
    was = _by_judgement(entry.before.facts if entry.before else ())
    for key, judged in _by_judgement(entry.after).items():
        for new, old in zip(judged, was.get(key, ()), strict=False):
            if old.result != new.result:
                name = f"{safe(new.who)} {readable(new.what)}".strip()
                yield f"{name} is {safe(new.result)}, not {safe(old.result)}"


def _by_judgement(facts: Iterable[Fact]) -> dict[tuple[str, str, str], list[Judged]]:
    """Return the results among facts, by what is judged, whose it is and against whom."""
    found: dict[tuple[str, str, str], list[Judged]] = {}
    for fact in facts:
        if isinstance(fact, Judged):
            found.setdefault((fact.what, fact.who, fact.against), []).append(fact)
    return found


def _events(before: Iterable[Fact], after: Iterable[Fact], wording: Wording) -> Iterator[str]:
    """Yield the wounds and the ends of beings that happen in one world only."""
    was, now = Counter(_notable(before, wording)), Counter(_notable(after, wording))
    for who, what, is_wound in was - now:
        yield f"{who}'s {what} wound never happens" if is_wound else f"{who} is not {what}"
    for who, what, is_wound in now - was:
        yield f"{who} has one more {what} wound" if is_wound else f"{who} is {what}"


def _is_event(value: str, wording: Wording) -> bool:
    """Return whether a value says what `_events` has said: who is gone, and wounds."""
    return value.rpartition(".")[2] in (*wording.gone, "wounds")


def _notable(facts: Iterable[Fact], wording: Wording) -> Iterator[tuple[str, str, bool]]:
    """Yield whose wound of which kind, and who is gone in which way."""
    for fact in facts:
        if isinstance(fact, Wounded):
            yield safe(fact.who), safe(fact.kind), True
        elif isinstance(fact, ConditionBegan) and fact.name in wording.gone:
            yield safe(fact.who), readable(fact.name), False


def _entries(result: WhatIfResult) -> str:
    """Return how many later entries have another outcome, and how many stay as they are."""
    count = Counter(entry.outcome for entry in result.outcomes)
    parts = [
        plural(count["changed"], "later entry changes", "later entries change"),
        plural(count["no longer possible"], "falls away", "fall away"),
        plural(count["possible again"], "is possible again", "are possible again"),
        plural(count["new turn"], "turn opens", "turns open"),
        plural(count["new pass"], "pass is implied anew", "passes are implied anew"),
        plural(count["no pass"], "pass is implied no more", "passes are implied no more"),
    ]
    told = [part for part in parts if not part.startswith("0 ")]
    same = plural(count["unchanged"] + count["carried"], "stays as it is", "stay as they are")
    kept = "" if same.startswith("0 ") else same
    if not told:
        return f"No later entry changes{f', {kept}' if kept else ''}."
    return f"{', '.join([*told, *([kept] if kept else [])])}."
