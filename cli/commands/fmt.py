"""`fmt`: a line as the ledger understands it, written out in full. Nothing is declared, nothing is kept."""

from __future__ import annotations

import click

from cli.context import CampaignContext, pass_campaign
from cli.errors import input_errors
from cli.notation.claims import claim_spoken
from cli.notation.formatter import speak
from cli.notation.line_parser import COMMANDS, Said, read
from cli.notation.tokens import normal_line
from cli.output import print_line, safe
from cli.queries.line_scope import line_scope
from ledger.builtin import BUILTIN
from ledger.game import decoder
from rulebooks.common.game import Game


@click.command()
@click.argument("line")
@pass_campaign
def fmt_command(context: CampaignContext, line: str) -> None:
    """Print LINE written out in full, read as it would be now. The rules are not asked.

    Example: campaign fmt 'k sn v5 e1'
    """
    table = context.ledger(write=False)
    with input_errors():
        command = normal_line(line).strip()
        said = None if command in COMMANDS else read(line, line_scope(table.state, context.book()))
    if command in COMMANDS:
        print_line(command)
    elif said is not None:
        print_line(safe(in_full(said, context.book())))


def in_full(said: Said, book: Game) -> str:
    """The canonical line, and the faces typed in. Raises Unreadable for what no line says."""
    faces = [] if said.faces is None else ["/" + ".".join(str(face) for face in said.faces)]
    claims = ["=> " + ", ".join(claim_spoken(name, value) for name, value in said.claims)] if said.claims else []
    return " ".join((speak(said.said, decoder(book, BUILTIN).decode), *faces, *claims))
