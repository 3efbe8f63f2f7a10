"""`run`: declare the lines of a session file."""

from __future__ import annotations

from pathlib import Path

import click

from cli.context import CampaignContext, pass_campaign
from cli.options import json_option
from cli.output import remark
from cli.play.session_file import check_file_is_new, declare_lines, declared_line_numbers, request_key, session_lines
from cli.render.log import print_record
from cli.render.phrases import plural


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
    lines, session = session_lines(file), ledger.state.session.number
    check_file_is_new(ledger.store, file, lines, session)
    taken = declared_line_numbers(ledger, request_key(session, file))
    for record in declare_lines(context, ledger, file, lines):
        print_record(record, context.wording, json=json)
    if taken:
        number = plural(len(taken), "line", "lines")
        remark(f"{file}: skipped {number} of a file of this name, already taken in session {session}.")
