"""A campaign as Parquet files for programs that read millions of rows: one data set for a shelf, a part for a campaign.

    DIR/records/campaign=NAME/part.parquet    the takes, and so on for `facts`, `dice`, `values` and `campaigns`

The rows are those of the read models and records as somebody sees them. They are handed to DuckDB in a temporary file,
so that a long campaign takes no more memory than a short one.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from cli.play.files import FileKind, OutputFolder, replaced_file
from cli.questions.campaign import campaign_name, ledger_id, tables_of
from cli.questions.players_ledger import PlayersLedger, printed_records
from ledger.change_rows import CHANGES, moment
from ledger.errors import LedgerError
from ledger.facts import Rolled, Withheld, tag
from ledger.records import ENCODER, Record
from ledger.sqlite_connection import file_times
from ledger.store import ReadableStore, Store
from rulebooks.common.game import Game

Cells = dict[str, Any]
TAKE: Final = {
    "position": "BIGINT", "entry": "VARCHAR", "moment": "BIGINT", "session": "BIGINT", "take": "BIGINT",
    "counts": "BOOLEAN", "at": "VARCHAR",
}  # fmt: skip
TABLES: Final[Mapping[str, Mapping[str, str]]] = {
    "campaigns": {"name": "VARCHAR", "ledger": "VARCHAR", "game": "VARCHAR", "position": "BIGINT", "head": "VARCHAR"},
    "records": {
        **TAKE, "number": "BIGINT", "inserted": "BIGINT", "who": "VARCHAR", "door": "VARCHAR", "seen": "VARCHAR",
        "cause": "VARCHAR", "line": "VARCHAR", "record": "JSON",
    },
    "facts": {**TAKE, "fact": "BIGINT", "kind": "VARCHAR", "who": "VARCHAR", "rule": "VARCHAR", "content": "JSON"},
    "dice": {
        **TAKE, "fact": "BIGINT", "die": "BIGINT", "who": "VARCHAR", "purpose": "VARCHAR", "source": "VARCHAR",
        "sides": "BIGINT", "face": "BIGINT", "kept": "BOOLEAN", "label": "VARCHAR",
    },
    "values": {
        **TAKE, "fact": "BIGINT", "value": "VARCHAR", "who": "VARCHAR", "what": "VARCHAR", "was": "VARCHAR",
        "now": "VARCHAR", "before": "BIGINT", "after": "BIGINT", "change": "BIGINT", "actor": "VARCHAR",
        "kind": "VARCHAR", "cause": "VARCHAR", "rule": "VARCHAR",
    },
}  # fmt: skip
KIND: Final = FileKind("a Parquet file", lambda first: first.startswith(b"PAR1"))
NOT_IN_NAMES: Final = re.compile(r"[^A-Za-z0-9._-]+")
NAME_MOST: Final = 60
LINE_BYTES_MOST: Final = 1 << 28  # of a row: a record with everything in it
COPY: Final = (
    "COPY (SELECT * FROM read_json(?, format = 'newline_delimited', columns = ?, maximum_object_size = ?))"
    " TO {} (FORMAT parquet, COMPRESSION zstd)"
)


def part_name(path: str) -> str:
    """Return the name of the part of a campaign: its folder in letters that every file system and program takes."""
    name = NOT_IN_NAMES.sub("-", path).strip("-.") or "campaign"
    if name == path and len(name) <= NAME_MOST:
        return name
    return f"{name[:NAME_MOST]}-{hashlib.sha256(path.encode('utf-8', 'surrogateescape')).hexdigest()[:8]}"


def check_duckdb() -> None:
    """Raise LedgerError if DuckDB is not installed."""
    try:
        import duckdb  # noqa: F401 - imported here to start faster, and only to learn whether it is there
    except ImportError as error:
        hint = 'Install it: pip install "campaign-ledger[corpus]".'
        raise LedgerError("--parquet needs the package duckdb", hint=hint) from error


def part_paths(name: str) -> dict[str, str]:
    """Return the file of each table in the part of a campaign, below the folder of the data set."""
    return {table: f"{table}/campaign={name}/part.parquet" for table in TABLES}


def part_stamp(folder: Path, name: str) -> str:
    """Return what changes when somebody writes or removes a file of the part of a campaign."""
    return "; ".join(str(file_times(folder / path)) for path in part_paths(name).values())


def write_parquet(
    folder: Path, name: str, store: Store, seen: ReadableStore, book: Game, *, force: bool = False
) -> dict[str, int]:
    """Write the part of a campaign into a data set, as somebody sees it; return the rows of each table.

    Raises LedgerError without DuckDB, and InputError for a file that may not be replaced.
    """
    check_duckdb()
    import duckdb  # imported here to start faster: one command uses it

    places = OutputFolder(folder, force=force)
    paths = part_paths(name)
    for path in paths.values():
        places.check(path, KIND)
    counts = dict[str, int]()
    settings = {"threads": 1, "autoinstall_known_extensions": "false"}
    with tempfile.TemporaryDirectory() as temporary, duckdb.connect(":memory:", config=settings) as db:
        for table, rows in tables_of_parquet(store, seen, book).items():
            lines = Path(temporary, table)
            counts[table] = _write_json(lines, rows)
            with replaced_file(folder / paths[table], KIND, force=force) as unfinished:
                target = "'" + os.fspath(unfinished.absolute()).replace("'", "''") + "'"
                try:
                    db.execute(COPY.format(target), [str(lines), dict(TABLES[table]), LINE_BYTES_MOST])
                except duckdb.Error as error:
                    hint = "Free some space on the disk, or check it."
                    raise LedgerError(f"DuckDB cannot write it: {error}", where=paths[table], hint=hint) from error
                with unfinished.open("rb") as file:
                    os.fsync(file.fileno())
            lines.unlink()
    return counts


def _write_json(path: Path, rows: Iterable[Cells]) -> int:
    """Write rows as lines of JSON, and return how many there are."""
    count = 0
    with path.open("wb") as file:
        for row in rows:
            file.write(ENCODER.encode(row) + b"\n")
            count += 1
    return count


def tables_of_parquet(store: Store, seen: ReadableStore, book: Game) -> dict[str, Iterable[Cells]]:
    """Return the tables of a campaign with their rows; `seen` is what somebody sees of `store`."""
    last = seen.last_takes()
    whole = store.records() if isinstance(seen, PlayersLedger) else seen.records()  # of which the printed ones are made
    return {
        "campaigns": [_campaign(seen, book)],
        "records": (_record(take, last) for take in printed_records(seen, whole)),
        "facts": (row for take in seen.records() for row in _facts(take, last)),
        "dice": (row for take in seen.records() for row in _dice(take, last)),
        "values": _values(seen),
    }


def _campaign(seen: ReadableStore, book: Game) -> Cells:
    """Return the row of a campaign."""
    head = seen.head()
    return {
        "name": campaign_name(seen),
        "ledger": ledger_id(seen),
        "game": book.name,
        "position": head.position,
        "head": head.hash,
    }


def _take(take: Record, last: Mapping[Any, int]) -> Cells:
    """Return the columns that every row of a take has; `last`: the last take of each entry that has several."""
    return {
        "position": take.position,
        "entry": str(take.id),
        "moment": moment(take.id),
        "session": take.session,
        "take": take.take,
        "counts": last.get(take.id, take.position) == take.position,
        "at": take.at,
    }


def _record(take: Record, last: Mapping[Any, int]) -> Cells:
    """Return the row of a take."""
    more = {"number": take.number, "inserted": take.insert, "who": take.by, "door": take.door, "seen": take.seen}
    return _take(take, last) | more | {"cause": take.cause, "line": take.line, "record": take}


def _facts(take: Record, last: Mapping[Any, int]) -> Iterator[Cells]:
    """Yield a row for each fact of a take that is seen."""
    for number, fact in enumerate(take.facts, start=1):
        if not isinstance(fact, Withheld):
            yield _take(take, last) | {
                "fact": number,
                "kind": tag(type(fact)),
                "who": getattr(fact, "who", None),
                "rule": next(iter(fact.rules), None),
                "content": fact,
            }


def _dice(take: Record, last: Mapping[Any, int]) -> Iterator[Cells]:
    """Yield a row for each die of a take that is seen."""
    for number, fact in enumerate(take.facts, start=1):
        if isinstance(fact, Rolled):
            throw = {"fact": number, "who": fact.who, "purpose": fact.purpose, "source": fact.source}
            for index, die in enumerate(fact.dice, start=1):
                face = {"die": index, "sides": die.sides, "face": die.face, "kept": die.kept, "label": die.label}
                yield _take(take, last) | throw | face


def _values(seen: ReadableStore) -> Iterator[Cells]:
    """Yield a row for each change of a value: numbers in `before` and `after`, and as text in `was` and `now`."""
    rows = next(rows for model, rows in tables_of(seen) if model is CHANGES)
    for row in rows:
        cells = dict(zip(CHANGES.columns, row, strict=True))
        for text, number in (("was", "before"), ("now", "after")):
            value = cells[number]
            cells[text] = None if value is None else str(value)
            cells[number] = value if isinstance(value, int) else None
        yield cells | {"counts": bool(cells["counts"])}
