"""Sentences of our books have verbs of the table, and a verb agrees with its subject and has a past."""

from __future__ import annotations

import re

import pytest

from cli.phrases.patterns import VERB, fill, fill_but_verbs, in_tense
from cli.phrases.verbs import FORMS, OF_BOOKS, PASTS, VERBS
from rulebooks import GAMES
from rulebooks.testing.game_files import GameFiles
from rulebooks.testing.sentence_checks import patterns

SUBJECT = re.compile(r"^\{(?:who|by|against|other)\} (?:no longer |partly |nearly |half )?(\S+)")
SILENT = ("{other}: {who}", "no longer of {other}: {who}")  # lists, which have no verb


@pytest.mark.parametrize("game", GAMES)
def test_verbs_of_a_book_stand_in_the_table(game: str) -> None:
    """Each of them, and in each sentence of somebody what they do is one."""
    for pattern in patterns(GameFiles(game)):
        assert {*VERB.findall(pattern)} <= {*VERBS, *FORMS, *PASTS, *OF_BOOKS}, pattern
        subject = SUBJECT.match(pattern)
        assert subject is None or pattern in SILENT or subject[1].startswith(("<", "{")), pattern


@pytest.mark.parametrize(
    ("pattern", "who", "now", "then"),
    [
        ("{who} <take> cover", "Ed and Krug", "Ed and Krug take cover", "Ed and Krug took cover"),
        ("{who} <be> stunned and <go> down", "Kess", "Kess is stunned and goes down", "Kess was stunned and went down"),
        ("{who} <be> up and <go> on", "Ed and Krug", "Ed and Krug are up and go on", "Ed and Krug were up and went on"),
        ("what of {who} <be> out", "Ed and Krug", "what of Ed and Krug is out", "what of Ed and Krug was out"),
        ("{who} no longer <wait>", "Kess", "Kess no longer waits", "Kess no longer waited"),
        ("{who} <cannot> fly", "Kess", "Kess cannot fly", "Kess could not fly"),
    ],
)  # fmt: skip
def test_verb_of_a_pattern_takes_number_and_tense(pattern: str, who: str, now: str, then: str) -> None:
    marked = fill_but_verbs(pattern, {"who": who})
    assert (in_tense(marked), in_tense(marked, past=True)) == (now, then)


def test_brackets_in_a_name_are_no_verb() -> None:
    assert fill("{who} <take> cover", {"who": "<be>"}) == "<be> takes cover"
