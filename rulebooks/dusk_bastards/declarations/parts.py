"""The types of fields in declarations: stats, distances, costs, modifiers, effects."""

from typing import Annotated, Literal

import msgspec

from ledger.declarations import syntax

Band = Literal["immediate", "short", "long", "extreme"]
Far = Literal["immediate", "short", "long", "extreme", "beyond"]
BANDS: tuple[Far, ...] = ("immediate", "short", "long", "extreme", "beyond")
Stat = Literal["might", "speed", "intellect"]
STATS: tuple[Stat, ...] = ("might", "speed", "intellect")


class Asset(msgspec.Struct, frozen=True):
    """Something that helps with the task at hand."""

    steps: int = 1
    name: str = ""


class Modifier(msgspec.Struct, frozen=True):
    """A circumstance that eases or hinders, and why."""

    steps: int = 1
    reason: str = ""


class Denied(msgspec.Struct, frozen=True):
    """A known situation that does not modify this roll, and why."""

    name: str
    reason: str


class Cost(msgspec.Struct, frozen=True):
    """Points of one stat."""

    stat: Stat
    points: int


class Use(msgspec.Struct, frozen=True):
    """The use of one point of Destiny, and its stat or ability."""

    use: Literal["reroll", "regain", "activate", "change-target"]
    of: str = ""


class Change(msgspec.Struct, frozen=True):
    """A value that a ruling sets: of a being (`kess.might`), or of the game master's side (`doom`)."""

    value: str
    to: int


class Effect(msgspec.Struct, frozen=True):
    """A condition, how long it lasts, and its steps: + eases, - hinders.

    Besides steps it may give armor of an ability or of magic, free levels of Effort, and a skill.

    Without a duration it lasts as long as such conditions do: dazed for a round, others until the game master ends it.
    """

    name: str
    rounds: int | None = None
    tasks: int = 0
    attacks: int = 0
    defence: int = 0
    lasts: Annotated[int | None, syntax(seconds=True)] = None
    until: Literal["encounter", "ruled"] | None = None
    armor: int = 0
    magic: int = 0
    effort: int = 0
    trained: str = ""
    specialized: str = ""


class SheetSkill(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A skill on a sheet: the task it covers, how well, and the stat it is usually rolled with."""

    task: str
    level: Literal["trained", "specialized"]
    stat: Stat | None = None


class SheetWeapon(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A weapon on a sheet: the stat it is used with, its damage, and its range if it is a ranged one."""

    name: str
    stat: Stat | None = None
    damage: int = 0
    range: Band | None = None
    max_range: Band | None = None
    kind: Literal["stabbing", "slashing", "bashing"] | None = None
    works_underwater: bool = False


class Armor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A source of armor."""

    kind: Literal["physical", "ability", "magic"]
    value: int


class Spot(msgspec.Struct, frozen=True):
    """One target of an area; its situations and distance are given where they differ from those of all."""

    target: Annotated[str, syntax(being=True)]
    situations: tuple[str, ...] = ()
    at: Far | None = None
    feet: int | None = None


Row = Literal[
    "falling",
    "minor_fire",
    "major_fire",
    "acid_splash",
    "acid_bath",
    "cold",
    "severe_cold",
    "shock",
    "electrocution",
    "crush",
    "huge_crush",
    "collision",
]
