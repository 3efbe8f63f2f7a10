"""Who is named at a place of a sentence."""

from __future__ import annotations

from typing import NamedTuple


class Named(NamedTuple):
    """Who is named at a place of a sentence: each reading has the names of one or several beings."""

    readings: tuple[tuple[str, ...], ...]
    size: int
    is_group: bool = False
    is_unsure: bool = False  # whether it is only one of these: `the other guard`
    is_everybody: bool = False  # whether it is a saying for a group: `all of us`
