"""A club behind pgbouncer in transaction mode: each transaction has another session of the server."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cli.main import campaign
from tests.ledger.strategies import record
from tests.postgres import Server, missing_postgres, new_name

pytestmark = pytest.mark.slow
if missing_postgres():
    pytest.skip(missing_postgres(), allow_module_level=True)
PROGRAM = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")
if PROGRAM is None:
    pytest.skip("there is no pgbouncer: install Debian's package", allow_module_level=True)

import psycopg  # noqa: E402 - it may not be installed

from ledger.campaign_source import watch_campaign  # noqa: E402
from ledger.postgres_address import DatabaseAddress  # noqa: E402
from ledger.postgres_store import open_store  # noqa: E402
from ledger.postgres_watch import LOOK_SECONDS  # noqa: E402
from tests.faults.club import assert_nothing_lost, lost_of, new_campaigns, writing  # noqa: E402

PORT = 6432
SESSIONS = 2  # of the server, for all who are connected to the pooler
SETTINGS = f"""[databases]
club = host={{folder}} dbname=club
[pgbouncer]
unix_socket_dir = {{folder}}
listen_port = {PORT}
auth_type = trust
auth_file = {{folder}}/users
pool_mode = transaction
default_pool_size = {SESSIONS}
max_client_conn = 100
logfile = {{folder}}/pooler.log
"""


class Pooler:
    """A pgbouncer in front of a server, on a socket in its folder; it refuses to be root, as the server does."""

    def __init__(self, server: Server) -> None:
        self.server, self.folder = server, Path(tempfile.mkdtemp(prefix="pool-"))
        (self.folder / "users").write_text('"owner" ""\n')
        settings = SETTINGS.replace("host={folder}", f"host={server.folder}").format(folder=self.folder)
        (self.folder / "pooler.ini").write_text(settings)
        self.process: subprocess.Popen | None = None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        as_user: dict[str, Any] = {}
        if self.server.user:
            account = pwd.getpwnam(self.server.user)
            as_user = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
            for path in (self.folder, *self.folder.iterdir()):
                os.chown(path, account.pw_uid, account.pw_gid)
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen([PROGRAM, "-q", self.folder / "pooler.ini"], **quiet, **as_user)
        end = time.monotonic() + 20
        while True:
            try:
                psycopg.connect(self.uri()).close()
                return
            except psycopg.OperationalError:
                assert time.monotonic() < end, (self.folder / "pooler.log").read_text()
                time.sleep(0.05)

    def kill(self) -> None:
        """End it without a word."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def uri(self, campaign: str = "") -> str:
        """Return the address of the database behind it, or of a campaign in it."""
        named = f"&campaign={campaign}" if campaign else ""
        return f"postgresql://owner@/club?host={self.folder}&port={PORT}{named}"


@pytest.fixture
def pooler(server: Server) -> Iterator[Pooler]:
    """Return a pooler in front of a server of its own."""
    made = Pooler(server)
    try:
        made.start()
        yield made
    finally:
        if made.process is not None:
            made.kill()
        shutil.rmtree(made.folder)


@contextmanager
def two_stores(address: DatabaseAddress) -> Iterator[Any]:
    with closing(open_store(address)) as one, closing(open_store(address)) as other:
        yield one, other


def test_sessions_are_shared_by_all_who_are_connected(pooler):
    """If this does not hold, the other tests of the pooler say nothing."""
    connected = [psycopg.connect(pooler.uri(), autocommit=True, prepare_threshold=None) for _ in range(2 * SESSIONS)]
    pids = {each.execute("SELECT pg_backend_pid()").fetchone() for each in connected}
    assert len(pids) <= SESSIONS
    for each in connected:
        each.close()


def test_writers_behind_a_pooler_that_is_killed_lose_nothing(pooler, server):
    addresses = new_campaigns(server, pooler.uri)
    with writing(addresses) as writers:
        for _ in range(2):
            time.sleep(1)
            pooler.kill()
            time.sleep(0.3)
            pooler.start()
        with psycopg.connect(server.uri("club"), autocommit=True) as db:  # the sessions behind the pooler
            db.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                       " WHERE application_name = 'campaign' AND pid <> pg_backend_pid()")  # fmt: skip
        time.sleep(1)
    assert_nothing_lost(addresses, writers, "a pooler that is killed")


def test_two_in_a_transaction_keep_theirs_apart(pooler, server):
    first, second = new_campaigns(server, pooler.uri)
    with two_stores(first) as (one, other), closing(open_store(second)) as elsewhere:
        with one.batch():
            one.append([record(2)], after=one.head())
            list(one.read())  # it is written, and not committed
            elsewhere.append([record(2, by="Bo")], after=elsewhere.head())
            assert other.head().position == 1
        assert other.head().position == 2
        with closing(other.copy_aside()) as frozen:
            one.append([record(3)], after=one.head())
            assert frozen.head().position == 2
    assert lost_of(first, []) == lost_of(second, []) == []
    with psycopg.connect(pooler.uri(), autocommit=True, prepare_threshold=None) as db:
        for _ in range(2 * SESSIONS):
            kept = db.execute("SELECT current_setting('lock_timeout'), current_setting('transaction_isolation')")
            assert kept.fetchone() == ("0", "read committed")


def test_commands_work_behind_a_pooler(pooler, tmp_path, monkeypatch):
    monkeypatch.setenv("CAMPAIGN_CLUB", str(tmp_path / "club"))

    def run(*arguments: str, at: str = "", input: str | None = None) -> str:
        done = CliRunner().invoke(campaign, [*(["-C", at] if at else []), *arguments], input=input)
        assert done.exit_code == 0, (arguments, done.output)
        return done.stdout

    name, second = new_name(), new_name()
    there = pooler.uri(name)
    run("new", "Salt Ward", there)
    run("open", "One", at=there)
    run("play", at=there, input="> a lamp\n# the quay\n? log\n")
    run("close", at=there)
    run("rebuild", at=there)
    assert "all is well" in run("verify", at=there)
    run("copy", there, str(tmp_path / "back"))
    run("copy", str(tmp_path / "back"), pooler.uri(second))
    assert run("head", at=there) == run("head", at=pooler.uri(second)) == run("head", at=str(tmp_path / "back"))
    assert "they are the same" in run("diff", str(tmp_path / "back"), at=pooler.uri(second))
    assert run("list", pooler.uri()).count("Salt Ward") == 2
    assert "2 campaigns: 2 are well" in run("shelf", "verify", pooler.uri(), "--results", str(tmp_path / "rows.db"))


def test_a_watch_behind_a_pooler_looks_once_a_second(pooler, server):
    (address, *_) = new_campaigns(server, pooler.uri)
    with closing(open_store(address)) as store, closing(watch_campaign(address)) as watch:
        assert [watch.has_changed(), watch.has_changed()] == [True, False]
        for position in (2, 3):
            store.append([record(position)], after=store.head())
            start = time.monotonic()
            while not watch.has_changed():
                time.sleep(0.02)
                assert time.monotonic() < start + 10 * LOOK_SECONDS
            assert not watch.has_changed()
