"""Test the page of a session of 400 entries in a browser: what it weighs, what it costs, and that it scrolls."""

from __future__ import annotations

import gzip
import random
from pathlib import Path
from typing import Any

import pytest

from cli.questions.players_ledger import store_for
from cli.web.pages.page import page_html
from cli.web.pages.session_draft import session_page
from tests.bench.play import GAME, declared, fresh, hasty
from tests.cli.browser.conftest import NARROW, WIDE, Open
from tests.cli.browser.cost import TWO_FRAMES, floor_of, opening_seconds


@pytest.fixture(scope="module")
def long_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a session of 400 entries that goes on: it opens at its lines."""
    folder = tmp_path_factory.mktemp("long")
    ledger, chance = fresh(folder / "long"), random.Random(4)
    hasty(ledger.store)
    for _ in range(400):
        declared(ledger, chance)
    view = store_for(ledger.store, GAME, "players")
    text = page_html(session_page(view, 1, as_of=None, book=GAME, role="players"))
    ledger.store.close()
    (folder / "long.html").write_text(text, encoding="utf-8")
    return folder / "long.html"


def test_page_of_400_entries_is_light(long_page: Path) -> None:
    assert len(gzip.compress(long_page.read_bytes())) <= 78_000  # of the 80,000 that it may weigh


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_page_of_400_entries_opens_soon(size: Any, long_page: Path, chromium: Any) -> None:
    """The whole page, drawn, costs about as much as its text alone, laid out from end to end; 1.9 times before."""
    own = opening_seconds(chromium, long_page, size)
    assert own <= 0.5
    assert own <= 1.4 * opening_seconds(chromium, floor_of(long_page), size)


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_line_that_was_never_drawn_is_scrolled_to(size: Any, long_page: Path, open_page: Open) -> None:
    page = open_page(f"{long_page.as_uri()}#e1.200/lines", size=size)
    page.locator("#tab-lines").click()
    for number in ("10", "390", "150", "151", "300"):
        page.locator("#scrubber").fill(number)
        page.evaluate(TWO_FRAMES)
        page.evaluate(TWO_FRAMES)  # what is off the screen no more is laid out a frame later
        box = page.locator("li.entry.current").bounding_box()
        assert 0 <= box["y"] <= size["height"] - box["height"]
