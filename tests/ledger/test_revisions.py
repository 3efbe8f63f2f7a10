"""Revisions of the rules: a session is decided by the revision that it records, whatever the program has."""

from __future__ import annotations

import pytest

from ledger.errors import NewerRules
from ledger.facts import EntryId, PointsSpent, parse_entry_id
from ledger.replay import Replay
from ledger.whatif import WhatIf
from rulebooks.testing.corrections import replacement
from tests.ledger.coin import Coin, Coins, Flip
from tests.ledger.edits import amend
from tests.ledger.strategies import AT, bytes_of, create_ledger, findings_of, fixed_seed, flip

MENDED = Coin(revision=2)  # the second coin of a line is free


def spent(record):
    return sum(fact.points for fact in record.facts if isinstance(fact, PointsSpent))


@pytest.fixture
def mended():
    """A ledger whose first session was played by revision 1, and whose second is played by revision 2."""
    ledger = create_ledger()
    flip(ledger, again=True)  # 1.1
    flip(ledger)  # 1.2
    ledger.close_session(at=AT)
    ledger.game = MENDED
    ledger.open_session("two", at=AT, seed=fixed_seed("more coins"))
    flip(ledger, again=True)  # 2.1
    return ledger


def take(ledger, entry):
    id = parse_entry_id(entry)
    return [*ledger.store.takes(after=id.before, upto=id)][-1]


def test_each_session_has_the_rules_of_its_revision(mended):
    assert (spent(take(mended, "1.1")), spent(take(mended, "2.1"))) == (2, 1)
    before = bytes_of(mended.store)
    report = Replay(mended.store, MENDED, Coins()).run()
    assert (report.entries, report.differences, findings_of(mended.store, MENDED)) == (8, [], [])
    assert bytes_of(mended.store) == before


def test_an_entry_between_sessions_has_the_rules_of_the_one_before(mended):
    mended.close_session(at=AT)
    assert spent(flip(mended, again=True, faces=(1, 2))) == 1
    ledger = create_ledger()
    ledger.close_session(at=AT)
    ledger.game = MENDED
    assert spent(flip(ledger, again=True, faces=(1, 2))) == 2


def test_a_correction_in_an_old_session_has_its_rules(mended):
    amend(mended, {"1.2": replacement(Flip(by="Ana", again=True), 1, 2)})
    assert (spent(take(mended, "1.2")), spent(take(mended, "2.1"))) == (2, 1)
    assert Replay(mended.store, MENDED, Coins()).run().differences == findings_of(mended.store, MENDED) == []


@pytest.mark.parametrize(
    ("revision", "start", "changed", "left"),
    [(2, EntryId(0, 0), ["1.1"], (16, 17)), (1, EntryId(0, 0), ["2.1"], (16, 15)), (2, EntryId(2, 0), [], (16, 16))],
)
def test_what_if_supposes_a_revision_for_all_sessions(mended, revision, start, changed, left):
    result = WhatIf(mended.store, MENDED, Coins(), revision).run({}, start=start)
    assert [str(entry.id) for entry in result.outcomes if entry.outcome == "changed"] == changed
    assert (result.before["Ana.points"], result.after["Ana.points"]) == left
    assert result.rule_difference is None


def test_a_later_revision_is_read_and_not_decided(mended):
    older, before = Coin(), bytes_of(mended.store)
    mended.game = older
    mended.refresh()
    assert mended.state.values() == {"Ana.points": 16}
    says = "session 2 was played with revision 2 of coin, and this program has revision 1"
    acts = [
        lambda: flip(mended),
        lambda: mended.close_session(at=AT),
        lambda: Replay(mended.store, older, Coins()).run(),
        lambda: findings_of(mended.store, older),
        lambda: WhatIf(mended.store, older, Coins()).run({EntryId(2, 1): replacement(Flip(by="Ana"))}),
    ]
    for act in acts:
        with pytest.raises(NewerRules, match=says):
            act()
    assert Replay(mended.store, older, Coins()).run(1).differences == []
    assert bytes_of(mended.store) == before


def test_a_session_is_not_opened_with_older_rules(mended):
    mended.close_session(at=AT)
    mended.game = Coin()
    with pytest.raises(NewerRules, match="session 2"):
        mended.open_session("three", at=AT)
