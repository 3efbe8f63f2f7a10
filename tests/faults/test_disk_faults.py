"""The system calls of the commands that write: killed there, an I/O error there, a full disk from there on.

The calls are those on files of the campaign, on its folder and on the folder above, counted with strace; of those that
repeat each other a sample, drawn anew in each run. An I/O error is injected once, at a single call. A kill is tried
before a call that changes, syncs or closes a file: before any other call it leaves the same files. A full disk begins
at a call that can need space, and lasts for calls of that name until the command ends.

After each of them: what was acknowledged is kept, an error is true about what was kept, `verify` is content, the
seed is there, and the next command works. Folders with the same bytes are checked once.
"""

from __future__ import annotations

import random
import re
import shutil
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cli.conftest import LEDGER, Folder
from tests.faults.checks import NextCommands, bodies, write_cast
from tests.faults.strace import FILE_CALLS, Fault, TracedRun, named_paths, path_options, run_traced, sample_calls

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("strace")]

CREATES = r"openat\(.*O_CREAT|mkdir"
WRITES = rf"{CREATES}|pwrite64|write|f?truncate|fsync|fdatasync"
FAULTS = {
    "kill": Fault("inject={}:signal=KILL:when={}", re.compile(rf"{WRITES}|rename|unlink|fchown|close")),
    "EIO": Fault("inject={}:error=EIO:when={}", re.compile("")),
    "ENOSPC": Fault("inject={}:error=ENOSPC:when={}+", re.compile(WRITES)),
}
LINES = ("k sneak v5 e1", "# The lamp room", "k climb v4", "close", "o climb v3 /7.6")


@dataclass(frozen=True)
class Scenario:
    """A command that is disturbed, and the lines of the session before it; None: the folder does not exist.

    `killed`: the call at which the last line before was killed, so that the command begins with a recovery.
    """

    arguments: tuple[str, ...]
    acknowledged: str  # in what it prints, once it has appended
    before: tuple[str, ...] | None = LINES
    killed: str = ""
    bundled: tuple[tuple[str, ...], ...] = ()  # commands after those, which only the bundle has that is imported


PLAYED = (("open", "Night", "--seed", "one"), *(("do", line) for line in LINES), ("close",))
SCENARIOS = {
    "new": Scenario(("new", "Salt Ward", "{}", "--id", LEDGER), "Created", None),
    "open": Scenario(("open", "Night", "--seed", "one"), "session 1 opens", ()),
    "do": Scenario(("do", 'k "read the ledger" i v4'), "1.6 "),
    "amend": Scenario(("amend", "1.1", "v4", "--because", "the lamp", "--retcon"), "amends 1.1@1"),
    "rebuild": Scenario(("rebuild",), "snapshots made"),
    "close": Scenario(("close",), "session 1 closes"),
    "import": Scenario(("import", "{bundle}", "{}"), "Imported Salt Ward", None, bundled=PLAYED),
    "import more": Scenario(("import", "{bundle}"), "more of Salt Ward", bundled=(("do", "# The roof"), ("close",))),
    "recovery": Scenario(("do", "# The stairs"), "1.6 ", LINES, "unlink"),
}


class Disk:
    """The folder in which one scenario runs again and again from the same files."""

    def __init__(self, scenario: Scenario, path: Path) -> None:
        self.scenario, self.path = scenario, path
        self.folder, self.start, self.cast = (
            Folder(path / "table" / "salt-ward"),
            path / "start",
            write_cast(path / "cast"),
        )
        self.folder.path.parent.mkdir()
        if scenario.before is not None:
            self.play(scenario.before)
        if scenario.bundled:
            self.write_bundle()
        if scenario.killed:
            assert self.run("-e", FAULTS["kill"].option.format(scenario.killed, 1)).code == -signal.SIGKILL
            shutil.rmtree(self.start)
            shutil.copytree(self.folder.path, self.start)
        self.before = bodies(self.folder)
        self.next_commands = NextCommands(self.cast)
        paths = named_paths(self.run("-e", FILE_CALLS).calls, self.folder.path)
        self.options = ["-e", FILE_CALLS, *path_options(paths)]
        self.undisturbed = self.run(*self.options)
        assert self.undisturbed.code == 0, self.undisturbed.err
        self.after = bodies(self.folder)

    def play(self, lines: tuple[str, ...]) -> None:
        """Create the campaign, and play lines in session 1."""
        self.folder.run("new", "Salt Ward", str(self.folder.path), "--id", LEDGER)
        self.folder.run("cast", str(self.cast))
        if lines:
            self.folder.run("open", "Night", "--seed", "one")
            for line in lines:
                self.folder.run("do", line)
            self.folder.run("rebuild")
        shutil.copytree(self.folder.path, self.start)

    def write_bundle(self) -> None:
        """Write the bundle of a campaign that has gone on elsewhere."""
        other = Folder(self.path / "elsewhere")
        if self.start.exists():
            shutil.copytree(self.start, other.path)
        else:
            other.run("new", "Salt Ward", str(other.path), "--id", LEDGER)
            other.run("cast", str(self.cast))
        for command in self.scenario.bundled:
            other.run(*command)
        other.run("export", "--bundle", str(self.path / "bundle.jsonl"))

    def run(self, *options: str) -> TracedRun:
        """Run the command from the first files."""
        shutil.rmtree(self.folder.path, ignore_errors=True)
        if self.start.exists():
            shutil.copytree(self.start, self.folder.path)
        where = str(self.folder.path)
        arguments = [argument.format(where, bundle=self.path / "bundle.jsonl") for argument in self.scenario.arguments]
        return run_traced(["-C", where, *arguments], *options, scratch=self.path)

    def problems(self, run: TracedRun) -> Iterator[str]:
        """Yield what is wrong after a disturbed run."""
        yield from self.problems_of_answer(run, bodies(self.folder))
        yield from self.next_commands.problems(self.folder)

    def problems_of_answer(self, run: TracedRun, kept: list[bytes]) -> Iterator[str]:
        """Yield what is not true in the answer of a command."""
        if kept not in (self.before, self.after):
            yield f"{len(kept)} records are kept"
        whole = kept == self.after
        if self.scenario.acknowledged in run.out and not whole:
            yield "an acknowledged entry is lost"
        if run.code == -signal.SIGKILL:
            return
        if run.code == 0:
            if not whole or run.out != self.undisturbed.out:
                yield f"it ended well, but: {run.out!r} {run.err!r}"
        elif run.code not in (1, 2, 3) or len(re.findall("^Error: ", run.err, re.MULTILINE)) != 1:
            yield f"exit code {run.code}: {run.err[-200:]}"
        elif self.before != self.after and not is_true(run.err, whole):
            yield f"{len(kept) - len(self.before)} records more, but: {run.err}"


def is_true(error: str, whole: bool) -> bool:
    """Whether an error is true about whether all was kept. One that does not say it says that nothing was."""
    if "not known whether" in error:
        return True
    return whole == bool(re.search(r"\bis kept\b|the campaign is created", error))


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("command", SCENARIOS)
def test_fault_at_any_call_is_survived(command, fault, tmp_path_factory):
    disk = Disk(SCENARIOS[command], tmp_path_factory.mktemp("f"))
    problems = []
    tried = sample_calls(disk.undisturbed.calls, FAULTS[fault], random.Random())
    for name, number in tried:
        run = disk.run(*disk.options, "-e", FAULTS[fault].option.format(name, number))
        assert run.injected, (name, number)
        problems += [f"{run.injected[0][:150]}: {problem}" for problem in disk.problems(run)]
    print(len(tried), "calls")
    assert problems == [], "\n".join(problems)
