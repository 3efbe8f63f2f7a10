"""Dice that are said one after the other: `ten, two and a nine, and the ten explodes into a seven`, `double sixes`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from cli.speech.english import ENGLISH
from cli.speech.words import Amount, Word, amount_at, is_passed_over, split_words
from ledger.number_words import NUMBERS
from rulebooks.common.game import Game
from rulebooks.common.word_forms import base_forms

FACES_LEAST: Final = 2  # one number alone may be of anything
DIE: Final = "die"
THE: Final = "the"
BETWEEN_ALIKE: Final = ("of", "dice")  # before what several of them show: `both dice sixes`
SUMMED_MOST: Final = 2  # words that say of a number that it is a sum: `in all`
ROLLED_MOST: Final = 3  # words between who throws and the number: `rolled only a four`
ONLY: Final = "only"
PAST: Final = "ed"  # the end of what was done to some
ENDS: Final = (".", ";", ":", "!", "?")  # marks behind which no more dice are said, but for `and then`
GOING_ON: Final = ("and", "then", "a", "an")  # before one more die
RESULTING: Final = ("so", "makes", "make", "making", "equals", "totals")  # before what dice come to
TELLING: Final = (("that", "is"), ("which", "is"), ("so", "just"))
ASIDE_SIZE: Final = 2  # words of `of course`


def dice_from(words: Sequence[Word], start: int) -> Iterator[tuple[int, str]]:
    """Yield where the dice end that are said from here on, and their faces as a line has them: `10.2.9.7`.

    Neither a die that is named again, `the ten`, nor what they make, `so fifteen`, is another one. A last number that
    is the sum of the others is one in the second of two ways: `a nine and a six, fifteen`.
    """
    faces, index, end = list[int](), start, start
    while index < len(words):
        if pair := pair_at(words, index):
            faces += [pair[0], pair[0]]
            index = end = pair[1]
        elif (amount := _die_at(words, index)) and not counts_hits(words, index + amount.size):
            faces += [] if is_no_die(words, index, amount, faces) else [amount.number]
            index = end = index + amount.size
        elif faces and (size := size_between(words, index)):
            index += size
        else:
            break
        if words[index - 1].mark in ENDS and not _goes_on(words, index, faces):
            break
    is_to_stop = index == len(words) or bool(words[index - 1].mark)  # `a two on the extra die`
    end = index if is_to_stop else end
    if len(faces) >= FACES_LEAST:
        yield from ((end, ".".join(map(str, each))) for each in ways_to_sum(faces))


def ways_to_sum(faces: Sequence[int]) -> Iterator[Sequence[int]]:
    """Yield the faces without the last if it is the sum of the others, which nothing may say, then all of them."""
    if len(faces) > FACES_LEAST and faces[-1] == sum(faces[:-1]):
        yield faces[:-1]
    yield faces


def size_between(words: Sequence[Word], index: int) -> int:
    """Return how many words stand here that may stand between two dice: `and the`, `of course`; 0 for another."""
    if base_forms(words[index].text) & ENGLISH.between_dice or words[index].text in ENGLISH.fillers:
        return 1
    said = " ".join(word.text for word in words[index : index + ASIDE_SIZE])
    return ASIDE_SIZE if said in ENGLISH.asides else 0


def _goes_on(words: Sequence[Word], index: int, faces: Sequence[int]) -> bool:
    """Return whether another die is said behind a stop, or what all come to: `a twelve! And then a two. Fourteen.`."""
    start, at = index, index
    total = amount_at(words, index)
    if total and len(faces) >= FACES_LEAST and total.number == sum(faces) and words[index + total.size - 1].mark:
        return True
    while at < len(words) and words[at].text in GOING_ON:
        at += 1
    return at > start and words[start].text not in ENGLISH.articles and _die_at(words, at) is not None


def is_result(words: Sequence[Word], index: int, faces: Sequence[int]) -> bool:
    """Return whether a number is what comes of dice, and none of them: `it's a seven, that's one`, `so three`."""
    before = [word.text for word in words[max(0, index - 2) : index]]
    is_told = before[-1:] and before[-1] in RESULTING
    return bool(faces) and bool(is_told or (len(before) > 1 and tuple(before) in TELLING))


def _die_at(words: Sequence[Word], index: int) -> Amount | None:
    """Return the number that may be a face here: `twice` is none."""
    return amount_at(words, index) if words[index].text not in ENGLISH.twice | ENGLISH.repeated - {"one"} else None


def counts_hits(words: Sequence[Word], end: int) -> bool:
    """Return whether a number that ends here counts something, and is no die: `11 and 9, two hits`, `two stopped`."""
    unit = words[end].text if end < len(words) and not words[end - 1].mark else ""
    is_done = unit.endswith(PAST) and not base_forms(unit) & (ENGLISH.between_dice | ENGLISH.throwing)
    counted = ENGLISH.suffered | ENGLISH.steps | ENGLISH.units.keys() | (ENGLISH.counted - ENGLISH.thrown)
    return is_done or not base_forms(unit).isdisjoint(counted)


def has_dice(text: str) -> bool:
    """Return whether dice are said in a text: `Bo six and six`, `ten on the die`."""
    words = split_words(text)
    is_thrown = any(base_forms(word.text) & {DIE, *ENGLISH.throwing} for word in words)
    if is_thrown and any(amount_at(words, at) for at in range(len(words))):
        return True
    return any(next(dice_from(words, at), None) for at in range(len(words)))


@cache
def die_names(book: Game) -> list[str]:
    """Return what a book calls its dice, in the order in which a line has them: `dawn`, `dusk`."""
    names = (name.casefold().split() for name in book.texts().lexicon.wording.dice)
    return [part for name in names for part in name if part not in ENGLISH.thrown]


def is_no_die(words: Sequence[Word], index: int, amount: Amount, faces: Sequence[int]) -> bool:
    """Return whether a number that begins at this word is a die that was said already, or the sum of all."""
    end, number = index + amount.size, amount.number
    before, behind = words[index - 1].text if index else "", words[end].text if end < len(words) else ""
    is_named_again = number in faces and (before == THE or not base_forms(behind).isdisjoint(ENGLISH.exploding))
    return is_named_again or sum_at(words, index, faces) or is_result(words, index, faces)


def sum_at(words: Sequence[Word], index: int, faces: Sequence[int]) -> bool:
    """Return whether the sum of several dice is said at this word: `so fifteen`, `fifteen in all`."""
    amount = amount_at(words, index) if len(faces) >= FACES_LEAST else None
    if amount is None or amount.number != sum(faces):
        return False
    behind = [word.text for word in words[index + amount.size : index + amount.size + SUMMED_MOST]]
    before = base_forms(words[index - 1].text) if index else frozenset[str]()
    return not (ENGLISH.summing.isdisjoint(before) and ENGLISH.summed.isdisjoint(behind))


def is_thrown(words: Sequence[Word], at: int) -> bool:
    """Return whether somebody threw the number that begins at this word, `I got a fourteen`; one of things is none."""
    amount = amount_at(words, at)
    end = at + amount.size if amount else len(words)
    behind = "" if amount is None or words[end - 1].mark or end == len(words) else words[end].text
    if amount is None or behind not in {"", *ENGLISH.little, *ENGLISH.summed, *ENGLISH.leads}:
        return False
    for before in range(at - 1, max(-1, at - 1 - ROLLED_MOST), -1):
        if words[before].mark:
            return False
        if base_forms(words[before].text) & ENGLISH.throwing:
            return True
        if not is_passed_over(words[before]) and words[before].text != ONLY:
            return False
    return False


def pair_at(words: Sequence[Word], start: int) -> tuple[int, int] | None:
    """Return the face of two alike, `double sevens`, `a pair of sixes`, `fives, both`, and where they end."""
    if (face := _face_of_several(words[start].text)) and (at := _end_of_both(words, start + 1)):
        return face, at
    index = start + 1
    while index < len(words) and words[index].text in BETWEEN_ALIKE:
        index += 1
    if words[start].text not in ENGLISH.alike or index >= len(words):
        return None
    face = _face_of_several(words[index].text)
    return (face, index + 1) if face else None


def _face_of_several(text: str) -> int:
    """Return the face that a word in the plural names, `sixes`; 0 for any other."""
    return next((NUMBERS[form] for form in base_forms(text) if form in NUMBERS and form != text), 0)


def _end_of_both(words: Sequence[Word], start: int) -> int:
    """Return where the words end that say of two dice what they show, `both of them`, `on both`; 0 without them."""
    end = next((at + 1 for at in range(start, min(start + 2, len(words))) if words[at].text in ENGLISH.both), 0)
    of_them = [word.text for word in words[end : end + 2]]
    return end + 2 if end and of_them[:1] == ["of"] and of_them[1:] != [] else end
