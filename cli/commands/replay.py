"""`replay`, `verify`, `rebuild`: is the ledger what was said, rolled and decided?"""

from __future__ import annotations

from collections.abc import Iterator

import click

from cli.context import CampaignContext, find_book, pass_campaign
from cli.errors import InputError
from cli.output import paint, print_json, print_line, safe
from cli.queries.edits import parse_readings
from cli.render.phrases import counted
from cli.render.whatif import foresight_json, foretold
from ledger.builtin import OUTCOME_PREFIX
from ledger.facts import EntryId
from ledger.field_diff import ReplayDifference
from ledger.replay import Replay, ReplayReport
from ledger.sqlite_store import SqliteStore
from ledger.whatif import WhatIf, WhatIfResult
from projections.projection import StateProjection
from rulebooks.common.game import Game


@click.command()
@click.argument("session", required=False, type=click.IntRange(min=0))
@click.option("--session", "named", type=click.IntRange(min=0), help="The session, as the argument.")
@click.option("--all", "every", is_flag=True, help="Explain every difference, not only the first.")
@click.option("--option", "options", multiple=True, metavar="NAME=READING", help="Under another reading of the book.")
@click.option("--json", "plain", is_flag=True, help="The report as JSON.")
@pass_campaign
@click.pass_context
def replay_command(
    ctx: click.Context,
    context: CampaignContext,
    session: int | None,
    named: int | None,
    every: bool,
    options: tuple[str, ...],
    plain: bool,
) -> None:
    """Decide all again from declarations, typed faces and seeds, and compare with what is recorded.

    After a difference it goes on from what is recorded, so that each is counted once. With --option it shows what the
    evening would have been under another reading.

    Examples: campaign replay 1   campaign replay --all   campaign replay 2 --option light_wound_cost=per_use
    """
    store = context.store(write=False)
    game = find_book(store)
    if None not in (session, named):
        raise click.UsageError("Name the session once.")
    session = named if session is None else session
    if options:
        sight = supposed(store, game, session, options)
        if plain:
            print_json(foresight_json(sight))
        else:
            for line in foretold(sight):
                print_line(line)
        ctx.exit(1 if any(fate.writes for fate in sight.outcomes) or sight.need else 0)
    report = Replay(store, game, StateProjection()).run(session)
    if session is not None and session not in report.sessions:
        raise InputError(f"there is no session {session}", hint="Leave it out to replay all.")
    if plain:
        print_json(report)
    else:
        for line in replayed(report, game, every=every):
            print_line(line)
    ctx.exit(1 if report.differences else 0)


def supposed(store: SqliteStore, game: Game, session: int | None, options: tuple[str, ...]) -> WhatIfResult:
    """A session, or all of them, under other readings. Raises InputError for what the book does not offer."""
    start, readings = parse_readings(store, game, session, options)
    upto = None if session is None else EntryId(session + 1, -1)
    return WhatIf(store, game, StateProjection()).run({}, start=start, upto=upto, chosen=readings)


def replayed(report: ReplayReport, game: Game, *, every: bool = False) -> list[str]:
    """A replay in a few lines; the first difference is explained, or every one."""
    installed = f"{game.name} {game.version}"
    lines = [
        f"played with {safe(rulebook)}; installed is {installed}"
        for rulebook in report.rulebooks
        if rulebook and rulebook != installed
    ]
    lines.append(
        f"{report.entries} entries, {report.facts} facts decided again; "
        f"{report.drawn} faces drawn again from revealed seeds, {report.typed} typed at the table"
        + (f", {report.sealed} sealed until the session closes" if report.sealed else "")
    )
    for claim in report.claims:
        actual = "nothing" if claim.actual is None else safe(str(claim.actual))
        name = safe(claim.value.removeprefix(OUTCOME_PREFIX))
        lines.append(f"{safe(claim.entry)} claims {name} {safe(str(claim.claimed))}, the ledger says {actual}")
    if not report.differences:
        return [*lines, paint("the replay agrees", fg="green")]
    first = report.differences[0]
    many = counted(len(report.differences), "entry", "entries")
    head = paint(f"the replay differs in {many}, first in {safe(first.entry)}:", fg="red")
    told = report.differences if every else [first]
    return [*lines, head, *(line for found in told for line in explained(found, game))]


def explained(found: ReplayDifference, game: Game) -> Iterator[str]:
    """A difference: which fact, which field, what on either side, and by which rules."""
    yield f"  {safe(str(found))}"
    texts = game.texts()
    yield from (f"    {id}: {texts.rules[id].text}" for id in found.rules if id in texts.rules)
