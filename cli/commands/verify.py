"""`verify`: check the whole ledger file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NoReturn

import click
import msgspec
from click.exceptions import Exit

from cli.context import CampaignContext
from cli.errors import shorten
from cli.options import jobs_option, json_option, pass_campaign
from cli.output import paint, print_json, print_line, print_wrapped, remark
from cli.play import import_bundle, kept_heads, spoken
from cli.play.verify_bundle import SEALED_UNREAD, PlayersVerification, damage, players_verification, with_lines
from cli.processes import processes
from cli.progress import progress
from cli.questions.bundle_file import open_bundle, temporary_ledger
from cli.questions.verification import (
    QuickVerification,
    Verification,
    quick_records_verification,
    quick_verification,
    records_verification,
    unreadable_file,
    verification,
)
from cli.render.proof import proof_lines
from ledger.errors import Damaged, InputError, input_errors
from ledger.head_words import KeptHead, parse_kept_head
from ledger.names import escape, plural
from ledger.replay import ReplayReport
from ledger.seal_proof import PROOF_BYTES_MOST, parse_proofs, prove
from ledger.seeds import read_regular_file
from ledger.session_proof import parse_commitment, session_of_commitment

LEAST: Final = 1_000  # records: a second's work
NO_HEADS: Final = (
    "No kept head was given (--head): a ledger that was rewritten as a whole or cut off at its end passes too."
)
NOT_LOOKED_AT: Final = (
    "The rules were not applied again, nor were lines, corrections, replaced takes and tables checked "
    "(campaign verify)."
)

Checked = Verification | QuickVerification | PlayersVerification


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option(
    "--head",
    "heads",
    multiple=True,
    help="A head that you kept: '17 3f9c...', or in words.",
)
@click.option("--commitment", "commitments", multiple=True, help="One that you noted when a session opened.")
@click.option("--proof", type=click.Path(path_type=Path), help="A secret of FILE that was shown (export --proof).")
@click.option("--quick", is_flag=True, help="Check hashes, sums, snapshots and dice, and apply no rule again.")
@jobs_option
@json_option("The findings as JSON.")
@pass_campaign
def verify_command(
    context: CampaignContext,
    file: Path | None,
    heads: tuple[str, ...],
    commitments: tuple[str, ...],
    proof: Path | None,
    quick: bool,
    jobs: int | None,
    json: bool,
) -> None:
    """Check every stored byte, hash, number, seed, die, fact and snapshot of the ledger, or of the bundle FILE.

    With --quick nothing is decided again: it checks that the hashes chain, that the facts add up to the snapshots, and
    that the faces of revealed seeds are drawn again. A fact that no rule gives passes it.

    Only a kept head (--head; `head --keep`) shows that the ledger was not rewritten as a whole, or cut off at its end,
    and only a commitment that somebody noted that a session has the seed with which it opened. Both may be repeated.
    What is not proved about the dice is said, and is no error: the exit code is 0.

    A players' bundle is checked as far as that can be done without what is sealed, and it is said how far that is. With
    --proof it is checked whether a secret that was shown stood in it.

    Examples: campaign verify saints.jsonl   campaign verify --head "17 3f9c..."
    campaign verify --commitment 1276f645...
    """
    with input_errors():
        kept = [parse_kept_head(head) for head in heads]
        noted = [parse_commitment(text) for text in commitments]
    if quick and jobs is not None:
        raise click.UsageError("--quick works in one process: leave --jobs out.")
    file = file or context.bundle
    if proof is not None:
        if file is None:
            raise click.UsageError("--proof is checked in a bundle: campaign verify FILE --proof PROOF.")
        _print_proved(file, proof)
    if file is not None:
        _print_result(*_checked_bundle(file, kept, noted, jobs, quick=quick), json=json)
    try:
        store = context.store(write=False)
        store.checks_index = False  # what it lacks is a finding
        kept += (each.kept for each in kept_heads.kept_heads_of(store).read())
        witnesses = Witnesses(len(kept), {text: session_of_commitment(store, text) for text in noted})
        if quick:
            with progress("verify --quick", lambda: store.records_read):
                _print_result(quick_verification(store, kept), witnesses, json=json)
        with (
            processes(store, jobs, LEAST) as workers,
            progress("verify", lambda: store.records_read + (workers.takes_done if workers else 0)),
        ):
            result = verification(store, kept, workers, spoken.hear_again)
    except Damaged as error:
        raise unreadable_file(error, context.source) from error
    _print_result(result, witnesses, json=json)


def _lines_of(proof: Path) -> list[bytes]:
    """Return the lines of the file of a proof. Raises InputError where it cannot be read."""
    try:
        content = read_regular_file(proof, PROOF_BYTES_MOST)
    except OSError as error:
        raise InputError(f"{escape(str(proof))} cannot be read: {error.strerror}", hint="Name the file.") from error
    if len(content) == PROOF_BYTES_MOST:
        raise InputError(f"{escape(str(proof))} is too long for a proof", hint="Name that of one entry.")
    return content.splitlines()


def _print_proved(file: Path, proof: Path) -> NoReturn:
    """Print for each secret of a proof whether it stands in a bundle, and exit."""
    with input_errors():
        proofs = parse_proofs(_lines_of(proof), escape(str(proof)))
    with open_bundle(file) as bundle:
        proved = list(prove((stored for stored, _ in bundle.records()), proofs))
    for each in proved:
        if each.record is None:
            print_line(paint(f"something else was sealed at position {each.position}", fg="red"))
        else:
            line = escape(each.record.line) or "a line of its own"
            print_line(f"entry {each.record.id} was sealed at position {each.position}: {line}")
    raise Exit(0 if proved and all(each.record for each in proved) else 1)


def _checked_bundle(
    file: Path, heads: Sequence[KeptHead], commitments: Sequence[str], jobs: int | None, *, quick: bool
) -> tuple[Checked, Witnesses]:
    """Return what a check of a bundle found, and what was compared with it."""
    with open_bundle(file) as bundle:
        heads = [*heads, *import_bundle.heads_within(bundle.header)]
        if not bundle.is_whole:
            answer, opened = players_verification(bundle, heads)
            return answer, Witnesses(len(heads), {text: opened.get(text) for text in commitments})
        try:
            with temporary_ledger(bundle) as store:
                witnesses = Witnesses(len(heads), {text: session_of_commitment(store, text) for text in commitments})
                if quick:
                    return with_lines(store, quick_records_verification(store, heads)), witnesses
                with (
                    processes(store, jobs, LEAST) as workers,
                    progress("verify", lambda: store.records_read + (workers.takes_done if workers else 0)),
                ):
                    return with_lines(store, records_verification(store, heads, workers, spoken.hear_again)), witnesses
        except Damaged as error:
            damaged = Verification(
                ok=False, findings=(damage(error),), head="", replay=ReplayReport(), proofs=(), notices=()
            )
            return damaged, Witnesses(len(heads), {})


def _print_result(result: Checked, witnesses: Witnesses, *, json: bool) -> NoReturn:
    """Print what a check found, and what it did not look at, and exit."""
    if json:
        print_json(result)
        raise witnesses.exit_after(result)
    _print_findings(result)
    if isinstance(result, Verification):
        counts = f"{result.replay.entries} entries, {result.replay.facts} facts"
    elif isinstance(result, QuickVerification):
        counts = f"{result.checked.entries} entries, {result.checked.facts} facts"
    else:
        records = plural(result.checked.records, "record", "records")
        counts = f"{records}, {result.checked.with_sealed} of them with a sealed part"
    if result.head:
        print_line(f"{counts}, head {result.head}")
    if not isinstance(result, Verification):
        drawn, typed = plural(result.checked.drawn, "face", "faces"), result.checked.typed
        print_line(f"{drawn} drawn again from revealed seeds, {typed} typed at the table")
    if isinstance(result, QuickVerification):
        print_line(NOT_LOOKED_AT)
    elif isinstance(result, PlayersVerification) and result.ok:
        print_wrapped([SEALED_UNREAD])
    witnesses.tell()
    raise witnesses.exit_after(result)


class Witnesses(msgspec.Struct, frozen=True):
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

    def exit_after(self, result: Checked) -> Exit:
        """Return how the command ends: with 1 if anything differs."""
        return Exit(0 if result.ok and None not in self.commitments.values() else 1)


def _print_findings(result: Checked) -> None:
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
