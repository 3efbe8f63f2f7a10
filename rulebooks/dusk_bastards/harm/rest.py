"""Recovery rolls, healing of health and wounds, and time that passes."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Final

import msgspec

from ledger.dice import Dice
from ledger.facts import Counted, CountsCleared, Die, Fact, Judged, Rested, Rolled, Step, Sum, WoundChanged
from projections.state import State
from rulebooks.common.conditions import has_condition
from rulebooks.common.decisions import decides
from rulebooks.common.dice import refuse_bad_faces
from rulebooks.common.values import point_gain
from rulebooks.dusk_bastards import guards
from rulebooks.dusk_bastards.declarations.harm import HealWound, Rest
from rulebooks.dusk_bastards.declarations.world import AdvanceTime
from rulebooks.dusk_bastards.harm.health import HEALTH, recovery_maximum, set_maximum_health
from rulebooks.dusk_bastards.harm.recovery import (
    RESTING,
    Recovery,
    check_split,
    divide,
    is_choice,
    is_same_rest,
    join_rest,
    room_of,
)
from rulebooks.dusk_bastards.harm.wounds import carried_value, category
from rulebooks.dusk_bastards.tasks.destiny import destiny_limit
from rulebooks.dusk_bastards.texts import check_whole, option, refusal, value_refusal
from rulebooks.dusk_bastards.turns.allowances import check_action, use_action
from rulebooks.dusk_bastards.world.clock import A_DAY, COMBAT, pass_time
from rulebooks.dusk_bastards.world.waits import come_to_outside, pass_time_for

RECOVERY_DIE: Final = 6
GIVEN_UP: Final = "points given up"
BEYOND_FULL_POOLS: Final = "points beyond full pools"
SECONDS: Final = {"one_action": 0, "ten_minutes": 600, "one_hour": 3600, "ten_hours": 36000}


@decides(Rest)
def rest(said: Rest, state: State, dice: Dice) -> Iterator[Fact]:
    """DB-REC-1 to 6, DB-HEAL-2, 3: the time of the rest, then for each who rests a recovery roll and its effects."""
    who = (said.by, *said.others)
    check_rest(said, who, state, dice)
    for each in who:
        if said.kind == "one_action" or state.actions_left(each, "action"):
            yield from use_action(guards.turn_of(each, state), "standard", state)
    if SECONDS[said.kind] and not is_same_rest(said, state):
        yield from pass_time_for(said.by, SECONDS[said.kind], "rest", state, "DB-GAP-76", "DB-REC-2")
    rolls = []
    for each in who:
        roll = yield from recover(msgspec.structs.replace(said, by=each), state, dice)
        rolls.append(roll)
    in_rounds = guards.encounter_of(said.by, state) is not None and RESTING not in state.windows
    if not in_rounds or any(roll.is_open for roll in rolls):
        yield from join_rest(said.kind, rolls, state)


def recover(said: Rest, state: State, dice: Dice) -> Generator[Fact, None, Recovery]:
    """DB-REC-1: one recovery roll, health, and after ten hours a new day and a wound."""
    (face,) = dice.throw(f"recovery {said.by}", RECOVERY_DIE)
    yield Rolled(
        rules=("DB-REC-1",),
        who=said.by,
        purpose=f"recovery {said.by}",
        source=dice.source,
        dice=(Die(ordinal=0, sides=RECOVERY_DIE, face=face),),
    )
    points, room = face + destiny_limit(said.by, state), room_of(said.by, state)
    if dice.source == "table":
        check_split(said.split, points, room)
    shares = divide(points, said, room)
    assigned = sum(cost.points for cost in shares)
    yield recovery(said.by, face, points, points - assigned, has_room=assigned < sum(room.values()))
    for cost in shares:
        yield point_gain(said.by, cost.stat, cost.points, f"{said.kind} rest", state, "DB-REC-1")
    yield from restore_health(said, state)
    yield Counted(rules=("DB-REC-2",), who=said.by, name=f"rest.{said.kind}", change=1, now=1, of=1, until="day")
    yield Rested(rules=("DB-REC-2", "DB-REC-5"), who=said.by, rest=said.kind)
    if said.kind == "ten_hours":
        yield from end_day(said, state)
    return Recovery(who=said.by, points=points, shares=shares, is_open=is_choice(points, said, room))


def check_rest(said: Rest, who: tuple[str, ...], state: State, dice: Dice) -> None:
    """Refuse a rest in the order of the book's refusals, whoever of them it is that cannot rest."""
    for each in who:
        guards.check_actor(each, state)
    if len(set(who)) < len(who):
        raise value_refusal("others", "everybody else who rests, each once", ", ".join(said.others))
    if said.others and said.split:
        raise value_refusal("split", "left out for several, who share afterwards", "shares")
    for cost in said.split:
        check_whole("split", cost.points, 0)
    with refuse_bad_faces(lambda wrong: refusal("DIE", sides=RECOVERY_DIE)):
        dice.expect(*[RECOVERY_DIE] * len(who))
    for each in who:
        guards.check_alive(each, state)
    for check in (check_can_rest, check_rest_free):
        for each in who:
            check(each, said.kind, state)
    check_split(said.split, RECOVERY_DIE + destiny_limit(said.by, state), room_of(said.by, state))


def check_can_rest(who: str, kind: str, state: State) -> None:
    """DB-WOUND-9, DB-SPEC-2: neither too badly hurt nor stunned. DB-ACTN-5: in rounds a rest is an action."""
    if guards.is_critical(who, state) and kind == "one_action":
        raise refusal("NOACT", name=who)
    if has_condition(who, guards.STUNNED, state):
        raise refusal("STUNNED", name=who)
    turn = guards.turn_of(who, state)
    running = turn.encounter
    if kind == "one_action" or (running is not None and running.round and running.scale != COMBAT):
        check_action(turn, "standard", state)


def rests_left(who: str, state: State) -> dict[str, bool]:
    """DB-REC-3: whether each rest may still be taken today."""
    return {kind: not state.count(who, f"rest.{kind}") for kind in SECONDS}


def check_rest_free(who: str, kind: str, state: State) -> None:
    """DB-REC-3: each rest once a day. DB-REC-2: in combat only the one that takes an action."""
    if not rests_left(who, state)[kind]:
        raise refusal("REST-USED", name=who, kind=kind)
    if kind != "one_action" and guards.is_in_combat(who, state):
        raise refusal("REST-COMBAT")


def recovery(who: str, face: int, points: int, lost: int, *, has_room: bool) -> Judged:
    """DB-REC-6: one d6 and the level, for every rest of the day. DB-REC-1: points that are not assigned are lost."""
    name = GIVEN_UP if has_room else BEYOND_FULL_POOLS
    over = (Sum(name=name, start=lost, steps=(), total=lost),) if lost else ()
    step = Step(op="+", value=points - face, rule="DB-REC-1", because="level", now=points)
    return Judged(
        rules=("DB-REC-1", "DB-REC-6"),
        what="recovery",
        who=who,
        sums=(Sum(name="total", start=face, steps=(step,), total=points), *over),
        total=points,
        result="rested",
        rolls=(f"recovery {who}",),
        final=True,
    )


def restore_health(said: Rest, state: State) -> Iterator[Fact]:
    """DB-HEAL-2: with any recovery roll health may be set to the effective maximum."""
    most, points = recovery_maximum(said.by, state), state.points(said.by, HEALTH)
    if said.heal_health and points < most:
        yield point_gain(said.by, HEALTH, most - points, f"{said.kind} rest", state, "DB-HEAL-2")


def end_day(said: Rest, state: State) -> Iterator[Fact]:
    """DB-REC-4, DB-HEAL-7: the day ends, all slots are free, a wound drops by one, the maximum is computed again."""
    yield CountsCleared(rules=("DB-REC-4", "DB-HEAL-7"), until="day", who=said.by)
    day = state.count(said.by, "day") + 1
    yield Counted(rules=("DB-REC-4",), who=said.by, name="day", change=1, now=day)
    if said.heal_wound and option(state, "wound_healing_trigger") == "ten_hour_rest":
        yield from heal_least_serious(said.by, "a night's rest", state)


def heal_least_serious(who: str, because: str, state: State) -> Iterator[Fact]:
    """DB-HEAL-3: the lowest value first, among equals the oldest; one wound, one point, a day."""
    wounds = sorted(state.wounds_of(who), key=lambda pair: (pair[1].value, pair[1].taken))
    if wounds:
        yield from lessen_wound(who, wounds[0][0], 1, because, state, "DB-HEAL-3", "DB-HEAL-5")


def lessen_wound(who: str, wound: str, points: int, because: str, state: State, *rules: str) -> Iterator[Fact]:
    """DB-HEAL-4, DB-HEAL-6: so many points less; at 0 it is gone; the category follows."""
    before = state.wounds[who, wound]
    value = max(0, before.value - points)
    yield WoundChanged(
        rules=(*rules, "DB-HEAL-4", "DB-HEAL-6"),
        who=who,
        wound=wound,
        kind=category(value, before.kind, state) if value else before.kind,
        value=value,
        in_force=before.in_force,
        because=because,
    )
    yield from set_maximum_health(who, state)


@decides(HealWound)
def heal_wound(said: HealWound, state: State) -> Iterator[Fact]:
    """DB-HEAL-8: powers and care can heal faster: a ruling with the wound, the points and the reason."""
    check_whole("points", said.points, 1)
    if not said.reason:
        raise value_refusal("reason", "a few words in quotes", None)
    names = [name for name, _ in state.wounds_of(said.target)]
    wound = names[0] if len(names) == 1 and not said.wound else said.wound
    if not names:
        refused = value_refusal("wound", f"one of {said.target}, who has none", said.wound or "no wound")
        raise refused.with_hint(f'For health type "{said.target}" hp +{said.points} "{said.reason}"')
    if wound not in names:
        raise value_refusal("wound", ", ".join(names), said.wound or None)
    yield from lessen_wound(said.target, wound, said.points, said.reason, state, "DB-HEAL-8")


@decides(AdvanceTime)
def advance_time(said: AdvanceTime, state: State) -> Iterator[Fact]:
    """DB-TIME-3: the game master lets time pass; conditions that are over end, and the stunned recover."""
    check_whole("seconds", said.seconds, 1)
    for who in said.rest_day:
        guards.check_in_play(who, state, "rest_day")
    guards.check_no_wound_due(state)
    yield from pass_time(said.seconds, said.label, state, "DB-TIME-1", "DB-TIME-3")
    yield from come_to_outside(state)
    if option(state, "wound_healing_trigger") == "rest_day":
        for who in said.rest_day:
            days = 0 if guards.is_out(who, state) else min(said.seconds // A_DAY, carried_value(who, state))
            for _ in range(days):
                yield from heal_least_serious(who, "a day of rest", state)
