"""Sentences of stories, for tests that need no ledger."""

from __future__ import annotations

from cli.story.passages import Sentence
from cli.story.selection import NEEDED


def sentence(text: str, names: tuple[str, ...] = ()) -> Sentence:
    """Return a sentence that a post cannot do without, about these."""
    return Sentence(entries=("1.1",), text=text, weight=NEEDED, names=names)
