"""Canonical lines, which parse to the same declaration again."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.notation.formatter import format_declaration
from cli.notation.scope import Scope
from ledger.builtin import AddWords, Claim, Tell
from ledger.declarations import Declaration, Ruling, Setting
from ledger.errors import Unreadable
from ledger.facts import GM
from rulebooks.dusk_bastards.declarations.parts import Asset
from rulebooks.dusk_bastards.declarations.sheets import CreateObject
from rulebooks.dusk_bastards.declarations.tasks import Attempt, Close, Retry, SpendDoom
from rulebooks.momentum.declarations import StartEncounter
from tests.cli.scopes import BEINGS, MADE_UP, SCOPE, Aim, Strike, attempt, parse
from tests.cli.strategies import SAYABLE, SAYABLE_MADE_UP, TEXTS


@pytest.mark.parametrize(
    ("expected", "line"),
    [
        (attempt(task="sneak", difficulty=5, effort=1), 'Kess "sneak" v5 e1'),
        (attempt(difficulty=5), "Kess attempt v5"),
        (attempt(task="x", stat="might", hidden=True, duration=600), 'Kess "x" might 10m hidden'),
        (
            attempt(task="x", assets=(Asset(2, "a"),), helpers=BEINGS[1:]),
            'Kess "x" +a2"a" +help:Orrin +help:"Sergeant Dovel"',
        ),
        (Retry(by="Kess", of="1.4", duration=90), "Kess retry 90s 1.4"),
        (SpendDoom(by=GM, points=2, effect="x"), '! doom 2 effect="x"'),
        (Ruling(by=GM, text="a", reason="b", changes=(Setting("doom", 1),)), '! ruling "a" "b" doom=1'),
        (Close(by=GM), "! close"),
        (Claim(by=GM, values=(("kess.health", 9), ("doom", 4))), "= kess.health=9 doom=4"),
        (AddWords(by="Ana Lu", words='"'), '"Ana Lu" words "\\""'),
        (Strike(by="Kess", targets=("Orrin",), aims=(Aim("legs"),)), "Kess strike Orrin legs"),
        (Strike(by="Kess", targets=("Orrin",), aims=(Aim("head"),)), "Kess strike Orrin aims=head"),
    ],
)
def test_canonical_line_of_a_declaration(expected: Declaration, line: str) -> None:
    assert format_declaration(expected) == line


@pytest.mark.parametrize(
    "unsayable",
    [
        CreateObject(by=GM, name="Door"),
        Tell(by="Kess", kind="deed", who="Kess", text="x"),
        Tell(by=GM, kind="scene", who=GM, text="x", seen="gm"),
        Tell(by=GM, kind="scene", who=GM, text="x /7"),
        SpendDoom(by="Kess"),
        Attempt(by=GM, task="sneak"),
        Claim(by=GM, values=()),
    ],
)
def test_declaration_without_a_line_is_unreadable(unsayable: Declaration) -> None:
    with pytest.raises(Unreadable, match="no line can declare this"):
        format_declaration(unsayable)


KNOWN_WORDS = st.lists(TEXTS | st.sampled_from(["Orrin", "legs", "hidden", "kess.might", "2x", "7"]), max_size=4)
OTHERS = st.lists(
    st.sampled_from(["Might", "Kessandra", "Legs", "Attempt", "Orr", "E5", "Hidden", "Doom"]), unique=True
)


def with_others(scope: Scope, known: list[str], others: list[str]) -> Scope:
    """Return the scope with more beings in play and other known words."""
    return msgspec.structs.replace(scope, beings=(*BEINGS, *others), words=lambda *_: known)


@given(SAYABLE, KNOWN_WORDS, OTHERS)
def test_canonical_line_parses_the_same_in_any_scope(said: Declaration, known: list[str], others: list[str]) -> None:
    line = format_declaration(said)
    assert parse(line, with_others(SCOPE, known, others)) == said
    assert format_declaration(parse(line)) == line


@given(SAYABLE_MADE_UP, KNOWN_WORDS, OTHERS)
def test_canonical_line_of_made_up_game_parses_the_same(said: Declaration, known: list[str], others: list[str]) -> None:
    assert parse(format_declaration(said), with_others(MADE_UP, known, others)) == said


def test_zones_of_the_sides_are_written_with_their_names():
    said = StartEncounter(by="gm", kind="ford", pcs="bank", foes="bank")
    assert format_declaration(said) == '! fight kind="ford" pcs="bank" foes="bank"'
