"""Where two lists of facts part: which fact, which field of it, and what stands there in each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

import msgspec

from ledger.facts import Fact, tag
from ledger.records import ENCODER, Record


class ReplayDifference(msgspec.Struct, frozen=True, kw_only=True):
    """Where record and replay part: the entry, which of its facts, which field, and both values."""

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


def first_difference(record: Record, derived: Sequence[Fact]) -> ReplayDifference | None:
    """The first fact, and the first field of it, in which replay and record differ."""
    recorded = record.facts[1:]
    for found in diff_facts(recorded, derived, start=2):
        return ReplayDifference(
            entry=str(record.id),
            fact=found.fact,
            kind=found.kind,
            field=found.field,
            recorded=found.left,
            derived=found.right,
            rules=(*derived, *recorded[len(derived) :])[found.fact - 2].rules,
        )
    return None


class FactDiff(msgspec.Struct, frozen=True, kw_only=True):
    """Where two facts at the same place part: its number, what kind of fact, which field, and what stands in each."""

    fact: int
    kind: str
    field: str
    left: str
    right: str


def diff_facts(left: Sequence[Fact], right: Sequence[Fact], *, start: int = 1) -> Iterator[FactDiff]:
    """Every place at which these facts differ, with the first field that does; `start` is the number of the first."""
    for place, (old, new) in enumerate(zip_longest(left, right), start):
        if old != new:
            field, before, after = _first_differing_field("", old, new)
            kind = tag(type(new if old is None else old))
            yield FactDiff(fact=place, kind=kind, field=field or "fact", left=to_json(before), right=to_json(after))


def _first_differing_field(path: str, old: Any, new: Any) -> tuple[str, Any, Any]:
    """Where two values part first, as `dice[0].face`, and what stands there in each."""
    if isinstance(old, msgspec.Struct) and type(old) is type(new):
        for name in sorted(old.__struct_fields__, key=lambda name: _field_order(name, old, new)):
            if getattr(old, name) != getattr(new, name):
                return _first_differing_field(
                    f"{path}.{name}" if path else name, getattr(old, name), getattr(new, name)
                )
    if isinstance(old, tuple) and isinstance(new, tuple) and len(old) == len(new):
        for place, (one, other) in enumerate(zip(old, new, strict=True)):
            if one != other:
                return _first_differing_field(f"{path}[{place}]", one, other)
    if isinstance(old, msgspec.Raw) and isinstance(new, msgspec.Raw):
        before, after = _fields(old), _fields(new)
        for name in sorted(before.keys() | after.keys()):
            if before.get(name) != after.get(name):
                return f"{path}.{name}", before.get(name), after.get(name)
    return path, old, new


def _field_order(name: str, *facts: msgspec.Struct) -> int:
    """What says most comes first: single values, then what is made of parts; which rules made it comes last."""
    return 2 if name == "rules" else int(any(isinstance(getattr(fact, name), tuple) for fact in facts))


def _fields(said: msgspec.Raw) -> dict[str, msgspec.Raw]:
    """What was said, field by field; none where it is no object."""
    try:
        return msgspec.json.decode(said, type=dict[str, msgspec.Raw])
    except msgspec.MsgspecError:
        return {}


def to_json(value: Any) -> str:
    """A fact or a field as short JSON; `nothing` where there is none."""
    return "nothing" if value is None else ENCODER.encode(value).decode()
