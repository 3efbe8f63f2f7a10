"""What a declaration is made of, as a line sees it: its fields, read off their types and `say` notes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

import msgspec
from msgspec import inspect

from ledger.declarations import Declaration

SIGNS: Final = {"+": "plus", "-": "minus"}
EXAMPLE = re.compile(r"`([^`]+)`")


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """A field, as a line sees it. `shape`: whole, text, flag, choice, scalar, list, struct or pair."""

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
        """One of the list that this is, or else this."""
        return self.parts[0] if self.shape == "list" else self

    def has(self, *wanted: str) -> bool:
        """Whether `say` notes one of these."""
        return any(self.notes.get(note) for note in wanted)

    @property
    def takes_text(self) -> bool:
        """Whether it takes any words at all."""
        return self.item.shape in ("text", "scalar") and not self.has("being", "entry")

    @property
    def is_positional(self) -> bool:
        """Whether it takes the quoted strings of a line in their turn."""
        return self.takes_text and ((self.shape == "text" and not self.notes) or (self.has("word") and self.required))


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
def fields_of(kind: type[Declaration]) -> tuple[Field, ...]:
    """The fields of a declaration that a line may give: all but `by`."""
    found = inspect.type_info(kind)
    assert isinstance(found, inspect.StructType)
    return tuple(_field(field) for field in found.fields if field.name != "by")


def _field(field: inspect.Field) -> Field:
    default = field.default
    if default is msgspec.NODEFAULT and field.default_factory is not msgspec.NODEFAULT:
        default = field.default_factory()
    return _make_field(field.name, field.type, {}, required=field.required, default=default)


def _make_field(
    name: str, info: inspect.Type, notes: dict[str, Any], *, required: bool = True, default: Any = None
) -> Field:
    """The field of this type. Raises TypeError for a type that no line can say."""
    found = _union_types(info, notes)
    types = [one for one in found if not isinstance(one, inspect.NoneType)]
    shape = SHAPES.get(type(types[0]), "") if len(types) == 1 else ""
    if {type(one) for one in types} == {inspect.IntType, inspect.StrType}:
        shape = "scalar"
    parts: tuple[Field, ...] = ()
    make: Callable[..., Any] = tuple
    choices: dict[str, Any] = {}
    match types[0]:
        case inspect.VarTupleType(item_type=item):
            parts = (_make_field(name, item, dict(notes)),)
        case inspect.StructType(cls=make):
            parts = tuple(_field(field) for field in types[0].fields)
        case inspect.TupleType(item_types=items):
            parts = tuple(_make_field(f"part {place}", item, {}) for place, item in enumerate(items, 1))
        case inspect.LiteralType(values=values):
            choices = {str(value): value for value in values}
    if not shape:
        raise TypeError(f"no line can say {name}: {info}")
    return Field(
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


def _union_types(info: inspect.Type, notes: dict[str, Any]) -> list[inspect.Type]:
    """The types that may stand here; what `say` notes goes to `notes`."""
    if isinstance(info, inspect.Metadata):
        notes.update(info.extra or {})
        return _union_types(info.type, notes)
    if isinstance(info, inspect.UnionType):
        return [one for member in info.types for one in _union_types(member, notes)]
    return [info]


def example_hint(kind: type[Declaration]) -> str:
    """The mend that shows how the declaration is said."""
    found = EXAMPLE.search(kind.__doc__ or "")
    return f"For example: {found.group(1)}" if found else f"It begins with '{kind.verbs[0]}'."
