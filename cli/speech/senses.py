"""A thesaurus: words of ordinary English by what somebody does, and the lines of a book that they call to mind.

The words are in `senses.toml`, a sense for each key; `[senses]` of a book's `speech.toml` has the lines of each. No
line is taken for such a word alone: a sentence that nothing else explains is asked about with it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from cli.speech.frames import Frame, frames_of
from cli.speech.slots import SLOTS

SENSES: Final = "senses.toml"


@cache
def read_thesaurus(name: str) -> Mapping[str, tuple[str, ...]]:
    """Return the words and phrases of each sense, or of what else the keys of a file in this folder are."""
    senses = tomllib.loads((Path(__file__).parent / name).read_text(encoding="utf-8"))
    return {sense: tuple(" ".join(said.split()) for said in words.split(",")) for sense, words in senses.items()}


def sense_frames(lines: Mapping[str, tuple[str, ...]]) -> list[Frame]:
    """Return a frame for each word of the senses that a book has lines for. Raises KeyError for an unknown sense.

    What a line has a place for is named behind the word: `{being} dodge {who}` is said `hits {being}`.
    """
    return frames_of(
        {line: tuple(f"{said} {_slots_of(line)}".strip() for said in read_thesaurus(SENSES)[sense])}
        for sense, own in lines.items()
        for line in own
    )


def _slots_of(line: str) -> str:
    """Return the places for words in a line."""
    return " ".join(sorted(slot for slot in SLOTS if slot in line))


@cache
def known_verbs(senses: tuple[str, ...]) -> Mapping[str, str]:
    """Return a sense by each single word of some: `smack` is an attack. The first has a word of several."""
    words = read_thesaurus(SENSES)
    verbs: dict[str, str] = {}
    for sense in senses:
        for said in words[sense]:
            for verb in said.split("/") if " " not in said else ():
                verbs.setdefault(verb, sense)
    return verbs
