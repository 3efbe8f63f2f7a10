"""`diff`: its two operands, parsed from the command line, what is read of each, and how the two differ."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Any, ClassVar, Final

import msgspec

from cli.questions.ledger_file import find_game, ledger_errors, ledger_wording, source_of
from cli.questions.state_at import is_round, state_at
from cli.questions.takes import find_take, why_void
from ledger import names
from ledger.campaign_source import Source, open_campaign
from ledger.diff import EntryDiff, ValueDiff, diff_entries, diff_values, heads, last_common_head
from ledger.errors import Damaged, InputError, Unreadable, input_errors
from ledger.facts import EntryId, parse_entry_id
from ledger.ledger_state import LedgerState, load_state
from ledger.names import escape
from ledger.projection import Value
from ledger.records import Head, Record, latest_takes
from ledger.sql_store import SqlStore
from projections.projection import StateProjection
from projections.state import State
from rulebooks.common.texts import Wording

NUMBERED: Final = re.compile(r"[0-9@][0-9.@+]*", re.ASCII)
FORMS: Final = "Sessions are written 1, takes 1.4@1, moments 1.4 or @17, ledgers as a path."


class SessionOperand(msgspec.Struct, frozen=True):
    """A session by its number."""

    kind: ClassVar[str] = "session"
    number: int


class TakeOperand(msgspec.Struct, frozen=True):
    """A take of an entry; None is the one that counts."""

    kind: ClassVar[str] = "take"
    entry: EntryId
    take: int | None


class MomentOperand(msgspec.Struct, frozen=True):
    """The end of an entry (None: the last), as the ledger said at a position (None: as it says now).

    The entry may be `round 3`: that in which the round began.
    """

    kind: ClassVar[str] = "moment"
    at: EntryId | str | None
    as_of: int | None


class LedgerOperand(msgspec.Struct, frozen=True):
    """A ledger by the path of its file or folder; None is the campaign's own."""

    kind: ClassVar[str] = "ledger"
    path: str | None


Operand = SessionOperand | TakeOperand | MomentOperand | LedgerOperand


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """One operand: its name, its entries by the key that aligns them, and its values at the end.

    `chain`: the heads of a whole ledger.
    """

    name: str
    ledger: str
    entry: str
    position: int
    records: Mapping[Any, Record]
    values: Mapping[str, Value]
    wording: Wording
    chain: Sequence[Head] = ()


def parse_operands(words: Sequence[str], at: Sequence[str], as_of: Sequence[int]) -> tuple[Operand, Operand]:
    """Return the two operands; a single one is compared with its default. Raises InputError."""
    with input_errors():
        operands = [_parse_operand(word) for word in words] + _moments(at, as_of)
    if not 1 <= len(operands) <= 2 or (words and (at or as_of)):
        raise InputError("diff takes two arguments: sessions, takes, moments or ledgers", hint=FORMS)
    left, right = operands if len(operands) == 2 else _with_default(operands[0])
    if isinstance(left, TakeOperand) != isinstance(right, TakeOperand):
        left, right = _counting_take(left), _counting_take(right)
    if type(left) is not type(right):
        raise InputError(f"a {left.kind} and a {right.kind} cannot be compared", hint=FORMS)
    return left, right


def _parse_operand(word: str) -> Operand:
    """Parse `1`, `1.4@1`, `1.4`, `@17` or a path. Raises Unreadable for a bad number or entry."""
    if not word:
        raise Unreadable("an argument is empty", hint=FORMS)
    if is_round(word):
        return MomentOperand(word, None)
    if not NUMBERED.fullmatch(word):
        return LedgerOperand(word)
    entry, at, number = word.partition("@")
    if not entry:
        return MomentOperand(None, names.parse_whole(number, where=word))
    if at:
        return TakeOperand(parse_entry_id(entry), names.parse_whole(number, where=word))
    if "." in word:
        return MomentOperand(parse_entry_id(word), None)
    return SessionOperand(names.parse_whole(word, where="session"))


def _moments(at: Sequence[str], as_of: Sequence[int]) -> list[Operand]:
    """Return the moments of the options; a single entry or position goes with each of two of the other."""
    many = max(len(at), len(as_of))
    entries: list[EntryId | str | None] = [text if is_round(text) else parse_entry_id(text) for text in at] or [None]
    positions: list[int | None] = [*as_of] or [None]
    return [
        MomentOperand(entries[min(n, len(entries) - 1)], positions[min(n, len(positions) - 1)]) for n in range(many)
    ]


def _with_default(operand: Operand) -> tuple[Operand, Operand]:
    """Return a single operand with its default: the campaign's ledger, now, or the take that counts."""
    match operand:
        case LedgerOperand():
            return LedgerOperand(None), operand
        case MomentOperand():
            return operand, MomentOperand(None, None)
        case TakeOperand():
            return operand, TakeOperand(operand.entry, None)
    raise InputError("a session is compared with another session", hint=FORMS)


def _counting_take(operand: Operand) -> Operand:
    """Return the take that counts for a moment that is only an entry."""
    if isinstance(operand, MomentOperand) and isinstance(operand.at, EntryId) and operand.as_of is None:
        return TakeOperand(operand.at, None)
    return operand


def load_sides(store: SqlStore, left: Operand, right: Operand) -> tuple[Side, Side]:
    """Read two operands of one kind in one ledger. Raises InputError for one that does not exist, Damaged."""
    with ledger_errors(store.path):
        if isinstance(left, MomentOperand) and isinstance(right, MomentOperand):
            return _moment_sides(store, left, right)
        if isinstance(left, TakeOperand) and isinstance(right, TakeOperand):
            return _take_side(store, left), _take_side(store, right)
        assert isinstance(left, SessionOperand)
        assert isinstance(right, SessionOperand)
        return _session_side(store, left.number), _session_side(store, right.number)


def _session_side(store: SqlStore, number: int) -> Side:
    """Return a session: its entries by their numbers in it, and the values at its end."""
    position = load_state(store, StateProjection(), at=EntryId(number + 1, -1))
    if position.last.session != number:
        last = load_state(store, StateProjection()).last.session
        raise InputError(f"there is no session {number}", hint=f"The last one is {last}.")
    takes = store.takes(after=EntryId(number, -1), upto=position.last)
    records = {(record.number, record.insert): record for record in latest_takes(takes)}
    return _side(store, f"session {number}", position, records)


def _take_side(store: SqlStore, operand: TakeOperand) -> Side:
    """Return a take: its one entry, and the values after it when it was written."""
    record, takes = find_take(store, operand.entry, operand.take)
    if operand.take is None and not takes[-1].facts:
        hint = f"Name one: {record.id}@{record.take}."
        raise InputError(f"{operand.entry} is taken back, no take counts", hint=hint)
    position = load_state(store, StateProjection(), at=record.id, as_of=record.position)
    because = why_void(store, record, takes) or "it counts"
    return _side(store, f"{record.id}@{record.take} ({because})", position, {0: record})


def _moment_sides(store: SqlStore, left: MomentOperand, right: MomentOperand) -> tuple[Side, Side]:
    """Return two moments: the entries that counted at each, from where they may differ, and the values."""
    positions = [_moment_state(store, moment) for moment in (left, right)]
    same = positions[0].position == positions[1].position
    after = min(position.last for position in positions) if same else None
    sides = []
    for moment, position in zip((left, right), positions, strict=True):
        takes = store.takes(after=after, upto=position.last, as_of=position.position)
        as_of = "" if moment.as_of is None else f" as the ledger said at position {position.position}"
        records = {record.id: record for record in latest_takes(takes)}
        sides.append(_side(store, f"{position.last}{as_of}", position, records))
    return sides[0], sides[1]


def _moment_state(store: SqlStore, moment: MomentOperand) -> LedgerState[State]:
    """Return the state at a moment. Raises InputError when there is no such."""
    if moment.as_of == 0:
        raise InputError("positions begin with 1", where="@0")
    return state_at(store, None if moment.at is None else str(moment.at), moment.as_of)


def load_ledger(operand: LedgerOperand, own: Source) -> Side:
    """Return a whole ledger: its entries by their ids, its values now, and its chain, computed again.

    An operand without a path means the ledger `own`. Raises Damaged for a file that is no ledger, or a bad one.
    """
    source = own if operand.path is None else source_of(operand.path)
    with (
        ledger_errors(str(source)),
        closing(open_campaign(source, write=False, models=StateProjection.read_models)) as store,
    ):
        chain = tuple(heads(store))
        position = load_state(store, StateProjection(), as_of=len(chain))
        if not position.session.ledger:
            raise Damaged("the ledger has no first record", hint="It was never created completely.")
        records = {record.id: record for record in latest_takes(store.takes(as_of=len(chain)))}
        name = "this ledger" if operand.path is None else escape(operand.path)
        return _side(store, f"{name} ({escape(position.session.name)})", position, records, chain)


def _side(
    store: SqlStore,
    name: str,
    position: LedgerState[State],
    records: Mapping[Any, Record],
    chain: Sequence[Head] = (),
) -> Side:
    """Return a side without the entries that were taken back."""
    return Side(
        name=name,
        ledger=position.session.ledger,
        entry=str(position.last),
        position=position.position,
        records={key: record for key, record in records.items() if record.facts},
        values=position.values(),
        wording=ledger_wording(store, find_game(store)),
        chain=chain,
    )


class DiffReport(msgspec.Struct, frozen=True, kw_only=True):
    """Two sides of one kind and their differences. `agree`: the last head that the chains of two ledgers share."""

    kind: str
    same: bool
    left: Side
    right: Side
    agree: Head | None
    entries: tuple[EntryDiff, ...]
    values: tuple[ValueDiff, ...]


def diff_report(kind: str, left: Side, right: Side) -> DiffReport:
    """Return the differences of two sides of a kind."""
    entries = tuple(diff_entries(left.records, right.records))
    values = tuple(diff_values(left.values, right.values))
    return DiffReport(
        kind=kind,
        same=not entries and not values and left.chain[-1:] == right.chain[-1:],
        left=left,
        right=right,
        agree=last_common_head(left.chain, right.chain) if left.chain else None,
        entries=entries,
        values=values,
    )
