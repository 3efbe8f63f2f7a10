"""Refusals of corrections, concurrent writers, compensation."""

from __future__ import annotations

import pytest

from ledger.builtin import AddWords
from ledger.corrections.amend import note_error
from ledger.corrections.compensate import compensate, plan_compensation
from ledger.corrections.correction import write_correction
from ledger.corrections.undo import undo
from ledger.errors import Overtaken, Refused
from ledger.memory_store import MemoryStore
from ledger.postgres_address import DatabaseAddress
from ledger.postgres_schema import create_table_sql as postgres_table
from ledger.read_model_sql import create_table_sql
from ledger.service import Ledger
from rulebooks.testing.corrections import DROP, replacement
from tests.ledger.board import VALUES, Adjust, Board, Boards, Fight, Flip
from tests.ledger.coin import Purse
from tests.ledger.edits import GuardedSeeds, amend, board, current_take, findings_of, plan, revoke, said
from tests.ledger.strategies import AT, bytes_of, folded_state, packed_state
from tests.ledger.test_service import Meanwhile

ANA, BO = Flip(by="Ana"), Flip(by="Bo")


def played(ledger):
    said(ledger, AddWords(by="Ana", words="brass kettle"))  # 1.1
    said(ledger, ANA)  # 1.2
    said(ledger, BO)  # 1.3
    revoke(ledger)  # 1.4
    amend(ledger, {"1.2": replacement(BO)})  # 1.5


@pytest.mark.parametrize(
    ("edits", "says"),
    [
        ({"0.0": DROP}, "L-AMEND: entry 0.0 cannot"),
        ({"1.0": DROP}, "L-AMEND: entry 1.0 cannot"),
        ({"1.0": replacement(ANA)}, "L-AMEND: entry 1.0 cannot"),
        ({"1.1": DROP}, "L-AMEND: entry 1.1 cannot"),
        ({"1.3": replacement(ANA)}, "L-AMEND: there is no entry 1.3"),  # taken back
        ({"1.4": DROP}, r"L-AMEND: entry 1.4 is a correction.*undo 1\.4"),
        ({"1.9": DROP}, "L-AMEND: there is no entry 1.9"),
        ({"1.2+1": DROP}, "L-AMEND: there is no entry 1.2+1".replace("+", r"\+")),
        ({"1.9+1": replacement(ANA, outcome="insert")}, "L-AMEND: there is no entry 1.9 to"),
        ({"2.0+1": replacement(ANA, outcome="insert")}, "L-AMEND: there is no entry 2.0 to"),
        ({"1.2": replacement(Flip(by="Cy"))}, "BOARD-POOR: entry 1.2: Cy has no points"),
        ({"1.2": replacement(BO), "1.0": DROP}, "L-AMEND: entry 1.0 cannot"),
    ],
)
def test_refused_amendment_changes_nothing(ledger, edits, says):
    played(ledger)
    before = bytes_of(ledger.store), packed_state(ledger.state)
    with pytest.raises(Refused, match=says):
        plan(ledger, edits)
    assert (bytes_of(ledger.store), packed_state(ledger.state)) == before


def test_a_closing_is_not_amended(ledger):
    ledger.close_session(at=AT)
    with pytest.raises(Refused, match=r"L-AMEND: entry 1\.1 cannot"):
        plan(ledger, {"1.1": DROP})


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ("1.0", "is not a correction"),
        ("1.1", "is not a correction"),
        ("1.2", r"is not a correction.*amend --drop 1\.2"),
        ("1.4", "entry 1.3 has been changed since"),
        ("1.7", r"entry 1.2 has been changed since.*undo 1\.8"),
        ("1.9", "there is no entry 1.9"),
        ("8.1", "there is no entry 8.1"),
    ],
)
def test_refused_undo_changes_nothing(ledger, entry, says):
    played(ledger)  # up to 1.5
    said(ledger, BO)  # 1.3 again
    said(ledger, Purse(by="Ana", points=9))  # 1.6
    amend(ledger, {"1.2": replacement(ANA)})  # 1.7
    amend(ledger, {"1.2": replacement(BO)})  # 1.8
    before = bytes_of(ledger.store), packed_state(ledger.state)
    with pytest.raises(Refused, match=f"L-UNDO.*{says}"):
        revoke(ledger, entry)
    assert (bytes_of(ledger.store), packed_state(ledger.state)) == before


def test_corrections_of_one_entry_are_undone_last_first(ledger):
    said(ledger, ANA)
    amend(ledger, {"1.1": replacement(BO)})  # 1.2
    amend(ledger, {"1.1": DROP})  # 1.3
    for entry in ("1.3", "1.2"):
        revoke(ledger, entry)
        with pytest.raises(Refused, match="undone already"):
            revoke(ledger, entry)
    assert ledger.state.values()["Ana.points"] == 6


def test_typed_faces_without_a_throw_are_not_recorded(ledger):
    said(ledger, ANA)
    amend(ledger, {"1.1": replacement(Purse(by="Ana", points=1), 2, 2)})
    assert current_take(ledger.store, "1.1").declared.faces is None


@pytest.mark.parametrize("settle", ["retcon", "stand", "compensate"])
def test_overtaken_correction_writes_nothing(store, settle):
    one = board(MemoryStore() if isinstance(store, MemoryStore) else filed(store))
    other = Ledger(one.store, Board(), Boards(), one.seeds)
    said(one, ANA, 1)
    correction = plan(one, {"1.1": replacement(BO, 1)})
    said(other, Purse(by="Ana", points=2))
    before = bytes_of(one.store)
    settles = {
        "stand": lambda: note_error(one, correction, "stand", at=AT, line="~"),
        "compensate": lambda: compensate(one, correction, [], at=AT, line="~"),
        "retcon": lambda: write_correction(one, correction, at=AT, line="~"),
    }
    for look in (lambda: None, one.refresh):
        look()
        with pytest.raises(Overtaken):
            settles[settle]()
        assert bytes_of(one.store) == before
    assert packed_state(folded_state(one.store, Boards())) == packed_state(one.state)
    assert findings_of(one) == []


def filed(store):
    """Return the store with the read model of the board game."""
    if isinstance(store.source, DatabaseAddress):
        store._connection.run(postgres_table(VALUES).replace("CREATE TABLE", "CREATE TABLE IF NOT EXISTS"))
    else:
        store.connection.execute(create_table_sql(VALUES))
    return store


def test_correction_overtaken_at_the_append_writes_nothing():
    one = board(Meanwhile())
    said(one, ANA, 1)
    correction = plan(one, {"1.1": replacement(BO, 1)})
    other = Ledger(one.store, Board(), Boards(), one.seeds)
    one.store.before("append", lambda: said(other, Purse(by="Ana", points=2)))
    with pytest.raises(Overtaken):
        write_correction(one, correction, at=AT, line="~")
    assert packed_state(folded_state(one.store, Boards())) == packed_state(one.state)
    assert findings_of(one) == []


class Later(MemoryStore):
    """A store to which somebody else appends once, before the head is read for the second time."""

    def __init__(self):
        super().__init__()
        self.heads, self.act = None, None

    def head(self):
        if self.heads is not None:
            self.heads += 1
            if self.heads == 2:
                self.heads = None
                self.act()
        return super().head()


@pytest.mark.parametrize(
    "ask", [lambda one: undo(one, by="gm", at=AT), lambda one: amend(one, {"1.1": replacement(BO, 1)})]
)
def test_append_between_plan_and_what_if_is_noticed(ask):
    """Otherwise an undo would void an entry that is no longer the last line."""
    one = board(Later())
    said(one, ANA, 1)
    other = Ledger(one.store, Board(), Boards(), GuardedSeeds())
    assert other.state.position == one.state.position
    one.store.act = lambda: said(other, BO, 1)
    one.store.heads = 0
    with pytest.raises(Overtaken):
        ask(one)
    assert one.store.head().position == 6
    assert packed_state(folded_state(one.store, Boards())) == packed_state(
        Ledger(one.store, Board(), Boards(), GuardedSeeds()).state
    )


def test_a_request_of_a_correction_is_known(ledger):
    said(ledger, ANA)
    own, _ = amend(ledger, {"1.1": DROP}, request="k")
    assert ledger.store.find_request("k") == own
    assert ledger.find_request("k", "amend") == own
    assert [take.request for take in ledger.store.takes() if take.cause] == [None]


def test_compensation_entries_are_undone_with_their_correction(ledger):
    said(ledger, ANA, 1)
    correction = plan(ledger, {"1.1": replacement(BO, 1)})
    adjustments, left = plan_compensation(ledger, correction)
    assert [(said.value, said.change) for said in adjustments] == [("Ana.points", 1), ("Bo.points", -1)]
    assert (plan_compensation(ledger, correction, only=["Bo.points"])[0], left) == (adjustments[1:], [])
    own, records = compensate(ledger, correction, [(said, "adjusted") for said in adjustments], at=AT, line="~")
    assert [(str(record.id), record.cause, record.line) for record in records] == [
        ("1.3", "1.2", "adjusted"),
        ("1.4", "1.2", "adjusted"),
    ]
    assert ledger.state.values() == {"Ana.points": 5, "Bo.points": 4}
    revoke(ledger, own.id)
    assert ledger.state.values() == {"Ana.points": 4, "Bo.points": 5}
    revoke(ledger, "1.5")
    assert ledger.state.values() == {"Ana.points": 5, "Bo.points": 4}


def test_an_adjustment_that_is_refused_leaves_nothing(ledger):
    said(ledger, ANA, 1)
    correction = plan(ledger, {"1.1": DROP})
    before = bytes_of(ledger.store), packed_state(ledger.state)
    good, bad = (Adjust(by="gm", value="Ana.points", change=change, reason="") for change in (1, -99))
    with pytest.raises(Refused, match="BOARD-ADJUST"):
        compensate(ledger, correction, [(good, ""), (bad, "")], at=AT, line="~")
    assert (bytes_of(ledger.store), packed_state(ledger.state)) == before


def test_compensation_may_give_a_value_to_somebody_who_has_none(ledger):
    amend(ledger, {"0.2": replacement(Fight(by="Ana"))})  # Bo's purse was never filled
    correction = plan(ledger, {"0.1": replacement(Purse(by="Bo", points=2))})
    adjustments, left = plan_compensation(ledger, correction)
    compensate(ledger, correction, [(said, "adjusted") for said in adjustments], at=AT, line="~")
    assert (ledger.state.values()["Bo.points"], left) == (2, [])
