"""Attacks and blasts: who strikes whom with what, the pool of dice, and the one that counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from ledger.dice import Dice
from ledger.facts import Die, Fact, Rolled, Ruled
from projections.state import State
from rulebooks.monolith.checks import Throws
from rulebooks.monolith.damage import Blow, struck
from rulebooks.monolith.declarations import Attack, Blast
from rulebooks.monolith.guards import check_target, in_play
from rulebooks.monolith.morale import shaken
from rulebooks.monolith.scores import HP
from rulebooks.monolith.texts import option, refused
from rulebooks.monolith.turns import acted, check_action, check_declared, check_turn, comes
from rulebooks.monolith.weapons import BLAST, Piece, Strike, arms, pieces, usual, weapon_of, weapons_of


class Thrown(msgspec.Struct, frozen=True):
    """A die as it lay."""

    piece: Piece
    purpose: str
    face: int


def strikes(said: Attack) -> list[Strike]:
    """ML-GANG-1: what each attacker does; who is named with two weapons strikes with both (ML-DUAL-1)."""
    own = Strike(who=said.by, weapons=said.weapons, enhanced=said.enhanced, impaired=said.impaired)
    found = {said.by: own}
    for ally in said.allies:
        was = found.get(ally.who, Strike(who=ally.who, weapons=()))
        found[ally.who] = Strike(
            who=ally.who,
            weapons=(*was.weapons, *([ally.weapon] if ally.weapon else [])),
            enhanced=(*was.enhanced, *([ally.enhanced] if ally.enhanced else [])),
            impaired=(*was.impaired, *([ally.impaired] if ally.impaired else [])),
        )
    return list(found.values())


def attack(said: Attack, state: State, dice: Dice) -> Iterator[Fact]:
    """ML-ATK-1, ML-GANG-1: one pool of dice against one target, of which the highest counts."""
    made = strikes(said)
    for strike in made:
        in_play(strike.who, state)
    in_play(said.target, state, "target")
    check_declared(state)
    check_target(said.target, state)
    if any(strike.who == said.target for strike in made):
        raise refused("TARGET", name=said.target)
    for strike in made:
        check_attacker(strike, state)
        if len(strike.weapons) > 1 and any(BLAST in one.tags for one in arms(strike, state)):
            raise refused("AREA")  # ML-GAP-19: two weapons at once mean one target
    for strike in made:
        yield from comes(strike.who, state)
    pool = [piece for strike in made for piece in pieces(strike, state)]
    gang = ("ML-GANG-1", "ML-GANG-3") if len(made) > 1 else ()
    area = ("ML-TAG-1",) if any(BLAST in one.tags for strike in made for one in arms(strike, state)) else ()
    throws = Throws(dice)
    yield from resolved(made, {said.target: thrown(pool, said.target, throws)}, (*gang, *area), state, throws)


def blast(said: Blast, state: State, dice: Dice) -> Iterator[Fact]:
    """ML-TAG-1: every target in the area, friends and the attacker too, each with an own die and its own armor."""
    in_play(said.by, state)
    for target in said.targets:
        in_play(target, state, "targets")
    check_declared(state)
    for target in said.targets:
        check_target(target, state)
    name = said.weapon or explosive(said.by, state)
    strike = Strike(who=said.by, weapons=(name,), enhanced=said.enhanced, impaired=said.impaired)
    check_attacker(strike, state)
    (held,) = arms(strike, state)
    if BLAST not in held.tags or not said.targets or len(set(said.targets)) < len(said.targets):
        raise refused("AREA")
    yield from comes(said.by, state)
    yield Ruled(rules=("ML-TAG-1",), name="area", text=", ".join(said.targets), because=said.area, about=said.by)
    pool, throws = pieces(strike, state), Throws(dice)
    if option(state, "blast_dice") == "shared":
        once = thrown(pool, said.targets[0], throws)
        dealt = dict.fromkeys(said.targets, once)
    else:
        dealt = {target: thrown(pool, target, throws) for target in said.targets}
    yield from resolved([strike], dealt, ("ML-TAG-1",), state, throws)


def explosive(who: str, state: State) -> str:
    """The weapon of a blast where none is said: the only one with the tag, else the usual one."""
    tagged = [name for name in weapons_of(who, state) if BLAST in weapon_of(who, name, state).tags]
    return tagged[0] if len(tagged) == 1 else usual(who, state)


def check_attacker(strike: Strike, state: State) -> None:
    """Able, in turn, with an action left, and with these weapons: in this order."""
    check_turn(strike.who, state)
    check_action(strike.who, state)
    arms(strike, state)


def thrown(pool: Sequence[Piece], target: str, throws: Throws) -> list[Thrown]:
    """The dice of a pool, each keyed by who strikes whom with what: one more or less moves no other."""
    found = []
    for piece in pool:
        purpose = f"attack {piece.who} {piece.weapon} on {target}"
        found.append(Thrown(piece, purpose, throws.die(purpose, piece.sides)))
    return found


def resolved(
    made: Sequence[Strike], dealt: dict[str, list[Thrown]], rules: tuple[str, ...], state: State, throws: Throws
) -> Iterator[Fact]:
    """What an attack comes to: for each target in order; then the actions that it took; then morale."""
    before = {target: state.points(target, HP) for target in dealt}
    told: set[str] = set()
    for target, dice in dealt.items():
        best = highest(dice)
        at = f" on {target}" if len(dealt) > 1 and option(state, "blast_dice") == "per_target" else ""
        yield from (rolled(one, throws, at, kept=one is best) for one in dice if one.purpose not in told)
        told.update(one.purpose for one in dice)
        yield from struck(blow(target, best, dice, rules), state, throws)
    for strike in made:
        yield from acted(strike.who, state, "ML-ACT-2")
    yield from shaken(before, state, throws)
    throws.done()


def highest(dice: Sequence[Thrown]) -> Thrown:
    """ML-GANG-1, ML-DUAL-1: the single highest die; of equals one that is lethal (ML-GAP-12)."""
    return max(dice, key=lambda one: (one.face, not one.piece.nonlethal))


def rolled(one: Thrown, throws: Throws, at: str, *, kept: bool) -> Rolled:
    """A die on the table, and whom it is for, where there are several."""
    label = f"{one.piece.who}'s {one.piece.why}{at}"
    die = Die(ordinal=0, sides=one.piece.sides, face=one.face, kept=kept, why=label)
    return Rolled(rules=one.piece.rules, who=one.piece.who, purpose=one.purpose, source=throws.dice.source, dice=(die,))


def blow(target: str, best: Thrown, dice: Sequence[Thrown], rules: tuple[str, ...]) -> Blow:
    """What the highest die does."""
    tag = ("ML-TAG-2",) if best.piece.nonlethal else ()
    cited = (rule for one in dice for rule in one.piece.rules)
    return Blow(
        target=target,
        by=best.piece.who,
        face=best.face,
        nonlethal=best.piece.nonlethal,
        rolls=tuple(one.purpose for one in dice),
        rules=tuple(rule for rule in dict.fromkeys((*rules, *tag, *cited)) if rule != "ML-ATK-1"),
        sums=tuple(found for one in dice for found in one.piece.sums),
    )
