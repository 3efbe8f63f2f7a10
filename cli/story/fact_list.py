"""The facts of a session as a numbered list of data, for whoever tells it in their own words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec

from cli.phrases.fact_phrases import phrase_of
from cli.phrases.phrase import sentence
from cli.questions.name_table import NO_NAMES, NameTable
from cli.story.book_words import fall_words, night_words
from cli.story.page import BOOKKEEPING, told_results
from cli.story.persons import Persons
from cli.story.span import SessionHeading, SessionSpan, heading_of, load_session, position_and_session
from cli.story.status import characters_in, party_of
from ledger import facts
from ledger.store import ReadableStore
from projections.recap.episodes import Episode, episodes, final_results
from projections.recap.falls import Fall, falls
from projections.recap.night import gravity, stake
from projections.recap.party import PartyMember
from rulebooks.common.game import Game
from rulebooks.common.narration import Narration
from rulebooks.common.texts import Wording

UNTOLD: Final = (
    *BOOKKEEPING,
    facts.Declared,
    facts.Rolled,
    facts.Withheld,
    facts.Claimed,
    facts.WordsAdded,
    facts.SessionOpened,
    facts.SessionClosed,
)
WHAT: Final = ("what", "pool", "token", "name", "key", "wound", "point", "encounter")
WHOM: Final = ("against", "about")


class ToldFact(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One fact. What a fact does not have, or nobody may see, is left out.

    Attributes:
        n: its number in the list.
        entry: the entry in which it happened, or of the roll that it closed.
        fact: its kind.
        says: it as a sentence of the log.
        who: whose it is.
        what: the judgement, pool, token, condition, wound or kind of text.
        whom: against whom or about whom it is.
        using: the weapons, with who used them.
        result: how a roll came out, with its `total`, `target` and `margin`.
        was: a value before, and `now` the one after.
        by: who caused it.
        because: why, in the words of the line or of the rules.
        quote: people's own words.
        weight: how much it turned, from 3 to 9.
    """

    n: int
    entry: str
    fact: str
    says: str
    who: str = ""
    what: str = ""
    whom: str = ""
    using: tuple[tuple[str, str], ...] = ()
    result: str = ""
    total: int | None = None
    target: int | None = None
    margin: int | None = None
    was: facts.Scalar | None = None
    now: facts.Scalar | None = None
    by: str = ""
    because: str = ""
    quote: str = ""
    weight: int = 0


class PersonFacts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Somebody in the session, and how a story speaks of them."""

    name: str
    kind: str
    pronouns: str
    player: str = ""
    epithet: str = ""
    short: str = ""


class FactList(SessionHeading, frozen=True, kw_only=True):
    """The facts of a session, with its persons, who fell, and where the party stands at its end."""

    persons: tuple[PersonFacts, ...]
    facts: tuple[ToldFact, ...]
    falls: tuple[Fall, ...]
    party: tuple[PartyMember, ...]


def fact_list(
    store: ReadableStore, *, session: int | None, as_of: int | None, book: Game, names: NameTable = NO_NAMES
) -> FactList:
    """Return the facts of a session (None: the last), as of a position. Raises InputError as `recap_page`."""
    position, number = position_and_session(store, as_of, session)
    span = load_session(store, number, position)
    done, after = episodes(span.entries), span.after.state
    return FactList(
        **heading_of(span, position),
        persons=tuple(persons_in(span, Persons(after, names))),
        facts=tuple(told_facts(done, book, characters_in(after))),
        falls=tuple(falls(done, fall_words(book.texts().narration), span.before.state, after)),
        party=tuple(party_of(span, after, book)),
    )


def persons_in(span: SessionSpan, persons: Persons) -> Iterator[PersonFacts]:
    """Yield the characters, and the others who are named in the session."""
    state = span.after.state
    named = {name for entry in span.entries for fact in entry.facts for name in names_of(fact)}
    for being in state.beings_in_order():
        if being.kind == "pc" or (being.name in named and is_person(being.kind)):
            forms, short = persons.pronouns(being.name), persons.short(being.name)
            yield PersonFacts(
                name=being.name,
                kind=being.kind,
                pronouns=f"{forms.subject}/{forms.object}/{forms.possessive}",
                player=str(state.sheet(being.name, "player") or ""),
                epithet=persons.epithet(being.name),
                short=short if short != being.name else "",
            )


def is_person(kind: str) -> bool:
    """Return whether beings of a kind are persons or groups of them, and not things."""
    return kind not in ("object", "item", "place")


def names_of(fact: facts.Fact) -> Iterator[str]:
    """Yield those whom a fact names."""
    yield from (str(getattr(fact, field, "")) for field in ("who", "against", "by", "about"))
    if isinstance(fact, facts.EncounterBegan):
        yield from (who for _, side in fact.sides for who in side)


def told_facts(done: Sequence[Episode], book: Game, characters: Sequence[str]) -> Iterator[ToldFact]:
    """Yield the facts of episodes that a story may tell, numbered from 1."""
    texts, words, n = book.texts(), night_words(book), 0
    results = told_results(texts.lexicon, texts.narration)
    for episode in done:
        weight = stake(episode.facts, characters, words)
        final = {id(fact) for fact in final_results(episode.facts)}
        for fact in episode.facts:
            if isinstance(fact, facts.Judged):
                is_worth, own = id(fact) in final and fact.what in results, weight
            else:
                is_worth, own = is_told(fact, texts.narration), gravity(fact, characters, words)
            told = told_fact(fact, episode, texts.lexicon.wording) if is_worth else None
            if told is not None:
                n += 1
                yield msgspec.structs.replace(told, n=n, weight=own)


def is_told(fact: facts.Fact, narration: Narration) -> bool:
    """Return whether a fact is more than bookkeeping."""
    match fact:
        case facts.Reached():
            return fact.point == "round"
        case facts.Joined():
            return is_person(fact.kind)
        case facts.ConditionBegan() | facts.ConditionEnded():
            return fact.name not in narration.untold
    return not isinstance(fact, UNTOLD)


def told_fact(fact: facts.Fact, episode: Episode, wording: Wording) -> ToldFact | None:
    """Return a fact as data, not yet numbered; None if a log says nothing of it."""
    phrase = phrase_of(fact, wording)
    if phrase.is_silent and not isinstance(fact, facts.Reached | facts.Told):
        return None
    own = {field: getattr(fact, field) for field in fact.__struct_fields__}
    quote = fact.text if isinstance(fact, facts.Told) else ""
    return ToldFact(
        n=0,
        entry=episode.entries[0],
        fact=str(fact.__struct_config__.tag),
        says="" if quote else sentence(phrase, past=True),
        who=own.get("who") or own.get("by") or (episode.by if isinstance(fact, facts.Ruled) else ""),
        what=first_of(own, WHAT) or (fact.kind if isinstance(fact, facts.Told) else ""),
        whom=first_of(own, WHOM),
        quote=quote or (fact.text if isinstance(fact, facts.Ruled) else ""),
        by=own.get("by", "") if own.get("who") else "",
        was=phrase.was,
        now=phrase.now if not isinstance(fact, facts.Judged) else None,
        **{field: own[field] for field in ("using", "result", "total", "target", "margin", "because") if field in own},
    )


def first_of(own: dict[str, Any], fields: Iterable[str]) -> str:
    """Return the first of these fields that a fact has and that is not empty."""
    return next((str(own[field]) for field in fields if own.get(field)), "")
