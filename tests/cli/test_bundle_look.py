"""Test `-C FILE`: a bundle is looked at in place of a campaign, and nothing is written."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli.main import LOOKING, campaign
from tests.cli.conftest import Folder, one_error
from tests.cli.test_leaf_forgeries import played as leaves  # noqa: F401 - a fixture
from tests.program import run_main

QUESTIONS = {
    "show": ["show", "kess"],
    "log": ["log", "--takes"],
    "search": ["search", "thug"],
    "recap": ["recap"],
    "why": ["why", "1.3"],
    "who": ["who", "kess.speed"],
    "when": ["when", "kess.speed < 99"],
}
SECRETS = ("lamplighter", "health 6", "difficulty 4")


@pytest.fixture(scope="module")
def bundles(leaves: Folder, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:  # noqa: F811 - the fixture
    """The bundles of an evening with secrets, by role."""
    paths = {role: tmp_path_factory.mktemp("bundles") / f"{role}.jsonl" for role in ("gm", "players")}
    for role, path in paths.items():
        leaves.run("export", "--bundle", str(path), "--as", role)
    return paths


def ask(path: Path, *arguments: str) -> Result:
    return CliRunner().invoke(campaign, ["-C", str(path), *arguments], catch_exceptions=False)


def test_questions_are_those_that_may_be_asked():
    assert set(QUESTIONS) == set(LOOKING)


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize("name", QUESTIONS)
def test_bundle_answers_as_its_ledger(leaves, bundles, name):  # noqa: F811 - the fixture
    answer = ask(bundles["gm"], *QUESTIONS[name])
    assert (answer.exit_code, answer.stdout) == (0, leaves.run(*QUESTIONS[name]))


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize("name", QUESTIONS)
def test_players_copy_answers_without_secrets(leaves, bundles, tmp_path, monkeypatch, name):  # noqa: F811
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    whole = leaves.run(*QUESTIONS[name])
    for arguments in ([], ["--as", "players"]):
        answer = ask(bundles["players"], *QUESTIONS[name], *arguments)
        assert answer.exit_code == 0, answer.output
        assert answer.stdout
        assert not [secret for secret in SECRETS if secret in answer.stdout]
    assert name != "log" or any(secret in whole for secret in SECRETS)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("arguments", [["do", "k sneak v4"], ["open"], ["replay"], ["rebuild"], ["play"], ["export"]])
def test_bundle_is_looked_at_only(bundles, arguments):
    for path in bundles.values():
        before = path.read_bytes()
        error = one_error(run_main("-C", str(path), *arguments), 2)
        assert error.startswith(f"'{arguments[0]}' does not work on a bundle. Look at it (show, log")
        assert path.read_bytes() == before


def test_bundle_in_place_of_a_campaign_is_verified(leaves, bundles):  # noqa: F811 - the fixture
    for path in bundles.values():
        assert ask(path, "verify").stdout == CliRunner().invoke(campaign, ["verify", str(path)]).stdout
    assert "this is not a bundle" in one_error(run_main("-C", str(leaves.ledger), "log"), 3)
