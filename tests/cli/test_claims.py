"""Claims behind a line."""

from __future__ import annotations

import json

import pytest

from tests.cli.disputes import unchanged


def test_claims_are_compared_and_change_nothing(night):
    night.run("do", "k leap v4 /7.6 => success 13, kess.destiny 4, k 15")
    printed = night.run("do", "k climb v4 /7.6 => failure, k 14")
    assert "Kess health 14: the ledger says 15" in printed
    assert "or adjust it:  campaign do 'kess health -1 \"...\"'" in printed
    night.run("do", 'kess health -1 "a slate"')
    report = json.loads(night.run("replay", "--json"))
    assert report["differences"] == []
    assert {claim["value"] for claim in report["claims"]} == {"outcome.failure", "kess.health"}
    assert set(report["claims"][0]) == {"entry", "value", "claimed", "actual"}


def test_claim_needs_no_space_behind_its_mark(night):
    assert "success 13: agreed" in night.run("do", "k leap v4 /7.6 =>success 13")


@pytest.mark.quick_rows(3)
@pytest.mark.parametrize("claim", ["=>", "=> ,", "=> 3", "=> banana split", "=> hit 2,,", '=> "', "=> \x07"])
def test_empty_claims_are_wrong_usage(night, claim):
    unchanged(night, "do", f"k climb v4 {claim}", code=2)
