"""Initiative: the roll for it, the score of a foe, and the order of a combat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from ledger.dice import Dice
from ledger.facts import EntryId, Fact, OrderSet, Slot
from projections.state import State
from rulebooks.common.decisions import decides
from rulebooks.common.values import sheet_number
from rulebooks.dusk_bastards import guards
from rulebooks.dusk_bastards.declarations.turns import Initiative, NewInitiative
from rulebooks.dusk_bastards.tasks.difficulty import Target
from rulebooks.dusk_bastards.tasks.resolution import Plan, resolve, wait
from rulebooks.dusk_bastards.tasks.roll import Roll, consequences_of
from rulebooks.dusk_bastards.texts import option, refusal
from rulebooks.dusk_bastards.turns.allowances import awaiting_initiative, check_take20, turn_now
from rulebooks.dusk_bastards.turns.cycle import cycle_point


@decides(Initiative)
def roll_initiative(said: Initiative, state: State, dice: Dice) -> Iterator[Fact]:
    """DB-ENC-2: a Speed roll with no target number; every step of ease is worth three on the score."""
    guards.check_alive(said.by, state)
    encounter = guards.running_encounter(state, said.by)
    if said.by not in awaiting_initiative(encounter, state):
        refused = guards.encounter_refusal(said.by, state)
        is_placed = guards.is_in_combat(said.by, state)
        raise refused.with_hint(f"{said.by} has rolled already; {turn_now(encounter, state)}") if is_placed else refused
    check_take20(said, guards.turn_of(said.by, state))
    rolled = msgspec.structs.replace(said, task=said.task or "initiative")
    plan = Plan(said=rolled, stat="speed", kind="initiative", reach=False)
    yield from wait(plan, state)
    yield from resolve(plan, [Target(base=1)], state, dice)


@consequences_of("initiative")
def settle_initiative(roll: Roll, state: State, won: bool, opened: EntryId | None) -> Iterator[Fact]:
    """DB-ENC-2: the total of the roll is the score, which gives the place in the order."""
    yield from set_order([(roll.who, roll.total)], state, "DB-ENC-2")


def npc_initiative(who: str, state: State) -> int:
    """DB-ENC-3: its target number, unless the game master set another."""
    return sheet_number(who, "initiative", state)


def set_order(scores: Iterable[tuple[str, int | None]], state: State, *rules: str) -> Iterator[Fact]:
    """DB-ENC-4: from highest to lowest; ties: characters first, the higher Speed maximum, then order of joining.

    A place without a score waits for a roll.
    """
    encounter = state.encounter
    if encounter is None:
        return
    new = {who: Slot(slot=who, score=score, who=(who,)) for who, score in scores}
    slots = [*(slot for slot in encounter.order if slot.slot not in new), *new.values()]
    joined = list(dict.fromkeys([*encounter.members, *(slot.slot for slot in slots)]))
    first = "npc" if option(state, "initiative_ties") == "npc_first" else "pc"

    def rank(slot: Slot) -> tuple[int, bool, int, int]:
        speed = state.pools.get((slot.slot, "speed"))
        most = speed.most if speed and speed.most else 0
        return -(slot.score or 0), state.kind(slot.slot) != first, -most, joined.index(slot.slot)

    yield OrderSet(rules=("DB-ENC-4", *rules), slots=tuple(sorted(slots, key=rank)))


@decides(NewInitiative)
def renew_initiative(said: NewInitiative, state: State) -> Iterator[Fact]:
    """DB-ENC-10: only at the beginning of a round: before anybody has moved or passed. Characters roll again.

    DB-DUR-2: a member that is gone or dead keeps the old place, so that effects due at it end there.
    """
    guards.check_no_wound_due(state)
    encounter = guards.running_encounter(state)
    begun = encounter.waiting or any(not state.actions_left(who, "move") for who in encounter.done)
    if encounter.phase != "movement" or begun:
        way = f"Say it when round {encounter.round + 1} begins, before anybody moves; {turn_now(encounter, state)}"
        raise refusal("PHASE", phase="beginning of the movement", way=way)
    order = encounter.order
    slots = tuple(msgspec.structs.replace(slot, score=None) if _has_to_roll(slot, state) else slot for slot in order)
    yield cycle_point("reordered", encounter, "DB-ENC-10")
    yield OrderSet(rules=("DB-ENC-10", "DB-DUR-2"), slots=slots, because=said.reason)


def _has_to_roll(slot: Slot, state: State) -> bool:
    """DB-ENC-2, DB-ENC-3: characters roll for their place, foes have theirs."""
    return state.kind(slot.slot) == "pc" and bool(slot.who) and not guards.is_out(slot.slot, state)
