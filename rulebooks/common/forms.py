"""Values from outside as every book takes them: refused with one code of the ground where a book has none for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from ledger.errors import Refused, Unreadable
from ledger.facts import GM, RESERVED
from ledger.game import Declaration
from ledger.names import NUMBER_MOST, bounded, key, name, normal
from projections.state import Being, State

D = TypeVar("D", bound=Declaration)
SHEET_SHOWN = "The README shows a sheet."


def value_refused(field: str, domain: str, value: object) -> Refused:
    """A value outside its domain."""
    return Refused("L-VALUE", f"{field} must be {domain}; got {value}", mend="Say it again with a value that fits.")


def whole(field: str, value: int, least: int, most: int | None = None) -> None:
    """Raises the refusal of a number outside its domain. No number lies beyond 10^9."""
    highest = NUMBER_MOST if most is None else most
    if not least <= value <= highest:
        short = most is None and value < least
        domain = f"a whole number of {least} or more" if short else f"a whole number from {least} to {highest}"
        raise value_refused(field, domain, value)


def being_named(field: str, who: str, kinds: tuple[str, ...], state: State) -> Being:
    """Whoever is in play under this very name, and of one of these kinds. Raises the refusal of anybody else."""
    being = state.being(who)
    if being is None or being.kind not in kinds or not being.present:
        raise value_refused(field, f"one in play ({' or '.join(kinds)})", who)
    if being.name != who:
        raise value_refused(field, f"spelled {being.name}, as on the sheet", who)
    return being


def check_free(who: str, state: State) -> None:
    """Names are unique when case-folded, and not those of a side."""
    if state.being(who) is not None or key(who) in RESERVED:
        raise value_refused("name", "a name that nobody else has", who)


def sheet_read(content: Mapping[str, Any], kinds: Mapping[str, type[D]], tables: tuple[str, ...], where: str) -> D:
    """The declaration of a sheet file, of the kind that it names, or else of the first. `tables` may stand as tables.

    Raises Unreadable, naming the file and the field.
    """
    written = dict(content)
    if "by" in written:
        raise Unreadable("a sheet has no field 'by'", where=where, mend=SHEET_SHOWN)
    kind = str(written.pop("sheet", next(iter(kinds))))
    if kind not in kinds:
        raise Unreadable(f"'{kind}' is no kind of sheet", where=where, mend=f"There are: {', '.join(kinds)}.")
    called = written.get("name", "")
    if not isinstance(called, str):
        raise Unreadable(f"'{called}' is no name", where=f"{where}, name", mend='Write it in quotes: name = "Kess".')
    written["name"] = name(called, where=f"{where}, name")
    for table in tables:
        if isinstance(written.get(table), Mapping):
            written[table] = [list(pair) for pair in written[table].items()]
    clean = {field: cleaned(value, f"{where}, {field}") for field, value in written.items()}
    try:
        return msgspec.convert({**clean, "by": GM}, kinds[kind], strict=True)
    except msgspec.ValidationError as error:
        raise Unreadable(str(error), where=where, mend=SHEET_SHOWN) from error


def cleaned(value: object, where: str) -> object:
    """Texts without invisible characters, numbers within their bounds, however deep they lie."""
    if isinstance(value, str):
        return normal(value, where=where)
    if isinstance(value, int):
        return bounded(value, where=where)
    if isinstance(value, Mapping):
        return {field: cleaned(inside, f"{where}, {field}") for field, inside in value.items()}
    if isinstance(value, list):
        return [cleaned(inside, where) for inside in value]
    return value
