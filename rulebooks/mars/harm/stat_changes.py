"""Changes of primary stats: for a while as a condition, for good on the sheet and in the maxima of resources too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.facts import ConditionBegan, Ends, Fact, PoolSet, SheetChanged
from projections.state import Condition, State
from rulebooks.common.conditions import find_condition, new_condition
from rulebooks.mars.guards import MAXIMUM_STAT
from rulebooks.mars.harm.wounds import notice
from rulebooks.mars.tasks.roll_values import RollValue
from rulebooks.mars.tasks.stat_values import DERIVED, LASTING, amount_beyond_lasting, written_stat
from rulebooks.mars.texts import option, refusal
from rulebooks.mars.turns.durations import end_one, lasts_longer

MAXIMUM: Final = "maximum."  # of a resource, where the sheet writes it
BONUS: Final = "bonus"


def change_name(stat: str, amount: int) -> str:
    """Return the name of the condition of a change for a while."""
    return f"{stat} {BONUS if amount > 0 else 'penalty'}"


def change_for_a_while(
    who: str, stat: str, amount: int, source: str, ends: tuple[Ends, ...], state: State
) -> Iterator[Fact]:
    """GR-EFF-2: it changes what rolls the stat, and no maximum.

    GR-EFF-3: of one kind the strongest counts; a weaker one that lasts longer counts when the stronger is over.
    """
    name = change_name(stat, amount)
    if not amount_beyond_lasting(who, name, amount, state):
        lasting = lasting_name(stat, amount)
        yield notice(who, f"no further effect: {who} is under {lasting} already", "GR-EFF-3", "GR-GAP-65")
        return
    earlier = [(id, each) for id, each in state.conditions_of(who) if each.name == name]
    if any(is_covered(amount, ends, each, stat) for _, each in earlier):
        yield notice(who, f"no further effect: {who} is under {name} already", "GR-EFF-3", "GR-EFF-2")
        return
    covered = [id for id, each in earlier if not is_uncovered_by(amount, ends, each, stat)]
    taken = {id for id, _ in earlier}
    free = (f"{name} {who}{number}" for number in ("", *(f" {n}" for n in range(2, len(taken) + 2))))
    yield ConditionBegan(
        rules=("GR-EFF-2", "GR-EFF-3") if earlier else ("GR-EFF-2",),
        id=next(iter(covered), "") or next(id for id in free if id not in taken),
        who=who,
        name=name,
        effects=((stat, amount),),
        about=source,
        ends=ends,
    )
    for id in covered[1:]:
        yield end_one(id, state, "a stronger change", "GR-EFF-3")


def is_covered(amount: int, ends: tuple[Ends, ...], earlier: Condition, stat: str) -> bool:
    """GR-EFF-3: whether an earlier change is as strong as a new one, and the new one does not last longer."""
    return abs(dict(earlier.effects)[stat]) >= abs(amount) and not lasts_longer(ends, earlier.ends)


def is_uncovered_by(amount: int, ends: tuple[Ends, ...], earlier: Condition, stat: str) -> bool:
    """GR-EFF-3: whether an earlier change is stronger than a new one, or lasts longer."""
    return abs(dict(earlier.effects)[stat]) > abs(amount) or lasts_longer(earlier.ends, ends)


def lasting_name(stat: str, amount: int) -> str:
    """Return the name of the condition of a change for good, which remembers what it did to the sheet."""
    return f"{LASTING}{change_name(stat, amount)}"


def change_for_good(who: str, stat: str, amount: int, because: str, state: State) -> Iterator[Fact]:
    """GR-EFF-2: a change of the stat itself. GR-GAP-65: of two of one stat the stronger counts, or they add up."""
    name = lasting_name(stat, amount)
    earlier = find_condition(who, name, state)
    before = earlier.degree if earlier else 0
    adds = option(state, "permanent_changes_add") == "yes"
    now = before + abs(amount) if adds else max(before, abs(amount))
    if now == before:
        yield notice(who, f"no further effect: {who} has a {name} of {before} already", "GR-EFF-3", "GR-GAP-65")
        return
    rules = ("GR-EFF-2", "GR-GAP-65") if earlier else ("GR-EFF-2",)
    yield new_condition(who, name, *rules, degree=now, about=because)
    yield from shift_stat(who, stat, (now - before) * (1 if amount > 0 else -1), because, state)


def lift_change(id: str, because: str, state: State, *rules: str) -> Iterator[Fact]:
    """GR-EFF-1, GR-GAP-65: a change of a stat ends; what one for good did to the sheet is taken back."""
    condition = state.conditions[id]
    yield end_one(id, state, because, *rules)
    if condition.name.startswith(LASTING):
        stat, kind = condition.name.removeprefix(LASTING).split()
        back = -condition.degree if kind == BONUS else condition.degree
        yield from shift_stat(condition.who, stat, back, because, state)


def shift_stat(who: str, stat: str, amount: int, because: str, state: State) -> Iterator[Fact]:
    """GR-EFF-2: change the stat itself, and what hangs on it: the maximum of the resource (GR-OUT-6).

    A derived stat that the sheet writes changes with it (GR-GAP-5), as it does by its formula.
    """
    written = (name for name, stats in DERIVED.items() if stat in stats and state.sheet(who, name) is not None)
    for name in (stat, *written):
        was = written_stat(who, name, state)
        now = RollValue(was.sides, was.flat + amount)
        yield SheetChanged(rules=("GR-EFF-2",), who=who, key=name, was=str(was), now=str(now), because=because)
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
