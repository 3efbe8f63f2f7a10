"""`search`: where something was said."""

from __future__ import annotations

import click

from cli.context import CampaignContext, pass_campaign
from cli.output import paint, print_json, print_line, remark, safe
from ledger.facts import Told
from ledger.records import Record, encode


@click.command()
@click.argument("text")
@click.option("--takes", is_flag=True, help="Also in takes that no longer count.")
@click.option("--json", "plain", is_flag=True, help="Records as they are stored, one a line.")
@pass_campaign
def search_command(context: CampaignContext, text: str, takes: bool, plain: bool) -> None:
    """The entries in which all words of TEXT were typed or told. Each word may go on: lamp finds lamps.

    Examples: campaign search lamp   campaign search "knotted rope" --takes
    """
    found = False
    for record in context.store(write=False).search(text, takes=takes):
        found = True
        if plain:
            print_json(encode(record))
        else:
            print_line(line(record, takes=takes))
    if not found:
        remark("Nobody said that.")


def line(record: Record, *, takes: bool) -> str:
    """An entry on a line: its id, and what was said."""
    name = f"{record.id}@{record.take}" if takes else str(record.id)
    told = "; ".join(fact.text for fact in record.facts if isinstance(fact, Told))
    return f"{paint(name.ljust(5), bold=True)} {safe(record.line or told)}"
