"""The table of maneuvers: `maneuvers.toml` beside the book, read on first use (GR-OUT-17).

What the entries of a row mean stands here; what each kind of row does stands in the module of that kind.
"""

from __future__ import annotations

from functools import cache
from typing import Final, Literal

import msgspec

from ledger.names import fold_case
from rulebooks.mars.texts import TEXTS, refusal

Kind = Literal["strike", "shots", "check", "stance", "reaction", "evasion"]
Type = Literal["offensive", "defensive", "tactical"]
SKILL: Final = "skill"  # as a check: the combat skill that the maneuver is used with


class Better(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Effects that replace those of a row for somebody with this skill at r12 or better."""

    skill: str
    effects: dict[str, int]


class RowEffect(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A condition that a maneuver begins.

    Attributes:
        on: who gets it. That of the target may be resisted, if the row has something to resist with.
        name: the name of the condition.
        effects: what it changes, as `aids.py` reads it.
        better: other effects for who has a skill at r12.
        against: it counts only against the one who uses the maneuver (`self`), or against its target.
        uses: how many rolls it counts for; 0: all of them.
        lasts: until the present turn ends; else as many rounds as the row says.
        when: it begins only in a maneuver that was readied.
        resisted: effects where the target resists: such an effect begins all the same.
    """

    on: Literal["self", "target", "allies"]
    name: str
    effects: dict[str, int] = {}
    better: Better | None = None
    against: Literal["", "self", "target"] = ""
    uses: int = 0
    lasts: Literal["", "turn"] = ""
    when: Literal["", "readied"] = ""
    resisted: dict[str, int] = {}


class IllSuited(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Weapons that a maneuver does not suit, and what that adds to the attack roll and to the damage."""

    to: tuple[Literal["unarmed", "edged"], ...] = ()
    to_hit: int = 0
    damage: int = 0


NOTHING: Final = IllSuited()


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One maneuver.

    Attributes:
        speed: its action speed; None: it is a reaction.
        rounds: how long its effects last; 0: no duration.
        resist: the stats and skills that a target may resist with: the best of them.
        mode: the attack that it makes or meets is melee or ranged; empty: either.
        to_hit, damage: what it adds to the attack roll and to the damage.
        critical: how much lower a critical begins.
        halvings: how often the damage is halved.
        damage_type, weapon_value, critical_bonus: what takes the place of the weapon's own.
        ill_suited: weapons that a row does not suit, and what they add instead of nothing.
        check: the skills of a roll that takes the place of the attack roll, or comes `check_when` with it.
        difficulty: of that roll, where it is no contest.
        targets: how many are attacked with one roll.
        run: the least metres of a run; three times the speed at most.
        leap: it begins with a leap of half the speed at most.
        reach: the most metres to the target.
        needs: what must be so: a thing in hand, freedom to move, standing, an ally as the target.
        boost: what 1 more stamina adds.
        left: what the table settles itself before the dice; `result`: what it settles after a success.
    """

    name: str
    kind: Kind
    type: Type
    skills: tuple[str, ...]
    stamina: int
    text: str
    speed: int | None = None
    rounds: int = 0
    resist: tuple[str, ...] = ()
    mode: Literal["", "melee", "ranged"] = ""
    to_hit: int = 0
    damage: int = 0
    critical: int = 0
    halvings: int = 0
    damage_type: str = ""
    weapon_value: str = ""
    critical_bonus: int = 0
    ill_suited: IllSuited = NOTHING
    check: tuple[str, ...] = ()
    check_when: Literal["instead", "before", "after"] = "instead"
    difficulty: int = 0
    targets: int = 1
    run: int = 0
    leap: bool = False
    reach: int = 0
    needs: tuple[str, ...] = ()
    boost: Literal["", "doubles", "critical 3", "knock-down", "both"] = ""
    left: str = ""
    result: str = ""
    effects: tuple[RowEffect, ...] = ()

    @property
    def is_reaction(self) -> bool:
        """GR-ACT-4: whether it is a reaction, without an action speed."""
        return self.speed is None


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of `maneuvers.toml`."""

    maneuvers: tuple[Row, ...]


@cache
def rows() -> dict[str, Row]:
    """Return the maneuvers by name, in the order of the table."""
    return {row.name: row for row in TEXTS.read("maneuvers.toml", Table).maneuvers}


def is_reaction(name: str) -> bool:
    """GR-ACT-4: tell whether this names a maneuver that is a reaction."""
    row = rows().get(row_name(name))
    return row is not None and row.is_reaction


def row_name(name: str) -> str:
    """Return the name of a maneuver as the table has it: `heavy-strike` for `Heavy Strike`."""
    return fold_case(name).replace(" ", "-")


def find_row(who: str, name: str) -> Row:
    """Return the maneuver of this name for somebody who uses it. Raises Refused when there is none."""
    row = rows().get(row_name(name))
    if row is None:
        from difflib import get_close_matches  # imported here to start faster

        near = ", ".join(get_close_matches(name, rows(), 3, 0.6))
        way = f"The nearest: {near}" if near else "Name one of the table: campaign help mars"
        raise refusal("UNKNOWN-MANEUVER", case="none", name=who, maneuver=name, near=way)
    return row
