"""Run a command of this project under strace: record its system calls, let one of them fail, or kill it there.

The command runs in a fork of this process in which everything is imported, so a run takes less than a tenth of a
second, and only calls of the command itself are counted. strace attaches to the fork before the command begins.
"""

from __future__ import annotations

import ctypes
import gc
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NoReturn

import sqlite_utils  # noqa: F401  (imported before forking)

from cli.main import COMMANDS, main
from rulebooks import GAMES, load_game
from tests.budget import BUDGET
from tests.cli.conftest import CLOCK

FILE_CALLS = "trace=%file,%desc"
PR_SET_PTRACER, PR_SET_PTRACER_ANY = 0x59616D61, ctypes.c_ulong(-1)  # of prctl: strace is not a parent of the fork
UNEXPECTED = 70  # the exit code of a command that ended with a traceback
REPEATED = frozenset({"newfstatat", "fcntl", "pread64", "pwrite64", "lseek", "access"})  # in rows, many of a kind
KEPT_OF_REPEATED = 0.1
NAMED_FILE = re.compile(r"(?:AT_FDCWD<[^>]*>, )?(\"[^\"]*\")|\d+(<[^>]*>)")
CALL = re.compile(r"(?P<name>\w+)\((?P<arguments>.*)\) += (?P<result>-?\d+|\?).*", re.DOTALL)


@dataclass(frozen=True)
class TracedRun:
    """One run of a command: how it ended, what it printed, and its system calls as strace writes them."""

    code: int  # negative: killed by this signal
    out: str
    err: str
    calls: tuple[str, ...]

    @property
    def injected(self) -> list[str]:
        """The calls at which a fault was injected."""
        return [call for call in self.calls if "(INJECTED)" in call or call.endswith("= ?")]


@dataclass(frozen=True)
class Fault:
    """What goes wrong: an option of strace for the name and number of a call, and the calls that it is tried at."""

    option: str
    calls: re.Pattern[str]


@cache
def missing_strace() -> str:
    """Return why strace cannot be used here, or nothing if it can."""
    if shutil.which("strace") is None:
        return "strace is not installed (Debian: apt-get install strace)"
    try:
        with TemporaryDirectory() as scratch:
            run_traced(["--help"], scratch=Path(scratch))
    except PermissionError as error:
        return f"strace may not trace here: {error}"
    return ""


@cache
def import_everything() -> None:
    """Import every command and load every book, so that a fork only reads the files of its campaign."""
    for command in COMMANDS:
        import_module(f"cli.commands.{command}")
    for game in GAMES:
        load_game(game).texts()


def run_traced(arguments: Sequence[str], *options: str, scratch: Path) -> TracedRun:
    """Run `campaign ARGUMENTS` in a fork, with strace and its options attached from the first call.

    Raises PermissionError if strace may not attach.
    """
    import_everything()
    out, err, trace = (scratch / name for name in ("out", "err", "trace"))
    ours, gate = socket.socketpair()
    child = os.fork()
    if child == 0:
        run_command(arguments, gate, out, err)
    gate.close()
    assert ours.recv(1), "the fork ended before it could be traced"
    with subprocess.Popen(
        ["strace", "-p", str(child), "-y", "-o", str(trace), *options], stderr=subprocess.PIPE, text=True
    ) as tracer:
        said = tracer.stderr.readline()
        ours.send(b"!")
        ours.close()
        _, status = os.waitpid(child, 0)
        tracer.wait()
    if "attached" not in said:
        raise PermissionError(said.strip())
    calls = trace.read_text(encoding="utf-8").splitlines()
    return TracedRun(os.waitstatus_to_exitcode(status), out.read_text(), err.read_text(), tuple(calls))


def run_command(arguments: Sequence[str], gate: socket.socket, out: Path, err: Path) -> NoReturn:
    """Run a command in this process, once strace is attached, and end the process."""
    code = UNEXPECTED
    try:
        gc.disable()
        for number, path in ((1, out), (2, err)):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), number)
        sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
        ctypes.CDLL(None).prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0)
        gate.send(b"?")
        gate.recv(1)
        sys.argv = ["campaign", "--clock", CLOCK, *arguments]
        main()
    except SystemExit as end:
        sys.stdout.flush()
        code = int(end.code or 0)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def named_paths(calls: Sequence[str], folder: Path) -> list[str]:
    """Return every path in or of a folder, and its parent, that the calls name."""
    found = {str(folder), str(folder.parent)}
    for call in calls:
        found |= set(re.findall(rf"{re.escape(str(folder))}/[^\">]*", call))
    return sorted(found)


def path_options(paths: Sequence[str]) -> list[str]:
    """Return the options with which strace sees, counts and changes only the calls on these paths."""
    return [option for path in paths for option in ("-P", path)]


def count_calls(calls: Sequence[str], fault: Fault) -> list[tuple[str, int]]:
    """Return the name of every call at which a fault is tried, with its number among the calls of that name."""
    return [tried for tried, _ in numbered_calls(calls, fault)]


def sample_calls(calls: Sequence[str], fault: Fault, chance: random.Random) -> list[tuple[str, int]]:
    """Return the calls at which a fault is tried, without most of those that repeat others.

    Calls repeat each other if they and those before them have the same names and files: page after page that is
    written, lock after lock that a read takes. The first and the last of them are kept, and a few drawn at random.
    Whatever creates, syncs, renames, removes or closes a file is kept each time. A scale below 1 leaves out more.
    """
    counted = numbered_calls(calls, fault)
    first = {context: number for number, (_, context) in reversed(list(enumerate(counted)))}
    last = {context: number for number, (_, context) in enumerate(counted)}
    kept = [
        tried
        for number, (tried, context) in enumerate(counted)
        if tried[0] not in REPEATED or number in (first[context], last[context]) or chance.random() < KEPT_OF_REPEATED
    ]
    return BUDGET.part(kept, chance)


def numbered_calls(calls: Sequence[str], fault: Fault) -> list[tuple[tuple[str, int], tuple[Any, ...]]]:
    """Return the name and number of every call at which a fault is tried, with its kind and that of the call before."""
    parsed = [(call, match) for call in calls if (match := CALL.fullmatch(call))]
    files = [NAMED_FILE.match(match["arguments"]) for _, match in parsed]
    kinds = [(match["name"], file and file.group()) for (_, match), file in zip(parsed, files, strict=True)]
    numbers: dict[str, int] = {}
    counted = []
    for place, (call, match) in enumerate(parsed):
        name = match["name"]
        numbers[name] = numbers.get(name, 0) + 1
        if fault.calls.match(call):
            counted.append(((name, numbers[name]), tuple(kinds[max(0, place - 1) : place + 1])))
    return counted
