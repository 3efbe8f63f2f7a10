"""Questions that write nothing."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from ledger.errors import NeverDrawn, Refused
from ledger.facts import parse_entry_id
from ledger.odds import count_odds
from ledger.whatif import WhatIf
from rulebooks.testing.corrections import replacement
from tests.ledger.board import Board, Boards, Fight, Flip, Toss
from tests.ledger.coin import Purse
from tests.ledger.edits import amend, board, comparable, open_session, outcomes_by_id, question, said, whole_decision
from tests.ledger.strategies import AT, packed_state

ANA, BO = Flip(by="Ana"), Flip(by="Bo")


def test_run_up_to_an_entry_ignores_later_corrections(ledger):
    """The input there comes from a correction after the part."""
    said(ledger, ANA, 1)
    ledger.close_session(at=AT)
    open_session(ledger, "another")
    amend(ledger, {"1.1": replacement(BO, 2)})
    result = WhatIf(ledger.store, Board(), Boards()).run({}, start=parse_entry_id("1.0"), upto=parse_entry_id("1.2"))
    assert outcomes_by_id(result) == dict.fromkeys(("1.0", "1.1", "1.2"), "unchanged")


def test_run_without_edits_leaves_what_an_amendment_made_impossible():
    """Two heads stun Bo, whose toss of round 1 is not possible then; in round 2 he would have a turn again."""
    ledger = board(points=1)
    said(ledger, Fight(by="Ana"))
    said(ledger, Toss(by="Ana"))
    said(ledger, Toss(by="Bo"))
    retcon = replacement(Toss(by="Ana"), 2, 2)
    amend(ledger, {"1.2": retcon})
    result = WhatIf(ledger.store, Board(), Boards()).run({}, start=parse_entry_id("1.1"))
    assert set(outcomes_by_id(result).values()) == {"unchanged"}


def test_a_preview_shows_no_face_and_leaves_no_trace(ledger):
    before = packed_state(ledger.state)
    with question(ledger):
        with pytest.raises(NeverDrawn):
            ledger.preview(ANA)
        assert ledger.preview(Purse(by="Ana", points=3))[0].now == 3
    assert packed_state(ledger.state) == before


@pytest.mark.parametrize(
    ("what", "points"),
    [
        (ANA, 5),
        (Flip(by="Ana", sides=3), 5),
        (Flip(by="Ana", again=True), 5),  # the second flip is followed
        (Flip(by="Ana", again=True), 1),  # after tails it is not even possible
        (ANA, 12),  # luck is the first throw, and the flip is followed behind it
        (Toss(by="Ana"), 5),
        (Purse(by="Ana", points=1), 5),
    ],
)
def test_odds_are_those_of_all_faces(ledger, what, points):
    said(ledger, Fight(by="Ana"))
    said(ledger, Purse(by="Ana", points=points))
    before = packed_state(ledger.state)
    with question(ledger):
        try:
            found = count_odds(Board(), ledger.state, what, parse_entry_id("1.3")).chances
        except Refused:
            assert (what.again, points) == (True, 1)
            return
    assert packed_state(ledger.state) == before
    expected = Counter()
    sides = {Flip: (what.sides,) if isinstance(what, Flip) else (), Toss: (2, 2), Purse: ()}[type(what)]
    for shown in product(*(range(1, most + 1) for most in sides)):
        heads = sum(face == 2 for face in shown)
        result = f"{heads} heads" if isinstance(what, Toss) else "heads" if heads else "tails"
        expected[result] += bool(sides)
    shares = {(one.what, one.result): Fraction(one.ways, one.of) for one in found if one.what == what.verbs[0]}
    assert shares == {
        (what.verbs[0], result): Fraction(ways, sum(expected.values())) for result, ways in expected.items() if ways
    }


def test_entries_behind_the_same_state_are_not_decided(ledger):
    for _ in range(20):
        said(ledger, Purse(by="Ana", points=3))
    said(ledger, Purse(by="Bo", points=3))
    what_if = WhatIf(ledger.store, Board(), Boards())
    edits = {parse_entry_id("1.1"): replacement(ANA, 1), parse_entry_id("1.4"): replacement(Purse(by="Ana", points=3))}
    result = what_if.run(edits)
    with whole_decision():
        assert comparable(result) == comparable(WhatIf(ledger.store, Board(), Boards()).run(edits))
    assert (what_if.decided, what_if.entries, len(result.outcomes)) == (4, 21, 21)


def test_entries_behind_another_state_are_decided(ledger):
    for _ in range(20):
        said(ledger, Purse(by="Ana", points=3))
    what_if = WhatIf(ledger.store, Board(), Boards())
    what_if.run({parse_entry_id("1.1"): replacement(Purse(by="Bo", points=1))})
    assert what_if.decided == what_if.entries == 20
