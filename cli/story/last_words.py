"""What rulings and the reasons of fights' ends say last of one of the others, as the subject of a sentence.

Whoever lays down arms does so in any words: what was said of them stands as how they are at the end.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from cli.phrases.verbs import HELPERS, PASTS
from cli.story.plain_words import finite_verbs, plain_words, says_more
from cli.story.reasons import is_for_table, is_in_words
from cli.story.remarks import said_beside
from cli.story.surrender import giving_up, ways_to_say
from cli.story.tense import NOT, in_past
from ledger.facts import ConditionBegan, EncounterBegan, EncounterEnded, Judged, Ruled
from projections.recap.episodes import Episode
from projections.recap.threads import Thread

CLAUSE: Final = r"(?:^|[,;.:] )(?:(?:and|but|then) )*"  # where a subject may begin
THE_REST: Final = r"(?P<who>they|all of them|the (?:rest|others))"
THE_LAST: Final = r"(?P<who>he|she|it|they|the last [\w-]+)"
VERB: Final = re.compile(r" (?:\w+ly )?(?P<verb>[\w']+)")


class LastWords(NamedTuple):
    """What was said last of somebody, as it follows their name, and its entry."""

    text: str
    entry: str


def last_words(episodes: Iterable[Episode], others: Collection[str], called: Mapping[str, str]) -> dict[str, LastWords]:
    """Return what was said last of each of the others who struck at nobody since, and neither fought nor left again."""
    said = dict[str, LastWords]()
    ways = {who: sorted(ways_to_say(who, others, called), key=len, reverse=True) for who in others}
    names = {who: "|".join(map(re.escape, own)) for who, own in ways.items()}
    subjects = {who: re.compile(rf"{CLAUSE}(?:[Tt]he )??(?P<who>{words})(?= )") for who, words in names.items()}
    for episode in episodes:
        for who in at_it_again(episode):
            said.pop(who, None)
        for text, still_up in texts_of(episode):
            own = {who: words for who, name in subjects.items() if (words := words_of(text, name))}
            if not any(re.search(rf"\b(?:{each})\b", text) for each in names.values()):
                own = of_the_rest(text, [who for who in still_up if who in others], said)
            said |= {who: LastWords(words, episode.entries[0]) for who, words in own.items()}
    return said


def of_the_rest(text: str, still_up: Sequence[str], known: Collection[str]) -> dict[str, str]:
    """Return what a text that names nobody says of those who stood: as `they`, or as that somebody gave up."""
    rest = re.compile(f"{CLAUSE}{THE_LAST if len(still_up) == 1 else THE_REST}(?= )", re.IGNORECASE)
    if words := words_of(text, rest):
        return dict.fromkeys(still_up, words)
    return {who: said_beside(text) for who in still_up if giving_up().search(text) and who not in known}


def at_it_again(episode: Episode) -> Iterator[str]:
    """Yield those who strike at somebody in an episode, begin a fight, or are gone from it."""
    away = plain_words().away.split()
    for fact in episode.facts:
        if isinstance(fact, EncounterBegan):
            yield from (who for _, side in fact.sides for who in side)
        elif isinstance(fact, Judged):
            yield from [fact.who] if fact.against and fact.rolls else []
        elif isinstance(fact, ConditionBegan):
            yield from [fact.who] if fact.name in away else []


def texts_of(episode: Episode) -> Iterator[tuple[str, Collection[str]]]:
    """Yield what was ruled in an episode in so many words, and why a fight ended, with those who stood then."""
    for fact in episode.facts:
        if isinstance(fact, Ruled) and is_in_words(fact) and not is_for_table(fact):
            yield fact.text, ()
        elif isinstance(fact, EncounterEnded) and fact.because:
            yield fact.because, [who for _, side in fact.stand for who in side]


def words_of(text: str, subject: re.Pattern[str]) -> str:
    """Return what a text says of its subject, in the past unless it is to come; as it stands where that is unsure."""
    found = next((each for each in subject.finditer(text) if is_verb_at(text, each.end())), None)
    if found is None:
        return ""
    now = text[found.start("who") :].strip().rstrip(".")
    done = "" if says_more(now) else in_past(now)
    if done.casefold().startswith(f"{found['who']} ".casefold()):
        return done[len(found["who"]) :].strip()
    return now[len(found["who"]) :].strip() if says_more(now) else f'"{now}"'


def is_verb_at(text: str, place: int) -> bool:
    """Return whether a verb of its subject stands at a place of a text: by its form, or as it is known."""
    found = VERB.match(text, place)
    verb = found["verb"] if found else ""
    known = verb in {*finite_verbs(), *HELPERS, *PASTS, *PASTS.values(), *NOT}
    return known or (verb.endswith(("s", "ed")) and "'" not in verb) or verb in plain_words().yielding.split()


def with_last_words(thread: Thread, said: Mapping[str, LastWords]) -> Thread:
    """Return a thread with what was said last of its being, if they are not down."""
    last = said.get(thread.who)
    if last is None or thread.down:
        return thread
    return msgspec.structs.replace(
        thread, status=last.text, last=last.text, last_entry=last.entry, ruled=True, settled=True
    )
