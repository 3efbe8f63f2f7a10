"""Random fights of Semiautomagic with corrections and undo, compared with a model on paper.

The paper reads facts only, and knows Target, defence, Toughness, wounds and covers by its own few lines; it calls none
of ours.
"""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule

from ledger.declarations import Declaration, Ruling, Setting
from ledger.facts import (
    GM,
    ConditionBegan,
    ConditionEnded,
    Joined,
    Judged,
    Linked,
    OptionSet,
    Rolled,
    SheetChanged,
    WoundChanged,
    Wounded,
)
from ledger.records import Record, latest_takes
from rulebooks.common.adjustments import Adjust
from rulebooks.common.announcements import Go, announcement
from rulebooks.common.encounters import BringIn, EndFight, EndTurn, LeaveEncounter, PassOn
from rulebooks.common.options import SetOption
from rulebooks.semiautomagic.declarations import combat, scene, turns
from rulebooks.testing.corrections import CorrectedFights
from tests.rulebooks.semiautomagic.seat import BOOK, Seat, check_bounds

CAST = ("Rook", "Thorn", "Bear", "Cat", "Hawk", "Horse", "Ogre")
ARMS = {
    "Rook": ["arming sword", "throwing axe", "flail", "harpoon"],
    "Thorn": ["knife", "bow", "pistol", "harpoon"],
    "Bear": ["claws"],
    "Cat": ["claws"],
    "Ogre": ["maul"],
}
WHO, FIGHTER = st.sampled_from(CAST), st.sampled_from(sorted(ARMS))
REASON = st.sampled_from(["", "so it is", "so it is"])
SQUARE = st.sampled_from([(), (4, 5), (5, 5), (6, 5), (5,)])
PLACE = st.floats(0, 0.999)
DEFENCE = st.sampled_from(["", "dodge"])
ORDERS = st.sampled_from([(), ("Rook", "Thorn"), ("Cat", "Rook", "Bear"), ("Thorn", "Ogre", "Rook")])
OPTIONS = st.sampled_from([(option.name, value) for option in BOOK.texts().content.options for value in option.values])


@st.composite
def attacks(draw: Any) -> combat.Attack:
    """Draw an attack of anybody on anybody: at a place of the body, at an item, by surprise, at high speed."""
    by, aim = draw(FIGHTER), draw(st.sampled_from(["", "", "", "at", "item"]))
    at = draw(st.sampled_from(["leg", "arm", "hand", "head", "body", "wing", "foot", "tail"])) if aim == "at" else ""
    numbers = (2, -2) if at == "foot" and draw(st.booleans()) else (None, None)
    return combat.Attack(
        by=by,
        target=draw(WHO),
        weapon=draw(st.sampled_from(["", "", *ARMS[by]])),
        defence=draw(st.sampled_from(["", "none", "dodge", "dodge", "block", "parry"])),
        at=at,
        limb=draw(st.sampled_from([0, 0, 1, 2])),
        target_modifier=numbers[0],
        toughness=numbers[1],
        reason=draw(REASON),
        item=draw(st.sampled_from(["knife", "bow", "mail", "spear", "maul"])) if aim == "item" else "",
        fast=draw(st.booleans()),
        range=draw(st.sampled_from([0, 0, 1, 5])),
        square=draw(SQUARE),
    )


COVERS = st.builds(
    scene.SetCover,
    by=st.just(GM),
    who=WHO,
    grade=st.sampled_from(["none", "light", "medium", "heavy", "total", "huge"]),
    reason=REASON,
    object=st.sampled_from(["", "wall", "hedge", "Rook"]),
    toughness=st.sampled_from([None, 6, 12, -1]),
    durability=st.sampled_from([None, 3]),
    matters=st.booleans(),
    against=st.sampled_from([(), (), ("Rook",)]),
)
SCENES = st.one_of(
    COVERS,
    COVERS,
    st.builds(
        scene.SetLight,
        by=st.just(GM),
        light=st.sampled_from(["clear", "hazy", "darkness", "pink"]),
        dark=st.booleans(),
    ),
    st.builds(
        scene.Conceal,
        by=st.just(GM),
        who=WHO,
        how=st.sampled_from(["on", "off", "invisible", "dusted"]),
        reason=REASON,
    ),
    st.builds(scene.PutAt, by=st.just(GM), who=WHO, square=SQUARE),
    st.builds(scene.SetFlanked, by=st.just(GM), who=WHO, reason=REASON, off=st.booleans()),
    st.builds(
        scene.SetLocation,
        by=st.just(GM),
        location=st.sampled_from(["leg", "wing", "tail"]),
        target=st.just(1),
        toughness=st.just(-1),
        reason=REASON,
    ),
    st.builds(
        scene.Heal,
        by=st.just(GM),
        who=st.sampled_from([*CAST, "wall", "Thorn's pistol", "Thorn's bow"]),
        wounds=st.sampled_from([0, 1, 2]),
        injuries=st.sampled_from([(), (), ("leg",), ("hand",)]),
        jam=st.booleans(),
        reason=REASON,
    ),
    st.builds(
        combat.Harm,
        by=st.just(GM),
        target=st.sampled_from([*CAST, "wall", "Thorn's pistol", "Rook's mail"]),
        damage=st.sampled_from([-1, 2, 5, 9, 14]),
        reason=REASON,
    ),
    st.builds(
        combat.Area,
        by=st.just(GM),
        target=WHO,
        damage=st.sampled_from([0, 8]),
        dc=st.just(6),
        dodge=st.booleans(),
        reason=REASON,
    ),
    OPTIONS.map(lambda option: SetOption(by=GM, name=option[0], value=option[1], reason="a vote")),
)
SET = st.sampled_from(
    [("rook.unconscious", 1), ("rook.unconscious", 0), ("thorn.prone", 1), ("cat.dead", 1), ("bear.endurance", 3)]
)
RULES = st.one_of(
    SET.map(lambda setting: Ruling(by=GM, text="so be it", reason="a vote", changes=(Setting(*setting),))),
    st.builds(Adjust, by=WHO, value=st.sampled_from(["speed", "endurance"]), change=st.just(-1), reason=REASON),
)
DOES = st.one_of(
    st.builds(turns.SetStance, by=WHO, stance=st.sampled_from(["standing", "crouching", "prone"])),
    st.builds(
        turns.Move,
        by=WHO,
        squares=st.sampled_from([-1, 0, 4, 30, 61]),
        to=SQUARE,
        speed=st.sampled_from([0, 18]),
        seconds=st.sampled_from([0, 2]),
        forced=st.booleans(),
    ),
    st.builds(turns.Draw, by=st.sampled_from(["Rook", "Thorn"]), item=st.sampled_from(["shield", "pistol", "spear"])),
    st.builds(turns.Stow, by=st.sampled_from(["Rook", "Thorn"]), item=st.sampled_from(["throwing axe", "bow", "mail"])),
    st.builds(turns.Hide, by=WHO, total=st.sampled_from([None, 5]), off=st.booleans()),
    st.builds(turns.Perceive, by=WHO, target=WHO, total=st.sampled_from([None, 6])),
    st.builds(turns.Locate, by=WHO, target=WHO, square=SQUARE, lost=st.booleans()),
    st.builds(turns.Surprise, by=WHO, target=WHO),
    st.builds(turns.Notice, by=WHO, target=WHO, lost=st.booleans()),
    st.builds(turns.MountUp, by=st.sampled_from(["Rook", "Thorn"]), mount=st.just("Horse"), reason=REASON),
    st.builds(turns.ControlMount, by=st.sampled_from(["Rook", "Thorn"]), stationary=st.booleans()),
    st.builds(turns.ReleaseMount, by=st.sampled_from(["Rook", "Thorn"])),
    st.builds(turns.Dismount, by=st.sampled_from(["Rook", "Thorn"])),
    st.builds(turns.Fortitude, by=WHO),
    st.builds(turns.DyingCheck, by=WHO),
    st.builds(turns.Stabilise, by=WHO, medicine=st.booleans(), reason=REASON),
)
COMES = st.one_of(
    st.builds(turns.StartEncounter, by=st.just(GM), order=ORDERS),
    st.builds(BringIn, by=st.just(GM), who=WHO),
    st.builds(LeaveEncounter, by=st.just(GM), who=WHO, reason=REASON),
    st.just(PassOn(by=GM)),
    st.builds(EndFight, by=st.just(GM)),
    st.builds(EndTurn, by=WHO),
)
ANY = st.one_of(attacks(), attacks(), DOES, SCENES, RULES, COMES)


class Paper:
    """A model of wounds, Toughness, conditions and covers, worked out fact by fact."""

    def __init__(self) -> None:
        self.sheets: dict[str, dict[str, Any]] = {}
        self.wounds: dict[str, set[str]] = {}
        self.worn: dict[str, str] = {}
        self.conditions: dict[str, ConditionBegan] = {}
        self.options: dict[str, str] = {}

    def read(self, record: Record) -> None:
        faces = {fact.purpose: sum(die.face for die in fact.dice) for fact in record.facts if isinstance(fact, Rolled)}
        for fact in record.facts:
            match fact:
                case Joined():
                    self.sheets[fact.who] = dict(fact.sheet)
                case SheetChanged():
                    self.sheets[fact.who][fact.key] = fact.now
                case Linked() if fact.tie == "worn" and fact.on:
                    self.worn[fact.one] = fact.other
                case Linked() if fact.tie == "worn":
                    self.worn.pop(fact.one)
                case OptionSet():
                    self.options[fact.name] = str(fact.now)
                case Wounded():
                    self.wounds.setdefault(fact.who, set()).add(fact.wound)
                case WoundChanged() if not fact.in_force:
                    self.wounds[fact.who].discard(fact.wound)
                case ConditionBegan():
                    self.conditions[fact.id] = fact
                case ConditionEnded():
                    self.conditions.pop(fact.id, None)
                case Judged() if fact.what in ("attack", "defence", "toughness", "cover"):
                    getattr(self, f"check_{fact.what}")(fact, faces)

    def check_attack(self, fact: Judged, faces: dict[str, int]) -> None:
        """Check that the roll and its number are what the result says."""
        if fact.total is None or fact.target is None:
            assert fact.result in ("wrong square", "jammed")
            return
        assert fact.sums[0].start == faces[fact.rolls[0]]
        assert (fact.total >= fact.target) == (fact.result == "hit")
        scale = self.sheets[fact.against].get("scale", 0)
        if not any(rule == "TT-ITM-1" for rule in fact.rules):
            assert fact.sums[1].start == self.sheets[fact.against].get("target", 4 - scale)

    def check_defence(self, fact: Judged, faces: dict[str, int]) -> None:
        assert fact.total is not None
        assert fact.target is not None
        assert (fact.total >= fact.target) == (fact.result == "negated")

    def check_toughness(self, fact: Judged, faces: dict[str, int]) -> None:
        """Check 6, 3 for each step of scale, Endurance and the best Defence, less wounds, and what the place adds."""
        who, sheet = fact.who, self.sheets[fact.who]
        assert fact.total is not None
        assert fact.target is not None
        steps = fact.sums[1].steps
        place = sum(step.value if step.op == "+" else -step.value for step in steps if step.rule == "TT-CAL-2")
        cover = [step.value for step in steps if step.rule == "TT-HIT-4"]
        armour = [
            self.sheets[item].get("defence", 0)
            for item, wearer in self.worn.items()
            if wearer == who and f"destroyed {item}" not in self.conditions
        ]
        best = max([0, sheet.get("armour", 0), sheet.get("unarmoured", 0), *armour, *cover])
        limit = 6 + 3 * sheet.get("scale", 0) + sheet.get("endurance", 0) + best - len(self.wounds.get(who, ())) + place
        assert fact.target == limit
        called = any(rule == "TT-CAL-3" for rule in fact.rules)
        more = 1 if self.options.get("min_toughness") == "exceed" and not called else 0
        assert (fact.total < limit - 6 + more) == (fact.result == "nothing")

    def check_cover(self, fact: Judged, faces: dict[str, int]) -> None:
        limit = self.sheets[fact.who]["toughness"] - len(self.wounds.get(fact.who, ()))
        assert fact.target == limit
        more = 1 if self.options.get("toughness") == "exceed" else 0
        assert (fact.result == "grade lowered") == (fact.total >= limit + more)


class Fights(CorrectedFights):
    """After any lines, corrections and undos the model agrees, and replay and verify find nothing."""

    codes = ("TT-E-", "L-ANNOUNCED")

    @initialize()
    def begin(self) -> None:
        self.seat = Seat(present=CAST, locations=True, at={"Thorn": (5, 5)})

    @rule(said=ANY)
    def anybody_declares(self, said: Declaration) -> None:
        self.declare(said)

    @rule(said=SCENES | RULES)
    def game_master_declares(self, said: Declaration) -> None:
        self.declare(said)

    @rule(data=st.data(), times=st.integers(1, 4))
    def fight(self, data: Any, times: int) -> None:
        """Attack in a fight or out of one, answer what is due, do something else, and end the turn."""
        if self.seat.state.encounter is None and data.draw(st.booleans()):
            self.declare(turns.StartEncounter(by=GM, order=data.draw(ORDERS)))
        for _ in range(times):
            self.strike(data)
            for window in list(self.seat.state.windows.values()):
                self.declare(turns.Fortitude(by=window.who))
            self.declare(data.draw(DOES))
            if (encounter := self.seat.state.encounter) and encounter.turn:
                self.declare(turns.DyingCheck(by=encounter.turn))
                self.declare(EndTurn(by=encounter.turn))

    def strike(self, data: Any) -> None:
        """Let whose turn it is, or anybody, attack somebody who is alive, with a weapon of its own."""
        encounter, state = self.seat.state.encounter, self.seat.state
        by = encounter.turn if encounter and encounter.turn in ARMS else data.draw(FIGHTER)
        alive = [who for who in CAST if who != by and f"dead {who}" not in state.conditions]
        if not alive:
            return
        line, target = data.draw(attacks()), data.draw(st.sampled_from(alive))
        weapon = data.draw(st.sampled_from(["", *ARMS[by][:2]]))
        said = msgspec.structs.replace(line, by=by, target=target, weapon=weapon, range=0, limb=0, square=())
        self.declare(said)
        plain = msgspec.structs.replace(said, at="", item="", defence="")
        if not data.draw(st.booleans()):
            self.declare(plain)
            return
        self.declare(announcement(plain))
        self.declare(data.draw(st.sampled_from([combat.Dodge, combat.Parry, combat.Block]))(by=target))
        self.declare(data.draw(DOES))
        self.declare(Go(by=by, withdraw=data.draw(st.booleans())))

    @rule(data=st.data())
    def ride(self, data: Any) -> None:
        """Mount, take control and charge."""
        self.declare(turns.MountUp(by="Rook", mount="Horse"))
        self.declare(turns.Stow(by="Rook", item="throwing axe"))
        self.declare(turns.ControlMount(by="Rook", stationary=data.draw(st.booleans())))
        self.declare(turns.Move(by="Horse", squares=data.draw(st.sampled_from([10, 40])), speed=18))
        self.declare(combat.Attack(by="Rook", target=data.draw(WHO), weapon="arming sword", fast=True))

    @rule(data=st.data())
    def shoot_at_cover(self, data: Any) -> None:
        """Stand behind a cover that matters, and be shot at."""
        grade = data.draw(st.sampled_from(["light", "medium", "heavy", "total"]))
        wall = {"object": "wall", "toughness": 8, "durability": 3, "matters": True}
        self.declare(scene.SetCover(by=GM, who="Thorn", grade=grade, reason="planks", **wall))
        self.declare(turns.Locate(by="Rook", target="Thorn"))
        weapon = data.draw(st.sampled_from(["throwing axe", "harpoon"]))
        self.declare(combat.Attack(by="Rook", target="Thorn", weapon=weapon, defence=data.draw(DEFENCE)))

    @rule(data=st.data())
    def recover(self, data: Any) -> None:
        """The dead rise, the dying check or are stabilised, and wounds heal."""
        for condition in list(self.seat.state.conditions.values()):
            if condition.name == "dying":
                lines = [turns.DyingCheck(by=condition.who), turns.Stabilise(by=condition.who)]
                self.declare(data.draw(st.sampled_from(lines)))
            elif condition.name in ("dead", "unconscious"):
                changes = tuple(Setting(f"{condition.who.casefold()}.{name}", 0) for name in (condition.name, "wounds"))
                self.declare(Ruling(by=GM, text="up again", reason="a better day", changes=changes))

    @rule(said=attacks(), faces=st.lists(st.integers(1, 6), max_size=3))
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
        assert {who: len(names) for who, names in paper.wounds.items() if names} == {
            being.name: len(state.wounds_of(being.name))
            for being in state.beings_in_order()
            if state.wounds_of(being.name)
        }
        assert paper.conditions.keys() == state.conditions.keys()
        check_bounds(state)


TestFights = Fights.TestCase
