"""Test questions in the shell: every command that only reads, and questions in a few words."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import COMMANDS, campaign
from cli.shell.questions import QUESTIONS, READING
from tests.cli.conftest import CLOCK, Folder, copied
from tests.cli.evenings import GAMES, prepare
from tests.golden import ROOT

WRITING = {
    "new", "cast", "open", "close", "demo", "tutorial", "play", "do", "run", "watch", "amend", "export", "rebuild",
    "import", "backup", "restore", "upgrade", "undo",  # it reads with --list
    "shelf",  # it writes its rows
    "head",  # it keeps what was read out
    "copy", "game", "list",  # they are about other campaigns too
    "serve", "browse", "mcp",  # they only read, but do not end
}  # fmt: skip
ARGUMENTS = {
    "odds": "k climb v4", "why": "", "who": "kess health", "when": "doom >= 0", "whatif": "v6", "show": "kess",
    "diff": "1.1@1 1.1", "rules": "effort", "search": "lamp", "fmt": "k sn v4", "sheet": "pc", "completion": "bash",
    "help": "play",
}  # fmt: skip
START = ("> a lamp", "k sneak v5 /7.6", "~ v6 retcon")


def asked(folder: Folder, *lines: str):
    """Return what the shell prints for these lines."""
    said = "".join(f"{line}\n" for line in lines)
    return CliRunner().invoke(campaign, ["-C", str(folder.path), "--clock", CLOCK, "play"], input=said)


@pytest.fixture(scope="module")
def rolled_once(open_folder: Folder, tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """Return a session with a text, a roll and a correction. Copy it; do not write to it."""
    folder = copied(open_folder, tmp_path_factory.mktemp("rolled"))
    asked(folder, *START)
    return folder


@pytest.fixture
def rolled(rolled_once: Folder, tmp_path: Path) -> Folder:
    """Return a copy of the session with a text, a roll and a correction."""
    return copied(rolled_once, tmp_path)


def test_every_command_reads_in_the_shell_or_writes():
    assert set(READING) == set(COMMANDS) - WRITING
    assert set(QUESTIONS) - set(COMMANDS) == {"turn", "far"}


@pytest.mark.slow
@pytest.mark.parametrize("mark", ["? ", ""])
@pytest.mark.parametrize("command", sorted(set(READING) - {"forecast", "encounter"}))  # that need a fight
def test_reading_commands_answer_in_the_shell(rolled, command, mark):
    before = rolled.bytes
    done = asked(rolled, f"{mark}{command} {ARGUMENTS.get(command, '')}")
    assert done.stderr == "" or command == "verify"
    assert done.stdout.strip()
    assert rolled.bytes == before


@pytest.mark.slow
@pytest.mark.parametrize("path", [ROOT / "cli/speech/speech.toml", *ROOT.glob("rulebooks/*/speech.toml")])
def test_question_without_a_name_is_answered(rolled, path):
    questions = tomllib.loads(path.read_text(encoding="utf-8")).get("questions", {})
    lines = [f"? {question}" for question in questions if "{" not in question and not question.startswith("rules ")]
    assert asked(rolled, *lines).stderr == ""


@pytest.mark.slow
def test_last_time_is_the_session_that_is_over(rolled):
    assert "session 1: " in asked(rolled, "what did we do last time?").stdout  # there is no other
    rolled.run("close")
    rolled.run("open", "The cellar")
    for line in ("what happened last time?", "? recap last"):
        assert asked(rolled, line).stdout.endswith(rolled.run("recap", "1"))


@pytest.mark.parametrize("line", ["? undo --list", "undo --list"])
def test_list_of_corrections_is_shown_in_the_shell(rolled, line):
    assert asked(rolled, line).stdout == rolled.run("undo", "--list")


@pytest.mark.slow
def test_proposal_with_the_name_of_the_program_is_taken(rolled):
    assert asked(rolled, "campaign undo --list").stdout == rolled.run("undo", "--list")
    assert asked(rolled, "campaign why 1.1").stdout == asked(rolled, "why 1.1").stdout != ""


@pytest.mark.parametrize("line", ["? turn", "whose turn?", "? whose turn"])
def test_whose_turn_it_is(folder, fight_folder, line):
    assert asked(folder, line).stdout == "no encounter is running: whoever speaks acts\n"
    assert "Ash's turn; now: Ash" in asked(fight_folder, line).stdout


@pytest.mark.slow
@pytest.mark.parametrize("line", ["? last time", "? what happened last time?"])
def test_last_time_is_the_post_of_what_is_over(saints, line):
    assert asked(saints, line).stdout == saints.run("recap", "last", "--post")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("? far vel raider1", "Vel to Raider 1: 2 zones away (Gate)"),
        ("how far is it from the yard to the gate?", "Yard to Gate: 2 zones away (Gate)"),
        ("how far is Vel from the road", "Vel to Road: 1 zone away (Road)"),
        ("how far away is the first raider", "Raider 1 to Vel: 2 zones away (Yard)"),
        ("? far nobody vel", "'nobody' names nobody in play"),
        ("? far", "far from whom?"),
    ],
)
def test_distance_is_told_in_the_zones_of_a_book(tmp_path, line, said):
    prepare("momentum", tmp_path / "gate")
    done = asked(Folder(tmp_path / "gate"), '! fight "the gate" paths=Yard:Road,Road:Gate pcs=Yard foes=Gate', line)
    assert said in done.stdout + done.stderr


def test_distance_that_no_book_keeps_is_refused(rolled):
    assert "no distance is kept between Kess and others" in asked(rolled, "? far kess").stderr


@pytest.mark.parametrize("line", ["show ash --at round 1", '? show ash --at "round 1"'])
def test_moment_may_be_a_round_without_quotes(fight_folder, line):
    assert asked(fight_folder, line).stdout == fight_folder.run("show", "Ash", "--at", "round 1")


@pytest.mark.parametrize("line", ["who hit kess?", "? who hit kess", "? who hurt k?"])
def test_who_hit_somebody_asks_for_their_health(rolled, line):
    assert asked(rolled, line).stdout == rolled.run("who", "kess", "health")


def test_why_is_short_and_names_what_was_not_claimed(rolled):
    lines = asked(rolled, "? why").stdout.splitlines()
    assert len(lines) == 5
    assert lines[1].strip() == "task of Kess: failure (13 against 15, 2 short), not final yet"
    assert lines[2].strip().startswith("possible, not claimed: Effort up to 2")
    assert asked(rolled, "? why did that fail").stdout.splitlines() == lines


@pytest.mark.slow
def test_short_why_says_what_came_of_a_result(tmp_path):
    """Else only the whole explanation of a blow says that it felled somebody."""
    prepare("mars", tmp_path / "mars")
    fight = ('! encounter "the gate"', "asha initiative /10.10.4", "bram initiative", "! initiative")
    lines = (*fight, "asha attack guard-1 /10.10.1.10.10", "? why")
    assert "\n      Guard 1 is unconscious, prone and dying\n" in asked(Folder(tmp_path / "mars"), *lines).stdout


@pytest.mark.parametrize("line", ["? why all", "? why 2 all", "? why 1.2 all"])
def test_why_all_is_the_whole_explanation(rolled, line):
    assert asked(rolled, line).stdout == rolled.run("why", "1.2")


@pytest.mark.slow
def test_why_without_an_entry_explains_the_last_line(rolled):
    assert rolled.run("why") == rolled.run("why", "1.2")
    rolled.run("do", "close")
    rolled.run("do", "# The quay")
    assert rolled.run("why") == rolled.run("why", "1.2")


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_first_line_of_help_is_taken(game, tmp_path):
    prepare(game, tmp_path)
    folder = Folder(tmp_path)
    example = asked(folder, "help").stdout.partition("  ")[0]
    done = asked(folder, example)
    assert (done.stderr, done.stdout[:4]) == ("", "1.1 ")


def test_help_prints_ten_lines(folder):
    lines = asked(folder, "help").stdout.splitlines()
    assert len(lines) == 10
    assert max(map(len, lines)) < 100
