"""`search`: find words in lines, scenes, fiction and quotes."""

from __future__ import annotations

import click

from cli.context import CampaignContext, pass_campaign
from cli.options import json_option
from cli.output import paint, print_json, print_line, remark, safe
from ledger.facts import Told
from ledger.records import Record, encode


@click.command()
@click.argument("text")
@click.option("--takes", is_flag=True, help="Also search takes that no longer count.")
@json_option("Records as they are stored, one a line.")
@pass_campaign
def search_command(context: CampaignContext, text: str, takes: bool, json: bool) -> None:
    """Find the entries whose line or text contains all words of TEXT. A word may be a beginning: lamp finds lamps.

    Examples: campaign search lamp   campaign search "knotted rope" --takes
    """
    matched = False
    for record in context.store(write=False).search(text, takes=takes):
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
    told = "; ".join(fact.text for fact in record.facts if isinstance(fact, Told))
    return f"{paint(name.ljust(5), bold=True)} {safe(record.line or told)}"
