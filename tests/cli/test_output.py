"""Test standard output: closed, full, at a terminal, and without control characters."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
import unicodedata
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import inspect

import cli
from cli.output import cell_width, fit_columns, wrap_line
from cli.phrases.entries import record_lines
from ledger import facts
from ledger.names import INVISIBLE
from ledger.records import Record
from rulebooks import GAMES, load_game
from tests.cli.conftest import CLOCK, PROGRAM, Folder, environment, is_printable, one_error
from tests.ledger.strategies import Forger

HOSTILE = "a\x1b]0;own\x07b\x1b[31mc\x9b2Jd\u202ee\u2066f\x7fg\rh\x08i\x00j\u200bk\u2028l"
ESC = "\x1b"
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


READ_NO_FURTHER = (
    *(
        ["log", "--takes"],
        ["log", "--json"],
        ["log", "--oneline"],
        ["show"],
        ["show", "--json"],
        ["verify"],
        ["replay"],
    ),
    *(["why", "1.1"], ["who", "doom"], ["when", "doom > 1"], ["odds", "k sneak v5"], ["search", "lamp"], ["recap"]),
    *(
        ["whatif", "1.1", "v4"],
        ["diff", "1.1", "1.3"],
        ["rules"],
        ["rulings"],
        ["help"],
        ["--help"],
        ["fmt", "k sneak"],
    ),
    *(["rebuild"], ["sheet", "pc"], ["completion", "bash"], ["open"], ["demo"]),
    ["amend", "1.1", "v4", "--because", "so", "--retcon"],
)


@pytest.mark.slow
@pytest.mark.parametrize("command", READ_NO_FURTHER, ids=" ".join)
def test_reader_that_stops_is_no_error(played, command):
    done = played.run_process(*command, before=["sh", "-c", '("$@"; echo $? >&2) | true', "sh"])
    *said, code = done.stderr.splitlines()
    assert code.isdigit()
    assert not [line for line in said if not line.startswith(("No kept head was given", "The ruling holds for"))]


@pytest.mark.slow
@pytest.mark.parametrize("more", [[], ["--json"]])
def test_long_log_ends_quietly_with_its_reader(folder, more):
    folder.run("run", str(folder.file("long.session", f"# {'A rather long scene, ' * 20}\n" * 160)))
    done = folder.run_process("log", *more, before=["sh", "-c", '("$@"; echo $? >&2) | head -1', "sh"])
    assert len(done.stdout.splitlines()) == 1
    assert done.stderr == "141\n"


@pytest.mark.slow
def test_line_with_a_reader_that_stops_is_taken_quietly(folder):
    done = folder.run_process("do", "k sneak v5", before=["sh", "-c", '("$@"; echo $? >&2) | true', "sh"])
    assert done.stderr in ("141\n", "0\n")  # printed before the reader stopped, or after
    assert "Kess sneak v5" in folder.run("log")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
@pytest.mark.parametrize(
    "command", [["show"], ["log"], ["log", "--json"], ["show", "--json"], ["verify"], ["replay"], ["do", "k sneak v5"]]
)
def test_full_device_is_one_line_of_error(folder, command):
    with open("/dev/full", "w") as full:
        done = folder.run_process(*command, stdout=full, stderr=subprocess.PIPE, capture_output=False)
    assert "No space left" in one_error(done, 3)


@pytest.mark.slow
@pytest.mark.parametrize("where", ["/dev/full", "pipe", "closed"])
@pytest.mark.parametrize("more", [[], ["--json"]])
def test_entry_is_kept_when_output_fails(folder, where, more):
    shell = {"/dev/full": '"$@" > /dev/full', "pipe": '("$@"; echo "$?" >&2) | true', "closed": '"$@" >&-'}[where]
    done = folder.run_process("do", "k sneak v5", *more, before=["sh", "-c", shell, "sh"])
    assert "Traceback" not in done.stderr
    if where == "/dev/full":
        assert "What was taken is kept" in one_error(done, 3)
    assert "Kess sneak v5" in folder.run("log")
    folder.run("verify")


@pytest.mark.slow
def test_closed_standard_error_is_no_error(folder):
    done = folder.run_process("do", "nobody sneak v5", before=["sh", "-c", '"$@" >&- 2>&-', "sh"])
    assert done.returncode == 2


def at_terminal(folder: Folder, *arguments: str, **more: str) -> str:
    """Return the bytes that a command writes to a terminal, both streams."""
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
    except OSError:  # Linux reports the closed terminal so
        pass
    finally:
        os.close(ours)
        process.wait(timeout=30)
    assert b"Traceback" not in written, written
    return written.decode("utf-8")


def hostile_facts() -> tuple[Any, ...]:
    """Facts that add up, with hostile text in every text field."""
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
    """A ledger with one more record full of hostile text, and correct hashes."""

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


@pytest.mark.slow
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
def test_forged_ledger_prints_no_control_characters(forged, command, colour):
    written = at_terminal(forged, *command, NO_COLOR=colour)
    assert written
    assert is_printable(written), [letter for letter in written if unicodedata.category(letter) in INVISIBLE]
    if colour:
        assert ESC not in written


@pytest.mark.slow
def test_json_at_a_terminal_means_the_same(forged):
    for command in (["log", "--json"], ["show", "--json"]):
        at_it = [msgspec.json.decode(line) for line in at_terminal(forged, *command).split("\r\n") if line]
        assert at_it == [msgspec.json.decode(line) for line in forged.run(*command).split("\n") if line]


@pytest.mark.slow
def test_colour_needs_a_terminal_that_wants_it(played):
    assert ESC in at_terminal(played, "log")
    assert ESC not in at_terminal(played, "log", NO_COLOR="1")
    assert ESC not in at_terminal(played, "log", TERM="dumb")
    assert ESC not in played.run_process("log", env=environment(TERM="xterm-256color")).stdout
    assert COLOUR.sub("", at_terminal(played, "log", COLUMNS="300", LC_ALL="C")).replace("\r\n", "\n") == played.run(
        "log"
    )


@pytest.mark.slow
def test_color_option_goes_before_the_terminal(played):
    plain = played.run("log")
    assert ESC not in plain
    assert COLOUR.sub("", played.run("--color", "always", "log")) == plain
    assert ESC in played.run("--color", "always", "log")
    assert ESC not in at_terminal(played, "--color", "never", "log")


@pytest.mark.slow
def test_results_have_signs_at_a_terminal_that_shows_them(played):
    assert "✓ success" in COLOUR.sub("", at_terminal(played, "log", COLUMNS="300"))
    assert "✓ success" in COLOUR.sub("", at_terminal(played, "log", COLUMNS="300", LC_ALL="", LANG="de_DE.utf8"))
    for more in ({"LC_ALL": "C"}, {"TERM": "dumb"}, {"LC_ALL": "de_DE.ISO-8859-1"}):
        assert "✓" not in at_terminal(played, "log", COLUMNS="300", **more)
    assert "✓" not in played.run("log")


@pytest.mark.parametrize("game", GAMES)
def test_signs_of_results_are_one_cell_wide(game):
    wording = load_game(game).texts().lexicon.wording
    assert all(cell_width(sign) == 1 for sign in wording.glyphs.values())
    assert {word for word, colour in wording.colours.items() if colour in ("green", "red")} <= set(wording.glyphs)


@pytest.mark.slow
def test_terminal_breaks_long_lines_between_words(saints):
    printed = COLOUR.sub("", at_terminal(saints, "log", "2", COLUMNS="60", LC_ALL="C")).replace("\r\n", "\n")
    assert printed.split() == saints.run("log", "2").split()
    lines = printed.splitlines()
    assert [line for line in lines if len(line) > 60 and " " in line.strip()] == []
    assert [line for line in lines if line.startswith("        ")]
    assert max(map(len, saints.run("log", "2").splitlines())) > 100


@pytest.mark.parametrize(
    ("line", "lines"),
    [
        ("short", ["short"]),
        ("      one two three four", ["      one two three", "        four"]),
        ("1.4   one two three four", ["1.4   one two three", "      four"]),
        ("a longer name  one two three", ["a longer name  one two", "  three"]),
        ("      李雷李雷 李雷李雷 李雷", ["      李雷李雷", "        李雷李雷", "        李雷"]),
        ("\x1b[1mone\x1b[0m two three four five", ["\x1b[1mone\x1b[0m two three four", "  five"]),
        ("abcdefghijklmnopqrstuvwxyz", ["abcdefghijklmnopqrstuvwxyz"]),
    ],
)
def test_line_is_wrapped_between_words(line, lines):
    assert wrap_line(line, 20 if "a l" not in line else 22) == lines


def everything(kind: inspect.Type) -> Any:
    """A value of this type with hostile text in every text field."""
    match kind:
        case inspect.StrType():
            return HOSTILE
        case inspect.IntType():
            return 1
        case inspect.Metadata(type=described):
            return everything(described)
        case inspect.LiteralType(values=values):
            return values[0]
        case inspect.DictType():
            return {HOSTILE: 1}
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


@pytest.mark.quick_rows(14)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("spoken", [HOSTILE, ""])
def test_no_fact_prints_control_characters(kind, spoken):
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
    wording = load_game("dusk-bastards").texts().lexicon.wording
    for variant in variants:
        for more in ((variant,), (roll, destined, variant)):
            for of in ((declared, *more), ()):
                record = Record(
                    position=1, session=1, number=1, insert=0, take=1, cause=HOSTILE, request=None, by=HOSTILE,
                    at=CLOCK, seen="table", facts=of,
                )  # fmt: skip
                for takes in (False, True):
                    for line in record_lines(record, wording, takes=takes):
                        assert is_printable(line), (variant, line)


def test_table_fits_its_width_by_breaking_the_longest_cells():
    rows = [("Who", "Start", "Spent"), ("Kess", "9", "1 (a loose slate slides)"), ("Orrin", "", "3")]
    assert fit_columns(rows, 28) == [
        "Who    Start  Spent",
        "Kess   9      1 (a loose",
        "              slate slides)",
        "Orrin         3",
    ]
    assert fit_columns(rows, 80)[1] == "Kess   9      1 (a loose slate slides)"


def test_tested_cli_is_the_one_of_this_checkout():
    assert Path(cli.__file__).parent.parent == Path(__file__).parent.parent.parent
    assert PROGRAM.parent == Path(sys.executable).parent
