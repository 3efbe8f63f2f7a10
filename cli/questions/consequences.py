"""The later entries that continue something an entry began: a window, a condition, a wound."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import msgspec

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

EndText = Callable[[ConditionEnded], str]  # the sentence of the book for a condition that ends; empty for none


class Consequence(msgspec.Struct, frozen=True, kw_only=True):
    """A later entry that continues something this one began; `what` describes it."""

    entry: str
    line: str
    what: str


def plain_end(fact: ConditionEnded) -> str:
    """Return a sentence for a condition that ends, without the words of a book."""
    return f"{fact.who} is no longer {fact.name}"


def consequences(facts: Iterable[BaseFact], later: Iterable[Record], end_text: EndText) -> Iterator[Consequence]:
    """Yield the later entries that continue what these facts began, until it ends."""
    begun = {name for fact in facts for name in _beginnings(fact)}
    for record in later:
        continued: dict[str, str] = {}
        for name, text in (pair for fact in record.facts for pair in _continuations(fact, end_text)):
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


def _continuations(fact: BaseFact, end_text: EndText) -> Iterator[tuple[str, str]]:
    """Yield the key of a window, condition or wound that a fact continues, and its new state."""
    match fact:
        case WindowChanged():
            yield f"window {fact.window}", f"the {fact.window} changes"
        case Judged() if fact.window and fact.final:
            yield f"window {fact.window}", f"final: {fact.what} {fact.result}"
        case ConditionEnded():
            text = end_text(fact) or f"the note of {fact.who}'s {fact.name} is struck"
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
