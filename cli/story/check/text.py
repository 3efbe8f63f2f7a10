"""A text that somebody wrote about a session, without its markup and without people's own words, line by line."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from html import unescape
from typing import Final, NamedTuple

from ledger.errors import Unreadable

CHARACTERS_MOST: Final = 1 << 20
OWN_LEAST: Final = 8  # characters of people's own words that are looked for in a text
FRONT: Final = re.compile(r"\A---\n.*?\n---(?=\n|\Z)", re.DOTALL)
HIDDEN: Final = re.compile(  # a comment, a tag, the target of a link, an address, the mark of a footnote
    r"<!--.{0,4000}?-->|</?[A-Za-z][^<>]{0,300}>|(?<=\])\([^()\s]{0,300}\)|https?://\S{1,300}"
    r"|\[\^[^\]\s]{1,40}\]:?|\[[0-9]{1,4}\]",
    re.DOTALL,
)
ESCAPED: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
MARKS: Final = str.maketrans(dict.fromkeys("*_`#|>~[]{}\\", " "))
SIGNS: Final = {"’": "'", "‘": "'", "ʼ": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "\u00ad": ""}
SPACES: Final = re.compile(r"\s+")
END: Final = re.compile(r"[.!?:;…][\"')]*\s+|\n\s*\n|\s[–—-]\s|\n\s*[-+•]\s|[\"(]")
WORD: Final = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")


def any_of(names: Iterable[str]) -> str:
    """Return the pattern of any of these names, the longest first."""
    return "|".join(map(re.escape, sorted(names, key=len, reverse=True)))


class TextWord(NamedTuple):
    """A word of a text: where it stands, its line, and whether a sentence begins with it."""

    text: str
    start: int
    line: int
    begins: bool

    @property
    def end(self) -> int:
        """Return where it ends."""
        return self.start + len(self.text)


class PlainText:
    """A text without what is no statement of its writer: markup, and people's own words as the ledger has them.

    Every character that is left stands where it stood. Raises Unreadable for a text that is too long.

    Args:
        text: the text as it was written.
        own: people's own words.
    """

    def __init__(self, text: str, own: Iterable[str] = ()) -> None:
        if len(text) > CHARACTERS_MOST:
            hint = f"{CHARACTERS_MOST} are the most: check it in parts."
            raise Unreadable(f"{len(text)} characters are too many", hint=hint)
        text = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))
        text = FRONT.sub(lambda found: "\n" * found[0].count("\n"), text)
        self.lines = text.split("\n")
        text = HIDDEN.sub(blank, text)
        text = "".join(SIGNS.get(letter, letter) for letter in unescape_in_place(text))
        text = ESCAPED.sub(lambda found: f" {found[1]}", text).translate(MARKS)
        self.text = without_own_words(text, own)
        self._starts = [0]
        for line in self.text.split("\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)

    def line_at(self, place: int) -> int:
        """Return the line of a character, from 1."""
        from bisect import bisect_right

        return bisect_right(self._starts, place)

    def text_words(self) -> Iterator[TextWord]:
        """Yield the words in order."""
        ends = {0} | {found.end() for found in END.finditer(self.text)}
        last = 0
        for found in WORD.finditer(self.text):
            between = self.text[last : found.start()]
            begins = not last or any(place in ends for place in range(last, found.start() + 1)) or "\n" in between
            yield TextWord(found[0], found.start(), self.line_at(found.start()), begins)
            last = found.end()

    def sentence_at(self, place: int) -> str:
        """Return the sentence around a character."""
        ends = [found.start() for found in re.finditer(r"[.!?](?=\s|\"|$)|\n\s*\n", self.text)]
        before = max((end for end in ends if end < place), default=-1)
        after = min((end for end in ends if end >= place), default=len(self.text))
        return self.text[before + 1 : after + 1].strip()


def blank(found: re.Match[str]) -> str:
    """Return as many blanks as were found, with the ends of lines where they were."""
    return re.sub(r"[^\n]", " ", found[0])


def unescape_in_place(text: str) -> str:
    """Return a text with characters for the entities of HTML, with blanks before them."""
    return re.sub(
        r"&(?:#\d{1,6}|#x[0-9a-fA-F]{1,6}|\w{2,8});", lambda found: unescape(found[0]).rjust(len(found[0])), text
    )


def without_own_words(text: str, own: Iterable[str]) -> str:
    """Return a text with blanks in the places of people's own words, however their lines are broken."""
    places, letters = list[int](), list[str]()
    for found in re.finditer(r"\s+|\S", text):
        places.append(found.start())
        letters.append(" " if found[0].isspace() else found[0])
    flat, kept = "".join(letters), list(text)
    for words in sorted({plain_words(each) for each in own}, key=len, reverse=True):
        at = flat.find(words) if len(words) >= OWN_LEAST else -1
        while at >= 0:
            first, last = places[at], places[at + len(words) - 1]
            kept[first : last + 1] = ["\n" if letter == "\n" else " " for letter in kept[first : last + 1]]
            at = flat.find(words, at + len(words))
    return "".join(kept)


def plain_words(text: str) -> str:
    """Return people's own words as they stand in a text without markup."""
    signs = "".join(SIGNS.get(letter, letter) for letter in unicodedata.normalize("NFC", text))
    return SPACES.sub(" ", signs.translate(MARKS)).strip()
