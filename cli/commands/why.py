"""`why`: the recorded arithmetic of an entry, step by step. Nothing is decided again."""

from __future__ import annotations

import re
from typing import Final

import click

from cli.completion import complete_entry
from cli.context import CampaignContext
from cli.errors import InputError, input_errors
from cli.options import json_option, pass_campaign, view_option
from cli.output import print_json, print_wrapped
from cli.pager import paged
from cli.queries.view import load_view
from cli.queries.why import explain
from cli.render.why import explanation_lines
from ledger.errors import stored_errors
from ledger.facts import EntryId, parse_entry_id

REFERENCE: Final = re.compile(
    r"([0-9]+\.[0-9]+(?:\+[0-9]+)?)(?:@([0-9]{1,9}))?(?:\.([0-9]{1,9}))?(?:@([0-9]{1,9}))?", re.ASCII
)


@click.command()
@click.argument("entry", shell_complete=complete_entry)
@view_option()
@click.option("--rules", "texts", is_flag=True, help="Rules with their texts, not only their headings.")
@json_option("Facts, dice, rules, readings and takes as JSON.")
@pass_campaign
def why_command(context: CampaignContext, entry: str, role: str, texts: bool, json: bool) -> None:
    """Show the recorded arithmetic of ENTRY with its rules and dice; ENTRY.FACT asks about one fact of it.

    Examples: campaign why 1.4   campaign why 1.4.3   campaign why 1.4 --rules   campaign why 1.4@1 (its first take)
    """
    id, number, take = parse_reference(entry)
    store, book = context.store(write=False), context.game()
    with stored_errors(f"entry {id}"):
        explanation, record = explain(load_view(store, book, role), book, id, number, take)
        told = explanation_lines(explanation, record, context.wording, whole=number is None, texts=texts)
        lines = [] if json else list(told)
    if json:
        print_json(explanation)
    else:
        with paged():
            print_wrapped(lines)


def parse_reference(text: str) -> tuple[EntryId, int | None, int | None]:
    """Return the entry, the fact and the take of `1.4`, `1.4.3`, `1.4@1` or `1.4.3@1`. Raises InputError."""
    match = REFERENCE.fullmatch(text.strip())
    if match is None or (match[2] and match[4]):
        raise InputError(f"'{text}' is not an entry", hint="Ask for 1.4, for 1.4.3 (its third fact), or for 1.4@1.")
    take = match[2] or match[4]
    with input_errors():
        return parse_entry_id(match[1]), int(match[3]) if match[3] else None, int(take) if take else None
