"""`run`: declare the lines of a session file."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from cli.context import CampaignContext, pass_campaign
from cli.errors import InputError
from cli.options import json_option
from cli.output import remark
from cli.play.session_file import STANDARD_INPUT, declare_lines, input_lines, session_lines
from cli.play.taken_lines import FileLine, check_file_is_new, find_taken_lines, said_lines
from cli.render.log import print_act
from cli.render.phrases import plural
from ledger.acts import written_before
from ledger.service import Ledger
from projections.state import State


@click.command()
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@json_option("Print the records as they are stored.")
@pass_campaign
def run_command(context: CampaignContext, file: Path, json: bool) -> None:
    """Declare the lines of FILE (.session) one by one, and stop at the first that is refused.

    Correct that line and run the file again: no line is declared twice. With `-` the lines are read from standard
    input, and each is declared as if it were typed.

    Examples: campaign run sessions/1.session   grep -v pass 1.session | campaign run -
    """
    ledger = context.ledger(write=True)
    if str(file) == "-":
        if sys.stdin is None:
            raise InputError("standard input is closed", hint="Name a .session file.")
        file, new = STANDARD_INPUT, input_lines(sys.stdin.buffer)
    else:
        new = iter(aligned_lines(ledger, file))
    for record in declare_lines(context, ledger, file, new):
        print_act(written_before(ledger.store, record), record, context.wording, json=json)


def aligned_lines(ledger: Ledger[State], file: Path) -> list[FileLine]:
    """Return the lines of a file, each as taken, new, changed or late; say how many are skipped."""
    lines, session = said_lines(session_lines(file)), ledger.state.session.number
    check_file_is_new(ledger.store, file, lines, session)
    aligned = list(find_taken_lines(ledger.store, session, file, lines).align(lines))
    if taken := sum(line.is_taken for line in aligned):
        remark(f"{file}: skipped {plural(taken, 'line', 'lines')}, already taken in session {session}.")
    return aligned
