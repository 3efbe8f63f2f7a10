"""Test `serve` as a process: its links, who may open them, changes as they are made, and its end."""

from __future__ import annotations

import gc
import json
import os
import re
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import urljoin, urlsplit

import pytest

from cli.commands import serve
from tests.cli.conftest import Folder, copied, one_error

needs_serve = pytest.mark.skipif(
    any(find_spec(name) is None for name in serve.LIBRARIES), reason='pip install -e ".[serve]"'
)
Start = Callable[..., tuple[subprocess.Popen, list[str]]]


@pytest.fixture
def start(stopping: list[subprocess.Popen]) -> Start:
    """Return a function that serves a campaign, and returns the process and the links that it prints."""

    def begin(folder: Folder, *options: str, links: int = 1) -> tuple[subprocess.Popen, list[str]]:
        process = folder.start_process("serve", "--port", "0", *options)
        stopping.append(process)
        return process, [re.findall(r"http://\S+", process.stdout.readline())[0] for _ in range(links)]

    return begin


def fetch(link: str, **headers: str) -> tuple[int, str]:
    """Return the status and the body of an answer; the token behind the # of a link stands in a header."""
    link, _, token = link.partition("#t=")
    if token:
        headers["Authorization"] = f"Bearer {token}"
    try:
        with urllib.request.urlopen(urllib.request.Request(link, headers=headers), timeout=30) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with closing(error):
            return error.code, error.read().decode()


def local(link: str) -> str:
    """Return a link of the network as one of this machine."""
    return re.sub(r"//[^:/]+", "//127.0.0.1", link)


@contextmanager
def events(link: str) -> Iterator[Iterator[Any]]:
    """Yield the changes of a page from now on, as they come."""
    version = json.loads(fetch(f"{link}data")[1])["version"]
    with urllib.request.urlopen(f"{link}events?since={version}", timeout=30) as stream:
        assert stream.readline() == b"retry: 1000\n"
        yield (json.loads(line.removeprefix(b"data: ")) for line in stream if line.startswith(b"data: "))


def test_missing_libraries_are_said(demo: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "find_spec", lambda _: None)
    error = one_error(demo.invoke("serve"), 2)
    assert error.startswith("serve needs starlette, uvicorn, segno. ")
    assert 'pip install "campaign-ledger[serve]"' in error


@needs_serve
@pytest.mark.parametrize(
    "moment",
    [
        pytest.param("cli.web.tokens.load_tokens", marks=pytest.mark.slow),
        pytest.param("cli.web.server.listen", marks=pytest.mark.slow),
        pytest.param("cli.commands.serve.print_links", marks=pytest.mark.slow),
        "asyncio.run",
    ],
)
def test_interrupt_before_it_serves_ends_it(
    demo: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    def interrupt(*_: object, **__: object) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr("cli.web.server.lower_priority", lambda: None)  # of this process
    monkeypatch.setattr(moment, interrupt)
    done = copied(demo, tmp_path / "copy").invoke("serve", "--port", "0", "--as", "gm", "--no-qr")
    gc.collect(1)  # a coroutine that nobody awaited would warn
    assert (done.exit_code, done.stderr) == (0, "End with Ctrl-C.\n" if moment == "asyncio.run" else "")


@needs_serve
def test_port_that_is_taken_is_said(demo: Folder) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert f"port {port} cannot be used" in one_error(demo.invoke("serve", "--port", port), 2)


@needs_serve
def test_folder_without_a_ledger_is_said(tmp_path: Path) -> None:
    assert "no ledger" in one_error(Folder(tmp_path).invoke("serve"), 3)


@needs_serve
@pytest.mark.slow
class TestProcess:
    def test_page_of_this_machine_is_the_players(self, secret: Folder, start: Start) -> None:
        secret.run("do", "!! > the moth king wakes")
        _, (link, master) = start(secret, "--as", "gm", links=2)
        assert link.endswith("/")
        assert link.startswith("http://127.0.0.1:")
        for address, seen in (
            (link, False),
            (f"{link}data", False),
            (master, True),
            (master.replace("#", "data#"), True),
        ):
            status, body = fetch(address)
            assert (status, "moth king" in body) == (200, seen), address
        assert fetch(link, Host="evil.example")[0] == 421
        assert fetch(f"{link}gm/#t=guess")[0] == 403
        assert "moth king" not in fetch(f"{link}gm/")[1]

    def test_network_needs_the_token(self, night: Folder, start: Start) -> None:
        _, (link,) = start(night, "--lan")
        assert re.fullmatch(r"http://[\d.]+:\d+/watch/#t=[\w-]{20,}", link)
        assert fetch(local(link))[0] == 200
        assert fetch(re.sub(r"/watch/.*", "/", local(link)))[0] == 403
        assert fetch(re.sub(r"#.*", "data", local(link)))[0] == 403

    def test_link_holds_until_there_is_a_new_token(self, night: Folder, start: Start) -> None:
        found = []
        for number, *options in ((1, "--lan"), (2, "--lan", "--as", "gm"), (2, "--lan", "--as", "gm", "--new-token")):
            process, links = start(night, *options, links=number)
            assert [fetch(local(link))[0] for link in links] == [200] * number
            found.append([urlsplit(link).fragment for link in links])
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=10) == 0
        assert "serve.secret" in (night.path / ".gitignore").read_text(encoding="utf-8").splitlines()
        (first,), (second, master), (third, other_master) = found
        assert first == second
        assert len({second, master, third, other_master}) == 4

    def test_everything_else_goes_first(self, night: Folder, start: Start) -> None:
        process, (link,) = start(night)
        assert fetch(link)[0] == 200
        assert os.getpriority(os.PRIO_PROCESS, process.pid) > os.getpriority(os.PRIO_PROCESS, 0)

    def test_line_is_on_the_page_as_soon_as_it_is_declared(self, night: Folder, start: Start) -> None:
        _, (link,) = start(night)
        with events(link) as changes:
            for line in ("k sneak v4", "close"):
                night.run("do", line)
                assert line.removeprefix("k") in json.dumps(next(changes))
            night.run("undo")
            assert next(changes)
        assert "sneak v4" in fetch(link)[1]

    def test_correction_of_an_older_entry_arrives_too(self, night: Folder, start: Start) -> None:
        _, (link,) = start(night)
        with events(link) as changes:
            night.run("amend", "4.1", "v4", "--because", "the lamp was out", "--retcon")
            assert "the lamp was out" in json.dumps(next(changes))

    def test_watcher_of_the_campaign_and_an_emoji_end_no_page(self, night: Folder, start: Start) -> None:
        process, (link,) = start(night)
        with events(link) as changes, urllib.request.urlopen(f"{link}campaign/events?since=x", timeout=30) as watched:
            assert watched.readline() == b"retry: 1000\n"
            for line in ("> y \U0001f409", "> a lamp \U0001fa94 goes out"):
                night.run("do", line)
                assert line[2:] in json.dumps(next(changes), ensure_ascii=False)
                assert fetch(f"{link}campaign/")[0] == 200
            assert "content" in json.loads(fetch(f"{link}campaign/data")[1])
        process.terminate()
        assert process.wait(timeout=10)
        assert process.stderr.read() == "End with Ctrl-C.\n"

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
    def test_signal_ends_it_at_once(self, night: Folder, start: Start, number: signal.Signals) -> None:
        process, (link,) = start(night)
        with urllib.request.urlopen(f"{link}events", timeout=30) as stream:
            assert stream.readline() == b"retry: 1000\n"
            begin = time.monotonic()
            process.send_signal(number)
            assert process.wait(timeout=10) == (0 if number == signal.SIGINT else -number)
            assert time.monotonic() - begin < 5
        assert "Traceback" not in process.stderr.read()

    def test_new_session_is_the_page_from_then_on(self, night: Folder, start: Start) -> None:
        _, (link,) = start(night)
        night.run("close")
        night.run("open", "The Lamps Go Out", "--seed", "five")
        assert "The Lamps Go Out" in fetch(link)[1]
        assert "The Lamps Go Out" not in fetch(f"{link}session/4/")[1]
        assert fetch(f"{link}session/6/")[0] == 404

    def test_pages_link_to_one_another(self, night: Folder, start: Start) -> None:
        _, (link,) = start(night)
        followed = [link]
        for address in ("campaign/", "../session/3/", "../../campaign/"):
            _, body = fetch(followed[-1])
            assert f'href="{address}"' in body
            followed.append(urljoin(followed[-1], address))
        assert fetch(followed[-1])[0] == 200
        assert "What the Tide Leaves" in fetch(followed[-2])[1]

    def test_other_ledger_files_are_not_served(self, night: Folder, start: Start) -> None:
        _, (link,) = start(night)
        for path in ("ledger.db", "../ledger.db", "session/../ledger.db", "%2e%2e/ledger.db"):
            assert fetch(f"{link}{path}")[0] == 404

    def test_ledger_in_its_place_is_shown(self, night: Folder, start: Start, tmp_path: Path) -> None:
        _, (link,) = start(night)
        away = copied(night, tmp_path / "away")
        away.run("do", "k sneak v4")
        away.ledger.replace(night.ledger)
        assert "sneak v4" in fetch(link)[1]
