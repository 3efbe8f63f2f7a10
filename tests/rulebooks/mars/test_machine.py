"""Random fights of MARS with corrections and undo, compared with a model on paper."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule

from ledger.declarations import Declaration, Ruling, Setting
from ledger.errors import Refused
from ledger.facts import GM
from ledger.records import latest_takes
from rulebooks.common.adjustments import Adjust
from rulebooks.common.announcements import Go, announcement
from rulebooks.common.encounters import EndTurn, LeaveEncounter
from rulebooks.common.options import SetOption
from rulebooks.mars.declarations import combat, harm, maneuvers, tasks, turns
from rulebooks.mars.declarations.parts import Modifier, Reaction
from rulebooks.testing.corrections import CorrectedFights
from rulebooks.testing.seat import AT
from tests.rulebooks.mars.paper import Paper
from tests.rulebooks.mars.seat import BOOK, Seat, check_bounds

PLAYERS, GUARDS = ("Asha", "Bram", "Cora"), ("Gil", "Hob")
CAST = (*PLAYERS, *GUARDS)
WEAPONS = {"Asha": "longsword", "Bram": "shortbow", "Cora": "knife", "Gil": "spear", "Hob": "spear"}
LEARNED = {
    "Asha": {"learned": {"heavy-strike": "martial", "knock-down": "martial"}},
    "Gil": {"learned": {"trip": "martial"}},
}
STATS = ("strength", "dexterity", "intelligence", "resolve")
WHO, PLACE = st.sampled_from(CAST), st.floats(0, 0.999)
REASON = st.sampled_from(["", "a risk", "a risk"])
MANEUVERS = (
    *("heavy-strike", "knock-down", "trip", "brace", "feint", "crippling-strike", "precise-strike", "wild-strike"),
    *("concussive-strike", "taunt", "provoke", "penetrating-strike", "shield-crush", "back-step", "opportunity-strike"),
)


@st.composite
def defences(draw: Any, who: str) -> tuple[Reaction, ...]:
    """Draw what somebody does against an attack."""
    first = draw(st.sampled_from(["", "", "evade", "evade_reaction", "parry"]))
    chosen = []
    if first:
        after = draw(st.sampled_from(["stay", "prone", "step"])) if first != "parry" else "stay"
        item = draw(st.sampled_from(["longsword", "shield"])) if first == "parry" else ""
        chosen.append(Reaction(who, first, after, item))
    if draw(st.booleans()) and who == "Asha":
        chosen.append(Reaction(who, "block", front=draw(st.sampled_from([True, True, False]))))
    return tuple(chosen)


@st.composite
def attacks(draw: Any, by: Any = WHO) -> combat.Attack:
    """Draw an attack with its circumstances and defences."""
    attacker, target = draw(by), draw(WHO)
    return combat.Attack(
        by=attacker,
        target=target,
        weapon=draw(st.sampled_from(["", WEAPONS[attacker], "bare hands"])),
        unseen=draw(st.sampled_from([None, None, True, False])),
        flanked=draw(st.booleans()),
        bonuses=draw(st.sampled_from([(), (), (Modifier(2, "rain"),)])),
        disadvantage=draw(st.sampled_from([(), (), ("mud",)])),
        pick=draw(st.sampled_from([(), (), (1,), (2, 1)])),
        defences=draw(defences(target)),
    )


@st.composite
def performed(draw: Any) -> maneuvers.Maneuver:
    """Draw a maneuver."""
    target = draw(WHO)
    return maneuvers.Maneuver(
        by=draw(WHO),
        name=draw(st.sampled_from(MANEUVERS)),
        target=target,
        improvise=draw(st.sampled_from(["none", "stamina", "speed"])),
        boost=draw(st.sampled_from([False, False, True])),
        metres=1,
        defences=draw(defences(target)),
    )


NAMED = ("blind", "burning", "sickness", "stunned", "prone")
EFFECTS = st.builds(
    harm.ApplyEffect,
    by=st.just(GM),
    target=WHO,
    effect=st.sampled_from([*NAMED, "encumbered", "overencumbered", "debilitation", "enhancement", "change"]),
    degree=st.integers(1, 3),
    stat=st.sampled_from(STATS),
    amount=st.sampled_from([2, -2]),
    temporary=st.booleans(),
    rounds=st.sampled_from([None, 1, 2]),
)
HURT = st.builds(
    harm.DealDamage,
    by=st.just(GM),
    target=WHO,
    amount=st.integers(0, 25),
    type=st.sampled_from(["slashing", "fire", "psychic"]),
    outcome=st.sampled_from(["graze", "hit", "critical"]),
    nonlethal=st.booleans(),
    halvings=st.integers(0, 2),
    doublings=st.integers(0, 1),
)
RULED = st.one_of(
    EFFECTS,
    HURT,
    st.builds(harm.RemoveEffect, by=st.just(GM), target=WHO, effect=st.sampled_from(["blind", "prone", "sickness"])),
    st.builds(harm.Wake, by=st.just(GM), who=WHO, reason=REASON),
    st.builds(
        harm.Restore,
        by=st.just(GM),
        who=WHO,
        resource=st.sampled_from(["health", "endurance", "stamina"]),
        amount=st.integers(0, 9),
        reason=REASON,
    ),
    st.builds(harm.Repair, by=st.just(GM), who=st.just("Asha"), item=st.just("shield"), durability=st.just(9)),
    st.sampled_from(
        [
            (option.name, value)
            for option in BOOK.texts().content.options
            for value in option.values or (option.least, option.default, option.most)
        ]
    ).map(lambda option: SetOption(by=GM, name=option[0], value=option[1], reason="a vote")),
    st.sampled_from([("asha.health", 3), ("gil.endurance", 0), ("bram.dying", 1), ("cora.dead", 1), ("hob.dr", 1)]).map(
        lambda setting: Ruling(by=GM, text="so be it", reason="a vote", changes=(Setting(*setting),))
    ),
    st.builds(Adjust, by=st.just(GM), value=st.just("asha.stamina"), change=st.just(-1), reason=REASON),
)
RESTS = st.one_of(
    st.builds(harm.ShortRest, by=WHO, minutes=st.sampled_from([30, 20, 100])),
    st.builds(harm.LongRest, by=WHO, begin=st.booleans(), interrupted=st.booleans()),
    st.builds(harm.ResumeLongRest, by=WHO),
    st.builds(harm.Treat, by=st.just("Bram"), patient=WHO),
    st.just(harm.EndDay(by=GM)),
    st.builds(harm.Deprive, by=st.just(GM), who=WHO, need=st.sampled_from(["meals", "water"]), met=st.booleans()),
)
ENCOUNTERS = st.one_of(
    st.builds(turns.StartEncounter, by=st.just(GM), unaware=st.sampled_from([(), GUARDS, ("Gil", "Asha")])),
    st.just(turns.StartEncounter(by=GM, kind="challenge", combat="no-combat", reason="the flood")),
    st.just(turns.StartEncounter(by=GM, participants=("Asha", "Gil"), reason="a duel")),
    st.builds(turns.JoinEncounter, by=st.just(GM), who=WHO),
    st.builds(LeaveEncounter, by=st.just(GM), who=WHO, reason=st.just("off they go")),
    st.just(turns.EndEncounter(by=GM)),
    st.builds(turns.RollInitiative, by=WHO),
    st.just(turns.InitiativeRuling(by=GM, teams=("guards", "players"), reason="the door")),
    st.just(turns.ChallengeTurn(by=GM, minutes=(turns.Minutes("Asha", 10), turns.Minutes("Gil", 5)))),
)
ACTIONS = st.one_of(
    st.builds(turns.BeginTurn, by=WHO),
    st.builds(EndTurn, by=WHO),
    st.builds(turns.Move, by=WHO, metres=st.integers(0, 7), difficult_metres=st.integers(0, 2)),
    st.builds(turns.DropProne, by=WHO),
    st.builds(turns.Rise, by=WHO),
    st.builds(turns.Interact, by=WHO, note=st.just("a door"), speed=st.integers(0, 3)),
    st.builds(turns.SeekCover, by=WHO, object=st.sampled_from(["", "a crate"])),
    st.builds(turns.Brandish, by=st.just("Asha"), items=st.sampled_from([("shield",), ("longsword", "shield"), ()])),
    st.builds(
        turns.Ready, by=WHO, action=st.sampled_from(["attack", "interact"]), target=WHO, trigger=st.just("a move")
    ),
    st.builds(turns.TriggerReadied, by=WHO, target=WHO),
    st.builds(turns.StartLongAction, by=WHO, need=st.integers(3, 7)),
    st.builds(turns.ContinueLongAction, by=WHO),
    st.builds(turns.CancelLongAction, by=WHO),
    st.builds(
        tasks.Check, by=WHO, name=st.sampled_from(["fortitude", "athletics", "medicine"]), difficulty=st.just(10)
    ),
    st.builds(tasks.UseSkill, by=WHO, name=st.just("agility"), difficulty=st.just(10)),
    st.builds(harm.Concentrate, by=WHO, effect=st.sampled_from(["ward", "light"]), keep=st.sampled_from(["", "ward"])),
    st.builds(harm.ConcentrationCheck, by=WHO, decline=st.booleans()),
    st.builds(harm.Douse, by=WHO, target=WHO),
)
READY = turns.Ready(by="Asha", action="attack", target="Gil", trigger="he moves")
ANSWERS = st.one_of(
    st.builds(combat.Evade, by=WHO, reaction=st.booleans(), after=st.sampled_from(["stay", "prone"])),
    st.builds(combat.Parry, by=WHO, item=st.sampled_from(["longsword", "shield"])),
    st.builds(combat.Block, by=WHO),
    st.builds(
        maneuvers.AnswerWithManeuver,
        by=WHO,
        name=st.sampled_from(["back-step", "hard-parry", "intercept", "intercepting-strike"]),
        improvise=st.just("stamina"),
    ),
)
ANNOUNCED = st.one_of(
    st.builds(combat.Evade, by=WHO, reaction=st.booleans()),
    st.builds(combat.Parry, by=WHO),
    st.builds(combat.Block, by=WHO, behind=st.booleans()),
    st.builds(Go, by=WHO),
)
ANY = st.one_of(attacks(), performed(), ACTIONS, ACTIONS, RULED, RESTS, ENCOUNTERS, ANNOUNCED)


class Fights(CorrectedFights):
    """After any lines, corrections and undos the model agrees, and replay and verify find nothing."""

    codes = ("GR-E-", "L-VALUE", "L-ANNOUNCED")

    @initialize()
    def begin(self) -> None:
        self.seat = Seat(teams={"players": PLAYERS, "guards": GUARDS}, turn="Asha", sheets=LEARNED)

    @rule(said=ANY)
    def anybody_declares(self, said: Declaration) -> None:
        self.declare(said)

    @rule(said=RULED)
    def game_master_rules(self, said: Declaration) -> None:
        self.declare(said)

    def actor(self) -> str:
        """Return whose turn it is; begin an encounter or a turn where there is none."""
        state = self.seat.state
        if state.encounter is None:
            self.declare(turns.StartEncounter(by=GM, reason="again"))
            for who in CAST:
                self.declare(turns.RollInitiative(by=who))
        if self.seat.state.encounter is not None and not self.seat.state.encounter.turn:
            for who in CAST:
                with suppress(Refused):
                    self.seat.ledger.declare(turns.BeginTurn(by=who), at=AT)
        return self.seat.state.encounter.turn if self.seat.state.encounter else ""

    @rule(data=st.data(), times=st.integers(1, 3))
    def fight(self, data: Any, times: int) -> None:
        """Let whose turn it is attack, and do something else; then the turn ends."""
        self.declare(data.draw(RULED))
        who = self.actor()
        for _ in range(times if who else 0):
            self.declare(data.draw(attacks(st.just(who))))
        if who:
            self.declare(msgspec.structs.replace(data.draw(ACTIONS), by=who))
            self.declare(EndTurn(by=who))

    @rule(data=st.data())
    def announce(self, data: Any) -> None:
        """Announce an attack, answer it, and let it go."""
        who = self.actor()
        if who:
            said = data.draw(attacks(st.just(who)))
            self.declare(announcement(said))
            for by in (said.target, said.target, data.draw(WHO)):
                self.declare(msgspec.structs.replace(data.draw(ANSWERS), by=by))
            self.declare(Go(by=who))

    @rule(data=st.data())
    def ready(self, data: Any) -> None:
        """Ready an action or begin a long one; then others act, and it is triggered or goes on."""
        who = self.actor()
        if who:
            first = data.draw(st.sampled_from([READY, turns.StartLongAction(by=who, need=5)]))
            self.declare(msgspec.structs.replace(first, by=who))
            self.declare(EndTurn(by=who))
            self.declare(data.draw(RULED))
            other = self.actor()
            self.declare(turns.TriggerReadied(by=who, target=data.draw(WHO)))
            self.declare(harm.ConcentrationCheck(by=who))
            if other:
                self.declare(EndTurn(by=other))
            self.declare(turns.ContinueLongAction(by=who))

    @rule(data=st.data())
    def perform(self, data: Any) -> None:
        """Perform a maneuver in the own turn."""
        who = self.actor()
        said = data.draw(performed())
        if who:
            self.declare(msgspec.structs.replace(said, by=who))

    @rule(data=st.data())
    def pass_a_day(self, data: Any) -> None:
        """End the encounter, rest, and end the day."""
        self.declare(turns.EndEncounter(by=GM))
        for _ in range(3):
            self.declare(data.draw(RESTS))
        self.declare(harm.EndDay(by=GM))

    @rule(said=attacks(), faces=st.lists(st.integers(1, 12), max_size=7))
    def declare_with_typed_faces(self, said: Declaration, faces: list[int]) -> None:
        self.declare_with(said, faces)

    @rule(where=PLACE, how=st.sampled_from(["retcon", "drop", "insert"]), said=ANY)
    def correct(self, where: float, how: str, said: Declaration) -> None:
        self.correct_line(where, how, said)

    @invariant()
    def model_agrees(self) -> None:
        state, paper = self.seat.state, Paper()
        for record in latest_takes(self.seat.store.takes()):
            paper.read(record)
        assert paper.pools == {key: pool.points for key, pool in state.pools.items()}
        assert paper.holds == {id: (condition.who, condition.name) for id, condition in state.conditions.items()}
        check_bounds(state)


TestFights = Fights.TestCase


def test_who_left_has_no_slot_on_paper() -> None:
    """GR-INIT-4: the guards have nobody left to act after one of two, and are passed over."""
    seat, paper = Seat(teams={"players": PLAYERS, "guards": GUARDS}, turn="Asha"), Paper()
    seat.say(LeaveEncounter(by=GM, who="Hob", reason="off they go"))
    for who in ("Asha", "Gil", "Bram", "Cora"):
        seat.say(EndTurn(by=who))
    for record in latest_takes(seat.store.takes()):
        paper.read(record)
    assert (paper.done, seat.state.encounter and seat.state.encounter.round) == ([], 2)
