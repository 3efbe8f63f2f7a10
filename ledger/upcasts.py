"""Upcasts: what records of older formats say, in the words of today.

Stored bytes never change, nor does the chain over them. A record says the number of its format (`v`); one of an older
format is read through one function for each format since: it takes the plain content of a record, as JSON has it, and
returns that of the next format. What everybody sees of a record goes through the same functions.

To change what records hold, or what is hidden of them: make a ledger of the version before (`python -m tests.ageing`),
raise `FORMAT` in `records`, and add the function from the number before to `UPCASTS`. Where only other things are
hidden it returns what it is given. A function is pure, and does no more than the change asks for.

A new field that is written only where something new is used needs less: `NEWEST` in `records` is raised, and only a
record with such a field says so (`oldest_format`), so that older programs refuse it and read all others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

Content = dict[str, Any]

OLDEST: Final = 3  # the oldest format that is read
MOVED: Final = 2  # the format before it, which was never promised: campaign upgrade plays such a ledger again
UPCASTS: Final[dict[int, Callable[[Content], Content]]] = {}  # by the number of the format that they begin with


def upcast(content: Content, of: int, to: int) -> Content:
    """Return the content of a record of one format as a later one has it."""
    for number in range(of, to):
        content = UPCASTS[number](content)
    return {**content, "v": to}
