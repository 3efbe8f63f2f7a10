"""`demo`: play a sample campaign in a fresh folder, print its log, and replay it."""

from __future__ import annotations

import tempfile
from contextlib import closing
from importlib.resources import as_file
from pathlib import Path
from typing import Final

import click

from cli.commands.log import scene_head
from cli.completion import completer
from cli.context import CampaignContext
from cli.options import all_option, pass_campaign
from cli.output import print_line, print_wrapped, remark
from cli.pager import paged
from cli.place import FolderType
from cli.play.sample import play_sample, sample_names, samples
from cli.questions.canonical_line import written_records
from cli.questions.ledger_file import LEDGER_FILE, ledger_wording
from cli.render.log import print_record
from cli.render.replay import replay_lines
from ledger.errors import InputError
from ledger.names import escape
from ledger.records import latest_takes
from ledger.replay import Replay
from ledger.session_proof import stored_proofs
from ledger.sqlite_store import open_store
from projections.projection import StateProjection

SAMPLE = "gutter-saints"
SHOWN: Final = 12  # entries: the beings that join, and the first rolls


def all_samples(context: CampaignContext) -> list[str]:
    """Return the names of the samples."""
    with as_file(samples()) as source:
        return sample_names(source)


@click.command()
@click.argument("folder", required=False, type=FolderType(path_type=Path, file_okay=False))
@click.option(
    "--sample",
    default=SAMPLE,
    show_default=True,
    shell_complete=completer(lambda context, role: all_samples(context)),
    help="Which of the sample campaigns.",
)
@all_option("Print the whole log.")
@pass_campaign
@click.pass_context
def demo_command(ctx: click.Context, context: CampaignContext, folder: Path | None, sample: str, every: bool) -> None:
    """Play the sample into FOLDER (default: a new one), print the begin of its log, replay it, say whether it agrees.

    Examples: campaign demo   campaign demo --all
    """
    with as_file(samples()) as source:
        if sample not in (names := sample_names(source)):
            raise InputError(f"there is no sample '{escape(sample)}'", hint=f"There is: {', '.join(names)}.")
        target = folder or Path(tempfile.mkdtemp(prefix="campaign-demo-"))
        game = play_sample(source / sample, target)
    with closing(open_store(target / LEDGER_FILE, write=False, models=StateProjection.read_models)) as store:
        wording = ledger_wording(store, game)
        records = [record for record in written_records(latest_takes(store.takes()), game) if record.facts]
        shown = records if every else records[:SHOWN]
        with paged():  # what follows is the good end, which stays on the screen
            for record in shown:
                print_record(record, wording)
                print_wrapped(scene_head(record, store))
        if more := len(records) - len(shown):
            print_line(f"... and {more} more entries: campaign log in its folder, or campaign demo --all")
        report = Replay(store, game, StateProjection()).run()
        print_wrapped(replay_lines(report, stored_proofs(store, count=True).values(), game, wording))
        print_line(f"head {store.head()}")
    remark(f"The ledger is in {target}. Look around: campaign -C {target} show")
    ctx.exit(1 if report.differences else 0)
