"""What is in hand: brandishing what one carries, and what others have dropped or cannot hold on to."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.facts import Fact, Judged, PoolSet, SheetChanged
from ledger.names import fold_case
from projections.state import State
from rulebooks.common.decisions import decides
from rulebooks.mars.combat.weapons import HELD, carried_items, held_items
from rulebooks.mars.declarations.turns import Brandish, Found
from rulebooks.mars.guards import find_actor, is_able
from rulebooks.mars.texts import refusal, value_refusal
from rulebooks.mars.turns.actions import check_action, pay_action


def find_items(who: str, names: tuple[str, ...], state: State) -> tuple[str, ...]:
    """GR-BRA-1: return items under their names on the sheet. Refuses what is neither carried nor at hand."""
    carried = {fold_case(item): item for item in carried_items(who, state)}
    for name in names:
        if fold_case(name) not in carried:
            items = ", ".join(carried.values()) or "nothing"
            raise refusal("NOT-WIELDED", case="carried", name=who, item=name, items=items)
    return tuple(dict.fromkeys(carried[fold_case(name)] for name in names))


def kept_items(said: Brandish, state: State) -> tuple[str, ...]:
    """GR-BRA-1: return what stays in hand where something is put away. Refuses what is not in hand."""
    if not said.away:
        return ()
    held, away = held_items(said.by, state), find_items(said.by, said.away, state)
    for item in away:
        if item not in held:
            raise refusal("NOT-WIELDED", name=said.by, item=item, items=", ".join(held) or "nothing")
    return tuple(item for item in held if item not in away)


def take_in_hand(who: str, items: tuple[str, ...], because: str, state: State) -> Iterator[Fact]:
    """GR-BRA-1: exactly these items are in hand."""
    was, now = state.sheet(who, HELD), ", ".join(items) or None
    if was != now:
        yield SheetChanged(rules=("GR-BRA-1",), who=who, key=HELD, was=was, now=now, because=because)


def check_found(who: str, found: Found, state: State) -> None:
    """GR-BRA-1: refuse what does not lie about: what its owner does not have, or holds and can hold on to."""
    find_actor(found.owner, state)
    loose = found.item not in held_items(found.owner, state) or not is_able(found.owner, state)
    if found.owner == who or found.item not in carried_items(found.owner, state) or not loose:
        items = ", ".join(carried_items(who, state)) or "nothing"
        raise refusal("NOT-WIELDED", case="carried", name=who, item=found.item, items=items)
    if found.item in carried_items(who, state):
        raise value_refusal("what is found", f"something that {who} does not have yet", found.item)


def take_over(who: str, found: Found, state: State) -> Iterator[Fact]:
    """GR-BRA-1: an item from the surroundings changes its owner, with all that is known of it."""
    owner, because = found.owner, f"{who} takes it"
    held = ", ".join(item for item in held_items(owner, state) if item != found.item) or None
    if held != state.sheet(owner, HELD):
        was = state.sheet(owner, HELD)
        yield SheetChanged(rules=("GR-BRA-1",), who=owner, key=HELD, was=was, now=held, because=because)
    for key, value in state.sheet_of(owner).items():
        if key.startswith(f"item.{found.item}."):
            yield SheetChanged(rules=("GR-BRA-1",), who=owner, key=key, was=value, now=None, because=because)
            yield SheetChanged(rules=("GR-BRA-1",), who=who, key=key, was=None, now=value, because=because)
    pool = state.pools.get((owner, found.item))
    if pool is not None:
        for taker, now, most in ((owner, 0, 0), (who, pool.points, pool.most)):
            was_points = state.points(taker, found.item)
            yield PoolSet(
                rules=("GR-BRA-1",),
                who=taker,
                pool=found.item,
                was=was_points,
                now=now,
                least=0,
                most=most,
                because=because,
            )


@decides(Brandish)
def brandish(said: Brandish, state: State) -> Iterator[Fact]:
    """GR-BRA-1: speed 0: set what is in hand, from what is carried and what lies about."""
    check_action(said.by, state)
    items = (*kept_items(said, state), *find_items(said.by, said.items, state))
    for found in said.found:
        check_found(said.by, found, state)
    yield from pay_action(said.by, 0, "brandish", state, "GR-BRA-1")
    for found in dict.fromkeys(said.found):
        yield from take_over(said.by, found, state)
    in_hand = dict.fromkeys((*items, *(found.item for found in said.found)))
    yield from take_in_hand(said.by, tuple(in_hand), "brandish", state)
    held = ", ".join(held_items(said.by, state)) or "nothing"
    yield Judged(rules=("GR-BRA-1",), what="brandish", who=said.by, result=f"{held} in hand", final=True)
