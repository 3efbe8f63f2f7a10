"""The movement phase: move, charge, defend, interrupt."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.dice import Dice
from ledger.facts import Counted, Ends, EntryId, Fact
from ledger.names import name_key
from projections.derived import derived
from projections.state import Encounter, State
from rulebooks.common.conditions import condition_end, find_condition, new_condition
from rulebooks.common.decisions import decides
from rulebooks.common.turn import current_round
from rulebooks.common.values import action_use
from rulebooks.dusk_bastards.combat.situations import MOVED
from rulebooks.dusk_bastards.declarations.parts import BANDS, Far
from rulebooks.dusk_bastards.declarations.turns import Charge, FullDefence, Interrupt, Move
from rulebooks.dusk_bastards.guards import check_in_play, is_foe, turn_in_combat
from rulebooks.dusk_bastards.tasks.difficulty import Target
from rulebooks.dusk_bastards.tasks.effects import DEFENDING
from rulebooks.dusk_bastards.tasks.resolution import Plan, resolve, wait
from rulebooks.dusk_bastards.tasks.roll import Roll, consequences_of
from rulebooks.dusk_bastards.texts import option, refusal, value_refusal
from rulebooks.dusk_bastards.turns import allowances
from rulebooks.dusk_bastards.turns.cycle import CHARGING, cycle_point, enter_slot
from rulebooks.dusk_bastards.world.surroundings import (
    distance_index,
    forget_distances,
    known_distance,
    known_distances,
    record_distance,
)

MOVING_AWAY: Final = "moving away"
OUT_OF_REACH: Final = "out of reach of "
MELEE: Final = "melee"
EARLY_MELEE: Final = "melee before the first round"
SHORT_MOVE: Final = 5


@decides(Move)
def move(said: Move, state: State, dice: Dice) -> Iterator[Fact]:
    """DB-MOVE-1, DB-MOVE-2: an immediate distance freely; a short one with a Speed roll against 5."""
    turn = allowances.check_move(said.by, state)
    allowances.check_take20(said, turn)
    if said.distance not in ("immediate", "short"):
        raise refusal("MOVE-DISTANCE")
    yield from allowances.use_action(turn, "move", state)
    if said.distance == "immediate":
        yield from move_to_band(said.by, "immediate", state, "DB-MOVE-1", "DB-DIST-3")
    elif is_foe(said.by, state):
        yield from move_to_band(said.by, "short", state, "DB-GAP-66")
        yield action_use(said.by, "bonus", state, "lost", "DB-GAP-66", "DB-MOVE-2")
    else:
        plan = Plan(said=said, stat="speed", kind="move")
        yield from wait(plan, state)
        yield from resolve(plan, [Target(base=SHORT_MOVE)], state, dice)


@consequences_of("move")
def settle_move(roll: Roll, state: State, won: bool, opened: EntryId | None) -> Iterator[Fact]:
    """DB-MOVE-2: success leaves only the standard action, failure only the bonus action; either way they have moved."""
    short = won or option(state, "failed_dash_moves") == "yes"
    yield from move_to_band(roll.who, "short" if short else "immediate", state, "DB-MOVE-2")
    action = "bonus" if won else "standard"
    if state.actions_left(roll.who, action):
        yield action_use(roll.who, action, state, "lost", "DB-MOVE-2")


def move_to_band(who: str, band: str, state: State, *rules: str) -> Iterator[Fact]:
    """DB-GAP-67: a prone mover stands up, and a mover in cover leaves it, before a move or a charge."""
    stood = out_of_reach_counts(who, state) if band != "immediate" else []
    yield distance_count(who, band, state, *rules)
    yield from forget_distances(who, state)
    if band != "immediate":
        yield Counted(rules=("DB-REACT-4",), who=who, name=MOVING_AWAY, change=1, now=1, until="round")
    yield from stood
    for id, condition in state.conditions_of(who):
        if any(end.at == "move" for end in condition.ends):
            yield condition_end(id, state, "due", "DB-GAP-67")


def distance_count(who: str, band: str, state: State, *rules: str) -> Counted:
    """Count how far somebody has moved this round: 1 for an immediate distance, 2 for a short one."""
    now = BANDS.index(band) + 1
    change = now - state.count(who, MOVED)
    return Counted(rules=rules, who=who, name=MOVED, change=change, now=now, until="round")


def out_of_reach_counts(who: str, state: State) -> list[Counted]:
    """DB-REACT-4: count for a mover everybody who was known to be out of reach before the move."""
    near = BANDS.index("immediate")
    return [
        Counted(rules=("DB-REACT-4",), who=who, name=out_of_reach_name(other), change=1, now=1, until="round")
        for other, far in known_distances(who, state).items()
        if far > near
    ]


def out_of_reach_name(who: str) -> str:
    """Return the name of the count of a mover who was not in this one's reach."""
    return f"{OUT_OF_REACH}{name_key(who)}"


def is_leaving_reach(mover: str, by: str, state: State) -> bool:
    """DB-REACT-4: whether somebody is moving out of this one's reach. A charge at this one is not leaving."""
    charging = find_condition(mover, CHARGING, state)
    comes = charging is not None and charging.about == by
    return bool(state.count(mover, MOVING_AWAY)) and not state.count(mover, out_of_reach_name(by)) and not comes


def end_moving_away(state: State) -> Iterator[Fact]:
    """DB-REACT-4: a mover can be stopped only until anything else is declared."""
    for who, name in counts_of_movers(state):
        yield Counted(rules=("DB-REACT-4",), who=who, name=name, change=-1, now=0, until="round")


@derived("counts")
def counts_of_movers(state: State) -> tuple[tuple[str, str], ...]:
    """DB-REACT-4: return who moves away, and the counts that say so."""
    movers = [each for each in state.counts if each[1] == MOVING_AWAY or each[1].startswith(OUT_OF_REACH)]
    return tuple(sorted(movers))


@decides(Charge)
def charge(said: Charge, state: State) -> Iterator[Fact]:
    """DB-MOVE-3: next to a target within short distance, if no melee since the start of the previous round."""
    check_in_play(said.target, state, "target")
    if said.target == said.by:
        raise value_refusal("target", "somebody else", said.target)
    turn = allowances.check_move(said.by, state)
    check_charge(said, state)
    yield from allowances.use_action(turn, "move", state)
    yield from move_to_band(said.by, BANDS[charge_distance(said, state)], state, "DB-MOVE-3")
    yield from record_distance(said.by, said.target, BANDS.index("immediate"), state, "DB-MOVE-3")
    yield new_condition(
        said.by,
        CHARGING,
        "DB-MOVE-3",
        "DB-DUR-3",
        about=said.target,
        ends=(Ends(at="round", due=current_round(state)),),
    )


def check_charge(said: Charge, state: State) -> None:
    """DB-MOVE-3: neither attacked nor been attacked in melee since the start of the previous round; not too far."""
    last, now = state.count(said.by, MELEE), current_round(state)
    early = now == 1 and state.count(said.by, EARLY_MELEE)
    if early or (last and last >= now - 1):
        raise refusal("CHARGE", name=said.by, reason="there was melee since the start of the previous round")
    most: Far = "short" if option(state, "charge_distance") == "short" else "immediate"
    if charge_distance(said, state) > BANDS.index(most):
        raise refusal("CHARGE", name=said.by, reason=f"{said.target} is farther than {most} distance")


def charge_distance(said: Charge, state: State) -> int:
    """DB-DIST-2: how far a charge goes: the farther of known and declared distance, else a short distance."""
    known = known_distance(said.by, said.target, state)
    far = [band for band in (known, distance_index(said.distance, None)) if band is not None]
    return max(far, default=BANDS.index("short"))


@decides(FullDefence)
def defend_fully(said: FullDefence, state: State) -> Iterator[Fact]:
    """DB-MOVE-4: standard and bonus action given up, every defence eased by one until the next movement slot."""
    turn = allowances.check_move(said.by, state)
    yield from allowances.use_action(turn, "move", state)
    for action in ("standard", "bonus"):
        if state.actions_left(said.by, action):
            yield action_use(said.by, action, state, "given up", "DB-MOVE-4")
    yield new_condition(
        said.by,
        DEFENDING,
        "DB-MOVE-4",
        "DB-DUR-1",
        effects=(("defence", 1),),
        ends=(Ends(at="slot", whose=said.by, phase="movement", due=current_round(state) + 1),),
    )


@decides(Interrupt)
def interrupt(said: Interrupt, state: State) -> Iterator[Fact]:
    """DB-ENC-7: a character that can still move may move first; interrupts nest, and are no reactions."""
    turn_in_combat(said.by, state)
    encounter = state.encounter
    if encounter is None or not _can_still_move(said.by, encounter):
        way = f"Now {allowances.turn_now(encounter, state)}" if encounter else "Nobody moves outside a combat"
        raise refusal("INTERRUPT", case=_why_not_interrupt(said.by, encounter), name=said.by, way=way)
    yield cycle_point("handed", encounter, "DB-ENC-7", who=said.by)
    yield from enter_slot(said.by, encounter, state)


def _why_not_interrupt(who: str, encounter: Encounter | None) -> str:
    """DB-ENC-7: the case of the refusal: nobody is moving, oneself is, or has been."""
    if encounter is None or encounter.phase != "movement" or not encounter.turn:
        return ""
    return "moving" if who == encounter.turn else "done"


def _can_still_move(who: str, encounter: Encounter) -> bool:
    """DB-ENC-7: while somebody moves: neither done in this phase nor moving already."""
    moving = encounter.phase == "movement" and encounter.turn
    return bool(moving) and who not in (*encounter.done, *encounter.waiting, encounter.turn)
