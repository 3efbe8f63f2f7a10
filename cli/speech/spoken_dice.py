"""Dice that are said one after the other: `ten, two and a nine, and the ten explodes into a seven`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cli.speech.english import ENGLISH
from cli.speech.words import Word, amount_at
from rulebooks.common.word_forms import base_forms

FACES_LEAST: Final = 2  # one number alone may be of anything
THE: Final = "the"
ENDS: Final = (".", ";", "!", "?")  # marks behind which no more dice are said


def dice_from(words: Sequence[Word], start: int) -> Iterator[tuple[int, str]]:
    """Yield where the dice end that are said from here on, and their faces as a line has them: `10.2.9.7`.

    A die that is named again, `the ten`, is no other one.
    """
    faces, index, end = list[int](), start, start
    while index < len(words):
        amount = amount_at(words, index)
        if amount:
            is_named_again = index > start and words[index - 1].text == THE and amount.number in faces
            faces += [] if is_named_again else [amount.number]
            index += amount.size
            end = index
            if words[end - 1].mark in ENDS:
                break
        elif faces and base_forms(words[index].text) & ENGLISH.between_dice:
            index += 1
        else:
            break
    if len(faces) >= FACES_LEAST:
        yield end, ".".join(map(str, faces))
