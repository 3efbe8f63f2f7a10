"""Attacks and blasts: the attackers and their weapons, the pool of dice, and the highest die, which counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from ledger.dice import Dice
from ledger.facts import Die, Fact, Rolled, Ruled
from projections.state import State
from rulebooks.common.decisions import decides
from rulebooks.common.dice import CheckedDice
from rulebooks.monolith import weapons
from rulebooks.monolith.checks import entry_dice
from rulebooks.monolith.damage import BestDie, deal_damage
from rulebooks.monolith.declarations import Ally, Attack, Blast
from rulebooks.monolith.guards import check_target, find_actor
from rulebooks.monolith.morale import roll_triggered_morale
from rulebooks.monolith.scores import HP
from rulebooks.monolith.texts import option, refusal
from rulebooks.monolith.turns import check_action, check_declared, check_turn, close_first_part, spend_action


class ThrownDie(msgspec.Struct, frozen=True):
    """A die of an attack after the throw: its purpose and its face."""

    die: weapons.AttackDie
    purpose: str
    face: int


def strikes(said: Attack) -> list[weapons.AttackerPart]:
    """ML-GANG-1: the part of each attacker; two named weapons are used together (ML-DUAL-1)."""
    own = weapons.AttackerPart(who=said.by, weapons=said.weapons, enhanced=said.enhanced, impaired=said.impaired)
    by_attacker = {said.by: own}
    for ally in map(read_reason, said.allies):
        was = by_attacker.get(ally.who, weapons.AttackerPart(who=ally.who, weapons=()))
        by_attacker[ally.who] = weapons.AttackerPart(
            who=ally.who,
            weapons=(*was.weapons, *([ally.weapon] if ally.weapon else [])),
            enhanced=(*was.enhanced, *([ally.enhanced] if ally.enhanced else [])),
            impaired=(*was.impaired, *([ally.impaired] if ally.impaired else [])),
        )
    return list(by_attacker.values())


def read_reason(ally: Ally) -> Ally:
    """ML-MOD-1: the reason behind the weapon impairs where it begins with a minus: `+with:otto:wrench:-"a door"`."""
    if ally.enhanced.startswith("-") and not ally.impaired:
        return msgspec.structs.replace(ally, enhanced="", impaired=ally.enhanced[1:].strip('"'))
    return ally


@decides(Attack)
def attack(said: Attack, state: State, dice: Dice) -> Iterator[Fact]:
    """ML-ATK-1, ML-GANG-1: one pool of dice against one target, of which the highest counts."""
    attackers = strikes(said)
    for strike in attackers:
        find_actor(strike.who, state)
    find_actor(said.target, state, "target")
    check_declared(state)
    check_target(said.target, state)
    if any(strike.who == said.target for strike in attackers):
        raise refusal("TARGET", case="self", name=said.target)
    armed = []
    for strike in attackers:
        armed.append(prepare(strike, state))
        if len(strike.weapons) > 1 and armed[-1].has_blast:
            raise refusal("AREA", case="two")  # ML-GAP-19: two weapons at once mean one target
    for strike in attackers:
        yield from close_first_part(strike.who, state)
    pool = [die for attacker in armed for die in weapons.attack_dice(attacker, state)]
    gang = ("ML-GANG-1", "ML-GANG-3") if len(attackers) > 1 else ()
    area = ("ML-TAG-1",) if any(attacker.has_blast for attacker in armed) else ()
    throws = entry_dice(dice)
    yield from resolve(attackers, {said.target: throw_dice(pool, said.target, throws)}, (*gang, *area), state, throws)


@decides(Blast)
def blast(said: Blast, state: State, dice: Dice) -> Iterator[Fact]:
    """ML-TAG-1: every target in the area, friends and the attacker too, each with an own die and its own armor."""
    find_actor(said.by, state)
    for target in said.targets:
        find_actor(target, state, "targets")
    check_declared(state)
    for target in said.targets:
        check_target(target, state)
    name = said.weapon or blast_weapon(said.by, state)
    strike = weapons.AttackerPart(who=said.by, weapons=(name,), enhanced=said.enhanced, impaired=said.impaired)
    armed = prepare(strike, state)
    if not said.targets or len(set(said.targets)) < len(said.targets):
        raise refusal("AREA", case="twice" if said.targets else "nobody")
    if not armed.has_blast:
        raise refusal("AREA", case="tag")
    yield from close_first_part(said.by, state)
    yield Ruled(rules=("ML-TAG-1",), name="area", text=", ".join(said.targets), because=said.area, about=said.by)
    pool, throws = weapons.attack_dice(armed, state), entry_dice(dice)
    if option(state, "blast_dice") == "shared":
        thrown = dict.fromkeys(said.targets, throw_dice(pool, said.targets[0], throws))
    else:
        thrown = {target: throw_dice(pool, target, throws) for target in said.targets}
    yield from resolve([strike], thrown, ("ML-TAG-1",), state, throws)


def blast_weapon(who: str, state: State) -> str:
    """Return the weapon of a blast where none is said: the only one with the tag, else the usual one."""
    tagged = [
        name for name in weapons.weapons_of(who, state) if weapons.BLAST in weapons.weapon_of(who, name, state).tags
    ]
    return tagged[0] if len(tagged) == 1 else weapons.usual_weapon(who, state)


def prepare(strike: weapons.AttackerPart, state: State) -> weapons.Armed:
    """Refuse an attacker who is out, out of turn, without an action or without the weapon: in this order."""
    check_turn(strike.who, state)
    check_action(strike.who, state)
    return weapons.Armed(strike, weapons.weapons_used(strike, state))


def throw_dice(pool: Sequence[weapons.AttackDie], target: str, throws: CheckedDice) -> list[ThrownDie]:
    """Throw the dice of a pool, each keyed by attacker, weapon and target: one more or less changes no other."""
    thrown = []
    for die in pool:
        purpose = f"attack {die.who} {die.weapon} on {target}"
        thrown.append(ThrownDie(die, purpose, *throws.throw(purpose, die.sides)))
    return thrown


def resolve(
    attackers: Sequence[weapons.AttackerPart],
    thrown: dict[str, list[ThrownDie]],
    rules: tuple[str, ...],
    state: State,
    throws: CheckedDice,
) -> Iterator[Fact]:
    """Deal the damage of an attack to each target in order; then spend its actions; then roll for morale."""
    before = {target: state.points(target, HP) for target in thrown}
    recorded: set[str] = set()
    for target, dice in thrown.items():
        best = highest_die(dice)
        at = f" on {target}" if len(thrown) > 1 and option(state, "blast_dice") == "per_target" else ""
        yield from (record_roll(die, throws, at, kept=die is best) for die in dice if die.purpose not in recorded)
        recorded.update(die.purpose for die in dice)
        yield from deal_damage(blow_of(target, best, dice, rules), state, throws)
    for strike in attackers:
        yield from spend_action(strike.who, state, "ML-ACT-2")
    yield from roll_triggered_morale(before, state, throws)
    throws.check_all_thrown()


def highest_die(dice: Sequence[ThrownDie]) -> ThrownDie:
    """ML-GANG-1, ML-DUAL-1: the single highest die. A lethal one comes before its equals (ML-GAP-12)."""
    return max(dice, key=lambda thrown: (thrown.face, not thrown.die.nonlethal))


def record_roll(thrown: ThrownDie, throws: CheckedDice, at: str, *, kept: bool) -> Rolled:
    """Return the fact of a thrown die; `at` names its target, where there are several."""
    die = thrown.die
    rolled = Die(ordinal=0, sides=die.sides, face=thrown.face, kept=kept, label=f"{die.who}'s {die.why}{at}")
    return Rolled(rules=die.rules, who=die.who, purpose=thrown.purpose, source=throws.dice.source, dice=(rolled,))


def blow_of(target: str, best: ThrownDie, dice: Sequence[ThrownDie], rules: tuple[str, ...]) -> BestDie:
    """Return the blow of the highest die against a target."""
    tag = ("ML-TAG-2",) if best.die.nonlethal else ()
    cited = (rule for thrown in dice for rule in thrown.die.rules)
    return BestDie(
        target=target,
        by=best.die.who,
        face=best.face,
        nonlethal=best.die.nonlethal,
        rolls=tuple(thrown.purpose for thrown in dice),
        rules=tuple(rule for rule in dict.fromkeys((*rules, *tag, *cited)) if rule != "ML-ATK-1"),
        using=tuple(dict.fromkeys((thrown.die.who, thrown.die.weapon) for thrown in dice)),
        sums=tuple(added for thrown in dice for added in thrown.die.sums),
    )
