"""The pieces of a line: its tokens and faces, which known word a piece means, and the errors that point at it.

No declaration and no table is known here. A word means whatever it is in full, or else whatever it begins.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from ledger import names
from ledger.errors import Unreadable
from ledger.facts import ENTRY_ID, parse_entry_id

COMMANDS: Final = ("undo",)  # lines that the caller takes before it asks the grammar
AMENDS: Final = "~"
UNDO = re.compile(rf"undo(?:\s+({ENTRY_ID.pattern}))?", re.ASCII)
LINE_LENGTH_MOST: Final = 2000
SECONDS_OF: Final = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}
TOLD: Final[Mapping[str, Literal["scene", "fiction"]]] = {"#": "scene", ">": "fiction"}
BIT = re.compile(r'"(?:[^"\\]|\\.)*"|.')
TOKEN = re.compile(r'(?:[^\s"]|"(?:[^"\\]|\\.)*")+')
QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
NUMBER = re.compile(r"[+-]?[0-9]+")
SPAN = re.compile(r"([+-]?[0-9]+)([smhd]?)")
FACES = re.compile(r"(?:/[0-9]+(?:\.[0-9]+)*)+")


class Token(NamedTuple):
    """A piece of a line, quotation marks and all, and its column."""

    raw: str
    at: int

    @property
    def where(self) -> str:
        """The place, for errors."""
        return f"column {self.at}"

    @property
    def quoted(self) -> bool:
        """Whether all of it is one quoted string."""
        return QUOTED.fullmatch(self.raw) is not None

    @property
    def literal(self) -> bool:
        """Whether some of it is quoted: then it means itself, never the beginning of something."""
        return '"' in self.raw

    @property
    def text(self) -> str:
        """What it says without its quotation marks."""
        bits = (re.sub(r'\\(["\\])', r"\1", bit[1:-1]) if len(bit) > 1 else bit for bit in BIT.findall(self.raw))
        return names.normalized("".join(bits), where=self.where)

    def split(self, mark: str, most: int = LINE_LENGTH_MOST) -> list[Token]:
        """Its parts between `mark`s outside quotation marks, at most so many cuts."""
        parts = [""]
        for bit in BIT.findall(self.raw):
            if bit == mark and len(parts) <= most:
                parts.append("")
            else:
                parts[-1] += bit
        return [Token(part, self.at) for part in parts]


def normal_line(text: str) -> str:
    """The line in NFC. Raises Unreadable with the column of the first letter that cannot stand in it."""
    text = text.removesuffix("\n").removesuffix("\r")
    bad = (place for place, letter in enumerate(text, 1) if unicodedata.category(letter) in names.INVISIBLE)
    column = LINE_LENGTH_MOST + 1 if len(text) > LINE_LENGTH_MOST else next(bad, 1)
    return names.normalized(text, where=f"column {column}", most=LINE_LENGTH_MOST)


def blanked(line: str) -> str:
    """The line with a space for its first letter: columns stay."""
    bare = line.lstrip()
    return " " * (len(line) - len(bare) + 1) + bare[1:]


def tokens_of(line: str) -> list[Token]:
    """The line cut at spaces outside quotation marks."""
    found, place = [], 0
    while place < len(line):
        if line[place].isspace():
            place += 1
            continue
        token = TOKEN.match(line, place)
        if token is None:
            raise Unreadable("a quotation mark is not closed", where=f"column {place + 1}", hint='Close it with ".')
        found.append(Token(token.group(), place + 1))
        place = token.end()
    return found


def faces_typed(tokens: list[Token]) -> tuple[list[Token], tuple[int, ...] | None]:
    """The tokens without the faces typed in, and these."""
    faces: tuple[int, ...] | None = None
    for token in tokens:
        if not token.raw.startswith("/"):
            continue
        if not FACES.fullmatch(token.raw):
            raise wrong(token, f"'{token.raw}' are no faces", hint="Write them as in /7.6.")
        if faces is not None:
            raise wrong(token, "faces stand here twice", hint="Write all of them as one, as in /7.6/4.")
        faces = tuple(names.parse_whole(face, where=token.where) for face in re.findall("[0-9]+", token.raw))
    return [token for token in tokens if not token.raw.startswith("/")], faces


def in_quotes(text: str) -> str:
    """A text as a line has it."""
    return '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'


# Errors, and the words that may have been meant


def wrong(token: Token, what: str, near: Iterable[str] = (), hint: str = "") -> Unreadable:
    """The error at this token; with the nearest words, if there are any, for its mend."""
    words = list(near)
    return Unreadable(what, where=token.where, hint=f"Did you mean {_either(words)}?" if words else hint)


def _either(words: Sequence[str]) -> str:
    """'a', 'b' or 'c'."""
    *most, last = (f"'{word}'" for word in words)
    return f"{', '.join(most)} or {last}" if most else last


def there(known: Sequence[str]) -> str:
    """The mend where no word is near: what there is, or the first of it."""
    return f"There is: {', '.join(known[:12])}{', ...' if len(known) > 12 else ''}." if known else "There is none yet."


def unclear(token: Token, word: str, found: Sequence[str]) -> Unreadable:
    """The error for a word that may be several."""
    return wrong(token, f"'{word}' may be {_either(found)}", hint="Write more of it.")


def nearest(word: str, candidates: Iterable[str]) -> list[str]:
    """The candidates that look most like `word`, the best first; at most three."""
    from difflib import get_close_matches  # heavy, and most lines are right

    folded = {fold(candidate): candidate for candidate in candidates}
    return [folded[near] for near in get_close_matches(fold(word)[:60], folded, n=3, cutoff=0.5)]


def fold(text: str) -> str:
    """What two words have in common that are the same in a line: spaces, hyphens and underscores are one."""
    return names.name_key(text).replace("_", "-")


class Fit(NamedTuple):
    """The candidates that a word means, and whether it is one of them in full."""

    exact: bool
    found: list[str]

    @property
    def rank(self) -> int:
        """0 for a whole word, 2 for the beginning of one."""
        return 0 if self.exact else 2


def fitting(word: str, candidates: Iterable[str], *, inside: bool = False) -> Fit:
    """The candidates that are this word, or else begin with it (`inside`: or have a word that is it, or begins so)."""
    known = list(dict.fromkeys(candidates))
    for same in (str, names.name_key, fold):
        if whole := [one for one in known if same(one) == same(word)]:
            return Fit(True, whole)
    begin = fold(word)
    parts = {one: fold(one).split("-") if inside else [] for one in known}
    if begin and (whole := [one for one in known if begin in parts[one]]):
        return Fit(False, whole)
    return Fit(False, [one for one in known if begin and any(w.startswith(begin) for w in (fold(one), *parts[one]))])


def the_one(token: Token, word: str, candidates: Iterable[str], what: str, *, inside: bool = False) -> str:
    """The one candidate that is meant. Raises Unreadable, naming all that might be, or the nearest."""
    known = list(candidates)
    found = fitting(word, known, inside=inside).found
    if len(found) > 1:
        raise unclear(token, word, found)
    if not found:
        raise wrong(token, f"'{word}' is {what}", nearest(word, known), hint=there(known))
    return found[0]


def entry_meant(token: Token, word: str) -> str:
    """The id of an entry, as it is written everywhere."""
    if not ENTRY_ID.fullmatch(word):
        raise wrong(token, f"'{word}' is no entry", hint="Entries are written 3.42 (session 3, entry 42).")
    return str(parse_entry_id(word))


def seconds_meant(token: Token, word: str) -> int:
    """`90`, `10m`, `1h`, `2d` in seconds."""
    found = SPAN.fullmatch(word)
    if found is None:
        raise wrong(token, f"'{word}' is no time", hint="Write it as in 90, 10m, 1h or 2d.")
    return names.bounded(names.parse_whole(found[1], where=token.where) * SECONDS_OF[found[2]], where=token.where)
