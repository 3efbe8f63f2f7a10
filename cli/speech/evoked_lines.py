"""The lines that a sentence calls to mind: how each begins, and those that are offered in the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cli.speech.lexicon import Kind


class Evoked(NamedTuple):
    """The beginning of a line that a sentence evokes, and the places of the words that it explains."""

    text: str
    kind: Kind
    by: str
    used: frozenset[int]
    likeness: float
    is_about: bool = False  # the phrase names somebody


class Evocation(NamedTuple):
    """Lines that a sentence calls to mind. `lost`: who and how much is named in it, and not in each of these lines."""

    lines: Sequence[str] = ()
    lost: tuple[str, ...] = ()
