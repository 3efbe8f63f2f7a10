"""A question in words about values, or how somebody is, is answered in a line that begins with whom it is about."""

from __future__ import annotations

import pytest

from cli.notation.line_parser import parse_each
from cli.questions.odds import number_to_reach
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
    ("monolith", "something was said wrong", "hang on, what's Dov's dexterity?", ["Dov: dexterity 9."]),
    ("momentum", "in the archway", "Has Kael still got his reaction?", ["Kael: action 2 left, reaction 1."]),
    ("momentum", "in the archway", "Sira, what is your defense?", ["Sira: defense 6."]),
    ("monolith", "something was said wrong", "what damage does the rifle do", ["Ada Vance: rifle d8."]),
    ("mars", "Ada's turn", "What's Odile's armor rating?", ["Odile: ar 0."]),
    ("mars", "Ada's turn", "Sorry, what was Ada's initiative?", ["Ada Voss: initiative 24."]),
    ("dusk_bastards", "the action phase", "Wait, has Kess got any effort?", ["Kess: effort limit 2."]),
    ("dusk_bastards", "the action phase", "hang on, how much doom is there now", ["doom 0."]),
    ("momentum", "after a blow", "so what's the damage on Brynn's longbow", ["Brynn Holt: damage 2d10."]),
    ("semiautomagic", "the first round", "Hold on, is Tomas hidden?", ["Tomas Brandt: not hidden, has light cover."]),
    (
        "momentum",
        "after a blow",
        "hold on, who's still up on their side?",
        [
            "4 of 4 are up: Brigand Leader (hp 7/7), Spearman 1 (hp 5/5), Spearman 2 (hp 5/5), City Archer (hp 5/5).",
        ],
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
    ("monolith", "something was said wrong", "Hang on, is Dov wounded now?", "show Dov"),
    ("monolith", "something was said wrong", "Wait, does Mara have any movement left?", 'show "Mara Quill"'),
    ("monolith", "something was said wrong", "Mara: does the warden see me from up there?", 'show "Mara Quill"'),
    ("monolith", "something was said wrong", "Dov, are you still standing?", "show Dov"),
    ("monolith", "something was said wrong", "did guard 3 hit Mara?", "why 5"),
    ("monolith", "something was said wrong", "who's up on their side?", "show"),
    ("monolith", "something was said wrong", "who's up after Dov?", "turn"),
    ("momentum", "in the archway", "How far is the archer from Brynn?", 'far "City Archer" "Brynn Holt"'),
    ("momentum", "in the archway", "do we have any actions left?", "show"),
    ("momentum", "before the fight", "What does Kael need on Agility again?", "odds Kael check Agility"),
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


@pytest.mark.parametrize(
    ("table", "scene", "line", "number"),
    [
        ("momentum", "in the archway", "kael attack leader", 6),
        ("momentum", "before the fight", "kael check fin", 10),
        ("monolith", "something was said wrong", 'ada save dexterity "x"', 13),
        ("dusk_bastards", "the action phase", "kess attack thug1 with knife", 9),
        ("mars", "the quay", "ada check perception v10", 10),
        ("monolith", "the station", "dov rest", None),
    ],
)
def test_number_to_reach_is_what_a_throw_is_held_against(table: str, scene: str, line: str, number: int | None) -> None:
    heard = listener(table, scene)
    needed = number_to_reach(heard.book, heard.ledger.state, parse_each(line, heard.scope())[0].declaration)
    assert (needed.target if needed else None) == number
