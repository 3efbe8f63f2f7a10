"""Ability checks: two twelve-sided dice against 20 less the score; and the check that opens a fight."""

from __future__ import annotations

from collections.abc import Generator, Iterator

import msgspec

from ledger.dice import Dice
from ledger.errors import BadFaces
from ledger.facts import ConditionBegan, Die, Ends, Fact, Judged, Rolled, Ruled, Step, Sum, WindowClosed
from ledger.names import name_key
from projections.state import State
from rulebooks.common.values import check_whole, outside_domain
from rulebooks.momentum.declarations import AbilityCheck, BypassMomentum, SeizeMomentum
from rulebooks.momentum.texts import check_ruling, option, refused
from rulebooks.momentum.turns import MOMENTUM, TURN_ACTIONS, allowance_judged, checks_due
from rulebooks.momentum.wounds import HP, WOUNDED, holds, side_of

SIDES = 12
OPENING = "agi"
BASE = 20
DISADVANTAGE, PLAIN, ADVANTAGE = -1, 0, 1


class Pair(msgspec.Struct, frozen=True, kw_only=True):
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
    found = state.sheet(who, name_key(ability))
    if not isinstance(found, int) or name_key(ability) in ("defense", "rank"):
        raise outside_domain("ability", f"a score on {who}'s sheet", ability or "nothing")
    return found


def edge_of(who: str, advantage: bool, disadvantage: bool, state: State) -> int:
    """MO-CHECK-4: together they cancel. MO-WND-3: a Wounded PC has disadvantage."""
    worse = disadvantage or holds(who, WOUNDED, state)
    return int(advantage) - int(worse)


def check_dice(edge: int, state: State, dice: Dice) -> None:
    """MO-CONV-2: as many faces as the check throws dice."""
    count = 2 if edge == PLAIN else 3 if option(state, "check_adv") == "three_dice" else 4
    try:
        dice.expect(*[SIDES] * count)
    except BadFaces as error:
        raise refused("DICE", expected=f"{count} faces of d{SIDES}: {error.what}") from error


def checked(who: str, what: str, ability: str, edge: int, state: State, dice: Dice) -> Generator[Fact, None, bool]:
    """MO-CHECK-1 to 4: the dice, the total against the TN, and whether it succeeds."""
    score = score_of(who, ability, state)
    target = BASE - score
    three = edge != PLAIN and option(state, "check_adv") == "three_dice"
    throws = [(f"{what} {who}", 3 if three else 2)]
    throws += [(f"{what} {who} again", 2)] if edge != PLAIN and not three else []
    pairs: list[Pair] = []
    for purpose, count in throws:
        faces = dice.throw(purpose, *[SIDES] * count)
        kept = sorted(range(count), key=lambda n: (faces[n] * edge, n), reverse=True)[:2] if three else [0, 1]
        lay = tuple(Die(ordinal=n, sides=SIDES, face=face, kept=n in kept) for n, face in enumerate(faces))
        yield Rolled(rules=("MO-CHECK-1",), who=who, purpose=purpose, source=dice.source, dice=lay)
        one, other = (faces[n] for n in sorted(kept))
        pairs.append(Pair(one=one, other=other))
    fits = [pair.succeeds(target) for pair in pairs]
    won = any(fits) if edge == ADVANTAGE else all(fits)
    counts = pairs[fits.index(won)]
    rules = ["MO-CHECK-1", "MO-CHECK-3"]
    rules += ["MO-CHECK-2"] if counts.double else []
    rules += ["MO-CHECK-4"] if edge != PLAIN else []
    rules += ["MO-WND-3"] if holds(who, WOUNDED, state) else []
    step = Step(op="-", value=score, rule="MO-CHECK-3", reason=ability.upper(), now=target)
    named = [
        Sum(name=name, start=pair.total, steps=(), total=pair.total) for name, pair in zip(NAMES, pairs, strict=False)
    ]
    yield Judged(
        rules=tuple(rules),
        what=what,
        who=who,
        sums=(Sum(name="TN", start=BASE, steps=(step,), total=target), *(named if len(pairs) > 1 else ())),
        total=counts.total,
        target=target,
        margin=counts.total - target,
        result="success" if won else "failure",
        rolls=tuple(purpose for purpose, _ in throws),
        final=True,
    )
    return won


NAMES = ("first pair", "second pair")


def check_opening(who: str, state: State) -> None:
    """MO-ROUND-2: only PCs make the check, once, before any turn of round 1."""
    if side_of(who, state) != "pc":
        raise refused("PCONLY")
    if who not in checks_due(state):
        found = state.encounter
        stands = "the fight is over" if found is None else f"it is round {found.round}, and {who} has no check to make"
        raise refused("PHASE", phase=stands)


def seize_momentum(said: SeizeMomentum, state: State, dice: Dice) -> Iterator[Fact]:
    """MO-ROUND-2: an Agility check. MO-ROUND-3: two actions on a success. MO-ROUND-4: one on a failure."""
    check_opening(said.by, state)
    score_of(said.by, OPENING, state)
    edge = edge_of(said.by, said.advantage, said.disadvantage, state)
    if said.advantage or said.disadvantage:
        check_ruling(said.reason)
    check_dice(edge, state, dice)
    won = yield from checked(said.by, MOMENTUM, OPENING, edge, state, dice)
    rule = "MO-ROUND-3" if won else "MO-ROUND-4"
    yield from opened(said.by, TURN_ACTIONS if won else 1, state, rule, "MO-ROUND-2")


def opened(who: str, actions: int, state: State, *rules: str) -> Iterator[Fact]:
    """MO-ROUND-2: the check is made, and round 1 has so many actions."""
    yield WindowClosed(rules=rules, window=f"{MOMENTUM} {who}", outcome="made")
    ends = (Ends(at="round", due=1),)
    yield ConditionBegan(
        rules=rules, id=f"{MOMENTUM} {who}", who=who, name=MOMENTUM, degree=actions, of=TURN_ACTIONS, ends=ends
    )
    yield allowance_judged(who, state, *rules)


def bypass_momentum(said: BypassMomentum, state: State) -> Iterator[Fact]:
    """MO-ROUND-5: the game master lifts the need for the check; no dice are rolled."""
    check_ruling(said.reason)
    check_opening(said.who, state)
    check_whole("actions", said.actions, 1, TURN_ACTIONS)
    yield Ruled(
        rules=("MO-ROUND-5",), name="momentum", text=f"{said.who} has {said.actions} in round 1", because=said.reason
    )
    yield from opened(said.who, said.actions, state, "MO-ROUND-5")


def ability_check(said: AbilityCheck, state: State, dice: Dice) -> Iterator[Fact]:
    """MO-CHECK-1: a check outside of any action, in a fight or not."""
    being = state.being(said.by)
    if being is None or being.name != said.by or (said.by, HP) not in state.pools:
        raise outside_domain("by", "somebody in play, spelled as on the sheet", said.by)
    if said.advantage or said.disadvantage:
        check_ruling(said.reason)
    score_of(said.by, said.ability, state)
    edge = edge_of(said.by, said.advantage, said.disadvantage, state)
    check_dice(edge, state, dice)
    yield from checked(said.by, "check", said.ability, edge, state, dice)
