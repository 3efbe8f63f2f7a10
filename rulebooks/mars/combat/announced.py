"""Announced attacks: announced, answered by defences and maneuvers, and thrown, each an entry of its own.

Nothing is paid and nothing is rolled before `go`; then everything happens as if it had been said on one line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import msgspec

from ledger.dice import Dice
from ledger.facts import Fact
from projections.state import State, Window
from rulebooks.common import announcements
from rulebooks.common.announcements import Announce, Go
from rulebooks.common.conditions import find_condition
from rulebooks.common.decisions import decides
from rulebooks.mars.combat import defence, shields
from rulebooks.mars.combat.attack import SPEED, attack, prepare
from rulebooks.mars.declarations.combat import Answer, Attack, Block, Blow, Evade, Parry
from rulebooks.mars.declarations.maneuvers import AnswerWithManeuver, Maneuver
from rulebooks.mars.declarations.parts import Reaction
from rulebooks.mars.declarations.turns import TriggerReadied
from rulebooks.mars.guards import STUNNED, is_able
from rulebooks.mars.maneuvers import aids, performance
from rulebooks.mars.maneuvers.use import Use
from rulebooks.mars.texts import refusal, value_refusal
from rulebooks.mars.turns import actions, ready

RULES: Final = ("GR-ATK-2", "GR-GAP-15")
ANNOUNCED: Final = (Attack, Maneuver, TriggerReadied)
CHECKS: Final[Mapping[type[Blow], Callable[[Any, State], object]]] = {
    Attack: prepare,
    Maneuver: performance.prepare,
    TriggerReadied: ready.prepare_trigger,
}
DECISIONS: Final[Mapping[type[Blow], Callable[[Any, State, Dice], Iterator[Fact]]]] = {
    Attack: attack,
    Maneuver: performance.perform,
    TriggerReadied: ready.trigger_readied,
}


@decides(Announce)
def announce(said: Announce, state: State) -> Iterator[Fact]:
    """GR-GAP-15: an attack is announced, so that defences can be named before its dice."""
    announcements.check_nothing_announced(state)
    blow = announcements.announced_declaration(said, *ANNOUNCED)
    assert isinstance(blow, Attack | Maneuver | TriggerReadied)
    CHECKS[type(blow)](blow, state)
    if isinstance(blow, TriggerReadied) and not blow.target:
        blow = msgspec.structs.replace(blow, target=ready.stored_action(blow.by, state).target)
    yield announcements.new_window(blow, possible_reactors(blow, state), *RULES)


def possible_reactors(blow: Blow, state: State) -> tuple[str, ...]:
    """GR-ACT-5: return who may still answer an attack: who is attacked, and who has a maneuver for it."""
    attacked = (aids.intercepted(target, state) for target in (getattr(blow, "target", ""), *getattr(blow, "also", ())))
    own = [who for who in attacked if who and defence.can_defend(who, defences_by(who, blow), state)]
    return tuple(dict.fromkeys((*own, *performance.reactors(blow, state))))


def defences_by(who: str, blow: Blow) -> list[Reaction]:
    """Return the defences of one of those who are attacked."""
    return [reaction for reaction in blow.defences if reaction.who == who]


@decides(Evade, Parry, Block)
def answer(said: Answer, state: State) -> Iterator[Fact]:
    """GR-EVD-1, GR-PAR-1, GR-BLK-1: a defence is added to the announced attack."""
    blow = announced_blow(announcements.get_window(state))
    changed = msgspec.structs.replace(blow, defences=(*blow.defences, as_reaction(said)))
    CHECKS[type(changed)](changed, state)
    yield announcements.window_change(changed, possible_reactors(changed, state), *RULES)


@decides(AnswerWithManeuver)
def answer_with_maneuver(said: AnswerWithManeuver, state: State, dice: Dice) -> Iterator[Fact]:
    """GR-ACT-4: a maneuver answers the attack. Whose place is taken by it does not defend any more."""
    aimed = performance.aimed_answer(said, state)
    use = performance.prepare(aimed, state)
    performance.check_answerer(aimed, state)
    check_defences_kept(use, state)
    yield from performance.perform(aimed, state, dice)
    blow = announced_blow(announcements.get_window(state))
    kept = tuple(reaction for reaction in blow.defences if aids.intercepted(reaction.who, state) == reaction.who)
    changed = msgspec.structs.replace(blow, defences=kept)
    yield announcements.window_change(changed, possible_reactors(changed, state), *RULES)


def check_defences_kept(use: Use, state: State) -> None:
    """GR-ACT-4, GR-EVD-1: refuse an answer that takes the reaction or the stamina of a defence announced before."""
    own = defences_by(use.who, announced_blow(announcements.get_window(state)))
    taking_place = [reaction.kind for reaction in own if reaction.kind != shields.BLOCK]
    if taking_place and use.row.name == aids.HARD_PARRY:
        raise defence.one_defence_refusal(*taking_place, aids.HARD_PARRY)
    if any(reaction.kind == defence.EVADE_AS_REACTION for reaction in own):
        raise refusal("REACTION-USED", name=use.who)
    if own:
        actions.check_stamina(use.who, use.stamina + len(own), state)


def as_reaction(said: Answer) -> Reaction:
    """Return a defence as the line of the attack would hold it."""
    if isinstance(said, Evade):
        return Reaction(
            who=said.by, kind="evade_reaction" if said.reaction else "evade", after=said.after, pick=said.pick
        )
    if isinstance(said, Parry):
        return Reaction(who=said.by, kind="parry", item=said.item, pick=said.pick)
    assert isinstance(said, Block)
    return Reaction(who=said.by, kind="block", item=said.item, front=not said.behind)


def announced_blow(window: Window) -> Attack | Maneuver | TriggerReadied:
    """Return the announced attack, with the defences so far."""
    return msgspec.json.decode(announcements.decode(window).what, type=Attack | Maneuver | TriggerReadied)


@decides(Go)
def go(said: Go, state: State, dice: Dice) -> Iterator[Fact]:
    """GR-ATK-2: the announced attack is made; or it is withdrawn."""
    window = announcements.get_window(state)
    if said.wait:
        raise value_refusal("go", "go, or go withdraw", "go wait")
    if said.withdraw:
        yield announcements.window_end("withdrawn", *RULES)
        return
    blow = announced_blow(window)
    if not is_able(blow.by, state):  # felled by an answer
        yield announcements.window_end("void", *RULES, "GR-UNC-1")
        return
    if is_stunned_since(window, state):
        yield announcements.window_end("void", *RULES, "GR-STU-5")
        yield from pay_interrupted(blow, state)
        return
    yield announcements.window_end("thrown", *RULES)
    yield from DECISIONS[type(blow)](blow, state, dice)


def is_stunned_since(window: Window, state: State) -> bool:
    """GR-STU-5: tell whether the attacker was stunned after the announcement, and so in the middle of the attack."""
    condition = find_condition(window.who, STUNNED, state)
    return condition is not None and condition.since > window.opened


def pay_interrupted(blow: Blow, state: State) -> Iterator[Fact]:
    """GR-STU-5: what was begun in the own turn is paid for, though it is not performed."""
    if isinstance(blow, Attack):
        yield from actions.pay(blow.by, actions.price(blow.by, SPEED, state), "attack", state, "GR-ATK-1", "GR-STU-5")
    elif isinstance(blow, Maneuver):
        yield from performance.pay_broken_off(blow, state)
