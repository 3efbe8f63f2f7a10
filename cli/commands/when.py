"""`when`: the first entry after which a comparison of values held, or every stretch of entries."""

from __future__ import annotations

import click
from click.exceptions import Exit

from cli import options
from cli.completion import complete_value
from cli.context import CampaignContext
from cli.output import print_json, print_verbatim, print_wrapped
from cli.questions import ledger_file, players_ledger, when, who
from cli.questions.state_at import state_at
from cli.render.when import answer_csv, answer_json, answer_lines
from cli.render.who import in_force_lines
from ledger.errors import input_errors
from projections.query import value_names
from projections.query_parser import parse_question


@click.command()
@click.argument("question", shell_complete=complete_value)
@options.all_option("Every stretch in which it held, not only the first.")
@options.session_option("In this session only.")
@options.at_option
@options.as_of_option
@options.view_option()
@options.json_option("The stretches as JSON.")
@options.csv_option("The stretches as CSV.")
@options.pass_campaign
def when_command(
    context: CampaignContext,
    question: str,
    every: bool,
    session: int | None,
    at: str | None,
    as_of: int | None,
    role: str,
    json: bool,
    csv: bool,
) -> None:
    """Find the first entry at whose end QUESTION was true, and the changes that made it so.

    A question compares values, named as for `who`, with numbers, words or other values (< <= = != >= >), joined by
    and, or, not and brackets. A comparison with a value that does not exist is false, also one with !=.
    Exits with 1 if it never held.

    Examples: campaign when 'k.hp < 3'   campaign when 'encounter.phase = action and not doom > 5' --all --session 2
    """
    with input_errors():
        parsed = parse_question(question)
    store, book = context.store(write=False), context.game()
    with ledger_file.ledger_errors(store.path):
        seen = players_ledger.store_for(store, book, role, as_of=as_of)
        position = state_at(seen, at, as_of)
        answered = when.answer(seen, parsed, position, session, book.texts().lexicon)
    shown = answered.stretches if every else answered.stretches[:1]
    if json:
        print_json(answer_json(answered, shown))
    elif csv:
        print_verbatim(answer_csv(answered, shown))
    else:
        print_wrapped(answer_lines(answered, shown, context.wording))
        print_wrapped(in_force_lines(who.sums_in_force(value_names(answered.question), position.state, book)))
    raise Exit(0 if shown else 1)
