"""A peer as a process that replays its events once for each line that it is sent, and answers with the seconds."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, Self

ROOT: Final = Path(__file__).parents[3]
FOLDER: Final = ROOT / ".peers"
PYTHON: Final = FOLDER / "python" / "bin" / "python"
NODE_FOLDER: Final = FOLDER / "node"
HERE: Final = Path(__file__).parent
INSTALL: Final = "python -m tests.bench.peers.install"


class Peer:
    """A running peer. Its first answer is the number of events that it replays."""

    def __init__(self, words: Sequence[str], environment: dict[str, str]) -> None:
        self._process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, **environment}
        )
        self.events = int(self._answer())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.communicate()

    def rate(self) -> float:
        """Replay once; return the events per second of processor time."""
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return self.events / float(self._answer())

    def _answer(self) -> str:
        """Return the next line. Raises OSError if the peer has ended."""
        assert self._process.stdout is not None
        if line := self._process.stdout.readline():
            return line
        raise OSError(f"the peer ended with {self._process.wait()}")


def eventsourcing_peer(ledger: Path, folder: Path) -> Peer | None:
    """Return the `eventsourcing` package with the facts of a ledger in its own store; None if it is not installed."""
    if not PYTHON.exists():
        return None
    program = HERE / "eventsourcing_replay.py"
    return Peer([str(PYTHON), str(program), str(ledger), str(folder)], {"PYTHONPATH": str(ROOT)})


def boardgame_peer(moves: int) -> Peer | None:
    """Return boardgame.io with a log of so many moves; None if it is not installed."""
    node = shutil.which("node")
    if node is None or not (NODE_FOLDER / "node_modules").exists():
        return None
    environment = {"NODE_PATH": str(NODE_FOLDER / "node_modules"), "NODE_ENV": "production"}
    return Peer([node, str(HERE / "boardgame_replay.js"), str(moves)], environment)
