"""Where the campaigns of a shelf are: every folder with a ledger in it below those that are named, or a database.

What cannot be looked into is a place too, with its problem (`campaign_folders`).
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from cli.play.parquet import part_name
from cli.questions.campaign_folders import campaign_folders, path_text
from cli.questions.campaigns import database_heads
from cli.questions.ledger_file import LEDGER_FILE
from ledger.campaign_source import Source
from ledger.errors import InputError
from ledger.names import escape
from ledger.postgres_address import DatabaseAddress
from ledger.sqlite_connection import file_times

GONE: Final = "it is not there any more"


class ShelfPlace(msgspec.Struct, frozen=True):
    """A campaign on a shelf.

    Attributes:
        campaign: what it is called in the rows: its folder, below that of the results if it is there.
        source: its ledger, or its address in a database.
        part: the name of its part in a data set of the shelf.
        stamp: what changes when the ledger does; empty if there is none to read.
        problem: why it cannot be looked at, if it cannot.
    """

    campaign: str
    source: Source
    part: str = ""
    stamp: str = ""
    problem: str = ""


class Shelf:
    """The campaigns below some folders and in some databases."""

    def __init__(self, tops: Sequence[Path | DatabaseAddress], home: Path) -> None:
        """`home` is the folder of the results. Raises InputError for what is no folder and no database."""
        for top in tops:
            if isinstance(top, Path) and not top.is_dir():
                what = "is no folder" if os.path.lexists(top) else "is not there"
                raise InputError(f"{escape(str(top))} {what}", hint="Name the folder above your campaigns.")
        self._tops = [top.resolve() if isinstance(top, Path) else top for top in tops]
        self._home = home.resolve()
        self._parts = Counter[str]()

    def places(self) -> Iterator[ShelfPlace]:
        """Yield every campaign, by its folder or name, and what cannot be looked into.

        Raises LedgerError for a database that does not answer.
        """
        known = set[tuple[int, int]]()
        for top in self._tops:
            if isinstance(top, Path):
                yield from (self._place(top, folder, problem) for folder, problem in campaign_folders(top, known))
            else:
                yield from self._places_in(top)

    def _places_in(self, database: DatabaseAddress) -> Iterator[ShelfPlace]:
        """Yield every campaign of a database. Its head is its stamp."""
        for name, head in database_heads(database).items():
            address = database.with_campaign(name)
            yield ShelfPlace(str(address), address, self._part(name), str(head))

    def missing(self, campaigns: Iterable[str]) -> Iterator[ShelfPlace]:
        """Yield those of some campaigns, which were here once, as places with that problem."""
        for campaign in campaigns:
            if any(self._is_below(campaign, top) for top in self._tops):
                yield ShelfPlace(campaign, campaign, problem=GONE)

    def _is_below(self, campaign: str, top: Path | DatabaseAddress) -> bool:
        """Return whether a campaign is one of a folder or of a database."""
        if isinstance(top, Path):
            return (self._home / campaign).is_relative_to(top)
        return campaign.startswith(str(msgspec.structs.replace(top, campaign=None)))

    def _place(self, top: Path, folder: Path, problem: str = "") -> ShelfPlace:
        """Return the place of a folder."""
        name = folder.relative_to(self._home) if folder.is_relative_to(self._home) else folder
        times = file_times(folder / LEDGER_FILE) if not problem else None
        part = self._part(str(folder.relative_to(top)) if folder != top else folder.name)
        return ShelfPlace(path_text(name), str(folder / LEDGER_FILE), part, " ".join(map(str, times or ())), problem)

    def _part(self, name: str) -> str:
        """Return the name of the part of a campaign, which no other has."""
        part = part_name(name)
        self._parts[part] += 1
        return part if self._parts[part] == 1 else f"{part}-{self._parts[part]}"
