"""Fights played at random, checked against a paper model: slots, ends of conditions, lost turns."""

from __future__ import annotations

import copy
from contextlib import suppress
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from ledger.acts import written_before
from ledger.corrections.undo import undo
from ledger.declarations import Declaration, Ruling
from ledger.errors import BadFaces, Refused
from ledger.facts import GM, ActionSpent, ConditionBegan, Ends, PointsLost
from ledger.ledger_state import load_state
from ledger.memory_store import MemoryStore
from ledger.records import EMPTY, decode
from projections.projection import StateProjection
from rulebooks.common.encounters import LeaveEncounter, PassOn
from rulebooks.dusk_bastards.declarations import combat, harm, turns
from rulebooks.dusk_bastards.declarations.parts import Change, Cost, Effect, Use
from rulebooks.dusk_bastards.declarations.tasks import Attempt, Close, SpendDestiny
from rulebooks.dusk_bastards.declarations.world import AdvanceTime
from tests.rulebooks.dusk_bastards.paper import ALL, FOES, HALF, HEALTH, PCS, Cycle
from tests.rulebooks.dusk_bastards.seat import AT, Seat, check_bounds

FACE = st.integers(1, 12)
DICE = st.tuples(FACE, FACE)
LOW = st.sampled_from([(1, 2), (2, 1), (3, 3), (6, 5), (9, 9)])
WHO = st.sampled_from(ALL)
PC = st.sampled_from(PCS)
FOE = st.sampled_from(FOES)
HEX = st.tuples(st.sampled_from(ALL), st.sampled_from(["movement", "action"]), st.integers(1, 4))


class Fights(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.steps = 0

    @initialize(
        hexes=st.lists(HEX, max_size=5),
        wounds=st.lists(st.tuples(PC, st.sampled_from([1, 2, 4, 4, 6, 8])), max_size=2, unique_by=lambda pair: pair[0]),
        low=st.booleans(),
    )
    def begin(self, hexes: list[tuple[str, str, int]], wounds: list[tuple[str, int]], low: bool) -> None:
        """Begin with effects anchored to anybody, with wounds, and perhaps with all near 0 health."""
        facts = tuple(
            ConditionBegan(
                id=f"hex {number}",
                who="Ash",
                name="hex",
                ends=(Ends(at="slot", whose=whose, phase=phase, due=due),),
            )
            for number, (whose, phase, due) in enumerate(hexes)
        )
        given: dict[str, Any] = {who: {"sheet": {"wounds": [value]}} for who, value in wounds}
        self.seat = Seat(*ALL, facts=facts, doom=2, **given)
        self.paper = Cycle()
        self.paper.effects = {fact.id: fact.ends for fact in facts}
        self.paper.health = {who: self.seat.points(who, "health") for who in ALL}
        for key, wound in self.seat.state.wounds.items():
            self.paper.critical[key], self.paper.in_force[key] = wound.kind == "critical", True
        self.before: list[Cycle] = []
        if low:
            for who in (*PCS, "captain"):
                health = self.seat.points(who, "health")
                if health > 2:
                    self._say(harm.Damage(by=GM, target=who, amount=health - 2, ambient=True))

    def _say(self, said: Declaration, *faces: int) -> bool:
        """Declare, and follow it on paper; a refusal leaves no trace, and depends on no face."""
        self.seat.check_faces_decide_no_refusal(said)
        self.seat.check_left_over_faces_are_refused(said)
        before = self.seat.snapshot()
        try:
            record = self.seat.ledger.declare(said, at=AT, faces=faces or None)
        except (Refused, BadFaces) as refusal:
            assert self.seat.snapshot() == before
            self.refusal = refusal
            return False
        self.before.append(copy.deepcopy(self.paper))
        if isinstance(said, turns.StartEncounter):
            self.paper.members = said.participants
        if isinstance(said, LeaveEncounter):
            self.paper.members = tuple(who for who in self.paper.members if who != said.who)
        passes = written_before(self.seat.store, record)
        spent = [fact for each in passes for fact in each.facts if isinstance(fact, ActionSpent)]
        assert {fact.action for fact in spent if fact.outcome == "passed"} <= {"bonus"}  # no main action, and no move
        for each in (*passes, record):
            self.paper.read(each.facts)
        return True

    @property
    def turn(self) -> str:
        encounter = self.seat.state.encounter
        return encounter.turn if encounter else ""

    def _due(self) -> list[tuple[str, str]]:
        """DB-WOUND-11: bearer and roller, in the order in which they came due; those of one entry by name."""
        windows = [
            (w.opened, len(name), name, w) for name, w in self.seat.state.windows.items() if w.kind == "wound due"
        ]
        return [(window.who, window.awaits[0]) for *_, window in sorted(windows)]

    @precondition(lambda self: not self.seat.state.encounter)
    @rule(
        scale=st.sampled_from(["combat"] * 5 + ["exploration"]),
        who=st.lists(WHO, min_size=2, unique=True).map(tuple),
    )
    def start(self, scale: Any, who: tuple[str, ...]) -> None:
        alive = tuple(name for name in who if name not in self.paper.out)
        if alive:
            self._say(turns.StartEncounter(by=GM, scale=scale, participants=alive))

    @precondition(lambda self: self.seat.state.encounter and not self._due())
    @rule(dice=st.lists(DICE, min_size=5, max_size=5))
    def roll(self, dice: list[tuple[int, int]]) -> None:
        """Roll for everybody who has no place yet."""
        for who, faces in zip(PCS, dice, strict=False):
            self._say(turns.Initiative(by=who), *faces)
        self._say(Close(by=GM))

    @precondition(lambda self: self.turn)
    @rule(what=st.sampled_from(["rest", "rest", "rest", "standard", "bonus", "move"]))
    def pass_on(self, what: Any) -> None:
        self._say(Close(by=GM))
        if self.turn:
            assert self._say(turns.Pass(by=self.turn, what=what)) or what != "rest" or self._due()

    @precondition(lambda self: self.turn)
    @rule()
    def pass_for_all_of_the_phase(self) -> None:
        encounter = self.seat.state.encounter
        assert encounter
        at = encounter.round, encounter.phase
        if self._say(PassOn(by=GM)):
            now = self.seat.state.encounter
            assert now is None or (now.round, now.phase) != at or not now.turn or self.seat.state.windows

    @precondition(lambda self: self.turn)
    @rule(times=st.integers(2, 8))
    def pass_on_and_on(self, times: int) -> None:
        for _ in range(times):
            if self.turn:
                self._say(turns.Pass(by=self.turn))

    @precondition(lambda self: self.turn)
    @rule(
        who=st.one_of(st.none(), st.none(), st.none(), WHO),
        what=st.sampled_from(["move", "short", "charge", "defend", "delay", "deed", "quick", "attack", "attempt"]),
        other=WHO,
        dice=DICE,
        effort=st.sampled_from([0, 0, 1]),
    )
    def act(self, who: str | None, what: str, other: str, dice: tuple[int, int], effort: int) -> None:
        by = who or self.turn
        foe = other if other in FOES else "thug"
        said: dict[str, Declaration] = {
            "move": turns.Move(by=by),
            "short": turns.Move(by=by, distance="short", effort=effort),
            "charge": turns.Charge(by=by, target=other),
            "defend": turns.FullDefence(by=by),
            "delay": turns.Delay(by=by),
            "deed": turns.Deed(by=by, text="a deed"),
            "quick": turns.QuickDeed(by=by, text="a shout"),
            "attack": combat.Attack(by=by, target=foe, stat="might", damage=5, effort=effort),
            "attempt": Attempt(by=by, stat="speed", difficulty=3, effort=effort),
        }
        rolls = by in PCS and what in ("move", "short", "attack", "attempt")
        self._say(said[what], *(dice if rolls else ()))

    @rule(
        who=PC,
        foe=FOE,
        dice=LOW,
        slot=st.sampled_from(["standard", "standard", "none", "reaction"]),
        wound=st.sampled_from([False] * 5 + [True]),
        close=st.booleans(),
    )
    def defend(self, who: str, foe: str, dice: tuple[int, int], slot: Any, wound: bool, close: bool) -> None:
        source = self.turn if self.turn in FOES else foe
        if self._say(combat.Defence(by=who, source=source, npc_slot=slot, wound=wound), *dice) and close:
            self._say(Close(by=GM))

    # Reactions, spells, abilities, hazards, ailments

    @precondition(lambda self: self.seat.state.encounter)
    @rule(who=WHO, near=st.sampled_from(["no", "yes", "full"]))
    def take_cover(self, who: str, near: Any) -> None:
        """DB-ACTN-2: at any time, by anybody; DB-REACT-3: this round's standard action, or the next round's."""
        self._say(Close(by=GM))  # the close of an open roll may begin the action phase
        phase = self.seat.state.encounter.phase
        if self._say(combat.TakeCover(by=who, cover_near=near)) and self.paper.scale == "combat":
            owes = f"without a standard action {who}" in self.seat.state.conditions
            assert owes == (phase == "action") or not self.seat.state.encounter

    @precondition(lambda self: self.turn)
    @rule(who=WHO, whom=WHO, ally=st.one_of(st.none(), WHO), dice=DICE, close=st.booleans())
    def intercept(self, who: str, whom: str, ally: str | None, dice: tuple[int, int], close: bool) -> None:
        if self._say(combat.Intercept(by=who, target=whom, protect=ally or "", stat="speed"), *dice) and close:
            assert self._say(Close(by=GM))
            facts = list(self.seat.store.takes())[-1].facts
            assert not [fact for fact in facts if isinstance(fact, PointsLost) and fact.by == who]  # DB-REACT-4

    @precondition(lambda self: self.turn)
    @rule(foe=FOE, ally=WHO, dice=DICE, hero=PC)
    def run_and_be_stopped(self, foe: str, ally: str, dice: tuple[int, int], hero: str) -> None:
        """DB-REACT-4: a short move, and at once somebody of the other side steps in."""
        by = self.turn
        other = foe if by in PCS else hero
        if self._say(turns.Move(by=by, distance="short"), *((9, 9) if by in PCS else ())):
            self._say(combat.Intercept(by=other, target=by, stat="speed"), *dice)

    @precondition(lambda self: self.turn)
    @rule(
        who=st.one_of(st.none(), st.none(), WHO),
        time=st.sampled_from(["standard", "bonus", "reaction"]),
        cost=st.sampled_from([0, 0, 1, 4]),
        kind=st.sampled_from(["", "", "task", "attack"]),
        dice=DICE,
    )
    def cast(self, who: str | None, time: Any, cost: int, kind: str, dice: tuple[int, int]) -> None:
        by = who or self.turn
        costs = (Cost("intellect", cost),) if cost else ()
        aim: dict[str, Any] = {"task": {"difficulty": 4}, "attack": {"target": "thug", "damage": 2}}.get(kind, {})
        said = combat.CastSpell(by=by, task="hex", time=time, cost=costs, stat="intellect", **aim)
        self._say(said, *(dice if kind and by in PCS else ()))

    @precondition(lambda self: self.turn)
    @rule(who=st.one_of(st.none(), st.none(), WHO), finish=st.booleans(), dice=DICE, roll=st.booleans())
    def long_spell(self, who: str | None, finish: bool, dice: tuple[int, int], roll: bool) -> None:
        by = who or self.turn
        if not finish:
            self._say(combat.StartLongSpell(by=by, spell="ward", cost=(Cost("intellect", 2),) if by in PCS else ()))
        elif roll and by in PCS:
            self._say(combat.FinishLongSpell(by=by, stat="intellect", difficulty=4), *dice)
        else:
            self._say(combat.FinishLongSpell(by=by))

    @precondition(lambda self: self.turn)
    @rule(who=st.one_of(st.none(), WHO), whom=WHO, rounds=st.integers(1, 2), attack=st.booleans())
    def ability(self, who: str | None, whom: str, rounds: int, attack: bool) -> None:
        effect = Effect("braced", rounds=rounds, defence=1, armor=2, effort=1)
        said = turns.UseAbility(by=who or self.turn, text="Brace", target=whom, effect=effect, is_attack=attack)
        assert not (self._say(said) and attack)  # DB-BONUS-1

    @rule(who=WHO, row=st.sampled_from(["minor_fire", "shock", "electrocution"]), rounds=st.integers(1, 3))
    def hazard(self, who: str, row: Any, rounds: int) -> None:
        self._say(harm.Hazard(by=GM, target=who, row=row, rounds=rounds, lose_action=row == "shock"))

    @rule(who=WHO, wound=st.booleans(), ill=st.booleans(), dice=DICE)
    def ailing(self, who: str, wound: bool, ill: bool, dice: tuple[int, int]) -> None:
        """Give somebody a poison or a disease, and resist it at once."""
        kind = harm.Disease if ill else harm.Poison
        if self._say(kind(by=GM, target=who, difficulty=5, damage=3, lasting=ill, wound=wound)) and who in PCS:
            self._say(combat.Defence(by=who, cause="disease" if ill else "poison"), *dice)

    @rule(who=WHO, amount=st.sampled_from([1, 4, 9, 20]), ambient=st.booleans())
    def hurt(self, who: str, amount: int, ambient: bool) -> None:
        self._say(harm.Damage(by=GM, target=who, amount=amount, ambient=ambient))

    @rule(who=WHO)
    def wound(self, who: str) -> None:
        self._say(harm.InflictWound(by=GM, target=who))

    @precondition(lambda self: self._due())
    @rule(dice=st.one_of(LOW, LOW, DICE), regain=st.booleans())
    def roll_for_the_wound(self, dice: tuple[int, int], regain: bool) -> None:
        self._say(Close(by=GM))  # a roll that an undo has opened again may be a death: then no other is due
        if not self._due():
            return
        (who, roller), *_ = self._due()
        assert self._say(harm.WoundRoll(by=roller, who=who), *dice)
        if regain and roller != GM:
            self._say(SpendDestiny(by=roller, uses=(Use("regain", "might"),)))
        assert self._say(Close(by=GM))

    @precondition(lambda self: self.turn)
    @rule(who=WHO)
    def interrupt(self, who: str) -> None:
        self._say(turns.Interrupt(by=who))

    @precondition(lambda self: self.seat.state.encounter)
    @rule(who=WHO, join=st.booleans(), score=st.one_of(st.none(), st.integers(0, 24)))
    def come_and_go(self, who: str, join: bool, score: int | None) -> None:
        self._say(turns.JoinEncounter(by=GM, who=who, initiative=score) if join else LeaveEncounter(by=GM, who=who))

    @precondition(lambda self: self.seat.state.encounter)
    @rule(dice=st.lists(DICE, min_size=5, max_size=5))
    def reorder(self, dice: list[tuple[int, int]]) -> None:
        if self._say(turns.NewInitiative(by=GM, reason="the lamp goes out")):
            self.roll(dice)

    @precondition(lambda self: self.steps % 4 == 0)
    @rule()
    def end(self) -> None:
        if self._say(turns.EndEncounter(by=GM)):
            for who in PCS:
                assert self.paper.health[who] == self.seat.points(who, "health") or who in self.paper.out

    @rule(
        who=PC,
        kind=st.sampled_from(["one_action", "ten_minutes", "one_hour", "ten_hours", "ten_hours"]),
        face=st.integers(1, 6),
    )
    def rest(self, who: str, kind: Any, face: int) -> None:
        self._say(harm.Rest(by=who, kind=kind), face)

    @rule(who=PC, stat=st.sampled_from(["might", "speed", "intellect"]), points=st.integers(0, 4), lose=st.booleans())
    def share(self, who: str, stat: Any, points: int, lose: bool) -> None:
        self._say(harm.Share(by=who, split=(Cost(stat, points),), lose=lose))

    @rule(who=PC, points=st.integers(1, 3))
    def heal(self, who: str, points: int) -> None:
        wounds = self.seat.state.wounds_of(who)
        if wounds:
            self._say(harm.HealWound(by=GM, target=who, wound=wounds[0][0], points=points, reason="care"))

    @rule(seconds=st.sampled_from([60, 3600]))
    def wait(self, seconds: int) -> None:
        self._say(AdvanceTime(by=GM, seconds=seconds))

    @rule(who=PC, value=st.sampled_from(["stunned", "wound"]), to=st.sampled_from([0, 1, 4]))
    def ruling(self, who: str, value: str, to: int) -> None:
        change = Change(f"{who}.{value}".lower(), to)
        self._say(Ruling(by=GM, text="so be it", reason="it is late", changes=(change,)))

    @precondition(lambda self: self.before)
    @rule()
    def undo(self) -> None:
        """Undo the last declaration, on paper too."""
        with suppress(Refused):
            undo(self.seat.ledger, by="gm", at=AT)
            self.paper = self.before.pop()

    # What always holds

    @invariant()
    def read_tables_are_the_fold(self) -> None:
        self.seat.store.check_rows(self.seat.state)

    @invariant()
    def numbers_keep_their_bounds(self) -> None:
        state = self.seat.state
        check_bounds(state)
        for who, most in HEALTH.items():
            kinds = {wound.kind for _, wound in state.wounds_of(who) if wound.in_force}
            bound = HALF[most] if "severe" in kinds else most
            bound = 1 if "critical" in kinds else bound
            assert state.pools[who, "health"].most == bound, who
            assert 0 <= state.points(who, "health") <= bound

    @invariant()
    def the_paper_agrees(self) -> None:
        encounter, paper = self.seat.state.encounter, self.paper
        assert paper.running == bool(encounter)
        assert set(paper.effects) == set(self.seat.state.conditions)
        if encounter:
            assert (paper.round, paper.phase if encounter.scale == "combat" else "") == (
                encounter.round,
                encounter.phase,
            )
            if encounter.turn:
                assert encounter.turn in paper.up
                assert encounter.turn not in paper.over
                assert paper.able(encounter.turn) or self.seat.state.windows

    @invariant()
    def the_store_folds_to_the_same_state(self) -> None:
        self.steps += 1
        if self.steps % 8 == 0:
            here = self.seat.ledger.state
            bare = MemoryStore()
            bare.append([decode(stored) for stored in self.seat.store.read()], after=EMPTY)
            zero = load_state(bare, StateProjection())
            assert zero.projection.pack(zero.state) == here.projection.pack(here.state)
            self.seat.check_replay()

    def teardown(self) -> None:
        if hasattr(self, "seat"):
            self.seat.check_replay()


TestFights = Fights.TestCase
