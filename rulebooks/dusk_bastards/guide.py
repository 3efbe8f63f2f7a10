"""What a screen asks of Dusk Bastards: who is up, what is left, words that fit, and what was not said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Final

import msgspec

from ledger.declarations import Declaration, Ruling
from ledger.errors import Refused
from ledger.facts import GM
from projections.state import State
from rulebooks.common.adjustments import Adjust
from rulebooks.common.beings import name_in_line
from rulebooks.common.conditions import has_condition
from rulebooks.common.guide import Guide, Situation
from rulebooks.dusk_bastards import case_law, guards, rulings, unclaimed
from rulebooks.dusk_bastards.combat import situations, weapons
from rulebooks.dusk_bastards.declarations import combat, parts, turns
from rulebooks.dusk_bastards.declarations.harm import SetCondition
from rulebooks.dusk_bastards.declarations.tasks import Attempt, Search, Task
from rulebooks.dusk_bastards.harm import conditions, rest, wounds
from rulebooks.dusk_bastards.harm.health import HEALTH
from rulebooks.dusk_bastards.tasks import costs, destiny, retries, stats
from rulebooks.dusk_bastards.texts import TEXTS
from rulebooks.dusk_bastards.turns import allowances, cycle

MIDDLING_DAMAGE: Final = 4  # of a weapon that is on no sheet


class DuskBastardsGuide(Guide):
    """The guide of Dusk Bastards."""

    turn_actions = cycle.COMBAT_ACTIONS
    turn_phases = ("action", "movement")
    days_of_rest = staticmethod(wounds.carried_value)  # DB-HEAL-3: one point of one wound a day

    def next_up(self, state: State) -> Iterable[str]:
        """DB-ENC-2: whose turn it is; before the first round those who have not rolled for a place in the order."""
        encounter = state.encounter
        if encounter is None or encounter.turn:
            return super().next_up(state)
        rolling = {each.who for each in state.windows.values()}
        return [who for who in allowances.awaiting_initiative(encounter, state) if who not in rolling]

    def left(self, who: str, state: State) -> Mapping[str, int]:
        """DB-ENC-8: what somebody can still use in this round: nothing of a turn that is over, or that a stun cost."""
        over = allowances.lost_actions(who, state)
        return {action: number for action, number in super().left(who, state).items() if action not in over}

    def has_any_left(self, who: str, state: State) -> bool:
        """DB-ACTN-4: who has a standard action left need not be asked for more."""
        standard = state.actions_left(who, "standard") and self.can_use(who, "standard", state)
        if standard and "standard" not in allowances.lost_actions(who, state):
            return True
        return super().has_any_left(who, state)

    def left_undone(self, who: str, state: State) -> str:
        """DB-ZERO-1, DB-DMG-4: damage to 0 health brings down, and a number that is changed by hand does not."""
        is_up = not (has_condition(who, guards.STUNNED, state) or guards.is_down(who, state))
        if not is_up or state.points(who, HEALTH):
            return ""
        return f"{who} has 0 health and is up: a change by hand is no damage, as ! damage {name_in_line(who)} 5 is."

    def rests_left(self, who: str, state: State) -> Mapping[str, bool]:
        """DB-REC-3: each of the four rests once a day."""
        return rest.rests_left(who, state) if state.kind(who) == "pc" else {}

    def unclaimed(self, said: Declaration, state: State) -> Iterable[Situation]:
        """Return situations of an attempt, attack or defence that were known or possible and not said, and rulings."""
        said = weapons.with_weapon(said, state)
        tried = retries.tasks_tried(said, state)
        yield from unclaimed.rulings(said, tried, state)
        said = case_law.with_law(said, tried, state)
        if isinstance(said, Task):
            with suppress(Refused):  # a situation that does not fit is ignored
                yield from unclaimed.known_situations(said, state)
            yield from unclaimed.possible_situations(said, state)

    def vocabulary(self, declaration: type[Declaration], field: str, state: State, by: str) -> Iterable[str]:
        """Return tasks of a sheet and common ones, options, conditions, situations, and what may be denied."""
        if declaration is Attempt and field in ("task", "skill"):
            yield from stats.tasks_of(by, state)
        if declaration is Attempt and field == "verb":  # in common use, at the beginning of a task
            yield from (word for stat in parts.STATS for word in TEXTS.lexicon.words[stat])
        if declaration in (combat.Attack, combat.AreaAttack, combat.Intercept) and field == "task":
            yield from dict.fromkeys([*weapons.weapons_of(by, state), *stats.tasks_of(by, state)])
        if declaration is combat.Defence and field == "foe_weapon":
            foes = [being.name for being in state.beings_in_order() if being.kind == "npc"]
            yield from dict.fromkeys(weapon for foe in foes for weapon in weapons.weapons_of(foe, state))
        yield from super().vocabulary(declaration, field, state, by)
        if declaration is Ruling and field == "changes":
            yield from (*case_law.SUBJECTS, rulings.WOUND)
        if declaration is Adjust and field == "value":
            yield destiny.DOOM
        if declaration is SetCondition and field == "name":
            yield from conditions.NAMES
        if field == "situations":
            yield from situations.LIGHT_WORDS if issubclass(declaration, Search) else situations.situation_words()
        if field == "denied":
            yield from situations.deniable_names(state)

    def can_use(self, who: str, action: str, state: State) -> bool:
        """DB-WOUND-5, DB-WOUND-9, DB-SPEC-2: not the dead, the critically wounded and the stunned."""
        return guards.can_use(who, action, state)

    def is_out(self, who: str, state: State) -> bool:
        """DB-WOUND-5, DB-WOUND-9, DB-DMG-5: dead, incapacitated or critically wounded."""
        return guards.is_down(who, state)

    def can_strike(self, who: str, state: State) -> bool:
        """DB-ACTN-5: with a standard action left, in the phase of actions, in the own turn or with a delayed action."""
        encounter = state.encounter
        if encounter is None:
            return True
        is_up = encounter.turn == who or state.kind(who) != "pc" or has_condition(who, guards.DELAYED, state)
        return is_up and encounter.phase == "action" and state.actions_left(who, "standard") > 0

    def strikes(self, who: str, target: str, state: State) -> Iterable[Declaration]:
        """DB-STD-1: an attack with a weapon of the sheet, else a middling one. DB-ROLL-3: what foes do is defended."""
        if state.kind(who) != "pc":
            yield combat.Defence(by=target, source=who)
            return
        for weapon in weapons.weapons_of(who, state):
            yield combat.Attack(by=who, target=target, task=weapon)
        stat = max(parts.STATS, key=lambda stat: state.points(who, stat))
        yield combat.Attack(by=who, target=target, stat=stat, damage=MIDDLING_DAMAGE)

    def fight(self, who: Sequence[str]) -> Declaration:
        """DB-ENC-1: return the declaration that begins a combat."""
        return turns.StartEncounter(by=GM, participants=tuple(who))

    def strike_fields(self, said: Declaration) -> tuple[str, str] | None:
        """DB-ROLL-3: a defence is the attack of its source."""
        if isinstance(said, combat.Defence):
            return ("source", "by") if said.source else None
        return super().strike_fields(said)

    def levels(self, said: Declaration, state: State) -> Iterable[tuple[str, Declaration]]:
        """DB-EFFORT-4: return the task with every level of Effort that its limit allows."""
        if isinstance(said, Task):
            levels = range(min(costs.effort_limit(said.by, state), costs.EFFORT_STEPS_MOST) + 1)
            return [(f"e{level}", msgspec.structs.replace(said, effort=level)) for level in levels]
        return [("", said)]
