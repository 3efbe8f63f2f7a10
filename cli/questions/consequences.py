"""The later entries that continue something an entry began: a window, a condition, a wound."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import msgspec

from ledger import facts
from ledger.records import Record

Tell = Callable[[facts.BaseFact], str]  # what a fact says, in the words of a book


BEGINS, GOES_ON, ENDS = "begins", "goes on", "ends"


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
    begun = {key for key, step in map(_step, own) if step == BEGINS}
    for record in later:
        steps = [(*_step(fact), fact) for fact in record.facts]
        continued: dict[str, facts.BaseFact] = {}
        for key, step, fact in steps:
            if step in (GOES_ON, ENDS):
                continued.setdefault(key, fact)
        for key, first in continued.items():
            if key in begun:
                yield Consequence(entry=str(record.id), line=record.line, what=tell(first))
        begun -= {key for key, step, _ in steps if step in (BEGINS, ENDS)}


def _step(fact: facts.BaseFact) -> tuple[str, str]:
    """Return the key of the window, condition or wound of a fact, and whether it begins, goes on or ends with it."""
    match fact:
        case facts.WindowOpened():
            return f"window {fact.window}", BEGINS
        case facts.WindowChanged():
            return f"window {fact.window}", GOES_ON
        case facts.Judged() if fact.window and fact.final:
            return f"window {fact.window}", GOES_ON
        case facts.WindowClosed():
            return f"window {fact.window}", ENDS
        case facts.ConditionBegan():
            return f"condition {fact.id}", BEGINS
        case facts.ConditionEnded():
            return f"condition {fact.id}", ENDS
        case facts.Wounded():
            return f"wound {fact.who} {fact.wound}", BEGINS
        case facts.WoundChanged():
            return f"wound {fact.who} {fact.wound}", GOES_ON if fact.value else ENDS
    return "", ""
