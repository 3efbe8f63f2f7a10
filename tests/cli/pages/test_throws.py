"""Test dice as they are drawn with what they add up to, and which rules decided an entry."""

from __future__ import annotations

import pytest

from cli.web.pages.entry_sums import deciding_rules
from cli.web.pages.throws import DiceTones, entry_throws, throw_lines
from ledger.facts import BaseFact, Die, Judged, PointsLost, Rolled, Step, Sum
from rulebooks.common.texts import Wording
from tests.cli.pages.test_page import HOSTILE, Parsed

TONES = DiceTones({"dawn": "yellow"}, {"Kess": 3})


def rolled(*faces: int, purpose: str = "p", label: str = "", dropped: int = 0) -> Rolled:
    dice = [
        Die(ordinal=each, sides=12, face=face, label=label, kept=face != dropped) for each, face in enumerate(faces)
    ]
    return Rolled(who="Kess", purpose=purpose, source="seed", dice=tuple(dice))


def steps(start: int, *changes: tuple[str, int]) -> tuple[Sum, ...]:
    """Return a sum of these steps, of which those with `*` multiply."""
    found, now = list[Step](), start
    for number, (op, value) in enumerate(changes):
        now = now * value if op == "*" else now + (value if op == "+" else -value)
        found.append(Step(op=op, value=value, rule=f"X-{number}", because="b", now=now))
    return (Sum(name="s", start=start, steps=tuple(found), total=now),)


def judged(total: int | None, target: int | None = None, **more: object) -> Judged:
    fields = {"what": "climb", "who": "Kess", "result": "success", "rolls": ("p",), "final": True, **more}
    return Judged(total=total, target=target, **fields)


CASES = [
    (rolled(10, 11), judged(21, 9), "10 + 11 = 21 ≥ 9"),
    (rolled(2, 3), judged(5, 9), "2 + 3 = 5 < 9"),
    (rolled(10, 11), judged(21), "10 + 11 = 21"),
    (rolled(4), judged(4, 14, what="reflex"), "4 ≤ 14"),
    (rolled(15), judged(15, 14, what="reflex"), "15 > 14"),
    (rolled(7), judged(7, 9), "7 < 9"),
    (rolled(9), judged(9, 9), "9 ≥ 9"),
    (rolled(9), judged(9, 9, what="reflex"), "9 ≤ 9"),
    (rolled(7), judged(7), "7"),
    (rolled(6), judged(10, sums=steps(6, ("+", 3), ("+", 1))), "6 + 3 + 1 = 10"),
    (rolled(5), judged(6, 4, sums=steps(5, ("+", 3), ("-", 2))), "5 + 3 − 2 = 6 ≥ 4"),
    (rolled(3, 4), judged(9, sums=steps(2, ("+", 3), ("+", 4))), "3 + 4 + 2 = 9"),
    (rolled(3), judged(6, sums=steps(3, ("*", 2))), "3 → 6"),
    (rolled(2), judged(6), "2 → 6"),
    (rolled(2, 2), judged(-1), "2 2 → −1"),
    (rolled(8, 5, dropped=5), judged(8), "8 5"),
    (rolled(1, 9, dropped=1), judged(9, 7), "1 9 ≥ 7"),
    (rolled(9, 5), judged(None), "9 5"),
]


@pytest.mark.parametrize(("roll", "result", "line"), CASES, ids=[line for _, _, line in CASES])
def test_dice_and_their_sum_are_one_line(roll: Rolled, result: Judged, line: str) -> None:
    markup = throw_lines(list(entry_throws([roll, result], [roll], ["reflex"], TONES)))
    assert " ".join(Parsed(str(markup)).text.split()) == line


def test_dice_have_the_colour_of_their_name_or_player() -> None:
    rolls = [rolled(4, label="Dawn"), rolled(5, purpose="q", label=HOSTILE)]
    throws = list(entry_throws(rolls, rolls, [], TONES))
    assert [throw.dice[0].tone for throw in throws] == ["yellow", "hue3"]
    markup = str(throw_lines(throws))
    assert Parsed(markup).attributes("aria-label") == ["Dawn d12: 4", f"{HOSTILE} d12: 5"]


def test_result_with_a_sum_has_the_dice() -> None:
    """The dice of one roll stand once, though two results rest on them."""
    facts = [rolled(4, 6), judged(None, what="omen"), judged(10)]
    assert [(throw.what, throw.total) for throw in entry_throws(facts, facts[:1], [], TONES)] == [("climb", "= 10")]


def test_dice_that_no_result_names_have_their_purpose() -> None:
    facts = [rolled(4, 6), rolled(3, purpose="damage Kess on Rat"), judged(10)]
    throws = list(entry_throws(facts, facts[:2], [], TONES))
    assert [throw.what for throw in throws] == ["climb", "damage"]
    assert "damage" in Parsed(str(throw_lines(throws))).text


def lost(rule: str) -> BaseFact:
    return PointsLost(rules=(rule,), who="Kess", pool="health", points=2, now=3, because="fall")


RULED = judged(7, rules=("A-1", "A-2", "A-3"), sums=steps(1, ("+", 2), ("+", 4), ("+", -9)))


@pytest.mark.parametrize(
    ("facts", "rules"),
    [
        ([judged(None, result="noted", rules=("B-1",)), RULED, lost("C-1")], ("A-1", "X-2", "C-1")),
        ([RULED, judged(None, result="hurt", rules=("B-1", "B-2"))], ("A-1", "X-2", "B-1")),
        ([judged(4, what="omen", rules=("O-1",)), lost("C-1")], ("C-1",)),
        ([judged(4, what="omen", rules=("O-1", "O-2", "O-3"))], ("O-1", "O-2")),
        ([], ()),
    ],
)
def test_three_rules_decide_at_most(facts: list[BaseFact], rules: tuple[str, ...]) -> None:
    assert deciding_rules(facts, Wording(colours={"success": "green"}, effects=("omen",))) == rules
