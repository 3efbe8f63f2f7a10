"""The one canonical line of a declaration: whole names, texts in quotation marks, nothing that is so anyway.

A value stands without its field's name only where it can be meant for no other field, whatever words a table knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from cli.notation.claims import CLAIM_MARK, format_claim
from cli.notation.line_parser import PAUSE, ParsedLine
from cli.notation.resolve import fold_word
from cli.notation.schema import SIGNS, Field, fields_of
from cli.notation.tokens import LINE_COMMANDS, NUMBER, SECONDS_OF, TELL_MARKS, quote
from ledger.builtin import Claim, Tell
from ledger.declarations import Declaration
from ledger.errors import Unreadable
from ledger.facts import GM, Scalar

PLAIN = re.compile(r'[^\W\d][^\s"=:,/]*')


def format_declaration(said: Declaration) -> str:
    """Return the canonical line of a declaration. Raises Unreadable for one that no line says."""
    if isinstance(said, Claim) and said.by == GM and said.values:
        return "= " + " ".join(f"{_format_word(name)}={_format_scalar(value)}" for name, value in said.values)
    if isinstance(said, Tell) and said.seen == "table" and said.by == said.who and said.text:
        marks = {kind: mark for mark, kind in TELL_MARKS.items()}
        if said.kind == "quote":
            return f'" {said.who}: {said.text}'
        if said.kind in marks and said.by == GM:
            return f"{marks[said.kind]} {said.text}"
    kind = type(said)
    aside = said.by == GM and not kind.by_anyone
    if not kind.verbs or aside != (kind.aside or (aside and kind.alone)):
        raise Unreadable(f"no line says this {kind.__name__}", hint="Its file or its command says it.")
    free = getattr(said, kind.free) if kind.free else ""
    verb = quote(free) if free else kind.verbs[0]
    speaker = "!" if aside else quote(said.by) if said.by in LINE_COMMANDS else _format_word(said.by)
    mark = ("^",) if kind.answers else ()
    return " ".join((*mark, speaker, verb, *_format_fields(said, kind.free if free else "")))


def format_line(parsed: ParsedLine) -> str:
    """Return the canonical line with its faces and claims. Raises Unreadable like `format_declaration`."""
    pause = [PAUSE] if parsed.announced else []
    claims = ", ".join(format_claim(name, value) for name, value in parsed.claims)
    return " ".join(
        (
            format_declaration(parsed.declaration),
            *pause,
            *format_faces(parsed.faces),
            *([f"{CLAIM_MARK} {claims}"] if claims else []),
        )
    )


def format_faces(faces: tuple[int, ...] | None) -> list[str]:
    """Return typed faces as the token of a line: none if there are none."""
    return [] if faces is None else ["/" + ".".join(map(str, faces))]


def _format_word(word: str) -> str:
    """A name as a line has it: quoted only if it must be."""
    return word if PLAIN.fullmatch(word) else quote(word)


def _format_scalar(value: Scalar) -> str:
    return str(value) if isinstance(value, int) else quote(value)


def _format_fields(said: Declaration, skip: str) -> Iterator[str]:
    """What the line says after the verb, in the order of the fields; what is as it would be anyway is left out."""
    fields = fields_of(type(said))
    turn = not any(field.has("being") and field.has("word") for field in fields)
    for field in fields:
        value = getattr(said, field.name)
        if field.name == skip:
            continue
        if not field.required and value == field.default:
            turn = turn and not field.is_positional
        elif turn and field.is_positional and isinstance(value, str):
            yield quote(value)
        else:
            named = [f"{field.name}={_format_value(field, value)}"]
            yield from _format_bare(field, value, fields) or _format_signed(field, value, fields) or named


def _format_bare(field: Field, value: Any, fields: Sequence[Field]) -> list[str]:
    """The value without the field's name, if it can only be meant for this field."""
    if field.has("short") and isinstance(value, int):
        return [f"{field.notes['short']}{value}"]
    rivals = [other for other in fields if other is not field and other.has("word", "entry", "seconds")]
    if value is None or field.takes_text or not field.has("word", "entry", "seconds"):
        return []
    if field.shape == "flag":
        return [field.name] if value and _is_unambiguous(field.name, fields, rivals) else []
    said = [_format_value(field.item, one) for one in (value if field.shape == "list" else [value])]
    if field.item.shape == "whole" or field.has("entry"):
        same = [other for other in rivals if other.takes_text or _bare_shape(other) == _bare_shape(field)]
        return [] if same or said[0].startswith("-") else said
    if field.has("being") and any(other.has("being") or other.takes_text for other in rivals):
        return []
    return said if all(_is_unambiguous(one.split(":")[0], fields, rivals) for one in said) else []


def _bare_shape(field: Field) -> str:
    """What a value without a name is known by: `1.4` an entry, `10m` a time, or else its shape."""
    return next((note for note in ("entry", "seconds") if field.has(note)), field.item.shape)


def _is_unambiguous(word: str, fields: Sequence[Field], rivals: Sequence[Field]) -> bool:
    """Whether a bare word can be nothing else here."""
    known = {fold_word(one) for other in rivals for one in (other.name, *other.item.choices, *_first_words(other.item))}
    letters = [field.notes["short"] for field in fields if field.has("short")]
    short = any(NUMBER.fullmatch(word[len(one) :]) for one in letters if fold_word(word).startswith(fold_word(one)))
    return bool(PLAIN.fullmatch(word)) and fold_word(word) not in known and not short


def _first_words(field: Field) -> Iterable[str]:
    """The words that a small struct may begin with."""
    return field.parts[0].choices if field.parts else ()


def _format_signed(field: Field, value: Any, fields: Sequence[Field]) -> list[str]:
    """`+a1"rope"` for each of a list, or `kess.might=3`."""
    if field.has("sets"):
        taken = {fold_word(name) for other in fields for name in (other.name, other.notes.get("short", ""))}
        pairs = [[part for _, part in _parts_of(field.item, one)] for one in value]
        to = field.item.parts[1]
        clear = all(fold_word(name) not in taken for name, _ in pairs)
        return [f"{_format_word(name)}={_format_value(to, one)}" for name, one in pairs] if clear else []
    if field.has("answers"):
        return [f"^{_format_value(field.item, one)}" for one in value]
    for sign, note in SIGNS.items():
        rivals = [other for other in fields if note in other.notes and other.notes[note] == field.notes.get(note)]
        if rivals and rivals[0] is field:
            said = [_format_item(field.item, one) for one in value]
            return [f"{sign}{field.notes[note]}{one}" for one in said] if all(said) else []
    return []


def _format_item(one: Field, value: Any) -> str:
    """One of a list behind its letters; empty if it has to be said by the field's name."""
    if one.shape == "text":
        return f":{_format_word(value)}" if one.has("being") else quote(value)
    if [part.shape for part in one.parts] != ["whole", "text"] or one.parts[1].notes:
        return ""
    (_, number), (part, text) = _parts_of(one, value)
    return f"{number}{'' if text == part.default and not part.required else quote(text)}"


def _parts_of(one: Field, value: Any) -> list[tuple[Field, Any]]:
    """The parts of a small struct or a pair, and their values."""
    values = value if one.shape == "pair" else [getattr(value, part.name) for part in one.parts]
    return list(zip(one.parts, values, strict=True))


def _format_parts(parts: Sequence[tuple[Field, Any]]) -> Iterator[str]:
    """The parts of a small struct that has a list: one behind the other up to the list, by name behind it."""
    named = False
    for part, value in parts:
        if part.shape == "list":
            yield from (_format_value(part.item, one) for one in value)
            named = True
        elif not named:
            yield _format_value(part, value)
        elif value != part.default:
            yield f"{part.name}={_format_value(part, value)}"


def _format_value(field: Field, value: Any) -> str:
    """The value as it stands behind `name=`."""
    if value is None or value == ():
        return "-"
    if field.shape == "list":
        return ",".join(_format_value(field.item, one) for one in value)
    if field.parts:
        parts = _parts_of(field, value)
        if any(part.shape == "list" for part, _ in parts):
            return ":".join(_format_parts(parts))
        while len(parts) > 1 and not parts[-1][0].required and parts[-1][1] == parts[-1][0].default:
            parts.pop()
        return ":".join(_format_value(part, one) for part, one in parts)
    if field.shape == "flag":
        return "yes" if value else "no"
    if field.has("seconds"):
        unit = next(unit for unit in "dhms" if value % SECONDS_OF[unit] == 0 and (value or unit == "s"))
        return f"{value // SECONDS_OF[unit]}{unit}"
    if field.has("entry") or isinstance(value, int):
        return str(value)
    return _format_word(str(value)) if field.has("being") or field.shape == "choice" else quote(value)
