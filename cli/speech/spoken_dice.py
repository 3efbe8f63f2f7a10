"""Dice that are said one after the other: `ten, two and a nine, and the ten explodes into a seven`, `double sixes`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from cli.speech.english import ENGLISH
from cli.speech.words import Amount, Word, amount_at, split_words
from ledger.number_words import NUMBERS
from rulebooks.common.game import Game
from rulebooks.common.word_forms import base_forms

FACES_LEAST: Final = 2  # one number alone may be of anything
DIE: Final = "die"
THE: Final = "the"
BETWEEN_ALIKE: Final = ("of", "dice")  # before what several of them show: `both dice sixes`
SUMMED_MOST: Final = 2  # words that say of a number that it is a sum: `in all`
ENDS: Final = (".", ";", "!", "?")  # marks behind which no more dice are said


def dice_from(words: Sequence[Word], start: int) -> Iterator[tuple[int, str]]:
    """Yield where the dice end that are said from here on, and their faces as a line has them: `10.2.9.7`.

    Neither a die that is named again, `the ten`, nor what they make, `so fifteen`, is another one.
    """
    faces, index, end = list[int](), start, start
    while index < len(words):
        if pair := _pair_at(words, index):
            faces += [pair[0], pair[0]]
            index = end = pair[1]
        elif (amount := _die_at(words, index)) and not _counts_hits(words, index + amount.size):
            faces += [] if is_no_die(words, index, amount, faces) else [amount.number]
            index = end = index + amount.size
        elif faces and base_forms(words[index].text) & ENGLISH.between_dice:
            index += 1
        else:
            break
        if words[index - 1].mark in ENDS:
            break
    if len(faces) >= FACES_LEAST:
        is_to_stop = index == len(words) or bool(words[index - 1].mark)  # `a two on the extra die`
        yield index if is_to_stop else end, ".".join(map(str, faces))


def _die_at(words: Sequence[Word], index: int) -> Amount | None:
    """Return the number that may be a face here: `twice` is none."""
    return amount_at(words, index) if words[index].text not in ENGLISH.twice | ENGLISH.repeated - {"one"} else None


def _counts_hits(words: Sequence[Word], end: int) -> bool:
    """Return whether a number that ends here counts something, and is no die: `11 and 9, two hits`, `two levels`."""
    unit = words[end].text if end < len(words) and not words[end - 1].mark else ""
    return not base_forms(unit).isdisjoint(ENGLISH.suffered | ENGLISH.steps | ENGLISH.units.keys())


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
    return is_named_again or sum_at(words, index, faces)


def sum_at(words: Sequence[Word], index: int, faces: Sequence[int]) -> bool:
    """Return whether the sum of several dice is said at this word: `so fifteen`, `fifteen in all`."""
    amount = amount_at(words, index) if len(faces) >= FACES_LEAST else None
    if amount is None or amount.number != sum(faces):
        return False
    behind = [word.text for word in words[index + amount.size : index + amount.size + SUMMED_MOST]]
    before = base_forms(words[index - 1].text) if index else frozenset[str]()
    return not (ENGLISH.summing.isdisjoint(before) and ENGLISH.summed.isdisjoint(behind))


def _pair_at(words: Sequence[Word], start: int) -> tuple[int, int] | None:
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
