"""`list`: list the campaigns of a folder or of a database."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec
from click.exceptions import Exit

from cli.context import CampaignContext
from cli.options import csv_option, json_option, pass_campaign
from cli.output import print_json, print_verbatim, print_wrapped, remark
from cli.place import PlaceType
from cli.questions.campaigns import ListedCampaign, listed
from cli.render.csv import csv_objects
from ledger.names import escape, plural
from ledger.postgres_address import DatabaseAddress


@click.command()
@click.argument("place", required=False, type=PlaceType(path_type=Path))
@json_option("The list as JSON.")
@csv_option("The list as CSV.")
@pass_campaign
def list_command(context: CampaignContext, place: Path | DatabaseAddress | None, json: bool, csv: bool) -> None:
    """List the campaigns of PLACE, a folder or the address of a database (default: the working directory).

    Of each its place, its name, its game, how many records it has, and when the last one was written. In a folder those
    at any depth are found. Exits with 3 if one cannot be read.

    Examples: campaign list   campaign list ~/campaigns   campaign list postgresql://host/club
    """
    rows = list(listed(place or context.address or Path()))
    if json:
        print_json(rows)
    elif csv:
        print_verbatim(csv_objects(ListedCampaign.__struct_fields__, map(msgspec.structs.asdict, rows)))
    else:
        print_wrapped(map(_line, rows))
        remark(plural(len(rows), "campaign", "campaigns"))
    raise Exit(3 if any(row.error for row in rows) else 0)


def _line(row: ListedCampaign) -> str:
    """Return the line of a campaign."""
    if row.error:
        return f"{escape(row.place)}: {escape(row.error)}"
    records = plural(row.records, "record", "records")
    return f"{escape(row.place)}: {escape(row.name)} ({row.game}), {records}, {escape(row.last)}"
