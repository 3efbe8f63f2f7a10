"""Files, lines, ledgers and terminals that mean no good: one clean line of error, and nothing has happened."""

from __future__ import annotations

import os
import pty
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import inspect

import cli
from cli.render.log import record_lines
from ledger import facts
from ledger.names import INVISIBLE, escape
from ledger.records import FORMAT, Record
from rulebooks import book
from tests.cli.conftest import CLOCK, PROGRAM, Folder, environment, one_error
from tests.ledger.strategies import Forger

NUL, ESC = "\x00", "\x1b"
HOSTILE = "a\x1b]0;own\x07b\x1b[31mc\x9b2Jd\u202ee\u2066f\x7fg\rh\x08i\x00j\u200bk\u2028l"
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
FIRST_PAGE = 4096
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
    "a byte order mark": b"\xef\xbb\xbf# One\n",
    "utf-16": "# One\n".encode("utf-16"),
    "nul": b"# O\x00ne\n",
    "invalid utf-8": b"# One\n# \xff\n",
    "surrogate in utf-8": b"# \xed\xa0\x80\n",
    "2 MiB": b"; x\n" * (1 << 19),
    "lines that end in cr": b"# One\r# Two\r",
    "a line of 500 kB": b"# " + b"x" * 500_000,
    "a half line with an escape": b"k sneak v5 \x1b[",
}
COMMANDS = [
    ["show"],
    ["log"],
    ["log", "--takes", "--json"],
    ["replay"],
    ["verify"],
    ["when", "doom > 1"],
    ["diff", "1.1"],
    ["rebuild"],
    ["undo"],
    ["close"],
    ["open"],
    ["do", "k sneak v5"],
    ["run", "x.session"],
    ["cast", "x.toml"],
]


def harmless(text: str) -> bool:
    """Nothing in it that a terminal could act on."""
    plain = COLOUR.sub("", text.replace("\r\n", "\n"))
    return not {letter for letter in plain if letter not in "\n\t" and unicodedata.category(letter) in INVISIBLE}


# Files


@pytest.mark.parametrize("kind", SHEETS)
def test_a_bad_sheet_is_named_in_one_line_and_nobody_joins(table, kind):
    before = table.bytes
    path = table.file("bad.toml", SHEETS[kind])
    done = table.say("cast", str(path))
    error = one_error(done, 1 if done.exit_code == 1 else 3)
    assert "bad.toml" in error
    assert harmless(done.output)
    assert len(error) < 1000
    assert (done.stdout, table.bytes) == ("", before)


def test_a_sheet_does_not_say_who_speaks(table):
    one_error(table.say("cast", str(table.file("bad.toml", SHEET + 'by = "kess"\n'))), 3)


@pytest.mark.parametrize("kind", SESSIONS)
def test_a_bad_session_file_is_named_with_its_line(table, kind):
    before = table.bytes
    path = table.file("bad.session", SESSIONS[kind])
    done = table.say("run", str(path))
    assert "bad.session" in one_error(done, 3)
    assert harmless(done.output)
    assert table.bytes == before


def test_an_empty_session_file_says_nothing_and_is_fine(table):
    before = table.bytes
    assert table.fine("run", str(table.file("empty.session", b""))) == ""
    assert table.bytes == before


def odd_paths(folder: Path) -> Iterator[Path]:
    """Paths that are no file to be read."""
    os.mkfifo(folder / "fifo")
    (folder / "folder").mkdir()
    (folder / "loop").symlink_to("loop")
    (folder / "dangling").symlink_to("nowhere")
    yield from (folder / name for name in ("fifo", "loop", "dangling", "missing", "a\nb\x1b[31m", "x" * 300))
    yield from map(Path, ("/dev/zero", "/dev/null", "/proc/self/mem", "", "folder/../missing"))
    yield folder / "folder"


@pytest.mark.parametrize("command", ["cast", "run"])
def test_what_is_no_file_is_refused_at_once(table, tmp_path, command):
    before = table.bytes
    for path in odd_paths(tmp_path):
        done = table.apart(command, str(path), timeout=20, cwd=tmp_path)
        one_error(done, 3)
        assert harmless(done.stderr), path
    assert table.bytes == before


def test_the_ledger_itself_may_be_a_pipe_a_loop_or_a_device_and_nothing_hangs(tmp_path):
    for make in (os.mkfifo, lambda path: os.symlink(path, path), lambda path: os.symlink("/dev/zero", path)):
        folder = Folder(Path(tempfile.mkdtemp(dir=tmp_path)))
        make(folder.ledger)
        for command in (["show"], ["verify"], ["do", "# x"]):
            one_error(folder.apart(*command, timeout=20), 3)


# Lines


@pytest.mark.parametrize("line", LINES, ids=lambda line: escape(line[:30]).encode("ascii", "backslashreplace").decode())
def test_a_bad_line_is_one_line_of_error_and_nothing_has_happened(table, line):
    before = table.bytes
    done = table.say("do", line)
    error = one_error(done, 1 if done.exit_code == 1 else 2)
    assert harmless(done.output)
    assert len(error) < 3000
    assert (done.stdout, table.bytes) == ("", before)
    path = table.file("one.session", line.replace("\n", "\r").encode("utf-8", "surrogatepass"))
    again = table.say("run", str(path))
    assert again.exit_code in (1, 3)
    assert "one.session" in again.stderr
    assert harmless(again.output)
    assert (again.stdout, table.bytes) == ("", before)


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
def test_bytes_that_are_no_text_and_escapes_are_wrong_usage_and_never_echoed(table, arguments):
    before = table.bytes
    if arguments[0] == b"open":
        table.fine("close")
        before = table.bytes
    done = table.apart(*arguments, cwd=table.path)
    one_error(done, 2)
    assert harmless(done.stderr)
    assert (done.stdout, table.bytes) == ("", before)


def test_a_folder_with_a_hostile_name_is_shown_spelled_out(tmp_path):
    for name in (b"a\x1b]0;x\x07", b"a\xff", "a\u202eb".encode()):
        where = tmp_path / os.fsdecode(name)
        done = subprocess.run(
            [PROGRAM, "new", "Salt Ward", where], env=environment(), capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert harmless(done.stdout + done.stderr)
        assert (where / "ledger.db").is_file()


# Broken ledgers


def ledgers(good: bytes) -> Iterator[tuple[str, bytes]]:
    chance = random.Random(5)
    yield "empty", b""
    yield "a word", b"hello\n"
    yield "random bytes", chance.randbytes(8192)
    yield "a header only", good[:100]
    yield "half a page", good[:2048]
    yield "half a file", good[: len(good) // 2]
    yield "a page short", good[:-4096]
    yield "zeros", bytes(len(good))
    yield "random behind the header", good[:100] + chance.randbytes(len(good) - 100)
    yield "another application", good[:68] + b"\x00\x00\x00\x01" + good[72:]
    yield "no application", good[:68] + bytes(4) + good[72:]
    yield "a later version", good[:60] + b"\x00\x00\x00\x63" + good[64:]
    yield "version 0", good[:60] + bytes(4) + good[64:]
    yield "a write-ahead log", good[:18] + b"\x02\x02" + good[20:]


def test_a_broken_ledger_is_one_line_of_error_for_every_command(played, tmp_path):
    folder = Folder(tmp_path / "broken")
    folder.file("x.session", "# One\n")
    folder.file("x.toml", SHEET)
    for kind, content in ledgers(played.bytes):
        for command in COMMANDS:
            folder.ledger.write_bytes(content)
            done = folder.say(*[str(folder.path / word) if word.startswith("x.") else word for word in command])
            if done.exit_code == 1 and command in (["verify"], ["replay"]):
                continue
            if kind == "a write-ahead log" and done.exit_code in (0, 1):
                continue  # SQLite makes an ordinary file of it again
            one_error(done, 3)
            assert harmless(done.output), (kind, command)
            assert folder.bytes == content, (kind, command)
            for more in folder.path.glob("ledger.db-*"):
                more.unlink()


@pytest.mark.parametrize("version", [0, FORMAT - 1, FORMAT + 1])
def test_ledger_of_another_format_is_refused_with_both_numbers(played, tmp_path, version):
    folder = Folder(tmp_path)
    folder.ledger.write_bytes(played.bytes[:60] + version.to_bytes(4, "big") + played.bytes[64:])
    error = one_error(folder.say("show"), 3)
    assert f"the ledger has format {version}, this program reads format {FORMAT}. Open it with the version" in error


def test_a_folder_that_is_called_ledger_db_is_no_ledger(tmp_path):
    (tmp_path / "ledger.db").mkdir()
    for command in COMMANDS:
        one_error(Folder(tmp_path).say(*command), 3)


def test_a_database_of_somebody_else_is_no_ledger_and_stays_as_it_is(tmp_path):
    folder = Folder(tmp_path)
    db = sqlite3.connect(folder.ledger)
    db.execute("CREATE TABLE records (position INTEGER PRIMARY KEY, body TEXT)")
    db.commit()
    db.close()
    before = folder.bytes
    for command in COMMANDS:
        assert "not a campaign ledger" in one_error(folder.say(*command), 3)
    assert folder.bytes == before


def test_a_ledger_without_its_first_record_is_named_damaged(closed):
    Forger(closed.ledger).rewrite(lambda records: [], chained=True)
    for command in (["show"], ["log"], ["replay"], ["verify"], ["do", "# x"]):
        done = closed.say(*command)
        assert done.exit_code in (0, 3)
        assert "Traceback" not in done.stderr


def test_whatever_byte_is_changed_nothing_crashes_and_verify_sees_what_matters(played, tmp_path):
    chance, good = random.Random(6), played.bytes
    folder = Folder(tmp_path / "flipped")
    folder.path.mkdir()
    (folder.path / "ledger.db").write_bytes(good)
    log = folder.fine("log", "--takes", "--json")
    for _ in range(100):
        place = chance.randrange(FIRST_PAGE, len(good))
        flipped = bytes([good[place] ^ (1 << chance.randrange(8))])
        folder.ledger.write_bytes(good[:place] + flipped + good[place + 1 :])
        done = folder.say("verify")
        assert done.exit_code in (0, 1, 3), place
        assert harmless(done.output), place
        read = folder.say("log", "--takes", "--json")
        assert read.exit_code in (0, 3), place
        if done.exit_code == 0:
            assert read.stdout == log, place
        assert folder.say("show").exit_code in (0, 3), place


def test_a_schema_that_is_no_text_is_named_damaged(played):
    place = played.bytes.index(b"records_by_request")
    for command in COMMANDS[:5]:
        played.ledger.write_bytes(played.bytes[:place] + b"\xd2" + played.bytes[place + 1 :])
        one_error(played.say(*command), 3)


def test_whatever_is_changed_in_the_header_and_the_schema_nothing_is_read_that_is_not_there(played):
    chance, good = random.Random(7), played.bytes
    log = played.fine("log", "--takes", "--json")
    for _ in range(100):
        place = chance.randrange(FIRST_PAGE)
        played.ledger.write_bytes(good[:place] + bytes([good[place] ^ (1 << chance.randrange(8))]) + good[place + 1 :])
        try:
            done = played.say("log", "--takes", "--json")
        except UnicodeDecodeError:
            continue  # see above
        assert done.exit_code in (0, 3), place
        assert done.exit_code or done.stdout == log, place


# Standard output that is closed or full


@pytest.mark.parametrize("command", [["log", "--takes"], ["log", "--json"], ["show"], ["verify"], ["replay"]])
def test_a_reader_that_has_seen_enough_is_no_error_worth_a_line(played, command):
    done = played.apart(*command, before=["sh", "-c", '("$@"; echo $? >&2) | true', "sh"])
    *said, code = done.stderr.splitlines()
    assert code.isdigit()
    assert not [line for line in said if not line.startswith("No kept head was given")]


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_a_long_log_ends_quietly_when_its_reader_does(table, more):
    table.fine("run", str(table.file("long.session", f"# {'A rather long scene, ' * 20}\n" * 160)))
    done = table.apart("log", *more, before=["sh", "-c", '("$@"; echo $? >&2) | head -1', "sh"])
    assert len(done.stdout.splitlines()) == 1
    assert done.stderr.strip() != "0"
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
@pytest.mark.parametrize(
    "command", [["show"], ["log"], ["log", "--json"], ["show", "--json"], ["verify"], ["replay"], ["do", "k sneak v5"]]
)
def test_a_full_device_is_one_line_of_error(table, command):
    with open("/dev/full", "w") as full:
        done = table.apart(*command, stdout=full, stderr=subprocess.PIPE, capture_output=False)
    assert "No space left" in one_error(done, 3)


@pytest.mark.parametrize("where", ["/dev/full", "pipe", "closed"])
@pytest.mark.parametrize("more", [[], ["--json"]])
def test_what_was_said_is_kept_also_where_its_answer_cannot_be_printed(table, where, more):
    shell = {"/dev/full": '"$@" > /dev/full', "pipe": '("$@"; echo "$?" >&2) | true', "closed": '"$@" >&-'}[where]
    done = table.apart("do", "k sneak v5", *more, before=["sh", "-c", shell, "sh"])
    assert "Traceback" not in done.stderr
    if where == "/dev/full":
        assert "What was taken is kept" in one_error(done, 3)
    assert "k sneak v5" in table.fine("log")
    table.fine("verify")


def test_with_no_standard_error_either_nothing_goes_wrong(table):
    done = table.apart("do", "nobody sneak v5", before=["sh", "-c", '"$@" >&- 2>&-', "sh"])
    assert done.returncode == 2


# Folders that may only be read


def without_power() -> list[str] | None:
    """How to run a command that modes hold for; None where root cannot be made to heed them."""
    if os.geteuid():
        return []
    tool = shutil.which("setpriv")
    return [tool, "--bounding-set", "-dac_override,-dac_read_search"] if tool else None


@pytest.fixture
def read_only(played: Folder) -> Iterator[tuple[Folder, list[str]]]:
    before = without_power()
    played.ledger.chmod(0o444)
    played.path.chmod(0o555)
    try:
        probe = [*(before or []), "sh", "-c", f'! touch "{played.path}/probe"']
        if before is None or subprocess.run(probe, capture_output=True, check=False).returncode:
            pytest.skip("modes do not hold for this user")
        yield played, before
    finally:
        played.path.chmod(0o755)


def test_a_ledger_in_a_folder_that_may_only_be_read_can_be_looked_at_and_proved(read_only):
    folder, before = read_only
    for command in (["show"], ["log"], ["log", "--takes", "--json"], ["replay"], ["verify"]):
        done = folder.apart(*command, before=before)
        assert (done.returncode, done.stdout) == (0, folder.fine(*command)), done.stderr


@pytest.mark.parametrize("command", [["do", "# One"], ["open"], ["rebuild"], ["cast", "x.toml"]])
def test_what_would_write_there_is_refused_in_one_line(read_only, command):
    folder, was = read_only[0], read_only[0].bytes
    one_error(folder.apart(*command, before=read_only[1]), 3)
    assert folder.bytes == was


def test_a_ledger_that_may_not_even_be_read_is_named(read_only):
    folder, before = read_only
    folder.ledger.chmod(0o000)
    done = folder.apart("show", before=before)
    assert "ledger.db" in one_error(done, 3)


def test_a_folder_that_may_not_even_be_entered_is_named(read_only):
    folder, before = read_only
    folder.path.chmod(0o444)
    for command in (["show"], ["do", "# One"], ["cast", str(folder.path / "cast")]):
        assert "salt-ward" in one_error(folder.apart(*command, before=before), 3)


def test_no_campaign_is_founded_where_nothing_may_be_written(read_only):
    folder, before = read_only
    done = subprocess.run(
        [*before, PROGRAM, "new", "Salt Ward", folder.path / "deeper"],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert "deeper" in one_error(done, 3)


# Terminals


def at_terminal(folder: Folder, *arguments: str, **more: str) -> str:
    """What a command writes to a terminal, both streams, byte for byte."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [PROGRAM, "-C", folder.path, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        env=environment(**{"TERM": "xterm-256color", **more}),
    )
    os.close(theirs)
    written = b""
    try:
        while read := os.read(ours, 65536):
            written += read
    except OSError:  # how Linux says that nobody writes any more
        pass
    finally:
        os.close(ours)
        process.wait(timeout=30)
    assert b"Traceback" not in written, written
    return written.decode("utf-8")


def hostile_facts() -> tuple[Any, ...]:
    """Facts that add up, with hostile text wherever text may stand."""
    h = HOSTILE
    declared = facts.Declared(by=h, said=msgspec.Raw(b'{"declaration":"tell"}'), line=h, faces=None)
    return (
        declared,
        facts.Joined(rules=(h,), who=h, kind=h, side=h, sheet=((h, h),), seen=h),
        facts.PoolSet(who=h, pool=h, was=0, now=5, least=0, most=9, because=h),
        facts.PointsSpent(who=h, pool=h, points=2, now=3, because=h),
        facts.PointsRegained(who=h, pool=h, points=1, now=4, because=h),
        facts.TokensMoved(who=h, token=h, change=1, now=1, most=None, because=h),
        facts.TokensMoved(who=facts.GM, token=h, change=1, now=1, most=None, because=h),
        facts.OptionSet(name=h, was=h, now=h, because=h, agreed=(h,)),
        facts.Ruled(name=h, text=h, because=h),
        facts.Claimed(value=h, claimed=h, actual=h),
        facts.Told(kind=h, by=h, text=h, seen="table"),
    )


@pytest.fixture
def forged(played: Folder) -> Folder:
    """A ledger that somebody has hashed anew, with one more record full of hostile text."""

    def edit(records: list[Record]) -> list[Record]:
        last = records[-1]
        more = Record(
            position=last.position + 1,
            session=last.session,
            number=last.number + 1,
            insert=0,
            take=1,
            cause=HOSTILE,
            request=HOSTILE,
            by=HOSTILE,
            at=HOSTILE,
            seen=HOSTILE,
            facts=hostile_facts(),
        )
        return [*records, more]

    forger = Forger(played.ledger)
    forger.rewrite(edit, chained=True)
    forger.sql("DELETE FROM snapshots")
    return played


@pytest.mark.parametrize(
    "command",
    [
        ["log"],
        ["log", "--takes"],
        ["log", "--json"],
        ["show"],
        ["show", "a"],
        ["show", "nobody"],
        ["show", "--json"],
        ["when", "a"],
        ["when", "not kess.might = 1", "--all"],
        ["diff", "1.1"],
        ["diff", "1.1", "--json"],
        ["diff", "1", "0"],
        ["replay"],
        ["replay", "--json"],
        ["verify"],
        ["verify", "--json"],
        ["do", "a sneak v5"],
        ["do", "= a M5"],
        ["do", "undo", "--request", "x"],
        ["undo"],
    ],
)
@pytest.mark.parametrize("colour", ["", "1"])
def test_nothing_out_of_a_forged_ledger_acts_on_a_terminal(forged, command, colour):
    written = at_terminal(forged, *command, NO_COLOR=colour)
    assert written
    assert harmless(written), [letter for letter in written if unicodedata.category(letter) in INVISIBLE]
    if colour:
        assert ESC not in written


def test_json_at_a_terminal_means_what_it_means_in_a_file(forged):
    for command in (["log", "--json"], ["show", "--json"]):
        at_it = [msgspec.json.decode(line) for line in at_terminal(forged, *command).split("\r\n") if line]
        assert at_it == [msgspec.json.decode(line) for line in forged.fine(*command).split("\n") if line]


def test_colour_is_for_terminals_that_want_it(played):
    assert ESC in at_terminal(played, "log")
    assert ESC not in at_terminal(played, "log", NO_COLOR="1")
    assert ESC not in at_terminal(played, "log", TERM="dumb")
    assert ESC not in played.apart("log", env=environment(TERM="xterm-256color")).stdout
    assert COLOUR.sub("", at_terminal(played, "log")).replace("\r\n", "\n") == played.fine("log")


def everything(kind: inspect.Type) -> Any:
    """A value of this type with hostile text wherever text may stand."""
    match kind:
        case inspect.StrType():
            return HOSTILE
        case inspect.IntType():
            return 1
        case inspect.BoolType():
            return True
        case inspect.RawType():
            return msgspec.Raw(b"{}")
        case inspect.VarTupleType(item_type=item):
            return (everything(item),)
        case inspect.TupleType(item_types=items):
            return tuple(everything(item) for item in items)
        case inspect.UnionType(types=types):
            text = [one for one in types if isinstance(one, inspect.StrType)]
            return everything((text or [one for one in types if not isinstance(one, inspect.NoneType)])[0])
        case inspect.StructType(cls=make, fields=fields):
            return make(**{field.name: everything(field.type) for field in fields})
    raise TypeError(kind)


KINDS = [
    found
    for found in vars(facts).values()
    if isinstance(found, type) and issubclass(found, facts.BaseFact) and found is not facts.BaseFact
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("spoken", [HOSTILE, ""])
def test_no_fact_is_told_with_anything_that_acts_on_a_terminal(kind, spoken):
    fact = everything(inspect.type_info(kind))
    variants = [fact]
    for field in fact.__struct_fields__:
        if isinstance(getattr(fact, field), str):
            variants.append(msgspec.structs.replace(fact, **{field: ""}))
        if getattr(fact, field) is True:
            variants.append(msgspec.structs.replace(fact, **{field: False}))
    roll = facts.Rolled(who=HOSTILE, purpose=HOSTILE, source="table", dice=(facts.Die(ordinal=0, sides=6, face=1),))
    declared = facts.Declared(by=HOSTILE, said=msgspec.Raw(b"{}"), line=spoken, faces=None)
    destined = facts.Judged(what="destined effect", who=HOSTILE, result=HOSTILE, final=True)
    wording = book("dusk-bastards").texts().lexicon.wording
    for variant in variants:
        for more in ((variant,), (roll, destined, variant)):
            for of in ((declared, *more), ()):
                record = Record(
                    position=1, session=1, number=1, insert=0, take=1, cause=HOSTILE, request=None, by=HOSTILE,
                    at=CLOCK, seen="table", facts=of,
                )  # fmt: skip
                for takes in (False, True):
                    for line in record_lines(record, wording, takes=takes):
                        assert harmless(line), (variant, line)


def test_the_folder_of_the_door_is_the_one_that_is_tested():
    assert Path(cli.__file__).parent.parent == Path(__file__).parent.parent.parent
    assert PROGRAM.parent == Path(sys.executable).parent
