"""What somebody suffers, as what somebody does: `the guard gets a kick from Ada` is `Ada kicks the guard`.

A blow that is named by its weapon, or by no verb of the book, is an attack: `takes Marta's axe`, `a bolt from Kess`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from cli.speech.english import ENGLISH
from cli.speech.in_play import InPlay
from cli.speech.words import Word
from rulebooks.common.word_forms import base_forms

ATTACK: Final = Word(ENGLISH.attacking[0], ENGLISH.attacking[0], 0)
WITH: Final = Word("with", "with", 0)
OWNER: Final = "'s"


class Giver(NamedTuple):
    """Who gives a blow: where it is said that he does, where his name begins, and where it ends."""

    start: int
    name: int
    end: int


def blow_in_active(words: Sequence[Word], in_play: InPlay) -> Iterator[tuple[Sequence[Word], int]]:
    """Yield a sentence about a blow with who gives it before it, and where the blow stands in it as its verb.

    Then come those with an attack instead, at 0: with the words of the blow as a means, or as they are.
    """
    taker = in_play.beings.at(words, 0)
    start = taker.size if taker else len(words)
    if start + 1 >= len(words) or base_forms(words[start].text).isdisjoint(ENGLISH.suffering):
        return
    giver = _giver_behind(words, start + 1, in_play)
    if giver is None:
        return
    name, suffers = words[giver.name : giver.end], words[:start]
    deed = start + 1 + (words[start + 1].text in ENGLISH.articles)
    if giver.start == giver.name:  # `takes Marta's axe`
        blow: Sequence[Word] = words[giver.end + 1 :]
        rest: Sequence[Word] = ()
    else:
        blow, rest = words[deed : giver.start], words[giver.end :]
        if blow:
            yield [*name, *blow, *suffers, *rest], len(name)
    if blow:
        yield [*name, ATTACK, *suffers, WITH, *blow, *rest], 0
        yield [*name, ATTACK, *suffers, *blow, *rest], 0


def _giver_behind(words: Sequence[Word], start: int, in_play: InPlay) -> Giver | None:
    """Return who gives the blow that is said from here on; None if nobody does."""
    owner = in_play.beings.at(words, start)
    if owner and start + owner.size < len(words) - 1 and words[start + owner.size].text == OWNER:
        return Giver(start, start, start + owner.size)
    for at in range(start + 1, len(words) - 1):
        is_courtesy = words[at].text in ENGLISH.courtesy and words[at + 1].text == "of"
        name = at + 1 + is_courtesy
        if (is_courtesy or words[at].text in ENGLISH.giving) and (named := in_play.beings.at(words, name)):
            return Giver(at, name, name + named.size)
    return None


def deed_for_noun(words: Sequence[Word], in_play: InPlay) -> Iterator[tuple[Sequence[Word], int]]:
    """Yield a sentence with the noun of a deed as its verb, and where it stands: `gives him a shove` is `shove him`.

    `has a jab at Tomas`, `throws a punch`.
    """
    doer = in_play.beings.at(words, 0)
    start = doer.size if doer else len(words)
    if start + 2 >= len(words) or base_forms(words[start].text).isdisjoint(ENGLISH.lending):
        return
    taker = in_play.beings.at(words, start + 1)
    deed = start + 1 + (taker.size if taker else 0)
    if deed < len(words) - (taker is not None) and words[deed].text in ENGLISH.articles:
        deed += 1
    if deed < len(words):
        behind = (
            words[deed + 1 :] if taker is None else [*words[start + 1 : start + 1 + taker.size], *words[deed + 1 :]]
        )
        yield [*words[:start], words[deed], *behind], start
