"""The later entries that continue something an entry began: a window, a condition, a wound."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import msgspec

from ledger import facts
from ledger.records import Record

Tell = Callable[[facts.BaseFact], str]  # what a fact says, in the words of a book


class Consequence(msgspec.Struct, frozen=True, kw_only=True):
    """A later entry that continues something this one began; `what` describes it."""

    entry: str
    line: str
    what: str


def kind_words(fact: facts.BaseFact) -> str:
    """Return the kind of a fact in words, without those of a book: `condition ended`."""
    return facts.tag(type(fact)).replace("-", " ")


def consequences(own: Iterable[facts.BaseFact], later: Iterable[Record], tell: Tell) -> Iterator[Consequence]:
    """Yield the later entries that continue what the facts of an entry began, until it ends."""
    begun = {name for fact in own for name in _beginnings(fact)}
    for record in later:
        continued: dict[str, facts.BaseFact] = {}
        for each in record.facts:
            for name in _continuations(each):
                continued.setdefault(name, each)
        for name, first in continued.items():
            if name in begun:
                yield Consequence(entry=str(record.id), line=record.line, what=tell(first))
        begun -= {name for fact in record.facts for name in (*_endings(fact), *_beginnings(fact))}


def _beginnings(fact: facts.BaseFact) -> Iterator[str]:
    """Yield the keys of the windows, conditions and wounds that begin with a fact."""
    match fact:
        case facts.WindowOpened():
            yield f"window {fact.window}"
        case facts.ConditionBegan():
            yield f"condition {fact.id}"
        case facts.Wounded():
            yield f"wound {fact.who} {fact.wound}"


def _continuations(fact: facts.BaseFact) -> Iterator[str]:
    """Yield the key of a window, condition or wound that a fact continues."""
    match fact:
        case facts.WindowChanged() | facts.WindowClosed():
            yield f"window {fact.window}"
        case facts.Judged() if fact.window and fact.final:
            yield f"window {fact.window}"
        case facts.ConditionEnded():
            yield f"condition {fact.id}"
        case facts.WoundChanged():
            yield f"wound {fact.who} {fact.wound}"


def _endings(fact: facts.BaseFact) -> Iterator[str]:
    """Yield the keys of the windows, conditions and wounds that end with a fact."""
    match fact:
        case facts.WindowClosed():
            yield f"window {fact.window}"
        case facts.ConditionEnded():
            yield f"condition {fact.id}"
        case facts.WoundChanged() if not fact.value:
            yield f"wound {fact.who} {fact.wound}"
