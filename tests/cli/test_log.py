"""`campaign log`."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from tests.cli.commands import RECORD, heads, records


def test_log_of_all_sessions_or_one(played):
    assert heads(played.run("log"))[:4] == ["0.0", "0.1", "0.2", "1.0"]
    assert heads(played.run("log", "1"))[0] == "1.0"
    assert played.run("log", "0") + played.run("log", "1") == played.run("log")


def test_log_takes_are_in_order_of_writing(played):
    plain, takes = played.run("log", "1"), played.run("log", "1", "--takes")
    assert "o climb v3" not in plain
    assert "o climb v3" in takes
    positions = [record["position"] for record in records(played.run("log", "--takes", "--json"))]
    assert positions == sorted(positions)
    assert len(positions) == len(set(positions))
    assert set(heads(takes)) >= {"1.5@1", "1.5@2", "1.5@3"}


def test_log_json_prints_the_stored_records(played):
    printed = records(played.run("log", "--json"))
    assert all(set(record) == RECORD for record in printed)
    assert len(printed) == len({(record["session"], record["number"], record["insert"]) for record in printed})


def appears(text: str, file: Path) -> bool:
    """Return whether the text appears in the file within ten seconds."""
    end = time.monotonic() + 10
    while text not in file.read_text(encoding="utf-8"):
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def test_log_follow_prints_new_entries_until_interrupted(folder, tmp_path, stopping):
    printed = tmp_path / "printed"
    with printed.open("w") as out:
        stopping.append(folder.start_process("log", "-f", stdout=out))
    (process,) = stopping
    assert appears("commitment", printed)
    assert folder.run_process("do", "# Somebody knocks").returncode == 0
    assert appears("1.1   # Somebody knocks\n", printed)
    assert process.poll() is None
    os.kill(process.pid, signal.SIGINT)
    assert process.wait(timeout=10) == 130
    assert process.stderr.read().strip() == "interrupted"
