"""`shelf`: do something with many campaigns: all below a folder."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

import click
from click.exceptions import Exit

from cli.context import CampaignContext
from cli.options import (
    all_option,
    jobs_option,
    json_option,
    pass_campaign,
    reading_option,
    revision_option,
    view_option,
)
from cli.output import print_json, print_wrapped, remark
from cli.pager import paged
from cli.place import PlaceType
from cli.play.parquet import check_duckdb
from cli.progress import live_line
from cli.questions.roles import PLAYERS
from cli.shelf.changes import ChangesTask
from cli.shelf.dask import dask_workers
from cli.shelf.forecast import ForecastTask
from cli.shelf.job import ShelfTask, name_of
from cli.shelf.luck import LuckTask
from cli.shelf.places import Shelf
from cli.shelf.replay import ReplayTask, is_unasked
from cli.shelf.results import DIFFERS, UNREADABLE, ResultsFile, ShelfRow
from cli.shelf.run import Run
from cli.shelf.summaries import summary_lines
from cli.shelf.tasks import ExportTask, SearchTask, VerifyTask
from ledger.errors import InputError
from ledger.names import escape, plural
from ledger.postgres_address import DatabaseAddress
from ledger.processes import usable_processors, worker_processes
from ledger.tasks import Begin, OwnExecutor, Workers

RESULTS_FILE: Final = "shelf.db"
Command = Callable[..., Any]


@click.group()
def shelf_command() -> None:
    """Do something with every campaign below a FOLDER, and keep a row of what came of each.

    The rows are written as they come into a file of results, by default shelf.db in the first FOLDER. A run that was
    ended goes on where it was; a campaign is looked at again when its ledger or the rules have changed, or with
    --again. A ledger that cannot be read is a row too, and no end. FOLDER may be the address of a database; by default
    it is the one here, or that of -C.

    Exit codes: 0 all is well, 1 something differs, 3 some ledger cannot be read.

    Examples: campaign shelf verify tables   campaign shelf replay tables --option light_wound_cost=per_use
    campaign shelf search lamp tables   campaign shelf changes tables
    """


def shelf_options(function: Command) -> Command:
    """Return a command that does the task which a function makes of its own options; it takes those of a shelf too."""

    def command(context: CampaignContext, /, **given: Any) -> None:
        own = {name: given.pop(name) for name in ("tops", "results", "jobs", "dask", "again", "every", "json")}
        run_task(context, function(**given), **own)

    command.__doc__ = function.__doc__
    for option in reversed(OPTIONS):
        command = option(command)
    shared: list[click.Parameter] = command.__click_params__  # type: ignore[attr-defined]  # click's, the last first
    shared += getattr(function, "__click_params__", ())
    return pass_campaign(command)


OPTIONS: Final[tuple[Callable[[Command], Command], ...]] = (
    click.argument("tops", nargs=-1, metavar="[FOLDER]...", type=PlaceType(path_type=Path)),
    click.option("--results", type=click.Path(path_type=Path), metavar="FILE", help="The file of results."),
    jobs_option,
    click.option("--dask", metavar="ADDRESS", help="Work on the Dask cluster of this scheduler."),
    click.option("--again", is_flag=True, help="Look at all campaigns again."),
    all_option("Print all of it, however long."),
    json_option("The rows as JSON, one a line."),
)


def task(function: Command) -> Command:
    """Make a command of `shelf` of a function that returns the task that its options ask for."""
    shelf_command.command(function.__name__.removesuffix("_task"))(shelf_options(function))
    return function


@task
@click.option("--quick", is_flag=True, help="Check hashes, sums, snapshots and dice, and apply no rule again.")
def verify_task(quick: bool) -> VerifyTask:
    """Check every ledger, as campaign verify does one.

    Examples: campaign shelf verify tables   campaign shelf verify tables --quick --again
    """
    return VerifyTask(quick)


@task
@reading_option("Use another reading of the book.")
@revision_option
def replay_task(options: tuple[str, ...], revision: str | None) -> ReplayTask:
    """Decide every entry again, by the rules on record or by others.

    With --option or --revision each evening is decided again from the state in which it began on record: how many
    results would be others, whose, who would have lived, and the entries to look at.

    Examples: campaign shelf replay tables   campaign shelf replay tables --option light_wound_cost=per_use
    """
    return ReplayTask(options, revision)


@task
@reading_option("Play by another reading of the book too, over the same runs.")
@click.option("--runs", type=click.IntRange(1, 10_000), default=20, show_default=True, help="Of each fight.")
@click.option("--fights", type=click.IntRange(1, 10_000), default=10, show_default=True, help="The last of a campaign.")
@click.option("--key", default="1", show_default=True, help="Other dice. The same key gives the same runs.")
def forecast_task(options: tuple[str, ...], runs: int, fights: int, key: str) -> ForecastTask:
    """Play the fights that were really fought again, by forecast: how often somebody of the players falls.

    Each begins in the state in which it began, and everybody does as in their campaign. With --option the same runs are
    played by another reading of the book too: the effect of a house rule.

    Examples: campaign shelf forecast tables   campaign shelf forecast tables --option light_wound_cost=per_use
    """
    return ForecastTask(options, runs, fights, key)


@task
@view_option()
def luck_task(role: str) -> LuckTask:
    """Compare the dice of all campaigns with all throws that were possible.

    Examples: campaign shelf luck tables   campaign shelf luck tables --all
    """
    return LuckTask(role)


@task
@click.argument("text")
@click.option("--takes", is_flag=True, help="Also search takes that no longer count.")
@view_option()
def search_task(text: str, takes: bool, role: str) -> SearchTask:
    """Find the entries of all campaigns whose line or text contains all words of TEXT.

    Examples: campaign shelf search lamp tables   campaign shelf search "knotted rope" tables --takes
    """
    return SearchTask(text, takes, role)


@task
@click.option(
    "--parquet", required=True, type=click.Path(path_type=Path, file_okay=False), metavar="DIR", help="The data set."
)
@view_option(PLAYERS)
def export_task(parquet: Path, role: str) -> ExportTask:
    """Write records, facts, dice and values of all campaigns as one data set of Parquet files, for DuckDB.

    Examples: campaign shelf export tables --parquet corpus   campaign shelf export tables --parquet corpus --as gm
    """
    check_duckdb()
    return ExportTask(str(parquet.absolute()), role)


@task
def changes_task() -> ChangesTask:
    """Say what was written in every campaign since this was asked the last time.

    Examples: campaign shelf changes tables   campaign shelf changes tables --json
    """
    return ChangesTask()


def run_task(
    context: CampaignContext,
    what: ShelfTask,
    *,
    tops: tuple[Path | DatabaseAddress, ...],
    results: Path | None,
    jobs: int | None,
    dask: str | None,
    again: bool,
    every: bool,
    json: bool,
) -> None:
    """Do a task with all campaigns, print what came of it, and exit."""
    if dask is not None and jobs is not None:
        raise click.UsageError("--jobs is for this machine: leave it out with --dask.")
    tops = tops or (context.address or context.named_folder or Path(),)
    path = results if results is not None else results_beside(what, tops[0])
    shelf = Shelf(tops, path.parent)
    name, options = name_of(what)
    with ResultsFile(path, name, options, secrets.token_hex(8)) as file:
        run = Run(what, shelf, file, again=again)
        if not run.places:
            raise InputError(f"there is no campaign in {escape(str(tops[0]))}", hint="Name the folder above them.")
        with live_line(partial(progress_line, name, run)):
            run.do(workers_of(dask, min(jobs or usable_processors(), len(run.places))))
        rows = run.answer()
        refuse_unknown(what, rows)
        print_rows(what, rows, json=json, every=every)
        file.note_printed()
    remark(f"{run.done:,} of {plural(len(run.places), 'campaign', 'campaigns')} looked at now. Results: {path}")
    raise exit_of(rows)


def results_beside(what: ShelfTask, top: Path | DatabaseAddress) -> Path:
    """Return the file of results that nobody has named: in the data set, in the first folder, or here."""
    if isinstance(what, ExportTask):
        return Path(what.folder, RESULTS_FILE)
    return (top if isinstance(top, Path) else Path()) / RESULTS_FILE


def refuse_unknown(what: ShelfTask, rows: Sequence[ShelfRow]) -> None:
    """Raise InputError if the book of no campaign has the reading that is supposed."""
    unasked = [row for row in rows if is_unasked(row)]
    readable = [row for row in rows if row.outcome != UNREADABLE]
    if isinstance(what, ReplayTask | ForecastTask) and what.supposes and unasked and unasked == readable:
        raise InputError(unasked[0].text)


def workers_of(dask: str | None, jobs: int) -> Begin:
    """Return how the workers begin: on a cluster, in processes, or one job after the other in this process."""
    if dask is not None:
        return partial(dask_workers, dask)
    return partial(worker_processes, jobs) if jobs > 1 else own_worker


@contextmanager
def own_worker() -> Iterator[Workers]:
    """Do all in this process."""
    yield Workers(OwnExecutor(), 1)


def progress_line(name: str, run: Run, seconds: float) -> str:
    """Return how far a run is: `verify: 120 of 10,000 campaigns, 2 differing, 30 s, about 290 s more`."""
    parts = [f"{name}: {len(run.places) - run.left:,} of {len(run.places):,} campaigns"]
    parts += [f"{run.outcomes[DIFFERS]:,} differing"] if run.outcomes.get(DIFFERS) else []
    parts += [f"{run.outcomes[UNREADABLE]:,} unreadable"] if run.outcomes.get(UNREADABLE) else []
    parts.append(f"{int(seconds)} s")
    parts += [f"about {int(seconds / run.done * run.left)} s more"] if run.done else []
    return ", ".join(parts)


def print_rows(what: ShelfTask, rows: list[ShelfRow], *, json: bool, every: bool) -> None:
    """Print the rows as JSON, or what they come to."""
    if json:
        for row in rows:
            print_json(row)
        return
    with paged():
        print_wrapped(summary_lines(what, rows, every=every))


def exit_of(rows: list[ShelfRow]) -> Exit:
    """Return how the command ends: with 3 if a ledger cannot be read, else with 1 if one differs."""
    outcomes = {row.outcome for row in rows}
    return Exit(3 if UNREADABLE in outcomes else 1 if DIFFERS in outcomes else 0)
