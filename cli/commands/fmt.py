"""`fmt`: print a line as the ledger understands it."""

from __future__ import annotations

import click

from cli.context import CampaignContext
from cli.notation.formatter import format_line
from cli.notation.line_parser import parse_normal_line
from cli.notation.tokens import LINE_COMMANDS, normalize_line
from cli.options import pass_campaign
from cli.output import print_line
from cli.questions.line_scope import line_scope
from ledger.errors import input_errors
from ledger.names import escape


@click.command()
@click.argument("line")
@pass_campaign
def fmt_command(context: CampaignContext, line: str) -> None:
    """Print LINE written out in full, as it would be understood now. The rules are not asked; nothing is declared.

    Example: campaign fmt 'k sn v5 e1'
    """
    ledger = context.ledger(write=False)
    with input_errors():
        line = normalize_line(line)
        if line.strip() in LINE_COMMANDS:
            print_line(line.strip())
            return
        scope = line_scope(ledger.state, context.game())
        parsed = parse_normal_line(line, scope)
    if parsed is not None:
        print_line(escape(format_line(parsed, scope)))
