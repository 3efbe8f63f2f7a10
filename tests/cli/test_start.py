"""Test the start of the program: a line without options does what it does when click reads it."""

from __future__ import annotations

import subprocess
import tomllib
from pathlib import Path

import pytest

from cli import do_line as line_module
from cli.start import plain_line
from tests.cli.conftest import CLOCK, PROGRAM, copied, environment
from tests.program import run_main

LINES = (
    "k sneak v5 /7.6",
    "k sneak v5 /7.6 => fail",
    "k sneak v5 /7.13",
    "k snek vv",
    "zed sneak v5",
    "show kess",
    "u 3",
    "undo",
    "~ v3",
    "# The lamp room",
    "; a comment",
    "",
    '! doom 1 "\x1b[31m"',
)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["do", "k sneak v5"], "k sneak v5"),
        (["do", "k", "sneak", "v5"], "k sneak v5"),
        (["do"], ""),
        (["do", "--help"], ""),
        (["do", "k sneak v5", "--json"], ""),
        (["do", "k", "sneak", "v5", '-1"ice"'], ""),
        (["--color", "never", "do", "k sneak v5"], ""),
        (["show", "k"], ""),
        ([], ""),
    ],
)
def test_line_without_options_is_plain(arguments, line):
    assert plain_line(arguments) == line


@pytest.mark.parametrize("name", ["CAMPAIGN_DIR", "_CAMPAIGN_COMPLETE"])
def test_line_with_options_in_the_environment_is_not_plain(name, monkeypatch):
    monkeypatch.setenv(name, "x")
    assert plain_line(["do", "k sneak v5"]) == ""


def said(folder: Path, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> tuple[int, str, str, str]:
    monkeypatch.chdir(folder)
    done = run_main(*arguments, env={"CAMPAIGN_CLOCK": CLOCK})
    return done.returncode, done.stdout, done.stderr, done.args


@pytest.mark.slow
@pytest.mark.parametrize("line", LINES)
def test_plain_line_does_what_click_would(line, folder, tmp_path, monkeypatch):
    first, second = (copied(folder, tmp_path / name) for name in "ab")
    for each in (first, second):
        said(each.path, monkeypatch, "do", "o climb v3 /9.9")
    plain = said(first.path, monkeypatch, "do", line)
    assert plain == said(second.path, monkeypatch, "--color", "auto", "do", line)
    assert first.run("log", "--takes", "--json") == second.run("log", "--takes", "--json")


def test_plain_line_needs_a_ledger(tmp_path, monkeypatch):
    plain = said(tmp_path, monkeypatch, "do", "k sneak v5")
    assert plain == said(tmp_path, monkeypatch, "--color", "auto", "do", "k sneak v5")
    assert plain[2].startswith("Error: ")


def test_plain_line_is_interrupted_with_130(folder, monkeypatch):
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(line_module, "normalize_line", interrupt)
    monkeypatch.setattr(line_module, "declare_line", lambda *_, **__: interrupt())
    plain = said(folder.path, monkeypatch, "do", "k sneak v5")
    assert plain == said(folder.path, monkeypatch, "--color", "auto", "do", "k sneak v5")
    assert plain[0] == 130
    assert plain[2] == "\ninterrupted\n"


@pytest.mark.slow
@pytest.mark.parametrize("before", [[], ["--color", "auto"]])
def test_output_that_is_full_ends_a_plain_line_with_3(folder, before):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [str(PROGRAM), *before, "do", "k sneak v5"],
            cwd=folder.path,
            env=environment(),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 3
    assert done.stderr == (
        "Error: standard output: No space left on device. What was taken is kept: look with campaign log.\n"
    )


@pytest.mark.slow
@pytest.mark.parametrize("before", [[], ["--color", "auto"]])
def test_plain_line_ends_quietly_when_nobody_reads(folder, before):
    """As `campaign do LINE | true`: of standard output and of standard error."""
    script = f"{PROGRAM} {' '.join(before)} do 'k sneak v5'"
    for end in ("| true", "2>&1 >/dev/full | true"):
        done = subprocess.run(
            ["bash", "-c", f"{script} {end}; exit ${{PIPESTATUS[0]}}"],
            cwd=folder.path,
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        assert "Traceback" not in done.stderr
        assert "Exception ignored" not in done.stderr


def test_program_starts_here():
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["scripts"] == {"campaign": "cli.start:main"}


def test_plain_line_is_for_the_folder_above(folder, monkeypatch):
    inner = folder.path / "notes"
    inner.mkdir()
    before = folder.bytes
    assert said(inner, monkeypatch, "do", "k sneak v5 /7.6")[0] == 0
    assert folder.bytes != before
