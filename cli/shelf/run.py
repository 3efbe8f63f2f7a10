"""A run over a shelf: hand out what has no row yet, write the rows as they come, go on where a run was ended."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from cli.shelf.changes import ChangesTask, without_change
from cli.shelf.job import Job, ShelfTask, do_job, empty_row, failed
from cli.shelf.places import Shelf, ShelfPlace
from cli.shelf.results import UNREADABLE, ResultsFile, ShelfRow
from cli.shelf.tasks import ExportTask
from ledger.errors import LedgerError
from ledger.tasks import Begin, Tasks
from rulebooks import load_game


class Run:
    """What is left to do of a task on some places. `done` counts the rows that this run has written."""

    def __init__(self, task: ShelfTask, shelf: Shelf, results: ResultsFile, *, again: bool) -> None:
        """`again`: look at everything, also where there is a row of the ledger as it is."""
        self.task, self.results, self.again = task, results, again
        self.places = list({place.campaign: place for place in shelf.places()}.values())
        self.rows, self._marks = results.latest(), results.marks()
        if isinstance(task, ChangesTask):
            here = {place.campaign for place in self.places}
            read = (row.campaign for row in self.rows.values() if row.outcome != UNREADABLE)
            self.places += shelf.missing(campaign for campaign in read if campaign not in here)
        self.known = 0  # places that had a row
        self.done = 0
        self.outcomes = dict[str, int]()

    @property
    def left(self) -> int:
        """How many campaigns are still to be done."""
        return len(self.places) - self.known - self.done

    def do(self, begin: Begin) -> None:
        """Do all that is left in the workers that `begin` starts."""
        try:
            for job, result in Tasks(begin, do_job, self._jobs()).run():
                self._write(job, result)
        finally:
            self.results.release()

    def _jobs(self) -> Iterator[Job]:
        """Yield what is to be done; what another run has begun comes last, if it is not done then."""
        of_others = deque[ShelfPlace]()
        for place in self.places:
            if not self.again and self._holds(self.rows.get(place.campaign), place):
                self.known += 1
            elif self.results.claim(place.campaign, place.stamp):
                yield from self._job_unless_done(place)
            else:
                of_others.append(place)
        for place in of_others:
            yield from self._job_unless_done(place)

    def _job_unless_done(self, place: ShelfPlace) -> Iterator[Job]:
        """Yield the job of a place, if no other run has done it since this one began."""
        row, before = self.results.last(place.campaign), self.rows.get(place.campaign)
        if row is not None and row != before and self._holds(row, place):
            self.rows[place.campaign] = row
            self.known += 1
        else:
            yield Job(place, self.task, self._marks.get(place.campaign))

    def _holds(self, row: ShelfRow | None, place: ShelfPlace) -> bool:
        """Return whether a row is of the ledger as it is now, and of the rules that are installed."""
        if row is None or row.outcome == UNREADABLE or row.stamp != place.stamp:
            return False
        if isinstance(self.task, ExportTask) and not self.task.is_there(row):
            return False
        try:
            return row.revision == load_game(row.game).revision
        except LedgerError:  # the worker has a game that is not installed here
            return True

    def _write(self, job: Job, result: ShelfRow | BaseException) -> None:
        """Write the row of a job, also where its worker died."""
        if isinstance(result, BaseException):
            row = failed(empty_row(job), f"its worker died: {type(result).__name__}: {result}")
        else:
            row = result
        self.results.write(row)
        self.rows[row.campaign] = row
        self.done += 1
        self.outcomes[row.outcome] = self.outcomes.get(row.outcome, 0) + 1

    def answer(self) -> list[ShelfRow]:
        """Return the row of each place, in their order. A change that was printed before is none any more."""
        rows = [self.rows[place.campaign] for place in self.places if place.campaign in self.rows]
        if not isinstance(self.task, ChangesTask):
            return rows
        unprinted = self.results.unprinted()
        return [row if row.campaign in unprinted else without_change(row) for row in rows]
