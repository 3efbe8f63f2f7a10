"""A line that changes one entry of a sheet in play: `set kess might 10 "level 3"`, `set kess skills.climb trained`."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from cli.notation.known_beings import find_being, join_names
from cli.notation.known_words import list_hint, nearest_words
from cli.notation.tokens import LineToken, normalize_line, token_error, tokenize
from cli.play.sheet_files import last_cast, sheet_change
from cli.questions.line_scope import line_scope
from ledger.declarations import Declaration
from ledger.errors import LedgerError, Unreadable
from ledger.name_match import fold_word
from ledger.records import Record, latest_takes
from ledger.service import Ledger
from projections.state import State
from rulebooks.common.game import Game

OTHER_KIND: Final = ("is no key of it", "a sheet has no field")  # what is said of a sheet of another kind
EXAMPLE: Final = 'Write it as in: set NAME level 3 "why"'
OWN_FIELDS: Final = ("by", "name", "because", "entries")


def change_by_line(ledger: Ledger[State], book: Game, text: str, *, at: str, request: str | None = None) -> Record:
    """Append the change of a sheet that a line says, and return its record. Raises Unreadable, Refused."""
    line = normalize_line(text)
    scope = line_scope(ledger.state, book)
    tokens = join_names(tokenize(line), scope)[1:]
    if len(tokens) < 4 or not tokens[-1].is_quoted or not tokens[-1].text.strip():
        raise Unreadable("a change of a sheet needs a name, an entry, its value and the reason", hint=EXAMPLE)
    who, *entry, reason = tokens
    name = find_being(who, who.text, scope)
    sheet = _sheet_of(ledger, book, name, who)
    changed = _with_entry(sheet, entry, book)
    change = sheet_change(ledger, book, changed, reason.text)
    if change is None:
        raise Unreadable(f"the sheet of {name} says so already", where=who.where, hint="Nothing is to be changed.")
    if type(change) is type(sheet):
        raise token_error(
            who, f"the sheet of {name} cannot change in play", hint="Change a value with a ruling: ! ruling."
        )
    return ledger.declare(change, at=at, request=request)


def _sheet_of(ledger: Ledger[State], book: Game, name: str, token: LineToken) -> Declaration:
    """Return the sheet of a being as it was last cast or changed."""
    kinds = {str(kind.__struct_config__.tag): kind for kind in book.declarations}
    for take in latest_takes(ledger.store.takes()):
        said = msgspec.json.decode(take.declared.said) if take.declared and not take.line else {}
        if said.get("name") == name and not {"because", "entries"} & said.keys():
            blank = msgspec.convert({key: value for key, value in said.items() if key != "say"}, kinds[said["say"]])
            return last_cast(ledger, blank) or blank
    raise token_error(token, f"{name} has no sheet", hint="Those who were cast from a file have one.")


def is_change_of_sheet(record: Record, text: str, ledger: Ledger[State], book: Game) -> bool:
    """Return whether a record is the change of a sheet that a line says. Raises Unreadable."""
    tokens = join_names(tokenize(normalize_line(text)), line_scope(ledger.state, book))[1:]
    said = msgspec.json.decode(record.declared.said) if record.declared else {}
    if len(tokens) < 4 or record.line or said.get("because") != tokens[-1].text:
        return False
    who, *entry, _ = tokens
    name = find_being(who, who.text, line_scope(ledger.state, book))
    if name != said.get("name"):
        return False
    sheet = _sheet_of(ledger, book, name, who)
    fields = type(sheet).__struct_fields__
    changed = msgspec.convert({field: said[field] for field in fields if field in said}, type(sheet))
    return _with_entry(changed, entry, book) == changed


def _with_entry(sheet: Declaration, tokens: Sequence[LineToken], book: Game) -> Declaration:
    """Return a sheet with one entry changed: a field, or an entry of a table (`scores.STR`, `skills climb`)."""
    first, *rest = tokens
    field, dot, inner = first.text.partition(".")
    fields = [name for name in type(sheet).__struct_fields__ if name not in OWN_FIELDS]
    known = next((name for name in fields if fold_word(name) == fold_word(field)), "")
    if not known:
        table = next((name for name in fields if _has_entry(getattr(sheet, name), first.text)), "")
        if not table:
            raise token_error(
                first, f"'{first.text}' is not in the sheet", nearest_words(field, fields), list_hint(fields)
            )
        known, inner, dot = table, first.text, "."
    values = [token.text for token in rest]
    if isinstance(getattr(sheet, known), tuple):
        if not dot and len(values) > 1:
            inner, *values = values
        return _with_table_entry(sheet, known, inner, _value(" ".join(values)), book, first)
    return _read(book, sheet, {**_content(sheet), known: _value(" ".join(values))})


def _with_table_entry(
    sheet: Declaration, table: str, entry: str, value: Any, book: Game, token: LineToken
) -> Declaration:
    """Return a sheet with an entry of a table in place of the one of the same name, or behind the others."""
    if not entry:
        raise token_error(token, f"{table} is a table", hint=f"Name one of its entries: {table}.NAME.")
    read = _read(book, sheet, {**_content(sheet), table: {entry: value}})
    items = [item for item in getattr(sheet, table) if fold_word(_name_of(item)) != fold_word(entry)]
    return msgspec.structs.replace(sheet, **{table: (*items, *getattr(read, table))})


def _read(book: Game, sheet: Declaration, content: dict[str, Any]) -> Declaration:
    """Return the sheet in this content, of the kind of another. Raises Unreadable with what is wrong in it."""
    problem: LedgerError | None = None
    for kind in book.texts().sheet_templates:
        given = {field: value for field, value in content.items() if value != kind or field == "name"}
        try:  # a field that keeps the kind of a sheet is none of its file
            read = book.sheet({**given, "sheet": kind}, "the sheet")
        except LedgerError as error:
            if problem is None or any(text in problem.what for text in OTHER_KIND):
                problem = error
        else:
            if type(read) is type(sheet):
                return read
    raise problem or Unreadable("the sheet cannot be read", hint=EXAMPLE)


def _content(sheet: Declaration) -> dict[str, Any]:
    """Return a sheet as the content of a file, without what every sheet has by itself."""
    plain, own = msgspec.to_builtins(sheet), ("by", "because", "entries")
    said = (field.name for field in msgspec.structs.fields(sheet) if getattr(sheet, field.name) != field.default)
    return {name: plain[name] for name in said if name not in own}


def _has_entry(value: object, name: str) -> bool:
    """Return whether a table has an entry of this name."""
    return isinstance(value, tuple) and any(fold_word(_name_of(item)) == fold_word(name) for item in value)


def _name_of(item: object) -> str:
    """Return the name of an entry of a table: the first part of it."""
    if isinstance(item, tuple):
        return str(item[0]) if item else ""
    return str(getattr(item, item.__struct_fields__[0])) if isinstance(item, msgspec.Struct) else str(item)


def _value(text: str) -> Any:
    """Return a value as TOML has it; a word without quotation marks is a text."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
