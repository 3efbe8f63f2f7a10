"""Blows in a row: of three that did harm the later two are one sentence."""

from __future__ import annotations

import msgspec

from cli.story.clauses import GRAVE, TURN
from cli.story.passages import Passage, Sentence
from cli.story.runs import blows_run_together


def blow(text: str, weight: int = TURN) -> Sentence:
    return Sentence(entries=("1.1",), text=text, weight=weight, mentions=("Kess", "Rat"), changes=(("Rat", "hp"),))


ONE, TWO, THREE = blow("Kess hit Rat and hurt him"), blow("The cat bit Kess"), blow("The rat bit Kess and hurt her")
BOTH = "The cat bit Kess, while the rat bit Kess and hurt her"


def texts(*sentences: Sentence, kinds: tuple[str, ...] = ("",), across: bool = False) -> list[list[str]]:
    each = len(sentences) // len(kinds)
    passages = [Passage(kind=kind, sentences=sentences[each * at : each * (at + 1)]) for at, kind in enumerate(kinds)]
    return [[one.text for one in told.sentences] for told in blows_run_together(passages, across=across)]


def test_third_blow_in_a_row_runs_on() -> None:
    assert texts(ONE, TWO, THREE) == [[ONE.text, BOTH]]
    assert texts(ONE, TWO) == [[ONE.text, TWO.text]]


def test_second_sentence_that_runs_on_does_so_in_another_form() -> None:
    again = BOTH.replace(", while ", ", and ")
    assert texts(*(ONE, TWO, THREE) * 2) == [[ONE.text, BOTH, ONE.text, again]]


def test_fall_and_words_end_a_row() -> None:
    fell = blow("Rat fell to Kess", GRAVE)
    assert texts(ONE, fell, TWO, THREE) == [[ONE.text, fell.text, TWO.text, THREE.text]]
    said = msgspec.structs.replace(THREE, text='The rat bit Kess: "Ow"')
    assert texts(ONE, TWO, said) == [[ONE.text, TWO.text, said.text]]


def test_row_goes_on_in_the_next_paragraph_of_a_post() -> None:
    rounds = ("round", "round", "round")
    assert texts(ONE, TWO, THREE, kinds=rounds, across=True) == [[ONE.text], [BOTH]]
    assert texts(ONE, TWO, THREE, kinds=rounds) == [[ONE.text], [TWO.text], [THREE.text]]
    assert texts(ONE, TWO, THREE, kinds=("round", "quote", "round"), across=True) == [
        [ONE.text],
        [TWO.text],
        [THREE.text],
    ]
