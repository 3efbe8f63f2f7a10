"""Test the application of `serve`: who sees what, what every answer forbids, and how changes reach who watches."""

from __future__ import annotations

import asyncio
import json
import re
import threading
import time
from collections.abc import Coroutine
from functools import partial
from typing import Any, NamedTuple

import pytest

pytest.importorskip("starlette", reason='pip install -e ".[serve]"')

from cli.web.access import Access, host_name
from cli.web.app import create_app
from cli.web.channels import KEPT, RELOAD, Channel
from cli.web.event_stream import BEAT
from cli.web.live_pages import RESTS, UNWATCHED_MOST, LivePages
from cli.web.reports import REPORTS
from cli.web.server import listen, serve
from cli.web.tokens import new_token
from ledger.errors import Damaged, InputError, LedgerError
from tests.cli.asgi import get, opened, until

LOCAL = Access({"gm-token": "gm", "table-token": "players"})
LAN = Access({"gm-token": "gm", "table-token": "players"}, frozenset({"lamp", "lamp.local"}))


@pytest.fixture(autouse=True)
def nothing_reported() -> None:
    REPORTS.forget()


class Page(NamedTuple):
    """A page with this content."""

    content: Any
    policy: str = "default-src 'self'"

    @property
    def html(self) -> str:
        return f"<p>{self.content}</p>"


class Ledger:
    """A ledger of numbers, and the pages of it that were computed."""

    def __init__(self) -> None:
        self.steps = [1, 2, 3]
        self.computed: list[tuple[str, str]] = []
        self.is_new = True
        self.damaged = False
        self.broken = set[str]()  # the names of pages that a fault of the program keeps from being made

    def add(self, number: int) -> None:
        self.steps.append(number)
        self.is_new = True

    def has_changed(self) -> bool:
        changed, self.is_new = self.is_new, False
        return changed

    def load(self, role: str, name: str) -> Page:
        if self.damaged:
            raise Damaged("the secret is damaged")
        if name in self.broken:
            raise TypeError(f"no words for {name or 'it'}")
        if name == "9":
            raise InputError("there is no session 9")
        self.computed.append((role, name))
        return Page({"role": role, "session": name, "steps": list(self.steps)})


class Table:
    """An application over such a ledger."""

    def __init__(self, access: Access = LOCAL) -> None:
        self.ledger = Ledger()
        self.pages = LivePages(lambda *page: partial(self.ledger.load, *page), self.ledger.has_changed)
        self.app = create_app(self.pages, access)


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


async def version(table: Table) -> str:
    return json.loads((await get(table.app, "/data")).body)["version"]


def test_page_on_this_machine_is_the_players() -> None:
    async def work() -> None:
        answer = await get(Table().app, "/")
        assert (answer.status, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert "'role': 'players', 'session': ''" in answer.text

    run(work())


@pytest.mark.parametrize(
    ("path", "token", "role"),
    [("/data", "", "players"), ("/watch/data", "table-token", "players"), ("/gm/data", "gm-token", "gm")],
)
def test_token_gives_its_role(path: str, token: str, role: str) -> None:
    async def work() -> None:
        answer = await get(Table().app, path, authorization=f"Bearer {token}")
        assert json.loads(answer.body)["content"]["role"] == role

    run(work())


@pytest.mark.parametrize("path", ["/", "/data", "/events", "/session/1/", "/session/1/events"])
def test_network_needs_a_token(path: str) -> None:
    async def work() -> None:
        table = Table(LAN)
        assert (await get(table.app, path)).status == 403
        for start, token in (("/watch", "guess"), ("/watch", "gm-token"), ("/gm", "gm-toke"), ("/gm", "table-token")):
            assert (await get(table.app, f"{start}{path}", authorization=f"Bearer {token}")).status == 403
            assert (await get(table.app, f"{start}/{token}{path}")).status == 404
            asked = await get(table.app, f"{start}{path}")  # the page of a link says nothing
            assert asked.status == (200 if path.endswith("/") else 403)
        assert table.ledger.computed == []
        if "events" not in path:
            assert (await get(table.app, f"/watch{path}", authorization="Bearer table-token")).status == 200

    run(work())


@pytest.mark.parametrize(
    ("host", "local", "lan"),
    [
        ("127.0.0.1:8002", True, True),
        ("LOCALHOST", True, True),
        ("[::1]:8002", True, True),
        ("192.168.1.20:8002", False, True),
        ("lamp.local:8002", False, True),
        ("evil.example:8002", False, False),
        ("127.0.0.1.evil.example", False, False),
        ("", False, False),
    ],
)
def test_only_names_of_this_machine_are_served(host: str, local: bool, lan: bool) -> None:
    async def work() -> None:
        for access, served in ((LOCAL, local), (LAN, lan)):
            answer = await get(Table(access).app, "/watch/", authorization="Bearer table-token", host=host)
            assert answer.status == (200 if served else 421), access

    run(work())


def test_host_name_leaves_out_the_port() -> None:
    assert [host_name(host) for host in ("lamp:1", "[::1]:1", "Lamp.")] == ["lamp", "::1", "lamp"]


def test_every_answer_forbids_what_it_does_not_need() -> None:
    async def work() -> None:
        app = Table().app
        asked = [
            ("/", {}),
            ("/data", {}),
            ("/x", {}),
            ("/watch/", {}),
            ("/gm/data", {}),
            ("/", {"host": "x"}),
            ("/", {"method": "POST"}),
        ]
        for path, request in asked:
            headers = (await get(app, path, **request)).headers
            assert headers["cache-control"] == "no-store"
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "no-referrer"
            assert headers["cross-origin-resource-policy"] == "same-origin"
            assert headers["content-security-policy"].startswith("default-src")
            assert not [name for name in headers if name.startswith("access-control")]

    run(work())


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_nothing_is_written(method: str) -> None:
    async def work() -> None:
        assert (await get(Table().app, "/", method=method)).status == 405

    run(work())


PATHS_OF_NOTHING = (
    "/session/9/", "/session/x/", "/ledger.db", f"/session/{5000 * '9'}/", "/session/-1/", "/session/007/",
    "/session/\u0661/data", "/session/1.0/events",
)  # fmt: skip


def test_page_that_is_not_there() -> None:
    async def work() -> None:
        app = Table().app
        assert [(await get(app, path)).status for path in PATHS_OF_NOTHING] == [404] * len(PATHS_OF_NOTHING)
        assert (await get(app, "/session/2/data")).status == 200

    run(work())


@pytest.mark.parametrize(("path", "name"), [("/", ""), ("/campaign/", "campaign"), ("/session/2/", "2")])
def test_path_names_its_page(path: str, name: str) -> None:
    async def work() -> None:
        table = Table()
        assert (await get(table.app, path)).status == 200
        assert table.ledger.computed == [("players", name)]

    run(work())


def test_damaged_ledger_tells_the_browser_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    async def work() -> None:
        table = Table()
        table.ledger.damaged = True
        answer = await get(table.app, "/")
        assert (answer.status, "secret" in answer.text) == (503, False)
        table.ledger.damaged = False
        assert (await get(table.app, "/")).status == 200

    run(work())
    assert "secret is damaged" in capsys.readouterr().err


def test_page_is_computed_once_for_each_change() -> None:
    async def work() -> None:
        table = Table()
        for path in ("/", "/data", "/", "/gm/"):
            await get(table.app, path, authorization="Bearer gm-token")
        assert table.ledger.computed == [("players", ""), ("gm", "")]
        table.ledger.add(4)
        assert "4]" in (await get(table.app, "/")).text

    run(work())


def test_change_reaches_all_who_watch_and_is_computed_once() -> None:
    async def work() -> None:
        table = Table()
        since = await version(table)
        watching = asyncio.create_task(table.pages.watch())
        async with (
            opened(table.app, f"/events?since={since}") as one,
            opened(table.app, f"/events?since={since}") as two,
            opened(table.app, "/gm/events?since=", authorization="Bearer gm-token") as master,
        ):
            await until(one, BEAT.decode())
            table.ledger.computed.clear()
            table.ledger.add(4)
            for watcher in (one, two):
                await until(watcher, 'data: [[["steps"],3,0,[4]]]\n\n')
            await until(master, "[4]")
            assert one.headers["content-type"].startswith("text/event-stream")
            assert one.headers["cache-control"] == "no-store"
            assert sorted(table.ledger.computed) == [("gm", ""), ("players", "")]
            assert table.pages.watchers == 3
        assert table.pages.watchers == 0
        watching.cancel()

    run(work())


@pytest.mark.slow
def test_pages_rest_for_longer_than_they_took(monkeypatch: pytest.MonkeyPatch) -> None:
    took, load = 0.02, Ledger.load

    def slow_load(self: Ledger, role: str, name: str) -> Page:
        time.sleep(took)
        return load(self, role, name)

    monkeypatch.setattr(Ledger, "load", slow_load)

    async def work() -> None:
        table, begun = Table(), time.monotonic()
        since = await version(table)
        async with opened(table.app, f"/events?since={since}"):
            table.ledger.computed.clear()
            watching = asyncio.create_task(table.pages.watch())
            for number in range(4, 60):
                table.ledger.add(number)
                await asyncio.sleep(0.01)
            watching.cancel()
        most = (time.monotonic() - begun) / (took * (1 + RESTS)) + 2
        assert 1 < len(table.ledger.computed) <= most

    run(work())


def test_change_of_an_older_step_is_sent_alone() -> None:
    async def work() -> None:
        table = Table()
        since = await version(table)
        table.ledger.steps[1], table.ledger.is_new = 9, True
        await get(table.app, "/data")
        async with opened(table.app, f"/events?since={since}") as answer:
            await until(answer, 'data: [[["steps",1],9]]')

    run(work())


def test_browser_that_comes_back_gets_what_it_lacks() -> None:
    async def work() -> None:
        table = Table()
        since = await version(table)
        for number in (4, 5):
            table.ledger.add(number)
            await get(table.app, "/data")
        async with opened(table.app, "/events?since=older", last_event_id=since) as answer:
            await until(answer, "[5]")
            assert re.findall(r"data: (.*)", answer.text) == ['[[["steps"],3,0,[4]]]', '[[["steps"],4,0,[5]]]']
            assert RELOAD.decode() not in answer.text

    run(work())


@pytest.mark.parametrize("since", ["", "x", "other-1", "{name}-99", "{name}-" + 5000 * "9", "{name}-x", "{name}-1"])
def test_browser_with_an_unknown_version_loads_all_again(since: str) -> None:
    async def work() -> None:
        table = Table()
        name = (await version(table)).partition("-")[0]
        for number in range(KEPT + 1):
            table.ledger.add(number)
            await get(table.app, "/data")
        async with opened(table.app, f"/events?since={since.format(name=name)}") as answer:
            await until(answer, RELOAD.decode())

    run(work())


def test_watcher_who_takes_nothing_is_dropped() -> None:
    async def work() -> None:
        channel = Channel("x", Page({"n": 0}))
        slow, quick = channel.subscribe(channel.version), channel.subscribe(channel.version)
        taken = []

        async def take() -> None:
            taken.extend([message async for message in quick])

        task = asyncio.create_task(take())
        for number in range(1, 100):
            channel.publish(Page({"n": number}))
            await asyncio.sleep(0)
        assert channel.subscriptions == {quick}
        channel.unsubscribe(quick)
        await task
        assert len(taken) == 99
        assert [message async for message in slow] == []

    run(work())


def test_end_of_the_server_ends_all_streams() -> None:
    async def work() -> None:
        table = Table()
        await get(table.app, "/")
        async with opened(table.app, "/events") as answer:
            await until(answer, "reload")
            table.pages.close()
            while not answer.ended:
                await asyncio.sleep(0)

    run(work())


@pytest.mark.slow
def test_watchers_are_told_when_the_ledger_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.web.live_pages.RETRY_SECONDS", 0.01)

    async def work() -> None:
        table = Table()
        await get(table.app, "/")
        watching = asyncio.create_task(table.pages.watch())
        async with opened(table.app, f"/events?since={await version(table)}") as answer:
            await until(answer, "retry")
            table.ledger.damaged = table.ledger.is_new = True
            await until(answer, "event: unreadable")
            await asyncio.sleep(0.1)
            assert answer.text.count("unreadable") == 1
            assert "event: readable" not in answer.text
            table.ledger.damaged = False
            await until(answer, "event: readable")
        watching.cancel()

    run(work())


@pytest.mark.slow
def test_fault_of_one_page_ends_no_other(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("cli.web.live_pages.RETRY_SECONDS", 0.01)

    async def work() -> None:
        table = Table()
        watching = asyncio.create_task(table.pages.watch())
        since = await version(table)
        async with (
            opened(table.app, f"/events?since={since}") as answer,
            opened(table.app, "/session/2/events") as broken,
        ):
            await until(broken, "reload")
            table.ledger.broken.add("2")
            for number in (4, 5):
                table.ledger.add(number)
                await until(answer, f"[{number}]")
                await until(broken, "event: unreadable")
            await asyncio.sleep(0.1)
            assert broken.text.count("unreadable") == 1
            assert "unreadable" not in answer.text
            assert (await get(table.app, "/session/2/data")).status == 500
            table.ledger.broken.clear()
            await until(broken, "event: readable")
        assert not watching.done()
        watching.cancel()

    run(work())
    said = capsys.readouterr().err
    assert said.count("TypeError: no words for 2 (test_serve_app.py, line") == 1
    assert "Traceback" not in said


@pytest.mark.slow
def test_fault_of_the_watch_itself_does_not_end_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("cli.web.live_pages.RETRY_SECONDS", 0.01)

    async def work() -> None:
        table = Table()
        watching = asyncio.create_task(table.pages.watch())
        async with opened(table.app, f"/events?since={await version(table)}") as answer:
            await until(answer, "retry")
            look, table.pages._has_changed = table.pages._has_changed, lambda: 1 // 0  # type: ignore[assignment]
            await asyncio.sleep(0.2)
            table.pages._has_changed = look
            table.ledger.add(4)
            await until(answer, "[4]")
        watching.cancel()

    run(work())
    assert capsys.readouterr().err.count("ZeroDivisionError") == 1


def test_fault_of_a_page_is_answered_and_reported_once(capsys: pytest.CaptureFixture[str]) -> None:
    async def work() -> None:
        table = Table()
        table.ledger.broken.add("")
        for _ in range(3):
            answer = await get(table.app, "/")
            assert (answer.status, answer.headers["cache-control"]) == (500, "no-store")
            assert "no words" not in answer.text

    run(work())
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.slow
def test_server_ends_when_nobody_keeps_the_pages() -> None:
    class Ended(BaseException):
        """What no guard catches."""

    async def end() -> None:
        raise Ended

    async def work() -> None:
        table = Table()
        table.pages.watch = end  # type: ignore[method-assign]
        async with asyncio.timeout(10):
            with pytest.raises(LedgerError, match="the pages are no longer kept"):
                await serve(table.app, [table.pages], listen(0, lan=False))

    run(work())


def test_page_of_the_campaign_holds_up_no_session() -> None:
    async def work() -> None:
        table, release = Table(), threading.Event()
        load = table.ledger.load

        def slow_load(role: str, name: str) -> Page:
            if name == "campaign":
                assert release.wait(10)
            return load(role, name)

        table.ledger.load = slow_load  # type: ignore[method-assign]
        campaign = asyncio.create_task(get(table.app, "/campaign/"))
        await asyncio.sleep(0.05)
        async with asyncio.timeout(5):
            assert (await get(table.app, "/")).status == 200
        assert not campaign.done()
        release.set()
        assert (await campaign).status == 200

    run(work())


def test_head_of_an_event_stream_is_no_watcher() -> None:
    async def work() -> None:
        table = Table()
        answer = await get(table.app, "/events", method="HEAD")
        assert (answer.status, table.pages.watchers) == (200, 0)

    run(work())


def test_event_stream_is_for_this_page_alone() -> None:
    async def work() -> None:
        assert (await get(Table().app, "/events", sec_fetch_site="cross-site")).status == 403

    run(work())


def test_watchers_beyond_the_most_are_turned_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.web.app.WATCHERS_MOST", 1)

    async def work() -> None:
        app = Table().app
        async with opened(app, "/events") as answer:
            await until(answer, "reload")
            assert (await get(app, "/events")).status == 503
            assert (await get(app, "/")).status == 200

    run(work())


def test_pages_that_nobody_watches_are_forgotten() -> None:
    async def work() -> None:
        table = Table()
        for number in range(10, 40):
            await get(table.app, f"/session/{number}/")
        watching = asyncio.create_task(table.pages.watch())
        async with asyncio.timeout(10):
            while len(table.pages._channels) > UNWATCHED_MOST:
                await asyncio.sleep(0.01)
        watching.cancel()

    run(work())


def test_tokens_differ_and_are_long() -> None:
    tokens = {new_token() for _ in range(10)}
    assert len(tokens) == 10
    assert min(map(len, tokens)) >= 20
