"""Dice: faces that do not fit become a refusal with a code of the book."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ledger.errors import BadFaces, Refused


@contextmanager
def refuse_bad_faces(refusal: Callable[[str], Refused]) -> Iterator[None]:
    """Raise this refusal for impossible, missing or left-over faces; it is given what is wrong with them."""
    try:
        yield
    except BadFaces as error:
        raise refusal(error.what) from error
