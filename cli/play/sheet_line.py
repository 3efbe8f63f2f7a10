"""A line that changes one entry of a sheet in play: `set kess might 10 "level 3"`, `set kess skills.climb trained`."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from cli.notation.known_beings import find_being, join_names
from cli.notation.known_words import list_hint, nearest_words
from cli.notation.schema import Field, fields_of
from cli.notation.tokens import LineToken, normalize_line, token_error, tokenize
from cli.play.sheet_files import last_cast, sheet_change
from cli.questions.line_scope import line_scope
from ledger.declarations import Declaration
from ledger.errors import LedgerError, Unreadable
from ledger.name_match import fold_word
from ledger.records import Record, latest_takes
from ledger.service import Ledger
from projections.state import State
from rulebooks.common.beings import name_in_line
from rulebooks.common.game import Game

OTHER_KIND: Final = ("is no key of it", "a sheet has no field")  # what is said of a sheet of another kind
EXAMPLE: Final = 'Write it as in: set NAME level 3 "why"'
NESTED: Final = ("{", "[")  # with what a table or a list begins, in which texts keep their quotation marks
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
    form = next(form for form in fields_of(type(sheet)) if form.name == known)
    if form.shape == "list" and form.item.parts:
        nested = next((index for index, token in enumerate(rest) if token.raw.startswith(NESTED)), 0)
        named = nested or int(not dot and len(rest) > 1)  # so many words go on with the name of the entry
        inner, rest = " ".join(filter(None, (inner, *(token.text for token in rest[:named])))), rest[named:]
        if not inner:
            raise token_error(first, f"{known} is a table", hint=f"Name one of its entries: {known}.NAME.")
        return _with_table_entry(sheet, form, inner, rest, book)
    value = _value(rest)
    value = [value] if form.shape == "list" and not isinstance(value, list) else value
    return _read(book, sheet, {**_content(sheet), known: value})


def _with_table_entry(sheet: Declaration, table: Field, path: str, tokens: list[LineToken], book: Game) -> Declaration:
    """Return a sheet with an entry of a table in place of the one of the same name, or behind the others.

    The path may go on to one part of the entry, as in `weapons.mace.damage`: its other parts stay.
    """
    entry, part, tokens = _entry_and_part(sheet, table, path, tokens)
    items = list(getattr(sheet, table.name))
    old = next((index for index, item in enumerate(items) if fold_word(_name_of(item)) == fold_word(entry)), len(items))
    value = _value(tokens)
    if part:
        parts = msgspec.to_builtins(items[old]) if items[old:] else {}
        value = {name: kept for name, kept in parts.items() if name != table.item.parts[0].name} | {part: value}
    try:
        read = _read(book, sheet, {**_content(sheet), table.name: {entry: value}})
    except Unreadable as error:
        example = "" if isinstance(value, Mapping) else _example_of_entry(book, table.name)
        if not example:
            raise
        path = f"{table.name}.{name_in_line(entry.partition('.')[0])}"
        hint = f'{error.hint} Type: set {name_in_line(str(_content(sheet)["name"]))} {path} {example} "why"'
        raise error.with_hint(hint) from error
    items[old : old + 1] = getattr(read, table.name)
    return msgspec.structs.replace(sheet, **{table.name: tuple(items)})


def _entry_and_part(
    sheet: Declaration, table: Field, path: str, tokens: list[LineToken]
) -> tuple[str, str, list[LineToken]]:
    """Return the entry of a table that a path names, the part of it that is meant, if one is, and what is behind."""
    parts = {fold_word(part.name): part.name for part in table.item.parts[1:]} if table.item.shape == "struct" else {}
    entry, dot, part = path.rpartition(".")
    items = getattr(sheet, table.name)
    if parts and dot and not _has_entry(items, path) and (fold_word(part) in parts or _has_entry(items, entry)):
        return entry, parts.get(fold_word(part), part), tokens
    if len(tokens) > 1 and not tokens[0].has_quotes and fold_word(tokens[0].raw) in parts:
        return path, parts[fold_word(tokens[0].raw)], tokens[1:]
    return path, "", tokens


def _example_of_entry(book: Game, table: str) -> str:
    """Return an entry of a table as the templates of sheets have it, in one line; empty where it is no table itself."""
    for template in book.texts().sheet_templates.values():
        entries = tomllib.loads(template.read_text(encoding="utf-8")).get(table)
        for entry in entries.values() if isinstance(entries, Mapping) else ():
            if isinstance(entry, Mapping):
                return f"{{ {', '.join(f'{name} = {json.dumps(value)}' for name, value in entry.items())} }}"
    return ""


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


def _value(tokens: Sequence[LineToken]) -> Any:
    """Return a value as TOML has it; a word without quotation marks is a text."""
    is_nested = tokens[0].raw.startswith(NESTED)
    text = " ".join(token.raw if is_nested else token.text for token in tokens)
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
