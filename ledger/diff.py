"""Compare entries, facts and values: two ledgers, two takes, or a record and its replay."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import takewhile, zip_longest
from typing import Any, Protocol, TypeVar

import msgspec

from ledger.errors import Damaged
from ledger.facts import Fact, tag
from ledger.projection import Value
from ledger.records import EMPTY, ENCODER, Head, Record, record_hash
from ledger.store import Store


class Ordered(Hashable, Protocol):
    """A key by which entries are aligned."""

    def __lt__(self, other: Any, /) -> bool:
        """Return whether this key comes first."""


K = TypeVar("K", bound=Ordered)


class FactDiff(msgspec.Struct, frozen=True, kw_only=True):
    """Two facts with the same number that differ: their kind, the first field that differs, and its values."""

    fact: int
    kind: str
    field: str
    left: str
    right: str


class EntryDiff(msgspec.Struct, frozen=True, kw_only=True):
    """An entry that exists on one side only, or whose facts differ."""

    left: Record | None
    right: Record | None
    facts: tuple[FactDiff, ...] = ()


class ValueDiff(msgspec.Struct, frozen=True, kw_only=True):
    """A value that differs; None on the side that does not have it."""

    value: str
    left: Value | None
    right: Value | None


class ReplayDifference(msgspec.Struct, frozen=True, kw_only=True):
    """The first fact and field of an entry in which its replay differs from its record."""

    entry: str
    fact: int
    kind: str
    field: str
    recorded: str
    derived: str
    rules: tuple[str, ...]

    def __str__(self) -> str:
        rules = f" [{', '.join(self.rules)}]" if self.rules else ""
        where = f"{self.entry}.{self.fact} {self.kind}, {self.field}"
        return f"{where}: recorded {self.recorded}, derived {self.derived}{rules}"


def diff_entries(left: Mapping[K, Record], right: Mapping[K, Record]) -> Iterator[EntryDiff]:
    """Yield the entries that differ, aligned and sorted by their keys."""
    for key in sorted(left.keys() | right.keys()):
        old, new = left.get(key), right.get(key)
        if old is None or new is None:
            yield EntryDiff(left=old, right=new)
        elif facts := tuple(diff_facts(old.facts, new.facts)):
            yield EntryDiff(left=old, right=new, facts=facts)


def diff_values(left: Mapping[str, Value], right: Mapping[str, Value]) -> Iterator[ValueDiff]:
    """Yield the values that differ, sorted by name."""
    for name in sorted(left.keys() | right.keys()):
        if left.get(name) != right.get(name):
            yield ValueDiff(value=name, left=left.get(name), right=right.get(name))


def diff_facts(left: Sequence[Fact], right: Sequence[Fact], *, start: int = 1) -> Iterator[FactDiff]:
    """Yield each pair of facts that differs, with its first differing field. `start` numbers the first fact."""
    for number, (old, new) in enumerate(zip_longest(left, right), start):
        if old != new:
            field, before, after = _first_differing_field("", old, new)
            kind = tag(type(new if old is None else old))
            yield FactDiff(fact=number, kind=kind, field=field or "fact", left=to_json(before), right=to_json(after))


def first_difference(record: Record, derived: Sequence[Fact]) -> ReplayDifference | None:
    """Return the first difference between the facts of a record (without its declaration) and its replay."""
    recorded = record.facts[1:]
    if recorded == tuple(derived):
        return None
    for diff in diff_facts(recorded, derived, start=2):
        return ReplayDifference(
            entry=str(record.id),
            fact=diff.fact,
            kind=diff.kind,
            field=diff.field,
            recorded=diff.left,
            derived=diff.right,
            rules=(*derived, *recorded[len(derived) :])[diff.fact - 2].rules,
        )
    return None


def refused_difference(record: Record, error: Exception) -> ReplayDifference:
    """Return the difference of an entry whose declaration is refused or cannot be decoded."""
    return ReplayDifference(
        entry=str(record.id),
        fact=1,
        kind="declared",
        field="said",
        recorded=f"{len(record.facts) - 1} facts",
        derived=f"refused: {error}",
        rules=getattr(error, "rules", ()),
    )


def last_common_head(left: Sequence[Head], right: Sequence[Head]) -> Head:
    """Return the last head that two chains share."""
    same = takewhile(lambda pair: pair[0] == pair[1], zip(left, right, strict=False))
    return max((head for head, _ in same), key=lambda head: head.position, default=EMPTY)


def heads(store: Store) -> Iterator[Head]:
    """Yield the head after each record, computed again. Raises Damaged at the first hash that does not match."""
    before = EMPTY
    for stored in store.read():
        head = Head(before.position + 1, record_hash(before.hash, stored.leaf))
        if head != Head(stored.position, stored.hash):
            what = "its hash does not match its bytes and the record before"
            raise Damaged(what, where=f"position {head.position}", hint="Look at it with: campaign verify.")
        yield head
        before = head


def to_json(value: Any) -> str:
    """Return a fact or a field as short JSON, and `nothing` for None and for a field that is not written."""
    return "nothing" if value is None or value is msgspec.UNSET else ENCODER.encode(value).decode()


def _first_differing_field(path: str, old: Any, new: Any) -> tuple[str, Any, Any]:
    """Return the path of the first field that differs (`dice[0].face`), and its two values."""
    if isinstance(old, msgspec.Struct) and type(old) is type(new):
        for name in sorted(old.__struct_fields__, key=lambda name: _field_order(name, old, new)):
            before, after = getattr(old, name), getattr(new, name)
            if before != after:
                return _first_differing_field(f"{path}.{name}" if path else name, before, after)
    if isinstance(old, tuple) and isinstance(new, tuple) and len(old) == len(new):
        for index, (before, after) in enumerate(zip(old, new, strict=True)):
            if before != after:
                return _first_differing_field(f"{path}[{index}]", before, after)
    if isinstance(old, msgspec.Raw) and isinstance(new, msgspec.Raw):
        left, right = _json_fields(old), _json_fields(new)
        for name in sorted(left.keys() | right.keys()):
            if left.get(name) != right.get(name):
                return f"{path}.{name}", left.get(name), right.get(name)
    return path, old, new


def _field_order(name: str, *facts: msgspec.Struct) -> int:
    """Return a sort key for fields: single values first, then tuples, `rules` last."""
    return 2 if name == "rules" else int(any(isinstance(getattr(fact, name), tuple) for fact in facts))


def _json_fields(body: msgspec.Raw) -> dict[str, msgspec.Raw]:
    """Return the fields of a JSON object; none if it is not an object."""
    try:
        return msgspec.json.decode(body, type=dict[str, msgspec.Raw])
    except msgspec.MsgspecError:
        return {}
