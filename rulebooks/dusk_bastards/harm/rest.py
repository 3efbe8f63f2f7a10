"""Recovery rolls, healing of health and wounds, and time that passes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.dice import Dice
from ledger.facts import Counted, CountsCleared, Die, Fact, Judged, Rested, Rolled, Step, Sum, WoundChanged
from projections.state import State
from rulebooks.common.conditions import has_condition
from rulebooks.common.dice import refuse_bad_faces
from rulebooks.common.values import point_gain
from rulebooks.dusk_bastards.declarations.harm import HealWound, Rest
from rulebooks.dusk_bastards.declarations.parts import STATS, Cost
from rulebooks.dusk_bastards.declarations.world import AdvanceTime
from rulebooks.dusk_bastards.guards import (
    STUNNED,
    check_actor,
    check_alive,
    check_in_play,
    check_no_wound_due,
    encounter_of,
    is_critical,
    is_in_combat,
    is_out,
)
from rulebooks.dusk_bastards.harm.health import HEALTH, recovery_maximum, set_maximum_health
from rulebooks.dusk_bastards.harm.stun import come_to
from rulebooks.dusk_bastards.harm.wounds import category
from rulebooks.dusk_bastards.tasks.destiny import destiny_limit, pool_room
from rulebooks.dusk_bastards.texts import check_whole, option, refusal, value_refusal
from rulebooks.dusk_bastards.turns.allowances import check_action, use_action
from rulebooks.dusk_bastards.world.clock import A_DAY, pass_time

RECOVERY_DIE: Final = 6


def rest(said: Rest, state: State, dice: Dice) -> Iterator[Fact]:
    """DB-REC-1 to 6, DB-HEAL-2, 3: a recovery roll, health, and after ten hours a new day and a wound."""
    check_rest(said, state, dice)
    if said.kind == "one_action":
        yield from use_action(said.by, "standard", state)
    (face,) = dice.throw(f"recovery {said.by}", RECOVERY_DIE)
    yield Rolled(
        rules=("DB-REC-1",),
        who=said.by,
        purpose=f"recovery {said.by}",
        source=dice.source,
        dice=(Die(ordinal=0, sides=RECOVERY_DIE, face=face),),
    )
    points = face + destiny_limit(said.by, state)
    if dice.source == "table":
        check_shares(said, points, state)
    shares = rest_shares(said, points, state)
    yield recovery(said.by, face, points, points - sum(cost.points for cost in shares))
    for cost in shares:
        yield point_gain(said.by, cost.stat, cost.points, f"{said.kind} rest", state, "DB-REC-1")
    yield from restore_health(said, state)
    yield Counted(rules=("DB-REC-2",), who=said.by, name=f"rest.{said.kind}", change=1, now=1, of=1, until="day")
    yield Rested(rules=("DB-REC-2", "DB-REC-5"), who=said.by, rest=said.kind)
    if said.kind == "ten_hours":
        yield from end_day(said, state)


def check_rest(said: Rest, state: State, dice: Dice) -> None:
    """Refuse a rest in the order of the book's refusals."""
    check_actor(said.by, state)
    for cost in said.split:
        check_whole("split", cost.points, 0)
    with refuse_bad_faces(lambda wrong: refusal("DIE", sides=RECOVERY_DIE)):
        dice.expect(RECOVERY_DIE)
    check_alive(said.by, state)
    if is_critical(said.by, state) and said.kind == "one_action":
        raise refusal("NOACT", name=said.by)
    if has_condition(said.by, STUNNED, state):
        raise refusal("STUNNED", name=said.by)
    if said.kind == "one_action":
        check_action(said.by, "standard", state)
    if state.count(said.by, f"rest.{said.kind}"):
        raise refusal("REST-USED", name=said.by, kind=said.kind)
    if said.kind != "one_action" and is_in_combat(said.by, state):
        raise refusal("REST-COMBAT")
    check_shares(said, RECOVERY_DIE + destiny_limit(said.by, state), state)


def check_shares(said: Rest, points: int, state: State) -> None:
    """DB-REC-1: no share above what a pool can take, nor all of them above the points that there are."""
    asked = {stat: sum(cost.points for cost in said.split if cost.stat == stat) for stat in STATS}
    if sum(asked.values()) > points or any(asked[stat] > pool_room(said.by, stat, state) for stat in STATS):
        raise refusal("SPLIT", n=points)


def rest_shares(said: Rest, points: int, state: State) -> list[Cost]:
    """DB-REC-1: among the three pools as the player likes, none above its maximum; the rest is lost.

    Shares are named before the die is thrown, so a low face cuts those named last instead of refusing them. A face
    that is typed in is known beforehand: then shares above it are refused (DB-E-SPLIT).
    """
    order = [*said.order, *(stat for stat in STATS if stat not in said.order)]
    wanted = said.split or tuple(Cost(stat, pool_room(said.by, stat, state)) for stat in order)
    shares = []
    for cost in wanted:
        share = min(points, cost.points)
        points -= share
        shares.append(Cost(cost.stat, share))
    return [cost for cost in shares if cost.points]


def recovery(who: str, face: int, points: int, lost: int) -> Judged:
    """DB-REC-6: one d6 and the level, for every rest of the day. DB-REC-1: points that are not assigned are lost."""
    over = (Sum(name="lost", start=lost, steps=(), total=lost),) if lost else ()
    step = Step(op="+", value=points - face, rule="DB-REC-1", because="level", now=points)
    return Judged(
        rules=("DB-REC-1", "DB-REC-6"),
        what="recovery",
        who=who,
        sums=(Sum(name="points", start=face, steps=(step,), total=points), *over),
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


def heal_wound(said: HealWound, state: State) -> Iterator[Fact]:
    """DB-HEAL-8: powers and care can heal faster: a ruling with the wound, the points and the reason."""
    check_whole("points", said.points, 1)
    if not said.reason:
        raise value_refusal("reason", "a few words in quotes", "nothing")
    names = [name for name, _ in state.wounds_of(said.target)]
    if said.wound not in names:
        raise value_refusal("wound", ", ".join(names) or "nothing: there is no wound", said.wound)
    yield from lessen_wound(said.target, said.wound, said.points, said.reason, state, "DB-HEAL-8")


def advance_time(said: AdvanceTime, state: State) -> Iterator[Fact]:
    """DB-TIME-3: the game master lets time pass; conditions that are over end, and the stunned recover."""
    check_whole("seconds", said.seconds, 1)
    for who in said.rest_day:
        check_in_play(who, state, "rest_day")
    check_no_wound_due(state)
    yield from pass_time(said.seconds, said.label, state, "DB-TIME-1", "DB-TIME-3")
    for being in state.beings_in_order():
        if encounter_of(being.name, state) is None:
            yield from come_to(being.name, state)
    if option(state, "wound_healing_trigger") == "rest_day" and said.seconds >= A_DAY:
        for who in said.rest_day:
            if not is_out(who, state):
                yield from heal_least_serious(who, "a day of rest", state)
