"""The worked cases of the open game, played: lines, faces and expected results are in cases/open_game.toml."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from ledger.facts import ConditionBegan, ConditionEnded, Judged
from rulebooks.testing.cases import trials
from rulebooks.testing.seat import of_kind
from tests.rulebooks.open_game.seat import Seat, cases


def number(seat: Seat, name: str) -> int:
    """Return a number as it is, by the name of its owner and its own."""
    who, value = name.split(" ")
    points = {key: pool.points for key, pool in seat.state.pools.items()}
    for part in (points, {key: tokens.count for key, tokens in seat.state.tokens.items()}):
        if (who, value) in part:
            return part[who, value]
    found = seat.state.sheet(who, value)
    assert isinstance(found, int)
    return found


def play(seat: Seat, step: Mapping[str, Any]) -> None:
    """Say the line of a step and compare what came of it."""
    said = seat.parse(step["line"])
    if refused := step.get("refused"):
        faces = step.get("dice", ())
        code = (seat.refusal_of_dice if refused == "DICE" else seat.refusal)(said, *faces).code
        assert code.removeprefix("OG-E-") == refused
        return
    record = seat.say(said, *step.get("dice", ()))
    judged = of_kind(record, Judged)
    rolls = [fact for fact in judged if fact.rules[0] == "OG-MOVE-3"]
    if "result" in step:
        assert rolls[0].result == step["result"]
    if "total" in step:
        assert rolls[0].total == step["total"]
    amounts = [fact.total for fact in judged if fact.rules[0] == "OG-MOVE-4"]
    assert amounts == step.get("amounts", [])
    began = [fact.id for fact in of_kind(record, ConditionBegan)]
    assert [id for id in began if not id.startswith("absent")] == step.get("began", [])
    ended = [fact.id for fact in of_kind(record, ConditionEnded)]
    assert [id for id in ended if not id.startswith("absent")] == step.get("ended", [])
    for name, now in step.get("now", {}).items():
        assert number(seat, name) == now, name
    if "turn" in step:
        assert (seat.state.encounter.turn if seat.state.encounter else "") == step["turn"]


@pytest.mark.parametrize("case", trials(cases()))
def test_case(case: Mapping[str, Any]) -> None:
    seat = Seat()
    for step in case["steps"]:
        play(seat, step)
    seat.check_closing()
