"""`verify`: check the whole ledger file."""

from __future__ import annotations

from typing import Any

import click

from cli.context import CampaignContext, find_book, pass_campaign
from cli.errors import input_errors
from cli.output import paint, print_json, print_line, remark, safe
from cli.render.phrases import counted
from ledger.errors import LedgerError
from ledger.rebuild import check_read_models
from ledger.records import Head, head_of
from ledger.replay import Finding, ReplayReport, verify
from ledger.sqlite_store import SqliteStore
from projections.projection import StateProjection


@click.command()
@click.option("--head", "heads", multiple=True, help="A head that was kept, as '17 3f9c...'. May be repeated.")
@click.option("--json", "plain", is_flag=True, help="The findings as JSON.")
@pass_campaign
@click.pass_context
def verify_command(ctx: click.Context, context: CampaignContext, heads: tuple[str, ...], plain: bool) -> None:
    """Check bytes, chain, numbering, seeds, faces, facts and checkpoints. Without a kept head a cut end is not seen.

    Example: campaign verify --head "17 3f9c..."
    """
    store = context.store(write=False)
    with input_errors():
        kept = [head_of(head) for head in heads]
    report, findings = verified(store, kept)
    if plain:
        print_json(verification(store, report, findings))
    else:
        for finding in findings:
            print_line(safe(str(finding)))
        print_line(
            paint("all is well", fg="green")
            if not findings
            else paint(counted(len(findings), "finding", "findings"), fg="red")
        )
        print_line(f"{report.entries} entries, {report.facts} facts, head {store.head()}")
        if not heads:
            remark("No kept head was given: that nothing was cut off at the end is not proved.")
    ctx.exit(1 if findings else 0)


def verified(store: SqliteStore, heads: list[Head]) -> tuple[ReplayReport, list[Finding]]:
    """What the file itself shows, then what its records show."""
    findings = []
    if differs := store.find_schema_mismatch(StateProjection.read_models):
        findings.append(Finding(where="schema", what=differs))
    if position := store.find_column_mismatch():
        findings.append(Finding(where=f"position {position}", what="its columns say something else than its record"))
    report, found = verify(store, find_book(store), StateProjection(), heads)
    findings += found
    try:
        findings += check_read_models(store, StateProjection())
    except LedgerError as error:
        if not found:
            findings.append(Finding(where=error.where, what=error.what))
    return report, findings


def verification(store: SqliteStore, report: ReplayReport, findings: list[Finding]) -> dict[str, Any]:
    """The whole verdict for machines."""
    return {
        "ok": not findings,
        "findings": [{"where": finding.where, "what": finding.what} for finding in findings],
        "head": str(store.head()),
        "replay": report,
    }
