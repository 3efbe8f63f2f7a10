"""`why`: the recorded arithmetic of an entry, step by step. Nothing is decided again."""

from __future__ import annotations

import re
from functools import partial
from typing import Final

import click

from cli import completion, options, output, pager
from cli.context import CampaignContext
from cli.phrases.fact_phrases import fact_clause
from cli.questions.players_ledger import store_for
from cli.questions.why import explain, last_entry, repeated_entry
from cli.render.why import explanation_lines, short_lines
from ledger.errors import InputError, input_errors, stored_errors
from ledger.facts import EntryId, parse_entry_id

REFERENCE: Final = re.compile(
    r"([0-9]+\.[0-9]+(?:\+[0-9]+)?)(?:@([0-9]{1,9}))?(?:\.([0-9]{1,9}))?(?:@([0-9]{1,9}))?", re.ASCII
)


@click.command()
@click.argument("entry", required=False, shell_complete=completion.complete_entry)
@options.view_option()
@click.option("--short", is_flag=True, help="In about five lines: the result, what was not claimed, the sums.")
@click.option("--rules", "texts", is_flag=True, help="Rules with their texts, not only their headings.")
@options.json_option("Facts, dice, rules, readings and takes as JSON.")
@options.pass_campaign
def why_command(context: CampaignContext, entry: str | None, role: str, short: bool, texts: bool, json: bool) -> None:
    """Show the recorded arithmetic of ENTRY, or of the last line, with its rules and dice.

    ENTRY.FACT asks about one fact of it.

    Examples: campaign why   campaign why 1.4   campaign why 1.4.3   campaign why 1.4 --short
    campaign why 1.4 --rules   campaign why 1.4@1 (its first take)
    """
    store, book = context.store(write=False), context.game()
    id, number, take = parse_reference(entry) if entry else (last_entry(context.ledger(write=False)), None, None)
    with stored_errors(f"entry {id}"):
        seen = store_for(store, book, role)
        tell = partial(fact_clause, wording=context.wording)
        explanation, record = explain(seen, book, id, number, take, tell=tell)
        if entry is None and (source := repeated_entry(explanation)):
            explanation, record = explain(seen, book, parse_entry_id(source), tell=tell)
        if short:
            told = short_lines(explanation, record, context.wording)
        else:
            told = explanation_lines(explanation, record, context.wording, whole=number is None, texts=texts)
        lines = [] if json else list(told)
    if json:
        output.print_json(explanation)
    else:
        with pager.paged():
            output.print_wrapped(lines)


def parse_reference(text: str) -> tuple[EntryId, int | None, int | None]:
    """Return the entry, the fact and the take of `1.4`, `1.4.3`, `1.4@1` or `1.4.3@1`. Raises InputError."""
    match = REFERENCE.fullmatch(text.strip())
    if match is None or (match[2] and match[4]):
        raise InputError(f"'{text}' is not an entry", hint="Ask for 1.4, for 1.4.3 (its third fact), or for 1.4@1.")
    take = match[2] or match[4]
    with input_errors():
        return parse_entry_id(match[1]), int(match[3]) if match[3] else None, int(take) if take else None
