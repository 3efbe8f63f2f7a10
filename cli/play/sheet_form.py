"""A sheet asked for value by value, from the template of its kind: the defaults, the comments and the tables are there.

After each answer the whole sheet is read as `cast` reads it, so that a wrong value is said at once.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from cli.play.files import FileKind, write_lines
from cli.play.free_names import check_newcomer
from ledger.errors import LedgerError
from ledger.ledger_state import LedgerState
from ledger.name_match import fold_name
from ledger.service import Ledger
from projections.state import State
from rulebooks.common.game import Game

NAME: Final = "name"
CHARACTER: Final = "pc"
KIND: Final = "sheet"
COMMENT: Final = re.compile(r"^([A-Za-z_]\w*)\s*=[^#\n]*#\s*(.+)$", re.MULTILINE)
TABLE_COMMENT: Final = re.compile(r"^\[([\w.]+)\]\s*#\s*(.+)$", re.MULTILINE)
ENTRY: Final = re.compile(r"(.+?)\s*=\s*(.+)")
NUMBER: Final = re.compile(r"-?[0-9]{1,9}")

SHEET: Final = FileKind("a sheet", lambda first: False)

AskValue = Callable[[str], str]
Say = Callable[[str], None]
Problem = Callable[[Mapping[str, Any]], str]


class SheetForm:
    """Asks for the values of one sheet.

    Args:
        template: the text of the template.
        ask: returns the answer to a question; empty takes the default.
        say: prints what is wrong with an answer.
        problem: returns what is wrong with the sheet as it is; empty if it can be cast.
    """

    def __init__(self, template: str, ask: AskValue, say: Say, problem: Problem) -> None:
        self.ask, self.say, self.problem = ask, say, problem
        self.content: dict[str, Any] = tomllib.loads(template)
        self.comments = {match[1]: match[2].strip() for match in COMMENT.finditer(template)}
        self.comments |= {match[1].partition(".")[0]: match[2].strip() for match in TABLE_COMMENT.finditer(template)}

    def fill(self, name: str = "") -> dict[str, Any]:
        """Return the content of the sheet with the values that were answered. Raises KeyboardInterrupt if one stops."""
        self._ask_value((NAME,), name)
        for key, value in list(self.content.items()):
            if key in (NAME, KIND):
                continue
            if isinstance(value, Mapping) and not any(isinstance(each, Mapping) for each in value.values()):
                self._ask_table(key, value)
            elif isinstance(value, Mapping):
                self._ask_things(key, value)
            elif not isinstance(value, list):
                self._ask_value((key,))
        return self.content

    def _ask_value(self, path: tuple[str, ...], given: str = "") -> None:
        """Ask for one value until the sheet can be read with it; `given` is the first answer."""
        *above, last = path
        table = self._table(above)
        default = table[last]
        while True:
            answer = given or self.ask(f"{' '.join(path)} [{default}]{self._remark(path)}: ").strip()
            given = ""
            table[last] = _typed(answer, default) if answer else default
            if not (problem := self.problem(self.content)):
                return
            self.say(problem)
            table[last] = default

    def _ask_table(self, key: str, default: Mapping[str, Any]) -> None:
        """Ask for a table of values: each that the template has if it always has them, else as many as are wanted."""
        if all(isinstance(value, int) or key == "scores" for value in default.values()):
            for each in default:
                self._ask_value((key, each))
            return
        example = ", ".join(f"{each} = {value}" for each, value in default.items())
        self.content[key] = {}
        for entry in self._entries(f"{key}{self._remark((key,))}, as in {example}; Enter: no more: "):
            if problem := self._add(self.content[key], *entry):
                self.say(problem)
        if not self.content[key]:
            del self.content[key]

    def _ask_things(self, key: str, default: Mapping[str, Any]) -> None:
        """Ask for things with values of their own: the weapons, the items."""
        kinds = list(default.items())
        self.content[key] = {}
        for name in iter(lambda: self.ask(f"{key}, a name (as in {kinds[0][0]}); Enter: no more: ").strip(), ""):
            example = dict(default.get(name, kinds[0][1]))
            self.content[key][name] = example
            for each in list(example):
                self._ask_value((key, name, each))
        if not self.content[key]:
            del self.content[key]

    def _entries(self, question: str) -> Iterator[tuple[str, str]]:
        """Yield what is answered as a name and a value, until nothing is."""
        for answer in iter(lambda: self.ask(question).strip(), ""):
            entry = ENTRY.fullmatch(answer)
            if entry:
                yield entry[1].strip(" \"'"), entry[2].strip()
            else:
                self.say("Write a name, = and a value.")

    def _add(self, table: dict[str, Any], name: str, value: str) -> str:
        """Add a value to a table; return what is wrong with it, which is then left out."""
        table[name] = _typed(value)
        problem = self.problem(self.content)
        if problem:
            del table[name]
        return problem

    def _table(self, path: list[str]) -> dict[str, Any]:
        table = self.content
        for key in path:
            table = table[key]
        return table

    def _remark(self, path: tuple[str, ...]) -> str:
        remark = self.comments.get(path[-1], "")
        return f" ({remark})" if remark else ""


def sheet_problem(book: Game, state: LedgerState[State], folder: Path) -> Problem:
    """Return what says what is wrong with a sheet of somebody who joins in this state, to be written into a folder."""

    def problem(content: Mapping[str, Any]) -> str:
        try:
            check_newcomer(state, book, book.sheet(dict(content), "the sheet"), "the sheet, name")
        except LedgerError as error:
            return str(error)
        path = sheet_path(folder, content)
        return f"{path} is there. Give another name, or add that sheet: campaign cast {path}" if path.exists() else ""

    return problem


def ask_sheet(ledger: Ledger[State], book: Game, folder: Path, name: str, ask: AskValue, say: Say) -> Path:
    """Ask for the sheet of a player's character, write it into a folder, and return its path."""
    problem = sheet_problem(book, ledger.state, folder)
    return write_sheet(folder, SheetForm(character_template(book), ask, say, problem).fill(name))


def character_template(book: Game) -> str:
    """Return the template of a player's character."""
    return book.texts().sheet_templates[CHARACTER].read_text(encoding="utf-8")


def sheet_path(folder: Path, content: Mapping[str, Any]) -> Path:
    """Return the file of a sheet in a folder: it has the name of its being."""
    return folder / f"{fold_name(str(content[NAME]))}.toml"


def write_sheet(folder: Path, content: Mapping[str, Any]) -> Path:
    """Write a sheet into a folder under the name of its being, and return its path; no file that is there is replaced.

    Raises InputError.
    """
    import tomli_w  # imported here to start faster: few commands write sheets

    path = sheet_path(folder, content)
    write_lines(path, tomli_w.dumps(content).splitlines(), SHEET)
    return path


def _typed(answer: str, default: object = "") -> Any:
    """Return an answer as a value: a number or yes and no as such, else a text without its quotation marks."""
    if NUMBER.fullmatch(answer) and not isinstance(default, str):
        return int(answer)
    if answer.casefold() in ("true", "yes", "false", "no") and isinstance(default, bool):
        return answer.casefold() in ("true", "yes")
    try:
        return tomllib.loads(f"value = {answer}")["value"]
    except tomllib.TOMLDecodeError:
        return answer.strip("\"'")
