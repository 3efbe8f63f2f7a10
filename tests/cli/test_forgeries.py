"""Test what `verify` says of forged ledgers, without and with a kept head.

Where all hashes are computed again and everything fits together, only the kept head shows it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cli.play.spoken import hear_again
from cli.questions.verification import verification
from ledger.facts import (
    Amended,
    CampaignCreated,
    Die,
    EntryId,
    Joined,
    PointsSpent,
    Rolled,
    Ruled,
    SessionClosed,
    SessionOpened,
    Told,
    WordsAdded,
)
from ledger.records import GENESIS, parse_head
from ledger.snapshot_rows import SELECT_SNAPSHOTS, snapshot_of, snapshot_row
from ledger.sqlite_store import open_store
from tests.cli.conftest import Folder, copied
from tests.ledger.strategies import Forger, declared, dropping, edits
from tests.ledger.test_sqlite_check import hide_from_index

pytestmark = pytest.mark.slow  # run with --long

KEPT = "its hash differs from the head that was kept"
ENDS = "a head was kept there, but the ledger ends at"
HASH = "its hash does not match its bytes and the record before"
DIFFERS = "the replay differs"
OTHER_SEED = "ab" * 32


@pytest.fixture(scope="module")
def told(evening: Folder, tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """Return a ledger with corrections, words and a ruling. Do not write to it."""
    folder = copied(evening, tmp_path_factory.mktemp("told"))
    folder.run("open", "Two", "--seed", "two")
    for line in ('ana words "brass kettle"', "k sneak v5 e1", "close", '! ruling "a gift" "agreed" kess.destiny=1'):
        folder.run("do", line)
    folder.run("amend", "1.1", "k sneak v4", "--because", "the wrong number", "--retcon")
    folder.run("do", '~ 2.2 v4 because="again" retcon')
    folder.run("amend", "2.4", "kess.destiny=0", "--because", "no gift", "--stand")
    folder.run("close")
    folder.kept = folder.run("verify").splitlines()[-1].rpartition("head ")[2]
    return folder


def take(name, *, fact=None, kind=None, **changes):
    """Return an edit of the fields of one take, or of its fact of a kind."""
    entry, _, number = name.partition("@")

    def changed(old):
        if (str(old.id), old.take) != (entry, int(number or 1)):
            return old
        facts = list(old.facts)
        for index, one in enumerate(facts):
            if kind is not None and isinstance(one, kind):
                facts[index] = msgspec.structs.replace(one, **fact)
                break
        return msgspec.structs.replace(old, **{"facts": tuple(facts), **changes})

    return lambda records: [changed(old) for old in records]


def said(name, old, new):
    """Return an edit of the text of a declaration and of its line."""

    def edit(records):
        entry, _, number = name.partition("@")
        return [
            with_said(each, old, new) if (str(each.id), each.take) == (entry, int(number or 1)) else each
            for each in records
        ]

    return edit


def with_said(each, old, new):
    first = declared(each)
    raw = msgspec.Raw(bytes(first.said).replace(old.encode(), new.encode()))
    first = msgspec.structs.replace(first, said=raw, line=first.line.replace(old, new))
    return msgspec.structs.replace(each, facts=(first, *each.facts[1:]))


def line(name, text):
    """Return an edit of the line alone."""

    def edit(records):
        entry, _, number = name.partition("@")
        return [
            msgspec.structs.replace(each, facts=(msgspec.structs.replace(declared(each), line=text), *each.facts[1:]))
            if (str(each.id), each.take) == (entry, int(number or 1))
            else each
            for each in records
        ]

    return edit


def adding(name, *facts):
    """Return an edit that adds facts to a take."""
    entry, _, number = name.partition("@")
    return lambda records: [
        msgspec.structs.replace(old, facts=(*old.facts, *facts))
        if (str(old.id), old.take) == (entry, int(number or 1))
        else old
        for old in records
    ]


def copying(name, behind, /, **changes):
    """Return an edit that puts a changed copy of a take behind another, and moves the positions of those after it."""

    def edit(records):
        old, place = find(records, name), records.index(find(records, behind)) + 1
        made = msgspec.structs.replace(old, **{"request": None, **changes})
        return numbered([*records[:place], made, *records[place:]])

    return edit


def swapping(one, other):
    """Return an edit that swaps the order of writing of two takes."""

    def edit(records):
        places = {id(find(records, one)): find(records, other), id(find(records, other)): find(records, one)}
        return numbered([places.get(id(each), each) for each in records])

    return edit


def find(records, name):
    entry, _, number = name.partition("@")
    return next(each for each in records if (str(each.id), each.take) == (entry, int(number or 1)))


def numbered(records):
    return [msgspec.structs.replace(each, position=place) for place, each in enumerate(records, start=1)]


FACE = {"dice": (Die(ordinal=0, sides=10, face=9, label="Dawn"), Die(ordinal=1, sides=10, face=9, label="Dusk"))}
NOTE = Told(kind="deed", by="Kess", text="never said", seen="table")
EMPTY = {"take": 2, "facts": ()}
REWRITES = {  # all hashes are computed again; what is found without a kept head
    "an entry removed": (dropping("1.2"), "entry 1.2: the entry is missing"),
    "a superseded take removed": (dropping("1.1", 1), "entry 1.1: take 1 is missing"),
    "an entry inserted": (copying("1.2", "1.2", insert=1), "entry 1.2+1@1: it is inserted, but no correction"),
    "an entry put in late": (copying("1.2", "2.1", number=8), "entry 1.8@1: it is written after 2.1"),
    "two entries reordered": (swapping("1.2", "1.3"), "entry 1.2@1: it is written after 1.3"),
    "an id doubled": (copying("1.2", "1.2"), "entry 1.2: take 2 is missing"),
    "a fact's text": (take("1.2", kind=Told, fact={"text": "dark"}), f"entry 1.2: {DIFFERS}"),
    "a face in a current take": (take("1.3", kind=Rolled, fact=FACE), f"entry 1.3: {DIFFERS}"),
    "a face in a superseded take": (take("1.1", kind=Rolled, fact=FACE), f"entry 1.1@1: {DIFFERS}"),
    "a cost": (take("1.1", kind=PointsSpent, fact={"points": 1, "now": 13}), f"entry 1.1@1: {DIFFERS}"),
    "an invented fact": (adding("1.2", NOTE), f"entry 1.2: {DIFFERS}"),
    "an invented fact in a superseded take": (adding("1.1", NOTE), f"entry 1.1@1: {DIFFERS}"),
    "a take emptied by an unrelated correction": (
        copying("1.2", "2.5", cause="2.5", **EMPTY),
        "entry 1.2@2: its cause, entry 2.5, does not lead to it",
    ),
    "a take emptied by no correction": (
        copying("1.2", "2.1", cause="2.1", **EMPTY),
        "entry 1.2@2: its cause, entry 2.1",
    ),
    "a take put in": (copying("1.2", "2.1", take=2), "entry 1.2@2: no correction is its cause"),
    "an extra pass": (
        copying("1.2", "2.5", cause="2.5", insert=1),
        "entry 1.2+1@1: its cause, entry 2.5, does not lead to it",
    ),
    "a take of a note": (
        copying("1.2", "2.7", cause="2.7", insert=1),
        "entry 1.2+1@1: its cause, entry 2.7, only notes",
    ),
    "amended facts of another take": (
        edits(take("2.5", kind=Amended, fact={"entry": "1.1@7"}), said("2.5", "1.1@1", "1.1@7")),
        "entry 2.5@1: it names 1.1@7, but 1.1@1 counted",
    ),
    "amended facts of another entry": (
        edits(take("2.5", kind=Amended, fact={"entry": "1.3@1"}), said("2.5", "1.1@1", "1.3@1")),
        "entry 1.1@2: its cause, entry 2.5",
    ),
    "amended facts of no such outcome": (
        edits(take("2.5", kind=Amended, fact={"outcome": "blessed"}), said("2.5", "retcon", "blessed")),
        "entry 2.5@1: 'blessed' is no outcome of a correction",
    ),
    "a note in place of a change": (
        edits(take("2.5", kind=Amended, fact={"outcome": "stand"}), said("2.5", "retcon", "stand")),
        "entry 1.1@2: its cause, entry 2.5, only notes an error",
    ),
    "a line": (line("1.5", "o climb v9"), "entry 1.5@1: its line 'o climb v9' reads as another declaration"),
    "a seed swapped": (
        edits(
            said("1.7", '"seed":"', '"seed":"' + OTHER_SEED), take("1.7", kind=SessionClosed, fact={"seed": OTHER_SEED})
        ),
        f"entry 1.7: {DIFFERS}",
    ),
    "a commitment": (take("2.0", kind=SessionOpened, fact={"commitment": OTHER_SEED}), f"entry 2.0: {DIFFERS}"),
    "a player's words": (
        edits(said("2.1", "kettle", "button"), take("2.1", kind=WordsAdded, fact={"words": "brass button"})),
        f"entry 2.2: {DIFFERS}",
    ),
    "the ledger's id": (take("0.0", kind=CampaignCreated, fact={"ledger": "f" * 32}), f"entry 0.0: {DIFFERS}"),
    "a sheet": (take("0.1", kind=Joined, fact={"sheet": ()}), f"entry 0.1: {DIFFERS}"),
    "who said it": (take("1.3", by="Orrin"), "entry 1.3: it is by Orrin, but its declaration is by Kess"),
    "a ruling's text": (take("2.4", kind=Ruled, fact={"text": "a loan"}), f"entry 2.4: {DIFFERS}"),
    "a future position": (take("1.3", position=99), "position 7: a record is missing"),
    "a correction's line": (line("2.6", '~ 2.2 v6 because="again" retcon'), "entry 2.6@1: its line"),
    "a corrected line": (line("1.1@2", "Kess sneak v9"), "entry 2.5@1: its line"),
    "who may see it": (take("1.2", seen="gm"), "it is not sealed, although something of it is hidden"),
    # Everything fits together: only the kept head shows these.
    "the last entries cut off": (lambda records: records[:-2], ""),
    "a scene told otherwise": (
        edits(said("1.2", "lamp", "dark"), take("1.2", kind=Told, fact={"text": "The dark room"})),
        "",
    ),
    "a ruling reworded as a whole": (
        edits(said("2.4", "a gift", "a loan"), take("2.4", kind=Ruled, fact={"text": "a loan"})),
        "",
    ),
    "the time": (take("1.3", at="2027-01-01T00:00:00Z"), ""),
    "a request's key": (take("1.3", request="other"), ""),
}


whole_check = partial(verification, workers=None, hear=hear_again)


def findings(folder: Folder, *heads: str, check: Callable[..., Any] = whole_check) -> list[str]:
    """Return the findings of `verify`, or of another check."""
    store = open_store(folder.ledger, write=False)
    try:
        return [str(finding) for finding in check(store, [parse_head(head) for head in heads]).findings]
    finally:
        store.close()


def without_head(found: list[str]) -> list[str]:
    return [finding for finding in found if KEPT not in finding and ENDS not in finding]


@pytest.mark.parametrize("name", REWRITES)
def test_rewritten_ledger_is_found(told, tmp_path: Path, name):
    folder = copied(told, tmp_path)
    edit, expected = REWRITES[name]
    Forger(folder.ledger).rewrite(edit, chained=True)
    found = findings(folder, told.kept)
    assert len(found) > len(without_head(found))
    if expected:
        assert any(expected in finding for finding in without_head(found)), found
    else:
        folder.run("rebuild")
        done = folder.invoke("verify")
        assert (done.exit_code, "a ledger that was rewritten as a whole" in done.stderr) == (0, True)


@pytest.mark.parametrize("name", ["an entry removed", "a fact's text", "the time", "a scene told otherwise"])
def test_rewriting_without_new_hashes_is_found(told, tmp_path, name):
    folder = copied(told, tmp_path)
    Forger(folder.ledger).rewrite(REWRITES[name][0], chained=False)
    assert any(HASH in finding for finding in findings(folder))


def poison(folder: Folder) -> None:
    """Change a snapshot, and compute its hash again."""
    store = open_store(folder.ledger, write=False)
    row = store.connection.execute(SELECT_SNAPSHOTS).fetchall()[-1]
    store.close()
    snapshot = snapshot_of(row)
    other = msgspec.structs.replace(snapshot, body=snapshot.body.replace(b"14", b"13"))
    text = snapshot_row(other, row[5] or GENESIS)[-1].replace("'", "''")
    Forger(folder.ledger).sql(f"UPDATE snapshots SET body = '{text}' WHERE session = {snapshot.entry.session}")


BESIDE_THE_CHAIN = {  # the records stay as they are: the kept head fits, and the rest is found
    "an index that hides a correction": (
        lambda folder: hide_from_index(folder.ledger, 12),
        "position 12: its record is hidden from the index",
    ),
    "a snapshot with its hash": (poison, "it differs from the records; make snapshots again"),
    "a snapshot without its hash": (
        lambda folder: Forger(folder.ledger).sql("UPDATE snapshots SET body = replace(body, '14', '13')"),
        "its hash does not match its body",
    ),
    "a snapshot of no entry": (
        lambda folder: Forger(folder.ledger).sql("UPDATE snapshots SET number = 77 WHERE session = 1"),
        "snapshot at 1.77: ",
    ),
    "a read model": (lambda folder: Forger(folder.ledger).sql("UPDATE pools SET points = 99"), "pools"),
    "a column": (
        lambda folder: Forger(folder.ledger).change("UPDATE records SET take = 3 WHERE position = 5"),
        "position 5: its columns differ from its record",
    ),
}


@pytest.mark.parametrize("name", BESIDE_THE_CHAIN)
def test_forgery_beside_the_chain_is_found(told, tmp_path, name):
    folder = copied(told, tmp_path)
    forge, expected = BESIDE_THE_CHAIN[name]
    forge(folder)
    found = findings(folder, told.kept)
    assert without_head(found) == found
    assert any(expected in finding for finding in found), found


def test_ledger_as_it_was_has_no_finding(told):
    assert findings(told, told.kept) == []
    assert EntryId(2, 5) in {record.id for record in open_store(told.ledger, write=False).takes()}
