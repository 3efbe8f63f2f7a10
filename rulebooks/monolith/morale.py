"""Morale: Saves of groups that lose their first member or half of them, and of lone foes; and flight."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

import msgspec

from ledger.dice import Dice
from ledger.errors import Refused
from ledger.facts import ConditionBegan, Counted, Ends, Fact, Ruled
from projections.state import State
from rulebooks.common.absence import is_absent
from rulebooks.common.beings import find_being, name_in_line
from rulebooks.common.conditions import has_condition, new_condition
from rulebooks.common.decisions import decides
from rulebooks.common.dice import EntryDice
from rulebooks.common.values import outside_domain
from rulebooks.monolith import checks, scores, turns
from rulebooks.monolith.declarations import Flee, Morale
from rulebooks.monolith.encounter import START
from rulebooks.monolith.groups import GROUP, group_of, leader
from rulebooks.monolith.groups import members as group_members
from rulebooks.monolith.guards import FLED, check_able, check_target, find_actor, is_able, is_casualty, members
from rulebooks.monolith.texts import option, refusal

FIRST_CASUALTY: Final = "first casualty"
HALF_LOST: Final = "half lost"
AT_ZERO: Final = "lone foe at 0 HP"
TRIGGERS: Final = {FIRST_CASUALTY: ("morale.first", "ML-MOR-1"), HALF_LOST: ("morale.half", "ML-MOR-2")}


class FightingGroup(msgspec.Struct, frozen=True, kw_only=True):
    """A group in its fight, with how many it began; a lone foe is its own group."""

    name: str
    members: tuple[str, ...]
    began: int  # ML-MOR-2

    def able(self, state: State) -> list[str]:
        """Return those who can still act, in its order."""
        return [who for who in self.members if is_able(who, state)]


def find_group(name: str, state: State) -> FightingGroup:
    """Return the group of this name; while a fight is running, with the members in it."""
    encounter, named = state.encounter, [name]
    if state.kind(name) == GROUP:
        there = members(encounter) if encounter else ()
        named = [who for who in group_members(name, state) if encounter is None or who in there]
    return FightingGroup(name=name, members=tuple(named), began=state.count(name, START) or len(named))


def roll_triggered_morale(before: Mapping[str, int], state: State, throws: EntryDice) -> Iterator[Fact]:
    """ML-MOR-5: rolled when an attack has been resolved in full. `before`: its targets and their hit points."""
    named = {who: group_of(who, state) or who for who in before}
    groups = {name: find_group(name, state) for name in dict.fromkeys(named.values())}
    tried = set[str]()
    for name, group in groups.items():
        met = triggers_met(group, state) if group.began > 1 else []
        if met:
            tried.add(name)
            yield from use_triggers(group, met, state, throws)
    for who, points in before.items():
        group = groups[named[who]]
        if group.name not in tried and is_brought_to_zero(who, points, group, state):
            yield from roll_morale(group, AT_ZERO, "", state, throws, "ML-MOR-4")


def triggers_met(group: FightingGroup, state: State) -> list[str]:
    """ML-MOR-1, ML-MOR-2: which of the two are met now, each for the first time in this fight.

    Casualties are dead, under Critical Damage, stable after it, or unconscious. ML-GAP-16: those who fled are lost too
    where the table reads it so.
    """
    casualties = [who for who in group.members if is_casualty(who, state)]
    fled = [who for who in group.members if has_condition(who, FLED, state) and who not in casualties]
    lost = len(casualties) + (len(fled) if option(state, "half_counts_fled") == "yes" else 0)
    met = {FIRST_CASUALTY: bool(casualties), HALF_LOST: group.began <= 2 * lost}
    return [name for name, is_met in met.items() if is_met and not state.count(group.name, TRIGGERS[name][0])]


def use_triggers(group: FightingGroup, met: list[str], state: State, throws: EntryDice) -> Iterator[Fact]:
    """ML-MOR-5: each trigger once. ML-GAP-13: both at once are one Save, unless the table reads it otherwise."""
    for name in met:
        count, rule = TRIGGERS[name]
        yield Counted(rules=(rule, "ML-MOR-5"), who=group.name, name=count, change=1, now=1, of=1, until="encounter")
    saves = [met] if option(state, "morale_both") == "one" else [[name] for name in met]
    for number, names in enumerate(saves):
        again = f", {names[0]}" if number else ""
        rules = tuple(TRIGGERS[name][1] for name in names)
        yield from roll_morale(group, " and ".join(names), again, state, throws, *rules)


def is_brought_to_zero(who: str, points: int, group: FightingGroup, state: State) -> bool:
    """ML-MOR-4: a lone foe brought from above 0 hit points to 0, and still able to act.

    ML-GAP-15: the last of a group is one, where the table reads it so.
    """
    brought = points > 0 and not state.points(who, scores.HP) and is_able(who, state)
    if state.kind(who) != "npc" or not brought:
        return False
    return group.began == 1 or (option(state, "lone_last") == "yes" and group.able(state) == [who])


def roll_morale(
    group: FightingGroup, reason: str, again: str, state: State, throws: EntryDice, *rules: str
) -> Iterator[Fact]:
    """ML-MOR-5: a Resolve Save, if anybody can still act; on a failure they flee. ML-GAP-14: for all, or for each.

    `again` tells the dice of a second Save of one attack from those of the first.
    """
    able = group.able(state)
    if option(state, "morale_roll") == "each":
        for who in able:
            own = scores.score_of(who, scores.RESOLVE, state) or 0
            yield from roll_one_save(who, [who], own, reason, again, state, throws, *rules)
    elif able:
        resolve, rule = resolve_of(group.name, able[0], state)
        yield from roll_one_save(group.name, able, resolve, reason, again, state, throws, *rules, *rule)


def roll_one_save(
    who: str, tested: Iterable[str], resolve: int, reason: str, again: str, state: State, throws: EntryDice, *rules: str
) -> Iterator[Fact]:
    """ML-MOR-5: failed: those tested flee. Passed: they fight on."""
    purpose, why = f"morale {who}{again}", f"d20 ({reason})"
    passed = yield from checks.roll_save(who, "morale", resolve, purpose, state, throws, *rules, "ML-MOR-5", why=why)
    for fleeing in () if passed else tested:
        yield put_to_flight(fleeing, state, "ML-MOR-5")


def put_to_flight(who: str, state: State, *rules: str) -> ConditionBegan:
    """ML-MOR-5: gone, for as long as this fight lasts."""
    ends = (Ends(at="encounter"),) if state.encounter else ()
    return new_condition(who, FLED, *rules, ends=ends)


def resolve_of(group: str, first: str, state: State) -> tuple[int, tuple[str, ...]]:
    """ML-MOR-3: the leader's, while there is one who can lead; else the group's own, else its first member's."""
    head = leader(group, state)
    if head and can_lead(head, state):
        return scores.score_of(head, scores.RESOLVE, state) or 0, ("ML-MOR-3",)
    lost_leader = ("ML-MOR-3", "ML-GAP-28") if head else ()
    own = scores.score_of(group, scores.RESOLVE, state)
    if own is not None:
        return own, lost_leader
    return scores.score_of(first, scores.RESOLVE, state) or 0, (*lost_leader, "ML-GAP-24")


def can_lead(who: str, state: State) -> bool:
    """ML-GAP-28: whether a leader is there to lead: able to act, and not gone from or left out of the fight."""
    here = who in members(state.encounter) if state.encounter else not is_absent(who, state)
    return here and is_able(who, state)


@decides(Morale)
def morale(said: Morale, state: State, dice: Dice) -> Iterator[Fact]:
    """ML-MOR-5: a Save that the game master asks for outside the triggers. Characters make none."""
    being = find_being("group", said.group, state, ("pc", "npc", GROUP))
    turns.check_declared(state)
    if being.kind == "pc":
        raise refusal("PC", name=said.group)
    if not said.reason:
        raise refusal("RULING", what="a morale Save").of_field("reason")
    yield Ruled(rules=("ML-MOR-5",), name="morale", text=said.reason, because="the game master asks for it")
    if said.only and option(state, "morale_roll") != "each":
        raise outside_domain("only", "left out, since the group rolls one Save (! option morale_roll each)", "yes")
    group = find_group(said.group if said.only else group_of(said.group, state) or said.group, state)
    throws = EntryDice(dice, partial(dice_refusal, said, group, group.able(state), state))
    yield from roll_morale(group, said.reason, "", state, throws)
    throws.check_all_thrown()


def dice_refusal(
    said: Morale, group: FightingGroup, able: Sequence[str], state: State, code: str, *, expected: str
) -> Refused:
    """Return the refusal of faces. Raises that of a being that cannot act, where nobody of the group can."""
    for who in () if able else group.members:
        check_able(who, state)
    assert code == "DICE", code
    refused = refusal("DICE", expected=expected)
    if group.name == said.group or option(state, "morale_roll") != "each":
        return refused
    return refused.with_more_hint(f"Of {said.group} alone: ! morale {name_in_line(said.group)} only.")


@decides(Flee)
def flee(said: Flee, state: State) -> Iterator[Fact]:
    """ML-MOR-5: gone from the fight by ruling."""
    find_actor(said.who, state, "who")
    if not said.reason:
        raise refusal("RULING", what="flight").of_field("reason")
    check_target(said.who, state)
    yield Ruled(rules=("ML-MOR-5",), name="flight", text=said.reason, because=f"{said.who} flees")
    yield put_to_flight(said.who, state, "ML-MOR-5")
