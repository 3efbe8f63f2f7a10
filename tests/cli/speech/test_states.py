"""How somebody is, said as a fact, is the line of the book that sets it, or so already; who is described is found."""

from __future__ import annotations

import pytest

from cli.speech.heard import Unclear
from tests.cli.speech.table import Listener, Scene, load_table

FACTS = [
    ("mars", (), "Okay, guard 2's down and he's dying, everyone", '! effect "Guard 2" dying'),
    ("mars", (), "Guard 1's flat on his back, folks", '! effect "Guard 1" prone'),
    ("mars", (), "Guard 1 is out cold, he won't wake till noon", '! effect "Guard 1" unconscious'),
    ("semiautomagic", (), "Tomas is down, you guys, and he's bleeding out", 'Tomas Brandt".dying=1'),
    ("semiautomagic", (), "guard 2's still sprawled across the floor", '"Guard 2".prone=1'),
    ("monolith", (), "Mara's on fire", 'Mara Quill".burning=1'),
    ("monolith", (), "Mara's down and out cold, people", 'Mara Quill".unconscious=1'),
    ("dusk_bastards", (), "Thug 2's sprawled across the floor", '! condition "Thug 2" prone'),
    ("momentum", (), "Kael's dead to the world till dawn", "Kael hp -"),
]
ALREADY = [
    ("mars", ("! effect guard1 unconscious",), "guard 1's out cold"),
    ("mars", ("! effect guard1 prone",), "guard 1's still flat on his back"),
    ("dusk_bastards", ("! condition thug1 prone",), "Thug 1 is still on the floor"),
    ("semiautomagic", ('! ruling "x" "x" tomas.dying=1',), "Tomas is dying, everyone"),
    ("semiautomagic", (), "Guard 2 has no more cover, the crate is gone"),
    ("semiautomagic", (), "Tomas isn't staggered any more"),
]
TURN = ("! encounter 'the quay'", "ada initiative /10.10.4", "bram initiative", "odile initiative", "! initiative")
DESCRIBED = [
    ("mars", (*TURN, "! effect guard2 unconscious"), "Ada stabs the one on the floor", "Guard 2"),
    ("mars", (*TURN, "! effect guard2 unconscious"), "Ada stabs the guard who's still on his feet", "Guard 1"),
    ("monolith", ("! guard2 hp -1 'x'",), "Ada shoots the wounded one", "Guard 2"),
]


def listen(table: str, before: tuple[str, ...]) -> Listener:
    return Listener(
        load_table(table), Scene(name="", lines=(), before=tuple(line.replace("'", '"') for line in before))
    )


def lines_of(heard: Listener, sentence: str) -> tuple[str, ...]:
    try:
        return (heard.hear(sentence).line,)
    except Unclear as question:
        return question.lines


@pytest.mark.parametrize(("table", "before", "sentence", "meant"), FACTS)
def test_fact_is_the_line_that_sets_it(table: str, before: tuple[str, ...], sentence: str, meant: str) -> None:
    assert any(meant.casefold() in line.casefold() for line in lines_of(listen(table, before), sentence)[:2])


@pytest.mark.parametrize(("table", "before", "sentence"), ALREADY)
def test_fact_that_holds_is_so_already(table: str, before: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(Unclear, match="is so already") as told:
        listen(table, before).hear(sentence)
    assert told.value.lines == ()


@pytest.mark.parametrize(("table", "before", "sentence", "meant"), DESCRIBED)
def test_description_finds_who_is_meant(table: str, before: tuple[str, ...], sentence: str, meant: str) -> None:
    assert meant in lines_of(listen(table, before), sentence)[0]
