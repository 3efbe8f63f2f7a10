"""Writers of a club in a PostgreSQL of their own, and what must hold of their campaigns whatever failed.

Import it where PostgreSQL is there (`tests.postgres.missing_postgres`): it needs psycopg.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from threading import Event, Thread

import psycopg

from ledger.errors import LedgerError, Overtaken
from ledger.postgres_address import DatabaseAddress, parse_address
from ledger.postgres_store import create_store, open_store
from ledger.records import GENESIS, record_hash
from projections.projection import StateProjection
from tests.ledger.strategies import record
from tests.postgres import Server, new_name

SECONDS = 6.0
WRITERS = 4
CAMPAIGNS = 2


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


def ask(server: Server, query: str) -> list[tuple]:
    with psycopg.connect(server.uri("club"), autocommit=True) as db:
        return db.execute(query).fetchall()


def wait_until(is_so: Callable[[], object], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.05)
