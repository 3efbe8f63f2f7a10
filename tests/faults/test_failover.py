"""Standbys that take over, lag or are gone: what is lost is noticed by the hash, and nothing is lost with two in step.

The numbers of a run stand in the output of pytest with `-s`.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event

import pytest
from click.testing import CliRunner

from cli.main import campaign
from ledger.errors import LedgerError, Overtaken
from tests.ledger.strategies import record
from tests.postgres import Server, missing_postgres, new_name

pytestmark = pytest.mark.slow
if missing_postgres():
    pytest.skip(missing_postgres(), allow_module_level=True)

import psycopg  # noqa: E402 - it may not be installed

from ledger import postgres_connection  # noqa: E402
from ledger.postgres_store import open_store  # noqa: E402
from tests.faults.club import Writer, ask, assert_nothing_lost, lost_of, new_campaigns, wait_until, writing  # noqa: E402


@contextmanager
def standby_of(server: Server) -> Iterator[Server]:
    """Yield a standby that follows a server."""
    with tempfile.TemporaryDirectory(prefix="pg-") as name:
        standby = Server(Path(name), server.programs)
        if standby.user:
            shutil.chown(standby.folder, standby.user)
        source = f"host={server.folder} user=owner application_name=second"
        standby.run("pg_basebackup", "-d", source, "-D", str(standby.data), "-R", "-X", "stream", "-c", "fast")
        with (standby.data / "postgresql.conf").open("a") as file:
            file.write(f"unix_socket_directories = '{standby.folder}'\n")
        with (standby.data / "postgresql.auto.conf").open("a") as file:
            file.write("\n")
        standby.start()
        try:
            yield standby
        finally:
            standby.stop("immediate")


def either(server: Server, standby: Server, name: str) -> str:
    hosts = f"{server.folder},{standby.folder}"
    return f"postgresql://owner@/club?host={hosts}&target_session_attrs=read-write&campaign={name}"


def sender_of(server: Server) -> int:
    with psycopg.connect(server.uri("club"), autocommit=True) as db:
        end = time.monotonic() + 20
        while not (row := db.execute("SELECT pid FROM pg_stat_replication WHERE state = 'streaming'").fetchone()):
            assert time.monotonic() < end
            time.sleep(0.1)
        return int(row[0])


def fail_over(server: Server, standby: Server) -> None:
    """End a server as a power cut would, and let the standby take its place."""
    server.stop("immediate")
    standby.run("pg_ctl", "-D", str(standby.data), "-w", "promote")


def test_failover_that_loses_records_is_noticed_by_the_hash(server):
    with standby_of(server) as standby:
        (address, *_) = new_campaigns(server, lambda name: either(server, standby, name))
        sender = sender_of(server)
        time.sleep(1)
        stale = open_store(address)
        common = stale.head()
        os.kill(sender, signal.SIGSTOP)  # the standby lags from here on
        for _ in range(5):
            stale.append([record(stale.head().position + 1)], after=stale.head())
        lost = stale.head()
        os.kill(sender, signal.SIGKILL)
        fail_over(server, standby)
        with closing(open_store(address)) as other:
            assert other.head() == common
            for _ in range(5):
                other.append([record(other.head().position + 1, by="Bo")], after=other.head())
        with pytest.raises(Overtaken) as caught:
            stale.append([record(lost.position + 1)], after=lost)
        assert caught.value.is_fork
        assert [each.by for each in stale.records(after=common.position)] == ["Bo"] * 5
        stale.close()
    print(f"failover with a stalled sender: 5 acknowledged lost, the writer refused by hash at {lost.position}")


def test_diff_names_the_last_head_that_both_have_after_a_failover(server, tmp_path, monkeypatch):
    monkeypatch.setenv("CAMPAIGN_CLUB", str(tmp_path / "club"))

    def run(*arguments: str, code: int = 0) -> str:
        done = CliRunner().invoke(campaign, ["-C", address, *arguments])
        assert done.exit_code == code, done.output
        return done.stdout

    with standby_of(server) as standby:
        address = either(server, standby, new_name())
        run("new", "Salt Ward", address)
        run("open", "One", "--seed", "a lamp")
        run("do", "> both have this")
        sender, heads = sender_of(server), "SELECT position, hash FROM campaign_ledger.campaigns"
        wait_until(lambda: ask(standby, heads) == ask(server, heads))
        common = run("head").strip()
        os.kill(sender, signal.SIGSTOP)  # the standby lags from here on
        run("do", "> the old one alone has this")
        run("do", "> and this")
        run("copy", address, str(tmp_path / "old"))
        os.kill(sender, signal.SIGKILL)
        fail_over(server, standby)
        assert run("head").strip() == common
        run("do", "> the new one alone has this")
        said = " ".join(run("diff", str(tmp_path / "old"), code=1).split())
        agree = json.loads(run("diff", str(tmp_path / "old"), "--json", code=1))["agree"]
    position, hash = agree["position"], agree["hash"]
    assert common.splitlines()[0] == f"head {position} {hash}"
    assert f"the chains agree up to position {position} {hash}" in said
    assert f"continues to position {position + 2}" in said
    assert f"continues to position {position + 1}" in said
    print(f"failover that lost 2 records: diff with a copy names position {position}")


def test_failover_to_a_synchronous_standby_loses_nothing(server):
    with standby_of(server) as standby:
        sender_of(server)
        wait_for_standby(server)
        addresses = new_campaigns(server, lambda name: either(server, standby, name))
        with writing(addresses) as writers:
            time.sleep(2)
            standby.run("psql", "-h", str(standby.folder), "-U", "owner", "-c", "SELECT 1", "club")
            server.stop("immediate")
            with psycopg.connect(standby.uri("club"), autocommit=True) as db:
                db.execute("ALTER SYSTEM SET synchronous_standby_names = ''")
            standby.run("pg_ctl", "-D", str(standby.data), "-w", "promote")
            time.sleep(4)
        assert_nothing_lost(addresses, writers, "failover, synchronous")


def wait_for_standby(server: Server) -> None:
    """Let each commit wait for the standby from now on."""
    with psycopg.connect(server.uri("club"), autocommit=True) as db:
        db.execute("ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (second)'")
        db.execute("SELECT pg_reload_conf()")
    wait_until(lambda: ask(server, "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'quorum'"))


def test_a_commit_without_its_standby_is_not_acknowledged(server, monkeypatch):
    monkeypatch.setattr(postgres_connection, "LIMITS", postgres_connection.LIMITS.replace("20s", "2s"))
    monkeypatch.setattr(postgres_connection, "COMMIT_SECONDS", 2)
    with standby_of(server) as standby:
        sender_of(server)
        wait_for_standby(server)
        (address, *_) = new_campaigns(server)
        standby.stop("immediate")
        waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query = 'COMMIT'"
        with closing(open_store(address)) as store, closing(open_store(address)) as other:
            start = time.monotonic()
            with pytest.raises(
                LedgerError, match=r"may wait for a standby\), and it is not known whether entry 0.1 was"
            ):
                store.append([record(2, request="p-0")], after=store.head())
            told = time.monotonic() - start
            assert ask(server, waiting)  # the server goes on waiting, and holds the campaign
            with pytest.raises(LedgerError, match="another program has held the campaign"):
                other.append([record(2, by="Bo")], after=other.head())
            assert other.head().position == store.head().position == 1  # nobody sees what no standby has
        standby.start()
        wait_until(lambda: not ask(server, waiting))
        again = Writer("p", address, stop := Event())  # says the same line, by the same request key
        again.start()
        wait_until(lambda: len(again.acknowledged) > 2)
        stop.set()
        again.join(60)
        assert lost_of(address, [again]) == []
        with closing(open_store(address)) as store:
            assert [each.request for each in store.records(after=1)][:2] == ["p-0", "p-1"]
    assert told < 10
    print(f"the only standby gone: after {told:.1f} s it is said that nobody confirmed the line; it is there once")
