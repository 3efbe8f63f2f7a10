"""Heads of campaigns that somebody kept on this machine, apart from the ledgers: a file for each, by its id.

They stand where programs keep what is the user's (`click.get_app_dir`), or in the folder of CAMPAIGN_HEADS. So a copy
of a campaign, or one that is restored, is checked against the same heads.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import click
import msgspec

from cli.play.files import file_beside, write_bytes
from cli.play.new_campaign import LEDGER_ID
from cli.questions.campaign import ledger_id
from ledger.errors import Unreadable
from ledger.head_words import KeptHead, parse_kept_head
from ledger.store import ReadableStore, Store

FOLDER_VARIABLE: Final = "CAMPAIGN_HEADS"
BYTES_MOST: Final = 1 << 20


class Keeping(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A head as it stands in the file: in digits or words, who read it out, and when it was kept."""

    head: str
    at: str
    by: str = ""

    @property
    def kept(self) -> KeptHead:
        """The head. Raises Unreadable if it is none."""
        return parse_kept_head(self.head)


def kept_heads_of(store: ReadableStore) -> KeptHeadFile:
    """Return the heads that were kept of the campaign of a store."""
    return KeptHeadFile(ledger_id(store))


def is_in_ledger(store: Store, head: KeptHead) -> bool | None:
    """Return whether a ledger had a head; None if it ends before it."""
    if head.position > store.head().position:
        return None
    stored = next(store.read(after=head.position - 1), None)
    return stored is not None and head.fits(stored.hash)


class KeptHeadFile:
    """The heads that were kept of one campaign."""

    def __init__(self, ledger: str) -> None:
        """`ledger` is the id of the campaign. Of one that is none nothing is kept: it could name any file."""
        name = ledger if LEDGER_ID.fullmatch(ledger) else "no campaign"
        folder = os.environ.get(FOLDER_VARIABLE) or str(Path(click.get_app_dir("campaign-ledger")) / "heads")
        self.path = Path(folder) / f"{name}.jsonl"

    def read(self) -> list[Keeping]:
        """Return all, in the order in which they were kept. Raises Unreadable, naming the line that is no head."""
        return [self._keeping(number, line) for number, line in enumerate(self._bytes().splitlines(), start=1)]

    def remove(self, head: KeptHead) -> bool:
        """Remove a head that was kept by mistake; return False if it is not there."""
        before = self._bytes()
        lines = [line for line, each in zip(before.splitlines(), self.read(), strict=True) if each.kept != head]
        if len(lines) < len(before.splitlines()):
            self._replace(before, b"".join(line + b"\n" for line in lines))
            return True
        return False

    def add(self, keeping: Keeping) -> bool:
        """Add a head; return False if it was there. Raises Unreadable if the file cannot be written."""
        is_new, line = False, msgspec.json.encode(keeping)
        while not any(keeping.kept == earlier.kept for earlier in self.read()):  # another may replace it meanwhile
            is_new = True
            self._write(line)
        return is_new

    def _write(self, line: bytes) -> None:
        """Write the file with a line behind the others, unless somebody else writes it at the same time."""
        before = self._bytes()
        gap = b"" if not before or before.endswith(b"\n") else b"\n"
        self._replace(before, b"%b%b%b\n" % (before, gap, line))

    def _replace(self, before: bytes, after: bytes) -> None:
        """Replace the content of the file, if it still is `before`."""
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with file_beside(self.path, lambda: self._bytes() == before) as new:
                write_bytes(new, [after])
        except OSError as error:
            raise Unreadable(f"it cannot be written: {error.strerror}", where=str(self.path)) from error

    def _bytes(self) -> bytes:
        """Return what is in the file."""
        try:
            with self.path.open("rb") as file:
                content = file.read(BYTES_MOST + 1)
        except FileNotFoundError:
            return b""
        except OSError as error:
            raise Unreadable(f"it cannot be read: {error.strerror}", where=str(self.path)) from error
        if len(content) > BYTES_MOST:
            raise Unreadable("it is too long for a file of kept heads", where=str(self.path))
        return content

    def _keeping(self, number: int, line: bytes) -> Keeping:
        """Return what a line keeps."""
        where = f"{self.path}, line {number}"
        try:
            keeping = msgspec.json.decode(line, type=Keeping)
            _ = keeping.kept
        except (msgspec.MsgspecError, UnicodeDecodeError, Unreadable) as error:
            raise Unreadable("it is not a kept head", where=where, hint="Put the line right, or remove it.") from error
        return keeping
