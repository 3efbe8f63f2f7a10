"""Test `browse`: the file that is served has nothing hidden, every column has words, and Datasette shows every page."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import sqlite_utils

from cli.commands import browse
from cli.render.datasette import table_texts
from tests.cli.conftest import PROGRAM, Folder, environment, one_error
from tests.golden import samples

needs_datasette = pytest.mark.skipif(find_spec("datasette") is None, reason='pip install -e ".[browse]"')


def written(folder: Folder, where: Path, *options: str) -> Path:
    folder.run("browse", "--files", str(where), *options)
    return where / "campaign.db"


def read(database: Path, sql: str) -> list[Any]:
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as db:
        return db.execute(sql).fetchall()


def tables(database: Path) -> dict[str, set[str]]:
    """Return the columns of each table and view that a reader should see."""
    names = read(database, "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE '%_fts%'")
    return {name: {row[1] for row in read(database, f"PRAGMA table_info({name})")} for (name,) in names}


def test_served_file_has_no_records_and_no_seeds(demo: Folder, tmp_path: Path) -> None:
    found = tables(written(demo, tmp_path, "--as", "gm"))
    assert {"changes", "entries", "fights", "log"} <= found.keys()
    assert not {"records", "snapshots"} & found.keys()


def test_players_get_a_file_without_what_is_hidden(secret: Folder, tmp_path: Path) -> None:
    """The bytes of the file hold neither the words of secret lines nor the numbers of hidden beings."""
    secret.run("do", "!! > the moth king wakes")
    everything = written(secret, tmp_path / "gm", "--as", "gm").read_bytes()
    assert b"moth king" in everything
    players = written(secret, tmp_path / "players")
    assert b"moth king" not in players.read_bytes()


@pytest.mark.slow
def test_hidden_numbers_are_in_no_table_for_the_players(demo: Folder, tmp_path: Path) -> None:
    players, gm = written(demo, tmp_path / "players"), written(demo, tmp_path / "gm", "--as", "gm")
    asked = "SELECT count(*) FROM changes WHERE who = 'Dovel' AND what IN ('health', 'difficulty', 'damage')"
    assert read(players, asked) == [(0,)]
    assert read(gm, asked) != [(0,)]
    assert read(players, "SELECT * FROM pools WHERE name = 'Dovel'") == []


@pytest.mark.slow
def test_every_table_and_column_has_words(demo: Folder, tmp_path: Path) -> None:
    texts = table_texts()
    found = tables(written(demo, tmp_path))
    assert found.keys() == texts["tables"].keys()
    for name, columns in found.items():
        own = texts["tables"][name]["columns"].keys()
        assert own <= columns, name
        assert columns - own - texts["every"].keys() == set(), name


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize("sample", samples())
def test_queries_of_the_metadata_find_rows(sample: str, played_samples: dict[str, Path], tmp_path: Path) -> None:
    database = written(Folder(played_samples[sample]), tmp_path)
    queries = json.loads((tmp_path / "metadata.json").read_text())["databases"]["campaign"]["queries"]
    assert "how_often_each_face_of_each_die_fell" in queries
    assert all(read(database, query["sql"]) for query in queries.values())


@pytest.mark.slow
def test_sqlite_utils_reads_file_and_foreign_keys(demo: Folder, tmp_path: Path) -> None:
    for path in (demo.ledger, written(demo, tmp_path)):
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            db = sqlite_utils.Database(connection)
            keys = {(key.column, key.other_table, key.other_column) for key in db.table("changes").foreign_keys}
            assert keys == {("position", "entries", "position"), ("who", "characters", "name")}
            assert {"fights", "wounds", "log"} <= set(db.view_names())
            assert list(db.table("entries").search("lamp"))


@pytest.mark.slow
def test_only_own_files_are_written_over(demo: Folder, tmp_path: Path) -> None:
    before = written(demo, tmp_path).read_bytes()
    assert written(demo, tmp_path).read_bytes() == before
    (tmp_path / "campaign.db").write_text("mine")
    assert "is there, and is not a file of tables" in one_error(demo.invoke("browse", "--files", str(tmp_path)), 2)


def test_missing_datasette_is_said(demo: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browse, "find_spec", lambda _: None)
    monkeypatch.setattr(browse, "which", lambda _: None)
    error = one_error(demo.invoke("browse"), 2)
    assert 'pip install "campaign-ledger[browse]"' in error


@pytest.fixture
def datasette(demo: Folder) -> Iterator[str]:
    """Serve the sample, and return the address; the served file is gone afterwards."""
    served = subprocess.Popen(
        [str(PROGRAM), "-C", str(demo.path), "browse", "--port", "0"],
        env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    assert served.stderr is not None
    address = None
    while address is None and (line := served.stderr.readline()):
        address = re.search(r"http://127\.0\.0\.1:\d+", line)
    assert address is not None
    yield address[0]
    os.killpg(served.pid, signal.SIGINT)
    served.communicate(timeout=30)


@pytest.mark.slow
@needs_datasette
def test_datasette_shows_every_table_and_query(datasette: str, demo: Folder, tmp_path: Path) -> None:
    for name in tables(written(demo, tmp_path)):
        page = fetch(f"{datasette}/campaign/{name}")
        assert table_texts()["tables"][name]["about"] in page
        assert "Error" not in re.findall(r"<h1[^>]*>(.*?)</h1>", page, re.DOTALL)[0]
    assert "/campaign/entries/" in fetch(f"{datasette}/campaign/changes")
    damage = json.loads(fetch(f"{datasette}/campaign/damage_taken_for_each_session_and_player.json"))
    assert [2, "Cem", 9] in damage["rows"]
    assert "lamp" in fetch(f"{datasette}/campaign/entries?_search=lamp")


SERVER = """
import os, sys, time
open(sys.argv[1], "w").write(f"{os.getpid()} {sys.argv[4]}")
time.sleep(60)
"""


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def test_ended_browse_leaves_no_server_and_no_file(demo: Folder, tmp_path: Path, number: signal.Signals) -> None:
    told = tmp_path / "told"
    code = (
        "import sys; from cli.commands import browse; from cli.main import main; "
        f"browse.find_datasette = lambda: [sys.executable, '-c', {SERVER!r}, {str(told)!r}]; main()"
    )
    served = subprocess.Popen([sys.executable, "-c", code, "-C", str(demo.path), "browse"], env=environment())
    pid, database = wait_for_words(told, served)
    assert Path(database).exists()
    served.send_signal(number)
    assert served.wait(timeout=30) == 128 + number
    assert not Path(database).parent.exists()
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid), 0)


def wait_for_words(path: Path, process: subprocess.Popen[bytes]) -> list[str]:
    """Return the two words of a file that a process is about to write."""
    for _ in range(300):
        if path.exists() and len(words := path.read_text().split()) == 2:
            return words
        assert process.poll() is None
        time.sleep(0.1)
    raise AssertionError(f"{path} was not written")


@pytest.mark.slow
@needs_datasette
def test_datasette_opens_the_ledger_itself(demo: Folder) -> None:
    """Readers open `ledger.db` too: its keys and views must not break a page."""
    for page in ("changes?_facet=who", "entries", "fights", "wounds"):
        got = subprocess.run(
            [sys.executable, "-m", "datasette", "-i", str(demo.ledger), "--get", f"/ledger/{page}"],
            capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip
        assert got.returncode == 0, got.stderr
        assert "Error 500" not in got.stdout


def fetch(address: str) -> str:
    """Return a page; the server may need a moment to listen."""
    for _ in range(50):
        try:
            with urllib.request.urlopen(address, timeout=30) as answer:
                return answer.read().decode()
        except ConnectionError:
            time.sleep(0.1)
        except urllib.error.URLError as error:
            if not isinstance(error.reason, ConnectionError):
                raise
            time.sleep(0.1)
    raise AssertionError(f"{address} is not served")
