"""The read models of the ledger: rows, search, and one transaction with the records."""

from __future__ import annotations

import sqlite3

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger import sqlite_store as sqlite
from ledger.builtin import Tell
from ledger.change_rows import CHANGES, History, state_and_changes_after
from ledger.corrections.undo import undo
from ledger.errors import LedgerError, Overtaken
from ledger.facts import Amended, Declared, Die, Judged, PoolSet, Rolled, Ruled, Told
from ledger.projection import RowChange
from ledger.read_model_build import build_read_models
from ledger.read_model_check import check_read_models
from ledger.read_model_sql import create_table_sql, fts_query
from ledger.read_models import BUILTIN_MODELS, ENTRIES, ROLLS, RULINGS, TAKE_MODELS, row_changes_between
from ledger.records import EMPTY, encode
from ledger.writing_order import WritingOrder, ids_of
from tests.ledger.coin import PURSES, Banked, Coins, Purses
from tests.ledger.strategies import AT, Failing, bytes_of, create_ledger, declared, flip, head_at, played, record


@pytest.fixture
def file(tmp_path):
    """A ledger with a table of purses: Ana flips, undoes one flip, and flips again."""
    store = sqlite.create_store(tmp_path / "ledger.db", (PURSES,))
    ledger = create_ledger(store, projection=Banked())
    flip(ledger)
    flip(ledger, again=True)
    undo(ledger, by="gm", at=AT)
    flip(ledger, faces=(2,))
    yield store
    store.close()


def differ(store, projection=None):
    return [str(found) for found in check_read_models(store, projection or Banked())]


def column(store, model, name, where="1"):
    return [value for (value,) in store.connection.execute(f"SELECT {name} FROM {model} WHERE {where}")]


def say(store, *texts, line=""):
    """Append one record for each told text."""
    for text in texts:
        position = store.head().position + 1
        told = record(position, by="gm", facts=(said(line), Told(kind="fiction", by="gm", text=text)))
        store.append([told], after=store.head())


def said(line):
    return Declared(by="gm", said=msgspec.Raw(b"{}"), line=line, faces=None)


def ids(found):
    return [f"{each.id}@{each.take}" for each in found]


# Rows of records


@pytest.mark.slow
def test_an_entry_has_a_row_for_each_take_and_one_of_them_counts(file):
    rows = file.connection.execute(
        "SELECT entry, take, counts, who, line, result FROM entries WHERE session = 1"
    ).fetchall()
    assert rows == [
        ("1.0", 1, 1, "gm", "", ""),
        ("1.1", 1, 1, "Ana", "ana flip", rows[1][5]),
        ("1.2", 1, 0, "Ana", "ana flip again", rows[2][5]),
        ("1.3", 1, 1, "gm", "undo", ""),
        ("1.2", 2, 0, "gm", "", "taken back"),
        ("1.2", 3, 1, "Ana", "ana flip", "Ana flip heads"),
    ]
    assert rows[2][5].startswith("Ana flip ")
    assert "; Ana flip again " in rows[2][5]


@pytest.mark.slow
def test_dice_of_takes_that_no_longer_count_stay_and_say_so(file):
    rows = file.connection.execute(
        "SELECT entry, take, fact, die, counts, purpose, source, sides FROM rolls"
    ).fetchall()
    assert rows == [
        ("1.1", 1, 3, 1, 1, "flip", "seed", 2),
        ("1.2", 1, 3, 1, 0, "flip", "seed", 2),
        ("1.2", 1, 6, 1, 0, "flip again", "seed", 2),
        ("1.2", 3, 3, 1, 1, "flip", "table", 2),
    ]


def test_entry_row_has_speaker_time_line_and_rule(db):
    facts = (
        said("! rule it"),
        Rolled(
            who="Ana",
            purpose="task",
            source="table",
            dice=(Die(ordinal=1, sides=12, face=7, kept=False, label="Dawn"),),
        ),
        Judged(rules=("R-2", "R-3"), what="task", who="Ana", result="success", final=True),
        Ruled(rules=("R-1",), name="mercy", text="He lives", because="the tide", cites=("R-9",), agreed=("Ana", "Bo")),
        Told(kind="scene", by="gm", text="The pier"),
        Told(kind="fiction", by="gm", text="Fog"),
    )
    db.append([record(1, "3.42+1", by="gm", seen="gm", facts=facts)], after=EMPTY)
    assert db.read_model_rows(ENTRIES) == [
        (1, "3.42+1", 3, 42, 1, 1, 1, "gm", AT, "gm", "! rule it", "The pier\nFog", "R-2, R-3", "Ana task success")
    ]
    assert db.read_model_rows(ROLLS) == [(1, 2, 1, "3.42+1", 1, 1, "Ana", "task", "table", 1, 12, 7, 0, "Dawn")]
    assert db.read_model_rows(RULINGS) == [
        (1, 4, "3.42+1", 1, 1, "mercy", "He lives", "the tide", "", "R-9", "once", "Ana, Bo")
    ]


def test_last_of_several_takes_in_one_transaction_counts(db):
    db.append([record(1, "1.1"), record(2, "1.1", 2), record(3, "1.2"), record(4, "1.1", 3)], after=EMPTY)
    assert column(db, "entries", "counts") == [0, 0, 1, 1]


@pytest.mark.slow
def test_builtin_models_exist_without_projection_models(store_of_a_story):
    assert differ(store_of_a_story, Coins()) == []


@pytest.fixture
def store_of_a_story(story):
    store = sqlite.open_store(story, write=False)
    yield store
    store.close()


def test_rows_come_sorted_by_their_key(store_of_a_story):
    for model, rows in build_read_models(store_of_a_story, Coins()):
        keys = [row[: len(model.key)] for row in rows]
        assert keys == sorted(set(keys))


@pytest.mark.slow
def test_changes_say_before_after_and_why(file):
    columns = "entry, take, counts, value, who, what, before, after, change, actor, kind, cause"
    rows = file.connection.execute(f"SELECT {columns} FROM changes WHERE session = 1").fetchall()
    ana = ("Ana.points", "Ana", "points")
    assert rows == [
        ("1.1", 1, 1, *ana, 20, 19, -1, "Ana", "points-spent", "flip"),
        ("1.2", 1, 0, *ana, 19, 18, -1, "Ana", "points-spent", "flip"),
        ("1.2", 1, 0, *ana, 18, 17, -1, "Ana", "points-spent", "flip again"),
        ("1.2", 3, 1, *ana, 19, 18, -1, "Ana", "points-spent", "flip"),
    ]


def test_rows_behind_a_correction_follow_it(db):
    """The facts of the second purse stay the same; what it changed does not. The first take keeps its numbers."""
    first, second = (PoolSet(who="Ana", pool="points", was=0, now=now, least=0, most=None) for now in (5, 9))
    facts = ((said("x"),), (said("a"), first), (said("b"), second))
    takes = [record(position, facts=each) for position, each in enumerate(facts, start=1)]
    db.append(takes, after=EMPTY)
    amended = Amended(entry="0.1@1", outcome="drop", because="no")
    correction = [record(4, facts=(said("~"), amended)), record(5, "0.1", 2, cause="0.3", facts=())]
    _, changes, _ = state_and_changes_after(db, Coins(), correction)
    (changed,) = [change.row for change in changes]
    log = [*takes, *correction]
    rows = list(History(Coins(), log, WritingOrder(lambda: ids_of(log))).rows())
    of = [list(CHANGES.columns).index(name) for name in ("position", "counts", "before", "after")]
    assert [tuple(row[column] for column in of) for row in rows] == [(2, 0, None, 5), (3, 1, None, 9)]
    assert changed == rows[1]


def test_rows_come_before_all_takes_are_read():
    """Only what a later correction reaches is kept."""
    purses = [PoolSet(who="Ana", pool="points", was=number, now=number + 1, least=0, most=None) for number in range(9)]
    amended = Amended(entry="0.3@1", outcome="drop", because="no")
    log = [record(position, facts=(said("x"), purse)) for position, purse in enumerate(purses, start=1)]
    log += [record(10, facts=(said("~"), amended)), record(11, "0.3", 2, cause="0.9", facts=())]
    left = iter(log)
    rows = History(Coins(), left, WritingOrder(lambda: ids_of(log))).rows()
    assert [next(rows)[0] for _ in range(3)] == [1, 2, 3]
    assert next(left).position == 5  # the fourth was read to see that it does not belong to the third


# Rows of the projection


@pytest.mark.slow
def test_projection_rows_are_written_with_the_record_and_follow_undo(file):
    assert (file.read_model_rows(PURSES), differ(file)) == ([("Ana", 18)], [])


def test_only_differing_rows_are_written():
    before, after = Purses({"Ana": 3, "Bo": 2, "Cy": 1}), Purses({"Ana": 3, "Bo": 1, "Di": 7})
    changes = [(change.key, change.row) for change in row_changes_between((PURSES,), before, after)]
    assert changes == [(("Cy",), None), (("Bo",), ("Bo", 1)), (("Di",), ("Di", 7))]


@pytest.mark.slow
def test_a_change_without_a_row_takes_it_away(file):
    head = file.head()
    file.append([record(head.position + 1, "9.0")], after=head, changes=[RowChange(PURSES, ("Ana",), None)])
    assert file.read_model_rows(PURSES) == []


# One transaction


@pytest.mark.slow
@pytest.mark.parametrize(
    "row",
    [("Ana", "many"), ("Ana", 1, 2), (None, 1), ("Ana", b"x")],
    ids=["no number", "too many columns", "no key", "bytes"],
)
def test_a_row_that_cannot_be_written_leaves_no_record(file, row):
    before, rows = bytes_of(file), file.read_model_rows(ENTRIES)
    new = record(file.head().position + 1, "9.0")
    with pytest.raises(LedgerError):
        file.append(
            [new], after=file.head(), changes=[RowChange(PURSES, ("Bo",), ("Bo", 1)), RowChange(PURSES, (), row)]
        )
    assert (bytes_of(file), file.read_model_rows(ENTRIES), file.read_model_rows(PURSES), differ(file)) == (
        before,
        rows,
        [("Ana", 18)],
        [],
    )


@pytest.mark.slow
def test_failing_row_changes_nothing(tmp_path):
    store = sqlite.create_store(tmp_path / "ledger.db")  # nobody told it of purses
    ledger = create_ledger(store)
    ledger.projection = Banked()
    before = bytes_of(store)
    with pytest.raises(LedgerError, match="no such table: purses") as caught:
        flip(ledger)
    assert "campaign rebuild" in caught.value.hint
    assert (bytes_of(store), ledger.state.state.points) == (before, {"Ana": 20})
    store.close()


@pytest.mark.slow
@pytest.mark.parametrize("after", [False, True], ids=["before it ran", "after it ran"])
def test_failing_statement_writes_rows_with_their_record_or_neither(file, after):
    for n in range(1, 30):
        head = file.head()
        position = head.position
        new = [record(position + 1, "1.1", position, facts=dice()), record(position + 2, "9.0", position)]
        failing = Failing(file.connection, sqlite3.OperationalError, n, after)
        try:
            sqlite.SqliteStore(failing, file.path).append(
                new, after=head, changes=[RowChange(PURSES, ("Bo",), ("Bo", n)), RowChange(PURSES, ("Cy",), None)]
            )
        except LedgerError:
            written = file.head().position > position
            assert (("Bo", n) in file.read_model_rows(PURSES)) == written
            takes = list(file.takes())
            assert [file.read_model_rows(model) for model in TAKE_MODELS] == [
                model.rows(takes) for model in TAKE_MODELS
            ]
        else:
            assert failing.count == n - 1 > 10
            break
    else:
        pytest.fail("it never succeeded")


def dice():
    return (said("x"), Rolled(who="Ana", purpose="x", source="table", dice=(Die(ordinal=0, sides=6, face=1),)))


@pytest.mark.slow
def test_overtaken_writer_writes_no_row(file):
    rows = file.read_model_rows(ENTRIES)
    with pytest.raises(Overtaken):
        file.append([record(1)], after=EMPTY, changes=[RowChange(PURSES, ("Bo",), ("Bo", 1))])
    assert (file.read_model_rows(ENTRIES), file.read_model_rows(PURSES)) == (rows, [("Ana", 18)])


# Rebuild and check


@pytest.mark.slow
@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ("UPDATE purses SET points = 7", "table purses: row Ana: points is 7, the records say 18"),
        ("DELETE FROM purses", "table purses: row Ana is missing"),
        ("INSERT INTO purses VALUES ('Bo', 1)", "table purses: row Bo should not be there"),
        ("UPDATE entries SET counts = 1", "counts is 1, the records say 0 (and 1 rows more)"),
        ("UPDATE entries SET line = 'x' WHERE entry = '1.3'", "line is 'x', the records say 'undo'"),
        ("UPDATE rolls SET face = 6 WHERE entry = '1.2' AND take = 3", "table rolls: row 8, 3, 1: face is 6"),
        ("DELETE FROM entries", "table entries: row 1 is missing (and 7 rows more)"),
        ("INSERT INTO rulings (position, fact) VALUES (1, 1)", "table rulings: row 1, 1 should not be there"),
        (
            "INSERT INTO entries_fts (rowid, line, told) VALUES (1, 'x', '')",
            "table entries_fts: it indexes other words",
        ),
        ("INSERT INTO entries_fts (entries_fts) VALUES ('delete-all')", "table entries_fts: it indexes other words"),
        ("DROP TABLE purses", "table purses: SQLite says: no such table: purses"),
        ("DROP TABLE entries_fts", "table entries_fts: SQLite says: no such fts5 table"),
    ],
)
def test_a_damaged_row_is_named_and_rebuilt(file, statement, named):
    raw = sqlite3.connect(file.path, isolation_level=None)
    raw.execute(statement)
    raw.close()
    assert named in "\n".join(differ(file))
    file.replace_read_models(build_read_models(file, Banked()), after=file.head())
    assert (differ(file), file.find_schema_mismatch((PURSES,))) == ([], None)
    assert ids(file.search("undo")) == ["1.3@1"]


@pytest.mark.slow
def test_rebuild_replaces_a_table_with_older_columns(file):
    raw = sqlite3.connect(file.path, isolation_level=None)
    raw.execute("DROP TABLE purses")
    raw.execute("CREATE TABLE purses (name TEXT PRIMARY KEY)")
    raw.close()
    assert file.find_schema_mismatch((PURSES,)) == "'purses' differs from the schema of a new ledger"
    file.replace_read_models(build_read_models(file, Banked()), after=file.head())
    assert (file.read_model_rows(PURSES), file.find_schema_mismatch((PURSES,))) == ([("Ana", 18)], None)


@pytest.mark.slow
def test_a_rebuild_touches_no_record(file):
    before = bytes_of(file)
    file.replace_read_models(build_read_models(file, Banked()), after=file.head())
    assert (bytes_of(file), file.find_column_mismatch()) == (before, None)


@pytest.mark.slow
def test_a_rebuild_that_was_overtaken_or_fails_changes_nothing(file):
    made = build_read_models(file, Banked())
    rows = {model.name: file.read_model_rows(model) for model, _ in made}
    with pytest.raises(Overtaken):
        file.replace_read_models(made, after=head_at(file, file.head().position - 1))

    def failing():
        yield from ((f"p{n}", n) for n in range(250))
        raise MemoryError

    with pytest.raises(MemoryError):
        file.replace_read_models([(PURSES, failing())], after=file.head())
    assert {model.name: file.read_model_rows(model) for model, _ in made} == rows
    assert differ(file) == []


def test_check_works_read_only_and_writes_nothing(story, store_of_a_story):
    before = story.read_bytes()
    assert differ(store_of_a_story, Coins()) == differ(store_of_a_story, Coins()) == []
    assert list(store_of_a_story.search("flip"))
    assert story.read_bytes() == before
    assert [path.name for path in story.parent.iterdir()] == ["ledger.db"]


@pytest.mark.slow
def test_unknown_table_is_a_schema_mismatch(file):
    assert file.find_schema_mismatch() == "'purses' differs from the schema of a new ledger"
    assert file.find_schema_mismatch((PURSES,)) is None


def test_tables_are_strict_with_a_primary_key():
    assert create_table_sql(PURSES) == (
        "CREATE TABLE purses (\n    name TEXT,\n    points INTEGER,\n    PRIMARY KEY (name)\n) STRICT, WITHOUT ROWID"
    )
    assert create_table_sql(ENTRIES).startswith("CREATE TABLE entries (\n    position INTEGER PRIMARY KEY,\n")


@pytest.mark.parametrize("model", BUILTIN_MODELS, ids=lambda model: model.name)
def test_key_columns_come_first(model):
    assert tuple(model.columns)[: len(model.key)] == model.key


# Search


@pytest.mark.slow
def test_search_needs_all_words_in_any_order_and_case(db):
    say(db, "One lamp below the slates", "Two lamps", "A SLATE falls on the lamp")
    assert ids(db.search("lamp")) == ["0.0@1", "0.1@1", "0.2@1"]
    assert ids(db.search("slate LAMP")) == ["0.0@1", "0.2@1"]
    assert ids(db.search("amp")) == []
    say(db, "", line='k sneak v5 +a1"knotted rope"')
    assert ids(db.search("knotted sneak")) == ["0.3@1"]


def test_accents_do_not_matter(db):
    say(db, "The Café at the Straße")
    assert ids(db.search("cafe")) == ids(db.search("CAFE\u0301")) == ids(db.search("Straße")) == ["0.0@1"]


@pytest.mark.slow
def test_search_finds_old_takes_only_with_all_takes(file):
    assert "1.2@1" not in ids(file.search("again"))
    assert ids(file.search("again", takes=True)) == ["1.2@1"]


def test_search_results_are_in_order_of_entries(db):
    db.append([record(1, "2.1", facts=(said("lamp"),)), record(2, "1.9", facts=(said("lamp"),))], after=EMPTY)
    found = list(db.search("lamp"))
    assert ids(found) == ["1.9@1", "2.1@1"]
    assert [encode(each) for each in found] == [stored.public for stored in bytes_of(db)][::-1]


HOSTILE = [
    '"', '""', "'", "lamp\"", '"lamp', "lamp*", "*", "**", "^lamp", "lamp OR", "OR", "AND NOT", "NEAR(a b)", "NEAR",
    "line:lamp", "entries_fts:x", "{line told}: x", "-lamp", "+", "(", ")", "((lamp", "lamp)", ":", "a:b:c", "\x00",
    "lamp\x00OR", "\ud800", "\u202e", "", " ", "\n", "\\", "%", "_", "__", "; DROP TABLE records", "'; --", "🎲",
    "a" * 5000,
    "x " * 5000, '" ' * 3000, '"a"' * 1000, "\u0301", "--", "/*", "?1", ":x", "@x", "$x", "\ue000", "½", "²",
    "ǆ", "हिन्दी",
]  # fmt: skip


@pytest.mark.quick_rows(9)
@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text)[:20])
def test_any_text_is_text_and_never_a_query(db, text):
    say(db, "One lamp", "another thing")
    list(db.search(text))
    assert ids(db.search("lamp")) == ["0.0@1"]


@given(text=st.text(st.characters() | st.sampled_from('"*^():-+ \x00{}'), max_size=60))
def test_no_text_is_an_error(story, text):
    store = sqlite.open_store(story, write=False)
    list(store.search(text))
    store.close()


@pytest.mark.slow
def test_words_of_the_query_language_are_words(db):
    say(db, "salt or bread", "neither and nor", "not near the pier", "rock'n'roll")
    assert ids(db.search("salt OR")) == ["0.0@1"]
    assert ids(db.search("NOT NEAR")) == ["0.2@1"]
    assert ids(db.search("AND")) == ["0.1@1"]
    assert ids(db.search("rock'n'roll")) == ["0.3@1"]
    assert ids(db.search('"or bread"')) == ["0.0@1"]


def test_where_there_is_no_word_nothing_is_found(db):
    say(db, "One lamp")
    assert [fts_query(text) for text in ("", " ", '"', "🎲 !", "\x00")] == [""] * 5
    assert list(db.search("🎲 !")) == []


def test_search_ignores_punctuation_around_words(db):
    say(db, "One lamp")
    assert ids(db.search("(lamp) -- \x00 🎲")) == ["0.0@1"]


@pytest.mark.slow
def test_told_text_is_found_until_it_is_undone(tmp_path):
    store = sqlite.create_store(tmp_path / "ledger.db")
    ledger = create_ledger(store)
    ledger.declare(Tell(by="gm", kind="scene", who="gm", text="The pier"), at=AT, line="# The pier")
    assert ids(store.search("pier")) == ["1.1@1"]
    undo(ledger, by="gm", at=AT)
    assert ids(store.search("pier")) == []
    assert declared(next(store.search("pier", takes=True))).line == "# The pier"
    store.close()


@pytest.mark.slow
def test_rebuild_changes_nothing_in_a_played_ledger(tmp_path):
    store = sqlite.create_store(tmp_path / "ledger.db")
    played(store)
    before = {model.name: store.read_model_rows(model) for model in BUILTIN_MODELS}
    store.replace_read_models(build_read_models(store, Coins()), after=store.head())
    assert {model.name: store.read_model_rows(model) for model in BUILTIN_MODELS} == before
    store.close()
