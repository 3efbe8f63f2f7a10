"""`campaign serve`: what two hundred watchers cost a declaration, and how long a line is on its way to them."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from time import monotonic, perf_counter, process_time, sleep, time
from urllib.parse import urlsplit

from cli.commands.serve import LIBRARIES
from ledger.service import Ledger
from projections.state import State
from tests.bench.commands import CAMPAIGN
from tests.bench.pages import chromium
from tests.bench.play import again, declared, fresh, hasty
from tests.bench.timer import Figure, figure
from tests.cli.browser.conftest import missing

WATCHERS = 200
ENTRIES = 400  # of the session that is watched
NOBODY = "declare, nobody watches"
MANY = f"declare, {WATCHERS} watch"
NOTE_ENTRIES = """() => {
    window.shown = {};
    const note = () => { window.shown[document.querySelector('#entry .id')?.textContent] ??= Date.now(); };
    new MutationObserver(note).observe(document.getElementById('entry'), {childList: true});
}"""
PAUSE = 0.2  # seconds between two declarations that nobody watches, as long as the others wait for their watchers


class Crowd:
    """A server of a campaign, and a process that watches its page."""

    def __init__(self, link: str, watchers: subprocess.Popen[str]) -> None:
        self.link, self.watchers = link, watchers

    def watch(self, number: int) -> None:
        """Have so many watch."""
        assert self.watchers.stdin is not None
        self.watchers.stdin.write(f"{number}\n")
        self.watchers.stdin.flush()
        assert self.read() == "ready"

    def read(self) -> str:
        """Return the next line of the watchers."""
        assert self.watchers.stdout is not None
        return self.watchers.stdout.readline().strip()


def missing_extra() -> str:
    """Return what `serve` lacks here; nothing when its libraries are there."""
    return "" if all(map(find_spec, LIBRARIES)) else 'pip install -e ".[serve]"'


@contextmanager
def crowd(folder: Path, environment: Mapping[str, str]) -> Iterator[Crowd]:
    """Serve a campaign and start its watchers."""
    words = [str(CAMPAIGN), "-C", str(folder), "serve", "--port", "0"]
    quiet = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    with subprocess.Popen(words, env=environment, **quiet) as server:
        assert server.stdout is not None
        link = server.stdout.readline().split()[-1]
        address = urlsplit(link)
        words = [sys.executable, "-m", "tests.bench.watchers", str(address.hostname), str(address.port), "/events"]
        try:
            with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as watchers:
                try:
                    yield Crowd(link, watchers)
                finally:
                    watchers.communicate(timeout=10)
        finally:
            server.terminate()


def watched(folder: Path, rounds: int, each: int, environment: Mapping[str, str]) -> tuple[list[Figure], str]:
    """Measure declarations with and without watchers; return the figures, and the delay to the last watcher.

    Without the extra `serve` there are no figures, and a word instead.
    """
    if lack := missing_extra():
        return [], f"Watchers were left out: {lack}"
    ledger = fresh(folder / "watched")
    chance = random.Random(3)
    hasty(ledger.store)
    for _ in range(ENTRIES):
        declared(ledger, chance)
    ledger.store.connection.execute("PRAGMA synchronous = EXTRA")
    ledger.store.connection.execute("PRAGMA journal_mode = DELETE")
    wall: dict[str, list[float]] = {NOBODY: [], MANY: []}
    processor: dict[str, list[float]] = {NOBODY: [], MANY: []}
    delays: list[float] = []
    with crowd(folder / "watched", environment) as watching:
        for _ in range(rounds):
            for name, number in ((NOBODY, 0), (MANY, WATCHERS)):
                watching.watch(number)
                on_the_wall, of_the_processor = declarations(ledger, chance, each, watching if number else None, delays)
                wall[name].append(on_the_wall)
                processor[name].append(of_the_processor)
    ledger.store.close()
    figures = [
        figure(MANY, seconds, MANY, NOBODY, f"ms {clock}", scale=1000 / each)
        for clock, seconds in (("wall", wall), ("CPU", processor))
    ]
    last = f"{1000 * median(delays):.0f} ms from the append to the last of {WATCHERS} watchers"
    return figures, f"{last} (at most {1000 * max(delays):.0f}), in a session of {ENTRIES} entries"


def declarations(
    ledger: Ledger[State], chance: random.Random, each: int, watching: Crowd | None, delays: list[float]
) -> tuple[float, float]:
    """Make declarations, one when the one before is on all screens; return their wall and processor seconds."""
    wall = processor = 0.0
    for _ in range(each):
        start, used = perf_counter(), process_time()
        declared(ledger, chance)
        wall, processor = wall + perf_counter() - start, processor + process_time() - used
        appended = monotonic()
        if watching is None:
            sleep(PAUSE)
        else:
            delays.append(float(watching.read()) - appended)
    return wall, processor


def on_screen(folder: Path, each: int, environment: Mapping[str, str]) -> str:
    """Return how long a line is on its way from the append to the screen of a browser."""
    if lack := missing_extra() or missing():
        return f"The delay to a screen was not measured ({lack})"
    ledger, chance, delays = again(folder), random.Random(5), list[float]()
    with crowd(folder, environment) as serving, chromium() as browser:
        page = browser.new_page()
        page.goto(serving.link)
        page.evaluate(NOTE_ENTRIES)
        page.locator("#connection", has_text="live").wait_for()
        for _ in range(each):
            entry = str(declared(ledger, chance).id)
            appended = time()
            page.locator("#entry .id", has_text=re.compile(f"^{re.escape(entry)}$")).wait_for()
            delays.append(page.evaluate("id => window.shown[id]", entry) - 1000 * appended)
    ledger.store.close()
    return f"{median(delays):.0f} ms from the append to the screen of a browser (at most {max(delays):.0f})"
