"""Test a house rule over all evenings: what flips, whose, who would have lived, and the page that says so."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Folder
from tests.cli.shelf.shelves import poison, rows, shelf


@pytest.fixture(scope="module")
def tables(played_samples: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a shelf of three samples. Do not play on in it."""
    top = tmp_path_factory.mktemp("tables")
    for sample in ("gutter-saints", "lantern-ferry", "powder-tithe"):
        shutil.copytree(played_samples[sample], top / sample)
    return top


@pytest.mark.slow
def test_page_says_what_flips_whose_and_where_to_look(tables: Path) -> None:
    done = shelf("replay", str(tables), "--option", "critical_margin=2")
    assert done.exit_code == 1
    page = done.stdout.splitlines()
    assert page[0] == "critical_margin=2: 5 of 41 results would be others, in 1 of 1 campaign (1 evening)"
    assert page[1] == "2 campaigns were not asked: their book has no such reading"
    assert page[2:6] == ["  Brannoc: 2", "  Nan: 1", "  Wick: 1", "  Ysolt: 1"]
    assert "2 entries fall away:" in page
    assert any(line.startswith("  lantern-ferry 1.57 ! brannoc attack ysolt") for line in page)
    assert "1 entry needs dice that were never thrown; what follows in the evening is not counted:" in page
    assert "  1.38  Ysolt's attack: critical, not hit     y attack brannoc /10.1.6.5.7" in page
    assert page[-1] == "In full: campaign -C lantern-ferry replay 1 --option critical_margin=2"


@pytest.mark.slow
def test_command_of_the_page_shows_the_same_entries(tables: Path) -> None:
    flips = rows("replay", str(tables), "--option", "critical_margin=2")["lantern-ferry"]["content"]["flips"]
    done = Folder(tables / "lantern-ferry").invoke("replay", "1", "--option", "critical_margin=2")
    changed = {line.split()[0] for line in done.stdout.splitlines() if "changed:" in line}
    assert {flip["entry"] for flip in flips} <= changed


@pytest.mark.parametrize(
    ("option", "title", "who"),
    [
        ("dying_adds_wound=on", "Would not have lived: 1 character", "  Tobit (powder-tithe 1.106, dead)"),
        ("min_toughness=exceed", "Would have lived: 0 characters and 1 other being", None),
    ],
)
def test_page_says_who_would_have_lived(tables: Path, option: str, title: str, who: str | None) -> None:
    page = shelf("replay", str(tables), "--option", option).stdout.splitlines()
    assert title in page
    assert who is None or who in page


@pytest.mark.slow
def test_each_evening_begins_as_it_did_on_record(tables: Path) -> None:
    """A result of the first session is another, and the later sessions are compared with their own records."""
    option = ["--option", "target_change_per_point=1"]
    found = rows("replay", str(tables), *option)["gutter-saints"]["content"]
    alone = [
        json.loads(Folder(tables / "gutter-saints").invoke("replay", str(session), *option, "--json").stdout)["entries"]
        for session in (1, 2, 3)
    ]
    changed = [entry["entry"] for entries in alone for entry in entries if entry["outcome"] == "changed"]
    assert (found["evenings"], found["changed"]) == (3, len(changed))
    assert {flip["entry"].partition(".")[0] for flip in found["flips"]} == {"1"}


@pytest.mark.slow
def test_todays_revision_changes_nothing_here(tables: Path) -> None:
    done = shelf("replay", str(tables), "--revision", "latest")
    assert (done.exit_code, done.stdout.splitlines()[0].partition(" of ")[0]) == (0, "revision latest: 0")


def test_campaign_without_a_session_counts_nothing(closed: Folder) -> None:
    done = shelf("replay", str(closed.path), "--option", "light_wound_cost=per_use")
    assert done.exit_code == 0
    assert done.stdout.startswith("light_wound_cost=per_use: 0 of 0 results would be others")


@pytest.mark.slow
def test_house_rule_passes_by_broken_ledgers(tables: Path, evening: Folder, tmp_path: Path) -> None:
    top = Path(shutil.copytree(tables, tmp_path / "tables"))
    bad = poison(top, evening)
    done = shelf("replay", str(top), "--option", "critical_margin=2", "--all")
    assert done.exit_code == 3
    assert "5 of 41 results would be others" in done.stdout
    assert f"{len(bad)} campaigns cannot be read:" in done.stdout
