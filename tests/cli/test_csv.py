"""Test `--csv` of the commands that list, and the queries of the help page."""

from __future__ import annotations

import csv
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from cli.render.csv import csv_lines
from tests.cli.conftest import Folder

PAGE = Path(__file__).parents[2] / "cli" / "help" / "data.md"
QUERIES = re.findall(r"^```sql\n(.*?)\n```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(text.splitlines()))


def test_who_csv_has_the_changes_of_its_json(demo: Folder) -> None:
    changes = rows(demo.run("who", "doom", "--csv"))
    assert changes[1] | {"line": ""} == {
        "value": "doom", "entry": "1.5", "fact": "5", "kind": "tokens-moved", "before": "0", "after": "2",
        "cause": "Dusk", "rules": "DB-DEST-9", "by": "Kess", "line": "",
    }  # fmt: skip


def test_who_csv_of_a_being_has_all_its_values(demo: Folder) -> None:
    names = {row["value"] for row in rows(demo.run("who", "kess", "--csv"))}
    assert {"kess.speed", "kess.destiny"} <= names


def test_log_csv_has_the_columns_of_entries(demo: Folder) -> None:
    found = rows(demo.run("log", "1", "--csv", "-n", "1", "--reverse"))
    assert [(row["session"], row["counts"], row["who"]) for row in found] == [("1", "1", "gm")]
    takes = rows(demo.run("log", "--csv", "--takes"))
    assert {row["counts"] for row in takes} == {"0", "1"}


def test_show_csv_has_every_value(demo: Folder) -> None:
    assert {"value": "kess.coin", "now": "12"} in rows(demo.run("show", "--csv"))
    assert all(row["value"].startswith("kess.") for row in rows(demo.run("show", "kess", "--csv")))


def test_when_csv_has_a_row_for_each_stretch(demo: Folder) -> None:
    found = rows(demo.run("when", "doom > 5", "--all", "--csv"))
    assert found[0]["since"] == "1.18"
    assert len(found) > 1


def test_csv_for_the_players_hides_what_the_text_hides(demo: Folder) -> None:
    assert "dovel.health" not in demo.run("show", "--csv", "--as", "players")
    assert "dovel.health" in demo.run("show", "--csv")


@pytest.mark.parametrize("query", QUERIES)
def test_query_of_the_help_page_is_one_line_and_finds_rows(query: str, demo: Folder) -> None:
    assert "\n" not in query
    with closing(sqlite3.connect(f"file:{demo.ledger}?mode=ro", uri=True)) as db:
        assert len(db.execute(query).fetchall()) > 1


def test_damage_of_the_help_page_is_by_session_and_player(demo: Folder) -> None:
    (query,) = (query for query in QUERIES if "player" in query)
    with closing(sqlite3.connect(f"file:{demo.ledger}?mode=ro", uri=True)) as db:
        assert {(2, "Cem", 9), (2, "Bo", 2)} <= set(db.execute(query))


def test_lines_come_before_all_rows_are_read() -> None:
    rows = iter([(1, "a"), (2, "b")])
    assert next(csv_lines(("n", "text"), rows)) == "n,text"
    assert next(rows) == (1, "a")
