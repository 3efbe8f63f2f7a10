"""What the players see of one fact of each kind: what its `Hides` says."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.facts import KINDS, BaseFact, Judged, Told, tag
from ledger.redaction.fact_redaction import BY_LINE, SEEN_PARTS, default_values, seen_fact
from ledger.redaction.line_redaction import Hidden, seen_line
from rulebooks.common.texts import Wording
from tests.budget import BUDGET
from tests.ledger.test_facts import any_of

EXAMPLES = BUDGET.examples(2, 10)
HIDDEN = Hidden(
    beings={"Thug"}, conditions=set(), keys={"thug"}, vitals={}, vital="health", kinds={}, wording=Wording()
)
MARK = "marked"


def test_every_kind_seen_in_part_has_a_rule_for_it() -> None:
    assert {kind for kind in KINDS if kind.hides.part} == {*SEEN_PARTS, *BY_LINE}


@pytest.mark.quick_rows(8)
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in BY_LINE], ids=tag)
@settings(max_examples=EXAMPLES)
@given(data=st.data())
def test_seen_fact_keeps_only_open_fields_of_a_hidden_owner(kind: type[BaseFact], data: st.DataObject) -> None:
    fact = data.draw(any_of(kind))
    if kind.hides.owner:
        fact = msgspec.structs.replace(fact, **{kind.hides.owner: "Thug"})
    seen: Any = seen_fact(fact, HIDDEN)
    blank = kind.hides.always | kind.hides.own
    if seen is None:
        assert kind.hides.part or not blank <= default_values(kind).keys()
    else:
        assert all(getattr(seen, name) == default_values(kind)[name] for name in blank)
        assert all(getattr(seen, name) == getattr(fact, name) for name in kind.hides.open)


@pytest.mark.quick_rows(6)
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in BY_LINE and not kind.hides.part], ids=tag)
@settings(max_examples=EXAMPLES)
@given(data=st.data())
def test_fact_of_somebody_known_is_seen_but_for_notes(kind: type[BaseFact], data: st.DataObject) -> None:
    fact = data.draw(any_of(kind))
    seen: Any = seen_fact(fact, msgspec.structs.replace(HIDDEN, beings=()))
    assert seen is not None
    assert all(getattr(seen, name) == getattr(fact, name) for name in kind.hides.open | kind.hides.own)


def test_secret_text_is_not_seen() -> None:
    assert seen_fact(Told(kind="fiction", by="gm", text=MARK, seen="gm"), HIDDEN) is None


def test_kinds_by_line_have_nothing_of_an_owner() -> None:
    assert Judged in BY_LINE
    assert not [kind for kind in BY_LINE if kind.hides.own or kind.hides.always]


@pytest.mark.parametrize(
    ("line", "seen"),
    [
        ("the first thug loses two health, he trips", "the first thug loses … health, he trips"),
        ("Kess sneaks past the guard, difficulty twenty-four", "Kess sneaks past the guard, difficulty …"),
        ("Thug 1 drops to half a dozen, twice", "Thug 1 drops to … a …, …"),
        ("Seven-Fingered Jack loses a point of health", "Seven-Fingered Jack loses … point of health"),
    ],
)
def test_numbers_in_words_are_left_out_of_a_seen_line(line: str, seen: str) -> None:
    assert seen_line(line, ["Thug 1", "Seven-Fingered Jack"]) == seen
