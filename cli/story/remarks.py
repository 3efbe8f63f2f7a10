"""What people said of a deed, behind it: in the past as a part of its sentence, or else as they said it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from cli.phrases.verbs import HELPERS, OBJECTS, PASTS, PREPOSITIONS
from cli.story.plain_words import plain_words
from cli.story.tense import NOT, in_past
from cli.story.voice import PART

REMARKS: Final = re.compile(
    r' \((?P<said>"[^"]*"(?:[,;] "[^"]*")*)\)(?P<after>.*?)(?=\. [A-Z\x04]|\x06|$| \(")', re.DOTALL
)
GOES_ON: Final = (
    "after",
    "at",
    "because",
    "before",
    "by",
    "for",
    "in",
    "on",
    "till",
    "until",
    "while",
    "with",
    "without",
)
ARTICLES: Final = frozenset(["a", "an", "the", "his", "her", "its", "their", "some", "one"])  # of a thing
PAST_VERBS: Final = frozenset([*PASTS.values(), *HELPERS, *NOT, *NOT.values(), "was", "were", "had", "did"])
SENTENCE: Final = re.compile(r"[;:?!]|\b(?:he|she|they|it|I|we|you|my|our|your)\b")
SAID: Final = re.compile(r'"([^"]*)"')


def with_remarks(text: str) -> str:
    """Return a marked sentence with its remarks, which stand in brackets, behind a colon or as a part of it.

    `fled ("the bridge is on fire")` is `fled: the bridge was on fire`, and `passed ("until the light")` goes on so.
    """
    while found := REMARKS.search(text):
        before, after = text[: found.start()], found["after"]
        is_led = ": " in before.rpartition(". ")[2].rpartition(PART)[2]
        said = "; ".join(said_beside(each) for each in SAID.findall(found["said"]))
        after = f",{after}" if after.startswith(" ") else f"; {after[2:]}" if after.startswith(": ") else after
        between = " " if said.partition(" ")[0] in GOES_ON or is_way(said) else "; " if is_led else ": "
        text = f"{before}{between}{said}{after}{text[found.end() :]}"
    return text


def said_beside(text: str) -> str:
    """Return what people said as a sentence by itself has it: in the past, or else in quotation marks."""
    return in_past(text) or f'"{text}"'


def is_means(text: str) -> bool:
    """Return whether a text names only things, and no deed: `goose fat, brandy and Osk's necktie`."""
    first, *rest = text.casefold().split(" ")
    is_way = first in PREPOSITIONS or first.endswith("ly") or first in plain_words().ways.split()
    is_said = is_way or first in OBJECTS - ARTICLES or SENTENCE.search(text) or in_past(text) != text
    return not is_said and not any(word in PAST_VERBS or word.endswith("ed") for word in rest)


def is_way(text: str) -> bool:
    """Return whether a text only says where from or to: `out of the flour`, but not `over so soon`."""
    first, *rest = text.replace(" of ", " ", 1).split(" ")
    return len(rest) > 1 and first in plain_words().ways.split() and rest[0] in OBJECTS and "," not in text


def told_beside(texts: Mapping[str, str]) -> dict[str, str]:
    """Return the texts of a ruling as sentences by themselves, by name with `_told` behind it."""
    return {f"{name}_told": said_beside(texts[name]) for name in ("text", "because") if texts.get(name)}
