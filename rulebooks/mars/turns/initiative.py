"""Initiative: one roll for each character, and the order of the teams that follows from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from ledger.dice import Dice
from ledger.errors import Refused
from ledger.facts import GM, Fact, Judged, OrderSet, Reached, Ruled, Slot
from ledger.names import fold_case
from projections.state import Encounter, State
from rulebooks.common.beings import name_list
from rulebooks.common.conditions import has_condition, new_condition
from rulebooks.common.decisions import decides
from rulebooks.common.dice import EntryDice
from rulebooks.mars import guards
from rulebooks.mars.declarations.turns import InitiativeRuling, RollInitiative
from rulebooks.mars.tasks.checks import RollPlan, entry_dice, roll
from rulebooks.mars.tasks.roll_steps import said_edges, said_steps
from rulebooks.mars.tasks.stat_values import value_of
from rulebooks.mars.texts import check_reason, refusal, value_refusal


@decides(RollInitiative)
def roll_initiative(said: RollInitiative, state: State, dice: Dice) -> Iterator[Fact]:
    """GR-INIT-1: everybody rolls once. The game master rolls for all of theirs who have not."""
    if said.by == GM:
        own = [who for who in guards.members(guards.running_encounter(state), state) if state.kind(who) == "npc"]
        rolling = [who for who in own if who in may_roll(state)]
        if not rolling:
            raise too_late_refusal(own, "Everybody of the game master's side", state)
        if said.total is not None and len(rolling) > 1:
            raise value_refusal("total", f"said by each alone ({name_list(rolling)})", said.total)
    else:
        guards.check_alive(said.by, state)
        guards.check_in_encounter(said.by, state)
        if said.by not in may_roll(state):
            raise too_late_refusal([said.by], said.by, state)
        rolling = [said.by]
    throws = entry_dice(dice)
    for who in rolling:
        yield from roll_for(who, said, state, throws)


def may_roll(state: State) -> list[str]:
    """GR-INIT-1: those who have not rolled yet, before the first turn. GR-GAP-67: in a challenge at any time."""
    encounter = guards.running_encounter(state)
    if encounter.scale != guards.CHALLENGE:
        return guards.initiative_due(encounter, state)
    taking = (who for who in guards.members(encounter, state) if guards.takes_turns(who, state))
    return [who for who in taking if guards.initiative_of(who, state) is None]


def too_late_refusal(who: Sequence[str], name: str, state: State) -> Refused:
    """GR-INIT-1: return the refusal of a roll: it was made before, or the turns have begun without it."""
    unrolled = [each for each in who if guards.initiative_of(each, state) is None]
    if unrolled:
        return refusal("ROLLED", case="late", name=name_list(unrolled), way=guards.turn_now(state))
    return refusal("ROLLED", name=name) if who else refusal("ROLLED", case="nobody", name=name)


def roll_for(who: str, said: RollInitiative, state: State, throws: EntryDice) -> Iterator[Fact]:
    """GR-INIT-1: the roll of one character."""
    plan = RollPlan(
        who=who,
        purpose=f"initiative {who}",
        what=guards.INITIATIVE,
        value=value_of(who, guards.INITIATIVE, state),
        steps=said_steps(said),
        edges=said_edges(said),
        pick=said.pick,
        total=said.total,
        rules=("GR-INIT-1",),
    )
    made = yield from roll(plan, state, throws)
    if state.is_read:
        yield Judged(
            rules=("GR-INIT-1", *made.rules),
            what=guards.INITIATIVE,
            who=who,
            sums=made.sums,
            total=made.total,
            result=who,
            rolls=made.rolls,
            final=True,
        )
    yield new_condition(who, guards.INITIATIVE, "GR-INIT-1", degree=made.total, data="{}")


def best_roll(team: Iterable[str], state: State) -> int | None:
    """GR-INIT-2: the highest roll of a team."""
    rolls = [score for who in team if (score := guards.initiative_of(who, state)) is not None]
    return max(rolls, default=None)


def has_players(slot: Slot, state: State) -> bool:
    """GR-INIT-3: whether a team has a player's character in it."""
    return any(state.kind(who) == "pc" for who in slot.who)


def set_order(encounter: Encounter, state: State) -> Iterator[Fact]:
    """GR-INIT-2, GR-GAP-9: teams by their best roll. Equals: the players first, then in order of entry."""
    slots = [msgspec.structs.replace(slot, score=best_roll(slot.who, state)) for slot in encounter.order]
    slots.sort(key=lambda slot: (-(slot.score or 0), not has_players(slot, state)))
    tied = tied_teams(slots)
    if tied and tied[0] == slots[0]:
        text = f"{slots[0].slot} first of {name_list([slot.slot for slot in tied if slot.score == slots[0].score])}"
        yield Ruled(
            rules=("GR-INIT-3", "GR-GAP-9"),
            name="initiative",
            text=text,
            because="a tie; the usual answer, until the game master rules",
        )
    yield OrderSet(rules=("GR-INIT-2", "GR-GAP-9") if len(slots) > 2 else ("GR-INIT-2",), slots=tuple(slots))


def tied_teams(slots: Iterable[Slot]) -> list[Slot]:
    """GR-INIT-3: the teams whose best roll another team has too."""
    slots = list(slots)
    return [one for one in slots if sum(other.score == one.score for other in slots) > 1 and one.score is not None]


@decides(InitiativeRuling)
def rule_initiative(said: InitiativeRuling, state: State) -> Iterator[Fact]:
    """GR-INIT-3: the game master settles a tie."""
    encounter = guards.running_encounter(state)
    check_reason(said.reason, "a ruling on initiative")
    teams = {fold_case(slot.slot): slot for slot in encounter.order}
    for name in said.teams:
        if fold_case(name) not in teams:
            raise value_refusal("teams", f"a team ({', '.join(slot.slot for slot in encounter.order)})", name)
    named = [teams[fold_case(name)] for name in dict.fromkeys(said.teams)]
    tied = tied_teams(encounter.order)
    if not named or any(slot not in tied for slot in named) or len({slot.score for slot in named}) > 1:
        raise refusal("NO-TIE")
    ranks = {slot.slot: rank for rank, slot in enumerate(named)}
    slots = sorted(encounter.order, key=lambda slot: (-(slot.score or 0), ranks.get(slot.slot, len(ranks))))
    text = f"first {', then '.join(slot.slot for slot in named)}"
    yield Ruled(rules=("GR-INIT-3",), name="initiative", text=text, because=said.reason)
    yield OrderSet(rules=("GR-INIT-3",), slots=tuple(slots), because=said.reason)


def begin_rounds(encounter: Encounter, state: State) -> Iterator[Fact]:
    """GR-ENC-2, GR-ENC-4: after the rolls the order, then the surprise round if anybody is surprised, or round 1."""
    yield from set_order(encounter, state)
    if any(has_condition(who, guards.SURPRISED, state) for who in guards.members(encounter, state)):
        yield Reached(rules=("GR-ENC-4", "GR-ENC-2"), point="phase", round=0, phase=guards.SURPRISE)
    else:
        yield Reached(rules=("GR-ENC-5", "GR-RND-1"), point="round", round=1)
