"""Attacks announced, answered, thrown: each an entry of its own, and the same attack in the end."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from ledger.dice import Dice
from ledger.facts import Fact
from projections.state import State, Window
from rulebooks.common import announcing
from rulebooks.common.announcing import Announce, Go
from rulebooks.momentum.attack import begun, blows, check_strike, rolled, rolled_again, struck
from rulebooks.momentum.declarations import Answer, Attack, Defend, DoubleAttack, Help, Reaction, Reroll, Strike
from rulebooks.momentum.pool import Pool, check_all_thrown
from rulebooks.momentum.reactions import check_reaction, check_shield, could_react, reacted
from rulebooks.momentum.texts import refused
from rulebooks.momentum.weapons import wielded


def announce(said: Announce, state: State) -> Iterator[Fact]:
    """MO-CONV-4: announced, so that reactions can be declared before the roll."""
    announcing.check_nothing_announced(state)
    what = announcing.announced(said, Attack, DoubleAttack)
    assert isinstance(what, Strike)
    yield from begun(what, state)
    yield announcing.opened(what, answering(what, state), "MO-CONV-4")


def answering(said: Strike, state: State) -> tuple[str, ...]:
    """MO-REACT-1: who may still react."""
    return tuple(dict.fromkeys(who for who, _ in could_react(said, state)))


def answer(said: Answer, state: State) -> Iterator[Fact]:
    """MO-DEFEND-2, MO-INTER-2: a reaction to what is announced; Help also while its dice lie (MO-GAP-16)."""
    check_reaction(said.by, state)
    window = announcing.open_window(state)
    if isinstance(said, Defend):
        check_shield(said.by, state)
    if window is None or (rolled_already(window) and not isinstance(said, Help)):
        raise refused("TIMING")
    what, note = strike(window), announcing.standing(window).note
    one = reaction_of(said, late=bool(note))
    place = said.attack - 1
    if place >= len(blows(what)):
        raise refused("TIMING")
    yield from reacted(one, what, blows(what)[place], state)
    field = ("reactions", "second")[place]
    changed = msgspec.structs.replace(what, **{field: (*blows(what)[place], one)})
    awaits = (what.by,) if note else answering(changed, state)
    yield announcing.changed(changed, awaits, "MO-CONV-4", note=note)


def reaction_of(said: Answer, *, late: bool) -> Reaction:
    """The reaction as it would stand on the attack's own line."""
    if isinstance(said, Help):
        return Reaction(
            who=said.by, kind="late" if late else "help", how=said.how, because=said.because, refused=said.refused
        )
    return Reaction(who=said.by, kind="defend" if isinstance(said, Defend) else "interpose")


def rolled_already(window: Window) -> bool:
    """Whether the dice of what was announced lie on the table."""
    return bool(announcing.standing(window).note)


def strike(window: Window) -> Strike:
    """The attack that is announced, with the reactions so far."""
    return msgspec.json.decode(announcing.standing(window).what, type=Attack | DoubleAttack)


def pools_of(window: Window) -> list[Pool]:
    """The dice that lie."""
    return msgspec.json.decode(announcing.standing(window).note, type=list[Pool])


def go(said: Go, state: State, dice: Dice) -> Iterator[Fact]:
    """MO-CONV-4: the roll of what is announced; or, when its dice lie already, what they come to."""
    window = announcing.waiting(state)
    if not rolled_already(window):
        what = strike(window)
        weapon = check_strike(what, state)
        yield from rolled(what, weapon, state, announcing.thrown(window, dice), wait=said.wait)
        return
    check_all_thrown(dice)
    yield from done(window, state)


def done(window: Window, state: State) -> Iterator[Fact]:
    """Dice that lie count as they lie."""
    yield from struck(strike(window), pools_of(window), state)


def reroll(said: Reroll, state: State, dice: Dice) -> Iterator[Fact]:
    """MO-HELP-2: the ally chooses which dice are rolled again; then the attack is done with."""
    window = announcing.waiting(state)
    what = strike(window)
    if said.by != what.by or not rolled_already(window):
        raise refused("HELP")
    weapon, keyed, pools = wielded(what, state), announcing.thrown(window, dice), list[Pool]()
    for place, pool in enumerate(pools_of(window)):
        chosen = (said.dice, said.second)[place]
        pools.append((yield from rolled_again(what, place, pool, chosen, weapon, state, keyed)))
    check_all_thrown(keyed)
    yield from struck(what, pools, state)


def settled(state: State) -> Iterator[Fact]:
    """Before a session closes: dice that lie count, and what was only announced does not happen."""
    window = announcing.open_window(state)
    if window is None:
        return
    if rolled_already(window):
        yield from done(window, state)
    else:
        yield announcing.closed("void", "MO-CONV-4")
