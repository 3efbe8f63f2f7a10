"""Test that every command says which dice are not proved: of lost and fixed seeds, without words, drawn too late."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.render.proof import proof_lines, sessions_text
from ledger.seeds import SeedDenied, SeedFiles
from ledger.session_proof import SessionProof
from tests.cli.conftest import CAST, Folder, one_error

HONEST = "drawn from the seed"
COUNTING = (["verify"], ["verify", "--quick"], ["replay"], ["luck"], ["recap"])


def evening(path: Path, *opening: str, words: bool = False, lost: bool = False, closed: bool = True) -> Folder:
    """Play a short evening with two seeded dice."""
    folder = Folder(path / "salt")
    folder.path.mkdir()
    folder.run("new", "Salt Ward", str(folder.path), "--game", "dusk-bastards", "--id", "0" * 31 + "7")
    for name, sheet in CAST.items():
        folder.run("cast", str(folder.file(name, sheet)))
    folder.run("open", "Night", *opening)
    if words:
        folder.run("do", 'ana words "brass kettle"')
    folder.run("do", "k climb v4")
    folder.run("do", "close")
    if lost:
        for seed in folder.path.glob("seed-*.secret"):
            seed.unlink()
    if closed:
        folder.run("close", *(["--seed-lost"] if lost else []))
    return folder


UNPROVED = {
    "lost": ({"lost": True}, "2 faces unproved: the seed is lost"),
    "unmixed": ({}, "no player added words: the game master alone chose these dice"),
    "sealed": ({"closed": False}, "2 faces sealed until the session closes"),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", UNPROVED)
def test_commands_that_count_faces_say_what_is_unproved(case, tmp_path):
    how, expected = UNPROVED[case]
    folder = evening(tmp_path, **how)
    for command in COUNTING[:3]:
        done = folder.invoke(*command)
        assert (done.exit_code, f"session 1: {expected}" in done.stdout) == (0, True), done.output


@pytest.mark.slow
def test_open_session_without_words_has_both_notes(tmp_path):
    """Words cannot be added any more: dice were drawn."""
    folder = evening(tmp_path, closed=False)
    for command, faces in (("verify", "2 faces"), ("replay", "2 faces"), ("luck", "faces")):
        printed = folder.run(command)
        assert "session 1: no player added words" in printed
        assert f"session 1: {faces} sealed" in printed


@pytest.mark.slow
def test_luck_tells_players_nothing_of_secret_dice(tmp_path):
    folder = evening(tmp_path)
    folder.run("open", "Two")
    folder.run("do", "!! k climb v4")
    assert "session 2" in folder.run("luck")
    assert "session 2" not in folder.run("luck", "--as", "players")


@pytest.mark.slow
def test_seed_with_words_needs_no_note(tmp_path):
    folder = evening(tmp_path, words=True)
    for command in COUNTING:
        assert "unproved" not in folder.run(*command), command
        assert "game master alone" not in folder.run(*command), command
    assert "2 dice in 1 roll drawn from the seed\n" in folder.run("recap")
    assert "all is well" in folder.run("verify")


@pytest.mark.slow
def test_lost_seed_is_never_called_well_or_drawn(tmp_path):
    folder = evening(tmp_path, lost=True)
    for command in COUNTING:
        printed = folder.run(*command)
        assert "unproved" in printed, command
        assert "all is well" not in printed
        assert HONEST not in printed
    assert "nothing differs, but 2 faces are unproved" in folder.run("verify")
    report = json.loads(folder.run("verify", "--json"))
    assert report["ok"]
    assert [(each["session"], each["lost"], each["faces"]) for each in report["proofs"]] == [(1, True, 2)]
    assert json.loads(folder.run("replay", "--json"))["unproved"] == 2
    assert [each["source"] for each in json.loads(folder.run("luck", "--json"))] == ["unproved"]
    assert "unproved, since the session's seed is lost," in folder.run("why", "1.1")


@pytest.mark.slow
def test_fixed_seed_is_said_wherever_faces_are_counted(tmp_path):
    folder = evening(tmp_path, "--seed", "one", words=True)
    for command in COUNTING:
        printed = folder.run(*command)
        assert "fixed seed" in printed, command
        assert HONEST not in printed
    assert "drawn from a fixed seed" in folder.run("why", "1.2")


@pytest.mark.slow
def test_faces_of_a_correction_after_the_reveal_are_marked(tmp_path):
    folder = evening(tmp_path, words=True)
    folder.run("amend", "--insert", "1.1", "o climb v4", "--because", "forgotten", "--retcon")
    for command in COUNTING:
        assert "after the seed was revealed" in folder.run(*command), command
    assert "[drawn after the reveal]" in folder.run("log", "1")
    assert "drawn by a correction, after the seed was revealed" in folder.run("why", "1.1+1")


@pytest.mark.slow
def test_open_says_that_words_are_missing(tmp_path):
    folder = evening(tmp_path)
    assert "Until a player adds words" in folder.invoke("open", "Two").stderr
    folder.run("close")
    assert "Until a player adds words" not in folder.invoke("open", "Three", "--seed", "x").stderr


@pytest.mark.slow
def test_seed_of_another_user_is_not_lost(tmp_path, monkeypatch):
    """Who may write the ledger but not read the seed cannot close the session without it."""
    folder = evening(tmp_path, closed=False)

    def denied(self: SeedFiles, commitment: str) -> bytes:
        raise SeedDenied("the seed file is there, but you may not read it", where=self.path(commitment))

    monkeypatch.setattr(SeedFiles, "get", denied)
    for command in (("do", "o climb v4"), ("close",), ("close", "--seed-lost")):
        error = one_error(folder.invoke(*command), 1)
        assert "you may not read it" in error
        assert "--seed-lost" not in error
    monkeypatch.undo()
    assert "seed " in folder.run("close")


def test_permission_of_the_seed_file_is_told_from_its_loss(tmp_path, monkeypatch):
    def no_permission(path: str, flags: int) -> int:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr("ledger.seeds.os.open", no_permission)
    with pytest.raises(SeedDenied):
        SeedFiles(tmp_path).get("ab" * 32)


@pytest.mark.slow
def test_clock_that_runs_backwards_is_noticed(tmp_path):
    folder = evening(tmp_path, words=True)
    assert "ran backwards" in folder.invoke("open", "Two", clock="2026-01-08T10:00:00Z").stderr
    for quick in ([], ["--quick"]):
        done = folder.invoke("verify", *quick)
        expected = (
            "clock: the time ran backwards: entry 2.0 is of 2026-01-08T10:00:00Z,"
            " and the record before it of 2026-01-09T19:30:00Z\n"
        )
        assert (done.exit_code, expected in done.stdout) == (0, True), done.output


@pytest.mark.slow
def test_zones_are_compared_as_times(tmp_path):
    folder = evening(tmp_path, words=True)
    folder.invoke("open", "Two", clock="2026-01-09T20:30:00+01:00")
    assert "ran backwards" not in folder.run("verify")


@pytest.mark.parametrize(
    ("numbers", "text"),
    [([2], "session 2"), ([2, 1], "sessions 1 and 2"), ([1, 3, 4, 5, 8], "sessions 1, 3 to 5 and 8")],
)
def test_sessions_are_joined(numbers, text):
    assert sessions_text(numbers) == text


def test_each_kind_of_gap_has_one_line():
    proofs = [SessionProof(session=number, open=False, lost=number < 3, faces=2) for number in range(1, 6)]
    lost, unmixed = proof_lines(proofs)
    assert lost.startswith("sessions 1 and 2: 4 faces unproved")
    assert unmixed.startswith("sessions 3 to 5: no player")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ((), "no player added words: the game master alone chose these dice"),
        (('gm words "a"',), "no player added words: the game master alone chose these dice"),
        (('ana words "a"',), "the dice rest on the seed and on the words of ana; ana spoke last"),
        (
            ('gm words "a"', 'bo words "b"', 'ana words "c"'),
            "the dice rest on the seed and on the words of bo and ana; ana spoke last, after the game master and bo",
        ),
    ],
)
def test_close_and_verify_say_what_the_dice_rest_on(tmp_path, lines, said):
    folder = evening(tmp_path)
    folder.run("open", "Two", "--players", "ana,bo")
    for line in (*lines, "k climb v5"):
        folder.run("do", line)
    folder.run("do", "close")
    assert f"session 2: {said}" in " ".join(folder.run("close").split())
    assert f": {said}" in " ".join(folder.run("verify").split())
    assert f": {said}" in " ".join(folder.run("verify", "--quick").split())


@pytest.mark.slow
@pytest.mark.parametrize("players", ["ana,Ana", "gm", "ana,b\x07", "1"])
def test_players_of_no_sense_are_refused(tmp_path, players):
    folder = evening(tmp_path)
    assert folder.invoke("open", "Two", "--players", players).exit_code == 2
    assert "2.0" not in folder.run("log", "--oneline")


@pytest.mark.slow
def test_no_line_before_a_roll_moves_its_dice(tmp_path):
    folder = evening(tmp_path, "--seed", "one")
    folder.run("open", "Two", "--seed", "two")
    first = folder.run("do", "k climb v5")
    folder.run("undo")
    assert folder.run("do", "k climb v5") == first
    folder.run("undo")
    folder.run("do", "# The wall")
    folder.run("do", "!! # they do not know it")
    assert dice_of(folder.run("do", "k climb v5")) == dice_of(first)
    assert folder.run("log", "2", "--takes").count(f"{dice_of(first)} = ") == 3  # `Dusk 1` begins `Dusk 11`


def dice_of(printed: str) -> str:
    """Return the dice of a roll that was printed."""
    return next(line for line in printed.splitlines() if "Dawn" in line).partition(" = ")[0].strip()


BACK = "1 roll was taken back after its dice were seen"
TWICE = "1 roll counts for several entries: a correction has brought one of them back"


def told_of_throws(folder):
    """Return what verify, replay, luck and the recap say of throws."""
    commands = (["verify"], ["verify", "--quick"], ["replay"], ["luck"], ["recap", "--log"])
    return [" ".join(folder.run(*command).split()) for command in commands]


@pytest.mark.slow
def test_roll_that_was_taken_back_is_told_until_it_is_said_again(tmp_path):
    folder = evening(tmp_path, closed=False)
    assert not any("taken back after" in told for told in told_of_throws(folder))
    folder.run("do", "o lift v5")
    folder.run("undo")
    assert all(BACK in told for told in told_of_throws(folder))
    folder.run("do", "# a note")
    folder.run("do", "o lift v5")
    assert not any("taken back after" in told for told in told_of_throws(folder))


@pytest.mark.slow
def test_roll_that_a_correction_brings_back_beside_another_is_told(tmp_path):
    folder = evening(tmp_path, closed=False)
    folder.run("do", "# a note")
    folder.run("amend", "--drop", "1.1", "--because", "so it was", "--retcon")  # 1.4
    folder.run("do", "k climb v4")
    folder.run("undo", "1.4")
    told = told_of_throws(folder)
    assert all(TWICE in each for each in told[:4])
