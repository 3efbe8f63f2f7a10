"""The program: help, version, completion, imports."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cli.main import COMMANDS
from tests.bench.play import SAMPLE_LINES
from tests.cli.commands import run
from tests.cli.conftest import Folder, environment, one_error

HEAVY = {"mcp", "sqlite_utils", "watchfiles", "hypothesis", "distributed", "duckdb"}
UNUSED_BY_DO = {
    *HEAVY,
    "click",
    "difflib",
    "fractions",
    "importlib.metadata",
    "inspect",
    "ledger.odds",
    "ledger.verify",
    "pathlib",
    "prompt_toolkit",
    "psycopg",
    "shutil",
    "signal",
    "typing_extensions",
    "wcwidth",
}


PROBE = """
import sys
from contextlib import suppress
from cli.start import run_program
sys.argv = ["campaign", *sys.argv[1:]]
with suppress(SystemExit):
    run_program()
print("\\n".join(["modules:", *sys.modules]), file=sys.stderr)
"""


@pytest.mark.quick_rows(10)
@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_every_command_has_an_example(name):
    done = run(name, "--help")
    assert done.exit_code == 0
    assert re.search(rf"\n  Examples?:\n    campaign {name}\b", done.stdout)


@pytest.mark.quick_rows(12)
@pytest.mark.parametrize("name", [*COMMANDS, "shelf verify", "encounter build"])
def test_every_example_can_be_copied(name):
    """Each is a line of its own, and a command that the shell can read: options and all."""
    shown = run(*name.split(), "--help").stdout
    examples = re.split(r"Examples?:\n", shown)[1].split("\n\n")[0].splitlines()
    for example in examples:
        words = shlex.split(example.partition(" (")[0].split(" | ")[-1])
        assert words.count("campaign") == 1
        assert f"{' '.join(words)} ".startswith(f"campaign {name} ")


def test_help_lists_every_command():
    help_text = run("--help").stdout
    for name, text in COMMANDS.items():
        assert f"  {name} " in help_text
        assert text in re.sub(r"\s+", " ", help_text)
    assert run("-h").stdout == help_text


def test_version():
    assert re.fullmatch(r"campaign, version \S+\n", run("--version").stdout)


def imported(folder: Folder, *arguments: str, **more: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", PROBE, *arguments],
        cwd=folder.path,
        env=environment(**more),
        capture_output=True,
        text=True,
        check=False,
    )
    _, modules = done.stderr.split("modules:\n")
    return set(modules.splitlines())


@pytest.mark.quick_rows(1)
@pytest.mark.parametrize(
    ("arguments", "more"),
    [
        (["--help"], {}),
        (["--version"], {}),
        ([], {"_CAMPAIGN_COMPLETE": "bash_complete", "COMP_WORDS": "campaign re", "COMP_CWORD": "1"}),
        ([], {"_CAMPAIGN_COMPLETE": "bash_source"}),
    ],
)
def test_help_and_completion_import_no_command(folder, arguments, more):
    seen = imported(folder, *arguments, **more)
    assert "cli.main" in seen
    assert not any(name.startswith("cli.commands.") for name in seen)
    assert not {"ledger.service", "rulebooks", *HEAVY} & seen


def test_completion_lists_the_commands():
    done = subprocess.run(
        [Path(sys.executable).parent / "campaign"],
        env=environment(_CAMPAIGN_COMPLETE="bash_complete", COMP_WORDS="campaign re", COMP_CWORD="1"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == ["plain,recap", "plain,replay", "plain,restore", "plain,rebuild"]


SEVERAL = """
import sys
from click.testing import CliRunner
from cli.main import campaign
for line in (["do", "k sneak v5 e1"], ["show"], ["show", "k", "--json"], ["log"], ["close"]):
    assert not CliRunner().invoke(campaign, line, catch_exceptions=False).exit_code, line
print(*sys.modules)
"""


@pytest.mark.slow
def test_playing_commands_import_nothing_heavy(folder):
    command = [sys.executable, "-c", SEVERAL]
    done = subprocess.run(command, cwd=folder.path, env=environment(), capture_output=True, text=True, check=True)
    assert "cli.commands.close" in done.stdout.split()
    assert not HEAVY & set(done.stdout.split())


@pytest.mark.slow
@pytest.mark.parametrize("sample", SAMPLE_LINES)
def test_do_imports_only_what_it_needs(sample, played_samples, tmp_path):
    folder = Folder(Path(shutil.copytree(played_samples[sample], tmp_path / sample)))
    folder.run("open", "Once more")
    seen = imported(folder, "do", SAMPLE_LINES[sample])
    assert "cli.do_line" in seen
    assert not UNUSED_BY_DO & seen


@pytest.mark.parametrize(("word", "meant"), [("status", "show"), ("history", "log"), ("odss", "odds")])
def test_unknown_command_names_what_is_meant(word, meant):
    assert one_error(run(word), 2) == f"there is no command '{word}'. Did you mean {meant}?"


def test_redo_is_proposed_as_a_line_that_is_taken(night: Folder) -> None:
    night.run("do", 'k hp -1 "a drink"')
    night.run("undo")
    assert "Did you mean do redo?" in night.invoke("redo").stderr
    assert 'restored: k hp -1 "a drink"' in night.run("do", "redo")
