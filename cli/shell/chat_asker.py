"""Asks about each message of a chat which line it is, and writes the lines that a person has answered with.

What was written for a message is found by its request key, and not asked about again until it is taken back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from msgspec import structs

from cli.output import remark
from cli.play.chat_lines import ChatLines, ProposedLine, with_mark
from cli.play.declare import declare_line
from cli.play.foundry_chat import ChatItem, ChatLog
from cli.shell.faces import AskPerson
from ledger.acts import CutShort
from ledger.errors import LedgerError, Refused, Unreadable
from ledger.names import escape, plural
from ledger.records import Record
from ledger.service import Ledger
from ledger.store import Store
from projections.state import State
from rulebooks.common.game import Game

LEAVE_OUT: Final = "-"
QUESTION: Final = "line> "

Show = Callable[[Record], None]


class ChatAsker:
    """Takes messages one by one."""

    def __init__(self, ledger: Ledger[State], book: Game, at: str, ask: AskPerson, show: Show) -> None:
        """`ask` returns an answer, and raises KeyboardInterrupt if there is none. `show` prints a record."""
        self.ledger, self.book, self.at = ledger, book, at
        self._ask, self._show = ask, show
        self.written = self.skipped = self.known = 0

    def take(self, item: ChatItem, messages: int) -> None:
        """Ask about a message until a line is written or it is left out; not about one that was written before."""
        key = free_key(self.ledger.store, item.key)
        if not key:
            self.known += 1
            return
        item = structs.replace(item, key=key)
        remark(heading(item, messages))
        if item.problem:
            remark(f"It is left out: {item.problem}.")
            self.skipped += 1
            return
        proposed = self._proposal(item)
        while True:
            answer = self._ask(QUESTION).strip()
            if answer == LEAVE_OUT:
                self.skipped += 1
                return
            if (answer or proposed) and self._write(answer, proposed, item):
                self.written += 1
                return
            if not answer and not proposed:
                remark(f"Write a line, or {LEAVE_OUT} to leave it out.")

    def _proposal(self, item: ChatItem) -> ProposedLine | None:
        """Print and return the line that is proposed for a message; None if there is none."""
        try:
            proposed = ChatLines(self.ledger.state, self.book).propose(item)
        except LedgerError as error:
            remark(f"No line is proposed: {error}")
            return None
        remark(f"  {proposed.line}")
        if not proposed.agrees:
            remark("It comes to another total than the chat.")
        return proposed

    def _write(self, answer: str, proposed: ProposedLine | None, item: ChatItem) -> bool:
        """Write the line that was answered, or the one that was proposed. Return whether it was taken."""
        try:
            if answer:
                proposed = ChatLines(self.ledger.state, self.book).complete(with_mark(answer, item), item)
            line = proposed.line if proposed else ""
            record = declare_line(self.ledger, self.book, line, at=self.at, request=item.key, note=remark)
        except CutShort as error:
            self._show(error.record)
            remark(str(error))
            return True
        except (Refused, Unreadable) as error:
            remark(str(error))
            return False
        if record is not None:
            self._show(record)
        return record is not None

    def summary(self, chat: ChatLog) -> str:
        """Return what became of the messages."""
        parts = [f"{plural(self.written, 'line', 'lines')} written"]
        parts += [f"{self.skipped} left out"] if self.skipped else []
        parts += [f"{self.known} written before"] if self.known else []
        return f"{', '.join(parts)}. {silent_words(chat)}".rstrip()


def free_key(store: Store, key: str) -> str:
    """Return the request key to write a message under; empty if what was written for it counts.

    A message whose line was taken back is written under a key of its own: a key is never used twice.
    """
    own, again = key, 1
    while record := store.find_request(own):
        if not is_taken_back(store, record):
            return ""
        again += 1
        own = f"{key} again {again}"
    return own


def is_taken_back(store: Store, record: Record) -> bool:
    """Return whether the line of a record does not count any more: it was undone, or dropped by an amendment.

    The number of an undone entry is used again, by another line or by this one.
    """
    is_gone = False
    for take in store.takes(after=record.id.before, upto=record.id):
        if take.take > record.take:
            is_gone = not take.facts or (is_gone and take.line != record.line)
    return is_gone


def heading(item: ChatItem, messages: int) -> str:
    """Return what a message says: `3 of 12, 2026-04-10 19:03, Kess: Stealth, 2d6+3 = 12 (hidden)`."""
    place = ", ".join(filter(None, (f"{item.number} of {messages}", item.at, item.alias)))
    said = [item.text] if item.text else []
    if item.dice is not None:
        total = "" if item.dice.total is None else f" = {item.dice.total}"
        said.append(f"{item.dice.formula or 'dice'} ({'.'.join(map(str, item.dice.faces[0]))}){total}")
    return f"{place}: {', '.join(said) or 'a roll'}{' (hidden)' if item.hidden else ''}"


def silent_words(chat: ChatLog) -> str:
    """Return how many messages say nothing that a ledger records; empty if there are none."""
    if not chat.left_out:
        return ""
    says = "is neither a roll nor in character" if chat.left_out == 1 else "are neither rolls nor in character"
    return f"{plural(chat.left_out, 'message', 'messages')} {says}."


def dry_lines(chat: ChatLog, ledger: Ledger[State], book: Game) -> Iterator[str]:
    """Yield what would be asked as the lines of a session file, as the ledger is now: messages as comments."""
    lines = ChatLines(ledger.state, book)
    for item in chat.items:
        if not free_key(ledger.store, item.key):
            continue
        yield f"; {escape(heading(item, chat.messages))}"
        try:
            if item.problem:
                raise Unreadable(f"it is left out: {item.problem}")
            proposed = lines.propose(item)
        except LedgerError as error:
            yield f"; {escape(str(error))}"
            continue
        if not proposed.agrees:
            yield "; it comes to another total than the chat"
        yield proposed.line
    if chat.left_out:
        yield f"; {silent_words(chat)}"
