"""What is asked of a sentence that is not certain: each line that may be meant is taken when it is typed."""

from __future__ import annotations

import pytest

from cli.play.spoken import hear
from cli.questions.line_scope import line_scope
from cli.questions.possible import why_not_said
from cli.speech.heard import Unclear
from ledger.errors import LedgerError
from tests.budget import BUDGET
from tests.cli.speech.table import FOLDER, Listener, listener, load_table

SCENES = [(path.stem, scene.name) for path in sorted(FOLDER.glob("*.toml")) for scene in load_table(path.stem).scenes]
MARKS = ("?", "~", ">", "#", '"', "u")  # of lines that are no declaration


def asked(heard: Listener, sentence: str) -> tuple[str, ...]:
    """Return the lines of which the answer to a sentence asks which is meant."""
    try:
        hear(sentence, heard.ledger.state, heard.book)
    except Unclear as unclear:
        return unclear.lines
    except LedgerError:
        pass
    return ()


@pytest.mark.slow  # hears each sentence four times over
@pytest.mark.parametrize(("table", "scene"), BUDGET.drawn(SCENES))
def test_every_line_that_is_asked_about_is_taken(table: str, scene: str) -> None:
    heard = listener(table, scene)
    sentences = [sentence for each in load_table(table).scenes if each.name == scene for sentence, _ in each.lines]
    for sentence in sentences:
        *words, _ = sentence.split()
        for said in (sentence, " ".join(words), " ".join(words[:2]), " ".join([*words, "zorn"])):
            for line in asked(heard, said):
                state = heard.ledger.state
                wrong = line[:1] not in MARKS and why_not_said(line, state, heard.book, line_scope(state, heard.book))
                assert not wrong, (said, line)


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize(
    ("table", "scene", "sentence", "wrong"),
    [
        ("semiautomagic", "before the gate", "a healer sees to Tomas, one wound healed", " wounds +"),
        ("semiautomagic", "the first round", "Ada leaves her shield by the gate", " leave "),
        ("monolith", "the station", "Mara leaves the machete on the bench", " leave "),
        ("monolith", "the station", "Dov tries to sneak past the guard post", " move "),
        ("momentum", "before the fight", "the balcony gives way under Sira, two hit points", " hp +"),
        ("semiautomagic", "before the gate", "Ada: I walk up, hands where they can see them", '"Guard 1" off'),
        ("mars", "Bram's turn", "Bram splits his arrows between guard 1 and guard 2", " leave "),
    ],
)
def test_sentence_is_no_question_about_what_it_does_not_say(table: str, scene: str, sentence: str, wrong: str) -> None:
    assert not [line for line in asked(listener(table, scene), sentence) if wrong in f" {line.removeprefix('!')} "]


def test_refusal_during_an_announcement_is_said_behind_its_dice() -> None:
    heard, sentence = listener("semiautomagic", "a blow is coming"), "Ada has light cover behind the trough"
    with pytest.raises(Unclear) as raised:
        hear(sentence, heard.ledger.state, heard.book)
    assert (raised.value.lines, raised.value.then) == (("go",), {"go": sentence})
    assert asked(heard, "Guard 1 hits Ada") == ("go",)


def test_what_somebody_else_never_did_takes_no_line_back() -> None:
    heard = listener("semiautomagic", "after the blow")
    assert heard.conversation.correction("Guard 1 didn't make his defence") is None
    taken_back = heard.conversation.correction("Ada's attack never happened")
    assert taken_back is not None
    assert taken_back.lines == ("~ 1 drop retcon",)  # lines behind it change with it


def test_all_of_them_are_the_players_or_everybody() -> None:
    lines = asked(listener("mars", "the quay"), "all of them try perception 10")
    assert lines == tuple(f'"Ada Voss",Bram,Odile{foes} check perception v10' for foes in ("", ',"Guard 1","Guard 2"'))


@pytest.mark.parametrize(
    ("scene", "sentence", "error"),
    [
        ("the rooftops", "marta attacks zorn", "'attack' lacks its target, and 'zorn' is not understood"),
        ("the action phase", "marta attacks zorn", "'attack' lacks its target, and 'zorn' is not understood"),
    ],
)
def test_known_verb_that_cannot_be_read_says_why(scene: str, sentence: str, error: str) -> None:
    heard = listener("dusk_bastards", scene)
    with pytest.raises(LedgerError) as raised:
        hear(sentence, heard.ledger.state, heard.book)
    assert error in str(raised.value)
