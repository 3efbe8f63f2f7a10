"""Test `export --bundle` and `import`: a ledger comes back to the byte, and only what verifies is taken."""

from __future__ import annotations

import gzip
import json
import shutil
import stat
from contextlib import closing
from pathlib import Path

import pytest

from cli.play import import_bundle
from cli.play.kept_heads import Keeping, KeptHeadFile
from ledger.facts import Die, Rolled
from ledger.records import StoredRecord
from ledger.sqlite_store import open_store
from tests.cli.conftest import CLOCK, LEDGER, Folder, copied, one_error
from tests.cli.test_forgeries import take
from tests.ledger.strategies import Forger


def stored_records(folder: Folder) -> list[StoredRecord]:
    with closing(open_store(folder.ledger, write=False)) as store:
        return list(store.read())


def tables_of(folder: Folder) -> str:
    return folder.run("export", "--json")


@pytest.fixture
def bundle(played: Folder, tmp_path: Path) -> Path:
    """A bundle of an evening, which is in a folder of its own."""
    played.run("export", "--bundle", str(tmp_path / "saints.jsonl"))
    return tmp_path / "saints.jsonl"


def import_into(bundle: Path, folder: Folder) -> str:
    return folder.run("import", str(bundle), str(folder.path))


@pytest.mark.slow
@pytest.mark.parametrize("end", [".jsonl", ".jsonl.gz", ".jsonl.zst"])
def test_import_of_an_export_is_equal_to_the_byte(played, tmp_path, end):
    if end.endswith("zst"):
        pytest.importorskip("zstandard")
    first, again, other = tmp_path / f"1{end}", tmp_path / f"2{end}", Folder(tmp_path / "other")
    played.run("export", "--bundle", str(first))
    assert import_into(first, other).startswith(f"Imported Salt Ward into {other.path}: ")
    assert stored_records(other) == stored_records(played)
    assert tables_of(other) == tables_of(played)
    other.run("export", "--bundle", str(again))
    assert again.read_bytes() == first.read_bytes()
    assert "all is well" in other.run("verify")
    assert "seed-*" in (other.path / ".gitignore").read_text()


@pytest.mark.slow
def test_import_continues_a_ledger(played, bundle, tmp_path):
    other = Folder(tmp_path / "other")
    import_into(bundle, other)
    other.run("open", "Two")
    other.run("do", "k sneak v4")
    other.run("amend", "1.1", "k sneak v4", "--because", "the wrong number", "--retcon")
    more = tmp_path / "more.jsonl"
    other.run("export", "--bundle", str(more))
    done = played.invoke("import", str(more))
    records = len(stored_records(other)) - len(bundle.read_bytes().splitlines()) + 1
    assert done.stdout.startswith(f"{records} records more of Salt Ward in ")
    assert "put the file of the seed" in " ".join(done.stderr.split())
    (seed,) = other.path.glob("seed-*.secret")
    assert seed.name in "".join(done.stderr.split())
    kept = shutil.copy(seed, played.path)
    assert stored_records(played) == stored_records(other)
    assert tables_of(played) == tables_of(other)
    assert "all is well" in played.run("verify")
    assert played.run("import", str(more)).startswith("Nothing is new")
    assert f", and {records} records more\n" in played.run("import", str(bundle))
    other.run("close")
    other.run("export", "--bundle", str(more))
    assert played.invoke("import", str(more)).stderr == ""
    assert not Path(kept).exists()  # it is revealed


@pytest.mark.parametrize("is_lost", [True, False])
def test_import_of_a_close_deletes_a_seed_only_if_it_is_revealed(folder, tmp_path, is_lost):
    """A copy without the seed can close without it; here the seed is the last proof of the dice."""
    away = copied(folder, tmp_path / "away")
    if is_lost:
        for seed in away.seeds:
            seed.unlink()
    away.run("close", *(["--seed-lost"] if is_lost else []))
    away.run("export", "--bundle", str(tmp_path / "closed.jsonl"))
    folder.run("import", str(tmp_path / "closed.jsonl"))
    assert bool(folder.seeds) is is_lost


@pytest.mark.slow
def test_fork_is_refused_where_it_parts(played, bundle, tmp_path):
    other = Folder(tmp_path / "other")
    import_into(bundle, other)
    played.run("open", "Two", "--seed", "a")
    other.run("open", "Two", "--seed", "b")
    other.run("export", "--bundle", str(bundle))
    before, number = stored_records(played), len(stored_records(played))
    error = one_error(played.run_main("import", str(bundle)), 1)
    assert f"line {number + 1}: the ledger and the bundle part at position {number}: here 2.0" in error
    assert stored_records(played) == before


@pytest.mark.slow
def test_line_said_while_the_import_runs_is_a_fork(played, bundle, tmp_path, monkeypatch):
    other, build = Folder(tmp_path / "other"), import_bundle.build_read_models
    import_into(bundle, other)
    other.run("open", "Two", "--seed", "b")
    other.run("export", "--bundle", str(bundle))

    def build_late(store, projection):
        played.run("open", "Here", "--seed", "c")
        return build(store, projection)

    monkeypatch.setattr(import_bundle, "build_read_models", build_late)
    error = one_error(played.run_main("import", str(bundle)), 1)
    assert "the ledger and the bundle part at position" in error
    assert "all is well" in played.run("verify")


def test_import_refuses_what_the_rules_do_not_give(played, tmp_path):
    dice = (Die(ordinal=0, sides=10, face=9, label="Dawn"), Die(ordinal=1, sides=10, face=9, label="Dusk"))
    number = next(each.position for each in stored_records(played) if b"The lamp room" in each.body) + 2
    forger, bundle, other = Forger(played.ledger), tmp_path / "forged.jsonl", tmp_path / "other"
    forger.rewrite(take("1.3", kind=Rolled, fact={"dice": dice}), chained=True)
    played.run("export", "--bundle", str(bundle))
    done = played.run_main("import", str(bundle), str(other))
    assert done.returncode == 3
    first, *_, last = done.stderr.splitlines()
    assert f"{bundle}, line {number}, entry 1.3: the replay differs" in first
    assert last == "Nothing was imported."
    assert not other.exists()


REFUSED = {
    "a ledger": (lambda text: b"SQLite format 3\0" * 99, 3, "this is not a bundle of a ledger"),
    "a cut off file": (lambda text: text[:-9], 3, "the line is cut off"),
    "a cut off gzip": (lambda text: gzip.compress(text)[:-9], 3, "it cannot be unpacked"),
    "bytes behind a gzip": (lambda text: gzip.compress(text) + b"x", 3, "it cannot be unpacked"),
    "a gzip of one endless line": (lambda text: gzip.compress(b"x" * (1 << 23)), 3, "longer than any record"),
    "another campaign": (lambda text: text, 2, "has another campaign: Other"),
}


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize("name", REFUSED)
def test_import_refuses(played, bundle, tmp_path, name):
    change, code, what = REFUSED[name]
    bundle.write_bytes(change(bundle.read_bytes()))
    other = Folder(tmp_path / "other")
    other.run("new", "Other", str(other.path))
    before = stored_records(other)
    error = one_error(other.run_main("import", str(bundle)), code)
    assert what in error
    assert str(bundle) in error
    assert stored_records(other) == before
    assert sorted(path.name for path in other.path.iterdir()) == [".gitignore", "ledger.db"]


def test_import_over_what_a_killed_creation_left(bundle, tmp_path):
    (tmp_path / "left").mkdir()
    (tmp_path / "left" / "ledger.db").touch()
    assert import_into(bundle, Folder(tmp_path / "left")).startswith("Imported Salt Ward")


def test_kept_head_that_differs_refuses_a_bundle(played, bundle, tmp_path, monkeypatch):
    monkeypatch.setenv("CAMPAIGN_HEADS", str(tmp_path / "heads"))
    KeptHeadFile(LEDGER).add(Keeping(head=f"3 {'f' * 64}", at=CLOCK, by="ana"))
    KeptHeadFile(LEDGER).add(Keeping(head=f"999 {'f' * 64}", at=CLOCK, by="ana"))  # of a later evening
    for arguments, code in ((["import", str(bundle), str(tmp_path / "other")], 3), (["verify", str(bundle)], 1)):
        done = played.run_main(*arguments)
        told = done.stdout + done.stderr
        assert "line 4, entry 0.2 (position 3): its hash differs from the head that was kept" in told
        assert "999" not in told
        assert done.returncode == code
    assert not (tmp_path / "other").exists()


def test_bundle_of_players_is_never_played_on(played, tmp_path):
    played.run("export", "--bundle", str(tmp_path / "p.jsonl"), "--as", "players")
    error = one_error(played.run_main("import", str(tmp_path / "p.jsonl"), str(tmp_path / "other")), 1)
    assert "is for the players: it can be checked and never played on" in error
    assert not (tmp_path / "other").exists()


def test_bundle_has_no_seed_and_says_so(secret, tmp_path):
    (seed,) = secret.path.glob("seed-*.secret")
    done = secret.invoke("export", "--bundle", str(tmp_path / "b.jsonl"))
    told = " ".join(done.stderr.split())
    assert "Session 1 is open: its seed is not in the bundle" in told
    assert seed.name in told
    assert seed.read_text().strip() not in (tmp_path / "b.jsonl").read_text()


def test_export_replaces_bundles_only(played, bundle, tmp_path):
    bundle.chmod(0o600)
    played.run("export", "--bundle", str(bundle), "--gzip")
    assert stat.S_IMODE(bundle.stat().st_mode) == 0o600
    assert json.loads(gzip.decompress(bundle.read_bytes()).splitlines()[0])["campaign"] == "Salt Ward"
    assert bundle.read_bytes()[4:8] == bytes(4)  # of no time
    notes = tmp_path / "notes.txt"
    notes.write_text("mine")
    error = one_error(played.run_main("export", "--bundle", str(notes)), 2)
    assert "is there, and is not a bundle of this program" in error
    assert notes.read_text() == "mine"


def test_export_of_a_changed_ledger_leaves_no_file(played, tmp_path):
    broken = copied(played, tmp_path / "broken")
    Forger(broken.ledger).change("UPDATE records SET hash = replace(hash, 'a', 'b') WHERE position = 3")
    error = one_error(broken.run_main("export", "--bundle", str(tmp_path / "b.jsonl")), 3)
    assert "position 3: the record does not follow from the one before" in error
    assert not (tmp_path / "b.jsonl").exists()
