"""What a change would come to, in one or two sentences: results, wounds, who is gone, values at the end, entries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from cli.phrases.conditions import begin_template
from cli.phrases.counts import count_sentence
from cli.phrases.parts import readable, wound_name
from cli.phrases.patterns import in_tense
from cli.phrases.ties import tie_text
from cli.phrases.value_names import ValueNames
from cli.questions.house_rule import results_of
from ledger.facts import ConditionBegan, ConditionEnded, Fact, Judged, Linked, Wounded
from ledger.names import escape, name_key, plural
from ledger.projection import Value
from ledger.whatif import EDITED, EntryOutcome, WhatIfResult
from rulebooks.common.texts import Wording

replace = msgspec.structs.replace
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
    windows: dict[str, str] = {}
    results = [(entry.outcome in EDITED, list(_results(entry, wording, windows))) for entry in result.outcomes]
    yield from (text for is_edited, texts in results if is_edited for text in texts)
    before = [fact for entry in result.outcomes if entry.before for fact in entry.before.facts]
    after = [fact for entry in result.outcomes for fact in entry.after]
    yield from _events(before, after, wording)
    yield from (text for is_edited, texts in results if not is_edited for text in texts)
    states = states_of([*before, *after])
    if result.need is None:
        for name, was, now in result.value_changes:
            is_silent = names.is_silent(name) or _has_no_words(states.get(name), wording)
            if not (is_silent or name.startswith(UNTOLD) or _is_event(name, wording)):
                sentence = ""
                if name in states and None in (was, now):
                    sentence = _state(states[name], now, wording)
                if sentence := sentence or _count(name, was, now, wording, names):
                    yield f"at the end {sentence}"
                else:
                    yield f"{names.name(name)} ends at {names.text(name, now)} instead of {names.text(name, was)}"


def _results(entry: EntryOutcome, wording: Wording, windows: dict[str, str]) -> Iterator[str]:
    """Yield the results of an entry that would be others: `Kess's sneak: success, not failure`.

    `windows`: by each window of an open roll what its roll was called, which this entry goes on with or begins.
    """
    was = results_of(entry.before.facts if entry.before else ())
    for key, judged in results_of(entry.after).items():
        for new, old in zip(judged, was.get(key, ()), strict=False):
            name = _judged_name(new, entry, wording, windows)
            if old.result != new.result:
                yield f"{escape(new.who)}'s {name}: {escape(new.result)}, not {escape(old.result)}"


def _judged_name(fact: Judged, entry: EntryOutcome, wording: Wording, windows: dict[str, str]) -> str:
    """Return what was judged: the speaker's own as the declaration names it where the book says so."""
    name, field = fact.what, wording.named.get(fact.what)
    if fact.final and fact.window in windows:
        return windows[fact.window]
    if field is not None and entry.input is not None and fact.who == entry.input.by:
        name = str(msgspec.json.decode(entry.input.declaration_json).get(field) or "") or name
    if fact.window:
        windows[fact.window] = readable(name)
    return readable(name)


def _events(before: Iterable[Fact], after: Iterable[Fact], wording: Wording) -> Iterator[str]:
    """Yield the wounds and the ends of beings that happen in one world only."""
    was, now = Counter(_notable(before, wording)), Counter(_notable(after, wording))
    for who, what, is_wound in was - now:
        yield f"{who}'s {what} never happens" if is_wound else f"{who} is not {what}"
    for who, what, is_wound in now - was:
        yield f"{who} has one more {what}" if is_wound else f"{who} is {what}"


def states_of(facts: Iterable[Fact]) -> dict[str, Linked | ConditionBegan]:
    """Return the ties and conditions that began or ended, each as one that begins, by the name of its value."""
    found: dict[str, Linked | ConditionBegan] = {}
    for fact in facts:
        if isinstance(fact, Linked):
            found[f"{name_key(fact.one)}.{fact.tie}.{name_key(fact.other)}"] = replace(fact, on=True)
        elif isinstance(fact, ConditionBegan):
            found[f"{name_key(fact.who)}.{fact.name}"] = fact
        elif isinstance(fact, ConditionEnded):
            began = ConditionBegan(id=fact.id, who=fact.who, name=fact.name)
            found.setdefault(f"{name_key(fact.who)}.{fact.name}", began)
    return found


def _has_no_words(fact: Linked | ConditionBegan | None, wording: Wording) -> bool:
    """Return whether the book has no words for a condition: the game keeps its books with it."""
    return isinstance(fact, ConditionBegan) and wording.conditions.get(fact.name) == ""


def _state(fact: Linked | ConditionBegan, degree: Value | None, wording: Wording) -> str:
    """Return the words for a tie or a condition as it is at the end. The degree None says that it is over."""
    if isinstance(fact, Linked):
        state = replace(fact, on=degree is not None, degree=degree if isinstance(degree, int) else fact.degree)
        return in_tense(tie_text(state, wording))
    sentence = in_tense(begin_template(replace(fact, degree=degree if isinstance(degree, int) else 1), wording))
    return _negated(sentence) if degree is None else sentence


def _count(name: str, was: Value | None, now: Value | None, wording: Wording, names: ValueNames) -> str:
    """Return a count at the end, or that what was counted is no longer so (None); empty without words for it."""
    own, ends = name.partition(".")[2], now is None
    number = was if ends else now
    if not isinstance(number, int):
        return ""
    return count_sentence(names.owner(name), own or name, number, escape(names.about(name)), wording, ends=ends)


def _negated(sentence: str) -> str:
    """Return that a sentence is no longer true: `Ash is not prone`, `Ash has light cover no more`."""
    return sentence.replace(" is ", " is not ", 1) if " is " in sentence else f"{sentence} no more"


def _is_event(value: str, wording: Wording) -> bool:
    """Return whether a value says what `_events` has said: who is gone, and wounds."""
    return value.rpartition(".")[2] in (*wording.gone, "wounds")


def _notable(facts: Iterable[Fact], wording: Wording) -> Iterator[tuple[str, str, bool]]:
    """Yield the owner and the kind of each wound, and who is gone and how; True for a wound."""
    for fact in facts:
        if isinstance(fact, Wounded):
            yield escape(fact.who), wound_name(fact.kind), True
        elif isinstance(fact, ConditionBegan) and fact.name in wording.gone:
            yield escape(fact.who), readable(fact.name), False


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
