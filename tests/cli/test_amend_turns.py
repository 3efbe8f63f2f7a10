"""Corrections that add a turn or give one back: it is passed, and the play behind it stands."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.conftest import Folder, one_error

JORY = 'name = "Jory"\nlevel = 2\nmight = 17\nspeed = 17\nintellect = 7\neffort_limit = 3\n'
GWEN = 'name = "Gwen"\nlevel = 3\nmight = 10\nspeed = 13\nintellect = 15\neffort_limit = 2\n[armor]\nphysical = 1\n'
NPC = 'sheet = "npc"\nname = "{}"\n{}difficulty = {}\nhealth = {}\ndamage = {}\n[armor]\nphysical = {}\n'
BRUTE = NPC.format("brute", "", 5, 9, 6, 1)
WARLORD = NPC.format("warlord", 'kind = "elite"\nwound_limit = 3\n', 7, 14, 7, 2)
RETURNED = """! encounter "x" participants=Jory,brute,warlord
j initiative /5.5
! leave warlord
j pass
! brute pass
! brute pass
j attack brute m d9 /9.9
close
"""
STRUCK = """! encounter "x" participants=Gwen,Jory,brute
g initiative /6.6
j initiative /9.9
close
g pass
! brute pass
j pass
j attack brute m d2 /8.8
close
g dodge brute s melee /9.9
close
! brute pass
g attack brute m d6 e1 /9.5
close
"""
FLED = """! encounter "x"
rook initiative /10.10.4
ada initiative /1.1.1
! guard initiative /1.1
rook end
! guard end
! leave ada "runs"
rook end
! guard end
rook end
"""


def fight(path: Path, game: str, lines: str, *sheets: str) -> Folder:
    """Return a campaign in which these lines were played by the beings of these sheets."""
    folder = Folder(path / game)
    Folder(path).run("new", "Turns", str(folder.path), "--game", game)
    for number, sheet in enumerate(sheets):
        folder.run("cast", str(folder.file(f"{number}.toml", sheet)))
    folder.run("open", "p")
    folder.run("run", str(folder.file("p.session", lines)))
    return folder


def mars(path: Path) -> Folder:
    """Return the fight of MARS that Ada has left."""
    for kind in ("pc", "npc"):
        (path / f"{kind}.toml").write_text(Folder(path).run("sheet", kind, "--game", "mars"))
    rook, guard = ((path / f"{kind}.toml").read_text() for kind in ("pc", "npc"))
    return fight(path, "mars", FLED, rook, re.sub("(?m)^name.*", 'name = "Ada"', rook, count=1), guard)


def amend(folder: Folder, *arguments: str) -> str:
    """Amend with `--pass`; check that the ledger verifies, and that undo brings back what was."""
    before = re.sub("entry [0-9.]+", "", folder.run("show"))
    printed = folder.run("amend", *arguments, "--because", "so it was", "--retcon", "--pass")
    folder.run("verify")
    folder.run("undo")
    folder.run("verify")
    assert re.sub("entry [0-9.]+", "", folder.run("show")) == before
    return printed


@pytest.mark.slow
def test_new_turn_comes_before_a_pass_of_somebody_else(tmp_path):
    printed = amend(fight(tmp_path, "dusk-bastards", RETURNED, JORY, BRUTE, WARLORD), "--drop", "1.3")
    assert "1.5+1 new turn: warlord pass\n" in printed
    assert "1.5+2 new turn: warlord pass\n" in printed
    assert "no longer possible" not in printed


@pytest.mark.slow
def test_turn_of_a_dropped_line_is_passed(tmp_path):
    folder = fight(tmp_path, "dusk-bastards", STRUCK, JORY, GWEN, BRUTE)
    printed = amend(folder, "--drop", "1.8")
    assert "new turn: Jory pass\n" in printed
    assert re.findall("(?m)^(.+) no longer possible", printed) == ["1.9  "]  # the close of the dropped attack
    assert re.search("brute health +3 +4", printed)


@pytest.mark.slow
def test_turn_between_two_slots_is_passed(tmp_path):
    printed = amend(mars(tmp_path), "--drop", "1.7")
    assert re.findall("(?m)^([0-9.+]+) +new turn: Ada end", printed) == ["1.7+1", "1.9+1"]
    assert "fall" not in printed


@pytest.mark.slow
def test_pass_without_a_turn_to_pass_is_remarked(tmp_path):
    folder = mars(tmp_path)
    done = folder.invoke("amend", "1.4", "/1.2", "--because", "misread", "--retcon", "--pass")
    assert (done.exit_code, "--pass passes nothing: the change gives nobody a turn." in done.stderr) == (0, True)


@pytest.mark.slow
def test_proposal_keeps_what_falls_away(tmp_path):
    """The guard comes first now, so that Rook's turn is not his yet: the preview says what keeps it."""
    folder = mars(tmp_path)
    change = ("--faces", "1.2", "/1.1.1", "--faces", "1.4", "/10.8")
    printed = folder.run("whatif", *change)
    falls = re.search(r"(?m)^(1\.[0-9]+) +no longer possible", printed)
    proposed = re.search("(?m)to keep it: (.+)", printed)
    assert falls, printed
    assert proposed, printed
    kept = folder.run("whatif", *change, *shlex.split(proposed[1]))
    assert f"{falls[1]}   no longer possible" not in kept


def test_proposal_says_whether_its_lines_throw_dice(tmp_path):
    folder = mars(tmp_path)
    printed = folder.run("whatif", "--drop", "1.3")
    assert "to keep it, with the faces that are rolled: --insert 1.4 'Ada initiative /5.5.2'\n" in printed
    passed = folder.run("whatif", "--faces", "1.2", "/1.1.1", "--faces", "1.4", "/10.8")
    assert "\n      to keep it: --insert 1.4 'Guard end'\n" in passed


def test_dropped_last_line_beside_another_change_is_refused(tmp_path):
    done = mars(tmp_path).invoke("amend", "1.4", "/1.2", "--drop", "1.10", "--because", "x", "--retcon")
    assert done.exit_code == 1
    assert "entry 1.10 is the last line. Undo it: campaign undo 1.10. Then amend the others." in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("line", [("amend", "--drop", "1.10", "--because", "x", "--retcon"), ("do", "~ 10 drop")])
def test_advice_for_a_dropped_last_line_takes_that_line(line, tmp_path):
    """A plain undo would take back the newer correction."""
    folder = mars(tmp_path)
    folder.run("amend", "1.4", "/1.2", "--because", "misread", "--retcon")
    advice = "entry 1.10 is the last line. Undo it: campaign undo 1.10."
    assert advice in one_error(folder.invoke(*line), 1)
    printed = folder.run("undo", "1.10")
    assert "takes back 1.10@1" in printed
    assert "the next undo takes back 1.11: ~ 1.4 /1.2" in printed
    assert folder.run("do", "rook end").startswith("1.10  rook end")
    folder.run("verify")


@pytest.mark.slow
def test_last_line_of_several_is_taken_back_as_a_whole(tmp_path):
    folder = mars(tmp_path)
    folder.run("do", '! over "enough"')
    folder.run("do", 'rook,ada hp -1 "smoke"')
    dropped = folder.invoke("amend", "--drop", "1.13", "--because", "x", "--retcon")
    advice = "entry 1.13 is the last line. Undo it: campaign undo 1.13. Then say it for the others."
    assert advice in one_error(dropped, 1)
    assert "takes back 1.12@1" in folder.run("undo", "1.12")


@pytest.mark.slow
def test_turn_is_not_passed_without_the_option(tmp_path):
    done = mars(tmp_path).invoke("amend", "--drop", "1.7", "--because", "x", "--retcon")
    assert done.exit_code == 1
    assert "the change gives Ada a turn at 1.7+1; the change gives Ada a turn at 1.9+1" in done.stderr


@pytest.mark.slow
def test_proposal_beside_an_inserted_line_is_taken(tmp_path):
    """An inserted entry is not in the ledger yet: the proposal names the entry before it."""
    folder = mars(tmp_path)
    change = ("--faces", "1.2", "/1.1.1", "--faces", "1.4", "/10.8", "--insert", "1.4", '! damage ada 1 "a stone"')
    printed = folder.run("whatif", *change)
    falls = re.search(r"(?m)^(1\.[0-9]+) +no longer possible", printed)
    proposed = re.search("(?m)to keep it: (.+)", printed)
    assert falls, printed
    assert proposed, printed
    assert f"{falls[1]}   no longer possible" not in folder.run("whatif", *change, *shlex.split(proposed[1]))


@pytest.mark.slow
def test_turn_is_passed_before_a_line_inserted_later(tmp_path):
    """The warlord's inserted pass is that of the next round: his turns of this one are passed."""
    folder = fight(tmp_path, "dusk-bastards", RETURNED, JORY, BRUTE, WARLORD)
    later = [
        part for line in ("j pass", "j pass", "! brute pass", "! warlord pass") for part in ("--insert", "1.8", line)
    ]
    printed = amend(folder, "--drop", "1.3", *later)
    assert printed.count("new turn: warlord pass\n") == 2
    assert "no longer possible" not in printed
