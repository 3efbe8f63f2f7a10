"""Evenings at random: lines of the cases in any order, declarations of any content, corrections and undos."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final, cast

import msgspec
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from cli.notation.schema import Field, fields_of
from ledger.declarations import Declaration
from ledger.errors import LedgerError
from ledger.facts import GM
from rulebooks.testing.corrections import CorrectedFights
from rulebooks.testing.table import LineTable

EXAMPLES_MOST: Final = 25
STEPS_MOST: Final = 20
WORDS: Final = re.compile(r"[^\W\d][\w-]*")
HOW: Final = st.sampled_from(["retcon", "drop", "insert"])
Strategy = st.SearchStrategy[Any]


def random_declarations(table: LineTable, lines: list[str]) -> st.SearchStrategy[Declaration]:
    """Return declarations of every kind that can be said in a line, with the names, values and words of the cases."""
    words = sorted({word for line in lines for word in WORDS.findall(line)} | {"so", "nobody"})
    numbers = st.integers(-3, 30) | st.sampled_from([-(10**9), 10**9])
    made = RandomDeclarations(
        somebody=st.sampled_from([being.name for being in table.state.beings_in_order()]),
        values=st.sampled_from(sorted(table.ledger.state.values())),
        texts=st.sampled_from(words),
        whole=numbers,
        entries=st.sampled_from(["1.1", "1.2", "9.9"]),
    )
    return st.one_of([made.of_kind(kind) for kind in table.book.declarations if kind.verbs])


def of_machine(name: str) -> st.SearchStrategy[Any]:
    """Return what a machine draws from an attribute of its class."""
    return st.runner().flatmap(lambda machine: getattr(machine, name))


class Evenings(CorrectedFights):
    """After any lines, corrections and undos replay and verify find nothing, and older records stand."""

    sit_down: ClassVar[Callable[[], LineTable]]
    lines: ClassVar[st.SearchStrategy[str]]
    faces: ClassVar[st.SearchStrategy[list[int]]]
    anything: ClassVar[st.SearchStrategy[Declaration]]

    @initialize()
    def begin(self) -> None:
        """Sit down at a new table."""
        self.seat = type(self).sit_down()

    def read(self, line: str) -> Declaration | None:
        """Return the declaration of a line; None for one that cannot be read now."""
        assert isinstance(self.seat, LineTable)
        try:
            return self.seat.parse(line)
        except LedgerError as error:
            if not error.hint:
                raise AssertionError(f"{line!r} is not read, and nothing says what to do") from error
            return None

    @rule(line=of_machine("lines"))
    def say_line(self, line: str) -> None:
        """Say a line of a case."""
        if (said := self.read(line)) is not None:
            self.declare(said)

    @rule(said=of_machine("anything"))
    def declare_anything(self, said: Declaration) -> None:
        """Say what nobody would say."""
        self.declare(said)

    @rule(line=of_machine("lines"), faces=of_machine("faces"))
    def say_with_faces(self, line: str, faces: list[int]) -> None:
        """Say a line with faces on the table that may not fit it."""
        if (said := self.read(line)) is not None:
            self.declare_with(said, faces)

    @rule(where=st.floats(0, 0.999), how=HOW, line=of_machine("lines"))
    def correct(self, where: float, how: str, line: str) -> None:
        """Correct an earlier line."""
        if (said := self.read(line)) is not None:
            self.correct_line(where, how, said)


def line_machine(sit_down: Callable[[], LineTable], content: Mapping[str, Any]) -> type[RuleBasedStateMachine]:
    """Return a machine that plays at a table of these cases. Its `TestCase` is what pytest runs."""
    steps = [step for case in content["cases"] for step in case["steps"]]
    lines, table = [step["line"] for step in steps], sit_down()
    attributes = {
        "codes": (table.prefix, "L-"),
        "sit_down": staticmethod(sit_down),
        "lines": st.sampled_from(lines),
        "faces": st.sampled_from([*(list(step["dice"]) for step in steps if step.get("dice")), [1], [99], [0, 1]]),
        "anything": random_declarations(table, lines),
    }
    machine = cast(type[Evenings], type("EveningsOfCases", (Evenings,), attributes))
    now = settings.default
    assert now is not None
    machine.TestCase.settings = settings(
        now,
        max_examples=min(now.max_examples, EXAMPLES_MOST),
        stateful_step_count=min(now.stateful_step_count, STEPS_MOST),
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    return machine


class RandomDeclarations(msgspec.Struct, frozen=True, kw_only=True):
    """What declarations are made of: who is there, names of values, texts, numbers and entries."""

    somebody: Strategy
    values: Strategy
    texts: Strategy
    whole: Strategy
    entries: Strategy

    def of_kind(self, kind: type[Declaration]) -> st.SearchStrategy[Declaration]:
        """Return declarations of one kind, by whoever may say it."""
        by = st.just(GM) if kind.aside else self.somebody | st.just(GM) if kind.alone else self.somebody
        return st.builds(kind, by=by, **{field.name: self.of_field(field) for field in fields_of(kind)})

    def of_field(self, field: Field) -> Strategy:
        """Return what a field can hold."""
        found: Strategy = st.none() if field.optional else st.nothing()
        if field.default is not None and not field.required:
            found |= st.just(field.default)
        return found | self._of_shape(field)

    def _of_shape(self, field: Field) -> Strategy:
        """Return what a field of this shape can hold."""
        if field.has("sets"):
            pair = st.tuples(self.values, self.of_field(field.item.parts[1]))
            made = pair if field.item.shape == "pair" else pair.map(lambda values: field.item.make(*values))
            return st.lists(made, min_size=int(field.required), max_size=2).map(tuple)
        if field.shape == "list":
            return st.lists(self.of_field(field.item), max_size=3, min_size=int(field.required)).map(tuple)
        if field.parts:
            parts = st.tuples(*map(self.of_field, field.parts))
            return parts.map(tuple) if field.shape == "pair" else parts.map(lambda values: field.make(*values))
        if field.has("being"):
            return self.somebody
        if field.has("entry"):
            return self.entries
        shapes: dict[str, Strategy] = {
            "whole": self.whole,
            "flag": st.booleans(),
            "choice": st.sampled_from(list(field.choices.values())) if field.choices else st.nothing(),
            "scalar": self.whole | self.texts,
            "text": self.texts,
        }
        return shapes[field.shape]
