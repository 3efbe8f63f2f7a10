"""What came of each entry in the old ledger and in the new one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from ledger.facts import Fact
from ledger.names import escape
from ledger.records import Record, latest_takes
from ledger.upgrade.old_records import OldRecord

NOT_COMPARED: Final = ("declared", "campaign-created", "session-opened", "session-closed")  # they hold seeds or lines
OF_DICE: Final = ("source", "throw")  # how the faces came about
TEXT_MOST: Final = 60


def differences(old: Iterable[OldRecord], new: Iterable[Record]) -> Iterator[str]:
    """Yield a sentence for each entry that says something else in the new ledger, in order of entries.

    `new` must be in order of id. Fields that one of the formats does not have are left out.
    """
    last = {record.id: record for record in old}
    now = {record.id: record for record in latest_takes(new)}
    for id in sorted(last.keys() | now.keys()):
        was = last[id].facts if id in last else ()
        facts = map(_content, now[id].facts) if id in now else ()
        if difference := _difference(_compared(was), _compared(facts)):
            yield f"{id}: {difference}"


def _compared(facts: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the facts that say what came of an entry."""
    return [fact for fact in facts if fact["fact"] not in NOT_COMPARED]


def _content(fact: Fact) -> dict[str, Any]:
    """Return a fact as JSON has it."""
    content: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(fact))
    return content


def _difference(was: Sequence[Mapping[str, Any]], now: Sequence[Mapping[str, Any]]) -> str:
    """Return the first difference of the facts of an entry in words; empty if they are the same."""
    for old, new in zip(was, now, strict=False):
        if old["fact"] != new["fact"]:
            return f"was {_text(old)}, is {_text(new)}"
        for name in old.keys() & new.keys() - set(OF_DICE):
            if old[name] != new[name]:
                return f"{old['fact']}: its {name} was {_text(old[name])}, is {_text(new[name])}"
    if len(was) != len(now):
        left = [*was[len(now) :], *now[len(was) :]][0]
        return f"{'had' if len(was) > len(now) else 'has'} {_text(left)} as well"
    return ""


def _text(value: object) -> str:
    """Return a value of a fact, or the name of a fact, of a length that can be read."""
    text = str(value["fact"]) if isinstance(value, Mapping) and "fact" in value else _json(value)
    return escape(text if len(text) <= TEXT_MOST else f"{text[: TEXT_MOST - 3]}...")


def _json(value: object) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
