"""Wounds: the wound roll, the table of its results, and the penalties of wounds in force."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.dice import Dice
from ledger.facts import GM, EntryId, Fact, Judged, WindowClosed, WindowOpened, WoundChanged, Wounded
from projections.state import State
from rulebooks.common.conditions import new_condition
from rulebooks.common.decisions import decides
from rulebooks.dusk_bastards import guards
from rulebooks.dusk_bastards.declarations.harm import InflictWound, WoundRoll
from rulebooks.dusk_bastards.harm import damage, health
from rulebooks.dusk_bastards.tasks import destiny, judgement
from rulebooks.dusk_bastards.tasks.roll import OPEN_ROLL, Roll, check_dice, consequences_of, throw
from rulebooks.dusk_bastards.texts import option, refusal

TABLE: Final = ((9, "winded", 1), (12, "light", 2), (15, "moderate", 4), (18, "severe", 6), (23, "critical", 8))
VALUES: Final = {kind: value for _, kind, value in TABLE}


def wound_for_total(total: int) -> tuple[str, int] | None:
    """DB-WOUND-2: category and value of a total; None is death."""
    return next(((kind, value) for most, kind, value in TABLE if total <= most), None)


def carried_value(who: str, state: State) -> int:
    """DB-WOUND-1: the values of all wounds already carried, in force or not."""
    return sum(wound.value for _, wound in state.wounds_of(who))


def category(value: int, taken: str, state: State) -> str:
    """DB-HEAL-6: a wound becomes a lesser one when it reaches that one's value, unless the table reads it otherwise."""
    reading = option(state, "healing_category")
    if reading == "kept" and taken:
        return taken
    if reading == "rounded_down":
        return next(kind for kind, least in reversed(VALUES.items()) if value >= least)
    return next(kind for kind, most in VALUES.items() if value <= most)


@decides(WoundRoll)
def roll_wound(said: WoundRoll, state: State, dice: Dice) -> Iterator[Fact]:
    """DB-WOUND-1: Dawn, Dusk and the wounds already carried; nothing eases or hinders it."""
    check_dice(dice, 1)
    who = said.who or said.by
    window = due_window(said.by, who, state)
    yield WindowClosed(rules=("DB-WOUND-11",), window=window, outcome="done")
    roll = Roll(
        kind="wound",
        against=who,
        who=said.by,
        task="",
        stat="might",
        base=0,
        duration=None,
        hidden=False,
        floor=0,
        target=None,
        bonus=carried_value(who, state),
    )
    roll = yield from throw(roll, dice, f"wound {who}", state)
    roll = yield from destiny.apply_destined_effect(roll, state, ())
    yield from judgement.judge(roll, state, final=False)
    awaits = (said.by,) if said.by == GM else (said.by, GM)
    yield WindowOpened(
        rules=("DB-DEST-4", "DB-DEST-14"), window=OPEN_ROLL, kind="roll", who=said.by, awaits=awaits, data=roll.encode()
    )


def due_window(roller: str, who: str, state: State) -> str:
    """DB-WOUND-11: the wound roll that is due now, and due from this roller (DB-DMG-6)."""
    due = guards.wounds_due(state)
    if not due:
        raise refusal("NO-WOUND", name=who)
    window, bearer = due[0]
    if bearer != who or roller not in state.windows[window].awaits:
        raise guards.wound_refusal(window, bearer, state)
    return window


@consequences_of("wound")
def settle_wound(roll: Roll, state: State, won: bool, opened: EntryId | None) -> Iterator[Fact]:
    """DB-WOUND-2: the wound of this total, in force at once only outside encounters (DB-WOUND-4); or death."""
    who, wound = roll.against, wound_for_total(roll.total)
    if wound is None:
        yield Judged(rules=("DB-WOUND-2",), what="wounded", who=who, total=roll.total, result="death", final=True)
        yield from damage.die(who, state, "DB-WOUND-2")
        for window in [window for window, bearer in guards.wounds_due(state) if bearer == who]:
            yield WindowClosed(rules=("DB-WOUND-5",), window=window, outcome="dead")
        return
    kind, value = wound
    running = guards.encounter_of(who, state)
    taken = 1 + max((earlier.taken for _, earlier in state.wounds_of(who)), default=0)
    yield Wounded(
        rules=("DB-WOUND-2", "DB-WOUND-4"),
        who=who,
        wound=f"{who} w{taken}",
        kind=kind,
        value=value,
        in_force=running is None,
        encounter=running.id if running else "",
        by="" if roll.who == who else roll.who,
        rolled=str(opened) if opened else "",
    )
    yield from bear_wounds(who, state)


def bear_wounds(who: str, state: State) -> Iterator[Fact]:
    """DB-WOUND-8: the maximum of health after a new wound. DB-DMG-5: an elite bears only so many."""
    yield from health.set_maximum_health(who, state)
    limit = state.sheet(who, "wound_limit")
    if damage.grade(who, state) == "elite" and isinstance(limit, int) and len(state.wounds_of(who)) >= limit:
        yield new_condition(who, "incapacitated", "DB-DMG-5")


def read_wounds_again(state: State) -> Iterator[Fact]:
    """DB-HEAL-6, DB-WOUND-8: wounds as the table reads them now: their category, and the maximum of health."""
    for (who, name), wound in sorted(state.wounds.items()):
        kind = category(wound.value, wound.kind, state)
        if kind != wound.kind:
            yield WoundChanged(
                rules=("DB-HEAL-6",),
                who=who,
                wound=name,
                kind=kind,
                value=wound.value,
                in_force=wound.in_force,
                because="read otherwise",
            )
    for who in sorted({who for who, _ in state.wounds}):
        if (who, health.HEALTH) in state.pools:
            yield from health.set_maximum_health(who, state)


@decides(InflictWound)
def inflict_wound(said: InflictWound, state: State) -> Iterator[Fact]:
    """DB-WOUND-10: a wound roll is due, without touching health and without stun. DB-NPC-2: a minion dies."""
    guards.check_in_play(said.target, state, "target")
    guards.check_not_out(said.target, state)
    guards.check_no_wound_due(state)
    if damage.can_be_wounded(said.target, state):
        yield damage.due_wound_roll(said.target, "", state, "DB-WOUND-10")
    else:
        yield from damage.die(said.target, state, "DB-NPC-2")
