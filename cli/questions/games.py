"""The games that are installed: ours, and those of other packages with what is wrong with any of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from ledger.errors import LedgerError
from rulebooks import GAMES, load_game
from rulebooks.common.game import Game
from rulebooks.installed import InstalledGame, installed_games, one_line

OURS: Final = "campaign-ledger"


class ListedGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game in the list: its name and book, the package that it is in, or what is wrong with it."""

    name: str
    title: str = ""
    about: str = ""
    version: str = ""
    revision: int = 0
    package: str = OURS
    error: str = ""


def listed_games() -> Iterator[ListedGame]:
    """Yield every game: ours, then those of other packages by name, also those that cannot be used."""
    for name in GAMES:
        yield listed_game(load_game(name), OURS)
    for game in installed_games():
        try:
            yield listed_installed(game)
        except LedgerError as error:
            yield ListedGame(name=one_line(game.name), package=game.brought_by, error=str(error))


def listed_installed(game: InstalledGame) -> ListedGame:
    """Return the row of a game of another package. Raises LedgerError if it cannot be used."""
    if game.name in GAMES:
        raise game.error(f"{OURS} has a game of this name itself, and that one is played")
    book = game.load() if game.problem else load_game(game.name)
    content = book.texts().content  # the whole, which may be wrong too
    if (content.name, content.version) != (book.name, book.version):
        raise game.error(f"its rulebook.toml is of {content.name} {content.version}, not {book.name} {book.version}")
    return listed_game(book, game.brought_by)


def listed_game(book: Game, package: str) -> ListedGame:
    """Return the row of a game. Raises Unreadable where its book cannot be read."""
    head = book.texts().head
    about, _, _ = head.of.partition(";")  # what follows is about author and licence
    return ListedGame(
        name=book.name,
        title=one_line(head.title),
        about=one_line(about),
        version=book.version,
        revision=book.revision,
        package=package,
    )
