"""Situations that a declaration did not claim: known caps and Rushed dice, and reactions that were possible."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.declarations import Declaration
from projections.state import State
from rulebooks.common import announcements
from rulebooks.common.announcements import Announce
from rulebooks.common.guide import Situation
from rulebooks.momentum import attack, guards, turns, weapons
from rulebooks.momentum.declarations import Attack, DoubleAttack, Strike
from rulebooks.momentum.reactions import possible_reactions

REACTIONS = {
    "defend": ("could have defended", ("MO-DEFEND-1",)),
    "interpose": ("could have interposed", ("MO-INTER-1",)),
    "help": ("could have helped", ("MO-HELP-1",)),
}


def unclaimed(said: Declaration, state: State) -> Iterator[Situation]:
    """Yield the caps of the turn and the Rushed dice, which were known, and the reactions that were possible."""
    if guards.is_in_fight(said.by, state):
        for step in turns.allowance(said.by, state).steps:
            if step.counted:
                yield Situation(
                    name=step.because,
                    text=f"{said.by}: {step.because}, {step.now} left",
                    known=True,
                    rules=(step.rule,),
                )
    strike = announcements.announced_declaration(said, Attack, DoubleAttack) if isinstance(said, Announce) else said
    if isinstance(strike, Strike):
        yield from attack_situations(strike, state)


def attack_situations(said: Strike, state: State) -> Iterator[Situation]:
    """MO-DBL-2, MO-REQ-2: the reasons for Rushed dice. MO-REACT-1: PCs who could have reacted."""
    said = attack.with_usable_weapon(said, state)
    rushed = attack.rushed_rules(said, 0, weapons.wielded_weapon(said, state), state)
    if rushed:
        yield Situation(name="rushed", text="the Rushed dice are used", known=True, rules=rushed)
    reacting = {reaction.who for reactions in attack.reaction_groups(said) for reaction in reactions}
    for who, kind in possible_reactions(said, (said.target,), state):
        if who not in reacting and not (kind == "interpose" and state.side(said.target) == "foe"):
            text, rules = REACTIONS[kind]
            yield Situation(name=f"{kind} {who}", text=f"{who} {text}", known=False, rules=rules)
