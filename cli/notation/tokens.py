"""The tokens of a line, the syntax of single tokens, and errors that name a token's column."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Final, Literal, NamedTuple

from ledger import names
from ledger.errors import Hint, Unreadable
from ledger.facts import ENTRY_ID, parse_entry_id
from ledger.line_tokens import FACES, QUOTED, TOKEN

UNDO: Final = "undo"
UNDO_SHORT: Final = "u"  # as the shell takes it
REDO: Final = "redo"  # brings back what the last undo took: it is recorded as the undo of that undo
LINE_COMMANDS: Final = (UNDO,)  # lines that correct the ledger: cli.play.declare takes them before the parser
AMEND_MARK: Final = "~"
LEADS_IN: Final = (("it", "was"), ("that", "was"))  # words before a correction: ~ 64 it was drowned 3
OUTCOMES: Final = ("retcon", "stand", "compensate")  # how an error is settled; a line that amends may end in one
SHORT_ENTRY: Final = r"[0-9]{1,6}(?:\+[0-9]{1,4})?"  # an entry of this session, as in `~ 11 v4`
TEXT_IN_CHANGE: Final = re.compile(
    rf"\s*(?:(?P<entry>{SHORT_ENTRY}|{ENTRY_ID.pattern})(?=\s))?\s*(?P<text>\S.*?)"
    rf"(?P<settled>(?:\s+(?:because=(?:{QUOTED.pattern}|[^\s\"]+)|agreed=\S+|{'|'.join(OUTCOMES)}))*)\s*"
)
UNDO_LINE: Final = re.compile(rf"{UNDO}(?:\s+({ENTRY_ID.pattern}))?", re.ASCII)
LINE_LENGTH_MOST: Final = 2000
SECONDS_OF: Final = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}
TELL_MARKS: Final[Mapping[str, Literal["scene", "fiction"]]] = {"#": "scene", ">": "fiction"}
SECRET_MARK: Final = "!!"
GM_MARK: Final = "!"
ANSWER_MARK: Final = "^"
PAUSE: Final = "..."  # at the end of a line that is announced
DOUBLED: Final = re.compile(r'""\w')  # how a word begins before which a quotation mark stands twice
BIT: Final = re.compile(r'"(?:[^"\\]|\\.)*"|.')
NUMBER: Final = re.compile(r"[+-]?[0-9]+")
SIGNED_NUMBER: Final = re.compile(r"[+-][0-9]+", re.ASCII)
SPAN: Final = re.compile(r"([+-]?[0-9]+)([smhd]?)")
UNIT_WORDS: Final = {"s": "second", "m": "minute", "h": "hour", "d": "day"}
NUMBER_WORDS: Final = {
    str(number): word
    for number, word in enumerate(("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), 1)
}


class LineToken(NamedTuple):
    """A piece of a line with its quotation marks, and its column."""

    raw: str
    column: int

    @property
    def where(self) -> str:
        """The column, for errors."""
        return f"column {self.column}"

    @property
    def is_quoted(self) -> bool:
        """Whether the whole token is one quoted string."""
        return QUOTED.fullmatch(self.raw) is not None

    @property
    def has_quotes(self) -> bool:
        """Whether some of it is quoted: then it means itself and is no abbreviation."""
        return '"' in self.raw

    @property
    def text(self) -> str:
        """The token without its quotation marks, in NFC."""
        if not self.has_quotes:
            return names.normalize(self.raw, where=self.where)
        bits = (re.sub(r'\\(["\\])', r"\1", bit[1:-1]) if len(bit) > 1 else bit for bit in BIT.findall(self.raw))
        return names.normalize("".join(bits), where=self.where)

    def split(self, mark: str, most: int = LINE_LENGTH_MOST) -> list[LineToken]:
        """Split it at the first `most` marks outside quotation marks."""
        if mark not in self.raw:
            return [self]
        parts = [""]
        for bit in BIT.findall(self.raw):
            if bit == mark and len(parts) <= most:
                parts.append("")
            else:
                parts[-1] += bit
        return [LineToken(part, self.column) for part in parts]


def normalize_line(text: str) -> str:
    """Return the line in NFC without its newline. Raises Unreadable with the column of a forbidden character."""
    text = text.removesuffix("\n").removesuffix("\r")
    forbidden = (column for column, letter in enumerate(text, 1) if unicodedata.category(letter) in names.INVISIBLE)
    column = LINE_LENGTH_MOST + 1 if len(text) > LINE_LENGTH_MOST else next(forbidden, 1)
    return names.normalize(text, where=f"column {column}", most=LINE_LENGTH_MOST)


def is_quote(line: str) -> bool:
    """Whether a line quotes somebody: a quotation mark and a space, as in `" k: I was never here`."""
    bare = line.lstrip()
    return bare[:1] == '"' and not bare[1:2].strip()


def is_text(line: str) -> bool:
    """Whether a line is a scene, fiction or a quote, also a secret one."""
    bare = line.lstrip().removeprefix(SECRET_MARK).lstrip()
    return bare[:1] in TELL_MARKS or is_quote(bare)


def text_in_change(line: str) -> tuple[str, str, str] | None:
    """Return the entry, the scene, fiction or quote, and what settles it, of a `~` line; None for another change."""
    found = TEXT_IN_CHANGE.fullmatch(line, line.index(AMEND_MARK) + len(AMEND_MARK))
    return (found["entry"] or "", found["text"], found["settled"]) if found and is_text(found["text"]) else None


def blank_mark(line: str) -> str:
    """Replace the first letter of the line by a space, so that columns stay the same."""
    bare = line.lstrip()
    return " " * (len(line) - len(bare) + 1) + bare[1:]


def tokenize(line: str) -> list[LineToken]:
    """Cut the line at spaces outside quotation marks. Raises Unreadable for an open or a doubled mark."""
    tokens, index = list[LineToken](), 0
    while index < len(line):
        if line[index].isspace():
            index += 1
            continue
        match = TOKEN.match(line, index)
        if match is None:
            raise Unreadable("a quotation mark is not closed", where=f"column {index + 1}", hint='Close it with ".')
        if DOUBLED.match(match.group()):
            raise Unreadable("a quotation mark stands twice", where=f"column {index + 1}", hint="Write it once.")
        tokens.append(LineToken(match.group(), index + 1))
        index = match.end()
    return tokens


def faces_at_end(text: str) -> str:
    """Return the last word of a text if it is typed faces, as in `The lamp room /7`; else nothing."""
    word = text.split()[-1] if text.split() else ""
    return word if FACES.fullmatch(word) else ""


def split_faces(tokens: list[LineToken]) -> tuple[list[LineToken], tuple[int, ...] | None]:
    """Return the tokens without typed faces such as `/7.6`, and the faces (None: none are typed)."""
    faces: tuple[int, ...] | None = None
    for token in tokens:
        if not token.raw.startswith("/"):
            continue
        if not FACES.fullmatch(token.raw):
            raise token_error(token, f"'{token.raw}' are not faces", hint="Write them as in /7.6.")
        if faces is not None:
            raise token_error(token, "faces are given twice", hint="Write all of them in one, as in /7.6/4.")
        faces = tuple(names.parse_whole(face, where=token.where) for face in re.findall("[0-9]+", token.raw))
    return [token for token in tokens if not token.raw.startswith("/")], faces


def without_lead_in(words: Sequence[str]) -> list[str]:
    """Return the words of a correction without `it was` before them."""
    return list(words[2:] if tuple(words[:2]) in LEADS_IN and len(words) > 2 else words)


def quote(text: str) -> str:
    """Return a text in quotation marks."""
    return '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'


def parse_entry(token: LineToken, word: str) -> str:
    """Return the id of an entry in its usual form: `01.4` is `1.4`."""
    try:
        return str(parse_entry_id(word))
    except Unreadable as error:
        raise error.at(token.where) from error


def span_words(raw: str) -> list[str]:
    """Return how a length of time may be called in words: `one_hour` for `1h`; none for anything else."""
    match = SPAN.fullmatch(raw)
    if match is None or not (unit := UNIT_WORDS.get(match[2])) or not (number := NUMBER_WORDS.get(match[1])):
        return []
    return [f"{number}_{unit}", f"{number}_{unit}s"]


def parse_seconds(token: LineToken, word: str) -> int:
    """Return `90`, `10m`, `1h` or `2d` in seconds."""
    match = SPAN.fullmatch(word)
    if match is None:
        raise token_error(token, f"'{word}' is not a time", hint="Write it as in 90, 10m, 1h or 2d.")
    seconds = names.parse_whole(match[1], where=token.where) * SECONDS_OF[match[2]]
    return names.check_number(seconds, where=token.where)


def token_error(token: LineToken, what: str, near: Iterable[str] = (), hint: Hint = "") -> Unreadable:
    """Return the error at this token. If there are words `near` to it, the hint is whether one of them was meant.

    Neither is looked for before somebody reads the error.
    """

    @cache
    def find_words() -> tuple[str, ...]:
        return tuple(near)

    def whole_hint() -> str:
        if words := find_words():
            return f"Did you mean {join_with_or(words)}?"
        return hint if isinstance(hint, str) else hint()

    return Unreadable(what, where=token.where, hint=whole_hint, near=find_words)


def join_with_or(words: Sequence[str]) -> str:
    """Return `'a', 'b' or 'c'`."""
    return names.word_list([f"'{word}'" for word in words], "or")
