"""Conditions: the one of a name that holds for somebody, by the id that all books give it."""

from __future__ import annotations

from projections.state import State


def has_condition(who: str, name: str, state: State) -> bool:
    """Return whether a condition holds for somebody."""
    return f"{name} {who}" in state.conditions
