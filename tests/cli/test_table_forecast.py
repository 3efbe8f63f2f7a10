"""Test the forecast of a table: who is answered, what keeps others from waiting, and what ends it."""

from __future__ import annotations

import asyncio
import json
import os
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

pytest.importorskip("starlette", reason='pip install -e ".[serve]"')

from cli.forecast.forecaster import Forecaster
from cli.forecast.habits import POLICY_NAMES
from cli.table import forecasts
from cli.table.forecasts import CHOICE_MOST, CHOICES_MOST, CODE, ForecastWanted, TableForecasts
from cli.table.links import SeatLinks, seats_for
from cli.table.routes import FORECASTS_AT_ONCE
from cli.table.seats import GAME_MASTER, SEAT, WATCHER
from cli.web.pages.hands import hands_html
from ledger.errors import Refused, Unreadable
from rulebooks import load_game
from tests.cli.conftest import Folder, copied
from tests.cli.forecast.test_forecast_command import plan_of
from tests.cli.test_table_app import ANA, BO, Served, problem, run

WORDING = load_game("momentum").texts().lexicon.wording
HANGS = ["sleep", "60"]
MEMBERS = ["Ash", "Bryn", "Thug", "Captain"]
LINKS = (GAME_MASTER, ANA, BO, WATCHER)


@pytest.fixture
def fight(fight_folder: Folder, tmp_path: Path) -> Folder:
    """Return a fight of Dusk Bastards in which no roll is open: the foes' numbers are the game master's."""
    folder = copied(fight_folder, tmp_path)
    for line in ("a wound /4.3", "close"):
        folder.run("do", line)
    return folder


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have forecasts of few runs played."""
    monkeypatch.setattr(forecasts, "RUNS", 2)
    monkeypatch.setattr(forecasts, "ROUNDS", 2)


@pytest.fixture
def hanging(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have forecasts played by a program that does not end by itself."""
    monkeypatch.setattr(forecasts, "command_process", lambda *_: (HANGS, None))


def address(**query: Any) -> str:
    return f"/forecast?{urlencode(query, doseq=True)}"


@pytest.mark.slow
def test_game_master_has_the_forecast_and_players_what_they_may_see(fight: Folder, few: None) -> None:
    async def work(served: Served) -> None:
        card = json.loads((await served.ask(GAME_MASTER, address(policy="weakest", play="foes: flees at 3"))).body)
        assert card["heading"][0].startswith("2 runs from 1.")
        assert card["heading"][1] == "policy: weakest (nobody spends destiny and doom); foes: flees at 3"
        assert [row["who"] for row in card["rows"]] == MEMBERS
        assert all(0 <= row["part"] <= 1 and " of 2 (" in row["text"] for row in card["rows"])
        for seat in (ANA, BO, WATCHER):
            answer = await served.ask(seat, "/forecast")
            assert problem(answer) == (422, CODE)
            assert "numbers that are the game master's" in answer.text
            assert not any(who in answer.text for who in MEMBERS)

    before = fight.bytes
    run(fight, work)
    assert fight.bytes == before


@pytest.mark.slow
def test_players_are_answered_where_nothing_is_hidden(fight: Folder, few: None) -> None:
    for line in ("! reveal captain", "! reveal thug"):
        fight.run("do", line)

    async def work(served: Served) -> None:
        for seat in LINKS:
            card = json.loads((await served.ask(seat, "/forecast")).body)
            assert [row["who"] for row in card["rows"]] == MEMBERS
        for seat in (GAME_MASTER, ANA):
            told = json.loads((await served.say(seat, "? forecast")).body)
            assert (told["status"], told["question"]) == ("answered", "forecast")
            assert told["reply"][0].startswith("2 runs from 1.")
            words = [line.split()[0] for line in told["reply"]]
            assert [word for word in dict.fromkeys(words) if word in MEMBERS] == MEMBERS  # in the rows first

    before = fight.bytes
    run(fight, work)
    assert fight.bytes == before


@pytest.mark.slow
def test_question_of_a_player_says_nothing_of_hidden_foes(fight: Folder, few: None) -> None:
    async def work(served: Served) -> None:
        told = json.loads((await served.say(ANA, "? forecast")).body)
        assert (told["status"], told["code"]) == ("refused", CODE)
        assert not any(who in told["message"] for who in MEMBERS)

    run(fight, work)


@pytest.mark.quick_rows(1)
@pytest.mark.parametrize("words", ["--vs '+cover'", "--policy weakest", "foes: spread"])
def test_question_of_a_table_has_no_options(fight: Folder, hanging: None, words: str) -> None:
    async def work(served: Served) -> None:
        told = json.loads((await served.say(ANA, f"? forecast {words}")).body)
        assert (told["status"], told["code"]) == ("refused", SEAT)
        assert served.table._forecasts._played == {}

    run(fight, work)


def test_question_asked_anew_ends_the_forecast_before(fight: Folder, hanging: None) -> None:
    async def work(served: Served) -> None:
        first = asyncio.create_task(served.say(ANA, "? forecast"))
        while not served.table._forecasts._played:
            await asyncio.sleep(0.01)
        second = asyncio.create_task(served.say(ANA, "? forecast"))
        told = json.loads((await first).body)
        assert told["message"].startswith("another forecast was asked for")
        served.table._forecasts.close()
        await second

    run(fight, work)


@pytest.mark.parametrize(
    ("policy", "choices"),
    [
        ("everybody dies", ()),
        ("\x00", ()),
        ("x" * 5000, ()),
        ("weakest", ("\x1b[31mfoes: weakest",)),
        ("weakest", ("foes: \ud800",)),
        ("weakest", ("x" * (CHOICE_MOST + 1),)),
        ("weakest", ("foes: weakest",) * (CHOICES_MOST + 1)),
    ],
)
def test_question_that_cannot_be_played_is_refused(policy: str, choices: tuple[str, ...]) -> None:
    with pytest.raises(Unreadable) as error:
        ForecastWanted(policy=policy, choices=choices).check()
    assert len(str(error.value)) < 400
    assert str(error.value).isprintable()


@pytest.mark.slow
def test_question_of_somebody_hostile_is_refused(fight: Folder, few: None) -> None:
    async def work(served: Served) -> None:
        for choice, told in (
            ("nobody: flees at 3", "'nobody' is not in play"),
            ("--option=x", "'--option=x' changes no strike"),
            ("foes: flees at 99999999999", "'flees at 99999999999' does not say at how many points"),
            ("<script>: weakest", "'<script>' is not in play"),
            (":", "'' is not in play"),
        ):
            answer = await served.ask(GAME_MASTER, address(play=choice))
            assert problem(answer) == (422, CODE), choice
            assert json.loads(answer.body)["message"].startswith(told)
        assert problem(await served.ask(GAME_MASTER, "/forecast", origin="http://evil.example")) == (403, "L-ORIGIN")

    run(fight, work)


def test_asking_anew_ends_the_forecast_before(hanging: None) -> None:
    async def work() -> None:
        table = TableForecasts("nowhere")
        first = asyncio.create_task(table.ask(GAME_MASTER, ForecastWanted(), WORDING))
        await asyncio.sleep(0.05)
        second = asyncio.create_task(table.ask(GAME_MASTER, ForecastWanted(), WORDING))
        with pytest.raises(Refused, match="another forecast was asked for"):
            await first
        table.close()
        with pytest.raises(Refused):
            await second

    asyncio.run(asyncio.wait_for(work(), 20))


def test_players_wait_for_one_another_alone(hanging: None) -> None:
    async def work() -> None:
        table = TableForecasts("nowhere")
        asked = [asyncio.create_task(table.ask(seat, ForecastWanted(), WORDING)) for seat in (ANA, GAME_MASTER)]
        await asyncio.sleep(0.05)
        with pytest.raises(Refused, match="somebody else's forecast"):
            await table.ask(WATCHER, ForecastWanted(), WORDING)
        assert not any(each.done() for each in asked)
        table.close()
        for each in asked:
            with pytest.raises(Refused):
                await each

    asyncio.run(asyncio.wait_for(work(), 20))


def test_page_waits_longer_than_a_forecast_may_take() -> None:
    waits = re.search(r"PATIENCE = (\d+);", hands_html())
    assert waits is not None
    assert int(waits[1]) >= 1000 * (forecasts.SECONDS_MOST + 5)


def test_forecast_that_hangs_is_ended(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    program = ["sh", "-c", f"echo $$ > {pid}; exec {' '.join(HANGS)}"]
    monkeypatch.setattr(forecasts, "command_process", lambda *_: (program, None))
    monkeypatch.setattr(forecasts, "SECONDS_MOST", 1)
    with pytest.raises(Refused, match="takes too long"):
        asyncio.run(TableForecasts("nowhere").ask(GAME_MASTER, ForecastWanted(), WORDING))
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)


@pytest.mark.slow
def test_lines_are_taken_while_twenty_forecasts_are_asked_for(fight: Folder, hanging: None) -> None:
    async def work(served: Served) -> None:
        asked = [asyncio.create_task(served.ask(GAME_MASTER, "/forecast")) for _ in range(20)]
        await asyncio.sleep(0)
        said = json.loads((await served.say(GAME_MASTER, "> the lamp goes out")).body)
        assert said["status"] == "taken"
        served.table._forecasts.close()
        codes = [problem(each) for each in await asyncio.gather(*asked)]
        assert codes.count((422, CODE)) == FORECASTS_AT_ONCE
        assert codes.count((429, "L-RATE")) == 20 - FORECASTS_AT_ONCE

    run(fight, work)


def test_table_that_is_closed_ends_its_forecasts(fight: Folder, hanging: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forecasts, "SECONDS_MOST", 60)

    async def work() -> None:
        table = Served(fight).table
        asked = asyncio.create_task(table.forecast(GAME_MASTER, ForecastWanted()))
        while not table._forecasts._played:
            await asyncio.sleep(0.01)
        table.close()
        with pytest.raises(Refused):
            await asked

    asyncio.run(asyncio.wait_for(work(), 20))


def test_link_replaced_meanwhile_is_not_answered(fight: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(served: Served) -> None:
        async def replaced(*_: Any) -> str:
            SeatLinks(fight.path, seats_for(["Ana", "Bo"]), new=[GAME_MASTER])
            return "a card"

        monkeypatch.setattr(served.table, "forecast", replaced)
        assert problem(await served.ask(GAME_MASTER, "/forecast")) == (401, "L-TOKEN")

    run(fight, work)


def test_player_who_left_meanwhile_is_not_answered(fight: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(served: Served) -> None:
        async def without_bo(*_: Any) -> str:
            served.links.reseat(["Ana"])
            return "a card"

        monkeypatch.setattr(served.table, "forecast", without_bo)
        assert problem(await served.ask(BO, "/forecast")) == (403, "L-TOKEN")

    run(fight, work)


def test_page_offers_every_policy() -> None:
    select = hands_html().partition('<select id="policy">')[2].partition("</select>")[0]
    assert sorted(re.findall("<option>(.*?)</option>", select)) == sorted(POLICY_NAMES)


def test_time_ends_a_forecast(played_samples: Any) -> None:
    plan = plan_of(played_samples["choir-of-glass"], "choir-of-glass")
    times = iter((0.0, 1.0, 9.0))
    forecaster = Forecaster(seconds=5.0, clock=lambda: next(times))
    assert len(forecaster.runs(plan, 100)) == 50
    assert forecaster.stopped
    assert forecaster.runs(plan, 100) == []
