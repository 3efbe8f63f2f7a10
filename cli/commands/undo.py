"""`undo`: take the last line back, or a correction."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import click

from cli import completion, options, output, pager
from cli.context import CampaignContext
from cli.phrases.entries import INDENT, heading, record_lines
from cli.play.settlement import Settlement, check_new_turns
from cli.progress import deciding
from cli.questions.undo_list import correction_items
from cli.render import settlement, whatif
from ledger.corrections.correction import Correction, check_writable, write_correction
from ledger.corrections.undo import corrected_takes, last_amendment, next_undo, plan_undo
from ledger.errors import input_errors
from ledger.facts import GM, parse_entry_id
from ledger.names import normalize
from ledger.service import Ledger
from ledger.whatif import WhatIf
from projections.state import State
from rulebooks.common.texts import Wording

NO_MORE: Final = "nothing more of this session can be taken back"


@click.command()
@click.argument("entry", required=False, shell_complete=completion.complete_entry)
@click.option("--because", default="", help="The reason for the undo.")
@click.option("--pass", "passing", is_flag=True, help="Skip every turn that the change gives to somebody.")
@click.option("--list", "listing", is_flag=True, help="What was taken back or corrected, and how to restore it.")
@options.json_option("Print the preview and what was written, or the list, as JSON.")
@options.pass_campaign
def undo_command(
    context: CampaignContext, entry: str | None, because: str, passing: bool, listing: bool, json: bool
) -> None:
    """Take back the newest line or correction, or ENTRY: the last line, or a correction (an undo too).

    The same line gets the same dice when it is declared again.

    Examples: campaign undo   campaign undo 1.9   campaign undo --list
    """
    if listing:
        if entry or because or passing:
            raise click.UsageError("--list stands alone.")
        print_corrections(context, json=json)
        return
    ledger = context.ledger(write=True)
    with input_errors():
        id = last_amendment(ledger) if entry is None else parse_entry_id(entry)
        why = normalize(because, where="--because")
    line = "undo" if id is None else f"undo {id}"
    what_if = WhatIf(ledger.store, ledger.game, ledger.projection)
    with deciding("undo", what_if):
        correction = plan_undo(ledger, id, by=GM, because=why, what_if=what_if)
    if json:
        output.print_json(
            settlement.settlement_json(write_undo(ledger, correction, passing=passing, at=context.now, line=line))
        )
        return
    output.print_wrapped(undo_lines(ledger, correction, context.wording, passing=passing, at=context.now, line=line))


def print_corrections(context: CampaignContext, *, json: bool) -> None:
    """Print what was corrected, the last first."""
    items = list(correction_items(context.ledger(write=False)))
    if json:
        output.print_json(items)
    elif items:
        with pager.paged():
            output.print_wrapped(settlement.correction_item_lines(items))
    else:
        output.print_line("nothing was taken back or corrected")


def write_undo(
    ledger: Ledger[State], correction: Correction, *, passing: bool = False, at: str, line: str
) -> Settlement:
    """Write an undo. Raises Refused where the policy is to ask first."""
    check_writable(correction)
    check_new_turns(correction, passing=passing)
    own, takes = write_correction(ledger, correction, at=at, line=line)
    return Settlement(correction=correction, outcome="undo", age="", records=(own, *takes))


def undo_lines(
    ledger: Ledger[State], correction: Correction, wording: Wording, *, passing: bool = False, at: str, line: str
) -> Iterator[str]:
    """Write an undo and yield the lines about it. If `line` names a correction, the preview comes first."""
    if line != "undo" and any(outcome == "revoke" for _, outcome in correction.said.edits):
        yield from whatif.whatif_lines(correction.what_if, wording)
    own = write_undo(ledger, correction, passing=passing, at=at, line=line).records[0]
    yield from record_lines(own, wording)
    for undone in corrected_takes(ledger.store, own):
        if undone.facts:
            yield f"{INDENT}it was: {heading(undone)}"
    following = next_undo(ledger)
    yield output.paint(
        f"the next undo takes back {following.id}: {heading(following)}" if following else NO_MORE, dim=True
    )
