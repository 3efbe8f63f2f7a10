"""Test `serve --hands` as a process: its links, its client, kills, other processes on the same ledger."""

from __future__ import annotations

import json
import re
import resource
import signal
import ssl
import subprocess
import urllib.request
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

pytest.importorskip("starlette", reason='pip install -e ".[serve]"')

from cli.web.client import Client
from tests.cli.conftest import Folder, one_error
from tests.ledger.shared import Page

Start = Callable[..., tuple[subprocess.Popen, Mapping[str, Client]]]


@pytest.fixture
def start(stopping: list[subprocess.Popen]) -> Start:
    """Return a function that serves a table, and returns the process and a client for each of its links."""

    def begin(folder: Folder, *options: str, port: int = 0) -> tuple[subprocess.Popen, Mapping[str, Client]]:
        process = folder.start_process("serve", "--hands", "--no-qr", "--port", f"{port}", *options)
        stopping.append(process)
        links = dict(re.findall(r"(.+?): (http\S+)", "".join(process.stdout.readline() for _ in range(5))))
        return process, {name: Client(link) for name, link in links.items() if "#" in link}

    return begin


def test_campaign_without_players_is_said(folder: Folder) -> None:
    assert "no players are known" in one_error(folder.invoke("serve", "--hands"), 2)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (("--hands", "--new-token", "dan"), "no link of 'dan'"),
        (("--new-token", "ana"), "without --hands there is one link"),
        (("--hands", "--tls-cert", __file__), "a certificate needs its key"),
    ],
)
def test_options_that_do_not_fit_are_said(night: Folder, options: tuple[str, ...], error: str) -> None:
    assert error in one_error(night.invoke("serve", *options), 2)


@pytest.mark.slow
class TestProcess:
    def test_everybody_plays_beside_the_shell(self, night: Folder, start: Start) -> None:
        _, table = start(night)
        assert list(table) == ["Ana", "Bo", "Cem", "The game master", "Who watches"]
        heard = table["Bo"].events(after=table["Bo"].get("state")["position"])
        assert table["Ana"].say("k sneak v4")["entry"] == "4.7"
        assert next(heard)["lines"][0]["line"] == "k sneak v4"
        night.run("do", "close")
        assert next(heard)["lines"][0]["line"] == "close"
        assert table["The game master"].say("undo")["status"] == "taken"
        assert next(heard)["changed"] == ["4.8"]
        states = [each.get("state") for name, each in table.items() if name != "Who watches"]
        assert len({(state["head"], *state["words"]) for state in states}) == 1
        assert night.invoke("verify").exit_code == 0

    def test_questions_are_answered_as_the_link_may_see(self, night: Folder, start: Start) -> None:
        _, table = start(night)
        table["The game master"].say("!! > the moth king wakes")
        for name, sees in (("Ana", False), ("The game master", True)):
            answer = table[name].say("? log 4")
            assert (answer["status"], "moth king" in "".join(answer["reply"])) == ("answered", sees)
        assert "e1" in table["Bo"].say("? o climb v4")["reply"][0]
        assert table["Bo"].say("? show nobody")["code"] == "L-QUESTION"

    def test_shell_asks_the_pages_for_links_of_shared_dice(self, night: Folder, start: Start) -> None:
        for line in (("do", "close"), ("close",), ("open", "Five", "--shared-dice", "--players", "ana,bo,cem")):
            night.run(*line)
        process, table = start(night)
        ana, state = table["ana"], table["ana"].get("state")
        page = Page("ana", state["ledger"], 5)
        assert ana.say(f'ana chain "{page.commits.chain}" 20')["status"] == "taken"

        def give_links() -> None:
            for event in ana.events(after=state["position"]):
                if "last" in event:
                    ana.request("/link", {"id": event["id"], "link": page.before(event["last"])})

        Thread(target=give_links, daemon=True).start()
        assert (night.path / "table.secret").stat().st_mode & 0o077 == 0
        night.run("do", "k sneak v4")
        assert "[seed alone]" not in night.run("log", "5")
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=10) == 0
        assert not (night.path / "table.secret").exists()
        night.run("do", "close")
        night.run("do", "o climb v4")
        assert night.run("log", "5").count("[seed alone]") == 1
        night.run("do", "close")
        night.run("close")
        assert "2 faces on the seed alone" in night.run("verify")

    def test_links_and_keys_outlive_a_kill(self, night: Folder, start: Start) -> None:
        process, table = start(night)
        port = int(table["Ana"].address.rpartition(":")[2])
        first = table["Ana"].say("k sneak v4", key="key-of-ana")
        process.kill()
        process.wait(timeout=10)
        with ThreadPoolExecutor(1) as thread:  # it is sent again until there is a server
            again = thread.submit(table["Ana"].say, "k sneak v4", key="key-of-ana")
            start(night, port=port)
            assert again.result(timeout=20) == first
        assert night.run("log", "4").count("sneak v4") == 1

    def test_two_servers_count_a_line_once(self, night: Folder, start: Start) -> None:
        (_, one), (_, two) = start(night), start(night)
        keys = [f"key-number-{number}" for number in range(20)]
        with ThreadPoolExecutor(4) as threads:
            jobs = [threads.submit(server["Ana"].say, "k sneak v0", key=key) for key in keys for server in (one, two)]
            answers = [job.result(timeout=60) for job in jobs]
        assert {answer["status"] for answer in answers} == {"taken"}
        assert len({answer["entry"] for answer in answers}) == len(keys)
        assert night.run("log").count("sneak v0") == len(keys)
        assert night.invoke("verify").exit_code == 0

    def test_new_token_beside_a_running_server(self, night: Folder, start: Start) -> None:
        _, table = start(night)
        _, other = start(night, "--new-token", "ana")
        assert table["Ana"].get("state")["code"] == "L-TOKEN"
        assert table["Bo"].get("state")["holder"] == "Bo"
        table["Ana"].token = other["Ana"].token
        assert table["Ana"].get("state")["holder"] == "Ana"

    def test_session_with_other_players_goes_on(self, night: Folder, start: Start) -> None:
        process, table = start(night)
        heard = table["Cem"].events(after=table["Cem"].get("state")["position"] - 1)
        next(heard)
        for line in (("do", "close"), ("close",), ("open", "Five", "--players", "ana,bo,dora")):
            night.run(*line)
        assert process.stdout.readline() == "Not in this session, so their links are for looking: Cem.\n"
        assert process.stdout.readline() == "New in this session:\n"
        name, _, link = process.stdout.readline().strip().partition(": ")
        dora = Client(link)
        assert (name, dora.get("state")["holder"]) == ("dora", "dora")
        assert table["Ana"].say("k sneak v4")["status"] == "taken"
        assert table["Cem"].get("state")["role"] == "watcher"
        assert table["Cem"].say('" sira: wait')["message"].startswith("this link is for looking")
        assert sum(1 for _ in heard) <= 3  # it ends when the seat is another
        start(night, "--new-token", "ana")
        assert table["Cem"].get("state")["role"] == "watcher"
        night.run("do", "close")
        night.run("close")
        night.run("open", "Six", "--players", "ana,bo,cem")
        assert process.stdout.readline() == "Not in this session, so their links are for looking: dora.\n"
        assert process.stdout.readline() == "New in this session:\n"
        assert process.stdout.readline().strip().endswith(f"#t={table['Cem'].token}")
        assert table["Cem"].get("state")["role"] == "player"

    def test_link_of_who_is_not_in_the_session_can_be_ended(self, night: Folder, start: Start) -> None:
        _, table = start(night)
        for line in (("do", "close"), ("close",), ("open", "Five", "--players", "ana,bo,dora")):
            night.run(*line)
        start(night, "--new-token", "cem")
        assert table["Cem"].get("state")["code"] == "L-TOKEN"
        assert table["Ana"].get("state")["role"] == "player"

    def test_line_that_the_disk_did_not_take_is_sent_again(self, night: Folder, start: Start) -> None:
        process, table = start(night)
        table["Ana"].say("= k hp 9")  # the ledger is open
        before = night.run("log")
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
        table["Ana"].tries = 1
        assert table["Ana"].say("k sneak v4", key="key-of-ana")["code"] == "L-LEDGER"
        assert night.run("log") == before
        assert table["Bo"].get("log", after=0)["lines"]
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        assert table["Ana"].say("k sneak v4", key="key-of-ana")["status"] == "taken"
        assert night.run("log").count("sneak v4") == before.count("sneak v4") + 1
        assert night.invoke("verify").exit_code == 0

    def test_tokens_are_nowhere_but_in_their_file(self, night: Folder, start: Start, tmp_path: Path) -> None:
        process, table = start(night)
        table["Ana"].say("k sneak v4")
        tokens = [client.token for client in table.values()]
        night.run("export", "--bundle", str(tmp_path / "bundle"))
        night.run("backup", str(tmp_path / "backup"))
        night.run("recap", "--html", str(tmp_path / "page.html"))
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=10) == 0
        assert process.stderr.read() == "End with Ctrl-C.\n"
        files = [path for path in (*night.path.rglob("*"), *tmp_path.glob("*")) if path.is_file()]
        holding = [path.name for path in files if any(token.encode() in path.read_bytes() for token in tokens)]
        assert holding == ["serve.secret"]

    def test_certificate_serves_https(self, night: Folder, start: Start, tmp_path: Path) -> None:
        key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
        subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
        words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *subject]
        subprocess.run([*words, "-keyout", key, "-out", certificate], check=True, capture_output=True)
        _, table = start(night, "--tls-cert", str(certificate), "--tls-key", str(key))
        assert table["Ana"].address.startswith("https://127.0.0.1:")
        request = urllib.request.Request(f"{table['Ana'].address}/state")
        request.add_header("authorization", f"Bearer {table['Ana'].token}")
        trusting = ssl.create_default_context(cafile=str(certificate))
        with urllib.request.urlopen(request, timeout=20, context=trusting) as answer:
            content: dict[str, Any] = json.load(answer)
        assert content["holder"] == "Ana"
