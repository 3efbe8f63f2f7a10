"""The one canonical line of a declaration: whole names, texts in quotation marks, no defaults.

A value is written without its field's name only if no other field could take it, whatever words are known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from cli.notation.claims import CLAIM_MARK, format_claim
from cli.notation.line_parser import ParsedLine
from cli.notation.schema import SIGNS, Field, fields_of
from cli.notation.scope import Scope
from cli.notation.tokens import LINE_COMMANDS, NUMBER, PAUSE, SECONDS_OF, SECRET_MARK, TELL_MARKS, faces_at_end, quote
from ledger.builtin import Claim, Tell
from ledger.declarations import Declaration
from ledger.errors import Unreadable
from ledger.facts import GM, Scalar
from ledger.name_match import fold_word

PLAIN = re.compile(r'[^\W\d][^\s"=:,/]*')


def format_declaration(said: Declaration, scope: Scope | None = None) -> str:
    """Return the canonical line of a declaration. Raises Unreadable for one that no line says.

    With a scope, words that it knows may stand behind their sign alone: `+cover` for `situations="cover"`.
    """
    if isinstance(said, Claim) and said.by == GM and said.values:
        return "= " + " ".join(f"{_format_word(name)}={_format_scalar(value)}" for name, value in said.values)
    if isinstance(said, Tell) and said.seen == "table" and said.by == said.who and _is_tellable(said.text):
        marks = {kind: mark for mark, kind in TELL_MARKS.items()}
        if said.kind == "quote":
            return f'" {said.who}: {said.text}'
        if said.kind in marks and said.by == GM:
            return f"{marks[said.kind]} {said.text}"
    kind = type(said)
    aside = said.by == GM and not kind.by_anyone
    if not kind.verbs or aside != (kind.aside or (aside and kind.alone)):
        raise Unreadable(f"no line can declare this {kind.__name__}", hint="Use its file or its command.")
    free = getattr(said, kind.free) if kind.free else ""
    as_it_is = bool(kind.free_as) and " " in free and not getattr(said, kind.free_as)
    verb = f"{kind.verbs[0]} {quote(free)}" if as_it_is else quote(free) if free else kind.verbs[0]
    speaker = "!" if aside else quote(said.by) if said.by in LINE_COMMANDS else _format_word(said.by)
    mark = ("^",) if kind.answers else ()
    return " ".join((*mark, speaker, verb, *_format_fields(said, kind.free if free else "", scope)))


def _is_tellable(text: str) -> bool:
    """Return whether the text behind a mark says this: typed faces at its end are refused."""
    return bool(text) and not faces_at_end(text)


def format_line(parsed: ParsedLine, scope: Scope | None = None) -> str:
    """Return the canonical line with its faces and claims. Raises Unreadable like `format_declaration`."""
    pause = [PAUSE] if parsed.announced else []
    claims = ", ".join(format_claim(name, value) for name, value in parsed.claims)
    return " ".join(
        (
            *([SECRET_MARK] if parsed.secret else []),
            format_declaration(parsed.declaration, scope),
            *pause,
            *format_faces(parsed.faces),
            *([f"{CLAIM_MARK} {claims}"] if claims else []),
        )
    )


def format_faces(faces: tuple[int, ...] | None) -> list[str]:
    """Return typed faces as the token of a line: none if there are none."""
    return [] if faces is None else ["/" + ".".join(map(str, faces))]


def _format_word(word: str) -> str:
    """Return a word, in quotation marks only if it needs them."""
    return word if PLAIN.fullmatch(word) else quote(word)


def _format_scalar(value: Scalar) -> str:
    return str(value) if isinstance(value, int) else quote(value)


def _format_fields(said: Declaration, skip: str, scope: Scope | None) -> Iterator[str]:
    """Yield the tokens of the fields in order. Fields that have their default are left out."""
    fields = fields_of(type(said))
    in_order = not any(field.has("being") and field.has("word") for field in fields)
    for field in fields:
        value = getattr(said, field.name)
        if field.name == skip:
            continue
        if not field.required and value == field.default:
            in_order = in_order and not field.is_positional
        elif in_order and field.is_positional and isinstance(value, str):
            yield quote(value)
        else:
            if field.has("after") and not field.has("word") and value:
                yield from (field.notes["after"], quote(value))
                continue
            named = [f"{field.name}={_format_value(field, value)}"]
            known = _format_known(field, value, said, scope) if scope else []
            yield from known or _format_bare(field, value, fields) or _format_signed(field, value, fields) or named


def _format_known(field: Field, value: Any, said: Declaration, scope: Scope) -> list[str]:
    """Return `+cover` for each word of a list, if the scope knows all of them in this field; else nothing."""
    signs = [sign for sign, note in SIGNS.items() if field.notes.get(note) == ""]
    if not signs or field.item.shape != "text" or field.shape != "list":
        return []
    known = set(scope.words(type(said), field.name, said.by))
    return (
        [f"{signs[0]}{word}" for word in value] if known.issuperset(value) and all(map(PLAIN.fullmatch, value)) else []
    )


def _format_bare(field: Field, value: Any, fields: Sequence[Field]) -> list[str]:
    """Return the value without the field's name, if no other field could take it; else nothing."""
    if field.has("short") and isinstance(value, int):
        return [f"{field.notes['short']}{value}"]
    if value is None or field.takes_text or not field.has("word", "entry", "seconds"):
        return []
    if field.shape == "flag":
        words = [field.name] if value else []
    else:
        words = [_format_value(field.item, item) for item in (value if field.shape == "list" else [value])]
    return words if _can_be_bare(field, words, fields) else []


def _can_be_bare(field: Field, words: Sequence[str], fields: Sequence[Field]) -> bool:
    """Return whether no other field could take these bare words of a field."""
    rivals = [other for other in fields if other is not field and other.has("word", "entry", "seconds")]
    if field.item.shape == "whole" or field.has("entry"):
        same = any(other.takes_text or _bare_shape(other) == _bare_shape(field) for other in rivals)
        return not (same or words[0].startswith("-"))
    if field.has("being") and any(other.has("being") or other.takes_text for other in rivals):
        return False
    return all(_is_unambiguous(word.split(":")[0], fields, rivals) for word in words)


def _bare_shape(field: Field) -> str:
    """Return the form by which a bare value is recognised: as an entry (`1.4`), a time (`10m`), or by its shape."""
    return next((note for note in ("entry", "seconds") if field.has(note)), field.item.shape)


def _is_unambiguous(word: str, fields: Sequence[Field], rivals: Sequence[Field]) -> bool:
    """Whether a bare word can mean nothing else here."""
    known = [word for other in rivals for word in (other.name, *other.item.choices, *_first_words(other.item))]
    folded = fold_word(word)
    letters = [field.notes["short"] for field in fields if field.has("short")]
    short = any(NUMBER.fullmatch(word[len(short) :]) for short in letters if folded.startswith(fold_word(short)))
    return bool(PLAIN.fullmatch(word)) and folded not in map(fold_word, known) and not short


def _first_words(field: Field) -> Iterable[str]:
    """Return the words that a struct may begin with."""
    return field.parts[0].choices if field.parts else ()


def _format_signed(field: Field, value: Any, fields: Sequence[Field]) -> list[str]:
    """Return `+a1"rope"` or `^sira:help` for the items of a list, or `kess.might=3`; nothing where no sign fits."""
    if field.has("sets"):
        taken = {fold_word(name) for other in fields for name in (other.name, other.notes.get("short", ""))}
        pairs = [[part for _, part in _parts_of(field.item, pair)] for pair in value]
        value_field = field.item.parts[1]
        clear = all(fold_word(name) not in taken for name, _ in pairs)
        return [f"{_format_word(name)}={_format_value(value_field, new)}" for name, new in pairs] if clear else []
    if field.has("answers"):
        return [f"^{_format_value(field.item, item)}" for item in value]
    for sign, note in SIGNS.items():
        rivals = [other for other in fields if note in other.notes and other.notes[note] == field.notes.get(note)]
        if rivals and rivals[0] is field:
            items = [_format_item(field.item, item) for item in value]
            return [f"{sign}{field.notes[note]}{item}" for item in items] if all(items) else []
    return []


def _format_item(item: Field, value: Any) -> str:
    """Return a list item as written after its letters; empty if only `name=value` can say it."""
    if item.shape == "text":
        return f":{_format_word(value)}" if item.has("being") else quote(value)
    if [part.shape for part in item.parts] != ["whole", "text"] or item.parts[1].notes:
        return ""
    (_, number), (part, text) = _parts_of(item, value)
    return f"{number}{'' if text == part.default and not part.required else quote(text)}"


def _parts_of(item: Field, value: Any) -> list[tuple[Field, Any]]:
    """Return the parts of a struct or a pair with their values."""
    values = value if item.shape == "pair" else [getattr(value, part.name) for part in item.parts]
    return list(zip(item.parts, values, strict=True))


def _format_parts(parts: Sequence[tuple[Field, Any]]) -> Iterator[str]:
    """Yield the parts of a struct that has a list: in order up to the list, by name behind it.

    Of an empty list, and behind a part that has its default, all is by name, without the defaults.
    """
    named = False
    is_empty = not any(value for part, value in parts if part.shape == "list")
    for part, value in parts:
        if is_empty and not part.required and value == part.default:
            named = True
        elif part.shape == "list":
            yield from (_format_value(part.item, item) for item in value)
            named = True
        elif not named:
            yield _format_value(part, value)
        elif value != part.default:
            yield f"{part.name}={_format_value(part, value)}"


def _format_value(field: Field, value: Any) -> str:
    """Return the value as written after `name=`."""
    if value is None or value == ():
        return "-"
    if field.shape == "list":
        return ",".join(_format_value(field.item, item) for item in value)
    if field.parts:
        parts = _parts_of(field, value)
        if any(part.shape == "list" for part, _ in parts):
            return ":".join(_format_parts(parts))
        while len(parts) > 1 and not parts[-1][0].required and parts[-1][1] == parts[-1][0].default:
            parts.pop()
        return ":".join(_format_value(*part) for part in parts)
    if field.shape == "flag":
        return "yes" if value else "no"
    if field.has("seconds"):
        unit = next(unit for unit in "dhms" if value % SECONDS_OF[unit] == 0 and (value or unit == "s"))
        return f"{value // SECONDS_OF[unit]}{unit}"
    if field.has("entry") or isinstance(value, int):
        return str(value)
    return _format_word(str(value)) if field.has("being") or field.shape == "choice" else quote(value)
