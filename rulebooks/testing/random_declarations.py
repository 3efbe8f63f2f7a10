"""Random declarations of any game, made from the types and notes of their fields."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import strategies as st

from cli.notation.schema import Field, fields_of
from ledger.declarations import Declaration
from ledger.facts import GM

Strategy = st.SearchStrategy[Any]


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
