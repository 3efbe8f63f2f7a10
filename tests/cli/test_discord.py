"""Test `recap --post --discord` against a server on this machine that answers as Discord's documents say."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given, settings

from cli.play import webhook
from cli.play.webhook import TRIES_MOST, VARIABLE, find_webhook
from cli.render.discord import COLOURS, EMBEDS_MOST, MESSAGE_MOST, STYLE, cut, discord_messages, size, units
from cli.story.page import Page
from cli.story.post import post
from ledger.errors import InputError
from tests.budget import BUDGET
from tests.cli.conftest import CLOCK, Folder, one_error
from tests.cli.test_recap_post import PAGE, member, page_of
from tests.golden import ROOT

TOKEN = "s3cret-token"
POST = ("recap", "1", "--post", "--discord")


class Channel:
    """A server that answers with the codes of `answers`, then 200, and keeps what came."""

    def __init__(self) -> None:
        channel, self.answers, self.requests = self, list[tuple[int, dict[str, str]]](), list[tuple[str, Any]]()

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                channel.requests.append((self.path, json.loads(body)))
                code, headers = channel.answers.pop(0) if channel.answers else (200, {})
                if not code:
                    return  # the connection ends
                self.send_response(code)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Print nothing."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}/api/webhooks/12/{TOKEN}"


@pytest.fixture
def channel(monkeypatch: pytest.MonkeyPatch) -> Iterator[Channel]:
    channel = Channel()
    threading.Thread(target=channel.server.serve_forever, args=(0.01,), daemon=True).start()
    monkeypatch.setenv(VARIABLE, channel.address)
    yield channel
    channel.server.shutdown()
    channel.server.server_close()


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    waits: list[float] = []
    monkeypatch.setattr(webhook.Webhook.__init__, "__defaults__", (waits.append,))
    return waits


@pytest.mark.slow
def test_post_comes_with_each_player_in_a_colour(saints: Folder, channel: Channel) -> None:
    done = saints.invoke(*POST)
    assert (done.exit_code, done.stderr) == (0, "Session 1 is posted (1 message).\n")
    ((path, message),) = channel.requests
    assert path.endswith("?wait=true")
    first, *members = message["embeds"]
    assert first["description"].startswith("**")
    assert [each["author"]["name"].split()[0] for each in members] == ["Kess", "Orrin", "Tamsin"]
    assert [each["color"] for each in members] == list(COLOURS[:3])
    assert "might" in members[0]["description"]
    assert message["allowed_mentions"] == {"parse": []}


def test_colours_are_those_of_the_pages() -> None:
    style = (ROOT / "cli/web/pages/base.css").read_text("utf-8")
    assert all(f"--hue{number}: #{colour:06x};" in style for number, colour in enumerate(COLOURS, 1))


@pytest.mark.slow
def test_second_call_asks(saints: Folder, channel: Channel) -> None:
    saints.run(*POST)
    assert one_error(saints.invoke(*POST), 2) == f"session 1 was posted there at {CLOCK}. Send it again with --yes."
    assert len(channel.requests) == 1
    saints.run(*POST, "--yes")
    saints.run("recap", "2", "--post", "--discord")
    assert len(channel.requests) == 3


def test_busy_server_is_waited_for(saints: Folder, channel: Channel, waits: list[float]) -> None:
    channel.answers = [(429, {"Retry-After": "1.5"}), (500, {}), (503, {})]
    saints.run(*POST)
    assert waits == [1.5, 2.0, 4.0]
    assert len(channel.requests) == 4
    assert len((saints.path / "posts.jsonl").read_text().splitlines()) == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answers", "told"),
    [
        ([(404, {})], "the webhook answers 404"),
        ([(302, {"Location": "http://127.0.0.1:1/"})], "the webhook answers 302"),
        ([(429, {"Retry-After": "3600"})], "the webhook wants us to wait 3600 s"),
        ([(429, {"Retry-After": "nan"})] * TRIES_MOST, "the webhook is busy"),
    ],
)
def test_refused_post_is_not_counted(saints, channel, waits, answers, told) -> None:
    channel.answers = list(answers)
    assert one_error(saints.invoke(*POST), 3).startswith(told)
    saints.run(*POST)


@pytest.mark.slow
@pytest.mark.parametrize(
    "answers",
    [
        [(0, {})],
        [(500, {})] * TRIES_MOST,
        [(500, {}), (404, {})],
        [(502, {}), *[(429, {})] * (TRIES_MOST - 1)],
    ],
)
def test_post_that_may_have_come_is_asked_about(saints, channel, waits, answers) -> None:
    channel.answers = list(answers)
    assert "may be there or not" in one_error(saints.invoke(*POST), 3)
    assert one_error(saints.invoke(*POST), 2).startswith("session 1 may have been posted there")


@pytest.mark.slow
def test_secret_address_is_never_printed(saints: Folder, channel: Channel, waits: list[float]) -> None:
    channel.answers = [(404, {}), (0, {}), (200, {})]
    for _ in range(4):
        assert TOKEN not in saints.invoke(*POST).output
    channel.server.server_close()
    assert TOKEN not in saints.invoke(*POST, "--yes").output
    assert TOKEN not in (saints.path / "posts.jsonl").read_text()


@pytest.mark.parametrize(
    "address",
    [
        "http://discord.com/api/webhooks/1/s3cret-token",
        "ftp://discord.com/api/webhooks/1/s3cret-token",
        "https://discord.com/s3cret-token",
        "https://a:b@discord.com/api/webhooks/1/s3cret-token",
        "https://discord.com/api/webhooks/1/s3cret-token?x=1",
        "https://discord.com:99999/api/webhooks/1/s3cret-token",
        "https://[/api/webhooks/1/s3cret-token",
        "https://discord.com/api/webhooks/1/s3cret-token\nX-Y: z/",
        "https:///api/webhooks/1/s3cret-token",
        "https://example.\u212a/api/webhooks/1/s3cret-token",
        "https://disc\u043erd.com/api/webhooks/1/s3cret-token",
        "https://discord..com/api/webhooks/1/s3cret-token",
    ],
)
def test_other_addresses_are_refused(address: str) -> None:
    with pytest.raises(InputError) as refused:
        find_webhook(address)
    assert TOKEN not in str(refused.value)


def test_address_may_be_in_a_file(saints: Folder, channel: Channel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE)
    assert one_error(saints.invoke(*POST), 2).startswith(f"{VARIABLE} is not set")
    saints.run(*POST, str(saints.file("webhook.txt", f"{channel.address}\n")))
    assert len(channel.requests) == 1
    assert "cannot be read" in one_error(saints.invoke(*POST, "no-such-file"), 3)


@pytest.mark.parametrize("word", ["1", "last"])
@pytest.mark.parametrize("option", ["--html", "--post --discord"])
def test_session_behind_the_option_is_refused(saints: Folder, channel: Channel, option: str, word: str) -> None:
    error = one_error(saints.invoke("recap", *option.split(), word), 2)
    assert error == f"'{word}' is a session. Write it first: recap {word} {option}."
    assert not channel.requests


@pytest.mark.parametrize(
    "words", [("recap", "--discord"), (*POST, "x", "--as", "gm"), (*POST, "x", "--json"), ("recap", "--yes")]
)
def test_other_options_are_refused(saints: Folder, channel: Channel, words: tuple[str, ...]) -> None:
    one_error(saints.invoke(*words), 2)
    assert not channel.requests


@pytest.mark.slow
def test_broken_file_of_posts_says_what_to_do(saints: Folder, channel: Channel) -> None:
    saints.file("posts.jsonl", "{}\n")
    assert "Remove the line" in one_error(saints.invoke(*POST), 3)
    assert not channel.requests


def test_quotes_are_no_mentions_or_markup(folder: Folder, channel: Channel) -> None:
    folder.run("do", '" k: @everyone <@1> [a](http://b.c) **x** ||y|| & <script>')
    folder.run(*POST)
    ((_, message),) = channel.requests
    told = message["embeds"][0]["description"]
    assert r"\@everyone \<\@1> \[a\](http\://b.c) \*\*x\*\* \|\|y\|\| & \<script>" in told


@pytest.mark.slow
@settings(max_examples=BUDGET.examples(10, 75))
@given(PAGE)
def test_messages_keep_the_limits(page: Page) -> None:
    assume(all(member.who for member in page.party))  # nobody is cast without a name
    messages = discord_messages(page, post(page, STYLE))
    for message in messages:
        embeds = message["embeds"]
        assert 1 <= len(embeds) <= EMBEDS_MOST
        texts = [text for each in embeds for text in (each["description"], each.get("author", {}).get("name", ""))]
        assert sum(map(units, texts)) <= MESSAGE_MOST
        assert all(units(each["description"]) <= 4096 for each in embeds)
        assert all(each["author"]["name"] for each in embeds if "author" in each)
    assert sum(len(message["embeds"]) for message in messages) == 1 + sum(each.who != "gm" for each in page.party)


def test_long_party_is_parted_before_a_message_is_too_long() -> None:
    marks = tuple(f"a mark of {number} words" for number in range(100))
    party = [member(f"Somebody {number} {'x' * 300}", conditions=marks) for number in range(8)]
    page = msgspec.structs.replace(page_of(), party=tuple(party))
    messages = discord_messages(page, ["a long word " * 500])
    lengths = [sum(map(size, message["embeds"])) for message in messages]
    assert [len(message["embeds"]) for message in messages] == [2, 5, 2]
    assert max(lengths) <= MESSAGE_MOST


def test_name_with_a_colon_is_no_part_of_how_one_stands() -> None:
    page = msgspec.structs.replace(page_of(), party=(member("Kess: the Fox", player="Ana: on Mondays"),))
    ((_, embed),) = (message["embeds"] for message in discord_messages(page, ["told"]))
    assert (embed["author"]["name"], embed["description"]) == ("Kess: the Fox (Ana: on Mondays)", "well")


def test_long_text_is_cut_between_words() -> None:
    assert cut("one two three", 9) == "one two…"
    assert units(cut("\U0001f3b2" * 3000, 4096)) <= 4096
