"""Sheets: files read as declarations, and the changes of an edited sheet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple, TypeVar

import msgspec

from ledger.declarations import Declaration
from ledger.errors import Unreadable
from ledger.facts import GM, PoolSet, Scalar, SheetChanged
from ledger.names import check_number, normalize, valid_name
from projections.state import State
from rulebooks.common.pronouns import PRONOUNS, check_pronouns
from rulebooks.common.sheet_errors import sheet_error
from rulebooks.common.values import OutsideDomain, new_maximum, outside_domain

D = TypeVar("D", bound=Declaration)
Tables = Mapping[str, Callable[[Mapping[str, Any]], list[Any]]]
SHEET_SHOWN: Final = "Print a template: campaign sheet."
ENTRIES_MOST: Final = 200  # of one list or table of a sheet


class SheetEdit(NamedTuple):
    """How a kind of sheet is edited in play: the declaration that changes one, and the function of its entries."""

    kind: Callable[..., Declaration]
    entries: Callable[[Any], Mapping[str, Scalar]]


def pairs(table: Mapping[str, Any]) -> list[Any]:
    """Return a table of a sheet as pairs: `[scores]`, `STR = 12`."""
    return [list(pair) for pair in table.items()]


def read_sheet(
    content: Mapping[str, Any], kinds: Mapping[str, type[D]], tables: Tables, where: str, kind_field: str = ""
) -> D:
    """Return the declaration of a sheet file, of the kind in its field `sheet`, or else of the first kind.

    `tables` are the fields that may be written as tables, and the functions that make the value of the field from one.
    `kind_field` is the field of the declaration that keeps the kind. Raises Unreadable, naming the file and the field.
    """
    fields = dict(content)
    for field in ("by", kind_field):
        if field in fields:
            raise Unreadable(f"a sheet has no field '{field}'", where=where, hint=SHEET_SHOWN)
    kind = str(fields.pop("sheet", next(iter(kinds))))
    if kind not in kinds:
        raise Unreadable(f"'{kind}' is not a kind of sheet", where=where, hint=f"There are: {', '.join(kinds)}.")
    if "sheet" not in content:
        check_kind(fields, kinds, where)
    name = fields.get("name", "")
    if not isinstance(name, str):
        raise Unreadable(f"'{name}' is not a name", where=f"{where}, name", hint='Write it in quotes: name = "Ana".')
    fields["name"] = valid_name(name, where=f"{where}, name")
    fields = {field: clean(value, f"{where}, {field}") for field, value in fields.items()}
    check_pronouns(fields.get(PRONOUNS), f"{where}, {PRONOUNS}")
    for field, value_of in tables.items():
        if isinstance(fields.get(field), Mapping):
            fields[field] = clean(value_of(fields[field]), f"{where}, {field}")
    fields |= {"by": GM} | ({kind_field: kind} if kind_field else {})
    try:
        return msgspec.convert(fields, kinds[kind], strict=True)
    except msgspec.ValidationError as error:
        raise sheet_error(
            error,
            fields,
            kinds[kind],
            where,
            own=("by", kind_field),
            tables={field: table_keys(content.get(field)) for field in tables},
        ) from error


def named_tables(table: Mapping[str, Any]) -> list[Any]:
    """Return a table of tables as a list: `[items.knife]` becomes an item of the name knife."""
    return [{**row, "name": name} if isinstance(row, Mapping) else row for name, row in table.items()]


def check_kind(fields: Mapping[str, Any], kinds: Mapping[str, type[D]], where: str) -> None:
    """Refuse a sheet that does not say its kind and has a key that only sheets of another kind have."""
    first, *others = kinds.items()
    for key in fields:
        if key in first[1].__struct_fields__:
            continue
        if other := next((kind for kind, other in others if key in other.__struct_fields__), ""):
            what = f"a sheet with '{key}' is not a {first[0]}"
            raise Unreadable(what, where=where, hint=f'Add sheet = "{other}" above its tables.')


def table_keys(value: object) -> list[str]:
    """Return the keys of a table, and none for anything else."""
    return list(value) if isinstance(value, Mapping) else []


def clean(value: object, where: str) -> object:
    """Return a value of a sheet with normalized texts and checked numbers, at any depth."""
    if isinstance(value, str):
        return normalize(value, where=where)
    if isinstance(value, int):
        return check_number(value, where=where)
    if isinstance(value, Mapping | list) and len(value) > ENTRIES_MOST:
        raise Unreadable(f"{len(value)} entries are too many", where=where, hint=f"{ENTRIES_MOST} are the most.")
    if isinstance(value, Mapping):
        return {field: clean(inside, f"{where}, {field}") for field, inside in value.items()}
    if isinstance(value, list):
        return [clean(inside, where) for inside in value]
    return value


def edited_entries(before: Mapping[str, Scalar] | None, after: Mapping[str, Scalar]) -> tuple[str, ...] | None:
    """Return the entries that differ between a sheet as it was cast and as it is now; None if it is not known."""
    if before is None:
        return None
    return tuple(entry for entry in sorted(before.keys() | after.keys()) if before.get(entry) != after.get(entry))


def check_because(because: str, refusal: OutsideDomain = outside_domain) -> None:
    """Raise the refusal of an edited sheet without a reason."""
    if not because:
        raise refusal("because", "the reason, in quotes", None)


def change_entries(
    who: str,
    sheet: Mapping[str, Scalar],
    because: str,
    state: State,
    *rules: str,
    entries: tuple[str, ...] | None = None,
) -> Iterator[SheetChanged]:
    """Change the entries of somebody's sheet that differ from this one, and are in `entries` unless that is None.

    What the table adjusted since the sheet was cast stays, as long as the file was not edited there.
    """
    old = state.sheet_of(who)
    for entry in sorted(sheet.keys() | old.keys() if entries is None else entries):
        was, now = old.get(entry), sheet.get(entry)
        if was != now:
            yield SheetChanged(rules=rules, who=who, key=entry, was=was, now=now, because=because)


def change_maximum(who: str, pool: str, most: int, because: str, state: State, *rules: str) -> Iterator[PoolSet]:
    """Give a pool another maximum: points above it are cut, none are filled up."""
    if state.pools[who, pool].most != most:
        yield new_maximum(who, pool, most, because, state, *rules)
