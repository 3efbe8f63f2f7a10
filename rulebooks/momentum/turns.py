"""Rounds: all PCs, then all opponents; one whole turn at a time, with as many actions as its allowance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.errors import Refused
from ledger.facts import (
    ActionSpent,
    Allowed,
    ConditionEnded,
    Counted,
    CountsCleared,
    EncounterEnded,
    Fact,
    Judged,
    Reached,
    Step,
    Sum,
    WindowClosed,
)
from projections.state import Encounter, State
from rulebooks.common.announcing import ANNOUNCED
from rulebooks.common.values import outside_domain
from rulebooks.momentum.declarations import EndTurn
from rulebooks.momentum.texts import option, refused
from rulebooks.momentum.wounds import is_out, is_wounded, side_of

ACTION: Final = "action"
REACTION: Final = "reaction"
REACTIONS: Final = "reactions"  # since the last own turn
ATTACKS: Final = "attacks"
MOMENTUM: Final = "momentum"
CHECK_DUE: Final = "opening check"
TURN_ACTIONS: Final = 2
PHASES: Final = {"momentum": "opening checks", "pc": "PCs' phase", "foe": "opponents' phase"}


def running(state: State) -> Encounter:
    """MO-ROUND-8: the fight that is on. Raises the refusal when there is none."""
    if state.encounter is None:
        raise refused("PHASE", phase="the fight is over")
    return state.encounter


def members(found: Encounter, side: str) -> tuple[str, ...]:
    """Who fights on this side, in order of joining."""
    return next((slot.who for slot in found.order if slot.slot == side), ())


def fighting(who: str, state: State) -> bool:
    """Whether somebody is in the fight at all."""
    found = state.encounter
    return found is not None and any(who in slot.who for slot in found.order)


def pending(found: Encounter, side: str, state: State) -> list[str]:
    """MO-ROUND-6: those of a side who can still take a turn in this round."""
    return [who for who in members(found, side) if who not in found.done and not is_out(who, state)]


def checks_due(state: State) -> list[str]:
    """MO-ROUND-2: PCs who have not rolled to seize momentum yet."""
    return [window.who for window in state.windows.values() if window.kind == CHECK_DUE]


def check_in_fight(who: str, state: State, field: str = "by") -> None:
    """A combatant of this fight, under the name on the sheet."""
    being = state.being(who)
    if being is None or being.name != who or not fighting(who, state):
        raise outside_domain(field, "somebody in this fight, spelled as on the sheet", who)


def check_turn(who: str, state: State) -> None:
    """The refusals of a turn, in the catalogue's order: over, momentum, down, phase, turn."""
    found = running(state)
    check_in_fight(who, state)
    if checks_due(state):
        raise refused("MOMENTUM")
    if is_out(who, state):
        raise refused("DOWN")
    if side_of(who, state) != found.phase:
        raise not_yet(refused("PHASE", phase=f"it is the {PHASES[found.phase]} of round {found.round}"), found, state)
    if found.turn not in ("", who) or who in found.done:
        raise not_yet(refused("TURN"), found, state)


def not_yet(refusal: Refused, found: Encounter, state: State) -> Refused:
    """MO-ROUND-6: the refusal, with what whoever is to act before would say to let their turn go."""
    first = found.turn or next(iter(pending(found, found.phase, state)), "")
    return refusal.with_first(EndTurn(by=first)) if first else refusal


def allowance(who: str, state: State) -> Sum:
    """MO-REACT-3: the lowest of two, and of one for a failed check, for a Wounded PC, and for reactions."""
    pc = side_of(who, state) == "pc"
    most = TURN_ACTIONS if pc else option(state, "foe_actions")
    start = now = most if isinstance(most, int) else TURN_ACTIONS
    steps: list[Step] = []
    momentum = state.conditions.get(f"{MOMENTUM} {who}")
    caps = [(momentum.degree, "MO-ROUND-4", "momentum")] if momentum else []
    caps += [(1, "MO-WND-2", "Wounded")] if is_wounded(who, state) else []
    reactions, cost = state.count(who, REACTIONS), option(state, "reaction_cost")
    caps += [(1, "MO-REACT-3", "reacted")] if reactions and cost == "set_to_one" else []
    for cap, rule, reason in caps:
        counted, now = cap < now, min(now, cap)
        steps.append(Step(op="min", value=cap, rule=rule, reason=reason, now=now, counted=counted))
    if reactions and cost == "subtract_one":
        now = max(0, now - reactions)
        steps.append(Step(op="-", value=reactions, rule="MO-REACT-3", reason="reacted", now=now))
    return Sum(name="allowance", start=start, steps=tuple(steps), total=now)


def allowance_judged(who: str, state: State, *rules: str) -> Judged:
    """MO-REACT-3: how many actions somebody has, and what caps them."""
    found = allowance(who, state)
    return Judged(
        rules=rules, what="allowance", who=who, sums=(found,), total=found.total, result="actions", final=True
    )


def come_to(who: str, state: State) -> Iterator[Fact]:
    """MO-ACT-1: with the first declaration of a turn its allowance is fixed; reactions are paid for."""
    found = running(state)
    if found.turn == who:
        return
    pc = side_of(who, state) == "pc"
    rules = ("MO-ACT-1", "MO-REACT-3", "MO-ROUND-1", *(("MO-ROUND-7",) if found.round > 1 else ("MO-ROUND-2",)))
    yield Reached(rules=("MO-ROUND-1",), point="slot", round=found.round, phase=found.phase, who=who)
    judged = allowance_judged(who, state, *(rules if pc else ("MO-ACT-1", "MO-ROUND-6")))
    yield judged
    yield Allowed(rules=("MO-ACT-1",), who=(who,), actions=((ACTION, judged.total or 0),), until="turn")
    reactions = state.count(who, REACTIONS)
    if reactions:
        yield Counted(
            rules=("MO-REACT-3",), who=who, name=REACTIONS, change=-reactions, now=0, until="encounter", because="paid"
        )


def left(who: str, state: State) -> int:
    """MO-ACT-1: actions left; before the turn has begun, its whole allowance."""
    found = state.encounter
    return state.actions_left(who, ACTION) if found and found.turn == who else allowance(who, state).total


def check_actions(who: str, state: State, needed: int = 1) -> None:
    """MO-ACT-1: a declaration for which no action is left is refused."""
    if left(who, state) < needed:
        raise refused("ACTIONS", left=left(who, state))


def spent(who: str, state: State, *rules: str, outcome: str = "used", cost: int = 1) -> ActionSpent:
    """MO-ACT-2: actions used."""
    return ActionSpent(
        rules=rules, who=who, action=ACTION, cost=cost, left=state.actions_left(who, ACTION) - cost, outcome=outcome
    )


def turn_closed(who: str, found: Encounter, state: State, *rules: str) -> Iterator[Fact]:
    """MO-ACT-1: actions not used are lost at the end of the turn."""
    unused = state.actions_left(who, ACTION)
    if unused:
        yield spent(who, state, "MO-ACT-1", outcome="unused", cost=unused)
    yield CountsCleared(rules=rules, until="turn", who=who)
    yield Reached(rules=(*rules, "MO-ROUND-6"), point="slot_end", round=found.round, phase=found.phase, who=who)


def advanced(state: State) -> Iterator[Fact]:
    """MO-ROUND-8, MO-CONV-5: the fight ends when a side is out, a turn when its bearer is; then the phase."""
    found = state.encounter
    if found is None or not found.phase:
        return
    for side in ("foe", "pc"):
        if all(is_out(who, state) for who in members(found, side)):
            yield from fight_ended(found, state, f"every {'PC' if side == 'pc' else 'opponent'} is down or gone")
            return
    yield from checks_dropped(state)
    if found.turn and is_out(found.turn, state):
        yield from turn_closed(found.turn, found, state, "MO-CONV-5")
    if not checks_due(state):
        yield from phase_advanced(state)


def checks_dropped(state: State) -> Iterator[Fact]:
    """MO-ROUND-2: who is down or has fled makes no check and is not waited for."""
    for who in checks_due(state):
        if is_out(who, state):
            yield WindowClosed(rules=("MO-ROUND-2", "MO-CONV-5"), window=f"{MOMENTUM} {who}", outcome="void")


def phase_advanced(state: State) -> Iterator[Fact]:
    """MO-ROUND-6: all PCs, then all opponents, then the next round."""
    found = running(state)
    if found.phase == "momentum":
        yield Reached(rules=("MO-ROUND-2", "MO-ROUND-1"), point="phase", round=found.round, phase="pc")
    found = running(state)
    if found.phase == "pc" and not found.turn and not pending(found, "pc", state):
        yield Reached(rules=("MO-ROUND-6", "MO-ROUND-1"), point="phase", round=found.round, phase="foe")
    found = running(state)
    if found.phase == "foe" and not found.turn and not pending(found, "foe", state):
        yield from round_ended(found, state)


def round_ended(found: Encounter, state: State) -> Iterator[Fact]:
    """MO-ROUND-6, MO-ROUND-7: the next round begins with the PCs, without further checks."""
    yield from momentum_over(state, "MO-ROUND-7")
    yield Reached(rules=("MO-ROUND-6",), point="round", round=found.round + 1)
    yield reactions_renewed(members(found, "pc"))
    yield Reached(rules=("MO-ROUND-7", "MO-ROUND-1"), point="phase", round=found.round + 1, phase="pc")


def momentum_over(state: State, rule: str) -> Iterator[Fact]:
    """MO-ROUND-7: momentum counts in round 1 alone."""
    for id, condition in sorted(state.conditions.items()):
        if condition.name == MOMENTUM:
            yield ConditionEnded(rules=(rule,), id=id, who=condition.who, name=MOMENTUM, because="round over")


def reactions_renewed(pcs: tuple[str, ...]) -> Allowed:
    """MO-REACT-1, MO-REACT-2: one reaction for each PC and round; opponents have none."""
    rules = ("MO-REACT-2", "MO-REACT-1")
    return Allowed(rules=rules, who=pcs, actions=((REACTION, 1),), until="round")


def fight_ended(found: Encounter, state: State, because: str) -> Iterator[Fact]:
    """MO-ROUND-8: the fight is over, and all that lasted for it."""
    for name, window in sorted(state.windows.items()):
        if window.kind in (CHECK_DUE, ANNOUNCED):
            yield WindowClosed(rules=("MO-ROUND-8",), window=name, outcome="void")
    out = tuple(slot.slot for slot in found.order if slot.who and all(is_out(who, state) for who in slot.who))
    yield from momentum_over(state, "MO-ROUND-8")
    for until in ("turn", "encounter"):
        yield CountsCleared(rules=("MO-ROUND-8",), until=until)
    yield EncounterEnded(rules=("MO-ROUND-8",), encounter=found.id, because=because, out=out)
