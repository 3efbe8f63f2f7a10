"""`odds`: the exact chances of a declaration before it is made."""

from __future__ import annotations

import click

from cli.context import CampaignContext
from cli.notation.line_parser import parse_line
from cli.options import json_option, pass_campaign, view_option
from cli.output import print_json, print_wrapped, remark, terminal_width, to_terminal
from cli.phrases.parts import in_brackets
from cli.questions.line_scope import line_scope
from cli.questions.odds import odds_for
from cli.questions.players_ledger import store_for
from cli.render.odds import odds_lines, short_odds
from ledger.errors import InputError, input_errors
from ledger.ledger_state import load_state
from projections.projection import StateProjection


@click.command()
@click.argument("words", metavar="LINE", nargs=-1, required=True)
@click.option("--full", is_flag=True, help="All results with their ways, and the averages of the values that change.")
@view_option()
@json_option("The chances as JSON.")
@pass_campaign
def odds_command(context: CampaignContext, words: tuple[str, ...], full: bool, role: str, json: bool) -> None:
    """Count the exact chances of LINE, as if it were declared now. Nothing is declared or drawn.

    Prints the chance of success at each level that the speaker may choose, or of each result. On somebody else's turn
    the line is judged as if it were the speaker's. Several words are joined: quotes are needed only where the shell
    would read a sign itself.

    Examples: campaign odds 'k sneak v5'   campaign odds 'o wound'   campaign odds --full 'k attack dovel d4'
    """
    ledger, book = context.ledger(write=False), context.game()
    seen = store_for(ledger.store, book, role)
    with input_errors():
        parsed = parse_line(" ".join(words), line_scope(load_state(seen, StateProjection()), book))
    if parsed is None:
        raise InputError("the line is empty", hint="Write one: campaign odds 'k sneak v5'.")
    if parsed.faces is not None:
        remark("The typed faces are ignored: odds count every face.")
    odds, turn = odds_for(seen, book, ledger.state, parsed.declaration)
    if turn is not None:
        remark(f"Judged as if it were {turn.who}'s turn{in_brackets(turn.phase and f'{turn.phase} phase')}.")
    if json:
        print_json(odds)
    elif full:
        print_wrapped(odds_lines(odds, context.wording))
    else:
        width = terminal_width() if to_terminal() else None
        print_wrapped(short_odds(odds, parsed.declaration.by, context.wording, width, book.texts().lexicon.vital_value))
