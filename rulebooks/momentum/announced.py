"""Announced attacks: announce, answer, reroll and `go`, each an entry of its own, with the result of a single line."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from ledger.dice import Dice
from ledger.facts import Fact
from projections.state import State, Window
from rulebooks.common import announcements
from rulebooks.common.announcements import Announce, Go
from rulebooks.common.decisions import decides
from rulebooks.momentum import attack, declarations
from rulebooks.momentum.dice_pool import DicePool, check_all_thrown
from rulebooks.momentum.reactions import aim_after, check_reaction, check_shield, possible_reactions, react
from rulebooks.momentum.texts import option, refusal
from rulebooks.momentum.weapons import wielded_weapon


@decides(Announce)
def announce(said: Announce, state: State) -> Iterator[Fact]:
    """MO-CONV-4: announced, so that reactions can be declared before the roll."""
    announcements.check_nothing_announced(state)
    strike = announcements.announced_declaration(said, declarations.Attack, declarations.DoubleAttack)
    assert isinstance(strike, declarations.Strike)
    strike = attack.with_usable_weapon(strike, state)
    yield from attack.begin_attack(attack.prepare(strike, state), state)
    yield announcements.new_window(strike, possible_reactors(strike, state), "MO-CONV-4")


def possible_reactors(said: declarations.Strike, state: State) -> tuple[str, ...]:
    """MO-REACT-1: everybody who may still react, once each. MO-CONV-4: who interposed is the target now."""
    targets = {aim_after(reactions, said.target).target for reactions in attack.reaction_groups(said)}
    return tuple(dict.fromkeys(who for who, _ in possible_reactions(said, targets, state)))


@decides(declarations.Defend, declarations.Interpose, declarations.Help)
def answer(said: declarations.Answer, state: State) -> Iterator[Fact]:
    """MO-DEFEND-2, MO-INTER-2: a reaction to an announced attack; Help also after its roll (MO-GAP-16)."""
    check_reaction(said.by, state)
    window = announcements.find_window(state)
    if isinstance(said, declarations.Defend):
        check_shield(said.by, state)
    if window is None and isinstance(said, declarations.Help) and option(state, "help_timing") == "any":
        raise refusal("TIMING", case="resolved", name=said.by)
    if window is None or (is_rolled(window) and not isinstance(said, declarations.Help)):
        kind = next(iter(type(said).verbs))
        raise refusal("TIMING", case="" if window else "none", name=said.by, kind=kind)
    strike, note = announced_strike(window), announcements.decode(window).note
    reaction = as_reaction(said, late=bool(note))
    index = said.attack - 1
    groups = attack.reaction_groups(strike)
    if index >= len(groups):
        raise refusal("TIMING", case="single", name=said.by)
    yield from react(reaction, strike, groups[index], state)
    field = ("reactions", "second")[index]
    changed = msgspec.structs.replace(strike, **{field: (*groups[index], reaction)})
    awaits = (strike.by,) if note else possible_reactors(changed, state)
    yield announcements.window_change(changed, awaits, "MO-CONV-4", note=note)


def as_reaction(said: declarations.Answer, *, late: bool) -> declarations.Reaction:
    """Return the reaction as the attack's own line would hold it."""
    if isinstance(said, declarations.Help):
        return declarations.Reaction(
            who=said.by, kind="late" if late else "help", how=said.how, because=said.because, refused=said.refused
        )
    return declarations.Reaction(who=said.by, kind="defend" if isinstance(said, declarations.Defend) else "interpose")


def is_rolled(window: Window) -> bool:
    """Tell whether the announced attack is rolled already."""
    return bool(announcements.decode(window).note)


def announced_strike(window: Window) -> declarations.Strike:
    """Return the announced attack, with the reactions so far."""
    return msgspec.json.decode(announcements.decode(window).what, type=declarations.Attack | declarations.DoubleAttack)


def rolled_pools(window: Window) -> list[DicePool]:
    """Return the dice that the announced attack has rolled."""
    return msgspec.json.decode(announcements.decode(window).note, type=list[DicePool])


@decides(Go)
def go(said: Go, state: State, dice: Dice) -> Iterator[Fact]:
    """MO-CONV-4: roll the announced attack; or resolve it, if it is rolled already."""
    window = announcements.get_window(state)
    if said.withdraw:
        if is_rolled(window):
            raise refusal("TIMING", case="thrown", name=window.who)
        yield announcements.window_end("withdrawn", "MO-CONV-4")
        return
    if is_rolled(window):
        check_all_thrown(dice)
        yield from resolve_rolled(window, state)
        return
    strike = announced_strike(window)
    plan = attack.prepare(strike, state)
    yield from attack.roll_attack(plan, state, dice, wait=said.wait)


def resolve_rolled(window: Window, state: State) -> Iterator[Fact]:
    """Resolve an announced attack with the dice as they were rolled."""
    strike = announced_strike(window)
    aims = [aim_after(reactions, strike.target) for reactions in attack.reaction_groups(strike)]
    results = zip(rolled_pools(window), aims, strict=True)
    yield from attack.count_hits(strike, attack.weapon_used(strike, state), results, state)


@decides(declarations.Reroll)
def reroll(said: declarations.Reroll, state: State, dice: Dice) -> Iterator[Fact]:
    """MO-HELP-2: the ally chooses which dice are rolled again; then the attack is resolved."""
    window = announcements.get_window(state)
    strike = announced_strike(window)
    if said.by != strike.by or not is_rolled(window):
        raise refusal("HELP")
    thrown, choices = rolled_pools(window), (said.dice, said.second)
    if said.second and len(thrown) == 1:
        raise refusal("HELP")
    weapon = wielded_weapon(strike, state)
    blows = [
        msgspec.structs.replace(blow, chosen=chosen)
        for blow, chosen in zip(attack.blows_of(strike, weapon, state), choices, strict=False)
    ]
    for blow, pool in zip(blows, thrown, strict=True):
        attack.check_misses(blow, pool, state)
    results = []
    for blow, pool in zip(blows, thrown, strict=True):
        again = yield from attack.reroll_chosen(strike, blow, pool, weapon, state, dice)
        results.append((again, blow.aim))
    check_all_thrown(dice)
    yield from attack.count_hits(strike, weapon.name, results, state)


def settle(state: State) -> Iterator[Fact]:
    """Before a session closes: resolve a rolled attack, void one that was only announced."""
    window = announcements.find_window(state)
    if window is None:
        return
    if is_rolled(window):
        yield from resolve_rolled(window, state)
    else:
        yield announcements.window_end("void", "MO-CONV-4")
