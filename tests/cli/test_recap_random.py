"""Recaps of evenings that are played at random: nothing from a superseded take, and every sentence of its entries."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cli.phrases.summary import Summaries
from cli.questions.name_table import NO_NAMES
from cli.questions.players_ledger import store_for
from cli.render.recap import RecapSource, session_knowledge
from cli.story.chronicle import chronicle
from cli.story.page import Page, recap_page
from cli.story.persons import Persons
from cli.story.post import post
from cli.story.sentences import Teller
from cli.story.session_log import session_log
from cli.story.style import STYLES
from ledger.corrections.undo import undo
from ledger.errors import LedgerError
from ledger.facts import GM
from ledger.records import Record, latest_takes
from ledger.service import Ledger
from projections.state import State
from rulebooks.dusk_bastards.declarations.harm import Damage, WoundRoll
from rulebooks.dusk_bastards.declarations.tasks import Attempt, Close
from tests.budget import BUDGET
from tests.cli import story_questions
from tests.cli.story_questions import Evening
from tests.projections.test_recap import ATTEMPT, BEING, DESTINY, WHO, new_ledger
from tests.rulebooks.dusk_bastards.seat import AT, BOOK

EXAMPLES = BUDGET.examples(6, 30)
LEXICON = BOOK.texts().lexicon
PLAYED: st.SearchStrategy[Any] = st.one_of(
    *[ATTEMPT] * 4,
    *[DESTINY] * 2,
    st.builds(Damage, by=st.just(GM), target=BEING, amount=st.integers(1, 9)),
    st.builds(WoundRoll, by=WHO),
    st.just(Close(by=GM)),
    *[st.just("undo")] * 3,
)


def play(evening: list[Any]) -> tuple[Ledger[State], list[str]]:
    """Return a ledger, and the words of all its tasks and causes: each is said once."""
    ledger, words = new_ledger(), list[str]()
    for said in evening:
        word = "quo" + "abcdefghijklmnopqrstuvwxyz"[len(words) % 26] * (2 + len(words) // 26)
        with suppress(LedgerError):
            if said == "undo":
                undo(ledger, by=GM, at=AT)
                continue
            if isinstance(said, Attempt):
                said = msgspec.structs.replace(said, task=word)
            elif isinstance(said, Damage):
                said = msgspec.structs.replace(said, source=word)
            ledger.declare(said, at=AT, line=word)
            words.append(word)
    return ledger, words


def page_of(ledger: Ledger[State]) -> Page:
    """Return the recap of the session as the game master sees it."""
    return recap_page(
        store_for(ledger.store, BOOK, "gm"),
        session=1,
        as_of=None,
        book=BOOK,
        storytellers=lambda before, after: Teller(LEXICON, BOOK.texts().narration, before, Persons(after)),
        summaries=Summaries(LEXICON.wording),
    )


def texts_of(page: Page) -> list[str]:
    """Return the page in every size."""
    return ["\n".join(size(page, STYLES["text"])) for size in (post, chronicle, session_log)]


def records_of(ledger: Ledger[State], kind: bytes) -> list[Record]:
    """Return the takes that count of a kind of declaration."""
    counting = (record for record in latest_takes(ledger.store.takes()) if record.facts and record.declared)
    return [record for record in counting if kind in bytes(record.declared.said)]


@pytest.mark.slow
@settings(max_examples=EXAMPLES)
@given(st.lists(PLAYED, min_size=6, max_size=25))
def test_no_word_of_a_superseded_take_is_told(evening: list[Any]) -> None:
    ledger, words = play(evening)
    counts = {record.line for record in latest_takes(ledger.store.takes()) if record.facts}
    page = page_of(ledger)
    texts = [re.sub(r"; was: .*", "", text) for text in texts_of(page)]  # what a correction says it was before
    told = {word for text in texts for word in re.findall(r"\bquo[a-z]+\b", text.lower())}
    assert told <= counts
    sentences = [sentence for passage in page.story for sentence in passage.sentences]
    attempts = {word for word in words if word in counts and any(word in sentence.text for sentence in sentences)}
    rolled = {record.line for record in records_of(ledger, b'"attempt"')}
    assert rolled <= attempts  # each roll that counts has its sentence


@settings(max_examples=EXAMPLES)
@given(st.lists(PLAYED, min_size=6, max_size=25))
def test_every_entry_is_told_once(evening: list[Any]) -> None:
    ledger, _ = play(evening)
    page = page_of(ledger)
    entries = [entry for passage in page.story for each in passage.sentences for entry in each.entries]
    assert len(entries) == len(set(entries))
    standing = {str(record.id) for record in latest_takes(ledger.store.takes()) if record.facts}
    assert set(entries) <= standing
    assert {str(record.id) for record in records_of(ledger, b'"spend-destiny"')} <= set(entries)


@pytest.mark.slow
@settings(max_examples=EXAMPLES)
@given(st.lists(PLAYED, min_size=6, max_size=25))
@example([Damage(by=GM, target="Ash", amount=points) for points in (1, 1, 1, 3)])  # told as one loss of 6
@example([  # a number of the table: 2 and 5 points of might
    WoundRoll(by="Ash"),
    *(
        Attempt(by="Ash", stat="might", task="", difficulty=1, effort=effort, initial_cost=cost)
        for effort, cost in ((0, 0), (0, 1), (1, 0), (1, 0))
    ),
    WoundRoll(by="Ash"),
])  # fmt: skip
def test_random_evening_answers_the_questions(evening: list[Any]) -> None:
    ledger, _ = play(evening)
    source = RecapSource(
        store=store_for(ledger.store, BOOK, "gm"), book=BOOK, wording=LEXICON.wording, role="gm", names=NO_NAMES
    )
    known = session_knowledge(source, 1)
    told = Evening(page=known.page, known=known, narration=BOOK.texts().narration)
    for question in (
        story_questions.outcome_late,
        story_questions.deaths_without_doer,
        story_questions.quotes_lost,
        story_questions.words_of_fights,
        story_questions.entry_numbers,
        story_questions.notes_run_in,
        story_questions.numbers_and_names_at_the_end,
        story_questions.lead_said_twice,
        story_questions.unnamed_at_the_end,
        story_questions.false_words,
    ):
        bad = list(question(told))
        assert bad == [], (question.__name__, bad)
