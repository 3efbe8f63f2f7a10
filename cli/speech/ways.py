"""Places: those that somebody leaves, those on the way to another, and the names of new ones."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from cli.speech.beings import Beings
from cli.speech.english import ENGLISH
from cli.speech.words import Word

IN: Final = "in"
NO_NAME: Final = frozenset(("and", "next", "beside"))  # behind the name of a place


def is_left_behind(words: Sequence[Word], index: int) -> bool:
    """Return whether what stands here is what somebody comes from: `from the rubble`, `out of the causeway`."""
    while index and words[index - 1].text in ENGLISH.articles:
        index -= 1
    before = [word.text for word in words[max(0, index - 2) : index]]
    return before == ["out", "of"] or bool(before and before[-1] in ENGLISH.leaving)


BEGUN_LEAST: Final = 3  # letters that begin the name of a place


def is_on_the_way(words: Sequence[Word], index: int, beings: Beings, places: Collection[str]) -> bool:
    """Return whether another place is named as the goal behind this one: `past the rubble to the archway`."""
    for at in range(index + 1, len(words) - 1):
        named = beings.at(words, at + 1) if words[at].text in ENGLISH.reaching else None
        if named is not None and {*named.readings[0]} <= {*places}:
            return True
        name = next((word.text for word in words[at + 1 :] if word.text not in ENGLISH.articles), "")
        is_begun = named is None and len(name) >= BEGUN_LEAST and any(place.startswith(name) for place in places)
        if is_begun and words[at].text in ENGLISH.reaching:
            return True
    return False


def name_at(words: Sequence[Word], index: int) -> tuple[str, int]:
    """Return the words from here to a stop, `and` or a little word, as one name without its article, and its end."""
    while index < len(words) and words[index].text in ENGLISH.articles:
        index += 1
    name: list[str] = []
    while index < len(words) and words[index].text not in ENGLISH.little | NO_NAME:
        name.append(words[index].raw)
        index += 1
        if words[index - 1].mark:
            break
    return " ".join(name), index


def end_of_row(words: Sequence[Word], index: int) -> int:
    """Return where the names of a list end that is said to be in a row: `the gate, the yard and the wall in a row`."""
    ends = (at for at in range(index + 1, len(words) - 1) if words[at].text == IN and words[at + 1].text in ENGLISH.one)
    return next((at for at in ends if words[at - 1].text not in ENGLISH.little), len(words))


def names_from(words: Sequence[Word], index: int) -> list[str]:
    """Return the names of a list that ends the sentence: `the gate, the old yard and the wall`; else none."""
    names = []
    while index < len(words):
        name, end = name_at(words, index)
        if not name or "(" in name:
            return []
        names.append(name)
        index = end
        while index < len(words) and words[index].text == "and":
            index += 1
    return names
