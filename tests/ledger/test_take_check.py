"""Test that verify looks at takes that no longer count, and at the cause of every take."""

from __future__ import annotations

import msgspec
import pytest

from ledger import sqlite_store as sqlite
from ledger.corrections.undo import undo
from ledger.dice import fixed_seed
from ledger.facts import Die, Told
from ledger.records import ENCODER
from tests.ledger.coin import Flip
from tests.ledger.strategies import AT, changing, create_ledger, declared, edits, findings_of, flip

OTHER_FACE = {"dice": (Die(ordinal=0, sides=2, face=1),)}
TOLD = Told(kind="note", by="Ana", text="never said", seen="table")
AGAIN = msgspec.Raw(ENCODER.encode(Flip(by="Ana", again=True)))


def findings(path):
    store = sqlite.open_store(path, write=False)
    try:
        return findings_of(store)
    finally:
        store.close()


def find(records, name):
    entry, _, take = name.partition("@")
    return next(each for each in records if (str(each.id), each.take) == (entry, int(take)))


def appending(name, /, **changes):
    """Return an edit that appends another take of an entry, changed, at the end of the ledger."""

    def edit(records):
        old = find(records, name)
        more = msgspec.structs.replace(
            old, **{"position": len(records) + 1, "take": old.take + 1, "request": None, **changes}
        )
        return [*records, more]

    return edit


def adding_fact(name, fact):
    """Return an edit that adds a fact to a take."""

    def edit(records):
        old = find(records, name)
        more = msgspec.structs.replace(old, facts=(*old.facts, fact))
        return [more if each is old else each for each in records]

    return edit


FORGERIES = [
    pytest.param(changing("1.3", 1, fact=(2, OTHER_FACE)), "entry 1.3@1: the replay differs", id="a changed face"),
    pytest.param(
        edits(changing("1.3", 1, fact=(2, OTHER_FACE)), changing("1.3", 1, fact=(3, {"result": "tails"}))),
        "entry 1.3@1: the replay differs",
        id="a changed face and its result",
    ),
    pytest.param(changing("1.3", 1, fact=(1, {"points": 0, "now": 19})), "entry 1.3@1: the replay differs", id="a sum"),
    pytest.param(
        changing("1.3", 1, fact=(0, {"line_start": "1.2"})),
        "entry 1.3@1: its line begins at entry 1.2, but it is not written right after it",
        id="the line of another",
    ),
    pytest.param(adding_fact("1.3@1", TOLD), "entry 1.3@1: the replay differs", id="an invented fact"),
    pytest.param(appending("1.2@1", facts=(), cause="1.4"), "entry 1.2@2: its cause, entry 1.4, is not", id="emptied"),
    pytest.param(appending("1.5@1", cause="1.4"), "entry 1.5@2: its cause, entry 1.4, is not", id="a take put in"),
    pytest.param(appending("1.5@1"), "entry 1.5@2: no correction is its cause", id="a take without a cause"),
    pytest.param(
        changing("1.3", 2, cause="1.5"), "entry 1.3@2: its cause, entry 1.5, is not a correction", id="another cause"
    ),
    pytest.param(
        changing("1.3", 2, door="file"),
        "entry 1.3@2: it came by another door than its cause, entry 1.4",
        id="another door",
    ),
    pytest.param(
        changing("1.4", fact=(1, {"entry": "1.2@1"})),
        "entry 1.3@2: its cause, entry 1.4, gives it other facts",
        id="unnamed",
    ),
]


@pytest.mark.parametrize(("edit", "named"), FORGERIES)
def test_forged_take_with_right_hashes_is_found(forger, edit, named):
    forger.rewrite(edit, chained=True)
    found = findings(forger.path)
    assert [line for line in found if line.startswith(named)], found


def test_take_with_another_declaration_than_its_input_is_found(forger):
    """A take that follows from a correction of another entry says what was said before."""

    def edit(records):
        old = find(records, "1.3@2")
        said = msgspec.structs.replace(declared(find(records, "1.2@1")), said=AGAIN)
        following = msgspec.structs.replace(
            find(records, "1.2@1"), position=old.position + 1, take=2, cause="1.4", facts=(said,)
        )
        later = [msgspec.structs.replace(each, position=each.position + 1) for each in records[old.position :]]
        return [*records[: old.position], following, *later]

    forger.rewrite(edit, chained=True)
    expected = "entry 1.2@2: its cause, entry 1.4, does not lead to it"
    assert expected in findings(forger.path)


@pytest.mark.slow
def test_superseded_takes_of_open_sessions_keep_their_faces(store):
    ledger = create_ledger(store)
    flip(ledger)
    undo(ledger, by="gm", at=AT)
    flip(ledger, again=True)
    undo(ledger, by="gm", at=AT)
    flip(ledger, faces=(1,))
    assert findings_of(store) == []
    ledger.close_session(at=AT)
    ledger.open_session("two", at=AT, seed=fixed_seed("two"))
    assert findings_of(store) == []
