"""Test what phones notice of a server whose past is another one: in a browser, also where its page is not secure."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.browser.checkers import axe_faults
from tests.cli.browser.test_hands_page import MASTER, Served, attack, begin, faults, phone, pytestmark, serve_folder
from tests.cli.conftest import Folder, copied

__all__ = ["phone", "pytestmark"]  # of these tests too
UNTRUSTED = "The Cross-Origin-Opener-Policy header has been ignored"  # where the page is not secure


def alarm(page: Any) -> Any:
    """Return where a page tells what is wrong."""
    return page.get_by_role("alert")


def words(page: Any) -> list[str]:
    """Return the words of the head at the foot of a page."""
    return str(page.locator("#words").inner_text()).split()


def spoken_words(folder: Folder) -> list[str]:
    """Return the words of the head of a ledger, as they are read aloud."""
    return list(json.loads(folder.run("head", "--json"))["words"])


def replace_ledger(served: Served, other: Folder) -> None:
    """Put another ledger in the place of the one that is served."""
    os.replace(other.ledger, served.folder.ledger)


@pytest.mark.parametrize("options", [(), ("--lan",)], ids=["on this machine", "in the network"])
def test_rewritten_past_is_red_on_every_phone(
    options: tuple[str, ...], stopping: list[subprocess.Popen], phone: Callable[..., Any], tmp_path: Path
) -> None:
    served = serve_folder(begin("momentum", tmp_path), stopping, *options)
    other = copied(served.folder, tmp_path / "other")
    pages = [phone(served, whose) for whose in ("Ana", "Bo", MASTER)]
    assert {page.evaluate("isSecureContext") for page in pages} == {not options}
    served.folder.run("do", "> It rains")
    for page in pages:
        page.locator("#log .said", has_text="It rains").wait_for()
        assert alarm(page).is_hidden()
    entry = pages[0].evaluate("[...hands.entries.keys()].at(-1)")
    for line in ("> It snows", "> It thaws"):
        other.run("do", line)
    replace_ledger(served, other)
    told = f"The past was rewritten. Entry {entry} is not what"
    for page in pages:
        alarm(page).filter(has_text=told).wait_for()
        color = page.locator("#witness").evaluate("it => getComputedStyle(it).color")
        red, green, blue = map(int, re.findall(r"\d+", color)[:3])
        assert red > 2 * max(green, blue)
    pages[0].reload()
    alarm(pages[0]).filter(has_text=told).wait_for()
    wrong = [fault for page in pages for fault in faults(page) if UNTRUSTED not in fault]
    assert not wrong, wrong


def test_log_that_is_cut_off_is_told_also_after_reload(
    stopping: list[subprocess.Popen], phone: Callable[..., Any], tmp_path: Path
) -> None:
    served = serve_folder(begin("momentum", tmp_path), stopping)
    other = copied(served.folder, tmp_path / "other")
    ana = phone(served, "Ana")
    served.folder.run("do", "> It rains")
    ana.locator("#log .said", has_text="It rains").wait_for()
    position = ana.evaluate("hands.position")
    replace_ledger(served, other)
    told = f"The log was cut off: it ends at position {position - 1}, and this page has seen it up to {position}."
    alarm(ana).filter(has_text=told).wait_for()
    ana.reload()
    alarm(ana).filter(has_text=told).wait_for()


def test_two_pasts_have_other_words_at_the_foot(
    stopping: list[subprocess.Popen], phone: Callable[..., Any], tmp_path: Path
) -> None:
    """A server that shows two phones different pasts is noticed by who reads the words aloud."""
    served = serve_folder(begin("momentum", tmp_path), stopping)
    other = serve_folder(copied(served.folder, tmp_path / "other"), stopping)
    ana, bo = phone(served, "Ana"), phone(other, "Bo")
    assert words(ana) == words(bo) == spoken_words(served.folder)
    for page, table, line in ((ana, served, "It rains"), (bo, other, "It snows")):
        table.folder.run("do", f"> {line}")
        page.locator("#log .said", has_text=line).wait_for()
        assert words(page) == spoken_words(table.folder)
    assert words(ana) != words(bo)


def test_chain_of_a_stranger_is_told_and_replaced(
    stopping: list[subprocess.Popen], phone: Callable[..., Any], tmp_path: Path
) -> None:
    served = serve_folder(begin("momentum", tmp_path, options=("--shared-dice",)), stopping)
    ana = phone(served, "Ana")
    ana.locator("#log .said", has_text='Ana chain "').wait_for()
    served.folder.run("do", f'Ana chain "{"f" * 64}" 7')
    alarm(ana).filter(has_text="A chain for the dice stands under your name, and this page did not make it").wait_for()
    assert axe_faults(ana) == []
    alarm(ana).get_by_role("button", name="Share the dice from this page").tap()
    alarm(ana).wait_for(state="hidden")
    assert served.folder.run("log").lower().count("ana chain") == 3
    attack(ana, "Raider 1")
    ana.locator("#log .said", has_text='attack target="Raider 1"').wait_for()
    assert "[seed alone]" not in served.folder.run("log", "-n", "1")
    assert faults(ana) == []
