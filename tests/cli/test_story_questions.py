"""The ten questions that a reader asks of a story, for the samples, as far as a program can count them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from cli.play.name_table import campaign_names
from cli.render.recap import RecapSource, session_knowledge
from cli.story.clauses import GRAVE
from projections.recap.falls import Fall
from tests.budget import BUDGET
from tests.cli.pages.test_session_page import seen
from tests.cli.story_questions import QUESTIONS, Evening, outcome_late

SESSIONS = BUDGET.cases(
    [("gutter-saints", 2), ("broken-archway", 1), ("lantern-ferry", 1)],
    [("gutter-saints", 1), ("gutter-saints", 3), ("choir-of-glass", 1), ("powder-tithe", 1)],
)
Question = Callable[[Evening], Iterator[str]]


@pytest.fixture(scope="module", params=SESSIONS, ids=lambda session: "-".join(map(str, session)))
def evening(request: pytest.FixtureRequest, played_samples: dict[str, Path]) -> Evening:
    """A session of a sample, as its players see it."""
    sample, number = request.param
    folder = played_samples[sample]
    with seen(folder, "gm") as (store, _):
        names = campaign_names(folder, store)
    with seen(folder, "players") as (store, book):
        wording = book.texts().lexicon.wording
        source = RecapSource(store=store, book=book, wording=wording, role="players", names=names)
        known = session_knowledge(source, number)
        assert known.own_words, known.vocabulary and known.numbers
        return Evening(page=known.page, known=known, narration=book.texts().narration)


@pytest.mark.quick_rows(9)
@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.__name__)
def test_story_of_a_sample_answers_the_question(evening: Evening, question: Question) -> None:
    assert list(question(evening)) == []


def pairs_of(evening: Evening) -> list[str]:
    """Return the sentences that stand beside another, both of which a short recap would not miss most."""
    pairs = (pair for passage in evening.page.story for pair in pairwise(passage.sentences))
    return [one.text for one, other in pairs if max(one.weight, other.weight) < GRAVE]


def changed(evening: Evening, text: str) -> Evening:
    """Return an evening with this in the place of every sentence."""
    story = tuple(
        msgspec.structs.replace(
            passage, sentences=tuple(msgspec.structs.replace(each, text=text) for each in passage.sentences)
        )
        for passage in evening.page.story
    )
    return msgspec.structs.replace(evening, page=msgspec.structs.replace(evening.page, story=story))


@pytest.mark.slow
def test_questions_find_what_is_bad(evening: Evening) -> None:
    first = evening.page.party[0].who
    worse = changed(evening, f"{first} did it (1.1), with 7777 points")
    found = {question.__name__ for question in QUESTIONS if list(question(worse))}
    assert {"entry_numbers", "numbers_in_sentences", "false_words"} <= found
    short = changed(evening, f"{first} swam")
    assert "stubs" in {question.__name__ for question in QUESTIONS if list(question(short))} or not pairs_of(evening)
    fall = Fall(entry="9.9", who=first, kind="died", name="dead", by=("Nobody",))
    late = msgspec.structs.replace(evening, page=msgspec.structs.replace(evening.page, falls=(fall,), lead=()))
    assert list(outcome_late(late))
