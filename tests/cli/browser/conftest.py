"""Fixtures: Debian's Chromium without a window, driven by Playwright; the tests are skipped where it is missing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import Any, Final

import pytest

from tests.cli.browser.checkers import AXE, VALIDATOR, Behaviour

WIDE: Final = {"width": 1280, "height": 900}
NARROW: Final = {"width": 360, "height": 740}
SLOWEST: Final = 30_000  # milliseconds that anything may take
Open = Callable[..., Any]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark everything here as slow."""
    for item in items:
        if item.nodeid.startswith("tests/cli/browser/"):  # the folder: to compare paths takes twenty times as long
            item.add_marker(pytest.mark.slow)


def missing() -> str:
    """Return what the tests in a browser lack here; nothing when all is there."""
    if which("chromium") is None:
        return "Chromium is missing: .ci/install-browser"
    if find_spec("playwright") is None:
        return 'Playwright is missing: pip install -e ".[browser]"'
    if which("node") is None or not AXE.exists() or not VALIDATOR.exists():
        return "axe-core and html-validate are missing: .ci/install-browser"
    return ""


@pytest.fixture(scope="package")
def installed() -> None:
    """Skip the test where the tests in a browser lack something."""
    if lack := missing():
        pytest.skip(lack)


@pytest.fixture(scope="package")  # it has a loop that runs: other tests that need one come after its end
def chromium(installed: None) -> Iterator[Any]:
    """Yield a browser without a window. It runs as root in CI, where its own sandbox cannot work."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        options = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        browser = playwright.chromium.launch(executable_path=which("chromium"), args=options)
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium: Any) -> Iterator[Open]:
    """Yield a function that opens an address or a file in a page of its own, with `behaviour` noted."""
    contexts: list[Any] = []

    def open_in(where: str | Path, *, size: Any = WIDE, dark: bool = False, **more: Any) -> Any:
        scheme = "dark" if dark else "light"
        context = chromium.new_context(viewport=size, color_scheme=scheme, reduced_motion="reduce", **more)
        context.set_default_timeout(SLOWEST)
        contexts.append(context)
        page = context.new_page()
        page.behaviour = Behaviour(page)
        page.goto(where.absolute().as_uri() if isinstance(where, Path) else where)
        return page

    yield open_in
    for context in contexts:
        context.close()
