"""The campaign's own table of names: what a story calls somebody, from `[names]` of a `campaign.toml`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

import msgspec

from ledger.errors import Unreadable
from ledger.names import name_key, normalize, valid_name
from rulebooks.common.pronouns import check_pronouns
from rulebooks.common.sheet_errors import sheet_error

TABLE: Final = "names"
WORDS_MOST: Final = 120
EXAMPLE: Final = '"The Salt Widow" = { short = "the Widow", pronouns = "she/her" }'


class NamedPerson(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a campaign says of somebody."""

    epithet: str = ""
    short: str = ""
    pronouns: str = ""


NameTable = Mapping[str, NamedPerson]  # by the key of the name
NO_NAMES: Final[NameTable] = MappingProxyType({})


def name_table(content: Mapping[str, object], where: str) -> NameTable:
    """Return the table in the content of a `campaign.toml`; an empty one without it. Raises Unreadable."""
    table = content.get(TABLE, {})
    if not isinstance(table, Mapping):
        raise Unreadable(f"'{TABLE}' is no table", where=where, hint=f"Write below [{TABLE}]: {EXAMPLE}")
    return dict(_persons(table, f"{where}, {TABLE}"))


def _persons(table: Mapping[str, object], where: str) -> Iterator[tuple[str, NamedPerson]]:
    """Yield the persons of a table by the keys of their names. Raises Unreadable for the first that is wrong."""
    for name, value in table.items():
        place = f"{where}, {name}"
        if not isinstance(value, Mapping):
            raise Unreadable("it is no table", where=place, hint=f"Write: {EXAMPLE}")
        try:
            person = msgspec.convert(value, NamedPerson, strict=True)
        except msgspec.ValidationError as error:
            raise sheet_error(error, value, NamedPerson, place, own=(), tables={}) from error
        check_pronouns(person.pronouns, f"{place}, pronouns")
        texts = {
            field: normalize(getattr(person, field), where=place, most=WORDS_MOST) for field in ("epithet", "short")
        }
        yield name_key(valid_name(name, where=place)), msgspec.structs.replace(person, **texts)
