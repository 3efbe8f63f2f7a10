"""Somebody changes what everybody sees of a record, or what is sealed, and makes all hashes again: verify finds it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from cli.questions.ledger_file import find_game
from ledger.quick_check import quick_check
from ledger.records import EMPTY, Head, StoredRecord, record_hash
from ledger.redaction import public_check
from ledger.redaction.public_check import is_shortened
from ledger.sqlite_store import open_store
from ledger.verify import Finding, verify
from projections.projection import StateProjection
from tests.cli.conftest import CAST, LEDGER, Folder
from tests.cli.test_view import EVENING, THUG
from tests.ledger.strategies import Forger
from tests.seals import random_seal

Edit = Callable[[StoredRecord], StoredRecord]
replace = msgspec.structs.replace


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """An evening with secret entries, a hidden foe, corrections and something that is revealed."""
    folder = Folder(tmp_path_factory.mktemp("leaves") / "salt")
    folder.path.mkdir()
    folder.run("new", "Salt Ward", str(folder.path), "--game", "dusk-bastards", "--id", LEDGER)
    for name, sheet in (*CAST.items(), ("thug.toml", THUG)):
        folder.file(name, sheet)
    folder.run("cast", *(str(folder.path / name) for name in CAST))
    folder.run("open", "Rooftops", "--seed", "one")
    folder.run("cast", str(folder.path / "thug.toml"))
    for line in (*EVENING, "~ 2 v7 retcon", "! damage thug 2", "undo", "! reveal 1.4", "! damage thug 2"):
        folder.run("do", line)
    return folder


def stored_records(folder: Folder) -> dict[str, StoredRecord]:
    """The records by the names of their takes."""
    with closing(open_store(folder.ledger, write=False)) as store:
        return {
            f"{record.id}@{record.take}": stored for record, stored in zip(store.records(), store.read(), strict=True)
        }


def forge(folder: Folder, forged: dict[str, StoredRecord], *, chained: bool) -> None:
    """Put records in the places of takes, and make all hashes again if they are `chained`."""
    before, statements = EMPTY.hash, list[str]()
    for each, stored in stored_records(folder).items():
        new = forged.get(each, stored)
        before = record_hash(before, new.leaf) if chained else stored.hash
        sealed = "NULL" if new.sealed is None else f"CAST(x'{new.sealed.hex()}' AS TEXT)"
        public = f"CAST(x'{new.public.hex()}' AS TEXT)"
        columns = f"public = {public}, sealed = {sealed}, hash = '{before}'"
        statements.append(f"UPDATE records SET {columns} WHERE position = {stored.position}")
    Forger(folder.ledger).change(*statements, "DELETE FROM snapshots")


def findings_of(folder: Folder, *heads: Head) -> tuple[list[Finding], list[Finding]]:
    """The findings of the whole check and of the quick one."""
    with closing(open_store(folder.ledger, write=False)) as store:
        whole = verify(store, find_game(store), StateProjection(), heads)[1]
        return whole, quick_check(store, StateProjection(), heads)[1]


def saying(part: str, old: str, new: str) -> Edit:
    """Return an edit of the bytes that everybody sees, or of those that are sealed."""

    def edit(stored: StoredRecord) -> StoredRecord:
        body = getattr(stored, part)
        assert old.encode() in body
        return replace(stored, **{part: body.replace(old.encode(), new.encode(), 1)})

    return edit


def with_fact(number: int, fact: dict[str, object]) -> Edit:
    """Return an edit that puts a fact in the place of one that everybody sees."""

    def edit(stored: StoredRecord) -> StoredRecord:
        public = json.loads(stored.public)
        public["facts"][number - 1] = fact
        return replace(stored, public=msgspec.json.encode(public))

    return edit


def both(first: Edit, second: Edit) -> Edit:
    """Return two edits, one after the other."""
    return lambda stored: second(first(stored))


def opened(stored: StoredRecord) -> StoredRecord:
    """Show all of a record to everybody."""
    return replace(stored, public=stored.body, sealed=None)


def sealed_again(stored: StoredRecord) -> StoredRecord:
    """Seal what is open."""
    return replace(stored, sealed=random_seal(stored.body))


FORGERIES = [
    # the take, what is done to it, whether the quick check sees it too
    pytest.param("1.7@1", saying("public", "damage thug", "damage kess"), False, id="another line"),
    pytest.param("1.7@1", saying("public", '"target":"Thug"', '"target":"Kess"'), False, id="another target"),
    pytest.param("1.7@1", saying("public", '"line":"! damage thug …"', '"line":"…"'), False, id="no line"),
    pytest.param("1.2@1", saying("public", '{"task":"climb"}', "{}"), False, id="nothing said"),
    pytest.param(
        "1.2@1",
        both(
            saying("public", "k climb … hidden", "k climb v6 hidden"),
            saying("public", '"by":"Kess","h', '"by":"gm","h'),
        ),
        False,
        id="another speaker beside a number",
    ),
    pytest.param("1.3@1", saying("public", '"result":"failure"', '"result":"success"'), False, id="another result"),
    pytest.param("1.3@1", saying("public", '"by":"gm","holder"', '"by":"Ana","holder"'), True, id="another speaker"),
    pytest.param("1.3@1", saying("public", '"position":', '"position": '), True, id="a space"),
    pytest.param("1.3@1", saying("public", '"take":1', '"take":2'), True, id="another take"),
    pytest.param("1.8@1", with_fact(1, {"fact": "told"}), True, id="no fact"),
    pytest.param(
        "1.8@1", with_fact(1, {"fact": "revealed", "rules": [], "entry": "", "who": "Thug"}), True, id="a fact"
    ),
    pytest.param(
        "1.7@1", lambda stored: replace(stored, public=stored.body), False, id="hidden numbers that are shown"
    ),
    pytest.param("1.5@1", opened, False, id="a secret that is shown"),
    pytest.param("1.4@1", opened, False, id="a secret note that is shown"),
    pytest.param("1.0@1", sealed_again, False, id="a seal on what is open"),
    pytest.param("1.4@1", lambda stored: replace(stored, sealed=None), True, id="no seal"),
    pytest.param("1.4@1", saying("sealed", "lamplighter", "lampwright"), False, id="another secret"),
    pytest.param("1.4@1", lambda stored: replace(stored, sealed=b"Z" + (stored.sealed or b"")[1:]), True, id="a salt"),
]


@pytest.mark.slow
def test_evening_is_well_and_has_all_that_is_forged(played: Folder) -> None:
    assert findings_of(played) == ([], [])
    stored = stored_records(played)
    assert sum(each.sealed is None for each in stored.values()) > 4
    assert sum(each.sealed is not None for each in stored.values()) > 8


def test_note_beside_a_hidden_result_is_sealed(folder: Folder) -> None:
    """The game notes the difficulty of what has failed, for a retry; nobody at this table is hidden."""
    for line in ("k climb v5 /2.3", "close", "k leap v7 hidden /2.3", "close"):
        folder.run("do", line)
    stored = stored_records(folder)
    assert b'\\"difficulty\\":5' in stored["1.2@1"].public
    assert stored["1.2@1"].sealed is None
    assert b'\\"difficulty\\":7' in stored["1.4@1"].body
    assert b"difficulty" not in stored["1.4@1"].public


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize(("name", "edit", "quick"), FORGERIES)
def test_forged_leaf_is_found_under_new_hashes(
    played: Folder, tmp_path: Path, name: str, edit: Edit, quick: bool
) -> None:
    folder = Folder(tmp_path / "salt")
    shutil.copytree(played.path, folder.path)
    kept = stored_records(folder)
    forge(folder, {name: edit(kept[name])}, chained=True)
    entry = f"entry {name.partition('@')[0]}"
    whole, fast = findings_of(folder)
    assert any(finding.where.startswith((entry, f"position {kept[name].position}")) for finding in whole), whole
    assert bool(fast) is quick, fast


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize(("name", "edit", "quick"), FORGERIES)
def test_forged_leaf_is_found_under_the_old_hashes(
    played: Folder, tmp_path: Path, name: str, edit: Edit, quick: bool
) -> None:
    folder = Folder(tmp_path / "salt")
    shutil.copytree(played.path, folder.path)
    forge(folder, {name: edit(stored_records(folder)[name])}, chained=False)
    for findings in findings_of(folder):
        assert quick or any("its hash does not match" in finding.what for finding in findings)
        assert findings


@pytest.mark.parametrize("part", ["public", "sealed"])
def test_swapped_leaves_of_two_records_are_found(played: Folder, tmp_path: Path, part: str) -> None:
    folder = Folder(tmp_path / "salt")
    shutil.copytree(played.path, folder.path)
    kept = stored_records(folder)
    pairs = (("1.7@1", "1.12@1"), ("1.12@1", "1.7@1"))
    swapped = {name: replace(kept[name], **{part: getattr(kept[other], part)}) for name, other in pairs}
    forge(folder, swapped, chained=True)
    assert all(findings_of(folder))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "seen", "found"),
    [
        ("1.7@1", "gm", "entry 1.7@1: its line '! damage thug 3' is for 'table', but it is shown to 'gm'"),
        ("1.5@1", "table", "entry 1.5@1: its line '!! k search v7 /3.4' is for 'gm', but it is shown to 'table'"),
        ("1.4@1", "table", "entry 1.4@1: its line '!! > The lamplighter is the thief' is for 'gm', but"),
        ("1.2@2", "gm", "entry 1.9@1: its line '~ 2 v7 retcon' does not hide 1.2"),
        ("1.9@1", "gm", "entry 1.9@1: it is hidden, and only a note may be"),
        ("1.10@2", "gm", "entry 1.10@2: its cause, entry 1.11, shows it to 'table', not to 'gm'"),
    ],
)
def test_entry_that_is_hidden_or_shown_afterwards_is_found(
    played: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, seen: str, found: str
) -> None:
    """The whole record is forged. Whether its leaves are right for what it says then is not looked at."""
    folder = Folder(tmp_path / "salt")
    shutil.copytree(played.path, folder.path)
    monkeypatch.setattr(public_check, "leaf_problem", lambda *_: "")
    whole = json.loads(stored_records(folder)[name].body) | {"seen": seen}
    forge(folder, {name: StoredRecord(1, msgspec.json.encode(whole), None, "")}, chained=True)
    folder.run("rebuild")
    assert folder.invoke("verify", "--jobs", "1").stdout.startswith(found)


def test_other_salt_under_new_hashes_is_found_by_a_kept_head(played: Folder, tmp_path: Path) -> None:
    folder = Folder(tmp_path / "salt")
    shutil.copytree(played.path, folder.path)
    kept = stored_records(folder)
    head = list(kept.values())[-1]
    forge(folder, {"1.4@1": sealed_again(kept["1.4@1"])}, chained=True)
    assert findings_of(folder) == ([], [])
    for findings in findings_of(folder, Head(head.position, head.hash)):
        assert "its hash differs from the head that was kept" in str(findings)


@pytest.mark.parametrize(
    ("line", "whole", "is_so"),
    [
        ("k climbs", "k climbs", True),
        ("k climbs", "k climbs 4", False),
        ("! damage thug …", "! damage thug 3", True),
        ("… thug …", "! damage thug 3", True),
        ("! damage kess …", "! damage thug 3", False),
        ("a…a", "a", False),
        (" a …" * 60 + "b", " a 1" * 60, False),  # an expression would try for ever
        (" a …" * 60, " a 1" * 60, True),
    ],
)
def test_line_is_shortened_where_words_are_left_out(line: str, whole: str, is_so: bool) -> None:
    assert is_shortened(line, whole) is is_so
