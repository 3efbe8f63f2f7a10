"""`campaign rulings`."""

from __future__ import annotations

import json

from tests.cli.disputes import fates, unchanged


def test_rulings_are_listed_and_repealed(night):
    cited = night.fine("do", '! rule DB-SKILL-1 "no light needed" "we voted" campaign agreed=Ana,Bo')
    assert "ruling: no light needed (we voted)" in cited
    night.fine("do", '! rule "nobody dies" "it is late" session')
    night.fine("do", "k sneak v4 /7.6")
    assert [line[:5] for line in night.fine("rulings").splitlines() if line[0] != " "] == ["4.7  ", "4.8  "]
    decisions = json.loads(night.fine("rulings", "--json"))
    assert decisions[0] == {
        "entry": "4.7", "text": "no light needed", "because": "we voted", "cites": ["DB-SKILL-1"], "scope": "campaign",
        "agreed": ["Ana", "Bo"], "about": "", "repeals": "", "sets": [], "in_force": True,
        "rules": ["DB-PLAY-7", "DB-SKILL-1"],
    }  # fmt: skip
    shown = "rulings in force\n  4.7 no light needed (campaign: we voted, agreed by Ana, Bo)\n\n"
    assert shown in night.fine("why", "4.9")
    assert "rulings in force" not in night.fine("why", "4.1")
    night.fine("do", '! rule "light is needed" "we tried it" campaign repeals=4.7')
    assert unchanged(night, "do", '! rule "x" "y" repeals=4.7', code=1) == (
        "L-RULING: no ruling of 4.7 is in force. There is: 4.8, 4.10."
    )
    assert unchanged(night, "do", '! rule DB-NONE-1 "x" "y"', code=1) == (
        "L-RULING: DB-NONE-1 is no rule of this book. Look: campaign rules."
    )
    assert night.fine("rulings", "--at", "4.9").count("(campaign)") == 1
    assert "no light needed" not in night.fine("rulings")
    assert "no light needed (campaign, no longer in force)" in night.fine("rulings", "--all")
    night.fine("close")
    night.fine("open", "Five", "--seed", "five")
    assert "nobody dies" not in night.fine("rulings")
    assert shown in night.fine("why", "4.9")
    night.fine("verify")


def test_ruling_shows_what_it_sets(night):
    night.fine("do", '! rule "mail tires" "wet ropes" campaign task.climb.cost=1')
    night.fine("do", "o climb v4 /7.6")
    night.fine("do", "k sneak v4 /7.6")
    assert "      because  wet ropes\n      sets     task.climb.cost=1\n" in night.fine("rulings")
    assert json.loads(night.fine("rulings", "--json"))[0]["sets"] == [["task.climb.cost", 1]]
    why = night.fine("why", "4.8")
    assert "rulings in force\n  4.7 mail tires (campaign: wet ropes)\n" in why
    assert "taken into account\n  mail tires (ruled in 4.7): task.climb.cost=1 [DB-PLAY-7]\n" in why
    assert "mail tires" not in night.fine("why", "4.9")
    demo = json.loads(night.fine("why", "4.9", "--json"))["rulings"][0]
    assert (demo["sets"], demo["bears"]) == ([["task.climb.cost", 1]], False)
    instead = night.fine("whatif", "4.7", "task.climb.cost=3")
    assert "campaign task.climb.cost=3\n" in instead
    assert fates(instead)["4.8"] == "changed"
    night.fine("do", "close")
    assert "judged sums: not the same\n" in night.fine("whatif", "--drop", "4.7")


def test_undone_ruling_is_not_listed(night):
    night.fine("do", '! rule "crates are cover" "a vote" campaign')
    night.fine("undo")
    assert night.fine("rulings") == "no ruling is in force\n"
    assert "crates" not in night.fine("rulings", "--all")
