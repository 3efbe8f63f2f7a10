"""What is wrong with a value of a sheet file, in our own sentences: the key, what it takes, and what was found."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import inspect

from ledger.errors import Unreadable

LISTED_MOST: Final = 12
STEP: Final = r"\.([\w-]+)|\[(\d+)\]"
MISSING: Final = r"Object missing required field `(\w+)`"
UNKNOWN: Final = r"Object contains unknown field `(.+)`"
WORDS: Final[Mapping[type[inspect.Type], str]] = {
    inspect.IntType: "a whole number",
    inspect.StrType: "a text in quotes",
    inspect.BoolType: "true or false",
    inspect.FloatType: "a number",
    inspect.VarTupleType: "a list",
    inspect.TupleType: "a list",
    inspect.StructType: "a table",
}
Path = tuple[str | int, ...]


def sheet_error(
    error: msgspec.ValidationError,
    fields: Mapping[str, Any],
    kind: type[msgspec.Struct],
    where: str,
    *,
    own: Sequence[str],
    tables: Mapping[str, Sequence[str]],
) -> Unreadable:
    """Return the error of a sheet that is no declaration of this kind.

    Args:
        error: what msgspec says.
        fields: the values that were read.
        kind: the declaration.
        where: the file.
        own: the fields that no sheet gives.
        tables: the fields that may be written as tables, with the keys of those that were.
    """
    message, _, at = str(error).partition(" - at `$")
    path: Path = tuple(name or int(index) for name, index in re.findall(STEP, at))
    place = ", ".join([where, *_steps(path, tables)])
    known = [name for name in _keys(kind, path) if name not in own]
    listed = f"Its keys: {', '.join(known[:LISTED_MOST])}{', ...' if len(known) > LISTED_MOST else '.'}"
    if match := re.fullmatch(MISSING, message):
        return Unreadable(f"its '{match[1]}' is missing", where=place, hint=listed if known else "")
    if match := re.fullmatch(UNKNOWN, message):
        return Unreadable(
            f"'{match[1]}' is no key of it", where=place, hint=f"{_nearest(match[1], known)}{listed}" if known else ""
        )
    return Unreadable(
        f"{_value_text(_value(fields, path))} does not fit",
        where=place,
        hint=f"It takes {_expected(kind, path, tables)}.",
    )


def _nearest(word: str, known: Sequence[str]) -> str:
    """Return the question whether the nearest key is meant; empty if none is near."""
    from difflib import get_close_matches  # imported here to start faster: most keys are right

    nearest = get_close_matches(word, known, 1)
    return f"Did you mean '{nearest[0]}'? " if nearest else ""


def _steps(path: Path, tables: Mapping[str, Sequence[str]]) -> list[str]:
    """Return a path as it is written in the sheet: keys of tables in place of their numbers."""
    steps = [str(step + 1) if isinstance(step, int) else step for step in path]
    keys = tables.get(steps[0], ()) if steps else ()
    if len(path) > 1 and isinstance(path[1], int) and keys:
        steps[1:] = [keys[path[1]], *(step for step in path[2:] if isinstance(step, str))]
    return steps


def _value(fields: Mapping[str, Any], path: Path) -> Any:
    """Return the value at a path of a sheet."""
    value: Any = fields
    for step in path:
        value = value[step]
    return value


def _value_text(value: object) -> str:
    """Return a value as a reader of the sheet knows it."""
    match value:
        case bool():
            return str(value).lower()
        case int() | float():
            return str(value)
        case str():
            return f'"{value}"'
        case Mapping():
            return "a table"
        case list() | tuple():
            return f"a list of {len(value)}"
    return f"the {type(value).__name__} {value}"


def _keys(kind: type[msgspec.Struct], path: Path) -> list[str]:
    """Return the names of the fields of the struct at a path; empty where there is none."""
    structs = [one for one in _types(kind, path) if isinstance(one, inspect.StructType)]
    return [field.name for one in structs for field in one.fields]


def _expected(kind: type[msgspec.Struct], path: Path, tables: Collection[str]) -> str:
    """Return in words what a field takes."""
    if len(path) == 1 and path[0] in tables:
        return "a table"
    found = _types(kind, path)
    choices = [str(value) for one in found if isinstance(one, inspect.LiteralType) for value in one.values]
    words = [WORDS[type(one)] for one in found if type(one) in WORDS]
    return f"one of: {', '.join(choices)}" if choices else " or ".join(dict.fromkeys(words))


def _types(kind: type[msgspec.Struct], path: Path) -> list[inspect.Type]:
    """Return the types that a field at a path of a declaration may have."""
    types = [inspect.type_info(kind)]
    for step in path:
        types = [inner for one in types for inner in _inner_types(one, step)]
    return types


def _inner_types(outer: inspect.Type, step: str | int) -> list[inspect.Type]:
    """Return the types of a field, or of an item of a list. A union has several."""
    inner: Any = None
    if isinstance(outer, inspect.StructType):
        inner = next((field.type for field in outer.fields if field.name == step), None)
    elif isinstance(outer, inspect.VarTupleType):
        inner = outer.item_type
    elif isinstance(outer, inspect.TupleType) and isinstance(step, int):
        inner = outer.item_types[step]
    while isinstance(inner, inspect.Metadata):
        inner = inner.type
    return list(inner.types) if isinstance(inner, inspect.UnionType) else [inner] if inner is not None else []
