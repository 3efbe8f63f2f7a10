"""Ties as sentences of the book: what somebody has, has lost, rides, knows of others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from cli.phrases.joins import joined_sentences
from cli.phrases.parts import in_brackets, readable
from cli.phrases.patterns import Names, fill_but_verbs
from ledger.facts import Fact, Linked
from ledger.names import escape, word_list
from projections.state import Being, State
from rulebooks.common.texts import Wording

ITEM: Final = "item"  # the kind of things that somebody has

Trouble = Callable[[Being], str]


def ties(facts: Iterable[Fact], wording: Wording) -> list[str]:
    """Return the sentences of ties, `Kess holds the sword and the lamp`, else `guard of Kess: Arlo`."""
    return joined_sentences(tie_text(fact, wording) for fact in facts if isinstance(fact, Linked))


def tie_text(fact: Linked, wording: Wording, names: Names = escape, trouble: str = "") -> str:
    """Return the sentence of a tie, with marks for its verbs; `trouble`: how a thing is that is tied."""
    who = tied_name(fact, wording) + in_brackets(trouble)
    return fill_but_verbs(tie_pattern(fact, wording), {"who": who, "other": names(fact.other)})


def tie_pattern(fact: Linked, wording: Wording) -> str:
    """Return the sentence for a tie of {who} with {other}."""
    begun = wording.ties.get(f"{fact.tie} {fact.degree}") or wording.ties.get(fact.tie)
    name = readable(fact.tie)
    if fact.on:
        return begun or f"{name} of {{other}}: {{who}}"
    ended = wording.ties.get(f"{fact.tie} ended") or (f"{begun} no longer" if begun else "")
    return ended or f"{name} of {{other}} no longer: {{who}}"


def tied_name(fact: Linked, wording: Wording) -> str:
    """Return the name of what is tied; a thing of the other's without its owner, as in `the sword`."""
    owned = f"{fact.other}'s "
    name = f"the {fact.one.removeprefix(owned)}" if fact.one.startswith(owned) else fact.one
    is_said = fact.degree == 1 or f"{fact.tie} {fact.degree}" in wording.ties
    return escape(name) if is_said else f"{escape(name)} {fact.degree}"


def tie_lines(state: State, being: Being, wording: Wording, trouble: Trouble) -> list[str]:
    """Return a sentence for each kind of tie of a being, then what it has lost.

    `trouble` says how a thing is; it stands in brackets behind the thing.
    """
    links = [
        Linked(one=one, tie=tie, other=other, degree=degree)
        for (one, tie, other), degree in sorted(state.links.items())
        if being.name in (one, other)
    ]
    told = joined_sentences(tie_text(fact, wording, trouble=_trouble_of(fact.one, state, trouble)) for fact in links)
    return [*told, *_lost_lines(state, being, wording, trouble)]


def _trouble_of(name: str, state: State, trouble: Trouble) -> str:
    """Return how something is if it is a thing."""
    thing = state.being(name)
    return trouble(thing) if thing and thing.kind == ITEM else ""


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
    return [f"{escape(owner.name)} no longer has {word_list(lost)}"] if lost else []
