"""A table at which sentences are said: its cast and its scenes are data, and what a sentence means is compared."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from cli.notation.line_parser import ParsedLine, parse_each
from cli.notation.scope import Scope
from cli.notation.tokens import normalize_line
from cli.play.declare import declare_line
from cli.play.spoken import hear
from cli.questions.last_names import names_in_last_lines
from cli.questions.line_scope import line_scope
from cli.shell.conversation import Conversation
from cli.speech.heard import Heard, Unclear
from cli.speech.talk import is_asked
from ledger.dice import fixed_seed
from ledger.errors import LedgerError, Unreadable
from ledger.memory_store import MemorySeeds, MemoryStore
from ledger.service import Ledger
from projections.projection import StateProjection
from projections.state import State
from rulebooks import load_game

AT = "2026-01-01T20:00:00Z"
FOLDER = Path(__file__).parent


class Scene(msgspec.Struct, frozen=True):
    """Lines of the grammar that lead up to a moment, and sentences with what each means there.

    `silent`: sentences that declare nothing: plans, wishes, questions, what does not happen.
    """

    name: str
    lines: tuple[tuple[str, str], ...]
    before: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()


class Table(msgspec.Struct, frozen=True):
    """A cast, and its scenes."""

    game: str
    sheets: tuple[dict[str, Any], ...]
    scenes: tuple[Scene, ...]


@cache
def load_table(name: str) -> Table:
    """Return the table in a file of this folder."""
    return msgspec.convert(tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8")), Table)


class Listener:
    """Hears what is said in a scene; nothing of it is declared."""

    def __init__(self, table: Table, scene: Scene) -> None:
        self.book = load_game(table.game)
        self.ledger: Ledger[State] = Ledger(MemoryStore(), self.book, StateProjection(), MemorySeeds())
        self.ledger.create("Salt Ward", at=AT, ledger="0" * 32)
        for sheet in table.sheets:
            self.ledger.declare(self.book.sheet(dict(sheet), f"{sheet.get('name', 'house')}.toml"), at=AT)
        self.ledger.open_session("one", at=AT, seed=fixed_seed("speech"))
        for line in scene.before:
            declare_line(self.ledger, self.book, line, at=AT)
        self.conversation = Conversation(self.ledger, self.book, self.scope)

    def spoken_of(self) -> list[str]:
        """Return those who were named in the last lines."""
        names = [being.name for being in self.ledger.state.state.beings_in_order()]
        return names_in_last_lines(self.ledger.store, self.ledger.state.last, names)

    def scope(self) -> Scope:
        """Return the scope of a line that is said now."""
        return msgspec.structs.replace(line_scope(self.ledger.state, self.book), spoken_of=self.spoken_of)

    def hear(self, sentence: str) -> Heard:
        """Return how a sentence is taken. Raises as `cli.play.spoken.hear`."""
        return hear(sentence, self.ledger.state, self.book, self.spoken_of)

    def declarations(self, line: str) -> list[bytes]:
        """Return what a line of the grammar declares."""
        parsed = parse_each(normalize_line(line), line_scope(self.ledger.state, self.book))
        return _said(parsed)

    def line_of(self, sentence: str) -> str:
        """Return the line of the grammar that a sentence means; empty if it means none."""
        try:
            return self.hear(sentence).line or sentence
        except LedgerError:
            return ""

    def mishearing(self, sentence: str, meant: str) -> str:
        """Return how a sentence is taken that is neither taken as meant nor asked with what is meant; else nothing."""
        if is_asked(sentence) and (asked := self.conversation.question(sentence, self.line_of)):
            return "" if f"? {asked}" == meant else f"asks ? {asked}"
        try:
            heard = self.hear(sentence)
        except Unreadable as error:
            if is_asked(sentence) and (asked := self.conversation.question(sentence, self.line_of, is_last=True)):
                return "" if f"? {asked}" == meant else f"asks ? {asked}"
            offered = list(error.lines) if isinstance(error, Unclear) else []
            correction = self.conversation.correction(sentence)
            offered += correction.lines if correction else ()
            asked = self.conversation.question(sentence, self.line_of)
            if meant == f"? {asked}" or any(self.is_same(line, meant) for line in offered):
                return ""
            return f"asks {offered}" if offered else f"is refused: {error}"
        except LedgerError as error:
            correction = self.conversation.correction(sentence)
            is_meant = correction and any(self.is_same(line, meant) for line in correction.lines)
            return "" if is_meant else f"is refused: {error}"
        said = _said(heard.parsed)
        return (
            "" if not meant.startswith(("?", "~")) and said == self.declarations(meant) else f"is {heard.line or said}"
        )

    def is_same(self, line: str, meant: str) -> bool:
        """Return whether two lines say the same."""
        if line.partition(" because=")[0].removesuffix(" retcon") == meant:  # what it says besides is how, and why
            return True
        if line.startswith(("~", "undo")) or meant.startswith(("~", "undo", "?")):
            return False
        return self.declarations(line) == self.declarations(meant)


def _said(parsed: Sequence[ParsedLine]) -> list[bytes]:
    """Return the declarations of a line, with what is announced and the faces that were rolled."""
    return sorted(msgspec.json.encode((each.declaration, each.faces)) + b"..." * each.announced for each in parsed)


@cache
def listener(name: str, scene: str) -> Listener:
    """Return who hears what is said in a scene of a table: it is played once for all of its sentences."""
    table = load_table(name)
    return Listener(table, next(each for each in table.scenes if each.name == scene))
