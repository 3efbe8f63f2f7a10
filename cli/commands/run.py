"""`run`: declare the lines of a session file."""

from __future__ import annotations

from pathlib import Path

import click

from cli.context import CampaignContext, pass_campaign
from cli.options import json_option
from cli.output import remark
from cli.play.session_file import declare_lines, session_lines
from cli.play.taken_lines import check_file_is_new, find_taken_lines, said_lines
from cli.render.log import print_act
from cli.render.phrases import plural
from ledger.implied_passes import passes_of


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@json_option("Print the records as they are stored.")
@pass_campaign
def run_command(context: CampaignContext, file: Path, json: bool) -> None:
    """Declare the lines of FILE (.session) one by one, and stop at the first that is refused.

    Correct that line and run the file again: no line is declared twice.

    Example: campaign run sessions/1.session
    """
    ledger = context.ledger(write=True)
    lines, session = said_lines(session_lines(file)), ledger.state.session.number
    check_file_is_new(ledger.store, file, lines, session)
    aligned = list(find_taken_lines(ledger.store, session, file, lines).align(lines))
    if taken := sum(line.is_taken for line in aligned):
        remark(f"{file}: skipped {plural(taken, 'line', 'lines')}, already taken in session {session}.")
    for record in declare_lines(context, ledger, file, aligned):
        print_act(passes_of(ledger.store, record), record, context.wording, json=json)
