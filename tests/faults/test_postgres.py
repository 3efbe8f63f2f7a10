"""Servers and networks that fail under writers: nothing acknowledged is lost, nothing doubled, and no position missing.

The numbers of a run stand in the output of pytest with `-s`. A fault that loses what was acknowledged, as a failover to
a standby that lagged, must be noticed by the hash.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

import pytest
from click.testing import CliRunner

from cli.main import campaign
from ledger.errors import LedgerError, Overtaken
from ledger.records import GENESIS, record_hash
from tests.ledger.strategies import record
from tests.postgres import Server, find_programs, missing_postgres, new_name, running_server

pytestmark = pytest.mark.slow
if missing_postgres():
    pytest.skip(missing_postgres(), allow_module_level=True)

import psycopg  # noqa: E402 - it may not be installed

from ledger import postgres_connection  # noqa: E402
from ledger.postgres_address import DatabaseAddress, parse_address  # noqa: E402
from ledger.postgres_store import create_store, open_store  # noqa: E402
from projections.projection import StateProjection  # noqa: E402

SECONDS = 6.0
WRITERS = 4
CAMPAIGNS = 2


@pytest.fixture
def server() -> Iterator[Server]:
    """Return a server of its own for each test, with an empty database `club`."""
    with running_server() as made:
        yield made


class Writer(Thread):
    """Appends line after line to one campaign; each is said until it is acknowledged."""

    def __init__(self, name: str, address: DatabaseAddress, stop: Event) -> None:
        super().__init__(daemon=True)
        self.label, self.address, self.stop = name, address, stop
        self.acknowledged: list[str] = []
        self.overtaken, self.errors = 0, list[str]()

    def run(self) -> None:
        store = None
        while not self.stop.is_set():
            key = f"{self.label}-{len(self.acknowledged)}"
            try:
                store = store or open_store(self.address)
                head = store.head()
                if store.find_request(key) is None:
                    store.append([record(head.position + 1, by=self.label, request=key)], after=head)
                self.acknowledged.append(key)
            except Overtaken:
                self.overtaken += 1
            except LedgerError as error:
                self.errors.append(error.what)
                time.sleep(0.05)
        if store is not None:
            store.close()


def new_campaigns(server: Server, uri: Callable[[str], str] | None = None) -> list[DatabaseAddress]:
    addresses = []
    for _ in range(CAMPAIGNS):
        name = new_name()
        address = parse_address((uri or (lambda each: server.uri("club", campaign=each)))(name))
        with closing(create_store(address, StateProjection.read_models)) as store:
            store.append([record(1)], after=store.head())
        addresses.append(address)
    return addresses


@contextmanager
def writing(addresses: list[DatabaseAddress]) -> Iterator[list[Writer]]:
    """Let writers append until the block ends."""
    stop = Event()
    writers = [Writer(f"w{number}", addresses[number % len(addresses)], stop) for number in range(WRITERS)]
    for writer in writers:
        writer.start()
    try:
        yield writers
    finally:
        stop.set()
        for writer in writers:
            writer.join(60)
            assert not writer.is_alive()


def lost_of(address: DatabaseAddress, writers: list[Writer]) -> list[str]:
    """Check the chain and the positions of a campaign; return what was acknowledged and is not there."""
    with closing(open_store(address)) as store:
        before, requests = GENESIS, []
        for position, (stored, said) in enumerate(zip(store.read(), store.records(), strict=True), start=1):
            assert stored.position == position
            assert stored.hash == record_hash(before, stored.leaf)
            before = stored.hash
            requests.append(said.request)
        keys = [key for key in requests if key]
        assert len(keys) == len(set(keys)), "a line is there twice"
        known = set(keys)
    return [key for writer in writers if writer.address == address for key in writer.acknowledged if key not in known]


def assert_nothing_lost(addresses: list[DatabaseAddress], writers: list[Writer], fault: str) -> None:
    for address in addresses:
        assert lost_of(address, writers) == []
    said = sum(len(writer.acknowledged) for writer in writers)
    assert said > WRITERS
    assert all(writer.acknowledged for writer in writers)
    errors, overtaken = [what for writer in writers for what in writer.errors], sum(each.overtaken for each in writers)
    print(f"{fault}: {said} acknowledged, {overtaken} overtaken, {len(errors)} errors; none lost, none doubled, no gap")
    print("\n".join(f"    {what}" for what in sorted(set(errors))))


def backends(server: Server) -> list[int]:
    with psycopg.connect(server.uri("club"), autocommit=True) as db:
        query = "SELECT pid FROM pg_stat_activity WHERE application_name = 'campaign'"
        return [pid for (pid,) in db.execute(query).fetchall()]


def test_terminated_backends_lose_nothing(server):
    addresses = new_campaigns(server)
    with writing(addresses) as writers:
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            with psycopg.connect(server.uri("club"), autocommit=True) as db:
                for pid in backends(server)[:2]:
                    db.execute("SELECT pg_terminate_backend(%s)", (pid,))
            time.sleep(0.2)
    assert_nothing_lost(addresses, writers, "terminated backends")


def test_killed_backends_lose_nothing(server):
    addresses = new_campaigns(server)
    with writing(addresses) as writers:
        for _ in range(3):  # each is a crash of the whole server, which recovers
            time.sleep(SECONDS / 4)
            with suppress(psycopg.Error):
                for pid in backends(server)[:1]:
                    server.kill(pid)
        time.sleep(SECONDS)
    assert_nothing_lost(addresses, writers, "kill -9 of backends")


def test_a_server_that_is_stopped_and_started_loses_nothing(server):
    addresses = new_campaigns(server)
    with writing(addresses) as writers:
        time.sleep(1)
        server.stop("immediate")
        time.sleep(1)
        server.start()
        time.sleep(SECONDS / 2)
    assert_nothing_lost(addresses, writers, "a crash of the server")


WRITE = """
import sys
from ledger.errors import Overtaken
from ledger.postgres_address import parse_address
from ledger.postgres_store import open_store
from tests.ledger.strategies import record
store, number = open_store(parse_address(sys.argv[1])), 0
while True:
    key = f"{sys.argv[2]}-{number}"
    head = store.head()
    try:
        store.append([record(head.position + 1, request=key)], after=head)
    except Overtaken:
        continue
    print(key, flush=True)
    number += 1
"""


def test_killed_writers_lose_nothing_that_they_acknowledged(server):
    (address, *_) = addresses = new_campaigns(server)
    acknowledged = []
    for turn in range(4):
        writers = [
            subprocess.Popen([sys.executable, "-c", WRITE, address.uri, f"p{turn}{number}"], stdout=subprocess.PIPE)
            for number in range(2)
        ]
        for writer in writers:
            assert writer.stdout is not None
            acknowledged.append(writer.stdout.readline().decode().strip())
        time.sleep(1)
        for writer in writers:
            writer.send_signal(signal.SIGKILL)
            out, _ = writer.communicate()
            acknowledged += [key for key in out.decode().splitlines(keepends=True) if key.endswith("\n")]
    with closing(open_store(address)) as store:
        keys = {each.request for each in store.records()}
        assert {key.strip() for key in acknowledged} <= keys
        store.append([record(store.head().position + 1)], after=store.head())  # nobody holds the campaign
    assert len(acknowledged) > 8
    assert lost_of(addresses[0], []) == []
    print(f"kill -9 of writers: {len(acknowledged)} acknowledged, none lost")


def test_a_writer_that_is_stopped_in_a_transaction_is_passed(server):
    (address, *_) = new_campaigns(server)
    script = WRITE.replace("        store.append(", "        held = store.batch(); held.__enter__(); store.append(")
    script = script.replace("after=head)", "after=head); list(store.read()); print('in', flush=True); time.sleep(600)")
    script = script.replace("import sys", "import sys, time")
    writer = subprocess.Popen([sys.executable, "-c", script, address.uri, "p"], stdout=subprocess.PIPE)
    try:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"in\n"
        writer.send_signal(signal.SIGSTOP)
        with closing(open_store(address)) as store:
            start = time.monotonic()
            store.append([record(2)], after=store.head())
            waited = time.monotonic() - start
        assert waited < postgres_connection.IDLE_SECONDS + 5
    finally:
        writer.kill()
        writer.communicate()
    print(f"a writer stopped in a transaction: the next went on after {waited:.1f} s")


# The network

CUT_WRITE = """
import sys, time
from ledger.errors import LedgerError
from ledger.postgres_address import parse_address
from ledger.postgres_store import open_store
from tests.ledger.strategies import record
store = open_store(parse_address(sys.argv[1]))
for _ in range(2):
    head = store.head()
    print("ready", flush=True)
    sys.stdin.readline()
    start = time.monotonic()
    try:
        store.append([record(head.position + 1, request=f"at {head.position}")], after=head)
        print(f"taken {time.monotonic() - start:.1f}", flush=True)
    except LedgerError as error:
        print(f"error {time.monotonic() - start:.1f} {error}", flush=True)
        break
"""


@contextmanager
def own_network() -> Iterator[str]:
    """Yield the name of a network namespace that reaches this one as 10.77.0.1; skip where none can be made."""
    name = f"club{os.getpid() % 10000}"
    ours, theirs = f"{name}a", f"{name}b"
    made = subprocess.run(["ip", "netns", "add", name], check=False, capture_output=True)
    if made.returncode:
        pytest.skip("no network namespace can be made")
    try:
        for command in (
            f"ip link add {ours} type veth peer name {theirs}",
            f"ip link set {theirs} netns {name}",
            f"ip addr add 10.77.0.1/24 dev {ours}",
            f"ip link set {ours} up",
            f"ip -n {name} addr add 10.77.0.2/24 dev {theirs}",
            f"ip -n {name} link set {theirs} up",
        ):
            if subprocess.run(command.split(), check=False, capture_output=True).returncode:
                pytest.skip(f"no network of its own can be made: {command}")
        yield name
    finally:
        subprocess.run(["ip", "netns", "delete", name], check=False, capture_output=True)
        subprocess.run(["ip", "link", "delete", ours], check=False, capture_output=True)


@pytest.mark.parametrize("heals", [True, False])
def test_a_dead_network_is_an_error_or_is_waited_for(server, heals):
    with own_network() as network:
        server.stop()
        with (server.data / "postgresql.conf").open("a") as file:
            file.write("listen_addresses = '10.77.0.1'\nport = 54377\n")
        with (server.data / "pg_hba.conf").open("a") as file:
            file.write("host all all 10.77.0.0/24 trust\n")
        server.start()
        name = new_name()
        local = parse_address(server.uri("club", campaign=name).replace("?", "?port=54377&"))
        with closing(create_store(local, StateProjection.read_models)) as store:
            store.append([record(1)], after=store.head())
        there = f"postgresql://owner@10.77.0.1:54377/club?tcp_user_timeout=3000&connect_timeout=3&campaign={name}"
        writer = subprocess.Popen(
            ["ip", "netns", "exec", network, sys.executable, "-c", CUT_WRITE, there],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
        )  # fmt: skip
        assert writer.stdin is not None
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
        writer.stdin.write("go\n")
        assert writer.stdout.readline().startswith("taken")
        assert writer.stdout.readline() == "ready\n"
        subprocess.run(["ip", "link", "set", f"{network}a", "down"], check=True)
        writer.stdin.write("go\n")
        if heals:
            time.sleep(6)
            subprocess.run(["ip", "link", "set", f"{network}a", "up"], check=True)
        said = writer.stdout.readline()
        writer.communicate()
        with closing(open_store(local)) as store:
            assert store.head().position == (3 if heals else 2)
        print(f"a network that is cut{' and heals' if heals else ''}: {said.strip()}")
        assert said.startswith("taken" if heals else "error")
        assert float(said.split()[1]) < postgres_connection.AGAIN_SECONDS + 15


# Failover


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


def ask(server: Server, query: str) -> list[tuple]:
    with psycopg.connect(server.uri("club"), autocommit=True) as db:
        return db.execute(query).fetchall()


def wait_until(is_so: Callable[[], object], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.05)


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


def test_a_commit_waits_while_the_only_standby_is_gone(server, monkeypatch):
    monkeypatch.setattr(postgres_connection, "LIMITS", postgres_connection.LIMITS.replace("20s", "2s"))
    with standby_of(server) as standby:
        sender_of(server)
        wait_for_standby(server)
        (address, *_) = new_campaigns(server)
        standby.stop("immediate")
        writer = subprocess.Popen([sys.executable, "-c", WRITE, address.uri, "p"], stdout=subprocess.PIPE)
        try:
            waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query = 'COMMIT'"
            wait_until(lambda: ask(server, waiting))
            with closing(open_store(address)) as other:
                start = time.monotonic()
                with pytest.raises(LedgerError, match="another program has held the campaign"):
                    other.append([record(2, by="Bo")], after=other.head())
                told = time.monotonic() - start
                assert other.head().position == 1  # nobody sees what no standby has
            assert ask(server, waiting)
        finally:
            writer.kill()
            out, _ = writer.communicate()
        assert out == b""  # nothing was acknowledged
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
    print(f"the only standby gone: the commit waits, another writer is told after {told:.1f} s; the line is there once")


# Disks, dumps


def test_dump_and_restore_give_the_same_campaigns(server):
    addresses = new_campaigns(server)
    with writing(addresses):
        time.sleep(1)
    host = str(server.folder)
    server.run("pg_dump", "-h", host, "-U", "owner", "-f", f"{host}/dump.sql", "club")
    server.run("createdb", "-h", host, "-U", "owner", "again")
    server.run("psql", "-h", host, "-U", "owner", "-q", "-v", "ON_ERROR_STOP=1", "-f", f"{host}/dump.sql", "again")
    for address in addresses:
        there = parse_address(address.uri.replace("/club", "/again"))
        with closing(open_store(address)) as one, closing(open_store(there, StateProjection.read_models)) as other:
            assert list(one.read()) == list(other.read())
            other.append([record(other.head().position + 1)], after=other.head())


def test_a_full_disk_is_an_error_and_nothing_is_half_written():
    programs = find_programs()
    assert programs is not None
    with tempfile.TemporaryDirectory(prefix="pg-") as name:
        if (
            os.geteuid()
            or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=130m", "none", name], check=False).returncode
        ):
            pytest.skip("no small disk can be mounted")
        try:
            server = Server(Path(name), programs)
            server.create()
            server.start()
            server.run("createdb", "-h", name, "-U", "owner", "club")
            (address, *_) = new_campaigns(server)
            filler = Path(name) / "filler"
            with filler.open("wb") as file, suppress(OSError):
                while True:
                    file.write(bytes(1 << 16))
                    file.flush()
            with closing(open_store(address)) as store:

                def append_on() -> None:
                    for _ in range(3000):
                        store.append([record(store.head().position + 1)], after=store.head())

                with pytest.raises(LedgerError):
                    append_on()
                filler.unlink()
            with suppress(AssertionError):
                server.start()  # a log that cannot grow ends the server
            with closing(open_store(address)) as store:
                kept = store.head()
                store.append([record(kept.position + 1)], after=kept)
            assert lost_of(address, []) == []
            server.stop("immediate")
        finally:
            subprocess.run(["umount", "-l", name], check=False)
    print(f"a full disk: refused after {kept.position} records, and went on")
