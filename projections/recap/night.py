"""The roll of the night: the closest call of a player's character that came off, else their best or gravest roll."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import msgspec

from projections.recap.episodes import Episode, final_results


class NightRoll(msgspec.Struct, frozen=True, kw_only=True):
    """A roll: its entry, who rolled, the total and the target."""

    entry: str
    who: str
    total: int | None
    target: int | None


def roll_of_the_night(
    episodes: Iterable[Episode], characters: Collection[str], weights: Mapping[str, int]
) -> NightRoll | None:
    """Return the roll of the night; None without rolls.

    Args:
        episodes: the episodes of the session.
        characters: those of the players.
        weights: how much an episode matters, by its first entry: decides between calls that were as close.
    """
    rolls = [
        (episode.entries[0], fact)
        for episode in episodes
        for fact in final_results(episode.facts)
        if fact.who in characters and fact.rolls and episode.entries[0] in weights
    ]
    close = [(entry, fact) for entry, fact in rolls if fact.margin is not None and fact.margin >= 0]
    aimed = [(entry, fact) for entry, fact in rolls if fact.against or fact.target is not None]
    if close:
        entry, fact = min(close, key=lambda roll: (roll[1].margin, -weights[roll[0]], -(roll[1].target or 0)))
    elif aimed:
        entry, fact = max(aimed, key=lambda roll: (roll[1].total or 0, weights[roll[0]]))
    else:
        return None
    return NightRoll(entry=entry, who=fact.who, total=fact.total, target=fact.target)
