"""Who left a fight to give up, as the reason says: `throws the club away`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from typing import Final

from cli.phrases.verbs import conjugate
from cli.story.last_news import names_of
from cli.story.plain_words import is_title, plain_words
from cli.story.reasons import reason_to_leave
from ledger.facts import ConditionBegan, Judged
from ledger.names import capital
from projections.recap.episodes import Episode

SOMETHING: Final = r"(?:the|his|her|their|its) [\w-]+"


def who_gave_up(episodes: Iterable[Episode], others: Collection[str]) -> set[str]:
    """Return those of the others who left a fight to give up, and have struck at nobody since."""
    given = set[str]()
    for episode in episodes:
        given -= {fact.who for fact in episode.facts if isinstance(fact, Judged) and fact.against and fact.rolls}
        if giving_up().match(reason_to_leave(episode)):
            given |= {fact.who for fact in episode.facts if isinstance(fact, ConditionBegan) and fact.who in others}
    return given


def ways_to_say(who: str, others: Collection[str], called: Mapping[str, str]) -> list[str]:
    """Return what people write for one of the others: names, what a story calls them, and their title."""
    alias = called.get(who, who)
    own = [part for part in who.split() if is_title(part)]
    titles = [f"{the} {each}" for part in own[-1:] for each in (part, part.lower()) for the in ("the", "The")]
    is_only = sum(any(part in each.split() for part in own) for each in others) == 1
    return [*names_of(who, others), alias, capital(alias), *(titles if is_only else [])]


@cache
def giving_up() -> re.Pattern[str]:
    """Return the pattern of what they do who give up, in each form of its verb."""
    words = plain_words()
    deeds = [each.partition(" ") for each in (*words.yielding.split(), *words.giving_up)]
    forms = [
        f"{form}{space}{rest.replace('*', SOMETHING)}"
        for verb, space, rest in deeds
        for form in (verb, conjugate(verb), conjugate(verb, past=True))
    ]
    return re.compile(rf"\b(?:{'|'.join(forms)})\b")
