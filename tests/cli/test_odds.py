"""`campaign odds`."""

from __future__ import annotations


def test_odds_without_dice_list_the_changes(night):
    nothing = "no result depends on dice, and no value changes\n"
    assert night.run("odds", "# the tide") == nothing
    assert night.run("odds", "--full", "# the tide") == f"# the tide\n{nothing}"
    assert night.run("odds", '! damage kess 3 "a slate"') == "on average kess.health 15 > 13.00\n"
    printed = night.run("odds", "--full", '! damage kess 3 "a slate"').splitlines()
    assert [line.rstrip() for line in printed if "damage" in line] == [printed[0], "damage hurt  1 of 1 (100%)"]
    assert "kess.health" in printed[-1]


def test_odds_write_situations_behind_their_sign(demo):
    assert demo.run("odds", "--full", "k dodge v4 +cover").startswith("Kess dodge v4 +cover\n")


def test_odds_are_the_chance_of_success_at_each_level(demo):
    assert demo.run("odds", "k sneak v5") == "e0 62 %  e1 81 %  e2 93 %  e3 99 %\n"


def test_odds_without_levels_list_the_results(fight_folder):
    told = fight_folder.run("odds", "a wound").split("  ")
    assert [word for word in ("winded", "light", "moderate") if any(each.startswith(word) for each in told)]
    assert sum(int(each.split()[-2]) for each in told) in range(97, 104)  # each is rounded
