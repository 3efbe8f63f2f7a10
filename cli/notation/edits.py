"""Edits of an earlier line: a change of some of its fields, or a whole line instead.

`+1"in cover"`, `v4`, `dovel`, `/7.6` add or set something of what was declared; `no +a1"rope"`, `no e1` or `no rope`
take something away. A whole line is parsed as it would have been at that entry. Which of the two a text is:

- It is a whole line if it begins with a mark (`#`, `>`, `=`, `!`, `^`, a quote), or with a name in full and then a
  verb in full, a task in full, a text in quotation marks or a value and a signed number: `Orrin "sneak"`.
- It is a whole line if it begins with the speaker of the entry, also abbreviated, and can be parsed as one.
- Otherwise it is what it can be parsed as. If that is both, with a known verb or task in the line, it is refused.
- What is announced is changed as it was said. A claim is replaced by a whole line only.
- A scene or fiction is replaced by a whole line, a quote also by its words behind a speaker and a colon, or in marks.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

import msgspec

from cli.notation import line_parser, verb_parser
from cli.notation.claims import CLAIM_LINE_MARK
from cli.notation.field_parser import FieldParser
from cli.notation.formatter import format_line
from cli.notation.known_beings import join_names, match_being
from cli.notation.known_words import ambiguous_error, find_nearest, list_hint, match_word
from cli.notation.schema import Field
from cli.notation.scope import Scope
from cli.notation.tokens import (
    ANSWER_MARK,
    GM_MARK,
    TELL_MARKS,
    LineToken,
    is_quote,
    normalize_line,
    split_faces,
    token_error,
    tokenize,
)
from ledger.builtin import Tell
from ledger.declarations import Declaration
from ledger.errors import Unreadable
from ledger.name_match import fold_word, match_name
from rulebooks.common.announcements import Announce, said_or_announced

WITHOUT: Final = "no"
QUOTES: Final = ("“", '"')  # before words
MARKS: Final = (*TELL_MARKS, CLAIM_LINE_MARK, GM_MARK, ANSWER_MARK)
EXAMPLE: Final = 'Write what is different, as in +1"in cover" or no rope.'


def parse_change(text: str, old: Declaration, faces: tuple[int, ...] | None, scope: Scope) -> line_parser.ParsedLine:
    """Return the new declaration instead of `old`, whose faces were `faces`.

    Raises Unreadable for a text that is neither a change nor a whole line, or that may be both.
    """
    line, announces = normalize_line(text), isinstance(old, Announce)
    old = said_or_announced(old, *scope.declarations)
    if line.lstrip()[:1] in MARKS or is_quote(line):
        return _parse_whole(line, scope)
    if isinstance(old, Tell) and old.kind != "deed":
        return _parse_text(line, old, scope)
    tokens, typed = split_faces(tokenize(line))
    tokens = join_names(tokens, scope)
    if not tokens and typed is None:
        raise Unreadable("the change is empty", where="column 1", hint=EXAMPLE)
    has_verb, in_full = _find_speaker_and_verb(tokens, scope)
    if in_full:
        return _parse_whole(line, scope)
    if len(tokens) > 1 and old.by in match_being(tokens[0].text, scope).words:
        with suppress(Unreadable):
            return _parse_whole(line, scope)
    try:
        declaration = _apply_change(tokens, old, scope)
    except Unreadable as error:
        try:
            return _parse_whole(line, scope)
        except Unreadable:
            raise error from None
    if has_verb:
        _check_no_whole_line(line, tokens[0], old, scope)
    faces = faces if typed is None else typed
    changed = line_parser.ParsedLine(declaration, faces, line, announced=announces)
    with suppress(Unreadable):  # a declaration without a line keeps that of its change
        return msgspec.structs.replace(changed, line=format_line(changed))
    return changed


def _parse_text(line: str, old: Tell, scope: Scope) -> line_parser.ParsedLine:
    """Parse the new words of a quote, behind a speaker and a colon or in quotation marks, or a whole line in full.

    Raises Unreadable for anything else, with the line that makes new words of it.
    """
    mark = next((mark for mark, kind in TELL_MARKS.items() if kind == old.kind), "")
    words = f"{mark} {line}" if mark else f'" {old.who}: {line}'
    with suppress(Unreadable):
        if not mark:
            return _parse_whole(f'" {line}', scope)
    with suppress(Unreadable):
        if _find_speaker_and_verb(join_names(split_faces(tokenize(line))[0], scope), scope)[1]:
            return _parse_whole(line, scope)
    if not mark and line.lstrip()[:1] in QUOTES:
        return _parse_whole(words, scope)
    hint = f"New words begin with their mark: {words}"
    raise Unreadable("only a whole line can replace this one", where="column 1", hint=hint)


def _find_speaker_and_verb(tokens: Sequence[LineToken], scope: Scope) -> tuple[bool, bool]:
    """Return whether the tokens begin with a speaker and a verb, and whether both are written in full."""
    if len(tokens) < 2:
        return False, False
    speaker, verb = tokens[:2]
    if verb_parser.find_kind_of_anyone(verb, scope):
        return True, True
    beings = match_being(speaker.text, scope)
    if len(beings.words) != 1:
        return bool(beings.words), False
    if verb_parser.find_adjusted_values(tokens[1:], beings.words[0], scope):
        return True, beings.exact
    free = next((kind for kind in scope.declarations if kind.free and not kind.aside), None)
    if verb.has_quotes:
        return free is not None, free is not None and verb.is_quoted and beings.exact
    verbs = [word for kind in scope.declarations for word in kind.verbs]
    tasks = scope.words(free, free.free, beings.words[0]) if free else ()
    match = match_word(verb.text, [*verbs, *tasks])
    return bool(match.words), match.exact and beings.exact


def _check_no_whole_line(line: str, first: LineToken, old: Declaration, scope: Scope) -> None:
    """Raise Unreadable if a text that is a change could be a whole line as well."""
    try:
        _parse_whole(line, scope)
    except Unreadable:
        return
    raise token_error(
        first,
        f"this may be a change of {old.by}'s line or a line of its own",
        hint="For a change name the field, as in effort=1; for a line write name and verb in full.",
    )


def _parse_whole(line: str, scope: Scope) -> line_parser.ParsedLine:
    """Parse a whole line. Raises Unreadable for an empty one."""
    parsed = line_parser.parse_normal_line(line, scope)
    if parsed is None:
        raise Unreadable("the line is empty", where="column 1", hint="To leave the entry out: --drop.")
    return parsed


def _apply_change(tokens: Sequence[LineToken], old: Declaration, scope: Scope) -> Declaration:
    """Return the declaration with what the tokens set, add and take away."""
    kind = type(old)
    if not kind.verbs:
        hint = "Write it as it should have been, with its marks."
        raise Unreadable("only a whole line can replace this one", where="column 1", hint=hint)
    parser = FieldParser(kind, old.by, scope, tokens[0] if tokens else LineToken("", 1), old)
    values = {field.name: getattr(old, field.name) for field in parser.fields}
    kept, rest = list[LineToken](), list(tokens)
    while rest:
        token = rest.pop(0)
        if token.raw != WITHOUT:
            kept.append(token)
        elif not rest:
            raise token_error(token, f"'{WITHOUT}' has nothing after it", hint="Write it as in: no rope.")
        else:
            _remove_item(rest.pop(0), values, parser)
    parser.assign(kept)
    for field in parser.fields:
        if field.name in parser.given:
            given = parser.given[field.name]
            adds = given is not None and _is_added(field, kept)
            values[field.name] = _extend(field, values[field.name], given) if adds else given
    return kind(by=old.by, **values)


def _is_added(field: Field, tokens: Sequence[LineToken]) -> bool:
    """Whether what is given is added to a list. `name=value` replaces the list."""
    named = (token.split("=", 1)[0].text for token in tokens if len(token.split("=", 1)) > 1)
    return field.shape == "list" and all(fold_word(name) != fold_word(field.name) for name in named)


def _extend(field: Field, old: tuple[Any, ...], given: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a list with more items; what a ruling sets replaces what it set under the same name."""
    if not field.has("sets"):
        return (*old, *given)
    return tuple({_parts(item)[0]: item for item in (*old, *given)}.values())


def _remove_item(token: LineToken, values: dict[str, Any], parser: FieldParser) -> None:
    """Reset the field that the token names, or remove the list item that it writes or names."""
    for field in parser.fields:
        named = fold_word(token.text) == fold_word(field.name)
        if (named or _is_short_form(token, field, parser)) and not field.required:
            values[field.name] = field.default
            return
    if token.raw[0] in "+-" and len(token.raw) > 1:
        item_parser = FieldParser(parser.kind, parser.by, parser.scope, token, parser.changed)
        item_parser.assign([token])
        for name, given in item_parser.given.items():
            if given and given[0] in values[name]:
                values[name] = tuple(item for item in values[name] if item != given[0])
                return
    lists = {field.name: values[field.name] for field in parser.fields if field.shape == "list"}
    texts = [text for items in lists.values() for item in items for text in _texts(item)]
    words = match_name(token.text, texts).words
    if len(words) > 1:
        raise ambiguous_error(token, token.text, words)
    if words:
        name = next(name for name, items in lists.items() if any(words[0] in _texts(item) for item in items))
        values[name] = tuple(item for item in values[name] if words[0] not in _texts(item))
        return
    known = [*texts, *(field.name for field in parser.fields if values[field.name] != field.default)]
    what = f"'{token.text}' is not in that entry"
    raise token_error(token, what, find_nearest(token.text, known), list_hint(known))


def _is_short_form(token: LineToken, field: Field, parser: FieldParser) -> bool:
    """Whether the token is the letters of a field, with or without a value: `e`, `e1`."""
    letters = field.notes.get("short", "")
    short = parser.split_short(token)
    return bool(letters) and (token.raw == letters or (short is not None and short[0] is field))


def _texts(item: Any) -> list[str]:
    """Return the texts of a list item."""
    return [part for part in _parts(item) if isinstance(part, str) and part]


def _parts(item: Any) -> tuple[Any, ...]:
    """Return the parts of a list item."""
    parts = msgspec.structs.astuple(item) if isinstance(item, msgspec.Struct) else item
    return parts if isinstance(parts, tuple) else (parts,)
