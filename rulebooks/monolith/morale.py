"""Morale: groups of enemies that lose their first member, or half of them, and foes who stand alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from ledger.dice import Dice
from ledger.facts import ConditionBegan, Counted, Ends, Fact, Ruled
from projections.state import State
from rulebooks.common.beings import find_being
from rulebooks.common.groups import GROUP, group_of, leader
from rulebooks.common.groups import members as of_group
from rulebooks.monolith.checks import Throws, has_failed, saved
from rulebooks.monolith.declarations import Flee, Morale
from rulebooks.monolith.guards import FLED, check_target, holds, in_play, is_able, is_casualty, members
from rulebooks.monolith.scores import HP, RESOLVE, score_of
from rulebooks.monolith.texts import option, refused
from rulebooks.monolith.turns import START, check_declared

FIRST_CASUALTY: Final = "first casualty"
HALF_LOST: Final = "half lost"
AT_ZERO: Final = "lone foe at 0 HP"
TRIGGERS: Final = {FIRST_CASUALTY: ("morale.first", "ML-MOR-1"), HALF_LOST: ("morale.half", "ML-MOR-2")}


def shaken(before: Mapping[str, int], state: State, throws: Throws) -> Iterator[Fact]:
    """ML-MOR-5: looked at when an attack has been resolved in full. `before`: its targets and their hit points."""
    groups = [group for who in before if (group := group_of(who, state)) and starting(group, state) > 1]
    tried = set[str]()
    for group in dict.fromkeys(groups):
        met = triggers(group, state)
        if met:
            tried.add(group)
            yield from broken(group, met, state, throws)
    for who, points in before.items():
        if group_of(who, state) not in tried and at_zero(who, points, state):
            name = group_of(who, state) or who
            yield from tested(name, AT_ZERO, "", state, throws, "ML-MOR-4")


def in_fight(group: str, state: State) -> list[str]:
    """The members of a group that are there: in the fight, where one is running."""
    there, found = of_group(group, state), state.encounter
    return there if found is None else [who for who in there if who in members(found)]


def starting(group: str, state: State) -> int:
    """ML-MOR-2: with how many a group began its fight."""
    return state.count(group, START) or len(in_fight(group, state))


def casualties(group: str, state: State) -> list[str]:
    """ML-MOR-1: members that are dead, under Critical Damage, stable after it, or unconscious."""
    return [who for who in in_fight(group, state) if is_casualty(who, state)]


def lost(group: str, state: State) -> int:
    """ML-MOR-2, ML-GAP-16: casualties; those who fled count too where the table reads it so."""
    fled = [who for who in in_fight(group, state) if holds(who, FLED, state) and not is_casualty(who, state)]
    return len(casualties(group, state)) + (len(fled) if option(state, "half_counts_fled") == "yes" else 0)


def able(group: str, state: State) -> list[str]:
    """Those of a group who can still act, in its order; a lone foe is its own group."""
    named = in_fight(group, state) if is_group(group, state) else [group]
    return [who for who in named if is_able(who, state)]


def is_group(name: str, state: State) -> bool:
    """Whether this is a group and not a foe."""
    being = state.being(name)
    return being is not None and being.kind == GROUP


def triggers(group: str, state: State) -> list[str]:
    """ML-MOR-1, ML-MOR-2: which of the two are met now, each for the first time in this fight."""
    met = {
        FIRST_CASUALTY: bool(casualties(group, state)),
        HALF_LOST: 0 < starting(group, state) <= 2 * lost(group, state),
    }
    return [name for name, holds_now in met.items() if holds_now and not state.count(group, TRIGGERS[name][0])]


def broken(group: str, met: list[str], state: State, throws: Throws) -> Iterator[Fact]:
    """ML-MOR-5: each trigger once. ML-GAP-13: both at once are one Save, unless the table reads it otherwise."""
    for name in met:
        count, rule = TRIGGERS[name]
        yield Counted(rules=(rule, "ML-MOR-5"), who=group, name=count, change=1, now=1, of=1, until="encounter")
    saves = [met] if option(state, "morale_both") == "one" else [[name] for name in met]
    for number, names in enumerate(saves):
        again = f", {names[0]}" if number else ""
        rules = tuple(TRIGGERS[name][1] for name in names)
        yield from tested(group, " and ".join(names), again, state, throws, *rules)


def at_zero(who: str, points: int, state: State) -> bool:
    """ML-MOR-4: a lone foe brought from above 0 hit points to 0, and still able to act."""
    being = state.being(who)
    brought = points > 0 and not state.points(who, HP) and is_able(who, state)
    return being is not None and being.kind == "npc" and brought and is_lone(who, state)


def is_lone(who: str, state: State) -> bool:
    """A foe without a group, or with one of one. ML-GAP-15: the last of a group, where the table reads it so."""
    group = group_of(who, state)
    if not group or starting(group, state) == 1:
        return True
    return option(state, "lone_last") == "yes" and able(group, state) == [who]


def tested(group: str, why: str, again: str, state: State, throws: Throws, *rules: str) -> Iterator[Fact]:
    """ML-MOR-5: a Resolve Save, if anybody can still act; who fails flees. ML-GAP-14: one for all, or each their own.

    `again` tells the dice of a second Save of one attack from those of the first.
    """
    there = able(group, state)
    if option(state, "morale_roll") == "each":
        for who in there:
            own = score_of(who, RESOLVE, state) or 0
            yield from faced(who, [who], own, why, again, state, throws, *rules)
    elif there:
        resolve, rule = resolve_of(group, state)
        yield from faced(group, there, resolve, why, again, state, throws, *rules, *rule)


def faced(
    who: str, there: Iterable[str], resolve: int, why: str, again: str, state: State, throws: Throws, *rules: str
) -> Iterator[Fact]:
    """ML-MOR-5: failed: those concerned flee. Passed: they fight on."""
    failed, purpose = False, f"morale {who}{again}"
    for fact in saved(who, "morale", resolve, purpose, state, throws, *rules, "ML-MOR-5", why=f"d20 ({why})"):
        failed = failed or has_failed(fact)
        yield fact
    for fleeing in there if failed else ():
        yield fled(fleeing, state, "ML-MOR-5")


def fled(who: str, state: State, *rules: str) -> ConditionBegan:
    """Gone, for as long as this fight lasts."""
    ends = (Ends(at="encounter"),) if state.encounter else ()
    return ConditionBegan(rules=rules, id=f"{FLED} {who}", who=who, name=FLED, ends=ends)


def resolve_of(group: str, state: State) -> tuple[int, tuple[str, ...]]:
    """ML-MOR-3: the leader's, while there is one who can lead; else the group's own, else its first member's."""
    head = leader(group, state)
    if head and is_able(head, state):
        return score_of(head, RESOLVE, state) or 0, ("ML-MOR-3",)
    lost_leader = ("ML-MOR-3", "ML-GAP-28") if head else ()
    own = score_of(group, RESOLVE, state)
    if own is not None:
        return own, lost_leader
    return score_of(able(group, state)[0], RESOLVE, state) or 0, (*lost_leader, "ML-GAP-24")


def morale(said: Morale, state: State, dice: Dice) -> Iterator[Fact]:
    """ML-MOR-5: a Save that the game master asks for outside the triggers. Characters make none."""
    being = find_being("group", said.group, state, ("pc", "npc", GROUP))
    check_declared(state)
    if being.kind == "pc":
        raise refused("PC", name=said.group)
    if not said.reason:
        raise refused("RULING", what="a morale Save")
    yield Ruled(rules=("ML-MOR-5",), name="morale", text=said.reason, because="the game master asks for it")
    group, throws = group_of(said.group, state) or said.group, Throws(dice)
    yield from tested(group, said.reason, "", state, throws)
    throws.done()


def flee(said: Flee, state: State) -> Iterator[Fact]:
    """ML-MOR-5: gone from the fight by ruling."""
    in_play(said.who, state, "who")
    if not said.reason:
        raise refused("RULING", what="flight")
    check_target(said.who, state)
    yield Ruled(rules=("ML-MOR-5",), name="flight", text=said.reason, because=f"{said.who} flees")
    yield fled(said.who, state, "ML-MOR-5")
