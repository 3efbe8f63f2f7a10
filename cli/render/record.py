"""One record, for the table or for machines."""

from __future__ import annotations

from cli.output import print_json, print_lines
from cli.render.log import record_lines
from ledger.records import Record, encode
from rulebooks.common.texts import Wording


def print_record(record: Record, wording: Wording, *, json: bool = False, takes: bool = False) -> None:
    """Print a record in lines, or as the JSON that is stored."""
    if json:
        print_json(encode(record))
    else:
        print_lines(record_lines(record, wording, takes=takes))
