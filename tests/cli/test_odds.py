"""`campaign odds`."""

from __future__ import annotations


def test_odds_without_dice_list_the_changes(night):
    assert night.run("odds", "# the tide") == "# the tide\nno result depends on dice, and no value changes\n"
    printed = night.run("odds", '! damage kess 3 "a slate"').splitlines()
    assert [line.rstrip() for line in printed if "damage" in line] == [printed[0], "damage hurt  1 of 1 (100%)"]
    assert "kess.health" in printed[-1]


def test_odds_write_situations_behind_their_sign(demo):
    assert demo.run("odds", "k dodge v4 +cover").startswith("Kess dodge v4 +cover\n")
