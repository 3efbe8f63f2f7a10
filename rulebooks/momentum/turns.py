"""Rounds: all PCs, then all opponents; one whole turn at a time, with as many actions as its allowance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from ledger import facts
from projections.state import Encounter, State
from rulebooks.common.announcements import decode, find_window
from rulebooks.common.beings import speaker
from rulebooks.common.conditions import find_condition
from rulebooks.common.decisions import decides
from rulebooks.common.turn import ActorTurn
from rulebooks.common.values import action_use, check_whole, outside_domain
from rulebooks.momentum import guards
from rulebooks.momentum.declarations import Allowance
from rulebooks.momentum.encounter import close_encounter, end_momentum, end_ruled_allowance
from rulebooks.momentum.reactions import REACTIONS, renew_reactions
from rulebooks.momentum.texts import check_ruling, option, refusal
from rulebooks.momentum.wounds import is_wounded

ATTACKS: Final = "attacks"
TURN_ACTIONS: Final = 2


class Turn(ActorTurn, frozen=True, kw_only=True):
    """A turn in a fight: how many actions are left, and what gives it so many if it begins now."""

    encounter: Encounter
    left: int
    allowance: facts.Sum | None

    def check_actions(self, state: State) -> None:
        """MO-ACT-1: a declaration for which no action is left is refused."""
        if not self.left:
            raise refusal("ACTIONS", left=0, name=self.who, line=speaker(self.who, state))


def turn_of(who: str, encounter: Encounter, state: State) -> Turn:
    """MO-ACT-1: the open turn of somebody, or the one that begins with their next declaration."""
    if encounter.turn == who:
        return Turn(who=who, encounter=encounter, left=state.actions_left(who, guards.ACTION), allowance=None)
    actions = allowance(who, state)
    return Turn(who=who, encounter=encounter, left=actions.total, allowance=actions)


def allowance(who: str, state: State, *, after: bool = False) -> facts.Sum:
    """MO-REACT-3: the lowest of two, and of one for a failed check, for a Wounded PC, and for reactions.

    `after`: of the turn that comes after the one that is open.
    """
    pc = state.side(who) == "pc"
    most = TURN_ACTIONS if pc else option(state, "foe_actions")
    start = now = most if isinstance(most, int) else TURN_ACTIONS
    steps: list[facts.Step] = []
    caps = [(1, rule, "no momentum") for rule in missing_momentum(who, state)] if pc and not after else []
    caps += [(1, "MO-WND-2", "Wounded")] if is_wounded(who, state) else []
    reactions, cost = state.count(who, REACTIONS), option(state, "reaction_cost")
    caps += [(1, "MO-REACT-3", "reacted")] if reactions and cost == "set_to_one" else []
    if (ruled := state.sheet(who, guards.ALLOWANCE)) is not None:
        total = int(str(ruled))
        step = facts.Step(op="set", value=total, rule="MO-REACT-3", because="the game master's ruling", now=total)
        return facts.Sum(name="allowance", start=start, steps=(step,), total=total)
    for cap, rule, reason in caps:
        counted, now = cap < now, min(now, cap)
        steps.append(facts.Step(op="min", value=cap, rule=rule, because=reason, now=now, counted=counted))
    if reactions and cost == "subtract_one":
        now = max(0, now - reactions)
        steps.append(facts.Step(op="-", value=reactions, rule="MO-REACT-3", because="reacted", now=now))
    return facts.Sum(name="allowance", start=start, steps=tuple(steps), total=now)


def missing_momentum(who: str, state: State) -> tuple[str, ...]:
    """MO-ROUND-4: the rule that leaves a PC one action in round 1: a failed check, or MO-REACT-3, none made."""
    momentum, encounter = find_condition(who, guards.MOMENTUM, state), state.encounter
    if encounter is not None and (who in encounter.done or encounter.phase == "foe"):
        return ()  # the next turn is one of round 2
    if momentum is not None:
        return ("MO-ROUND-4",) if momentum.degree < TURN_ACTIONS else ()
    begun = encounter is not None and encounter.round == 1 and encounter.phase not in ("", guards.MOMENTUM)
    return ("MO-REACT-3",) if begun else ()


def judge_allowance(who: str, actions: facts.Sum, *rules: str) -> facts.Judged:
    """MO-REACT-3: the number of somebody's actions, and the caps on it."""
    return facts.Judged(
        rules=rules, what="allowance", who=who, sums=(actions,), total=actions.total, result="actions", final=True
    )


def begin_turn(turn: Turn, state: State) -> Iterator[facts.Fact]:
    """MO-ACT-1: with the first declaration of a turn its allowance is fixed; reactions are paid for."""
    who, encounter = turn.who, turn.encounter
    if turn.allowance is None:
        return
    pc = state.side(who) == "pc"
    rules = ("MO-ACT-1", "MO-REACT-3", "MO-ROUND-1", *(("MO-ROUND-7",) if encounter.round > 1 else ("MO-ROUND-2",)))
    yield facts.Reached(rules=("MO-ROUND-1",), point="slot", round=encounter.round, phase=encounter.phase, who=who)
    yield judge_allowance(who, turn.allowance, *(rules if pc else ("MO-ACT-1", "MO-ROUND-6")))
    yield facts.Allowed(rules=("MO-ACT-1",), who=(who,), actions=((guards.ACTION, turn.left),), until="turn")
    yield from end_ruled_allowance(who, "used", "MO-REACT-3", state)
    reactions = state.count(who, REACTIONS)
    if reactions:
        yield facts.Counted(
            rules=("MO-REACT-3",), who=who, name=REACTIONS, change=-reactions, now=0, until="encounter", because="paid"
        )


@decides(Allowance)
def rule_allowance(said: Allowance, state: State) -> Iterator[facts.Fact]:
    """MO-REACT-3: ask for an allowance, or set that of the open turn, else of the next, by a ruling with its reason."""
    being, encounter = state.being(said.who), state.encounter
    if being is None or being.name != said.who or (said.who, guards.HP) not in state.pools:
        raise outside_domain("who", "somebody in play, spelled as on the sheet", said.who)
    if said.actions is None:
        in_turn = encounter is not None and encounter.turn == said.who
        judged = judge_allowance(said.who, allowance(said.who, state, after=in_turn), "MO-REACT-3")
        yield msgspec.structs.replace(judged, result=f"{said.who}'s next turn")
        return
    check_ruling(reason=said.reason)
    check_whole("actions", said.actions, 0, TURN_ACTIONS)
    actions = "one action" if said.actions == 1 else f"{said.actions} actions"
    yield facts.Ruled(rules=("MO-REACT-3",), name="allowance", text=f"{said.who} has {actions}", because=said.reason)
    if encounter is not None and encounter.turn == said.who:
        yield facts.Allowed(
            rules=("MO-ACT-1",), who=(said.who,), actions=((guards.ACTION, said.actions),), until="turn"
        )
    elif (was := state.sheet(said.who, guards.ALLOWANCE)) != (now := str(said.actions)):
        yield facts.SheetChanged(
            rules=("MO-REACT-3",), who=said.who, key=guards.ALLOWANCE, was=was, now=now, because=said.reason
        )


def actions_left(who: str, state: State) -> int:
    """MO-ACT-1: actions left; before the turn has begun, its whole allowance."""
    return turn_of(who, guards.running_encounter(state), state).left


def spend_actions(who: str, state: State, *rules: str, outcome: str = "used", cost: int = 1) -> facts.ActionSpent:
    """MO-ACT-2: actions used."""
    return action_use(who, guards.ACTION, state, outcome, *rules, cost=cost)


def close_turn(who: str, encounter: Encounter, state: State, *rules: str) -> Iterator[facts.Fact]:
    """MO-ACT-1: actions not used are lost at the end of the turn."""
    unused = state.actions_left(who, guards.ACTION)
    if unused:
        yield spend_actions(who, state, "MO-ACT-1", outcome="unused", cost=unused)
    yield facts.CountsCleared(rules=rules, until="turn", who=who)
    ends = (*rules, "MO-ROUND-6")
    yield facts.Reached(rules=ends, point="slot_end", round=encounter.round, phase=encounter.phase, who=who)


def advance(state: State) -> Iterator[facts.Fact]:
    """MO-ROUND-8, MO-CONV-5: the fight ends when a side is out, a turn when its bearer is; then the phase."""
    encounter = state.encounter
    if encounter is None or not encounter.phase:
        return
    for side in ("foe", "pc"):
        if all(guards.is_out(who, state) for who in guards.side_members(encounter, side)):
            reason = f"every {'PC' if side == 'pc' else 'opponent'} is down or gone"
            yield from close_encounter(encounter, state, reason)
            return
    for who in guards.checks_due(state):  # MO-ROUND-2: one who is down or has fled makes no check
        if guards.is_out(who, state):
            yield facts.WindowClosed(
                rules=("MO-ROUND-2", "MO-CONV-5"), window=f"{guards.MOMENTUM} {who}", outcome="void"
            )
    if encounter.turn and guards.is_out(encounter.turn, state):
        if has_thrown(encounter.turn, state):
            return
        yield from close_turn(encounter.turn, encounter, state, "MO-CONV-5")
    if not guards.checks_due(state):
        yield from advance_phase(state)


def has_thrown(who: str, state: State) -> bool:
    """MO-GAP-16: whether the dice of somebody's attack are thrown and still to count, in their turn."""
    window = find_window(state)
    return window is not None and window.who == who and bool(decode(window).note)


def advance_phase(state: State) -> Iterator[facts.Fact]:
    """MO-ROUND-6: all PCs, then all opponents, then the next round."""
    encounter = guards.running_encounter(state)
    if encounter.phase == "momentum":
        yield facts.Reached(rules=("MO-ROUND-2", "MO-ROUND-1"), point="phase", round=encounter.round, phase="pc")
    encounter = guards.running_encounter(state)
    if encounter.phase == "pc" and not encounter.turn and not guards.members_to_act(encounter, "pc", state):
        yield facts.Reached(rules=("MO-ROUND-6", "MO-ROUND-1"), point="phase", round=encounter.round, phase="foe")
    encounter = guards.running_encounter(state)
    if encounter.phase == "foe" and not encounter.turn and not guards.members_to_act(encounter, "foe", state):
        yield from close_round(encounter, state)


def close_round(encounter: Encounter, state: State) -> Iterator[facts.Fact]:
    """MO-ROUND-6, MO-ROUND-7: the next round begins with the PCs, without further checks."""
    number = encounter.round + 1
    yield from end_momentum(state, "MO-ROUND-7")
    yield facts.Reached(rules=("MO-ROUND-6",), point="round", round=number)
    yield renew_reactions(guards.side_members(encounter, "pc"))
    yield facts.Reached(rules=("MO-ROUND-7", "MO-ROUND-1"), point="phase", round=number, phase="pc")
