"""Take the records of a bundle into a ledger: a new one, or one that the bundle continues.

A bundle is first read into a temporary ledger, and checked there as `verify` checks a ledger. Only then is anything
written: a new ledger under another name that is changed at the end, or the new records in one transaction. So after an
error or a kill there is the ledger of before, or the whole new one.
"""

from __future__ import annotations

import os
import re
import shutil
from contextlib import closing
from itertools import zip_longest
from pathlib import Path
from typing import Final

import msgspec

from cli.play.kept_heads import KeptHeadFile
from cli.play.new_campaign import place_ledger
from cli.play.spoken import hear_again
from cli.questions.bundle_file import build_tables
from cli.questions.campaign import campaign_name, ledger_id
from cli.questions.open_seed import open_seed
from cli.questions.verification import records_verification
from ledger.bundle import BundleHeader
from ledger.errors import InputError, LedgerError, Overtaken
from ledger.facts import EntryId, parse_entry_id
from ledger.head_words import KeptHead
from ledger.ledger_state import load_state
from ledger.names import escape, plural
from ledger.processes import Processes
from ledger.read_model_build import build_read_models
from ledger.records import Head, StoredRecord, decode
from ledger.redecide import revealed_seeds
from ledger.seeds import SeedFiles
from ledger.snapshots import build_snapshots
from ledger.sqlite_store import SqliteStore, open_store
from ledger.store import ReadableStore
from ledger.verify import Finding
from projections.projection import StateProjection

TOLD_MOST: Final = 5  # of the findings of a bundle
TRIES: Final = 3  # while somebody else appends
POSITION: Final = re.compile(r"position (\d+)")
TAKE: Final = re.compile(r"entry (\d+\.\d+(?:\+\d+)?)(?:@(\d+))?")


class Forked(LedgerError):
    """The ledger and the bundle have different records at a position."""


class Imported(msgspec.Struct, frozen=True, kw_only=True):
    """What was imported: the head of the ledger, how many of its records are new, and how many the bundle lacks.

    `seed_file`: of the session that is open, if its seed is not beside the ledger.
    """

    head: Head
    new: int
    ahead: int = 0
    session: int = 0
    seed_file: str = ""


def heads_within(header: BundleHeader) -> list[KeptHead]:
    """Return the heads of the campaign of a bundle that somebody kept on this machine, up to the end of the bundle."""
    kept = (each.kept for each in KeptHeadFile(header.ledger).read())
    return [head for head in kept if head.position <= header.records]


def check_records(store: SqliteStore, header: BundleHeader, workers: Processes | None = None) -> list[LedgerError]:
    """Return what is wrong with the records of a bundle, each with its line; the first few."""
    findings = records_verification(store, heads_within(header), workers, hear_again).findings
    errors = [LedgerError(finding.what, where=place_in_bundle(store, finding)) for finding in findings[:TOLD_MOST]]
    if len(findings) > TOLD_MOST:
        errors.append(LedgerError(f"{plural(len(findings) - TOLD_MOST, 'more finding', 'more findings')}"))
    return errors


def place_in_bundle(store: ReadableStore, finding: Finding) -> str:
    """Return where a finding stands in a bundle: its line, and what it is about."""
    position = 0
    if stated := POSITION.search(finding.where):
        position = int(stated[1])
    elif take := TAKE.match(finding.where):
        entry = parse_entry_id(take[1])
        takes = store.takes(after=entry.before, upto=entry)
        position = max((each.position for each in takes if take[2] in (None, str(each.take))), default=0)
    return f"line {position + 1}, {finding.where}" if position else finding.where


def import_new(bundle: SqliteStore, folder: Path) -> Imported:
    """Make a campaign in `folder` of a ledger that was checked. Raises LedgerError if there is one already."""

    def fill(unfinished: Path) -> None:
        shutil.copyfile(bundle.path, unfinished)
        with unfinished.open("rb+") as file:
            os.fsync(file.fileno())

    build_tables(bundle)
    done = _imported(bundle, folder, new=bundle.head().position)
    place_ledger(folder, fill).close()
    return done


def import_into(bundle: SqliteStore, header: BundleHeader, path: Path) -> Imported:
    """Append to the ledger in `path` what a ledger that was checked has more. Raises Forked if it goes another way."""
    folder = os.path.dirname(os.path.realpath(path))
    with closing(open_store(path, write=True, models=StateProjection.read_models)) as store:
        _check_same_campaign(store, header, path)
        before = load_state(store, StateProjection()).session
        for tries in range(TRIES):
            head = store.head()
            common = _check_fork(bundle, store)
            if common == bundle.head().position:
                return _imported(store, folder, new=0, ahead=head.position - common)
            done = _imported(bundle, folder, new=bundle.head().position - head.position)
            try:
                _append_rest(bundle, store, head)
                break
            except Overtaken:
                if tries == TRIES - 1:
                    raise
    if before.open and before.number in revealed_seeds(bundle.takes(after=EntryId(before.number, -1))):
        SeedFiles(folder).delete(before.commitment)
    return done


def _append_rest(bundle: SqliteStore, store: SqliteStore, head: Head) -> None:
    """Append the records of a bundle behind a head, with the tables and the snapshots of all."""
    rest = ((stored, decode(stored)) for stored in bundle.read(after=head.position))
    models = build_read_models(bundle, StateProjection())
    store.extend(rest, after=head, models=models, snapshots=build_snapshots(bundle, StateProjection()))


def _check_same_campaign(store: SqliteStore, header: BundleHeader, path: Path) -> None:
    """Raise InputError unless a ledger is of the campaign of a bundle."""
    if ledger_id(store) != header.ledger:
        raise InputError(
            f"the bundle is of {escape(header.campaign)}, and {escape(str(path.parent))} has another campaign:"
            f" {escape(campaign_name(store))}",
            hint="Name a folder for it: campaign import FILE FOLDER.",
        )


def _check_fork(bundle: SqliteStore, store: SqliteStore) -> int:
    """Return how many records a ledger and a bundle have in common: all of one of them. Raises Forked."""
    common = 0
    for here, there in zip_longest(store.read(), bundle.read()):
        if here is None or there is None:
            break
        if here != there:
            raise Forked(
                f"the ledger and the bundle part at position {here.position}:"
                f" here {_name(here)}, in the bundle {_name(there)}",
                where=f"line {here.position + 1}",
                hint="Nothing was imported. Import it into another folder, and compare: campaign diff.",
            )
        common = here.position
    return common


def _name(stored: StoredRecord) -> str:
    """Return what a record is, for people."""
    record = decode(stored)
    line = f" '{escape(record.line)}'" if record.line else ""
    return f"{record.id}{line} by {escape(record.by)}, written {escape(record.at)}"


def _imported(store: SqliteStore, folder: str | Path, *, new: int, ahead: int = 0) -> Imported:
    """Return what is imported into the ledger in a folder, which is then as `store`."""
    seed = open_seed(store, folder)
    return Imported(
        head=store.head(),
        new=new,
        ahead=ahead,
        session=seed.session if seed else 0,
        seed_file=seed.path if seed and seed.is_missing else "",
    )
