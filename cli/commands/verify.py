"""`verify`: check the whole ledger file."""

from __future__ import annotations

from typing import Final, NoReturn

import click
from click.exceptions import Exit

from cli.context import CampaignContext
from cli.errors import shorten
from cli.options import jobs_option, json_option, pass_campaign
from cli.output import paint, print_json, print_line, print_wrapped, remark
from cli.play.spoken import hear_again
from cli.processes import processes
from cli.progress import progress
from cli.questions.ledger_file import LEDGER_FILE
from cli.questions.verification import (
    QuickVerification,
    Verification,
    quick_verification,
    unreadable_file,
    verification,
)
from cli.render.proof import proof_lines
from ledger.errors import Damaged, input_errors
from ledger.names import escape, plural
from ledger.records import parse_head

LEAST: Final = 1_000  # records: a second's work
NOT_LOOKED_AT: Final = (
    "The rules were not applied again, nor were lines, corrections, replaced takes and tables checked "
    "(campaign verify)."
)


@click.command()
@click.option("--head", "heads", multiple=True, help="A head that you kept, as '17 3f9c...'. May be repeated.")
@click.option("--quick", is_flag=True, help="Check hashes, sums, snapshots and dice, and apply no rule again.")
@jobs_option
@json_option("The findings as JSON.")
@pass_campaign
def verify_command(context: CampaignContext, heads: tuple[str, ...], quick: bool, jobs: int | None, json: bool) -> None:
    """Check every stored byte, hash, number, seed, die, fact and snapshot of the ledger.

    With --quick nothing is decided again: it checks that the hashes chain, that the facts add up to the snapshots, and
    that the faces of revealed seeds are drawn again. A fact that no rule gives passes it.

    Only a kept head (--head) shows that the ledger was not rewritten as a whole, or cut off at its end. What is not
    proved about the dice is said, and is no error: the exit code is 0.

    Example: campaign verify --head "17 3f9c..."
    """
    with input_errors():
        kept = [parse_head(head) for head in heads]
    if quick and jobs is not None:
        raise click.UsageError("--quick works in one process: leave --jobs out.")
    try:
        store = context.store(write=False)
        store.checks_index = False  # what it lacks is a finding
        if quick:
            with progress("verify --quick", lambda: store.records_read):
                _print_quick(quick_verification(store, kept), json=json, heads=heads)
        with (
            processes(store, jobs, LEAST) as workers,
            progress("verify", lambda: store.records_read + (workers.takes_done if workers else 0)),
        ):
            result = verification(store, kept, workers, hear_again)
    except Damaged as error:
        raise unreadable_file(error, context.folder / LEDGER_FILE) from error
    if json:
        print_json(result)
        raise Exit(0 if result.ok else 1)
    _print_findings(result)
    print_line(f"{result.replay.entries} entries, {result.replay.facts} facts, head {result.head}")
    _remark_on_heads(heads)
    raise Exit(0 if result.ok else 1)


def _print_quick(result: QuickVerification, heads: tuple[str, ...], *, json: bool) -> NoReturn:
    """Print what a quick check found, and what it did not look at, and exit."""
    if json:
        print_json(result)
        raise Exit(0 if result.ok else 1)
    checked = result.checked
    _print_findings(result)
    print_line(f"{checked.entries} entries, {checked.facts} facts, head {result.head}")
    print_line(
        f"{plural(checked.drawn, 'face', 'faces')} drawn again from revealed seeds, {checked.typed} typed at the table"
    )
    print_line(NOT_LOOKED_AT)
    _remark_on_heads(heads)
    raise Exit(0 if result.ok else 1)


def _print_findings(result: Verification | QuickVerification) -> None:
    """Print findings and how many there are, then what is not proved about the dice, and what else should be known.

    Faces of a lost seed are no error, but not all is well with them.
    """
    for finding in result.findings:
        print_line(escape(shorten(str(finding))))
    unproved = sum(proof.faces - proof.later for proof in result.proofs if proof.lost)
    if result.findings:
        print_line(paint(plural(len(result.findings), "finding", "findings"), fg="red"))
    elif unproved:
        faces = plural(unproved, "face is", "faces are")
        print_line(
            paint(f"nothing differs, but {faces} unproved: the dice of a lost seed can be invented", fg="yellow")
        )
    else:
        print_line(paint("all is well", fg="green"))
    print_wrapped(proof_lines(result.proofs))
    print_wrapped(escape(str(notice)) for notice in result.notices)


def _remark_on_heads(heads: tuple[str, ...]) -> None:
    """Say what a check without a kept head does not exclude."""
    if not heads:
        remark(
            "No kept head was given (--head): a ledger that was rewritten as a whole or cut off at its end passes too."
        )
