"""Sentences about more of some: those of the cast who are not in the fight join it, others need a sheet first."""

from __future__ import annotations

import pytest

from cli.speech.heard import NotInPlay, Unclear
from tests.cli.speech.table import listener


@pytest.mark.parametrize(
    ("table", "scene", "sentence", "copies"),
    [
        ("dusk_bastards", "the action phase", "two more thugs come in", "'thug.toml*2'"),
        ("dusk_bastards", "the action phase", "a third thug joins the fight", "'thug.toml*1'"),
        ("momentum", "the party acts", "another spearman climbs over the wall", "'spearman.toml*1'"),
        ("mars", "Ada's turn", "three more of them burst out of the shed", ""),
        ("mars", "Ada's turn", "two fresh swordsmen come up the stairs", ""),
    ],
)
def test_more_than_are_in_play_need_sheets(table: str, scene: str, sentence: str, copies: str) -> None:
    with pytest.raises(NotInPlay) as error:
        listener(table, scene).hear(sentence)
    assert copies in error.value.hint


def test_who_is_not_in_the_fight_joins_it() -> None:
    with pytest.raises(Unclear) as question:
        listener("semiautomagic", "the guards strike back").hear("another bear comes out of the wood")
    assert question.value.lines == ("! join Bear",)


@pytest.mark.parametrize("sentence", ["Kess shoots another thug with her pistol", "two more doom for me"])
def test_more_of_what_is_there_is_no_newcomer(sentence: str) -> None:
    assert "join" not in str(listener("dusk_bastards", "the action phase").mishearing(sentence, "~"))
