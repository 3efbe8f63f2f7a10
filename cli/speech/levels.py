"""Values that are said as where they stand, not by how much they change: `her health is back to full`."""

from __future__ import annotations

import re
from typing import Final

from cli.notation.tokens import tokenize
from cli.speech.slots import in_line
from projections.state import Pool, State
from rulebooks.common.sides import is_foe

LEVEL: Final = re.compile(r" to:(full|-?[0-9]+)$")  # at the end of a line that a frame makes
FULL: Final = "full"
ALREADY: Final = "already"  # ends why a value stays


def with_change(line: str, state: State) -> str:
    """Return a line that ends in a level, `Kess health to:full`, with the change that leads there: `Kess health +4`.

    Of several those say it whose value changes. The line is empty if nothing would change, if the value has no
    maximum, if it changes by more for one than for another, or if it is that of a foe, whose numbers are hidden.
    """
    level = LEVEL.search(line)
    if level is None:
        return line
    begun, _, value = line[: level.start()].rpartition(" ")
    names = [name.text for token in tokenize(begun) for name in token.split(",")]
    changes = {name: _change_to(level[1], state.pools.get((name, value))) for name in names}
    able = {name: change for name, change in changes.items() if change and not is_foe(name, state)}
    if not able or len({*able.values()}) > 1:
        return ""
    return f"{','.join(map(in_line, able))} {value} {next(iter(able.values())):+}"


def why_unchanged(line: str, state: State) -> str:
    """Return why a line that ends in a level changes nothing: `Kess's health is 9 already`; else nothing."""
    level = LEVEL.search(line)
    begun, _, value = line[: level.start()].rpartition(" ") if level else ("", "", "")
    who = next((token.text for token in tokenize(begun)), "")
    pool = state.pools.get((who, value))
    is_there = level is not None and pool is not None and not is_foe(who, state) and _change_to(level[1], pool) == 0
    return f"{who}'s {value} is {pool.points} {ALREADY}" if pool and is_there else ""


def _change_to(level: str, pool: Pool | None) -> int:
    """Return by how much a value changes that comes to a level; 0 if that is not known."""
    to = (pool.most if level == FULL else int(level)) if pool else None
    return to - pool.points if pool and to is not None else 0
