"""Killed and concurrent writers: no acknowledged record is lost, no other appears."""

from __future__ import annotations

import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

import ledger as package
from ledger import sqlite_store as sqlite
from ledger.facts import PointsSpent
from tests.budget import BUDGET
from tests.ledger.strategies import bytes_of, create_ledger, findings_of

ROOT = Path(package.__file__).parent.parent
KILLS = BUDGET.examples(2, 200)

PLAYER = """
import sys
from pathlib import Path
from ledger import sqlite_store as sqlite
from ledger.seeds import SeedFiles
from tests.ledger.coin import Coin, Coins, Flip
from ledger.service import Ledger

path, who, count, run = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4]
store = sqlite.open_store(path, write=True)
ledger = Ledger(store, Coin(), Coins(), SeedFiles(path.parent))
print("ready", flush=True)
sys.stdin.readline()
for n in range(count):
    record = ledger.declare(Flip(by=who), at="now", line=f"{who} flips {n}", request=f"{who} {run} {n}")
    print(record.position, record.id, flush=True)
"""

CORRECTOR = """
import sys
from pathlib import Path
from ledger import sqlite_store as sqlite
from ledger.corrections.correction import write_correction
from ledger.corrections.undo import plan_undo
from ledger.errors import Overtaken
from ledger.seeds import SeedFiles
from tests.ledger.coin import Coin, Coins
from ledger.service import Ledger

path = Path(sys.argv[1])
store = sqlite.open_store(path, write=True)
ledger = Ledger(store, Coin(), Coins(), SeedFiles(path.parent))
correction = plan_undo(ledger, by="gm")
print("ready", flush=True)
sys.stdin.readline()
try:
    own, takes = write_correction(ledger, correction, at="now", line="undo")
    print("written", own.position, len(takes), flush=True)
except Overtaken:
    print("overtaken", flush=True)
"""


@pytest.fixture
def coins(tmp_path):
    """A ledger file, its session open with a secret seed beside it, Ana and three others with many points."""
    from ledger.seeds import SeedFiles
    from tests.ledger.coin import Purse
    from tests.ledger.strategies import AT

    path = tmp_path / "ledger.db"
    store = sqlite.create_store(path)
    ledger = create_ledger(store, points=100_000, opened=False, seeds=SeedFiles(tmp_path))
    for who in ("Bo", "Cy", "Di"):
        ledger.declare(Purse(by=who, points=1000), at=AT)
    ledger.open_session("one", at=AT)
    store.close()
    return path


def player(path, who, count, run=0):
    return started(PLAYER, str(path), who, str(count), str(run))


def started(program, *arguments):
    return subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def let_go(process):
    """Start it once it is ready."""
    assert process.stdout.readline() == "ready\n"
    process.stdin.write("go\n")
    process.stdin.flush()


def acknowledged(output):
    """Return the acknowledged records: complete lines only."""
    return re.findall(r"^(\d+) ([\d.]+)\n", output, re.MULTILINE)


def listed(path):
    """Read the ledger as the next command would: read-only, right after the kill."""
    store = sqlite.open_store(path, write=False)
    try:
        return [(str(take.position), str(take.id)) for take in store.takes()], store.head()
    finally:
        store.close()


def test_killed_writer_loses_no_acknowledged_record(coins):
    chance = random.Random(1)
    before, _ = listed(coins)
    more = Counter()
    for kill in range(KILLS):
        process = player(coins, "Ana", 100_000, run=kill)
        let_go(process)
        time.sleep(chance.uniform(0, 0.03))
        process.send_signal(signal.SIGKILL)
        output, errors = process.communicate()
        assert errors == ""
        after, head = listed(coins)
        known = [*before, *acknowledged(output)]
        assert after[: len(known)] == known
        assert head.position == len(after)
        more[len(after) - len(known)] += 1
        before = after

    assert set(more) <= {0, 1}
    assert len(before) > KILLS // 3  # they did write, also on a busy disk
    store = sqlite.open_store(coins, write=False)
    assert findings_of(store) == []
    assert (store.find_schema_mismatch(), store.find_column_mismatch()) == (None, None)
    store.close()


@pytest.mark.slow
def test_unacknowledged_request_is_not_written_twice(coins):
    """The player repeats every line with its request key after each kill."""
    chance = random.Random(2)
    for _ in range(6):
        process = player(coins, "Bo", 30)
        let_go(process)
        time.sleep(chance.uniform(0, 0.02))
        process.send_signal(signal.SIGKILL)
        process.communicate()
    process = player(coins, "Bo", 30)
    let_go(process)
    output, errors = process.communicate()
    assert (errors, len(acknowledged(output))) == ("", 30)
    store = sqlite.open_store(coins, write=False)
    said = Counter(take.request for take in store.takes() if take.request)
    assert said == {f"Bo 0 {n}": 1 for n in range(30)}
    store.close()


@pytest.mark.slow
@pytest.mark.parametrize(("players", "count"), [(2, 60), (4, 30)])
def test_concurrent_writers_lose_nothing_and_are_never_locked_out(coins, players, count):
    names = ["Ana", "Bo", "Cy", "Di"][:players]
    base = len(listed(coins)[0])
    processes = [player(coins, who, count) for who in names]
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    outputs = [process.communicate(timeout=60) for process in processes]
    assert [errors for _, errors in outputs] == [""] * players
    assert [process.returncode for process in processes] == [0] * players
    acks = [ack for output, _ in outputs for ack in acknowledged(output)]
    store = sqlite.open_store(coins, write=False)
    takes = list(store.takes())
    assert sorted(map(int, dict(acks))) == list(range(base + 1, base + players * count + 1))
    assert Counter(take.by for take in takes if take.has(PointsSpent)) == dict.fromkeys(names, count)
    assert len(bytes_of(store)) == base + players * count
    assert findings_of(store) == []
    store.close()


@pytest.mark.slow
def test_one_of_several_equal_undos_is_written(coins):
    process = player(coins, "Ana", 5)
    let_go(process)
    process.communicate()
    base = len(listed(coins)[0])
    processes = [started(CORRECTOR, str(coins)) for _ in range(3)]
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    outputs = [process.communicate(timeout=60) for process in processes]
    assert [errors for _, errors in outputs] == [""] * 3
    assert sorted(output for output, _ in outputs) == ["overtaken\n", "overtaken\n", f"written {base + 1} 1\n"]
    store = sqlite.open_store(coins, write=False)
    assert len(bytes_of(store)) == base + 2
    assert findings_of(store) == []
    store.close()
