"""The performance of a maneuver: its checks, its price, and what its kind of row does; and who may answer with one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from ledger.dice import Dice
from ledger.errors import Refused
from ledger.facts import Fact
from projections.state import State
from rulebooks.common import announcements
from rulebooks.common.beings import name_list
from rulebooks.common.decisions import decides
from rulebooks.common.dice import EntryDice
from rulebooks.mars.declarations.combat import Attack, Blow
from rulebooks.mars.declarations.maneuvers import AnswerWithManeuver, Maneuver
from rulebooks.mars.declarations.turns import TriggerReadied
from rulebooks.mars.guards import are_foes, members
from rulebooks.mars.maneuvers import contests, requirements, resistance, slots, stances, strikes, table
from rulebooks.mars.maneuvers.use import STRIKES, Use, pay_use, price_of
from rulebooks.mars.tasks.checks import entry_dice
from rulebooks.mars.texts import value_refusal
from rulebooks.mars.turns.actions import check_price, pay

Check = Callable[[Use, State], None]
Announced = Attack | Maneuver | TriggerReadied
Performance = Callable[[Use, State, EntryDice], Iterator[Fact]]

FOR_TARGETS: Final = ("back-step", "hard-parry", "hook-parry")
FOR_ALLIES: Final = ("intercept", "intercepting-strike")
ANSWERS: Final = (*FOR_TARGETS, *FOR_ALLIES)
CHECKS: Final[dict[str, Check]] = {
    "strike": strikes.check_strikes,
    "shots": strikes.check_strikes,
    "check": contests.check_contest,
    "evasion": contests.check_evasion,
}
PERFORMANCES: Final[dict[str, Performance]] = {
    "strike": strikes.perform_strike,
    "shots": strikes.perform_shots,
    "check": contests.perform_contest,
    "stance": stances.perform_stance,
    "reaction": stances.perform_stance,
    "evasion": contests.perform_evasion,
}


def prepare(said: Maneuver, state: State, *, readied: bool = False) -> Use:
    """Refuse a maneuver in the book's order, before any dice; return its use."""
    use = requirements.check_use(said, state, readied=readied)
    resistance.check_resistance(use, state)
    if use.row.kind in CHECKS:
        CHECKS[use.row.kind](use, state)
    requirements.check_limits(use, state)
    if use.row.kind in STRIKES:
        strikes.check_defence_costs(use, state)
    check_price(use.who, price_of(use, state), state)
    return use


@decides(Maneuver)
def perform(said: Maneuver, state: State, dice: Dice) -> Iterator[Fact]:
    """GR-MAN-2: pay for a maneuver, then do what its kind of row does."""
    yield from perform_use(prepare(said, state), state, entry_dice(dice))


def pay_broken_off(said: Maneuver, state: State) -> Iterator[Fact]:
    """GR-STU-5: pay for a maneuver that is broken off before its dice."""
    use = prepare(said, state)
    yield from pay(use.who, price_of(use, state), use.row.name, state, "GR-MAN-2", "GR-STU-5")


def perform_use(use: Use, state: State, throws: EntryDice) -> Iterator[Fact]:
    """GR-OUT-17: pay, then do what the kind of row does."""
    yield from pay_use(use, state)
    yield from PERFORMANCES[use.row.kind](use, state, throws)


def aimed_answer(said: AnswerWithManeuver, state: State) -> AnswerWithManeuver:
    """GR-ACT-4: return an answer to the announced attack with its target: the attacker, or the one attacked."""
    attack = announced_attack(state)
    if said.target:
        return said
    target = attack.target if "ally" in table.find_row(said.by, said.name).needs else attack.by
    return msgspec.structs.replace(said, target=target)


def check_answerer(said: AnswerWithManeuver, state: State) -> None:
    """GR-OUT-17: a step back and the like are for the one attacked, an interception and the like for an ally."""
    attack = announced_attack(state)
    attacked, row = attacked_by(attack), table.find_row(said.by, said.name)
    if row.name in FOR_TARGETS and said.by not in attacked:
        raise value_refusal(f"who answers with {row.name}", f"{name_list(attacked, 'or')}, who is attacked", said.by)
    if row.name not in FOR_ALLIES:
        return
    if not protects(said.by, attack, state):
        raise value_refusal(f"who answers with {row.name}", f"an ally of {name_list(attacked, 'or')}", said.by)
    if "ally" in row.needs and said.target not in attacked:
        raise value_refusal("the target", f"{name_list(attacked, 'or')}, who is attacked", said.target)
    if "ally" not in row.needs and said.target != attack.by:
        raise value_refusal("the target", f"{attack.by}, who attacks", said.target)


def attacked_by(attack: Announced) -> tuple[str, ...]:
    """Return all whom an attack is aimed at."""
    return tuple(who for who in (attack.target, *getattr(attack, "also", ())) if who)


def protects(who: str, attack: Announced, state: State) -> bool:
    """GR-ACT-4: tell whether somebody has an ally among those who are attacked."""
    return any(who != other and not are_foes(who, other, state) for other in attacked_by(attack))


def announced_attack(state: State) -> Announced:
    """Return the attack that is announced. Raises Refused when there is none."""
    window = announcements.get_window(state)
    attack: Announced = msgspec.json.decode(announcements.decode(window).what, type=Announced)
    return attack


def reactors(said: Blow, state: State) -> tuple[str, ...]:
    """GR-ACT-4: return who has learned a maneuver that could answer this attack now, and can pay for it."""
    everybody = members(state.encounter, state) if state.encounter else ()
    if not isinstance(said, Announced) or not said.target:
        return ()
    return tuple(who for who in everybody if who != said.by and any(can_answer(who, said, state)))


def can_answer(who: str, said: Announced, state: State) -> Iterator[bool]:
    """GR-ACT-4: yield whether each maneuver of somebody could answer an attack."""
    for name in slots.learned_maneuvers(who, state):
        row = table.find_row(who, name)
        meets = protects(who, said, state) if name in FOR_ALLIES else name in FOR_TARGETS and who in attacked_by(said)
        if row.is_reaction and meets:
            target = said.target if "ally" in row.needs else said.by
            yield is_possible(Maneuver(by=who, name=name, target=target), state)


def is_possible(said: Maneuver, state: State) -> bool:
    """Tell whether nothing speaks against a maneuver."""
    try:
        prepare(said, state)
    except Refused:
        return False
    return True
