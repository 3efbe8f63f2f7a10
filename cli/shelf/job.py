"""One campaign of a shelf as a task for a worker: open the ledger, do what is asked, return the row.

Whatever is wrong with a ledger is its row: a broken chain, a file that is none, a lock, a later format, and an error of
this program as well. So no ledger ends the run, and the row can always be sent back.
"""

from __future__ import annotations

import time
from typing import Any, ClassVar, Protocol

import msgspec

from cli.questions.campaign import campaign_name, ledger_id
from cli.questions.ledger_file import find_game, ledger_wording
from cli.shelf.places import ShelfPlace
from cli.shelf.results import UNREADABLE, Outcome, ShelfRow, raw
from ledger.campaign_source import open_campaign
from ledger.errors import LedgerError
from ledger.records import ENCODER, Head
from ledger.sql_store import SqlStore
from projections.projection import StateProjection
from rulebooks.common.game import Game
from rulebooks.common.texts import Wording


class OpenCampaign(msgspec.Struct, frozen=True):
    """A campaign that a worker has opened to read. `before`: the head of its last row, if it has one."""

    place: ShelfPlace
    store: SqlStore
    book: Game
    before: Head | None

    @property
    def wording(self) -> Wording:
        """The words with which its facts are printed."""
        return ledger_wording(self.store, self.book)


class CampaignResult(msgspec.Struct, frozen=True):
    """What came of a campaign: in a word, in a line, and all of it."""

    outcome: Outcome
    text: str
    content: object


class ShelfTask(Protocol):
    """What is done with each campaign. A Struct whose fields are the options, so that it can be sent to a worker."""

    __struct_config__: ClassVar[Any]  # its tag is the name of the task

    def look(self, campaign: OpenCampaign) -> CampaignResult:
        """Return what came of it. Raises LedgerError for a ledger of which nothing can be said."""


class Job(msgspec.Struct, frozen=True):
    """A campaign, what to do with it, and the head of its last row."""

    place: ShelfPlace
    task: Any  # a ShelfTask: msgspec knows no protocols
    before: Head | None = None


def name_of(task: ShelfTask) -> tuple[str, str]:
    """Return the name of a task, and its options as JSON."""
    return str(type(task).__struct_config__.tag), ENCODER.encode(task).decode()


def empty_row(job: Job) -> ShelfRow:
    """Return the row of a job before anything is done."""
    (name, options), place = name_of(job.task), job.place
    return ShelfRow(task=name, options=options, campaign=place.campaign, stamp=place.stamp, outcome=UNREADABLE, text="")


def do_job(job: Job) -> ShelfRow:
    """Do what is asked with a campaign, and return its row."""
    start, row = time.perf_counter(), empty_row(job)
    try:
        row = _row_of(job, row)
    except LedgerError as error:
        row = failed(row, str(error))
    except (OSError, MemoryError, RecursionError) as error:
        row = failed(row, f"it cannot be read: {getattr(error, 'strerror', '') or type(error).__name__}")
    except Exception as error:  # an error of this program on one ledger must not end the others
        row = failed(row, f"the program failed on it: {type(error).__name__}: {error}")
    spent = round((time.perf_counter() - start) * 1000)
    return msgspec.structs.replace(row, milliseconds=spent, written=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()))


def failed(row: ShelfRow, text: str) -> ShelfRow:
    """Return the row of a campaign of which nothing can be said, and why."""
    return msgspec.structs.replace(row, outcome=UNREADABLE, text=text)


def _row_of(job: Job, row: ShelfRow) -> ShelfRow:
    """Open the ledger, and do what is asked. Raises LedgerError, and what else a broken ledger can cause."""
    if job.place.problem:
        raise LedgerError(job.place.problem)
    store = open_campaign(job.place.source, write=False, models=StateProjection.read_models)
    try:
        head, book = store.head(), find_game(store)
        found = job.task.look(OpenCampaign(job.place, store, book, job.before))
        return msgspec.structs.replace(
            row,
            head=head.hash,
            position=head.position,
            revision=book.revision,
            name=campaign_name(store),
            ledger=ledger_id(store),
            game=book.name,
            outcome=found.outcome,
            text=found.text,
            content=raw(found.content),
        )
    finally:
        store.close()
