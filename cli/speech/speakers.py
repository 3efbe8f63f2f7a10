"""Who says a line that a sentence means."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from cli.speech.frames import ASK, FrameMatch
from cli.speech.lexicon import WHO

BEING: Final = "{being}"
EACH_MOST: Final = 4  # of several against whom somebody defends


class Speaker(msgspec.Struct, frozen=True):
    """Who says a line: the names, and whether they follow from a pronoun or from whose turn it is.

    `is_group`: one saying named several of them.
    """

    names: tuple[str, ...]
    is_unsure: bool = False
    is_group: bool = False


def each_answered(speaker: Speaker | None, match: FrameMatch) -> Iterator[Speaker | None]:
    """Yield those of whom a phrase is about one: somebody defends against each of the guards who attack."""
    is_about_one = match.frame.template.removeprefix(ASK).startswith(BEING) and WHO in match.frame.template
    if speaker is None or not is_about_one or len(speaker.names) == 1:
        yield speaker
    else:
        yield from (Speaker((name,), speaker.is_unsure) for name in speaker.names[:EACH_MOST])
