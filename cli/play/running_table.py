"""Links for shared dice from a table that another process serves: the shell of the game master asks it for them.

The server writes its address, with a token of its own for this, into a file beside the ledger that only its owner can
read. Without such a server, and where it does not answer, no link is given.
"""

from __future__ import annotations

import ssl
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import msgspec
from msgspec.structs import replace

from ledger.links import ALONE, LinkAsked
from ledger.seeds import read_regular_file
from ledger.service import Ledger
from projections.state import State

FILE: Final = "table.secret"
FILE_BYTES_MOST: Final = 1024
ASK_PATH: Final = "/ask-link"
SECONDS: Final = 4.0  # longer than the server waits for the pages
PLAYER: Final = "player"  # the entry of a sheet that names the player


class Running(msgspec.Struct, frozen=True):
    """Where a table is served, and the token for those who ask it for links."""

    address: str
    token: str


class TableLink(msgspec.Struct, frozen=True):
    """The link that a table has got from a page; empty if it got none."""

    link: str


class RunningTable:
    """Asks the server of a ledger's table for links."""

    def __init__(self, ledger: Ledger[State], folder: Path) -> None:
        self._ledger, self._file = ledger, folder / FILE

    def next_link(self, asked: LinkAsked) -> str:
        """Return the next link of one of the chains that are asked; empty if no table is served or no page answers."""
        try:
            running = read_running(self._file)
            return _ask(running, replace(asked, by=player_of(self._ledger.state.state, asked.by)))
        except (OSError, HTTPException, msgspec.MsgspecError, UnicodeDecodeError, ValueError):
            return ALONE


def player_of(state: State, being: str) -> str:
    """Return the player of a being; empty if nobody is."""
    return str(state.sheet(being, PLAYER) or "")


def read_running(path: Path) -> Running:
    """Return where a table is served. Raises OSError, or an error of msgspec or Unicode, if none is."""
    content = read_regular_file(path, FILE_BYTES_MOST)
    if path.stat().st_mode & 0o077:
        raise PermissionError(f"{path} can be read by others")
    return msgspec.json.decode(content, type=Running)


def _ask(running: Running, asked: LinkAsked) -> str:
    """Return the link that a running table gives. Raises an error of the network or of HTTP."""
    address = urlsplit(running.address)
    host, port = address.hostname or "", address.port or 0
    if address.scheme == "https":  # of this machine, so that no certificate has its name
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        connection: HTTPConnection = HTTPSConnection(host, port, timeout=SECONDS, context=context)
    else:
        connection = HTTPConnection(host, port, timeout=SECONDS)
    try:
        headers = {"authorization": f"Bearer {running.token}", "content-type": "application/json"}
        connection.request("POST", ASK_PATH, msgspec.json.encode(asked), headers)
        answer = connection.getresponse()
        return msgspec.json.decode(answer.read(), type=TableLink).link if answer.status == 200 else ALONE
    finally:
        connection.close()
