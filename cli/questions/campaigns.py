"""The campaigns of a place: of a folder with all below it, or of a database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec

from cli.questions.campaign import campaign_name
from cli.questions.campaign_folders import campaign_folders, path_text
from cli.questions.ledger_file import LEDGER_FILE
from ledger.campaign_source import check_library, open_campaign
from ledger.errors import LedgerError
from ledger.facts import CampaignCreated
from ledger.ledger_state import load_state
from ledger.names import escape
from ledger.postgres_address import DatabaseAddress
from ledger.records import PUBLIC_DECODER, Head
from projections.projection import StateProjection


class ListedCampaign(msgspec.Struct, frozen=True, kw_only=True):
    """A campaign: its place, its name and game, the head, and when its last line was written; `error` if unreadable."""

    place: str
    name: str = ""
    game: str = ""
    head: str = ""
    records: int = 0
    last: str = ""
    error: str = ""


def database_heads(place: DatabaseAddress) -> dict[str, Head]:
    """Return the head of each campaign of a database by name. Raises LedgerError if it does not answer."""
    check_library()
    from ledger.postgres_campaigns import heads

    return heads(place)


def listed(place: Path | DatabaseAddress) -> Iterator[ListedCampaign]:
    """Yield the campaigns of a place in their order; one that cannot be read, and what hides some, with its error.

    Raises LedgerError if the place cannot be read.
    """
    if isinstance(place, DatabaseAddress):
        yield from _listed_in_database(place)
        return
    if not place.is_dir():
        raise LedgerError("there is no such folder", where=escape(str(place)), hint="Name a folder with campaigns.")
    for folder, problem in campaign_folders(place, set()):
        if problem:
            yield ListedCampaign(place=path_text(folder), error=problem)
            continue
        try:
            yield _listed_file(folder / LEDGER_FILE)
        except LedgerError as error:
            yield ListedCampaign(place=path_text(folder / LEDGER_FILE), error=error.what)


def _listed_file(source: Path) -> ListedCampaign:
    """Return what is said of the ledger in a file. Raises LedgerError if it cannot be read."""
    with closing(open_campaign(source, write=False, models=None)) as store:
        head = store.head()
        last = next(store.records(after=head.position - 1), None)
        return ListedCampaign(
            place=path_text(source),
            name=campaign_name(store),
            game=load_state(store, StateProjection(), as_of=min(1, head.position)).session.game,
            head=str(head),
            records=head.position,
            last=last.at if last else "",
        )


def _listed_in_database(place: DatabaseAddress) -> Iterator[ListedCampaign]:
    """Yield the campaigns of a database, read in one query."""
    check_library()
    from ledger.postgres_campaigns import campaigns

    for each in campaigns(place):
        facts = PUBLIC_DECODER.decode(each.first).facts if each.first else ()
        created = next((fact for fact in facts if isinstance(fact, CampaignCreated)), None)
        yield ListedCampaign(
            place=str(place.with_campaign(each.name)),
            name=created.name if created else "",
            game=created.game if created else "",
            head=str(Head(each.position, each.hash)),
            records=each.position,
            last=each.last or "",
            error="" if created else "it has no first record",
        )
