"""The checks of public records: what is known of windows and hidden beings, what is wrong, and what is counted."""

from __future__ import annotations

import msgspec
import pytest

from ledger.facts import Declared, EntryId
from ledger.players_check import PlayersCheck
from ledger.records import ENCODER, StoredRecord
from ledger.redaction.public_check import Changes, leaf_problem
from tests.ledger.strategies import record, spent

FIRST, SECOND, THIRD = EntryId(1, 1), EntryId(1, 2), EntryId(1, 3)


def test_removed_entry_takes_back_all_that_it_said() -> None:
    changes = Changes()
    changes.add("roll", FIRST, 0, True)
    changes.add("roll", SECOND, 0, False)
    changes.add("roll", SECOND, 1, True)
    changes.add("roll", SECOND, 2, False)
    assert changes.beginning("roll", THIRD) is None
    changes.remove(SECOND)
    assert changes.beginning("roll", THIRD) == FIRST
    changes.remove(FIRST)
    assert changes.beginning("roll", THIRD) is None


def declared(line: str) -> Declared:
    return Declared(by="Ana", said=msgspec.Raw(b'{"type":"spend","points":1}'), line=line, faces=None)


@pytest.mark.parametrize(
    ("lines", "change", "problem"),
    [
        (("ana spends five", "ana spends …"), {}, ""),  # another version did not know a number in words
        (("bo spends five", "ana spends …"), {}, " in fact 1"),
        (("ana spends …", "ana spends …"), {"points": 2}, " in fact 2"),
        (("ana spends five", "ana spends …"), {"points": 2}, " in fact 1"),
    ],
)
def test_wrong_public_fact_is_named_by_its_number(lines: tuple[str, str], change: dict[str, int], problem: str) -> None:
    whole = record(2, facts=(declared("ana spends five"), spent(1, 4)))
    public, seen = (msgspec.structs.replace(whole, facts=(declared(line), spent(1, 4))) for line in lines)
    public = msgspec.structs.replace(public, facts=(public.facts[0], msgspec.structs.replace(spent(1, 4), **change)))
    stored = StoredRecord(2, ENCODER.encode(public), b"sealed", "")
    said = "its public part says something else than everybody saw"
    assert leaf_problem(stored, whole, seen) == (f"{said}{problem}" if problem else "")


def test_players_check_counts_records_with_a_sealed_part() -> None:
    check = PlayersCheck()
    for position, sealed_hash in enumerate((None, "a" * 64, None), start=1):
        check.add(StoredRecord(position, b"{}", None, "", sealed_hash), record(position))
    assert (check.report.records, check.report.with_sealed) == (3, 1)
