"""A sheet from an actor of another program (JSON, as Foundry exports it), by a map: a sheet with paths for its values.

A text of the map is a path (`system.abilities.str.value`), one that begins with `=` is itself. A table with `path` may
have `less` and `divide` (a whole number less so much, divided and rounded down) and `default`. Numbers and yes or no
stand as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from cli.play.foundry_chat import not_json, plain_text, read_whole_file
from cli.questions.possible import why_refused
from ledger.errors import LedgerError, Refused, Unreadable
from ledger.ledger_state import initial_state
from ledger.names import NUMBER_MOST, escape
from projections.projection import StateProjection
from rulebooks.common.game import Game

BYTES_MOST: Final = 16 << 20
NAME_ACTOR: Final = "Name an actor."
LITERAL: Final = "="
PATH: Final = "path"
KEYS: Final = (PATH, "less", "divide", "default")


class ActorMap:
    """A map, and the actor that it is laid over."""

    def __init__(self, content: Mapping[str, Any], actor: object, where: str) -> None:
        """`where`: the file of the map, for errors."""
        self.content, self.actor, self.where = content, actor, where
        self.paths = dict[str, str]()  # by the key of the sheet

    def sheet(self) -> dict[str, Any]:
        """Return the content of the sheet. Raises Unreadable with the key of the map and the path in the actor."""
        return {key: self._value(value, key) for key, value in self.content.items()}

    def _value(self, value: object, key: str) -> Any:
        """Return what stands in the sheet for a value of the map."""
        if isinstance(value, list):
            return [self._value(each, key) for each in value]
        if isinstance(value, Mapping) and not isinstance(value.get(PATH), str):
            return {name: self._value(each, f"{key}.{name}") for name, each in value.items()}
        if isinstance(value, Mapping):
            return self._value_at(value, key)
        if isinstance(value, str):
            return value.removeprefix(LITERAL) if value.startswith(LITERAL) else self._value_at({PATH: value}, key)
        return value

    def _value_at(self, asked: Mapping[str, Any], key: str) -> Any:
        """Return the value at a path of the actor, after the arithmetic of the map."""
        if unknown := next((each for each in asked if each not in KEYS), ""):
            raise self._error(key, f"'{unknown}' is nothing that a path has", f"Write {', '.join(KEYS)}.")
        path = self.paths[key] = asked[PATH]
        value = at_path(self.actor, path)
        if value is None:
            if "default" in asked:
                return asked["default"]
            raise self._error(key, f"the actor has nothing at '{path}'", "Name another path, or give a default.")
        if isinstance(value, float) and value == int(value):
            value = int(value)
        if isinstance(value, str):
            value = plain_text(value)
        elif not isinstance(value, int) or abs(value) > NUMBER_MOST:
            what = {dict: "a table", list: "a list", float: "part of a number"}.get(type(value), "too large")
            raise self._error(key, f"'{path}' is {what} in the actor", "Name the path of one value.")
        return self._reckoned(value, asked, key, path) if "less" in asked or "divide" in asked else value

    def _reckoned(self, value: object, asked: Mapping[str, Any], key: str, path: str) -> int:
        """Return a number less so much, divided and rounded down."""
        less, divide = asked.get("less", 0), asked.get("divide", 1)
        if type(value) is not int or type(less) is not int or type(divide) is not int or divide < 1:
            hint = "less and divide are whole numbers, divide 1 or more."
            raise self._error(key, f"'{path}' is no number that something is taken from", hint)
        return (value - less) // divide

    def _error(self, key: str, what: str, hint: str) -> Unreadable:
        return Unreadable(escape(what), where=f"{self.where}, {escape(key)}", hint=hint)

    def path_of(self, error: LedgerError) -> str:
        """Return the path of the value that an error is about; empty if it is about no value of the actor."""
        if isinstance(error, Refused):
            return self.paths.get(error.field, "")
        return self.paths.get(error.where.removeprefix(f"{self.where}, ").replace(", ", "."), "")


def at_path(actor: object, path: str) -> Any:
    """Return the value at a path of keys and places with dots between them; None if there is none.

    >>> at_path({"system": {"hp": [{"value": 7}]}}, "system.hp.0.value")
    7
    """
    value = actor
    for part in path.split("."):
        if isinstance(value, dict):
            value = value.get(part)
        elif isinstance(value, list) and part.isdecimal() and int(part[:9]) < len(value):
            value = value[int(part[:9])]
        else:
            return None
    return value


def read_actor(path: Path) -> object:
    """Return the content of an actor's file. Raises InputError for an unreadable file, Unreadable for no actor."""
    content = read_whole_file(path, BYTES_MOST, NAME_ACTOR)
    try:
        actor = msgspec.json.decode(content)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise not_json(error, "it is not JSON", escape(str(path)), NAME_ACTOR) from None
    if not isinstance(actor, dict):
        raise Unreadable("it is no actor but a list or one value", where=escape(str(path)), hint=NAME_ACTOR)
    return actor


def actor_sheet(book: Game, map: ActorMap) -> Iterator[str]:
    """Yield the sheet of an actor as lines of TOML, within the bounds of the book.

    Raises LedgerError with the key of the sheet that is wrong, and the path that its value is from.
    """
    import tomli_w  # to start faster: few commands write sheets

    content = map.sheet()
    try:
        said = book.sheet(dict(content), map.where)
        if error := why_refused(initial_state(StateProjection()), book, said):
            raise error
    except LedgerError as error:
        path = map.path_of(error)
        raise error.with_more_hint(f"The value is from '{escape(path)}'.") if path else error from None
    yield from tomli_w.dumps(content).splitlines()
