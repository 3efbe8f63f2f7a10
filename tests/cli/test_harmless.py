"""Test that hostile text in any field of any fact or declaration is printed harmlessly by every command."""

from __future__ import annotations

import random
import re
from pathlib import Path

import msgspec
import pytest
from msgspec import inspect

import cli
from cli import output
from cli.main import COMMANDS
from ledger import facts
from ledger.builtin import BUILTIN
from ledger.records import ENCODER
from rulebooks import load_game
from tests.budget import BUDGET
from tests.cli.conftest import is_printable
from tests.cli.test_output import HOSTILE, KINDS, everything
from tests.ledger.strategies import Forger, record

GAMES = ("dusk-bastards", "momentum", "monolith")
SAID = sorted(  # the same in all processes of xdist: several games have an Attack
    {kind for game in GAMES for kind in (*load_game(game).declarations, *BUILTIN)},
    key=lambda kind: (kind.__name__, kind.__module__),
)
ARGUMENTS = {
    "show": ([], ["--at", "1.1"]),
    "log": ([], ["--takes"], ["1"]),
    "head": ([], ["--kept"]),
    "import": (["no.bundle"], ["rolls", "no.json"]),
    "backup": (["ledger.db"],),
    "restore": (["no.backup", "."],),
    "why": (["2.0"], ["2.0@1"], ["2.0.2"]),
    "who": (["kess.speed"], ["a"]),
    "when": (["kess.speed < 1"], ["doom > 1"]),
    "diff": (["2.0"], ["1", "2"]),
    "odds": (["k sneak v5"],),
    "forecast": (["--runs", "1", "--jobs", "1", "--rounds", "1"],),
    "encounter": (["build", "--foe", "no.toml"],),
    "whatif": (["1.1", "v3"], ["--drop", "2.0"]),
    "rules": (["DB-ROLL-1"],),
    "rulings": ([], ["--all"]),
    "search": (["j"], ["kess"]),
    "recap": (
        [],
        ["2"],
        ["--post"],
        ["--log"],
        ["--facts"],
        ["--format", "text"],
        ["--campaign"],
        ["--character", "kess"],
    ),
    "luck": ([], ["1"]),
    "export": (["2", "--notation"],),
    "replay": ([], ["--all"]),
    "verify": ([],),
    "shelf": (
        ["verify", "--jobs", "1"],
        ["replay", "--jobs", "1", "--option", "light_wound_cost=per_use"],
        ["luck", "--jobs", "1"],
        ["search", "j", "--jobs", "1"],
        ["changes", "--jobs", "1"],
    ),
    "fmt": (["k sneak v5"],),
    "help": ([], ["attack"]),
    "list": (["."],),
    "game": (["list"],),
    "copy": (["no-campaign", "other"],),
    "do": (["k sneak v5"], ["a sneak v5"]),
    "undo": ([], ["2.0"]),
    "amend": (["1.1", "v3"], ["2.0", "v3"]),
    "open": ([],),
    "close": ([],),
    "rebuild": ([],),
    "play": ([],),
}
READ_MOST = ("log", "verify", "rulings", "why")  # what is said is read there
WITHOUT_LEDGER = {
    "new",
    "demo",
    "tutorial",
    "cast",
    "run",
    "watch",
    "sheet",
    "completion",
    "browse",
    "mcp",
    "serve",
    "upgrade",
}  # files, none, or a server


def test_every_command_is_run_here():
    assert set(ARGUMENTS) | WITHOUT_LEDGER == set(COMMANDS)


@pytest.mark.slow
def test_only_one_module_prints():
    found = [
        path.name
        for path in Path(cli.__file__).parent.rglob("*.py")
        if path.parent.name != "verifier"  # it runs alone
        and re.search(r"click\.s?echo\(|\bprint\(", path.read_text())
    ]
    assert sorted(found) == ["output.py", "program.py"]


@pytest.mark.parametrize("colour", [False, True])
def test_print_line_escapes_what_nobody_made_safe(monkeypatch, capsys, colour):
    monkeypatch.setattr(output, "has_colour", lambda: colour)
    output.print_line(f"{HOSTILE}\n{HOSTILE}")
    output.remark(HOSTILE)
    printed = capsys.readouterr()
    assert "\x1b]" not in printed.out + printed.err
    assert is_printable(printed.out)
    assert is_printable(printed.err)


def test_colour_of_our_own_stays(monkeypatch, capsys):
    monkeypatch.setattr(output, "has_colour", lambda: True)
    output.print_line(output.paint("well", fg="green", bold=False) + "\x1b[8m")
    assert capsys.readouterr().out == "\x1b[32mwell\x1b[0m\\x1b[8m\n"


def append_hostile(folder, *more, said=b'{"say":"tell"}', by=HOSTILE):
    """Append a record that somebody forged, with right hashes, as the first entry of session 2."""
    declared = facts.Declared(by=by, said=msgspec.Raw(said), line=HOSTILE, faces=None)

    def edit(records):
        texts = {"cause": HOSTILE, "request": HOSTILE, "by": by, "at": HOSTILE, "seen": HOSTILE}
        return [*records, record(len(records) + 1, "2.0", facts=(declared, *more), **texts)]

    Forger(folder.ledger).rewrite(edit, chained=True)
    Forger(folder.ledger).sql("DELETE FROM snapshots")


def assert_all_harmless(folder, commands=tuple(ARGUMENTS)):
    before = folder.bytes
    for command in commands:
        for arguments in ARGUMENTS[command]:
            done = folder.invoke(command, *arguments)
            assert done.exit_code in (0, 1, 2, 3), (command, arguments)
            assert is_printable(done.output), (command, arguments)
            folder.ledger.write_bytes(before)


@pytest.mark.slow
@pytest.mark.parametrize("kind", BUDGET.drawn(KINDS), ids=lambda kind: kind.__name__)
def test_hostile_fact_is_harmless_in_every_command(played, kind):
    append_hostile(played, everything(inspect.type_info(kind)))
    assert_all_harmless(played)


@pytest.mark.slow
@pytest.mark.parametrize("kind", BUDGET.drawn(SAID), ids=lambda kind: kind.__name__)
def test_hostile_declaration_is_harmless_in_any_command(played, kind):
    append_hostile(played, said=ENCODER.encode(everything(inspect.type_info(kind))))
    others = random.sample(sorted(ARGUMENTS.keys() - set(READ_MOST)), 5)  # drawn anew in each run
    assert_all_harmless(played, (*READ_MOST, *others))


@pytest.mark.slow
@pytest.mark.parametrize("kind", [facts.Told, facts.Ruled, facts.Amended], ids=lambda kind: kind.__name__)
def test_hostile_text_is_harmless_where_it_is_read_most(played, kind):
    append_hostile(played, everything(inspect.type_info(kind)))
    assert_all_harmless(played, READ_MOST)
