"""Reactions: Take Cover and Intercept. One a round, at any time, in any turn."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.dice import Dice
from ledger.facts import Ends, EntryId, Fact
from projections.state import State
from rulebooks.common.conditions import condition_end, has_condition, new_condition
from rulebooks.common.decisions import decides
from rulebooks.common.values import action_use, shared_fields
from rulebooks.dusk_bastards.combat import attack, defence
from rulebooks.dusk_bastards.combat.blow import AttackEffects, deal_blow
from rulebooks.dusk_bastards.combat.this_round import TAKING_COVER, Interception
from rulebooks.dusk_bastards.declarations.combat import Defence, Intercept, TakeCover
from rulebooks.dusk_bastards.declarations.parts import Effect
from rulebooks.dusk_bastards.declarations.tasks import Directed
from rulebooks.dusk_bastards.guards import DELAYED, check_in_play, is_foe, is_out
from rulebooks.dusk_bastards.harm import conditions, durations
from rulebooks.dusk_bastards.harm.damage import Hit
from rulebooks.dusk_bastards.tasks.difficulty import difficulty_of
from rulebooks.dusk_bastards.tasks.resolution import Plan, wait
from rulebooks.dusk_bastards.tasks.roll import Roll, consequences_of
from rulebooks.dusk_bastards.tasks.stats import is_physical, stat_of
from rulebooks.dusk_bastards.texts import option, refusal, value_refusal
from rulebooks.dusk_bastards.turns import allowances, cycle, movement
from rulebooks.dusk_bastards.world.clock import COMBAT

BEHIND = {"yes": "cover", "full": "full_cover", "no": "prone"}


@decides(TakeCover)
def take_cover(said: TakeCover, state: State) -> Iterator[Fact]:
    """DB-REACT-1 to 3: the next attack is hindered; cover or prone at once; and the cost."""
    check_in_play(said.by, state)
    turn = allowances.check_reaction(said.by, state, in_encounter=True, physical=True)
    yield from allowances.use_reaction(turn, state, "DB-REACT-1")
    yield new_condition(said.by, TAKING_COVER, "DB-REACT-1", "DB-DUR-3", ends=durations.until_round_end(state))
    yield from conditions.impose(said.by, Effect(BEHIND[said.cover_near]), state, "DB-REACT-2")
    yield from pay_for_cover(said.by, state)


def pay_for_cover(who: str, state: State) -> Iterator[Fact]:
    """DB-REACT-3: the standard action of the next action phase to begin, this round's or the next round's.

    Read the other way it is this round's as long as it is not used. Where there are no phases there is none to pay.
    """
    encounter, rather_now = state.encounter, option(state, "take_cover_costs") == "this_round_if_unused"
    if encounter is None or encounter.scale != COMBAT:
        return
    before = encounter.phase == "movement"
    if (before or rather_now) and state.actions_left(who, "standard"):
        yield action_use(who, "standard", state, "lost", "DB-REACT-3")
    elif rather_now and has_condition(who, DELAYED, state):
        yield condition_end(f"{DELAYED} {who}", state, "lost", "DB-REACT-3")
    elif not before or rather_now:
        ends = (Ends(at="encounter"),)
        yield new_condition(who, cycle.NO_STANDARD, "DB-REACT-3", ends=ends)


@decides(Intercept)
def intercept(said: Intercept, state: State, dice: Dice) -> Iterator[Fact]:
    """DB-REACT-4, DB-REACT-5: an attack roll without damage on a foe that moves away, or that acts against an ally.

    DB-REACT-8: a foe does not roll; its target defends.
    """
    foe = is_foe(said.by, state)
    if is_out(said.target, state):
        raise value_refusal("target", "somebody who is still in the fight", said.target)
    stat = None if foe else stat_of(said, state)
    turn = allowances.check_reaction(said.by, state, in_encounter=True, physical=foe or is_physical(said, stat))
    allowances.check_take20(said, turn)
    if not said.protect and not movement.is_leaving_reach(said.target, said.by, state):
        raise refusal("REACH")
    blow = AttackEffects(
        hit=Hit(target=said.target, amount=0, how="intercept", by=said.by),
        interception=Interception(by=said.by, target=said.target, protects=bool(said.protect)),
    )
    if stat is None:
        yield from allowances.use_reaction(turn, state, "DB-REACT-8")
        yield from defence.roll_defence(defence_of(said), difficulty_of(said.by, said, state), blow, state, dice)
        return
    yield from allowances.use_reaction(turn, state, "DB-REACT-5" if said.protect else "DB-REACT-4")
    plan = Plan(said=said, stat=stat, kind="intercept", bases=(difficulty_of(said.target, said, state),))
    yield from wait(plan, state)
    yield from attack.roll_attack(plan, said, said.target, state, dice, note=blow.encode())


@consequences_of("intercept")
def settle_intercept(roll: Roll, state: State, won: bool, opened: EntryId | None) -> Iterator[Fact]:
    """DB-REACT-4, DB-REACT-5: a hit does no damage, but stops or hinders the target."""
    if won:
        yield from deal_blow(AttackEffects.decode(roll.note), state)


def check_intercept(said: Intercept, state: State) -> None:
    """DB-GAP-59, DB-REACT-8: refuse an interception within one side: characters have no rule, foes need a ruling."""
    check_in_play(said.by, state)
    check_in_play(said.target, state, "target")
    if is_foe(said.by, state) == is_foe(said.target, state):
        raise value_refusal("target", "of the other side: anything else is a ruling", said.target)
    if said.protect:
        check_in_play(said.protect, state, "protect")
        if said.protect in (said.by, said.target):
            raise value_refusal("protect", "an ally", said.protect)
    if is_foe(said.by, state):
        defence.check_defence(defence_of(said), state)
    else:
        attack.check_armed(said, state)
        attack.check_strike(said, said.target, state)


def defence_of(said: Intercept) -> Defence:
    """DB-REACT-8: the defence of the one that a foe intercepts, with the same skill, assets and Effort."""
    own = {"by": said.target, "source": said.by, "mode": said.mode, "weapon": said.weapon, "npc_slot": "reaction"}
    return Defence(**{**shared_fields(said, Directed), **own})
