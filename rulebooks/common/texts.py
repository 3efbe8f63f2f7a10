"""A book's texts: `rulebook.toml` and `words.toml` beside its code, read once and only when one is asked for.

The only files that the books read. Deciding needs it for refusals and for choosing options, nothing else.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Final, Literal, TypeVar

import msgspec

from ledger.errors import Refused, Unreadable
from ledger.facts import Scalar
from projections.state import State

T = TypeVar("T")


class Rule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One rule in our words. `kind`: computed, recorded, or a ruling; `codes`: what breaking it is refused with."""

    id: str
    heading: str
    cite: str
    text: str
    kind: str
    gap: tuple[str, ...]
    codes: tuple[str, ...]


class Option(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question that the text leaves open, its readings, and the one that holds unless the table chooses."""

    name: str
    default: Scalar
    gap: str
    rules: tuple[str, ...]
    text: str
    values: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None

    @property
    def domain(self) -> str:
        """What may be chosen, in words."""
        return ", ".join(self.values) if self.values else f"{self.least} to {self.most}"

    def takes(self, value: Scalar) -> bool:
        """Whether this is one of the readings."""
        if self.values:
            return value in self.values
        return isinstance(value, int) and (self.least or 0) <= value <= (self.most or 0)


class Situation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that may bear on a roll, and the words by which a line says it, the first of them its own.

    `of`: whose it is. `text` has {target} and {attacker} in it. Of one `group` only the gravest, the last, holds.
    """

    name: str
    words: tuple[str, ...]
    of: Literal["target", "attacker", "attack", "scene"]
    rules: tuple[str, ...]
    text: str
    group: str = ""


class Refusal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The sentence of an error code, and the mend. The order in the file is the order of precedence."""

    code: str
    text: str
    hint: str
    rules: tuple[str, ...]


class Content(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The file as it stands."""

    name: str
    title: str
    version: str
    of: str
    licence: str
    rules: tuple[Rule, ...]
    options: tuple[Option, ...]
    situations: tuple[Situation, ...] = ()
    errors: tuple[Refusal, ...]


class Words(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`words.toml`: short names of values in the book's order, and words for tasks by what they are rolled with.

    `vital` is the value that is meant where only somebody and a number are said.
    """

    vital: str
    short: dict[str, str]
    words: dict[str, tuple[str, ...]]

    @property
    def pool_order(self) -> tuple[str, ...]:
        """The values that have a short name, in the order of the file."""
        return tuple(self.short.values())


class Texts:
    """The texts of a book, its readings in force, and its refusals."""

    def __init__(self, module: str, codes: str = "", *rules: str) -> None:
        """Take the file of a module beside the texts, how error codes begin, and rules that every refusal cites."""
        self.folder: Final = Path(module).parent
        self.codes: Final = codes
        self.refusal_rules: Final = rules

    @cached_property
    def content(self) -> Content:
        """The whole book. Raises Unreadable when it is none."""
        return self._read("rulebook.toml", Content)

    @cached_property
    def words(self) -> Words:
        """Its short names and task words. Raises Unreadable when they are none."""
        return self._read("words.toml", Words)

    def _read(self, name: str, kind: type[T]) -> T:
        """A file beside the book's code."""
        import tomllib

        path = self.folder / name
        try:
            return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), kind)
        except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
            raise Unreadable(str(error), where=str(path)) from error

    @cached_property
    def options(self) -> dict[str, Option]:
        """Options by name."""
        return {option.name: option for option in self.content.options}

    @cached_property
    def rules(self) -> dict[str, Rule]:
        """Rules by id."""
        return {rule.id: rule for rule in self.content.rules}

    def option(self, state: State, name: str) -> Scalar:
        """Return the reading that the table has chosen, or the default of the book."""
        chosen = state.options.get(name)
        return self.options[name].default if chosen is None else chosen

    def refused(self, code: str, **values: object) -> Refused:
        """Return the refusal with this code, its sentence filled in."""
        code = self.codes + code
        for refusal in self.content.errors:
            if refusal.code == code:
                text, hint = refusal.text.format(**values), refusal.hint.format(**values)
                return Refused(code, text, hint=hint, rules=(*refusal.rules, *self.refusal_rules))
        raise KeyError(code)
