"""Test a shelf whose campaigns are in a database."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import campaign
from tests.cli.conftest import Folder, copied
from tests.cli.shelf.shelves import rows, shelf, stored
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
    address = postgres.uri("club")
    first = shelf("changes", address)
    assert all(f"campaign={name}: " in first.stdout for name in names)
    assert shelf("changes", address).stdout.startswith("0 of ")
    there = postgres.uri("club", campaign=names[1])
    done = CliRunner().invoke(campaign, ["-C", there, "open", "Again", "--seed", "x"])
    assert done.exit_code == 0, done.output
    again = shelf("changes", address).stdout
    assert again.startswith("1 of ")
    assert f"campaign={names[1]}: 1 new record, session 2 (Again) opened, up to 2.0\n" in again
    assert len(stored(tmp_path / "shelf.db")) >= 3


def test_shelf_has_folders_and_databases(postgres: Server, names: list[str], played: Folder, tmp_path: Path) -> None:
    top = copied(played, tmp_path / "tables").path.parent
    found = rows("replay", str(top), postgres.uri("club", campaign=names[0]), "--results", str(tmp_path / "shelf.db"))
    assert set(found) == {"tables/salt-ward", postgres.uri("club", campaign=names[0])}
    assert {row["outcome"] for row in found.values()} == {"fine"}


def test_password_stands_in_no_row(postgres: Server, names: list[str], tmp_path: Path) -> None:
    address = postgres.uri("club", campaign=names[0]).replace("owner@", "owner:sesame@")
    assert shelf("verify", address).exit_code == 0
    assert "sesame" not in (tmp_path / "shelf.db").read_bytes().decode("latin-1")
