"""A question in words about values, or how somebody is, is answered in a line that begins with whom it is about."""

from __future__ import annotations

import pytest

from cli.render.short_answers import short_answer
from cli.speech.inquiry import inquiry_of
from cli.speech.readings import Reader
from tests.cli.speech.table import listener

ANSWERS = [
    ("monolith", "something was said wrong", "how's Dov's body", ["Dov: 9 of 9 body."]),
    ("monolith", "something was said wrong", "what's Mara on?", ["Mara Quill: body 11/11, hp 2/6, left: action."]),
    ("monolith", "something was said wrong", "what's Ada's health", ["Ada Vance: 5 of 5 hp."]),
    ("monolith", "something was said wrong", "can Ada still act", ["Ada Vance: move left."]),
    ("monolith", "something was said wrong", "who has the rifle", ["Ada Vance: rifle d8."]),
    (
        "monolith",
        "something was said wrong",
        "is guard 2 dead",
        ["Guard 2: hurt, body 9/9, hp 3/4, left: action, move."],
    ),
    (
        "monolith",
        "something was said wrong",
        "how many guards are hurt",
        ["1 of 3 is hurt: Guard 2 (hp 3/4).", "Not hurt: Guard 1 (hp 4/4), Guard 3 (hp 4/4)."],
    ),
    ("momentum", "after a blow", "what's Sira's defense again", ["Sira: defense 6."]),
    ("mars", "an attack was made", "how much stamina have I got? Ada", ["Ada Voss: 14 of 14 stamina."]),
    ("momentum", "after a blow", "how much hp has Sira got left after all that", ["Sira: 10 of 10 hp."]),
    (
        "momentum",
        "after a blow",
        "how many more hits does Sira need to die",
        ["Sira: up, hp 10/10, in archway, has two actions in round 1, left: action 2."],
    ),
    ("momentum", "after a blow", "what's her defense", ["Sira: defense 6."]),
    ("momentum", "after a blow", "does Sira get two actions?", ["Sira: action 2 left."]),
    (
        "momentum",
        "after a blow",
        "how many spearmen are still up",
        ["2 of 2 are up: Spearman 1 (hp 5/5), Spearman 2 (hp 5/5)."],
    ),
    (
        "dusk_bastards",
        "the action phase",
        "what's my might",
        ["Kess: 9 of 9 might.", "Marta Sable: 14 of 14 might."],
    ),
    (
        "semiautomagic",
        "after the blow",
        "how many guards have a wound so far",
        ["2 of 2 are hurt: Guard 1 (dying (DC 4), unconscious), Guard 2 (dying (DC 4), unconscious)."],
    ),
]
QUESTIONS = [
    ("monolith", "something was said wrong", "how's Dov's body after that?", "show Dov"),
    ("monolith", "something was said wrong", "oh right, so only the six counts. Dov's at 2?", "show Dov"),
    ("monolith", "something was said wrong", "did Ada use her action", 'show "Ada Vance"'),
    ("monolith", "something was said wrong", "that's two hits, isn't it?", "why"),
    ("monolith", "something was said wrong", "what did that cost me", "why"),
    ("monolith", "something was said wrong", "anyone still got an action?", "show"),
    ("monolith", "something was said wrong", "got 9", ""),
    ("monolith", "something was said wrong", "it's a 6. Dov has armor 2 so he eats 4", ""),
    ("monolith", "something was said wrong", "Ada shoots guard 1, he's in cover so it's impaired yeah?", ""),
]


@pytest.mark.parametrize(("table", "scene", "question", "answer"), ANSWERS)
def test_question_is_answered_with_what_it_asks_for(table: str, scene: str, question: str, answer: list[str]) -> None:
    heard = listener(table, scene)
    reader = Reader(heard.ledger.state, heard.book, heard.scope(), "")
    assert short_answer(inquiry_of(question, reader), heard.ledger.state.state, heard.book).lines == answer


@pytest.mark.parametrize(("table", "scene", "sentence", "question"), QUESTIONS)
def test_sentence_asks_a_question_of_the_shell_or_none(table: str, scene: str, sentence: str, question: str) -> None:
    heard = listener(table, scene)
    assert heard.conversation.question(sentence, heard.line_of, is_last=True) == question
