"""The manual page: every command and option is on it, and groff sets it without a warning."""

from __future__ import annotations

import shutil
import subprocess

import click
import pytest

from cli.main import COMMANDS, campaign
from cli.render.man_page import escape
from tests.cli.commands import run


@pytest.fixture(scope="module")
def page():
    return run("help", "--man").stdout


def test_page_has_every_command_and_option(page):
    plain = page.replace("\\-", "-")
    context = click.Context(campaign, info_name="campaign")
    for name in COMMANDS:
        assert f"\\fBcampaign {name}\\fR" in plain
        for param in campaign.get_command(context, name).params:
            assert all(option in plain for option in param.opts if isinstance(param, click.Option)), (name, param)


@pytest.mark.parametrize(
    ("text", "roff"),
    [
        (".TH", r"\&.TH"),
        ("a\\b", r"a\eb"),
        ("it's --at", r"it\(aqs \-\-at"),
        ("`k end`", "k end"),
        ("'so'", r"\(aqso\(aq"),
    ],
)
def test_text_is_never_a_request(text, roff):
    assert escape(text) == roff


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_page_is_set_without_a_warning(page):
    done = subprocess.run(
        ["groff", "-ww", "-man", "-Tutf8", "-Kutf8"], input=page, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert "campaign cast" in done.stdout
    assert "Take back the cast of NAME" in " ".join(done.stdout.split())


@pytest.mark.skipif(shutil.which("man") is None, reason="man is not installed")
def test_man_shows_the_page_without_a_warning(page, tmp_path):
    file = tmp_path / "campaign.1"
    file.write_text(page, encoding="utf-8")
    done = subprocess.run(
        ["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", str(file)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
