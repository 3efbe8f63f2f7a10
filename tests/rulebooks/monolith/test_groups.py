"""Groups and intents, without a fight: members, leaders, and what is declared for a round."""

from __future__ import annotations

from ledger.facts import GM, EntryId, Fact, Joined, Linked
from projections.projection import StateProjection
from projections.state import State
from rulebooks.monolith import groups, turns

CAST = tuple(
    Joined(who=who, kind=kind, side=GM, sheet=(), seen="table")
    for who, kind in (("Zed", "npc"), ("Abe", "npc"), ("Mob", "group"), ("Gang", "group"))
)


def folded(*facts: Fact) -> State:
    projection = StateProjection()
    state = projection.empty()
    for fact in facts:
        projection.step(state, EntryId(1, 1), fact)
    return state


def test_group_has_members_in_order_of_joining() -> None:
    state = folded(*CAST)
    ties = [*groups.set_ties("Mob", groups.MEMBER, ["Abe", "Zed"], state, "X-1")]
    ties += groups.set_ties("Mob", groups.LEADER, ["Abe"], state)
    state = folded(*CAST, *ties)
    assert groups.members("Mob", state) == ("Zed", "Abe")
    assert groups.leader("Mob", state) == "Abe"
    assert (groups.group_of("Zed", state), groups.group_of("Mob", state)) == ("Mob", "")
    assert (groups.members("Gang", state), groups.leader("Gang", state)) == ((), "")
    assert list(groups.set_ties("Mob", groups.MEMBER, ["Abe", "Zed"], state)) == []
    parted = list(groups.set_ties("Mob", groups.MEMBER, ["Abe"], state, "X-2"))
    assert parted == [Linked(rules=("X-2",), one="Zed", tie="member", other="Mob", on=False)]
    assert groups.members("Mob", folded(*CAST, *ties, *parted)) == ("Abe",)


def test_intent_is_kept_and_replaced_until_its_round_ends() -> None:
    state = folded(*CAST, turns.new_intent("Zed", 'say "no"', 3, "X-1"))
    assert turns.intent("Zed", state) == 'say "no"'
    assert turns.intent("Abe", state) is None
    assert turns.without_intent(["Abe", "Zed", "Mob"], state) == ["Abe", "Mob"]
    (found,) = state.conditions.values()
    assert [(end.at, end.due) for end in found.ends] == [("round", 3)]
    state = folded(*CAST, turns.new_intent("Zed", "run", 3), turns.new_intent("Zed", "hide", 3))
    assert turns.intent("Zed", state) == "hide"
