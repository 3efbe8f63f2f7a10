"""What a text says that the ledger does not know: a doubt with its line, and a hint at what is known."""

from __future__ import annotations

from cli.story.check.counts import count_doubts
from cli.story.check.deaths import death_doubts
from cli.story.check.doers import doer_doubts
from cli.story.check.doubt import Doubt
from cli.story.check.knowledge import SessionKnowledge
from cli.story.check.meant_deaths import meant_death_doubts
from cli.story.check.names import name_doubts
from cli.story.check.numbers import number_doubts
from cli.story.check.text import PlainText


def text_doubts(text: str, known: SessionKnowledge) -> list[Doubt]:
    """Return what is wrong in a text, line by line. Raises Unreadable for a text that is too long."""
    plain = PlainText(text, known.own_words)
    numbers = [*number_doubts(plain, known), *count_doubts(plain, known)]
    deaths = [*death_doubts(plain, known), *meant_death_doubts(plain, known), *doer_doubts(plain, known)]
    found = [*name_doubts(plain, known), *numbers, *deaths]
    return sorted(dict.fromkeys(found), key=lambda each: (each.line, each.place))
