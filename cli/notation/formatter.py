"""The one canonical line of a declaration: whole names, texts in quotation marks, nothing that is so anyway.

A value stands without its field's name only where it can be meant for no other field, whatever words a table knows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from cli.notation.schema import SIGNS, Slot, fields
from cli.notation.tokens import COMMANDS, NUMBER, SECONDS_OF, TOLD, fold, in_quotes
from ledger.builtin import AddWords, Claim, Tell
from ledger.declarations import Declaration
from ledger.errors import Unreadable
from ledger.facts import GM, Scalar
from rulebooks.common.announcements import Announce

PLAIN = re.compile(r'[^\W\d][^\s"=:,/]*')


def speak(said: Declaration, announced: Callable[[str], Declaration] | None = None) -> str:
    """The canonical line of a declaration. Raises Unreadable for one that no line says.

    `announced` reads what an announcement holds.
    """
    if isinstance(said, Announce) and announced is not None:
        return f"{speak(announced(said.what))} ..."
    if isinstance(said, Claim) and said.by == GM and said.values:
        return "= " + " ".join(f"{_plain(name)}={_scalar(value)}" for name, value in said.values)
    if isinstance(said, Tell) and said.seen == "table" and said.by == said.who and said.text:
        marks = {kind: mark for mark, kind in TOLD.items()}
        if said.kind == "quote":
            return f'" {said.who}: {said.text}'
        if said.kind in marks and said.by == GM:
            return f"{marks[said.kind]} {said.text}"
    kind = type(said)
    asides = said.by == GM and not isinstance(said, AddWords)
    if not kind.verbs or asides != (kind.aside or (asides and kind.alone)):
        raise Unreadable(f"no line says this {kind.__name__}", hint="Its file or its command says it.")
    free = getattr(said, kind.free) if kind.free else ""
    verb = in_quotes(free) if free else kind.verbs[0]
    speaker = "!" if asides else in_quotes(said.by) if said.by in COMMANDS else _plain(said.by)
    mark = ("^",) if kind.answers else ()
    return " ".join((*mark, speaker, verb, *_spoken_fields(said, kind.free if free else "")))


def _plain(word: str) -> str:
    """A name as a line has it: quoted only if it must be."""
    return word if PLAIN.fullmatch(word) else in_quotes(word)


def _scalar(value: Scalar) -> str:
    return str(value) if isinstance(value, int) else in_quotes(value)


def _spoken_fields(said: Declaration, skip: str) -> Iterator[str]:
    """What the line says after the verb, in the order of the fields; what is as it would be anyway is left out."""
    slots = fields(type(said))
    turn = not any(slot.noted("being") and slot.noted("word") for slot in slots)
    for slot in slots:
        value = getattr(said, slot.name)
        if slot.name == skip:
            continue
        if not slot.required and value == slot.default:
            turn = turn and not slot.in_turn
        elif turn and slot.in_turn and isinstance(value, str):
            yield in_quotes(value)
        else:
            named = [f"{slot.name}={_written(slot, value)}"]
            yield from _bare(slot, value, slots) or _signed(slot, value, slots) or named


def _bare(slot: Slot, value: Any, slots: Sequence[Slot]) -> list[str]:
    """The value without the field's name, if it can only be meant for this field."""
    if slot.noted("short") and isinstance(value, int):
        return [f"{slot.notes['short']}{value}"]
    rivals = [other for other in slots if other is not slot and other.noted("word", "entry", "seconds")]
    if value is None or slot.texts or not slot.noted("word", "entry", "seconds"):
        return []
    if slot.shape == "flag":
        return [slot.name] if value and _clear(slot.name, slots, rivals) else []
    said = [_written(slot.one, one) for one in (value if slot.shape == "list" else [value])]
    if slot.one.shape == "whole" or slot.noted("entry"):
        same = [other for other in rivals if other.texts or _looks(other) == _looks(slot)]
        return [] if same or said[0].startswith("-") else said
    if slot.noted("being") and any(other.noted("being") or other.texts for other in rivals):
        return []
    return said if all(_clear(one.split(":")[0], slots, rivals) for one in said) else []


def _looks(slot: Slot) -> str:
    """What a value without a name is known by: `1.4` an entry, `10m` a time, or else its shape."""
    return next((note for note in ("entry", "seconds") if slot.noted(note)), slot.one.shape)


def _clear(word: str, slots: Sequence[Slot], rivals: Sequence[Slot]) -> bool:
    """Whether a bare word can be nothing else here."""
    known = {fold(one) for other in rivals for one in (other.name, *other.one.choices, *_heads(other.one))}
    letters = [slot.notes["short"] for slot in slots if slot.noted("short")]
    short = any(NUMBER.fullmatch(word[len(one) :]) for one in letters if fold(word).startswith(fold(one)))
    return bool(PLAIN.fullmatch(word)) and fold(word) not in known and not short


def _heads(slot: Slot) -> Iterable[str]:
    """The words that a small struct may begin with."""
    return slot.parts[0].choices if slot.parts else ()


def _signed(slot: Slot, value: Any, slots: Sequence[Slot]) -> list[str]:
    """`+a1"rope"` for each of a list, or `kess.might=3`."""
    if slot.noted("sets"):
        taken = {fold(name) for other in slots for name in (other.name, other.notes.get("short", ""))}
        pairs = [[part for _, part in _parts(slot.one, one)] for one in value]
        to = slot.one.parts[1]
        clear = all(fold(name) not in taken for name, _ in pairs)
        return [f"{_plain(name)}={_written(to, one)}" for name, one in pairs] if clear else []
    if slot.noted("answers"):
        return [f"^{_written(slot.one, one)}" for one in value]
    for sign, note in SIGNS.items():
        rivals = [other for other in slots if note in other.notes and other.notes[note] == slot.notes.get(note)]
        if rivals and rivals[0] is slot:
            said = [_listed(slot.one, one) for one in value]
            return [f"{sign}{slot.notes[note]}{one}" for one in said] if all(said) else []
    return []


def _listed(one: Slot, value: Any) -> str:
    """One of a list behind its letters; empty if it has to be said by the field's name."""
    if one.shape == "text":
        return f":{_plain(value)}" if one.noted("being") else in_quotes(value)
    if [part.shape for part in one.parts] != ["whole", "text"] or one.parts[1].notes:
        return ""
    (_, number), (part, text) = _parts(one, value)
    return f"{number}{'' if text == part.default and not part.required else in_quotes(text)}"


def _parts(one: Slot, value: Any) -> list[tuple[Slot, Any]]:
    """The parts of a small struct or a pair, and their values."""
    values = value if one.shape == "pair" else [getattr(value, part.name) for part in one.parts]
    return list(zip(one.parts, values, strict=True))


def _with_list(parts: Sequence[tuple[Slot, Any]]) -> Iterator[str]:
    """The parts of a small struct that has a list: one behind the other up to the list, by name behind it."""
    named = False
    for part, value in parts:
        if part.shape == "list":
            yield from (_written(part.one, one) for one in value)
            named = True
        elif not named:
            yield _written(part, value)
        elif value != part.default:
            yield f"{part.name}={_written(part, value)}"


def _written(slot: Slot, value: Any) -> str:
    """The value as it stands behind `name=`."""
    if value is None or value == ():
        return "-"
    if slot.shape == "list":
        return ",".join(_written(slot.one, one) for one in value)
    if slot.parts:
        parts = _parts(slot, value)
        if any(part.shape == "list" for part, _ in parts):
            return ":".join(_with_list(parts))
        while len(parts) > 1 and not parts[-1][0].required and parts[-1][1] == parts[-1][0].default:
            parts.pop()
        return ":".join(_written(part, one) for part, one in parts)
    if slot.shape == "flag":
        return "yes" if value else "no"
    if slot.noted("seconds"):
        unit = next(unit for unit in "dhms" if value % SECONDS_OF[unit] == 0 and (value or unit == "s"))
        return f"{value // SECONDS_OF[unit]}{unit}"
    if slot.noted("entry") or isinstance(value, int):
        return str(value)
    return _plain(str(value)) if slot.noted("being") or slot.shape == "choice" else in_quotes(value)
