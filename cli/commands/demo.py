"""`demo`: the sample campaign, founded, played, logged and replayed in a fresh folder."""

from __future__ import annotations

import tempfile
from contextlib import closing
from importlib.resources import as_file, files
from pathlib import Path

import click
import msgspec

from cli.commands.do import opened, ran
from cli.commands.log import logged
from cli.commands.new import founded, known, read_sheets
from cli.commands.replay import replayed
from cli.context import LEDGER_FILE, CampaignContext, pass_campaign, read_toml
from cli.output import print_line, remark
from ledger.builtin import AddWords
from ledger.errors import LedgerError, Unreadable
from ledger.records import counting
from ledger.replay import Replay
from ledger.service import Ledger
from ledger.sqlite_store import open_store as open_ledger
from projections.projection import StateProjection
from projections.state import State
from rulebooks import book

SAMPLE = "gutter-saints"


class SampleSession(msgspec.Struct, forbid_unknown_fields=True):
    """One evening of a sample: its title, its lines, the text that fixes its dice, and the players' words."""

    title: str
    file: str
    seed: str
    cast: tuple[str, ...] = ()  # who joins before it opens, or has another sheet by now
    because: str = ""
    words: dict[str, str] = {}


class Sample(msgspec.Struct, forbid_unknown_fields=True):
    """`campaign.toml` of a sample: with ledger id and clock fixed, everybody's demo has the same bytes."""

    name: str
    game: str
    ledger: str
    clock: str
    sessions: list[SampleSession]


@click.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path, file_okay=False))
@click.option("--sample", default=SAMPLE, show_default=True, help="Which of the sample campaigns.")
@pass_campaign
@click.pass_context
def demo_command(ctx: click.Context, context: CampaignContext, folder: Path | None, sample: str) -> None:
    """Play the sample into FOLDER (default: a new one), print its log, replay it, and say whether it agrees.

    Example: campaign demo
    """
    with as_file(samples()) as source:
        if sample not in {found.name for found in source.iterdir() if (found / "campaign.toml").is_file()}:
            raise LedgerError(f"there is no sample '{sample}'", where=str(source))
        target = folder or Path(tempfile.mkdtemp(prefix="campaign-demo-"))
        play(source / sample, target)
    with closing(open_ledger(target / LEDGER_FILE, write=False)) as store:
        for record in counting(store.takes()):
            logged(record, plain=False, takes=False)
        game = book(read_sample(source / sample).game)
        report = Replay(store, game, StateProjection()).run()
        for line in replayed(report, game):
            print_line(line)
        print_line(f"head {store.head()}")
    remark(f"The ledger is in {target}. Look around: campaign -C {target} show")
    ctx.exit(1 if report.differences else 0)


def samples() -> Path:
    """The folder of sample campaigns: in a checkout beside the code, in an installed package inside it."""
    checkout = Path(__file__).parents[2] / "campaigns"
    return checkout if checkout.is_dir() else Path(str(files("cli") / "_samples"))


def read_sample(source: Path) -> Sample:
    """The plan of a sample. Raises Unreadable when it is none."""
    try:
        return msgspec.convert(read_toml(source / "campaign.toml"), Sample)
    except msgspec.ValidationError as error:
        raise Unreadable(str(error), where=str(source / "campaign.toml")) from error


def play(source: Path, target: Path) -> None:
    """Found, cast, and play every session of a sample into `target`."""
    sample = read_sample(source)
    game = book(sample.game)
    table = founded(target, sample.name, game, at=sample.clock, ledger=sample.ledger)
    try:
        for _, said in read_sheets(game, [source / "cast"]):
            table.declare(said, at=sample.clock)
        for session in sample.sessions:
            play_session(table, source, session, CampaignContext(target, sample.clock))
    finally:
        table.store.close()


def play_session(table: Ledger[State], source: Path, session: SampleSession, context: CampaignContext) -> None:
    """One evening of a sample, from opening to close."""
    game = book(read_sample(source).game)
    for _, said in read_sheets(game, [source / sheet for sheet in session.cast]):
        if meant := known(table, game, said, session.because):
            table.declare(meant, at=context.now)
    opened(table, session.title, session.seed, at=context.now)
    for who, words in session.words.items():
        table.declare(AddWords(by=who, words=words), at=context.now, line=f'{who} words "{words}"')
    list(ran(context, table, source / "sessions" / session.file))  # its log is printed when all is over
    table.close_session(at=context.now)
