"""Every kind of fact that is coded moves the fold, or is told."""

from __future__ import annotations

import re

import pytest

from ledger import facts
from ledger.facts import (
    KINDS,
    UNFOLDED,
    BaseFact,
    CampaignCreated,
    Die,
    Ends,
    SessionClosed,
    SessionOpened,
    Step,
    Sum,
    WordsAdded,
    tag,
)
from projections.projection import EVOLVE

GROUND_FOLDS = {CampaignCreated, SessionOpened, WordsAdded, SessionClosed}


@pytest.mark.parametrize("kind", KINDS, ids=tag)
def test_a_kind_moves_a_fold_or_is_told_and_never_neither(kind: type[BaseFact]) -> None:
    assert (kind in EVOLVE or kind in GROUND_FOLDS) + (kind in UNFOLDED) == 1


def test_the_table_of_kinds_in_the_docstring_is_the_code() -> None:
    """`Kind(field, ...)` for every coded kind; kinds in [brackets] are not coded yet."""
    text = facts.__doc__ or ""
    waiting = set(re.findall(r"([A-Z]\w+)\(", " ".join(re.findall(r"\[[^\]]*\]", text))))
    told = {name: tuple(fields.split(", ")) for name, fields in re.findall(r"([A-Z]\w+)\(([a-z_, ]+)\)", text)}
    coded = {kind.__name__: kind.__struct_fields__ for kind in (*KINDS, Die, Ends, Step, Sum)}
    assert not waiting & set(coded)
    for name, fields in coded.items():
        assert sorted(told[name]) == sorted(field for field in fields if field != "rules"), name
