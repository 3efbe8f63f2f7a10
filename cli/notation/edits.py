"""What is said instead of an earlier line: a whole line, or only what is other about it.

`+1"in cover"`, `v4`, `dovel`, `/7.6` add or set something of what was declared; `no +a1"rope"`, `no e1` or `no rope`
take something away. What cannot be read so is read as a whole line, as it would have been read at that entry.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

import msgspec

from cli.notation.declaration_parser import Reader
from cli.notation.formatter import speak
from cli.notation.line_parser import Said, read
from cli.notation.schema import Slot
from cli.notation.scope import Around
from cli.notation.tokens import (
    TOLD,
    Token,
    faces_typed,
    fitting,
    fold,
    nearest,
    normal_line,
    there,
    tokens_of,
    unclear,
    wrong,
)
from ledger.declarations import Declaration
from ledger.errors import Unreadable

WITHOUT: Final = "no"
WHOLE_LINES: Final = (*TOLD, '"', "=", "!", "^")
NAME: Final = re.compile(r'\s*"[^"\s:][^":]*"(?:\s|$)')  # a name in quotation marks, and no quote: " k: Stay down.


def changed(text: str, was: Declaration, faces: tuple[int, ...] | None, around: Around) -> Said:
    """What is said instead of `was`, with its faces. Raises Unreadable for what is neither a change nor a line."""
    line = normal_line(text)
    if line.lstrip()[:1] in WHOLE_LINES and not NAME.match(line):
        return _whole(line, around)
    tokens, typed = faces_typed(tokens_of(line))
    if not tokens and typed is None:
        raise Unreadable(
            "nothing is changed", where="column 1", hint='Say what is other, as in +1"in cover" or no rope.'
        )
    if _somebody_does(tokens, around):
        return _whole(line, around)
    if len(tokens) > 1 and was.by in fitting(tokens[0].text, around.names, inside=True).found:
        with suppress(Unreadable):  # whoever names the speaker says a whole line
            return _whole(line, around)
    try:
        said = _altered(tokens, was, around)
    except Unreadable as error:
        try:
            return _whole(line, around)
        except Unreadable:
            raise error from None
    now = faces if typed is None else typed
    return Said(said, now, _spoken(said, now, line))


def _somebody_does(tokens: Sequence[Token], around: Around) -> bool:
    """Whether a name and a verb in full begin it, as in `k close`: no change of another line looks like that."""
    verbs = [verb for kind in around.kinds for verb in kind.verbs]
    if len(tokens) < 2 or tokens[1].literal or tokens[1].text not in verbs:
        return False
    return bool(fitting(tokens[0].text, around.names, inside=True).found)


def _whole(line: str, around: Around) -> Said:
    """The line as it would have been said there. Raises Unreadable when it says nothing."""
    said = read(line, around)
    if said is None:
        raise Unreadable("nothing is said instead", where="column 1", hint="To leave the entry out: --drop.")
    return said


def _spoken(said: Declaration, faces: tuple[int, ...] | None, change: str) -> str:
    """The line as it might have been typed; where no line says it, the change."""
    typed = () if faces is None else ("/" + ".".join(map(str, faces)),)
    try:
        return " ".join((speak(said), *typed))
    except Unreadable:
        return change


def _altered(tokens: Sequence[Token], was: Declaration, around: Around) -> Declaration:
    """The declaration with what the tokens set, add and take away."""
    if not type(was).verbs:
        raise Unreadable(
            "only a whole line can stand instead of this one",
            where="column 1",
            hint="Say it as it should have been said, with all of its marks.",
        )
    first = tokens[0] if tokens else Token("", 1)
    less = Reader(type(was), was.by, around, first, was)
    kept, values = list[Token](), {slot.name: getattr(was, slot.name) for slot in less.slots}
    rest = list(tokens)
    while rest:
        token = rest.pop(0)
        if token.raw != WITHOUT:
            kept.append(token)
        elif not rest:
            raise wrong(token, "nothing is named that it was without", hint="Write it as in: no rope.")
        else:
            _take_away(rest.pop(0), values, less)
    more = Reader(type(was), was.by, around, first, was)
    more.take(kept)
    for slot in more.slots:
        if slot.name in more.given:
            given = more.given[slot.name]
            values[slot.name] = (
                _more(slot, values[slot.name], given) if _adds(slot, kept) and given is not None else given
            )
    return type(was)(by=was.by, **values)


def _adds(slot: Slot, tokens: Sequence[Token]) -> bool:
    """Whether what was given is added to a list: but `name=value` says the whole list anew."""
    anew = any(fold(token.split("=", 1)[0].text) == fold(slot.name) for token in tokens if len(token.split("=", 1)) > 1)
    return slot.shape == "list" and not anew


def _more(slot: Slot, was: tuple[Any, ...], given: tuple[Any, ...]) -> tuple[Any, ...]:
    """A list with what is said besides; what a ruling sets is set anew under the same name."""
    if not slot.noted("sets"):
        return (*was, *given)
    return tuple({_whole_of(item)[0]: item for item in (*was, *given)}.values())


def _take_away(token: Token, values: dict[str, Any], reader: Reader) -> None:
    """A field as it is when nothing is said of it, or one of a list away: by its token, its name or its text."""
    for slot in reader.slots:
        named = fold(token.text) == fold(slot.name)
        if (named or _is_short(token, slot, reader)) and not slot.required:
            values[slot.name] = slot.default
            return
    if token.raw[0] in "+-" and len(token.raw) > 1:
        one = Reader(reader.kind, reader.by, reader.around, token, reader.was)
        one.take([token])
        for name, given in one.given.items():
            if given and given[0] in values[name]:
                values[name] = tuple(item for item in values[name] if item != given[0])
                return
    lists = {slot.name: values[slot.name] for slot in reader.slots if slot.shape == "list"}
    said = [text for items in lists.values() for item in items for text in _texts(item)]
    meant = fitting(token.text, said, inside=True).found
    if len(meant) > 1:
        raise unclear(token, token.text, meant)
    if meant:
        name = next(name for name, items in lists.items() if any(meant[0] in _texts(item) for item in items))
        values[name] = tuple(item for item in values[name] if meant[0] not in _texts(item))
        return
    names = [slot.name for slot in reader.slots if values[slot.name] != slot.default]
    known = [*said, *names]
    raise wrong(token, f"'{token.text}' was not said there", nearest(token.text, known), there(known))


def _is_short(token: Token, slot: Slot, reader: Reader) -> bool:
    """Whether these are the letters of a field, with or without its value: `e`, `e1`."""
    letters = slot.notes.get("short", "")
    shorted = reader.shorted(token)
    return bool(letters) and (token.raw == letters or (shorted is not None and shorted[0] is slot))


def _texts(item: Any) -> list[str]:
    """The texts of one of a list."""
    return [part for part in _whole_of(item) if isinstance(part, str) and part]


def _whole_of(item: Any) -> tuple[Any, ...]:
    """All that one of a list consists of."""
    whole = msgspec.structs.astuple(item) if isinstance(item, msgspec.Struct) else item
    return whole if isinstance(whole, tuple) else (whole,)
