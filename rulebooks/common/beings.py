"""Who and what a book is told of, as every book takes it: beings by their names, and the files of sheets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from ledger.declarations import Declaration
from ledger.errors import Unreadable
from ledger.facts import GM, RESERVED
from ledger.names import name_key, valid_name
from projections.state import Being, State
from rulebooks.common.sheets import cleaned
from rulebooks.common.values import outside_domain

D = TypeVar("D", bound=Declaration)
SHEET_SHOWN = "The README shows a sheet."


def being_named(field: str, who: str, kinds: tuple[str, ...], state: State) -> Being:
    """Whoever is in play under this very name, and of one of these kinds. Raises the refusal of anybody else."""
    being = state.being(who)
    if being is None or being.kind not in kinds:
        raise outside_domain(field, f"one in play ({' or '.join(kinds)})", who)
    if being.name != who:
        raise outside_domain(field, f"spelled {being.name}, as on the sheet", who)
    return being


def check_free(who: str, state: State) -> None:
    """Names are unique when case-folded, and not those of a side."""
    if state.being(who) is not None or name_key(who) in RESERVED:
        raise outside_domain("name", "a name that nobody else has", who)


def sheet_read(content: Mapping[str, Any], kinds: Mapping[str, type[D]], tables: tuple[str, ...], where: str) -> D:
    """The declaration of a sheet file, of the kind that it names, or else of the first. `tables` may stand as tables.

    Raises Unreadable, naming the file and the field.
    """
    written = dict(content)
    if "by" in written:
        raise Unreadable("a sheet has no field 'by'", where=where, hint=SHEET_SHOWN)
    kind = str(written.pop("sheet", next(iter(kinds))))
    if kind not in kinds:
        raise Unreadable(f"'{kind}' is no kind of sheet", where=where, hint=f"There are: {', '.join(kinds)}.")
    called = written.get("name", "")
    if not isinstance(called, str):
        raise Unreadable(f"'{called}' is no name", where=f"{where}, name", hint='Write it in quotes: name = "Kess".')
    written["name"] = valid_name(called, where=f"{where}, name")
    for table in tables:
        if isinstance(written.get(table), Mapping):
            written[table] = [list(pair) for pair in written[table].items()]
    clean = cleaned(written, where)
    try:
        return msgspec.convert({**clean, "by": GM}, kinds[kind], strict=True)
    except msgspec.ValidationError as error:
        raise Unreadable(str(error), where=where, hint=SHEET_SHOWN) from error
