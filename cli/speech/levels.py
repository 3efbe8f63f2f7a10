"""Values that are said as where they stand, not by how much they change: `her health is back to full`."""

from __future__ import annotations

import re
from typing import Final

from cli.speech.frames import in_line
from projections.state import State
from rulebooks.common.sides import is_foe

LEVEL: Final = re.compile(r" to:(full|[0-9]+)$")  # at the end of a line that a frame makes
FULL: Final = "full"


def with_change(line: str, who: str, state: State) -> str:
    """Return a line that ends in a level, `Kess health to:full`, with the change that leads there: `Kess health +4`.

    The line is empty if nothing would change, if the value has no maximum, if several say it, or if the value is that
    of a foe, whose numbers are hidden.
    """
    level = LEVEL.search(line)
    if level is None:
        return line
    begun = line[: level.start()]
    pool = state.pools.get((who, begun.rpartition(" ")[2])) if begun.startswith(f"{in_line(who)} ") else None
    if pool is None or is_foe(who, state):
        return ""
    to = pool.most if level[1] == FULL else int(level[1])
    return "" if to is None or to == pool.points else f"{begun} {to - pool.points:+}"
