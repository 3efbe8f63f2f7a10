"""Two ledgers, or two parts of one, held against each other: entries, values, and the chains of hashes."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any, Protocol, TypeVar

import msgspec

from ledger.errors import Damaged
from ledger.field_diff import FactDiff, diff_facts
from ledger.projection import Value
from ledger.records import EMPTY, Head, Record, record_hash
from ledger.store import Store


class Ordered(Hashable, Protocol):
    """What entries are aligned by."""

    def __lt__(self, other: Any, /) -> bool:
        """Which comes first."""


K = TypeVar("K", bound=Ordered)


class EntryDiff(msgspec.Struct, frozen=True, kw_only=True):
    """An entry that stands on one side only, or whose facts differ: every fact in which they part."""

    left: Record | None
    right: Record | None
    facts: tuple[FactDiff, ...] = ()


class ValueDiff(msgspec.Struct, frozen=True, kw_only=True):
    """A value that is another on the other side; None where there is none."""

    value: str
    left: Value | None
    right: Value | None


def diff_entries(left: Mapping[K, Record], right: Mapping[K, Record]) -> Iterator[EntryDiff]:
    """The entries that are not the same on both sides, aligned by their keys and in the order of these."""
    for key in sorted(left.keys() | right.keys()):
        old, new = left.get(key), right.get(key)
        if old is None or new is None:
            yield EntryDiff(left=old, right=new)
        elif found := tuple(diff_facts(old.facts, new.facts)):
            yield EntryDiff(left=old, right=new, facts=found)


def diff_values(left: Mapping[str, Value], right: Mapping[str, Value]) -> Iterator[ValueDiff]:
    """The values that are not the same on both sides, sorted by name."""
    for name in sorted(left.keys() | right.keys()):
        if left.get(name) != right.get(name):
            yield ValueDiff(value=name, left=left.get(name), right=right.get(name))


def last_common_head(left: Sequence[Head], right: Sequence[Head]) -> Head:
    """The last head that two chains have in common."""
    same = takewhile(lambda pair: pair[0] == pair[1], zip(left, right, strict=False))
    return max((head for head, _ in same), key=lambda head: head.position, default=EMPTY)


def heads(store: Store) -> Iterator[Head]:
    """The head after each record, worked out again. Raises Damaged at the first hash that does not fit."""
    before = EMPTY
    for stored in store.read():
        head = Head(before.position + 1, record_hash(before.hash, stored.body))
        if head != Head(stored.position, stored.hash):
            what = "its hash does not fit its bytes and the record before"
            raise Damaged(what, where=f"position {head.position}", hint="Look at it with: campaign verify.")
        yield head
        before = head
