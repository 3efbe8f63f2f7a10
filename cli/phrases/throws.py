"""Throws that were seen and do not count, or count for several entries, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.names import plural


def throw_sentences(taken_back: int, shared: int = 0) -> Iterator[str]:
    """Yield how many throws of a session were taken back, and how many count for several entries."""
    if taken_back:
        rolls = plural(taken_back, "roll was", "rolls were")
        yield f"{rolls} taken back after {'its' if taken_back == 1 else 'their'} dice were seen"
    if shared:
        rolls = plural(shared, "roll counts", "rolls count")
        yield f"{rolls} for several entries: a correction has brought one of them back"
