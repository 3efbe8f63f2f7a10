"""Health, armor and damage; what happens at 0."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, Literal

import msgspec

from ledger.facts import GM, ConditionBegan, Ends, Fact, Judged, PointsLost, PoolSet, Step, Sum, WindowOpened
from projections.state import Encounter, State
from rulebooks.dusk_bastards.declarations import STATS
from rulebooks.dusk_bastards.guards import DELAYED, WOUND_DUE, encounter_of, has_condition
from rulebooks.dusk_bastards.harm.benefits import condition_values
from rulebooks.dusk_bastards.texts import option
from rulebooks.dusk_bastards.world.clock import COMBAT

HEALTH: Final = "health"
LASTING: Final = "lasting damage"
RISING: Final = "rising"
STUNNED: Final = "stunned"
DamageType = Literal["normal", "speed", "intellect"]


class Hit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One instance of damage, as whoever deals it says."""

    target: str
    amount: int
    type: DamageType = "normal"
    ambient: bool = False
    how: str = "damage"
    by: str = ""
    lasting: bool = False
    because: tuple[str, ...] = ()  # the rules that brought it


def grade(who: str, state: State) -> str:
    """What somebody is where damage is concerned: pc, minion, elite or object."""
    being = state.being(who)
    if being is None or being.kind != "npc":
        return "pc" if being is None else being.kind
    return str(state.sheet(who, "grade"))


def maximum_health(state: State, who: str) -> int:
    """DB-DMG-1: the second highest of the three stat maxima, by place; others bring theirs on the sheet."""
    written = state.sheet(who, HEALTH)
    if isinstance(written, int):
        return written
    return second_highest(state.pools[who, stat].most or 0 for stat in STATS)


def second_highest(maxima: Iterable[int]) -> int:
    """DB-DMG-1: by place, so that a tie for the highest gives that number."""
    return sorted(maxima)[-2]


def half(points: int, state: State) -> int:
    """DB-GAP-2: halves are rounded up, unless the table reads it otherwise."""
    return points // 2 if option(state, "halves_round") == "down" else (points + 1) // 2


def effective_maximum(state: State, who: str) -> int:
    """DB-WOUND-8: halved by a severe wound in force, at most 1 with a critical one, never below 1."""
    most = maximum_health(state, who)
    kinds = [wound.kind for _, wound in state.wounds_of(who) if wound.in_force]
    severe = kinds.count("severe")
    times = severe if severe > 1 and option(state, "wound_penalties_stack") == "yes" else min(severe, 1)
    for _ in range(times):
        most = max(1, half(most, state))
    return min(most, 1) if "critical" in kinds else most


def recovery_maximum(state: State, who: str) -> int:
    """DB-SPEC-4: ordinary recovery stops at the effective maximum less the lasting damage, at 1 at least."""
    found = state.conditions.get(f"{LASTING} {who}")
    return max(1, effective_maximum(state, who) - found.degree) if found else effective_maximum(state, who)


def set_maximum_health(state: State, who: str) -> Iterator[Fact]:
    """DB-WOUND-8: health above the effective maximum is cut off; when it rises again health does not."""
    most = effective_maximum(state, who)
    yield from set_pool_maximum(state, who, HEALTH, most, "effective maximum", "DB-WOUND-8", "DB-WOUND-6")


def set_pool_maximum(state: State, who: str, pool: str, most: int, because: str, *rules: str) -> Iterator[Fact]:
    """Another maximum of a pool: what lies above it is cut, nothing is filled up. The same one: nothing happens."""
    found = state.pools[who, pool]
    if found.most != most:
        yield PoolSet(
            rules=rules,
            who=who,
            pool=pool,
            was=found.points,
            now=min(found.points, most),
            least=0,
            most=most,
            because=because,
        )


def armor(hit: Hit, state: State) -> list[tuple[str, int, str]]:
    """DB-ARMOR-2: the best of each kind. DB-ARMOR-4, DB-AMB-1: speed, intellect and ambient damage pass physical."""
    if hit.ambient and option(state, "ambient_ignores") == "all":
        return []
    found = []
    for kind in ("physical", "ability", "magic"):
        value = best_armor(hit.target, kind, state)
        passed = kind == "physical" and (hit.ambient or hit.type != "normal")
        if value and not passed:
            found.append(("DB-ARMOR-3", value, f"{kind} armor"))
    return found


def best_armor(who: str, kind: str, state: State) -> int:
    """DB-ARMOR-2: the best of a kind, on the sheet or given for a while."""
    worn = state.sheet(who, f"armor.{kind}")
    return max([worn if isinstance(worn, int) else 0, *condition_values(who, f"armor.{kind}", state)])


def net_damage(hit: Hit, state: State) -> Sum:
    """DB-DMG-2: damage less the armor that applies, never below 0."""
    now, steps = hit.amount, []
    for rule, value, reason in armor(hit, state):
        now -= value
        steps.append(Step(op="-", value=value, rule=rule, reason=reason, now=now))
    if now < 0:
        now = 0
        steps.append(Step(op="max", value=0, rule="DB-ARMOR-3", reason="never below 0", now=0))
    return Sum(name="damage", start=hit.amount, steps=tuple(steps), total=now)


def hurt(hit: Hit, state: State) -> Iterator[Fact]:
    """DB-DMG-2: one instance of damage, and what follows from it, in this order: damage, stunned, wound roll."""
    net = net_damage(hit, state)
    passed = (*(("DB-ARMOR-4",) if hit.type != "normal" else ()), *(("DB-AMB-1",) if hit.ambient else ()))
    yield Judged(
        rules=(*hit.because, "DB-DMG-2", "DB-ARMOR-2", "DB-ARMOR-3", *passed, *armor_rules(hit, state)),
        what="damage",
        who=hit.by,
        against=hit.target,
        sums=(net,),
        total=net.total,
        result="hurt" if net.total else "stopped",
        final=True,
    )
    if (hit.target, hit.type) in state.pools and option(state, "stat_damage_target") == "pool":
        yield from lose_points(hit, hit.type, net.total, state)
        return
    before = state.points(hit.target, HEALTH)
    yield from lose_points(hit, HEALTH, net.total, state)
    if net.total and before and net.total >= before:
        yield from drop_to_zero(hit, state)
    elif net.total and not before and option(state, "hits_at_zero") == "wound" and can_be_wounded(hit.target, state):
        yield due_wound_roll(hit.target, hit.by, state, "DB-ZERO-2")


def armor_rules(hit: Hit, state: State) -> tuple[str, ...]:
    """DB-ARMOR-1: light, medium and heavy armor is physical. DB-ARMOR-5: so is a foe's that is one number."""
    if not state.sheet(hit.target, "armor.physical"):
        return ()
    return ("DB-ARMOR-1",) if grade(hit.target, state) == "pc" else ("DB-ARMOR-5",)


def lose_points(hit: Hit, pool: str, net: int, state: State) -> Iterator[Fact]:
    """DB-DMG-2, DB-DMG-3: what a pool can lose; damage beyond 0 is lost. Nothing lost, nothing happened."""
    points = min(net, state.points(hit.target, pool))
    if points:
        yield PointsLost(
            rules=("DB-DMG-2", "DB-DMG-3"),
            who=hit.target,
            pool=pool,
            points=points,
            now=state.points(hit.target, pool) - points,
            because=hit.how,
            by=hit.by,
            over=net - points,
        )
    if points and hit.lasting and pool == HEALTH:
        yield lasting_damage(hit.target, points, state)


def lasting_damage(who: str, points: int, state: State) -> ConditionBegan:
    """DB-SPEC-4: health that ordinary means do not restore, until the game master does away with the mark."""
    id = f"{LASTING} {who}"
    earlier = state.conditions.get(id)
    degree = points + (earlier.degree if earlier else 0)
    return ConditionBegan(rules=("DB-SPEC-4",), id=id, who=who, name=LASTING, degree=degree)


def can_be_wounded(who: str, state: State) -> bool:
    """DB-DMG-4, DB-DMG-5: characters and elites take wounds, minions do not."""
    return grade(who, state) in ("pc", "elite")


def drop_to_zero(hit: Hit, state: State) -> Iterator[Fact]:
    """DB-ZERO-1: stunned for one turn, 1 health to come, a wound roll due. DB-DMG-4: a minion dies."""
    if not can_be_wounded(hit.target, state):
        yield death(hit.target, "DB-DMG-4")
        return
    yield stun(hit.target, state, "DB-ZERO-1")
    yield ConditionBegan(rules=("DB-ZERO-4",), id=f"{RISING} {hit.target}", who=hit.target, name=RISING)
    yield due_wound_roll(hit.target, hit.by, state, "DB-ZERO-1")


def death(who: str, *rules: str) -> ConditionBegan:
    """DB-WOUND-5: dead at once."""
    return ConditionBegan(rules=(*rules, "DB-WOUND-5"), id=f"dead {who}", who=who, name="dead")


def stun(who: str, state: State, *rules: str) -> ConditionBegan:
    """DB-ZERO-3: one turn is lost, of two stuns the later one; outside encounters there is none to lose."""
    id, found = f"{STUNNED} {who}", encounter_of(who, state)
    ends: tuple[Ends, ...] = ()
    if found is not None:
        earlier = state.conditions.get(id)
        due = max([turn_to_lose(who, found, state), *(end.due for end in (earlier.ends if earlier else ()))])
        ends = (Ends(at="turn", whose=who, due=due),)
    return ConditionBegan(rules=(*rules, "DB-ZERO-3", "DB-SPEC-2"), id=id, who=who, name=STUNNED, ends=ends)


def turn_to_lose(who: str, found: Encounter, state: State) -> int:
    """DB-ZERO-3: this round's turn if its action slot is not over, otherwise that of the next round.

    Where a standard action was delayed it is that which is lost (DB-STD-4): the turn is not over yet.
    """
    done = found.phase == "action" and who in found.done and not has_condition(who, DELAYED, state)
    over = done if found.scale == COMBAT else not state.actions_left(who, "action")
    return max(found.round, 1) + (over and found.round > 0)


def due_wound_roll(who: str, by: str, state: State, *rules: str) -> WindowOpened:
    """DB-WOUND-11: a wound roll is due. DB-DMG-6: an elite's is made by the player who dealt the damage."""
    names = (f"{WOUND_DUE} {who}", *(f"{WOUND_DUE} {who}, {number}" for number in range(2, len(state.windows) + 3)))
    name = next(name for name in names if name not in state.windows)
    roller, whose = (who, ()) if grade(who, state) == "pc" else (by or GM, ("DB-DMG-6",))
    cited = (*rules, "DB-WOUND-11", *whose)
    return WindowOpened(rules=cited, window=name, kind=WOUND_DUE, who=who, awaits=(roller,), data="")
