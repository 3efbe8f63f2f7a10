"""The first evening of a game, as data of its book: a cast, and steps with a line to say and a rule behind it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import msgspec

from cli.context import read_toml
from cli.play.new_campaign import create_campaign
from ledger.dice import fixed_seed
from ledger.errors import LedgerError, Unreadable
from rulebooks.common.game import Game

TUTORIAL: Final = "tutorial.toml"


class TutorialStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that happens: the text before it, the line that is said, and the rule that it shows."""

    tell: str
    line: str = ""
    rule: str = ""


class Tutorial(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The `tutorial.toml` of a book. `seed` fixes the dice, so that the texts fit."""

    title: str
    seed: str
    sheets: tuple[dict[str, Any], ...]
    steps: tuple[TutorialStep, ...]


def load_tutorial(book: Game) -> Tutorial:
    """Return the tutorial of a book. Raises LedgerError if it has none, Unreadable for a file of another form."""
    path = book.texts().folder / TUTORIAL
    if not path.exists():
        raise LedgerError(f"{book.texts().content.title} has no tutorial", hint="Play a sample: campaign demo.")
    try:
        return msgspec.convert(read_toml(path), Tutorial)
    except msgspec.ValidationError as error:
        raise Unreadable(str(error), where=str(path)) from error


def begin_tutorial(book: Game, tutorial: Tutorial, folder: Path, *, at: str) -> None:
    """Create a campaign in this folder with the cast of a tutorial, and open its session."""
    ledger_id = fixed_seed(tutorial.seed).hex()[:32]  # the dice depend on it
    ledger = create_campaign(folder, tutorial.title, book, at=at, ledger_id=ledger_id)
    try:
        for sheet in tutorial.sheets:
            ledger.declare(book.sheet(dict(sheet), TUTORIAL), at=at)
        ledger.open_session(tutorial.title, at=at, seed=fixed_seed(tutorial.seed))
    finally:
        ledger.store.close()
