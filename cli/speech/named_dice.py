"""Dice with names of their own, each beside its number: `dawn 8, dusk 8`, `6 and 9, nine's the dawn`, `4 on the dusk`.

Where all but one are named, the one number that is left is of that one: `a 4 and a 6, six on the dusk`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from cli.speech.english import ENGLISH
from cli.speech.words import Word, amount_at, is_passed_over

BESIDE_MOST: Final = 3  # words between a number and the name of its die: `nine's the dawn`
BETWEEN: Final = frozenset(("on", "the", "at", "is", "was", "'s", "a", "an", "my", "his", "her", "their", "with", "of"))


def named_dice(words: Sequence[Word], names: Sequence[str]) -> tuple[int, int, str] | None:
    """Return where named dice begin and end in a sentence, and their faces as a line has them; None without them.

    `names`: those of the dice in the order of a line. A number that is the sum of the others is no die.
    """
    at_name = {at: word.text for at, word in enumerate(words) if word.text in names}
    numbers = _numbers(words)
    if not at_name or not numbers:
        return None
    faces = dict[str, int]()
    used = set[int]()
    for at, name in at_name.items():
        number = _beside(words, at, numbers, used)
        if number is None or faces.get(name, numbers[number][0]) != numbers[number][0]:
            continue
        faces[name] = numbers[number][0]
        used.add(number)
    if len(faces) == len(names) - 1 and (other := _other(words, numbers, used, [*faces.values()])) is not None:
        faces |= {name: numbers[other][0] for name in names if name not in faces}
        used.add(other)
    if len(faces) < len(names):
        return None
    again = {at for at, (number, _) in numbers.items() if at not in used and number in faces.values()}
    start = min(*used, *at_name, *again)
    end = max(*(numbers[at][1] for at in used | again), *(at + 1 for at in at_name))
    return start, end, ".".join(str(faces[name]) for name in names)


def _numbers(words: Sequence[Word]) -> Mapping[int, tuple[int, int]]:
    """Return the numbers of a sentence by where they begin, with where they end; a count of things is none."""
    found = dict[int, tuple[int, int]]()
    for at, word in enumerate(words):
        amount = amount_at(words, at) if word.text not in ENGLISH.twice | ENGLISH.repeated - {"one"} else None
        if amount and not any(start < at < end for start, (_, end) in found.items()):
            found[at] = amount.number, at + amount.size
    return found


def _beside(words: Sequence[Word], at: int, numbers: Mapping[int, tuple[int, int]], used: set[int]) -> int | None:
    """Return where the number of the die begins that is named at this word: before it, or behind it.

    Where both are near, it is the one before if the sentence begins so: `5 dawn 3 dusk`, and `dawn 5 dusk 3`.
    """
    before = next((start for start, (_, end) in numbers.items() if start not in used and _joins(words, end, at)), None)
    behind = next((start for start in numbers if start > at and _joins(words, at + 1, start)), None)
    if before is None or behind is None:
        return behind if before is None else before
    return before if _begins_with_number(at, numbers, used) else behind


def _begins_with_number(at: int, numbers: Mapping[int, tuple[int, int]], used: set[int]) -> bool:
    """Return whether a number of the dice stands before the first name: each number stands before its die then."""
    return min([*used, *numbers]) < at


def _joins(words: Sequence[Word], start: int, end: int) -> bool:
    """Return whether only little words without a stop stand from one word to another."""
    if not 0 <= end - start <= BESIDE_MOST or any(words[at].mark for at in range(max(0, start - 1), end)):
        return False
    return all(words[at].text in BETWEEN or is_passed_over(words[at]) for at in range(start, end))


def _other(
    words: Sequence[Word], numbers: Mapping[int, tuple[int, int]], used: set[int], faces: Sequence[int]
) -> int | None:
    """Return where the one number begins that is no named die, none named again, and no sum; None for several."""
    plain = [number for number, _ in numbers.values()]
    others = [at for at, (number, _) in numbers.items() if at not in used and number not in faces]
    others = [at for at in others if not any(numbers[at][0] == face + each for face in faces for each in plain)]
    joined = [at for at in others if _is_joined(words, at, numbers, faces)]
    others = joined or others
    alike = [at for at, (number, _) in numbers.items() if at not in used and number in faces]
    if not others and len(alike) > 1:  # `8 and 8, the dawn's 8`
        return alike[0]
    return others[0] if len({numbers[at][0] for at in others}) == 1 else None


def _is_joined(words: Sequence[Word], at: int, numbers: Mapping[int, tuple[int, int]], faces: Sequence[int]) -> bool:
    """Return whether a number stands beside the face of a named die: `10 and 6`."""
    ends = {end: number for number, end in numbers.values() if number in faces}
    starts = {start: number for start, (number, _) in numbers.items() if number in faces}
    end = numbers[at][1]
    before = at > 1 and words[at - 1].text == "and" and at - 1 in ends
    return before or (end + 1 < len(words) and words[end].text == "and" and end + 1 in starts)
