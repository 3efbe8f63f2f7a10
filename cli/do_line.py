"""Declare one line, and print what it caused: the command `do`, and the program when a line is all that it is given."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from cli.context import CampaignContext
from cli.notation.tokens import UNDO, UNDO_LINE, UNDO_SHORT, normalize_line
from cli.output import column_mark, paint, print_line, print_wrapped, remark
from cli.phrases.turns import now_line
from cli.play.declare import declare_line, is_correction, is_silent, redo_in_full
from cli.render.log import print_act
from ledger.acts import CutShort, written_before
from ledger.errors import Refused, Unreadable, input_errors
from ledger.facts import GM, Claimed, parse_entry_id
from ledger.names import normalize
from ledger.records import Record
from ledger.service import Ledger
from projections.state import State


def say_line(context: CampaignContext, line: str, request: str | None = None, *, json: bool = False) -> None:
    """Declare a line and print what it caused; at a terminal mark the column of an error.

    Raises LedgerError, of a line that cannot be read with a command that it may be meant for.
    """
    try:
        declare(context, line, request, json=json)
    except (Refused, Unreadable) as error:
        if sys.stderr.isatty():
            for text in column_mark(line, error):
                remark(text)
        if isinstance(error, Unreadable) and (hint := command_hint(line)):
            raise error.with_hint(hint) from error
        raise


def command_hint(line: str) -> str:
    """Return what to type instead of a line that begins with the name of a command, or is the shell's `u`."""
    from cli.main import COMMANDS  # imported here to start faster: few lines are commands

    first, *rest = line.split(maxsplit=1) or [""]
    if first in COMMANDS:
        return f"That is a command: campaign {' '.join([first, *rest])}"
    return " ".join(["Write it out:", UNDO, *rest]) if first == UNDO_SHORT else ""


def declare(context: CampaignContext, line: str, request: str | None, *, json: bool) -> None:
    """Declare a line and print what it caused. Raises Unreadable with the column that cannot be read."""
    ledger = context.ledger(write=True)
    with input_errors():
        line = redo_in_full(ledger, line)
        key = None if request is None else normalize(request, where="--request", most=200)
        if is_correction(line.strip()) and key is None and not json:
            print_wrapped(correction_lines(ledger, context, normalize_line(line).strip()))
            return
        try:
            record = declare_line(ledger, context.game(), line, at=context.now, request=key, in_words=True, note=remark)
        except Refused as refused:
            if isinstance(refused, CutShort):
                print_said(ledger, refused.record, context, json=json)
            if not (now := now_line(ledger.state.state, context.game())):
                raise
            raise refused.with_more_hint(now) from refused
    if record is None:
        if is_silent(line):
            remark("The line is empty or a comment: nothing is written.")
        return
    print_said(ledger, record, context, json=json)
    if not json and (now := now_line(ledger.state.state, context.game())):
        print_line(paint(now, dim=True))


def print_said(ledger: Ledger[State], record: Record, context: CampaignContext, *, json: bool) -> None:
    """Print what a line has caused, up to its last record."""
    print_act(written_before(ledger.store, record), record, context.wording, json=json)
    if isinstance(record.facts[-1], Claimed) and not json:
        from cli.render.claim_mismatch import mismatch_report  # to start faster: few claims differ

        print_wrapped(mismatch_report(ledger.store, record, context.wording))


def correction_lines(ledger: Ledger[State], context: CampaignContext, line: str) -> Iterator[str]:
    """Write the correction of an `undo` or `~` line, and yield the lines about it."""
    # Imported here to start faster: most lines correct nothing.
    from cli.commands.undo import undo_lines
    from cli.play.amend_line import amend_by_line
    from cli.render.settlement import settlement_lines
    from cli.render.whatif import whatif_lines
    from ledger.corrections.undo import last_amendment, plan_undo

    if undone := UNDO_LINE.fullmatch(line):
        correction = plan_undo(ledger, parse_entry_id(undone[1]) if undone[1] else last_amendment(ledger), by=GM)
        yield from undo_lines(ledger, correction, context.wording, at=context.now, line=line)
        return
    settled = amend_by_line(ledger, context.game(), line, at=context.now)
    yield from whatif_lines(settled.correction.what_if, context.wording)
    yield from settlement_lines(settled, context.wording)
