"""Morale: Saves of groups that lose their first member or half of them, and of lone foes; and flight."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from ledger.dice import Dice
from ledger.facts import ConditionBegan, Counted, Ends, Fact, Ruled
from projections.state import State
from rulebooks.common.absence import is_absent
from rulebooks.common.beings import find_being
from rulebooks.common.conditions import has_condition, new_condition
from rulebooks.common.decisions import decides
from rulebooks.common.dice import CheckedDice
from rulebooks.monolith.checks import entry_dice, roll_save
from rulebooks.monolith.declarations import Flee, Morale
from rulebooks.monolith.encounter import START
from rulebooks.monolith.groups import GROUP, group_of, leader
from rulebooks.monolith.groups import members as group_members
from rulebooks.monolith.guards import FLED, check_target, find_actor, is_able, is_casualty, members
from rulebooks.monolith.scores import HP, RESOLVE, score_of
from rulebooks.monolith.texts import option, refusal
from rulebooks.monolith.turns import check_declared

FIRST_CASUALTY: Final = "first casualty"
HALF_LOST: Final = "half lost"
AT_ZERO: Final = "lone foe at 0 HP"
TRIGGERS: Final = {FIRST_CASUALTY: ("morale.first", "ML-MOR-1"), HALF_LOST: ("morale.half", "ML-MOR-2")}


def roll_triggered_morale(before: Mapping[str, int], state: State, throws: CheckedDice) -> Iterator[Fact]:
    """ML-MOR-5: rolled when an attack has been resolved in full. `before`: its targets and their hit points."""
    groups = [group for who in before if (group := group_of(who, state)) and starting_number(group, state) > 1]
    tried = set[str]()
    for group in dict.fromkeys(groups):
        met = triggers_met(group, state)
        if met:
            tried.add(group)
            yield from use_triggers(group, met, state, throws)
    for who, points in before.items():
        if group_of(who, state) not in tried and is_brought_to_zero(who, points, state):
            name = group_of(who, state) or who
            yield from roll_morale(name, AT_ZERO, "", state, throws, "ML-MOR-4")


def members_in_fight(group: str, state: State) -> list[str]:
    """Return the members of a group; while a fight is running, those in it."""
    encounter = state.encounter
    return [who for who in group_members(group, state) if encounter is None or who in members(encounter)]


def starting_number(group: str, state: State) -> int:
    """ML-MOR-2: with how many a group began its fight."""
    return state.count(group, START) or len(members_in_fight(group, state))


def casualties(group: str, state: State) -> list[str]:
    """ML-MOR-1: members that are dead, under Critical Damage, stable after it, or unconscious."""
    return [who for who in members_in_fight(group, state) if is_casualty(who, state)]


def number_lost(group: str, state: State) -> int:
    """ML-MOR-2, ML-GAP-16: casualties; those who fled count too where the table reads it so."""
    fled = [
        who for who in members_in_fight(group, state) if has_condition(who, FLED, state) and not is_casualty(who, state)
    ]
    return len(casualties(group, state)) + (len(fled) if option(state, "half_counts_fled") == "yes" else 0)


def able_members(group: str, state: State) -> list[str]:
    """Return those of a group who can still act, in its order; a lone foe is its own group."""
    named = members_in_fight(group, state) if is_group(group, state) else [group]
    return [who for who in named if is_able(who, state)]


def is_group(name: str, state: State) -> bool:
    """Tell whether this is a group and not a foe."""
    return state.kind(name) == GROUP


def triggers_met(group: str, state: State) -> list[str]:
    """ML-MOR-1, ML-MOR-2: which of the two are met now, each for the first time in this fight."""
    met = {
        FIRST_CASUALTY: bool(casualties(group, state)),
        HALF_LOST: 0 < starting_number(group, state) <= 2 * number_lost(group, state),
    }
    return [name for name, is_met in met.items() if is_met and not state.count(group, TRIGGERS[name][0])]


def use_triggers(group: str, met: list[str], state: State, throws: CheckedDice) -> Iterator[Fact]:
    """ML-MOR-5: each trigger once. ML-GAP-13: both at once are one Save, unless the table reads it otherwise."""
    for name in met:
        count, rule = TRIGGERS[name]
        yield Counted(rules=(rule, "ML-MOR-5"), who=group, name=count, change=1, now=1, of=1, until="encounter")
    saves = [met] if option(state, "morale_both") == "one" else [[name] for name in met]
    for number, names in enumerate(saves):
        again = f", {names[0]}" if number else ""
        rules = tuple(TRIGGERS[name][1] for name in names)
        yield from roll_morale(group, " and ".join(names), again, state, throws, *rules)


def is_brought_to_zero(who: str, points: int, state: State) -> bool:
    """ML-MOR-4: a lone foe brought from above 0 hit points to 0, and still able to act."""
    brought = points > 0 and not state.points(who, HP) and is_able(who, state)
    return state.kind(who) == "npc" and brought and is_lone(who, state)


def is_lone(who: str, state: State) -> bool:
    """A foe without a group, or with one of one. ML-GAP-15: the last of a group, where the table reads it so."""
    group = group_of(who, state)
    if not group or starting_number(group, state) == 1:
        return True
    return option(state, "lone_last") == "yes" and able_members(group, state) == [who]


def roll_morale(group: str, reason: str, again: str, state: State, throws: CheckedDice, *rules: str) -> Iterator[Fact]:
    """ML-MOR-5: a Resolve Save, if anybody can still act; on a failure they flee. ML-GAP-14: for all, or for each.

    `again` tells the dice of a second Save of one attack from those of the first.
    """
    able = able_members(group, state)
    if option(state, "morale_roll") == "each":
        for who in able:
            own = score_of(who, RESOLVE, state) or 0
            yield from roll_one_save(who, [who], own, reason, again, state, throws, *rules)
    elif able:
        resolve, rule = resolve_of(group, state)
        yield from roll_one_save(group, able, resolve, reason, again, state, throws, *rules, *rule)


def roll_one_save(
    who: str,
    tested: Iterable[str],
    resolve: int,
    reason: str,
    again: str,
    state: State,
    throws: CheckedDice,
    *rules: str,
) -> Iterator[Fact]:
    """ML-MOR-5: failed: those tested flee. Passed: they fight on."""
    purpose, why = f"morale {who}{again}", f"d20 ({reason})"
    passed = yield from roll_save(who, "morale", resolve, purpose, state, throws, *rules, "ML-MOR-5", why=why)
    for fleeing in () if passed else tested:
        yield put_to_flight(fleeing, state, "ML-MOR-5")


def put_to_flight(who: str, state: State, *rules: str) -> ConditionBegan:
    """ML-MOR-5: gone, for as long as this fight lasts."""
    ends = (Ends(at="encounter"),) if state.encounter else ()
    return new_condition(who, FLED, *rules, ends=ends)


def resolve_of(group: str, state: State) -> tuple[int, tuple[str, ...]]:
    """ML-MOR-3: the leader's, while there is one who can lead; else the group's own, else its first member's."""
    head = leader(group, state)
    if head and can_lead(head, state):
        return score_of(head, RESOLVE, state) or 0, ("ML-MOR-3",)
    lost_leader = ("ML-MOR-3", "ML-GAP-28") if head else ()
    own = score_of(group, RESOLVE, state)
    if own is not None:
        return own, lost_leader
    return score_of(able_members(group, state)[0], RESOLVE, state) or 0, (*lost_leader, "ML-GAP-24")


def can_lead(who: str, state: State) -> bool:
    """ML-GAP-28: whether a leader is there to lead: able to act, and not gone from or left out of the fight."""
    here = who in members(state.encounter) if state.encounter else not is_absent(who, state)
    return here and is_able(who, state)


@decides(Morale)
def morale(said: Morale, state: State, dice: Dice) -> Iterator[Fact]:
    """ML-MOR-5: a Save that the game master asks for outside the triggers. Characters make none."""
    being = find_being("group", said.group, state, ("pc", "npc", GROUP))
    check_declared(state)
    if being.kind == "pc":
        raise refusal("PC", name=said.group)
    if not said.reason:
        raise refusal("RULING", what="a morale Save")
    yield Ruled(rules=("ML-MOR-5",), name="morale", text=said.reason, because="the game master asks for it")
    group, throws = group_of(said.group, state) or said.group, entry_dice(dice)
    yield from roll_morale(group, said.reason, "", state, throws)
    throws.check_all_thrown()


@decides(Flee)
def flee(said: Flee, state: State) -> Iterator[Fact]:
    """ML-MOR-5: gone from the fight by ruling."""
    find_actor(said.who, state, "who")
    if not said.reason:
        raise refusal("RULING", what="flight")
    check_target(said.who, state)
    yield Ruled(rules=("ML-MOR-5",), name="flight", text=said.reason, because=f"{said.who} flees")
    yield put_to_flight(said.who, state, "ML-MOR-5")
