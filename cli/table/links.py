"""The links of a table: a token for each seat, kept beside the ledger, revocable one by one while the server runs."""

from __future__ import annotations

import os
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from cli.questions.roles import PLAYERS
from cli.table.seats import GAME_MASTER, WATCHER, Seat
from cli.web.tokens import TOKEN_FILE, load_tokens, read_tokens
from ledger.errors import InputError
from ledger.names import name_key

LINKS_MOST: Final = 100
PLAYERS_MOST: Final = LINKS_MOST - 2
WRITING: Final = "hands"  # begins the names of the links with which somebody speaks
OF_PLAYER: Final = f"{WRITING} player "


def seats_for(players: Sequence[str]) -> list[Seat]:
    """Return a seat for each player, one for the game master, one for those who watch. Raises InputError for many."""
    if len(players) > PLAYERS_MOST:
        what = f"{len(players)} players are listed, and there are {PLAYERS_MOST} links for players"
        raise InputError(what, hint="List those who play: campaign open --players ana,bo.")
    return [*(Seat("player", name) for name in players), GAME_MASTER, WATCHER]


def link_name(seat: Seat) -> str:
    """Return the name of a seat's link in the file of the tokens; who watches has that of the players' page."""
    return PLAYERS if seat.role == "watcher" else f"{WRITING} {seat.role} {name_key(seat.holder)}"


def onlooker(name: str) -> Seat | None:
    """Return the seat of a link of a player who is not in the session; None for any other link."""
    return Seat("watcher", name.removeprefix(OF_PLAYER)) if name.startswith(OF_PLAYER) else None


def absent_players(folder: Path, seats: Sequence[Seat]) -> list[Seat]:
    """Return the seats of players who have a link, and are not in the session."""
    names = {link_name(seat) for seat in seats}
    known = (name for name in read_tokens(folder / TOKEN_FILE) if name not in names)
    return [Seat("player", name.removeprefix(OF_PLAYER)) for name in known if name.startswith(OF_PLAYER)]


class Reseated(NamedTuple):
    """Who has come to the table with another session, and who is not in it."""

    came: Sequence[Seat]
    left: Sequence[Seat]


class SeatLinks:
    """Which seat a token is for, as the file of the tokens says it now: a token that was replaced is nobody's.

    With the link of a player who is not in the session one may look.
    """

    def __init__(self, folder: Path, seats: Sequence[Seat], *, new: Sequence[Seat] | None = ()) -> None:
        """`new`: the seats whose links are others from now on; None: all are."""
        renewed = None if new is None else [link_name(seat) for seat in new]
        self._folder, self.path = folder, folder / TOKEN_FILE
        names = dict.fromkeys([*map(link_name, seats), *(renewed or ())])
        tokens = load_tokens(folder, names, new=renewed)
        self._tokens = read_tokens(self.path) | tokens
        self._set(seats)

    def _set(self, seats: Sequence[Seat]) -> None:
        """Set who sits at the table."""
        self.seats, self._seats = list(seats), {link_name(seat): seat for seat in seats}
        self._version = self._file_version()

    def reseat(self, players: Sequence[str]) -> Reseated | None:
        """Seat the players of another session, each with a link, which is that of the last time if there was one.

        Return None if they sit there already. Raises InputError for too many.
        """
        seats = seats_for(players)
        names = list(map(link_name, seats))
        if not players or names == list(self._seats):
            return None
        came = [seat for seat in seats if link_name(seat) not in self._seats]
        left = [seat for seat in self.seats if link_name(seat) not in names]
        if missing := [name for name in names if name not in self._tokens]:
            self._tokens |= load_tokens(self._folder, missing)
        self._set(seats)
        return Reseated(came, left)

    def token(self, seat: Seat) -> str:
        """Return the token of a seat."""
        return self._tokens[link_name(seat)]

    def find(self, token: str) -> Seat | None:
        """Return the seat of a token; None for a token of nobody."""
        self.has_changed()
        given, found = token.encode("utf-8", "replace"), None
        for name, known in self._tokens.items():
            if secrets.compare_digest(known.encode(), given):
                found = self._seats.get(name) or onlooker(name)
        return found

    def has_changed(self) -> bool:
        """Return whether somebody has replaced tokens since the last time, and take over the new ones."""
        version = self._file_version()
        if version is None or version == self._version:  # without a file these are kept by this process alone
            return False
        self._version, self._tokens = version, read_tokens(self.path)
        return True

    def _file_version(self) -> tuple[int, int, int] | None:
        """Return the version of the file of the tokens; None if there is none."""
        try:
            stat = os.stat(self.path)
        except OSError:
            return None
        return stat.st_ino, stat.st_mtime_ns, stat.st_size
