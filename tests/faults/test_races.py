"""Sessions of somebody else in the way of a writer: deadlocks, other levels of isolation, and limits of statements."""

from __future__ import annotations

from contextlib import closing
from threading import Thread

import pytest

from ledger.errors import LedgerError
from tests.ledger.strategies import record
from tests.postgres import missing_postgres

pytestmark = pytest.mark.slow
if missing_postgres():
    pytest.skip(missing_postgres(), allow_module_level=True)

import psycopg  # noqa: E402 - it may not be installed

from ledger.postgres_store import READ_HEAD, TAKE_HEAD, open_store  # noqa: E402
from tests.faults.club import ask, assert_nothing_lost, lost_of, new_campaigns, wait_until, writing  # noqa: E402

NEXT_RECORD = (
    "INSERT INTO campaign_ledger.records (campaign, position, public, hash, session, number, inserted, take)"
    " SELECT campaign, 2, public, hash, session, number, inserted, take FROM campaign_ledger.records"
    " WHERE campaign = %s AND position = 1"
)


def test_a_deadlock_with_another_session_is_tried_again(server):
    (address, *_) = new_campaigns(server)
    waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = 'campaign'"
    with closing(open_store(address)) as store, psycopg.connect(server.uri("club")) as other:
        id = (store._connection.campaign,)
        other.execute("SET deadlock_timeout = '1min'")  # so that it is the writer who is chosen
        other.execute(NEXT_RECORD, id)
        writer = Thread(target=lambda: store.append([record(2, request="mine")], after=store.head()), daemon=True)
        writer.start()
        wait_until(lambda: ask(server, waiting))  # it holds the row of the campaign, and waits for the record
        assert other.execute(TAKE_HEAD, id).fetchone()[0] == 1  # the other way round: one of both has to give way
        other.rollback()
        writer.join(30)
        assert [each.request for each in store.records(after=1)] == ["mine"]
    (count,) = ask(server, "SELECT deadlocks FROM pg_stat_database WHERE datname = 'club'")
    assert count == (1,)
    assert lost_of(address, []) == []


def test_writers_set_their_own_isolation(server):
    ask_for(server, "ALTER DATABASE club SET default_transaction_isolation = 'serializable'")
    addresses = new_campaigns(server)
    with writing(addresses) as writers:
        wait_until(lambda: all(len(each.acknowledged) > 10 for each in writers))
    assert_nothing_lost(addresses, writers, "a database that is serializable")


def test_a_statement_that_takes_too_long_keeps_nothing(server):
    (address, *_) = new_campaigns(server)
    ask_for(server, "ALTER DATABASE club SET statement_timeout = '500ms'")
    with closing(open_store(address)) as store, psycopg.connect(server.uri("club")) as other:
        id = (store._connection.campaign,)
        other.execute(READ_HEAD + " FOR UPDATE", id)
        with pytest.raises(LedgerError, match="Nothing was kept"):
            store.append([record(2)], after=store.head())
        other.rollback()
        store.append([record(2)], after=store.head())
    assert lost_of(address, []) == []


def ask_for(server, statement: str) -> None:
    """Run a statement as the owner of the database."""
    with psycopg.connect(server.uri("club"), autocommit=True) as db:
        db.execute(statement)
