"""Install the peers: `eventsourcing` from PyPI, `boardgame.io` from npm where node is there."""

from __future__ import annotations

import shutil
import subprocess
import sys
import venv

from tests.bench.peers.run import FOLDER, NODE_FOLDER, PYTHON

PYTHON_PEERS = ("eventsourcing==9.5.6", "msgspec")
NODE_PEERS = ("boardgame.io@0.50.2",)


def main() -> None:
    """Make both environments. One that cannot be made is left out, with its error."""
    FOLDER.mkdir(exist_ok=True)
    venv.create(FOLDER / "python", with_pip=True)
    run([str(PYTHON), "-m", "pip", "install", "--quiet", *PYTHON_PEERS])
    npm = shutil.which("npm")
    if npm is None:
        print("npm is not installed, so there is no boardgame.io", file=sys.stderr)
    else:
        NODE_FOLDER.mkdir(exist_ok=True)
        run([npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(NODE_FOLDER), *NODE_PEERS])


def run(words: list[str]) -> None:
    """Run a command, and say if it failed."""
    if code := subprocess.run(words, check=False).returncode:
        print(f"{words[0]} ended with {code}: {' '.join(words)}", file=sys.stderr)


if __name__ == "__main__":
    main()
