"""What a game master says of foes: that several move, that they leave, that one attacks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cli.notation.line_parser import parse_line
from cli.questions.line_scope import line_scope
from ledger.errors import Unreadable
from tests.cli.conftest import Folder, copied
from tests.cli.evenings import prepare
from tests.rulebooks.semiautomagic.seat import BOOK, Seat

OPENING = ('! encounter "the quay"', "w initiative /9.9", "h initiative /9.8", "close")


@pytest.fixture(scope="module")
def quay_once(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """Return a fight in which the foes move first. Copy it; do not write to it."""
    folder = Folder(tmp_path_factory.mktemp("foes") / "quay")
    prepare("dusk-bastards", folder.path)
    for line in OPENING:
        folder.run("do", line)
    return folder


@pytest.fixture
def quay(quay_once: Folder, tmp_path: Path) -> Folder:
    """Return a copy of a fight in which the foes move first."""
    return copied(quay_once, tmp_path)


@pytest.mark.slow
def test_group_moves_without_those_who_had_their_place(quay: Folder) -> None:
    quay.run("do", "thug2 pass")
    told = quay.run("do", "foes move")
    assert re.findall(r"foes move \((.*)\)", told) == ["Thug 1", "The Ferryman"]


def test_those_who_are_named_are_not_left_out(quay: Folder) -> None:
    quay.run("do", "thug2 pass")
    assert "Thug 2 has" in quay.invoke("do", "thug1,thug2 move").stderr


@pytest.mark.parametrize("line", ["! thugs leave", "! thug1 leave", "! thug1 leaves"])
def test_foes_leave_before_or_behind_the_verb(quay: Folder, line: str) -> None:
    assert "Thug 1 leaves the fight" in quay.run("do", line)


def test_attack_of_a_foe_is_answered_with_a_line_that_is_taken(quay: Folder) -> None:
    """DB-ROLL-3: the words behind the colon may be typed as they stand."""
    quay.run("do", "foes move")
    quay.run("do", "! on")
    quay.run("do", "w pass")
    quay.run("do", "h pass")
    refused = quay.invoke("do", "! ferryman attack wren").stderr
    line = refused.splitlines()[0].partition("without: ")[2].partition(". now:")[0]
    assert "Wren dodge" in line
    assert "defence" in quay.run("do", line)


def test_value_that_no_ruling_sets_is_not_proposed() -> None:
    """Semiautomagic has no hit points: the hint lists the values that there are."""
    with pytest.raises(Unreadable) as refused:
        parse_line('rook hp -1 "a fall"', line_scope(Seat().ledger.state, BOOK))
    assert "ruling" not in str(refused.value)
    assert "There is: " in str(refused.value)


def test_pass_of_foes_who_have_all_acted_says_so(quay: Folder) -> None:
    quay.run("do", "foes pass")
    done = quay.invoke("do", "foes pass")
    assert (done.exit_code, done.stdout) == (0, "")
    assert re.fullmatch(r"Nothing to do: .* and .* have acted already\. Next: (Wren|Holt)\.\n", done.stderr)


def test_passes_of_a_round_are_told_before_the_next(quay: Folder) -> None:
    told = quay.invoke("play", input="! on\n! on\n").stdout
    assert re.search(r"pass the standard and bonus actions; round 2$", told, re.MULTILINE)


def test_reply_to_a_pass_says_who_passes_and_who_is_next(quay: Folder) -> None:
    quay.run("do", "foes pass")
    told = quay.invoke("play", input="pass\npass\n").stdout
    assert re.search(r"^1\.[0-9]+ (Wren|Holt) passes; (Wren|Holt) is next$", told, re.MULTILINE)
