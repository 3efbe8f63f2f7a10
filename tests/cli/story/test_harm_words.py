"""How hurt somebody is: one scale for the sentence of a blow and the list at the end."""

from __future__ import annotations

import msgspec
import pytest

from cli.story.clauses import TextEffect, count_phrase
from cli.story.party_words import standing_lines
from cli.story.plain_words import harm_word, no_milder, plain_words
from cli.story.style import STYLES
from projections.recap.cast import Level
from projections.recap.party import PartyMember
from rulebooks import GAMES, load_game
from tests.cli.test_recap_post import page_of

OF_BOOK = ("hurt", "badly hurt", "near death", "barely standing")


def at_the_end(now: int, words: tuple[str, ...] = ()) -> str:
    pool = Level(name="hp", now=now, most=9)
    member = PartyMember(who="Joss", player="Ben", pools=(pool,), tokens=(), wounds=(), conditions=(), days=0)
    page = msgspec.structs.replace(
        page_of(), party=(member,), vital="hp", harm_words=words, falls=(), called={}, lost=()
    )
    return next(standing_lines(page, STYLES["text"]))


@pytest.mark.parametrize("now", [1, 2, 3, 4, 5, 6, 7, 8])
@pytest.mark.parametrize("words", [(), OF_BOOK])
def test_end_has_the_word_of_the_blow(now: int, words: tuple[str, ...]) -> None:
    told = harm_word(words or plain_words().harm, now, 9)
    assert at_the_end(now, words).split(" (")[0] == f"Joss {told}"


def test_who_has_nothing_left_is_as_the_blow_left_them() -> None:
    assert at_the_end(0, OF_BOOK) == "Joss barely standing"
    assert at_the_end(0) == "Joss at the end of all strength"


def test_more_harm_is_never_said_in_a_milder_word() -> None:
    assert no_milder("hurt", "barely standing") == "barely standing"
    assert no_milder("badly hurt", "hurt") == "badly hurt"
    assert [no_milder("hurt", ""), no_milder("winded", "hurt"), no_milder("", "hurt")] == ["hurt", "winded", ""]


def test_wounds_of_one_deed_are_counted() -> None:
    taken = TextEffect("Bo takes a wound", whose="Bo", plural="Bo takes several wounds")
    told = [count_phrase(taken, times) for times in (1, 2, 3)]
    assert told == ["Bo takes a wound", "Bo takes two wounds", "Bo takes three wounds"]


@pytest.mark.parametrize("game", sorted(GAMES))
def test_books_have_one_scale_of_harm(game: str) -> None:
    texts = load_game(game).texts()
    own, plain = texts.narration.harm.get(texts.lexicon.vital_value, ()), plain_words().harm[:-1]
    assert all(plain.index(how) == place for place, how in enumerate(own[: len(plain)]) if how in plain)
