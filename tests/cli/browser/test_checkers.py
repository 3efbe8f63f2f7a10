"""Test the checkers on small files: each finds the fault that it is there for, and nothing in a good page."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.browser.checkers import axe_faults, html_faults
from tests.cli.browser.conftest import NARROW, Open

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
GOOD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width">
<title>Salt Ward</title>
<style>@media (prefers-color-scheme: dark) {{ body {{ background: #000; color: #fff }} }}</style>
</head>
<body>
<main>
<h1>Salt Ward</h1>
{body}
</main>
</body>
</html>
"""


def file(where: Path, body: str, policy: str = POLICY) -> Path:
    path = where / "page.html"
    path.write_text(GOOD.format(body=body, policy=policy), encoding="utf-8")
    return path


def test_good_page_has_no_faults(open_page: Open, tmp_path: Path) -> None:
    path = file(tmp_path, "<p>Rain on the slates.</p>")
    page = open_page(path)
    assert axe_faults(page) == []
    assert html_faults([path], tmp_path) == []
    assert page.behaviour.faults == []
    assert page.behaviour.requests == [path.as_uri()]


def test_axe_finds_a_button_without_a_name(open_page: Open, tmp_path: Path) -> None:
    page = open_page(file(tmp_path, '<button type="button"></button>'))
    assert [rule for rule, *_ in axe_faults(page)] == ["button-name"]


def test_axe_finds_faint_words_in_the_dark_only(open_page: Open, tmp_path: Path) -> None:
    path = file(tmp_path, '<p style="color: #444">Rain on the slates.</p>')
    assert axe_faults(open_page(path)) == []
    assert [rule for rule, *_ in axe_faults(open_page(path, dark=True))] == ["color-contrast"]


@pytest.mark.usefixtures("installed")
def test_validator_finds_an_element_that_is_not_closed(tmp_path: Path) -> None:
    assert html_faults([file(tmp_path, "<section><h2>Rain</h2>")], tmp_path)


@pytest.mark.parametrize("script", ["<script>alert(1)</script>", '<img src="x:" alt="" onerror="alert(1)">'])
def test_script_against_the_policy_is_reported(open_page: Open, tmp_path: Path, script: str) -> None:
    page = open_page(file(tmp_path, script))
    assert any("script-src" in fault for fault in page.behaviour.faults)
    assert not any(fault.startswith("dialog") for fault in page.behaviour.faults)


def test_script_that_runs_is_reported(open_page: Open, tmp_path: Path) -> None:
    page = open_page(file(tmp_path, "<script>alert('run')</script>", "script-src 'unsafe-inline'"))
    assert page.behaviour.faults == ["dialog: run"]


def test_narrow_page_is_as_wide_as_a_phone(open_page: Open, tmp_path: Path) -> None:
    page = open_page(file(tmp_path, "<p>Rain</p>"), size=NARROW)
    assert page.evaluate("document.documentElement.scrollWidth") == NARROW["width"]
