"""Ability checks: 2d12 against 20 less the score; and the check that opens a fight."""

from __future__ import annotations

from collections.abc import Generator, Iterator

import msgspec

from ledger.dice import Dice
from ledger.facts import Die, Ends, Fact, Judged, Rolled, Ruled, Step, Sum, WindowClosed
from ledger.names import fold_case
from projections.state import State
from rulebooks.common.beings import name_list
from rulebooks.common.conditions import has_condition, new_condition
from rulebooks.common.decisions import decides
from rulebooks.common.dice import refuse_bad_faces
from rulebooks.common.sides import is_foe
from rulebooks.common.values import check_whole, outside_domain
from rulebooks.momentum import guards, sheets, turns, wounds
from rulebooks.momentum.declarations import AbilityCheck, BypassMomentum, SeizeMomentum
from rulebooks.momentum.texts import check_ruling, option, refusal

SIDES = 12
OPENING = "agi"
BASE = 20
DISADVANTAGE, PLAIN, ADVANTAGE = -1, 0, 1
PAIRS = ("first pair", "second pair")


class DicePair(msgspec.Struct, frozen=True, kw_only=True):
    """Two dice of a check."""

    one: int
    other: int

    @property
    def total(self) -> int:
        """MO-CHECK-1: added."""
        return self.one + self.other

    @property
    def double(self) -> bool:
        """MO-CHECK-2: two equal faces."""
        return self.one == self.other

    def succeeds(self, target: int) -> bool:
        """MO-CHECK-1: the TN or more. MO-CHECK-2: or a double, whatever the total."""
        return self.double or self.total >= target


def score_of(who: str, ability: str, state: State) -> int:
    """MO-CHECK-3: the score on the sheet. Raises the refusal where there is none."""
    score = state.sheet(who, fold_case(ability))
    if not isinstance(score, int) or fold_case(ability) in ("defense", "rank"):
        raise outside_domain("ability", f"a score on {who}'s sheet", ability or None, scores_hint(who, state))
    return score


def scores_hint(who: str, state: State) -> str:
    """MO-CHECK-1: what a check of each score of a PC needs, and how likely that is; nothing for anybody else."""
    scores = {} if is_foe(who, state) else sheets.written_scores(who, state)
    means = [f"{name.upper()} {score} needs {BASE - score}: {chance(BASE - score)}" for name, score in scores.items()]
    return f"No difficulty is set, the score decides. Times in 100: {', '.join(means)}" if means else ""


def chance(target: int) -> int:
    """MO-CHECK-1, MO-CHECK-2: in how many of 100 checks two dice reach a TN or are equal."""
    faces = range(1, SIDES + 1)
    made = sum(DicePair(one=one, other=other).succeeds(target) for one in faces for other in faces)
    return round(100 * made / SIDES**2)


def net_edge(who: str, advantage: bool, disadvantage: bool, state: State) -> int:
    """MO-CHECK-4: together they cancel. MO-WND-3: a Wounded PC has disadvantage."""
    worse = disadvantage or has_condition(who, wounds.WOUNDED, state)
    return int(advantage) - int(worse)


def check_dice(edge: int, state: State, dice: Dice) -> None:
    """MO-CONV-2: as many faces as the check rolls dice."""
    count = 2 if edge == PLAIN else 3 if option(state, "check_adv") == "three_dice" else 4
    with refuse_bad_faces(lambda wrong: refusal("DICE", expected=f"{count} faces of d{SIDES}: {wrong}")):
        dice.expect(*[SIDES] * count)


def roll_check(who: str, what: str, ability: str, edge: int, state: State, dice: Dice) -> Generator[Fact, None, bool]:
    """MO-CHECK-1 to 4: the dice, the total against the TN, and whether it succeeds."""
    score = score_of(who, ability, state)
    target = BASE - score
    pairs = yield from roll_pairs(who, what, edge, state, dice)
    successes = [pair.succeeds(target) for pair in pairs.values()]
    succeeds = any(successes) if edge == ADVANTAGE else all(successes)
    counts = list(pairs.values())[successes.index(succeeds)]
    rules = ["MO-CHECK-1", "MO-CHECK-3"]
    rules += ["MO-CHECK-2"] if counts.double else []
    rules += ["MO-CHECK-4"] if edge != PLAIN else []
    rules += ["MO-WND-3"] if has_condition(who, wounds.WOUNDED, state) else []
    step = Step(op="-", value=score, rule="MO-CHECK-3", because=ability.upper(), now=target)
    totals = [
        Sum(name=name, start=pair.total, steps=(), total=pair.total)
        for name, pair in zip(PAIRS, pairs.values(), strict=False)
    ]
    yield Judged(
        rules=tuple(rules),
        what=what,
        who=who,
        sums=(Sum(name="TN", start=BASE, steps=(step,), total=target), *(totals if len(pairs) > 1 else ())),
        total=counts.total,
        target=target,
        margin=counts.total - target,
        result="success" if succeeds else "failure",
        rolls=tuple(pairs),
        final=True,
    )
    return succeeds


def roll_pairs(who: str, what: str, edge: int, state: State, dice: Dice) -> Generator[Fact, None, dict[str, DicePair]]:
    """MO-CHECK-1: two dice. MO-CHECK-4: with an edge a second pair, or three dice of which two are kept.

    Returns the pairs by the purpose of their roll.
    """
    three = edge != PLAIN and option(state, "check_adv") == "three_dice"
    rolls = [(f"{what} {who}", 3 if three else 2)]
    rolls += [(f"{what} {who} again", 2)] if edge != PLAIN and not three else []
    pairs: dict[str, DicePair] = {}
    for purpose, count in rolls:
        faces = dice.throw(purpose, *[SIDES] * count)
        kept = sorted(range(count), key=lambda n: (faces[n] * edge, n), reverse=True)[:2] if three else [0, 1]
        rolled = tuple(Die(ordinal=n, sides=SIDES, face=face, kept=n in kept) for n, face in enumerate(faces))
        yield Rolled(rules=("MO-CHECK-1",), who=who, purpose=purpose, source=dice.source, dice=rolled)
        one, other = (faces[n] for n in sorted(kept))
        pairs[purpose] = DicePair(one=one, other=other)
    return pairs


def check_opening(who: str, state: State) -> None:
    """MO-ROUND-2: only PCs make the check, once, before any turn of round 1."""
    if state.side(who) != "pc":
        raise refusal("PCONLY", case="side", name=who)
    if who not in guards.checks_due(state):
        fight, due = guards.running_encounter(state), guards.checks_due(state)
        phase = f"it is round {fight.round}, and {who} has no check to make"
        way = f"Still to roll: {name_list(due)}" if due else "The checks are made: go on with the turns"
        raise refusal("PHASE", phase=phase, way=way)


@decides(SeizeMomentum)
def seize_momentum(said: SeizeMomentum, state: State, dice: Dice) -> Iterator[Fact]:
    """MO-ROUND-2: an Agility check. MO-ROUND-3: two actions on a success. MO-ROUND-4: one on a failure."""
    check_opening(said.by, state)
    score_of(said.by, OPENING, state)
    edge = net_edge(said.by, said.advantage, said.disadvantage, state)
    if said.advantage or said.disadvantage:
        check_ruling(reason=said.reason)
    check_dice(edge, state, dice)
    succeeded = yield from roll_check(said.by, guards.MOMENTUM, OPENING, edge, state, dice)
    rule = "MO-ROUND-3" if succeeded else "MO-ROUND-4"
    yield from close_opening_check(said.by, turns.TURN_ACTIONS if succeeded else 1, state, rule, "MO-ROUND-2")


def close_opening_check(who: str, actions: int, state: State, *rules: str) -> Iterator[Fact]:
    """MO-ROUND-2: the check is made, and round 1 has so many actions."""
    yield WindowClosed(rules=rules, window=f"{guards.MOMENTUM} {who}", outcome="made")
    ends = (Ends(at="round", due=1),)
    yield new_condition(who, guards.MOMENTUM, *rules, degree=actions, of=turns.TURN_ACTIONS, ends=ends)
    yield turns.judge_allowance(who, turns.allowance(who, state), *rules)


@decides(BypassMomentum)
def bypass_momentum(said: BypassMomentum, state: State) -> Iterator[Fact]:
    """MO-ROUND-5: the game master lifts the need for the check; no dice are rolled."""
    check_ruling(reason=said.reason)
    check_opening(said.who, state)
    check_whole("actions", said.actions, 1, turns.TURN_ACTIONS)
    actions = "one action" if said.actions == 1 else f"{said.actions} actions"
    yield Ruled(
        rules=("MO-ROUND-5",), name="momentum", text=f"{said.who} has {actions} in round 1", because=said.reason
    )
    yield from close_opening_check(said.who, said.actions, state, "MO-ROUND-5")


@decides(AbilityCheck)
def ability_check(said: AbilityCheck, state: State, dice: Dice) -> Iterator[Fact]:
    """MO-CHECK-1: a check outside of any action, in a fight or not."""
    being = state.being(said.by)
    if being is None or being.name != said.by or (said.by, guards.HP) not in state.pools:
        raise outside_domain("by", "somebody in play, spelled as on the sheet", said.by)
    if said.advantage or said.disadvantage:
        check_ruling(reason=said.reason)
    score_of(said.by, said.ability, state)
    edge = net_edge(said.by, said.advantage, said.disadvantage, state)
    check_dice(edge, state, dice)
    yield from roll_check(said.by, "check", said.ability, edge, state, dice)
