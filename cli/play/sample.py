"""Sample campaigns: where they are, and how they are played into a new ledger."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from cli.context import CampaignContext, read_toml
from cli.play import new_campaign, session_file, sheet_files, taken_lines
from cli.play.name_table import write_name_table
from ledger.builtin import AddWords
from ledger.dice import fixed_seed
from ledger.errors import Unreadable
from ledger.service import Ledger
from projections.state import State
from rulebooks import load_game
from rulebooks.common.game import Game


class SampleSession(msgspec.Struct, forbid_unknown_fields=True):
    """One session of a sample: its title, its file, the text that fixes its dice, and the players' words."""

    title: str
    file: str
    seed: str
    cast: tuple[str, ...] = ()  # sheets that join or change before the session opens
    because: str = ""
    words: dict[str, str] = {}


class Sample(msgspec.Struct, forbid_unknown_fields=True):
    """The `campaign.toml` of a sample. Ledger id and clock are fixed, so that every demo writes the same bytes."""

    name: str
    game: str
    ledger: str
    clock: str
    sessions: list[SampleSession]
    names: dict[str, Any] = {}


def samples() -> Path:
    """Return the folder of sample campaigns: in a checkout beside the code, in an installed package inside it."""
    checkout = Path(__file__).parents[2] / "campaigns"
    return checkout if checkout.is_dir() else Path(str(files("cli") / "_samples"))


def sample_names(source: Path) -> list[str]:
    """Return the names of the sample campaigns in a folder."""
    return sorted(path.parent.name for path in source.glob("*/campaign.toml"))


def play_sample(source: Path, target: Path) -> Game:
    """Play all sessions of the sample in `source` into a new campaign in `target`, and return its game."""
    try:
        sample = msgspec.convert(read_toml(source / "campaign.toml"), Sample)
    except msgspec.ValidationError as error:
        raise Unreadable(str(error), where=str(source / "campaign.toml")) from error
    game, context = load_game(sample.game), CampaignContext(target, sample.clock)
    ledger = new_campaign.create_campaign(
        target, sample.name, game, at=sample.clock, ledger_id=sample.ledger, door="file"
    )
    write_name_table(target, sample.names)
    try:
        for _, sheet in sheet_files.read_sheets(game, [source / "cast"]):
            ledger.declare(sheet, at=sample.clock)
        for session in sample.sessions:
            for _, sheet in sheet_files.read_sheets(game, [source / path for path in session.cast]):
                if declaration := sheet_files.sheet_change(ledger, game, sheet, session.because):
                    ledger.declare(declaration, at=sample.clock)
            play_session(ledger, context, session, source / "sessions" / session.file)
    finally:
        ledger.store.close()
    return game


def play_session(ledger: Ledger[State], context: CampaignContext, session: SampleSession, file: Path) -> None:
    """Play one session of a sample, from opening to close."""
    ledger.open_session(session.title, at=context.now, seed=fixed_seed(session.seed))
    for who, words in session.words.items():
        ledger.declare(AddWords(by=who, words=words), at=context.now, line=f'{who} words "{words}"')
    lines = taken_lines.said_lines(session_file.session_lines(file))
    taken = taken_lines.find_taken_lines(ledger.store, ledger.state.session.number, file, lines)
    with ledger.batch():
        for _ in session_file.declare_lines(ledger, context.game(), taken.keys(lines), lambda: context.now, file):
            pass  # the log is printed at the end
    ledger.close_session(at=context.now)
