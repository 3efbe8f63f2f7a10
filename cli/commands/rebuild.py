"""`rebuild`: rebuild the snapshots and read models."""

from __future__ import annotations

import click

from cli.context import CampaignContext, pass_campaign
from cli.output import print_line, remark
from ledger.rebuild import build_read_models
from ledger.replay import build_snapshots
from projections.projection import StateProjection


@click.command()
@pass_campaign
def rebuild_command(context: CampaignContext) -> None:
    """Throw all checkpoints and read tables away and make them again from the records.

    Example: campaign rebuild
    """
    store = context.store(write=True)
    position = store.head().position
    checkpoints, tables = build_snapshots(store, StateProjection()), build_read_models(store, StateProjection())
    store.replace_read_models(tables, after=position)
    store.replace_snapshots(checkpoints)
    print_line(f"{len(checkpoints)} checkpoints made from {position} records")
    remark(f"{len(tables)} read tables, {sum(len(rows) for _, rows in tables)} rows.")
