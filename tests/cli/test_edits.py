"""Changes of a line, compared with whole lines that say the same."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from cli.notation.edits import parse_change
from cli.notation.formatter import format_declaration
from cli.notation.line_parser import parse_line
from ledger.declarations import Declaration
from ledger.errors import LedgerError, Unreadable
from ledger.facts import GM
from rulebooks.dusk_bastards.declarations.combat import AreaAttack, Attack, Defence
from rulebooks.dusk_bastards.declarations.harm import SetCondition
from rulebooks.dusk_bastards.declarations.parts import Spot
from rulebooks.dusk_bastards.declarations.tasks import Attempt
from rulebooks.dusk_bastards.declarations.turns import Move
from tests.cli.scopes import SCOPE
from tests.cli.strategies import SAYABLE

NAMES = ("rope", "dark cloak", "cover", "it's late", "Zoë’s picks", "e1", "no", 'a "quoted" word')


class Piece(NamedTuple):
    """A token of a line, the field that it sets, and whether it adds to a list."""

    token: str
    field: str
    adds: bool = False


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


NUMBERED = st.builds(
    lambda letters, number: Piece(f"{letters[0]}{number}", letters[1]),
    st.sampled_from([("v", "difficulty"), ("e", "effort"), ("f", "free_effort"), ("c", "initial_cost")]),
    st.integers(0, 12),
)
WORDS = st.sampled_from(
    [
        Piece("might", "stat"),
        Piece("intellect", "stat"),
        Piece("unskilled", "unskilled"),
        Piece("take20", "take20"),
        Piece("hidden", "hidden"),
        Piece("duration=10m", "duration"),
        Piece("effort_pool=speed", "effort_pool"),
        Piece("slot=bonus", "slot"),
    ]
)
NAMED = st.builds(
    lambda kind, steps, name: Piece(f"{kind[0]}{steps}{quoted(name)}", kind[1], True),
    st.sampled_from([("+a", "assets"), ("+", "ease"), ("-", "hinder")]),
    st.integers(1, 3),
    st.sampled_from(NAMES),
)
LISTED = st.one_of(
    NAMED,
    st.sampled_from(["orrin", "dovel"]).map(lambda who: Piece(f"+help={who}", "helpers", True)),
    st.sampled_from(NAMES).map(lambda name: Piece(f"+t={quoted(name)}", "trained", True)),
)
PIECES = st.lists(st.one_of(NUMBERED, WORDS, LISTED), max_size=6)
VERBS = {Attempt: '"jump the gap"', Attack: "attack orrin", Defence: "dodge orrin", Move: "move"}


def without_repeats(pieces: list[Piece]) -> list[Piece]:
    """Return the pieces without those that set a field a second time."""
    said: set[str] = set()
    kept = []
    for piece in pieces:
        if piece.adds or piece.field not in said:
            kept.append(piece)
        said.add(piece.field)
    return kept


def whole(verb: str, pieces: list[Piece]) -> Declaration:
    """Return the declaration of a whole line."""
    said = parse_line(" ".join(["kess", verb, *(piece.token for piece in pieces)]), SCOPE)
    assert said is not None
    return said.declaration


def fields(said: Declaration, *left_out: str) -> dict[str, Any]:
    return {name: getattr(said, name) for name in said.__struct_fields__ if name not in left_out}


FACES = st.none() | st.just((7, 6))
KINDS = st.sampled_from(list(VERBS.values()))


@pytest.mark.slow
@given(verb=KINDS, was=PIECES.map(without_repeats), change=PIECES.map(without_repeats))
def test_change_equals_the_whole_line_with_its_tokens(verb, was, change):
    assume(change)
    said = parse_change(" ".join(piece.token for piece in change), whole(verb, was), None, SCOPE)
    replaced = {piece.field for piece in change if not piece.adds}
    line = [*(piece for piece in was if piece.field not in replaced), *change]
    assert said.declaration == whole(verb, line)


@given(
    verb=KINDS, was=PIECES.map(without_repeats), change=PIECES.map(without_repeats), faces=st.none() | st.just((7, 6))
)
def test_change_leaves_other_fields_alone(verb, was, change, faces):
    assume(change)
    before = whole(verb, was)
    said = parse_change(" ".join(piece.token for piece in change), before, faces, SCOPE)
    named = {piece.field for piece in change}
    assert fields(said.declaration, *named) == fields(before, *named)
    for name in {piece.field for piece in change if piece.adds}:
        kept = getattr(before, name)
        assert getattr(said.declaration, name)[: len(kept)] == kept
    assert said.faces == faces


@given(verb=KINDS, was=PIECES.map(without_repeats), more=LISTED, by_name=st.booleans())
def test_no_removes_what_plus_added(verb, was, more, by_name):
    before = whole(verb, was)
    added = parse_change(more.token, before, None, SCOPE).declaration
    item = getattr(added, more.field)[-1]
    assume(item not in getattr(before, more.field))
    (name,) = texts_in(added, more.field)[-1:]
    if by_name:
        lists = ("assets", "helpers", "ease", "hinder", "trained")
        assume(name not in [text for field in lists for text in texts_in(before, field)])
    taken = parse_change(f"no {quoted(name) if by_name else more.token}", added, None, SCOPE)
    assert taken.declaration == before


def texts_in(said: Declaration, field: str) -> list[str]:
    """Return the texts of a list."""
    parts = [
        msgspec.structs.astuple(item) if isinstance(item, msgspec.Struct) else (item,) for item in getattr(said, field)
    ]
    return [part for each in parts for part in each if isinstance(part, str)]


@given(was=PIECES.map(without_repeats), piece=st.one_of(NUMBERED, WORDS), by_field=st.booleans())
def test_no_resets_a_field_to_its_default(was, piece, by_field):
    before = whole(VERBS[Attempt], [each for each in was if each.field != piece.field])
    after = parse_change(piece.token, before, None, SCOPE).declaration
    short = piece.token if piece.token[0] in "vefc" and piece.token[1:].isdigit() else piece.field
    assert parse_change(f"no {piece.field if by_field else short}", after, None, SCOPE).declaration == before


@pytest.mark.slow
@given(new=SAYABLE, old=SAYABLE)
@example(new=Attempt(by="Orrin", task="sneak"), old=AreaAttack(by="Kess", targets=(Spot("Kess"),)))
@example(new=Attempt(by="Orrin", task="sneak"), old=SetCondition(by=GM, target="Kess", name="prone"))
def test_whole_line_replaces_any_other_line(new, old):
    assert parse_change(format_declaration(new), old, None, SCOPE).declaration == new


@given(was=SAYABLE, text=st.text(max_size=40) | PIECES.map(lambda pieces: " ".join(piece.token for piece in pieces)))
def test_any_text_is_a_declaration_or_unreadable(was, text):
    try:
        said = parse_change(text, was, (7, 6), SCOPE)
    except Unreadable:
        return
    assert isinstance(said.declaration, Declaration)
    assert said.line


@given(was=SAYABLE, change=PIECES.map(without_repeats))
def test_line_of_a_changed_declaration_parses_to_it(was, change):
    try:
        said = parse_change(" ".join(piece.token for piece in change), was, None, SCOPE)
    except LedgerError:
        return
    again = parse_line(said.line, SCOPE)
    assert again is not None
    assert again.declaration == said.declaration


@pytest.mark.parametrize(
    ("was", "change", "line"),
    [
        ("k attack dovel s d4 e1", "orrin", 'Kess attack speed e1 d4 Orrin'),  # another target
        ("k attack dovel s d4 e1", "target=orrin i", 'Kess attack intellect e1 d4 Orrin'),
        ("k dodge dovel v5", "no source", "Kess dodge v5"),
        ("k destiny reroll", "regain:might", "Kess destiny reroll regain:\"might\""),  # one of a list more
        ("k destiny reroll", "uses=regain:might", 'Kess destiny regain:"might"'),  # the whole line
        ("k destiny reroll", "no reroll regain:might", 'Kess destiny regain:"might"'),
        ("k sneak v5 +help=orrin", "no orrin +help=dovel", 'Kess "sneak" v5 +help:"Sergeant Dovel"'),
        ("k sneak v5 +a1\"rope\" +1\"rope\"", "no +1\"rope\"", 'Kess "sneak" v5 +a1"rope"'),
        ("k attack kess d4", '"sergeant dovel" d5', 'Kess attack d5 target="Sergeant Dovel"'),  # a name of two words
        ("k attack orrin d4", '" k: Stay down.', '" k: Stay down.'),
        ("k attack orrin d4", '" k: "Stay" down.', '" k: "Stay" down.'),
        ("k sneak v5 /7.6", "v6", 'Kess "sneak" v6 /7.6'),
        ("k sneak v5 /7.6", "/1.2", 'Kess "sneak" v5 /1.2'),
        ("k sneak v5 /7.6", "k sneak v5", "k sneak v5"),  # a whole line has its own faces, or none
        ("! doom 2 \"rain\"", "1", '! doom "rain"'),
        ("k adjust coin 12 \"the fence\"", "10", 'Kess adjust "coin" change=10 "the fence"'),
    ],
)  # fmt: skip
def test_change_gives_this_line(was, change, line):
    before = parse_line(was, SCOPE)
    assert before is not None
    assert parse_change(change, before.declaration, before.faces, SCOPE).line == line


@pytest.mark.parametrize(
    ("was", "change", "says"),
    [
        ("k sneak v5", "no", "'no' has nothing after it. Write it as in: no rope."),
        ("k sneak v5", "no rope", "'rope' is not in that entry. There is: task, difficulty."),
        ('k sneak v5 +a1"rope" +a1"robe"', "no ro", "'ro' may be 'rope' or 'robe'. Write more of it."),
        ("k sneak v5", "v6 v7", "difficulty is given twice"),
        ("k sneak v5", "/7.6 /7.6", "faces are given twice"),
        ("k sneak v5", " ", 'the change is empty. Write what is different, as in +1"in cover" or no rope.'),
        ("k attack dovel v4", "no target", "'target' is not in that entry"),  # nobody attacks nothing
        ("# a scene", "v4", "only a whole line can replace this one"),
        ("= k M9", "+cover", "only a whole line can replace this one"),
        ("k sneak v5", "; a comment", "column 1"),
    ],
)  # fmt: skip
def test_change_without_meaning_is_unreadable(was, change, says):
    before = parse_line(was, SCOPE)
    assert before is not None
    with pytest.raises(Unreadable) as refused:
        parse_change(change, before.declaration, before.faces, SCOPE)
    assert says in str(refused.value)
