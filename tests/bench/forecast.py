"""The fights of a forecast beside the replay of the very same fights, in Dusk Bastards and in MARS.

Both decide each declaration by the rules. A forecast also asks the policies, and some of what they try is refused; a
replay reads the declarations, and compares the facts.

A decided entry costs, on average (CPython 3.11; in brackets before a fight that nobody reads left out its dice and
judgements, and before each run found again what the one before had worked out of beings):

| | Dusk Bastards | MARS |
| --- | --- | --- |
| calls of functions in Python | 172 (216) | 222 (402) |
| bytecodes | 3,390 (4,080) | 4,630 (7,200) |
| instructions of the processor | 264,000 (360,000) | 343,000 (660,000) |
| bytecodes of a strike | 5,200, every fifth entry | 4,900, every second entry |
| those of a pass, or of the end of a turn | 2,600 | 2,600 |
| those of the close of a roll | 1,800, every fourth entry | |
| time spent on the rules | 62 % | 61 % |
| on the fold | 12 % | 12 % |
| on turns, policies and the rest | 26 % | 27 % |

The instructions are those of `valgrind --tool=cachegrind --cache-sim=no`: the difference of 24 and of 4 runs. Before a
MARS roll spared what mostly has nothing to yield (comprehensions, generators) and the hashes of values, they were
303,000 and 500,000; before the guards of a strike were asked once, and the kind of a line only when it first comes,
302,000 and 454,000. `isinstance` with a struct of msgspec goes through its metaclass: hundreds of instructions for each
class that it is not. From 278,000 and 395,000 MARS came down by 6 % as the dice of one decision were no longer grouped,
and the words of a face read from a digest that was begun with the key; by 1 % with the conditions of a being by name;
by 2 % without generators of which one value is taken, and structs of steps that nobody reads; by 3 % as lists began as
`[]`, where `list[Edge]()` makes an alias and drops an error; by 1 % without guards that are called for nothing. No
function takes more than a twentieth: what is left is one call for each sentence of the book, and rules are not merged
that a reader looks for one by one.

Compiling was tried in November 2026. mypyc 2.4 took 104 of the modules, those with 42 and 29 % of the time, and saved
11 and 9 % of the instructions; the others have classes of msgspec, whose keywords it drops. If all could be compiled,
1.4 times as many entries would be decided. Cython 3.3 saved 1 %, and CPython 3.12 needs 9 and 3.13 4 % more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from time import perf_counter
from typing import Any, Final, cast

from cli.forecast.fight import Fight
from cli.forecast.fight_dice import FightDice
from cli.forecast.policies import Plain
from cli.forecast.runs import key_of_run
from cli.questions.ledger_file import LEDGER_FILE, find_game
from ledger.declarations import Declaration
from ledger.dice import Dice
from ledger.facts import BaseFact, EntryId, Fact, parse_entry_id
from ledger.ledger_state import load_state
from ledger.memory_store import MemorySeeds, MemoryStore
from ledger.records import Record
from ledger.replay import Replay
from ledger.service import Ledger
from ledger.sqlite_store import open_store
from projections.projection import StateProjection
from projections.state import State
from rulebooks.common.game import Game
from tests.bench.play import AT
from tests.bench.timer import Figure, figure, interleaved, rate

OPENINGS: Final = {"gutter-saints": "2.6", "lantern-ferry": "1.10"}  # the entry behind which the fight is on
RUNS: Final = 10
WANTED: Final = 15_000  # decided entries a second a core
FIGHTS, SECONDS = 1_000, 5.0  # four against five, on two cores


class Fought:
    """Runs of the fight of a sample, and a ledger of each in which the same was declared with the same faces."""

    def __init__(self, path: Path, opening: str) -> None:
        store = open_store(path / LEDGER_FILE, write=False)
        self.game, before = find_game(store), parse_entry_id(opening)
        records = [record for record in store.records() if record.id <= before]
        state = load_state(store, StateProjection(), at=before)
        store.close()
        encounter = state.state.encounter
        assert encounter is not None
        policies = dict.fromkeys(encounter.members, Plain("weakest"))
        self.fight, recorded = Fight(self.game, state, policies), RecordedFight(self.game, state.copy(), policies)
        self.entries, self.ledgers = 0, list[MemoryStore]()
        for run in range(RUNS):
            recorded.said = []
            self.entries += recorded.play(key_of_run("bench", run)).entries
            self.ledgers.append(declared_again(self.game, records, recorded.said))
        self.replayed = sum(Replay(ledger, self.game, StateProjection()).run().entries for ledger in self.ledgers)

    def play(self) -> None:
        """Play all runs."""
        for run in range(RUNS):
            self.fight.play(key_of_run("bench", run))

    def replay(self) -> None:
        """Replay the ledgers of all runs."""
        for ledger in self.ledgers:
            assert not Replay(ledger, self.game, StateProjection()).run().differences

    def stages(self) -> str:
        """Play all runs once more, and say what a decided entry is spent on."""
        game, projection, state = TimedGame(self.game), TimedProjection(), self.fight.ledger_state.copy()
        state.projection = projection
        fight = Fight(cast(Game, game), state, self.fight.policy_of)
        begin = perf_counter()
        for run in range(RUNS):
            fight.play(key_of_run("bench", run))
        whole = perf_counter() - begin
        parts = {"the rules": game.seconds, "the fold": projection.seconds}
        parts["turns, policies and the rest"] = whole - sum(parts.values())
        return ", ".join(f"{part} {100 * seconds / whole:.0f} %" for part, seconds in parts.items())


class RecordedFight(Fight):
    """A fight that keeps what was said and allowed, with the faces that were thrown."""

    said: list[tuple[Declaration, tuple[int, ...]]]

    def say(self, said: Declaration) -> bool:
        """Decide a declaration, and keep it if it was allowed."""
        dice = self.dice = FacesDice(self.dice)
        allowed = super().say(said)
        self.dice = dice.dice
        if allowed:
            self.said.append((said, dice.shown))
        return allowed


class TimedGame:
    """A game that measures how long its decisions take."""

    def __init__(self, game: Game) -> None:
        self.game, self.seconds = game, 0.0

    def __getattr__(self, name: str) -> Any:
        """Return what the game itself has."""
        return getattr(self.game, name)

    def decide(self, said: Declaration, state: State, dice: Dice) -> Iterator[Fact]:
        """Decide a declaration, and measure each step up to a fact."""
        facts = self.game.decide(said, state, dice)
        while True:
            begin = perf_counter()
            try:
                fact = next(facts)
            except StopIteration:
                return
            finally:
                self.seconds += perf_counter() - begin
            yield fact


class TimedProjection(StateProjection):
    """A projection that measures how long it folds."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def step(self, state: State, entry: EntryId, fact: BaseFact) -> None:
        """Fold one fact."""
        begin = perf_counter()
        super().step(state, entry, fact)
        self.seconds += perf_counter() - begin


class FacesDice(FightDice):
    """The dice of a run that keep the faces of a declaration, in the order in which they are thrown."""

    __slots__ = ("dice", "shown", "thrown")

    def __init__(self, dice: FightDice) -> None:
        self.dice, self.shown, self.thrown = dice, (), set[str]()

    def begin_declaration(self) -> None:
        """Throw anew for each purpose from now on."""
        self.dice.begin_declaration()

    def throw(self, purpose: str, *sides: int) -> tuple[int, ...]:
        """Return the faces, and keep those of a purpose once."""
        faces = self.dice.throw(purpose, *sides)
        if purpose not in self.thrown:
            self.thrown.add(purpose)
            self.shown += faces
        return faces

    def share(self, what: str, number: int) -> float:
        """Return the number of the run."""
        return self.dice.share(what, number)


def declared_again(game: Game, before: list[Record], said: list[tuple[Declaration, tuple[int, ...]]]) -> MemoryStore:
    """Return a ledger with these records, and what was said after them."""
    store = MemoryStore()
    for record in before:
        store.append([record], after=store.head())
    ledger: Ledger[State] = Ledger(store, game, StateProjection(), MemorySeeds())
    for each, faces in said:
        ledger.declare(each, at=AT, faces=faces or None)
    return store


def forecasts(samples: Mapping[str, Path], rounds: int) -> tuple[list[Figure], list[str]]:
    """Measure decided entries a second of processor time, and say how long a thousand fights would take."""
    figures, sentences = [], []
    for sample, opening in OPENINGS.items():
        fought = Fought(samples[sample], opening)
        ours, floor = f"forecast, {fought.game.name}: decided entries", f"replay of the same fights, {fought.game.name}"
        jobs = {ours: rate(fought.entries, fought.play), floor: rate(fought.replayed, fought.replay)}
        found = figure(ours, interleaved(rounds, jobs), ours, floor, "CPU per s")
        figures.append(found)
        size = " against ".join(str(len(side)) for _, side in fought.fight.sides)
        seconds = FIGHTS * fought.entries / RUNS / found.ours / 2
        sentences.append(
            f"forecast, {fought.game.name}: {found.ours:,.0f} entries a second a core ({WANTED:,} wanted);"
            f" {FIGHTS:,} fights of {size} in {seconds:.1f} s on two cores ({SECONDS:.0f} wanted);"
            f" spent on {fought.stages()}"
        )
    return figures, sentences
