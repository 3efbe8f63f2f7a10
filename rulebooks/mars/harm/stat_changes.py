"""Changes of primary stats: for a while as a condition, for good on the sheet and in the maxima of resources."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.facts import Ends, Fact, PoolSet, SheetChanged
from projections.state import State
from rulebooks.common.conditions import find_condition, new_condition
from rulebooks.mars.guards import MAXIMUM_STAT
from rulebooks.mars.tasks.roll_values import RollValue
from rulebooks.mars.tasks.stat_values import written_stat
from rulebooks.mars.texts import refusal

MAXIMUM: Final = "maximum."  # of a resource, where the sheet writes it


def change_name(stat: str, amount: int) -> str:
    """Return the name of the condition of a change for a while."""
    return f"{stat} {'bonus' if amount > 0 else 'penalty'}"


def change_for_a_while(
    who: str, stat: str, amount: int, source: str, ends: tuple[Ends, ...], state: State
) -> Iterator[Fact]:
    """GR-EFF-2: it changes what rolls the stat, and no maximum. GR-EFF-3: of one kind the stronger counts."""
    name = change_name(stat, amount)
    earlier = find_condition(who, name, state)
    if earlier is not None and abs(dict(earlier.effects)[stat]) >= abs(amount):
        return
    yield new_condition(who, name, "GR-EFF-2", effects=((stat, amount),), about=source, ends=ends)


def change_for_good(who: str, stat: str, amount: int, because: str, state: State) -> Iterator[Fact]:
    """GR-EFF-2: it changes the stat itself, and the maximum of the resource that hangs on it (GR-OUT-6)."""
    was = written_stat(who, stat, state)
    now = RollValue(was.sides, was.flat + amount)
    yield SheetChanged(rules=("GR-EFF-2",), who=who, key=stat, was=str(was), now=str(now), because=because)
    for pool, of in MAXIMUM_STAT.items():
        if of == stat:
            yield from change_maximum(who, pool, amount, because, state)


def change_maximum(who: str, pool: str, amount: int, because: str, state: State) -> Iterator[Fact]:
    """GR-GAP-52: points above the new maximum are cut; a higher one fills nothing up."""
    old = state.pools[who, pool]
    most = (old.most or 0) + amount
    if most < 0:
        raise refusal("VALUE", what=f"maximum of {pool}", given=most, domain="0 or more")
    yield PoolSet(
        rules=("GR-EFF-2", "GR-GAP-52", "GR-OUT-6"),
        who=who,
        pool=pool,
        was=old.points,
        now=min(old.points, most),
        least=old.least,
        most=most,
        because=because,
    )
    key = f"{MAXIMUM}{pool}"
    written = state.sheet(who, key)
    if written is not None:
        yield SheetChanged(rules=("GR-EFF-2",), who=who, key=key, was=written, now=most, because=because)
