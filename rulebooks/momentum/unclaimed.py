"""What was known when something was said, and what would have been possible and was not."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.declarations import Declaration
from ledger.game import Situation
from projections.state import State
from rulebooks.common import announcing
from rulebooks.common.announcing import Announce
from rulebooks.momentum.attack import blows, rushed_by
from rulebooks.momentum.declarations import Attack, DoubleAttack, Strike
from rulebooks.momentum.reactions import could_react
from rulebooks.momentum.turns import allowance, fighting
from rulebooks.momentum.weapons import wielded
from rulebooks.momentum.wounds import side_of

REACTIONS = {
    "defend": ("could have defended", ("MO-DEFEND-1",)),
    "interpose": ("could have interposed", ("MO-INTER-1",)),
    "help": ("could have helped", ("MO-HELP-1",)),
}


def unclaimed(said: Declaration, state: State) -> Iterator[Situation]:
    """The caps of the turn and the Rushed dice that were known; the reactions that were possible."""
    if fighting(said.by, state):
        for step in allowance(said.by, state).steps:
            if step.counted:
                yield Situation(
                    name=step.reason, text=f"{said.by}: {step.reason}, {step.now} left", known=True, rules=(step.rule,)
                )
    what = announcing.announced(said, Attack, DoubleAttack) if isinstance(said, Announce) else said
    if isinstance(what, Strike):
        yield from of_attack(what, state)


def of_attack(said: Strike, state: State) -> Iterator[Situation]:
    """MO-DBL-2, MO-REQ-2: why the dice are Rushed ones. MO-REACT-1: who could have reacted, but for a foe."""
    why = rushed_by(said, 0, wielded(said, state), state)
    if why:
        yield Situation(name="rushed", text="the Rushed dice are used", known=True, rules=why)
    reacting = {one.who for reactions in blows(said) for one in reactions}
    for who, how in could_react(said, state):
        if who not in reacting and not (how == "interpose" and side_of(said.target, state) == "foe"):
            text, rules = REACTIONS[how]
            yield Situation(name=f"{how} {who}", text=f"{who} {text}", known=False, rules=rules)
