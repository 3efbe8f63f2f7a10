"""How everybody stands in a state: the words of a book for conditions, the party, and what is open."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import msgspec

from cli.phrases.conditions import as_fact, state_text
from cli.story.plain_words import health_word
from cli.story.span import SessionSpan
from projections.recap.cast import THINGS, StatusWords, Words
from projections.recap.party import PartyMember, party, party_member
from projections.recap.threads import Thread, threads
from projections.state import Condition, State
from rulebooks.common.game import Game

BE: Final = "<be>"  # in a sentence that says how somebody is


def condition_words(book: Game, *others: str) -> Words:
    """Return the function that puts a condition in words; it returns nothing for one that is not worth a word."""
    wording, narration = book.texts().lexicon.wording, book.texts().narration
    silent = {*narration.untold, *others}
    plain = {name: text for name, text in narration.begins.items() if BE in text}
    in_story = msgspec.structs.replace(wording, conditions={**wording.conditions, **plain})

    def state_words(condition: Condition) -> str:
        if condition.name in wording.health:
            return health_word(condition.name, wording.health)
        return "" if condition.name in silent else state_text(as_fact(condition), in_story)

    return state_words


def characters_in(state: State) -> list[str]:
    """Return the players' characters."""
    return [being.name for being in state.beings_in_order() if being.kind == "pc"]


def things_in(state: State) -> list[str]:
    """Return what is nobody: places, items and other objects."""
    return [being.name for being in state.beings.values() if being.kind in THINGS]


def status_words(book: Game) -> StatusWords:
    """Return the words of the book for where somebody stands."""
    order, names = book.texts().lexicon.pool_order, book.texts().narration.wound_names
    return StatusWords(pool_order=order, wound_names=names, condition=condition_words(book), down=down_words(book))


def down_words(book: Game) -> tuple[str, ...]:
    """Return the conditions in which somebody has fallen, the gravest first."""
    return (*book.texts().narration.unable, *book.texts().narration.fallen)


def party_of(span: SessionSpan, seen: State, book: Game) -> list[PartyMember]:
    """Return where everybody stands at the end of a session."""
    return party(seen, lambda who: book.guide.days_of_rest(who, span.after.state), status_words(book))


def member_of(span: SessionSpan, seen: State, who: str, book: Game) -> PartyMember:
    """Return where anybody stands at the end of a session. Days of rest are for the party alone."""
    known = next((member for member in party_of(span, seen, book) if member.who == who), None)
    return known or party_member(seen, who, 0, status_words(book))


def threads_of(seen: State, named: Collection[str], book: Game) -> list[Thread]:
    """Return what is open in a state."""
    gone, narration = book.texts().lexicon.wording.gone, book.texts().narration
    return threads(seen, named, narration.lost, condition_words(book, *gone), down_words(book))
