"""The seed of an open session: nowhere but in its file, and never a face out of it before its time."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import subprocess
import sys

import pytest

from ledger.facts import Rolled
from ledger.records import Record
from ledger.seeds import SeedFiles
from ledger.sqlite_store import SqliteStore
from tests.cli.conftest import Folder, copied, environment, one_error
from tests.cli.test_permissions import without_power
from tests.ledger.strategies import Forger

pytestmark = pytest.mark.slow  # run with --long

LINES = ['ana words "brass kettle"', "k sneak v5 e1", "k listen v6", "o climb v3", "close", "# The lamp room"]
LOOKING = [
    ["show"],
    ["show", "kess"],
    ["show", "--json"],
    ["show", "--at", "1.1"],
    ["show", "--as-of", "5", "--json"],
    ["log"],
    ["log", "1"],
    ["log", "--takes"],
    ["log", "--json"],
    ["log", "--takes", "--json"],
    ["who", "doom"],
    ["when", "not doom > 99", "--all", "--json"],
    ["diff", "1", "1"],
    ["diff", "1.2@1", "--json"],
    ["replay"],
    ["replay", "1"],
    ["replay", "--json"],
    ["verify"],
    ["verify", "--json"],
    ["verify", "--head", "1 " + "0" * 64],
]
SAYING = [
    ["do", "k sneak v7", "--json"],
    ["do", "k sneak v7"],
    ["do", "close"],
    ["do", "k sneak v99"],
    ["do", "nobody sneak v5"],
    ["do", "k sneak v5 /1.99"],
    ["do", 'bo words "too late"'],
    ["undo"],
    ["open", "again"],
    ["run", "missing.session"],
    ["rebuild"],
]
BROKEN = """
import sys
from ledger import dice
from ledger import sqlite_store
from ledger import implied_passes
from ledger import seeds
from cli.main import main

def broken(*_, **__):
    raise RuntimeError("on purpose")

{place} = broken
main()
"""
KILLED = """
import os, signal
from ledger.sqlite_store import SqliteStore
from cli.main import main
SqliteStore.append = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
main()
"""


def seed_of(folder: Folder) -> bytes:
    (file,) = folder.seeds
    return bytes.fromhex(file.read_text().strip())


def shows(seed: bytes, *places: bytes | str) -> bool:
    """Return whether one of these contains the seed, in hex or raw."""
    found = [place.encode() if isinstance(place, str) else place for place in places]
    wanted = (seed, seed.hex().encode(), seed.hex().upper().encode(), repr(seed)[2:-1].encode())
    return any(form in place for form in wanted for place in found)


@pytest.fixture
def night(secret: Folder) -> Folder:
    """A session with a secret seed, words and rolls in it, still open."""
    for line in LINES:
        secret.run("do", line)
    return secret


def run_process(folder: Folder, program: str, *arguments: str) -> subprocess.CompletedProcess:
    """A command in a process in which something is not as it should be."""
    return subprocess.run(
        [sys.executable, "-c", program, "-C", str(folder.path), *arguments],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )


def test_seed_file_is_readable_by_its_owner_alone(secret):
    (file,) = secret.seeds
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_seed_file_is_private_under_any_umask(closed):
    done = closed.run_process("open", preexec_fn=None, before=["sh", "-c", 'umask 000; exec "$@"', "sh"])
    assert done.returncode == 0, done.stderr
    (file,) = closed.seeds
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_no_output_or_file_holds_the_open_seed(night):
    seed = seed_of(night)
    printed = [str(night.invoke(*command).output) for command in (*LOOKING, *SAYING, *LOOKING)]
    assert not shows(seed, *printed)
    assert not shows(seed, night.bytes)
    assert {
        file.name for file in night.path.iterdir() if shows(seed, file.read_bytes() if file.is_file() else b"")
    } == {night.seeds[0].name}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "arguments", "code"),
    [
        ("sqlite_store.SqliteStore.append", ["do", "k search v5"], 1),
        ("sqlite_store.SqliteStore.append", ["close"], 1),
        ("sqlite_store.SqliteStore.append", ["open"], 1),
        ("implied_passes.decide_and_fold", ["do", "k search v5"], 1),
        ("seeds.session_key", ["do", "k search v5"], 3),
        ("dice.SeededDice.throw", ["do", "k search v5"], 3),
        ("sqlite_store.SqliteStore.takes", ["replay"], 1),
    ],
)
def test_crash_does_not_show_the_seed(night, place, arguments, code):
    """An error while the rules decide is reported as damage (3), any other as a crash (1)."""
    seed = seed_of(night)
    done = run_process(night, BROKEN.format(place=place), *arguments)
    assert done.returncode == code
    assert "RuntimeError: on purpose" in done.stderr or arguments == ["open"]
    assert not shows(seed, done.stdout, done.stderr)
    assert night.invoke("verify").exit_code == 0
    assert len(night.seeds) == 1


def test_reading_commands_never_read_the_seed(night, monkeypatch):
    def never(*_: object) -> bytes:
        raise AssertionError("the seed was read")

    monkeypatch.setattr(SeedFiles, "get", never)
    for command in LOOKING[:-1]:
        night.run(*command)


def test_replay_of_open_session_needs_no_seed_file(night):
    with_it = [night.run(*command) for command in LOOKING[:-1]]
    night.seeds[0].unlink()
    assert [night.run(*command) for command in LOOKING[:-1]] == with_it
    report = json.loads(night.run("replay", "--json"))
    assert (report["drawn"], report["sealed"], report["differences"]) == (0, 6, [])
    assert "6 faces sealed until the session closes" in night.run("replay")


def rolled(records: list[Record], entry: str) -> Rolled:
    return next(fact for record in records if str(record.id) == entry for fact in record.facts if type(fact) is Rolled)


def test_replay_of_forged_session_prints_no_new_face(night):
    """The owner of the file could remove a roll to learn the next faces of the seed from a replay."""
    from msgspec.structs import replace

    def without_its_roll(records: list[Record]) -> list[Record]:
        return [
            replace(record, facts=tuple(fact for fact in record.facts if type(fact) is not Rolled))
            if str(record.id) == "1.2"
            else record
            for record in records
        ]

    Forger(night.ledger).rewrite(without_its_roll, chained=True)
    with_it = [night.invoke(*command) for command in (["replay"], ["replay", "--json"], ["verify"])]
    night.seeds[0].unlink()
    without_it = [night.invoke(*command) for command in (["replay"], ["replay", "--json"], ["verify"])]
    assert [done.exit_code for done in with_it] == [1, 1, 1]
    assert [done.stdout for done in with_it] == [done.stdout for done in without_it]
    assert "never drawn" in with_it[0].stdout


def test_close_reveals_the_seed_and_deletes_its_file(night):
    seed = seed_of(night)
    told = night.run("close")
    assert f"seed {seed.hex()}\n" in told
    assert night.seeds == []
    assert seed.hex() in night.run("log")
    report = json.loads(night.run("replay", "--json"))
    assert (report["drawn"], report["sealed"], report["differences"]) == (6, 0, [])
    night.run("verify")


def test_without_seed_file_only_typed_faces_count(night):
    seed = night.seeds[0]
    kept = seed.read_bytes()
    seed.unlink()
    before = night.bytes
    assert one_error(night.invoke("do", "k search v5"), 1).startswith("L-SEED")
    assert one_error(night.invoke("close"), 1).startswith("L-SEED")
    assert night.bytes == before
    night.run("do", "k search v5 /7.6")
    seed.write_bytes(kept)
    night.run("do", "k swim v5")
    night.run("close")
    night.run("verify")


@pytest.mark.parametrize("content", [b"", b"nonsense", b"ab" * 31, b"ab" * 33, b"\xff" * 64])
def test_bad_seed_file_is_named_and_draws_nothing(night, content):
    night.seeds[0].write_bytes(content)
    before = night.bytes
    for command in (["do", "k search v5"], ["close"]):
        error = one_error(night.invoke(*command), 1)
        assert error.startswith("L-SEED")
        assert night.seeds[0].name in error
    assert night.bytes == before


@pytest.mark.slow
def test_seed_of_another_user_stops_drawn_dice_only(night):
    before = without_power()
    if before is None:
        pytest.skip("modes do not hold for this user")
    night.seeds[0].chmod(0o000)
    for command in (["do", "k search v5"], ["close"]):
        error = one_error(night.run_process(*command, before=before), 1)
        assert "you may not read it" in error
        assert "--seed-lost" not in error
    assert night.run_process("do", "k search v5 /7.6", before=before).returncode == 0
    assert "Its owner can close" in one_error(night.run_process("close", "--seed-lost", before=before), 1)


def test_fifo_as_seed_hangs_no_command(night):
    seed = night.seeds[0]
    seed.unlink()
    os.mkfifo(seed)
    night.run("do", "# One")
    assert one_error(night.invoke("do", "k search v5"), 1).startswith("L-SEED")
    night.run("close", "--seed-lost")


def test_seed_is_found_beside_the_file_of_a_link(night, tmp_path):
    other = Folder(tmp_path / "other")
    other.path.mkdir()
    other.ledger.symlink_to(night.ledger)
    seed = seed_of(night).hex()
    other.run("do", "o listen v3")
    assert f"seed {seed}" in other.run("close", "--seed-lost")
    other.run("open")
    assert (len(night.seeds), other.seeds) == (1, [])


def test_other_seed_cannot_close_the_session(night):
    night.seeds[0].write_text("ab" * 32)
    before = night.bytes
    error = one_error(night.invoke("close"), 1)
    assert error.startswith("L-SEED")
    assert "ab" * 32 not in error
    assert night.bytes == before


def test_only_fixed_seeds_are_marked(closed):
    assert "a fixed seed" not in closed.run("open", "One")
    closed.run("close")
    assert "a fixed seed" in closed.run("open", "Two", "--seed", "text")
    closed.run("close")
    assert closed.run("log").count("a fixed seed") == 1


def test_sessions_have_different_seeds(closed, tmp_path):
    other = Folder(tmp_path / "other")
    shutil.copytree(closed.path, other.path)
    for folder in (closed, other):
        folder.run("open")
        folder.run("close")
        folder.run("open")
        folder.run("close")
    seeds = re.findall(r"seed ([0-9a-f]{64})", closed.run("log") + other.run("log"))
    assert len(set(seeds)) == 4


# Openings that are interrupted


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt, MemoryError])
def test_open_after_failed_open(closed, monkeypatch, error):
    before = closed.bytes

    def failing(*_: object, **__: object) -> None:
        raise error("on purpose")

    with monkeypatch.context() as patch:
        patch.setattr(SqliteStore, "append", failing)
        if error is KeyboardInterrupt:
            assert closed.invoke("open").exit_code == 1
        else:
            with pytest.raises(error):
                closed.invoke("open")
    assert closed.bytes == before
    closed.run("open")
    closed.run("do", "k sneak v5")
    closed.run("close")
    closed.run("verify")


def test_open_after_open_killed_before_append(closed):
    before = closed.bytes
    assert run_process(closed, KILLED, "open").returncode == -9
    assert closed.bytes == before
    assert len(closed.seeds) == 1
    closed.run("open")
    closed.run("do", "k sneak v5")
    closed.run("close")
    closed.run("verify")


def test_close_after_close_killed_before_append(night):
    before = night.bytes
    assert run_process(night, KILLED, "close").returncode == -9
    assert night.bytes == before
    night.run("close")
    night.run("verify")


def test_interrupt_after_append_keeps_the_seed(closed, monkeypatch):
    real = SqliteStore.append

    def late(*arguments: object, **more: object) -> None:
        monkeypatch.setattr(SqliteStore, "append", real)  # it calls itself in a transaction
        real(*arguments, **more)
        raise KeyboardInterrupt

    monkeypatch.setattr(SqliteStore, "append", late)
    closed.invoke("open")
    assert "session 1 is open" in closed.run("show")
    closed.run("do", "k sneak v5")
    closed.run("close")


def test_late_open_with_same_text_keeps_the_seed(closed, monkeypatch):
    real = SeedFiles.save
    quicker: list[str] = []

    def save(self: SeedFiles, commitment: str, seed: bytes) -> None:
        real(self, commitment, seed)
        if not quicker:
            quicker.append("going")
            quicker.append(closed.run("open", "One", "--seed", "the same"))

    monkeypatch.setattr(SeedFiles, "save", save)
    assert one_error(closed.invoke("open", "Two", "--seed", "the same"), 1).startswith("L-OPEN")
    closed.run("do", "k sneak v5")
    closed.run("close")


QUESTIONS = (
    ("odds", "b attack thug speed d5"),
    ("whatif", "1.10", '+1"in cover"'),
    ("whatif", "--drop", "1.8"),
    ("whatif", "--insert", "1.9", "b attack thug speed d5"),
    ("amend", "1.10", "b attack thug m", "--because", "x", "--json"),
    ("show", "--all"),
    ("why", "1.10"),
    ("help", "attack"),
)


def test_questions_do_not_read_the_seed(fight_folder, tmp_path):
    """With the seed file gone every question has the same answer: no die that is not kept was looked at."""
    folder = copied(fight_folder, tmp_path)
    answers = [folder.invoke(*question).output for question in QUESTIONS]
    shell = '? odds b attack thug speed d5\n? whatif 10 +1"in cover"\n?\n'
    played = folder.invoke("play", input=shell).output
    for file in folder.seeds:
        file.unlink()
    assert [folder.invoke(*question).output for question in QUESTIONS] == answers
    assert folder.invoke("play", input=shell).output == played
    error = one_error(folder.invoke("do", "a wound"), 1)
    assert "L-SEED" in error
