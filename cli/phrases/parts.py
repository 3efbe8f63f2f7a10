"""Parts of sentences about facts: names, numbers, reasons, spans of time, wounds. For any game."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Final

from cli.output import paint
from cli.phrases.durations import duration
from ledger.facts import Scalar, Sheet
from ledger.names import escape

VOWELS: Final = ("a", "e", "i", "o", "u")


def readable(text: str) -> str:
    """Return a name of the rules in words: `take_cover` is `take cover`."""
    return escape(text).replace("_", " ")


def settings(sets: Sheet) -> str:
    """Return the settings of a ruling, as typed: `task.climb.cost=2`."""
    return ", ".join(f"{escape(name)}={escape(str(value))}" for name, value in sets)


def whose(who: str, own: Collection[str]) -> str:
    """Return the name before a number that is not the speaker's own."""
    return "" if not who or who in own else f"{escape(who)} "


def in_brackets(*reasons: str, between: str = ", ") -> str:
    """Return the reasons that are not empty in brackets."""
    text = between.join(reason for reason in reasons if reason)
    return f" ({text})" if text else ""


def ledger_value(value: Scalar | None) -> str:
    """Return the value that the ledger has where something was claimed."""
    return "nothing" if value is None else escape(str(value))


def wound_name(kind: str) -> str:
    """Return the name of a kind of wound: `light wound`, and `wound` in a book that has one kind."""
    return f"{escape(kind)} wound".lstrip()


def passing(seconds: int, past: bool = False) -> str:
    """Return `1 hour passes`, or in the past `2 hours have passed`."""
    text = duration(seconds)
    one = not seconds or (text.startswith("1 ") and text.count(" ") == 1)
    return f"{text} {('has passed' if one else 'have passed') if past else ('passes' if one else 'pass')}"


def with_article(noun: str) -> str:
    """Return a noun with its article: `a wound`, `an extreme wound`."""
    return f"{'an' if noun[:1].casefold() in VOWELS else 'a'} {noun}"


def titled(title: str, lines: Iterable[str]) -> Iterator[str]:
    """Return indented lines below a blank line and a title; nothing without lines."""
    indented = [f"  {line}" for line in lines]
    if indented:
        yield from ("", paint(title, bold=True), *indented)
