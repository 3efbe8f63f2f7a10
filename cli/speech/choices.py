"""How a sentence says that all of several are meant, or any one: `all of us`, `one of the guards`, `either guard`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from cli.speech.english import ENGLISH
from cli.speech.words import Word


def choice_size(words: Sequence[Word], start: int) -> int:
    """Return how many words before a name here say that one of those called so is meant; 0 if none does."""
    text, behind = words[start].text, [word.text for word in words[start + 1 : start + 2]]
    if text in ENGLISH.choosing and behind == ["of"]:
        return 2
    return 1 if text in ENGLISH.whichever and behind else 0


def choice_end(words: Sequence[Word], end: int) -> int:
    """Return where a choice ends behind its name: behind `is closer` in `whichever guard is closer`."""
    said = [word.text for word in words[end : end + 2]]
    is_how = len(said) > 1 and said[0] in ENGLISH.copulas and said[1] in ENGLISH.others | ENGLISH.nearer
    return end + 2 if is_how else end


def sayings_of(groups: Mapping[str, Sequence[str]]) -> Iterable[tuple[str, tuple[str, ...]]]:
    """Yield the sayings for the groups of everybody."""
    for sayings, group in ((ENGLISH.everybody, "players"), (ENGLISH.every_being, "all"), (ENGLISH.foes, "foes")):
        if members := tuple(groups.get(group, ())):
            yield from ((saying, members) for saying in sayings)
