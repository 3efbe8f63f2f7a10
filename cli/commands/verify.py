"""`verify`: check the whole ledger file."""

from __future__ import annotations

from typing import Final, NoReturn

import click
import msgspec
from click.exceptions import Exit

from cli.context import CampaignContext
from cli.errors import shorten
from cli.options import jobs_option, json_option, pass_campaign
from cli.output import paint, print_json, print_line, print_wrapped, remark
from cli.play.kept_heads import kept_heads_of
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
from ledger.head_words import parse_kept_head
from ledger.names import escape, plural
from ledger.session_proof import parse_commitment, session_of_commitment

LEAST: Final = 1_000  # records: a second's work
NO_HEADS: Final = (
    "No kept head was given (--head): a ledger that was rewritten as a whole or cut off at its end passes too."
)
NOT_LOOKED_AT: Final = (
    "The rules were not applied again, nor were lines, corrections, replaced takes and tables checked "
    "(campaign verify)."
)


@click.command()
@click.option(
    "--head",
    "heads",
    multiple=True,
    help="A head that you kept: '17 3f9c...', or in words.",
)
@click.option("--commitment", "commitments", multiple=True, help="One that you noted when a session opened.")
@click.option("--quick", is_flag=True, help="Check hashes, sums, snapshots and dice, and apply no rule again.")
@jobs_option
@json_option("The findings as JSON.")
@pass_campaign
def verify_command(
    context: CampaignContext,
    heads: tuple[str, ...],
    commitments: tuple[str, ...],
    quick: bool,
    jobs: int | None,
    json: bool,
) -> None:
    """Check every stored byte, hash, number, seed, die, fact and snapshot of the ledger.

    With --quick nothing is decided again: it checks that the hashes chain, that the facts add up to the snapshots, and
    that the faces of revealed seeds are drawn again. A fact that no rule gives passes it.

    Only a kept head (--head; `head --keep`) shows that the ledger was not rewritten as a whole, or cut off at its end,
    and only a commitment that somebody noted that a session has the seed with which it opened. Both may be repeated.
    What is not proved about the dice is said, and is no error: the exit code is 0.

    Examples: campaign verify --head "17 3f9c..."   campaign verify --commitment 1276f645...
    """
    with input_errors():
        kept = [parse_kept_head(head) for head in heads]
        noted = [parse_commitment(text) for text in commitments]
    if quick and jobs is not None:
        raise click.UsageError("--quick works in one process: leave --jobs out.")
    try:
        store = context.store(write=False)
        store.checks_index = False  # what it lacks is a finding
        kept += (each.kept for each in kept_heads_of(store).read())
        seen = Seen(len(kept), {text: session_of_commitment(store, text) for text in noted})
        if quick:
            with progress("verify --quick", lambda: store.records_read):
                _print_quick(quick_verification(store, kept), seen, json=json)
        with (
            processes(store, jobs, LEAST) as workers,
            progress("verify", lambda: store.records_read + (workers.takes_done if workers else 0)),
        ):
            result = verification(store, kept, workers, hear_again)
    except Damaged as error:
        raise unreadable_file(error, context.folder / LEDGER_FILE) from error
    if json:
        print_json(result)
        raise seen.exit_after(result)
    _print_findings(result)
    print_line(f"{result.replay.entries} entries, {result.replay.facts} facts, head {result.head}")
    seen.tell()
    raise seen.exit_after(result)


class Seen(msgspec.Struct, frozen=True):
    """What was kept outside of the ledger: the number of heads, and commitments with their sessions."""

    heads: int
    commitments: dict[str, int | None]

    def tell(self) -> None:
        """Say to which session each commitment belongs, and what a check without a kept head does not exclude."""
        for text, session in self.commitments.items():
            if session is None:
                print_line(paint(f"no session has the commitment {text}", fg="red"))
            else:
                print_line(f"the commitment {text} is that of session {session}")
        if not self.heads:
            remark(NO_HEADS)

    def exit_after(self, result: Verification | QuickVerification) -> Exit:
        """Return how the command ends: with 1 if anything differs."""
        return Exit(0 if result.ok and None not in self.commitments.values() else 1)


def _print_quick(result: QuickVerification, seen: Seen, *, json: bool) -> NoReturn:
    """Print what a quick check found, and what it did not look at, and exit."""
    if json:
        print_json(result)
        raise seen.exit_after(result)
    checked = result.checked
    _print_findings(result)
    print_line(f"{checked.entries} entries, {checked.facts} facts, head {result.head}")
    print_line(
        f"{plural(checked.drawn, 'face', 'faces')} drawn again from revealed seeds, {checked.typed} typed at the table"
    )
    print_line(NOT_LOOKED_AT)
    seen.tell()
    raise seen.exit_after(result)


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
