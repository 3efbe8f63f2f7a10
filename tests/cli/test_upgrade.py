"""`upgrade`: ledgers of format 2 that are kept in tests/ageing are played again; nothing of them is lost or changed."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from cli.play import upgraded_campaign
from ledger.errors import LedgerError
from ledger.sqlite_store import open_store
from ledger.upgrade import ReplayedLedger, differences, read_old_records
from tests.ageing.ledgers import KEPT, MOVED, unpack
from tests.cli.conftest import Folder
from tests.ledger.strategies import Forger

SAINTS = KEPT / MOVED / "gutter-saints"
ARCHWAY = KEPT / MOVED / "broken-archway"
NOTHING = {".gitignore", "old"}
KILLED = """
import os, sys
from ledger.upgrade import ReplayedLedger
note = ReplayedLedger._say
def killed(self, line):
    if line[0].position > 30:
        os._exit(9)
    return note(self, line)
if sys.argv[3] == "rename":
    os.replace = lambda *names: os._exit(9)
else:
    ReplayedLedger._say = killed
from cli.start import main
sys.argv = ["campaign", "-C", sys.argv[1], "upgrade", sys.argv[2]]
main()
"""


@pytest.fixture
def old(tmp_path: Path) -> Folder:
    """A campaign of the format before."""
    return Folder(unpack(ARCHWAY, tmp_path / "old"))


@pytest.mark.slow
def test_old_ledger_is_played_again_with_its_corrections(tmp_path: Path) -> None:
    old, new = Folder(unpack(SAINTS, tmp_path / "old")), Folder(tmp_path / "new")
    done = old.invoke("upgrade", str(new.path))
    assert (done.exit_code, done.stdout.splitlines()[0]) == (0, f"173 entries played again in {new.path}")
    assert "Its open session goes on in the new ledger" in done.output
    assert old.bytes == gzip.decompress((SAINTS / "ledger.db.gz").read_bytes())
    assert os.listdir(old.path) == ["ledger.db"]
    assert "all is well" in new.run("verify")
    takes = new.run("log", "--takes")
    assert "restores the earlier declaration of 1.10@2" in takes
    assert "notes an error and adjusts its values: 2.36@1" in takes
    assert "1.5@1 Kess sneak v5 e1 /1.3 (from a file)" in takes  # its faces are typed ones now
    new.run("do", "close")
    assert "all is well" in new.run("verify")


@pytest.mark.slow
def test_line_that_the_rules_have_no_more_leaves_a_note(old: Folder, tmp_path: Path, monkeypatch) -> None:
    records = read_old_records(old.ledger)
    lost = next(record for record in records if record.line.startswith("# "))
    forged = ({**lost.declared, "said": {"say": "gone"}}, *lost.facts[1:])
    records[lost.position - 1] = msgspec.structs.replace(lost, facts=forged)
    monkeypatch.setattr(upgraded_campaign, "read_old_records", lambda path: records)
    done = old.invoke("upgrade", str(tmp_path / "new"))
    assert done.exit_code == 1
    assert f"{lost.id}: not possible any more, L-RULES: the rulebook cannot read the declaration" in done.stdout
    new = Folder(tmp_path / "new")
    assert "In the ledger before the upgrade: # The Collapsed Archway" in new.run("log")
    assert "all is well" in new.run("verify")


@pytest.mark.slow
def test_another_result_is_told(old: Folder, tmp_path: Path) -> None:
    old.run("upgrade", str(tmp_path / "new"))
    records, store = read_old_records(old.ledger), open_store(tmp_path / "new" / "ledger.db", write=False)
    changed = next(record for record in records if any(fact["fact"] == "judged" for fact in record.facts))
    facts = tuple({**fact, "result": "a miracle"} if fact["fact"] == "judged" else fact for fact in changed.facts)
    records[changed.position - 1] = msgspec.structs.replace(changed, facts=facts)
    (told,) = differences(records, store.takes())
    assert told.startswith(f"{changed.id}: judged: its result was a miracle, is ")
    del records[changed.position - 1]
    assert next(differences(records, store.takes())).startswith(f"{changed.id}: has ")
    store.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spoil", "says", "code"),
    [
        ("UPDATE records SET body = body || ' ' WHERE position = 5", "position 5: its hash", 3),
        ("PRAGMA user_version = 3", "it has format 3", 3),
        ("PRAGMA application_id = 7", "this file is not a campaign ledger", 3),
        ("DELETE FROM records WHERE position > 0", "has no first record", 3),
    ],
)
def test_other_files_are_refused_and_nothing_is_made(
    old: Folder, tmp_path: Path, spoil: str, says: str, code: int
) -> None:
    Forger(old.ledger).change(spoil)
    before = old.bytes
    done = old.invoke("upgrade", str(tmp_path / "new"))
    assert (done.exit_code, says in done.output) == (code, True), done.output
    assert old.bytes == before
    assert not (tmp_path / "new").exists()


def test_campaign_that_is_there_is_not_touched(old: Folder) -> None:
    before = old.bytes
    done = old.invoke("upgrade", str(old.path))
    assert done.exit_code == 3
    assert "there is a ledger already" in done.output
    assert old.bytes == before


@pytest.mark.slow
def test_upgrade_that_fails_in_the_middle_leaves_nothing(old: Folder, tmp_path: Path, monkeypatch) -> None:
    say = ReplayedLedger._say

    def fail(self, line):
        if line[0].position > 30:
            raise LedgerError("the disk is full", hint="Free some space.")
        return say(self, line)

    with monkeypatch.context() as full:
        full.setattr(ReplayedLedger, "_say", fail)
        done = old.invoke("upgrade", str(tmp_path / "new"))
    assert (done.exit_code, "Error: the disk is full. Free some space." in done.output) == (3, True)
    assert not (tmp_path / "new" / "ledger.db").exists()
    old.run("upgrade", str(tmp_path / "new"))


@pytest.mark.slow
@pytest.mark.parametrize("at", ["line", "rename"])
def test_upgrade_that_is_killed_is_made_again(old: Folder, tmp_path: Path, at: str) -> None:
    before = old.bytes
    killed = subprocess.run([sys.executable, "-c", KILLED, str(old.path), str(tmp_path / "new"), at], check=False)
    assert killed.returncode == 9
    assert not (tmp_path / "new" / "ledger.db").exists()
    old.run("upgrade", str(tmp_path / "new"))
    assert old.bytes == before
    assert "all is well" in Folder(tmp_path / "new").run("verify")
    assert sorted(os.listdir(tmp_path / "new")) == [".gitignore", "ledger.db"]
