"""`run`: declare the lines of a session file."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from cli.context import CampaignContext
from cli.options import json_option, pass_campaign, yes_option
from cli.output import remark
from cli.play.session_file import STANDARD_INPUT, declare_lines, input_lines, session_lines
from cli.play.session_player import SessionPlayer
from cli.play.taken_lines import check_file_is_new, said_lines
from cli.render.log import print_act
from cli.render.session_file import PrintedReport
from ledger.acts import written_before
from ledger.errors import InputError
from ledger.names import plural


@click.command()
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@yes_option("Write every correction that an edit of the file would be.")
@json_option("Print the records as they are stored.")
@pass_campaign
@click.pass_context
def run_command(ctx: click.Context, context: CampaignContext, file: Path, yes: bool, json: bool) -> None:
    """Declare the lines of FILE (.session) one by one, and stop at the first that is refused.

    Correct that line and run the file again: no line is declared twice. A text (#, >, ") that was changed or inserted
    is amended at once. Any other edit of a line that was taken is shown as the correction that it would be: at a
    terminal you are asked, elsewhere it waits for --yes. With `-` the lines are read from standard input, and each is
    declared as if it were typed.

    Examples: campaign run sessions/1.session   grep -v pass 1.session | campaign run -
    """
    if str(file) in ("-", "/dev/stdin"):
        run_input(context, json=json)
        return
    ledger, lines = context.ledger(write=True, door="file"), session_lines(file)
    said = said_lines(lines)
    check_file_is_new(ledger.store, file, said, ledger.state.session.number)
    report = PrintedReport(file, context.wording, json=json, confirmed=yes)
    player = SessionPlayer(file, context.game(), report, lambda: context.now, confirmed=yes)
    _, alignment = player.align(ledger, said)
    if taken := len(alignment.same):
        session = ledger.state.session.number
        remark(f"{file}: skipped {plural(taken, 'line', 'lines')}, already taken in session {session}.")
    player.take(ledger, lines)
    ctx.exit(1 if player.left else 0)


def run_input(context: CampaignContext, *, json: bool) -> None:
    """Declare the lines of standard input."""
    if sys.stdin is None:
        raise InputError("standard input is closed", hint="Name a .session file.")
    ledger, lines = context.ledger(write=True, door="file"), input_lines(sys.stdin.buffer)
    for record in declare_lines(ledger, context.game(), lines, lambda: context.now, STANDARD_INPUT, remark):
        print_act(written_before(ledger.store, record), record, context.wording, json=json)
