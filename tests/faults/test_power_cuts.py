"""Power cuts at every write and sync of an evening, over the calls that strace recorded.

At each call that changes or syncs a file the power is cut: nothing that was not synced is kept, or everything, or
random parts. SQLite recovers; every acknowledged entry is there, nothing else is, the seed of an open session is,
and the next commands work. Equal files are checked once.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import LEDGER, Folder
from tests.faults.checks import NextCommands, bodies, write_cast
from tests.faults.disk import CHANGES, DATA, PowerCut, RecordedDisk
from tests.faults.strace import run_traced

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("strace")]

EVENING = [
    ["new", "Salt Ward", "{folder}", "--id", LEDGER],
    ["cast", "{cast}"],
    ["open", "Night"],
    ["do", "k sneak v5 e1"],
    ["do", "# The lamp room"],
    ["amend", "1.1", "v4", "--because", "the lamp", "--retcon"],
    ["rebuild"],
    ["do", "o climb v3 /7.6"],
    ["close"],
    ["open", "Day"],
]
RANDOM_CUTS = 4  # at each call


class Recording:
    """The calls of an evening, with the records that were kept and acknowledged at each of them."""

    def __init__(self, path: Path) -> None:
        self.root, self.cast = path / "disk", write_cast(path / "cast")
        self.folder = Folder(self.root / "shelf" / "salt-ward")
        self.root.mkdir()
        self.history: list[bytes] = []
        self.calls: list[tuple[str, int, int]] = []  # a call, and how many records must and can be kept after it
        for command in EVENING:
            arguments = [word.format(folder=self.folder.path, cast=self.cast) for word in command]
            run = run_traced(["-C", str(self.folder.path), *arguments], "-e", CHANGES, "-s", DATA, scratch=path)
            assert run.code == 0, run.err
            before, self.history = len(self.history), bodies(self.folder)
            last = max(number for number, call in enumerate(run.calls) if call.startswith("write(1<"))
            for number, call in enumerate(run.calls):
                self.calls.append((call, len(self.history) if number >= last else before, len(self.history)))

    def cuts(self) -> Iterator[tuple[str, int, int, dict[str, bytes | None]]]:
        """Yield the files after each power cut, with the call before it and how many records must and can be there."""
        disk, chance = RecordedDisk(self.root), random.Random(3)
        for number, (call, least, most) in enumerate(self.calls):
            if disk.change(call) or call.startswith("write(1<"):
                for share in (0.0, 1.0, *[0.5] * RANDOM_CUTS):
                    yield f"{number}: {call[:150]}, {share}", least, most, disk.files(PowerCut(chance, share))

    def restore(self, files: dict[str, bytes | None]) -> None:
        """Write the files that a power cut left."""
        shutil.rmtree(self.root)
        self.root.mkdir()
        for path, content in files.items():
            if content is None:
                Path(path).mkdir()
            else:
                Path(path).write_bytes(content)


def test_power_cut_at_every_call_is_survived(tmp_path_factory):
    recording = Recording(tmp_path_factory.mktemp("p"))
    next_commands = NextCommands(recording.cast)
    problems, images = [], set()
    total = 0
    for where, least, most, files in recording.cuts():
        total += 1
        image = (least, most, *files.items())
        if image in images:
            continue
        images.add(image)
        recording.restore(files)
        kept = bodies(recording.folder)
        if kept != recording.history[: len(kept)] or not least <= len(kept) <= most:
            problems.append(f"{where}: {len(kept)} records are kept, {least} to {most} were expected")
        problems += [f"{where}: {problem}" for problem in next_commands.problems(recording.folder)]
    print(total, "cuts", len(images), "images", len(next_commands.checked), "checked")
    assert problems == [], "\n".join(problems)


def test_recorded_disk_without_a_power_cut_is_the_real_one(tmp_path_factory):
    recording = Recording(tmp_path_factory.mktemp("p"))
    disk = RecordedDisk(recording.root)
    for call, _, _ in recording.calls:
        disk.change(call)
    files = disk.files(PowerCut(random.Random(0), 1.0))
    assert files == {str(path): path.read_bytes() if path.is_file() else None for path in recording.root.rglob("*")}
