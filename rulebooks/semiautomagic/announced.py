"""Announced attacks: the target chooses a defence before the dice, as an entry of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from ledger.dice import Dice
from ledger.facts import Fact
from projections.state import State, Window
from rulebooks.common import announcements
from rulebooks.common.announcements import Announce, Go
from rulebooks.common.decisions import decides
from rulebooks.semiautomagic.attack import resolve
from rulebooks.semiautomagic.declarations.combat import Attack, Block, Defence, Defend, Dodge, Parry
from rulebooks.semiautomagic.defence import check_defence, defences_of
from rulebooks.semiautomagic.guards import CREATURES, is_able
from rulebooks.semiautomagic.strike import check_total, prepare
from rulebooks.semiautomagic.texts import outside_domain

DEFENCE_OF: Final[Mapping[type[Defend], Defence]] = {Block: "block", Dodge: "dodge", Parry: "parry"}


@decides(Announce)
def announce(said: Announce, state: State) -> Iterator[Fact]:
    """TT-OUT-2: an attack is announced; the target may defend before the dice."""
    announcements.check_nothing_announced(state)
    what = announcements.announced_declaration(said, Attack)
    assert isinstance(what, Attack)
    strike = prepare(what, state)
    yield announcements.new_window(strike.said, tuple(defenders(strike.said, state)), "TT-OUT-2")


def defenders(said: Attack, state: State) -> list[str]:
    """TT-OUT-2: who may still defend: the target, if its defence is not said and it is able to make one."""
    able = state.kind(said.target) in CREATURES and is_able(said.target, state)
    return [said.target] if able and not said.defence and defences_of(said.target, state) else []


@decides(Block, Dodge, Parry)
def answer(said: Defend, state: State) -> Iterator[Fact]:
    """TT-OUT-2: the target blocks, dodges or parries the attack that is announced; the last word counts."""
    window = announcements.get_window(state)
    what = announced_attack(window)
    if said.by != what.target:
        raise outside_domain("by", f"{what.target}, who is attacked", said.by)
    defence = DEFENCE_OF[type(said)]
    check_defence(what.target, defence, what.by, state)
    check_total("total", said.total)
    answered = msgspec.structs.replace(what, defence=defence, defence_total=said.total)
    yield announcements.window_change(answered, (), "TT-OUT-2")


def announced_attack(window: Window) -> Attack:
    """Return the attack that is announced, with the defence so far."""
    return msgspec.json.decode(announcements.decode(window).what, type=Attack)


@decides(Go)
def go(said: Go, state: State, dice: Dice) -> Iterator[Fact]:
    """TT-OUT-2: throw the dice of the announced attack, or take it back."""
    window = announcements.get_window(state)
    if said.wait:
        raise outside_domain("wait", "left out, since a defence comes before the dice", "wait")
    if said.withdraw:
        yield announcements.window_end("withdrawn", "TT-OUT-2")
        return
    strike = prepare(announced_attack(window), state)
    yield announcements.window_end("thrown", "TT-OUT-2")
    yield from resolve(strike, state, dice)
