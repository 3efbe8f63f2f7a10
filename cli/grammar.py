"""The line grammar, made from the declarations themselves: their fields, types and `say` notes. No game by name.

`read` takes what a person types, leniently: prefixes, short letters, any order. `speak` gives the one canonical
line: whole names, texts in quotation marks. Reading it gives the same declaration again, whatever else is known
at the table, as long as the beings and values that it names are. What a rule has an opinion on passes through.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, Literal, NamedTuple

import msgspec
from msgspec import inspect

from ledger import names
from ledger.errors import Unreadable
from ledger.facts import ENTRY, GM, Scalar, entry_id
from ledger.game import Declaration
from ledger.ground import AddWords, Claim, Tell

COMMANDS: Final = ("undo",)  # lines that the caller takes before it asks the grammar
LINE_LENGTH_MOST: Final = 2000
SECONDS_OF: Final = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}
SIGNS: Final = {"+": "plus", "-": "minus"}
TOLD: Final[Mapping[str, Literal["scene", "fiction"]]] = {"#": "scene", ">": "fiction"}
BIT = re.compile(r'"(?:[^"\\]|\\.)*"|.')
TOKEN = re.compile(r'(?:[^\s"]|"(?:[^"\\]|\\.)*")+')
QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
NUMBER = re.compile(r"[+-]?[0-9]+")
SPAN = re.compile(r"([+-]?[0-9]+)([smhd]?)")
FACES = re.compile(r"(?:/[0-9]+(?:\.[0-9]+)*)+")
GLUED = re.compile(r"([^0-9+-]+)([+-]?[0-9]+)")
LISTED = re.compile(r'[+-]([^\W\d]*(?:-[^\W\d]+)*)([+-]?[0-9]+)?(?:[:=](.+)|(".*"))?')
PLAIN = re.compile(r'[^\W\d][^\s"=:,/]*')
EXAMPLE = re.compile(r"`([^`]+)`")


class Said(msgspec.Struct, frozen=True):
    """What a line says: the declaration, the faces typed in (None: none are), and the line itself."""

    said: Declaration
    faces: tuple[int, ...] | None
    line: str


class Around(msgspec.Struct, frozen=True):
    """What the grammar asks about the table.

    `names` are the beings in play, `kinds` the declarations that may be typed, `words` the words that a field of a
    declaration is known to take from a speaker, `values` the names of values (`kess.might`, `doom`), `short` the
    short forms of their last part (`hp` for `health`).
    """

    names: Sequence[str]
    kinds: Sequence[type[Declaration]]
    words: Callable[[type[Declaration], str, str], Iterable[str]]
    values: Callable[[], Iterable[str]]
    short: Mapping[str, str]


def read(text: str, around: Around) -> Said | None:
    """What this line says; None for an empty line and for a `; comment`.

    Raises Unreadable with what is wrong, the column where, and the mend.
    """
    line = _line(text)
    bare = line.lstrip()
    start, rest = bare[:1], _blanked(line)
    if start in ("", ";"):
        return None
    faces: tuple[int, ...] | None = None
    if start in TOLD:
        said: Declaration = Tell(by=GM, kind=TOLD[start], who=GM, text=_told(line, rest))
    elif start == '"' and bare[1:2].strip() == "":
        said = _quote(line, rest, around)
    elif start == "=":
        said = _claim(Token(start, len(line) - len(bare) + 1), _tokens(rest), around)
    else:
        tokens, faces = _faces(_tokens(rest if start == "!" else line))
        said = _aside(line, tokens, around) if start == "!" else _spoken(tokens, around)
    return Said(said, faces, line.strip())


def speak(said: Declaration) -> str:
    """The canonical line of a declaration. Raises Unreadable for one that no line says."""
    if isinstance(said, Claim) and said.by == GM and said.values:
        return "= " + " ".join(f"{_plain(name)}={_scalar(value)}" for name, value in said.values)
    if isinstance(said, Tell) and said.seen == "table" and said.by == said.who and said.text:
        marks = {kind: mark for mark, kind in TOLD.items()}
        if said.kind == "quote":
            return f'" {said.who}: {said.text}'
        if said.kind in marks and said.by == GM:
            return f"{marks[said.kind]} {said.text}"
    kind = type(said)
    asides = said.by == GM and not isinstance(said, AddWords)
    if not kind.verbs or asides != (kind.aside or (asides and not fields(kind))):
        raise Unreadable(f"no line says this {kind.__name__}", mend="Its file or its command says it.")
    free = getattr(said, kind.free) if kind.free else ""
    verb = _quoted(free) if free else kind.verbs[0]
    speaker = "!" if asides else _quoted(said.by) if said.by in COMMANDS else _plain(said.by)
    return " ".join((speaker, verb, *_spoken_fields(said, kind.free if free else "")))


def nearest(word: str, candidates: Iterable[str]) -> list[str]:
    """The candidates that look most like `word`, the best first; at most three."""
    folded = {_fold(candidate): candidate for candidate in candidates}
    return [folded[near] for near in difflib.get_close_matches(_fold(word)[:60], folded, n=3, cutoff=0.5)]


# Lines and tokens


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
        return names.normal("".join(bits), where=self.where)

    def split(self, mark: str, most: int = LINE_LENGTH_MOST) -> list[Token]:
        """Its parts between `mark`s outside quotation marks, at most so many cuts."""
        parts = [""]
        for bit in BIT.findall(self.raw):
            if bit == mark and len(parts) <= most:
                parts.append("")
            else:
                parts[-1] += bit
        return [Token(part, self.at) for part in parts]


def _line(text: str) -> str:
    """The line in NFC. Raises Unreadable with the column of the first letter that cannot stand in it."""
    text = text.removesuffix("\n").removesuffix("\r")
    bad = (place for place, letter in enumerate(text, 1) if unicodedata.category(letter) in names.INVISIBLE)
    column = LINE_LENGTH_MOST + 1 if len(text) > LINE_LENGTH_MOST else next(bad, 1)
    return names.normal(text, where=f"column {column}", most=LINE_LENGTH_MOST)


def _blanked(line: str) -> str:
    """The line with a space for its first letter: columns stay."""
    bare = line.lstrip()
    return " " * (len(line) - len(bare) + 1) + bare[1:]


def _tokens(line: str) -> list[Token]:
    """The line cut at spaces outside quotation marks."""
    found, place = [], 0
    while place < len(line):
        if line[place].isspace():
            place += 1
            continue
        token = TOKEN.match(line, place)
        if token is None:
            raise Unreadable("a quotation mark is not closed", where=f"column {place + 1}", mend='Close it with ".')
        found.append(Token(token.group(), place + 1))
        place = token.end()
    return found


def _faces(tokens: list[Token]) -> tuple[list[Token], tuple[int, ...] | None]:
    """The tokens without the faces typed in, and these."""
    faces: tuple[int, ...] | None = None
    for token in tokens:
        if not token.raw.startswith("/"):
            continue
        if not FACES.fullmatch(token.raw):
            raise _wrong(token, f"'{token.raw}' are no faces", mend="Write them as in /7.6.")
        if faces is not None:
            raise _wrong(token, "faces stand here twice", mend="Write all of them as one, as in /7.6/4.")
        faces = tuple(names.whole(face, where=token.where) for face in re.findall("[0-9]+", token.raw))
    return [token for token in tokens if not token.raw.startswith("/")], faces


def _wrong(token: Token, what: str, near: Iterable[str] = (), mend: str = "") -> Unreadable:
    """The error at this token; with the nearest words, if there are any, for its mend."""
    words = list(near)
    return Unreadable(what, where=token.where, mend=f"Did you mean {_either(words)}?" if words else mend)


def _either(words: Sequence[str]) -> str:
    """'a', 'b' or 'c'."""
    *most, last = (f"'{word}'" for word in words)
    return f"{', '.join(most)} or {last}" if most else last


def _there(known: Sequence[str]) -> str:
    """The mend where no word is near: what there is, or the first of it."""
    return f"There is: {', '.join(known[:12])}{', ...' if len(known) > 12 else ''}." if known else "There is none yet."


# Which of the words known is meant


def _fold(text: str) -> str:
    """What two words have in common that are the same in a line: spaces, hyphens and underscores are one."""
    return names.key(text).replace("_", "-")


class Fit(NamedTuple):
    """The candidates that a word means, and whether it is one of them in full."""

    exact: bool
    found: list[str]

    @property
    def rank(self) -> int:
        """0 for a whole word, 2 for the beginning of one."""
        return 0 if self.exact else 2


def _fit(word: str, candidates: Iterable[str], *, inside: bool = False) -> Fit:
    """The candidates that are this word, or else begin with it (`inside`: or have a word that is it, or begins so)."""
    known = list(dict.fromkeys(candidates))
    for same in (str, names.key, _fold):
        if whole := [one for one in known if same(one) == same(word)]:
            return Fit(True, whole)
    begin = _fold(word)
    parts = {one: _fold(one).split("-") if inside else [] for one in known}
    if begin and (whole := [one for one in known if begin in parts[one]]):
        return Fit(False, whole)
    return Fit(False, [one for one in known if begin and any(w.startswith(begin) for w in (_fold(one), *parts[one]))])


def _one(token: Token, word: str, candidates: Iterable[str], what: str, *, inside: bool = False) -> str:
    """The one candidate that is meant. Raises Unreadable, naming all that might be, or the nearest."""
    known = list(candidates)
    found = _fit(word, known, inside=inside).found
    if len(found) > 1:
        raise _unclear(token, word, found)
    if not found:
        raise _wrong(token, f"'{word}' is {what}", nearest(word, known), mend=_there(known))
    return found[0]


def _unclear(token: Token, word: str, found: Sequence[str]) -> Unreadable:
    return _wrong(token, f"'{word}' may be {_either(found)}", mend="Write more of it.")


def _being(token: Token, word: str, around: Around) -> str:
    """The being that is meant, by its display name."""
    return _one(token, word, around.names, "nobody in play", inside=True)


# What a declaration is made of


class Slot(msgspec.Struct, frozen=True, kw_only=True):
    """A field, as a line sees it. `shape`: whole, text, flag, choice, scalar, list, struct or pair."""

    name: str
    shape: str
    optional: bool
    required: bool
    default: Any = None
    notes: Mapping[str, Any]
    choices: Mapping[str, Any] = {}
    parts: tuple[Slot, ...] = ()
    make: Callable[..., Any] = tuple

    @property
    def one(self) -> Slot:
        """One of the list that this is, or else this."""
        return self.parts[0] if self.shape == "list" else self

    def noted(self, *wanted: str) -> bool:
        """Whether `say` notes one of these."""
        return any(self.notes.get(note) for note in wanted)

    @property
    def texts(self) -> bool:
        """Whether it takes any words at all."""
        return self.one.shape in ("text", "scalar") and not self.noted("being", "entry")

    @property
    def in_turn(self) -> bool:
        """Whether it takes the quoted strings of a line in their turn."""
        return self.texts and ((self.shape == "text" and not self.notes) or (self.noted("word") and self.required))


SHAPES: Final[dict[type[inspect.Type], str]] = {
    inspect.IntType: "whole",
    inspect.StrType: "text",
    inspect.BoolType: "flag",
    inspect.LiteralType: "choice",
    inspect.VarTupleType: "list",
    inspect.StructType: "struct",
    inspect.TupleType: "pair",
}


@cache
def fields(kind: type[Declaration]) -> tuple[Slot, ...]:
    """The fields of a declaration that a line may give: all but `by`."""
    found = inspect.type_info(kind)
    assert isinstance(found, inspect.StructType)
    return tuple(_field(field) for field in found.fields if field.name != "by")


def _field(field: inspect.Field) -> Slot:
    default = field.default
    if default is msgspec.NODEFAULT and field.default_factory is not msgspec.NODEFAULT:
        default = field.default_factory()
    return _slot(field.name, field.type, {}, required=field.required, default=default)


def _slot(name: str, info: inspect.Type, notes: dict[str, Any], *, required: bool = True, default: Any = None) -> Slot:
    """The field of this type. Raises TypeError for a type that no line can say."""
    found = _types(info, notes)
    types = [one for one in found if not isinstance(one, inspect.NoneType)]
    shape = SHAPES.get(type(types[0]), "") if len(types) == 1 else ""
    if {type(one) for one in types} == {inspect.IntType, inspect.StrType}:
        shape = "scalar"
    parts: tuple[Slot, ...] = ()
    make: Callable[..., Any] = tuple
    choices: dict[str, Any] = {}
    match types[0]:
        case inspect.VarTupleType(item_type=item):
            parts = (_slot(name, item, dict(notes)),)
        case inspect.StructType(cls=make):
            parts = tuple(_field(field) for field in types[0].fields)
        case inspect.TupleType(item_types=items):
            parts = tuple(_slot(f"part {place}", item, {}) for place, item in enumerate(items, 1))
        case inspect.LiteralType(values=values):
            choices = {str(value): value for value in values}
    if not shape:
        raise TypeError(f"no line can say {name}: {info}")
    return Slot(
        name=name,
        shape=shape,
        optional=len(types) < len(found),
        required=required,
        default=default,
        notes=notes,
        choices=choices,
        parts=parts,
        make=make,
    )


def _types(info: inspect.Type, notes: dict[str, Any]) -> list[inspect.Type]:
    """The types that may stand here; what `say` notes goes to `notes`."""
    if isinstance(info, inspect.Metadata):
        notes.update(info.extra or {})
        return _types(info.type, notes)
    if isinstance(info, inspect.UnionType):
        return [one for member in info.types for one in _types(member, notes)]
    return [info]


def _example(kind: type[Declaration]) -> str:
    """The mend that shows how the declaration is said."""
    found = EXAMPLE.search(kind.__doc__ or "")
    return f"For example: {found.group(1)}" if found else f"It begins with '{kind.verbs[0]}'."


# Reading one declaration


class _Reader:
    """One declaration on its way: its tokens in, what they give to its fields."""

    def __init__(self, kind: type[Declaration], by: str, around: Around, verb: Token) -> None:
        self.kind, self.by, self.around, self.verb = kind, by, around, verb
        self.slots = fields(kind)
        self.given: dict[str, Any] = {}
        self.named = {slot.name: slot for slot in self.slots}
        self.named |= {slot.notes["short"]: slot for slot in self.slots if slot.noted("short")}
        self.signed: dict[str, dict[str, Slot]] = {"+": {}, "-": {}}
        for sign, note in SIGNS.items():
            for slot in self.slots:
                if note in slot.notes:
                    self.signed[sign].setdefault(slot.notes[note], slot)

    def said(self, tokens: Iterable[Token], text: str = "") -> Declaration:
        """The declaration of these tokens and the text of its free field. Raises Unreadable for too many or too few."""
        if text:
            self.given[self.kind.free] = text
        rest = [token for token in tokens if not self.by_name(token)]
        listed = [token for token in rest if self.signed.get(token.raw[0])]
        loose = [token for token in rest if token not in listed and not self.by_word(token)]
        for token in loose:
            self.in_turn(token)
        for token in listed:
            self.by_sign(token)
        missing = [slot.name for slot in self.slots if slot.required and slot.name not in self.given]
        if missing:
            what = f"'{self.kind.verbs[0]}' lacks its {' and its '.join(missing)}"
            raise _wrong(self.verb, what, mend=_example(self.kind))
        return self.kind(by=self.by, **self.given)

    def put(self, token: Token, slot: Slot, value: Any, *, more: bool = False) -> None:
        """Give a field its value, or a list one `more`. Raises Unreadable when it has one."""
        if slot.shape == "list" and more:
            value = (*self.given.get(slot.name, ()), value)
        elif slot.name in self.given:
            raise _wrong(token, f"{slot.name} is said twice", mend="Say it once.")
        self.given[slot.name] = value

    def open(self, slot: Slot) -> bool:
        """Whether the field may still be given something."""
        return slot.shape == "list" or slot.name not in self.given

    def by_name(self, token: Token) -> bool:
        """`name=value`, `kess.might=3` or `v5`: set the field, or say that this is none of them."""
        if self.signed.get(token.raw[0]):
            return False
        left, *right = token.split("=", 1)
        if not right:
            return self.by_short(token)
        word, pairs = left.text, next((slot for slot in self.slots if slot.noted("sets")), None)
        meant = _fit(word, self.named)
        if pairs and not meant.exact and ("." in word or _fit(word, self.around.values()).exact):
            name = _value_set(left, word, self.around)
            self.put(token, pairs, self.made(pairs.one, [Token(_quoted(name), token.at), *right], token), more=True)
            return True
        if len({self.named[name].name for name in meant.found}) > 1:
            raise _unclear(token, word, meant.found)
        if not meant.found:
            what = f"'{word}' is no part of '{self.kind.verbs[0]}'"
            raise _wrong(token, what, nearest(word, self.named), _example(self.kind))
        slot = self.named[meant.found[0]]
        self.put(token, slot, self.value(slot, right[0]))
        return True

    def by_short(self, token: Token) -> bool:
        """`v5`: letters and the value behind them."""
        found = self.shorted(token)
        if found:
            self.put(token, found[0], self.value(*found))
        return found is not None

    def shorted(self, token: Token) -> tuple[Slot, Token] | None:
        """The field whose letters these are, and the value behind them."""
        for same in (str, str.casefold):
            for slot in self.slots:
                letters = slot.notes.get("short", "")
                rest = Token(token.raw[len(letters) :], token.at)
                fits = NUMBER.fullmatch(rest.raw) if slot.shape in ("whole", "scalar") else rest.quoted
                if letters and fits and same(token.raw[: len(letters)]) == same(letters):
                    return slot, rest
        return None

    def part(self, token: Token) -> bool:
        """Whether it is a field by its looks, and no task or verb."""
        return token.raw[0] in SIGNS or len(token.split("=", 1)) > 1 or self.shorted(token) is not None

    def by_word(self, token: Token) -> bool:
        """A bare word or number of its own: set the one field that it fits, or say that it fits none for sure."""
        every = [(slot, fit) for slot in self.slots if (fit := self.fit(slot, token))[1]]
        fits = [(slot, fit) for slot, fit in every if self.open(slot)] or [
            one for one in every if not (token.literal or one[0].texts)
        ]
        best = min((rank for _, (rank, _) in fits), default=0)
        fits = [(slot, fit) for slot, fit in fits if fit[0] == best]
        if not fits:
            return False
        meant = [word for _, (_, words) in fits for word in words]
        if len(meant) > 1:
            fields_meant = [f"{slot.name}={word}" for slot, (_, words) in fits for word in words]
            raise _unclear(token, token.text, fields_meant)
        slot = fits[0][0]
        if slot.shape == "flag":
            self.put(token, slot, True)
        elif slot.shape == "list":
            for piece in token.split(","):
                self.put(token, slot, self.value(slot.one, piece), more=True)
        else:
            self.put(token, slot, self.value(slot, token))
        return True

    def fit(self, slot: Slot, token: Token) -> tuple[int, list[str]]:
        """How well a word fits this field (0 is best), and what it may mean there: nothing, if it does not fit."""
        word, one = token.text, slot.one
        if slot.noted("entry"):
            return 1, [word] if ENTRY.fullmatch(token.raw) else []
        if slot.noted("seconds"):
            return 3 if word[-1:].isdigit() else 1, [word] if SPAN.fullmatch(token.raw) else []
        if slot.noted("being") and slot.noted("word"):
            found = _fit(word, self.around.names, inside=True)
            return max(found.rank, 1), found.found if found.exact or not token.literal else []
        if one.shape in ("struct", "pair"):
            token, one = token.split(":")[0], one.parts[0]
        if token.literal or not slot.noted("word"):
            return 0, []
        if one.shape == "whole":
            return 1, [word] if NUMBER.fullmatch(word) else []
        known = [slot.name] if one.shape == "flag" else one.choices or self.known(slot)
        found = _fit(token.text, known)
        return found.rank + (found.exact and one.texts), found.found

    def in_turn(self, token: Token) -> None:
        """A quoted string, or a word that no field knows: the next field in order that takes any words."""
        for slot in self.slots:
            takes = slot.texts and (slot.in_turn if token.quoted else slot.noted("word"))
            if takes and self.open(slot):
                return self.put(token, slot, self.value(slot.one, token), more=True)
        words = [slot.name for slot in self.slots if slot.shape == "flag" and slot.noted("word")]
        words += [choice for slot in self.slots if slot.noted("word") for choice in slot.one.choices]
        what = f"{token.raw} is one text too many" if token.quoted else f"'{token.text}' says nothing here"
        raise _wrong(token, what, [] if token.quoted else nearest(token.text, words), _example(self.kind))

    def by_sign(self, token: Token) -> None:
        """`+a1"rope"`, `+t`, `+help=orrin`, `-1"ice"`: one of a list."""
        read = LISTED.fullmatch(token.raw)
        if read is None or len(token.raw) == 1:
            raise _wrong(token, f"'{token.raw}' cannot be read", mend='Write it as in +1"rain helps".')
        word, number, glued, quoted = (Token(part, token.at) if part else None for part in read.groups())
        slot, known = self.listed(token, word.raw if word else "")
        rest = glued or quoted or (Token(_quoted(known), token.at) if known else None)
        if slot.one.shape in ("struct", "pair"):
            value = self.made(slot.one, self.aligned(slot.one, number, rest), token)
        elif (number and rest) or (number and slot.one.shape == "text") or (known and (glued or quoted)):
            raise _wrong(token, f"'{token.raw}' says too much", mend=_example(self.kind))
        elif said := number or rest:
            value = self.value(slot.one, said)
        elif not slot.texts:
            raise _wrong(token, f"'{token.raw}' says too little", mend=f"Write it as in {token.raw}=...")
        else:
            value = self.given.get(self.kind.free, "")
        self.put(token, slot, value, more=True)

    def listed(self, token: Token, word: str) -> tuple[Slot, str]:
        """The list that these letters belong to; or the one that knows this word, and the word in full."""
        sign = token.raw[0]
        options: dict[str, tuple[Slot, str]] = {}
        for slot in self.slots:
            if slot.notes.get(SIGNS[sign]) == "" and slot.one.shape == "text":
                options |= {known: (slot, known) for known in self.known(slot)}
        options |= {letters: (slot, "") for letters, slot in self.signed[sign].items()}
        found = _fit(word, options).found
        if len(found) > 1:
            raise _unclear(token, sign + word, [sign + one for one in found])
        if not found:
            near = [sign + one for one in nearest(word, options)]
            raise _wrong(token, f"nobody knows '{token.raw}' here", near, _example(self.kind))
        return options[found[0]]

    @staticmethod
    def aligned(item: Slot, number: Token | None, rest: Token | None) -> list[Token]:
        """The parts of one of a list: the number where one is counted, the rest in order at the others."""
        parts = rest.split(":") if rest else []
        places = [place for place, part in enumerate(item.parts) if part.shape == "whole"]
        if number is None and (len(parts) >= len(item.parts) or not places):
            return parts
        parts += [Token("", 0)] * (places[0] - len(parts) if places else 0)
        place = places[0] if places else len(item.parts)
        return [*parts[:place], number or Token("", 0), *parts[place:]]

    # Values

    def value(self, slot: Slot, token: Token) -> Any:
        """What the token means as this field's value. Raises Unreadable when it means nothing there."""
        if token.raw == "-" and (slot.optional or slot.shape == "list"):
            return None if slot.optional else ()
        if not token.raw:
            raise _wrong(token, f"{slot.name} has no value", mend="Write it behind the =, a text in quotation marks.")
        if slot.shape == "list":
            return tuple(self.value(slot.one, piece) for piece in token.split(","))
        if slot.shape in ("struct", "pair"):
            return self.made(slot, token.split(":"), token)
        word = token.text
        if slot.noted("being"):
            return _being(token, word, self.around)
        if slot.noted("entry"):
            return _entry(token, word)
        if slot.noted("seconds"):
            return _seconds(token, word)
        if slot.shape == "whole" or (slot.shape == "scalar" and not token.literal and NUMBER.fullmatch(word)):
            return names.whole(word, where=token.where)
        if slot.shape == "flag":
            return _one(token, word, ("yes", "no"), "neither yes nor no") == "yes"
        if slot.shape == "choice":
            return slot.choices[_one(token, word, slot.choices, f"no {slot.name}")]
        found = [] if token.literal else _fit(word, self.known(slot)).found
        if len(found) > 1:
            raise _unclear(token, word, found)
        return found[0] if found else word

    def made(self, item: Slot, pieces: Sequence[Token], token: Token) -> Any:
        """`a:b`: the small struct or the pair of these parts; the last ones may be left out if they have defaults."""
        if len(pieces) > len(item.parts):
            raise _wrong(token, f"'{token.raw}' says too much", mend=_example(self.kind))
        parts = {}
        for place, part in enumerate(item.parts):
            if place < len(pieces) and pieces[place].raw:
                parts[part.name] = self.value(part, pieces[place])
            elif part.required:
                raise _wrong(token, f"'{token.raw}' lacks its {part.name}", mend=_example(self.kind))
            else:
                parts[part.name] = part.default
        return item.make(**parts) if item.shape == "struct" else tuple(parts.values())

    def known(self, slot: Slot) -> Iterable[str]:
        """The words that the field is known to take."""
        return self.around.words(self.kind, slot.name, self.by)


def _entry(token: Token, word: str) -> str:
    """The id of an entry, as it is written everywhere."""
    if not ENTRY.fullmatch(word):
        raise _wrong(token, f"'{word}' is no entry", mend="Entries are written 3.42 (session 3, entry 42).")
    return str(entry_id(word))


def _seconds(token: Token, word: str) -> int:
    """`90`, `10m`, `1h`, `2d` in seconds."""
    found = SPAN.fullmatch(word)
    if found is None:
        raise _wrong(token, f"'{word}' is no time", mend="Write it as in 90, 10m, 1h or 2d.")
    return names.bounded(names.whole(found[1], where=token.where) * SECONDS_OF[found[2]], where=token.where)


# Who says it, and with which verb


def _spoken(tokens: list[Token], around: Around) -> Declaration:
    """`k sneak v5`, `close`, `ana words "brass kettle"`."""
    if not tokens:
        raise Unreadable("nobody says anything", where="column 1", mend="Write who does what before the faces.")
    first, *rest = tokens
    if first.raw in COMMANDS:
        raise _wrong(first, f"'{first.raw}' is a line of its own", mend="Say it alone.")
    if rest and AddWords in around.kinds and rest[0].raw in AddWords.verbs:
        by = names.name(first.text, where=first.where)
        return _Reader(AddWords, by, around, rest[0]).said(rest[1:])
    everybody, asides = _sides(around)
    meant = _fit(first.text, around.names, inside=True)
    alone = next((kind for kind in asides if _fit(first.text, kind.verbs).exact), None)
    if alone and not meant.exact and not first.literal:
        if alone in everybody:
            return _Reader(alone, GM, around, first).said(rest)
        if not meant.found:
            _not_mine(first, asides, "")
    by = _being(first, first.text, around)
    if not rest:
        raise _wrong(first, f"{by} says nothing", mend=_example(everybody[0]) if everybody else "")
    return _begun(rest, everybody, asides, by, around)


def _aside(line: str, tokens: list[Token], around: Around) -> Declaration:
    """`! doom 2 "reinforcements"`: the game master's side."""
    everybody, asides = _sides(around)
    if not tokens:
        raise Unreadable("the game master says nothing", where=f"column {len(line)}", mend="Write a verb behind the !.")
    return _begun(tokens, asides, everybody, GM, around)


def _sides(around: Around) -> tuple[list[type[Declaration]], list[type[Declaration]]]:
    """What beings may say, and what the game master's side may: asides, and what says nothing about anybody."""
    kinds = [kind for kind in around.kinds if kind.verbs and kind is not AddWords]
    return [kind for kind in kinds if not kind.aside], [kind for kind in kinds if kind.aside or not fields(kind)]


def _begun(
    tokens: list[Token],
    kinds: Sequence[type[Declaration]],
    others: Sequence[type[Declaration]],
    by: str,
    around: Around,
) -> Declaration:
    """The declaration of one of these kinds that the first token begins: a verb, or words of the free field."""
    verb, *rest = tokens
    free = next((kind for kind in kinds if kind.free), None)
    options = {word: (kind, "") for kind in kinds for word in kind.verbs}
    taken = {_fold(word) for word in options}
    if free:
        known = (word for word in around.words(free, free.free, by) if _fold(word) not in taken)
        options |= {word: (free, word) for word in known}
    exact, found = Fit(False, []) if verb.literal else _fit(verb.text, options)
    if not (exact or verb.literal):
        _not_mine(verb, others, by)
    if len({options[word] for word in found}) > 1:
        raise _unclear(verb, verb.text, found)
    if found:
        kind, text = options[found[0]]
        return _Reader(kind, by, around, verb).said(rest, text)
    if free is None:
        raise _wrong(verb, f"'{verb.text}' is no verb here", nearest(verb.text, options), _there(list(options)))
    reader = _Reader(free, by, around, verb)
    return reader.said(tokens) if reader.part(verb) else reader.said(rest, verb.text)


def _not_mine(verb: Token, others: Sequence[type[Declaration]], by: str) -> None:
    """Raises Unreadable for a verb of the other side, and for a command."""
    if verb.raw in COMMANDS:
        raise _wrong(verb, f"'{verb.raw}' is a line of its own", mend="Say it alone; as a task, in quotation marks.")
    for kind in others:
        if not _fit(verb.text, kind.verbs).exact:
            continue
        if by == GM:
            raise _wrong(verb, f"'{verb.text}' is said by somebody in play", mend=_example(kind))
        raise _wrong(verb, f"'{verb.text}' is said by the game master's side", mend=f"Say it with !. {_example(kind)}")


# Telling and claiming


def _told(line: str, rest: str) -> str:
    """What stands behind the mark. Raises Unreadable when nothing does."""
    if not rest.strip():
        raise Unreadable("nothing is told", where=f"column {len(line)}", mend="Write it behind the mark.")
    return rest.strip()


def _quote(line: str, rest: str, around: Around) -> Tell:
    """`" k: I was never here`."""
    name, colon, text = rest.partition(":")
    token = Token(name.strip(), len(name) - len(name.lstrip()) + 1)
    if not colon or not token.raw:
        raise _wrong(token, "nobody is quoted", mend='Write it as in " k: I was never here.')
    who = _being(token, token.raw, around)
    return Tell(by=who, kind="quote", who=who, text=_told(line, text))


def _claim(mark: Token, tokens: list[Token], around: Around) -> Claim:
    """`= k hp 9 M13`, `= doom=4`: values read aloud."""
    who, values, rest = "", dict[str, Scalar](), list(tokens)
    while rest:
        token = rest.pop(0)
        left, *right = token.split("=", 1)
        meant = _values_meant(left.text, who, around)
        beings = _fit(left.text, [] if right else around.names, inside=True)
        glued = GLUED.fullmatch(token.raw)
        if beings.found and not (meant.found if who else meant.exact and not beings.exact):
            who = _only(left, [*beings.found, *([] if beings.exact else meant.found)])
            continue
        if not meant.found and glued:
            left, right = Token(glued[1], token.at), [Token(glued[2], token.at)]
            meant = _values_meant(left.text, who, around)
        elif not right and rest and (NUMBER.fullmatch(rest[0].raw) or rest[0].quoted):
            right = [rest.pop(0)]
        if not meant.found:
            raise _unknown_value(left, who, around)
        value = _only(left, meant.found)
        if not right or not right[0].raw or value in values:
            what = f"{value} is claimed twice" if value in values else f"'{token.text}' has no number behind it"
            raise _wrong(token, what, mend="Write it as in: = k hp 9.")
        number = NUMBER.fullmatch(right[0].raw)
        values[value] = names.whole(right[0].raw, where=token.where) if number else right[0].text
    if not values:
        raise _wrong(mark, "nothing is claimed", mend="Write it as in: = k hp 9.")
    return Claim(by=GM, values=tuple(values.items()))


def _only(token: Token, found: list[str]) -> str:
    """The only one found. Raises Unreadable when there are more."""
    if len(found) > 1:
        raise _unclear(token, token.text, found)
    return found[0]


def _unknown_value(token: Token, who: str, around: Around) -> Unreadable:
    """The error for a word that names no value, with the nearest."""
    mine = f"{names.key(who)}."
    near = [name.removeprefix(mine) for name in around.values() if name.startswith(mine) or not who]
    what = f"'{token.text}' is no value of {who}" if who else f"'{token.text}' is neither a being nor a value"
    close = nearest(token.text, [*near, *around.short, *(() if who else around.names)])
    return _wrong(token, what, close, mend=_there(near))


def _values_meant(word: str, who: str, around: Around) -> Fit:
    """The names of the values that this may mean: of `who` first, then by its whole name, then nobody's."""
    known = list(around.values())
    if who and (own := _own(word, who, around)).found:
        return own
    if (whole := _fit(word, known)).exact:
        return whole
    part, dot, rest = word.partition(".")
    beings = _fit(part, around.names, inside=True).found if dot else []
    if beings:
        owns = [_own(rest, being, around) for being in beings]
        return Fit(False, [name for own in owns for name in own.found])
    return _by_parts(word, [name for name in known if "." not in name])


def _own(word: str, who: str, around: Around) -> Fit:
    """The values of this being that are meant, by their whole names."""
    mine = f"{names.key(who)}."
    own = [name.removeprefix(mine) for name in around.values() if name.startswith(mine)]
    short = [around.short[letters] for letters in _fit(word, around.short).found if _fit(word, around.short).exact]
    found = Fit(True, short[:1]) if short and short[0] in own else _by_parts(word, own)
    return Fit(found.exact, [mine + name for name in found.found])


def _by_parts(word: str, known: Sequence[str]) -> Fit:
    """The names with as many parts as this word, each of them begun by it: `hea` is `health`, not `health.most`."""
    whole, parts = _fit(word, known), _fold(word).split(".")
    found = [
        name
        for name in known
        if len(own := _fold(name).split(".")) == len(parts)
        and all(part and mine.startswith(part) for part, mine in zip(parts, own, strict=True))
    ]
    return whole if whole.exact or not found else Fit(False, found)


def _value_set(token: Token, word: str, around: Around) -> str:
    """The whole name of a value that is set. It may be new, if it is a being's."""
    known = _fit(word, around.values())
    if known.exact or token.literal:
        return known.found[0] if known.exact else word
    part, _, rest = word.partition(".")
    who = _being(token, part, around)
    found = _own(rest, who, around).found
    return _only(token, found) if found else f"{names.key(who)}.{rest}"


# Speaking


def _quoted(text: str) -> str:
    """A text as a line has it."""
    return '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'


def _plain(word: str) -> str:
    """A name as a line has it: quoted only if it must be."""
    return word if PLAIN.fullmatch(word) else _quoted(word)


def _scalar(value: Scalar) -> str:
    return str(value) if isinstance(value, int) else _quoted(value)


def _spoken_fields(said: Declaration, skip: str) -> Iterator[str]:
    """What the line says after the verb, in the order of the fields; what is as it would be anyway is left out."""
    slots = fields(type(said))
    turn = not any(slot.noted("being") and slot.noted("word") for slot in slots)
    for slot in slots:
        value = getattr(said, slot.name)
        if slot.name == skip:
            continue
        if not slot.required and value == slot.default:
            turn = turn and not slot.in_turn
        elif turn and slot.in_turn and isinstance(value, str):
            yield _quoted(value)
        else:
            named = [f"{slot.name}={_written(slot, value)}"]
            yield from _bare(slot, value, slots) or _signed(slot, value, slots) or named


def _bare(slot: Slot, value: Any, slots: Sequence[Slot]) -> list[str]:
    """The value without the field's name, if it can only be meant for this field."""
    if slot.noted("short") and isinstance(value, int):
        return [f"{slot.notes['short']}{value}"]
    rivals = [other for other in slots if other is not slot and other.noted("word", "entry", "seconds")]
    if value is None or slot.texts or not slot.noted("word", "entry", "seconds"):
        return []
    if slot.shape == "flag":
        return [slot.name] if value and _clear(slot.name, slots, rivals) else []
    said = [_written(slot.one, one) for one in (value if slot.shape == "list" else [value])]
    if slot.one.shape == "whole" or slot.noted("entry"):
        same = [other for other in rivals if other.texts or other.one.shape == "whole" or other.noted("entry")]
        return [] if same or said[0].startswith("-") else said
    if slot.noted("being") and any(other.noted("being") or other.texts for other in rivals):
        return []
    return said if all(_clear(one.split(":")[0], slots, rivals) for one in said) else []


def _clear(word: str, slots: Sequence[Slot], rivals: Sequence[Slot]) -> bool:
    """Whether a bare word can be nothing else here."""
    known = {_fold(one) for other in rivals for one in (other.name, *other.one.choices, *_heads(other.one))}
    letters = [slot.notes["short"] for slot in slots if slot.noted("short")]
    short = any(NUMBER.fullmatch(word[len(one) :]) for one in letters if _fold(word).startswith(_fold(one)))
    return bool(PLAIN.fullmatch(word)) and _fold(word) not in known and not short


def _heads(slot: Slot) -> Iterable[str]:
    """The words that a small struct may begin with."""
    return slot.parts[0].choices if slot.parts else ()


def _signed(slot: Slot, value: Any, slots: Sequence[Slot]) -> list[str]:
    """`+a1"rope"` for each of a list, or `kess.might=3`."""
    if slot.noted("sets"):
        taken = {_fold(name) for other in slots for name in (other.name, other.notes.get("short", ""))}
        pairs = [[part for _, part in _parts(slot.one, one)] for one in value]
        to = slot.one.parts[1]
        clear = all(_fold(name) not in taken for name, _ in pairs)
        return [f"{_plain(name)}={_written(to, one)}" for name, one in pairs] if clear else []
    for sign, note in SIGNS.items():
        rivals = [other for other in slots if note in other.notes and other.notes[note] == slot.notes.get(note)]
        if rivals and rivals[0] is slot:
            said = [_listed(slot.one, one) for one in value]
            return [f"{sign}{slot.notes[note]}{one}" for one in said] if all(said) else []
    return []


def _listed(one: Slot, value: Any) -> str:
    """One of a list behind its letters; empty if it has to be said by the field's name."""
    if one.shape == "text":
        return f":{_plain(value)}" if one.noted("being") else _quoted(value)
    if [part.shape for part in one.parts] != ["whole", "text"] or one.parts[1].notes:
        return ""
    (_, number), (part, text) = _parts(one, value)
    return f"{number}{'' if text == part.default and not part.required else _quoted(text)}"


def _parts(one: Slot, value: Any) -> list[tuple[Slot, Any]]:
    """The parts of a small struct or a pair, and their values."""
    values = value if one.shape == "pair" else [getattr(value, part.name) for part in one.parts]
    return list(zip(one.parts, values, strict=True))


def _written(slot: Slot, value: Any) -> str:
    """The value as it stands behind `name=`."""
    if value is None or value == ():
        return "-"
    if slot.shape == "list":
        return ",".join(_written(slot.one, one) for one in value)
    if slot.parts:
        parts = _parts(slot, value)
        while len(parts) > 1 and not parts[-1][0].required and parts[-1][1] == parts[-1][0].default:
            parts.pop()
        return ":".join(_written(part, one) for part, one in parts)
    if slot.shape == "flag":
        return "yes" if value else "no"
    if slot.noted("seconds"):
        unit = next(unit for unit in "dhms" if value % SECONDS_OF[unit] == 0 and (value or unit == "s"))
        return f"{value // SECONDS_OF[unit]}{unit}"
    if slot.noted("entry") or isinstance(value, int):
        return str(value)
    return _plain(str(value)) if slot.noted("being") or slot.shape == "choice" else _quoted(value)
