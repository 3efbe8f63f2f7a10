"""Counts in the words of the book: `has moved a short distance this round`, `within immediate distance of Thug 1`."""

from __future__ import annotations

from ledger.names import escape
from rulebooks.common.texts import Wording

HAS = "has "


def count_phrases(name: str, wording: Wording) -> tuple[str, ...] | None:
    """Return the phrases of the book for a count: for its whole name, or else for its first words."""
    names = [key for key in wording.counts if name == key or name.startswith((f"{key}.", f"{key} "))]
    return wording.counts[max(names, key=len)] if names else None


def count_phrase(name: str, now: int, of: str, wording: Wording) -> str | None:
    """Return a count in the words of the book, `of` somebody. None if it has no words, empty if it says nothing."""
    phrases = count_phrases(name, wording)
    if phrases is None:
        return None
    return phrases[min(now, len(phrases)) - 1].format(now=now, of=of) if phrases else ""


def count_sentence(who: str, name: str, now: int, of: str, wording: Wording, *, ends: bool = False) -> str:
    """Return a sentence for a count of somebody, or that it is no longer so; empty where the book has no words."""
    phrase = count_phrase(name, now, of, wording) if now > 0 else ""
    if not phrase:
        return ""
    if phrase.startswith(HAS):
        return f"{escape(who)} {f'has not {phrase.removeprefix(HAS)}' if ends else phrase}"
    return f"{escape(who)}{': ' if who else ''}{'no longer ' if ends else ''}{phrase}"
