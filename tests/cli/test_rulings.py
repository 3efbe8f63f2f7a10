"""`campaign rulings`."""

from __future__ import annotations

import json

import pytest

from tests.cli.disputes import outcomes, unchanged


@pytest.mark.slow
def test_rulings_are_listed_and_repealed(night):
    cited = night.run("do", '! rule DB-SKILL-1 "no light needed" "we voted" campaign agreed=Ana,Bo')
    assert "ruling: no light needed (we voted, for the campaign)" in cited
    night.run("do", '! rule "nobody dies" "it is late" session')
    night.run("do", "k sneak v4 /7.6")
    assert [line[:5] for line in night.run("rulings").splitlines() if line[0] != " "] == ["4.7  ", "4.8  "]
    decisions = json.loads(night.run("rulings", "--json"))
    assert decisions[0] == {
        "entry": "4.7", "text": "no light needed", "because": "we voted", "cites": ["DB-SKILL-1"], "scope": "campaign",
        "agreed": ["Ana", "Bo"], "about": "", "repeals": "", "sets": [], "in_force": True,
        "rules": ["DB-PLAY-7", "DB-SKILL-1"],
    }  # fmt: skip
    shown = "rulings in force\n  4.7 no light needed (campaign: we voted, agreed by Ana, Bo)\n\n"
    assert shown in night.run("why", "4.9")
    assert "rulings in force" not in night.run("why", "4.1")
    night.run("do", '! rule "light is needed" "we tried it" campaign repeals=4.7')
    assert unchanged(night, "do", '! rule "x" "y" repeals=4.7', code=1) == (
        "L-RULING: no ruling of 4.7 is in force. There is: 4.8, 4.10."
    )
    assert unchanged(night, "do", '! rule DB-NONE-1 "x" "y"', code=1) == (
        "L-RULING: DB-NONE-1 is not a rule of this book. List them: campaign rules."
    )
    assert night.run("rulings", "--at", "4.9").count("(campaign)") == 1
    assert "no light needed" not in night.run("rulings")
    assert "no light needed (campaign, no longer in force)" in night.run("rulings", "--all")
    night.run("close")
    night.run("open", "Five", "--seed", "five")
    assert "nobody dies" not in night.run("rulings")
    assert shown in night.run("why", "4.9")
    night.run("verify")


@pytest.mark.slow
def test_ruling_shows_what_it_sets(night):
    night.run("do", '! rule "mail tires" "wet ropes" campaign task.climb.cost=1')
    night.run("do", "o climb v4 /7.6")
    night.run("do", "k sneak v4 /7.6")
    assert "      because  wet ropes\n      sets     task.climb.cost=1\n" in night.run("rulings")
    assert json.loads(night.run("rulings", "--json"))[0]["sets"] == [["task.climb.cost", 1]]
    why = night.run("why", "4.8")
    assert "rulings in force\n  4.7 mail tires (campaign: wet ropes)\n" in why
    assert "taken into account\n  mail tires (ruled in 4.7): task.climb.cost=1 [DB-PLAY-7]\n" in why
    assert "mail tires" not in night.run("why", "4.9")
    demo = json.loads(night.run("why", "4.9", "--json"))["rulings"][0]
    assert (demo["sets"], demo["bears"]) == ([["task.climb.cost", 1]], False)
    instead = night.run("whatif", "4.7", "task.climb.cost=3")
    assert "campaign task.climb.cost=3\n" in instead
    assert outcomes(instead)["4.8"] == "changed"
    night.run("do", "close")
    assert "Orrin might  15         16\n" in night.run("whatif", "--drop", "4.7")


@pytest.mark.slow
def test_undone_ruling_is_not_listed(night):
    night.run("do", '! rule "crates are cover" "a vote" campaign')
    night.run("undo")
    assert night.run("rulings") == "no ruling is in force\n"
    assert "crates" not in night.run("rulings", "--all")


def test_ruling_says_how_long_it_holds(folder):
    assert folder.run("do", '! rule "salt burns" "we voted" session').endswith("(we voted, for the session)\n")
    done = folder.invoke("do", '! rule "salt burns" "we voted"')
    assert "holds for this moment: with session or campaign at the end of its line it holds longer" in done.stderr
    folder.run("do", '! rule "salt burns" "we voted" campaign')
