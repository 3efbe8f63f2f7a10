"""Servers, networks and disks that fail under writers: nothing acknowledged is lost, nothing doubled, and no gap.

The numbers of a run stand in the output of pytest with `-s`.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from ledger.errors import LedgerError
from tests.ledger.strategies import record
from tests.postgres import Server, find_programs, missing_postgres, new_name

pytestmark = pytest.mark.slow
if missing_postgres():
    pytest.skip(missing_postgres(), allow_module_level=True)

import psycopg  # noqa: E402 - it may not be installed

from ledger import postgres_connection  # noqa: E402
from ledger.postgres_address import parse_address  # noqa: E402
from ledger.postgres_store import create_store, open_store  # noqa: E402
from projections.projection import StateProjection  # noqa: E402
from tests.faults.club import (  # noqa: E402
    SECONDS,
    WRITE,
    assert_nothing_lost,
    backends,
    lost_of,
    new_campaigns,
    writing,
)


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
