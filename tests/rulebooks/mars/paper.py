"""A model of MARS on paper for the random fights: it reads facts only, and calls no rule of ours.

It knows pools, action points, the order of the teams, the sums of rolls, the grade of a margin, what damage takes, and
when somebody goes down, by a few lines of its own.
"""

from __future__ import annotations

from typing import Any

from ledger.facts import (
    ActionSpent,
    Allowed,
    ConditionBegan,
    ConditionEnded,
    EncounterBegan,
    EncounterEnded,
    Fact,
    Joined,
    Judged,
    OptionSet,
    OrderSet,
    PointsLost,
    PointsRegained,
    PointsSpent,
    PoolSet,
    Reached,
    Rolled,
    SheetChanged,
)
from ledger.records import Record

OUT = ("absent", "dead", "defeated", "surprised")


class Paper:
    """The model: `pools`, `holds`, `ap` and the options, worked out fact by fact."""

    def __init__(self) -> None:
        self.pools: dict[tuple[str, str], int] = {}
        self.most: dict[tuple[str, str], int | None] = {}
        self.holds: dict[str, tuple[str, str]] = {}  # whose a condition is and its name, by its id
        self.ap: dict[str, int] = {}
        self.options: dict[str, Any] = {}
        self.sheets: dict[str, dict[str, Any]] = {}
        self.order: list[tuple[str, tuple[str, ...]]] = []
        self.done: list[str] = []
        self.attacks: dict[str, int] = {}
        self.owed: dict[str, int] = {}  # damage that has still to be taken off somebody's pools
        self.turn, self.has_turns = "", True

    def has(self, who: str, *names: str) -> bool:
        return any((who, name) in self.holds.values() for name in names)

    def read(self, record: Record) -> None:
        """Work out what an entry did, and check its judgements."""
        kept: dict[str, int] = {}
        hurt = set[str]()
        for fact in record.facts:
            if isinstance(fact, Rolled):
                assert all(1 <= die.face <= die.sides for die in fact.dice)
                kept[fact.purpose] = sum(die.face for die in fact.dice if die.kept)
            elif isinstance(fact, Judged):
                self.check_judgement(fact, kept)
                hurt |= {fact.against} if fact.what == "damage" else set()
            else:
                self.follow(fact)
        assert not any(self.owed.values()), self.owed
        for who in hurt:
            if self.pools[who, "endurance"] == 0 and self.pools[who, "health"] <= 0:
                assert self.has(who, "unconscious", "dead"), who

    def follow(self, fact: Fact) -> None:
        """Follow one fact that changes something."""
        match fact:
            case Joined():
                self.sheets[fact.who] = dict(fact.sheet)
            case SheetChanged():
                self.sheets[fact.who][fact.key] = fact.now
            case OptionSet():
                self.options[fact.name] = fact.now
            case PoolSet():
                self.pools[fact.who, fact.pool], self.most[fact.who, fact.pool] = fact.now, fact.most
            case PointsSpent():
                self.change(fact.who, fact.pool, -fact.points)
            case PointsRegained():
                self.change(fact.who, fact.pool, fact.points)
            case PointsLost():
                self.lose(fact)
            case ConditionBegan():
                self.holds[fact.id] = (fact.who, fact.name)
            case ConditionEnded():
                del self.holds[fact.id]
            case _:
                self.follow_encounter(fact)

    def change(self, who: str, pool: str, points: int) -> None:
        self.pools[who, pool] += points
        most = self.most[who, pool]
        assert most is None or self.pools[who, pool] <= most
        assert pool == "health" or self.pools[who, pool] >= 0

    def lose(self, fact: PointsLost) -> None:
        """Take points; those that damage takes come off endurance first."""
        owed = self.owed.get(fact.who, 0)
        if owed and fact.pool in ("endurance", "health"):
            assert fact.pool == "endurance" or self.pools[fact.who, "endurance"] == 0
            assert fact.points <= owed
            self.owed[fact.who] = owed - fact.points
        self.change(fact.who, fact.pool, -fact.points)

    def follow_encounter(self, fact: Fact) -> None:
        """Follow turns and rounds, and check whose slot it is."""
        match fact:
            case EncounterBegan():
                self.order, self.done, self.turn, self.attacks = [], [], "", {}
                self.has_turns = fact.scale != "challenge"
            case OrderSet():
                self.order = [(slot.slot, slot.who) for slot in fact.slots]
            case EncounterEnded():
                self.order, self.turn, self.ap = [], "", {}
            case Allowed():
                self.ap.update({who: dict(fact.actions).get("ap", self.ap.get(who, 0)) for who in fact.who})
            case ActionSpent() if fact.action == "ap":
                self.ap[fact.who] -= fact.cost
                assert self.ap[fact.who] == fact.left >= 0
            case Reached(point="slot"):
                self.check_slot(fact.who)
                self.turn, self.attacks = fact.who, {}
            case Reached(point="slot_end"):
                self.done.append(fact.who)
                self.turn = ""
            case Reached(point="round"):
                self.done = []

    def check_slot(self, who: str) -> None:
        """Check that the teams take turns, and that one with nobody left is passed over."""
        teams = [team for team, members in self.order if any(self.waits(member) for member in members)]
        every = [team for team, _ in self.order]
        last = next((every.index(team) for team, members in self.order if self.done and self.done[-1] in members), -1)
        turns = every[last + 1 :] + every[: last + 1]
        expected = next(team for team in turns if team in teams)
        assert who in dict(self.order)[expected], (who, expected, self.done)
        assert who not in self.done

    def waits(self, who: str) -> bool:
        return who not in self.done and not self.has(who, *OUT)

    def check_judgement(self, fact: Judged, kept: dict[str, int]) -> None:
        """Check the sums and the grade of a judgement; note the damage that has to follow."""
        for added in fact.sums:
            value = added.start
            for step in added.steps:
                change = {"+": step.value, "-": -step.value}.get(step.op)
                value = step.now if change is None else value + change
                assert value == step.now, (fact.what, added)
            assert value == added.total, (fact.what, added)
        if fact.margin is not None:
            self.check_grade(fact)
        if fact.what == "attack":
            rolled = sum(kept[purpose] for purpose in fact.rolls if purpose.startswith(f"attack {fact.who}"))
            assert fact.sums[0].start == rolled
            self.check_penalty(fact)
        if fact.what == "damage":
            assert fact.total is not None
            assert fact.total >= 1
            self.owed[fact.against] = fact.total

    def check_grade(self, fact: Judged) -> None:
        """Check the grade of a margin; an evasion or a parry makes a graze a miss."""
        assert fact.total is not None
        assert fact.target is not None
        assert fact.margin == fact.total - fact.target
        critical, graze = int(self.options.get("critical_margin", 7)), int(self.options.get("graze_margin", 7))
        grade = "critical" if fact.margin >= critical else "hit" if fact.margin >= 0 else "graze"
        grade = "fail" if fact.margin <= -graze else grade
        if {"GR-EVD-2", "GR-PAR-2"} & set(fact.rules) and grade == "graze":
            grade = "fail"
        if "GR-OUT-17" not in fact.rules:
            assert fact.result == grade, fact

    def check_penalty(self, fact: Judged) -> None:
        """Check the 5 for each earlier attack of the turn; reactions neither have the penalty nor count."""
        penalty = sum(step.value for added in fact.sums for step in added.steps if step.rule == "GR-ATK-5")
        before = 0 if "GR-ATK-6" in fact.rules else self.attacks.get(fact.who, 0)
        assert abs(penalty) == 5 * before, (fact.who, penalty, self.attacks)
        if "GR-ATK-6" not in fact.rules and self.has_turns:
            self.attacks[fact.who] = before + 1
