"""Numbers in words, as people say them and as they have to be hidden where a number is."""

from __future__ import annotations

import re
from typing import Final

ONES: Final = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
AMOUNTS: Final = {"dozen": 12, "once": 1, "twice": 2, "thrice": 3, "couple": 2, "hundred": 100}
NUMBERS: Final = {
    **{word: number for number, word in enumerate(ONES)},
    **{word: 10 * number for number, word in enumerate(TENS, 2)},
    **AMOUNTS,
}
PARTS: Final = ("half", "halves", "third", "thirds", "quarter", "quarters", "double", "twofold")
SAID: Final = re.compile(
    rf"\b(?:(?:{'|'.join((*NUMBERS, *PARTS))})(?:-(?:{'|'.join(ONES[1:10])}))?|an?(?=\s+(?:single\s+)?points?\b))\b",
    re.IGNORECASE,
)  # a number in words, in a text
