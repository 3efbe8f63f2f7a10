"""Random declarations of any game, made from the types and notes of their fields."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st

from cli.notation.schema import Field, fields_of
from ledger.declarations import Declaration
from ledger.facts import GM
from tests.cli.scopes import BEINGS, VALUES
from tests.cli.strategies import ENTRIES, TEXTS, WHOLE

SOMEBODY = st.sampled_from(BEINGS)


def of_field(field: Field) -> st.SearchStrategy[Any]:
    """Return what a field can hold."""
    found = st.none() if field.optional else st.nothing()
    if field.default is not None and not field.required:
        found |= st.just(field.default)
    return found | _of_shape(field)


def _of_shape(field: Field) -> st.SearchStrategy[Any]:
    if field.has("sets"):
        pair = st.tuples(st.sampled_from(VALUES), of_field(field.item.parts[1]))
        made = pair if field.item.shape == "pair" else pair.map(lambda values: field.item.make(*values))
        return st.lists(made, min_size=int(field.required), max_size=2).map(tuple)
    if field.shape == "list":
        return st.lists(of_field(field.item), max_size=3, min_size=int(field.required)).map(tuple)
    if field.parts:
        parts = st.tuples(*map(of_field, field.parts))
        return parts.map(tuple) if field.shape == "pair" else parts.map(lambda values: field.make(*values))
    if field.has("being"):
        return SOMEBODY
    if field.has("entry"):
        return ENTRIES
    return {
        "whole": WHOLE,
        "flag": st.booleans(),
        "choice": st.sampled_from(list(field.choices.values())) if field.choices else st.nothing(),
        "scalar": WHOLE | TEXTS,
        "text": TEXTS,
    }[field.shape]


@cache  # to make them takes longer than to draw from them
def declarations(kind: type[Declaration]) -> st.SearchStrategy[Declaration]:
    """Return declarations of one kind, by whoever may say it."""
    by = st.just(GM) if kind.aside else SOMEBODY | st.just(GM) if kind.alone else SOMEBODY
    return st.builds(kind, by=by, **{field.name: of_field(field) for field in fields_of(kind)})
