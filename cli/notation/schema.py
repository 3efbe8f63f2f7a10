"""The fields of a declaration as a line sees them, read off their types and `syntax` notes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, Final

import msgspec
from msgspec import inspect

from ledger.declarations import Declaration

SIGNS: Final = {"+": "plus", "-": "minus"}
NUMBER_WITH_LETTERS: Final = re.compile(r"([+-]?[0-9]+)([a-z]*)", re.IGNORECASE | re.ASCII)
EXAMPLE: Final = re.compile(r"`([^`]+)`")
SHAPES: Final[dict[type[inspect.Type], str]] = {
    inspect.IntType: "whole",
    inspect.StrType: "text",
    inspect.BoolType: "flag",
    inspect.LiteralType: "choice",
    inspect.VarTupleType: "list",
    inspect.StructType: "struct",
    inspect.TupleType: "pair",
}


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """A field, or a part of one.

    `shape`: whole, text, flag, choice, scalar, list, struct or pair. `optional`: it may be None. `notes`: what
    `syntax` says of it. `parts`: the item of a list, the fields of a struct; `make` puts them together.
    """

    name: str
    shape: str
    optional: bool
    required: bool
    default: Any = None
    notes: Mapping[str, Any]
    choices: Mapping[str, Any] = {}
    parts: tuple[Field, ...] = ()
    make: Callable[..., Any] = tuple

    @property
    def item(self) -> Field:
        """The item, if this is a list; else the field itself."""
        return self.parts[0] if self.shape == "list" else self

    def has(self, *notes: str) -> bool:
        """Whether `syntax` gives it one of these notes."""
        for note in notes:  # noqa: SIM110 - a generator takes twice as long, and each word asks each field
            if self.notes.get(note):
                return True
        return False

    @property
    def takes_text(self) -> bool:
        """Whether it takes any words."""
        return self.item.shape in ("text", "scalar") and not self.has("being", "entry")

    @property
    def needs_being(self) -> bool:
        """Whether the bare name of a being must be given."""
        return self.required and self.has("being") and self.has("word")

    @property
    def is_named_being(self) -> bool:
        """Whether it takes a being that a bare word does not name."""
        return self.has("being") and not self.has("word")

    @property
    def is_list_of_amounts(self) -> bool:
        """Whether it takes bare words of a choice, each with a number: `might:3`."""
        shapes = [part.shape for part in self.item.parts]
        return self.shape == "list" and self.has("word") and shapes == ["choice", "whole"]

    @property
    def is_positional(self) -> bool:
        """Whether it takes the next quoted string of a line."""
        if self.shape == "text" and (not self.notes or self.has("after")):
            return True
        return self.takes_text and self.has("word") and self.required


def is_number_of(field: Field, word: str) -> bool:
    """Return whether a word is a number for this field, alone or with letters that begin its name: `3m` of metres."""
    match = NUMBER_WITH_LETTERS.fullmatch(word)
    return match is not None and field.name.startswith(match[2].casefold())


def number_forms(fields: Iterable[Field], number: str) -> list[str]:
    """Return how this number may be written for each of these fields: `v5 (difficulty)`, `duration=5m (minutes)`."""
    numbers = [field for field in fields if field.shape in ("whole", "scalar")]
    shorts = [f"{field.notes['short']}{number} ({field.name})" for field in numbers if field.has("short")]
    times = [field for field in numbers if field.has("seconds")]
    for field in times:
        if field.required:
            return [*shorts, f"{number}s (seconds)", f"{number}m (minutes)", f"{number}h (hours)"]
    return [*shorts, *(f"{field.name}={number}m (minutes)" for field in times)]


class Syntax(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of a declaration by the ways in which a line gives them.

    `named`: by name or letters. `short`: with letters. `signed`: lists by sign and letters. `introduced`: by the word
    before the value. `bare`: by a word without a name or sign. `choices`: the words that bare words are compared with.
    `amounts`: the words before a number.
    """

    fields: tuple[Field, ...]
    named: Mapping[str, Field]
    short: tuple[Field, ...]
    signed: Mapping[str, Mapping[str, Field]]
    introduced: Mapping[str, Field]
    bare: tuple[Field, ...]
    choices: tuple[str, ...]
    amounts: tuple[Field, ...]


@cache
def syntax_of(kind: type[Declaration]) -> Syntax:
    """Return the ways in which a line gives the fields of a declaration: the same for every line."""
    fields = fields_of(kind)
    short = tuple(field for field in fields if field.has("short"))
    signed: dict[str, dict[str, Field]] = {sign: {} for sign in SIGNS}
    for sign, note in SIGNS.items():
        for field in fields:
            if note in field.notes:
                signed[sign].setdefault(field.notes[note], field)
    return Syntax(
        fields=fields,
        named={field.name: field for field in fields} | {field.notes["short"]: field for field in short},
        short=short,
        signed=signed,
        bare=tuple(field for field in fields if field.has("entry", "seconds", "word", "after")),
        introduced={field.notes["after"]: field for field in fields if field.has("after")},
        choices=tuple(choice for field in fields if field.has("word") for choice in field.item.choices),
        amounts=tuple(field.item.parts[0] for field in fields if field.is_list_of_amounts),
    )


@cache
def fields_of(kind: type[Declaration]) -> tuple[Field, ...]:
    """Return the fields of a declaration that a line may give: all but `by`."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return tuple(_struct_field(field) for field in info.fields if field.name != "by")


def _struct_field(field: inspect.Field) -> Field:
    default = field.default
    if default is msgspec.NODEFAULT and field.default_factory is not msgspec.NODEFAULT:
        default = field.default_factory()
    return _make_field(field.name, field.type, {}, required=field.required, default=default)


def _make_field(
    name: str, info: inspect.Type, notes: dict[str, Any], *, required: bool = True, default: Any = None
) -> Field:
    """Return the field of this type. Raises TypeError for a type that no line can say."""
    union = _union_types(info, notes)
    types = [member for member in union if not isinstance(member, inspect.NoneType)]
    shape = SHAPES.get(type(types[0]), "") if len(types) == 1 else ""
    if {type(member) for member in types} == {inspect.IntType, inspect.StrType}:
        shape = "scalar"
    if not shape:
        raise TypeError(f"no line can say {name}: {info}")
    parts: tuple[Field, ...] = ()
    make: Callable[..., Any] = tuple
    choices: dict[str, Any] = {}
    match types[0]:
        case inspect.VarTupleType(item_type=item):
            parts = (_make_field(name, item, dict(notes)),)
        case inspect.StructType(cls=make):
            parts = tuple(_struct_field(field) for field in types[0].fields)
        case inspect.TupleType(item_types=items):
            parts = tuple(_make_field(f"part {number}", item, {}) for number, item in enumerate(items, 1))
        case inspect.LiteralType(values=values):
            choices = {str(value): value for value in values}
    return Field(
        name=name,
        shape=shape,
        optional=len(types) < len(union),
        required=required,
        default=default,
        notes=notes,
        choices=choices,
        parts=parts,
        make=make,
    )


def _union_types(info: inspect.Type, notes: dict[str, Any]) -> list[inspect.Type]:
    """Return the members of a union, or the one type; what `syntax` notes goes to `notes`."""
    if isinstance(info, inspect.Metadata):
        notes.update(info.extra or {})
        return _union_types(info.type, notes)
    if isinstance(info, inspect.UnionType):
        return [member for part in info.types for member in _union_types(part, notes)]
    return [info]
