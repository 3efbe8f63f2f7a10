"""A paper model of a fight: the cycle as somebody with a pencil follows it.

It reads facts only and knows the rules of the cycle by its own few lines; it calls no rule of the game.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

from ledger.facts import (
    ActionSpent,
    Allowed,
    BaseFact,
    ConditionBegan,
    ConditionEnded,
    EncounterBegan,
    EncounterEnded,
    Ends,
    OrderSet,
    PointsLost,
    PointsRegained,
    PoolSet,
    Reached,
    WoundChanged,
    Wounded,
)

# From the sheets and the book, by hand.
PCS = ("Ash", "Bryn", "Cole")
FOES = ("thug", "captain")
ALL = (*PCS, *FOES)
HEALTH = {"Ash": 10, "Bryn": 14, "Cole": 16, "thug": 6, "captain": 10}
SPEED = {"Ash": 10, "Bryn": 14, "Cole": 16}
HALF = {6: 3, 10: 5, 14: 7, 16: 8}
OF_A_FIGHT = ("slot", "turn", "round", "encounter")


@dataclass
class Cycle:
    """The cycle of an encounter, followed fact by fact."""

    running: bool = False
    scale: str = ""
    round: int = 0
    phase: str = ""
    phases: list[str] = field(default_factory=list)
    order: list[tuple[str, int | None, bool]] = field(default_factory=list)  # place, score, somebody in it
    up: list[str] = field(default_factory=list)  # places that have come up in this phase
    over: list[str] = field(default_factory=list)  # and are over
    acted: list[str] = field(default_factory=list)  # whose action slot of this round is over
    last: tuple[str, str] = ("", "")  # the last point: its kind, and whose
    here: list[str] = field(default_factory=list)  # what must end before the next point
    effects: dict[str, tuple[Ends, ...]] = field(default_factory=dict)
    spent: set[tuple[str, str]] = field(default_factory=set)
    may: set[str] = field(default_factory=set)  # who got actions in this round: not who joined late
    out: set[str] = field(default_factory=set)
    critical: dict[tuple[str, str], bool] = field(default_factory=dict)
    in_force: dict[tuple[str, str], bool] = field(default_factory=dict)
    lost: dict[str, int] = field(default_factory=dict)  # the last round whose turn a stun costs
    rising: set[str] = field(default_factory=set)
    health: dict[str, int] = field(default_factory=lambda: dict(HEALTH))
    members: tuple[str, ...] = ()  # those that it began with and that are still there

    def read(self, facts: tuple[BaseFact, ...]) -> None:
        for fact in facts:
            reader = getattr(self, f"_{type(fact).__name__.lower()}", None)
            if reader:
                reader(fact)
        self._nothing_overdue()

    def _nothing_overdue(self) -> None:
        """DB-DUR-1: before anybody acts, and before the cycle goes on."""
        assert not [id for id in self.here if id in self.effects], (self.last, self.here)

    def able(self, who: str) -> bool:
        """Return whether somebody can use a slot."""
        there = [inside for place, _, inside in self.order if place == who]
        critical = any(hurt and self.in_force[wound] for wound, hurt in self.critical.items() if wound[0] == who)
        return all(there) and who not in self.out and not critical and self.lost.get(who, 0) < self.round

    def _encounterbegan(self, fact: EncounterBegan) -> None:
        assert not self.running
        self.running, self.scale, self.round, self.order = True, fact.scale, 0, []
        self.lost, self.phase, self.up, self.over, self.acted = {}, "", [], [], []

    def _orderset(self, fact: OrderSet) -> None:
        self.order = [(slot.slot, slot.score, bool(slot.who)) for slot in fact.slots]
        if self.scale == "combat":
            scored = [(place, score) for place, score, _ in self.order if score is not None]
            for (first, higher), (second, lower) in itertools.pairwise(scored):
                assert higher >= lower
                if higher == lower:  # characters first, of these the quicker
                    assert (first in PCS, SPEED.get(first, 0)) >= (second in PCS, SPEED.get(second, 0))

    def _reached(self, fact: Reached) -> None:
        self._nothing_overdue()
        assert self.running
        self.here = []
        match fact.point:
            case "round":
                assert fact.round == self.round + 1
                self.round, self.phases, self.acted, self.spent, self.may = fact.round, [], [], set(), set()
                self.up, self.over, self.phase = [], [], ""
            case "phase":
                assert fact.phase == ("movement", "action")[len(self.phases)]
                self.phase, self.up, self.over = fact.phase, [], []
                self.phases.append(fact.phase)
            case "slot" | "skipped" | "handed":
                self._came_up(fact)
            case "slot_end":
                self._is_over(fact.who)
            case "resumed":
                assert fact.who in self.up
                assert fact.who not in self.over
            case "reordered":
                assert self.phase == "movement"
                self.up = list(self.over)
            case "phase_end":
                assert {place for place, _, _ in self.order} <= set(self.over)
            case "round_end":
                self.here = self._due("round")
        if fact.point not in ("slot_end", "resumed"):
            self.last = (fact.point, fact.who)

    def _came_up(self, fact: Reached) -> None:
        """Check that every place comes up once, in its turn, except interrupts and late joiners."""
        assert (fact.round, fact.phase) == (self.round, self.phase)
        assert fact.who not in self.up, "twice"
        late = "DB-GAP-63" in fact.rules
        if fact.point != "handed" and not late:
            places = [place for place, _, _ in self.order]
            walk = places if self.phase == "action" else places[::-1]
            assert set(walk[: walk.index(fact.who)]) <= set(self.over), "before its turn"
        assert late or self.able(fact.who) == (fact.point != "skipped"), (fact, self.lost)
        self.up.append(fact.who)
        self.here = self._due("slot", fact.who)
        if fact.point == "skipped":
            self._is_over(fact.who)
        elif fact.who in self.rising:
            self.here.append(f"rising {fact.who}")

    def _is_over(self, who: str) -> None:
        assert who in self.up
        assert who not in self.over
        self.over.append(who)
        if self.phase == "action":
            self.acted.append(who)

    def _due(self, at: str, whose: str = "") -> list[str]:
        """DB-DUR-1 to 3: the conditions that end here."""
        return [
            id
            for id, ends in self.effects.items()
            for end in ends
            if end.at == at and end.due <= self.round and (end.whose, end.phase) == (whose, self.phase if whose else "")
        ]

    def _conditionbegan(self, fact: ConditionBegan) -> None:
        self.effects[fact.id] = fact.ends
        if fact.name in ("dead", "incapacitated"):
            self.out.add(fact.who)
        if fact.name == "rising":
            self.rising.add(fact.who)
        if fact.name == "stunned" and self._inside(fact.who):
            over = fact.who in self.acted and f"delayed {fact.who}" not in self.effects
            turn = max(self.round, 1) + (over and self.scale == "combat")
            acted = fact.who not in self.may or (fact.who, "action") in self.spent
            if self.scale != "combat" and self.round and acted:  # before the first round nobody has acted
                turn += 1
            self.lost[fact.who] = max(turn, self.lost.get(fact.who, 0))
            assert [end.due for end in fact.ends] == [self.lost[fact.who]]
        if fact.name == "defending":
            assert fact.ends == (Ends(at="slot", whose=fact.who, phase="movement", due=self.round + 1),)
        if fact.name in ("charging", "delayed"):
            assert fact.ends == (Ends(at="round", due=self.round),)

    def _inside(self, who: str) -> bool:
        return self.running and (who in self.members or who in [place for place, _, inside in self.order if inside])

    def _conditionended(self, fact: ConditionEnded) -> None:
        ends = self.effects.pop(fact.id)
        self.here = [id for id in self.here if id != fact.id]  # one that begins again in this slot does not end in it
        if fact.name == "rising":
            self.rising.discard(fact.who)
        if fact.because != "due":
            if fact.name == "stunned":  # by a ruling: the turn is not lost after all
                self.lost.pop(fact.who, None)
            return
        for end in ends:
            if end.at == "slot":
                assert (self.last[1], self.phase) == (end.whose, end.phase), (fact, self.last)
                assert self.last[0] in ("slot", "skipped", "handed")
                assert end.due <= self.round
            if end.at == "round":
                assert self.last[0] == "round_end"
                assert end.due <= self.round

    def _encounterended(self, fact: EncounterEnded) -> None:
        self._nothing_overdue()
        assert not [id for id, ends in self.effects.items() if any(end.at in OF_A_FIGHT for end in ends)]
        assert all(self.in_force.values())
        self.running, self.order, self.members, self.lost = False, [], (), {}

    def _wounded(self, fact: Wounded) -> None:
        self.critical[fact.who, fact.wound] = fact.kind == "critical"
        self.in_force[fact.who, fact.wound] = fact.in_force
        assert fact.in_force == (not self._inside(fact.who))

    def _woundchanged(self, fact: WoundChanged) -> None:
        self.critical[fact.who, fact.wound] = fact.kind == "critical"
        self.in_force[fact.who, fact.wound] = fact.in_force
        if not fact.value:
            del self.critical[fact.who, fact.wound], self.in_force[fact.who, fact.wound]

    def _actionspent(self, fact: ActionSpent) -> None:
        """DB-ACTN-1: at most one of each in a round."""
        self._nothing_overdue()
        assert (fact.who, fact.action) not in self.spent
        self.spent.add((fact.who, fact.action))

    def _allowed(self, fact: Allowed) -> None:
        self.may.update(fact.who)
        for who in fact.who:
            for action, number in fact.actions:
                assert not number or (who, action) not in self.spent

    def _poolset(self, fact: PoolSet) -> None:
        if fact.pool == "health":
            self.health[fact.who] = fact.now

    def _pointslost(self, fact: PointsLost) -> None:
        if fact.pool == "health":
            self.health[fact.who] = fact.now

    def _pointsregained(self, fact: PointsRegained) -> None:
        if fact.pool == "health":
            self.health[fact.who] = fact.now
            if "DB-ZERO-4" in fact.rules:
                assert fact.now == 1
