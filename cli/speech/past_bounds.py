"""Changes of a value that lead past its least or its most: `four damage` to one who has two left is what is left."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cli.speech.heard import Unclear, unclear
from cli.speech.readings import Reader
from ledger.errors import LedgerError, Refused
from ledger.names import name_key
from projections.state import State
from rulebooks.common.adjustments import Adjust

PAST: Final = "L-VALUE"  # the code of a value out of its bounds


def ask_as_far_as_it_goes(typed: str, error: LedgerError, reader: Reader) -> Unclear | None:
    """Return the question whether a refused change goes as far as its value does; None for any other refusal."""
    if not isinstance(error, Refused) or error.code != PAST:
        return None
    lines = [*dict.fromkeys(_lines_to_the_end(typed, reader))]
    return unclear(typed, lines, str(error.what)) if lines else None


def _lines_to_the_end(typed: str, reader: Reader) -> Iterator[str]:
    """Yield the changes that a sentence means, each as far as its value goes."""
    for reading in reader.read(typed):
        for said in (each.declaration for each in reading.parsed if not reading.left):
            change = _change_left(said, reader.ledger_state.state) if isinstance(said, Adjust) else 0
            if change and isinstance(said, Adjust):
                yield reading.line.replace(f" {said.change:+} ", f" {change:+} ", 1)


def _change_left(said: Adjust, state: State) -> int:
    """Return by how much a value can change that would go too far; 0 if it does not, or stands there already."""
    for (who, name), pool in state.pools.items():
        if f"{name_key(who)}.{name}" == said.value or (who == said.by and name == said.value):
            end = pool.least if said.change < 0 else pool.most
            to = pool.points + said.change
            is_past = end is not None and (to < end if said.change < 0 else to > end)
            return end - pool.points if is_past and end is not None else 0
    return 0
