"""What the shell answers: it declares lines, closes the open roll, and runs questions as commands.

It keeps one connection and the folded state between lines. If another process has appended, the state is loaded again.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from cli.context import CampaignContext
from cli.notation.line_parser import parse_each
from cli.notation.tokens import normalize_line, quote
from cli.output import paint, print_line, print_wrapped, remark
from cli.play.declare import declare_line, is_correction
from cli.queries.line_completion import complete_line
from cli.queries.line_scope import line_scope
from cli.render.log import before_lines, fact_lines
from cli.shell.prompt import prompt_text
from ledger.acts import written_before
from ledger.declarations import Declaration
from ledger.errors import BadFaces, LedgerError, Refused, Unreadable
from ledger.facts import GM
from ledger.records import Record
from ledger.service import Ledger
from projections.state import State
from rulebooks.common.game import Game

QUESTION: Final = "?"
QUESTIONS: Final = (
    "odds", "why", "who", "when", "whatif", "show", "log", "diff", "rules", "rulings", "search", "recap", "help",
)  # fmt: skip
LAST: Final = "why"  # the question about the last entry, if it names none
ENDS: Final = ("quit", "exit")
CLOSE: Final = "close"
INDENT: Final = "  "

Run = Callable[[Sequence[str]], None]


class Shell:
    """One campaign at a table: `answer` prints what follows from a line."""

    def __init__(self, context: CampaignContext, run: Run) -> None:
        """`run` runs a command of the program with these arguments, and prints its errors."""
        self.context, self.run = context, run
        self.ledger: Ledger[State] = context.ledger(write=True)
        self.book: Game = context.game()

    @property
    def state(self) -> State:
        """The state now; loaded again if somebody else has appended."""
        if self.ledger.store.head().position != self.ledger.state.position:
            self.ledger.refresh()
        return self.ledger.state.state

    def prompt(self) -> str:
        """Return the prompt."""
        return prompt_text(self.state, self.book)

    def history(self) -> Iterable[str]:
        """Return the lines of this session that count, the oldest first."""
        session = self.ledger.state.session.number
        latest = {take.id: take for take in self.ledger.store.takes() if take.session == session}
        return [take.line for take in latest.values() if take.line and take.line_start in ("", str(take.id))]

    def complete(self, text: str) -> list[str]:
        """Return the words that may end this line."""
        if text.startswith(QUESTION):
            return [f"{QUESTION} {word}" for word in QUESTIONS if f"{QUESTION} {word}".startswith(text)]
        state = self.state
        return complete_line(text, line_scope(self.ledger.state, self.book), list(self.book.next_up(state)))

    def answer(self, text: str) -> bool:
        """Print what follows from a line; an empty one closes the open roll. Return False if the shell is to end."""
        line = text.strip()
        if line in ENDS:
            return False
        try:
            if line.startswith(QUESTION):
                self.ask(line.removeprefix(QUESTION).split(maxsplit=1))
            elif is_correction(line):
                self.run(["do", line])
            elif line or self.closing() is not None:
                self.declare(line or CLOSE)
        except (LedgerError, BadFaces) as error:
            self.print_error(line, error)
        except KeyboardInterrupt:
            self.ledger.refresh()
            remark("interrupted; what was taken is kept: ? log")
        return True

    def ask(self, words: Sequence[str]) -> None:
        """Run a question: `? why 11`, `? show kess`; a line alone asks for its odds."""
        command, *rest = words or ["help"]
        if command not in QUESTIONS:
            self.run(["odds", " ".join(words)])
        elif command == "odds":
            self.run(["odds", *rest])
        else:
            arguments = shlex.split(rest[0]) if rest else [str(self.ledger.state.last)] if command == LAST else []
            self.run([command, *map(self.entry_in_full, arguments)])

    def entry_in_full(self, word: str) -> str:
        """Return `3.11` for `11`, an entry of this session; any other word as it is."""
        return f"{self.ledger.state.session.number}.{word}" if word.isdecimal() else word

    def declare(self, line: str) -> None:
        """Declare a line, and print what it caused and what closing the open roll will cause."""
        state = self.state  # loaded again if somebody else has appended
        record = declare_line(self.ledger, self.book, self.with_speaker(line, state), at=self.context.now)
        if record is not None:
            print_wrapped(before_lines(written_before(self.ledger.store, record), self.context.wording))
            self.print_record(record)

    def with_speaker(self, line: str, state: State) -> str:
        """Return the line with the being in turn before it, if it can be read only so: `dodge hound 3`."""
        scope = line_scope(self.ledger.state, self.book)
        try:
            parse_each(normalize_line(line), scope)
        except Unreadable as error:
            for who in list(self.book.next_up(state))[:1]:
                named = f"{quote(who) if ' ' in who else who} {line}"
                try:
                    parse_each(normalize_line(named), scope)
                except Unreadable:
                    raise error from None
                return named
            raise
        return line

    def closing(self) -> list[str] | None:
        """Return what closing the open roll will cause, in lines; None if nothing is open that can be closed."""
        kind = next((kind for kind in self.book.declarations if CLOSE in kind.verbs and kind.alone), None)
        if kind is None or not self.state.windows:
            return None
        try:
            return fact_lines(self.ledger.preview(_say(kind)), self.context.wording)
        except (Refused, BadFaces):
            return None

    def print_record(self, record: Record) -> None:
        """Print an entry without the line that was just typed."""
        lines = fact_lines(record.facts[1:], self.context.wording, "" if record.line_start else record.by)
        print_line(paint(str(record.id), dim=True) + (f" {lines[0]}" if lines else ""))
        print_wrapped(INDENT + line for line in lines[1:])
        if closing := self.closing():
            print_line(INDENT + paint(f"Enter closes: {'; '.join(closing)}", dim=True))

    def print_error(self, line: str, error: LedgerError) -> None:
        """Print an error, with a mark under the column that it names."""
        where = error.where.removeprefix("column ")
        if error.where != where and where.isdecimal():
            remark(INDENT + line)
            remark(INDENT + " " * (int(where) - 1) + "^")
        remark(str(error))


def _say(kind: type[Declaration]) -> Declaration:
    """Return a declaration of the game master without any field."""
    return kind(by=GM)
