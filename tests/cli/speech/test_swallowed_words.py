"""Phrases of all books with a place for words that their lines do not record: they swallow nobody and no number."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from _pytest.mark import ParameterSet

from cli.notation.scope import Scope
from cli.play.spoken import hear
from cli.questions.line_scope import line_scope
from cli.speech.frames import SPEECH, read_speech, shared_speech
from cli.speech.heard import Unclear
from cli.speech.slots import BEING_SLOTS
from ledger.errors import LedgerError
from rulebooks import load_game
from tests.budget import BUDGET
from tests.cli.speech.table import FOLDER, Listener, listener, load_table

FREE = ("{word}", "{text}", "{phrase}")
SAID = {"{n}": "three", "+{n}": "+3", "-{n}": "-3", "{m}": "four", "{span}": "ten minutes", "{square}": "4,5"}
COLOUR = "the old barrel"
BARRELS = "seven barrels"
ATTACK = "attack"
QUICK = 120  # one of so many phrases is said in each run
SCENES = 2  # of a table in which a phrase is said


def phrases(name: str) -> Iterator[tuple[str, str]]:
    """Yield each phrase of a book with such a place, its first words where it has several, and the line it means."""
    speech, shared = read_speech(load_game(load_table(name).game).texts().folder / SPEECH), shared_speech()
    for table in (speech.verbs, speech.tail, shared.verbs):
        for line, said in table.items():
            for phrase in said:
                words = [word.split("/")[0] for word in phrase.split()]
                if any(word in FREE and word not in line for word in words) and "{line}" not in words:
                    begin = (line.partition(":")[0] if ": " in line else ATTACK) if table is speech.tail else ""
                    yield " ".join([begin, *words]).strip(), line


def rows() -> list[ParameterSet]:
    """The phrases of all books, most of them marked as slow."""
    names = sorted(path.stem for path in FOLDER.glob("*.toml"))
    found = [(name, *row) for name in names for row in dict.fromkeys(phrases(name))]
    slow = BUDGET.drawn([row for index, row in enumerate(found) if index % QUICK])
    return [
        *(pytest.param(*row, id=f"{row[0]}: {row[1]}") for row in found[::QUICK]),
        *(pytest.param(*row, id=f"{row[0]}: {row[1]}", marks=pytest.mark.slow) for row in slow),
    ]


def sentence_with(swallowed: str, phrase: str, line: str, scope: Scope) -> str:
    """Return a sentence with the phrase, and these words in the first place of it that its line does not record."""
    groups = scope.groups()
    players, foes = list(groups["players"]), list(groups.get("foes", ())) or list(groups["players"])[1:]
    filled = {
        **SAID,
        **dict.fromkeys(BEING_SLOTS, foes[0]),
        **dict.fromkeys(FREE, COLOUR),
        "{value}": scope.vital_value(),
    }
    words = phrase.replace("one's", "her").split()
    place = next(at for at, word in enumerate(words) if word in FREE and word not in line)
    said = [swallowed if at == place else filled.get(word, word) for at, word in enumerate(words)]
    is_bare = words[0] in FREE or words[0] in BEING_SLOTS
    return " ".join([*([] if is_bare else [players[0]]), *said])


def letters(text: str) -> str:
    """Return the letters and numbers of a text."""
    return re.sub(r"\W", "", text.casefold())


def answers(heard: Listener, sentence: str) -> dict[str, str]:
    """Return each line that is taken or proposed for a sentence, with all that is said of it."""
    try:
        taken = hear(sentence, heard.ledger.state, heard.book)
    except Unclear as unclear:
        return {line: f"{line} {unclear.then.get(line)} {unclear.what.replace(sentence, '')}" for line in unclear.lines}
    except LedgerError:
        return {}
    return {taken.line or sentence: f"{taken.line or sentence} {taken.then}"}


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize(("table", "phrase", "line"), rows())
def test_phrase_swallows_neither_names_nor_numbers(table: str, phrase: str, line: str) -> None:
    refused = read_speech(load_game(load_table(table).game).texts().folder / SPEECH).refused
    wanted = {each.removeprefix("{who}") for lines in refused.values() for each in lines}  # by a rule, before that
    for scene in load_table(table).scenes[:SCENES]:
        heard = listener(table, scene.name)
        scope = line_scope(heard.ledger.state, heard.book)
        named = list(scope.groups()["players"])[-1]
        for swallowed, forms in ((named, (named.split()[0],)), (BARRELS, ("seven", "7"))):
            for each, said in answers(heard, sentence := sentence_with(swallowed, phrase, line, scope)).items():
                is_wanted = any(each.endswith(end) for end in wanted)
                assert is_wanted or any(letters(form) in letters(said) for form in forms), (sentence, each)


def test_clause_before_a_deed_names_what_is_left_out() -> None:
    said = answers(listener("dusk_bastards", "the rooftops"), "Marta yells three times and Kess falls ten feet")
    assert "without 'Marta' and '3'" in next(iter(said.values()))


@pytest.mark.parametrize("sentence", ["Odile yelps terribly, end turn", "Bram nods, sword on guard 1"])
def test_part_about_another_is_no_line_of_who_is_in_turn(sentence: str) -> None:
    assert answers(listener("mars", "Ada's turn"), sentence) == {}


def test_harm_whose_reason_denies_something_is_asked() -> None:
    said = answers(listener("dusk_bastards", "the rooftops"), "Kess takes three from the poison, her coat doesn't help")
    assert len(said) > 1
    assert any(line.startswith("! Kess") for line in said)
