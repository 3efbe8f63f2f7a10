"""Test the interface of a table over HTTP: who may ask, what they are answered, and what they hear."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason='pip install -e ".[serve]"')

from cli.context import CampaignContext
from cli.play.running_table import ASK_PATH
from cli.shell.line_reader import LineReader
from cli.table import aside
from cli.table.links import SeatLinks, seats_for
from cli.table.routes import BODY_MOST, LINE_MOST, LINES_AT_ONCE, TableRoutes
from cli.table.seats import GAME_MASTER, WATCHER, Seat
from cli.table.table import ASIDE_MOST, STREAMS_MOST, HandsTable
from cli.web.access import Access
from cli.web.app import create_app
from cli.web.live_pages import LivePages
from ledger.file_watch import FileWatch
from tests.cli.asgi import Answer, get, opened, until
from tests.cli.conftest import CLOCK, Folder, copied

ANA, BO = Seat("player", "Ana"), Seat("player", "Bo")


class Served:
    """A table on a campaign, and its application."""

    def __init__(self, folder: Folder) -> None:
        self.links = SeatLinks(folder.path, seats_for(["Ana", "Bo"]))
        self.table = HandsTable(CampaignContext(folder.path, CLOCK), self.links, FileWatch(folder.ledger).has_changed)
        pages = LivePages(lambda *_: pytest.fail("no page"), lambda: False)
        self.app = create_app(pages, Access({}), table=TableRoutes(self.table, clock=lambda: 0.0))
        self.keys = 0

    def headers(self, seat: Seat) -> dict[str, str]:
        return {"authorization": f"Bearer {self.links.token(seat)}"}

    async def ask(self, seat: Seat, path: str, **more: str) -> Answer:
        return await get(self.app, path, **self.headers(seat), **more)

    async def say(self, seat: Seat, line: str, key: str = "", **more: Any) -> Answer:
        self.keys += 1
        body = json.dumps({"line": line, "key": key or f"own-key-{self.keys}"}).encode()
        given = {"method": "POST", "content_type": "application/json"} | self.headers(seat) | more
        return await get(self.app, "/line", body, **given)


def run(folder: Folder, work: Any) -> None:
    async def served() -> None:
        table = Served(folder)
        watching = asyncio.create_task(table.table.watch())
        try:
            await work(table)
        finally:
            watching.cancel()
            table.table.close()

    asyncio.run(served())


def problem(answer: Answer) -> tuple[int, str]:
    content = json.loads(answer.body)
    assert content["message"]
    assert answer.headers["content-type"] == "application/json"
    return answer.status, content["code"]


@pytest.mark.slow
def test_line_and_what_is_seen_of_it(night: Folder) -> None:
    async def work(served: Served) -> None:
        said = json.loads((await served.say(ANA, "k sneak v4")).body)
        assert (said["status"], said["entry"]) == ("taken", "4.7")
        for seat, own in ((ANA, ["Kess"]), (BO, ["Orrin"]), (WATCHER, [])):
            state = json.loads((await served.ask(seat, "/state")).body)
            assert (state["role"], state["holder"], state["speaks_for"]) == (seat.role, seat.holder, own)
            assert (state["position"], state["head"]) == (said["position"], said["head"])
            assert [window["mine"] for window in state["windows"]] == [seat is ANA]
            assert state["close"] == "the roll"
        log = json.loads((await served.ask(BO, f"/log?after={said['position'] - 1}")).body)
        assert [(line["line"], line["holder"], line["door"]) for line in log["lines"]] == [
            ("k sneak v4", "Ana", "page")
        ]
        assert log["chain"][-1]["hash"] == log["head"] == said["head"]
        odds = json.loads((await served.ask(ANA, "/odds?line=k%20sneak%20v4%20e1")).body)
        assert "e1" in odds["odds"][0]
        assert odds["own"][0].startswith("e1: success")
        assert "sneak" in (await served.ask(ANA, "/complete?line=k%20sn")).text

    run(night, work)


@pytest.mark.slow
def test_refusal_has_the_code_of_the_book(night: Folder) -> None:
    async def work(served: Served) -> None:
        assert problem(await served.say(ANA, "k sneak")) == (422, "DB-E-DIFFICULTY")
        assert problem(await served.say(ANA, "o climb v4")) == (422, "L-SEAT")
        assert problem(await served.say(ANA, "nobody knows")) == (422, "L-LINE")
        assert problem(await served.say(WATCHER, "k sneak v4")) == (422, "L-SEAT")

    run(night, work)


REQUESTS = (
    ({"authorization": ""}, 401, "L-TOKEN"),
    ({"authorization": "Bearer"}, 401, "L-TOKEN"),
    ({"authorization": "Bearer guess"}, 401, "L-TOKEN"),
    ({"authorization": "Bearer \u00e9"}, 401, "L-TOKEN"),
    ({"origin": "http://evil.example"}, 403, "L-ORIGIN"),
    ({"origin": "http://127.0.0.1:8003"}, 403, "L-ORIGIN"),
    ({"origin": "null"}, 403, "L-ORIGIN"),
    ({"sec_fetch_site": "cross-site"}, 403, "L-ORIGIN"),
    ({"sec_fetch_site": "same-site"}, 403, "L-ORIGIN"),
    ({"content_type": "text/plain"}, 415, "L-LINE"),
    ({"content_type": "application/x-www-form-urlencoded"}, 415, "L-LINE"),
    ({"host": "evil.example"}, 421, "L-HOST"),
)


@pytest.mark.slow
def test_request_of_somewhere_else_is_denied(night: Folder) -> None:
    async def work(served: Served) -> None:
        for headers, status, code in REQUESTS:
            answer = await served.say(ANA, "k sneak v4", **headers)
            assert problem(answer) == (status, code), headers
            assert not [name for name in answer.headers if name.startswith("access-control")]
        assert (await served.say(ANA, "k sneak v4", origin="http://127.0.0.1:8002")).status == 200

    before = night.run("log", "--takes")
    run(night, work)
    assert len(night.run("log", "--takes")) > len(before)


BODIES = (
    (b"{", 400), (b"[]", 400), (b'{"line": "k sneak v4"}', 400), (b'{"line": 1, "key": "12345678"}', 400),
    (b'{"line": "x", "key": "short"}', 400), (b'{"line": "x", "key": "with space and more"}', 400), (b"\xff", 400),
    (b'{"line": "x", "key": "12345678", "more": 1}', 400), (b'{"line": "x", "key": "12345678", "seen": "1"}', 400),
    (b"[" * 9000, 400), (b" " * (BODY_MOST + 1), 413),
    (json.dumps({"line": "x" * (LINE_MOST + 1), "key": "12345678"}).encode(), 413),
)  # fmt: skip


def test_body_that_is_no_line_is_denied(night: Folder) -> None:
    async def work(served: Served) -> None:
        given = {"method": "POST", "content_type": "application/json"}
        for number, (body, status) in enumerate(BODIES):
            seat = (ANA, BO)[number % 2]
            assert problem(await get(served.app, "/line", body, **given, **served.headers(seat)))[0] == status, body[
                :40
            ]

    run(night, work)


@pytest.mark.slow
def test_paths_that_are_not_there_are_said_in_json(night: Folder) -> None:
    async def work(served: Served) -> None:
        for path, method, status in (("/nothing", "GET", 404), ("/line", "GET", 405), ("/state", "POST", 405)):
            assert problem(await served.ask(ANA, path, method=method)) == (status, "L-PATH")
        assert problem(await served.ask(ANA, "/log?after=-1")) == (400, "L-LINE")
        assert problem(await served.ask(ANA, "/log?after=9999")) == (422, "L-LINE")
        assert problem(await served.ask(ANA, f"/odds?line={'x' * 2001}")) == (413, "L-LONG")

    run(night, work)


@pytest.mark.slow
def test_who_says_too_much_has_to_wait(night: Folder) -> None:
    async def work(served: Served) -> None:
        answers = await asyncio.gather(*(served.say(ANA, "undo") for _ in range(LINES_AT_ONCE + 1)))
        *_, last = sorted(answers, key=lambda answer: answer.status)
        assert [answer.status for answer in answers].count(422) == LINES_AT_ONCE
        assert problem(last) == (429, "L-RATE")
        assert int(last.headers["retry-after"]) >= 1
        assert (await served.say(BO, "undo")).status == 422

    run(night, work)


@pytest.mark.slow
def test_new_token_ends_one_link_at_once(night: Folder) -> None:
    async def work(served: Served) -> None:
        old = served.headers(ANA)
        async with opened(served.app, "/events?after=0", **old) as answer:
            await until(answer, '"position"')
            SeatLinks(night.path, seats_for(["Ana", "Bo"]), new=[ANA])  # as another process does
            async with asyncio.timeout(5):
                while not answer.ended:
                    await asyncio.sleep(0.01)
        assert (await get(served.app, "/state", **old)).status == 401
        assert (await served.ask(ANA, "/state")).status == 200
        assert (await served.ask(BO, "/state")).status == 200

    run(night, work)


@pytest.mark.slow
def test_all_hear_what_anybody_does(night: Folder) -> None:
    async def work(served: Served) -> None:
        position = json.loads((await served.ask(ANA, "/state")).body)["position"]
        path = f"/events?after={position}"
        async with (
            opened(served.app, path, **served.headers(ANA)) as ana,
            opened(served.app, path, **served.headers(BO)) as bo,
            opened(served.app, path, **served.headers(GAME_MASTER)) as master,
        ):
            await served.say(ANA, "k sneak v4")
            night.run("do", "!! > the moth king wakes")
            night.run("amend", "4.7", "v5", "--because", "the lamp was out", "--retcon")
            for answer in (ana, bo, master):
                await until(answer, '"changed":["4.7"]')
                assert answer.headers["content-type"].startswith("text/event-stream")
            assert ana.text == bo.text
            assert ("moth king" in master.text, "moth king" in ana.text) == (True, False)

    run(night, work)


@pytest.mark.slow
def test_amendment_and_undo_of_the_shell_are_on_two_phones_at_once(night: Folder) -> None:
    async def work(served: Served) -> None:
        answer = json.loads((await served.say(ANA, "k sneak v4 /6.6")).body)
        path = f"/events?after={answer['position']}"

        def last(phone: Answer) -> dict[str, Any]:
            return json.loads([line[6:] for line in phone.text.splitlines() if line.startswith("data: {")][-1])

        async with (
            opened(served.app, path, **served.headers(ANA)) as ana,
            opened(served.app, path, **served.headers(BO)) as bo,
        ):
            pasts = []
            for number, words in enumerate([["amend", "4.7", "/1.1", "--because", "x", "--retcon"], ["undo"]], 1):
                night.run(*words)
                for phone in (ana, bo):
                    await until_changed(phone, number)
                assert last(ana) == last(bo)
                states = [json.loads((await served.ask(seat, "/state")).body) for seat in (ANA, BO)]
                assert states[0]["head"] == states[1]["head"] == last(ana)["head"]
                assert states[0]["beings"] == states[1]["beings"]
                pasts.append(next(line["reply"] for line in last(ana)["lines"] if line["entry"] == "4.7"))
            dice = [next(row for row in past if row.startswith("Dawn ")) for past in pasts]
            assert [each.partition(" [")[0] for each in dice] == ["Dawn 1, Dusk 1", "Dawn 6, Dusk 6"]

    run(night, work)


async def until_changed(phone: Answer, times: int) -> None:
    """Wait until a phone has heard so many times that an older entry has changed."""
    async with asyncio.timeout(10):
        while phone.text.count('"changed":["4.7"') < times:
            await asyncio.sleep(0.01)


@pytest.mark.slow
def test_who_comes_back_hears_what_they_lack(night: Folder) -> None:
    async def work(served: Served) -> None:
        async with opened(served.app, "/events", last_event_id="100", **served.headers(BO)) as answer:
            head = json.loads((await served.ask(BO, "/state")).body)["head"]
            await until(answer, head)
            heard = [json.loads(line[6:]) for line in answer.text.splitlines() if line.startswith("data: {")]
            chain = [link["position"] for log in heard for link in log["chain"]]
            assert chain == list(range(101, chain[-1] + 1))

    run(night, work)


@pytest.mark.slow
def test_link_has_so_many_streams(night: Folder) -> None:
    async def work(served: Served) -> None:
        async with several(served, STREAMS_MOST):
            assert problem(await served.ask(ANA, "/events")) == (503, "L-FULL")
            assert (await served.ask(BO, "/state")).status == 200
        assert not served.table._listeners

    run(night, work)


@asynccontextmanager
async def several(served: Served, number: int) -> AsyncIterator[None]:
    if number == 0:
        yield
        return
    async with opened(served.app, "/events?after=0", **served.headers(ANA)) as answer:
        await until(answer, "retry")
        async with several(served, number - 1):
            yield


@pytest.mark.slow
def test_interface_describes_itself(night: Folder) -> None:
    async def work(served: Served) -> None:
        description = json.loads((await get(served.app, "/openapi.json")).body)
        others = {"/", "/api", "/openapi.json", ASK_PATH}  # the last is for the owner's own shell
        paths = {route.path for route in TableRoutes(served.table).routes()} - others
        assert description["paths"].keys() == paths
        page = await get(served.app, "/api")
        assert all(path in page.text for path in paths)
        assert page.headers["content-security-policy"].startswith("default-src 'none'")

    run(night, work)


def test_body_that_does_not_come_is_not_waited_for(night: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.table.routes.BODY_SECONDS", 0.05)

    async def work(served: Served) -> None:
        given = {"method": "POST", "content_type": "application/json"} | served.headers(ANA)
        answer = await get(served.app, "/line", **given)
        assert problem(answer) == (408, "L-SLOW")
        assert answer.headers["connection"] == "close"

    run(night, work)


@pytest.mark.slow
def test_ledger_that_takes_the_place_of_another_is_heard_anew(night: Folder, tmp_path: Path) -> None:
    older = copied(night, tmp_path / "older")

    async def work(served: Served) -> None:
        await served.say(ANA, "k sneak v4")
        async with opened(served.app, "/events?after=170", **served.headers(BO)) as answer:
            await until(answer, "sneak v4")
            older.ledger.replace(night.ledger)
            await until(answer, "event: reload")
            assert (await served.say(BO, "o climb v4")).status == 200
            await until(answer, "climb v4")

    run(night, work)
    assert "sneak v4" not in night.run("log", "4")


@pytest.mark.slow
def test_taps_are_of_own_beings_alone(night: Folder) -> None:
    async def work(served: Served) -> None:
        for seat, own in ((ANA, {"Kess"}), (BO, {"Orrin"}), (WATCHER, set()), (GAME_MASTER, {"gm"})):
            taps = json.loads((await served.ask(seat, "/acts")).body)
            assert {each["who"] for each in taps["beings"]} - {"gm"} <= own
            assert bool(taps["beings"]) == bool(own)
        one = json.loads((await served.ask(BO, "/acts?who=Kess&path=attempt")).body)
        assert one["beings"] == []
        assert problem(await served.ask(BO, "/act?line=kess%20sneak%20v4")) == (422, "L-SEAT")
        assert problem(await served.ask(ANA, "/act?line=!!%20kess%20sneak%20v4")) == (422, "L-SEAT")
        line = json.loads((await served.ask(ANA, "/act?line=kess%20sneak%20v4%20e1")).body)
        assert (line["who"], line["dice"]["sides"], line["price"]) == ("Kess", [12, 12], ["speed 15>12 (Effort 1)"])

    run(night, work)


@pytest.mark.slow
def test_line_that_takes_long_to_hear_holds_nobody_up(night: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    hear = LineReader.spoken_line

    def slowly(self: LineReader, *more: Any) -> Any:
        time.sleep(0.5)
        return hear(self, *more)

    monkeypatch.setattr(LineReader, "spoken_line", slowly)

    async def work(served: Served) -> None:
        order = list[str]()

        async def said(seat: Seat, line: str) -> dict[str, Any]:
            answer = json.loads((await served.say(seat, line)).body)
            order.append(line)
            return answer

        await said(ANA, '" Kess: now')
        words = asyncio.create_task(said(BO, "I try to sneak, difficulty four"))
        await asyncio.sleep(0.1)
        for number in range(3):
            assert (await said(ANA, f'" Kess: wait {number}'))["status"] == "taken"
        answer = await words
        assert (answer["status"], answer["heard"]) == ("taken", "Orrin sneak v4")
        assert order[-1] == "I try to sneak, difficulty four"  # it has waited, not the others

    run(night, work)


@pytest.mark.slow
def test_line_that_is_always_overtaken_is_heard_in_its_turn(night: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    hear, heard = aside.hear, list[str]()

    def overtaken(reader: LineReader, seat: Seat, line: str) -> aside.HeardLine:
        heard.append(line)
        found = hear(reader, seat, line)
        night.run("do", f'" Kess: wait {len(heard)}')
        return found

    monkeypatch.setattr("cli.table.view.hear", overtaken)

    async def work(served: Served) -> None:
        answer = json.loads((await served.say(BO, "I try to sneak, difficulty four")).body)
        assert (answer["status"], answer["heard"]) == ("taken", "Orrin sneak v4")
        assert len(heard) == ASIDE_MOST

    run(night, work)
