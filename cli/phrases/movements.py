"""Who moved how far, and where somebody is now, as sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cli.phrases.joins import joined_sentences
from cli.phrases.parts import in_brackets
from cli.phrases.patterns import fill, fill_but_verbs
from ledger.facts import Counted, Fact, Placed
from ledger.names import escape
from projections.state import Place
from rulebooks.common.texts import Wording

NOWHERE: Final = ""


def movements(facts: Sequence[Fact], wording: Wording) -> Iterator[str]:
    """Yield the distance that was moved, then who is where: `Kael and Sira are in archway`.

    Of those who moved as one, a mount and its rider, only the first has a distance: the rider counts it in squares of
    their own size.
    """
    counted = (fact for fact in facts if isinstance(fact, Counted) and fact.change > 0 and fact.name in wording.moves)
    if fact := next(counted, None):
        yield fill(wording.moves[fact.name][fact.change != 1], {"who": fact.who, "change": fact.change})
    placed = {fact.who: place_words(fact, wording) for fact in facts if isinstance(fact, Placed)}
    texts = [fill_but_verbs("{who} <be> {place}", {"who": who, "place": place}) for who, place in placed.items()]
    yield from joined_sentences(texts)


def place_words(fact: Placed | Place, wording: Wording) -> str:
    """Return `in archway`, `in yard (5,5)`, or `at 5,5` of a place that the book itself has brought into play."""
    square = "{},{}".format(*fact.square) if fact.square else ""
    if fact.place == NOWHERE:
        return "no longer lying there"
    if fact.place in wording.called:
        return f"at {square}" if square else "on a square that is not known"
    return f"in {escape(fact.place)}{in_brackets(square)}"
