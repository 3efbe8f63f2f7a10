"""Copies of a ledger, killed, with an I/O error or a full disk at the system calls on what they write.

After each of them the copy is not there, or the older one, or the whole new one; the ledger that is copied is as it
was; an error is one line, and leaves no file but the copy; and the same command works again.
"""

from __future__ import annotations

import random
import re
import shutil
import signal
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from cli.play import files
from ledger.sqlite_store import open_store
from tests.ageing.ledgers import KEPT, MOVED, unpack
from tests.cli.conftest import LEDGER, Folder
from tests.faults.checks import fingerprint, write_cast
from tests.faults.strace import FILE_CALLS, Fault, TracedRun, named_paths, path_options, run_traced, sample_calls

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("strace")]

WRITES = r"openat\(.*O_CREAT|mkdir|pwrite64|write|f?truncate|fsync|fdatasync"
FAULTS = {
    "kill": Fault("inject={}:signal=KILL:when={}", re.compile(rf"{WRITES}|rename|unlink|close|f?chmod")),
    "EIO": Fault("inject={}:error=EIO:when={}", re.compile(rf"{WRITES}|rename|f?chmod|pread64|fcntl")),
    "ENOSPC": Fault("inject={}:error=ENOSPC:when={}+", re.compile(WRITES)),
}


@dataclass(frozen=True)
class Copying:
    """A command that copies a ledger, what it writes, and the command that wrote an older copy there, if one did."""

    arguments: tuple[str, ...]
    target: str
    older: tuple[str, ...] = ()
    draws: bool = False  # seeds and salts anew, so that no two copies are equal


COPIES = {
    "backup": Copying(("backup", "{out}/salt.backup"), "salt.backup"),
    "nightly": Copying(("backup", "{out}/salt.backup"), "salt.backup", ("backup", "{out}/salt.backup")),
    "restore": Copying(("restore", "{given}.backup", "{out}/again"), "again/ledger.db"),
    "export": Copying(
        ("export", "--bundle", "{out}/salt.gz"), "salt.gz", ("export", "--bundle", "{out}/salt.gz")
    ),
    "import": Copying(("import", "{given}.jsonl", "{out}/again"), "again/ledger.db"),
    "continue": Copying(
        ("import", "{given}.jsonl", "{out}/again"), "again/ledger.db", ("restore", "{given}.older", "{out}/again")
    ),
    "upgrade": Copying(("-C", "{given}.old", "upgrade", "{out}/again"), "again/ledger.db", draws=True),
}  # fmt: skip


class Desk:
    """A campaign, and a folder in which one command copies it again and again from the same files."""

    def __init__(self, copying: Copying, path: Path) -> None:
        self.path, self.out, self.start = path, path / "desk" / "out", path / "start"
        self.copying, self.target = copying, self.out / copying.target
        self.folder = Folder(path / "salt")
        self.folder.run("new", "Salt Ward", str(self.folder.path), "--id", LEDGER)
        self.folder.run("cast", str(write_cast(path / "cast")))
        self.folder.run("open", "Night", "--seed", "one")
        self.folder.run("backup", f"{self.path}/given.older")
        self.out.mkdir(parents=True)
        if copying.older:
            self.folder.run(*self.words(copying.older))
        for line in ("k sneak v5 e1", "# The lamp room", "!! k climb v4", "close"):
            self.folder.run("do", line)
        self.folder.run("backup", f"{self.path}/given.backup")
        self.folder.run("export", "--bundle", f"{self.path}/given.jsonl")
        unpack(KEPT / MOVED / "broken-archway", path / "given.old")
        shutil.copytree(self.out, self.start)
        self.before, self.source = self.content(), self.sources()
        paths = named_paths(self.run("-e", FILE_CALLS).calls, self.out)
        self.options = ["-e", FILE_CALLS, *path_options(paths)]
        self.undisturbed = self.run(*self.options)
        assert self.undisturbed.code == 0, self.undisturbed.err
        self.after = self.content()
        assert self.after != self.before

    def sources(self) -> list[object]:
        """Return the files that are copied."""
        return [fingerprint(self.folder), fingerprint(Folder(self.path / "given.old"))]

    def words(self, arguments: tuple[str, ...]) -> list[str]:
        """Return the arguments of a command with its paths."""
        return [word.format(out=self.out, given=self.path / "given") for word in arguments]

    def run(self, *options: str) -> TracedRun:
        """Copy from the first files."""
        shutil.rmtree(self.out)
        shutil.copytree(self.start, self.out)
        arguments = ["-C", str(self.folder.path), *self.words(self.copying.arguments)]
        return run_traced(arguments, *options, scratch=self.path)

    def content(self) -> object:
        """Return what is in the copy, recovered as the next command would do it; None where there is none."""
        if not self.target.exists() or self.target.suffix == ".gz":
            return self.target.read_bytes() if self.target.exists() else None
        with closing(open_store(self.target, write=False)) as store:
            if self.copying.draws:
                return [(record.id, record.take, record.line) for record in store.records()]
            return list(store.read())

    def problems(self, run: TracedRun) -> Iterator[str]:
        """Yield what is wrong after a disturbed run."""
        content, left = self.content(), {path.name for path in self.out.rglob("*") if path.is_file()}
        if content not in (self.before, self.after):
            yield f"half a copy: {content!r}"
        if self.sources() != self.source:
            yield "the ledger has changed"
        if run.code == 0 and content != self.after:
            yield f"it ended well, but: {run.out!r} {run.err!r}"
        if run.code != -signal.SIGKILL and left - {self.target.name, ".gitignore"}:
            yield f"left: {left}"
        if run.code not in (0, -signal.SIGKILL) and (
            run.code not in (1, 2, 3) or len(re.findall("^Error: ", run.err, re.MULTILINE)) != 1
        ):
            yield f"exit code {run.code}: {run.err[-300:]}"
        if content != self.after:
            with pytest.MonkeyPatch.context() as patch:  # the names of unfinished files are random
                patch.setattr(files.secrets, "token_hex", lambda size: "11" * size)
                again = self.folder.invoke(*self.words(self.copying.arguments))
            if again.exit_code or self.content() != self.after:
                yield f"said again: {again.output}"


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("name", COPIES)
def test_copy_is_whole_after_every_fault(name, fault, tmp_path, monkeypatch):
    monkeypatch.setattr(files.secrets, "token_hex", lambda size: "00" * size)  # the calls are found by their paths
    desk = Desk(COPIES[name], tmp_path)
    problems = []
    tried = sample_calls(desk.undisturbed.calls, FAULTS[fault], random.Random())
    assert len(tried) >= 3
    for call, number in tried:
        run = desk.run(*desk.options, "-e", FAULTS[fault].option.format(call, number))
        assert run.injected, (call, number)
        problems += [f"{run.injected[0][:150]}: {problem}" for problem in desk.problems(run)]
    print(len(tried), "calls")
    assert problems == [], "\n".join(problems)
