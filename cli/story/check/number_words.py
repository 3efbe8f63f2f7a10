"""Numbers in English words: `forty-two`, `a hundred and five`, `the twelfth`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from cli.story.check.english import ENGLISH

ONES: Final = ENGLISH["ones"]
TENS: Final = dict(zip(ENGLISH["tens"], range(20, 100, 10), strict=True))

ORDINALS: Final = ENGLISH["ordinals"]
SMALL: Final = {word: number for number, word in enumerate(ONES)} | {"dozen": 12}
LARGE: Final = {"hundred": 100, "thousand": 1000, "million": 10**6}
TIMES: Final = {"thrice": 3}
ORDINAL: Final = (
    {word: number for number, word in enumerate(ORDINALS)}
    | {f"{word[:-1]}ieth": number for word, number in TENS.items()}
    | {"hundredth": 100, "thousandth": 1000}
)
WORDS: Final = {**SMALL, **TENS, **LARGE, **ORDINAL, **TIMES}
ANY: Final = f"(?a:{'|'.join(sorted(WORDS, key=len, reverse=True))})"  # in any case, but of ASCII
NUMBER: Final = re.compile(rf"\b{ANY}(?:(?:-|\s+and\s+|\s+){ANY})*\b", re.IGNORECASE)


class NumberInWords(NamedTuple):
    """A number as it stands in a text; `is_ordinal`: one that says a place, as `the second`."""

    number: int
    text: str
    start: int
    is_ordinal: bool


def numbers_in_words(text: str) -> Iterator[NumberInWords]:
    """Yield the numbers in words of a text. Of `two three` each is one, of `two hundred and six` all are one."""
    for found in NUMBER.finditer(text):
        yield from _numbers(found[0], found.start())


def _numbers(run: str, start: int) -> Iterator[NumberInWords]:
    """Yield the numbers in a run of words for numbers."""
    total = part = 0
    last, begin, end, is_ordinal = 10**9, -1, 0, False
    for word in re.finditer(r"[A-Za-z]+", run):
        name = word[0].casefold()
        if name == "and":
            continue
        value = WORDS[name]
        is_large = name in LARGE or name in ("hundredth", "thousandth")
        if (
            begin >= 0
            and not is_large
            and not (last in LARGE.values() or (last >= 20 and value < 10 and last % 10 == 0))
        ):
            yield NumberInWords(total + part, run[begin:end], start + begin, is_ordinal)
            total, part, begin, is_ordinal = 0, 0, -1, False
        if begin < 0:
            begin = word.start()
        if is_large:
            part = max(part, 1) * value
            if value > 100:
                total, part = total + part, 0
        else:
            part += value
        last, end = value, word.end()
        is_ordinal = is_ordinal or name in ORDINAL
    if begin >= 0:
        yield NumberInWords(total + part, run[begin:end], start + begin, is_ordinal)


def ordinal_word(number: int) -> str:
    """Return `first`, `second`; `21st` as `21`, for which there is no word of one."""
    return ORDINALS[number] if number < len(ORDINALS) else str(number)
