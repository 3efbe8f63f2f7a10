"""`campaign serve`: what two hundred watchers cost a declaration, and how long a line is on its way to them."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import tempfile
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
from tests.bench.commands import CAMPAIGN, surroundings
from tests.bench.pages import chromium
from tests.bench.play import again, declared, fresh, hasty
from tests.bench.timer import Figure, figure, table
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
PAUSE = 0.4  # seconds between two declarations, watched or not: the watchers have the change long before the next
ROUNDS = 5  # at least


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
            # the watchers stand for other machines: they take no processor time from this one
            words = ["nice", "-n", "19", *words]
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
    loads = [os.getloadavg()[0]]
    with crowd(folder / "watched", environment) as watching:
        for turn in range(max(rounds, ROUNDS)):
            sides = ((NOBODY, 0), (MANY, WATCHERS))
            for name, number in sides if turn % 2 else sides[::-1]:
                watching.watch(number)
                times = list(declarations(ledger, chance, each, watching if number else None, delays))
                wall[name].append(median(on_the_wall for on_the_wall, _ in times))
                processor[name].append(median(used for _, used in times))
    ledger.store.close()
    figures = [
        figure(MANY, seconds, MANY, NOBODY, f"ms {clock}", scale=1000)
        for clock, seconds in (("wall", wall), ("CPU", processor))
    ]
    loads.append(os.getloadavg()[0])
    last = f"{1000 * median(delays):.0f} ms from the append to the last of {WATCHERS} watchers"
    load = f"load {loads[0]:.1f} before, {loads[1]:.1f} after, on {os.cpu_count()} processors"
    return figures, f"{last} (at most {1000 * max(delays):.0f}), in a session of {ENTRIES} entries; {load}"


def declarations(
    ledger: Ledger[State], chance: random.Random, each: int, watching: Crowd | None, delays: list[float]
) -> Iterator[tuple[float, float]]:
    """Make declarations at an even pace, and yield the wall and processor seconds of each in this process."""
    for _ in range(each):
        begin = monotonic()
        start, used = perf_counter(), process_time()
        declared(ledger, chance)
        yield perf_counter() - start, process_time() - used
        appended = monotonic()
        if watching is not None:
            delays.append(float(watching.read()) - appended)
        sleep(max(0.0, begin + PAUSE - monotonic()))


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


def main() -> None:
    """`python -m tests.bench.serve`: these figures alone."""
    with tempfile.TemporaryDirectory(prefix="campaign-bench-") as name:
        folder = Path(name)
        environment = surroundings(folder)
        figures, delay = watched(folder, ROUNDS, 10, environment)
        print("\n".join([*table(figures), delay, on_screen(folder / "watched", 10, environment)]))


if __name__ == "__main__":
    main()
