"""Fights of the five games, played in memory at random with the sheets of the evenings: their lines, and their dice."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import redirect_stderr
from functools import cache
from io import StringIO
from random import Random
from typing import Final, NamedTuple

from cli.play.declare import declare_line
from cli.play.sheet_files import read_sheets
from ledger.declared_line import DeclaredLine
from ledger.dice import Dice, LinkOf, SeededDice, fixed_seed
from ledger.errors import LedgerError
from ledger.facts import Rolled
from ledger.memory_store import MemorySeeds
from ledger.records import Record
from ledger.redecide import KnownFacesDice
from ledger.service import Ledger
from ledger.throws import own_throws
from projections.projection import StateProjection
from projections.state import State
from rulebooks import load_game
from rulebooks.testing.seat import AT, RowStore
from tests.cli.evenings import EVENINGS


class Lines(NamedTuple):
    """What is said in the fights of a game: to begin with, by one, and by several."""

    opening: Sequence[str]
    single: Sequence[str]
    several: Sequence[str]


FIGHTS: Final = {
    "dusk-bastards": Lines(
        ('! encounter "x"', "w init", "h init", "close", "! on"),
        (
            "w attack thug 1", "h attack ferry m", "w attack thug 2 d3 e1", "h attack thug 1 m", "w dodge thug 1",
            "h dodge ferry", "w move", "h move", "thug 1 move", "ferry move", "close", "w pass", "h pass",
            "thug 1 pass", "thug 2 pass", "ferry pass", "! on", "! leave thug 2", "! join thug 2", "! damage thug 1 3",
            "! damage wren 4", "w wound", "w charge thug 1", "w interrupt",
        ),
        (
            "w,h attack thug 1 m d6", "players attack ferry m", "w,h attack ferry m d6", "foes move", "players move",
            "all pass", "h,w dodge ferry", "players climb might v4", "all attack wren", "w,h wound", "all initiative",
            "w,h rest ten_minutes", 'w,h,ferry hp -2 "smoke"',
        ),
    ),
    "mars": Lines(
        ('! encounter "x"', "a init", "b init", "! initiative"),
        (
            "a attack guard 1", "b attack guard 2", "! g1 attack asha", "! g2 attack bram", "a move 3", "b move 3",
            "a end", "b end", "! g1 end", "! g2 end", "! on", '! leave bram "runs"', "! join bram",
            "a maneuver heavy-strike g1", "! g1 attack asha ...", "^ a parry sword", "go", "! damage guard 1 9 void",
            '! leave g2 "runs"', "! join g2", "! effect bram stunned", "a begin", "b begin", "! g1 begin", "! g2 begin",
        ),
        (
            "all attack guard 1", "a,b attack guard 2", "! guards attack asha", "all end",
            "players check perception v9",
            "all attack asha", "b,a attack bram", "a,b maneuver heavy-strike g1", "! g1,g2 maneuver trip asha stamina",
            "all begin", "all move 2", "a,b short 45", "all initiative",
        ),
    ),
    "momentum": Lines(
        ('! fight "x" paths=bank:weir pcs=bank foes=bank', "v momentum", "o momentum"),
        (
            "v attack raider 1", "o attack raider 1", "o attack raider 2", "! r1 attack vel", "! r2 attack osric",
            "v move weir", "v move bank", "v end", "o end", "! r1 end", "! r2 end", "! on", '! r2 flee "scared"',
            'o flee "scared"', 'raider 1 hp -1 "a stone"', 'vel hp -3 "a stone"', 'v check str "the gate"',
        ),
        (
            "all attack raider 1", "v,o attack raider 2", "o,v attack raider 1", "! foes attack vel", "all end",
            'players check agi "the stones"', "all momentum", "all attack vel", "r1,r2 attack osric", "v,o attack vel",
        ),
    ),
    "monolith": Lines(
        ('! encounter "x"', "! round", 'v declare "the first"', 'o declare "the other"'),
        (
            "v attack r1 bolt-pistol", "o attack r2 shotgun", "! r1 attack vega", "! r2 attack okoro", "v move 10",
            "o move 10", "! done", "! round", "v pass", "o pass", 'v declare "on"', 'o declare "on"', "! done",
            '! order reflex "who is quicker"', "v save reflex", "o save reflex", '! morale raiders "the lights go"',
            "! acted opponents", '! order vega reason="ready"', "v blast r1 r2 charge", "o blast r1 r2 charge",
        ),
        (
            "players attack r1", "all attack r1 shotgun", "o,v attack r2", "foes attack vega", "all attack okoro",
            "players save reflex", "all pass", "all move 5", "r1,r2 attack okoro", 'players declare "all at once"',
            "players rest",
        ),
    ),
    "semiautomagic": Lines(
        ('! fight "x" kit brand brute 1 brute 2',),
        (
            "k attack brute 1", "brand attack brute 2", "k attack brute 2 at=leg", "! brute 1 attack brand block",
            "! brute 2 attack kit dodge", "k move 4", "brand move 4", "brute 1 move 4", "k end", "brand end",
            "brute 1 end",
            "brute 2 end", "! on", '! leave brute 2 "he runs"', "! join brute 2", "k hide", "brute 1 perceive kit",
            "brand attack brute 1", "brand stance prone", "brand stance standing", "brute 1 dying", "brand dying",
        ),
        (
            "all attack brute 1", "k,brand attack brute 2", "! foes attack brand", "brand,k attack brute 1", "all end",
            "all move 2", "players perceive brute 1", "all attack kit", "! foes attack \"brand's shield\"",
            "all hide", "k,brand fortitude", "all dying",
        ),
    ),
}  # fmt: skip


class FacesLedger(Ledger[State]):
    """A ledger whose secret dice come from a key that a test may change, or are those of another ledger."""

    key = fixed_seed("one")
    recorded: Record | None = None

    def _dice(self, line: DeclaredLine, link_of: LinkOf | None = None) -> Dice:
        if self.recorded is not None:
            rolls = [fact for fact in self.recorded.facts if isinstance(fact, Rolled)]
            shown = {(roll.purpose, die.ordinal, die.sides): die.face for roll in rolls for die in roll.dice}
            return KnownFacesDice(shown, own_throws([self.recorded]))
        return SeededDice(self.key, self.state.next_throw) if line.faces is None else super()._dice(line)


@cache
def _beginning(game: str) -> tuple[RowStore, MemorySeeds]:
    """Return the store of a campaign with the sheets of its evening and an open session."""
    book, store, seeds = load_game(game), RowStore(), MemorySeeds()
    ledger = Ledger(store, book, StateProjection(), seeds)
    ledger.create("Fights", at=AT, ledger="0" * 32)
    names = (EVENINGS / game / "cast.txt").read_text("utf-8").split()
    for _, sheet in read_sheets(book, [str(EVENINGS / game / name) for name in names]):
        ledger.declare(sheet, at=AT)
    ledger.open_session("a fight", at=AT, seed=fixed_seed("one"))
    return store, seeds


def begin(game: str, key: str = "one") -> FacesLedger:
    """Return a ledger of this game in which a session is open."""
    store, seeds = _beginning(game)
    return with_faces(FacesLedger(store.copy(), load_game(game), StateProjection(), seeds.copy()), key)


def with_faces(ledger: Ledger[State], key: str) -> FacesLedger:
    """Return a copy of a ledger whose next dice come from another key."""
    store, seeds = ledger.store, ledger.seeds
    assert isinstance(store, RowStore)
    assert isinstance(seeds, MemorySeeds)
    other = FacesLedger(store.copy(), ledger.game, ledger.projection, seeds.copy())
    other.key = fixed_seed(key)
    return other


def say(ledger: Ledger[State], line: str) -> Record | LedgerError | None:
    """Say a line; return its last record, or why it was refused."""
    with redirect_stderr(StringIO()):
        try:
            return declare_line(ledger, load_game(ledger.game.name), line, at=AT)
        except LedgerError as error:
            return error


def play(ledger: Ledger[State], chance: Random, lines: int) -> None:
    """Begin a fight and say lines at random, those that are refused too, until so many were taken."""
    fight, tries = FIGHTS[ledger.game.name], lines * 20
    for line in fight.opening:
        taken = say(ledger, line)
        assert not isinstance(taken, LedgerError), (line, str(taken))
    while lines and tries:
        tries -= 1
        lines -= isinstance(say(ledger, chance.choice(fight.single)), Record)
