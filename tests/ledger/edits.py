"""Helpers for tests of corrections: a board game, edits, two stores at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from ledger import sqlite_store as sqlite
from ledger.corrections.amend import plan_amendment
from ledger.corrections.correction import Correction, write_correction
from ledger.corrections.undo import plan_undo
from ledger.declarations import Declaration
from ledger.dice import fixed_seed
from ledger.facts import EntryId, Rolled, parse_entry_id
from ledger.memory_store import MemorySeeds, MemoryStore
from ledger.records import Head, Record, latest_takes
from ledger.redecide import Input, TakeHistory
from ledger.service import Ledger
from ledger.store import Store
from ledger.verify import verify
from ledger.whatif import Edit, WhatIf, WhatIfResult, last_insert
from ledger.whatif.record import RecordedWorld
from rulebooks.testing.corrections import replacement
from tests.ledger.board import VALUES, Board, Boards, Values
from tests.ledger.coin import Purse
from tests.ledger.strategies import AT, LEDGER


class GuardedSeeds(MemorySeeds):
    """Seeds that must not be read during a question."""

    def __init__(self) -> None:
        super().__init__()
        self.asking = False

    def get(self, commitment: str) -> bytes | None:
        assert not self.asking, "a question has looked at the seed"
        return super().get(commitment)


@contextmanager
def question(ledger: Ledger[Values]) -> Iterator[None]:
    """Fail if a seed is read inside."""
    ledger.seeds.asking = True
    try:
        yield
    finally:
        ledger.seeds.asking = False


class Both:
    """A store in memory and a file at once that must give the same answers."""

    def __init__(self, path: Any) -> None:
        self.memory, self.file = MemoryStore(), sqlite.create_store(path, (VALUES,))
        self.file.connection.execute("PRAGMA synchronous = OFF")  # no crash is tested here

    def append(self, records: Any, **more: Any) -> Any:
        made = self.file.append(records, **more)
        assert self.memory.append(records, **more) == made
        return made

    def records(self, **bounds: Any) -> Any:
        made = list(self.file.records(**bounds))
        assert list(self.memory.records(**bounds)) == made
        return made

    def read(self, **bounds: Any) -> Any:
        return self._same([list(store.read(**bounds)) for store in (self.memory, self.file)])

    def takes(self, **bounds: Any) -> Any:
        return self._same([list(store.takes(**bounds)) for store in (self.memory, self.file)])

    def chained_takes(self) -> Any:
        return self._same([list(store.chained_takes()) for store in (self.memory, self.file)])

    def columns(self) -> Any:
        return self._same([list(store.columns()) for store in (self.memory, self.file)])

    def extracts(self, kinds: Any, **bounds: Any) -> Any:
        made = [list(store.extracts(kinds, **bounds)) for store in (self.memory, self.file)]
        assert [(take.id, take.take, take.counts) for take in made[0]] == [
            (take.id, take.take, take.counts) for take in made[1]
        ]
        return iter(made[1])

    def entry_ids(self, **bounds: Any) -> Any:
        return self._same([list(store.entry_ids(**bounds)) for store in (self.memory, self.file)])

    def snapshots(self) -> Any:
        return self._same([list(store.snapshots()) for store in (self.memory, self.file)])

    def replace_snapshots(self, snapshots: Any, *, after: Head) -> None:
        snapshots = list(snapshots)
        for store in (self.memory, self.file):
            store.replace_snapshots(snapshots, after=after)

    def head(self) -> Any:
        return self._same([store.head() for store in (self.memory, self.file)])

    def find_request(self, request: str) -> Any:
        return self._same([store.find_request(request) for store in (self.memory, self.file)])

    def latest_snapshot(self, **bounds: Any) -> Any:
        return self._same([store.latest_snapshot(**bounds) for store in (self.memory, self.file)])

    def _same(self, answers: list[Any]) -> Any:
        assert answers[0] == answers[1]
        return iter(answers[0]) if isinstance(answers[0], list) else answers[0]

    def close(self) -> None:
        self.file.close()


def board(
    store: Store | None = None, *, points: int = 5, opened: bool = True, game: Board | None = None
) -> Ledger[Values]:
    """Return a ledger in which Ana and Bo have points and the first session is open, with a fixed seed."""
    ledger = Ledger(store or MemoryStore(), game or Board(), Boards(), GuardedSeeds())
    ledger.create("Board", at=AT, ledger=LEDGER)
    for who in ("Ana", "Bo"):
        ledger.declare(Purse(by=who, points=points), at=AT, line=f"{who} purse")  # 0.1, 0.2
    if opened:
        open_session(ledger)
    return ledger


def open_session(ledger: Ledger[Values], seed: str = "a board 5833") -> Record:
    return ledger.open_session("an evening", at=AT, seed=fixed_seed(seed))


def said(ledger: Ledger[Values], what: Declaration, *faces: int, line: str = "", **more: Any) -> Record:
    """Make a declaration, with typed faces if there are any."""
    return ledger.declare(what, at=AT, line=line, faces=faces or None, **more)


def insertion(
    ledger: Ledger[Values], behind: str, what: Declaration, *faces: int, more: Iterable[EntryId] = ()
) -> dict:
    """Return an edit that inserts a declaration after an entry."""
    at = parse_entry_id(behind)
    ids = [take.id for take in ledger.store.takes()]
    new = EntryId(at.session, at.number, last_insert((*ids, *more), at) + 1)
    return {new: replacement(what, *faces, outcome="insert")}


def plan(ledger: Ledger[Values], edits: dict[str, Edit] | dict[EntryId, Edit], **more: Any) -> Correction:
    """Plan a correction without reading a seed."""
    named = {parse_entry_id(id) if isinstance(id, str) else id: edit for id, edit in edits.items()}
    with question(ledger):
        return plan_amendment(ledger, named, by="gm", because="so it was", **more)


def amend(
    ledger: Ledger[Values], edits: dict[str, Edit] | dict[EntryId, Edit], **more: Any
) -> tuple[Record, list[Record]]:
    """Plan and write a correction."""
    return write_correction(ledger, plan(ledger, edits), at=AT, line="amend", **more)


def revoke(ledger: Ledger[Values], entry: object = None) -> tuple[Record, list[Record]]:
    """Undo the last line, or a correction."""
    with question(ledger):
        correction = plan_undo(ledger, None if entry is None else parse_entry_id(str(entry)), by="gm")
    return write_correction(ledger, correction, at=AT, line="undo")


def ask_what_if(ledger: Ledger[Values], edits: dict[str, Edit], start: str | None = None) -> WhatIfResult:
    """Ask what would be; nothing is written."""
    with question(ledger):
        named = {parse_entry_id(str(id)): edit for id, edit in edits.items()}
        result = WhatIf(ledger.store, ledger.game, ledger.projection)
        return result.run(named, start=None if start is None else parse_entry_id(start))


def outcomes_by_id(result: WhatIfResult) -> dict[str, str]:
    return {str(outcome.id): outcome.outcome for outcome in result.outcomes}


def state(ledger: Ledger[Values]) -> bytes:
    return ledger.projection.pack(ledger.state.state)


def current_take(store: Store, id: object) -> Record:
    """Return the take of an entry that counts."""
    return next(record for record in latest_takes(store.takes()) if str(record.id) == str(id))


def sources(record: Record) -> dict[str, str]:
    return {fact.purpose: fact.source for fact in record.facts if isinstance(fact, Rolled)}


def shows(record: Record) -> dict[str, tuple[int, ...]]:
    return {fact.purpose: tuple(d.face for d in fact.dice) for fact in record.facts if isinstance(fact, Rolled)}


def findings_of(ledger: Ledger[Values]) -> list[str]:
    return [str(found) for found in verify(ledger.store, Board(), Boards())[1]]


def input_at(ledger: Ledger[Values], id: EntryId) -> Input | None:
    return TakeHistory(ledger.store.takes()).input(id)


@contextmanager
def whole_decision() -> Iterator[None]:
    """Decide every entry again, also behind the one after which the changed world and the record are the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RecordedWorld, "joins", lambda world, id, changed: False)
        yield


def comparable(result: WhatIfResult) -> tuple[object, ...]:
    """Return all of a result that can be compared."""
    need = result.need and (result.need.id, result.need.line, result.need.purpose, result.need.sides, result.need.why)
    return result.head, result.outcomes, need, result.rule_difference, result.before, result.after
