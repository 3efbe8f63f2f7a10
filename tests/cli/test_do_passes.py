"""`campaign do` and `run` where a line implies passes, and where a pass lets go nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.commands import records
from tests.cli.conftest import Folder, copied
from tests.golden import CAMPAIGNS, samples

ATTACK = "b attack thug speed d5 /4.6"


@pytest.fixture(scope="module")
def fight_once(fight_folder: Folder, tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """Return a fight in its second round, in which the captain has attacked, and the roll is open. Copy it."""
    folder = copied(fight_folder, tmp_path_factory.mktemp("second-round"))
    for line in ("a wound /4.3", "! on", "b dodge captain /1.2"):
        folder.run("do", line)
    return folder


@pytest.fixture
def fight(fight_once: Folder, tmp_path: Path) -> Folder:
    """Return a copy of that fight."""
    return copied(fight_once, tmp_path)


def test_implied_pass_is_one_line_with_what_came_of_it(fight: Folder) -> None:
    printed = fight.run("do", ATTACK)
    assert printed.splitlines()[:4] == [
        "1.21+1 Captain pass",
        "      Bryn's defence: failure is final (3 against 18)",
        "      Bryn health 14>9 (attack, by Captain)",
        f"1.22  {ATTACK}",
    ]


def test_passes_of_a_phase_are_one_line(fight_folder: Folder, tmp_path: Path) -> None:
    folder = copied(fight_folder, tmp_path)
    folder.run("do", "a wound /4.3")
    assert "Ash, Thug, Bryn and Captain pass the move action" in folder.run("do", "! on")


def test_log_names_the_line_that_implies_a_pass(fight: Folder) -> None:
    fight.run("do", ATTACK)
    assert "\n1.21+1 Captain pass (implied by 1.22)\n" in fight.run("log", "1")


def test_why_names_the_passes_and_their_line(fight: Folder) -> None:
    fight.run("do", ATTACK)
    assert "passes that it implies\n  1.21+1 Captain pass\n" in fight.run("why", "1.22")
    assert fight.run("why", "1.21+1").startswith("1.21+1 Captain pass (implied by 1.22)\n")


@pytest.mark.slow
def test_odds_of_a_line_that_implies_a_pass(fight: Folder) -> None:
    assert "%" in fight.run("odds", "b attack thug speed d5")


def test_undo_takes_back_line_and_passes(fight: Folder) -> None:
    before = fight.run("show", "encounter")
    fight.run("do", ATTACK)
    fight.run("undo")
    assert fight.run("show", "encounter") == before


def test_records_of_the_passes_come_first(fight: Folder) -> None:
    passed, attack = records(fight.run("do", ATTACK, "--json"))
    assert (passed["cause"], passed["number"] + 1) == ("1.22", attack["number"])


def test_pass_of_nothing_is_no_error(fight: Folder) -> None:
    fight.run("do", "close")
    before = fight.bytes
    done = fight.invoke("do", "close")
    assert (done.exit_code, done.stdout, fight.bytes) == (0, "", before)
    assert done.stderr == "Nothing to do: No roll is open.\n"


def test_file_with_a_pass_of_nothing_is_run_again(fight: Folder) -> None:
    file = fight.file("more.session", f"close\nclose\n{ATTACK}\n")
    fight.run("run", str(file))
    before = fight.bytes
    assert fight.run("run", str(file)) == ""
    assert fight.bytes == before


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize("sample", samples())
def test_pass_of_nothing_is_no_error_in_any_game(sample: str, played_samples: dict[str, Path], tmp_path: Path) -> None:
    folder = copied(Folder(played_samples[sample]), tmp_path)
    folder.run("open")
    who = min(path.stem for path in (CAMPAIGNS / sample / "cast").iterdir())
    for verb in ("close", "pass", "end"):
        for line in (verb, f"! {verb}", f"{who} {verb}"):
            done = folder.invoke("do", line)
            assert (line, done.exit_code, done.stdout) == (line, 0, "")
            assert done.stderr.startswith("Nothing to do: No")


def test_bare_pass_in_a_turn_asks_for_a_speaker(fight: Folder) -> None:
    assert "'pass' may mean this. Meant? Captain pass" in fight.invoke("do", "pass").stderr
