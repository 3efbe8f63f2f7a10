"""`replay`: decide every entry again and compare."""

from __future__ import annotations

from typing import Final

import click
from click.exceptions import Exit

from cli.context import CampaignContext
from cli.options import (
    SESSION,
    all_option,
    jobs_option,
    json_option,
    pass_campaign,
    reading_option,
    revision_option,
    session_option,
)
from cli.output import print_json, print_wrapped
from cli.processes import processes
from cli.progress import progress
from cli.questions.edits import parse_readings, parse_revision
from cli.questions.ledger_file import find_game
from cli.render.replay import replay_lines
from cli.render.whatif import whatif_json, whatif_lines
from ledger.errors import InputError
from ledger.facts import EntryId
from ledger.replay import Replay
from ledger.session_proof import stored_proofs
from ledger.whatif import WhatIf, WhatIfResult
from projections.projection import StateProjection

LEAST: Final = 6_000  # records: a second's work


@click.command()
@click.argument("session", required=False, type=SESSION)
@session_option("The session, instead of the argument.", "named")
@all_option("Explain every difference, not only the first.")
@reading_option("Use another reading of the book.")
@revision_option
@jobs_option
@json_option("The report as JSON.")
@pass_campaign
def replay_command(
    context: CampaignContext,
    session: int | None,
    named: int | None,
    every: bool,
    options: tuple[str, ...],
    revision: str | None,
    jobs: int | None,
    json: bool,
) -> None:
    """Decide all entries again from declarations, typed faces and seeds, and compare with the record.

    A session is decided by the revision of the rules that it records. After a difference replay continues from the
    record, so that each difference counts once. With --option it shows what would have followed from another reading,
    with --revision from another revision of the rules: `latest` are those that are installed.

    Examples: campaign replay 1   campaign replay --all   campaign replay 2 --option light_wound_cost=per_use
    campaign replay 1 --revision latest
    """
    if None not in (session, named):
        raise click.UsageError("Name the session once.")
    session = named if session is None else session
    if options or revision:
        _replay_otherwise(context, session, options, revision, json=json)
    store = context.store(write=False)
    game = find_game(store)
    with processes(store, jobs if session is None else 1, LEAST) as workers:
        if workers is None:
            with progress("replay", lambda: store.records_read):
                report = Replay(store, game, StateProjection()).run(session)
        else:
            with progress("replay", lambda: workers.takes_done):
                report = workers.start_replay(store, StateProjection())()
    if session is not None and session not in report.sessions:
        raise InputError(f"there is no session {session}", hint="Leave it out to replay all.")
    if json:
        print_json(report)
    else:
        proofs = stored_proofs(store, session, count=True)
        print_wrapped(replay_lines(report, proofs.values(), game, context.wording, every=every))
    raise Exit(1 if report.differences else 0)


def _replay_otherwise(
    context: CampaignContext, session: int | None, options: tuple[str, ...], revision: str | None, *, json: bool
) -> None:
    """Print a session, or all, under other readings or another revision of the rules, and exit."""
    result = replay_otherwise(context, session, options, revision)
    if json:
        print_json(whatif_json(result))
    else:
        print_wrapped(whatif_lines(result, context.wording))
    raise Exit(1 if any(outcome.writes for outcome in result.outcomes) or result.need else 0)


def replay_otherwise(
    context: CampaignContext, session: int | None, options: tuple[str, ...], revision: str | None = None
) -> WhatIfResult:
    """Return a session, or all, under other readings or another revision of the rules.

    Raises InputError for a reading that the book does not have, or a revision that the program does not have.
    """
    store, game = context.store(write=False), context.game()
    start, readings = parse_readings(store, game, session, options)
    supposed = parse_revision(game, revision)
    if supposed is not None and session is None:
        start = EntryId(0, 0)
    upto = None if session is None else EntryId(session + 1, -1)
    with progress("replay", lambda: store.records_read):
        return WhatIf(store, game, StateProjection(), supposed).run({}, start=start, upto=upto, chosen=readings)
