"""Test bad sheets, session files, lines and arguments: one line of error, and nothing is appended."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

import pytest

from ledger.names import escape
from tests.cli.bad_files import odd_paths
from tests.cli.conftest import PROGRAM, Folder, environment, is_printable, one_error

NUL, ESC = "\x00", "\x1b"
SHEET = 'name = "Ana"\nmight = 9\nspeed = 9\nintellect = 9\neffort_limit = 1\n'
NAMES = [
    "",
    " ",
    "\\u001b[31mRed",
    "\\u001b]0;title\\u0007",
    "\\u001b]52;c;aGk=\\u0007",
    "\\u202eevil",
    "Ke\\u200bss",
    "Kess\\u00a0",
    "\\u3164",
    "K\\u0300\\u0301\\u0302\\u0303",
    "A\\u0000B",
    "A\\nB",
    "A\\tB",
    "A\\rB",
    "A\\u0008B",
    "../../etc/passwd",
    "/etc/passwd",
    "C:\\\\con",
    "Ana'; DROP TABLE records; --",
    "<script>alert(1)</script>",
    "&amp;",
    "=cmd()",
    "@sum",
    "-rf",
    "+1",
    "\\U000e0041",
    "1up",
    "gm",
    "GM",
    "table",
    "x" * 61,
    "x" * 5000,
    "Ke\\ud800",
]


def sheet(name: str) -> bytes:
    return SHEET.replace("Ana", name).encode()


SHEETS = {
    "empty": b"",
    "a byte order mark": b"\xef\xbb\xbf" + SHEET.encode(),
    "utf-16": SHEET.encode("utf-16"),
    "latin-1": sheet("Zoë").decode().encode("latin-1"),
    "nul": SHEET.encode() + b"\x00\n",
    "invalid utf-8": SHEET.encode() + b'player = "\xff\xfe"\n',
    "surrogate in utf-8": SHEET.encode() + b'player = "\xed\xa0\x80"\n',
    "2 MiB": SHEET.encode() + b"# " + b"x" * (2 << 20),
    "no toml": b"{}",
    "json": b'{"name": "Ana"}',
    "100000 arrays deep": SHEET.encode() + b"x = " + b"[" * 100_000,
    "100000 inline tables deep": SHEET.encode() + b"x = " + b"{a = " * 100_000,
    "350 arrays deep": SHEET.encode() + b"x = " + b"[" * 350 + b"]" * 350,
    "100000 dotted keys deep": SHEET.encode() + b"a." * 100_000 + b"a = 1\n",
    "1000 dotted tables deep": SHEET.encode() + b"[" + b"a . " * 1000 + b"a]\nx = 1\n",
    "39 and 39 and 39 tables deep": SHEET.encode() + b"".join(b"[" + b"a." * n + b"a]\nx=1\n" for n in (39, 38, 37)),
    "twice the same key": SHEET.encode() + b"might = 9\n",
    "a number of 401 digits": SHEET.replace("might = 9", "might = 1" + "0" * 400).encode(),
    "a number of 5001 digits": SHEET.replace("might = 9", "might = 1" + "0" * 5000).encode(),
    "a number beyond 10^9": SHEET.replace("might = 9", "might = 1000000001").encode(),
    "below zero": SHEET.replace("might = 9", "might = -9").encode(),
    "not a number": SHEET.replace("might = 9", "might = nan").encode(),
    "infinity": SHEET.replace("might = 9", "might = inf").encode(),
    "a fraction": SHEET.replace("might = 9", "might = 9.0").encode(),
    "a text for a number": SHEET.replace("might = 9", 'might = "9"').encode(),
    "a date for a number": SHEET.replace("might = 9", "might = 2026-01-09").encode(),
    "yes for a number": SHEET.replace("might = 9", "might = true").encode(),
    "a list for a name": SHEET.replace('"Ana"', '["Ana"]').encode(),
    "a table for a name": SHEET.replace('"Ana"', "{a = 1}").encode(),
    "no name": SHEET.replace('name = "Ana"\n', "").encode(),
    "an unknown field": SHEET.encode() + b"wit = 9\n",
    "an unknown kind": SHEET.encode() + b'sheet = "dragon"\n',
    "a kind of another type": SHEET.encode() + b"sheet = [1]\n",
    "a skill that is none": SHEET.encode() + b'[skills]\nsneak = "very"\n',
    "a skill of another type": SHEET.encode() + b"[skills]\nsneak = 3\n",
    "skills of another type": SHEET.encode() + b"skills = 3\n",
    "armor of another type": SHEET.encode() + b'armor = {physical = "much"}\n',
    "an escape in a player's name": SHEET.encode() + b'player = "\\u001b[31mAna"\n',
    "an escape in a skill": SHEET.encode() + b'[skills]\n"\\u001b[31m" = "trained speed"\n',
    "an escape in a key": SHEET.encode() + b'"\\u001b[31m" = 1\n',
} | {f"name {name[:24]!r}": sheet(name) for name in NAMES}
LINES = [
    # control characters and their kin
    f"k sneak v5 {ESC}[31m",
    f"# scene {ESC}]0;title\x07",
    f"{ESC}[2J",
    "# \x9b2J",
    "# \x7f",
    "# tab\there",
    "# one\n# two",
    "# one\r# two",
    "# \u202eevil",
    "# \u2066isolated",
    "# zero\u200bwidth",
    "# \u2028 separator",
    "# \ufeff mark",
    "# \U000e0041 tag",
    "# \ud800 half",
    "# \ue000 private",
    # numbers
    "k sneak v99999999999999999999",
    "k sneak v1" + "0" * 400,
    "k sneak v-5",
    "k sneak v5.5",
    "k sneak v1_000",
    "k sneak v\u0663",
    "k sneak v\uff15",
    "k sneak v5 e-1",
    "k sneak v5 e1000000001",
    "k sneak vnan",
    "k sneak v0x5",
    "k sneak v1e3",
    "= k M1_0",
    # faces
    "k sneak v5 /0.5",
    "k sneak v5 /13.5",
    "k sneak v5 /5",
    "k sneak v5 /5.5.2",
    "k sneak v5 //",
    "k sneak v5 /",
    "k sneak v5 /-1.5",
    "k sneak v5 /5.",
    "k sneak v5 /.5",
    "k sneak v5 /5.5 /6.6",
    "k sneak v5 /\u0665.5",
    "k sneak v5 /" + "9" * 50 + ".1",
    # form
    'k sneak v5 "',
    'k "sneak v5',
    'k sneak v5 +1"rain',
    "k sneak v5 +cvoer",
    "k sneak v5 +",
    "k sneak v5 -",
    "k sneak v5 =",
    "k sneak v5 v6",
    "k sneak v5 x=y",
    "x" * 2001,
    "# " + "x" * 100_000,
    # who
    "nobody sneak v5",
    "gm sneak v5",
    "k",
    "!",
    "! dance",
    "=",
    '"',
    "#",
    ">",
    "'; DROP TABLE records; --",
    "../../etc/passwd",
    "<b>k</b> sneak v5",
    "! forbid 9.9 'x'",
    '! option no_such_option x "y"',
    '! ruling "x" "y" nobody.might=3',
    '! ruling "x" "y" kess.might=10000000000',
    "k retry",
    "k destiny dance",
]
SESSIONS = {
    "utf-16": "# One\n".encode("utf-16"),
    "nul": b"# O\x00ne\n",
    "invalid utf-8": b"# One\n# \xff\n",
    "surrogate in utf-8": b"# \xed\xa0\x80\n",
    "2 MiB": b"; x\n" * (1 << 19),
    "lines that end in cr": b"# One\r# Two\r",
    "a line of 500 kB": b"# " + b"x" * 500_000,
    "a half line with an escape": b"k sneak v5 \x1b[",
}


@pytest.mark.quick_rows(8)
@pytest.mark.parametrize("kind", SHEETS)
def test_bad_sheet_is_one_line_of_error(folder, kind):
    before = folder.bytes
    path = folder.file("bad.toml", SHEETS[kind])
    done = folder.invoke("cast", str(path))
    error = one_error(done, 1 if done.exit_code == 1 else 3)
    assert "bad.toml" in error
    assert is_printable(done.output)
    assert len(error) < 1000
    assert (done.stdout, folder.bytes) == ("", before)


def test_sheet_cannot_name_the_speaker(folder):
    one_error(folder.invoke("cast", str(folder.file("bad.toml", SHEET + 'by = "kess"\n'))), 3)


@pytest.mark.parametrize("kind", SESSIONS)
def test_bad_session_file_is_named_with_its_line(folder, kind):
    before = folder.bytes
    path = folder.file("bad.session", SESSIONS[kind])
    done = folder.invoke("run", str(path))
    assert "bad.session" in one_error(done, 3)
    assert is_printable(done.output)
    assert folder.bytes == before


def test_empty_session_file_declares_nothing(folder):
    before = folder.bytes
    assert folder.run("run", str(folder.file("empty.session", b""))) == ""
    assert folder.bytes == before


@pytest.mark.slow
@pytest.mark.parametrize("command", ["cast", "run"])
def test_pipes_loops_and_devices_are_refused_at_once(folder, tmp_path, command):
    before = folder.bytes
    for path in odd_paths(tmp_path):
        done = folder.run_process(command, str(path), timeout=20, cwd=tmp_path)
        one_error(done, 3)
        assert is_printable(done.stderr), path
    assert folder.bytes == before


@pytest.mark.slow
def test_ledger_that_is_a_pipe_or_device_does_not_hang(tmp_path):
    for make in (os.mkfifo, lambda path: os.symlink(path, path), lambda path: os.symlink("/dev/zero", path)):
        folder = Folder(Path(tempfile.mkdtemp(dir=tmp_path)))
        make(folder.ledger)
        for command in (["show"], ["verify"], ["do", "# x"]):
            one_error(folder.run_process(*command, timeout=20), 3)


@pytest.mark.quick_rows(8)
@pytest.mark.parametrize("line", LINES, ids=lambda line: escape(line[:30]).encode("ascii", "backslashreplace").decode())
def test_bad_line_is_one_line_of_error(folder, line):
    before = folder.bytes
    done = folder.invoke("do", line)
    error = one_error(done, 1 if done.exit_code == 1 else 2)
    assert is_printable(done.output)
    assert len(error) < 3000
    assert (done.stdout, folder.bytes) == ("", before)
    path = folder.file("one.session", line.replace("\n", "\r").encode("utf-8", "surrogatepass"))
    again = folder.invoke("run", str(path))
    assert again.exit_code in (1, 3)
    assert "one.session" in again.stderr
    assert is_printable(again.output)
    assert (again.stdout, folder.bytes) == ("", before)


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        [b"do", b"# \xff\xfe"],
        [b"do", b"# \xed\xa0\x80"],
        [b"do", b"k sneak v5", b"--request", b"\xff"],
        [b"show", b"\xff"],
        [b"show", b"\x1b[31m"],
        [b"show", b"--at", b"\x1b]0;x\x07"],
        [b"show", b"--\x1b]0;x\x07"],
        [b"\x1b]0;x\x07"],
        [b"log", b"\x1b]0;x\x07"],
        [b"open", b"\xff"],
        [b"open", b"\x1b[31m", b"--seed", b"x"],
        [b"open", b"--seed", b"\xff"],
        [b"verify", b"--head", b"\xff"],
        [b"when", b"\xff = 1"],
        [b"when", b"doom = \x1b[31m"],
        [b"diff", b"1", b"--at", b"\x1b]0;x\x07"],
        [b"new", b"\xff"],
        [b"new", b"Fine", b"--game", b"\x1b]0;x\x07"],
        [b"new", b"Fine", b"--id", b"\x1b]0;x\x07"],
        [b"do", b"-1\x1b]0;x\x07"],
        [b"show", b"a", b"\x1b]0;x\x07"],
    ],
)
def test_escapes_in_arguments_are_never_echoed(folder, arguments):
    before = folder.bytes
    if arguments[0] == b"open":
        folder.run("close")
        before = folder.bytes
    done = folder.run_process(*arguments, cwd=folder.path)
    one_error(done, 2)
    assert is_printable(done.stderr)
    assert (done.stdout, folder.bytes) == ("", before)


@pytest.mark.slow
def test_hostile_folder_name_is_escaped(tmp_path):
    for name in (b"a\x1b]0;x\x07", b"a\xff", "a\u202eb".encode()):
        where = tmp_path / os.fsdecode(name)
        done = subprocess.run(
            [PROGRAM, "new", "Salt Ward", where], env=environment(), capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert is_printable(done.stdout + done.stderr)
        assert (where / "ledger.db").is_file()
