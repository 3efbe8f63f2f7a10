"""Fights at random under random options, compared with a model that was written from the catalogue alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any, Final, NamedTuple

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import Refused
from ledger.facts import GM
from rulebooks.common.encounters import EndTurn
from rulebooks.momentum.declarations import Attack, BypassMomentum, Reaction, SeizeMomentum, StartEncounter
from tests.rulebooks.momentum.seat import BOOK, PATHS, Seat, cases

SHEETS: Final[Mapping[str, Mapping[str, Any]]] = cases()["sheets"]
FOES: Final = [who for who, sheet in SHEETS.items() if sheet.get("sheet") == "foe"]
PCS: Final = [who for who in SHEETS if who not in FOES]
OPTIONS: Final[Mapping[str, tuple[Any, ...]]] = {
    "precise_repeat": ("repeat", "once"),
    "help_extra_dice": ("yes", "no"),
    "help_stacks": ("no", "yes"),
    "reaction_cost": ("set_to_one", "subtract_one"),
    "foe_actions": (2, 1),
    "wounded_at": ("half_or_less", "three_or_less", "off"),
    "foes_wounded": ("no", "yes"),
}
ROUNDS: Final = 3


class Die(NamedTuple):
    """A die of an attack as it lies, and whether another die gave it."""

    face: int
    is_extra: bool


class DiceModel:
    """The dice of one attack, thrown in the order of MO-CONV-1."""

    def __init__(self, dice: str, *, precise: bool, defense: int, options: Mapping[str, Any], chance: Random) -> None:
        count, self.sides = map(int, dice.split("d"))
        self.precise, self.defense, self.options, self.chance = precise, defense, options, chance
        self.faces: list[int] = []  # in the order in which they are thrown
        self.dice = [Die(self.throw(), False) for _ in range(count)]
        self.rerolled: set[int] = set()
        self.play(range(count))

    def throw(self) -> int:
        """Throw a die: 1 and the maximum, which do something, come often."""
        self.faces.append(self.chance.choice((1, self.sides, *(self.chance.randint(1, self.sides) for _ in range(2)))))
        return self.faces[-1]

    def play(self, wave: Iterable[int]) -> None:
        """Throw again what a wave asks for, and what that asks for: MO-TAG-3, MO-EXP-2."""
        wave = list(wave)
        while wave:
            for number in wave:
                while self.precise and self.dice[number].face == 1 and self.may_repeat(number):
                    self.rerolled.add(number)
                    self.dice[number] = self.dice[number]._replace(face=self.throw())
            new = [number for number in wave if self.dice[number].face == self.sides]
            wave = list(range(len(self.dice), len(self.dice) + len(new)))
            self.dice += [Die(self.throw(), True) for _ in new]

    def may_repeat(self, number: int) -> bool:
        return self.options["precise_repeat"] == "repeat" or number not in self.rerolled

    def is_hit(self, die: Die) -> bool:
        return die.face >= self.defense or die.face == self.sides

    def help(self, helpers: int) -> tuple[int, ...]:
        """Throw some of the dice that missed again; return their numbers: MO-HELP-2."""
        missed = [
            number
            for number, die in enumerate(self.dice)
            if not self.is_hit(die) and (self.options["help_extra_dice"] == "yes" or not die.is_extra)
        ]
        most = 2 * (helpers if self.options["help_stacks"] == "yes" else 1)
        chosen = sorted(self.chance.sample(missed, self.chance.randint(0, min(most, len(missed)))))
        for number in chosen:
            self.dice[number] = self.dice[number]._replace(face=self.throw())
        self.play(chosen)
        return tuple(number + 1 for number in chosen)

    @property
    def hits(self) -> int:
        return sum(map(self.is_hit, self.dice))


class FightModel:
    """Hit points, reactions and actions of a fight that the model plays at a seat."""

    def __init__(self, options: Mapping[str, Any], chance: Random) -> None:
        self.options = {name: values[0] for name, values in OPTIONS.items()} | dict(options)
        self.chance = chance
        self.seat = Seat("none", options=options, shield=("Arlo",))
        self.hp = {who: int(sheet["hp"]) for who, sheet in SHEETS.items()}
        self.reacted: set[str] = set()  # in this round
        self.since = dict.fromkeys(PCS, 0)  # reactions since the last own turn
        self.first: dict[str, int] = {}  # actions in round 1

    def begin(self) -> None:
        """Begin the fight with everybody in one zone, and settle who has seized momentum."""
        paths = [{"one": one, "other": other} for one, other in (path.split(":") for path in PATHS)]
        fields = {"by": GM, "paths": paths, "pcs": "Hall", "foes": "Hall", "participants": list(SHEETS)}
        self.seat.say(msgspec.convert(fields, StartEncounter))
        for who in PCS:
            if self.chance.random() < 0.2:
                self.first[who] = self.chance.randint(1, 2)
                self.seat.say(BypassMomentum(by=GM, who=who, actions=self.first[who], reason="they lay in wait"))
                continue
            one, other = self.chance.randint(1, 12), self.chance.randint(1, 12)
            self.seat.say(SeizeMomentum(by=who), one, other)
            self.first[who] = 2 if one == other or one + other >= 20 - SHEETS[who]["scores"]["AGI"] else 1

    @property
    def is_over(self) -> bool:
        return not (any(self.hp[who] for who in PCS) and any(self.hp[who] for who in FOES))

    def play_round(self, number: int) -> None:
        self.reacted.clear()
        for side in (PCS, FOES):
            for who in self.chance.sample(side, len(side)):
                if self.hp[who] and not self.is_over:
                    self.play_turn(who, self.allowance(who, number))

    def is_wounded(self, who: str) -> bool:
        """MO-WND-1, MO-GAP-4, MO-GAP-28."""
        if who in FOES and self.options["foes_wounded"] == "no":
            return False
        reading = self.options["wounded_at"]
        return bool(reading == "three_or_less" and self.hp[who] <= 3) or (
            reading == "half_or_less" and 2 * self.hp[who] <= SHEETS[who]["hp"]
        )

    def allowance(self, who: str, number: int) -> int:
        """MO-REACT-3, MO-GAP-8, MO-GAP-14."""
        most = 1 if self.is_wounded(who) else 2
        if who in FOES:
            return min(most, self.options["foe_actions"])
        most = min(most, self.first[who] if number == 1 else 2)
        reactions, self.since[who] = self.since[who], 0
        if self.options["reaction_cost"] == "subtract_one":
            return max(0, most - reactions)
        return min(most, 1) if reactions else most

    def play_turn(self, who: str, actions: int) -> None:
        """Attack with all actions, or with as many as the weapons have dice for; then the turn is over."""
        attacks = 0
        for _ in range(actions):
            attacks += self.attack(who, rushed=attacks > 0)
            if not self.hp[who] or self.is_over:
                return
        if attacks < actions or not actions:
            self.seat.say(EndTurn(by=who))

    def attack(self, who: str, *, rushed: bool) -> bool:
        """Attack somebody with a weapon; return whether the weapon has dice for it."""
        name = self.chance.choice(list(SHEETS[who]["weapons"]))
        weapon = SHEETS[who]["weapons"][name]
        needs = {} if who in FOES else weapon.get("needs", {})
        rushed = rushed or any(SHEETS[who]["scores"].get(score, 0) < least for score, least in needs.items())
        target = self.chance.choice([each for each in SHEETS if each != who and self.hp[each]])
        if rushed and "rushed" not in weapon:
            assert self.seat.code(Attack(by=who, target=target, weapon=name)) == "RUSHED"
            return False
        reactions, struck, defended = self.reactions(who, target)
        dice = DiceModel(
            weapon["rushed" if rushed else "damage"],
            precise="Precise" in weapon.get("tags", ()),
            defense=SHEETS[struck]["defense"],
            options=self.options,
            chance=self.chance,
        )
        helpers = sum(reaction.kind == "help" for reaction in reactions)
        chosen = (dice.help(helpers) or (0,)) if helpers else ()
        said = Attack(by=who, target=target, weapon=name, reactions=tuple(reactions), reroll=chosen)
        for wrong in (dice.faces[:-1] or [99], [*dice.faces, 1]):
            with pytest.raises(Refused, match="MO-E-DICE"):
                self.seat.say(said, *wrong)
        self.seat.say(said, *dice.faces)
        for reaction in reactions:
            self.reacted.add(reaction.who)
            self.since[reaction.who] += 1
        self.hp[struck] = max(0, self.hp[struck] - max(0, dice.hits - defended))
        assert {each: self.seat.hp(each) for each in SHEETS} == self.hp
        return True

    def reactions(self, by: str, target: str) -> tuple[list[Reaction], str, bool]:
        """Return reactions to an attack, who is struck in the end, and whether they Defend: MO-CONV-4."""
        said: list[Reaction] = []
        struck, defends = target, ""
        able = [who for who in PCS if who != by and self.hp[who] and who not in self.reacted]
        for who in self.chance.sample(able, len(able)):
            kind = self.chance.choice(("defend", "interpose", "help", "", "", ""))
            if kind == "interpose" and who != struck:
                struck = who
            elif kind == "defend" and who == struck == "Arlo":  # who bears the shield
                defends = who
            elif kind != "help" or by in FOES or who == struck or not self.may_help(said):
                continue
            said.append(Reaction(who=who, kind=kind, how="a shout", because="it is loud"))  # type: ignore[arg-type]
        return said, struck, defends == struck

    def may_help(self, said: Iterable[Reaction]) -> bool:
        """MO-GAP-18."""
        return self.options["help_stacks"] == "yes" or all(reaction.kind != "help" for reaction in said)


@pytest.mark.slow
@given(
    options=st.fixed_dictionaries({}, optional={name: st.sampled_from(values) for name, values in OPTIONS.items()}),
    chance=st.integers(0, 2**32 - 1).map(Random),
)
def test_fights_go_as_the_model_says(options: dict[str, Any], chance: Random) -> None:
    model = FightModel(options, chance)
    model.begin()
    for number in range(1, ROUNDS + 1):
        model.play_round(number)


def test_model_knows_every_option_of_attacks() -> None:
    """The others are about places, checks of their own, the moment of Help, and about the table."""
    others = {"check_adv", "help_timing", "ranged_same_zone", "thrown_leaves_hand", "dice", "passes", "answer_seconds"}
    assert BOOK.texts().options.keys() == OPTIONS.keys() | others
