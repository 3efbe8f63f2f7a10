"""The later entries that continue something an entry began: a window, a condition, a wound."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from cli.phrases.conditions import end_text
from ledger.facts import (
    BaseFact,
    ConditionBegan,
    ConditionEnded,
    Judged,
    WindowChanged,
    WindowClosed,
    WindowOpened,
    WoundChanged,
    Wounded,
)
from ledger.records import Record
from rulebooks.common.texts import Wording


class Consequence(msgspec.Struct, frozen=True, kw_only=True):
    """A later entry that continues something this one began; `what` describes it."""

    entry: str
    line: str
    what: str


def consequences(facts: Iterable[BaseFact], later: Iterable[Record], wording: Wording) -> Iterator[Consequence]:
    """Yield the later entries that continue what these facts began, until it ends."""
    begun = {name for fact in facts for name in _beginnings(fact)}
    for record in later:
        continued: dict[str, str] = {}
        for name, text in (pair for fact in record.facts for pair in _continuations(fact, wording)):
            continued.setdefault(name, text)
        for name, text in continued.items():
            if name in begun:
                yield Consequence(entry=str(record.id), line=record.line, what=text)
        begun -= {name for fact in record.facts for name in (*_endings(fact), *_beginnings(fact))}


def _beginnings(fact: BaseFact) -> Iterator[str]:
    """Yield the keys of the windows, conditions and wounds that begin with a fact."""
    match fact:
        case WindowOpened():
            yield f"window {fact.window}"
        case ConditionBegan():
            yield f"condition {fact.id}"
        case Wounded():
            yield f"wound {fact.who} {fact.wound}"


def _continuations(fact: BaseFact, wording: Wording) -> Iterator[tuple[str, str]]:
    """Yield the key of a window, condition or wound that a fact continues, and its new state."""
    match fact:
        case WindowChanged():
            yield f"window {fact.window}", f"the {fact.window} changes"
        case Judged() if fact.window and fact.final:
            yield f"window {fact.window}", f"final: {fact.what} {fact.result}"
        case ConditionEnded():
            text = end_text(fact, wording) or f"the note of {fact.who}'s {fact.name} is struck"
            yield f"condition {fact.id}", f"{text} ({fact.because})"
        case WoundChanged():
            yield f"wound {fact.who} {fact.wound}", f"{fact.who}'s wound is {fact.kind} {fact.value}"
        case WindowClosed():
            yield f"window {fact.window}", f"{fact.window}: {fact.outcome}"


def _endings(fact: BaseFact) -> Iterator[str]:
    """Yield the keys of the windows, conditions and wounds that end with a fact."""
    match fact:
        case WindowClosed():
            yield f"window {fact.window}"
        case ConditionEnded():
            yield f"condition {fact.id}"
        case WoundChanged() if not fact.value:
            yield f"wound {fact.who} {fact.wound}"
