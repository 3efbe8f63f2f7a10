"""What a short move comes to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.facts import Counted, EntryId, Fact
from ledger.names import name_key
from projections.state import State
from rulebooks.dusk_bastards.tasks.roll import Roll
from rulebooks.dusk_bastards.texts import option
from rulebooks.dusk_bastards.turns.cycle import action_use
from rulebooks.dusk_bastards.world.clock import condition_end
from rulebooks.dusk_bastards.world.surroundings import forget_distances, known_distance

CHARGING: Final = "charging"
MOVING_AWAY: Final = "moving away"
OUT_OF_REACH: Final = "out of reach of "
MELEE: Final = "melee"
EARLY_MELEE: Final = "melee before the first round"
BANDS = ("immediate", "short", "long", "extreme")


def distance_count(who: str, band: str, state: State, *rules: str) -> Counted:
    """How far somebody has moved this round: 1 for an immediate distance, 2 for a short one."""
    now = BANDS.index(band) + 1
    change = now - state.count(who, "moved")
    return Counted(rules=rules, who=who, name="moved", change=change, now=now, until="round")


def go(who: str, band: str, state: State, *rules: str) -> Iterator[Fact]:
    """DB-GAP-67: somebody moves or charges: who was prone stands up, and who was in cover leaves it."""
    stood = beings_out_of_reach(who, state) if band != "immediate" else []
    yield distance_count(who, band, state, *rules)
    yield from forget_distances(who, state)
    if band != "immediate":
        yield Counted(rules=("DB-REACT-4",), who=who, name=MOVING_AWAY, change=1, now=1, until="round")
    yield from stood
    for id, condition in state.conditions_of(who):
        if any(end.at == "move" for end in condition.ends):
            yield condition_end(id, state, "due", "DB-GAP-67")


def beings_out_of_reach(who: str, state: State) -> list[Counted]:
    """DB-REACT-4: from whom somebody who moves away stood farther than in reach, as far as was known."""
    near = BANDS.index("immediate")
    return [
        Counted(rules=("DB-REACT-4",), who=who, name=out_of_reach_count(being.name), change=1, now=1, until="round")
        for being in state.in_order()
        if being.name != who and (known_distance(who, being.name, state) or near) > near
    ]


def out_of_reach_count(who: str) -> str:
    """What is counted on whoever moves away and was not in this one's reach."""
    return f"{OUT_OF_REACH}{name_key(who)}"


def is_leaving_reach(mover: str, by: str, state: State) -> bool:
    """DB-REACT-4: whether somebody is moving away out of this one's reach. Who charges at them is coming."""
    charging = state.conditions.get(f"{CHARGING} {mover}")
    comes = charging is not None and charging.about == by
    return bool(state.count(mover, MOVING_AWAY)) and not state.count(mover, out_of_reach_count(by)) and not comes


def settle_move(roll: Roll, state: State, won: bool, opened: EntryId | None) -> Iterator[Fact]:
    """DB-MOVE-2: success leaves only the standard action, failure only the bonus action; the way is made either way."""
    short = won or option(state, "failed_dash_moves") == "yes"
    yield from go(roll.who, "short" if short else "immediate", state, "DB-MOVE-2")
    action = "bonus" if won else "standard"
    if state.actions_left(roll.who, action):
        yield action_use(roll.who, action, state, "lost", "DB-MOVE-2")


def end_moving_away(state: State) -> Iterator[Fact]:
    """DB-REACT-4: whoever moves away can be stopped before anything else is declared, and not after it."""
    for who, name in sorted(state.counts):
        if name == MOVING_AWAY or name.startswith(OUT_OF_REACH):
            yield Counted(rules=("DB-REACT-4",), who=who, name=name, change=-1, now=0, until="round")
