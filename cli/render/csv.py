"""Rows as CSV: for spreadsheets, in which no cell is a formula and nothing acts on a terminal."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from ledger.facts import Scalar
from ledger.names import escape

FORMULA_MARKS: Final = ("=", "+", "-", "@", "\t", "\r")  # with which a spreadsheet takes a cell for a formula
TEXT_MARK: Final = "'"  # with which it takes it for text


def csv_lines(columns: Sequence[str], rows: Iterable[Sequence[Scalar | None]]) -> Iterator[str]:
    """Yield the lines of a table, its heading first. No value is an empty cell."""
    for row in chain((columns,), rows):
        line = io.StringIO()
        csv.writer(line, lineterminator="").writerow([csv_cell(value) for value in row])
        yield line.getvalue()


def csv_heading(columns: Sequence[str]) -> str:
    """Return the first line of a table."""
    return next(csv_lines(columns, ()))


def csv_objects(columns: Sequence[str], objects: Iterable[Mapping[str, object]]) -> Iterator[str]:
    """Yield the lines of a table of objects as they are printed as JSON: lists with semicolons."""
    return csv_lines(columns, ([_scalar(each.get(column)) for column in columns] for each in objects))


def _scalar(value: object) -> Scalar | None:
    if value is None or isinstance(value, int | str):
        return value
    return "; ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def csv_cell(value: Scalar | None) -> int | str:
    """Return a value as a cell: numbers as they are, text without control characters, and never a formula."""
    if value is None or isinstance(value, int):
        return "" if value is None else value
    text = escape(value.replace("\r\n", "\n").replace("\n", " / "))
    return f"{TEXT_MARK}{text}" if value.lstrip().startswith(FORMULA_MARKS) or value.startswith("\t") else text
