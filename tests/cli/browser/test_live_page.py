"""Test the page of `serve` in a browser: it follows the session, stays where somebody reads, and comes back."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import urllib.request
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import pytest

from cli.commands.serve import LIBRARIES
from tests.cli.browser.checkers import axe_faults
from tests.cli.browser.conftest import NARROW, WIDE, Open
from tests.cli.conftest import Folder

pytestmark = pytest.mark.skipif(any(find_spec(name) is None for name in LIBRARIES), reason='pip install -e ".[serve]"')
Serve = Callable[..., str]
SECTIONS = """() => ['header', '#lines', '#story', '#graphs', '#dice', 'footer', '#state', '#entry'].map(selector => {
    const copy = document.querySelector(`#page ${selector}`).cloneNode(true);
    return copy.innerHTML.replace(/ style="[^"]*"/g, '');
})"""
HOSTILE = (
    '> <img src=x onerror="alert(1)"> </script><script>alert(2)</script>',
    "> ${alert(3)} `alert(4)` \\u003c &lt;b>",
)


def free_port() -> int:
    """Return a port that nobody uses now."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


@pytest.fixture
def serve(chromium: object, stopping: list[subprocess.Popen]) -> Serve:
    """Return a function that serves a campaign and returns the last link that it prints."""

    def begin(folder: Folder, *options: str, links: int = 1, port: int = 0) -> str:
        process = folder.start_process("serve", "--port", str(port), *options)
        stopping.append(process)
        return [re.findall(r"http://\S+", process.stdout.readline())[0] for _ in range(links)][-1]

    return begin


def wait_for_words(page: Any, selector: str, words: str) -> None:
    """Wait until an element has these words."""
    page.locator(selector).filter(has_text=words).first.wait_for(state="visible")


def shown(page: Any) -> str:
    """Return the id of the entry that the page shows."""
    return page.locator("#entry .id").inner_text()


@pytest.mark.parametrize(("size", "dark"), [(WIDE, False), (NARROW, True)])
def test_page_follows_the_session(night: Folder, serve: Serve, open_page: Open, size: Any, dark: bool) -> None:
    page = open_page(serve(night), size=size, dark=dark)
    wait_for_words(page, "#connection", "live")
    for number, line in enumerate(("k sneak v4", "close", "> Rain & <lamps>"), 7):
        night.run("do", line)
        wait_for_words(page, "#entry .id", f"4.{number}")
    assert page.locator("#entry .line").inner_text() == "Rain & <lamps>"
    assert page.locator("#lines li.entry").last.evaluate("item => item.classList.contains('current')")
    assert "Rain & <lamps>" in page.locator("[aria-live=polite]").inner_text()
    assert page.url.endswith("/")
    assert not page.locator("#news").is_visible()
    assert axe_faults(page) == []
    assert page.behaviour.faults == []


def test_reader_of_an_older_entry_is_not_moved(night: Folder, serve: Serve, open_page: Open) -> None:
    page = open_page(serve(night))
    wait_for_words(page, "#connection", "live")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.locator("#story").evaluate("story => { story.scrollTop = 7; }")
    before = shown(page), page.locator("#lines").evaluate("lines => lines.scrollTop")
    night.run("do", "k sneak v4")
    wait_for_words(page, "#news", "1 new")
    night.run("do", "close")
    wait_for_words(page, "#news", "2 new")
    assert (shown(page), page.locator("#lines").evaluate("lines => lines.scrollTop")) == before
    assert axe_faults(page) == []
    page.locator("#news").click()
    assert shown(page) == "4.8"
    assert not page.locator("#news").is_visible()
    night.run("do", "k hide v5")
    wait_for_words(page, "#entry .id", "4.9")
    assert page.behaviour.faults == []


def test_correction_of_an_older_entry_is_shown_where_it_is(night: Folder, serve: Serve, open_page: Open) -> None:
    page = open_page(f"{serve(night)}#e4.1")
    wait_for_words(page, "#connection", "live")
    assert "v5" in page.locator("#entry .typed").inner_text()
    night.run("amend", "4.1", "v4", "--because", "the lamp was out", "--retcon")
    wait_for_words(page, "#entry .typed", "v4")
    assert shown(page) == "4.1"
    page.locator("#lines li[id='e4.1'] details summary").click()
    night.run("do", "k sneak v5")
    wait_for_words(page, "#news", "2 new")
    assert page.locator("#lines li[id='e4.1'] details").evaluate("details => details.open")


def test_live_page_is_as_if_loaded_again(night: Folder, serve: Serve, open_page: Open) -> None:
    page = open_page(serve(night))
    wait_for_words(page, "#connection", "live")
    for line in ("k sneak v4", '" k: "hush"', "# The cellar", "t read v2 /3.9", "o climb v4", "undo", "close"):
        night.run("do", line) if line != "undo" else night.run("undo")
    night.run("amend", "4.1", "v4", "--because", "the lamp was out", "--retcon")
    wait_for_words(page, "#lines", "the lamp was out")
    page.keyboard.press("End")
    live = page.evaluate(SECTIONS)
    page.goto(page.url.partition("#")[0])
    wait_for_words(page, "#connection", "live")
    for one, other in zip(live, page.evaluate(SECTIONS), strict=True):
        assert one == other


def test_lost_connection_is_said_and_comes_back(
    night: Folder, serve: Serve, open_page: Open, stopping: list[subprocess.Popen]
) -> None:
    port = free_port()
    page = open_page(serve(night, port=port))
    wait_for_words(page, "#connection", "live")
    stopping[-1].send_signal(signal.SIGINT)
    wait_for_words(page, "#connection", "Connection lost")
    assert axe_faults(page) == []
    night.run("do", "k sneak v4")
    serve(night, port=port)
    wait_for_words(page, "#connection", "live")
    wait_for_words(page, "#entry .id", "4.7")


def test_ledger_that_is_gone_is_said_and_comes_back(night: Folder, serve: Serve, open_page: Open) -> None:
    page = open_page(serve(night))
    wait_for_words(page, "#connection", "live")
    away = night.ledger.rename(night.path / "away.db")
    wait_for_words(page, "#connection", "The ledger cannot be read now.")
    away.rename(night.ledger)
    wait_for_words(page, "#connection", "live")
    night.run("do", "k sneak v4")
    wait_for_words(page, "#entry .id", "4.7")


def test_link_that_is_no_longer_valid_is_said(
    night: Folder, serve: Serve, open_page: Open, stopping: list[subprocess.Popen]
) -> None:
    port = free_port()
    page = open_page(serve(night, "--as", "gm", port=port, links=2))
    wait_for_words(page, "#connection", "live")
    stopping[-1].send_signal(signal.SIGINT)
    wait_for_words(page, "#connection", "Connection lost")
    serve(night, "--as", "gm", "--new-token", port=port, links=2)
    wait_for_words(page, "#connection", "This link is no longer valid.")


def test_link_hands_its_token_over_in_no_address(night: Folder, serve: Serve, open_page: Open) -> None:
    link = re.sub(r"//[^:/]+", "//127.0.0.1", serve(night, "--lan", "--no-qr"))
    address, _, token = link.partition("#t=")
    page = open_page(link)
    for _ in range(2):
        wait_for_words(page, "#connection", "live")
        asked = page.evaluate("performance.getEntries().map((each) => each.name.split('#')[0])")
        assert any(each.endswith("/watch/data") for each in asked)
        assert not [each for each in (*asked, page.url, page.content()) if token in each]
        assert page.url == address
        page.reload()
    night.run("do", "> Dawn")
    wait_for_words(page, "#lines", "Dawn")
    page.goto(f"{address}campaign/")
    page.locator("a[href*='session/']").first.click()
    wait_for_words(page, "#connection", "live")
    assert page.behaviour.faults == []
    other = open_page(address)
    wait_for_words(other, "#connection", "This page needs its whole link.")
    assert axe_faults(other) == []


def test_next_session_takes_the_place_of_the_last(night: Folder, serve: Serve, open_page: Open) -> None:
    page = open_page(serve(night))
    wait_for_words(page, "#connection", "live")
    night.run("close")
    night.run("open", "The Lamps Go Out", "--seed", "five")
    wait_for_words(page, "h1", "The Lamps Go Out")
    wait_for_words(page, "#connection", "live")
    night.run("do", "k sneak v4")
    wait_for_words(page, "#entry .id", "5.1")


def test_campaign_page_is_a_link_away(night: Folder, serve: Serve, open_page: Open) -> None:
    page = open_page(serve(night))
    wait_for_words(page, "#connection", "live")
    night.run("do", "k sneak v4")
    wait_for_words(page, "#entry .id", "4.7")
    page.get_by_role("link", name="Gutter Saints").click()
    wait_for_words(page, "h1", "Gutter Saints")
    page.locator("#sessions a").first.click()
    wait_for_words(page, "#connection", "live")
    assert axe_faults(page) == []
    assert page.behaviour.faults == []


def test_hostile_lines_run_no_script(night: Folder, serve: Serve, open_page: Open) -> None:
    page = open_page(serve(night))
    wait_for_words(page, "#connection", "live")
    for number, line in enumerate(HOSTILE, 7):
        night.run("do", line)
        wait_for_words(page, "#entry .id", f"4.{number}")
        assert page.locator("#entry .line").inner_text() == line.removeprefix("> ")
    assert page.locator("#page img").count() == 0
    assert page.behaviour.faults == []


def test_secret_reaches_the_game_master_alone(secret: Folder, serve: Serve, open_page: Open) -> None:
    page = open_page(serve(secret))
    wait_for_words(page, "#connection", "live")
    master = open_page(serve(secret, "--as", "gm", links=2))
    wait_for_words(master, "#connection", "live")
    secret.run("do", "!! > the moth king wakes")
    secret.run("do", "> Dawn")
    wait_for_words(master, "#lines", "the moth king wakes")
    wait_for_words(page, "#lines", "Dawn")
    assert "moth king" not in page.content()
    assert "the game master's view" in master.locator("header").inner_text()


def copied_link(page: Any) -> str:
    """Press "Copy link", and return what it copies."""
    page.get_by_role("button", name="Copy link").click()
    page.get_by_role("button", name="Copied").wait_for()
    return page.evaluate("navigator.clipboard.readText()")


CLIPBOARD = ["clipboard-read", "clipboard-write"]


def test_copied_link_lasts_when_the_next_session_opens(night: Folder, serve: Serve, open_page: Open) -> None:
    link = serve(night)
    page = open_page(f"{link}#e4.1", permissions=CLIPBOARD)
    wait_for_words(page, "#connection", "live")
    copied = copied_link(page)
    assert copied == f"{link}session/4/#e4.1"
    night.run("close")
    night.run("open", "The Lamps Go Out", "--seed", "five")
    later = open_page(copied, permissions=CLIPBOARD)
    wait_for_words(later, "#connection", "live")
    assert shown(later) == "4.1"
    assert copied_link(later) == copied


@pytest.mark.parametrize("options", [(), ("--lan", "--no-qr")])
def test_link_copied_by_the_game_master_is_the_players(
    options: tuple[str, ...], night: Folder, serve: Serve, open_page: Open
) -> None:
    master = re.sub(r"//[^:/]+", "//127.0.0.1", serve(night, "--as", "gm", *options, links=2))
    tokens = json.loads((night.path / "serve.secret").read_text(encoding="utf-8"))
    page = open_page(master, permissions=CLIPBOARD)
    wait_for_words(page, "#connection", "live")
    page.goto(f"{page.url}#e4.1")
    copied = re.sub(r"//[^:/]+", "//127.0.0.1", copied_link(page))
    for token in tokens.values():
        assert token not in copied
        assert token not in page.content()
    seen = open_page(f"{copied.partition('session/')[0]}#t={tokens['players']}" if "--lan" in options else copied)
    wait_for_words(seen, "#connection", "live")
    seen.goto(copied)
    wait_for_words(seen, "#connection", "live")
    assert shown(seen) == "4.1"
    assert "the game master's view" not in seen.locator("header").inner_text()


def test_link_to_another_session_leads_there(night: Folder, serve: Serve, open_page: Open) -> None:
    page = open_page(f"{serve(night)}#e2.17")
    wait_for_words(page, "#connection", "live")
    wait_for_words(page, "#missing", "There is no 2.17 here. Look in session 2.")
    page.get_by_role("link", name="Look in session 2").click()
    page.wait_for_url("**/session/2/#e2.17")
    wait_for_words(page, "#connection", "live")
    assert shown(page) == "2.17"
    assert page.url.endswith("/session/2/#e2.17")


def test_tab_of_an_open_session_names_no_entry(night: Folder, serve: Serve, open_page: Open) -> None:
    page = open_page(serve(night))
    wait_for_words(page, "#connection", "live")
    page.locator("#tab-story").click()
    assert page.url.endswith("/#story")
    night.run("do", "> Rain.")
    wait_for_words(page, "#story .fiction", "Rain.")
    page.reload()
    assert page.locator("#story").is_visible()
    assert shown(page) == "4.7"


def test_malformed_address_keeps_the_page_live(night: Folder, serve: Serve, open_page: Open) -> None:
    page = open_page(f"{serve(night)}#e%E0%A4%A")
    wait_for_words(page, "#connection", "live")
    assert page.behaviour.faults == []


def test_ledger_overwritten_with_other_bytes_is_said(night: Folder, serve: Serve, open_page: Open) -> None:
    page = open_page(serve(night))
    wait_for_words(page, "#connection", "live")
    content = night.bytes
    night.ledger.write_bytes(b"rain on the slates " * 1000)
    wait_for_words(page, "#connection", "The ledger cannot be read now.")
    night.ledger.write_bytes(content)
    wait_for_words(page, "#connection", "live")
    night.run("do", "> Dawn")
    wait_for_words(page, "#entry .id", "4.7")


def test_focus_stays_when_a_line_arrives(night: Folder, serve: Serve, open_page: Open) -> None:
    page = open_page(serve(night))
    wait_for_words(page, "#connection", "live")
    page.locator("#state .level").first.focus()
    night.run("do", "k sneak v4")
    wait_for_words(page, "#entry .id", "4.7")
    assert page.evaluate("document.activeElement.matches('#state .level')")


def test_emoji_arrives_while_somebody_watches_the_campaign(night: Folder, serve: Serve, open_page: Open) -> None:
    link = serve(night)
    page = open_page(link)
    wait_for_words(page, "#connection", "live")
    with urllib.request.urlopen(f"{link}campaign/events?since=x", timeout=30) as watched:
        assert watched.readline()
        for number, line in enumerate(("> a dragon \U0001f409", "> a lamp \U0001fa94"), 7):
            night.run("do", line)
            wait_for_words(page, "#entry .id", f"4.{number}")
            assert page.locator("#entry .line").inner_text() == line[2:]
