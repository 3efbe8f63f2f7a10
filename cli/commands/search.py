"""`search`: find words in lines, scenes, fiction and quotes."""

from __future__ import annotations

import click

from cli.context import CampaignContext
from cli.options import json_option, pass_campaign, view_option
from cli.output import paint, print_json, print_line, remark
from cli.questions.log import find_entries, spoken_words
from cli.questions.players_ledger import store_for
from ledger.names import escape
from ledger.records import Record, encode


@click.command()
@click.argument("text")
@click.option("--takes", is_flag=True, help="Also search takes that no longer count.")
@view_option()
@json_option("Records as they are stored, one a line.")
@pass_campaign
def search_command(context: CampaignContext, text: str, takes: bool, role: str, json: bool) -> None:
    """Find the entries whose line or text contains all words of TEXT. A word may be a beginning: lamp finds lamps.

    Examples: campaign search lamp   campaign search "knotted rope" --takes
    """
    matched, store = False, context.store(write=False)
    seen = store_for(store, context.game(), role)
    for record in find_entries(store, seen, text, takes=takes):
        matched = True
        if json:
            print_json(encode(record))
        else:
            print_line(_match_line(record, takes=takes))
    if not matched:
        remark("No entry contains these words.")


def _match_line(record: Record, *, takes: bool) -> str:
    """Return an entry on a line: its id and what was said."""
    name = f"{record.id}@{record.take}" if takes else str(record.id)
    line, told = spoken_words(record)
    return f"{paint(name.ljust(5), bold=True)} {escape(line or told)}"
