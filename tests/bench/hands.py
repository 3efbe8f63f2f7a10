"""`python -m tests.bench.hands`: how long a line is on its way from a phone to all, and how many lines are taken.

Fifty phones listen beside two hundred watchers of the page; then ten players say ten lines a second each, for a minute.
At the end: what a line costs, and what a bare append.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from itertools import count, islice
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

from cli.context import CampaignContext
from cli.play.declare import parse_now
from cli.questions.ledger_file import LEDGER_FILE
from cli.table.answers import Taken, TypedLine
from cli.table.line_writer import LineWriter
from cli.table.seats import Seat
from cli.table.table import TOGETHER_MOST
from cli.web.client import Client
from ledger.seeds import SeedFiles
from ledger.service import Ledger
from ledger.sqlite_store import create_store, open_store
from projections.projection import StateProjection
from rulebooks import load_game
from tests.bench.commands import CAMPAIGN, surroundings
from tests.bench.play import AT

SHEET = Path(__file__).parent.parent.parent / "campaigns" / "broken-archway" / "cast" / "brynn.toml"
LINE = 'check agi "the wet ledge"'
PLAYERS = [f"Player {letter}" for letter in "ABCDEFGHIJ"]
PHONES, WATCHERS = 50, 200
TAPS = 30
ROUNDS = 20  # of the processor times
PACE = 0.1  # seconds between two lines of a player


def ten_players(folder: Path) -> None:
    """Make a campaign of ten players, with its first session open."""
    folder.mkdir(parents=True)
    game, store = load_game("momentum"), create_store(folder / LEDGER_FILE, StateProjection.read_models)
    ledger = Ledger(store, game, StateProjection(), SeedFiles(folder))
    ledger.create("Hands", at=AT)
    sheet = tomllib.loads(SHEET.read_text(encoding="utf-8"))
    for player in PLAYERS:
        ledger.declare(game.sheet(sheet | {"name": f"Hero {player[-1]}", "player": player}, "sheet.toml"), at=AT)
    ledger.open_session("one", at=AT, players=tuple(PLAYERS))
    store.close()


@contextmanager
def served(folder: Path, environment: Mapping[str, str]) -> Iterator[tuple[dict[str, str], str]]:
    """Serve a campaign; yield the link of each player and that of the page."""
    words = [str(CAMPAIGN), "-C", str(folder), "serve", "--hands", "--port", "0", "--no-qr"]
    with subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            lines = [server.stdout.readline() for _ in range(len(PLAYERS) + 2)]
            links = dict(re.findall(r"(.+?): (http\S+)", "".join(lines)))
            yield {player: links[player] for player in PLAYERS}, links["Who watches"]
        finally:
            server.terminate()


@contextmanager
def listening(link: str, path: str, number: int, tokens: list[str]) -> Iterator[subprocess.Popen[str]]:
    """Have so many listen to a path, in a process of their own."""
    address = urlsplit(link)
    # they stand for other machines: they take no processor time from this one
    words = ["nice", "-n", "19", sys.executable, "-m", "tests.bench.watchers"]
    words += [str(address.hostname), str(address.port), path, *tokens]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as listeners:
        assert listeners.stdin is not None
        assert listeners.stdout is not None
        listeners.stdin.write(f"{number}\n")
        listeners.stdin.flush()
        assert listeners.stdout.readline().strip() == "ready"
        try:
            yield listeners
        finally:
            listeners.kill()


def token_of(link: str) -> str:
    """Return the token of a link."""
    return urlsplit(link).fragment.removeprefix("t=")


def delays(links: Mapping[str, str], page: str) -> list[float]:
    """Return the seconds from a tap until all phones have heard of it, while the page is watched."""
    tokens = [token_of(link) for link in links.values()]
    found = list[float]()
    clients = [Client(link) for link in links.values()]
    after = clients[0].get("state")["position"]
    with ExitStack() as stack:
        stack.enter_context(listening(page, f"{urlsplit(page).path}events", WATCHERS, [token_of(page)]))
        phones = stack.enter_context(listening(page, f"/events?after={after}", PHONES, tokens))
        assert phones.stdout is not None
        for tap in range(TAPS):
            begin = time.monotonic()
            answer = clients[tap % len(clients)].say(LINE)
            assert answer["status"] == "taken", answer
            found.append(float(phones.stdout.readline()) - begin)
            time.sleep(0.4)
    return found


def evening(link: str, seconds: int) -> list[tuple[str, float]]:
    """Say ten lines a second; return the entry of each, and after how many seconds it was answered."""
    client, answers, begin = Client(link), list[tuple[str, float]](), time.monotonic()
    for number in range(int(seconds / PACE)):
        time.sleep(max(0.0, begin + number * PACE - time.monotonic()))
        sent = time.monotonic()
        answer = client.say(LINE)
        assert answer["status"] == "taken", answer
        answers.append((answer["entry"], time.monotonic() - sent))
    return answers


def crowded(links: Mapping[str, str], folder: Path, seconds: int) -> str:
    """Return how ten players who say ten lines a second each were answered."""
    begin = time.monotonic()
    with ThreadPoolExecutor(len(links)) as threads:
        said = [
            answer for answers in threads.map(lambda link: evening(link, seconds), links.values()) for answer in answers
        ]
    took = time.monotonic() - begin
    store = open_store(folder / LEDGER_FILE, write=False)
    taken = [str(record.id) for record in store.records() if record.door == "page"][-len(said) :]
    store.close()
    lost, doubled = {entry for entry, _ in said} - set(taken), len(taken) - len(set(taken))
    times = sorted(1000 * each for _, each in said)
    middle, high = median(times), times[len(times) * 99 // 100]
    lines = f"{len(said)} lines of {len(links)} players in {took:.0f} s: {len(lost)} lost, {doubled} doubled"
    return f"{lines}; answered after {middle:.0f} ms, 99 of 100 within {high:.0f}, at most {times[-1]:.0f}"


def costs(folder: Path) -> str:
    """Return the processor time of a line where sixteen come together, and of as many bare appends beside it."""
    writer = LineWriter(CampaignContext(folder, None))
    seats, ledger = [Seat("player", player) for player in PLAYERS], writer.ledger
    numbers, said, bare = count(), list[float](), list[float]()

    def say() -> None:
        lines = [
            (seats[n % len(seats)], TypedLine(line=LINE, key=f"cost-{n:08d}")) for n in islice(numbers, TOGETHER_MOST)
        ]
        assert all(isinstance(answer, Taken) for answer in writer.say_each(lines))

    def append() -> None:
        declaration = parse_now(f'"Hero A" {LINE}', ledger, writer.book)[0].declaration
        with ledger.batch():
            for _ in range(TOGETHER_MOST):
                ledger.declare(declaration, at=AT, line=LINE)

    for _ in range(ROUNDS):
        for times, work in ((said, say), (bare, append)):
            begin = time.process_time()
            work()
            times.append(1000 * (time.process_time() - begin) / TOGETHER_MOST)
    writer.context.close()
    line, floor = median(said), median(bare)
    return f"{line:.1f} ms of processor time a line, {floor:.1f} for a bare append: {line / floor:.1f} times as much"


def main() -> None:
    """Print these figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=int, default=60)
    seconds = parser.parse_args().seconds
    with tempfile.TemporaryDirectory(prefix="campaign-bench-") as name:
        folder = Path(name) / "hands"
        ten_players(folder)
        with served(folder, surroundings(Path(name))) as (links, page):
            found = delays(links, page)
            print(
                f"{1000 * median(found):.0f} ms from a tap to the last of {PHONES} phones, beside {WATCHERS} watchers"
                f" (at most {1000 * max(found):.0f})"
            )
            print(crowded(links, folder, seconds))
        print(costs(folder))


if __name__ == "__main__":
    main()
