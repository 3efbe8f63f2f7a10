"""Worked cases of a game, in a file of TOML: what is said, the dice on the table, and what is expected."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import pytest

from ledger.errors import Refused

Played = TypeVar("Played")


@cache
def load_cases(path: Path) -> dict[str, Any]:
    """Load a file of worked cases."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def trials(content: Mapping[str, Any]) -> list[Any]:
    """Return the trials of worked cases as parameters."""
    return [pytest.param(case, id=" ".join((case["id"], case.get("trial", ""))).rstrip()) for case in content["cases"]]


def play_once(play: Callable[[Mapping[str, Any]], Played]) -> Callable[[Mapping[str, Any]], Played]:
    """Return a function that plays each trial of a case once, and returns the same result after that."""
    results: dict[tuple[str, str], Played] = {}

    def get(case: Mapping[str, Any]) -> Played:
        """Return the result of a trial."""
        key = case["id"], case.get("trial", "")
        if key not in results:
            results[key] = play(case)
        return results[key]

    return get


def play_steps(steps: Iterable[Mapping[str, Any]], play: Callable[[Mapping[str, Any]], None]) -> None:
    """Play the steps of a case. Raises AssertionError with the number of the first that is not as expected."""
    for number, step in enumerate(steps, start=1):
        try:
            play(step)
        except (AssertionError, Refused) as error:
            raise AssertionError(f"step {number}: {dict(step)}\n{error}") from error
