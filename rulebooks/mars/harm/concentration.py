"""Concentration: one thing is maintained; a stun asks for a check, and unconsciousness ends it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.dice import Dice
from ledger.facts import Fact, WindowChanged, WindowClosed, WindowOpened
from projections.state import State
from rulebooks.common.conditions import condition_end, find_condition, new_condition
from rulebooks.common.decisions import decides
from rulebooks.mars.declarations.harm import Concentrate, ConcentrationCheck
from rulebooks.mars.guards import CONCENTRATION, check_able
from rulebooks.mars.tasks.checks import check_roll, entry_dice, judge, outcome
from rulebooks.mars.texts import refusal

DIFFICULTY: Final = 10  # of a stun whose source has none
KEPT: Final = ("hit", "critical")


def check_window(who: str) -> str:
    """Return the name of the window of a check that is due."""
    return f"{CONCENTRATION} {who}"


def held_effect(who: str, state: State) -> str:
    """Return what somebody concentrates on; empty for nothing."""
    condition = find_condition(who, CONCENTRATION, state)
    return condition.about if condition else ""


@decides(Concentrate)
def concentrate(said: Concentrate, state: State) -> Iterator[Fact]:
    """GR-CON-1: maintain an effect; who maintains another one chooses which of them stays."""
    check_able(said.by, state)
    held = held_effect(said.by, state)
    if not said.effect.strip():
        raise refusal("REASON", what="Concentration", field="effect").of_field("effect")
    if not held:
        yield begin_concentration(said.by, said.effect)
        return
    if not said.keep:
        raise refusal("CONCENTRATION", name=said.by, held=held)
    if said.keep not in (held, said.effect):
        raise refusal("CONCENTRATION", case="both", name=said.by, held=said.keep)
    if said.keep == held:
        yield begin_concentration(said.by, held, "GR-CON-1")
        return
    yield from lose_concentration(said.by, state, f"{held} gives way", "GR-CON-1")
    yield begin_concentration(said.by, said.effect)


def begin_concentration(who: str, effect: str, *rules: str) -> Fact:
    """GR-CON-1: somebody maintains an effect, and no other."""
    return new_condition(who, CONCENTRATION, "GR-CON-1", *rules, about=effect)


def lose_concentration(who: str, state: State, because: str, *rules: str) -> Iterator[Fact]:
    """GR-CON-2: end concentration, and a check of it that is due."""
    if check_window(who) in state.windows:
        yield WindowClosed(rules=rules, window=check_window(who), outcome="lost")
    if find_condition(who, CONCENTRATION, state) is not None:
        yield condition_end(check_window(who), state, because, *rules)


def ask_for_check(who: str, difficulty: int, state: State) -> Iterator[Fact]:
    """GR-CON-3: who concentrates and is stunned rolls willpower. The highest difficulty of several stuns counts."""
    if not held_effect(who, state):
        return
    id, window = check_window(who), state.windows.get(check_window(who))
    if window is None:
        data = str(difficulty)
        yield WindowOpened(rules=("GR-CON-3",), window=id, kind=CONCENTRATION, who=who, awaits=(who,), data=data)
    elif difficulty > int(window.data):
        yield WindowChanged(rules=("GR-CON-3",), window=id, awaits=(who,), data=str(difficulty))


@decides(ConcentrationCheck)
def concentration_check(said: ConcentrationCheck, state: State, dice: Dice) -> Iterator[Fact]:
    """GR-CON-3: a success keeps concentration; anything else, and declining (GR-GAP-40), ends it."""
    check_able(said.by, state)
    window = state.windows.get(check_window(said.by))
    if window is None:
        raise refusal("CONCENTRATION", case="due", name=said.by, held="nothing")
    if said.decline:
        yield from lose_concentration(said.by, state, "declined", "GR-CON-3")
        return
    throws, difficulty = entry_dice(dice), int(window.data)
    made = yield from check_roll(said.by, "willpower", "concentration", state, throws, "GR-CON-3", said=said)
    yield judge("concentration", made, difficulty, state, "GR-CON-3")
    if outcome(made.total, difficulty, state) in KEPT:
        yield WindowClosed(rules=("GR-CON-3",), window=check_window(said.by), outcome="kept")
    else:
        yield from lose_concentration(said.by, state, "the check failed", "GR-CON-3")
