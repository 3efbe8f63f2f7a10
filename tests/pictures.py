"""`python -m tests.pictures [SAMPLE ...]`: take the pictures of the sample campaigns, of which the README shows some.

Of each: the page of a session as it opens, with an entry chosen, on a phone in the dark, and printed; the page of the
campaign; the phone of a player at the table, where the game has a fight for it; of one also commands at a terminal.
They need what `.ci/install-browser` installs.
"""

from __future__ import annotations

import re
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import repeat
from pathlib import Path
from shutil import which
from typing import Any, Final

from playwright.sync_api import sync_playwright

from tests.cli.conftest import PROGRAM, Folder, environment
from tests.cli.evenings import prepare
from tests.cli.fights import FIGHTS
from tests.cli.picture import svg
from tests.cli.screen import Cell, Style
from tests.cli.terminal import WIDTH, Terminal
from tests.golden import CAMPAIGNS, played, samples
from tests.png import with_palette

ENTRIES: Final = {  # that is chosen: a moment of the evening
    "barrow-road": "1.15",
    "broken-archway": "1.33",
    "choir-of-glass": "1.72",
    "drowned-parish": "1.16",
    "gutter-saints": "2.44",
    "lantern-ferry": "1.42",
    "powder-tithe": "1.104",
}
WIDE: Final = {"viewport": {"width": 1120, "height": 720}, "color_scheme": "light"}
PHONE: Final = {"viewport": {"width": 390, "height": 760}, "color_scheme": "dark", "is_mobile": True}
PAPER: Final = {"viewport": {"width": 720, "height": 980}, "color_scheme": "light"}
AT_A_TERMINAL: Final = "gutter-saints"
HANDS: Final = {
    "viewport": {"width": 360, "height": 720},
    "color_scheme": "light",
    "is_mobile": True,
    "has_touch": True,
}
HOLDERS: Final = 3  # of links: two players and the game master
ODDS_AFTER: Final = 2000  # milliseconds
COMMANDS: Final = (["show", "--at", "2.44"], ["why", "2.40"])


def main() -> None:
    """Take those of the samples that are named, or of all."""
    with tempfile.TemporaryDirectory() as scratch, chromium() as browser:
        for sample in sys.argv[1:] or samples():
            folder = Folder(Path(scratch) / sample)
            played(sample, folder.path)
            take_pages(browser, sample, folder)
            take_hands(browser, sample, folder)
            if sample == AT_A_TERMINAL:
                take_terminal(browser, sample, folder)


def take_pages(browser: Any, sample: str, folder: Folder) -> None:
    """Take the pictures of the pages of a sample."""
    session, campaign, entry = folder.path / "page.html", folder.path / "campaign.html", ENTRIES[sample]
    folder.run("recap", entry.partition(".")[0], "--html", str(session))
    folder.run("recap", "--campaign", "--html", str(campaign))
    take(browser, session.as_uri(), sample, "story", WIDE)
    take(browser, f"{session.as_uri()}#e{entry}", sample, "page", WIDE)
    take(browser, session.as_uri(), sample, "phone", PHONE)
    take(browser, session.as_uri(), sample, "print", PAPER, media="print")
    take(browser, campaign.as_uri(), sample, "campaign", WIDE)


def take_terminal(browser: Any, sample: str, folder: Folder) -> None:
    """Take the picture of commands at a terminal."""
    rows, picture = folder.path / "terminal.svg", svg(list(terminal_rows(folder)), WIDTH)
    rows.write_text(picture, encoding="utf-8")
    width, height = map(int, re.findall(r'viewBox="0 0 (\d+) (\d+)"', picture)[0])
    take(browser, rows.as_uri(), sample, "terminal", {"viewport": {"width": width, "height": height}})


@contextmanager
def chromium() -> Iterator[Any]:
    """Yield a browser without a window."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=which("chromium"), args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


def take(browser: Any, address: str, sample: str, name: str, look: Mapping[str, Any], media: str = "screen") -> None:
    """Take a picture of what the window shows."""
    context = browser.new_context(reduced_motion="reduce", **look)
    page = context.new_page()
    page.emulate_media(media=media)
    page.goto(address)
    save(page, sample, name)
    context.close()


def save(page: Any, sample: str, name: str) -> None:
    """Save what a window shows as a picture of a sample."""
    file = CAMPAIGNS / sample / "pictures" / f"{name}.png"
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(with_palette(page.screenshot()))


def take_hands(browser: Any, sample: str, folder: Folder) -> None:
    """Take the picture of a phone in a fight of the sample's game, of the one in turn, who is about to attack.

    There is none of a game that has no lines of a fight: the open game has no attack to tap.
    """
    game = tomllib.loads((CAMPAIGNS / sample / "campaign.toml").read_text(encoding="utf-8"))["game"]
    if game not in FIGHTS:
        return
    evening = Folder(folder.path / "evening")
    prepare(game, evening.path)
    for line in FIGHTS[game].opening:
        evening.run("do", line)
    served = evening.start_process("serve", "--hands", "--port", "0", "--no-qr")
    try:
        links = [found[0] for _ in range(HOLDERS) if (found := re.findall(r"http://\S+", served.stdout.readline()))]
        context = browser.new_context(reduced_motion="reduce", **HANDS)
        for page in map(opened, links, repeat(context)):
            if page.evaluate("hands.state.turn.mine"):
                save(page, sample, "hands")
                return
    finally:
        served.terminate()
        served.communicate()


def opened(link: str, context: Any) -> Any:
    """Return the page of a link, on which the first attack is tapped if somebody of its holder is in turn."""
    page = context.new_page()
    page.goto(link)
    page.locator("#taps .grid button").first.wait_for()
    if page.evaluate("hands.state.turn.mine"):
        page.get_by_role("button", name="attack", exact=True).tap()
        page.locator("#taps .grid button").first.tap()
        page.locator("#draft .option").first.wait_for()
        page.wait_for_timeout(ODDS_AFTER)
    return page


def terminal_rows(folder: Folder) -> Iterator[list[Cell]]:
    """Yield the rows of a terminal: each command behind a prompt, and what it prints."""
    for arguments in COMMANDS:
        command = f"campaign {' '.join(arguments)}"
        yield [Cell(letter, Style(bold=index > 1, dim=index < 2)) for index, letter in enumerate(f"$ {command}")]
        surroundings = environment(TERM="xterm-256color", PAGER="cat")
        terminal = Terminal([str(PROGRAM), "-C", str(folder.path), *arguments], surroundings)
        assert terminal.end() == 0
        yield from terminal.display.rows[: len(terminal.display.lines())]
        yield []


if __name__ == "__main__":
    main()
