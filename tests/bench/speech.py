"""A sentence in one's own words, heard in a fight of fifty beings: compared with a line of the grammar there.

The slowest has a bound in the shell, and lines that are long or of another script have one of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from time import process_time
from typing import Final

from cli.play.spoken import hear
from ledger.errors import LedgerError
from tests.bench.timer import Figure, figure, interleaved
from tests.cli.speech.table import Listener, Scene, Table

STRICT: Final = "a line of the grammar, 50 beings"
FOES: Final = ("Drowned", "Harbor Fury", "Wolf", "Sergeant Dovel")
BEFORE: Final = ('! encounter "the quay"', "kess initiative /9.9", "marta initiative /3.3", "close", "! on")
SENTENCES: Final = {
    "a sentence, 50 beings": "Kess shoots the second wolf with her pistol",
    "a sentence with a reason, 50 beings": "Marta swings at harbor fury 3 with the axe, she hates them",
    "a sentence with two misspelt words, 50 beings": "Kess shots the secnd wlof with her pistol",
    "a sentence of talk, 50 beings": "what a wonderful evening to stand on this quay",
}
STRANGE: Final = {
    "a line of 300 words": " ".join(["word"] * 300),
    "a line of 200 names": " ".join(["Wolf"] * 200),
    "a line in another script": "щит и меч " * 40,
}
MOST, STRANGE_MOST = 0.025, 0.050  # seconds of processor time


def sentences(rounds: int) -> tuple[list[Figure], str]:
    """Measure how sentences are heard; return the figures, and the slowest of each kind with its bound."""
    listener = quay()
    said = {STRICT: 'kess attack "Wolf 3" with pistol', **SENTENCES, **STRANGE}
    measured = interleaved(rounds, {name: job(listener, line) for name, line in said.items()})
    figures = [figure(name, measured, name, STRICT, "ms CPU", scale=1000) for name in said]
    slow, strange = (max(each.ours for each in figures if each.what in group) for group in (SENTENCES, STRANGE))
    return figures, (
        f"a sentence: {slow:.1f} ms of processor time (at most {MOST * 1000:.0f}), "
        f"a strange line: {strange:.1f} ms (at most {STRANGE_MOST * 1000:.0f})"
    )


def quay() -> Listener:
    """Return who hears what is said in a fight of two characters and forty-eight foes."""
    pistol, axe = {"pistol": {"stat": "speed", "damage": 4}}, {"axe": {"stat": "might", "damage": 6}}
    heroes = (
        {"name": "Kess", "might": 9, "speed": 14, "intellect": 11, "weapons": pistol},
        {"name": "Marta Sable", "might": 14, "speed": 9, "intellect": 9, "weapons": axe},
    )
    foe = {"sheet": "npc", "difficulty": 3, "health": 6, "damage": 4}
    foes = ({**foe, "name": f"{name} {number}"} for name in FOES for number in range(1, 13))
    scene = Scene(name="the quay", lines=(), before=BEFORE)
    return Listener(Table(game="dusk-bastards", sheets=(*heroes, *foes), scenes=(scene,)), scene)


def job(listener: Listener, line: str) -> Callable[[], float]:
    """Return a job that hears a line, and returns the processor time that it took."""

    def run() -> float:
        start = process_time()
        with suppress(LedgerError):  # refused, or asked: the time is the same
            hear(line, listener.ledger.state, listener.book)
        return process_time() - start

    return run
