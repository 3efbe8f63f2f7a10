"""How a sentence says that all of several are meant, or any one: `all of us`, `one of the guards`, `either guard`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from cli.notation.scope import Scope
from cli.speech.english import ENGLISH
from cli.speech.words import Word
from ledger.name_match import fold_name
from ledger.number_words import NUMBERS

YOU: Final = "you "
ANY_LEAST: Final = 3  # words of `whoever is left`
SAYING_MOST: Final = 5  # words of a saying for a group
STAND_INS: Final = ("one", "guy", "fella", "fellow", "bloke")  # for the rest of a name: `the limping one`
FOLLOWING: Final = 3  # words behind who is named with the own side: `and his lot`
SIDES: Final = ("players", "foes")


def choice_size(words: Sequence[Word], start: int) -> int:
    """Return how many words before a name here say that one of those called so is meant; 0 if none does."""
    text, behind = words[start].text, [word.text for word in words[start + 1 : start + 2]]
    if text in ENGLISH.choosing and behind == ["of"]:
        return 2
    return 1 if text in ENGLISH.whichever and behind else 0


def any_size(words: Sequence[Word], start: int) -> int:
    """Return how many words say that anybody is meant who is in some way: `whoever is closest`; 0 if none do.

    Three for `whoever is left`, four for `whoever is left standing` and `whoever is still up`.
    """
    is_any = words[start].text in ENGLISH.whoever and start + 2 < len(words)
    if not is_any or words[start + 1].text not in ENGLISH.copulas:
        return 0
    is_more = start + ANY_LEAST < len(words) and words[start + ANY_LEAST].text in ENGLISH.upright
    return ANY_LEAST + (is_more and not words[start + ANY_LEAST - 1].mark)


def other_side(groups: Mapping[str, Sequence[str]], before: Sequence[str]) -> Sequence[str]:
    """Return the side that is not of those who were named before; the foes behind nobody."""
    foes = groups.get("foes", ())
    return groups.get("players", ()) if before and before[0] in foes else foes


def begins_list(words: Sequence[Word], index: int, groups: Collection[str]) -> bool:
    """Return whether a group stands here with numbers of its members: `guards 1 and 3`."""
    behind = words[index + 1].text if index + 1 < len(words) else ""
    return words[index].text in groups and (behind.isdecimal() or behind in NUMBERS)


def choice_end(words: Sequence[Word], end: int) -> int:
    """Return where a choice ends behind its name: behind `is closer` in `whichever guard is closer`."""
    said = [word.text for word in words[end : end + 2]]
    is_how = len(said) > 1 and said[0] in ENGLISH.copulas and said[1] in ENGLISH.others | ENGLISH.nearer
    return end + 2 if is_how else end


def name_end(words: Sequence[Word], start: int, end: int, names: Collection[str]) -> int:
    """Return where the name of one of these ends that begins so: behind `one` in `the limping one` for Limping Reaver.

    A number counts those who are numbered, and is none where the whole name is said.
    """
    if end >= len(words) or words[end - 1].mark or words[end].text not in STAND_INS:
        return end
    parts = [fold_name(name).split("-") for name in names]
    is_short = all(len(each) > end - start and not each[-1].isdecimal() for each in parts)
    is_called = start > 0 and words[start - 1].text in ENGLISH.articles  # `gives Mara one`
    return end + (is_short and (is_called or not start))


def sayings_of(groups: Mapping[str, Sequence[str]]) -> Iterable[tuple[str, tuple[str, ...]]]:
    """Yield the sayings for the groups of everybody."""
    for sayings, group in ((ENGLISH.everybody, "players"), (ENGLISH.every_being, "all"), (ENGLISH.foes, "foes")):
        if members := tuple(groups.get(group, ())):
            yield from ((saying, members) for saying in sayings if _counts(saying) in (0, len(members)))


def is_told_number(saying: str, words: Sequence[Word], start: int) -> bool:
    """Return whether the number of `you three` is none of those who are meant: `that costs you three might`."""
    before = words[start - 1] if start else None
    begins = before is None or bool(before.mark) or before.text in ENGLISH.leads | ENGLISH.linking | ENGLISH.parting
    return saying.startswith(YOU) and saying.split()[-1] in NUMBERS and not begins


def _counts(saying: str) -> int:
    """Return how many a saying is for, three for `all three of us`; 0 if it says no number."""
    return next((NUMBERS[word] for word in saying.split() if word in NUMBERS), 0)


def side_with(
    words: Sequence[Word], start: int, readings: Sequence[Sequence[str]], groups: Mapping[str, Sequence[str]]
) -> tuple[str, ...]:
    """Return the whole side of the one who is named before a word, if all of it is: `Bo and his lot`; else nobody."""
    said = [word.text for word in words[start : start + FOLLOWING]]
    is_side = len(said) == FOLLOWING and said[0] == "and" and said[1] in ENGLISH.possessives
    if not (is_side and said[2] in ENGLISH.followers and len(readings) == len(readings[0]) == 1):
        return ()
    return next((tuple(groups[side]) for side in SIDES if readings[0][0] in groups.get(side, ())), ())


def names_by_noun(scope: Scope) -> dict[str, list[str]]:
    """Return those of whom one is meant by a noun: by what the book calls it, or by another word for part of a name."""
    by_noun = {noun: [name for name in names if name in scope.beings] for noun, names in scope.nouns().items()}
    creatures = (name for name in scope.beings if name not in scope.things)
    kinds = ((kind, name) for name in creatures for kind in fold_name(name).split("-") if kind in ENGLISH.kinds)
    for kind, name in kinds:
        for called in ENGLISH.kinds[kind].split():
            by_noun.setdefault(called, []).append(name)
    return by_noun
