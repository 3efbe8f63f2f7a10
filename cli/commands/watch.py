"""`watch`: follow a session file, declare each line as soon as it is saved, and correct what was edited.

It keeps no state of its own: the ledger has the lines taken so far, under the request keys that `run` uses too.
The ledger is opened for each save and closed again, so that nothing is locked while waiting.
"""

from __future__ import annotations

import select
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Final

import click

from cli.context import CampaignContext
from cli.errors import REFUSALS
from cli.options import json_option, pass_campaign, yes_option
from cli.output import print_question, remark
from cli.play import claim_writer, session_file, taken_lines
from cli.play.session_player import FileChangedError, SessionPlayer
from cli.questions.ledger_file import LEDGER_FILE
from cli.render.session_file import PrintedReport
from ledger.errors import Damaged, LedgerError, Refused, Unreadable
from ledger.records import EMPTY

STEP_MILLISECONDS: Final = 20  # a save is complete after this time without a change
DEBOUNCE_MILLISECONDS: Final = 200
POLL_MILLISECONDS: Final = 1000  # poll the file as well: some file systems send no events
SETTLE_SECONDS: Final = 0.3  # without a change, before a missing line counts as taken out
ASK_SECONDS: Final = 0.2  # between two looks at the file while a question is open


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--once", is_flag=True, help="Declare the lines that are there, and stop.")
@yes_option("Write every correction that an edit of the file would be.")
@click.option("--write", is_flag=True, help="Write the result of each line behind it in the file, as a claim.")
@json_option("Print the records as they are stored.")
@pass_campaign
@click.pass_context
def watch_command(
    ctx: click.Context, context: CampaignContext, file: Path, once: bool, yes: bool, write: bool, json: bool
) -> None:
    """Follow FILE (.session): declare each line that ends in a newline when it is saved.

    A line that is refused is shown, and waits with all lines after it until it is corrected. A text (#, >, ") that was
    changed or inserted is amended at once. Any other edit of a line that was taken is shown as the correction that it
    would be: at a terminal you are asked, elsewhere it waits for --yes; the lines after it are declared all the same.
    What another window takes back or corrects is reported. Started again, it goes on where it stopped. End it with
    Ctrl-C.

    Example: campaign watch evening.session
    """
    with stop_on_sigterm() as stop:
        follower = Follower(context, file, stop, json=json, confirmed=yes, writes=write, once=once)
        if once:
            follower.take()
            ctx.exit(128 + signal.SIGTERM if stop.is_set() else 1 if follower.player.left else 0)
        folders = watched_folders(file)
        remark(f"Following {file}. End with Ctrl-C.")
        for has_changed in saves(file, folders, stop):
            follower.look(has_changed)
    ctx.exit(128 + signal.SIGTERM)


class SessionClosedError(Refused):
    """The session that was followed is closed."""

    def __init__(self, session: int) -> None:
        super().__init__("L-CLOSED", f"session {session} is closed", hint="Follow another file in the next one")


class FollowedReport(PrintedReport):
    """What is printed of a file that may be saved at any time, also while a question is open."""

    def __init__(self, file: Path, context: CampaignContext, stop: Event, *, json: bool, confirmed: bool) -> None:
        super().__init__(file, context.wording, json=json, confirmed=confirmed)
        self.stop = stop
        self.read: tuple[int, ...] | None = None  # the state of the file when it was read

    def is_stopped(self) -> bool:
        """Return whether the process is to end."""
        return self.stop.is_set()

    def check_settled(self) -> None:
        """Wait for a while, and raise FileChangedError if the file was saved meanwhile."""
        if time.time_ns() - (self.read or (0,))[0] < SETTLE_SECONDS * 1e9:
            time.sleep(SETTLE_SECONDS)
        if file_state(self.file) != self.read:
            raise FileChangedError

    def ask(self) -> bool:
        """Ask whether to write the correction. Raises FileChangedError if the file is saved before the answer."""
        print_question("Write this correction? [y/N]:")
        while not select.select([sys.stdin], [], [], ASK_SECONDS)[0]:
            if self.is_stopped() or file_state(self.file) != self.read:
                remark("")
                raise FileChangedError
        return sys.stdin.readline().strip().casefold() in ("y", "yes")


class Follower:
    """A file that is followed through one session."""

    def __init__(
        self,
        context: CampaignContext,
        file: Path,
        stop: Event,
        *,
        json: bool,
        confirmed: bool = False,
        writes: bool = False,
        once: bool = False,
    ) -> None:
        self.context, self.file, self.stop, self.writes, self.once = context, file, stop, writes, once
        self.session = followed_session(context, file)
        self.ledger_file = None if context.address else context.folder / LEDGER_FILE
        self.report = FollowedReport(file, context, stop, json=json, confirmed=confirmed)
        self.player = SessionPlayer(file, context.game(), self.report, lambda: context.now, confirmed=confirmed)
        self.head = EMPTY  # of the ledger, when the file was taken last
        self._file_state: tuple[int, ...] | None = None
        self._ledger_state: tuple[int, ...] | None = None
        self._shown: tuple[str, list[str]] = ("", [])  # the last error, and the lines that it was shown for
        self._retry = False  # try again without a save: the ledger failed, not the line

    def look(self, has_changed: bool) -> None:
        """Take the file, if it was saved or looks different than before, or if somebody else has written the ledger."""
        state = file_state(self.file)
        if not (has_changed or self._retry or state != self._file_state or self._is_ledger_ahead()):
            return
        self._file_state = state
        if state is None:
            self._show(f"{self.file} is missing; waiting for it", [])
            return
        lines: list[str] = []
        try:
            lines = self.read()
            self.take()
            self._retry = False
        except (Damaged, SessionClosedError):
            raise
        except LedgerError as error:
            self._retry = not isinstance(error, (*REFUSALS, Unreadable))
            self._show(f"Error: {error}", lines)

    def read(self) -> list[str]:
        """Return the lines of the file that are complete."""
        self.report.read = file_state(self.file)
        return session_file.session_lines(self.file, ended=True)

    def take(self) -> None:
        """Take the file as it is; again, if it is saved meanwhile."""
        while not self.stop.is_set():
            lines = self.read()
            try:
                self._take(lines)
            except FileChangedError:
                continue
            return

    def _take(self, lines: list[str]) -> None:
        """Declare the new lines, make the edits, and write the results behind the lines."""
        try:
            ledger = self.context.ledger(write=True, door="file")
            session = ledger.state.session
            if not session.open or session.number != self.session:
                raise SessionClosedError(self.session)
            self.report.begin()
            try:
                self.player.take(ledger, lines)
            finally:
                self.head = ledger.state.head
                if self.writes and not self.stop.is_set():
                    claim_writer.write_claims(self.file, self.player, ledger)
        finally:
            self.context.close()

    def _is_ledger_ahead(self) -> bool:
        """Return whether somebody else has written the ledger since the file was taken."""
        if self.ledger_file is not None:
            state = file_state(self.ledger_file)
            if state is None or state == self._ledger_state:
                return False
            self._ledger_state = state
        try:
            return self.context.store(write=True).head() != self.head
        finally:
            self.context.close()

    def _show(self, text: str, lines: list[str]) -> None:
        """Print an error, once for the same lines."""
        if (text, lines) != self._shown:
            self._shown = (text, lines)
            remark(text)


def followed_session(context: CampaignContext, file: Path) -> int:
    """Return the number of the open session. Raises Refused if none is, or if an earlier one took the file."""
    try:
        ledger = context.ledger(write=True)
        session = ledger.state.session
        if not session.open:
            raise Refused("L-CLOSED", "no session is open", hint="Open one: campaign open")
        lines = session_file.session_lines(file, ended=True) if file.exists() else []
        taken_lines.check_file_is_new(ledger.store, file, taken_lines.said_lines(lines), session.number)
        return session.number
    finally:
        context.close()


def file_state(file: Path) -> tuple[int, ...] | None:
    """Return what differs between two versions of a file; None if it is missing."""
    try:
        stat = file.stat()
    except OSError:
        return None
    return stat.st_mtime_ns, stat.st_size, stat.st_ino


def watched_folders(file: Path) -> set[Path]:
    """Return the folders to watch: a save may rename the file, and the target of a link has its own folder."""
    folders = {file.absolute().parent, file.resolve().parent}
    for folder in folders:
        if not folder.is_dir():
            raise Unreadable("there is no such folder", where=str(folder), hint="Name a .session file.")
    return folders


def saves(file: Path, folders: set[Path], stop: Event) -> Iterator[bool]:
    """Yield True at once and whenever the file is saved, and False now and then."""
    import watchfiles  # imported here to start faster with --once

    names = {file.name, file.resolve().name}
    yield True
    for changes in watchfiles.watch(
        *folders,
        watch_filter=lambda change, path: Path(path).name in names,
        debounce=DEBOUNCE_MILLISECONDS,
        step=STEP_MILLISECONDS,
        stop_event=stop,
        rust_timeout=POLL_MILLISECONDS,
        yield_on_timeout=True,
        recursive=False,
    ):
        yield bool(changes)


@contextmanager
def stop_on_sigterm() -> Iterator[Event]:
    """Yield an event that SIGTERM sets, so that a line which is being declared is finished."""
    stop = Event()
    before = signal.signal(signal.SIGTERM, lambda *_: stop.set())
    try:
        yield stop
    finally:
        signal.signal(signal.SIGTERM, before)
