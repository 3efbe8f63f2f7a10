"""`python -m tests.pictures`: take the pictures of a sample campaign that the README shows.

They are the page of a session, wide and light and as a phone in the dark shows it, and commands at a terminal. They
need what `.ci/install-browser` installs.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from shutil import which
from typing import Any, Final

from playwright.sync_api import sync_playwright

from tests.cli.conftest import PROGRAM, Folder, environment
from tests.cli.picture import svg
from tests.cli.screen import Cell, Style
from tests.cli.terminal import WIDTH, Terminal
from tests.golden import CAMPAIGNS, played

SAMPLE: Final = "gutter-saints"
SESSION, ENTRY = "2", "2.44"
PICTURES: Final = CAMPAIGNS / SAMPLE / "pictures"
WIDE: Final = {"viewport": {"width": 1120, "height": 720}, "color_scheme": "light"}
PHONE: Final = {"viewport": {"width": 390, "height": 760}, "color_scheme": "dark", "is_mobile": True}
COMMANDS: Final = (["show", "--at", ENTRY], ["why", "2.40"])


def main() -> None:
    """Take all."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        folder, page, rows = Folder(Path(scratch) / SAMPLE), Path(scratch) / "page.html", Path(scratch) / "terminal.svg"
        played(SAMPLE, folder.path)
        folder.run("recap", SESSION, "--html", str(page))
        picture = svg(list(terminal_rows(folder)), WIDTH)
        rows.write_text(picture, encoding="utf-8")
        width, height = map(int, re.findall(r'viewBox="0 0 (\d+) (\d+)"', picture)[0])
        with chromium() as browser:
            take(browser, f"{page.as_uri()}#e{ENTRY}", "page.png", WIDE)
            take(browser, f"{page.as_uri()}#e{ENTRY}", "phone.png", PHONE)
            take(browser, rows.as_uri(), "terminal.png", {"viewport": {"width": width, "height": height}})


@contextmanager
def chromium() -> Iterator[Any]:
    """Yield a browser without a window."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=which("chromium"), args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


def take(browser: Any, address: str, name: str, look: Mapping[str, Any]) -> None:
    """Take a picture of what the window shows."""
    context = browser.new_context(reduced_motion="reduce", **look)
    page = context.new_page()
    page.goto(address)
    page.screenshot(path=str(PICTURES / name))
    context.close()


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
