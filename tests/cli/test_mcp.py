"""Test `mcp` with the client of its library: the answers of the commands, which only read, as the players see them."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

import pytest

from cli.commands import mcp as command
from cli.questions.roles import GM_VIEW, PLAYERS
from tests.cli.conftest import Folder, copied, environment, one_error

pytestmark = pytest.mark.skipif(find_spec("mcp") is None, reason='pip install -e ".[mcp]"')
# To import the library takes a second, so that only the functions that use it do.

FOE = """sheet = "npc"
name = "Warden"
kind = "elite"
difficulty = 5
health = 712345
damage = 4
wound_limit = 2
[armor]
physical = 123456
"""
LINES = (
    "!! > xyzzy waits in the cellar",
    '!! k search v7 "xyzzy"',
    "close",
    '! warden.health -123456 "a beam"',
    "k climb v5 /3.4",
    "close",
    '! ruling "the gate holds" "a vote" warden.health=654321',
    "> a lamp goes out",
)
CALLS: tuple[tuple[str, Mapping[str, Any], list[str]], ...] = (
    ("show", {}, ["show", "--json"]),
    ("show", {"what": "kess", "at": "1.2"}, ["show", "kess", "--at", "1.2", "--json"]),
    ("odds", {"line": "k climb v4"}, ["odds", "--json", "k climb v4"]),
    ("rulings", {"every": True}, ["rulings", "--all", "--json"]),
    ("why", {"entry": "1.5"}, ["why", "1.5", "--json"]),
    ("who", {"value": "kess speed"}, ["who", "kess", "speed", "--json"]),
    ("search", {"text": "lamp"}, ["search", "lamp", "--json"]),
    ("recap", {"session": 1}, ["recap", "1", "--facts"]),
)
HIDDEN = ("xyzzy", "712345", "123456", "654321", "588889")


@pytest.fixture(scope="module")
def secrets(open_folder: Folder, tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """Return an evening with numbers and notes of the game master's. Do not write to it."""
    folder = copied(open_folder, tmp_path_factory.mktemp("secrets"))
    folder.run("cast", str(folder.file("warden.toml", FOE)))
    for line in LINES:
        folder.invoke("do", line)
    assert "xyzzy" in folder.run("log")
    return folder


def asked(server: Any, *calls: tuple[str, Mapping[str, Any]]) -> list[Any]:
    """Return the results of tools that the library's client calls."""
    import anyio
    from mcp import Client

    async def ask() -> list[Any]:
        async with Client(server) as client:
            return [await client.call_tool(name, dict(arguments)) for name, arguments in calls]

    return anyio.run(ask)


def texts(result: Any) -> list[str]:
    return [part.text for part in result.content]


def serve(folder: Folder, role: str = PLAYERS) -> Any:
    from cli.table.assistant import campaign_server

    return campaign_server(str(folder.path), role, "Salt Ward")


@pytest.mark.slow
def test_answers_are_those_of_the_commands(secrets: Folder) -> None:
    results = asked(serve(secrets), *((name, arguments) for name, arguments, _ in CALLS))
    for (name, _, words), result in zip(CALLS, results, strict=True):
        assert not result.is_error, (name, texts(result))
        assert texts(result)[0] == secrets.run(*words, "--as", PLAYERS).rstrip("\n")
        assert not [word for word in HIDDEN if word in texts(result)[0]]


@pytest.mark.slow
def test_players_view_tells_nothing_hidden(secrets: Folder) -> None:
    entries = [f"1.{number}" for number in range(9)]
    calls = [
        *(("why", {"entry": entry}) for entry in entries),
        *(("whatif", {"entry": entry, "change": "v3"}) for entry in entries[1:]),
        *(("show", {"what": what}) for what in ("warden", "encounter")),
        *(("who", {"value": value}) for value in ("warden", "warden.health")),
        *(("when", {"question": f"warden.health {sign} 1"}) for sign in "<>"),
        ("odds", {"line": "k attack warden speed"}),
        ("search", {"text": "cellar"}),
        ("forecast", {"runs": 1}),
    ]
    for call, result in zip(calls, asked(serve(secrets), *calls), strict=True):
        assert not [word for word in HIDDEN if word in "\n".join(texts(result))], (call, texts(result))
        assert call[0] not in ("whatif", "forecast") or result.is_error


@pytest.mark.slow
def test_game_master_sees_all(secrets: Folder) -> None:
    entry = json.loads(secrets.run("search", "climb", "--json"))["number"]
    change = ("whatif", {"entry": f"1.{entry}", "change": "v6"})
    show, whatif = asked(serve(secrets, GM_VIEW), ("show", {}), change)
    assert json.loads(texts(show)[0])["values"]["warden.armor.physical"] == 123456
    assert json.loads(texts(whatif)[0])


@pytest.mark.slow
def test_refusal_is_a_tool_error_with_its_code(secrets: Folder) -> None:
    missing, refused = asked(serve(secrets), ("why", {"entry": "7.7"}), ("odds", {"line": "k snaek"}))
    assert missing.is_error
    assert refused.is_error
    assert "7.7" in texts(missing)[0]
    assert "DB-E-DIFFICULTY" in texts(refused)[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("why", {"entry": "--rules"}),
        ("show", {"what": "--as gm"}),
        ("search", {"text": "--takes"}),
        ("who", {"value": "--as=gm warden.health"}),
        ("odds", {"line": "--as=gm k climb v4"}),
        ("whatif", {"entry": "--drop", "change": "1.4"}),
        ("show", {"at": "1.2 --as=gm"}),
        ("forecast", {"at": "--as=gm"}),
        ("search", {"text": "a\x00b"}),
        ("search", {"text": "a\x1b[2J"}),
        ("odds", {"line": "k climb " + "9" * 2_000}),
        ("who", {"value": "kess", "last": 10**9}),
        ("forecast", {"runs": 10**9}),
        ("do", {"line": "k climb v4"}),
    ],
)
def test_hostile_argument_gets_no_answer(secrets: Folder, name: str, arguments: Mapping[str, Any]) -> None:
    before = secrets.bytes
    (result,) = asked(serve(secrets), (name, arguments))
    assert result.is_error or texts(result) == ["No entry contains these words."]
    assert "\x1b" not in "".join(texts(result))
    assert "Traceback" not in "".join(texts(result))
    assert secrets.bytes == before


@pytest.mark.slow
def test_answer_that_is_too_long_says_what_to_ask(secrets: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.table.assistant.ANSWER_MOST", 100)
    (result,) = asked(serve(secrets), ("show", {}))
    assert result.is_error
    assert texts(result)[0].endswith("Ask about one being, one value, one session or one entry.")


@pytest.mark.slow
def test_remarks_come_behind_the_answer(secrets: Folder) -> None:
    (result,) = asked(serve(secrets), ("odds", {"line": "k climb v4 /3.4"}))
    assert texts(result)[1:] == ["The typed faces are ignored: odds count every face."]


@pytest.mark.slow
def test_tools_only_read_and_say_what_they_take(secrets: Folder) -> None:
    import anyio
    from mcp import Client

    async def listed() -> tuple[Any, str]:
        async with Client(serve(secrets)) as client:
            return (await client.list_tools()).tools, client.instructions or ""

    tools, instructions = anyio.run(listed)
    assert {tool.name for tool in tools} == {
        "show", "odds", "rulings", "why", "who", "when", "search", "recap", "whatif", "forecast",
    }  # fmt: skip
    assert all(tool.annotations.read_only_hint and tool.description for tool in tools)
    assert "You see what the players see" in instructions


@pytest.mark.slow
def test_command_speaks_over_its_streams(secrets: Folder) -> None:
    from mcp import StdioServerParameters

    words = ["-m", "cli.main", "-C", str(secrets.path), "mcp"]
    (result,) = asked(
        StdioServerParameters(command=sys.executable, args=words, env=environment()), ("show", {"what": "warden"})
    )
    assert json.loads(texts(result)[0])["values"] == {"warden.hurt": 1}


def test_command_names_the_extra_that_is_missing(secrets: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "find_spec", lambda _: None)
    assert 'pip install "campaign-ledger[mcp]"' in one_error(secrets.invoke("mcp"), 2)
