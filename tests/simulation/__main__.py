"""Play seeds: `python -m tests.simulation FIRST [LAST]`. Prints each that fails, and what happened in all of them.

An interrupt (Ctrl-C, or SIGTERM) ends it with what has happened so far.
"""

from __future__ import annotations

import resource
import shutil
import signal
import sys
import tempfile
import traceback
from collections import Counter
from contextlib import suppress
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
    failed, played, happened = 0, 0, Counter[str]()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with tempfile.TemporaryDirectory() as temporary:
        starts, folder = begin(Path(temporary)), Path(temporary) / "evening"
        begun = processor_seconds()
        with suppress(KeyboardInterrupt), Phones(node) as phones:
            for seed in range(first, last + 1):
                try:
                    happened += play(seed, starts, folder, phones).happened
                except Exception:
                    failed += 1
                    print(seed, "failed", flush=True)
                    traceback.print_exc()
                played += 1
                shutil.rmtree(folder, ignore_errors=True)
    for what, times in sorted(happened.items()):
        print(f"{times:6} {what}")
    print(f"{played} seeds, {failed} failed, {processor_seconds() - begun:.1f} s of processor time")
    return failed


def processor_seconds() -> float:
    """Return the processor time of this process and of those that have ended."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


if __name__ == "__main__":
    numbers = [int(text) for text in sys.argv[1:3]]
    sys.exit(min(1, main(numbers[0], numbers[-1])))
