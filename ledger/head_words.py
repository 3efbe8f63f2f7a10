"""Four words that stand for a head when somebody reads it aloud, and heads that were kept so.

The first 44 bits of the hash are four numbers of 11 bits, most significant first, each a word of a list of 2,048. So
another history has the same words once in 2^44 cases: whoever wants one with the words of a head that was read out
has to write 17 million million records to find it. The list is the English one of BIP-39 (MIT license, the Trezor
project); the first four letters of each word tell it from all others.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Final

import msgspec

from ledger.errors import Unreadable
from ledger.records import Head, parse_head

WORDS: Final = 4
BITS: Final = 11
HASH_DIGITS: Final = WORDS * BITS // 4  # of the hash, that the words stand for
ENOUGH_LETTERS: Final = 4  # of a word
SPOKEN: Final = re.compile(r"([0-9]{1,12})((?:[\s,]+[a-z]+){4})", re.ASCII)


class SpokenHead(msgspec.Struct, frozen=True):
    """A position, and the words of the hash of the record there."""

    position: int
    words: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.position} {' '.join(self.words)}"

    def fits(self, hash: str) -> bool:
        """Return whether a hash has these words."""
        return head_words(hash) == self.words


KeptHead = Head | SpokenHead


@cache
def word_list() -> tuple[str, ...]:
    """Return the 2,048 words in their order."""
    return tuple((files("ledger") / "head_words.txt").read_text("ascii").split())


def head_words(hash: str) -> tuple[str, ...]:
    """Return the four words of a hash of 64 hex digits."""
    bits, words = int(hash[:HASH_DIGITS], 16), word_list()
    return tuple(words[bits >> BITS * place & (1 << BITS) - 1] for place in reversed(range(WORDS)))


def spoken_head(head: Head) -> SpokenHead:
    """Return a head as it is read aloud."""
    return SpokenHead(head.position, head_words(head.hash))


def parse_kept_head(line: str) -> KeptHead:
    """Return a head that somebody kept: `17 3f9c...`, or a position and four words.

    The first four letters of a word are enough. Raises Unreadable for any other text.
    """
    match = SPOKEN.fullmatch(line.strip().lower())
    if match is None:
        return parse_head(line)
    return SpokenHead(int(match[1]), tuple(_known_word(word) for word in re.split(r"[\s,]+", match[2].strip(" ,\t"))))


def _known_word(text: str) -> str:
    """Return the word of the list that begins like this one."""
    short = text[:ENOUGH_LETTERS]
    found = [word for word in word_list() if word == text or (word[:ENOUGH_LETTERS] == short and word.startswith(text))]
    if text in found:
        return text
    if len(found) != 1:
        raise Unreadable(f"'{text}' is not a word of a head", hint="Write a position and four words, as head prints.")
    return found[0]
