"""Several processes that work on one campaign, where it is long enough for them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial

from cli.questions.ledger_file import find_game
from ledger.campaign_source import Source, open_campaign
from ledger.errors import Damaged
from ledger.processes import Opened, Processes, usable_processors
from ledger.sql_store import SqlStore
from projections.projection import StateProjection


@contextmanager
def processes(store: SqlStore, jobs: int | None, least: int) -> Iterator[Processes | None]:
    """Open the ledger in so many processes; None where one is to do all.

    Without a number there is one for each processor, if the ledger has `least` records: below that they would take
    longer to start than they save. Raises UnknownGame before any is started where the game is not installed.
    """
    if jobs is None:
        jobs = usable_processors() if store.head().position >= least else 1
    if jobs < 2:
        yield None
        return
    with suppress(Damaged):  # which is a finding
        find_game(store)
    with Processes(jobs, partial(open_again, store.source)) as opened:
        yield opened


def open_again(source: Source) -> Opened:
    """Open a ledger to read, in another process."""
    store = open_campaign(source, write=False, models=StateProjection.read_models)
    return store, find_game(store), StateProjection()
