"""Acts: what somebody may say now, as a tree of choices, each leaf a canonical line. Made for any game.

A declaration's own fields say what has to be chosen: those that it requires, whom it is aimed at, and the field that a
refusal names. Each choice is decided without dice in the state as it is, so only legal ones are offered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from cli.notation.formatter import format_declaration
from cli.notation.schema import Field, fields_of
from cli.notation.scope import Scope
from ledger.declarations import Declaration
from ledger.errors import LedgerError, Refused, Unreadable
from projections.state import State
from rulebooks.common.adjustments import Adjust
from rulebooks.common.announcements import Announce
from rulebooks.common.options import SetOption
from rulebooks.common.sides import is_here, is_present

BLANK: Final = "…"  # stands in a line for what is to be typed
DEPTH_MOST: Final = 4  # choices of one act, one below the other
LEVELS: Final = 1  # of choices that are shown at once
TRIED_MOST: Final = 1000  # declarations of one act
NUMBER_MOST: Final = 1000  # a number that is allowed may be any
NUMBERS_OFFERED: Final = 13  # more of them are typed
NUMBER_SIGN: Final = 987_654_000  # and more: they stand for numbers in a line before their blanks do
UNOFFERED: Final = (Adjust, Announce, SetOption)  # what the table corrects, and what the ledger itself writes

Refusal = Callable[[Declaration], LedgerError | None]


class Blank(msgspec.Struct, frozen=True, kw_only=True):
    """A place in a line for a text, or for a whole number with its bounds; no `most`: it may be any."""

    field: str
    is_number: bool = False
    least: int = 0
    most: int | None = None


class ActChoice(msgspec.Struct, frozen=True, kw_only=True):
    """A verb or a choice: `label` names it, `about` says in a sentence what a verb is for.

    `line`: what to say, if nothing is left to choose. `field`: what its `choices` are of; where it has none, they are
    asked for by the labels that lead to it. `blanks`: what is to be typed, for each `…` in the line in their order:
    for a text in quotation marks, for a number without.
    """

    label: str
    about: str = ""
    line: str = ""
    field: str = ""
    choices: tuple[ActChoice, ...] = ()
    blanks: tuple[Blank, ...] = ()

    def leaves(self) -> Iterator[ActChoice]:
        """Yield the acts that have a line: this one, or those below it."""
        if self.line:
            yield self
        for choice in self.choices:
            yield from choice.leaves()


class OpenNumber(int):
    """A number that was tried for all that are allowed up to `most`; None: any."""

    most: int | None = None


class ActTable(msgspec.Struct, frozen=True, kw_only=True):
    """What acts are made from: who is where, the names and words that are known to whom they are shown, the rules.

    `refusal` returns why a declaration is refused now; None if it is not.
    """

    state: State
    scope: Scope
    refusal: Refusal

    def aims(self, who: str) -> list[str]:
        """Return those who may be aimed at: of other sides, then of the own, then who is not in the fight."""
        own, known = self.state.being(who), set(self.scope.beings)
        near = [
            being for being in self.state.beings_in_order() if is_present(being, self.state) and being.name in known
        ]
        near.sort(
            key=lambda being: (
                not is_here(being, self.state),
                being.name == who,
                own is not None and being.side == own.side,
            )
        )
        return [being.name for being in near]


def acts(
    who: str, kinds: Iterable[type[Declaration]], table: ActTable, path: Sequence[str] = (), levels: int = LEVELS
) -> Iterator[ActChoice]:
    """Yield what somebody may say now: an act for each of these kinds of declarations that is legal in some form.

    What is aimed at somebody comes first, what only lets something go last, else they are in the order of the book.
    `path`: the labels of a verb and of choices below it: only what follows these. `levels`: of choices that are shown.
    """
    offered = [
        kind
        for kind in kinds
        if kind.verbs and not issubclass(kind, UNOFFERED) and (not path or path[0] == kind.verbs[0])
    ]
    for kind in sorted(offered, key=lambda kind: (kind.lets_go, not any(map(is_aim, fields_of(kind))))):
        act = ActTree(who, kind, table).grow(path[1:], levels)
        if act is not None:
            yield msgspec.structs.replace(act, about=purpose_of(kind))


class ActTree:
    """The choices of one kind of declaration."""

    def __init__(self, who: str, kind: type[Declaration], table: ActTable) -> None:
        self.who, self.kind, self.table = who, kind, table
        self.fields = {field.name: field for field in fields_of(kind)}
        self.tries = 0

    def grow(self, path: Sequence[str] = (), levels: int = LEVELS) -> ActChoice | None:
        """Return the act behind the labels of a path; None where nothing of it may be said."""
        return self._grow(self.kind.verbs[0], {}, path, levels)

    def _grow(self, label: str, chosen: Mapping[str, Any], path: Sequence[str], levels: int) -> ActChoice | None:
        """Return the act with these fields chosen: its line, or what is chosen next, or what is behind a path."""
        field = self._next_field(chosen)
        if field is None:
            said = self.kind(by=self.who, **chosen)
            error = self._try(said)
            if error is None:
                return None if path else self._leaf(label, said)
            field = self.fields.get(error.field) if isinstance(error, Refused) else None
        if field is None or field.name in chosen or len(chosen) == DEPTH_MOST:
            return None
        values = list(self._values(field, chosen))
        if path and (followed := [value for name, value in values if words_of(name) == words_of(path[0])]):
            return self._grow(path[0], {**chosen, field.name: followed[0]}, path[1:], levels)
        below = levels if path else levels - 1  # a level that a path does not name is one in which nothing is chosen
        legal = (
            (act, value)
            for name, value in values
            if (act := self._grow(name, {**chosen, field.name: value}, path, below)) is not None
        )
        if path:
            return next((act for act, _ in legal), None)
        if levels <= 0:
            return next((ActChoice(label=label, field=field.name) for _ in legal), None)
        found = list(legal)
        if len(found) == 1 and not field.item.has("being"):  # nothing to choose
            return self._grow(label, {**chosen, field.name: found[0][1]}, path, levels)
        return ActChoice(label=label, field=field.name, choices=tuple(act for act, _ in found)) if found else None

    def _next_field(self, chosen: Mapping[str, Any]) -> Field | None:
        """Return the field that has to be chosen before the declaration can be tried; None if none has."""
        needed = [
            field
            for name, field in self.fields.items()
            if name not in chosen and (field.required or is_aim(field) or name == self.kind.free)
        ]
        return min(needed, key=lambda field: field.shape == "whole", default=None)  # a number when all else is known

    def _try(self, said: Declaration) -> LedgerError | None:
        """Return why a declaration is refused, or that too many were tried."""
        self.tries += 1
        return Unreadable("too many choices") if self.tries > TRIED_MOST else self.table.refusal(said)

    def _leaf(self, label: str, said: Declaration) -> ActChoice | None:
        """Return the act of a declaration with its line; None for one that no line says."""
        values = {name: getattr(said, name) for name in self.fields}
        blanks = [new_blank(name, value) for name, value in values.items() if value == BLANK or is_open(value)]
        try:
            line, ordered = with_blanks(said, blanks, self.table.scope)
        except Unreadable:
            return None
        return ActChoice(label=label, line=line, blanks=tuple(ordered))

    def _values(self, field: Field, chosen: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        """Yield the values that a field may take, each with its label."""
        if field.shape == "whole" and not field.has("seconds"):
            yield from ((str(number), number) for number in self._numbers(field, chosen))
            return
        for label, value in self.items(field.item):
            yield label, (value,) if field.shape == "list" else value
        if is_aim(field) and not field.required:
            yield "", field.default

    def items(self, field: Field) -> Iterator[tuple[str, Any]]:
        """Yield the values of a field that is no list, or of an item of one."""
        words = list(dict.fromkeys(self.table.scope.words(self.kind, field.name, self.who)))
        if field.parts:
            yield from self._structs(field)
        elif field.shape == "choice":
            yield from field.choices.items()
        elif field.shape == "flag":
            yield field.name, True
        elif words or field.has("being"):
            yield from ((word, word) for word in words or self.table.aims(self.who))
        if field.shape in ("text", "scalar") and (field.name == self.kind.free or not (words or field.notes)):
            yield BLANK, BLANK

    def _structs(self, field: Field) -> Iterator[tuple[str, Any]]:
        """Yield the structs that have no more than their first part, where that is enough."""
        first, *others = field.parts
        if not any(part.required for part in others):
            for label, value in self.items(first):
                if label != BLANK:
                    yield label, field.make(value) if field.shape == "struct" else (value,)

    def _numbers(self, field: Field, chosen: Mapping[str, Any]) -> Sequence[int]:
        """Return the numbers that are allowed if they are few, else the least of them, which stands for all."""

        rest = {name: 0 for name, other in self.fields.items() if other.required and name not in chosen}

        def is_legal(number: int) -> bool:
            error = self._try(self.kind(by=self.who, **{**rest, **chosen, field.name: number}))
            return error is None or (isinstance(error, Refused) and error.field not in ("", field.name))

        least = next((number for number in range(4) if is_legal(number)), None)
        if least is None:
            return ()
        number = OpenNumber(least)
        if is_legal(NUMBER_MOST):
            return [number]
        below, above = least, least + 1
        while is_legal(above):
            below, above = above, 2 * above
        while above - below > 1:
            middle = (below + above) // 2
            below, above = (middle, above) if is_legal(middle) else (below, middle)
        number.most = below
        return range(least, below + 1) if below - least < NUMBERS_OFFERED else [number]


def with_blanks(said: Declaration, blanks: Sequence[Blank], scope: Scope) -> tuple[str, list[Blank]]:
    """Return the line of a declaration in which these fields are blank, and the blanks in their order in the line.

    Raises Unreadable for a declaration that no line says.
    """
    signs = {
        blank: NUMBER_SIGN + place if blank.is_number else f"{BLANK}{place}{BLANK}"
        for place, blank in enumerate(blanks)
    }
    line = format_declaration(
        msgspec.structs.replace(said, **{blank.field: sign for blank, sign in signs.items()}), scope
    )
    ordered = sorted(blanks, key=lambda blank: line.index(str(signs[blank])))
    for sign in signs.values():
        line = line.replace(str(sign), BLANK)
    return line, ordered


def is_open(value: Any) -> bool:
    """Return whether a value stands for any number up to a greatest."""
    return isinstance(value, OpenNumber)


def new_blank(field: str, value: str | OpenNumber) -> Blank:
    """Return the place in a line for what is to be typed in a field."""
    if isinstance(value, str):
        return Blank(field=field)
    return Blank(field=field, is_number=True, least=int(value), most=value.most)


def words_of(label: str) -> str:
    """Return a label as it is read: paths have what is shown."""
    return label.replace("_", " ")


def purpose_of(kind: type[Declaration]) -> str:
    """Return what a declaration is for: the first sentence about it, without its examples."""
    about, _, _ = " ".join((kind.__doc__ or "").split()).partition(":")
    return about.partition(". ")[0].removesuffix(".")


def is_aim(field: Field) -> bool:
    """Return whether a bare word of a line names in this field whom or what the declaration is aimed at."""
    return field.has("being") and field.has("word")
