"""`python -m tests.keystrokes`: the keys of ten ordinary lines of each game in the shell, with Enter.

The lines in `keystrokes.toml` are those of the samples as one types them in `campaign play`: each is read where its
entry stands, and says what the sample says there.
"""

from __future__ import annotations

import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean
from typing import NamedTuple

from cli.questions.ledger_file import LEDGER_FILE
from cli.questions.line_scope import line_scope
from cli.shell.speaker import in_turn, with_speaker
from ledger.acts import written_before
from ledger.builtin import BUILTIN
from ledger.declarations import Declaration
from ledger.facts import parse_entry_id
from ledger.game import decoder
from ledger.ledger_state import load_state
from ledger.records import Record
from ledger.sqlite_store import SqliteStore, open_store
from projections.projection import StateProjection
from rulebooks import load_game
from rulebooks.common.announcements import Announce, announced_declaration
from rulebooks.common.game import Game
from tests.golden import CAMPAIGNS, played

LINES = tomllib.loads((Path(__file__).parent / "keystrokes.toml").read_text(encoding="utf-8"))
ATTACKS = ("attack", "blast")
ENTER = 1


class Keystrokes(NamedTuple):
    """A line of a sample: its entry, how it is typed, and what it says there and in the sample."""

    entry: str
    typed: str
    says: Declaration
    sample_says: Declaration

    @property
    def count(self) -> int:
        """The keys, with Enter."""
        return len(self.typed) + ENTER

    @property
    def most(self) -> int:
        """The keys that such a line may take: twenty for an attack, fifteen for anything else."""
        return 20 if any(verb in ATTACKS for verb in type(self.says).verbs) else 15


def keystrokes(sample: str, folder: Path) -> Iterator[Keystrokes]:
    """Yield the ordinary lines of a sample that was played in a folder."""
    game = load_game(tomllib.loads((CAMPAIGNS / sample / "campaign.toml").read_text(encoding="utf-8"))["game"])
    store = open_store(folder / LEDGER_FILE, write=False, models=StateProjection.read_models)
    for entry, typed in LINES[sample].items():
        id = parse_entry_id(entry)
        (*_, record) = store.takes(after=id.before, upto=id)
        yield Keystrokes(entry, typed, read_line(store, game, record, typed), declaration(game, record))
    store.close()


def read_line(store: SqliteStore, game: Game, record: Record, typed: str) -> Declaration:
    """Return what a line says where a record stands, before the passes that it implies."""
    first = (*written_before(store, record), record)[0]
    position = load_state(store, StateProjection(), at=first.id.before)
    scope = line_scope(position, game)
    (parsed,) = with_speaker(typed, scope, lambda: in_turn(position.state, game)).parsed or ()
    return parsed.declaration


def declaration(game: Game, record: Record) -> Declaration:
    """Return what a record declares; of an announcement what it announces."""
    assert record.declared is not None
    said = decoder(game, BUILTIN).decode(record.declared.said)
    return announced_declaration(said, *game.declarations) if isinstance(said, Announce) else said


def table() -> Iterator[str]:
    """Yield a row for each line, and the mean of each sample."""
    for sample in LINES:
        with tempfile.TemporaryDirectory() as scratch:
            played(sample, Path(scratch) / sample)
            rows = list(keystrokes(sample, Path(scratch) / sample))
        yield summary(sample, rows)
        yield from (f"  {row.count:2}  {row.typed}" for row in rows)


def summary(sample: str, rows: Sequence[Keystrokes]) -> str:
    """Return a row of the README: the mean of a sample, and the longest line that is an attack, and that is none."""
    longest = [max((row for row in rows if row.most == most), key=lambda row: row.count) for most in (20, 15)]
    told = ", ".join(f"`{row.typed}` {row.count}" for row in longest)
    return f"| `{sample}` | {mean(row.count for row in rows):.1f} | {told} |"


if __name__ == "__main__":
    print("\n".join(table()))
