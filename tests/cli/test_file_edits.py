"""Random histories of a session file that is edited while it is played: the ledger says what it says, or why not."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from cli.notation.claims import without_claims
from cli.play.claim_writer import claims_to_write, with_claims
from cli.play.declare import declare_line
from cli.play.session_player import SessionPlayer
from cli.play.taken_lines import EDIT_MARK, said_lines
from cli.questions.correction_line_check import CorrectionLineCheck
from cli.render.session_file import PrintedReport
from ledger.errors import LedgerError
from ledger.facts import Amended, EntryId
from ledger.records import Record, latest_takes
from ledger.redecide import TakeHistory
from ledger.writing_order import Log
from projections.projection import StateProjection
from rulebooks.dusk_bastards.texts import TEXTS
from rulebooks.testing.seat import AT
from tests.rulebooks.dusk_bastards.seat import Seat

FILE = Path("evening.session")
OTHER_FILE = "most of the lines that were taken are not in the file"
LINES = (
    "# The lamp room",
    "> Fog.",
    '> Fog  rolls "in',
    '" ash: No.',
    "!! > A secret => none",
    "; nobody sees it",
    "",
    "ash climb v3",
    "ash climb v4 /7.6",
    "b climb v4 /7.6",
    "bryn climb v2 /3.4 => success 7",
    "close",
    'ash might -1 "the stairs"',
    'a,b speed -1 "the long way"',
    '! doom 1 "a debt"',
    "undo",
    "redo",
    "~ v5",
    "zed climb v3",
)
BY_HAND = ("undo", "> Said by hand", "~ 2 v2", "~ 1 > By hand.")
SIZES = st.integers(0, 12)
EDITS = st.one_of(
    st.tuples(st.just("add"), st.sampled_from(LINES), st.just(0)),
    st.tuples(st.just("insert"), st.sampled_from(LINES), SIZES),
    st.tuples(st.just("change"), st.sampled_from(LINES), SIZES),
    st.tuples(st.just("remove"), SIZES, st.just(0)),
    st.tuples(st.just("move"), SIZES, SIZES),
    st.tuples(st.just("elsewhere"), st.sampled_from(BY_HAND), st.just(0)),
    st.tuples(st.just("save"), st.booleans(), st.booleans()),
)
HISTORIES = st.tuples(
    st.lists(st.sampled_from(LINES), min_size=1, max_size=6), st.lists(EDITS, min_size=1, max_size=12)
)


class Evening:
    """A file, the ledger that it is played into, and all that is printed."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.seat = Seat("Ash", "Bryn")
        self.lines = list(lines)
        self.by_hand: set[int] = set()  # positions
        self.mark = ""  # a process that follows the file knows it, also without a line in common

    def player(self, *, confirmed: bool) -> SessionPlayer:
        report = PrintedReport(FILE, TEXTS.lexicon.wording, confirmed=confirmed)
        player = SessionPlayer(FILE, self.seat.book, report, lambda: AT, confirmed=confirmed)
        player.mark = self.mark
        return player

    def save(self, *, confirmed: bool, writes: bool = False) -> str:
        """Save the file, and return what is printed, with the error of the first line that is refused."""
        player, printed = self.player(confirmed=confirmed), io.StringIO()
        with redirect_stdout(printed), redirect_stderr(printed):
            try:
                player.take(self.seat.ledger, self.lines)
            except LedgerError as error:
                printed.write(f"Stopped: {error}")
        self.mark = player.mark
        if writes:
            _, alignment = player.align(self.seat.ledger, said_lines(self.lines))
            claims = claims_to_write(alignment, self.seat.ledger, self.seat.book)
            self.lines = with_claims("\n".join(self.lines).encode(), claims).decode().split("\n")
        return printed.getvalue()

    def edit(self, kind: str, what: str | int, where: int) -> None:
        """Edit the file, or write to the ledger in another window."""
        at, index = min(where, len(self.lines)), what if isinstance(what, int) else 0
        if kind == "elsewhere":
            self._say_elsewhere(str(what))
        elif kind == "add":
            self.lines.append(str(what))
        elif kind == "insert":
            self.lines.insert(at, str(what))
        elif kind == "change" and where < len(self.lines):
            self.lines[where] = str(what)
        elif kind == "remove" and index < len(self.lines):
            del self.lines[index]
        elif kind == "move" and index < len(self.lines):
            self.lines.insert(at, self.lines.pop(index))

    def _say_elsewhere(self, line: str) -> None:
        try:
            record = declare_line(self.seat.ledger, self.seat.book, line, at=AT)
        except LedgerError:
            return
        assert record is not None
        if not record.has(Amended):
            self.by_hand.add(record.position)

    def in_ledger(self) -> list[tuple[EntryId, str, set[str]]]:
        """Return the entries that the file has declared and that count, with their lines; a line of several once.

        The set is what the file may say: the line, or what it was before lines of the file itself have corrected it.
        """
        entries: list[tuple[EntryId, str, set[str]]] = []
        history, typed = TakeHistory(self.seat.store.takes()), self.typed_corrections()
        for record in latest_takes(self.seat.store.takes(after=EntryId(1, 0))):
            if self._is_of_file(record) and not (record.line_start and str(record.id) != record.line_start):
                inputs = [take for take in history.entries[record.id] if take.facts and history.is_input(take)]
                corrected = any(take.cause in typed for take in inputs)
                line = without_claims(record.line)
                lines = {without_claims(take.line) for take in inputs} if corrected else {line}
                entries.append((record.id, line, lines))
        return entries

    def typed_corrections(self) -> set[str]:
        """Return the corrections that lines of the file have made."""
        takes = [take for take in self.seat.store.takes() if take.request and take.has(Amended)]
        return {str(take.id) for take in takes if f":{EDIT_MARK}" not in take.request}

    def undone_by_itself(self) -> set[str]:
        """Return the lines that an `undo` of the file itself has taken back."""
        causes, takes = self.typed_corrections(), list(self.seat.store.takes())
        undone = {take.id for take in takes if take.cause in causes and not take.facts}
        return {without_claims(take.line) for take in takes if take.id in undone}

    def _is_of_file(self, record: Record) -> bool:
        takes = self.seat.store.takes(after=record.id.before, upto=record.id)
        said = [take.position for take in takes if take.cause is None]
        by_hand = bool(said) and said[-1] in self.by_hand
        return bool(record.facts) and bool(record.line) and not record.has(Amended) and not by_hand

    def check(self) -> None:
        """Check that the ledger says what the file says, or that a fresh look says why not, and writes nothing."""
        before = self.seat.store.head()
        printed = self.save(confirmed=False)
        assert self.seat.store.head() == before, printed
        entries = self.in_ledger()
        said = [(line.number, without_claims(line.text)) for line in said_lines(self.lines)]
        if OTHER_FILE in printed:
            return
        refused = re.search(rf"Stopped: .*{FILE}:(\d+)", printed)
        ends = int(refused[1]) if refused else len(self.lines) + 1
        quiet = {"close", "undo", "redo", "~ v5", *self.undone_by_itself()}  # a close of nothing is nothing
        told = "\n".join(row for row in printed.splitlines() if " does not bear out " not in row)
        left = [line for number, line in said if not re.search(rf"{FILE}:{number}\b", told) and number < ends]
        rows = [row for row in told.splitlines() if " was taken back by " not in row]
        right = [lines for id, line, lines in entries if not any(is_named(id, line, row) for row in rows)]
        left = [line for line in left if line not in quiet]
        right = [lines for lines in right if not lines & quiet]
        assert len(left) == len(right), (left, right, printed)
        assert all(line in lines for line, lines in zip(left, right, strict=True)), (left, right, printed)


def is_named(id: EntryId, line: str, row: str) -> bool:
    """Return whether a printed line names an entry and says what it is."""
    return line in row and re.search(rf" {re.escape(str(id))}[ :]", row) is not None


def play(lines: Sequence[str], edits: Sequence[tuple[str, str | int, int]]) -> Evening:
    evening = Evening(lines)
    evening.save(confirmed=False)
    for kind, what, where in edits:
        if kind == "save":
            evening.save(confirmed=bool(what), writes=bool(where))
            evening.check()
        else:
            evening.edit(kind, what, where)
    evening.save(confirmed=True)
    evening.check()
    return evening


@example((["# The lamp room", "redo"], [("elsewhere", "undo", 0)]))
@example((["# The lamp room", "undo", "redo"], [("save", True, False)]))
@given(HISTORIES)
def test_ledger_says_what_the_file_says_or_why_not(history) -> None:
    evening = play(*history)
    evening.seat.check_replay()
    takes = list(evening.seat.store.takes())
    assert not list(CorrectionLineCheck(Log.of_takes(takes), evening.seat.book, StateProjection()).findings())
