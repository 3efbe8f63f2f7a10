"""Play seeds: `python -m tests.simulation FIRST [LAST]`. Prints each that fails."""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
import traceback
from pathlib import Path

from tests.seals import fix_salts
from tests.simulation.campaign import begin
from tests.simulation.evening import play
from tests.simulation.phones import Phones


def main(first: int, last: int) -> int:
    """Play the seeds, and return how many failed."""
    node = shutil.which("node")
    assert node, "node is missing"
    fix_salts()
    failed, begun = 0, time.perf_counter()
    with tempfile.TemporaryDirectory() as temporary:
        start = begin(Path(temporary) / "start")
        for seed in range(first, last + 1):
            folder = Path(temporary) / "evening"
            with Phones(node) as phones:
                try:
                    evening = play(seed, start, folder, phones)
                    print(
                        seed, f"{evening.now} ms", f"{len(evening.acknowledged)} lines", len(evening.shown), flush=True
                    )
                except Exception:
                    failed += 1
                    print(seed, "failed", flush=True)
                    traceback.print_exc()
            shutil.rmtree(folder, ignore_errors=True)
    print(f"{last - first + 1} seeds, {failed} failed, {time.perf_counter() - begun:.1f} s")
    return failed


if __name__ == "__main__":
    numbers = [int(text) for text in sys.argv[1:3]]
    sys.exit(min(1, main(numbers[0], numbers[-1])))
