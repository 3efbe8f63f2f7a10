"""Reasons that people gave for what they changed without more words, as a story quotes them."""

from __future__ import annotations

from typing import Final

from cli.phrases.parts import readable
from ledger.facts import PoolSet, SheetChanged, WoundChanged
from projections.recap.episodes import Episode

LEAVING: Final = "leave-encounter"


def quoted(reason: str) -> list[str]:
    """Return a reason as what somebody said; none for an empty one."""
    return [f'"{reason}"'] if reason.strip('"') else []


def reason_of(episode: Episode) -> str:
    """Return why a sheet, a pool or a wound was changed without more words."""
    changed = (fact.because for fact in episode.facts if isinstance(fact, SheetChanged | WoundChanged | PoolSet))
    return readable(next((reason for reason in changed if reason), ""))


def reason_to_leave(episode: Episode) -> str:
    """Return why somebody leaves an encounter; empty for all other lines."""
    return str(episode.said.get("reason", "")) if episode.said.get("say") == LEAVING else ""
