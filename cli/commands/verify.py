"""`verify`: check the whole ledger file."""

from __future__ import annotations

from typing import Final

import click
from click.exceptions import Exit

from cli.context import LEDGER_FILE, CampaignContext, pass_campaign
from cli.errors import input_errors
from cli.options import jobs_option, json_option
from cli.output import paint, print_json, print_line, remark, safe
from cli.processes import processes
from cli.progress import progress
from cli.queries.verification import unreadable_file, verification
from cli.render.phrases import plural
from ledger.errors import Damaged
from ledger.records import parse_head

LEAST: Final = 1_000  # records: a second's work


@click.command()
@click.option("--head", "heads", multiple=True, help="A head that you kept, as '17 3f9c...'. May be repeated.")
@jobs_option
@json_option("The findings as JSON.")
@pass_campaign
def verify_command(context: CampaignContext, heads: tuple[str, ...], jobs: int | None, json: bool) -> None:
    """Check every stored byte, hash, number, seed, die, fact and snapshot of the ledger.

    Only a kept head (--head) shows that the ledger was not rewritten as a whole, or cut off at its end.

    Example: campaign verify --head "17 3f9c..."
    """
    with input_errors():
        kept = [parse_head(head) for head in heads]
    try:
        store = context.store(write=False)
        with (
            processes(store, jobs, LEAST) as workers,
            progress("verify", lambda: store.records_read + (workers.takes_done if workers else 0)),
        ):
            result = verification(store, kept, workers)
    except Damaged as error:
        raise unreadable_file(error, context.folder / LEDGER_FILE) from error
    if json:
        print_json(result)
        raise Exit(0 if result.ok else 1)
    for finding in result.findings:
        print_line(safe(str(finding)))
    number = plural(len(result.findings), "finding", "findings")
    print_line(paint("all is well", fg="green") if result.ok else paint(number, fg="red"))
    print_line(f"{result.replay.entries} entries, {result.replay.facts} facts, head {result.head}")
    if not heads:
        remark(
            "No kept head was given (--head): a ledger that was rewritten as a whole or cut off at its end passes too."
        )
    raise Exit(0 if result.ok else 1)
