"""Test the time in which an announcement may be answered at a served table: only the table's option sets one."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason='pip install -e ".[serve]"')

from cli.table.seats import GAME_MASTER, WATCHER
from cli.table.time_limit import Countdown, TimeLimit
from tests.cli.conftest import Folder, copied
from tests.cli.evenings import prepare
from tests.cli.fights import FIGHTS
from tests.cli.test_table_app import ANA, BO, Served, run

OPTION = '! option answer_seconds 30 "half a minute"'
ATTACK = "! g1 attack asha ..."


class Clock:
    """A clock that a test turns."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    folder = Folder(tmp_path_factory.mktemp("limit") / "mars")
    prepare("mars", folder.path)
    for line in (*FIGHTS["mars"].opening, "a end"):
        folder.run("do", line)
    return folder


@pytest.fixture
def fight(begun: Folder, tmp_path: Path) -> Folder:
    return copied(begun, tmp_path)


async def left(served: Served, seat: Any = ANA) -> Any:
    """Return the seconds that are left in somebody's state once it is that of the head."""
    await asyncio.sleep(0.2)
    return json.loads((await served.ask(seat, "/state")).body)["left"]


async def lines(served: Served) -> list[dict[str, Any]]:
    """Return the last lines of the log."""
    return json.loads((await served.ask(GAME_MASTER, "/log")).body)["lines"][-3:]


async def announced(served: Served, clock: Clock, *before: str) -> None:
    """Announce an attack after some lines, at a table whose clock is turned."""
    served.table.countdown = Countdown(clock)
    for line in (*before, ATTACK):
        answer = await served.say(GAME_MASTER, line)
        assert json.loads(answer.body)["status"] == "taken", answer.body


@pytest.mark.slow
def test_without_the_option_nothing_times_out(fight: Folder) -> None:
    async def work(served: Served) -> None:
        clock = Clock()
        await announced(served, clock)
        assert await left(served) is None
        clock.now += 1_000_000
        await asyncio.sleep(0.2)
        assert (await lines(served))[-1]["line"] == ATTACK

    run(fight, work)


@pytest.mark.slow
def test_time_that_is_up_throws_the_dice_in_an_entry_of_its_own(fight: Folder) -> None:
    async def work(served: Served) -> None:
        clock = Clock()
        await announced(served, clock, OPTION)
        assert [await left(served, seat) for seat in (ANA, BO, GAME_MASTER, WATCHER)] == [30.0] * 4
        clock.now += 12
        assert await left(served) == 18.0
        clock.now += 17.9
        assert (await lines(served))[-1]["line"] == ATTACK
        clock.now += 0.2
        assert await left(served) is None
        last = (await lines(served))[-1]
        assert (last["line"], last["holder"], last["by"]) == ("go", "time limit", "gm")

    run(fight, work)
    assert "go (nobody had answered in time)" in fight.run("log", "--takes")
    assert "the replay agrees" in fight.run("replay")


@pytest.mark.slow
def test_answer_begins_the_time_anew(fight: Folder) -> None:
    async def work(served: Served) -> None:
        clock = Clock()
        await announced(served, clock, OPTION)
        assert await left(served) == 30.0
        clock.now += 29
        assert json.loads((await served.say(GAME_MASTER, "^ a evade")).body)["status"] == "taken"
        assert await left(served) == 30.0
        clock.now += 29
        assert (await lines(served))[-1]["line"] == "^ a evade"

    run(fight, work)


def test_what_stands_otherwise_begins_the_time_anew() -> None:
    clock, limit = Clock(), TimeLimit("1.9", "an attack", 30)
    countdown = Countdown(clock)
    countdown.set(limit)
    clock.now += 20
    countdown.set(TimeLimit("1.9", "an attack", 30))
    assert countdown.left == 10.0
    countdown.set(TimeLimit("1.9", "an attack, parried", 30))
    assert countdown.left == 30.0
    clock.now += 31
    assert countdown.is_over


@pytest.mark.slow
def test_table_that_rolls_its_own_dice_is_not_hurried(fight: Folder) -> None:
    async def work(served: Served) -> None:
        clock = Clock()
        await announced(served, clock, OPTION, '! option dice table "real dice"')
        assert await left(served) is None

    run(fight, work)


@pytest.mark.slow
def test_what_was_answered_meanwhile_is_left_alone(fight: Folder) -> None:
    async def work(served: Served) -> None:
        await announced(served, Clock(), OPTION)
        stale = TimeLimit("1.1", "", 30)
        assert await served.table._writer.run(lambda writer: writer.let_come(stale, "a-stale-key")) is None
        assert (await lines(served))[-1]["line"] == ATTACK

    run(fight, work)


def test_option_takes_seconds_alone(fight: Folder) -> None:
    for value in ("-1", "soon", "3601", "1.5"):
        done = fight.invoke("do", f'! option answer_seconds {value} "x"')
        assert done.exit_code == 1, value
        assert "answer_seconds" in done.output, done.output
