"""How somebody is, said as a fact: `Pim's down and he's dying`, `she's out cold till the fight's over`.

The words for each state are in `states.toml`; `[states]` of a book's `speech.toml` has the lines that set it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from cli.speech.frames import ASK, Frame, frames_of
from cli.speech.senses import read_thesaurus

STATES: Final = "states.toml"
BEGINS: Final = ("be", "lie/lay", "be down and/", "be down and he/she/it/they be")  # before how somebody is


def state_frames(lines: Mapping[str, tuple[str, ...]]) -> list[Frame]:
    """Return a frame for each way to say that somebody is in a state that a book has lines for.

    Raises KeyError for an unknown state.
    """
    states = read_thesaurus(STATES)
    return frames_of({f"{ASK}{line}": tuple(_ways_of(states[state]))} for state, own in lines.items() for line in own)


def _ways_of(words: tuple[str, ...]) -> Iterator[str]:
    """Yield each way to say a state."""
    for said in words:
        yield from (f"{begin} {said}" for begin in BEGINS)
