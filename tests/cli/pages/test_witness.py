"""Test what a browser notices of a log that was rewritten, and of its part of shared dice that was used otherwise."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cli.context import CampaignContext
from cli.table.seats import Seat
from cli.table.view import TableView
from cli.web.pages.document import FOLDER
from tests.budget import BUDGET
from tests.cli.conftest import CLOCK, Folder, copied
from tests.cli.verifiers import NODE, needs_node
from tests.ledger.shared import LEDGER, Page

CHECK = Path(__file__).parent / "witness_check.js"
ANA = Seat("player", "Ana")
Log = dict[str, Any]


def noticed(*acts: list[Any]) -> dict[str, Any]:
    """Return what a browser notices that does these acts."""
    assert NODE is not None
    text = json.dumps([["open"], *acts])
    done = subprocess.run([NODE, CHECK, FOLDER], input=text, capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout))


def log_of(folder: Folder, after: int = 0) -> Log:
    """Return the log of a table after a position, as a page gets it."""
    view = TableView(CampaignContext(folder.path, CLOCK))
    try:
        parts = [view.log(ANA, after)]
        while parts[-1].more:
            parts.append(view.log(ANA, parts[-1].position))
    finally:
        view.context.close()
    *_, last = each = [msgspec.to_builtins(part) for part in parts]
    return last | {name: [row for part in each for row in part[name]] for name in ("chain", "lines")}


def evenings(night: Folder, tmp_path: Path) -> tuple[Log, Log, Log, Log]:
    """Return the log of an evening, with another line in its place and what follows, and as it was before that line."""
    other, before = copied(night, tmp_path / "other"), log_of(night)
    night.run("do", "> It rains")
    other.run("do", "> It snows")
    first, rewritten = log_of(night), log_of(other)
    other.run("do", "> It thaws")
    return first, rewritten, log_of(other, rewritten["position"]), before


@pytest.mark.slow
@needs_node
def test_rewritten_past_is_noticed_with_its_entry(night: Folder, tmp_path: Path) -> None:
    first, rewritten, behind, before = evenings(night, tmp_path)
    whole = rewritten | {"chain": rewritten["chain"] + behind["chain"], "position": behind["position"]}
    assert noticed(["log", before], ["log", first], ["open"], ["log", first])["alarms"] == []
    for acts in (
        [["log", first], ["open"], ["log", rewritten]],
        [["log", first], ["log", None], ["log", rewritten]],
        [["log", first], ["serve", whole], ["log", behind]],
    ):
        (alarm,) = noticed(*acts)["alarms"]
        assert alarm.startswith(f"The past was rewritten. Entry {first['lines'][-1]['entry']} is not what")
    (alarm,) = noticed(["log", first], ["open"], ["log", before])["alarms"]
    assert alarm.startswith(f"The log was cut off: it ends at position {before['position']}")
    (alarm,) = noticed(["log", first], ["open"], ["log", first | {"ledger": "f" * 32}])["alarms"]
    assert "another campaign" in alarm


@pytest.mark.slow
@needs_node
@pytest.mark.parametrize("field", ["leaf", "hash"])
def test_log_that_does_not_follow_is_noticed(night: Folder, field: str) -> None:
    log = log_of(night)
    log["chain"][7] = log["chain"][7] | {field: "f" * 64}
    assert "cannot be right" in noticed(["log", log])["alarms"][0]


STATE = {"role": "player", "holder": "Ana", "ledger": LEDGER, "session": {"number": 1}}
PAGE = Page("Ana", last_link="1" * 64, length=500)


def state(last: str = "", left: int = 500) -> list[Any]:
    return ["state", STATE | {"chains": [{"who": "Ana", "last": last, "left": left}] if last else []}]


def ask(last: str, purpose: str, throw: int = 1, id: str = "a") -> list[Any]:
    return ["ask", {"id": id, "session": 1, "last": last, "purpose": purpose, "throw": throw}]


def given(last: str, purpose: str, throw: int = 1, id: str = "a", status: str = "taken") -> list[list[Any]]:
    return [ask(last, purpose, throw, id), ["answer", id, status]]


def used(link: str, *throws: tuple[str, int], entry: int = 2) -> list[Any]:
    row = {"position": entry + 7, "entry": f"1.{entry}", "links": [link]}
    rows = [row | {"purpose": name, "throw": throw} for name, throw in throws]
    return ["links", {"links": rows, "position": entry + 7}]


@pytest.mark.slow
@needs_node
def test_chain_is_that_of_the_ledger() -> None:
    ready = state(), state(PAGE.chain[-1])
    found = noticed(*ready, ask(PAGE.chain[-1], "task Ana"), ask(PAGE.chain[-2], "task Bo"), ask("f" * 64, "task Bo"))
    assert found["said"] == [f'Ana chain "{PAGE.chain[-1]}" 500']
    assert found["given"] == [["a", PAGE.chain[-2]], ["a", PAGE.chain[-3]]]
    again = noticed(*ready, ["open"], state(PAGE.chain[-2]), ask(PAGE.chain[-2], "task Ana"))
    assert (again["given"], len(again["said"])) == ([["a", PAGE.chain[-3]]], 1)


LINK, NEXT = PAGE.chain[-2], PAGE.chain[-3]


ANA_1, BO_1, ANA_2 = ("task Ana", 1), ("task Bo", 1), ("task Ana", 2)
WITHOUT, OTHERWISE = "was thrown without it", "has your link for"
LAST = PAGE.chain[-1]
GIVEN = given(LAST, *ANA_1)


USES = [
    pytest.param([*GIVEN, used(LINK, ANA_1, ("extra", 1))], "", id="as it was given"),
    pytest.param([*GIVEN, used(LINK, BO_1)], OTHERWISE, id="for another purpose"),
    pytest.param([*GIVEN, used(LINK, ANA_2)], OTHERWISE, id="for another throw"),
    pytest.param([*GIVEN, used(LINK, ("", 0))], "", id="for a secret throw"),
    pytest.param([*GIVEN, used("", ANA_1)], WITHOUT, id="thrown with the seed alone"),
    pytest.param([*GIVEN, used("f" * 64, ANA_1)], WITHOUT, id="thrown with another page"),
    pytest.param([*GIVEN, ["open"], state(LAST), used("", ANA_1)], WITHOUT, id="after the page is loaded again"),
    pytest.param([*given(LAST, *ANA_1, status="too late"), used("", ANA_1)], "", id="too late"),
    pytest.param([*given(LAST, *ANA_1, status="wrong"), used("", ANA_1)], "", id="not taken"),
    pytest.param([*given(LAST, *ANA_1, status=""), used("", ANA_1)], "", id="lost on its way"),
    pytest.param([ask(LAST, *ANA_1), used("", ANA_1)], "", id="not answered yet"),
    pytest.param(
        [ask(LAST, *ANA_1), used("", ANA_1), ["answer", "a", "taken"]], WITHOUT, id="answered after the throw"
    ),
    pytest.param([used("", ANA_1), *GIVEN, used(LINK, ANA_1, entry=3)], "", id="for a die more of an old throw"),
    pytest.param([*GIVEN, *given(LAST, *BO_1, id="b"), used(LINK, BO_1)], "", id="for one of two throws"),
    pytest.param(
        [*GIVEN, *given(LAST, *BO_1, id="b"), used(LINK, BO_1), used(NEXT, ANA_1, entry=3)],
        WITHOUT,
        id="for one of two throws, and the other is thrown later",
    ),
    pytest.param([ask(PAGE.chain[-n], "many", n) for n in range(2, 15)], "links that it does not use", id="hoarded"),
    pytest.param(
        [
            act
            for n in range(2, 15)
            for act in given(PAGE.chain[-n], "many", n, f"{n}", "too late")
            if n < 14 or act[0] == "ask"
        ],
        "links that it does not use",
        id="hoarded, and all are said to be late",
    ),
]


@pytest.mark.quick_rows(1)
@needs_node
@pytest.mark.parametrize(("acts", "alarm"), BUDGET.cases(USES[::4], USES))
def test_link_that_is_used_otherwise_is_noticed(acts: list[list[Any]], alarm: str) -> None:
    found = noticed(state(), state(LAST), *acts)
    assert bool(found["alarms"]) == bool(alarm)
    assert alarm in "".join(found["alarms"])


@pytest.mark.slow
@needs_node
def test_chain_that_comes_to_its_end_is_followed_by_another() -> None:
    following = Page("Ana", last_link="2" * 64, length=500)
    found = noticed(state(), state(PAGE.chain[20], 20), state(PAGE.chain[11], 11), state(following.chain[-1]))
    assert found["said"] == [f'Ana chain "{each.chain[-1]}" 500' for each in (PAGE, following)]
    assert (found["stranger"], found["alarms"]) == (False, [])


@pytest.mark.slow
@needs_node
def test_chain_of_somebody_else_under_the_own_name_is_noticed() -> None:
    assert noticed(state("f" * 64))["stranger"] is True
    assert noticed(state(), state(PAGE.chain[-1]))["stranger"] is False
