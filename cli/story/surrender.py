"""Who gave up in a session, as rulings and reasons say it: `Gorse lays down the boathook`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import Final

from cli.phrases.verbs import conjugate
from cli.story.last_news import names_of
from cli.story.plain_words import is_title, plain_words
from cli.story.reasons import reason_to_leave
from ledger.facts import ConditionBegan, EncounterEnded, Judged, Ruled
from ledger.names import capital
from projections.recap.episodes import Episode

SAME_CLAUSE: Final = r"(?: (?!(?:who|to|from|for|until|if|unless|not|won't)\b)[^\s.;:!?]+){0,6}? "
SOMETHING: Final = r"(?:the|his|her|their|its) [\w-]+"


def who_gave_up(episodes: Iterable[Episode], others: Collection[str], called: Mapping[str, str]) -> set[str]:
    """Return those of the others who gave up, and have struck at nobody since."""
    given = set[str]()
    words = {who: re.compile(rf"\b(?:{'|'.join(map(re.escape, ways_to_say(who, others, called)))})") for who in others}
    for episode in episodes:
        given -= {fact.who for fact in episode.facts if isinstance(fact, Judged) and fact.against and fact.rolls}
        for text in texts_of_rulings(episode):
            given |= {who for who, name in words.items() if gives_up(text, name)}
        end = next((fact for fact in episode.facts if isinstance(fact, EncounterEnded)), None)
        if end and is_of_all(end.because, words.values()):
            given |= {who for _, side in end.stand for who in side if who in others}
        if giving_up().match(reason_to_leave(episode)):
            given |= {fact.who for fact in episode.facts if isinstance(fact, ConditionBegan) and fact.who in others}
    return given


def is_of_all(text: str, names: Iterable[re.Pattern[str]]) -> bool:
    """Return whether a text says that somebody gives up, and names nobody of those who may."""
    return giving_up().search(text) is not None and not any(name.search(text) for name in names)


def texts_of_rulings(episode: Episode) -> Iterator[str]:
    """Yield what was ruled in an episode, and why a fight ended in it."""
    for fact in episode.facts:
        if isinstance(fact, Ruled | EncounterEnded):
            yield from (text for text in (getattr(fact, "text", ""), fact.because) if text)


def gives_up(text: str, who: re.Pattern[str]) -> bool:
    """Return whether a text says that somebody gives up."""
    return re.search(f"{who.pattern}{SAME_CLAUSE}{giving_up().pattern}", text, who.flags) is not None


def ways_to_say(who: str, others: Collection[str], called: Mapping[str, str]) -> list[str]:
    """Return what people write for one of the others: names, what a story calls them, and their title."""
    alias = called.get(who, who)
    titles = [f"{the} {part.lower()}" for part in who.split() if is_title(part) for the in ("the", "The")]
    is_only = sum(any(part in each.split() for part in who.split() if is_title(part)) for each in others) == 1
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
