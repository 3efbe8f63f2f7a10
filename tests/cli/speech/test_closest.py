"""The last resort: what is closest to a sentence that is not read is asked about, and none of it is taken."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.play.spoken import hear
from cli.questions.possible import why_not_said
from cli.questions.state_at import state_at
from cli.speech.grave_lines import with_grave_last
from cli.speech.heard import Unclear, unclear
from cli.speech.readings import Reader
from ledger.errors import LedgerError, Unreadable
from tests.cli.forecast.fights import opened
from tests.cli.speech.table import listener

ASKED = [
    ("dusk_bastards", "the rooftops", "Kess, can she get a breather in, just the quick one", "Kess rest one_action /1"),
    ("mars", "the quay", "I fast-talk the customs man, charisma, what, fifteen? (Odile)", 'Odile check charisma v15 "'),
    (
        "mars",
        "the quay",
        "let's see if Bram can find the fence, agility, hard",
        'Bram check agility "find the fence" v15',
    ),
    ("momentum", "the party acts", "I'm moving to the rubble (Sira)", "Sira move rubble"),
    ("momentum", "in the archway", "Kael runs the boss through", 'Kael attack "Brigand Leader"'),
    ("monolith", "the station", "Dov hotwires it before the patrol's back, dex", "Dov save dexterity"),
    (
        "monolith",
        "they act",
        "the rifle, the warden, and Ada's rolled an eight",
        '"Ada Vance" attack Warden with rifle /8',
    ),
    ("mars", "Ada's turn", "feet first at guard one, leap strike", '"Ada Voss" maneuver leap-strike "Guard 1"'),
    ("mars", "Ada's turn", "guard two gets the heavy one", '"Ada Voss" maneuver heavy-strike "Guard 2"'),
    ("monolith", "they act", "a shotgun, right at Mara", 'Warden attack "Mara Quill" with shotgun'),
    ("monolith", "they act", "the wrench, guard two, and that's Dov", 'Dov attack "Guard 2" with wrench'),
    ("dusk_bastards", "the action phase", "a slug for thug one, please", 'Kess attack "Thug 1" with pistol'),
    ("dusk_bastards", "the action phase", "blade in the belly, second thug", 'Kess attack "Thug 2" with knife'),
    (
        "semiautomagic",
        "the guards strike back",
        "Spear. Tomas. The second guard, again",
        '"Guard 2" attack "Tomas Brandt" with spear',
    ),
    (
        "semiautomagic",
        "the first round",
        "Ada snaps the shaft of guard 1's spear",
        '"Ada Voss" attack "Guard 1\'s spear"',
    ),
    ("semiautomagic", "a blow is coming", "Ada hops left, five on the die", '^ "Ada Voss" dodge'),
]
FILLED = [  # a blow in a verb that no book has, and the numbers that a line leaves out
    ("dusk_bastards", "the action phase", "Kess flumps thug 2 with her knife", 'Kess attack "Thug 2" with knife'),
    ("mars", "Ada's turn", "Ada flumps guard 2, 16 and 5 damage", '"Ada Voss" attack "Guard 2" total=16 damage=5'),
    (
        "mars",
        "Ada's turn",
        "Ada cuts at guard 1, 17 vs his 11, hits, 6 damage",
        '"Ada Voss" attack "Guard 1" damage=6 total=17',
    ),
    (
        "mars",
        "Ada's turn",
        "Ada whacks guard 1. 17 against 11 and that's 6 damage, not 9",
        '"Ada Voss" attack "Guard 1" damage=6 total=17',
    ),
    ("semiautomagic", "the first round", "Ada flumps guard 1, 12", '"Ada Voss" attack "Guard 1" total=12'),
]
STAND_INS = [
    ("Kael goes for the city one, 7 and 3", 'Kael attack "City Archer" /7.3'),
    ("Kael shoots the city guy", 'Kael attack "City Archer"'),
]
LATER = [
    ("semiautomagic", "the first round", "the bear swipes at Juniper", '"Ada Voss" end'),
    ("dusk_bastards", "the action phase", "Sable clobbers thug two with the axe", "Kess pass"),
]
ODDS = [
    (
        "semiautomagic",
        "the first round",
        "would Tomas have a decent chance of hitting guard 1 in the leg",
        'odds "Tomas Brandt" attack "Guard 1" at=leg',
    ),
    ("dusk_bastards", "the action phase", "what would Kess need to jump that at difficulty seven", "odds Kess jump v7"),
    (
        "dusk_bastards",
        "the action phase",
        "what's the number to shoot thug two",
        'odds Kess attack "Thug 2" with pistol',
    ),
]


def asked(table: str, scene: str, sentence: str) -> Unclear:
    """Return the question that a sentence is answered with."""
    heard = listener(table, scene)
    with pytest.raises(Unclear) as raised:
        hear(sentence, heard.ledger.state, heard.book)
    return raised.value


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize(("table", "scene", "sentence", "meant"), ASKED)
def test_sentence_that_is_not_read_asks_the_closest(table: str, scene: str, sentence: str, meant: str) -> None:
    assert any(line.startswith(meant) for line in asked(table, scene, sentence).lines)


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize(("table", "scene", "sentence", "line"), FILLED)
def test_offered_line_has_the_numbers_and_is_accepted(table: str, scene: str, sentence: str, line: str) -> None:
    heard, question = listener(table, scene), asked(table, scene, sentence)
    assert line in question.lines
    for each in question.lines:
        heard.declarations(each)
        assert not why_not_said(each, heard.ledger.state, heard.book, heard.scope())


@pytest.mark.parametrize(("sentence", "line"), STAND_INS)
def test_one_or_guy_stands_for_the_rest_of_a_name(sentence: str, line: str) -> None:
    heard = listener("momentum", "in the archway")
    assert hear(sentence, heard.ledger.state, heard.book).line == line


@pytest.mark.parametrize("sentence", ["Ada flumps guard 2, not 5", "Ada flumps guard 2, never 5"])
def test_denied_number_is_in_no_line(sentence: str) -> None:
    heard = listener("mars", "Ada's turn")
    with pytest.raises(Unreadable) as raised:
        hear(sentence, heard.ledger.state, heard.book)
    assert not any("=5" in line or "/5" in line for line in getattr(raised.value, "lines", ()))


@pytest.mark.parametrize(("table", "scene", "sentence", "end"), LATER)
def test_sentence_before_its_turn_asks_for_the_end_of_the_open_one(
    table: str, scene: str, sentence: str, end: str
) -> None:
    question = asked(table, scene, sentence)
    assert question.lines == (end,)
    assert question.then == {end: sentence}


@pytest.mark.slow  # plays a sample
def test_question_for_the_end_of_a_turn_keeps_all_of_the_sentence(played_samples: dict[str, Path]) -> None:
    store, book = opened(played_samples["broken-archway"])
    state, sentence = state_at(store, "1.6", None), "Kael stabs the spearman and moves to the causeway"
    with pytest.raises(Unclear) as raised:
        hear(sentence, state, book)
    store.close()
    assert raised.value.what == "It is the turn of Brynn"
    assert raised.value.then == {"Brynn end": sentence}


@pytest.mark.parametrize(
    ("table", "scene", "sentence", "stranger"),
    [
        ("momentum", "in the archway", "Marta shoots the leader", "Marta"),
        ("dusk_bastards", "the action phase", "Bob attacks thug 1", "Bob"),
        ("semiautomagic", "the first round", "Bob shoots guard 1", "Bob"),
        ("dusk_bastards", "the action phase", "Smash the thug", ""),
        ("dusk_bastards", "the action phase", "It hits thug 1", ""),
    ],
)
def test_question_says_whom_it_names_who_is_nobody_in_play(
    table: str, scene: str, sentence: str, stranger: str
) -> None:
    what = asked(table, scene, sentence).what
    assert what.endswith(f", without '{stranger}', who is nobody in play") if stranger else "nobody" not in what


@pytest.mark.parametrize(
    ("sentence", "first", "last"),
    [
        ("Kess falls", "! condition Kess prone", '! leave Kess "dead"'),
        ("Kess uses Arcane Bolt on thug 2", 'Kess attack "Thug 2" with knife', '! leave Kess "Thug 2"'),
        ("Kess dies", '! leave Kess "dead"', '! leave Kess "dead"'),
    ],
)
def test_nobody_leaves_by_the_first_of_several_lines(sentence: str, first: str, last: str) -> None:
    lines = asked("dusk_bastards", "the action phase", sentence).lines
    assert (lines[0], lines[-1]) == (first, last)


@pytest.mark.quick_rows(1)
@pytest.mark.parametrize(("table", "scene", "sentence", "question"), ODDS)
def test_question_with_a_word_of_chance_asks_the_odds(table: str, scene: str, sentence: str, question: str) -> None:
    heard = listener(table, scene)
    assert heard.conversation.question(sentence, heard.line_of) == question


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize(
    ("sentence", "lines"),
    [
        ("sorry, it was meant for the archer, bother", ('~ 5 "City Archer"',)),
        ("oops I forgot, bother, not the leader, the archer", ('~ 5 "City Archer"',)),
        ("oops I forgot, bother, spearman 1", ()),  # at whom it was already
        ("oops I forgot, bother, with the rapier", ()),
    ],
)
def test_sentence_about_a_mistake_corrects_an_earlier_line(sentence: str, lines: tuple[str, ...]) -> None:
    correction = listener("momentum", "after a blow").conversation.correction(sentence)
    assert (correction.lines if correction else ()) == lines


@pytest.mark.quick_rows(3)
@pytest.mark.parametrize(
    ("table", "scene", "sentence", "first"),
    [
        ("momentum", "after a blow", "Kael attacks the leader, my mistake", '~ 5 Kael attack target="Brigand Leader"'),
        ("momentum", "after a blow", "at the leader, not at spearman 1", '~ 5 "Brigand Leader"'),
        ("monolith", "something was said wrong", "Ada's attack was with the rifle", "~ 6 weapons=rifle"),
        ("monolith", "something was said wrong", "Mara's move was only 20", "~ 4 feet=20"),
        ("monolith", "something was said wrong", "Guard 3 rolled a three", "~ 5 /3"),
        ("monolith", "something was said wrong", "Mara had moved 20", "~ 4 feet=20"),
        ("monolith", "something was said wrong", "at Dov, my mistake", "~ 6 Dov"),
    ],
)
def test_correction_stands_before_a_new_line(table: str, scene: str, sentence: str, first: str) -> None:
    heard = listener(table, scene)
    with pytest.raises(Unreadable) as raised:
        hear(sentence, heard.ledger.state, heard.book)
    correction = heard.conversation.correction(sentence)
    assert correction is not None
    assert heard.conversation.beside(correction, raised.value, sentence).lines[0].startswith(first)


@pytest.mark.parametrize(
    ("table", "scene", "sentence", "line", "rest"),
    [
        ("semiautomagic", "the saddle", "Ada gallops 15 squares", '"Ada Voss" control', "Juniper move squares=15"),
        (
            "dusk_bastards",
            "the movement phase",
            "Kess goes on full defense",
            "Kess interrupt",
            "Kess goes on full defense",
        ),
    ],
)
def test_what_has_to_be_done_first_is_asked_with_the_rest(
    table: str, scene: str, sentence: str, line: str, rest: str
) -> None:
    assert asked(table, scene, sentence).then[line] == rest


def test_line_that_lacks_a_level_is_not_asked_beside_it() -> None:
    question = asked("dusk_bastards", "the action phase", "I use one level of effort on a shot at thug 2")
    assert question.lines == ('Kess attack "Thug 2" e1 with pistol',)


def test_correction_that_lacks_a_die_says_so() -> None:
    correction = listener("mars", "the quay").conversation.correction("Bram had disadvantage on that")
    assert correction is not None
    assert correction.lines == ()
    assert "The faces do not fit" in correction.what
    assert 'Write ~ 2 +dis"disadvantage" and all faces behind it.' in str(correction)


def test_number_that_a_word_has_said_is_no_total() -> None:
    heard = listener("mars", "the quay")
    taken = hear("Odile climbs the net, athletics, a hard one, fifteen", heard.ledger.state, heard.book)
    assert taken.line == 'Odile check athletics v15 "net"'


def test_question_before_its_turn_ends_no_turn() -> None:
    heard = listener("semiautomagic", "the first round")
    with pytest.raises(LedgerError) as raised:
        hear("guard 2's on his way out, isn't he?", heard.ledger.state, heard.book)
    assert not any(line.endswith(" end") for line in getattr(raised.value, "lines", ()))


def test_harm_for_ones_own_deed_is_not_the_only_line() -> None:
    lines = ['! harm Ada 8 "hits her anyway"']
    table = listener("semiautomagic", "the first round")
    reader = Reader(table.ledger.state, table.book, table.scope())
    question = with_grave_last("he hits her anyway, 8", unclear("he hits her anyway, 8", lines), reader)
    assert question.lines == (*lines, "> he hits her anyway, 8")
    loss = unclear("Ada takes 8", ['! harm Ada 8 "takes it on the arm"'])
    assert with_grave_last("Ada takes 8", loss, reader).lines == loss.lines


def test_text_of_two_sentences_keeps_the_stop() -> None:
    heard = listener("momentum", "the party acts")
    with pytest.raises(Unclear) as asked:
        heard.hear("Sira hauls the altar stone aside, that's strength, two ones. Doubles is doubles.")
    assert 'Sira check str /1.1 "hauls the altar stone aside. Doubles is doubles"' in asked.value.lines


@pytest.mark.parametrize("line", ['! harm tomas item=spear "a knock"', '"Guard 2" luck +1 "a knock"'])
def test_line_of_the_grammar_is_no_story(line: str) -> None:
    """Whoever types its marks, or quotes a name, is told what is wrong with it."""
    with pytest.raises(LedgerError) as refused:
        listener("semiautomagic", "the guards strike back").hear(line)
    assert not [each for each in getattr(refused.value, "lines", ()) if each.startswith("> ")]
