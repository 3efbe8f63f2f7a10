"""`sheet`: print a template for a sheet."""

from __future__ import annotations

import click

from cli.completion import complete_sheet
from cli.context import CampaignContext
from cli.notation.resolve import match_word
from cli.options import pass_campaign
from cli.output import print_line, print_verbatim
from ledger.errors import InputError
from ledger.names import escape
from rulebooks import GAMES


@click.command()
@click.argument("kind", required=False, shell_complete=complete_sheet)
@click.option(
    "--game", type=click.Choice(list(GAMES)), help="A sheet of this game, instead of the game of this ledger."
)
@pass_campaign
def sheet_command(context: CampaignContext, kind: str | None, game: str | None) -> None:
    """Print a template for a sheet of this KIND; without one, list the kinds.

    Examples: campaign sheet   campaign sheet pc > kess.toml   campaign sheet pc --game momentum
    """
    book = context.game_if_any(game)
    if book is None:
        raise InputError("there is no ledger here or above", hint=f"Name a game: --game {next(iter(GAMES))}.")
    templates = book.texts().sheet_templates
    if not templates:
        print_line("This game has no templates for sheets.")
        return
    if kind is None:
        print_line(f"Sheets of {book.texts().content.title}: {', '.join(templates)}. Print one: campaign sheet KIND")
        return
    words = match_word(kind, templates).words
    if len(words) != 1:
        raise InputError(f"'{escape(kind)}' is not a kind of sheet", hint=f"There is: {', '.join(templates)}.")
    print_verbatim(templates[words[0]].read_text(encoding="utf-8").splitlines())
