"""The walk of a declaration through the modules of its book: how often it goes from one to another, and comes back."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from time import process_time
from types import FrameType
from typing import Any

import msgspec

from ledger.declarations import Declaration
from ledger.dice import Dice, TypedDice, fixed_seed
from ledger.facts import EntryId, Fact
from ledger.ledger_state import decide_and_fold
from ledger.memory_store import MemorySeeds, MemoryStore
from ledger.replay import Replay
from ledger.service import Ledger
from projections.projection import StateProjection
from projections.state import State
from rulebooks import load_game
from rulebooks.common.game import Game
from rulebooks.dusk_bastards.declarations.combat import Attack
from rulebooks.dusk_bastards.declarations.tasks import Attempt
from tests.bench.play import again

AT = "2026-01-09T19:30:00Z"
PC = {"name": "Kess", "might": 9, "speed": 14, "intellect": 17, "level": 2}
FOE = {"sheet": "npc", "name": "Dovel", "kind": "minion", "difficulty": 3, "health": 6, "damage": 3}
WALKED: dict[str, Declaration] = {
    "k attack dovel s d4": Attack(by="Kess", target="Dovel", stat="speed", damage=4),
    "k sneak v3": Attempt(by="Kess", task="sneak", difficulty=3),
}
STAYS_MOST, RETURNS_MOST = 40, 15
ACTS = {
    "attack": ("attack", "double-attack", "blast"),
    "attempt": ("attempt", "check", "ability-check", "save", "perceive"),
    "defence": ("defence", "evade", "parry", "block", "dodge", "interpose"),
    "move": ("move",),
    "rest": ("rest", "short-rest", "long-rest", "heal"),
}
"""What is said at every table, and the tags of the declarations that say it."""


@dataclass(frozen=True)
class Walk:
    """The modules in the order in which their functions are called, each stay in one of them once."""

    stays: tuple[str, ...]

    @property
    def modules(self) -> int:
        """Return the number of modules."""
        return len(set(self.stays))

    @property
    def returns(self) -> int:
        """Return how many stays come back to a module that was left."""
        return len(self.stays) - self.modules


@dataclass
class WatchedGame:
    """A game that writes down the walk of each declaration that it decides, by the tag of its kind."""

    game: Game
    walks: dict[str, list[Walk]] = field(default_factory=dict)

    def __getattr__(self, name: str) -> Any:
        """Return what the game itself has."""
        return getattr(self.game, name)

    def decide(self, said: Declaration, state: State, dice: Dice) -> Iterator[Fact]:
        """Decide a declaration, and note its walk."""
        stays = list[str]()
        with followed(stays, book_of(self.game)):
            yield from self.game.decide(said, state, dice)
        self.walks.setdefault(type(said).__struct_config__.tag, []).append(Walk(tuple(stays)))


def book_of(game: Game) -> str:
    """Return the package of a game."""
    return type(game).__module__.removesuffix(".game")


def sample_walks(samples: Mapping[str, Path]) -> list[str]:
    """Return a line for each game: the walks of its sample, and how many declarations a second are decided again."""
    lines = ["walks in the samples: stays, modules and returns of each act (the median), declarations a second"]
    for folder in samples.values():
        ledger = again(folder, write=False)
        game = load_game(ledger.state.session.rulebook.partition(" ")[0])
        rate = max(replay_rate(ledger, game) for _ in range(5))
        watched = WatchedGame(game)
        assert not Replay(ledger.store, watched, StateProjection()).run().differences
        ledger.store.close()
        acts = (f"{act} {figures(walks)}" for act, tags in ACTS.items() if (walks := walks_of(watched, tags)))
        lines.append(f"  {game.name}: {', '.join(acts)}; {rate:,.0f}/s")
    return lines


def replay_rate(ledger: Ledger[State], game: Game) -> float:
    """Return how many declarations of a ledger are decided again in a second of processor time."""
    start = process_time()
    report = Replay(ledger.store, game, StateProjection()).run()
    return report.entries / (process_time() - start)


def walks_of(watched: WatchedGame, tags: tuple[str, ...]) -> list[Walk]:
    """Return the walks of all declarations with these tags."""
    return [walk for tag in tags for walk in watched.walks.get(tag, ())]


def figures(walks: list[Walk]) -> str:
    """Return the medians of some walks."""
    medians = (median(part) for part in zip(*((len(w.stays), w.modules, w.returns) for w in walks), strict=True))
    return "/".join(f"{figure:.0f}" for figure in medians)


def walks() -> list[str]:
    """Return a line for each declaration with the figures of its walk."""
    ledger = meeting()
    lines = []
    for line, said in WALKED.items():
        walk = walk_of(ledger, said, 7, 6)
        figures = f"{len(walk.stays)} stays in {walk.modules} modules, {walk.returns} returns"
        lines.append(f"walk of `{line}`: {figures} (an attack at most {STAYS_MOST} and {RETURNS_MOST})")
    return lines


def meeting() -> Ledger[State]:
    """Return a ledger in memory with a character and a foe."""
    game = load_game("dusk-bastards")
    ledger = Ledger(MemoryStore(), game, StateProjection(), MemorySeeds())
    ledger.create("Walk", at=AT, ledger="0" * 32)
    for sheet in (PC, FOE):
        ledger.declare(game.sheet(sheet, "sheet.toml"), at=AT)
    ledger.open_session("one", at=AT, seed=fixed_seed("walk"))
    return ledger


def walk_of(ledger: Ledger[State], said: Declaration, *faces: int) -> Walk:
    """Return the walk of a declaration that is decided, folded and rolled back."""
    state, stays, book = ledger.state, list[str](), book_of(ledger.game)
    for _ in range(2):  # what is imported or cached at the first time is no part of the walk
        mark = state.mark()
        with followed(stays, book):
            decide_and_fold(ledger.game, state, said, TypedDice(faces), EntryId(1, state.last.number + 1))
        state.roll_back(mark)
    return Walk(tuple(stays))


@contextmanager
def followed(stays: list[str], book: str) -> Iterator[None]:
    """Write down the modules of the book in which functions are called. A generator that goes on is no call.

    Nor is a comprehension, and what a value of a struct says of itself is no way to another module.
    """
    stays.clear()
    begun = dict[int, FrameType]()

    def follow(frame: FrameType, event: str, arg: Any) -> None:
        module = frame.f_globals["__name__"]
        if event != "call" or id(frame) in begun or not module.startswith(book):
            return
        begun[id(frame)] = frame
        of_value = isinstance(frame.f_locals.get("self"), msgspec.Struct)
        if not of_value and not frame.f_code.co_name.startswith("<") and stays[-1:] != [module]:
            stays.append(module)

    before = sys.getprofile()
    sys.setprofile(follow)
    try:
        yield
    finally:
        sys.setprofile(before)
