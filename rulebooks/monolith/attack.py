"""Attacks and blasts: the attackers and their weapons, the pool of dice, and the highest die, which counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from ledger.dice import Dice
from ledger.facts import Die, Fact, Rolled, Ruled
from projections.state import State
from rulebooks.common.decisions import decides
from rulebooks.common.dice import EntryDice
from rulebooks.monolith import guards, morale, scores, turns, weapons
from rulebooks.monolith.damage import BestDie, deal_damage
from rulebooks.monolith.declarations import Ally, Attack, Blast
from rulebooks.monolith.texts import option, refusal


class ThrownDie(msgspec.Struct, frozen=True):
    """A die of an attack after the throw: its purpose and its face."""

    die: weapons.AttackDie
    purpose: str
    face: int


def attacker_parts(said: Attack) -> list[weapons.AttackerPart]:
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


class Strike(msgspec.Struct, frozen=True, kw_only=True):
    """An attack or a blast that nothing speaks against: who attacks with what, and whom; `area` says why there."""

    attackers: tuple[weapons.Armed, ...]
    targets: tuple[str, ...]
    rules: tuple[str, ...]
    area: str | None = None

    @property
    def who(self) -> tuple[str, ...]:
        """Return the attackers."""
        return tuple(attacker.part.who for attacker in self.attackers)


@decides(Attack)
def attack(said: Attack, state: State, dice: Dice) -> Iterator[Fact]:
    """ML-ATK-1, ML-GANG-1: one pool of dice against one target, of which the highest counts."""
    yield from resolve(prepare(said, state), state, EntryDice(dice, refusal))


@decides(Blast)
def blast(said: Blast, state: State, dice: Dice) -> Iterator[Fact]:
    """ML-TAG-1: every target in the area, friends and the attacker too, each with an own die and its own armor."""
    yield from resolve(prepare_blast(said, state), state, EntryDice(dice, refusal))


def prepare(said: Attack, state: State) -> Strike:
    """Refuse an attack in the order of the book, before any die; return it."""
    parts = attacker_parts(said)
    for part in parts:
        guards.find_actor(part.who, state)
    guards.find_actor(said.target, state, "target")
    turns.check_declared(state)
    guards.check_target(said.target, state)
    if any(part.who == said.target for part in parts):
        raise refusal("TARGET", case="self", name=said.target)
    attackers = []
    for part in parts:
        attackers.append(arm(part, state))
        if len(part.weapons) > 1 and attackers[-1].has_blast:
            raise refusal("AREA", case="two")  # ML-GAP-19: two weapons at once mean one target
    gang = ("ML-GANG-1", "ML-GANG-3") if len(parts) > 1 else ()
    area = ("ML-TAG-1",) if any(attacker.has_blast for attacker in attackers) else ()
    return Strike(attackers=tuple(attackers), targets=(said.target,), rules=(*gang, *area))


def prepare_blast(said: Blast, state: State) -> Strike:
    """Refuse a blast in the order of the book, before any die; return it."""
    guards.find_actor(said.by, state)
    for target in said.targets:
        guards.find_actor(target, state, "targets")
    turns.check_declared(state)
    for target in said.targets:
        guards.check_target(target, state)
    name = said.weapon or blast_weapon(said.by, state)
    part = weapons.AttackerPart(who=said.by, weapons=(name,), enhanced=said.enhanced, impaired=said.impaired)
    attacker = arm(part, state)
    if not said.targets or len(set(said.targets)) < len(said.targets):
        raise refusal("AREA", case="twice" if said.targets else "nobody")
    if not attacker.has_blast:
        raise refusal("AREA", case="tag")
    return Strike(attackers=(attacker,), targets=said.targets, rules=("ML-TAG-1",), area=said.area)


def blast_weapon(who: str, state: State) -> str:
    """Return the weapon of a blast where none is said: the only one with the tag, else the usual one."""
    tagged = [
        name for name in weapons.weapons_of(who, state) if weapons.BLAST in weapons.weapon_of(who, name, state).tags
    ]
    return tagged[0] if len(tagged) == 1 else weapons.usual_weapon(who, state)


def arm(part: weapons.AttackerPart, state: State) -> weapons.Armed:
    """Refuse an attacker who is out, out of turn, without an action or without the weapon: in this order."""
    turns.check_turn(part.who, state)
    turns.check_action(part.who, state)
    return weapons.Armed(part, weapons.weapons_used(part, state))


def throw_dice(pool: Sequence[weapons.AttackDie], target: str, throws: EntryDice) -> list[ThrownDie]:
    """Throw the dice of a pool, each keyed by attacker, weapon and target: one more or less changes no other."""
    thrown = []
    for die in pool:
        purpose = f"attack {die.who} {die.weapon} on {target}"
        thrown.append(ThrownDie(die, purpose, *throws.throw(purpose, die.sides)))
    return thrown


def resolve(strike: Strike, state: State, throws: EntryDice) -> Iterator[Fact]:
    """Throw the dice, deal the damage to each target in order, spend the actions, and roll for morale."""
    for who in strike.who:
        yield from turns.close_first_part(who, state)
    if strike.area is not None:
        text, by = ", ".join(strike.targets), strike.who[0]
        yield Ruled(rules=("ML-TAG-1",), name="area", text=text, because=strike.area, about=by)
    thrown = throw_at_targets(strike, state, throws)
    before = {target: state.points(target, scores.HP) for target in thrown}
    recorded: set[str] = set()
    for target, dice in thrown.items():
        best = highest_die(dice)
        at = f" on {target}" if len(thrown) > 1 and option(state, "blast_dice") == "per_target" else ""
        yield from (record_roll(die, throws, at, kept=die is best) for die in dice if die.purpose not in recorded)
        recorded.update(die.purpose for die in dice)
        yield from deal_damage(blow_of(target, best, dice, strike.rules), state, throws)
    for who in strike.who:
        yield from turns.spend_action(who, state, "ML-ACT-2")
    yield from morale.roll_triggered_morale(before, state, throws)
    throws.check_all_thrown()


def throw_at_targets(strike: Strike, state: State, throws: EntryDice) -> dict[str, list[ThrownDie]]:
    """ML-TAG-1: the dice of each target; the same for all, where the table reads it so."""
    pool = [die for attacker in strike.attackers for die in weapons.attack_dice(attacker, state)]
    if option(state, "blast_dice") == "shared":
        return dict.fromkeys(strike.targets, throw_dice(pool, strike.targets[0], throws))
    return {target: throw_dice(pool, target, throws) for target in strike.targets}


def highest_die(dice: Sequence[ThrownDie]) -> ThrownDie:
    """ML-GANG-1, ML-DUAL-1: the single highest die. A lethal one comes before its equals (ML-GAP-12)."""
    return max(dice, key=lambda thrown: (thrown.face, not thrown.die.nonlethal))


def record_roll(thrown: ThrownDie, throws: EntryDice, at: str, *, kept: bool) -> Rolled:
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
