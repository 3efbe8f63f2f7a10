"""Test what only the store in PostgreSQL has: rights, members, lost connections, poolers, notifications."""

from __future__ import annotations

import re
import threading
import time
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from ledger.errors import Damaged, LedgerError, Overtaken
from ledger.records import EMPTY, Head
from tests.ledger.strategies import bytes_of, create_ledger, findings_of, flip, record
from tests.postgres import new_name, new_store

psycopg = pytest.importorskip("psycopg")

from ledger import postgres_connection  # noqa: E402 - it needs psycopg
from ledger.postgres_address import parse_address  # noqa: E402
from ledger.postgres_campaigns import campaigns  # noqa: E402
from ledger.postgres_connection import PostgresConnection, connect, scoped  # noqa: E402
from ledger.postgres_schema import SCHEMA  # noqa: E402
from ledger.postgres_store import create_store, open_store  # noqa: E402
from ledger.postgres_watch import PostgresWatch  # noqa: E402
from projections.projection import StateProjection  # noqa: E402


@pytest.fixture
def made(postgres):
    """A campaign with three records."""
    store = new_store(postgres)
    store.append([record(1), record(2, request="k"), record(3)], after=EMPTY)
    yield store
    store.close()


def owner(store):
    return connect(store.address)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE {s}.records SET session = 7",
        "DELETE FROM {s}.records",
        "TRUNCATE {s}.records",
        "TRUNCATE {s}.records_7",
        "TRUNCATE {s}.campaigns, {s}.records",
    ],
)
def test_records_refuse_to_change(made, statement):
    before = bytes_of(made)
    with owner(made) as db, pytest.raises(psycopg.Error):
        db.execute(statement.format(s=SCHEMA))
    with owner(made) as db:  # also where the owner gives itself the rights back
        db.execute(f"GRANT UPDATE, DELETE, TRUNCATE ON {SCHEMA}.records TO CURRENT_USER")
    with owner(made) as db, pytest.raises(psycopg.errors.RaiseException, match="can only be appended"):
        db.execute(statement.format(s=SCHEMA))
    with owner(made) as db:
        db.execute(f"REVOKE UPDATE, DELETE, TRUNCATE ON {SCHEMA}.records FROM CURRENT_USER")
    assert bytes_of(made) == before


@pytest.mark.parametrize("position", [0, 2, 5])
def test_a_record_has_the_next_position(made, position):
    insert = (
        f"INSERT INTO {SCHEMA}.records (campaign, position, public, hash, session, number, inserted, take)"
        " SELECT campaign, %s, public, hash, session, number, inserted, take FROM"
        f" {SCHEMA}.records WHERE campaign = %s AND position = 1"
    )
    with owner(made) as db, pytest.raises((psycopg.errors.RaiseException, psycopg.errors.UniqueViolation)):
        db.execute(insert, (position, made._connection.campaign))


def test_a_head_that_its_records_do_not_have_is_damage(made):
    with owner(made) as db:
        db.execute(f"UPDATE {SCHEMA}.campaigns SET position = 2 WHERE id = %s", (made._connection.campaign,))
    with pytest.raises(Damaged, match="ends at position 2, its records end otherwise"):
        made.append([record(4)], after=made.head())
    with owner(made) as db:
        db.execute(f"UPDATE {SCHEMA}.campaigns SET position = 3 WHERE id = %s", (made._connection.campaign,))


def cut(monkeypatch, *, after_commit, times=1):
    """Let the connection be lost in COMMIT, so many times, before or after the server has committed."""
    commit, left = PostgresConnection.commit, [times]

    def lost(self):
        if left[0] and (left.__setitem__(0, left[0] - 1) or True):
            if after_commit:
                commit(self)
            self._db.close()
            self.is_unsure = True
            raise psycopg.OperationalError("server closed the connection unexpectedly")
        commit(self)

    monkeypatch.setattr(PostgresConnection, "commit", lost)


@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize("after_commit", [True, False])
def test_a_line_counts_once_where_commit_is_cut_off(made, monkeypatch, after_commit, times):
    cut(monkeypatch, after_commit=after_commit, times=times)
    made.append([record(4, request="n")], after=made.head())
    made.append([record(5)], after=made.head())
    assert [stored.position for stored in made.read()] == [1, 2, 3, 4, 5]
    with owner(made) as db:
        (row,) = db.execute(f"SELECT position, hash FROM {SCHEMA}.campaigns WHERE name = %s", (made.address.name,))
    assert Head(*row) == made.head()


@pytest.mark.parametrize("after_commit", [True, False])
def test_a_batch_counts_once_where_commit_is_cut_off(postgres, monkeypatch, after_commit):
    store = new_store(postgres)
    ledger = create_ledger(store)
    cut(monkeypatch, after_commit=after_commit)
    with ledger.batch():
        flip(ledger)
        assert ledger.store.find_request("none") is None  # writes what was collected
        list(ledger.store.records())
        flip(ledger, again=True, request="k1")
    flip(ledger)
    assert findings_of(store) == []
    assert store.find_request("k1").id.number == 2
    store.close()


@pytest.mark.parametrize("after_commit", [True, False])
def test_what_became_of_a_copy_is_said_where_commit_is_cut_off(postgres, made, monkeypatch, after_commit):
    store, records = new_store(postgres), list(zip(made.read(), made.records(), strict=True))
    cut(monkeypatch, after_commit=after_commit)
    with pytest.raises(LedgerError, match="all of it is kept" if after_commit else r"while it was committed. Do"):
        store.extend(records, after=EMPTY)
    assert store.head().position == (3 if after_commit else 0)
    store.close()


@pytest.mark.parametrize("after_commit", [True, False])
def test_a_new_campaign_is_made_once_where_commit_is_cut_off(postgres, monkeypatch, after_commit):
    cut(monkeypatch, after_commit=after_commit)
    store = new_store(postgres)
    store.append([record(1)], after=EMPTY)
    assert [each.position for each in campaigns(store.address)] == [1]
    store.close()


@pytest.mark.parametrize("after_commit", [True, False])
def test_it_is_said_where_it_is_not_known_what_was_kept(made, monkeypatch, after_commit):
    head = made.head()
    cut(monkeypatch, after_commit=after_commit)
    with monkeypatch.context() as gone:
        gone.setattr(postgres_connection, "AGAIN_SECONDS", 0.2)
        gone.setattr(postgres_connection, "connect", refused)
        with pytest.raises(LedgerError, match=r"it is not known whether entry 0.3 was kept. Look with campaign log"):
            made.append([record(4)], after=head)
    assert made.head().position == (4 if after_commit else 3)
    made.append([record(made.head().position + 1)], after=made.head())


def refused(_):
    raise psycopg.OperationalError("connection refused")


def test_who_was_overtaken_while_the_connection_was_lost_is_refused(made, monkeypatch):
    other = open_store(made.address)
    commit = PostgresConnection.commit

    def lost(self):
        if self is made._connection:
            monkeypatch.setattr(PostgresConnection, "commit", commit)
            self._db.close()
            other.append([record(4, by="Bo")], after=other.head())
            raise psycopg.OperationalError("server closed the connection unexpectedly")
        commit(self)

    monkeypatch.setattr(PostgresConnection, "commit", lost)
    with pytest.raises(Overtaken):
        made.append([record(4)], after=made.head())
    assert [each.by for each in made.records(after=3)] == ["Bo"]
    other.close()


def test_a_connection_lost_in_a_batch_keeps_nothing(made):
    before = bytes_of(made)

    def lose():
        with made.batch():
            made.append([record(4)], after=made.head())
            made._connection._db.close()
            list(made.read())

    with pytest.raises(LedgerError, match="Nothing was kept"):
        lose()
    assert bytes_of(made) == before
    made.append([record(4)], after=made.head())


def test_reading_goes_on_over_a_lost_connection(made):
    with owner(made) as db:
        db.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND"
                   " application_name = 'campaign'")  # fmt: skip
    assert made.head().position == 3
    assert len(list(made.takes())) == 3


class LastMomentTimer:
    """A timer whose time is over when somebody stops waiting for it."""

    def __init__(self, seconds, act, arguments):
        self.act, self.arguments = act, arguments

    def start(self):
        pass

    def cancel(self):
        pass

    def join(self):
        self.act(*self.arguments)


def test_commit_that_is_given_up_as_it_is_confirmed_counts(made, monkeypatch):
    monkeypatch.setattr(postgres_connection, "Timer", LastMomentTimer)
    made.append([record(4)], after=made.head())
    with made.writing():
        pass
    monkeypatch.undo()
    assert [each.position for each in made.records()] == [1, 2, 3, 4]
    made.append([record(5)], after=made.head())
    assert made.head().position == 5


@pytest.mark.parametrize("error", [psycopg.errors.SerializationFailure, psycopg.errors.DeadlockDetected])
def test_a_transaction_that_lost_a_race_is_tried_again(made, monkeypatch, error):
    commit, raised = PostgresConnection.commit, []

    def lose(self):
        if not raised:
            raised.append(1)
            raise error("lost")
        commit(self)

    monkeypatch.setattr(PostgresConnection, "commit", lose)
    made.append([record(4)], after=made.head())
    assert made.head().position == 4


def test_a_refusal_is_never_tried_again(made, monkeypatch):
    begun = []
    begin = PostgresConnection.begin
    monkeypatch.setattr(PostgresConnection, "begin", lambda self, **more: (begun.append(1), begin(self, **more)))
    with pytest.raises(Overtaken):
        made.append([record(3)], after=Head(2, "ff" * 32))
    assert len(begun) == 1


def test_a_writer_that_stands_still_is_not_waited_for_long(made, monkeypatch):
    monkeypatch.setattr(postgres_connection, "LIMITS", postgres_connection.LIMITS.replace("'10s'", "'1s'"))
    other = open_store(made.address)

    def stand_still():
        with other.batch():
            other.append([record(4, by="Bo")], after=other.head())
            list(other.read())  # it is written, and not committed
            start = time.monotonic()
            made.append([record(4)], after=made.head())
            assert time.monotonic() - start < 10

    with pytest.raises(LedgerError):
        stand_still()
    assert [each.by for each in made.records(after=3)] == ["Ana"]
    other.append([record(5)], after=other.head())
    other.close()


def test_who_waits_too_long_is_told_who_holds_the_campaign(made, monkeypatch):
    monkeypatch.setattr(postgres_connection, "LIMITS", postgres_connection.LIMITS.replace("'20s'", "'1s'"))
    other = open_store(made.address)
    with other.batch(), pytest.raises(LedgerError, match="another program has held the campaign"):
        made.append([record(4)], after=made.head())
    assert made.head().position == 3  # no transaction is left that refuses to read
    made.append([record(4)], after=made.head())
    other.close()


def test_documented_query_follows_all_campaigns_in_late_transactions(made, postgres):
    page = Path("cli/help/club.md").read_text(encoding="utf-8")
    query = re.search(r"^    SELECT name, r\.position.*?\n\n", page, re.DOTALL | re.MULTILINE)[0].replace(
        "$1", "%s::xid8"
    )
    other, mark, followed = new_store(postgres), "0", []
    names = {made.address.name, other.address.name}

    def follow():
        nonlocal mark
        with owner(made) as db:
            rows = db.execute(query, (mark,)).fetchall()
        mark = rows[-1][3] if rows else mark
        own = [(name, Head(position, hash)) for name, position, hash, _ in rows if name in names]
        followed.extend(own)
        return [(name, head.position) for name, head in own]

    assert follow() == [(made.address.name, position) for position in (1, 2, 3)]
    assert follow() == []
    with made.batch():
        made.append([record(4)], after=made.head())
        other.append([record(1)], after=EMPTY)  # begins later, and commits before
        assert follow() == []
    assert follow() == [(made.address.name, 4), (other.address.name, 1)]
    assert follow() == []
    assert (made.address.name, made.head()) in followed
    assert len(followed) == len(set(followed)) == 5
    other.close()


def test_nothing_is_kept_in_a_session(made):
    """A pooler in transaction mode gives each transaction another session, which served another campaign before."""
    first, second = (connect(made.address) for _ in range(2))
    turns = iter([first, second] * 1000)

    class Pooled(PostgresConnection):
        @property
        def _db(self):
            if not self.in_transaction:
                self.held = next(turns)
            return self.held

        @_db.setter
        def _db(self, value):
            value.close()

        def begin(self, **more):
            held = self.held = next(turns)
            held.execute("BEGIN")
            self.in_transaction = True
            held.execute(postgres_connection.LIMITS)
            self.is_unconfirmed = False

    other = open_store(made.address)
    pooled = Pooled.__new__(Pooled)
    pooled.__dict__.update(address=made.address, campaign=made._connection.campaign, in_transaction=False)
    other._connection.close()
    other._db = other._connection = pooled
    ledger_like = other
    for position in range(4, 10):
        ledger_like.append([record(position, take=1)], after=ledger_like.head())
        assert len(list(ledger_like.takes())) == position
    assert bytes_of(other) == bytes_of(made)
    for each in (first, second):
        each.close()


def test_copy_aside_sees_the_campaign_as_it_was_then(made):
    with closing(made.copy_aside()) as aside:
        made.append([record(4)], after=made.head())
        assert (aside.head().position, len(list(aside.read()))) == (3, 3)


def test_an_append_wakes_who_watches(made):
    watch = PostgresWatch(made.address)
    assert [watch.has_changed(), watch.has_changed()] == [True, False]
    watch._next = time.monotonic() + 1000  # only the hint can wake it
    made.append([record(4)], after=made.head())
    end = time.monotonic() + 10
    while not (woken := watch.has_changed()) and time.monotonic() < end:
        time.sleep(0.01)
    assert woken
    watch._next = 0.0
    with owner(made) as db:
        db.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND"
                   " application_name = 'campaign'")  # fmt: skip
    assert not watch.has_changed()
    watch._next = 0.0
    assert not watch.has_changed()  # it is there again, with the same head
    watch.close()


def test_writers_at_once_make_one_log(made):
    """Each repeats its line until it is taken; every line is there once, and the log has no gap."""

    def write(name):
        store = open_store(made.address)
        for number in range(10):
            while True:
                head = store.head()
                try:
                    mine = record(head.position + 1, by=name, request=f"{name}-{number}")
                    store.append([mine], after=head)
                    break
                except Overtaken:
                    continue
        store.close()

    threads = [threading.Thread(target=write, args=(name,)) for name in ("Ana", "Bo", "Cy")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    taken = list(made.records(after=3))
    assert [each.position for each in taken] == list(range(4, 34))
    assert len({each.request for each in taken}) == 30


# Members


@contextmanager
def as_member(postgres, name):
    """Yield the address of the database for a role of this name, which is no owner of anything."""
    postgres.make_role(name)
    yield lambda campaign: parse_address(postgres.uri("club", user=name, campaign=campaign))


TABLES = "SELECT table_name FROM information_schema.columns WHERE table_schema = %s AND column_name = 'campaign'"


def test_a_member_reads_own_campaigns_alone(postgres, made):
    models = StateProjection.read_models
    with as_member(postgres, "ana") as anas, as_member(postgres, "bo") as bos:
        name = new_name()
        with closing(create_store(anas(name), models)) as store:
            create_ledger(store)
        with pytest.raises(LedgerError, match="no campaign"):
            open_store(bos(name))
        with (
            pytest.raises(LedgerError, match="there is a campaign already"),
            closing(create_store(bos(name), models)) as store,
        ):
            store.append([record(1)], after=EMPTY)
        assert made.address.name not in {each.name for each in campaigns(anas(None))}
        with connect(bos(None)) as db:
            for (table,) in db.execute(TABLES, (SCHEMA,)).fetchall():
                try:
                    assert db.execute(f"SELECT count(*) FROM {SCHEMA}.{table}").fetchone() == (0,), table
                except psycopg.errors.InsufficientPrivilege:
                    assert table.startswith("records_")  # a partition is read through its table alone
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                db.execute(
                    f"INSERT INTO {SCHEMA}.snapshots SELECT %s, 0, 0, 0, 1, ''::bytea", (made._connection.campaign,)
                )
        with connect(anas(None)) as db:
            db.execute(f"UPDATE {SCHEMA}.campaigns SET members = '{{bo}}' WHERE name = %s", (name,))
        with closing(open_store(bos(name))) as store:
            flips = store.head().position
            assert flips == len(list(store.records()))
            store.append([replace(record(flips + 1), session=1, number=9)], after=store.head())
        with connect(bos(None)) as db, pytest.raises(psycopg.errors.RaiseException, match="only its owner"):
            db.execute(f"UPDATE {SCHEMA}.campaigns SET members = '{{bo,cy}}' WHERE name = %s", (name,))


def test_what_a_member_writes_looks_at_no_other_campaign(postgres, made):
    """A policy that reads all campaigns costs 0.1 s a line where there are ten thousand."""
    row = f"INSERT INTO {SCHEMA}.snapshots VALUES (%s, 0, 0, 0, 1, '')"
    with as_member(postgres, "ana"), owner(made) as db:
        db.execute("BEGIN")
        many = "SELECT 'many-' || n, '' FROM generate_series(1, 3000) AS n"
        db.execute(f"INSERT INTO {SCHEMA}.campaigns (name, hash) {many}")
        db.execute(f"ANALYZE {SCHEMA}.campaigns")
        db.execute("SET LOCAL ROLE ana")
        plan = db.execute(f"EXPLAIN {row}", (made._connection.campaign,)).fetchall()
        db.execute("ROLLBACK")
    assert "campaigns_pkey" in str(plan)
    assert "Seq Scan on campaigns" not in str(plan)


# Statements


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        (
            "SELECT x FROM records WHERE position = ?",
            "SELECT x FROM (SELECT * FROM {s}.records WHERE campaign = 'c') AS records WHERE position = %s",
        ),
        ("DELETE FROM snapshots WHERE true", "DELETE FROM {s}.snapshots AS snapshots WHERE campaign = 'c' AND true"),
        (
            "INSERT INTO seeds (commitment, sealed) VALUES (?, ?)",
            "INSERT INTO {s}.seeds (campaign, commitment, sealed) VALUES ('c', %s, %s)",
        ),
        (
            "UPDATE rolls SET counts = 0 WHERE counts <> 0",
            "UPDATE {s}.rolls AS rolls SET counts = 0 WHERE campaign = 'c' AND counts <> 0",
        ),
        ("SELECT CAST(public AS BLOB)", "SELECT CAST(public AS {s}.blob)"),
    ],
)
def test_statements_are_about_one_campaign(sql, expected):
    assert scoped(sql, "c") == expected.format(s=SCHEMA)
