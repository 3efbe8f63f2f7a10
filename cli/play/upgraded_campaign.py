"""A ledger of format 2, played again into a new campaign."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import msgspec

from cli.notation.formatter import format_declaration
from cli.play.new_campaign import place_ledger
from ledger.errors import Damaged, LedgerError, stored_errors
from ledger.memory_store import MemorySeeds
from ledger.records import Head, Sender
from ledger.seeds import SeedFiles
from ledger.service import Ledger
from ledger.sqlite_store import create_store
from ledger.upgrade import OldRecord, ReplayedLedger, differences, read_old_records
from projections.projection import StateProjection
from rulebooks import load_game


class Upgraded(msgspec.Struct, frozen=True, kw_only=True):
    """What became of an old ledger: the entries that were said, the head, and what is different."""

    entries: int
    head: Head
    refused: tuple[str, ...]
    differences: tuple[str, ...]
    is_open: bool


def upgrade_campaign(old_file: Path, folder: Path) -> Upgraded:
    """Play the ledger `old_file` of format 2 again into a new campaign in `folder`: all of it, or nothing.

    Raises Damaged if the old file is not a ledger of format 2 or was changed, LedgerError if there is a campaign there.
    """
    old = read_old_records(old_file)
    if not old or old[0].declaration.get("say") != "create-campaign":
        raise Damaged("the ledger has no first record", where=str(old_file), hint="There is nothing to move.")
    failed: list[LedgerError] = []
    done: list[Upgraded] = []

    def fill(unfinished: Path) -> None:
        try:
            with stored_errors("the old ledger"):
                done.append(_play(old, unfinished, folder))
        except LedgerError as error:
            failed.append(error)
            raise

    try:
        place_ledger(folder, fill).close()
    except LedgerError as error:
        if failed:
            raise failed[0] from error
        raise
    return done[0]


def _play(old: list[OldRecord], unfinished: Path, folder: Path) -> Upgraded:
    """Play old records into a new file, in one transaction, and return what became of them."""
    with closing(create_store(unfinished, StateProjection.read_models)) as store:
        game, seeds = load_game(old[0].declaration["game"]), MemorySeeds()
        ledger = Ledger(store, game, StateProjection(), seeds, Sender("file"))
        replayed = ReplayedLedger(ledger, old, format_declaration)
        with ledger.batch():
            replayed.play()
        for commitment, seed in seeds.kept.items():
            SeedFiles(folder).save(commitment, seed)  # of the session that is open
        return Upgraded(
            entries=len({record.id for record in old if record.is_own}),
            head=store.head(),
            refused=tuple(replayed.refused),
            differences=tuple(differences(old, store.takes())),
            is_open=ledger.state.session.open,
        )
