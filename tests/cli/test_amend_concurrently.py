"""`campaign amend` beside other writers, and killed: corrections are written whole or not at all."""

from __future__ import annotations

import json
import random
import signal
import time

import pytest

from ledger.corrections import amend
from ledger.corrections import correction as plan
from ledger.sqlite_store import open_store
from tests.cli.conftest import Folder, one_error

pytestmark = pytest.mark.slow

LINES = (
    "k sneak v5 /3.4",
    "close",
    "o climb v4 /9.2",
    "k leap v6 /5.3",
    "k destiny reroll /9.9",
    "close",
    "# the quay",
)
KILLS = 15
SCENES = 150


def evening(folder: Folder) -> None:
    for line in LINES:
        folder.run("do", line)


def takes(folder: Folder) -> list[dict]:
    return [json.loads(line) for line in folder.run("log", "--takes", "--json").splitlines()]


def test_amend_is_refused_if_the_ledger_moved_after_preview(folder, monkeypatch):
    """Another process declares a line after the preview."""
    evening(folder)
    real = plan.write_correction

    def late(*arguments, **more):
        assert folder.run_process("do", "o lift v3 /8.8").returncode == 0
        return real(*arguments, **more)

    monkeypatch.setattr("cli.play.settlement.write_correction", late)
    before = len(takes(folder))
    done = folder.invoke("amend", "1.1", "v4", "--because", "so", "--retcon")
    assert done.exit_code == 1
    assert "\n1.1   amended: " in done.stdout  # the preview was shown; it is not what would be written now
    assert "moved on" in done.stderr
    assert [line["facts"][0]["line"] for line in takes(folder)][before:] == ["o lift v3 /8.8"]
    monkeypatch.undo()
    folder.run("amend", "1.1", "v4", "--because", "so", "--retcon")
    folder.run("verify")
    folder.run("replay")


def test_every_outcome_is_refused_if_the_ledger_moved_on(folder, monkeypatch):
    evening(folder)
    real = amend.plan_amendment

    def late(*arguments, **more):
        found = real(*arguments, **more)
        assert folder.run_process("do", "# meanwhile").returncode == 0
        return found

    monkeypatch.setattr("cli.commands.amend.plan_amendment", late)
    for number, outcome in enumerate(("--retcon", "--stand", "--compensate"), 1):
        error = folder.invoke("amend", "1.1", "v4", "--because", "so", outcome)
        assert error.exit_code == 1
        assert "moved on" in error.stderr, error.stderr
        assert sum(take["facts"][0]["line"] == "# meanwhile" for take in takes(folder)) == number
    assert not any(fact["fact"] == "amended" for take in takes(folder) for fact in take["facts"])
    folder.run("verify")


def test_concurrent_amend_and_run_write_whole_corrections(folder):
    evening(folder)
    path = str(folder.file("more.session", "".join(f"# scene {n}\n" for n in range(SCENES))))
    declaring = folder.start_process("run", path)
    written = moved = 0
    while declaring.poll() is None or not written:
        amending = folder.run_process("amend", "1.1", f"v{4 + (written + moved) % 3}", "--because", "so", "--retcon")
        assert amending.returncode in (0, 1), amending.stderr
        assert "Traceback" not in amending.stderr + amending.stdout
        assert "locked" not in amending.stderr
        written += amending.returncode == 0
        moved += amending.returncode == 1 and "moved on" in amending.stderr
        assert amending.returncode == 0 or "moved on" in amending.stderr
    declaring.communicate()
    assert declaring.returncode == 0
    found = takes(folder)
    assert [take["facts"][0]["line"] for take in found if take["facts"][0]["line"].startswith("# scene")] == [
        f"# scene {n}" for n in range(SCENES)
    ]
    whole(folder)
    assert sum(any(fact["fact"] == "amended" for fact in take["facts"]) for take in found) == written


def whole(folder: Folder) -> None:
    """Check that every correction is followed by all of its takes, and that verify and replay agree."""
    store = open_store(folder.ledger, write=False)
    records = sorted(store.takes(), key=lambda record: record.position)
    for number, record in enumerate(records):
        if record.cause is None:
            own = number
        assert record.cause is None or record.cause == str(records[own].id)
    store.close()
    folder.run("verify")
    folder.run("replay")


def test_killed_amend_is_written_whole_or_not_at_all(folder):
    evening(folder)
    chance = random.Random(4)
    open_folder = time.monotonic()
    assert folder.run_process("amend", "1.1", "v4", "--because", "so", "--retcon").returncode == 0
    usual = time.monotonic() - open_folder
    killed = 0
    for turn in range(KILLS):
        process = folder.start_process("amend", "1.1", f"v{5 + turn % 2}", "--because", "so", "--retcon")
        time.sleep(chance.uniform(0.4, 1.1) * usual)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        killed += process.returncode == -signal.SIGKILL
        amended = [take for take in takes(folder) if (take["session"], take["number"]) == (1, 1)][-1]
        closed = [take for take in takes(folder) if (take["session"], take["number"]) == (1, 2)][-1]
        assert amended["cause"] == closed["cause"]  # the close of the roll follows with it
    assert killed
    whole(folder)
    folder.run("do", "# and on it goes")
    assert not list(folder.path.glob("ledger.db-*"))


def test_same_request_corrects_once(folder):
    evening(folder)
    once = folder.run("do", '~ 1 v4 because="so" retcon', "--request", "phone-1")
    before = folder.bytes
    assert folder.run("do", '~ 1 v4 because="so" retcon', "--request", "phone-1") == once
    assert folder.bytes == before
    assert one_error(folder.invoke("do", "~ 1 v5 retcon", "--request", "phone-1"), 1).startswith("L-REQUEST")
