"""Blows that stand in a row: of three sentences of one form the later two run together."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import msgspec

from cli.story.clauses import GRAVE
from cli.story.lead_text import with_more
from cli.story.passages import Passage, Sentence
from cli.story.plain_words import plain_words

ROW: Final = 2  # sentences of one form that may stand in a row
LONGEST: Final = 200  # letters of two that run together
BESIDE: Final = 2  # who have a part in a blow
WHILE: Final = ", while "
AND: Final = ", and "  # where a sentence shortly before runs on already
NEAR: Final = 3  # sentences
JOINED: Final = re.compile(r'[:;"]|, while |, and (?!hurt|did)|\. ')


def blows_run_together(passages: Iterable[Passage], *, across: bool = False) -> list[Passage]:
    """Return passages; in a row of blows that did harm, the third runs on from the second.

    `across`: paragraphs of one fight stand in one.
    """
    told, row = list[Passage](), 0
    for passage in passages:
        row = row if across and passage.kind in ("", "round") else 0
        told.append(msgspec.structs.replace(passage, sentences=()))
        for sentence in passage.sentences:
            row = row + 1 if is_harmful_blow(sentence) else 0
            place = -1 if told[-1].sentences else -2
            if row > ROW and can_run_on(told[place].sentences[-1], sentence):
                last = told[place].sentences[-1]
                near = [each for one in told for each in one.sentences][-NEAR:]
                link = AND if any(WHILE in each.text for each in near) else WHILE
                both = with_more(last, sentence, f"{last.text}{link}{as_second(sentence)}")
                told[place] = msgspec.structs.replace(told[place], sentences=(*told[place].sentences[:-1], both))
                row = 0
            else:
                told[-1] = msgspec.structs.replace(told[-1], sentences=(*told[-1].sentences, sentence))
        if passage.sentences and not told[-1].sentences:
            told.pop()
    return told


def is_harmful_blow(sentence: Sentence) -> bool:
    """Return whether a sentence tells a blow of one against others that did harm and felled nobody."""
    return bool(sentence.changes) and sentence.weight < GRAVE and len(sentence.mentions) >= BESIDE


def can_run_on(one: Sentence, other: Sentence) -> bool:
    """Return whether two sentences are plain and short enough to be one."""
    texts = (one.text, other.text)
    return sum(map(len, texts)) <= LONGEST and not any(JOINED.search(each) or each.startswith("In ") for each in texts)


def as_second(sentence: Sentence) -> str:
    """Return a sentence as it stands behind another: its first word in small letters, if it is no name."""
    first, _, rest = sentence.text.partition(" ")
    small = first.casefold() in {"the", "both", *plain_words().starts.split()}
    return f"{first.lower()} {rest}" if small else sentence.text
