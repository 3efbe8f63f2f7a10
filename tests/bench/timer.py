"""Figures: rounds in which jobs and their minimums alternate, with medians and ratios."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median
from time import process_time
from typing import Any

Rounds = Mapping[str, list[float]]
HEAD = ("what", "ours", "floor", "ratio", "unit", "held against")
RIGHT = {1, 2, 3}


@dataclass(frozen=True)
class Figure:
    """One row. The ratio is the median of the ratios of the rounds, not the ratio of the medians."""

    what: str
    ours: float
    floor: float
    ratio: float
    unit: str
    against: str


def interleaved(rounds: int, jobs: Mapping[str, Callable[[], float]]) -> Rounds:
    """Return the measurements of each job by round; each round begins with another job."""
    measured: dict[str, list[float]] = {name: [] for name in jobs}
    names = list(jobs)
    for turn in range(rounds):
        first = turn % len(names)
        for name in (*names[first:], *names[:first]):
            measured[name].append(jobs[name]())
    return measured


def figure(what: str, rounds: Rounds, ours: str, floor: str, unit: str, *, scale: float = 1) -> Figure:
    """Compare two jobs of the same rounds."""
    mine, other = rounds[ours], rounds[floor]
    ratio = median(one / two for one, two in zip(mine, other, strict=True))
    return Figure(what, median(mine) * scale, median(other) * scale, ratio, unit, floor)


def rate(count: int, work: Callable[[], Any]) -> Callable[[], float]:
    """Return a job that measures how many per second of processor time `work` does, of `count`."""

    def job() -> float:
        start = process_time()
        work()
        return count / (process_time() - start)

    return job


def table(figures: list[Figure]) -> list[str]:
    """Return the figures as aligned lines."""
    rows = [HEAD, *(row(found) for found in figures)]
    widths = [max(len(cells[place]) for cells in rows) for place in range(len(HEAD))]
    return [
        "  ".join(
            cell.rjust(width) if place in RIGHT else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ).rstrip()
        for cells in rows
    ]


def row(found: Figure) -> tuple[str, ...]:
    """Return a figure as cells."""
    return (found.what, number(found.ours), number(found.floor), f"{found.ratio:.2f}", found.unit, found.against)


def number(value: float) -> str:
    """Format a number with three or four significant digits."""
    return f"{value:,.0f}" if value >= 1000 else f"{value:.1f}"
