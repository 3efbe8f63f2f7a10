"""Policies: whom somebody strikes, and when somebody flees. Each has a name, which a forecast says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from cli.forecast.fight import Fight, Policy
from ledger.declarations import Declaration

CAUTIOUS: Final = "cautious"
CAUTIOUS_PART: Final = 3  # the cautious flee with a third of their points or less

Order = Callable[[str, Sequence[str], Fight], Sequence[str]]


def weakest_first(who: str, foes: Sequence[str], fight: Fight) -> Sequence[str]:
    """Return foes, those first who have the least left of what keeps them up."""
    hardiness, state = fight.guide.hardiness, fight.state
    return sorted(foes, key=lambda foe: hardiness(foe, state)) if len(foes) > 1 else foes


def nearest_first(who: str, foes: Sequence[str], fight: Fight) -> Sequence[str]:
    """Return foes, the nearest first; where the book keeps no distance, in the order in which they joined."""
    return sorted(foes, key=lambda foe: fight.guide.distance(who, foe, fight.state) or 0)


def spread(who: str, foes: Sequence[str], fight: Fight) -> Sequence[str]:
    """Return foes in an order that differs each time."""
    return sorted(foes, key=lambda foe: fight.drawn("spread", f"{who} {foe}", fight.entries))


ORDERS: Final[Mapping[str, Order]] = {"weakest": weakest_first, "nearest": nearest_first, "spread": spread}
POLICIES: Final = (*ORDERS, CAUTIOUS)


class Plain(msgspec.Struct, frozen=True):
    """Strike the first foe of an order, a name in `ORDERS`, with what the book has first."""

    order: str

    def acts(self, who: str, fight: Fight) -> Iterable[Declaration]:
        """Yield strikes at each foe."""
        # Asked in this order, and before the foes are put in theirs: mostly nobody can strike.
        if fight.guide.can_strike(who, fight.state) and fight.has_any_left(who):
            return fight.strikes(who, ORDERS[self.order](who, fight.foes_of(who), fight))
        return ()

    def defences(self, who: str, said: Declaration, fight: Fight) -> Iterable[Declaration]:
        """Return a strike at `who` with each defence that they may choose, the best first."""
        return fight.guide.defended(said, fight.state)

    def spends(self, who: str, fight: Fight) -> Iterable[Declaration]:
        """Return nothing: no token is spent."""
        return ()


class Fleeing(msgspec.Struct, frozen=True):
    """Flee with so many points of the book's vital value or fewer, where it has points; else do as another policy."""

    policy: Policy
    flees_at: int

    def acts(self, who: str, fight: Fight) -> Iterator[Declaration]:
        """Yield the flight that is due, then what the other policy has."""
        points, most = fight.vital_of(who)
        if most and points <= self.flees_at and fight.has_any_left(who):
            yield fight.guide.flight(who, fight.state)
        yield from self.policy.acts(who, fight)

    def defences(self, who: str, said: Declaration, fight: Fight) -> Iterable[Declaration]:
        """Return the defences of the other policy."""
        return self.policy.defences(who, said, fight)

    def spends(self, who: str, fight: Fight) -> Iterable[Declaration]:
        """Return what the other policy spends."""
        return self.policy.spends(who, fight)


class Saving(msgspec.Struct, frozen=True):
    """Spend nothing; else do as another policy."""

    policy: Policy

    def acts(self, who: str, fight: Fight) -> Iterable[Declaration]:
        """Return what the other policy has."""
        return self.policy.acts(who, fight)

    def defences(self, who: str, said: Declaration, fight: Fight) -> Iterable[Declaration]:
        """Return the defences of the other policy."""
        return self.policy.defences(who, said, fight)

    def spends(self, who: str, fight: Fight) -> Iterable[Declaration]:
        """Return nothing: no token is spent."""
        return ()


def new_policy(name: str, most: int) -> Policy:
    """Return the policy of a name in `POLICIES`, for somebody who has `most` points when unhurt."""
    return Fleeing(Plain("weakest"), most // CAUTIOUS_PART) if name == CAUTIOUS else Plain(name)
