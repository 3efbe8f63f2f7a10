"""Extracts of a ledger have the facts of the whole takes, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Unpack, get_args

import msgspec
import pytest

from ledger.errors import Damaged
from ledger.extracts import Extract, ExtractLimits, Kinds, OtherFact, body_filter, decode_extract
from ledger.facts import Fact, Joined, Judged, PointsLost, Rolled, WindowOpened
from ledger.records import StoredRecord, encode, latest_takes
from ledger.sqlite_store import SqliteStore, open_store
from tests.golden import samples

CHOICES: list[Kinds] = [frozenset((Joined,)), frozenset((Rolled, Judged, PointsLost)), frozenset(get_args(Fact))]


@pytest.fixture(params=samples())
def store(request: pytest.FixtureRequest, played_samples: dict[str, Path]) -> Iterator[SqliteStore]:
    with closing(open_store(played_samples[request.param] / "ledger.db", write=False)) as store:
        yield store


def extract(stored: StoredRecord, kinds: Kinds, **limits: Unpack[ExtractLimits]) -> Extract | None:
    is_wanted = body_filter(kinds, limits)
    return decode_extract(stored.position, stored.body, kinds) if is_wanted(stored.body) else None


@pytest.mark.quick_rows(6)
@pytest.mark.parametrize("kinds", CHOICES, ids=["rare", "frequent", "all"])
def test_extracts_are_the_takes_with_facts_of_the_kinds(store: SqliteStore, kinds: Kinds) -> None:
    for as_of in (None, store.head().position // 2):
        takes = list(store.takes(as_of=as_of))
        counted = {take.position for take in latest_takes(takes)}
        expected = {
            take.position: (take.id, take.seen, take.position in counted, own)
            for take in takes
            if (own := [(number, fact) for number, fact in enumerate(take.facts) if type(fact) in kinds])
        }
        found = {
            take.position: (take.id, take.seen, take.counts, numbered(take.facts))
            for take in store.extracts(kinds, as_of=as_of)
        }
        assert found == expected
        assert [*found] == sorted(found)


def numbered(facts: tuple[object, ...]) -> list[tuple[int, object]]:
    return [(number, fact) for number, fact in enumerate(facts) if not isinstance(fact, OtherFact)]


def test_extracts_of_a_session_are_its_own(store: SqliteStore) -> None:
    kinds: Kinds = frozenset((Judged,))
    every = list(store.extracts(kinds))
    for session in store.session_sizes():
        assert list(store.extracts(kinds, session=session)) == [take for take in every if take.session == session]


def test_secret_takes_are_extracted_without_such_facts(store: SqliteStore) -> None:
    take = next(take for take in store.takes() if not take.has(WindowOpened))
    hidden = msgspec.structs.replace(take, seen="gm")
    for record, is_there in ((take, False), (hidden, True)):
        stored = StoredRecord(record.position, encode(record), None, "")
        found = extract(stored, frozenset((WindowOpened,)), secret=True)
        assert (found is not None) is is_there
        assert extract(stored, frozenset((WindowOpened,))) is None


def test_bytes_of_no_record_are_damage() -> None:
    with pytest.raises(Damaged, match="position 7"):
        extract(StoredRecord(7, b'{"fact":"joined"', None, ""), frozenset((Joined,)))


def test_extract_of_another_position_is_damage(store: SqliteStore) -> None:
    take = next(take for take in store.takes() if take.has(Joined))
    with pytest.raises(Damaged, match=f"has position {take.position}"):
        extract(StoredRecord(take.position + 1, encode(take), None, ""), frozenset((Joined,)))


def test_ends_of_a_session_are_its_first_and_last_takes_with_facts(store: SqliteStore) -> None:
    for as_of in (None, store.head().position // 2):
        counted = [take for take in latest_takes(store.takes(as_of=as_of)) if take.facts]
        for session in store.session_sizes():
            own = [take for take in counted if take.session == session]
            assert store.ends(session, as_of=as_of) == ((own[0], own[-1]) if own else ())
