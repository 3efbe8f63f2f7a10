"""`who`: every change of one value, and what changed it."""

from __future__ import annotations

from typing import Final

import click

from cli import completion, options, output, pager
from cli.context import CampaignContext
from cli.questions.players_ledger import store_for
from cli.questions.state_at import state_at
from cli.questions.who import ValueReport, sums_in_force, who_report
from cli.render.who import in_force_lines, who_csv, who_json, who_lines
from ledger.names import NUMBER_MOST

LISTED: Final = 40  # changes that are printed if nobody says how many


@click.command()
@click.argument("value", nargs=-1, required=True, shell_complete=completion.complete_value)
@click.option("-n", "most", type=click.IntRange(1, NUMBER_MOST), help="Only the last N changes.", metavar="N")
@options.all_option(f"Every change; else the last {LISTED} are printed. JSON and CSV have all.")
@options.at_option
@options.as_of_option
@options.view_option()
@options.json_option("The changes as JSON.")
@options.csv_option("The changes as CSV.")
@options.pass_campaign
def who_command(
    context: CampaignContext,
    value: tuple[str, ...],
    most: int | None,
    every: bool,
    at: str | None,
    as_of: int | None,
    role: str,
    json: bool,
    csv: bool,
) -> None:
    """List the changes of VALUE: the fact, before and after, cause, rule, and the line that caused it.

    The name of a being lists the changes of all its values.

    Examples: campaign who kess.might   campaign who doom --all   campaign who kess   campaign who kess.wounds -n 5
    """
    if every and most:
        raise click.UsageError("Choose one: --all or -n.")
    if not (every or most or json or csv):
        most = LISTED
    book = context.game()
    store = store_for(context.store(write=False), book, role, as_of=as_of)
    position = state_at(store, at, as_of)
    report = who_report(store, position, " ".join(value), book.texts().lexicon, most)
    if json:
        output.print_json(who_json(report))
    elif csv:
        output.print_verbatim(who_csv(report))
    else:
        with pager.paged():
            output.print_wrapped(who_lines(report, context.wording))
            if isinstance(report, ValueReport):
                output.print_wrapped(in_force_lines(sums_in_force((report.name,), position.state, book)))
