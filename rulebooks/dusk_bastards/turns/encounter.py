"""Encounters: begin one, join it, leave it, end it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from ledger.facts import Allowed, CountsCleared, EncounterBegan, EncounterEnded, Fact, OrderSet, Slot, WoundChanged
from projections.state import Condition, Encounter, State
from rulebooks.common.absence import begin_absence, end_absence, is_absent
from rulebooks.common.conditions import condition_end, ending_conditions, with_ends
from rulebooks.common.decisions import decides
from rulebooks.common.encounters import LeaveEncounter
from rulebooks.common.fates import find_fates
from rulebooks.common.values import point_gain
from rulebooks.dusk_bastards import guards
from rulebooks.dusk_bastards.declarations.parts import Change
from rulebooks.dusk_bastards.declarations.turns import EndEncounter, JoinEncounter, StartEncounter
from rulebooks.dusk_bastards.harm import durations, health, stun
from rulebooks.dusk_bastards.texts import check_whole, option, value_refusal
from rulebooks.dusk_bastards.turns import cycle, initiative
from rulebooks.dusk_bastards.world.clock import COMBAT, pass_combat

CYCLE_BOUND: Final = ("slot", "turn", "phase", "round", "encounter", "use", "move")


@decides(StartEncounter)
def start_encounter(said: StartEncounter, state: State) -> Iterator[Fact]:
    """DB-ENC-1: a scene of any kind, with a time scale; DB-ENC-3: foes bring their initiative.

    All who are in play are in it, but the dead and those who left the last one; or those who are named.
    """
    for who in said.participants:
        guards.check_in_play(who, state, "participants")
    for who in said.participants:
        guards.check_not_out(who, state)
    guards.check_no_wound_due(state)
    if state.encounter is not None:
        raise guards.encounter_refusal("", state)
    there = [
        being
        for being in state.beings_in_order()
        if being.kind in ("pc", "npc") and not guards.is_out(being.name, state)
    ]
    called = said.participants or [being.name for being in there if not is_absent(being.name, state)]
    named = [being for being in there if being.name in called]
    sides = tuple(
        (side, tuple(being.name for being in named if being.side == side))
        for side in dict.fromkeys(being.side for being in named)
    )
    yield EncounterBegan(
        rules=("DB-ENC-1", "DB-TIME-1"),
        encounter=said.kind or said.scale,
        kind=said.kind,
        scale=said.scale,
        sides=sides,
    )
    for being in named:
        yield from end_absence(being.name, state, "DB-ENC-1")
    if said.scale == COMBAT:
        yield from durations.short_effects_in_rounds(tuple(being.name for being in named), 1, state)
        foes = [(being.name, initiative.npc_initiative(being.name, state)) for being in named if being.kind == "npc"]
        yield from initiative.set_order(foes, state, "DB-ENC-3")
    else:
        slots = tuple(Slot(slot=being.name, score=None, who=(being.name,)) for being in named)
        yield OrderSet(rules=("DB-ACT-1",), slots=slots)


@decides(JoinEncounter)
def join_encounter(said: JoinEncounter, state: State) -> Iterator[Fact]:
    """DB-GAP-63: a joiner brings a score or rolls for it, and acts from the next phase on."""
    who = said.who
    guards.check_in_play(who, state, "who")
    if said.initiative is not None:
        check_whole("initiative", said.initiative, 0)
    guards.check_alive(who, state)
    encounter = guards.running_encounter(state, who)
    if who in guards.members(encounter):
        raise guards.encounter_refusal(who, state)
    score = said.initiative
    if score is None and encounter.scale == COMBAT and guards.is_foe(who, state):
        score = initiative.npc_initiative(who, state)
    if encounter.scale == COMBAT:
        yield from durations.short_effects_in_rounds((who,), encounter.round, state)
    yield from end_absence(who, state, "DB-GAP-63")
    yield from initiative.set_order([(who, score)], state, "DB-GAP-63")
    if encounter.phase:
        yield from join_late(who, encounter, state)


def join_late(who: str, encounter: Encounter, state: State) -> Iterator[Fact]:
    """DB-GAP-63: a joiner acts from the next phase on. DB-ACT-1: a former member has no second turn in a round."""
    if who in encounter.done:
        return
    yield cycle.cycle_point("skipped", encounter, "DB-GAP-63", who=who)
    yield from cycle.end_due_at_slot(who, encounter, state)
    later, reaction = int(encounter.phase == "movement"), state.allowances.get((who, "reaction"), 1)
    actions = (("move", 0), ("standard", later), ("bonus", later), ("reaction", reaction))
    yield Allowed(rules=("DB-GAP-63", "DB-ACTN-1"), who=(who,), actions=actions, until="round")


@decides(LeaveEncounter)
def leave_encounter(said: LeaveEncounter, state: State) -> Iterator[Fact]:
    """DB-DUR-2: a leaver keeps an empty place in the order, so that effects due at it end there."""
    guards.check_no_wound_due(state)
    encounter = guards.running_encounter(state, said.who)
    if said.who not in guards.members(encounter):
        raise guards.encounter_refusal(said.who, state)
    slots = [msgspec.structs.replace(slot, who=()) if slot.slot == said.who else slot for slot in encounter.order]
    if said.who not in [slot.slot for slot in slots]:
        slots.append(Slot(slot=said.who, score=None, who=()))
    yield OrderSet(rules=("DB-GAP-63", "DB-DUR-2"), slots=tuple(slots), because=said.reason or f"{said.who} leaves")
    if not guards.is_out(said.who, state):
        yield begin_absence(said.who, "DB-GAP-63", "DB-ENC-1")


@decides(EndEncounter)
def end_encounter(said: EndEncounter, state: State) -> Iterator[Fact]:
    """DB-ENC-12: for everybody in it, in order of joining: stun, wounds, maximum, recovery; then its effects end."""
    chosen = dict(_health_choice(change, state) for change in said.regained)
    guards.check_no_wound_due(state)
    encounter = guards.running_encounter(state)
    there = dict.fromkeys([*encounter.members, *(slot.slot for slot in encounter.order)])
    for who in [who for who in chosen if who not in there]:
        raise value_refusal("regained", "the health of somebody in the encounter", f"{who}.{health.HEALTH}")
    for who in there:
        yield from recover_after(who, encounter, chosen.get(who), state)
    for id, condition in ending_conditions(state):
        if any(end.at in CYCLE_BOUND for end in condition.ends):
            yield end_in_encounter(id, condition, state)
    for until in ("round", "encounter"):
        yield CountsCleared(rules=("DB-ENC-12",), until=until)
    if encounter.scale == COMBAT and encounter.round:
        yield from pass_combat(encounter.round, state)
    fates = find_fates(tuple(there), guards.OUT, state)
    yield EncounterEnded(
        rules=("DB-ENC-12",), encounter=encounter.id, because=said.reason, stand=fates.stand, out=fates.out
    )


def end_in_encounter(id: str, condition: Condition, state: State) -> Fact:
    """DB-ENC-12: effects of the encounter end with it. DB-TIME-3: those that have a time go on, by the clock alone."""
    ends = tuple(end for end in condition.ends if end.at == "seconds")
    if not ends:
        return condition_end(id, state, "the encounter ended", "DB-ENC-12", "DB-TIME-2")
    return with_ends(id, condition, ends, "DB-TIME-3")


def _health_choice(change: Change, state: State) -> tuple[str, int]:
    """DB-HEAL-1: one who regains health, and how much of it the player takes."""
    who, _, what = change.value.partition(".")
    being = state.being(who)
    if being is None or being.kind != "pc" or what != health.HEALTH:
        raise value_refusal("regained", "the health of a character (NAME.health=2)", change.value)
    return being.name, change.to


def recover_after(who: str, encounter: Encounter, chosen: int | None, state: State) -> Iterator[Fact]:
    """DB-ENC-12, steps 1 to 4, for one of them."""
    yield from stun.come_to(who, state)
    for name, wound in state.wounds_of(who):
        if wound.encounter == encounter.id and not wound.in_force:
            yield WoundChanged(
                rules=("DB-WOUND-4", "DB-ENC-12"),
                who=who,
                wound=name,
                kind=wound.kind,
                value=wound.value,
                in_force=True,
                because="the encounter ended",
            )
    if (who, health.HEALTH) in state.pools:
        yield from health.set_maximum_health(who, state)
        yield from regain_health(who, chosen, state)


def regain_health(who: str, chosen: int | None, state: State) -> Iterator[Fact]:
    """DB-HEAL-1: a living character regains up to half of the effective maximum; the player may take less."""
    if state.kind(who) != "pc" or guards.is_out(who, state):
        return
    most, points = health.effective_maximum(who, state), state.points(who, health.HEALTH)
    share = health.half(most, state)
    if option(state, "encounter_recovery") == "up_to_half":
        share = max(0, share - points)
    if chosen is not None:
        check_whole(f"{who}'s health", chosen, 0, share)
        share = chosen
    gained = min(share, health.recovery_maximum(who, state) - points)
    if gained > 0:
        rules, over = ("DB-HEAL-1", "DB-ENC-12"), share - gained
        yield point_gain(who, health.HEALTH, gained, "after the encounter", state, *rules, over=over)
