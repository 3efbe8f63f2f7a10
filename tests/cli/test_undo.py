"""`campaign undo`."""

from __future__ import annotations

import json

import pytest

from tests.cli.commands import heads
from tests.cli.conftest import copied, one_error
from tests.cli.disputes import BECAUSE, LAMP, SETTLED, unchanged, values

pytestmark = pytest.mark.slow  # run with --long


def test_undo_of_an_amendment_restores_everything(saints):
    before = values(saints)
    saints.run("amend", *LAMP, *BECAUSE, "--retcon", "--pass")
    after = values(saints)
    saints.run("undo", "3.40")
    assert values(saints) == before
    saints.run("undo", "3.41")
    assert values(saints) == after
    assert unchanged(saints, "undo", "3.41", code=1).startswith("L-UNDO: entry 3.41 is undone already")
    done = json.loads(saints.run("undo", "3.42", "--json"))
    assert set(done) == SETTLED
    assert (done["outcome"], done["age"]) == ("undo", "")
    assert values(saints) == before
    saints.run("verify")
    saints.run("replay")


def test_undo_lists_the_entries_that_change(night):
    night.run("do", "k leap v6 /9.3")
    assert night.run("undo", "--because", "a slip").splitlines() == [
        "4.8   undo", "      takes back 4.7@1 (a slip)", "      it was: k leap v6 /9.3",
        "the next undo takes back 4.6: close",
    ]  # fmt: skip
    night.run("do", "k leap v6 /9.3")
    night.run("amend", "4.7", "v5", "--insert", "4.6", "# before", *BECAUSE, "--retcon")
    lines = night.run("undo", "4.9").splitlines()
    assert [line.strip() for line in lines[-7:-1]] == [
        "takes back the correction 4.9@1",
        "restores the earlier declaration of 4.6+1@1",
        "restores the earlier declaration of 4.7@4",
        "it was: ~ 4.7 v5 --insert 4.6 # before",
        "it was: # before",
        'it was: Kess "leap" v5 /9.3',
    ]


def test_undo_line_prints_the_same_as_the_command(night):
    night.run("do", "k leap v6 /9.3")
    night.run("do", "~ v5")
    spoken = copied(night, night.path / "spoken")
    assert spoken.run("do", "undo 4.8") == night.run("undo", "4.8")
    assert spoken.run("do", "undo") == night.run("undo")
    assert unchanged(spoken, "do", "undo 4.8", code=1) == unchanged(night, "undo", "4.8", code=1)
    record = json.loads(spoken.run("do", "undo", "--json"))
    assert record["facts"][1]["outcome"] == "undo"


def test_undo_of_undo_is_refused_after_a_new_line(night):
    night.run("do", "k leap v6")
    night.run("undo")
    night.run("do", "k leap v5")
    assert unchanged(night, "undo", "4.8", code=1).startswith("L-UNDO: entry 4.7 has been changed since")


def test_undone_line_said_again_gets_the_same_dice(folder):
    first = folder.run("do", "k sneak v5")
    done = folder.invoke("undo")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.startswith("1.2   undo\n      takes back 1.1@1\n")
    assert "k sneak v5" in done.stdout
    assert folder.run("do", "k sneak v5") == first
    assert heads(folder.run("log", "--takes"))[-4:] == ["1.1@1", "1.2@1", "1.1@2", "1.1@3"]


def test_undo_of_an_opening_is_refused(folder):
    before = folder.bytes
    assert one_error(folder.invoke("undo"), 1).startswith("L-UNDO")
    assert folder.bytes == before


def test_undo_list_says_who_took_back_what_and_how_to_restore_it(night):
    night.run("do", "k leap v6 /9.3")
    night.run("undo", "--because", "a slip")
    night.run("do", "k leap v5 /9.3")
    night.run("amend", "4.7", "v4", *BECAUSE, "--retcon")
    before = night.bytes
    listed = night.run("undo", "--list").splitlines()
    assert [line for line in listed if not line.startswith(" ")] == [
        "4.9   2026-01-09T19:30:00Z by gm (the wall)",
        "4.8   2026-01-09T19:30:00Z by gm (a slip)",
        "1.32  2026-01-09T19:30:00Z by gm",
    ]
    assert [line.strip() for line in (*listed[1:4], *listed[5:8])] == [
        "amends 4.7@3", "it was: k leap v5 /9.3", "restore it: campaign undo 4.9",
        "takes back 4.7@1", "it was: k leap v6 /9.3", "entry 4.7 has been changed since",
    ]  # fmt: skip
    assert night.bytes == before
    night.run("undo", "4.9")
    first, *_ = json.loads(night.run("undo", "--list", "--json"))
    assert (first["entry"], first["outcomes"]) == ("4.10", ["revoke", "restore"])
    assert first["restore"] == "campaign undo 4.10"
    night.run("undo", "4.10")
    assert "it was: undo 4.9" in night.run("undo", "--list")


def test_undo_list_stands_alone(folder):
    assert folder.run("undo", "--list") == "nothing was taken back or corrected\n"
    assert "--list stands alone" in one_error(folder.invoke("undo", "1.1", "--list"), 2)


def test_undo_takes_the_newest_thing_each_time(folder):
    for line in ("k sneak v5 /7.6", "k climb v4 /6.7", "~ v5 retcon", "~ v6 retcon"):
        folder.run("do", line)
    undone = [folder.run("do", "undo").splitlines() for _ in range(4)]
    assert [lines[1].strip() for lines in undone] == [
        "takes back the correction 1.4@1", "takes back the correction 1.3@1", "takes back 1.2@5", "takes back 1.1@1",
    ]  # fmt: skip
    assert [lines[-1] for lines in undone] == [
        "the next undo takes back 1.3: ~ v5 retcon",
        "the next undo takes back 1.2: k climb v4 /6.7",
        "the next undo takes back 1.1: k sneak v5 /7.6",
        "nothing more of this session can be taken back",
    ]


def test_redo_brings_back_one_undo_after_the_other(folder):
    for line in ("k sneak v5 /7.6", "k climb v4 /6.7", "~ v5 retcon"):
        folder.run("do", line)
    before = values(folder)
    for line in ("undo", "undo", "undo", "redo", "redo", "redo"):
        folder.run("do", line)
    assert values(folder) == before
    assert unchanged(folder, "do", "redo", code=1).startswith("L-UNDO: nothing was taken back in this session.")
    folder.run("do", "undo")
    folder.run("do", "undo")
    folder.run("verify")


def test_redo_after_another_line_names_the_undo(folder):
    for line in ("k sneak v5 /7.6", "undo", "# The quay"):
        folder.run("do", line)
    error = unchanged(folder, "do", "redo", code=1)
    assert error == ("L-UNDO: '# The quay' was said after the undo 1.2. To bring back what that took, type: undo 1.2.")
