"""The entries of a session that count, as every part of a recap reads them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from ledger.facts import BaseFact, EntryId, Fact

F = TypeVar("F", bound=BaseFact)
Causes = tuple[tuple[str, int], ...]  # a cause and its number


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """An entry that counts: the speaker, the line, its declaration and its facts."""

    id: EntryId
    by: str
    line: str
    facts: tuple[Fact, ...]
    said: Mapping[str, Any] = {}


def facts_of(entries: Iterable[Entry], *kinds: type[F]) -> Iterator[tuple[str, F]]:
    """Yield the facts of these kinds, each with the id of its entry."""
    for entry in entries:
        for fact in entry.facts:
            if isinstance(fact, kinds):
                yield str(entry.id), fact


def rank(order: Sequence[str], name: str) -> tuple[int, str]:
    """Return a sort key: names in `order` first, then all others by letter."""
    return (order.index(name) if name in order else len(order), name)
