"""Copy a campaign, record by record and byte for byte, between files and databases."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from cli.play.new_campaign import place_ledger
from ledger.campaign_source import check_library
from ledger.errors import Damaged
from ledger.head_words import KeptHead
from ledger.postgres_address import DatabaseAddress
from ledger.read_model_build import build_read_models
from ledger.records import DECODER, EMPTY, GENESIS, Head, Record, StoredRecord, decode
from ledger.snapshots import build_snapshots
from ledger.sql_store import SqlStore
from ledger.sqlite_store import create_store
from ledger.verify import KeptHeads, chain_problems
from projections.projection import StateProjection


def checked_records(source: SqlStore) -> Iterator[tuple[StoredRecord, Record]]:
    """Yield the records of a store, each with its bytes. Raises Damaged where the chain of hashes is broken."""
    before, kept = GENESIS, KeptHeads(list[KeptHead]())
    for position, stored in enumerate(source.read(), start=1):
        problems = [what for what in chain_problems(stored, before, kept) if what]
        if stored.position != position:
            problems = [f"position {position} is missing"]
        if problems:
            hint = "Nothing was copied. Look at it with: campaign verify."
            raise Damaged(problems[0], where=f"{source.path}, position {stored.position}", hint=hint)
        yield stored, decode(stored, DECODER)
        before = stored.hash


def fill(target: SqlStore, source: SqlStore) -> Head:
    """Write all records of a store into an empty one, with tables and snapshots of its own; return the head.

    Raises Damaged if the source is not well, or if the copy ends otherwise.
    """
    models = build_read_models(source, StateProjection())
    snapshots = build_snapshots(source, StateProjection())
    head = target.extend(checked_records(source), after=EMPTY, models=models, snapshots=snapshots)
    if not head == target.head() == source.head():
        raise Damaged(f"the copy ends at {head}, not at {source.head()}", where=str(target.path))
    return head


def copy_to_file(source: SqlStore, path: str | os.PathLike[str]) -> None:
    """Write a ledger file with all records of a store. Raises LedgerError if the file is there."""
    with closing(create_store(path, StateProjection.read_models)) as target:
        fill(target, source)


def copy_to_folder(source: SqlStore, folder: Path) -> Head:
    """Make a campaign in a folder of the records of a store. Raises LedgerError if there is one already."""
    with closing(source.copy_aside()) as frozen:
        place_ledger(folder, lambda path: copy_to_file(frozen, path)).close()
        return frozen.head()


def copy_to_database(source: SqlStore, address: DatabaseAddress) -> Head:
    """Make a campaign in a database of the records of a store. Raises LedgerError if there is one of this name."""
    check_library()
    from ledger.postgres_store import create_store as create_in_database

    with (
        closing(source.copy_aside()) as frozen,
        closing(create_in_database(address, StateProjection.read_models)) as target,
    ):
        return fill(target, frozen)
