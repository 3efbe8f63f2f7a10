"""`watch`: follow a session file, and declare each line as soon as it is saved.

It keeps no state of its own: the ledger has the lines taken so far, under the request keys that `run` uses too.
The ledger is opened for each save and closed again, so that nothing is locked while waiting.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Final

import click

from cli.context import CampaignContext, pass_campaign
from cli.errors import REFUSALS
from cli.options import json_option
from cli.output import remark
from cli.play.session_file import declare_lines, session_lines
from cli.play.taken_lines import check_file_is_new, find_taken_lines, said_lines
from cli.render.log import print_act
from ledger.acts import written_before
from ledger.errors import Damaged, LedgerError, Refused, Unreadable

STEP_MILLISECONDS: Final = 20  # a save is complete after this time without a change
DEBOUNCE_MILLISECONDS: Final = 200
POLL_MILLISECONDS: Final = 1000  # poll the file as well: some file systems send no events


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--once", is_flag=True, help="Declare the lines that are there, and stop.")
@json_option("Print the records as they are stored.")
@pass_campaign
@click.pass_context
def watch_command(ctx: click.Context, context: CampaignContext, file: Path, once: bool, json: bool) -> None:
    """Follow FILE (.session): declare each line that ends in a newline when it is saved.

    A line that is refused is shown, and waits with all lines after it until it is corrected. Lines taken stay: a
    change in one is reported and not applied, and the lines after it are declared. Started again, it goes on where it
    stopped. End it with Ctrl-C.

    Example: campaign watch evening.session
    """
    with stop_on_sigterm() as stop:
        follower = Follower(context, file, stop, json=json, once=once)
        if once:
            follower.take(session_lines(file, ended=True))
            ctx.exit(128 + signal.SIGTERM if stop.is_set() else 0)
        folders = watched_folders(file)
        remark(f"Following {file}. End with Ctrl-C.")
        for has_changed in saves(file, folders, stop):
            follower.look(has_changed)
    ctx.exit(128 + signal.SIGTERM)


class SessionClosedError(Refused):
    """The session that was followed is closed."""

    def __init__(self, session: int) -> None:
        super().__init__("L-CLOSED", f"session {session} is closed", hint="Follow another file in the next one")


class Follower:
    """A file that is followed through one session."""

    def __init__(self, context: CampaignContext, file: Path, stop: Event, *, json: bool, once: bool) -> None:
        self.context, self.file, self.json, self.stop = context, file, json, stop
        self.report = None if once else self.report_once
        self.session = followed_session(context, file)
        self.mark = ""  # of the file, once one of its lines is taken
        self._reported: set[str] = set()  # errors of lines that were not declared
        self._reported_before: set[str] = set()  # the same of the save before
        self._state: tuple[int, ...] | None = None
        self._shown: tuple[str, list[str]] = ("", [])  # the last error, and the lines that it was shown for
        self._retry = False  # try again without a save: the ledger failed, not the line

    def look(self, has_changed: bool) -> None:
        """Take the new lines of the file, if it was saved or looks different than before."""
        state = file_state(self.file)
        if not has_changed and state == self._state and not self._retry:
            return
        self._state = state
        if state is None:
            self._show(f"{self.file} is missing; waiting for it", [])
            return
        lines: list[str] = []
        try:
            lines = session_lines(self.file, ended=True)
            self.take(lines)
            self._retry = False
        except (Damaged, SessionClosedError):
            raise
        except LedgerError as error:
            self._retry = not isinstance(error, (*REFUSALS, Unreadable))
            self._show(f"Error: {error}", lines)

    def take(self, lines: list[str]) -> None:
        """Declare the new lines, and print their records."""
        try:
            ledger = self.context.ledger(write=True)
            session = ledger.state.session
            if not session.open or session.number != self.session:
                raise SessionClosedError(self.session)
            self._reported_before, self._reported = self._reported, set()
            said = said_lines(lines)
            taken = find_taken_lines(ledger.store, session.number, self.file, said, self.mark)
            self.mark = taken.mark
            aligned = taken.align(said)
            for record in declare_lines(self.context, ledger, self.file, aligned, self.report):
                print_act(written_before(ledger.store, record), record, self.context.wording, json=self.json)
                if self.stop.is_set():
                    return
        finally:
            self.context.close()

    def report_once(self, error: LedgerError) -> None:
        """Print the error of a line that is not declared, unless the save before had it too."""
        if str(error) not in self._reported_before:
            remark(f"Error: {error}")
        self._reported.add(str(error))

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
        lines = session_lines(file, ended=True) if file.exists() else []
        check_file_is_new(ledger.store, file, said_lines(lines), session.number)
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
