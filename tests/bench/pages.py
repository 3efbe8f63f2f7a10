"""Pages for a browser: how heavy they are, how long they take to write and until they are ready, and to show a line."""

from __future__ import annotations

import gzip
import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from shutil import which
from statistics import median
from time import perf_counter
from typing import Any

from ledger.dice import fixed_seed
from tests.bench.commands import CAMPAIGN, Command
from tests.bench.play import AT, again, declared, fresh, hasty
from tests.bench.serve import ENTRIES, crowd
from tests.cli.browser.conftest import missing

READY = "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"
LOADS = 5


def pages(folder: Path, sessions: int, each: int, environment: Mapping[str, str]) -> list[str]:
    """Measure the pages of a long session and of a campaign of so many sessions; `watched` has made the session."""
    long_campaign(folder / "sessions", sessions, each)
    session, campaign = folder / "session.html", folder / "campaign.html"
    written = {
        f"a session of {ENTRIES} entries": (session, folder / "watched", ["--html"]),
        f"a campaign of {sessions} sessions": (campaign, folder / "sessions", ["--campaign", "--html"]),
        f"the last of {sessions} sessions": (folder / "last.html", folder / "sessions", ["--html"]),
    }
    if lack := missing():
        return [lack]
    lines = []
    with chromium() as browser:
        for what, (file, where, options) in written.items():
            words = (str(CAMPAIGN), "recap", *options, str(file))
            _, processor = Command(words, where, environment).spent()
            weight, packed = len(file.read_bytes()), len(gzip.compress(file.read_bytes()))
            ready = median(ready_after(browser, file) for _ in range(LOADS))
            lines.append(
                f"The page of {what}: {weight / 1000:,.0f} kB ({packed / 1000:,.0f} packed), written in"
                f" {processor:.1f} s of the processor, ready {ready:,.0f} ms after it is opened"
            )
        lines.append(on_screen(browser, folder / "watched", each, environment))
    return lines


def long_campaign(folder: Path, sessions: int, each: int) -> None:
    """Build a campaign of so many sessions with so many entries each."""
    ledger, chance = fresh(folder), random.Random(4)
    hasty(ledger.store)
    for number in range(sessions):
        for _ in range(each):
            declared(ledger, chance)
        if number + 1 < sessions:
            ledger.close_session(at=AT)
            ledger.open_session(f"evening {number + 2}", at=AT, seed=fixed_seed(f"bench {number}"))
    ledger.store.close()


@contextmanager
def chromium() -> Iterator[Any]:
    """Yield a browser without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        options = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        browser = playwright.chromium.launch(executable_path=which("chromium"), args=options)
        yield browser
        browser.close()


def ready_after(browser: Any, file: Path) -> float:
    """Return the milliseconds from opening a page until its script has drawn it."""
    page = browser.new_page()
    page.goto(file.as_uri())
    ready: float = page.evaluate(READY)
    page.close()
    return ready


def on_screen(browser: Any, folder: Path, each: int, environment: Mapping[str, str]) -> str:
    """Return how long a line is on its way from the append to the screen of a browser."""
    ledger, chance = again(folder), random.Random(5)
    delays = []
    with crowd(folder, environment) as serving:
        page = browser.new_page()
        page.goto(serving.link)
        page.wait_for_function("document.getElementById('connection').textContent === 'live'")
        for _ in range(each):
            entry = str(declared(ledger, chance).id)
            start = perf_counter()
            page.wait_for_function("id => document.querySelector('#entry .id').textContent === id", arg=entry)
            delays.append(1000 * (perf_counter() - start))
        page.close()
    ledger.store.close()
    return f"{median(delays):.0f} ms from the append to the screen of a browser (at most {max(delays):.0f})"
