"""An attack on an area compared with an attack on each target."""

from __future__ import annotations

from ledger.declarations import Declaration
from ledger.dice import TypedDice, fixed_seed
from ledger.facts import EntryId
from ledger.ledger_state import decide_and_fold
from ledger.memory_store import MemorySeeds, MemoryStore
from ledger.service import Ledger
from projections.projection import StateProjection
from projections.state import State
from rulebooks import load_game
from rulebooks.dusk_bastards.declarations.combat import AreaAttack, Attack
from rulebooks.dusk_bastards.declarations.parts import Spot
from tests.bench.timer import Figure, figure, interleaved, rate

TARGETS = 12
TIMES = 40
AT = "2026-01-09T19:30:00Z"
AREA = f"area attack on {TARGETS}"
EACH = f"{TARGETS} attacks on one"
PC = {"might": 12, "speed": 10, "intellect": 9, "level": 3}
FOE = {"sheet": "npc", "kind": "minion", "difficulty": 3, "health": 6, "damage": 3}


def areas(rounds: int) -> tuple[list[Figure], str]:
    """Measure attacks per second; return the figures and the time of one attack."""
    ledger = crowded()
    spots = tuple(Spot(f"Thug {number}", ("cover",)) for number in range(TARGETS))
    blast = AreaAttack(by="Ash", targets=spots, stat="intellect", damage=4)
    single = Attack(by="Ash", target="Thug 0", stat="intellect", damage=4, mode="ranged", situations=("cover",))
    measured = interleaved(
        rounds,
        {
            AREA: rate(TIMES, lambda: said(ledger, blast, TIMES)),
            EACH: rate(TIMES, lambda: said(ledger, single, TIMES * TARGETS)),
        },
    )
    found = figure(AREA, measured, AREA, EACH, "per second")
    return [found], f"{AREA}: {1000 / found.ours:.2f} ms to decide"


def crowded() -> Ledger[State]:
    """Return a ledger in memory with one attacker and many targets."""
    game = load_game("dusk-bastards")
    ledger = Ledger(MemoryStore(), game, StateProjection(), MemorySeeds())
    ledger.create("Areas", at=AT, ledger="0" * 32)
    ledger.declare(game.sheet({"name": "Ash", **PC}, "ash.toml"), at=AT)
    for number in range(TARGETS):
        ledger.declare(game.sheet({"name": f"Thug {number}", **FOE}, "thug.toml"), at=AT)
    ledger.open_session("one", at=AT, seed=fixed_seed("areas"))
    return ledger


def said(ledger: Ledger[State], declaration: Declaration, times: int) -> None:
    """Decide a declaration so many times, each in the current state."""
    state = ledger.state
    for _ in range(times):
        mark = state.mark()
        decide_and_fold(ledger.game, state, declaration, TypedDice((7, 6)), EntryId(1, state.last.number + 1))
        state.roll_back(mark)
