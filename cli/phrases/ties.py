"""Ties of the state as sentences of the book: what somebody has, has lost, rides, knows of others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from cli.phrases.facts import in_brackets, join_with_and, tie_pattern, tied_name
from cli.phrases.patterns import fill
from ledger.facts import Linked
from ledger.names import escape
from projections.state import Being, State
from rulebooks.common.texts import Wording

ITEM: Final = "item"  # the kind of things that somebody has

Trouble = Callable[[Being], str]


def tie_lines(state: State, being: Being, wording: Wording, trouble: Trouble) -> list[str]:
    """Return a sentence for each kind of tie of a being, then what it has lost.

    `trouble` says how a thing is; it stands in brackets behind the thing.
    """
    who, told = being.name, dict[tuple[str, str], list[str]]()
    for (one, tie, other), degree in sorted(state.links.items()):
        if who in (one, other):
            fact = Linked(one=one, tie=tie, other=other, degree=degree)
            told.setdefault((tie_pattern(fact, wording), other), []).append(_thing_text(fact, state, wording, trouble))
    lines = [fill(pattern, {"other": other, "who": join_with_and(names)}) for (pattern, other), names in told.items()]
    return [*lines, *_lost_lines(state, being, wording, trouble)]


def _thing_text(fact: Linked, state: State, wording: Wording, trouble: Trouble) -> str:
    """Return what is tied, and how it is if it is a thing."""
    thing = state.being(fact.one)
    return tied_name(fact, wording) + in_brackets(trouble(thing) if thing and thing.kind == ITEM else "")


def _lost_lines(state: State, owner: Being, wording: Wording, trouble: Trouble) -> list[str]:
    """Return the sentence about the things of somebody that nobody has, and that lie somewhere."""
    tied = {one for one, _, _ in state.links}
    things = {being.name: being for being in state.beings_in_order() if being.kind == ITEM and being.name not in tied}
    nameless = dict.fromkeys(name for name in sorted(state.places) if state.being(name) is None)
    lost = [
        tied_name(Linked(one=name, tie="", other=owner.name), wording)
        + in_brackets(trouble(thing) if thing else "", escape(state.place(name)))
        for name, thing in {**nameless, **things}.items()
        if name.startswith(f"{owner.name}'s ")
    ]
    return [f"{escape(owner.name)} no longer has {join_with_and(lost)}"] if lost else []
