"""A club's database: what an append costs beside SQLite, in a database of few campaigns and of many, and who wakes.

`python -m tests.bench.club --campaigns 10000` builds two databases in a temporary server, of a hundred campaigns and of
so many, each with a hundred records and all their tables, and appends to both and to a file in turn. Times are the
clock's: most of them are spent in the server, and on the disk.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from time import perf_counter, sleep

import psycopg
from msgspec.structs import replace

from cli.play.copy_campaign import copy_to_database
from ledger.campaign_source import watch_campaign
from ledger.postgres_address import DatabaseAddress, parse_address
from ledger.postgres_schema import SCHEMA
from ledger.postgres_store import open_store
from ledger.records import Record
from ledger.sql_store import SqlStore
from ledger.sqlite_store import SqliteStore
from ledger.sqlite_store import open_store as open_file
from projections.projection import StateProjection
from tests.bench.play import played
from tests.bench.timer import Figure, figure, interleaved, table
from tests.postgres import Server, running_server

MEMBER = "fay"  # of all campaigns, and owner of none of the tables
FEW, CAMPAIGNS, ROUNDS, AT_ONCE = 100, 10_000, 20, 10
ONE_FILE = "append, SQLite"
TABLES = f"""SELECT c.table_name, string_agg(c.column_name, ', ' ORDER BY ordinal_position)
FROM information_schema.columns AS c JOIN information_schema.tables AS t USING (table_schema, table_name)
WHERE c.table_schema = '{SCHEMA}' AND t.table_type = 'BASE TABLE' AND c.column_name <> 'campaign'
AND c.table_name NOT LIKE 'records_%' AND c.table_name <> 'campaigns' GROUP BY c.table_name"""


def multiply(server: Server, database: str, campaigns: int) -> None:
    """Copy the campaigns of a database within it until there are so many, and let the planner know.

    The copies of `first` are `first-2`, `first-3` and so on.
    """
    with psycopg.connect(server.uri(database), autocommit=True) as db:
        db.execute(f"ALTER TABLE {SCHEMA}.records DISABLE TRIGGER in_order")  # of rows that are in order
        db.execute(
            f"INSERT INTO {SCHEMA}.campaigns (name, position, hash) SELECT name || '-' || n, position, hash"
            f" FROM {SCHEMA}.campaigns, generate_series(2, %s) AS n ORDER BY n, name"
            f" LIMIT %s - (SELECT count(*) FROM {SCHEMA}.campaigns)",
            (campaigns, campaigns),
        )
        copies = (
            f"SELECT copy.id AS campaign, own.id AS own FROM {SCHEMA}.campaigns AS copy JOIN {SCHEMA}.campaigns AS own"
            " ON copy.name <> own.name AND split_part(copy.name, '-', 1) = own.name"
        )
        for table, columns in db.execute(TABLES).fetchall():
            rows = f"SELECT campaign AS own, {columns} FROM {SCHEMA}.{table}"
            db.execute(
                f"INSERT INTO {SCHEMA}.{table} (campaign, {columns})"
                f" SELECT c.campaign, {columns} FROM ({copies}) AS c JOIN ({rows}) AS t USING (own)"
            )
        db.execute(f"ALTER TABLE {SCHEMA}.records ENABLE TRIGGER in_order")
        db.execute(f"UPDATE {SCHEMA}.campaigns SET members = '{{{MEMBER}}}'")
        db.execute("VACUUM ANALYZE")


def addresses(server: Server, database: str, campaigns: int, count: int) -> Iterator[DatabaseAddress]:
    """Yield the addresses of some campaigns, spread over all."""
    step = max(1, (campaigns - 1) // count)
    for number in islice(range(2, campaigns + 1, step), count):
        yield parse_address(server.uri(database, user=MEMBER, campaign=f"first-{number}"))


def timed(store: SqlStore, record: Callable[[int], Record]) -> float:
    """Return the milliseconds that an append takes."""
    head = store.head()
    next_one = record(head.position + 1)
    start = perf_counter()
    store.append([next_one], after=head)
    return (perf_counter() - start) * 1000


def wake(store: SqlStore, record: Callable[[int], Record]) -> float:
    """Return the milliseconds from an append until a watch that is asked each 20 ms says so."""
    with closing(watch_campaign(store.source)) as watch:
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


def record_after(last: Record) -> Callable[[int], Record]:
    """Return what makes the next record at a position: one like the last of play."""
    return lambda position: replace(last, position=position, number=last.number + position, take=1, request=None)


def built(server: Server, database: str, file: SqliteStore, campaigns: int) -> str:
    """Build a database of so many campaigns, and return how long it took."""
    start = perf_counter()
    server.make_role(MEMBER)
    server.run("createdb", "-h", str(server.folder), "-U", "owner", database)
    copy_to_database(file, parse_address(server.uri(database, campaign="first")))
    multiply(server, database, campaigns)
    return f"{campaigns:,} campaigns of {file.head().position} records: built in {perf_counter() - start:.0f} s"


def clubs(folder: Path, campaigns: int, rounds: int, at_once: int) -> tuple[list[Figure], list[str]]:
    """Measure appends to a club of so many campaigns, to one of a hundred and to a file; return figures and sentences.

    The first round fills the caches and is not counted.
    """
    names = {FEW: f"append, club of {FEW} campaigns", campaigns: f"append, club of {campaigns:,} campaigns"}
    with ExitStack() as stack:
        server = stack.enter_context(running_server())
        file = stack.enter_context(closing(first_ledger(folder)))
        next_record = record_after(list(file.records())[-1])
        stores: dict[str, list[SqlStore]] = {ONE_FILE: [file]}
        lines = []
        for count, name in names.items():
            database = f"club{count}"
            lines.append(built(server, database, file, count))
            own = (open_store(each) for each in addresses(server, database, count, at_once))
            stores[name] = [stack.enter_context(closing(store)) for store in own]

        def append_to(place: str) -> Callable[[], float]:
            turns = cycle(stores[place])
            return lambda: timed(next(turns), next_record)

        jobs = {place: append_to(place) for place in stores}
        interleaved(at_once, jobs)
        measured = interleaved(at_once * (rounds - 1), jobs)
        lines += [f"{place}: p95 {p95(each):.2f} ms" for place, each in measured.items()]
        for place, asked in {ONE_FILE: [file] * at_once, names[campaigns]: stores[names[campaigns]]}.items():
            wakes = [wake(each, next_record) for each in asked]
            lines.append(f"{place}: wake of a watch median {median(wakes):.0f} ms, longest {max(wakes):.0f} ms")
    many = names[campaigns]
    return [figure(many, measured, many, floor, "ms") for floor in (names[FEW], ONE_FILE)], lines


def main() -> None:
    """Build the databases, measure, and print a table."""
    options = argparse.ArgumentParser(prog="python -m tests.bench.club", description=__doc__)
    options.add_argument("--campaigns", type=int, default=CAMPAIGNS)
    options.add_argument("--rounds", type=int, default=ROUNDS)
    options.add_argument("--at-once", type=int, default=AT_ONCE, help="campaigns that are appended to in turn")
    asked = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="campaign-bench-") as name:
        figures, lines = clubs(Path(name), asked.campaigns, asked.rounds, asked.at_once)
    print("\n".join((*table(figures), "", *lines)))


if __name__ == "__main__":
    main()
