"""`sheet`: print a template for a sheet."""

from __future__ import annotations

from pathlib import Path

import click

from cli.completion import complete_sheet
from cli.context import CampaignContext, read_toml
from cli.notation.known_words import match_word
from cli.options import FILE, game_option, pass_campaign
from cli.output import print_line, print_verbatim, remark
from cli.play.sheet_form import CHARACTER, SheetForm, sheet_problem, write_sheet
from cli.shell.editor import LineEditor
from ledger.errors import InputError
from ledger.ledger_state import LedgerState, initial_state
from ledger.names import escape
from projections.projection import StateProjection
from projections.state import State
from rulebooks import GAMES
from rulebooks.common.game import Game


@click.command()
@click.argument("kind", required=False, shell_complete=complete_sheet)
@game_option("A sheet of this game, instead of the game of this ledger.")
@click.option("--ask", is_flag=True, help="Ask for each value, and write the sheet into a file here.")
@click.option("--from", "actor", type=FILE, metavar="FILE", help="A sheet from this actor's JSON, by --map.")
@click.option("--map", "mapped", type=FILE, metavar="FILE", help="With --from: a sheet with paths for values.")
@pass_campaign
def sheet_command(
    context: CampaignContext, kind: str | None, game: str | None, ask: bool, actor: Path | None, mapped: Path | None
) -> None:
    """Print a template for a sheet of this KIND; without one, list the kinds.

    With --ask it asks for each value, with the default of the template, and writes the sheet (pc if no KIND is named).
    With --from it prints the sheet of an actor of Foundry (campaign help foundry).

    Examples: campaign sheet   campaign sheet pc > kess.toml   campaign sheet --ask   campaign sheet pc --game momentum
    campaign sheet --from actor.json --map map.toml > kess.toml
    """
    if (actor is None) != (mapped is None) or (actor and (kind or ask)):
        raise click.UsageError("--from FILE and --map FILE go together, without a KIND and --ask.")
    book = context.game_if_any(game)
    if book is None:
        raise InputError("there is no ledger here or above", hint=f"Name a game: --game {next(iter(GAMES))}.")
    if actor and mapped:
        from cli.play.actor_sheet import ActorMap, actor_sheet, read_actor  # to start faster

        print_verbatim(actor_sheet(book, ActorMap(read_toml(mapped), read_actor(actor), str(mapped))))
        return
    templates = book.texts().sheet_templates
    if not templates:
        print_line("This game has no templates for sheets.")
        return
    if kind is None and not ask:
        print_line(f"Sheets of {book.texts().content.title}: {', '.join(templates)}. Print one: campaign sheet KIND")
        return
    words = match_word(kind, templates).words if kind else [CHARACTER]
    if len(words) != 1:
        raise InputError(f"'{escape(str(kind))}' is not a kind of sheet", hint=f"There is: {', '.join(templates)}.")
    if ask:
        state = initial_state(StateProjection()) if game else context.ledger(write=False).state
        ask_for_sheet(book, state, templates[words[0]].read_text(encoding="utf-8"))
        return
    print_verbatim(templates[words[0]].read_text(encoding="utf-8").splitlines())


def ask_for_sheet(book: Game, state: LedgerState[State], template: str) -> None:
    """Ask for a sheet, write it into this folder, and say how it joins."""
    problem = sheet_problem(book, state, Path())
    content = SheetForm(template, LineEditor(lambda text: (), ()).ask, remark, problem).fill()
    path = write_sheet(Path(), content)
    remark(f"Written: {path}. Add {content['name']}: campaign cast {path}")
