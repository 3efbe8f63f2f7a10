"""Test the evenings of the samples, played over the links of a table: each player says the lines of their beings."""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path

import msgspec
import pytest

pytest.importorskip("starlette", reason='pip install -e ".[serve]"')

from cli.context import CampaignContext
from cli.play import session_file, taken_lines
from cli.play.declare import parse_now
from cli.play.running_table import PLAYER
from cli.play.sample import SampleSession, play_sample, sample_names, samples
from cli.table.answers import Refusal, Taken, TypedLine
from cli.table.line_writer import LineWriter
from cli.table.seats import GAME_MASTER, Seat
from ledger.dice import fixed_seed
from ledger.errors import LedgerError
from ledger.records import Record
from ledger.service import Ledger
from projections.state import State
from rulebooks.common.adjustments import Adjust

OF_SEVERAL = re.compile(r"\+with:")  # another player's being acts in it


def seat_of(writer: LineWriter, line: str) -> Seat:
    """Return the seat of who says a line: of the player, if it is said by one being of theirs."""
    try:
        said = parse_now(line, writer.ledger, writer.book)
    except LedgerError:
        return GAME_MASTER
    player = writer.ledger.state.state.sheet(said[0].declaration.by, PLAYER) if len(said) == 1 else None
    return Seat("player", str(player)) if player else GAME_MASTER


def is_of_the_master(writer: LineWriter, line: str) -> bool:
    """Whether a line that a player's being says is the game master's: another acts in it, or it settles a value."""
    said = parse_now(line, writer.ledger, writer.book)
    return bool(OF_SEVERAL.search(line)) or any(isinstance(each.declaration, Adjust) for each in said)


def without_sender(record: Record) -> Record:
    return msgspec.structs.replace(record, request=None, holder="", door="")


def say_evening(ledger: Ledger[State], context: CampaignContext, session: SampleSession, file: Path) -> None:
    """Play a session of a sample, each line over the link of who says it."""
    ledger.open_session(session.title, at=context.now, seed=fixed_seed(session.seed))
    writer = LineWriter(CampaignContext(context.folder, context.clock))
    words = [(Seat("player", who), f'{who} words "{text}"') for who, text in session.words.items()]
    said = (line.text for line in taken_lines.said_lines(session_file.session_lines(file)))
    for number, (seat, line) in enumerate(chain(words, ((seat_of(writer, line), line) for line in said))):
        typed = TypedLine(line=line, key=f"key-{session.file}-{number}".replace(".", "-"))
        is_refused = seat != GAME_MASTER and is_of_the_master(writer, line)
        answer = writer.say(seat, typed)
        if is_refused:
            assert isinstance(answer, Refusal), (seat, line, answer)
            answer = writer.say(GAME_MASTER, typed)
        assert isinstance(answer, Taken), (seat, line, answer)
    writer.context.close()
    ledger.refresh()
    ledger.close_session(at=context.now)


@pytest.mark.slow
@pytest.mark.parametrize("name", sample_names(samples()))
def test_evening_over_links_is_the_same(
    name: str, tmp_path: Path, played_samples: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cli.play.sample.play_session", say_evening)
    play_sample(samples() / name, tmp_path)
    records = [
        list(CampaignContext(folder, None).store(write=False).records()) for folder in (tmp_path, played_samples[name])
    ]
    by_links, by_file = records
    assert list(map(without_sender, by_links)) == list(map(without_sender, by_file))
    players = {record.holder for record in by_links} - {"", "gm"}
    assert len(players) >= (0 if name == "broken-archway" else 2), players  # no sheet names a player there
