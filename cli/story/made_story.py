"""A story that is made, as a lead and a fight in few words are made of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from cli.story.passages import Part, Storyteller
from cli.story.story_deed import StoryDeed
from projections.recap.episodes import Episode


class MadeStory(Protocol):
    """A story that is made: its episodes, its parts, their deeds, and its storyteller."""

    @property
    def episodes(self) -> list[Episode]:
        """The episodes."""

    @property
    def parts(self) -> Sequence[Part]:
        """The parts."""

    @property
    def deeds(self) -> list[StoryDeed]:
        """The deeds, each of its episode."""

    @property
    def teller(self) -> Storyteller:
        """The storyteller."""
