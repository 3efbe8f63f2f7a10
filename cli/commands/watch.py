"""`watch`: a session file is followed, and each line said as soon as it is saved.

It keeps no state of its own: what was taken is in the ledger, under the request keys with which `run` says a file.
The ledger is opened for each save and closed again, so that nothing is held while waiting.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import click

from cli.commands.do import lines_said, session_lines, shown
from cli.context import CampaignContext, pass_campaign
from cli.errors import REFUSALS
from cli.output import remark
from cli.play.say import silent
from ledger.errors import Damaged, LedgerError, Refused, Unreadable
from ledger.store import Store

STEP_MILLISECONDS = 20  # still for so long: a save is over
DEBOUNCE_MILLISECONDS = 200
LOOK_MILLISECONDS = 1000  # without news, look at the file itself: some folders send none


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--once", is_flag=True, help="Take what is there, and stop.")
@click.option("--json", "as_record", is_flag=True, help="Print the records as they are stored.")
@pass_campaign
@click.pass_context
def watch_command(ctx: click.Context, context: CampaignContext, file: Path, once: bool, as_record: bool) -> None:
    """Follow FILE (.session): each line that ends in a newline is said when it is saved.

    A line that is refused is shown, and waits with all behind it until it is mended. What was taken stays: a change
    in it is reported and not applied. Started again, it goes on where it was. End it with Ctrl-C.

    Example: campaign watch evening.session
    """
    with terminating() as stop:
        watch = Watch(context, file, as_record, stop)
        if once:
            watch.take(session_lines(file, ended=True))
            ctx.exit(128 + signal.SIGTERM if stop.is_set() else 0)
        folders = folders_of(file)
        remark(f"Following {file}. End with Ctrl-C.")
        for news in saves(file, folders, stop):
            watch.look(news)
    ctx.exit(128 + signal.SIGTERM)


class Watch:
    """A file that is followed through one session."""

    def __init__(self, place: CampaignContext, file: Path, as_record: bool, stop: Event) -> None:
        self.place, self.file, self.as_record, self.stop = place, file, as_record, stop
        self.session = evening(place, file)
        self._seen: tuple[int, ...] | None = None
        self._shown: tuple[str, list[str]] = ("", [])  # the last error, and the lines that it was shown for
        self._again = False  # whether to try again without a save: it was the ledger, not the line

    def look(self, news: bool) -> None:
        """Take what is new in the file, if there are `news` of it or it looks otherwise than before."""
        seen = looks(self.file)
        if not news and seen == self._seen and not self._again:
            return
        self._seen = seen
        if seen is None:
            self._say(f"{self.file} is not there; waiting for it", [])
            return
        lines: list[str] = []
        try:
            lines = session_lines(self.file, ended=True)
            self.take(lines)
            self._again = False
        except (Damaged, Over):
            raise
        except LedgerError as error:
            self._again = not isinstance(error, (*REFUSALS, Unreadable))
            self._say(f"Error: {error}", lines)

    def take(self, lines: list[str]) -> None:
        """Say the lines that are new, and show what comes of each."""
        try:
            table = self.place.ledger(write=True)
            sitting = table.state.session
            if not sitting.open or sitting.number != self.session:
                raise Over(self.session)
            for record in lines_said(self.place, table, self.file, lines):
                shown(record, self.as_record)
                if self.stop.is_set():
                    return
        finally:
            self.place.close()

    def _say(self, text: str, lines: list[str]) -> None:
        """Show an error, once for the same lines."""
        if (text, lines) != self._shown:
            self._shown = (text, lines)
            remark(text)


class Over(Refused):
    """The session that was followed is closed."""

    def __init__(self, session: int) -> None:
        super().__init__("L-CLOSED", f"session {session} is closed", hint="Follow another file in the next one")


def evening(context: CampaignContext, file: Path) -> int:
    """The session at hand. Raises Refused when none is open, or when the file was said in an earlier one."""
    try:
        table = context.ledger(write=True)
        sitting = table.state.session
        if not sitting.open:
            raise Refused("L-CLOSED", "no session is open", hint="Open one: campaign open")
        lines = session_lines(file, ended=True) if file.exists() else []
        earlier = said_before(table.store, file, lines, sitting.number)
        if earlier:
            raise Refused(
                "L-REQUEST",
                f"it was said in session {earlier}",
                where=str(file),
                hint=f"Give session {sitting.number} a file of its own",
            )
        return sitting.number
    finally:
        context.close()


def said_before(store: Store, file: Path, lines: list[str], session: int) -> int | None:
    """The earlier session in which the file's first line was said, unless it was said in this one too."""
    first = next((number for number, line in enumerate(lines, start=1) if not silent(line)), None)
    if first is None or store.by_request(f"{session}:{file.name}:{first}"):
        return None
    for number in range(session - 1, -1, -1):
        earlier = store.by_request(f"{number}:{file.name}:{first}")
        if earlier is not None and earlier.line == lines[first - 1].strip():
            return number
    return None


def looks(file: Path) -> tuple[int, ...] | None:
    """What tells one state of a file from another; None when it is not there."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def folders_of(file: Path) -> set[Path]:
    """The folders to watch: a save by renaming takes the file itself out of sight, and a link's target has its own."""
    folders = {file.absolute().parent, file.resolve().parent}
    for folder in folders:
        if not folder.is_dir():
            raise Unreadable("there is no such folder", where=str(folder), hint="Name a .session file.")
    return folders


def saves(file: Path, folders: set[Path], stop: Event) -> Iterator[bool]:
    """Whenever to look: at once, whenever something happens to the file (True), and now and then."""
    import watchfiles

    names = {file.name, file.resolve().name}
    yield True
    for changes in watchfiles.watch(
        *folders,
        watch_filter=lambda change, path: Path(path).name in names,
        debounce=DEBOUNCE_MILLISECONDS,
        step=STEP_MILLISECONDS,
        stop_event=stop,
        rust_timeout=LOOK_MILLISECONDS,
        yield_on_timeout=True,
        recursive=False,
    ):
        yield bool(changes)


@contextmanager
def terminating() -> Iterator[Event]:
    """An event that SIGTERM sets, so that a line which is being said is said to its end."""
    stop = Event()
    before = signal.signal(signal.SIGTERM, lambda *_: stop.set())
    try:
        yield stop
    finally:
        signal.signal(signal.SIGTERM, before)
