"""Maneuvers that somebody has learned, how many a skill gives, and learning another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from ledger.facts import Fact, SheetChanged
from projections.state import State
from rulebooks.common.decisions import decides
from rulebooks.mars.declarations.maneuvers import AcquireManeuver
from rulebooks.mars.guards import check_alive
from rulebooks.mars.maneuvers.table import Row, find_row
from rulebooks.mars.tasks.stat_values import skill_rank
from rulebooks.mars.texts import refusal

ENTRY: Final = "learned."  # the sheet's entry of a maneuver holds the skill that it was learned with


def slots(rank: int) -> int:
    """GR-MAN-1: one maneuver for training, and one more for every two further ranks."""
    return 1 + (rank - 1) // 2 if rank else 0


def learned_maneuvers(who: str, state: State) -> dict[str, str]:
    """Return the maneuvers that somebody has learned, each with the skill that it was learned with."""
    entries = state.sheet_of(who).items()
    return {entry.removeprefix(ENTRY): str(skill) for entry, skill in entries if entry.startswith(ENTRY)}


def has_learned(who: str, name: str, state: State) -> bool:
    """Return whether somebody has learned a maneuver, with whatever skill."""
    return state.sheet(who, ENTRY + name) is not None


def check_learned(who: str, ranks: Mapping[str, int], learned: Iterable[tuple[str, str]]) -> None:
    """GR-MAN-1: check the maneuvers of a sheet against the table, and against the ranks of the skills on it."""
    taken = dict[str, int]()
    for name, skill in learned:
        check_learnable(who, find_row(who, name), skill)
        check_slot(who, skill, ranks.get(skill, 0), taken.get(skill, 0))
        taken[skill] = taken.get(skill, 0) + 1


def check_learnable(who: str, row: Row, skill: str) -> None:
    """GR-MAN-3: refuse a maneuver that a skill cannot learn."""
    if skill not in row.skills:
        raise refusal("SKILL", name=who, maneuver=row.name, skill=skill, skills=", ".join(row.skills))


def check_slot(who: str, skill: str, rank: int, taken: int) -> None:
    """GR-MAN-1: refuse a maneuver more than the rank of a skill gives."""
    if taken >= slots(rank):
        raise refusal("NO-SLOT", name=who, skill=skill, slots=slots(rank))


@decides(AcquireManeuver)
def acquire_maneuver(said: AcquireManeuver, state: State) -> Iterator[Fact]:
    """GR-MAN-1: learn a maneuver of a skill whose rank gives one more."""
    check_alive(said.by, state)
    row, learned = find_row(said.by, said.name), learned_maneuvers(said.by, state)
    if row.name in learned:
        raise refusal("UNKNOWN-MANEUVER", case="known", name=said.by, maneuver=row.name)
    check_learnable(said.by, row, said.skill)
    taken = sum(skill == said.skill for skill in learned.values())
    check_slot(said.by, said.skill, skill_rank(said.by, said.skill, state), taken)
    rules = ("GR-MAN-1", "GR-OUT-8", "GR-MAN-4")
    yield SheetChanged(
        rules=rules, who=said.by, key=ENTRY + row.name, was=None, now=said.skill, because=f"learned with {said.skill}"
    )
