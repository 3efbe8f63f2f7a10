"""The beginning and the end of an encounter: teams, awareness, latecomers, and what stands still afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from ledger.dice import Dice
from ledger.facts import Allowed, CountsCleared, EncounterBegan, EncounterEnded, Fact, OrderSet, Reached, Ruled, Slot
from ledger.names import fold_case
from projections.state import Condition, Encounter, State
from rulebooks.common.absence import begin_absence, end_absence, is_absent
from rulebooks.common.beings import name_list
from rulebooks.common.conditions import condition_end, has_condition, new_condition
from rulebooks.common.decisions import decides
from rulebooks.common.encounters import LeaveEncounter
from rulebooks.common.fates import find_fates
from rulebooks.mars import guards
from rulebooks.mars.declarations.turns import EndEncounter, JoinEncounter, StartEncounter
from rulebooks.mars.harm import injuries, wounds
from rulebooks.mars.maneuvers.aids import end_of_turn
from rulebooks.mars.tasks.checks import entry_dice
from rulebooks.mars.texts import check_reason, refusal, value_refusal
from rulebooks.mars.turns import durations, turns

LEFT_BEHIND: Final = (guards.COVER, guards.SURPRISED, guards.READIED, guards.LONG_ACTION)
ENDS_WITH_ENCOUNTER: Final = (*LEFT_BEHIND, guards.INITIATIVE)
WAYS_OUT: Final = (guards.DEAD, guards.DYING, guards.UNCONSCIOUS, guards.DEFEATED)
TURN_BOUND: Final = (guards.DYING, guards.BURNING, guards.STUNNED)
HAD: Final = {
    guards.DEBILITATION: "a debilitated",
    guards.ENHANCEMENT: "an enhanced",
    "back-step": "the step back",
    "battle-cry": "the battle cry",
    "feint": "a feint",
}
BEEN: Final = {guards.SICKNESS: "sick", "poison": "poisoned", "brace": "braced", "wild-strike": "off guard"}


@decides(StartEncounter)
def start_encounter(said: StartEncounter, state: State) -> Iterator[Fact]:
    """GR-ENC-1: kind, teams and reason are the game master's. GR-GAP-10: everybody has a reaction from the start."""
    for who in said.participants:
        guards.check_alive(who, state)
    guards.check_no_encounter(state)
    taking_part = participants(said, state)
    teams = teams_of(said, taking_part, state)
    scale = guards.CHALLENGE if said.kind == guards.CHALLENGE else "encounter"
    yield EncounterBegan(
        rules=("GR-ENC-1", "GR-CHAL-1") if scale == guards.CHALLENGE else ("GR-ENC-1", "GR-ENC-2", "GR-ENC-3"),
        encounter=said.reason or said.kind,
        kind=said.kind,
        scale=scale,
        sides=tuple(teams.items()),
        because=said.reason,
    )
    slots = tuple(Slot(slot=team, score=None, who=who) for team, who in teams.items())
    yield OrderSet(rules=("GR-ENC-1",), slots=slots)
    for who in taking_part:
        yield from end_absence(who, state, "GR-ENC-1")
    if scale == guards.CHALLENGE:
        return
    yield Allowed(
        rules=("GR-ACT-4", "GR-GAP-10"), who=tuple(taking_part), actions=((guards.REACTION, 1),), until="round"
    )
    yield from surprise(said, teams)
    for who in taking_part:
        yield Reached(rules=("GR-INIT-1",), point="awaited", round=0, who=who)


def participants(said: StartEncounter, state: State) -> list[str]:
    """GR-ENC-1: those who are named, or everybody in play who is alive and has not left."""
    if said.participants:
        return list(dict.fromkeys(said.participants))
    in_play = [being.name for being in state.beings_in_order() if (being.name, guards.HEALTH) in state.pools]
    return [who for who in in_play if not has_condition(who, guards.DEAD, state) and not is_absent(who, state)]


def teams_of(said: StartEncounter, taking_part: list[str], state: State) -> dict[str, tuple[str, ...]]:
    """GR-ENC-1: everybody is in exactly one team, of the sheet or as said; in order of entry (GR-GAP-9)."""
    chosen: dict[str, str] = {}
    for member in said.teams:
        if chosen.setdefault(member.who, member.team) != member.team:
            raise refusal("TEAMS", name=member.who)
        if member.who not in taking_part:
            raise value_refusal("teams", "those who take part", member.who)
    if not taking_part:
        raise refusal("TEAMS", name="nobody takes part")
    for who in said.unaware:
        if who not in taking_part:
            raise value_refusal("unaware", "those who take part", who)
    by_team: dict[str, list[str]] = {}
    for who in taking_part:
        by_team.setdefault(chosen.get(who) or guards.home_team(who, state), []).append(who)
    return {team: tuple(those) for team, those in by_team.items()}


def surprise(said: StartEncounter, teams: dict[str, tuple[str, ...]]) -> Iterator[Fact]:
    """GR-ENC-3: in combat, if somebody is aware of an opponent who is not: the unaware are surprised (GR-GAP-6)."""
    if said.combat != "combat" or not said.unaware:
        return
    aware = {team: [who for who in those if who not in said.unaware] for team, those in teams.items()}
    unaware = {team: [who for who in those if who in said.unaware] for team, those in teams.items()}
    if any(aware[one] and unaware[other] for one in teams for other in teams if one != other):
        for who in (who for those in unaware.values() for who in those):
            yield new_condition(who, guards.SURPRISED, "GR-ENC-3", "GR-ENC-4")


@decides(JoinEncounter)
def join_encounter(said: JoinEncounter, state: State) -> Iterator[Fact]:
    """GR-ENC-1: a latecomer takes part in the slots of the team; a new team comes last."""
    guards.check_alive(said.who, state)
    encounter = guards.running_encounter(state)
    if guards.is_member(said.who, encounter, state):
        raise refusal("TEAMS", case="in", name=said.who)
    before = encounter.slot(said.who)  # of who has left
    team = said.team or (before.slot if before else guards.home_team(said.who, state))
    yield from end_absence(said.who, state, "GR-ENC-1")
    if before is None or fold_case(before.slot) != fold_case(team):
        slots = join_team(said.who, team, encounter)
        yield OrderSet(rules=("GR-ENC-1", "GR-INIT-5"), slots=slots, because=f"{said.who} joins")
    if before is not None or encounter.scale == guards.CHALLENGE:
        return
    yield Allowed(rules=("GR-ACT-4", "GR-GAP-10"), who=(said.who,), actions=((guards.REACTION, 1),), until="round")
    if not guards.has_begun(encounter):
        yield Reached(rules=("GR-INIT-1",), point="awaited", round=0, who=said.who)


def join_team(who: str, team: str, encounter: Encounter) -> tuple[Slot, ...]:
    """GR-ENC-1: return the slots with somebody in this team, and in no other; a new team comes last."""
    others = [
        msgspec.structs.replace(slot, who=tuple(name for name in slot.who if name != who)) for slot in encounter.order
    ]
    slots = [
        msgspec.structs.replace(slot, who=(*slot.who, who)) if fold_case(slot.slot) == fold_case(team) else slot
        for slot in others
    ]
    if all(who not in slot.who for slot in slots):
        slots.append(Slot(slot=team, score=None, who=(who,)))
    return tuple(slot for slot in slots if slot.who)


@decides(LeaveEncounter)
def leave_encounter(said: LeaveEncounter, state: State) -> Iterator[Fact]:
    """GR-ENC-1: who leaves, by a ruling, has no slot any more. GR-GAP-64: what needs rounds of theirs stands still."""
    encounter = guards.check_in_encounter(guards.find_actor(said.who, state), state)
    check_reason(said.reason, "leaving")
    yield Ruled(rules=("GR-ENC-1",), name="leave", text=f"{said.who} leaves the encounter", because=said.reason)
    if encounter.turn == said.who:
        yield from turns.close_slot(said.who, state)
    yield from notices((said.who,), state)
    for id, condition in state.conditions_of(said.who):
        if condition.name in LEFT_BEHIND:
            yield condition_end(id, state, "left", "GR-ENC-1", "GR-GAP-64")
    yield begin_absence(said.who, "GR-ENC-1")


@decides(EndEncounter)
def end_encounter(said: EndEncounter, state: State, dice: Dice) -> Iterator[Fact]:
    """GR-ENC-5: the game master ends it. GR-GAP-64: what is bound to turns stands still; the rest is cleared."""
    encounter = guards.running_encounter(state)
    yield from notices(guards.members(encounter, state), state)
    yield from injuries.injure_fallen(state, entry_dice(dice))
    yield from end_of_turn(state)
    for id, condition in sorted(state.conditions.items()):
        if condition.name in ENDS_WITH_ENCOUNTER or any(end.at == "encounter" for end in condition.ends):
            yield condition_end(id, state, "the rounds are over", "GR-GAP-64", "GR-ENC-5")
    yield from durations.stand_still(state)
    for until in ("turn", "round"):
        yield CountsCleared(rules=("GR-GAP-64",), until=until)
    if encounter.turn or encounter.done:
        yield turns.round_time(encounter)
    fates = find_fates(encounter.in_order, WAYS_OUT, state)
    yield EncounterEnded(
        rules=("GR-ENC-5", "GR-GAP-64"), encounter=encounter.id, because=said.reason, stand=fates.stand, out=fates.out
    )


def notices(taking_part: Iterable[str], state: State) -> Iterator[Fact]:
    """GR-GAP-64: say which states that need turns are still open, and whose."""
    for who in taking_part:
        open_states = [
            condition
            for _, condition in state.conditions_of(guards.find_actor(who, state))
            if condition.name in TURN_BOUND or any(end.at == durations.TURN and end.due for end in condition.ends)
        ]
        if open_states and not has_condition(who, guards.DEAD, state):
            yield wounds.notice(who, f"{who} {still(open_states)}: it goes on in the next encounter", "GR-GAP-64")


def still(open_states: Iterable[Condition]) -> str:
    """Return `is still burning and still has +1 to dexterity`: what somebody is, then what somebody has."""
    been, had = list[str](), list[str]()
    for condition in open_states:
        kind, _, stat = condition.name.partition(" ")
        if kind in guards.STATS:
            had.append(f"{dict(condition.effects)[kind]:+} to {kind}")
        elif kind in HAD:
            had.append(" ".join(filter(None, (HAD[kind], stat))))
        else:
            been.append(BEEN.get(condition.name, condition.name))
    is_still = f"is still {name_list(tuple(dict.fromkeys(been)))}" if been else ""
    has_still = f"still has {name_list(tuple(dict.fromkeys(had)))}" if had else ""
    return " and ".join(filter(None, (is_still, has_still)))
