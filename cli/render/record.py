"""One record, for the table or for machines."""

from __future__ import annotations

from cli.output import print_json, print_line
from cli.render.log import tell
from ledger.records import Record, encode


def print_record(record: Record, *, json: bool = False) -> None:
    """Print a record in lines, or as the JSON that is stored."""
    if json:
        print_json(encode(record))
        return
    for line in tell(record):
        print_line(line)
