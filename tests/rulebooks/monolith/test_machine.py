"""Random fights of Monolith with corrections and undo, compared with a model on paper.

The paper reads facts only, and knows damage, Saves and morale by its own few lines; it calls none of ours.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule

from ledger.declarations import Declaration, Ruling, Setting
from ledger.facts import GM, Joined, Judged, PointsLost, PoolSet, Rolled, SheetChanged
from ledger.records import Record, latest_takes
from rulebooks.common.adjustments import Adjust
from rulebooks.common.encounters import BringIn, PassOn, PassTime
from rulebooks.common.options import SetOption
from rulebooks.monolith import declarations as say
from rulebooks.monolith.guards import is_able, side_members
from rulebooks.monolith.turns import DECLARING, phase
from rulebooks.testing.corrections import CorrectedFights
from tests.rulebooks.monolith.seat import BOOK, CAST, Seat, check_bounds

PCS, FOES = ("Vega", "Oru", "Kade"), ("R1", "R2", "R3", "R4", "Boss", "Stalker")
ARMS = {
    **{"Vega": ("rifle", "knife"), "Oru": ("pistol", "second pistol", "baton"), "Kade": ("shotgun", "stun grenade")},
    **{"Boss": ("cleaver",), "Stalker": ("claws",)},
}
WHO, PC, FOE = st.sampled_from(CAST), st.sampled_from(PCS), st.sampled_from(FOES)
SCORE = st.sampled_from(["body", "reflex", "resolve", "luck"])
REASONS = st.sampled_from([(), (), ("ruled",)])
REASON = st.sampled_from(["", "a risk", "a risk"])
PLACE = st.floats(0, 0.999)


@st.composite
def attacks(draw: Any) -> say.Attack:
    """Draw an attack of anybody on anybody, alone or with others, with up to two weapons."""
    by = draw(WHO)
    weapons = draw(st.lists(st.sampled_from([*ARMS.get(by, ("carbine", "derringer")), "bare hands"]), max_size=2))
    allies = tuple(
        say.Ally(who=who, enhanced=draw(st.sampled_from(["", "ruled"])), impaired=draw(st.sampled_from(["", "ruled"])))
        for who in draw(st.lists(WHO, max_size=2))
    )
    return say.Attack(
        by=by, target=draw(WHO), weapons=tuple(weapons), allies=allies, enhanced=draw(REASONS), impaired=draw(REASONS)
    )


def single_target_weapons(who: str) -> list[str]:
    """Return the weapons that strike one target."""
    return [*(name for name in ARMS.get(who, ("carbine", "derringer")) if "grenade" not in name), "bare hands"]


BLASTS = st.builds(
    say.Blast,
    by=st.sampled_from(["Kade", "Kade", "Vega"]),
    targets=st.lists(WHO, max_size=4).map(tuple),
    weapon=st.sampled_from(["grenade", "stun grenade", ""]),
    enhanced=REASONS,
)
OPTIONS = st.sampled_from([(option.name, value) for option in BOOK.texts().content.options for value in option.values])
SET = st.sampled_from(
    [
        *((f"{who}.hp", 1) for who in ("vega", "r1", "boss", "stalker")),
        *((f"{who}.{name}", to) for who in ("vega", "r2") for name in ("critical", "dead", "fled") for to in (0, 1)),
        *(("oru.stable", 0), ("kade.unconscious", 1), ("r3.body", 0), ("vega.armor", 2), ("raiders.resolve", 5)),
    ]
)
ORDERS = st.builds(
    say.SetOrder,
    by=st.just(GM),
    first=st.lists(PC, max_size=2, unique=True).map(tuple),
    score=st.sampled_from(["", "reflex"]),
    opponents=st.booleans(),
    reason=REASON,
)
SHEET = {"name": "Rook", "body": 8, "resolve": 6, "hp": 2, "weapons": (("hook", "d6"),)}
TELLS = st.one_of(
    st.just(PassOn(by=GM)),
    st.builds(say.Telegraph, by=st.just(GM), who=FOE, text=REASON),
    ORDERS,
    ORDERS,
    st.builds(say.EndPart, by=st.just(GM), part=st.sampled_from(["first", "opponents"])),
    st.builds(say.Morale, by=st.just(GM), group=st.sampled_from(["Raiders", "Stalker", "Oru"]), reason=REASON),
    st.builds(say.Flee, by=st.just(GM), who=WHO, reason=REASON),
    st.builds(PassTime, by=st.just(GM), seconds=st.sampled_from([-1, 600, 3600])),
    OPTIONS.map(lambda option: SetOption(by=GM, name=option[0], value=option[1], reason="a vote")),
    SET.map(lambda setting: Ruling(by=GM, text="so be it", reason="a vote", changes=(Setting(*setting),))),
    st.builds(Adjust, by=PC, value=st.sampled_from(["hp", "body", "armor"]), change=st.just(-1), reason=REASON),
)
COMES = st.one_of(
    st.builds(BringIn, by=st.just(GM), who=st.sampled_from(["Rook", "Ilse", "Vega"])),
    st.builds(say.EndEncounter, by=st.just(GM)),
    st.builds(say.StartEncounter, by=st.just(GM), participants=st.sampled_from([(), ("Vega", "R1")])),
    st.just(say.CreateNpc(by=GM, **SHEET)),
    st.just(say.CreateCharacter(by=GM, **{**SHEET, "name": "Ilse", "player": "Dana"})),
    st.just(say.CreateGroup(by=GM, name="Pack", members=("Stalker",), leader="Stalker")),
    st.just(say.ChangeCombatant(by=GM, **{**SHEET, "hp": 5}, because="a new coat")),
    st.just(say.ChangeGroup(by=GM, name="Raiders", members=("R1", "R2"), leader="R2", because="they part")),
)
DOES = st.one_of(
    st.builds(say.Save, by=WHO, score=SCORE, reason=REASON),
    st.builds(say.Move, by=WHO, feet=st.sampled_from([10, 40, 41])),
    st.builds(say.OtherAction, by=WHO, text=st.just("the medkit"), ruling=st.sampled_from(["", "it works"])),
    st.builds(say.DeclareIntent, by=PC, text=st.sampled_from(["shoot R1", ""])),
)
ANY = st.one_of(attacks(), attacks(), BLASTS, DOES, TELLS, COMES)


class Paper:
    """A model of hit points, Body and the damage of the Round, worked out fact by fact."""

    def __init__(self) -> None:
        self.hp: dict[str, int] = {}
        self.body: dict[str, int] = {}
        self.armor: dict[str, int] = {}
        self.taken: dict[str, int] = {}
        self.options: dict[str, str] = {}
        self.open = False

    def read(self, record: Record) -> None:
        lost: dict[tuple[str, str], int] = {}
        for fact in record.facts:
            kind = type(fact).__name__
            match fact:
                case Joined():
                    self.armor[fact.who] = dict(fact.sheet).get("armor", 0)
                case SheetChanged() if fact.key == "armor":
                    self.armor[fact.who] = fact.now
                case PoolSet():
                    (self.hp if fact.pool == "hp" else self.body)[fact.who] = fact.now
                case PointsLost():
                    lost[fact.who, fact.pool] = fact.points
            if kind == "OptionSet":
                self.options[fact.name] = fact.now
            if kind == "Reached" and fact.point in ("round", "round_end"):
                self.open, self.taken = fact.point == "round", {}
        faces = {fact.purpose: fact.dice[0].face for fact in record.facts if isinstance(fact, Rolled)}
        for fact in record.facts:
            if isinstance(fact, Judged) and fact.what == "damage":
                self.check_damage(fact, faces, lost)
            elif isinstance(fact, Judged):
                self.check_save(fact, faces)
        assert not lost, lost

    def check_damage(self, fact: Judged, faces: dict[str, int], lost: dict[tuple[str, str], int]) -> None:
        """Check the highest die, less armor, less the damage of this Round; hit points first, then Body."""
        who = fact.against
        net = max(0, max(faces[purpose] for purpose in fact.rolls) - self.armor[who])
        before = self.taken.get(who, 0) if self.options.get("gang_scope", "round") == "round" else 0
        new = max(0, net - before)
        assert fact.total == new
        if self.open:
            self.taken[who] = max(net, self.taken.get(who, 0))
        direct = max(0, new - self.hp[who])
        assert lost.pop((who, "hp"), 0) == new - direct
        self.hp[who] -= new - direct
        gone = min(direct, self.body[who]) if "ML-TAG-2" not in fact.rules else 0
        assert lost.pop((who, "body"), 0) == gone
        self.body[who] -= gone

    def check_save(self, fact: Judged, faces: dict[str, int]) -> None:
        """Check that the score or less passes; a 1 always, a 20 never."""
        face = faces[fact.rolls[0]]
        natural = self.options.get("save_auto", "on") == "on" and face in (1, 20)
        passed = face == 1 if natural else face <= fact.target
        assert fact.result == ("passed" if passed else "failed")


class Fights(CorrectedFights):
    """After any lines, corrections and undos the model agrees, and replay and verify find nothing."""

    codes = ("ML-E-", "L-VALUE")

    @initialize()
    def begin(self) -> None:
        self.seat = Seat()

    @rule(said=ANY)
    def anybody_declares(self, said: Declaration) -> None:
        self.declare(said)

    @rule(said=TELLS | COMES)
    def game_master_declares(self, said: Declaration) -> None:
        self.declare(said)

    def actors(self) -> list[str]:
        """Return those who may act; begin a new Round where nobody may."""
        state = self.seat.state
        able = [who for who in CAST if is_able(who, state) and (state.actions_left(who, "action") or not phase(state))]
        if not able or phase(state) in ("", DECLARING):
            self.new_round()
        return able

    @rule(data=st.data(), times=st.integers(1, 4))
    def fight(self, data: Any, times: int) -> None:
        """Attack, aid or crawl, and do something else."""
        for _ in range(times):
            self.strike(data)
        self.aid_or_crawl(data)
        self.declare(data.draw(DOES))
        self.declare(data.draw(TELLS))

    def strike(self, data: Any) -> None:
        """Attack a legal target with weapons on the sheet; others may join."""
        ready = self.actors()
        targets = [who for who in CAST if not {f"dead {who}", f"fled {who}"} & self.seat.state.conditions.keys()]
        if not ready or len(targets) < 2:
            return
        by = data.draw(st.sampled_from(ready))
        target = data.draw(st.sampled_from([who for who in targets if who != by]))
        others = [who for who in ready if who not in (by, target)]
        allies = data.draw(st.lists(st.sampled_from(others), max_size=2, unique=True)) if others else []
        weapons = data.draw(st.lists(st.sampled_from(single_target_weapons(by)), max_size=2, unique=True))
        enhanced, impaired = data.draw(REASONS), data.draw(REASONS)
        self.declare(
            say.Attack(
                by=by,
                target=target,
                weapons=tuple(weapons),
                enhanced=enhanced,
                impaired=impaired,
                allies=tuple(say.Ally(who=who) for who in allies),
            )
        )

    def aid_or_crawl(self, data: Any) -> None:
        """Aid somebody who is down; then they rest or crawl."""
        ready, state = self.actors(), self.seat.state
        down = [who for who in CAST if {f"critical {who}", f"stable {who}"} & state.conditions.keys()]
        if ready and down:
            who = data.draw(st.sampled_from(down))
            self.declare(say.Aid(by=data.draw(st.sampled_from(ready)), patient=who))
            self.declare(data.draw(st.sampled_from([say.Rest(by=who), say.Crawl(by=who, ruling="a yard")])))

    @rule(data=st.data())
    def set_order(self, data: Any) -> None:
        """Rule who acts first, or roll for it; then end a part of the order."""
        self.new_round()
        self.declare(data.draw(ORDERS))
        for who in data.draw(st.lists(PC, max_size=3, unique=True)):
            self.declare(say.Save(by=who, score="reflex"))
        self.strike(data)
        self.declare(say.EndPart(by=GM, part=data.draw(st.sampled_from(["first", "opponents"]))))
        self.strike(data)

    @rule(data=st.data())
    def join(self, data: Any) -> None:
        """Join with a sheet, then change a sheet or a group."""
        self.declare(say.CreateNpc(by=GM, **SHEET))
        self.declare(BringIn(by=GM, who="Rook"))
        self.declare(data.draw(COMES))

    @rule(data=st.data())
    def blast(self, data: Any) -> None:
        """Attack an area with anybody in it, the attacker too."""
        self.new_round()
        targets = data.draw(st.lists(WHO, min_size=1, max_size=4, unique=True))
        weapon = data.draw(st.sampled_from(["grenade", "stun grenade"]))
        self.declare(say.Blast(by="Kade", targets=tuple(targets), weapon=weapon, enhanced=data.draw(REASONS)))
        self.declare(say.Morale(by=GM, group=data.draw(st.sampled_from(["Raiders", "Stalker"])), reason="the dark"))

    def new_round(self) -> None:
        """End the Round and begin another, for which everybody who can declares."""
        self.declare(say.BeginRound(by=GM))  # over by itself if nobody has an action left
        if phase(self.seat.state) != DECLARING:
            self.declare(say.EndRound(by=GM))
            self.declare(say.BeginRound(by=GM))
        for who in side_members("pc", self.seat.state):
            self.declare(say.DeclareIntent(by=who))

    @rule(said=attacks(), faces=st.lists(st.integers(1, 20), max_size=5))
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
        assert paper.hp == {who: pool.points for (who, name), pool in state.pools.items() if name == "hp"}
        assert paper.body == {who: pool.points for (who, name), pool in state.pools.items() if name == "body"}
        check_bounds(state)


TestFights = Fights.TestCase
