"""`campaign do`."""

from __future__ import annotations

from pathlib import Path

import pytest
from wcwidth import wcswidth

from tests.cli.commands import RECORD, heads, records, run
from tests.cli.conftest import CLOCK, PROGRAM, Folder, copied, environment, one_error
from tests.cli.terminal import Terminal


def test_do_prints_the_entry_to_standard_output(folder):
    done = folder.invoke("do", "k sneak v5 e1")
    assert (done.exit_code, done.stderr, heads(done.stdout)) == (0, "", ["1.1"])
    assert "Dawn" in done.stdout


@pytest.mark.quick_rows(4)
@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("k climb v14", 1, "DB-E-DIFFICULTY"),  # the book refuses
        ("k climb v4 e3", 1, "DB-E-"),
        ("k destiny reroll", 1, "DB-E-DESTINY-WINDOW"),
        ("k climb v4 /13.2", 1, "DB-E-DIE"),  # no such face
        ("k climb v4 /5", 1, "DB-E-DIE"),  # too few faces
        ("x climb v4", 2, "nobody in play"),  # cannot be read
        ("k climb v4 nonsense", 2, "column 12"),
        ('k "climb v4', 2, "not closed"),
        ("k climb v4 => hurrah k", 2, "'hurrah k' is not a claim"),
    ],
)
def test_do_exits_1_if_refused_and_2_if_unreadable(folder, line, code, said):
    before = folder.bytes
    done = folder.invoke("do", line)
    assert said in one_error(done, code)
    assert (done.stdout, folder.bytes) == ("", before)


@pytest.mark.parametrize(
    "line",
    [
        'ana words "brass kettle"',
        '! rule DB-ASSET-1 "a wet rope" "it slips" campaign',
        '! ruling "a gift" "agreed" kess.destiny=1',
        '! corrections same_session stand "we never look back"',
    ],
)
def test_do_refuses_typed_faces_that_no_die_needs(folder, line):
    """Also in the lines that every game has."""
    before = folder.bytes
    error = one_error(folder.invoke("do", f"{line} /7"), 1)
    assert error == "L-FACES: 1 face for no dice. Leave out the faces that no die of this line needs."
    assert folder.bytes == before
    folder.run("do", line)


def test_do_rules_a_second_wound(folder):
    """DB-PLAY-7: `wound` is a new one, also where `wounds` is a value already."""
    for value in (1, 2):
        folder.run("do", f'! ruling "a fall" "agreed" kess.wound={value}')
    assert "winded wound 1, light wound 2" in folder.run("show")


def test_do_says_that_faces_of_no_roll_are_dropped(folder):
    """DB-ROLL-5: whether a roll is made may depend on what the table cannot see."""
    done = folder.invoke("do", "k sneak v0 /7.6")
    assert (done.exit_code, done.stderr) == (0, "No roll was made: the typed faces are not recorded.\n")
    assert folder.invoke("do", "k sneak v5 /7.6").stderr == ""


def test_amend_refuses_faces_that_no_die_needs(folder):
    folder.run("do", '! rule DB-ASSET-1 "a wet rope" "it slips" campaign')
    before = folder.bytes
    for change in ("~ 1 /7", '~ 1 ! rule DB-ASSET-1 "a wet rope" "it slips" campaign /7'):
        assert one_error(folder.invoke("do", change), 1).startswith("L-FACES"), change
    assert folder.bytes == before


def test_do_joins_its_words(folder):
    assert folder.run("do", "k", "sneak", "v5", '-1"ice"').splitlines()[0].endswith('k sneak v5 -1"ice"')


@pytest.mark.parametrize("line", ["", "   ", "; only a comment"])
def test_do_with_an_empty_line_writes_nothing(folder, line):
    before = folder.bytes
    done = folder.invoke("do", line)
    assert (done.exit_code, done.stdout, folder.bytes) == (0, "", before)
    assert "nothing is written" in done.stderr


def test_do_json_is_the_stored_record(folder):
    (record,) = records(folder.run("do", "k sneak v5", "--json"))
    assert set(record) == RECORD
    assert (record["session"], record["number"], record["take"], record["at"]) == (1, 1, 1, CLOCK)
    assert all("rules" in fact for fact in record["facts"])
    assert records(folder.run("log", "--json"))[-1] == record


def test_request_counts_once(folder):
    first = folder.run("do", "k sneak v5", "--request", "r1")
    after = folder.bytes
    assert folder.run("do", "k sneak v5", "--request", "r1") == first
    assert folder.run("do", "  k sneak v5 ", "--request", "r1") == first
    assert one_error(folder.invoke("do", "k sneak v6", "--request", "r1"), 1).startswith("L-REQUEST")
    assert folder.bytes == after
    assert heads(folder.run("do", "k sneak v5", "--request", "r2")) == ["1.2"]


@pytest.mark.parametrize("key", ["\x1b]0;x\x07", "\ud800", "k" * 300])
def test_request_key_is_checked_like_any_text(folder, key):
    before = folder.bytes
    assert "--request" in one_error(folder.invoke("do", "k sneak v5", "--request", key), 2)
    assert folder.bytes == before


def test_adjustment_of_a_value_before_the_first_cast(tmp_path):
    """A number with its sign adjusts, also a value of the book that the ledger does not have yet."""
    folder = Folder(tmp_path)
    run("new", "Salt Ward", str(tmp_path))
    folder.run("open", "one")
    assert "doom 0>3" in folder.run("do", '! doom +3 "an omen"')


def test_replies_and_refusals_in_a_fight_say_who_is_next(fight_folder, tmp_path):
    folder = copied(fight_folder, tmp_path)
    assert ". now: Ash; wound due: Ash" in one_error(folder.invoke("do", "b move"), 1)
    for line in ("a wound /4.3", "close"):
        said = folder.run("do", line)
    assert said.splitlines()[-1] == "now: Ash (bonus, move, reaction, standard)"
    assert "now:" not in folder.run("do", "! end")


@pytest.mark.slow
def test_now_names_everybody_who_may_act(tmp_path):
    """Momentum: all PCs have a check to make, then all may act, with one action after a failed check."""
    run("new", "C", str(tmp_path), "--game", "momentum")
    folder = Folder(tmp_path)
    sheets = Path(__file__).parents[2] / "campaigns" / "broken-archway"
    folder.run("cast", str(sheets / "cast"), str(sheets / "foes" / "leader.toml"))
    folder.run("open")
    started = folder.run("do", '! fight "the yard" zones=yard').splitlines()[-1]
    assert started.endswith("or Sira (action 2); opening check: Brynn, Kael, Sira")
    for line in ("b momentum /7.7", "k momentum /1.2", "s momentum /9.8"):
        said = folder.run("do", line)
    assert said.splitlines()[-1] == "now: Brynn (action 2), Kael (action) or Sira (action 2)"
    folder.run("do", "b attack leader /9.9")
    assert folder.run("do", "# a pause").splitlines()[-1] == "now: Brynn (action)"


@pytest.mark.slow
@pytest.mark.parametrize("line", ["k sneak v5 hiden", 'k "李雷" hiden'])
def test_column_of_an_error_is_marked_at_a_terminal(folder, line):
    terminal = Terminal([str(PROGRAM), "-C", str(folder.path), "do", line], environment(TERM="xterm"))
    shown = terminal.read_until("Did you mean").splitlines()
    assert terminal.end() == 2
    assert shown[0] == line
    assert shown[1] == " " * wcswidth(line.removesuffix("hiden")) + "^"


@pytest.mark.parametrize(("line", "word"), [("k sneek", "sneak"), ("k attakc thug", "attack"), ("k rset ten", "rest")])
def test_refused_task_that_looks_like_a_verb_names_it(folder, line, word):
    assert folder.invoke("do", line).stderr.endswith(f"Did you mean '{word}'?\n")


def test_refused_task_that_looks_like_nothing_asks_for_none(folder):
    assert "Did you mean" not in folder.invoke("do", "k xylophone").stderr


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("show encounter", "That is a command: campaign show encounter."),
        ("u", "Write it out: undo."),
        ("u 1.2", "Write it out: undo 1.2."),
    ],
)
def test_line_that_is_a_command_names_it(folder, line, hint):
    assert folder.invoke("do", line).stderr.endswith(f"{hint}\n")
