"""The simulated disk: what a power cut can lose, without strace."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.faults.disk import PowerCut, RecordedDisk

CREATE = 'openat(AT_FDCWD</>, "/d/a", O_RDWR|O_CREAT|O_CLOEXEC, 0644) = 4</d/a>'
WRITE = r'pwrite64(4</d/a>, "x\0\3771\n", 5, 2) = 5'
FOLDER = 'mkdir("/d/e", 0777) = 0'
CREATE_BELOW = CREATE.replace("/d/a", "/d/e/f")
SYNC = "fdatasync(4</d/a>) = 0"
SYNC_FOLDER = "fsync(5</d>) = 0"
RENAME = 'rename("/d/a", "/d/b") = 0'
REMOVE = 'unlink("/d/a") = 0'
CONTENT = b"\0\0x\0\xff1\n"


def left(*calls: str, share: float) -> dict[str, bytes | None]:
    """Return what a power cut after these calls leaves."""
    disk = RecordedDisk(Path("/d"))
    for call in calls:
        disk.change(call)
    return disk.files(PowerCut(random.Random(0), share))


@pytest.mark.parametrize(
    ("calls", "nothing", "everything"),
    [
        ([CREATE, WRITE], {}, {"/d/a": CONTENT}),
        ([CREATE, WRITE, SYNC], {}, {"/d/a": CONTENT}),
        ([CREATE, WRITE, SYNC_FOLDER], {"/d/a": b""}, {"/d/a": CONTENT}),
        ([CREATE, WRITE, SYNC, SYNC_FOLDER], {"/d/a": CONTENT}, {"/d/a": CONTENT}),
        ([CREATE, WRITE, SYNC, SYNC_FOLDER, RENAME], {"/d/a": CONTENT}, {"/d/b": CONTENT}),
        ([CREATE, WRITE, SYNC, SYNC_FOLDER, REMOVE], {"/d/a": CONTENT}, {}),
        ([CREATE, WRITE, SYNC, SYNC_FOLDER, "ftruncate(4</d/a>, 3) = 0"], {"/d/a": CONTENT}, {"/d/a": b"\0\0x"}),
        ([CREATE, WRITE, SYNC, RENAME, SYNC_FOLDER], {"/d/b": CONTENT}, {"/d/b": CONTENT}),
        ([CREATE, "write(4</d/a>, \"ab\", 2) = 2", "write(4</d/a>, \"c\", 1) = 1"], {}, {"/d/a": b"abc"}),
        ([FOLDER, CREATE_BELOW, "fsync(5</d/e>) = 0"], {}, {"/d/e": None, "/d/e/f": b""}),
    ],
)  # fmt: skip
def test_power_cut_keeps_what_is_synced(calls, nothing, everything):
    assert left(*calls, share=0.0) == nothing
    assert left(*calls, share=1.0) == everything


def test_power_cut_tears_a_write_into_sectors():
    page = f'pwrite64(4</d/a>, "{"z" * 4096}", 4096, 0) = 4096'
    (content,) = left(CREATE, SYNC_FOLDER, page, share=0.5).values()
    assert {content[start : start + 512] for start in range(0, len(content), 512)} == {b"z" * 512, bytes(512)}


def test_call_that_failed_changes_nothing():
    assert left(CREATE, SYNC_FOLDER, 'unlink("/d/a") = -1 EACCES (Permission denied)', share=1.0) == {"/d/a": b""}


def test_unknown_call_is_not_passed_over():
    with pytest.raises(AssertionError, match="does not know"):
        left('link("/d/a", "/d/b") = 0', share=1.0)
