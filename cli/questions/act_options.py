"""Options of an act: what may still be changed in a declaration before it is said, each change as a whole line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, Literal

import msgspec

from cli.notation.formatter import format_declaration
from cli.notation.schema import Field, fields_of
from cli.questions.acts import BLANK, ActTable, ActTree, Blank, is_aim, with_blanks
from ledger.declarations import Declaration
from ledger.errors import LedgerError

QUICK: Final = ("word", "short", "plus", "minus", "after")  # notes of fields for which a line has a short form
QUICK_MOST: Final = 3  # options that are shown at once
QUICK_VALUES_MOST: Final = 8  # of one of these
VALUES_MOST: Final = 40  # of one option


class OptionValue(msgspec.Struct, frozen=True, kw_only=True):
    """A value of an option, and the whole line with it; no label: that nothing is chosen. `on`: it is chosen now."""

    label: str
    line: str
    on: bool


class ActOption(msgspec.Struct, frozen=True, kw_only=True):
    """What may be chosen in a field of a declaration.

    `kind`: of a choice one value holds, switches are turned on and off one by one, a blank is typed into the only line
    of `values`, whose label is what stands there now. `quick`: it is one of the few that are shown at once.
    """

    field: str
    kind: Literal["choice", "switches", "blank"]
    values: tuple[OptionValue, ...]
    quick: bool
    blank: Blank | None = None


def act_options(
    said: Declaration, table: ActTable, levels: Iterable[tuple[str, Declaration]] = ()
) -> Iterator[ActOption]:
    """Yield the options of a declaration that may be said now, the quick ones first; only what the rules allow.

    `levels`: the declaration at each level that its speaker may choose, as the guide of the book has them.
    """
    tree, fields = OptionTree(said, table), {field.name: field for field in fields_of(type(said))}
    by_level = tree.levels(levels)
    options = [by_level] if by_level is not None else []
    for field in fields.values():
        if by_level is None or field.name != by_level.field:
            options += tree.options(field)
    quick = [option for option in options if option.quick and len(option.values) <= QUICK_VALUES_MOST]
    quick = sorted(quick, key=lambda option: _rank(option, fields[option.field], by_level))[:QUICK_MOST]
    yield from quick
    yield from (msgspec.structs.replace(option, quick=False) for option in options if option not in quick)


def _rank(option: ActOption, field: Field, by_level: ActOption | None) -> int:
    """Return the place of an option among the quick ones: levels, then with what, words of a situation, then others."""
    places = (option is by_level, field.has("after"), field.shape == "list" and not field.item.has("being"))
    return places.index(True) if True in places else 3 + ("choice", "switches", "blank").index(option.kind)


class OptionTree:
    """The options of one declaration."""

    def __init__(self, said: Declaration, table: ActTable) -> None:
        self.said, self.table = said, table
        self.tree = ActTree(said.by, type(said), table)

    def levels(self, levels: Iterable[tuple[str, Declaration]]) -> ActOption | None:
        """Return the option of the field in which levels differ; None if there is one level at most."""
        leveled = list(levels)
        names = [
            field.name
            for field in fields_of(type(self.said))
            if len({getattr(each, field.name) for _, each in leveled}) > 1
        ]
        if len(names) != 1:
            return None
        return self._choice(names[0], [(label, getattr(each, names[0])) for label, each in leveled], quick=True)

    def options(self, field: Field) -> Iterator[ActOption]:
        """Yield the option of a field, if there is anything to choose."""
        is_chosen = field.name == type(self.said).verb_field or (is_aim(field) and field.shape != "list")
        if is_chosen or field.has("entry", "seconds", "sets"):
            return
        is_quick = field.is_positional or any(note in field.notes for note in QUICK)
        now, quick = getattr(self.said, field.name), is_quick and field.name != type(self.said).secret
        option = None
        if field.shape == "list":
            option = self._switches(field, now, quick)
        elif field.shape == "flag":
            option = self._flag(field, now, quick)
        elif field.shape == "whole":
            option = self._number(field, now)
        else:
            values = [(label, value) for label, value in self.tree.items(field) if label != BLANK]
            if values:
                none = [] if field.required or now == field.default in dict(values).values() else [("", field.default)]
                option = self._choice(field.name, [*none, *values], quick=quick)
            elif field.is_positional or field.takes_text:
                option = self._text(field, now, quick)
        if option is not None:
            yield option

    def _with(self, field: str, value: Any) -> Declaration:
        return msgspec.structs.replace(self.said, **{field: value})

    def _value(self, field: str, label: str, value: Any, *, on: bool) -> OptionValue | None:
        """Return a value of an option; None where the rules do not allow it, or no line says it."""
        said = self._with(field, value)
        try:
            line = format_declaration(said, self.table.scope)
        except LedgerError:
            return None
        is_legal = said == self.said or self.table.refusal(said) is None
        return OptionValue(label=label, line=line, on=on) if is_legal else None

    def _choice(self, field: str, values: Sequence[tuple[str, Any]], *, quick: bool) -> ActOption | None:
        now = getattr(self.said, field)
        offered = [self._value(field, label, value, on=value == now) for label, value in values[:VALUES_MOST]]
        legal = tuple(value for value in offered if value is not None)
        return ActOption(field=field, kind="choice", values=legal, quick=quick) if len(legal) > 1 else None

    def _flag(self, field: Field, now: bool | None, quick: bool) -> ActOption | None:
        value = self._value(field.name, field.name, field.default if now else True, on=bool(now))
        return ActOption(field=field.name, kind="switches", values=(value,), quick=quick) if value else None

    def _switches(self, field: Field, now: tuple[Any, ...], quick: bool) -> ActOption | None:
        """Return the items of a list, each of which is there or not."""
        items = [(label, item) for label, item in self.tree.items(field.item) if label != BLANK][:VALUES_MOST]
        offered = [
            self._value(field.name, label, without(now, item) if item in now else (*now, item), on=item in now)
            for label, item in items
        ]
        legal = tuple(value for value in offered if value is not None)
        return ActOption(field=field.name, kind="switches", values=legal, quick=quick) if legal else None

    def _number(self, field: Field, now: int | None) -> ActOption | None:
        """Return the option of a number, which is typed."""
        others = [number for number in range(3) if number != now]
        if not any(self.table.refusal(self._with(field.name, number)) is None for number in others):
            return None
        return self._blank(Blank(field=field.name, is_number=True), "" if now is None else str(now), quick=False)

    def _text(self, field: Field, now: str | None, quick: bool) -> ActOption | None:
        if self.table.refusal(self._with(field.name, BLANK)) is not None:
            return None
        return self._blank(Blank(field=field.name), now or "", quick=quick)

    def _blank(self, blank: Blank, now: str, *, quick: bool) -> ActOption:
        line, _ = with_blanks(self.said, [blank], self.table.scope)
        value = OptionValue(label=now, line=line, on=bool(now))
        return ActOption(field=blank.field, kind="blank", values=(value,), quick=quick, blank=blank)


def without(items: tuple[Any, ...], item: Any) -> tuple[Any, ...]:
    """Return the items of a list without one of them."""
    return tuple(each for each in items if each != item)
