"""Test `export`: a session file replays to the same facts, the links of a vault resolve, nothing in a file acts."""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import takewhile
from pathlib import Path
from typing import Any
from unicodedata import normalize

import msgspec
import pytest

from cli.play.declare import declare_line
from cli.questions.ledger_file import find_game
from cli.questions.session_notation import session_notation
from cli.render.csv import csv_cell
from cli.render.vault import Vault
from cli.render.vault_markdown import Links, text
from ledger.builtin import BUILTIN
from ledger.dice import fixed_seed
from ledger.facts import Amended, EntryId, Fact, Rolled, SessionClosed, SessionOpened
from ledger.game import decoder
from ledger.memory_store import MemorySeeds, MemoryStore
from ledger.records import Record, latest_takes
from ledger.service import Ledger
from ledger.sqlite_store import SqliteStore, open_store
from ledger.store import Store
from ledger.table_file import NamedRows, SelectedRows
from projections.projection import StateProjection
from tests.cli.conftest import Folder, is_printable, one_error
from tests.golden import samples, sessions

pytestmark = pytest.mark.slow  # run with --long

AT = "2026-01-09T19:30:00Z"
LINK = re.compile(r"\[\[([^\]|\\]+)(?:\\?\|[^\]]*)?\]\]")
HOSTILE = "=cmd|' /C calc'!A0 <script>alert(1)</script> [[x]] | `y` #z \x1b[31m\u202e\n---\ntype: x"


# A session as lines


def counted(store: Store, session: int) -> Iterator[Record]:
    """Yield the entries of a session that count."""
    yield from latest_takes(store.takes(after=EntryId(session, -1), upto=EntryId(session + 1, -1)))


def played_facts(store: Store, session: int) -> str:
    """Return the facts of a session up to its close: dice without source and number, entries by their place."""
    names: dict[str, str] = {}
    for number in range(1, session + 1):
        played = [record for record in counted(store, number) if record.facts and not record.has(Amended)]
        names |= {str(record.id): f"entry {number}/{place}" for place, record in enumerate(played)}
    opened, *records = takewhile(lambda record: not record.has(SessionClosed), played)
    assert opened.has(SessionOpened)
    body = msgspec.json.encode([[sourceless(fact) for fact in record.facts[1:]] for record in records]).decode()
    return re.sub(r"(?<![\d.])\d+\.\d+(?:\+\d+)?(?![\d.])", lambda found: names.get(found[0], found[0]), body)


def sourceless(fact: Fact) -> Fact:
    return msgspec.structs.replace(fact, source="", throw=0) if isinstance(fact, Rolled) else fact


def declare_plainly(ledger: Ledger[Any], store: Store, session: int, decode: Any) -> None:
    """Declare what was said outside the session: the cast."""
    is_open = session > 0
    for record in counted(store, session):
        is_open = is_open and not record.has(SessionClosed)
        declared = record.declared
        if not is_open and declared is not None and not record.has(SessionClosed, Amended):
            ledger.declare(decode(declared.said), at=AT, faces=declared.faces)


@pytest.mark.parametrize("sample", samples())
def test_notation_replays_to_the_same_facts(sample: str, played_samples: dict[str, Path]) -> None:
    with closing(open_store(played_samples[sample] / "ledger.db", write=False)) as store:
        book = find_game(store)
        decode = decoder(book, BUILTIN).decode
        ledger = Ledger(MemoryStore(), book, StateProjection(), MemorySeeds())
        declare_plainly(ledger, store, 0, decode)
        for session in range(1, sessions(sample) + 1):
            ledger.open_session("again", at=AT, seed=fixed_seed("other dice"))
            for line in session_notation(store, book, session):
                declare_line(ledger, book, line, at=AT)
            assert played_facts(ledger.store, session) == played_facts(store, session)
            ledger.close_session(at=AT)
            declare_plainly(ledger, store, session, decode)


def test_notation_leaves_out_what_was_taken_back(folder: Folder) -> None:
    folder.run("do", "k sneak v5 /7.6")
    folder.run("undo")
    folder.run("do", "k sneak v4 e1 /1.2")
    folder.run("do", "close")
    lines = folder.run("export", "--notation").splitlines()
    assert lines[0] == "; session 1: Rooftops, dusk-bastards 1"
    assert "; 1.2 was a correction: undo" in lines
    assert [line for line in lines if "sneak" in line] == ['Kess "sneak" v4 e1 /1.2']


def test_notation_of_no_session_is_refused(folder: Folder) -> None:
    assert "there is no session 7" in one_error(folder.invoke("export", "7", "--notation"), 2)
    assert "does not replay" in one_error(folder.invoke("export", "--notation", "--as", "players"), 2)


@pytest.mark.parametrize("options", [[], ["--json", "--notation"], ["1", "--json"]])
def test_export_says_what_can_be_written(folder: Folder, options: list[str]) -> None:
    assert "--notation" in one_error(folder.invoke("export", *options), 2)


# Tables


@pytest.mark.parametrize("sample", samples())
def test_tables_are_those_of_the_ledger(sample: str, played_samples: dict[str, Path]) -> None:
    folder = Folder(played_samples[sample])
    tables = json.loads(folder.run("export", "--json"))["tables"]
    with closing(open_store(folder.ledger, write=False)) as store:
        assert isinstance(store, SqliteStore)
        for name, rows in tables.items():
            found = store.connection.execute(f"SELECT * FROM {name}")
            columns = [column for column, *_ in found.description]
            assert rows == [dict(zip(columns, row, strict=True)) for row in found], name


def test_csv_can_be_read_by_column(demo: Folder, tmp_path: Path) -> None:
    demo.run("export", "--csv", str(tmp_path))
    with (tmp_path / "changes.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["value"] == "doom" and row["counts"] == "1"]
    assert rows[1]["before"] == "0"
    assert rows[1]["after"] == "2"
    assert (tmp_path / "wounds.csv").is_file()


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        (-3, -3),
        (None, ""),
        ("=1+1", "'=1+1"),
        ("+cover", "'+cover"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("  =1", "'  =1"),
        ("\t=1", "'\\t=1"),
        ("a\nb", "a / b"),
        ("\x1b[31m", "\\x1b[31m"),
        ("plain", "plain"),
    ],
)
def test_cell_is_no_formula(value: int | str | None, cell: int | str) -> None:
    assert csv_cell(value) == cell


# A vault


@pytest.mark.parametrize("role", ["players", "gm"])
@pytest.mark.parametrize("sample", samples())
def test_links_of_a_vault_resolve(sample: str, role: str, played_samples: dict[str, Path], tmp_path: Path) -> None:
    Folder(played_samples[sample]).run("export", "--vault", str(tmp_path), "--as", role)
    notes = {str(path.relative_to(tmp_path).with_suffix("")): path.read_text() for path in tmp_path.rglob("*.md")}
    links = [found for note in notes.values() for found in LINK.findall(note)]
    assert links
    assert set(links) <= notes.keys()
    assert {f"Sessions/Session {number}" for number in range(1, sessions(sample) + 1)} <= notes.keys()


def test_vault_is_the_players_unless_told_otherwise(demo: Folder, tmp_path: Path) -> None:
    demo.run("export", "--vault", str(tmp_path / "players"))
    demo.run("export", "--vault", str(tmp_path / "gm"), "--as", "gm")
    hidden = (tmp_path / "players/Foes/Dovel.md").read_text()
    assert "| health | 1 | 8 |" in (tmp_path / "gm/Foes/Dovel.md").read_text()
    assert "health" not in hidden


def test_note_of_a_session_tells_its_story(demo: Folder, tmp_path: Path) -> None:
    demo.run("export", "--vault", str(tmp_path))
    note = (tmp_path / "Sessions/Session 2.md").read_text()
    front, _, rest = note.removeprefix("---\n").partition("\n---\n")
    assert 'cast: ["[[Characters/Kess]]"' in front
    assert rest.startswith("# Gutter Saints, session 2: The Lamp Room\n")
    assert "- [[Characters/Tamsin|Tamsin]]: moderate 4 at 2.40 (closed at 2.41+1)" in rest
    assert "[[Characters/Orrin|Orrin]] hit [[Foes/Dovel|Dovel]] with the maul, leaving him badly hurt." in rest


def test_session_has_its_foes_apart_from_its_cast(demo: Folder, tmp_path: Path) -> None:
    demo.run("export", "--vault", str(tmp_path))
    lines = (tmp_path / "Sessions/Session 2.md").read_text("utf-8").splitlines()
    values = {name: text for name, _, text in (line.partition(": ") for line in lines[: lines.index("---", 1)])}
    assert json.loads(values["date"]) == "2026-01-09"
    cast, foes = json.loads(values["cast"]), json.loads(values["foes"])
    assert cast
    assert foes
    assert all(link.startswith("[[Foes/") for link in foes)
    assert not any(link.startswith("[[Foes/") for link in cast)


def test_table_of_the_notes_asks_for_what_the_notes_have(demo: Folder, tmp_path: Path) -> None:
    demo.run("export", "--vault", str(tmp_path))
    text = (tmp_path / "Campaign.base").read_text("utf-8")
    notes = [note.read_text("utf-8").split("---")[1] for note in tmp_path.rglob("*.md")]
    values = {line.partition(":")[0] for note in notes for line in note.splitlines() if line}
    types = {line for note in notes for line in note.splitlines() if line.startswith("type: ")}
    listed = {name for order in re.findall(r"order: \[(.*)\]", text) for name in order.split(", ")}
    assert listed - {"file.name"} <= values
    assert {f'type: "{name}"' for name in re.findall(r'type == "(\w+)"', text)} <= types
    assert "generated: campaign export" in notes[0]


def test_own_table_of_notes_is_not_replaced(demo: Folder, tmp_path: Path) -> None:
    (tmp_path / "Campaign.base").write_text("views: []\n")
    error = one_error(demo.invoke("export", "--vault", str(tmp_path)), 2)
    assert "Campaign.base" in error
    assert [path.name for path in tmp_path.iterdir()] == ["Campaign.base"]
    demo.run("export", "--vault", str(tmp_path), "--force")
    demo.run("export", "--vault", str(tmp_path))


def test_note_of_a_foe_leads_to_its_sessions(demo: Folder, tmp_path: Path) -> None:
    demo.run("export", "--vault", str(tmp_path))
    note = (tmp_path / "Foes/Dovel.md").read_text()
    assert note.endswith("# Dovel\n\n## Sessions\n\n- [[Sessions/Session 2|Session 2]]\n\n")
    kess = (tmp_path / "Characters/Kess.md").read_text()
    assert [number for number in (1, 2, 3) if f"\n- [[Sessions/Session {number}|" in kess] == [1, 2, 3]


def test_note_of_a_being_has_all_of_its_changes(demo: Folder, tmp_path: Path) -> None:
    demo.run("export", "--vault", str(tmp_path), "--as", "gm")
    query = "SELECT count(*) FROM changes WHERE counts AND who = ? AND kind <> 'joined'"
    with closing(sqlite3.connect(demo.path / "ledger.db")) as db:
        for name in ("Kess", "Orrin", "Tamsin"):
            (expected,) = db.execute(query, (name,)).fetchone()
            _, _, changes = (tmp_path / f"Characters/{name}.md").read_text().partition("## Changes\n")
            assert expected > 0
            assert changes.count("\n|") == expected + 2  # behind the titles and the line below them


def test_vault_is_written_again_but_not_over_own_notes(demo: Folder, tmp_path: Path) -> None:
    demo.run("export", "--vault", str(tmp_path))
    demo.run("export", "--vault", str(tmp_path))
    (tmp_path / "Campaign.md").write_text("my own")
    assert "is there, and is not a note of this program" in one_error(
        demo.invoke("export", "--vault", str(tmp_path)), 2
    )
    assert (tmp_path / "Campaign.md").read_text() == "my own"


def hostile_tables() -> list[NamedRows]:
    """Return tables in which every text is hostile."""
    being = {"name": HOSTILE, "kind": "pc", "side": HOSTILE, "level": 1, "player": HOSTILE, "conditions": HOSTILE}
    wound = {
        "name": HOSTILE,
        "first_kind": HOSTILE,
        "first_value": 1,
        "came": "1.1",
        "closed": None,
        "healed": None,
        "kind": HOSTILE,
    }
    fight = {
        "session": 1,
        "encounter": HOSTILE,
        "began": "1.1",
        "ended": None,
        "rounds": 1,
        "outcome": HOSTILE,
        "because": HOSTILE,
    }
    line = {"session": 1, "entry": "1.1", "who": HOSTILE, "line": HOSTILE, "told": HOSTILE, "result": HOSTILE, "at": AT}
    change = {"who": HOSTILE, "what": HOSTILE, "before": HOSTILE, "after": HOSTILE, "cause": HOSTILE, "entry": "1.1"}
    rows = {
        "characters": being,
        "wounds": {**wound, "value": 1, "actor": HOSTILE, "encounter": HOSTILE, "session": 1},
        "fights": fight,
        "log": line,
        "changes": {**change, "counts": 1, "session": 1, "kind": "points-lost", "change": -1},
        "pools": {"name": HOSTILE, "pool": HOSTILE, "points": 1, "most": None},
        "tokens": {"name": HOSTILE, "token": HOSTILE, "number": 1, "most": 2},
    }
    db = sqlite3.connect("")
    for name, row in rows.items():
        db.execute(f"CREATE TABLE {name} ({', '.join(row)})")
        db.execute(f"INSERT INTO {name} VALUES ({', '.join('?' * len(row))})", tuple(row.values()))
    return [NamedRows(name, tuple(row), SelectedRows(db, name)) for name, row in rows.items()]


def test_hostile_texts_of_a_vault_are_harmless() -> None:
    notes = [*Vault(HOSTILE, hostile_tables()).notes()]
    paths = {note.path for note in notes}
    assert len(notes) == 3
    for note in notes:
        body = "\n".join(note.lines)
        front, _, rest = body.removeprefix("---\n").partition("\n---\n")
        assert all(re.fullmatch(r"generated: campaign export|[a-z]+: .*", line) for line in front.splitlines())
        assert "<" not in rest
        assert "`y`" not in rest
        assert is_printable(body)
        assert set(LINK.findall(rest)) <= paths
        assert not [line for line in rest.splitlines() if line.startswith(("---", "#z"))]


def test_name_in_a_story_is_a_link_once_in_a_line() -> None:
    beings = [{"name": name, "kind": "pc"} for name in ("Kess", "Kess Vane", "wall", "a|b", "CON")]
    links = Links(beings)
    assert links.being("CON") == "[[Characters/CON_|CON]]"
    assert links.in_line("Kess Vane helps Kess; Kess and Kessel at the wall, a|b.") == (
        "[[Characters/Kess Vane|Kess Vane]] helps [[Characters/Kess|Kess]]; Kess and Kessel at the wall, a|b."
    )
    assert links.in_line("| Kess | 3 |") == "| [[Characters/Kess\\|Kess]] | 3 |"
    assert links.in_line("## Kess") == "## Kess"


def test_names_that_are_one_file_somewhere_get_files_of_their_own() -> None:
    """Letter case, normal forms, names of devices on Windows."""
    names = ("Kess", "KESS", "Zoe\u0308", "Zo\u00eb", "Stra\u00dfe", "STRASSE", "\uff2bess", "com\u00b9", "LPT3")
    paths = [*Links([{"name": name, "kind": "pc"} for name in names]).paths.values()]
    assert len(paths) == len({normalize("NFKC", path).casefold() for path in paths}) == len(names)
    assert {"Characters/com\u00b9_", "Characters/LPT3_"} < {*paths}
    assert all(path == normalize("NFC", path) for path in paths)


def test_name_with_a_small_article_is_a_link() -> None:
    links = Links([{"name": "The Rat", "kind": "npc"}])
    assert links.in_line("The Rat bites; the Rat flees") == "[[Foes/The Rat|The Rat]] bites; the Rat flees"
    assert links.in_line("Kess hits the Rat.") == "Kess hits [[Foes/The Rat|the Rat]]."


LINES = (
    "> =cmd|' /C calc'!A0 <img src=x onerror=alert(1)> [[Secrets]] `rm` %%x%%",
    "# ---",
    "# <b>[x](http://a.b)</b> | =1+1",
    '" Kess: **bold** #tag ^block',
)


def test_hostile_lines_are_harmless_in_every_export(folder: Folder, tmp_path: Path) -> None:
    for line in LINES:
        folder.run("do", line)
    folder.run("do", 'k sneak v5 /7.6 -1"=1+1"')
    folder.run("export", "--vault", str(tmp_path / "vault"))
    for path in (tmp_path / "vault").rglob("*.md"):
        note = path.read_text()
        assert is_printable(note)
        assert not re.search(r"<(?!br)\w", note), note
        assert "Secrets" not in LINK.findall(note)
        assert note.count("\n---\n") == 1, path
        assert not re.search(r"(?<!\\)\]\(", note)
    folder.run("export", "--csv", str(tmp_path / "csv"))
    for path in (tmp_path / "csv").glob("*.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            assert not [cell for row in csv.reader(file) for cell in row if re.match(r"\s*[=+@]", cell)], path
    replayed = "\n".join(folder.run("export", "--notation").splitlines()[1:])
    assert [line for line in LINES if line in replayed] == list(LINES)
    assert is_printable(folder.run("export", "--json"))


def test_text_of_the_ledger_is_no_markup() -> None:
    assert text("1. *a* [[b]] #c %%d%%") == r"1\. \*a\* \[\[b\]\] \#c \%\%d\%\%"


def test_csv_of_hostile_texts_has_one_line_a_row() -> None:
    cell = csv_cell(HOSTILE)
    line = io.StringIO()
    csv.writer(line).writerow([cell])
    assert len(line.getvalue().splitlines()) == 1
    assert str(cell).startswith("'=")


@pytest.mark.parametrize(
    ("options", "environment", "way"),
    [(["--as", "players"], {}, "leave out --as players."), ([], {"CAMPAIGN_VIEW": "players"}, "is set: add --as gm.")],
)
def test_refused_notation_names_what_is_set(
    demo: Folder, monkeypatch: pytest.MonkeyPatch, options: list[str], environment: dict[str, str], way: str
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert one_error(demo.invoke("export", "--notation", *options), 2).endswith(way)
