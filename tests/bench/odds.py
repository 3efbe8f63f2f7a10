"""The odds of an attack with four dice in each of its rolls, compared with those of an ordinary attack."""

from __future__ import annotations

from ledger.dice import fixed_seed
from ledger.facts import GM, EntryId
from ledger.memory_store import MemorySeeds, MemoryStore
from ledger.odds import count_odds
from ledger.service import Ledger
from projections.projection import StateProjection
from projections.state import State
from rulebooks import load_game
from rulebooks.mars.declarations.combat import Attack
from rulebooks.mars.declarations.turns import BeginTurn, RollInitiative, StartEncounter
from tests.bench.timer import Figure, figure, interleaved, rate

AT = "2026-01-09T19:30:00Z"
FOUR = "odds of an attack with 4 dice a roll"
TWO = "odds of an attack with 2 dice a roll"
STATS = ("strength", "dexterity", "intelligence", "resolve")
SECONDS = 1.0  # the time that the odds of four dice may take


def attack_odds(rounds: int) -> tuple[list[Figure], str]:
    """Measure odds per second; return the figures and the time of one count."""
    four, two = duel("r20", "r40"), duel("r10", "r20")
    measured = interleaved(rounds, {FOUR: rate(1, lambda: count(four)), TWO: rate(1, lambda: count(two))})
    found = figure(FOUR, measured, FOUR, TWO, "per second")
    return [found], f"{FOUR}: {1000 / found.ours:.0f} ms (at most {SECONDS * 1000:.0f})"


def duel(stat: str, resolve: str) -> Ledger[State]:
    """Return a ledger in memory in which Ash may attack Bel: a stat and a skill, strength and weapon, or resolve."""
    game = load_game("mars")
    ledger = Ledger(MemoryStore(), game, StateProjection(), MemorySeeds())
    ledger.create("Odds", at=AT, ledger="0" * 32)
    for name, kind in (("Ash", "pc"), ("Bel", "npc")):
        sheet = {"sheet": kind, "name": name, **dict.fromkeys(STATS, stat), "resolve": resolve, "dr": 3}
        items = {"maul": {"damage": stat, "critical": 6, "type": "bludgeoning"}}
        ledger.declare(game.sheet({**sheet, "skills": {"martial": stat}, "items": items}, name), at=AT)
    ledger.open_session("one", at=AT, seed=fixed_seed("odds 1"))
    ledger.declare(StartEncounter(by=GM, reason="a duel"), at=AT)
    for name in ("Ash", "Bel"):
        ledger.declare(RollInitiative(by=name), at=AT)
    encounter = ledger.state.state.encounter
    if encounter is not None and encounter.order[0].who != ("Ash",):
        raise AssertionError("Ash has to begin")
    ledger.declare(BeginTurn(by="Ash"), at=AT)
    return ledger


def count(ledger: Ledger[State]) -> None:
    """Count the odds of an attack."""
    said, last = Attack(by="Ash", target="Bel"), ledger.state.last
    count_odds(ledger.game, ledger.state, said, EntryId(last.session, last.number + 1))
