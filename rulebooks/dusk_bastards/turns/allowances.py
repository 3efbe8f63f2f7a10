"""The actions of a round: whether somebody may use one now, and the actions left after it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from ledger.errors import Refused
from ledger.facts import Fact
from ledger.names import capital
from projections.state import Encounter, State
from rulebooks.common.beings import name_list, speaker
from rulebooks.common.conditions import condition_end, has_condition
from rulebooks.common.values import action_use
from rulebooks.dusk_bastards import guards
from rulebooks.dusk_bastards.declarations.tasks import Task
from rulebooks.dusk_bastards.declarations.turns import Pass
from rulebooks.dusk_bastards.texts import refusal
from rulebooks.dusk_bastards.world.clock import COMBAT

Action = Literal["move", "standard", "bonus", "action", "none"]
PHASE_OF: Final = {"move": "movement", "standard": "action", "bonus": "action"}
PARTS_OF: Final = {"movement": ("move",), "action": ("standard", "bonus")}


def check_action(turn: guards.Turn, action: Action | None, state: State, *, is_attack: bool = False) -> None:
    """DB-ACTN-4: the right phase, an action left for it that fits it, and one's own turn.

    DB-ACTN-4, DB-BONUS-1: an attack is a standard action, never a bonus action, and free only outside combat.
    """
    who, encounter = turn.who, turn.encounter
    fits = not is_attack or action in (None, "standard") or (action == "none" and not turn.in_combat)
    if not fits and not turn.in_combat:
        raise slot_refusal(who, str(action), state)
    if encounter is None or (action == "none" and fits):
        return
    if not turn.in_combat:
        check_action_left(who, "action", state)
        return
    wanted = action or "standard"
    phase = PHASE_OF.get(wanted, "action")
    if encounter.phase != phase:
        raise suggest_pass(phase_refusal(phase, encounter, state), who, encounter)
    if wanted == "standard" and turn.has_delayed:
        return
    if not fits:
        raise slot_refusal(who, "free" if wanted == "none" else wanted, state)
    check_action_left(who, wanted, state)
    check_turn(who, encounter, state)


def check_moment(said: Task, turn: guards.Turn, state: State, *, is_attack: bool = False) -> None:
    """DB-ACTN-4: it is their moment for this."""
    check_action(turn, said.slot, state, is_attack=is_attack)
    check_take20(said, turn)


def check_move(who: str, state: State, *, physical: bool = True) -> guards.Turn:
    """DB-ACTN-1, DB-ACTN-4: one move action, in the movement phase, in one's own slot."""
    turn = guards.turn_in_combat(who, state, physical=physical)
    check_action(turn, "move", state)
    return turn


def check_take20(said: Task, turn: guards.Turn) -> None:
    """DB-T20-3: twenty rounds would pass: there is no time to take 20 in combat."""
    if said.take20 and turn.in_combat:
        raise refusal("T20-COMBAT")


def check_reaction(who: str, state: State, *, in_encounter: bool, physical: bool) -> guards.Turn:
    """DB-ACTN-2: one reaction a round, at any time, whoever's turn it is (DB-GAP-65)."""
    guards.check_alive(who, state)
    turn = guards.turn_of(who, state)
    encounter = turn.encounter
    if encounter is None and in_encounter:
        raise guards.encounter_refusal(who, state)
    guards.check_unhindered(who, state, reacts=True)
    if physical:
        guards.check_not_paralysed(who, state)
    if encounter is not None and not encounter.round:
        check_turn(who, encounter, state)
    if encounter is not None and not state.actions_left(who, "reaction"):
        raise refusal("REACTION", name=who)
    return turn


def use_reaction(turn: guards.Turn, state: State, *rules: str) -> Iterator[Fact]:
    """DB-ACTN-2: the reaction of this round is used."""
    if turn.encounter is not None:
        yield action_use(turn.who, "reaction", state, "used", "DB-ACTN-2", *rules)


def check_action_left(who: str, action: str, state: State) -> None:
    """DB-ACTN-1: so many of each action and no more."""
    if not state.actions_left(who, action):
        raise slot_refusal(who, "further" if action == "action" else action, state)


def check_turn(who: str, encounter: Encounter, state: State) -> None:
    """DB-ENC-6, DB-ENC-8: one's own turn; nobody's until all have rolled for their place."""
    if encounter.turn != who:
        first = encounter.turn or awaiting_initiative(encounter, state)[0]
        way = capital(turn_now(encounter, state))
        if encounter.turn:
            moment = f"Round {encounter.round}, {encounter.phase} phase: {what_is_left(encounter, state)}"
            way = f"{moment}. Let {first} act first, or say {speaker(first, state)} pass"
        raise suggest_pass(refusal("TURN", name=first, way=way), who, encounter)


def phase_refusal(phase: str, encounter: Encounter, state: State) -> Refused:
    """DB-ENC-5: another phase, or none before all have rolled initiative; the refusal says whose turn it is."""
    return refusal("PHASE", phase=phase, way=capital(turn_now(encounter, state)))


def slot_refusal(who: str, kind: str, state: State) -> Refused:
    """DB-ACTN-1: no such action; the refusal says what is left."""
    left = [action for (whose, action), number in sorted(state.allowances.items()) if whose == who and number]
    running = guards.encounter_of(who, state)
    if running is None:
        return refusal("SLOT", name=who, kind=kind, way="Leave the slot out: outside an encounter nobody has any")
    has = f"{who} has {name_list(left)} left" if left else f"{who} has nothing left in round {running.round}"
    return refusal("SLOT", name=who, kind=kind, way=f"{has}; {turn_now(running, state)}")


def turn_now(encounter: Encounter, state: State) -> str:
    """DB-ENC-6, DB-ENC-8: the point of the cycle in words: who has to roll, whose turn it is, who has still to act."""
    if waiting := awaiting_initiative(encounter, state):
        have = "has" if len(waiting) == 1 else "have"
        return f"{name_list(waiting)} {have} not rolled initiative: {speaker(waiting[0], state)} initiative"
    if encounter.scale != COMBAT:
        left = [
            who
            for who in guards.members(encounter)
            if state.actions_left(who, "action") and not guards.is_out(who, state)
        ]
        return f"in round {encounter.round} {name_list(left)} can still act"
    if not encounter.turn:
        return f"nobody can act in {encounter.kind or 'this fight'}"
    moment = f"it is the {encounter.phase} phase of round {encounter.round} and the turn of {encounter.turn}"
    return f"{moment}: {what_is_left(encounter, state)}"


def slot_actions(encounter: Encounter, state: State) -> list[str]:
    """DB-ACTN-4: what the one whose turn it is has left in this phase."""
    return [action for action in PARTS_OF.get(encounter.phase, ()) if state.actions_left(encounter.turn, action)]


def lost_actions(who: str, state: State) -> tuple[str, ...]:
    """DB-ENC-8: the actions for which somebody's place in this round has gone by. DB-STD-4: a delayed one has not."""
    encounter = guards.encounter_of(who, state)
    if encounter is None or encounter.scale != COMBAT or encounter.phase != "action":
        return ()
    over = who in encounter.done and not has_condition(who, guards.DELAYED, state)
    return (*PARTS_OF["movement"], *(PARTS_OF["action"] if over else ()))


def what_is_left(encounter: Encounter, state: State) -> str:
    """DB-ACTN-4: what the one whose turn it is has left, in words."""
    return f"{encounter.turn} has {name_list(slot_actions(encounter, state) or ['nothing'])} left"


def suggest_pass(refusal: Refused, who: str, encounter: Encounter) -> Refused:
    """DB-ENC-11: add to the refusal the pass of the one whose turn it is, after which this may be declared.

    One's own move is not let go so: whoever moves last decides to stay (DB-ACTN-4).
    """
    is_own_move = encounter.turn == who and encounter.phase == "movement"
    return refusal if is_own_move or not encounter.turn else refusal.with_first(Pass(by=encounter.turn))


def use_action(turn: guards.Turn, action: Action | None, state: State, *rules: str) -> Iterator[Fact]:
    """DB-ACTN-1: an action is used; a delayed one is undone by being taken (DB-STD-4)."""
    if turn.encounter is None or action == "none":
        return
    wanted = action or "standard" if turn.in_combat else "action"
    if wanted == "standard" and turn.has_delayed:
        yield condition_end(f"{guards.DELAYED} {turn.who}", state, "used", "DB-STD-4")
        return
    yield action_use(turn.who, wanted, state, "used", "DB-ACTN-1", *rules)


def awaiting_initiative(encounter: Encounter, state: State) -> list[str]:
    """DB-ENC-2: those in a combat who have not rolled for a place in its order."""
    if encounter.scale != COMBAT or not encounter.unplaced:
        return []
    return [who for who in encounter.unplaced if not guards.is_out(who, state)]
