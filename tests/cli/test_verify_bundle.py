"""Test `verify FILE`: a bundle is checked as its ledger is, and a players' copy as far as that can be done.

The forgeries of ledgers, on the bundles of the forged ledgers: the same findings, each with its line. What a check of
the players' copy sees without a kept head stands in `PLAYERS_SEE`: neither more nor less.
"""

from __future__ import annotations

import json
from contextlib import chdir, closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cli.main import campaign
from cli.play.import_bundle import place_in_bundle
from cli.play.spoken import hear_again
from cli.questions.verification import records_verification
from ledger.facts import Rolled
from ledger.head_words import parse_kept_head
from ledger.sqlite_store import open_store
from tests.cli.conftest import Folder, copied, one_error
from tests.cli.test_forgeries import FACE, REWRITES, take, told  # noqa: F401 - a fixture
from tests.cli.test_leaf_forgeries import FORGERIES, forge, stored_records
from tests.cli.test_leaf_forgeries import played as leaves  # noqa: F401 - a fixture
from tests.ledger.strategies import Forger

FORGED = REWRITES | {"a face that counts": (take("1.3@2", kind=Rolled, fact=FACE), "entry 1.3: ")}
PLAYERS_SEE = {
    "an entry removed",
    "a superseded take removed",
    "an id doubled",
    "a face that counts",
    "a seed swapped",
    "a commitment",
    "a player's words",
    "the ledger's id",
}


def check(path: Path, *arguments: str) -> tuple[int, Any]:
    """Return exit code and answer of `verify FILE --json`, where no campaign is."""
    done = invoke(path, "--json", *arguments)
    return done.exit_code, json.loads(done.stdout)


def invoke(path: Path, *arguments: str) -> Result:
    with chdir(path.parent):
        return CliRunner().invoke(campaign, ["verify", str(path), *arguments])


@pytest.fixture
def bundles(played: Folder, tmp_path: Path) -> tuple[Path, Path]:
    """The bundle of an evening, and the players'."""
    paths = tmp_path / "gm.jsonl", tmp_path / "players.jsonl"
    for path, role in zip(paths, ("gm", "players"), strict=True):
        played.run("export", "--bundle", str(path), "--as", role)
    return paths


@pytest.mark.slow
def test_bundle_is_checked_where_no_campaign_is(played, bundles):
    head = played.run("verify").splitlines()[-1].rpartition("head ")[2]
    for path, counts in zip(bundles, ("entries, ", "0 of them with a sealed part, "), strict=True):
        done = invoke(path, "--head", head)
        assert done.exit_code == 0, done.output
        assert f"head {head}" in done.stdout
        assert counts in done.stdout
    assert "The rules were not applied again" in invoke(bundles[0], "--quick").stdout
    assert "was not read, and no rule was applied again" in " ".join(invoke(bundles[1]).stdout.split())


def test_kept_head_shows_another_bundle(bundles):
    for path in bundles:
        for head in (f"3 {'f' * 64}", f"999 {'f' * 64}"):
            code, answer = check(path, "--head", head)
            assert (code, len(answer["findings"])) == (1, 1)


def test_changed_byte_of_a_bundle_is_a_finding(bundles):
    for path in bundles:
        path.write_bytes(path.read_bytes().replace(b"The lamp room", b"The lamb room"))
        code, answer = check(path)
        assert code == 1
        assert answer["findings"][0]["where"].startswith("line ")
        assert answer["findings"][0]["what"].startswith("its hash does not match its bytes and the record before")
        assert "This is the players' copy" not in invoke(path).stdout


@pytest.mark.slow
def test_what_is_no_bundle_is_unreadable(played, bundles, tmp_path):
    for path in (played.ledger, tmp_path / "cut.jsonl"):
        (tmp_path / "cut.jsonl").write_bytes(bundles[0].read_bytes()[:-1])
        one_error(played.run_main("verify", str(path)), 3)
    for path in (tmp_path, tmp_path / "nothing"):
        one_error(played.run_main("verify", str(path)), 2)


def findings_of(folder: Folder, head: str) -> list[dict[str, str]]:
    """Return the findings in the records of a ledger, as those of its bundle."""
    with closing(open_store(folder.ledger, write=False)) as store:
        found = records_verification(store, [parse_kept_head(head)], None, hear_again).findings
        return [
            {"where": place_in_bundle(store, each), "what": each.what} for each in found if "snapshot" not in each.where
        ]


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(FORGED))
def test_forged_ledger_has_a_bundle_of_the_same_findings(told, tmp_path, name):  # noqa: F811 - the fixture
    folder, paths = copied(told, tmp_path), (tmp_path / "gm.jsonl", tmp_path / "players.jsonl")
    edit, expected = FORGED[name]
    Forger(folder.ledger).rewrite(edit, chained=True)
    for path, role in zip(paths, ("gm", "players"), strict=True):
        done = folder.invoke("export", "--bundle", str(path), "--as", role)
        assert done.exit_code == (3 if name == "a future position" else 0), done.output
    if name == "a future position":
        return
    assert check(paths[0], "--head", told.kept)[1]["findings"] == findings_of(folder, told.kept)
    imported = folder.invoke("import", str(paths[0]), str(tmp_path / "new"))
    assert (imported.exit_code, (tmp_path / "new").exists()) == ((3, False) if expected else (0, True))
    code, answer = check(paths[1])
    assert code == (name in PLAYERS_SEE), answer["findings"]
    assert check(paths[1], "--head", told.kept)[0] == 1


@pytest.mark.slow
@pytest.mark.parametrize(("name", "edit", "quick"), FORGERIES)
def test_forged_leaf_is_found_in_a_bundle(leaves, tmp_path, name, edit, quick):  # noqa: F811 - the fixture
    folder, path = copied(leaves, tmp_path), tmp_path / "gm.jsonl"
    kept = stored_records(folder)
    forge(folder, {name: edit(kept[name])}, chained=True)
    exported = folder.invoke("export", "--bundle", str(path))
    if exported.exit_code == 3:  # a record that cannot be read
        assert not path.exists()
        return
    code, answer = check(path)
    assert code == 1, answer
    assert any(each["where"].startswith(f"line {kept[name].position + 1}, ") for each in answer["findings"])
    assert not quick or check(path, "--quick")[0] == 1
    imported = folder.invoke("import", str(path), str(tmp_path / "new"))
    assert (imported.exit_code, (tmp_path / "new").exists()) == (3, False)


@pytest.mark.slow
def test_players_copy_of_secrets_is_well_and_has_none(leaves, tmp_path):  # noqa: F811 - the fixture
    paths = tmp_path / "gm.jsonl", tmp_path / "players.jsonl"
    for path, role in zip(paths, ("gm", "players"), strict=True):
        leaves.run("export", "--bundle", str(path), "--as", role)
    whole, seen = (path.read_text() for path in paths)
    for stored in stored_records(leaves).values():
        if stored.sealed is not None:
            assert stored.sealed.decode()[:32] in whole
            assert stored.sealed.decode()[:32] not in seen
    code, answer = check(paths[1])
    assert (code, answer["findings"]) == (0, [])
    assert answer["head"] == check(paths[0])[1]["head"]
    assert answer["checked"]["with_sealed"] > 8
