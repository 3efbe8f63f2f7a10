"""What `diff` holds against each other: which two things were asked for, and all that is read of each."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import click
import msgspec

from cli.commands.show import looked
from cli.context import LEDGER_FILE, CampaignContext, ledger_errors
from cli.errors import InputError, input_errors
from cli.output import safe
from cli.queries.explain import fate, take_meant
from ledger import names
from ledger.diff import heads
from ledger.errors import Damaged, Unreadable
from ledger.facts import EntryId, parse_entry_id
from ledger.position import LedgerState, load_state
from ledger.projection import Value
from ledger.records import Head, Record, counting
from ledger.sqlite_store import open_store
from ledger.store import Store
from projections.projection import StateProjection
from projections.state import State

NUMBERED: Final = re.compile(r"[0-9@][0-9.@+]*", re.ASCII)
FORMS: Final = "Sessions are written 1, takes 1.4@1, moments 1.4 or @17, ledgers as a path."


class Session(msgspec.Struct, frozen=True):
    """A session by its number."""

    number: int


class Take(msgspec.Struct, frozen=True):
    """A take of an entry; None is the one that counts."""

    entry: EntryId
    take: int | None


class Moment(msgspec.Struct, frozen=True):
    """The end of an entry (None: the last), as the ledger said at a position (None: as it says now)."""

    at: EntryId | None
    as_of: int | None


class Ledger(msgspec.Struct, frozen=True):
    """A ledger by the path to it or to its folder; None is the one at hand."""

    path: str | None


Asked = Session | Take | Moment | Ledger


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """One side: its name, its entries by what they are aligned by, its values at the end, and where that is.

    `chain` are the heads of a whole ledger.
    """

    name: str
    ledger: str
    entry: str
    position: int
    records: Mapping[Any, Record]
    values: Mapping[str, Value]
    chain: Sequence[Head] = ()


def things_asked(words: Sequence[str], at: Sequence[str], as_of: Sequence[int]) -> tuple[Asked, Asked]:
    """The two things that were asked for; a single one is held against what is at hand. Raises InputError."""
    with input_errors():
        found = [asked(word) for word in words] + moments(at, as_of)
    if not 1 <= len(found) <= 2 or (words and (at or as_of)):
        raise InputError("two things are held against each other", hint=FORMS)
    one, other = found if len(found) == 2 else alone(found[0])
    if isinstance(one, Take) != isinstance(other, Take):
        one, other = counting_take(one), counting_take(other)
    if type(one) is not type(other):
        kinds = " and a ".join(type(side).__name__.lower() for side in (one, other))
        raise InputError(f"a {kinds} cannot be held against each other", hint=FORMS)
    return one, other


def asked(word: str) -> Asked:
    """What `1`, `1.4@1`, `1.4`, `@17` or a path asks for. Raises Unreadable for a number or an entry that is none."""
    if not word:
        raise Unreadable("a word is empty", hint=FORMS)
    if not NUMBERED.fullmatch(word):
        return Ledger(word)
    entry, at, number = word.partition("@")
    if not entry:
        return Moment(None, names.parse_whole(number, where=word))
    if at:
        return Take(parse_entry_id(entry), names.parse_whole(number, where=word))
    return Moment(parse_entry_id(word), None) if "." in word else Session(names.parse_whole(word, where="session"))


def moments(at: Sequence[str], as_of: Sequence[int]) -> list[Asked]:
    """The moments that options name; a single entry or position goes with each of two of the other."""
    many = max(len(at), len(as_of))
    entries: list[EntryId | None] = [*map(parse_entry_id, at)] or [None]
    positions: list[int | None] = [*as_of] or [None]
    return [Moment(entries[min(n, len(entries) - 1)], positions[min(n, len(positions) - 1)]) for n in range(many)]


def alone(one: Asked) -> tuple[Asked, Asked]:
    """A single thing, and what it is held against: the ledger at hand, now, or the take that counts."""
    match one:
        case Ledger():
            return Ledger(None), one
        case Moment():
            return one, Moment(None, None)
        case Take():
            return one, Take(one.entry, None)
    raise InputError("a session is held against another one", hint=FORMS)


def counting_take(side: Asked) -> Asked:
    """A moment that is only an entry, where it faces a take: the take of it that counts."""
    return Take(side.at, None) if isinstance(side, Moment) and side.at and side.as_of is None else side


def both(context: CampaignContext, one: Asked, other: Asked) -> tuple[Side, Side]:
    """All that is read of the two sides. Raises InputError for what there is not, Damaged for what cannot be read."""
    if isinstance(one, Ledger) and isinstance(other, Ledger):
        return of_ledger(context, one.path), of_ledger(context, other.path)
    store = context.store(write=False)
    with ledger_errors(store.path):
        if isinstance(one, Moment) and isinstance(other, Moment):
            return between(store, one, other)
        if isinstance(one, Take) and isinstance(other, Take):
            return of_take(store, one), of_take(store, other)
        assert isinstance(one, Session)
        assert isinstance(other, Session)
        return of_session(store, one.number), of_session(store, other.number)


def of_session(store: Store, number: int) -> Side:
    """A session: its entries by their numbers in it, and the values at its end."""
    found = load_state(store, StateProjection(), at=EntryId(number + 1, -1))
    if found.last.session != number:
        last = load_state(store, StateProjection()).last.session
        raise InputError(f"there is no session {number}", hint=f"The last one is {last}.")
    takes = store.takes(after=EntryId(number, -1), upto=found.last)
    return sided(f"session {number}", found, {(record.number, record.insert): record for record in counting(takes)})


def of_take(store: Store, one: Take) -> Side:
    """A take: the one entry, and the values behind it as the ledger stood when it was written."""
    record, takes = take_meant(store, one.entry, one.take)
    if one.take is None and not takes[-1].facts:
        raise InputError(f"{one.entry} is taken back, no take counts", hint=f"Name one: {record.id}@{record.take}.")
    found = load_state(store, StateProjection(), at=record.id, as_of=record.position)
    because = fate(store, record, takes) or "it counts"
    return sided(f"{record.id}@{record.take} ({because})", found, {0: record})


def between(store: Store, one: Moment, other: Moment) -> tuple[Side, Side]:
    """Two moments: what counted at each, from where they may differ, and the values."""
    places = [stood(store, moment) for moment in (one, other)]
    same = places[0].position == places[1].position
    after = min(place.last for place in places) if same else None
    sides = []
    for moment, place in zip((one, other), places, strict=True):
        takes = store.takes(after=after, upto=place.last, as_of=place.position)
        said = "" if moment.as_of is None else f" as the ledger said at position {place.position}"
        sides.append(sided(f"{place.last}{said}", place, {record.id: record for record in counting(takes)}))
    return sides[0], sides[1]


def stood(store: Store, moment: Moment) -> LedgerState[State]:
    """Where the ledger stood at a moment. Raises InputError when there is no such."""
    if moment.as_of == 0:
        raise InputError("positions begin with 1", where="@0")
    return looked(store, None if moment.at is None else str(moment.at), moment.as_of)


def of_ledger(context: CampaignContext, path: str | None) -> Side:
    """A whole ledger: its entries by their ids, its values now, and its chain, worked out again."""
    where = context.folder if path is None else Path(path)
    file = where / LEDGER_FILE if where.is_dir() else where
    with ledger_errors(file):
        store = open_store(file, write=False)
        click.get_current_context().call_on_close(store.close)
        chain = tuple(heads(store))
        found = load_state(store, StateProjection(), as_of=len(chain))
        if not found.session.ledger:
            raise Damaged("the ledger has no first record", hint="It was not founded to the end.")
        records = {record.id: record for record in counting(store.takes(as_of=len(chain)))}
    name = "this ledger" if path is None else safe(path)
    return sided(f"{name} ({safe(found.session.name)})", found, records, chain)


def sided(name: str, found: LedgerState[State], records: Mapping[Any, Record], chain: Sequence[Head] = ()) -> Side:
    """A side; entries that were taken back are not there."""
    return Side(
        name=name,
        ledger=found.session.ledger,
        entry=str(found.last),
        position=found.position,
        records={key: record for key, record in records.items() if record.facts},
        values=found.values(),
        chain=chain,
    )
