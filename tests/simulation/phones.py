"""The phones of a simulated table, in a process of node."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Any, Final

HERE = Path(__file__).parent
PAGES = HERE.parent.parent / "cli" / "web" / "pages"
SCRIPTS: Final = ("sha256.js", "witness.js", "chain.js", "hands_table.js", "hands_watch.js")
Effect = dict[str, Any]


class Phones:
    """Gives commands to the scripts of the players' page, and returns what they do: requests, streams, timers."""

    def __init__(self, node: str) -> None:
        scripts = [str(PAGES / name) for name in SCRIPTS]
        self._process = subprocess.Popen(
            [node, str(HERE / "phones.js"), *scripts], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> Phones:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.kill()
        self._process.communicate()

    def do(self, command: str, **given: object) -> list[Effect]:
        """Return the effects of a command."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": command, **given}) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer, "the script of the phones has failed"
        return list(json.loads(answer))
