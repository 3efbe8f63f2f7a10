"""What is done in the action phase besides attacks: something else, something quick, abilities, and delay."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.facts import ConditionBegan, Ends, Fact, PointsSpent
from projections.state import State
from rulebooks.dusk_bastards.able import check_able, check_in_play
from rulebooks.dusk_bastards.attempting import unpaid
from rulebooks.dusk_bastards.book import refused, whole
from rulebooks.dusk_bastards.costs import lacking_of
from rulebooks.dusk_bastards.cycle import DELAYED, action_gone, check_able_in_combat, check_action, taken
from rulebooks.dusk_bastards.declarations import Deed, Delay


def delay(said: Delay, state: State) -> Iterator[Fact]:
    """DB-STD-4: the standard action may be taken at any later point of the same round; else it is lost."""
    check_able_in_combat(said.by, state)
    id = f"{DELAYED} {said.by}"
    check_action(said.by, "standard", state)
    if id in state.conditions:
        raise refused("SLOT", name=said.by, kind="standard")
    yield action_gone(said.by, "standard", state, "delayed", "DB-STD-4")
    ends = (Ends(at="round", due=state.encounter.round if state.encounter else 0),)
    yield ConditionBegan(rules=("DB-STD-4",), id=id, who=said.by, name=DELAYED, ends=ends)


def deed(said: Deed, state: State) -> Iterator[Fact]:
    """DB-STD-5, DB-BONUS-1: one thing of focus as the standard action, or something quick as the bonus action."""
    check_in_play(said.by, state)
    for cost in said.cost:
        whole("cost", cost.points, 0)
    check_able(said.by, state)
    check_action(said.by, said.slot, state, fits=not (said.is_attack and said.slot == "bonus"))
    yield from taken(said.by, said.slot, state, "DB-BONUS-1" if said.slot == "bonus" else "DB-STD-5")
    short = lacking_of(said.by, said.cost, state)
    if short is not None:
        yield unpaid(said.by, "deed", "", short, state)
        return
    for cost in said.cost:
        now = state.points(said.by, cost.stat) - cost.points
        yield PointsSpent(
            rules=("DB-COST-3",), who=said.by, pool=cost.stat, points=cost.points, now=now, on=said.text or "ability"
        )
