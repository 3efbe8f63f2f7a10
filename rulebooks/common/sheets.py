"""Sheet files, as every book reads them: texts and numbers as they may stand in the ledger."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ledger.names import bounded, normalized


def cleaned(content: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The fields of a sheet, texts without invisible characters, numbers within their bounds, however deep they lie.

    Raises Unreadable, naming the file and the field.
    """
    return {field: clean(value, f"{where}, {field}") for field, value in content.items()}


def clean(value: object, where: str) -> object:
    """One value of a sheet, and all that lies in it."""
    if isinstance(value, str):
        return normalized(value, where=where)
    if isinstance(value, int):
        return bounded(value, where=where)
    if isinstance(value, Mapping):
        return {field: clean(inside, f"{where}, {field}") for field, inside in value.items()}
    if isinstance(value, list):
        return [clean(inside, where) for inside in value]
    return value
