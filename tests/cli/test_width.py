"""Test that no line at a terminal is wider than it, for every sample and every command that lists."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from cli import output
from cli.main import campaign
from cli.output import cell_width
from tests.golden import samples, samples_by_the_book

QUICK = (
    ["show", "--all"],
    ["log", "1", "-n", "15"],
    ["log", "--oneline", "-n", "15"],
    ["why", "1.12"],
    ["help", "play"],
)
LISTINGS = (
    ["show"],
    ["log"],
    ["log", "--takes"],
    ["log", "--oneline"],
    ["recap", "1"],
    ["rules"],
    ["rules", "--coverage"],
    ["rulings", "--all"],
    ["replay", "--all"],
    ["verify"],
    ["search", "the"],
    ["diff", "1.5", "1.20"],
    ["when", "encounter.round > 0", "--all"],
    ["help"],
    *(["help", page] for page in ("play", "data", "disputes", "trust")),
    *(["show", "--at", f"1.{number}"] for number in range(4, 30, 5)),
    *(["show", "encounter", "--at", f"1.{number}"] for number in range(4, 30, 5)),
    *(["why", f"1.{number}"] for number in range(1, 30)),
)


def wide_lines(folder: str, command: list[str], width: int, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the lines of a command at a terminal of this width that do not fit it. A hash alone on a line may."""
    monkeypatch.setattr(output, "to_terminal", lambda: True)
    for name, value in (("NO_COLOR", "1"), ("COLUMNS", str(width)), ("LC_ALL", "C.UTF-8"), ("TERM", "xterm")):
        monkeypatch.setenv(name, value)
    done = CliRunner().invoke(campaign, ["-C", folder, *command])
    assert done.exit_code in (0, 1), done.output
    assert done.stdout
    return [line for line in done.stdout.splitlines() if cell_width(line) > width and " " in line.strip()]


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize("width", [60, 80])
@pytest.mark.parametrize("sample", samples())
def test_no_line_is_wider_than_the_terminal(played_samples, sample, width, monkeypatch):
    for command in QUICK:
        assert not wide_lines(str(played_samples[sample]), command, width, monkeypatch), command


@pytest.mark.slow
@pytest.mark.parametrize("width", [60, 80])
@pytest.mark.parametrize("sample", samples_by_the_book())  # they have thirty entries
def test_no_line_of_any_listing_is_too_wide(played_samples, sample, width, monkeypatch):
    for command in LISTINGS:
        assert not wide_lines(str(played_samples[sample]), command, width, monkeypatch), command


@pytest.mark.slow
def test_tables_of_a_recap_are_columns_at_a_terminal(played_samples, monkeypatch):
    folder = str(played_samples["gutter-saints"])
    assert not wide_lines(folder, ["recap", "1"], 80, monkeypatch)
    shown = CliRunner().invoke(campaign, ["-C", folder, "recap", "1"]).stdout
    assert not [line for line in shown.splitlines() if line.startswith("|") or line.endswith("|")]
    assert "\nWho          What       Start  Spent " in shown
