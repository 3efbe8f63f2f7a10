"""The roll of the night: of a player's character, where most was at stake; then the closest that came off, the last."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Final

import msgspec

from ledger.facts import Judged
from projections.recap.episodes import Episode, final_results

NO_HARMS: Final[Mapping[str, Collection[tuple[str, str]]]] = MappingProxyType({})


class NightRoll(msgspec.Struct, frozen=True, kw_only=True):
    """A roll: its entry, who rolled, the total and the target; `low`: whether a low roll is good."""

    entry: str
    who: str
    total: int | None
    target: int | None
    low: bool = False


def roll_of_the_night(
    episodes: Iterable[Episode],
    characters: Collection[str],
    weights: Mapping[str, int],
    harms: Mapping[str, Collection[tuple[str, str]]] = NO_HARMS,
    low: Collection[str] = (),
    poor: Collection[str] = (),
) -> NightRoll | None:
    """Return the roll of the night; None without rolls.

    Args:
        episodes: the episodes of the session.
        characters: those of the players.
        weights: how much an episode matters, by its first entry.
        harms: the values and conditions that grew worse in an episode: whose they are lost the roll.
        low: the judgements in which a low roll is good.
        poor: results that come behind all others.
    """
    rolls = [
        (episode.entries[0], fact)
        for episode in episodes
        for fact in final_results(episode.facts)
        if fact.who in characters and fact.rolls and episode.entries[0] in weights
    ]
    aimed = [(entry, fact) for entry, fact in rolls if fact.against or fact.target is not None]
    if not aimed:
        return None

    def rank(roll: tuple[str, Judged]) -> tuple[bool, bool, int, bool, int, int]:
        entry, fact = roll
        unharmed = not any(who == fact.who for who, _ in harms.get(entry, ()))
        came_off = fact.margin is not None and fact.margin >= 0
        closeness = -(fact.margin or 0) if came_off else 0
        return unharmed, fact.result not in poor, weights[entry], came_off, closeness, fact.total or 0

    entry, fact = max(reversed(aimed), key=rank)
    return NightRoll(entry=entry, who=fact.who, total=fact.total, target=fact.target, low=fact.what in low)
