"""Records as text: the line, the arithmetic, the result, and what changed. For any game, from facts alone."""

from __future__ import annotations

from collections.abc import Sequence

from cli.output import print_json, print_wrapped
from cli.phrases.entries import before_lines, record_lines
from ledger.records import Record, encode
from rulebooks.common.texts import Wording


def print_record(record: Record, wording: Wording, *, json: bool = False) -> None:
    """Print a record in lines, or as the JSON that is stored."""
    if json:
        print_json(encode(record))
    else:
        print_wrapped(record_lines(record, wording))


def print_act(before: Sequence[Record], record: Record, wording: Wording, *, json: bool = False) -> None:
    """Print a record behind what was written with its line: passes that it implies, and what others said in it."""
    if json:
        for each in before:
            print_json(encode(each))
    else:
        print_wrapped(before_lines(before, wording))
    print_record(record, wording, json=json)
