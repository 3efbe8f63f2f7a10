"""What the players see: `--as players`, lines after `!!`, and `! reveal`."""

from __future__ import annotations

import json
import os
import re
import shutil
from contextlib import closing
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from cli.main import COMMANDS, OPEN_TO_PLAYERS, campaign
from cli.options import takes_view
from cli.questions.ledger_file import find_game
from cli.questions.players_ledger import PlayersLedger
from ledger.errors import InputError
from ledger.facts import ConditionBegan, Fact, PointsLost, PoolSet, Wounded
from ledger.health import Vitals
from ledger.records import shown_records
from ledger.redaction.fact_redaction import health_facts
from ledger.redaction.line_redaction import Hidden, seen_line
from ledger.sqlite_store import open_store
from ledger.store import follow
from rulebooks.common.texts import Wording
from tests.cli.conftest import CAST, CLOCK, LEDGER, Folder, one_error

THUG = 'sheet = "npc"\nname = "Thug"\nkind = "minion"\ndifficulty = 4\nhealth = 9\ndamage = 2\n'
PLAYERS = ("--as", "players")
EVENING = [
    "k climb v6 hidden /6.5",
    "close",
    "!! > The lamplighter is the thief",
    "!! k search v7 /3.4",
    "close",
    "! damage thug 3",
    '!! k hp -1 "a poisoned lamp"',
]


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """An evening with a hidden difficulty, a secret note, a secret roll and a wounded foe; nobody writes to it."""
    folder = Folder(tmp_path_factory.mktemp("view") / "salt")
    folder.path.mkdir()
    folder.run("new", "Salt Ward", str(folder.path), "--game", "dusk-bastards", "--id", LEDGER)
    for name, sheet in (*CAST.items(), ("thug.toml", THUG)):
        folder.file(name, sheet)
    folder.run("cast", *(str(folder.path / name) for name in CAST))
    folder.run("open", "Rooftops", "--seed", "one")
    folder.run("cast", str(folder.path / "thug.toml"))
    for line in EVENING:
        folder.run("do", line)
    return folder


@pytest.fixture
def dusk(evening: Folder, tmp_path: Path) -> Folder:
    """A copy of that evening."""
    shutil.copytree(evening.path, tmp_path / "salt")
    return Folder(tmp_path / "salt")


def seen(folder: Folder, *arguments: str) -> str:
    """What the players see of a command."""
    return folder.run(*arguments, *PLAYERS)


@pytest.mark.slow
def test_log_has_neither_secret_entries_nor_their_rolls(dusk: Folder) -> None:
    log = seen(dusk, "log", "1")
    assert re.findall(r"^1\.\d+", log, re.MULTILINE) == ["1.0", "1.1", "1.2", "1.3", "1.6", "1.7"]
    assert "1.6   ! close\n1.7" in log
    assert "against" not in log


def test_line_keeps_its_words_without_hidden_numbers(dusk: Folder) -> None:
    log = seen(dusk, "log", "1")
    assert "1.2   Kess climb … hidden /6.5\n" in log
    assert "Dawn 6, Dusk 5 [table dice] = 11: failure" in log
    assert "! damage Thug …" in log
    assert "v6" in dusk.run("log", "1")


def test_json_of_log_has_no_declaration_of_hidden_numbers(dusk: Folder) -> None:
    records = {f"{r['session']}.{r['number']}": r for r in map(json.loads, seen(dusk, "log", "--json").splitlines())}
    assert "1.4" not in records
    assert records["1.2"]["facts"][0]["said"] == {"say": "attempt", "seen texts": {"task": "climb"}}
    judged = next(fact for fact in records["1.2"]["facts"] if fact["fact"] == "judged" and fact["what"] == "task")
    assert (judged["total"], judged["target"], judged["margin"], judged["sums"]) == (11, None, None, [])


@pytest.mark.slow
def test_players_see_the_door_of_all_but_secret_entries(dusk: Folder) -> None:
    dusk.run("run", str(dusk.file("late.session", "! damage thug 1\n")))
    dusk.run("amend", "--drop", "1.4", "--because", "no", "--retcon")
    with closing(open_store(dusk.path / "ledger.db", write=False)) as store:
        players = PlayersLedger(store, find_game(store))
        doors = {f"{take.id}@{take.take}": take.door for take in players.records() if take.session == 1}
    secret = ["1.4@1", "1.4@2", "1.5@1", "1.8@1", "1.10@1"]
    assert (doors["1.2@1"], doors["1.9@1"], [doors[take] for take in secret]) == ("keyboard", "file", [""] * 5)
    log = seen(dusk, "log", "--takes")
    assert "1.2@1 Kess climb … hidden /6.5 (at the keyboard)\n" in log
    assert "! damage Thug … (from a file)\n" in log
    assert "Z, from a file, position" in seen(dusk, "why", "1.9")


@pytest.mark.slow
def test_follow_hides_what_is_appended_later(dusk: Folder) -> None:
    assert "Thug is hurt" in seen(dusk, "log", "--oneline")
    assert "lamplighter" not in seen(dusk, "log", "--takes")


@pytest.mark.slow
def test_note_of_a_secret_line_is_secret(dusk: Folder) -> None:
    """The line of a note stands in no take, from which the players' view would know that it is secret."""
    secret = ("!! > xyzzy", "! damage thug 7", "k leap v7 hidden")
    lines = [("--insert", "1.6", line) for line in secret] + [("1.6", "! damage thug 7"), ("1.2", "!! k search v7")]
    for change in (*lines, ("--insert", "1.6", "k attack thug speed"), ("1.7", "! damage thug 7")):
        dusk.run("amend", *change, "--because", "noted", "--stand")
    assert re.findall(r"^\S+ +(~.*)", seen(dusk, "log"), re.MULTILINE) == [
        "~ --insert 1.6 k attack thug speed",
        "~ … ! damage thug …",
    ]
    dusk.run("amend", "--insert", "1.6", "! damage thug 1", "--because", "a beam", "--compensate")
    assert "adjustment: a beam (settled at the table)\n" in seen(dusk, "log")
    assert dusk.run("verify", "--jobs", "1").startswith("all is well")


def test_foe_is_a_word_in_show(dusk: Folder) -> None:
    assert re.search(r"^Thug .*hurt$", seen(dusk, "show"), re.MULTILINE)
    assert seen(dusk, "show", "thug") == "Thug (npc, gm)\nhurt since 1.7\n"
    assert json.loads(seen(dusk, "show", "thug", "--json"))["values"] == {"thug.hurt": 1}
    assert re.search(r"^Thug .*fresh$", seen(dusk, "show", "--at", "1.2"), re.MULTILINE)
    dusk.run("do", "! damage thug 3")
    assert "bloodied since 1.9" in seen(dusk, "show", "thug")


@pytest.mark.slow
def test_word_for_a_foe_stays_when_its_maximum_changes(dusk: Folder) -> None:
    boss = f"{THUG.replace('Thug', 'Boss').replace('minion', 'elite')}wound_limit = 2\n"
    dusk.run("cast", str(dusk.file("boss.toml", boss)))
    lines = ['! damage boss 5 "a beam"', '! damage boss 9 "a wall"', "! wound boss /11.10", "! end"]
    for line in ('! encounter "the yard"', "k initiative /9.3", "orrin initiative /9.2", *lines):
        dusk.run("do", line)
    assert "Boss is bloodied" in seen(dusk, "log", "1")


def test_value_of_foe_is_refused(dusk: Folder) -> None:
    for question in (["who", "thug"], ["who", "thug.health"], ["who", "thug.nothing"], ["when", "thug.health < 9"]):
        error = one_error(dusk.invoke(*question, *PLAYERS), 2)
        assert error == "the numbers of Thug are the game master's. How Thug is: campaign show --as players."


def test_own_value_changes_in_secret_without_its_reason(dusk: Folder) -> None:
    report = json.loads(seen(dusk, "who", "k.hp", "--json"))
    last = report["changes"][-1]
    assert (last["before"], last["after"], last["cause"], last["line"]) == (14, 13, "secret", "")
    assert "poisoned" in dusk.run("who", "k.hp")
    assert "(secret)" in seen(dusk, "recap")


def test_why_has_no_arithmetic_of_hidden_numbers(dusk: Folder) -> None:
    assert "target number  " not in seen(dusk, "why", "1.2")
    assert "18" not in seen(dusk, "why", "1.2", "--json").replace("2018", "")
    assert one_error(dusk.invoke("why", "1.5", *PLAYERS), 2).startswith("1.5 is secret.")
    assert "Thug is hurt" in seen(dusk, "why", "1.7.3")
    assert "is the game master's" in one_error(dusk.invoke("why", "1.3.3", *PLAYERS), 2)
    assert "target number  " in dusk.run("why", "1.2")


@pytest.mark.slow
def test_search_finds_nothing_hidden(dusk: Folder) -> None:
    for words in ("lamplighter", "poisoned", "v6", "v7"):
        assert seen(dusk, "search", words) == ""
        assert dusk.run("search", words)
    assert seen(dusk, "search", "climb") == "1.2   k climb … hidden /6.5\n"


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("k attack thug speed", "the numbers of Thug, which are the game master's. Throw and see"),
        ("k climb v6 hidden", "numbers that are the game master's. Ask about a difficulty"),
        ("! thug pass", "the numbers of Thug, which are the game master's. Throw and see"),
    ],
)
def test_odds_against_hidden_numbers_are_refused(dusk: Folder, line: str, what: str) -> None:
    error = one_error(dusk.invoke("odds", line, *PLAYERS), 2)
    assert error.startswith(f"these odds rest on {what}")


@pytest.mark.slow
def test_odds_are_given_once_the_numbers_are_shown(dusk: Folder) -> None:
    one_error(dusk.invoke("odds", "k attack thug speed", *PLAYERS), 2)
    dusk.run("do", "! reveal thug")
    assert seen(dusk, "odds", "k attack thug speed") == dusk.run("odds", "k attack thug speed")


@pytest.mark.slow
def test_odds_are_refused_while_a_hidden_roll_is_open(dusk: Folder) -> None:
    assert seen(dusk, "odds", "k sneak v5")
    dusk.run("do", "k lift v6 hidden /2.3")
    dusk.run("do", "k destiny reroll /1.2")
    one_error(dusk.invoke("odds", "k sneak v5", *PLAYERS), 2)
    dusk.run("do", "close")
    assert seen(dusk, "odds", "k sneak v5")


def test_retry_of_hidden_task_stays_hidden(dusk: Folder) -> None:
    dusk.run("do", "k climb e1 /2.3")
    assert "target number" not in seen(dusk, "log", "-n", "1")
    one_error(dusk.invoke("odds", "k climb e1", *PLAYERS), 2)


@pytest.mark.slow
def test_reveal_shows_an_entry_from_then_on(dusk: Folder) -> None:
    position = str(dusk.run("log", "--json").count("\n"))
    for entry in ("1.2", "1.5", "1.8"):
        dusk.run("do", f"! reveal {entry}")
    log = seen(dusk, "log", "1")
    assert "1.2   Kess climb v6 hidden /6.5" in log
    assert "failure is final (11 against 18)" in log
    assert "!! Kess search v7" in log
    assert "failure is final (7 against 21)" in log
    assert seen(dusk, "search", "poisoned")
    assert "lamplighter" not in log
    assert "v6" not in seen(dusk, "recap", "--as-of", position)
    dusk.run("amend", "--drop", "1.9", "--because", "too early", "--retcon")
    assert "v6" not in seen(dusk, "log", "1")


@pytest.mark.slow
def test_reveal_shows_a_being_from_then_on(dusk: Folder) -> None:
    dusk.run("do", "! reveal thug")
    assert "health 6/9" in seen(dusk, "show", "thug")
    assert "health is 6" in seen(dusk, "who", "thug.health")
    assert "! damage Thug 3" in seen(dusk, "log")


@pytest.mark.slow
def test_revealed_entry_keeps_the_numbers_of_a_hidden_foe(dusk: Folder) -> None:
    """Its line is shown; the health that it changed is not in the players' state before the foe is revealed."""
    dusk.run("do", "! reveal 1.7")
    assert "! damage Thug 3" in seen(dusk, "log", "1")
    assert "9>6" not in seen(dusk, "log", "1")
    assert "| Thug (npc) |" in seen(dusk, "recap")
    assert re.search(r"^Thug +hurt$", seen(dusk, "show"), re.M)


def test_reveal_needs_one_thing(dusk: Folder) -> None:
    assert "L-REVEAL" in one_error(dusk.invoke("do", "! reveal"), 1)
    assert "L-REVEAL" in one_error(dusk.invoke("do", "! reveal 9.1"), 1)


def test_view_is_taken_from_the_environment(dusk: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAMPAIGN_VIEW", "players")
    assert "lamplighter" not in dusk.run("log")
    assert "lamplighter" in dusk.run("log", "--as", "gm")


def test_secret_mark_needs_a_line(dusk: Folder) -> None:
    assert "no line" in one_error(dusk.invoke("do", "!!"), 2)


@pytest.mark.slow
def test_correction_of_secret_entry_is_secret(dusk: Folder) -> None:
    dusk.run("amend", "1.5", "v8", "--because", "the lamplighter helps", "--retcon")
    assert "lamplighter" not in seen(dusk, "log", "--takes")
    assert "lamplighter" not in seen(dusk, "recap", "--json")
    assert "lamplighter" not in seen(dusk, "recap", "--facts")


@pytest.mark.slow
def test_view_learns_from_what_is_appended_later(dusk: Folder) -> None:
    """As `log -f` meets it: the foe and the secret roll come after the view was loaded."""
    with closing(open_store(dusk.ledger, write=False)) as store:
        ledger, position = PlayersLedger(store, find_game(store)), store.head().position
        dusk.run("cast", str(dusk.file("captain.toml", THUG.replace("Thug", "Captain"))))
        for line in ("! damage captain 3", "!! > The captain lies", "! reveal 1.2"):
            dusk.run("do", line)
        seen = list(shown_records(follow(ledger, after=position, wake=lambda: False)))
    assert [record.number for record in seen] == [9, 10, 12]
    assert (dict(seen[0].facts[1].sheet), seen[1].line) == ({}, "! damage captain …")
    assert "captain" not in "".join(record.line for record in seen[2:])


def test_completion_offers_no_values_of_foes(dusk: Folder) -> None:
    def offered(*arguments: str) -> list[str]:
        words = {"_CAMPAIGN_COMPLETE": "bash_complete", "COMP_WORDS": " ".join(["campaign", *arguments])}
        done = CliRunner().invoke(
            campaign,
            prog_name="campaign",
            env=words | {"COMP_CWORD": f"{len(arguments)}", "CAMPAIGN_DIR": str(dusk.path)},
        )
        return [line.partition(",")[2] for line in done.stdout.splitlines()]

    assert "thug.health" in offered("who", "thug.")
    assert offered("who", *PLAYERS, "thug.") == ["thug.hurt"]


def test_request_of_a_line_with_hidden_numbers_is_left_out(dusk: Folder) -> None:
    dusk.run("do", "k lift v6 hidden /2.3", "--request", "v6")
    assert json.loads(seen(dusk, "log", "-n", "1", "--json"))["request"] is None


@pytest.mark.parametrize(
    ("points", "most", "word"),
    [(9, 9, "fresh"), (8, 9, "hurt"), (5, 9, "hurt"), (4, 9, "bloodied"), (0, 9, "bloodied"), (3, None, "hurt")],
)
def test_health_is_a_word_of_the_book(points: int, most: int | None, word: str) -> None:
    assert Wording().health_word(points, most) == word
    own = Wording(health=("whole", "scratched", "nearly gone"), bloodied=100)
    assert own.health_word(points, most) == {"fresh": "whole"}.get(word, "nearly gone" if most else "scratched")


@pytest.mark.parametrize(
    ("line", "dice", "expected"),
    [
        ('k attack "thug 1" d4 e2 /6.5', True, 'k attack "thug 1" … … /6.5'),
        ("k attack t1 d4 /6.5", False, "k attack t1 … …"),
        ('Kess attack target="Thug 1" effort=2 +1"a 9 mile start"', True, 'Kess attack target="Thug 1" effort=… …'),
        ('! damage thug1 3 "8 slates fall"', False, '! damage thug1 … "… slates fall"'),
    ],
)
def test_line_loses_the_words_with_numbers(line: str, dice: bool, expected: str) -> None:
    assert seen_line(line, ["Kess", "Thug 1"], open_dice=dice) == expected


def play(folder: Folder, *lines: str) -> Result:
    """The players' shell with these lines through a pipe."""
    said = "".join(f"{line}\n" for line in lines)
    return CliRunner().invoke(campaign, ["-C", str(folder.path), "--clock", CLOCK, "play", *PLAYERS], input=said)


@pytest.mark.slow
def test_players_shell_shows_what_they_may_see(dusk: Folder) -> None:
    done = play(dusk, "k lift v6 hidden /2.3", "", "k sneak v5 e1 /6.5", "", "? log", "? who thug.health")
    assert "2, Dusk 3 [table dice] = 5: failure" in done.output
    assert "against 9" in done.output
    assert not re.search("against 18|lamplighter|v6", done.output)
    assert "the numbers of Thug are the game master's" in done.output
    assert "Enter closes: the roll" in done.output


def test_players_shell_refuses_lines_of_the_game_master(dusk: Folder) -> None:
    end = dusk.run("log", "--json")
    lines = ("! damage thug 1", "!! > Xyzzy", "undo", "~ 1 v4", "? whatif 1.1 v4", "? diff 1.1 1.2", "thug move")
    assert play(dusk, *lines).output.count("is the game master's") == len(lines)
    assert dusk.run("log", "--json") == end


def commands() -> dict[str, click.Command]:
    """Return all registered commands."""
    found = {name: campaign.get_command(click.Context(campaign), name) for name in COMMANDS}
    return {name: command for name, command in found.items() if command is not None}


@pytest.mark.quick_rows(12)
@pytest.mark.parametrize(("name", "command"), commands().items())
def test_command_takes_a_view_or_refuses_players(
    dusk: Folder, monkeypatch: pytest.MonkeyPatch, name: str, command: click.Command
) -> None:
    """A new command cannot forget the players' view: without one it does not run where CAMPAIGN_VIEW is theirs."""
    if takes_view(command):
        assert any(option.opts == ["--as"] and option.envvar == "CAMPAIGN_VIEW" for option in command.params)
        return
    monkeypatch.setenv("CAMPAIGN_VIEW", "players")
    _, resolved, _ = campaign.resolve_command(click.Context(campaign), [name])
    assert resolved is not None
    if name in OPEN_TO_PLAYERS:
        assert resolved is command
        return
    assert resolved.callback is not None
    with pytest.raises(InputError, match=f"'{name}' is the game master's"):
        resolved.callback()
    assert dusk.invoke(name, "--help").exit_code == 0


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [("diff", "1.1", "1.2"), ("whatif", "--drop", "1.3"), ("do", "k climb v4")])
def test_players_terminal_runs_no_command_of_the_game_master(
    dusk: Folder, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    end = dusk.run("log", "--json")
    monkeypatch.setenv("CAMPAIGN_VIEW", "players")
    assert "is the game master's" in one_error(dusk.run_process(*arguments, env=None), 2)
    monkeypatch.setenv("CAMPAIGN_VIEW", "gm")
    assert dusk.run("log", "--json") == end
    assert "game master's" not in dusk.invoke(*arguments).output


def test_unknown_view_is_an_error(dusk: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAMPAIGN_VIEW", "player")
    assert "Set it to players or gm" in one_error(dusk.invoke("diff", "1.1", "1.2"), 2)
    assert "player" in dusk.invoke("log").stderr


@pytest.mark.parametrize("role", ["players", "gm"])
def test_shell_of_a_role_keeps_it_whatever_the_terminal_says(
    dusk: Folder, monkeypatch: pytest.MonkeyPatch, role: str
) -> None:
    monkeypatch.setenv("CAMPAIGN_VIEW", "gm" if role == "players" else "players")
    done = dusk.invoke("play", "--as", role, input="? log --as gm\n? diff 1.1 1.2\n")
    assert ("lamplighter" in done.output, "is the game master's" in done.output) == (role == "gm", role == "players")
    assert os.environ["CAMPAIGN_VIEW"] != role


def test_players_coverage_has_no_secret_entry(dusk: Folder) -> None:
    rows = {role: json.loads(dusk.run("rules", "--coverage", "--json", "--as", role)) for role in ("players", "gm")}
    used = {role: {row["id"]: row["entries"] for row in rows[role]} for role in rows}
    assert used["players"] != used["gm"]
    assert not {"1.4", "1.5"} & {row["first"] for row in rows["players"]}


@pytest.mark.slow
def test_foe_with_an_open_wound_is_never_fresh(dusk: Folder) -> None:
    """A wound that lowers the maximum leaves its health full."""
    boss = f"{THUG.replace('Thug', 'Boss').replace('minion', 'elite')}wound_limit = 3\n"
    dusk.run("cast", str(dusk.file("boss.toml", boss)))
    lines = ['! damage boss 9 "a wall"', "! wound boss /11.10", "! end"]
    for line in ('! encounter "the yard"', "k initiative /9.3", "orrin initiative /9.2", *lines):
        dusk.run("do", line)
    assert "1/1" in dusk.run("show", "boss")
    assert "wound" in dusk.run("show", "boss")
    assert "hurt since" in seen(dusk, "show", "boss")
    assert "fresh" not in seen(dusk, "show", "boss")
    assert seen(dusk, "log", "1").count("Boss is fresh") == 1  # as it joined


@pytest.mark.parametrize(
    ("facts", "word"),
    [
        ((PoolSet(who="b", pool="hp", was=0, now=9, least=0, most=9),), ""),
        ((PointsLost(who="b", pool="hp", points=1, now=8, over=0, because="x"),), "hurt"),
        ((PointsLost(who="b", pool="hp", points=7, now=2, over=0, because="x"),), "bloodied"),
        ((PointsLost(who="b", pool="hp", points=9, now=0, over=0, because="x"),), "bloodied"),
        (
            (
                PointsLost(who="b", pool="hp", points=9, now=0, over=0, because="x"),
                ConditionBegan(id="dead b", who="b", name="dead"),
            ),
            "",
        ),
        (
            (
                PointsLost(who="b", pool="hp", points=9, now=0, over=0, because="x"),
                ConditionBegan(id="failed b", who="b", name="failed", data="{}"),
            ),
            "bloodied",
        ),
        ((Wounded(who="b", wound="w1", kind="critical", value=1, in_force=True),), "hurt"),
        (
            (
                PointsLost(who="b", pool="hp", points=4, now=5, over=0, because="x"),
                Wounded(who="b", wound="w1", kind="critical", value=1, in_force=True),
                PoolSet(who="b", pool="hp", was=5, now=5, least=0, most=5, because="critical wound"),
            ),
            "hurt",
        ),
        (
            (
                PointsLost(who="b", pool="hp", points=4, now=5, over=0, because="x"),
                PointsLost(who="b", pool="hp", points=4, now=1, over=0, because="x"),
            ),
            "bloodied",
        ),
    ],
)
def test_entry_tells_the_last_word_for_a_foe(facts: tuple[Fact, ...], word: str) -> None:
    hidden = Hidden(
        beings={"b"}, conditions=(), keys={"b"}, vitals={"b": Vitals(9, 9)}, vital="hp", kinds={}, wording=Wording()
    )
    assert [fact.name for fact in health_facts(facts, hidden).values() if not fact.data] == ([word] if word else [])


def test_word_for_nothing_left_is_told_once() -> None:
    """Who is dying already and loses more has grown no lighter for the players."""
    hidden = Hidden(
        beings={"b"}, conditions=(), keys={"b"}, vitals={"b": Vitals(-2, 9)}, vital="hp", kinds={}, wording=Wording()
    )
    assert not health_facts((PointsLost(who="b", pool="hp", points=4, now=-6, over=0, because="x"),), hidden)
