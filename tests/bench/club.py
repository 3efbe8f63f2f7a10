"""A club's database: what an append costs beside SQLite, in a database of few campaigns and of many, and who wakes.

`python -m tests.bench.club --campaigns 10000` builds two databases in a temporary server, of a hundred campaigns and of
so many, each with a hundred records and all their tables, and appends to both and to a file in turn. Times are the
clock's: most of them are spent in the server, and on the disk.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from statistics import median
from time import perf_counter, sleep

import psycopg

from cli.play.copy_campaign import copy_to_database
from ledger.campaign_source import watch_campaign
from ledger.postgres_address import DatabaseAddress, parse_address
from ledger.postgres_schema import SCHEMA
from ledger.postgres_store import PostgresStore, open_store
from ledger.records import Record
from ledger.sql_store import SqlStore
from ledger.sqlite_store import SqliteStore
from ledger.sqlite_store import open_store as open_file
from projections.projection import StateProjection
from tests.bench.play import played
from tests.postgres import Server, running_server

FEW, RECORDS = 100, 100
TABLES = f"""SELECT c.table_name, string_agg(c.column_name, ', ' ORDER BY ordinal_position)
FROM information_schema.columns AS c JOIN information_schema.tables AS t USING (table_schema, table_name)
WHERE c.table_schema = '{SCHEMA}' AND t.table_type = 'BASE TABLE' AND c.column_name <> 'campaign'
AND c.table_name NOT LIKE 'records_%' AND c.table_name <> 'campaigns' GROUP BY c.table_name"""


def multiply(server: Server, database: str, campaigns: int) -> None:
    """Copy the one campaign of a database within it until there are so many, and let the planner know."""
    with psycopg.connect(server.uri(database), autocommit=True) as db:
        db.execute(f"ALTER TABLE {SCHEMA}.records DISABLE TRIGGER in_order")  # of rows that are in order
        db.execute(
            f"INSERT INTO {SCHEMA}.campaigns (name, position, hash) SELECT 'copy-' || n, position, hash"
            f" FROM {SCHEMA}.campaigns, generate_series(2, %s) AS n",
            (campaigns,),
        )
        for table, columns in db.execute(TABLES).fetchall():
            copies = f"SELECT id AS campaign FROM {SCHEMA}.campaigns WHERE name LIKE 'copy-%'"
            rows = f"SELECT {columns} FROM {SCHEMA}.{table}"
            db.execute(
                f"INSERT INTO {SCHEMA}.{table} (campaign, {columns}) SELECT * FROM ({copies}) AS c, ({rows}) AS t"
            )
        db.execute(f"ALTER TABLE {SCHEMA}.records ENABLE TRIGGER in_order")
        db.execute("VACUUM ANALYZE")


def addresses(server: Server, database: str, campaigns: int, count: int) -> Iterator[DatabaseAddress]:
    """Yield the addresses of some campaigns, spread over all."""
    step = max(1, (campaigns - 1) // count)
    for number in islice(range(2, campaigns + 1, step), count):
        yield parse_address(server.uri(database, campaign=f"copy-{number}"))


def timed(store: SqlStore, record: Callable[[int], Record]) -> float:
    """Return the milliseconds that an append takes."""
    head = store.head()
    next_one = record(head.position + 1)
    start = perf_counter()
    store.append([next_one], after=head)
    return (perf_counter() - start) * 1000


def wake(store: PostgresStore, record: Callable[[int], Record]) -> float:
    """Return the milliseconds from an append until a watch that is asked each 20 ms says so."""
    with closing(watch_campaign(store.address)) as watch:
        watch.has_changed()
        sleep(0.1)
        timed(store, record)
        start = perf_counter()
        while not watch.has_changed():
            sleep(0.02)
        return (perf_counter() - start) * 1000


def p95(values: list[float]) -> float:
    """Return what 95 of a hundred are not above."""
    return sorted(values)[int(len(values) * 0.95)]


def first_ledger(folder: Path) -> SqliteStore:
    """Return a ledger with a hundred records of play, or a few more."""
    played(folder / "one", 600)
    return open_file(folder / "one" / "ledger.db", write=True, models=StateProjection.read_models)


def main() -> None:
    """Build the databases, measure, and print what came of it."""
    options = argparse.ArgumentParser(prog="python -m tests.bench.club", description=__doc__)
    options.add_argument("--campaigns", type=int, default=10_000)
    options.add_argument("--rounds", type=int, default=20)
    options.add_argument("--at-once", type=int, default=10, help="campaigns that are appended to in turn")
    asked = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="campaign-bench-") as name, running_server() as server:
        file = first_ledger(Path(name))
        last = list(file.records())[-1]

        def next_record(position: int) -> Record:
            number = last.number + position
            return Record(**{**{key: getattr(last, key) for key in last.__struct_fields__},
                             "position": position, "number": number, "take": 1, "request": None})  # fmt: skip

        sizes = {"few": FEW, "many": asked.campaigns}
        stores: dict[str, list[SqlStore]] = {"SQLite": [file]}
        for database, count in sizes.items():
            start = perf_counter()
            server.run("createdb", "-h", str(server.folder), "-U", "owner", database)
            copy_to_database(file, parse_address(server.uri(database, campaign="first")))
            multiply(server, database, count)
            stores[database] = [open_store(each) for each in addresses(server, database, count, asked.at_once)]
            print(f"{count:,} campaigns of {file.head().position} records: built in {perf_counter() - start:.0f} s")
        taken: dict[str, list[float]] = {place: [] for place in stores}
        for turn in range(asked.rounds):
            for index in range(asked.at_once):
                for place, own in stores.items():
                    milliseconds = timed(own[index % len(own)], next_record)
                    if turn:  # the first round fills the caches
                        taken[place].append(milliseconds)
        for place, each in taken.items():
            print(f"append, {place}: median {median(each):.2f} ms, p95 {p95(each):.2f} ms")
        growth = [many / few for few, many in zip(taken["few"], taken["many"], strict=True)]
        print(f"{FEW} to {asked.campaigns:,} campaigns: median of ratios {median(growth):.2f}")
        beside = [many / one for one, many in zip(taken["SQLite"], taken["many"], strict=True)]
        print(f"beside SQLite in the same rounds: {median(beside):.2f}")
        wakes = [wake(each, next_record) for each in stores["many"] if isinstance(each, PostgresStore)]
        print(f"wake of a watch: median {median(wakes):.0f} ms, longest {max(wakes):.0f} ms")
        for own in stores.values():
            for store in own:
                store.close()


if __name__ == "__main__":
    main()
