"""The rulebook of the open game: its chapters, and that each rule is cited by a fact or a refusal."""

from __future__ import annotations

from pathlib import Path

from rulebooks.open_game.texts import TEXTS

CHAPTERS = {"SHEET": 2, "HOUSE": 2, "DICE": 4, "MOVE": 4, "VALUE": 3, "ZERO": 1, "TURN": 3, "TIME": 1}
FOLDER = Path(__file__).parents[3] / "rulebooks" / "open_game"


def test_rules_are_numbered_by_chapter() -> None:
    every = [f"OG-{chapter}-{number}" for chapter, most in CHAPTERS.items() for number in range(1, most + 1)]
    assert [rule.id for rule in TEXTS.content.rules] == every


def test_every_rule_is_named_by_the_code() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.py"))
    assert [rule.id for rule in TEXTS.content.rules if rule.id not in code] == []
