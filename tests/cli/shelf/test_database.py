"""Test a shelf whose campaigns are in a database."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import campaign
from ledger.postgres_address import parse_address
from tests.cli.conftest import Folder, copied
from tests.cli.shelf.shelves import rows, shelf, stored
from tests.ledger.strategies import record
from tests.postgres import Server, new_name


@pytest.fixture
def names(
    postgres: Server, saints: Folder, evening: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> list[str]:
    """Return the names of two campaigns in the database, with their folders beside it."""
    monkeypatch.setenv("CAMPAIGN_CLUB", str(tmp_path / "club"))
    monkeypatch.chdir(tmp_path)
    names = [new_name(), new_name()]
    for name, folder in zip(names, (saints, evening), strict=True):
        done = CliRunner().invoke(campaign, ["copy", str(folder.path), postgres.uri("club", campaign=name)])
        assert done.exit_code == 0, done.output
    return names


@pytest.mark.parametrize(
    "task", [["verify"], ["verify", "--quick"], ["replay"], ["luck"], ["search", "lamp"], ["changes"]]
)
def test_campaigns_of_a_database_have_the_rows_of_their_copies(
    postgres: Server, names: list[str], saints: Folder, evening: Folder, task: list[str], tmp_path: Path
) -> None:
    there = rows(*task, *(postgres.uri("club", campaign=name) for name in names))
    here = rows(*task, str(saints.path), str(evening.path), "--results", str(tmp_path / "here.db"))
    here = {Path(campaign).name: row for campaign, row in here.items()}
    assert len(there) == len(here) == 2
    for name, folder in zip(names, (saints, evening), strict=True):
        database, copy = there[postgres.uri("club", campaign=name)], here[folder.path.name]
        same = ("head", "position", "revision", "outcome", "text", "content", "name")
        assert {key: database[key] for key in same} == {key: copy[key] for key in same}


def test_database_is_a_shelf_and_follows_its_heads(postgres: Server, names: list[str], tmp_path: Path) -> None:
    own = new_name()
    postgres.run("createdb", "-h", str(postgres.folder), "-U", "owner", own)
    address, there = postgres.uri(own), postgres.uri(own, campaign=names[1])
    for name in names:
        do("copy", postgres.uri("club", campaign=name), postgres.uri(own, campaign=name))
    first = shelf("changes", address)
    assert all(f"campaign={name}: " in first.stdout for name in names)
    assert shelf("changes", address).stdout.startswith("0 of ")
    do("-C", there, "open", "Again", "--seed", "x")
    again = shelf("changes", address).stdout
    assert again.startswith("1 of ")
    assert f"campaign={names[1]}: 1 new record, session 2 (Again) opened, up to 2.0\n" in again
    assert len(stored(tmp_path / "shelf.db")) == 3


def do(*arguments: str) -> None:
    """Run a command that must work."""
    done = CliRunner().invoke(campaign, list(arguments))
    assert done.exit_code == 0, done.output


def test_transaction_that_commits_late_is_not_missed(postgres: Server, names: list[str]) -> None:
    from ledger.postgres_store import open_store  # psycopg may not be installed

    addresses = [postgres.uri("club", campaign=name) for name in names]
    shelf("changes", *addresses)
    with closing(open_store(parse_address(addresses[0]))) as late:
        with late.batch():
            late.append([record(late.head().position + 1)], after=late.head())
            do("-C", addresses[1], "open", "Again", "--seed", "x")  # begins later, and commits before
            said = shelf("changes", *addresses).stdout
            assert f"campaign={names[1]}: 1 new record, session 2 (Again) opened, up to 2.0\n" in said
            assert names[0] not in said
        said = shelf("changes", *addresses).stdout
    assert f"campaign={names[0]}: 1 new record, up to " in said
    assert names[1] not in said
    assert shelf("changes", *addresses).stdout.startswith("0 of ")


def test_database_that_was_restored_has_another_history(postgres: Server, names: list[str]) -> None:
    own, host, dump = new_name(), str(postgres.folder), f"{postgres.folder}/{new_name()}.sql"
    login = ("-h", host, "-U", "owner")
    postgres.run("createdb", *login, own)
    saints, evening = (postgres.uri(own, campaign=name) for name in names)
    for name, there in zip(names, (saints, evening), strict=True):
        do("copy", postgres.uri("club", campaign=name), there)
    postgres.run("pg_dump", *login, "-f", dump, own)
    do("-C", evening, "open", "Again", "--seed", "x")
    (lost,) = (row["position"] for row in rows("changes", evening).values())
    shelf("changes", postgres.uri(own))
    postgres.run("dropdb", *login, own)
    postgres.run("createdb", *login, own)
    postgres.run("psql", *login, "-q", "-v", "ON_ERROR_STOP=1", "-f", dump, own)
    said = shelf("changes", postgres.uri(own))
    assert said.exit_code == 1
    assert f"campaign={names[1]}: another history: it no longer has the record {lost}" in said.stdout
    assert f"campaign={names[0]}" not in said.stdout
    do("-C", evening, "open", "Once more", "--seed", "y")  # as many records as were lost
    assert "1 new record, session 2 (Once more) opened" in shelf("changes", postgres.uri(own)).stdout


def test_shelf_has_folders_and_databases(postgres: Server, names: list[str], played: Folder, tmp_path: Path) -> None:
    top = copied(played, tmp_path / "tables").path.parent
    found = rows("replay", str(top), postgres.uri("club", campaign=names[0]), "--results", str(tmp_path / "shelf.db"))
    assert set(found) == {"tables/salt-ward", postgres.uri("club", campaign=names[0])}
    assert {row["outcome"] for row in found.values()} == {"fine"}


def test_password_stands_in_no_row(postgres: Server, names: list[str], tmp_path: Path) -> None:
    address = postgres.uri("club", campaign=names[0]).replace("owner@", "owner:sesame@")
    assert shelf("verify", address).exit_code == 0
    assert "sesame" not in (tmp_path / "shelf.db").read_bytes().decode("latin-1")
