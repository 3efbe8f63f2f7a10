"""A deed of a story: what an episode comes to, in clauses, before it is a sentence."""

from __future__ import annotations

from typing import Final

import msgspec

from cli.story.clauses import FAILED, GRAVE, NOTHING, Clause


class StoryDeed(msgspec.Struct, kw_only=True):
    """What somebody did, with all that a `Sentence` has of it; `outcome`: how each came out of a fight.

    `notes` is the arithmetic. `is_turn`: it turned a fight, so that no summary of a round has room for it. `worth`: how
    much a fight in few words would miss it. `is_half`: it only leads to the next deed of those who are in it.
    """

    entries: tuple[str, ...]
    clauses: list[Clause]
    weight: int
    names: tuple[str, ...] = ()
    harms: tuple[tuple[str, str], ...] = ()
    changes: tuple[tuple[str, str], ...] = ()
    outcome: str = ""
    notes: tuple[str, ...] = ()
    is_turn: bool = False
    worth: int = NOTHING
    is_half: bool = False

    @property
    def single(self) -> Clause | None:
        """Return its clause if it has only one."""
        return self.clauses[0] if len(self.clauses) == 1 and not self.outcome else None

    @property
    def is_ruling(self) -> bool:
        """Return whether it is nothing but a ruling in the table's own words."""
        return self.single is not None and self.single.in_words


NOTHING_YET: Final = StoryDeed(entries=(), clauses=[], weight=0)


def union(deed: StoryDeed, more: StoryDeed, clauses: list[Clause]) -> StoryDeed:
    """Return two deeds as one of these clauses."""
    return StoryDeed(
        entries=deed.entries + more.entries,
        clauses=clauses,
        weight=max(deed.weight, more.weight),
        names=tuple(dict.fromkeys(deed.names + more.names)),
        harms=tuple(dict.fromkeys(deed.harms + more.harms)),
        changes=tuple(dict.fromkeys(deed.changes + more.changes)),
        outcome=deed.outcome + more.outcome,
        notes=deed.notes + more.notes,
        is_turn=deed.is_turn or more.is_turn,
        worth=max(deed.worth, more.worth),
    )


def is_heavy(deed: StoryDeed) -> bool:
    """Return whether a deed is a sentence of its own: a death, a fall, the end of a fight."""
    return deed.weight >= GRAVE and deed.weight != FAILED


def felled_in(deed: StoryDeed) -> frozenset[str]:
    """Return who fell or died in a deed."""
    effects = (each for clause in deed.clauses for each in (*clause.caused, *clause.effects))
    return frozenset(effect.whose for effect in effects if effect.weight >= GRAVE)
