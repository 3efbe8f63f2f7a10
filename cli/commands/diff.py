"""`diff`: compare two sessions, takes, moments or ledgers."""

from __future__ import annotations

import click
from click.exceptions import Exit

from cli import completion, output, pager
from cli.context import CampaignContext
from cli.options import POSITION, json_option, pass_campaign
from cli.questions.diff_operands import (
    DiffReport,
    LedgerOperand,
    Operand,
    diff_report,
    load_ledger,
    load_sides,
    parse_operands,
)
from cli.render.diff import diff_json, diff_lines


@click.command()
@click.argument("operands", nargs=-1, metavar="A [B]", shell_complete=completion.complete_entry)
@click.option(
    "--at", multiple=True, help="A moment: the end of this entry, as in 1.4, or where 'round 3' began. Up to two."
)
@click.option("--as-of", type=POSITION, multiple=True, help="A moment: the ledger at this position. Up to two.")
@json_option("Entries and values as JSON.")
@pass_campaign
def diff_command(
    context: CampaignContext, operands: tuple[str, ...], at: tuple[str, ...], as_of: tuple[int, ...], json: bool
) -> None:
    """Compare A with B: entries that exist on one side only or differ, and the values that differ at the end.

    Two sessions (1 2), two takes (1.4@1 1.4@2; 1.4 is the one that counts), two moments (1.4 2.7; 'round 3' is where
    that round began, @17 what the ledger said at position 17), or two ledgers (paths; write ./1 for a folder named 1).
    Without B a moment is compared with now, a take with the one that counts, another ledger with this one.
    Exits with 1 if they differ.

    Examples: campaign diff 1.4@1   campaign diff 1.4 2.7   campaign diff --as-of 10 --as-of 30   campaign diff ../copy
    """
    report = _report(context, *parse_operands(operands, at, as_of))
    if json:
        output.print_json(diff_json(report))
    else:
        with pager.paged():
            output.print_wrapped(diff_lines(report))
    raise Exit(0 if report.same else 1)


def _report(context: CampaignContext, left: Operand, right: Operand) -> DiffReport:
    """Compare two operands of one kind. The campaign's ledger is opened only if it is one of them, or has them."""
    if isinstance(left, LedgerOperand) and isinstance(right, LedgerOperand):
        own = context.source if None in (left.path, right.path) else ""
        return diff_report(left.kind, load_ledger(left, own), load_ledger(right, own))
    return diff_report(left.kind, *load_sides(context.store(write=False), left, right))
