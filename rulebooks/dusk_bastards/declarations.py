"""What can be said in Dusk Bastards, and how it is written in a line.

A field's type says what may stand there, `say` how it is typed. Ranges that the book names are checked where the
book is read, so that the refusal carries the book's own code. None means: what the sheet or the state knows.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec

from ledger.facts import Scalar
from ledger.game import Declaration, say

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


class Cost(msgspec.Struct, frozen=True):
    """Points of one stat."""

    stat: Stat
    points: int


class Use(msgspec.Struct, frozen=True):
    """What one point of Destiny is spent on, and which stat or ability."""

    use: Literal["reroll", "regain", "activate", "change-target"]
    of: str = ""


class Change(msgspec.Struct, frozen=True):
    """A value that a ruling sets: of a being (`kess.might`), or of the game master's side (`doom`)."""

    value: str
    to: int


class SheetSkill(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A skill on a sheet: the task it covers, how well, and the stat it is usually rolled with."""

    task: str
    level: Literal["trained", "specialized"]
    stat: Stat | None = None


class Armor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A source of armor."""

    kind: Literal["physical", "ability", "magic"]
    value: int


class Task(Declaration, frozen=True, kw_only=True):
    """What every attempt may say about itself: the six steps, and the costs."""

    task: str = ""
    stat: Annotated[Stat | None, say(word=True)] = None
    difficulty: Annotated[int | None, say("v")] = None
    trained: Annotated[tuple[str, ...], say(plus="t")] = ()
    specialized: Annotated[tuple[str, ...], say(plus="s")] = ()
    unskilled: Annotated[bool, say(word=True)] = False
    assets: Annotated[tuple[Asset, ...], say(plus="a")] = ()
    helpers: Annotated[tuple[str, ...], say(plus="help", being=True)] = ()
    ease: Annotated[tuple[Modifier, ...], say(plus="")] = ()
    hinder: Annotated[tuple[Modifier, ...], say(minus="")] = ()
    effort: Annotated[int, say("e")] = 0
    effort_pool: Stat | None = None
    free_effort: Annotated[int, say("f")] = 0
    initial_cost: Annotated[int, say("c")] = 0
    initial_stat: Stat | None = None
    ability_cost: tuple[Cost, ...] = ()
    destiny_first: tuple[Use, ...] = ()
    refund: tuple[Cost, ...] = ()
    take20: Annotated[bool, say(word=True)] = False
    duration: Annotated[int | None, say(seconds=True)] = None
    hidden: Annotated[bool, say(word=True)] = False


class Attempt(Task, frozen=True, kw_only=True, tag="attempt"):
    """Try something: `k sneak v5 e1`, `o "force the door" m v5 c3 +a1"crowbar"`."""

    verbs: ClassVar[tuple[str, ...]] = ("attempt",)
    free: ClassVar[str] = "task"


class Retry(Task, frozen=True, kw_only=True, tag="retry"):
    """Try again what failed, with at least one level of Effort: `k retry e1`."""

    verbs: ClassVar[tuple[str, ...]] = ("retry", "again")

    of: Annotated[str | None, say(entry=True)] = None


class ForbidRetry(Declaration, frozen=True, kw_only=True, tag="forbid-retry"):
    """The game master rules that a failed attempt cannot be tried again: `! forbid 1.4 "no more talk"`."""

    verbs: ClassVar[tuple[str, ...]] = ("forbid",)
    aside: ClassVar[bool] = True

    of: Annotated[str, say(entry=True)]
    reason: str


class SpendDestiny(Declaration, frozen=True, kw_only=True, tag="spend-destiny"):
    """Spend Destiny on one's own open roll: `k destiny reroll`, `k D regain:speed`."""

    verbs: ClassVar[tuple[str, ...]] = ("destiny", "D")

    uses: Annotated[tuple[Use, ...], say(word=True)]
    refund: tuple[Cost, ...] = ()
    effect: str = ""


class SpendDoom(Declaration, frozen=True, kw_only=True, tag="spend-doom"):
    """The game master spends Doom: `! doom 1 change-target`, `! doom 2 "reinforcements" because="too quiet"`."""

    verbs: ClassVar[tuple[str, ...]] = ("doom",)
    aside: ClassVar[bool] = True

    points: Annotated[int, say(word=True)] = 1
    use: Annotated[Literal["change-target", "other"], say(word=True)] = "other"
    purpose: str = ""
    effect: str = ""
    because: str = ""


class Close(Declaration, frozen=True, kw_only=True, tag="close"):
    """Close the open roll: what it says is final: `close`."""

    verbs: ClassVar[tuple[str, ...]] = ("close",)


class SetOption(Declaration, frozen=True, kw_only=True, tag="set-option"):
    """The table chooses a reading: `! option light_wound_cost per_use "table vote"`."""

    verbs: ClassVar[tuple[str, ...]] = ("option",)
    aside: ClassVar[bool] = True

    name: Annotated[str, say(word=True)]
    value: Annotated[Scalar, say(word=True)]
    reason: str
    agreed: tuple[str, ...] = ()


class Ruling(Declaration, frozen=True, kw_only=True, tag="ruling"):
    """The game master decides, and may set values: `! ruling "a gift of the tide" "agreed" kess.destiny=1`."""

    verbs: ClassVar[tuple[str, ...]] = ("ruling",)
    aside: ClassVar[bool] = True

    text: str
    reason: str
    cites: tuple[str, ...] = ()
    scope: Literal["once", "session", "campaign"] = "once"
    agreed: tuple[str, ...] = ()
    changes: Annotated[tuple[Change, ...], say(sets=True)] = ()


class CreateCharacter(Declaration, frozen=True, kw_only=True, tag="create-character"):
    """A player's character joins, with a sheet."""

    name: str
    level: int = 1
    might: int
    speed: int
    intellect: int
    effort_limit: int = 1
    skills: tuple[SheetSkill, ...] = ()
    armor: tuple[Armor, ...] = ()
    destiny: int = 0
    aquatic: bool = False
    player: str = ""


class CreateNpc(Declaration, frozen=True, kw_only=True, tag="create-npc"):
    """A minion or an elite joins the game master's side. Give a difficulty or a target number."""

    name: str
    kind: Literal["minion", "elite"]
    difficulty: int | None = None
    target_number: int | None = None
    health: int
    armor: tuple[Armor, ...] = ()
    damage: int = 0
    initiative: int | None = None
    wound_limit: int | None = None
    aquatic: bool = False


class CreateObject(Declaration, frozen=True, kw_only=True, tag="create-object"):
    """A thing that can be broken."""

    name: str
    state: Literal["whole", "damaged", "broken"] = "whole"


DECLARATIONS: tuple[type[Declaration], ...] = (
    Attempt,
    Retry,
    ForbidRetry,
    SpendDestiny,
    SpendDoom,
    Close,
    SetOption,
    Ruling,
    CreateCharacter,
    CreateNpc,
    CreateObject,
)
