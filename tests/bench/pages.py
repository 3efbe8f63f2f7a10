"""Pages for a browser: what they weigh, what it takes to make them, and when a browser has them ready."""

from __future__ import annotations

import gzip
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path
from shutil import which
from statistics import median
from time import process_time
from typing import Any

from cli.questions.players_ledger import store_for
from cli.web.pages.campaign_content import campaign_content
from cli.web.pages.campaign_page import campaign_html
from cli.web.pages.page import page_html
from cli.web.pages.session_draft import session_page
from ledger.dice import fixed_seed
from tests.bench.play import GAME, declared, fresh, hasty
from tests.cli.browser.conftest import WIDE, missing
from tests.cli.browser.cost import floor_of, opening_seconds

ENTRIES = 400  # of the session whose page is made
SESSIONS = 300  # of the campaign
SHORT = 10  # entries of each of its other sessions
LOADS = 5
READY = "performance.getEntriesByType('navigation')[0].loadEventEnd"


def pages(folder: Path) -> list[str]:
    """Measure the pages of a long session and of a long campaign, for the players; return remarks."""
    ledger, chance = fresh(folder / "pages"), random.Random(4)
    hasty(ledger.store)
    for number in range(SESSIONS):
        day = (date(2020, 1, 1) + timedelta(days=7 * number)).isoformat()
        if number:
            ledger.close_session(at=day)
            ledger.open_session(f"Evening {number + 1}", at=day, seed=fixed_seed(f"pages {number}"))
        for _ in range(SHORT if number else ENTRIES):
            declared(ledger, chance)
    view = store_for(ledger.store, GAME, "players")
    made: dict[str, Callable[[], str]] = {
        f"a session of {ENTRIES} entries": lambda: page_html(
            session_page(view, 1, as_of=None, book=GAME, role="players")
        ),
        f"a campaign of {SESSIONS} sessions": lambda: campaign_html(
            campaign_content(view, as_of=None, book=GAME, role="players")
        ),
    }
    remarks = []
    for name, make in made.items():
        start = process_time()
        text = make()
        seconds = process_time() - start
        file = folder / f"{len(remarks)}.html"
        file.write_text(text, encoding="utf-8")
        weight, packed = len(text.encode()) / 1000, len(gzip.compress(text.encode())) / 1000
        size = f"{weight:,.0f} kB ({packed:,.0f} packed)"
        remarks.append(f"The page of {name}: {size}, made in {seconds:.2f} s of processor time, {ready(file)}")
    ledger.store.close()
    return remarks


def ready(file: Path) -> str:
    """Return how long a browser takes until a page can be used, and the processor time beside that of its floor."""
    if lack := missing():
        return f"not opened ({lack})"
    times = []
    with chromium() as browser:
        for _ in range(LOADS):
            page = browser.new_page()
            page.goto(file.as_uri())
            times.append(page.evaluate(READY))
            page.close()
        own, floor = (opening_seconds(browser, each, WIDE) for each in (file, floor_of(file)))
    share = f"{own / floor:.2f} times that of its bare text"
    return f"ready in {median(times):.0f} ms in Chromium, {1000 * own:.0f} ms of processor time ({share})"


@contextmanager
def chromium() -> Iterator[Any]:
    """Yield a browser without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        options = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        browser = playwright.chromium.launch(executable_path=which("chromium"), args=options)
        yield browser
        browser.close()
