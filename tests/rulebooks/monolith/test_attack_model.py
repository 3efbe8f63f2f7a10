"""Attacks at random under random options, compared with a model that was written from the catalogue alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.facts import Rolled
from ledger.records import Record
from rulebooks.monolith.declarations import Ally, Attack, Blast
from rulebooks.monolith.weapons import HANDS
from tests.rulebooks.monolith import test_rulebook
from tests.rulebooks.monolith.seat import AT, BOOK, CAST, RAIDERS, Seat, cases, hp_and_body

OUT: Final = {"dead", "critical", "stable", "unconscious"}
GONE: Final = {*OUT, "fled"}
OPTIONS: Final = {name: values for name, values in test_rulebook.OPTIONS.items() if name != "lone_last"}
GROUP_RESOLVE: Final = 8
SHEETS: Final[Mapping[str, Mapping[str, Any]]] = cases()["sheets"]


class Die(NamedTuple):
    """A die of an attack: its sides, and whether its damage is nonlethal."""

    sides: int
    nonlethal: bool


def sheet(who: str) -> Mapping[str, Any]:
    return SHEETS["R" if who in ("R1", "R2", "R3", "R4") else who]


def weapons(who: str, *, blast: bool) -> list[str]:
    """Return the weapons of somebody with or without the tag."""
    return [name for name, die in sheet(who).get("weapons", {}).items() if ("blast" in die.split()) == blast]


class Faces:
    """The dice that were rolled for an attack, in the order of the catalogue: the attack's, Body Saves, morale."""

    def __init__(self, record: Record) -> None:
        rolled = [
            (["attack", "Body", "morale"].index(fact.purpose.split()[0]), die.sides, die.face)
            for fact in record.facts
            if isinstance(fact, Rolled)
            for die in fact.dice
        ]
        self._left = sorted(rolled, key=lambda die: die[0])

    def take(self, sides: int) -> int:
        _, rolled, face = self._left.pop(0)
        assert rolled == sides
        return face

    def check_all_used(self) -> None:
        assert self._left == []


class Model:
    """Hit points, Body and conditions of the cast, the best results of the Round, and the triggers of morale."""

    def __init__(self, options: Mapping[str, str], leader: str) -> None:
        self.options = {name: values[0] for name, values in OPTIONS.items()} | dict(options)
        self.leader = leader
        self.hp = {who: sheet(who)["hp"] for who in CAST}
        self.body = {who: sheet(who)["body"] for who in CAST}
        self.conditions: dict[str, set[str]] = {who: set() for who in CAST}
        self.best: dict[str, int] = {}
        self.triggers: set[str] = set()

    def able(self, who: str) -> bool:
        return not self.conditions[who] & GONE

    def dice(self, who: str, armed: Sequence[str], *, enhanced: bool, impaired: bool) -> list[Die]:
        """Return the dice of an attack with these weapons: ML-ATK-3, ML-MOD-1, ML-MOD-2, ML-DUAL-1."""
        if enhanced and impaired:
            both = self.options["both_modifiers"]
            enhanced, impaired = both == "enhanced", both == "impaired"
        found = [Die(4, False) if name == HANDS else self.weapon_die(who, name) for name in armed]
        if not (enhanced or impaired):
            return found
        hands = self.options["unarmed_enhanced"] == "d4"
        sides = [4 if impaired or (name == HANDS and hands) else 12 for name in armed]
        if self.options["modifier_dual"] == "one_die":
            return [Die(max(sides), all(die.nonlethal for die in found))]
        return [Die(one, die.nonlethal) for one, die in zip(sides, found, strict=True)]

    def weapon_die(self, who: str, name: str) -> Die:
        sides, *tags = sheet(who)["weapons"][name].split()
        return Die(int(sides[1:]), "nonlethal" in tags)

    def save(self, face: int, score: int) -> bool:
        if self.options["save_auto"] == "on" and face in (1, 20):
            return face == 1
        return face <= score

    def strike(self, targets: Sequence[str], pools: Sequence[Sequence[Die]], faces: Faces) -> None:
        """Resolve an attack or a blast in full. `pools`: of each target, or one for all."""
        before = dict(self.hp)
        rolled = [[(faces.take(die.sides), die.nonlethal) for die in pool] for pool in pools]
        saves = []
        for number, target in enumerate(targets):
            pool = rolled[number if len(rolled) > 1 else 0]
            highest = max(face for face, _ in pool)
            nonlethal = all(own for face, own in pool if face == highest)
            saves += [(target, nonlethal, score) for score in self.hurt(target, highest, nonlethal=nonlethal)]
        for target, nonlethal, score in saves:
            if not self.save(faces.take(20), score):
                self.fail_body_save(target, nonlethal=nonlethal)
        self.group_morale(targets, faces)
        if "Stalker" in targets and before["Stalker"] and not self.hp["Stalker"]:
            self.flee(["Stalker"], sheet("Stalker")["resolve"], faces)
        faces.check_all_used()

    def hurt(self, target: str, highest: int, *, nonlethal: bool) -> Iterator[int]:
        """Take hit points and Body; yield the score of the Body Save if one is due: ML-GANG-2, ML-DIR-1, ML-CRIT-1."""
        net = max(0, highest - sheet(target).get("armor", 0))
        earlier = self.best.get(target, 0)
        new = max(0, net - earlier) if self.options["gang_scope"] == "round" else net
        self.best[target] = max(net, earlier)
        direct = max(0, new - self.hp[target])
        self.hp[target] = max(0, self.hp[target] - new)
        if not direct:
            return
        body = self.body[target]
        self.body[target] = body if nonlethal else max(0, body - direct)
        if not self.body[target]:
            self.conditions[target].add("dead")
            return
        yield body if self.options["body_save_score"] == "before" else self.body[target]

    def fail_body_save(self, target: str, *, nonlethal: bool) -> None:
        """ML-CRIT-2, ML-TAG-3, ML-GAP-17, ML-GAP-18."""
        own = self.conditions[target]
        if nonlethal:
            own |= {"unconscious"} if "critical" in own else {"unconscious", "stable"}
        elif "critical" not in own:
            own.discard("stable")
            own.add("critical")

    def group_morale(self, targets: Sequence[str], faces: Faces) -> None:
        """ML-MOR-1, ML-MOR-2, ML-MOR-5: the first casualty and half the number, each once in a fight."""
        if not {*targets} & {*RAIDERS}:
            return
        out = [who for who in RAIDERS if self.conditions[who] & OUT]
        lost = [who for who in RAIDERS if self.conditions[who] & GONE]
        counted = lost if self.options["half_counts_fled"] == "yes" else out
        met = {"first"} if out else set()
        met |= {"half"} if 2 * len(counted) >= len(RAIDERS) else set()
        new = met - self.triggers
        self.triggers |= new
        for _ in range(len(new) if self.options["morale_both"] == "two" else min(1, len(new))):
            lead = self.leader and self.able(self.leader)
            self.flee(RAIDERS, sheet(self.leader)["resolve"] if lead else GROUP_RESOLVE, faces)

    def flee(self, group: Sequence[str], score: int, faces: Faces) -> None:
        """Let those able to act make the Save, together or each for themselves: ML-MOR-3, ML-GAP-14."""
        able = [who for who in group if self.able(who)]
        if self.options["morale_roll"] == "each":
            gone = [who for who in able if not self.save(faces.take(20), sheet(who)["resolve"])]
        else:
            gone = able if able and not self.save(faces.take(20), score) else []
        for who in gone:
            self.conditions[who].add("fled")


def random_blast(by: str, targets: Sequence[str], model: Model, chance: Random) -> tuple[Blast, list[list[Die]]]:
    """Return a blast on up to three of these, the attacker perhaps among them, and the dice of each."""
    struck = tuple(chance.sample(targets, chance.randint(1, min(3, len(targets)))))
    weapon = chance.choice(weapons(by, blast=True))
    enhanced, impaired = chance.random() < 0.25, chance.random() < 0.25
    said = Blast(
        by=by,
        targets=struck,
        weapon=weapon,
        area="the hold",
        enhanced=("close",) * enhanced,
        impaired=("smoke",) * impaired,
    )
    own = model.dice(by, [weapon], enhanced=enhanced, impaired=impaired)
    return said, [own] * (1 if model.options["blast_dice"] == "shared" else len(struck))


def random_attack(by: str, target: str, ready: Sequence[str], model: Model, chance: Random) -> tuple[Attack, list[Die]]:
    """Return an attack of one, perhaps with two weapons, with some of those who are ready; and its dice."""
    single = weapons(by, blast=False)
    armed = tuple(chance.sample(single, min(len(single), chance.choice((0, 1, 1, 2))))) or (HANDS,)
    enhanced, impaired = chance.random() < 0.25, chance.random() < 0.25
    others = [who for who in ready if who not in (by, target) and weapons(who, blast=False) and chance.random() < 0.2]
    allies = tuple(Ally(who=who, weapon=chance.choice(weapons(who, blast=False))) for who in others)
    said = Attack(
        by=by,
        target=target,
        weapons=armed,
        allies=allies,
        enhanced=("close",) * enhanced,
        impaired=("smoke",) * impaired,
    )
    pool = model.dice(by, armed, enhanced=enhanced, impaired=impaired)
    for ally in allies:
        pool += model.dice(ally.who, [ally.weapon], enhanced=False, impaired=False)
    return said, pool


@pytest.mark.slow
@given(
    options=st.fixed_dictionaries({}, optional={name: st.sampled_from(values) for name, values in OPTIONS.items()}),
    leader=st.sampled_from(["", "Boss"]),
    chance=st.randoms(use_true_random=False),
)
def test_attacks_do_what_the_model_says(options: dict[str, str], leader: str, chance: Random) -> None:
    seat, model = Seat(options=options, leader=leader), Model(options, leader)
    for _ in range(12):
        ready = [who for who in CAST if model.able(who) and seat.state.actions_left(who, "action")]
        if not ready:
            seat.next_round()
            model.best = {}
            continue
        by = chance.choice(ready)
        targets = [who for who in CAST if who != by and not model.conditions[who] & {"dead", "fled"}]
        if not targets:
            break
        said: Attack | Blast
        if weapons(by, blast=True) and chance.random() < 0.7:
            said, pools = random_blast(by, [*targets, by], model, chance)
            struck = said.targets
        else:
            said, pool = random_attack(by, chance.choice(targets), ready, model, chance)
            struck, pools = (said.target,), [pool]
        model.strike(struck, pools, Faces(seat.ledger.declare(said, at=AT)))
        for who in CAST:
            own, said_of = model.conditions[who], {*seat.conditions(who)} - {"treated"}
            assert hp_and_body(seat, who) == (model.hp[who], model.body[who])
            assert "dead" in own & said_of if "dead" in own | said_of else own == said_of


def test_model_knows_every_option_of_attacks() -> None:
    """`lone_last` mixes two rules for one Save; the others are about the table and about turns."""
    assert BOOK.texts().options.keys() - OPTIONS.keys() <= {"lone_last", "dice", "passes", "answer_seconds"}
