"""Where two lists of facts part: which fact, which field of it, and what stands there in each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from ledger.facts import Fact
from ledger.records import ENCODER, Record


class Difference(msgspec.Struct, frozen=True, kw_only=True):
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


def first_difference(record: Record, derived: Sequence[Fact]) -> Difference | None:
    """The first fact, and the first field of it, in which replay and record differ."""
    recorded = record.facts[1:]
    for place, (old, new) in enumerate(zip(recorded, derived, strict=False), start=2):
        if old != new:
            return _between(record, place, old, new)
    if len(recorded) == len(derived):
        return None
    place = min(len(recorded), len(derived))
    extra = (list(recorded) + [None] * len(derived))[place], (list(derived) + [None] * len(recorded))[place]
    return _between(record, place + 2, *extra)


def _between(record: Record, place: int, old: Fact | None, new: Fact | None) -> Difference:
    """The difference between two facts, down to the field, or between a fact and none."""
    shown = old if old is not None else new
    assert shown is not None
    field, before, after = _parted("", old, new)
    return Difference(
        entry=str(record.id),
        fact=place,
        kind=str(type(shown).__struct_config__.tag),
        field=field or "fact",
        recorded=told(before),
        derived=told(after),
        rules=(new or shown).rules,
    )


def _parted(path: str, old: Any, new: Any) -> tuple[str, Any, Any]:
    """Where two values part first, as `dice[0].face`, and what stands there in each."""
    if isinstance(old, msgspec.Struct) and type(old) is type(new):
        for name in sorted(old.__struct_fields__, key=lambda name: _weight(name, old)):
            if getattr(old, name) != getattr(new, name):
                return _parted(f"{path}.{name}" if path else name, getattr(old, name), getattr(new, name))
    if isinstance(old, tuple) and isinstance(new, tuple) and len(old) == len(new):
        for place, (one, other) in enumerate(zip(old, new, strict=True)):
            if one != other:
                return _parted(f"{path}[{place}]", one, other)
    return path, old, new


def _weight(name: str, fact: msgspec.Struct) -> int:
    """What says most comes first: single values, then what is made of parts; which rules made it comes last."""
    return 2 if name == "rules" else int(isinstance(getattr(fact, name), tuple))


def told(value: Any) -> str:
    """A fact or a field as short JSON; `nothing` where there is none."""
    return "nothing" if value is None else ENCODER.encode(value).decode()
