"""Test which entries are turning points, and that a hidden one is none to the players."""

from __future__ import annotations

import pytest

from cli.web.pages.marks import TURN_SIGNS, turn_signs, turning_points
from cli.web.pages.session_draft import session_page
from ledger.facts import BaseFact, ConditionBegan, ConditionEnded, Judged, TokensMoved
from rulebooks.common.narration import Narration
from rulebooks.common.texts import Wording
from tests.cli.conftest import CAST, LEDGER, Folder
from tests.cli.pages.test_session_page import seen

NARRATION = Narration(
    lost=("dead",), grave=("dead", "dying", "stunned"), turning=("fled",), rare=("critical",), losses=("overflow",)
)


def began(name: str, who: str = "Kess") -> BaseFact:
    return ConditionBegan(id=f"{who} {name}", who=who, name=name)


def ended(name: str) -> BaseFact:
    return ConditionEnded(id=f"Kess {name}", who="Kess", name=name, because="rest")


def moved(change: int, because: str) -> BaseFact:
    return TokensMoved(who="Kess", token="destiny", change=change, now=1, most=2, because=because)


def judged(result: str) -> BaseFact:
    return Judged(what="attack", who="Kess", result=result, final=True)


CASES = [
    ([began("dead")], ["lost"]),
    ([began("dying"), began("dead")], ["lost"]),
    ([ended("dying"), began("dead")], ["lost"]),
    ([began("stunned"), began("dying")], ["grave"]),
    ([began("dying"), began("stunned", "Holt")], ["grave", "grave"]),
    ([judged("critical"), began("fled", "Thug")], ["turning", "rare"]),
    ([ended("stunned")], ["return"]),
    ([moved(-1, "reroll")], ["token"]),
    ([moved(-1, "overflow")], []),
    ([moved(1, "Dawn")], []),
    ([judged("success"), began("cover"), ended("cover")], []),
]


@pytest.mark.parametrize(("facts", "kinds"), CASES)
def test_facts_make_a_turning_point(facts: list[BaseFact], kinds: list[str]) -> None:
    assert [turn.kind for turn in turning_points(facts, NARRATION, Wording())] == kinds


def test_signs_say_what_happened() -> None:
    turns = turning_points([began("dead", "<b>"), judged("critical")], NARRATION, Wording())
    markup = "".join(turn_signs(turns))
    assert "&lt;b&gt; is dead" in markup
    assert "a rare result" in markup
    assert {f"turn {kind}" in markup for kind in ("lost", "rare")} == {True}
    assert {*TURN_SIGNS} >= {turn.kind for turn in turns}


@pytest.fixture
def ambush(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """A session in which nothing has happened yet."""
    folder = Folder(tmp_path_factory.mktemp("ambush") / "salt")
    folder.path.mkdir()
    folder.run("new", "Salt Ward", str(folder.path), "--game", "dusk-bastards", "--id", LEDGER)
    folder.run("cast", str(folder.file("kess.toml", CAST["kess.toml"])))
    folder.run("open", "Rooftops", "--seed", "one")
    return folder


@pytest.mark.parametrize(("role", "count"), [("gm", 2), ("players", 1)])
def test_hidden_turning_point_is_none_to_players(role: str, count: int, ambush: Folder) -> None:
    for line in ("!! ! condition kess stunned", "> The night is over"):
        ambush.run("do", line)
    ambush.run("undo")
    with seen(ambush.path, role) as (store, book):
        page = session_page(store, None, as_of=None, book=book, role=role)
    kinds = [turn.kind for entry in page.entries for turn in entry.turns]
    assert len(kinds) == count, kinds
