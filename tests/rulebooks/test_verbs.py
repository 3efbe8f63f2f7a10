"""Sentences of every book have verbs of the table, which agree with their subject and have a past."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

import pytest

from cli.phrases.fact_phrases import phrase_of
from cli.phrases.patterns import FIELD, VERB, fill, fill_but_verbs, in_tense
from cli.phrases.phrase import clause, sentence
from cli.phrases.verbs import FORMS, OF_BOOKS, PASTS, VERBS
from ledger.facts import BaseFact, ConditionBegan, ConditionEnded, Linked, Rested
from rulebooks import GAMES, load_game
from rulebooks.common.texts import Wording

WORDING = ("conditions", "ends", "ties", "sheets", "moves", "windows", "closed", "rests")
NARRATION = ("results", "variants", "felled", "out", "ends", "lines", "rulings", "told")
SUBJECT = re.compile(r"^\{(?:who|by|against|other)\} (?:no longer |partly |nearly |half )?(\S+)")
SINGULAR = re.compile(r"Kess and Sable (?:no longer |partly )?(?:is|has|was|\w+[^s]s)\b")
RAW = re.compile(r"[_<>{}\x02\x03]|\bnot \w+s no\b|  |\bno longer (?:is|are)\b|\bfails to \w+s\b")
SILENT = ("{other}: {who}", "no longer of {other}: {who}")  # lists, which have no verb


def patterns(game: str) -> Iterator[str]:
    """Yield every alternative of every sentence of a book."""
    texts = load_game(game).texts()
    for source, tables in ((texts.lexicon.wording, WORDING), (texts.narration, NARRATION)):
        for table in tables:
            for text in getattr(source, table).values():
                for pattern in (text,) if isinstance(text, str) else text:
                    yield from pattern.split("|")


def states(wording: Wording) -> Iterator[BaseFact]:
    """Yield every condition of a book as it begins, changes and ends, every tie of it, and every rest."""
    for key in {*wording.conditions, *wording.ends, *wording.gone, "prone"}:
        name = re.sub(r" \d$", "", key).replace("*", "might")
        began = partial(ConditionBegan, id=f"{name} Kess", who="Kess", name=name, effects=(("might", 2),))
        yield from (began(), began(degree=2), began(about="Sable"))
        yield ConditionEnded(id=f"{name} Kess", who="Kess", name=name, because="used")
    for key in wording.ties:
        name, _, more = key.partition(" ")
        yield Linked(one="Kess", tie=name, other="Sable", degree=2 if more == "2" else 1, on=more != "ended")
    yield from (Rested(who="Kess", rest=rest) for rest in wording.rests)


@pytest.mark.parametrize("game", GAMES)
def test_verbs_of_a_book_stand_in_the_table(game: str) -> None:
    """Each of them, and in each sentence of somebody what they do is one."""
    for pattern in patterns(game):
        assert {*VERB.findall(pattern)} <= {*VERBS, *FORMS, *PASTS, *OF_BOOKS}, pattern
        subject = SUBJECT.match(pattern)
        assert subject is None or pattern in SILENT or subject[1].startswith(("<", "{")), pattern


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("past", [False, True], ids=["now", "then"])
def test_verbs_of_a_book_agree_with_several(game: str, past: bool) -> None:
    for pattern in patterns(game):
        text = fill(pattern, dict.fromkeys(FIELD.findall(pattern), "Kess and Sable"), past=past)
        assert not RAW.search(text), text
        assert not SINGULAR.match(text), text


@pytest.mark.parametrize("game", GAMES)
def test_states_of_a_book_are_sentences_now_and_then(game: str) -> None:
    wording = load_game(game).texts().lexicon.wording
    for fact in states(wording):
        phrase = phrase_of(fact, wording)
        now, then = sentence(phrase), clause(phrase, past=True)
        assert not RAW.search(now + then), (now, then)
        assert ("Kess" in now) == ("Kess" in then), now
        if not phrase.is_silent and "\x02" in phrase.text:
            assert now != then or " hit" in now or " cast" in now, now


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
