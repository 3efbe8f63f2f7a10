"""`show`: the state at any entry."""

from __future__ import annotations

import click

from cli import completion, options, output
from cli.context import CampaignContext
from cli.phrases.results import sum_text
from cli.questions.players_ledger import hidden_beings, store_for
from cli.questions.state_at import find_subject, own_values, state_at, subject_values
from cli.questions.window_dice import window_dice
from cli.render.csv import csv_lines
from cli.render.state import subject_lines
from projections.state import Being


@click.command()
@click.argument("what", nargs=-1, shell_complete=completion.complete_subject)
@options.at_option
@options.as_of_option
@options.all_option("Also those who are dead or absent.")
@options.view_option()
@options.json_option("Every value by name, as JSON.")
@options.csv_option("Every value by name, as CSV.")
@options.pass_campaign
def show_command(
    context: CampaignContext,
    what: tuple[str, ...],
    at: str | None,
    as_of: int | None,
    every: bool,
    role: str,
    json: bool,
    csv: bool,
) -> None:
    """Show the party and open windows; or everything about WHAT: a being, `encounter`, or a token by its name.

    Those who are dead or absent are shown with `--all`.

    Examples: campaign show   campaign show kess --at 1.4   campaign show encounter   campaign show doom
    """
    store, book = context.store(write=False), context.game()
    seen = store_for(store, book, role, as_of=as_of)
    position = state_at(seen, at, as_of)
    subject = find_subject(position.state, " ".join(what)) if what else None
    if json:
        output.print_json(subject_values(position, subject))
    elif csv:
        output.print_verbatim(csv_lines(("value", "now"), own_values(position, subject).items()))
    else:
        lines = subject_lines(position, subject, book, window_dice(seen, position), every=every)
        if isinstance(subject, Being) and subject.name not in hidden_beings(seen):
            whole = state_at(store, at, as_of)
            lines += [sum_text(total) for total in book.guide.computed(subject.name, whole.state)]
            dice = book.guide.rolled(subject.name, whole.state)
            lines += [", ".join(f"{name} {rolled}" for name, rolled in dice.items())] if dice else []
        output.print_wrapped(lines)
