"""Test the data set of Parquet files: its rows, whose view it has, and the queries of `help data`."""

from __future__ import annotations

import json
import os
import re
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from cli.play.parquet import part_name
from tests.cli.conftest import Folder, copied, numbered_facts, one_error
from tests.cli.shelf.shelves import poison, shelf

PAGE = Path(__file__).parents[3] / "cli" / "help" / "data.md"
QUERIES = re.findall(r"^```duckdb\n(.*?)\n```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
needs_duckdb = pytest.mark.skipif(find_spec("duckdb") is None, reason="duckdb is not installed (extra corpus)")


def ask(top: Path, query: str) -> list[tuple[Any, ...]]:
    """Return the rows of a query beside the data set."""
    import duckdb

    before = Path.cwd()
    os.chdir(top)
    try:
        with duckdb.connect() as db:
            return db.execute(query).fetchall()
    finally:
        os.chdir(before)


@pytest.fixture
def two(saints: Folder, fight_folder: Folder, tmp_path: Path) -> Path:
    """Return a shelf of two campaigns."""
    copied(saints, tmp_path / "tables")
    copied(fight_folder, tmp_path / "tables" / "year")
    return tmp_path


@needs_duckdb
def test_data_set_of_a_shelf_has_every_row_of_each(two: Path) -> None:
    done = shelf("export", str(two / "tables"), "--parquet", str(two / "corpus"), "--as", "gm")
    assert done.exit_code == 0, done.output
    for part, folder in (("gutter-saints", "gutter-saints"), ("year-lamp-room", "year/lamp-room")):
        name = next(row[0] for row in ask(two, "from 'corpus/campaigns/*/*.parquet' select campaign") if part in row[0])
        own = Folder(two / "tables" / folder)
        tables = json.loads(own.run("export", "--json"))["tables"]
        where = f"where campaign = '{name}' order by position, fact"
        dice = ask(two, f"select position, fact, die, face, counts from 'corpus/dice/*/*.parquet' {where}, die")
        assert dice == [(r["position"], r["fact"], r["die"], r["face"], bool(r["counts"])) for r in tables["rolls"]]
        columns = "position, fact, value, coalesce(before::varchar, was), coalesce(after::varchar, now), change, counts"
        values = ask(two, f"select {columns} from 'corpus/values/*/*.parquet' {where}, value")
        assert values == [
            (r["position"], r["fact"], r["value"], text(r["before"]), text(r["after"]), r["change"], bool(r["counts"]))
            for r in tables["changes"]
        ]
        counted = ask(
            two,
            f"select entry, fact, kind from 'corpus/facts/*/*.parquet' {where.replace('where', 'where counts and')}",
        )
        expected = {(str(id), number, fact.__struct_config__.tag) for id, number, fact in numbered_facts(own)}
        assert set(counted) == expected
        lines = ask(two, f"select record from 'corpus/records/*/*.parquet' where campaign = '{name}' order by position")
        assert [json.loads(record) for (record,) in lines] == [
            json.loads(line) for line in own.run("log", "--takes", "--json").splitlines()
        ]


def text(value: object) -> str | None:
    return None if value is None else str(value)


@needs_duckdb
def test_queries_of_help_data_answer(two: Path, played_samples: dict[str, Path]) -> None:
    for sample in ("lantern-ferry", "powder-tithe"):
        Folder(played_samples[sample]).run("export", "--parquet", str(two / "corpus"))
    shelf("export", str(two / "tables"), "--parquet", str(two / "corpus"), "--as", "gm")
    assert len(QUERIES) == 5
    faces, results, deaths, rules, evenings = (ask(two, query) for query in QUERIES)
    assert {sides for sides, *_ in faces} >= {6, 10, 12}
    assert {game for game, *_ in results} == {"dusk-bastards", "mars", "semiautomagic"}
    assert all(times > 0 for *_, times in results)
    assert deaths
    assert all(lost > 0 for _, _, lost in rules)
    assert {session for campaign, session, *_ in evenings if campaign == "gutter-saints"} == {1, 2, 3}


@needs_duckdb
def test_players_see_nothing_hidden_by_default(saints: Folder, tmp_path: Path) -> None:
    saints.run("open", "Late", "--seed", "x")
    saints.run("do", "!! > Xyzzy waits")
    saints.run("export", "--parquet", str(tmp_path / "seen"))
    saints.run("export", "--parquet", str(tmp_path / "all"), "--as", "gm")
    for name, hidden in (("seen", False), ("all", True)):
        found = [
            ask(tmp_path, f"select 1 from '{name}/{table}/*/*.parquet' as t where t::varchar ilike '%xyzzy%'")
            for table in ("records", "facts", "values")
        ]
        assert any(found) == hidden
    beings = {who for (who,) in ask(tmp_path, "select distinct who from 'seen/values/*/*.parquet'")}
    players = json.loads(saints.run("show", "--as", "players", "--json"))["values"]
    assert {who.casefold() for who in beings if who} <= {name.partition(".")[0] for name in players} | {"doom", "clock"}


@needs_duckdb
def test_part_is_replaced_and_others_stay(two: Path) -> None:
    top, target = two / "tables", str(two / "corpus")
    shelf("export", str(top), "--parquet", target)
    folder = Folder(top / "gutter-saints")
    folder.run("open", "Late", "--seed", "x")
    done = shelf("export", str(top), "--parquet", target)
    assert "1 of 2 campaigns looked at now" in done.stderr
    assert ask(two, "select max(session) from 'corpus/records/*/*.parquet' where campaign = 'gutter-saints'") == [(4,)]
    assert ask(two, "select count(*) from 'corpus/campaigns/*/*.parquet'") == [(2,)]


@needs_duckdb
def test_part_of_another_view_is_written_again(two: Path) -> None:
    """Else what was exported for the game master would stand in a data set for the players."""
    top, target = two / "tables", str(two / "corpus")
    Folder(top / "gutter-saints").run("open", "Late", "--seed", "x")
    Folder(top / "gutter-saints").run("do", "!! > Xyzzy waits")
    hidden = "select count(*) from 'corpus/records/*/*.parquet' where record::varchar ilike '%xyzzy%'"
    for role, seen in (("players", 0), ("gm", 1), ("players", 0)):
        assert shelf("export", str(top), "--parquet", target, "--as", role).exit_code == 0
        assert ask(two, hidden) == [(seen,)], role
    Folder(top / "gutter-saints").run("export", "--parquet", target, "--as", "gm")
    assert "1 of 2 campaigns looked at now" in shelf("export", str(top), "--parquet", target).stderr
    assert ask(two, hidden) == [(0,)]


@needs_duckdb
def test_poisoned_ledgers_stop_no_export(two: Path, evening: Folder) -> None:
    poison(two / "tables", evening)
    assert shelf("export", str(two / "tables"), "--parquet", str(two / "corpus")).exit_code == 3
    assert ask(two, "select count(*) from 'corpus/campaigns/*/*.parquet'") == [(2,)]


@needs_duckdb
def test_file_of_somebody_else_is_not_replaced(saints: Folder, tmp_path: Path) -> None:
    file = tmp_path / "corpus" / "dice" / "campaign=gutter-saints" / "part.parquet"
    file.parent.mkdir(parents=True)
    file.write_text("mine")
    assert "is not a Parquet file" in one_error(saints.invoke("export", "--parquet", str(tmp_path / "corpus")), 2)
    assert (file.read_text(), list(tmp_path.glob("corpus/*"))) == ("mine", [tmp_path / "corpus" / "dice"])


def test_without_duckdb_the_extra_is_named(saints: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    target = ["--parquet", str(tmp_path / "corpus")]
    for done in (saints.invoke("export", *target), shelf("export", str(saints.path), *target)):
        assert 'pip install "campaign-ledger[corpus]"' in one_error(done, 3)
    assert not (tmp_path / "corpus").exists()


@pytest.mark.parametrize("path", ["saints", "2026.01_a"])
def test_plain_names_stay(path: str) -> None:
    assert part_name(path) == path


@pytest.mark.parametrize("path", ["year/saints", "it's", "a=b", "ü", "..", "", "x" * 300, "a\nb", "\udcff"])
def test_other_names_become_safe_and_differ(path: str) -> None:
    name = part_name(path)
    assert re.fullmatch(r"[A-Za-z0-9][\w.-]{0,80}", name)
    assert name != part_name(path + "'")
