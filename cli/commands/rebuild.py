"""`rebuild`: rebuild the snapshots and read models."""

from __future__ import annotations

import click

from cli.context import CampaignContext
from cli.options import pass_campaign
from cli.output import print_line, remark
from cli.progress import progress
from ledger.errors import Overtaken
from ledger.read_model_build import build_read_models
from ledger.snapshots import build_snapshots
from projections.projection import StateProjection


@click.command()
@pass_campaign
def rebuild_command(context: CampaignContext) -> None:
    """Delete all snapshots and read models and make them again from the records.

    Example: campaign rebuild
    """
    store = context.store(write=True, rebuild=True)
    while True:
        head = store.head()
        try:
            with progress("rebuild", lambda: store.records_read):
                snapshots = build_snapshots(store, StateProjection())
                models = build_read_models(store, StateProjection())
                store.replace_read_models(models, after=head)
                store.replace_snapshots(snapshots, after=head)
            break
        except Overtaken:
            remark("Somebody else appended meanwhile: all is made again.")
    made = sum(1 for _ in store.snapshots())
    print_line(f"{made} snapshots made from {head.position} records")
    remark(f"{len(models)} read models, {sum(len(rows) for _, rows in models)} rows.")
