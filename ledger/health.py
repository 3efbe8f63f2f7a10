"""How a being is in a word: from its vital value, its maximum and its open wounds."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Container
from typing import Final, NamedTuple, Protocol, TypeGuard

from ledger.facts import BaseFact, EntryId, PointsLost, PointsRegained, PointsSpent, PoolSet, WoundChanged, Wounded

POINTS: Final = frozenset((PoolSet, PointsSpent, PointsRegained, PointsLost))
Change = PoolSet | PointsSpent | PointsRegained | PointsLost
VitalFact = Change | Wounded | WoundChanged
VITAL_KINDS: Final = (PoolSet, PointsSpent, PointsRegained, PointsLost, Wounded, WoundChanged)


class HealthWording(Protocol):
    """The words of a book that the players see in place of hidden numbers."""

    @property
    def health(self) -> tuple[str, str, str]:
        """How somebody is with all of the vital value, with less, and with little of it."""

    @property
    def dice_counts(self) -> Container[str]:
        """Sums that count dice and add nothing to them."""

    def health_word(self, points: int, most: int | None) -> str:
        """Return how somebody is with so many points left of so many."""


class Vitals(NamedTuple):
    """The vital value of a being (None: it has none), its maximum, and its open wounds."""

    points: int | None = None
    most: int | None = None
    wounds: frozenset[str] = frozenset()

    def after(self, fact: BaseFact) -> Vitals:
        """Return the vitals after a fact that changes them."""
        match fact:
            case PoolSet():
                return self._replace(points=fact.now, most=fact.most)
            case PointsSpent() | PointsRegained() | PointsLost():
                return self._replace(points=fact.now)
            case Wounded() | WoundChanged():
                return self._replace(wounds=self.wounds | {fact.wound} if fact.value else self.wounds - {fact.wound})
        return self

    @property
    def has_left(self) -> bool:
        """Return whether the being has some of its vital value left, or has no such value."""
        return self.points is None or self.points > 0

    def word(self, wording: HealthWording) -> str:
        """Return how the being is; empty without a vital value and wounds. With an open wound nobody is fresh."""
        fresh, hurt, _ = wording.health
        if self.points is None:
            return hurt if self.wounds else ""
        word = wording.health_word(self.points, self.most)
        return hurt if word == fresh and self.wounds else word


class VitalHistory:
    """The changes of the vital value and the wounds of everybody. They are added in the order of the entries."""

    def __init__(self) -> None:
        self._changes = defaultdict[str, list[tuple[EntryId, VitalFact]]](list)
        self._vitals = dict[str, list[Vitals]]()  # before all changes, and after each, of those who were asked for

    def add(self, entry: EntryId, fact: VitalFact) -> None:
        """Take in a fact of an entry."""
        self._changes[fact.who].append((entry, fact))

    def before(self, who: str, entry: EntryId) -> Vitals:
        """Return the vitals of somebody before an entry."""
        changes, vitals = self._changes.get(who, []), self._vitals.setdefault(who, [Vitals()])
        for _, fact in changes[len(vitals) - 1 :]:
            vitals.append(vitals[-1].after(fact))
        return vitals[bisect_left(changes, entry, key=lambda change: change[0])]


def is_vital(fact: BaseFact, vital: str) -> TypeGuard[VitalFact]:
    """Return whether a fact changes the vital value or the wounds of somebody."""
    kind = type(fact)
    return kind is Wounded or kind is WoundChanged or (kind in POINTS and getattr(fact, "pool", "") == vital)


def is_news(fact: BaseFact) -> bool:
    """Return whether a change of vitals is news: not what a sheet begins with, nor a wound that comes into force."""
    if isinstance(fact, PoolSet):
        return bool(fact.because)
    return not (isinstance(fact, WoundChanged) and fact.value)
