"""The game of MARS: the turn that an action begins, the function that decides it, and what follows by itself.

While an attack is announced, only answers, readied actions (GR-RDY-2), `go`, rulings and the like are accepted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from ledger.declarations import Declaration, Ruling
from ledger.dice import Dice
from ledger.facts import Fact, Sum
from ledger.game import NextTurn, Situation
from projections.state import State
from rulebooks.common import announcements
from rulebooks.common.adjustments import Adjust
from rulebooks.common.announcements import Announce, Go
from rulebooks.common.conditions import has_condition
from rulebooks.common.game import Game
from rulebooks.common.options import SetOption
from rulebooks.common.sheets import edited_entries, sheet_edit
from rulebooks.mars import sheets
from rulebooks.mars.combat import announced, attack
from rulebooks.mars.combat.weapons import carried_items, held_items, held_weapons, weapon_of
from rulebooks.mars.declarations.combat import Answer, Attack, Blow
from rulebooks.mars.declarations.harm import ApplyEffect, RemoveEffect, Repair, Stabilise
from rulebooks.mars.declarations.maneuvers import AcquireManeuver, AnswerWithManeuver, Maneuver
from rulebooks.mars.declarations.sheets import ChangeSheet, CreateCharacter, CreateNpc
from rulebooks.mars.declarations.tasks import Check, GroupCheck, UseSkill
from rulebooks.mars.declarations.turns import (
    Brandish,
    CancelLongAction,
    ContinueLongAction,
    DropProne,
    InitiativeRuling,
    Interact,
    Move,
    Ready,
    Rise,
    SeekCover,
    SpecialAction,
    StartLongAction,
    TriggerReadied,
)
from rulebooks.mars.guards import (
    AP,
    CHALLENGE,
    FREE_ACTION,
    HEALTH,
    REACTION,
    RESOURCES,
    STUNNED,
    initiative_due,
    is_able,
    next_to_act,
)
from rulebooks.mars.harm import concentration, days, death, deprivation, effects, fire, medicine, rest, traps
from rulebooks.mars.harm.effects import EFFECTS, SAID
from rulebooks.mars.maneuvers import performance, slots
from rulebooks.mars.maneuvers.table import is_reaction, rows
from rulebooks.mars.rulings import RULEBOOK
from rulebooks.mars.tasks import skills
from rulebooks.mars.tasks.stat_values import COMBAT_SKILLS, DERIVED, SKILL, SKILLS
from rulebooks.mars.turns import (
    actions,
    challenge_turns,
    cover,
    encounter,
    hands,
    initiative,
    long_actions,
    movement,
    passes,
    ready,
    turns,
)
from rulebooks.mars.unclaimed import unclaimed

WHILE_ANNOUNCED: Final = (
    Answer,
    AnswerWithManeuver,
    Go,
    TriggerReadied,
    Announce,
    SetOption,
    Adjust,
    CreateCharacter,
    CreateNpc,
    ChangeSheet,
)
TURN_ACTIONS: Final = (
    Attack,
    Maneuver,
    UseSkill,
    Brandish,
    DropProne,
    Rise,
    Interact,
    SpecialAction,
    Move,
    SeekCover,
    Ready,
    StartLongAction,
    ContinueLongAction,
    CancelLongAction,
    Stabilise,
)
"""Whoever does one of these begins the own turn with it, if that is due and its start needs no dice."""


class Mars(Game):
    """MARS."""

    name = "mars"
    version = "1"
    rulebook = RULEBOOK
    turn_actions = ((AP, actions.POINTS_A_TURN), (FREE_ACTION, 1), (REACTION, 1))
    modules = (
        attack,
        announced,
        initiative,
        challenge_turns,
        turns,
        ready,
        encounter,
        passes,
        skills,
        traps,
        concentration,
        medicine,
        death,
        days,
        performance,
        sheets,
        hands,
        actions,
        movement,
        cover,
        long_actions,
        effects,
        fire,
        rest,
        deprivation,
        slots,
    )

    def decide(self, said: Declaration, state: State, dice: Dice) -> Iterator[Fact]:
        """Begin the turn of whoever acts, decide the declaration, and go on with the encounter by itself."""
        self.check_speaker(said)
        if not isinstance(said, WHILE_ANNOUNCED):
            announcements.check_nothing_announced(state)
        if begins_turn(said):
            yield from turns.open_turn(said.by, state, dice)
        yield from self.dispatch(said, state, dice)
        yield from turns.advance(state)

    def decide_ruling(self, said: Ruling, state: State) -> Iterator[Fact]:
        """GR-GAP-54: decide a ruling of the game master, also while an attack is announced."""
        yield from super().decide_ruling(said, state)
        yield from turns.advance(state)

    def before_close(self, state: State) -> Iterator[Fact]:
        """An attack that was only announced does not happen."""
        return announced.void(state)

    def unclaimed(self, said: Declaration, state: State) -> Iterable[Situation]:
        """Return situations that were known or possible and not said."""
        return unclaimed(said, state)

    def answers(self, said: Declaration, state: State) -> Iterable[str]:
        """GR-ACT-5: return who may answer an attack before its dice."""
        return announced.possible_reactors(said, state) if isinstance(said, announced.ANNOUNCED) else ()

    def can_use(self, who: str, action: str, state: State) -> bool:
        """GR-UNC-1, GR-STU-4: the helpless take no action, and the stunned have no reaction."""
        return is_able(who, state) and not (action == REACTION and has_condition(who, STUNNED, state))

    def left(self, who: str, state: State) -> Mapping[str, int]:
        """GR-ACT-1, GR-ACT-4: points and actions are those of the own turn; outside it there is the reaction."""
        own = state.encounter is not None and state.encounter.turn == who
        return {action: number for action, number in super().left(who, state).items() if own or action == REACTION}

    def next_turns(self, state: State) -> Iterable[NextTurn]:
        """GR-INIT-4: return the open turn, or those of which the team may choose one."""
        return passes.next_turns(state)

    def next_up(self, state: State) -> Iterable[str]:
        """GR-INIT-1, GR-INIT-5: those who have to roll, whose turn it is, or of whom the team may choose one."""
        encounter = state.encounter
        if encounter is None or encounter.scale == CHALLENGE:
            return ()
        return initiative_due(encounter, state) or super().next_up(state) or next_to_act(encounter, state)

    def days_of_rest(self, who: str, state: State) -> int:
        """GR-RES-1: return the long rests until all health is back."""
        return rest.days_of_rest(who, state)

    def computed(self, who: str, state: State) -> Iterable[Sum]:
        """GR-MOV-1: the speed of somebody now."""
        return (movement.speed_sum(who, state),) if (who, HEALTH) in state.pools else ()

    def vocabulary(self, declaration: type[Declaration], field: str, state: State, by: str) -> Iterable[str]:
        """Return items, skills, maneuvers, effects, teams and the names of options."""
        if declaration is AnswerWithManeuver and field == "name":
            yield from performance.ANSWERS
        elif declaration is Maneuver and field == "name":
            yield from slots.learned_maneuvers(by, state)
            yield from rows()
        elif declaration is AcquireManeuver and field == "name":
            yield from rows()
        elif declaration is Ready and field == "maneuver":
            yield from (row.name for row in rows().values() if not row.is_reaction)
        elif declaration in (ApplyEffect, RemoveEffect) and field == "effect":
            yield from EFFECTS
            yield from SAID
        elif issubclass(declaration, Blow | Ready) and field == "weapon":
            yield from (weapon.name for weapon in held_weapons(by, state))
        elif field == "skill" and issubclass(declaration, Blow | AcquireManeuver):
            yield from COMBAT_SKILLS
        elif declaration is Brandish and field == "items":
            yield from carried_items(by, state)
        elif declaration is Repair and field == "item":
            yield from sorted({pool for _, pool in state.pools} - set(RESOURCES))
        elif field == "item":
            yield from held_items(by, state)
        elif field in ("name", "skill", "opposed") and declaration in (Check, GroupCheck, UseSkill):
            own = (entry.removeprefix(SKILL) for entry in state.sheet_of(by) if entry.startswith(SKILL))
            yield from dict.fromkeys((*own, *SKILLS, *DERIVED))
        elif declaration is InitiativeRuling and field == "teams":
            yield from (slot.slot for slot in state.encounter.order) if state.encounter else ()
        elif declaration is Ruling and field == "changes":
            yield "option"
        else:
            yield from super().vocabulary(declaration, field, state, by)

    def refused_words(self, declaration: type[Declaration], field: str, state: State, by: str) -> Iterable[str]:
        """GR-BRA-1: return the weapons and items that somebody does not have in hand."""
        held = held_items(by, state)
        if declaration is Repair:
            return []
        if field == "weapon" and issubclass(declaration, Blow | Ready):
            return [item for item in carried_items(by, state) if item not in held and weapon_of(by, item, state)]
        return [item for item in carried_items(by, state) if item not in held] if field == "item" else []

    def sheet(self, content: Mapping[str, Any], where: str) -> Declaration:
        """Return the declaration of a sheet file."""
        return sheets.sheet(content, where)

    def sheet_edits(self, said: Any, because: str, before: Any = None) -> Declaration:
        """Return the change of a sheet in play to this one."""
        cast = sheets.sheet_of(before) if before else None
        return sheet_edit(said, ChangeSheet, because, edited_entries(cast, sheets.sheet_of(said)))


def begins_turn(said: Declaration) -> bool:
    """Tell whether somebody begins the own turn by saying this, or by announcing it."""
    if isinstance(said, Announce):
        said = announcements.announced_declaration(said, *announced.ANNOUNCED)
    return isinstance(said, TURN_ACTIONS) and not (isinstance(said, Maneuver) and is_reaction(said.name))


GAME: Final = Mars()
