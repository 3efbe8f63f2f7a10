"""Shared dice: links of players' pages in what is written, replayed, corrected and verified."""

from __future__ import annotations

import msgspec
import pytest

from ledger.builtin import CommitChain
from ledger.corrections.correction import write_correction
from ledger.corrections.undo import undo
from ledger.dice import face, session_key
from ledger.errors import Refused
from ledger.facts import Rolled
from ledger.links import dice_of, link_problems
from rulebooks.testing.corrections import replacement
from tests.ledger.coin import Flip
from tests.ledger.edits import plan
from tests.ledger.shared import FORGED_FIELDS, FORGED_LINKS, Page, forged_fields, forged_takes, shared_ledger
from tests.ledger.strategies import AT, LEDGER, SEED, create_ledger, faces, findings_of, flip, say

KEY = session_key(SEED, LEDGER, 1, [])


def links(record):
    return [fact.links for fact in record.facts if isinstance(fact, Rolled)]


def rolls(record):
    return [fact for fact in record.facts if isinstance(fact, Rolled)]


def test_each_entry_takes_the_next_link():
    ana = Page("Ana")
    ledger = shared_ledger(ana)
    first, second = flip(ledger, again=True), flip(ledger)
    assert links(first) == [(ana.chain[-2],)] * 2
    assert links(second) == [(ana.chain[-3],)]
    assert [(asked.purpose, asked.throw) for asked in ana.asked] == [("flip", 1), ("flip", 2)]
    for roll in (*rolls(first), *rolls(second)):
        assert [die.face for die in roll.dice] == [face(KEY, *die, link) for die, link in dice_of(roll)]
    ledger.close_session(at=AT)
    assert findings_of(ledger.store) == []


def test_face_depends_on_the_link():
    shown = {
        str([faces(flip(ledger)) for _ in range(10)])
        for ledger in (shared_ledger(Page("Ana", secret=s)) for s in "abc")
    }
    assert len(shown) == 3


def test_page_that_is_away_or_lies_leaves_the_seed_alone():
    ledger = shared_ledger(Page("Ana"))
    ledger.links = None
    alone = flip(ledger)
    assert links(alone) == [("",)]
    assert faces(alone)["flip"] == (face(KEY, "flip", 1, 0, 2),)
    for lie in ("", "f" * 64, "no link", Page("Ana").chain[-3], Page("Bo").chain[-2]):
        ledger.links = Page("Ana")
        ledger.links.next_link = lambda asked, lie=lie: lie
        assert links(flip(ledger)) == [("",)]
    ledger.close_session(at=AT)
    assert findings_of(ledger.store) == []


def test_undone_line_said_again_keeps_its_link():
    ana = Page("Ana")
    ledger = shared_ledger(ana)
    first = flip(ledger)
    undo(ledger, by="gm", at=AT)
    again = flip(ledger, again=True)  # one die more
    assert links(again) == [(ana.chain[-2],), (ana.chain[-3],)]
    assert faces(again)["flip"] == faces(first)["flip"]
    ledger.close_session(at=AT)
    assert findings_of(ledger.store) == []


def test_undo_passes_over_a_chain():
    ledger = shared_ledger(Page("Ana"))
    flip(ledger)
    ledger.declare(Page("Bo").commits, at=AT)
    assert undo(ledger, by="gm", at=AT).facts[1].entry == "1.2@1"


def test_correction_after_the_close_draws_without_a_link():
    ana = Page("Ana")
    ledger = shared_ledger(ana)
    flip(ledger)
    ledger.close_session(at=AT)
    correction = plan(ledger, {"1.2": replacement(Flip(by="Ana", again=True))})
    _, takes = write_correction(ledger, correction, at=AT, line="amend")
    assert links(takes[0]) == [(ana.chain[-2],), ("",)]
    assert [roll.source for roll in rolls(takes[0])] == ["seed", "revealed"]
    assert findings_of(ledger.store) == []


def test_dice_of_a_session_that_is_not_shared_have_no_links():
    ledger = create_ledger()
    assert links(flip(ledger)) == [msgspec.UNSET]
    assert all(b'"v":3,' in stored.body for stored in ledger.store.read())


@pytest.mark.parametrize(
    "declare",
    [
        pytest.param(say(CommitChain(by="gm", chain="a" * 64, length=1)), id="by the game master"),
        pytest.param(say(CommitChain(by="Ana", chain="a" * 63, length=1)), id="no hash"),
        pytest.param(say(CommitChain(by="Ana", chain="a" * 64, length=0)), id="no link"),
        pytest.param(say(CommitChain(by="Ana", chain="a" * 64, length=10_001)), id="too many links"),
    ],
)
def test_chain_that_cannot_be_is_refused(declare):
    with pytest.raises(Refused, match="L-CHAIN"):
        declare(shared_ledger())


def test_chain_is_refused_where_dice_are_not_shared():
    with pytest.raises(Refused, match="L-CHAIN: the dice of this session are not shared"):
        create_ledger().declare(Page("Ana").commits, at=AT)


@pytest.mark.parametrize("name", FORGED_LINKS)
def test_forged_link_is_found(name):
    """Where takes are hidden, a link that is left out may be one of them."""
    _, _, what, is_seen_with_gaps = FORGED_LINKS[name]
    takes = [take for take in forged_takes(name) if take.session == 1]
    assert any(what in problem for _, problem in link_problems(takes, LEDGER))
    assert any(what in problem for _, problem in link_problems(takes, LEDGER, gaps=True)) == is_seen_with_gaps


@pytest.mark.parametrize("name", FORGED_FIELDS)
def test_forged_field_is_found(name):
    *_, what = FORGED_FIELDS[name]
    takes = [take for take in forged_fields(name) if take.session == 1]
    assert any(what in problem for _, problem in link_problems(takes, LEDGER))
