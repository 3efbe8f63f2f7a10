"""What `run` and `watch` print of a session file: its new entries, its edits, and how it differs from the ledger."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from cli.output import at_terminal, print_json, print_wrapped, remark
from cli.phrases.entries import INDENT
from cli.play.file_alignment import FileEdit
from cli.play.file_edits import PlannedEdit
from cli.render.log import print_act, print_record
from cli.render.whatif import whatif_lines
from ledger.acts import written_before
from ledger.errors import LedgerError
from ledger.records import Record, encode
from ledger.store import Store
from rulebooks.common.texts import Wording


class PrintedReport:
    """Prints what becomes of a file. At a terminal it asks; elsewhere it says what to type. It says nothing twice.

    `confirmed`: every edit is written. `json`: print the records as they are stored, and ask nothing.
    """

    def __init__(self, file: Path, wording: Wording, *, json: bool = False, confirmed: bool = False) -> None:
        self.file, self.wording, self.json, self.confirmed = file, wording, json, confirmed
        self._left: set[tuple[str, str, str, int]] = set()
        self._left_before: set[tuple[str, str, str, int]] = set()
        self._said: set[str] = set()
        self._said_before: set[str] = set()

    def begin(self) -> None:
        """Begin to report of another version of the file: what was said of the last one is not said again."""
        self._left_before, self._left = self._left, set()
        self._said_before, self._said = self._said, set()

    def is_stopped(self) -> bool:
        """Return False: all lines are declared."""
        return False

    def print_taken(self, store: Store, record: Record) -> None:
        """Print a new entry behind what was written with it."""
        print_act(written_before(store, record), record, self.wording, json=self.json)

    def print_corrected(self, records: Sequence[Record]) -> None:
        """Print a correction, and name the entries that have new takes."""
        own, *takes = records
        print_record(own, self.wording, json=self.json)
        if self.json:
            for take in takes:
                print_json(encode(take))
        elif takes:
            print_wrapped([f"{INDENT}new takes: {', '.join(f'{take.id}@{take.take}' for take in takes)}"])

    def print_note(self, text: str) -> None:
        """Print what is remarked about a new line."""
        remark(text)

    def is_left(self, edit: FileEdit) -> bool:
        """Return whether this edit was shown before, and left."""
        if edit.name in self._left | self._left_before:
            self._left.add(edit.name)
            return True
        return False

    def check_settled(self) -> None:
        """Do nothing: the file was read once."""

    def confirms(self, planned: PlannedEdit, where: str) -> bool:
        """Show the correction that an edit would be; return whether to write it."""
        if not self.json:
            remark(f"{where}: {edit_text(planned.edit)}")
            print_wrapped(whatif_lines(planned.correction.what_if, self.wording))
        if self.confirmed or (self.can_ask and self.ask()):
            return True
        self._left.add(planned.edit.name)
        remark(f"{where}: not written. {self.hint(planned.edit)}")
        return False

    @property
    def can_ask(self) -> bool:
        """Whether somebody is there who can be asked."""
        return at_terminal() and not self.json

    def ask(self) -> bool:
        """Ask whether to write the correction that was shown."""
        return click.confirm("Write this correction?", err=True)

    def hint(self, edit: FileEdit) -> str:
        """Return what to type for an edit, or to take it back."""
        back = f"; to leave it: {back_text(edit)}" if edit.taken or edit.line else ""
        return f"To write it: campaign run {self.file} --yes{back}."

    def print_refused(self, edit: FileEdit, error: LedgerError) -> None:
        """Print why an edit cannot be made."""
        self.print_difference(f"Error: {error}" + (f" To leave it: {back_text(edit)}." if edit.taken else ""))

    def print_difference(self, text: str) -> None:
        """Print how the file and the ledger differ, unless it was said of the version before."""
        if text not in self._said | self._said_before:
            remark(text)
        self._said.add(text)


def edit_text(edit: FileEdit) -> str:
    """Return an edit in words."""
    if edit.taken is None:
        return f"inserted: {edit.line.text if edit.line else ''}"
    if edit.line is None:
        return f"the line of entry {edit.taken.first} was taken out: {edit.taken.line}"
    return f"entry {edit.taken.first} was: {edit.taken.line}"


def back_text(edit: FileEdit) -> str:
    """Return what to do in the file to take an edit back."""
    if edit.taken is None:
        return "take the line out"
    return f"put back the line of entry {edit.taken.first}: {edit.taken.line}"
