"""Play a session file: declare its new lines, and correct the ledger where a taken line was edited.

`run` and `watch` share it. A text (a scene, fiction, a quote) that was changed or inserted is corrected at once. Any
other edit is shown as the correction that it would be, and written if that is confirmed; the lines behind it are
declared all the same. What another window has changed is reported, and never corrected back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Final, Protocol

from cli.play import declare, file_differences, taken_lines
from cli.play.file_alignment import Alignment, FileEdit, align
from cli.play.file_edits import EditPlanner, PlannedEdit
from ledger.acts import CutShort
from ledger.errors import Damaged, LedgerError, Overtaken, Refused
from ledger.records import EMPTY, Head, Record
from ledger.service import Ledger
from ledger.store import Store, overtaken
from projections.state import State
from rulebooks.common.game import Game

BATCH: Final = 100  # lines of one transaction: they are printed once they are on the disk
TRIES: Final = 100  # against other writers, each of whom has written something


class FileReport(Protocol):
    """What is printed about a file, and who is asked. `where` names a line of the file."""

    def is_stopped(self) -> bool:
        """Return whether to declare nothing more."""

    def print_taken(self, store: Store, record: Record) -> None:
        """Print what a new line has written."""

    def print_corrected(self, records: Sequence[Record]) -> None:
        """Print what an edit has written: the correction, then the takes that it caused."""

    def is_left(self, edit: FileEdit) -> bool:
        """Whether this edit was shown before, and left."""

    def check_settled(self) -> None:
        """Raise FileChangedError if the file is just being saved: half a file lacks lines."""

    def confirms(self, planned: PlannedEdit, where: str) -> bool:
        """Show the correction that an edit would be; return whether to write it."""

    def print_refused(self, edit: FileEdit, error: LedgerError) -> None:
        """Print why an edit cannot be made."""

    def print_note(self, text: str) -> None:
        """Print what is remarked about a new line."""

    def print_difference(self, text: str) -> None:
        """Print how the file and the ledger differ, and why."""


class FileChangedError(Exception):
    """The file was saved while it was being played: it has to be read again."""


class SessionPlayer:
    """A session file that is played, once or at each save. `left` counts the edits that were not written."""

    def __init__(
        self, file: Path, book: Game, report: FileReport, clock: Callable[[], str], *, confirmed: bool = False
    ) -> None:
        """`confirmed`: all edits are written without a question."""
        self.file, self.book, self.report, self.clock, self.confirmed = file, book, report, clock, confirmed
        self.mark = ""  # of the file, once one of its lines is taken
        self.left = 0
        self._gone: set[int] = set()  # positions of lines that were taken back, and taken out of the file
        self._idle: set[str] = set()  # keys of lines that had nothing to let go
        self._same: set[tuple[object, int]] = set()  # edits that change nothing
        self._aligned: tuple[object, taken_lines.TakenLines, Alignment] | None = None  # what it was aligned for
        self._head = EMPTY  # of the ledger that it was aligned with
        self._takes = taken_lines.KeptTakes()
        self._taken: tuple[object, taken_lines.TakenLines] | None = None  # where in the ledger they were found

    def take(self, ledger: Ledger[State], lines: Sequence[str]) -> None:
        """Take a file as it is now. Raises the error of the first new line that is refused, once all else is done.

        Raises Refused, and writes nothing, if the file has lost most of its lines.
        """
        said, self.left = taken_lines.said_lines(lines), 0
        self._check_same_file(ledger, said)
        self._note_gone(ledger, said)
        self._correct(ledger, said, lambda edit: self.confirmed or edit.is_text)
        error = self._declare(ledger, said)
        if not self.confirmed and self._correct(ledger, said, lambda edit: not edit.is_text):
            error = self._declare(ledger, said)
        _, alignment = self.align(ledger, said)
        self.left += sum(file_differences.is_cut_short(taken) for _, taken in alignment.same)
        cut = error.record.id if isinstance(error, CutShort) else None
        for text in file_differences.differences(alignment, ledger.store, self.book, self.file, cut):
            self.report.print_difference(text)
        if error is not None:
            raise error

    def align(
        self, ledger: Ledger[State], said: Sequence[taken_lines.FileLine]
    ) -> tuple[taken_lines.TakenLines, Alignment]:
        """Return the taken lines of the file, and the file beside them."""
        session, head = ledger.state.session.number, ledger.store.head()
        name = (session, head, tuple(said), self.mark, frozenset(self._gone))
        if self._aligned is None or self._aligned[0] != name:
            taken = self._find_taken(ledger.store, session, head, said)
            self.mark = taken.mark if taken.lines else ""
            self._taken = (session, head, self.mark), taken
            self._aligned = (*name[:3], self.mark, name[4]), taken, align(taken, said, self._gone)
            self._head = head
        return self._aligned[1:]

    def _find_taken(
        self, store: Store, session: int, head: Head, said: Sequence[taken_lines.FileLine]
    ) -> taken_lines.TakenLines:
        """Return the taken lines. For a file whose mark is known they depend on the ledger alone."""
        if self.mark and self._taken is not None and self._taken[0] == (session, head, self.mark):
            return self._taken[1]
        return taken_lines.find_taken_lines(store, session, self.file, said, self.mark, self._takes)

    def where(self, edit: FileEdit) -> str:
        """Return the line of the file that an edit is at, or the file of a removed line."""
        return f"{self.file}:{edit.line.number}" if edit.line else str(self.file)

    def _declare(self, ledger: Ledger[State], said: Sequence[taken_lines.FileLine]) -> LedgerError | None:
        """Declare the new lines; return the error of the first that is refused."""
        _, alignment = self.align(ledger, said)
        new = [line for line in alignment.new if line.key not in self._idle]
        for start in range(0, len(new), BATCH):
            if (error := self._declare_batch(ledger, new[start : start + BATCH])) or self.report.is_stopped():
                return error
        return None

    def _declare_batch(self, ledger: Ledger[State], lines: Sequence[taken_lines.FileLine]) -> LedgerError | None:
        """Declare lines in one transaction, print them, and return the error of the first that is refused.

        Where dice are shared each line is one, so that no file is kept from others while pages are asked.
        """
        records, refusal = list[Record](), None
        with nullcontext() if ledger.shares_dice else ledger.batch():
            for line in lines:
                if self.report.is_stopped():
                    break
                try:
                    record = declare.declare_line(
                        ledger, self.book, line.text, at=self.clock(), request=line.key, note=self.report.print_note
                    )
                except LedgerError as error:
                    refusal = error.at(f"{self.file}:{line.number}")
                    records += [error.record] if isinstance(error, CutShort) else []
                    break
                if record is None:
                    self._idle.add(line.key)
                else:
                    records.append(record)
        for record in records:
            self.report.print_taken(ledger.store, record)
        return refusal

    def _correct(
        self, ledger: Ledger[State], said: Sequence[taken_lines.FileLine], wanted: Callable[[FileEdit], bool]
    ) -> bool:
        """Make these edits; return whether something was written."""
        done, tries = set[tuple[str, str, str, int]](), TRIES
        written, most = 0, 2 * len(said) + len(self.align(ledger, said)[1].edits)
        while written < most and not self.report.is_stopped():
            taken, alignment = self.align(ledger, said)
            edit = next((edit for edit in alignment.edits if edit.name not in done and wanted(edit)), None)
            if edit is None:
                break
            done.add(edit.name)
            try:
                if self._make(ledger, taken, edit):
                    written += 1
                    done.discard(edit.name)  # the same line may be inserted twice
            except Overtaken as error:
                ledger.refresh()
                tries -= 1
                if not tries:
                    self._refuse(edit, error)
                else:
                    done.discard(edit.name)
            except Damaged:
                raise
            except LedgerError as error:
                if not isinstance(error, Refused) or not error.is_idle:
                    self._refuse(edit, error)
        return written > 0

    def _make(self, ledger: Ledger[State], taken: taken_lines.TakenLines, edit: FileEdit) -> bool:
        """Make one edit if it is a text or confirmed; return whether something was written."""
        if edit.line is None:
            self.report.check_settled()
        if self.report.is_left(edit):
            self.left += 1
            return False
        planner = EditPlanner(ledger, self.book, f"edited in {self.file.name}")
        name = edit.name, _position(edit)
        planned = planner.plan(edit) if name not in self._same else None
        if planned is None:
            self._same.add(name)
            return False
        if planned.correction.head != self._head:  # another process may have made this edit
            raise overtaken(ledger.store, self._head)
        if not edit.is_text and not self.report.confirms(planned, self.where(edit)):
            self.left += 1
            return False
        text = edit.line.text if edit.line else edit.taken.line if edit.taken else ""
        key = taken.edit_key(text, planned.correction.head.position)
        self.report.print_corrected(planner.write(planned, at=self.clock(), request=key))
        return True

    def _refuse(self, edit: FileEdit, error: LedgerError) -> None:
        """Report an edit that cannot be made."""
        self.left += 1
        if error.hint.startswith(("Add --pass", "Type them")):
            error = error.with_hint(f"{error.hint} These are options of: campaign amend")
        self.report.print_refused(edit, error.at(self.where(edit)))

    def _check_same_file(self, ledger: Ledger[State], said: Sequence[taken_lines.FileLine]) -> None:
        """Raise Refused if most of the lines that were taken are not in the file: it may be another, or half of it."""
        _, alignment = self.align(ledger, said)
        if not alignment.is_same_file:
            self.report.check_settled()
            raise Refused(
                "L-REQUEST",
                "most of the lines that were taken are not in the file",
                where=str(self.file),
                hint="If it is another file, give it another name; to take lines out: campaign amend --drop ENTRY",
            )

    def _note_gone(self, ledger: Ledger[State], said: Sequence[taken_lines.FileLine]) -> None:
        """Note the lines that were taken back and taken out of the file. If one is said again, it is new."""
        _, alignment = self.align(ledger, said)
        if gone := {taken.position for taken in alignment.gone} - self._gone:
            self.report.check_settled()
            self._gone |= gone


def _position(edit: FileEdit) -> int:
    """Return the position of the take that is changed, or before which a line is inserted."""
    taken = edit.taken or edit.before
    return taken.current.position if taken else 0
