"""What a machine keeps of campaigns in a database: a folder for the files of each, and the key that seals seeds."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Final

import click

from ledger.errors import LedgerError
from ledger.postgres_address import DatabaseAddress
from ledger.sealed_seeds import SealedSeeds, club_key
from ledger.sql_store import SqlStore

FOLDER_VARIABLE: Final = "CAMPAIGN_CLUB"


def club_folder() -> Path:
    """Return the folder with the key and the files of campaigns: CAMPAIGN_CLUB, else where programs keep the user's."""
    return make_private(Path(os.environ.get(FOLDER_VARIABLE) or Path(click.get_app_dir("campaign-ledger")) / "club"))


def own_folder(address: DatabaseAddress) -> Path:
    """Return the folder of a campaign on this machine: its names, its templates and the links of its pages."""
    server = hashlib.sha256(str(address.with_campaign("")).encode()).hexdigest()[:12]
    return make_private(club_folder() / f"{address.name}-{server}")


def make_private(folder: Path) -> Path:
    """Make a folder that its owner alone may read, if it is not there. Raises LedgerError where that fails."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        what = f"the folder for the files of this machine cannot be made: {error.strerror}"
        raise LedgerError(what, where=str(folder), hint=f"Name another one with {FOLDER_VARIABLE}.") from error
    return folder


def sealed_seeds(store: SqlStore) -> SealedSeeds:
    """Return the seeds of a campaign in a database, sealed with the key of this machine."""
    return SealedSeeds(store, lambda: club_key(club_folder()))
