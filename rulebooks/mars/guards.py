"""Who can act at all: the names of conditions that bear on it, and the checks of every declaration, in order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.errors import Refused
from ledger.facts import Fact, Slot
from projections.derived import derived, derived_of_being
from projections.state import Encounter, State
from rulebooks.common.absence import ABSENT, absentees
from rulebooks.common.beings import name_in_line, name_list, speaker
from rulebooks.common.conditions import find_condition, has_any, has_condition
from rulebooks.common.encounters import EndTurn
from rulebooks.common.values import action_use
from rulebooks.mars.texts import is_on, option, refusal

STRENGTH: Final = "strength"
DEXTERITY: Final = "dexterity"
INTELLIGENCE: Final = "intelligence"
RESOLVE: Final = "resolve"
STATS: Final = (STRENGTH, DEXTERITY, INTELLIGENCE, RESOLVE)
HEALTH: Final = "health"
ENDURANCE: Final = "endurance"
STAMINA: Final = "stamina"
FOCUS: Final = "focus"
RESOURCES: Final = (HEALTH, ENDURANCE, STAMINA, FOCUS)
MAXIMUM_STAT: Final = {HEALTH: STRENGTH, ENDURANCE: RESOLVE, STAMINA: DEXTERITY, FOCUS: INTELLIGENCE}

UNCONSCIOUS: Final = "unconscious"
DYING: Final = "dying"
DEAD: Final = "dead"
DEFEATED: Final = "defeated"
PRONE: Final = "prone"
STUNNED: Final = "stunned"
BLIND: Final = "blind"
BURNING: Final = "burning"
SICKNESS: Final = "sickness"
ENCUMBERED: Final = "encumbered"
OVERENCUMBERED: Final = "overencumbered"
DEBILITATION: Final = "debilitation"
ENHANCEMENT: Final = "enhancement"
COVER: Final = "cover"
SURPRISED: Final = "surprised"
HELD: Final = "held fast"
READIED: Final = "readied"
LONG_ACTION: Final = "long action"
CONCENTRATION: Final = "concentration"
INITIATIVE: Final = "initiative"
HELPLESS: Final = (DEAD, UNCONSCIOUS, DYING, DEFEATED)
WITHOUT_TURNS: Final = (DEAD, DEFEATED, ABSENT)

AP: Final = "ap"
FREE_ACTION: Final = "free action"
REACTION: Final = "reaction"
CHALLENGE: Final = "challenge"
SURPRISE: Final = "surprise"


def find_actor(who: str, state: State) -> str:
    """Return a character in play under the name on the sheet. Raises the refusal of anybody else."""
    being = state.being(who)
    if being is None or being.name != who or (who, HEALTH) not in state.pools:
        raise refusal("UNKNOWN", name=who)
    return who


def check_alive(who: str, state: State) -> None:
    """GR-DYI-4: refuse the unknown and the dead."""
    if has_condition(find_actor(who, state), DEAD, state):
        raise refusal("DEAD", name=who)


def check_able(who: str, state: State) -> None:
    """GR-UNC-1: refuse the unknown, the dead, and those who can do nothing."""
    if is_able(find_actor(who, state), state):
        return
    check_alive(who, state)
    if has_condition(who, DYING, state):
        raise refusal("UNCONSCIOUS", case="dying", name=who)
    if has_condition(who, UNCONSCIOUS, state):
        raise refusal("UNCONSCIOUS", name=who)
    if has_condition(who, DEFEATED, state):
        raise refusal("UNCONSCIOUS", case="defeated", name=who)


@derived_of_being
def is_able(who: str, state: State) -> bool:
    """GR-UNC-1: tell whether somebody can act at all."""
    return not has_any(who, HELPLESS, state)


@derived_of_being
def takes_turns(who: str, state: State) -> bool:
    """GR-GAP-55: the dead have no slot, nor the defeated (GR-CHAL-3), nor who has left; the helpless keep theirs."""
    return not has_any(who, WITHOUT_TURNS, state)


@derived_of_being
def may_take_turn(who: str, state: State) -> bool:
    """GR-ENC-4: tell whether somebody takes turns and is not surprised."""
    return takes_turns(who, state) and not has_condition(who, SURPRISED, state)


@derived_of_being
def owes_initiative(who: str, state: State) -> bool:
    """GR-INIT-1: tell whether somebody takes turns and has not rolled for them."""
    return takes_turns(who, state) and not has_condition(who, INITIATIVE, state)


def check_no_encounter(state: State) -> None:
    """Refuse what cannot happen while an encounter runs."""
    if state.encounter is not None:
        raise refusal("ENCOUNTER")


def running_encounter(state: State) -> Encounter:
    """GR-ENC-1: the encounter that is running. Raises the refusal when there is none."""
    if state.encounter is None:
        raise refusal("NO-ENCOUNTER", way='Begin one: ! encounter "the gate"')
    return state.encounter


def members(encounter: Encounter, state: State) -> list[str]:
    """GR-ENC-1: those in the encounter, team by team, without those who have left it."""
    absent = absentees(state)
    return [who for who in encounter.in_order if who not in absent]


def is_member(who: str, encounter: Encounter, state: State) -> bool:
    """GR-ENC-1: whether somebody is in the encounter, and has not left it."""
    return who in encounter.in_order and not has_condition(who, ABSENT, state)


def is_challenge(state: State) -> bool:
    """GR-CHAL-1: tell whether a complex challenge runs, in which no action points are counted."""
    return state.encounter is not None and state.encounter.scale == CHALLENGE


def initiative_due(encounter: Encounter, state: State) -> list[str]:
    """GR-INIT-1: those who have not rolled yet, before the first turn."""
    if encounter.scale == CHALLENGE or has_begun(encounter):
        return []
    return [who for who in encounter.in_order if owes_initiative(who, state)]


def has_begun(encounter: Encounter) -> bool:
    """GR-ENC-2: whether the surprise round or the first round has begun."""
    return encounter.round > 0 or encounter.phase == SURPRISE


def initiative_of(who: str, state: State) -> int | None:
    """Return what somebody rolled, if they did."""
    condition = find_condition(who, INITIATIVE, state)
    return None if condition is None else condition.degree


def to_act(slot: Slot, encounter: Encounter, state: State) -> list[str]:
    """GR-INIT-5: those of a team who can still take a turn in this round. GR-ENC-4: not those who are surprised."""
    able = [who for who in slot.who if who not in encounter.done and may_take_turn(who, state)]
    if option(state, "team_internal_order") == "initiative" and able:
        return [max(able, key=lambda who: (initiative_of(who, state) or 0, -slot.who.index(who)))]
    return able


@derived("encounters", "conditions", "options")
def next_to_act(state: State) -> tuple[str, ...]:
    """GR-INIT-4: those who may act in the present slot: teams take turns; one with nobody left is passed over."""
    encounter = running_encounter(state)
    last = encounter.slot(encounter.done[-1]) if encounter.done else None
    first = encounter.order.index(last) + 1 if last else 0
    for slot in (*encounter.order[first:], *encounter.order[:first]):
        if able := to_act(slot, encounter, state):
            return tuple(able)
    return ()


def turn_now(state: State) -> str:
    """GR-INIT-4: say who has to roll, whose turn is open, or who can begin theirs."""
    encounter = running_encounter(state)
    if due := initiative_due(encounter, state):
        return f"{name_list(due)} must roll initiative first: {speaker(due[0], state)} initiative"
    if encounter.turn:
        return f"The turn of {encounter.turn} is open; it ends with: {speaker(encounter.turn, state)} end"
    able = next_to_act(state)
    begin = f", as in {speaker(able[0], state)} begin" if able else ""
    return f"The slot is that of {name_list(able, 'or')}{begin}"


def team_of(who: str, state: State) -> str:
    """Return the team of somebody in the encounter; outside it, that of the sheet."""
    slot = state.encounter.slot(who) if state.encounter else None
    return slot.slot if slot else home_team(who, state)


def home_team(who: str, state: State) -> str:
    """Return the team on the sheet; without one the players for their characters, else the foes."""
    default = "players" if state.kind(who) == "pc" else "foes"
    return str(state.sheet(who, "team") or default)


def are_foes(one: str, other: str, state: State) -> bool:
    """Tell whether two characters are of different teams."""
    return team_of(one, state) != team_of(other, state)


def check_in_encounter(who: str, state: State) -> Encounter:
    """GR-ENC-1: return the encounter. Refuses anybody outside it."""
    encounter = running_encounter(state)
    if not is_member(who, encounter, state):
        raise refusal("NO-ENCOUNTER", case="outside", name=who, way=f"Bring {who} in: ! join {name_in_line(who)}")
    return encounter


def check_own_turn(who: str, state: State) -> None:
    """GR-ACT-1: one's own turn. GR-CHAL-1: in a complex challenge there are no turns to keep."""
    encounter = check_in_encounter(who, state)
    if encounter.scale == CHALLENGE:
        return
    if encounter.turn != who:
        raise suggest_pass(refusal("NOT-TURN", name=who, way=turn_now(state)), encounter, state)


def suggest_pass(refusal: Refused, encounter: Encounter, state: State) -> Refused:
    """GR-INIT-4: add to the refusal of a turn the end of the one that is open, or of the one that comes next."""
    first = encounter.turn or next(iter(next_to_act(state) if has_begun(encounter) else ()), "")
    return refusal.with_first(EndTurn(by=first)) if first else refusal


def check_may_react(who: str, state: State, *, defence: bool = False) -> None:
    """GR-ACT-4, GR-STU-4, GR-GAP-60: refuse a reaction in the own turn or in nobody's, and of the surprised.

    A `defence` is allowed in the own turn too, and where a trap strikes between turns.
    """
    encounter = state.encounter
    if encounter is not None and not (encounter.turn or defence or is_challenge(state)):
        raise refusal("OWN-TURN", case="nobody", name=who, way=turn_now(state))
    if encounter is not None and encounter.turn == who and not (defence and is_on(state, "own_turn_defence")):
        raise refusal("OWN-TURN", name=who)
    if has_condition(who, SURPRISED, state) and is_on(state, "surprised_no_reactions"):
        raise refusal("STUNNED", case="surprised", name=who)


def check_not_stunned(who: str, state: State, *, free: bool = False) -> None:
    """GR-STU-4, GR-GAP-38: the stunned cannot react; free reactions too, unless the table says otherwise."""
    if has_condition(who, STUNNED, state) and not (free and not is_on(state, "stun_bars_free_reactions")):
        raise refusal("STUNNED", name=who)


def check_reaction_left(who: str, state: State) -> None:
    """GR-ACT-4: one reaction a round. Outside an encounter nothing counts them."""
    if state.encounter is not None and not is_challenge(state) and not state.actions_left(who, REACTION):
        in_rounds = option(state, "round_window") == "encounter_round"
        raise refusal("REACTION-USED", case="round" if in_rounds else "", name=who)


def use_reaction(who: str, state: State, *rules: str) -> Iterator[Fact]:
    """GR-ACT-4: the reaction of this round is used."""
    if state.encounter is not None and not is_challenge(state):
        yield action_use(who, REACTION, state, "used", *rules, "GR-ACT-4")
