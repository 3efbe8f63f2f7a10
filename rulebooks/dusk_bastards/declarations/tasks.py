"""Attempts, retries, and uses of Destiny and Doom."""

from typing import Annotated, ClassVar, Literal

from ledger.declarations import Declaration, GameMasterDeclaration, syntax
from rulebooks.dusk_bastards.declarations.parts import Asset, Cost, Denied, Far, Modifier, Stat, Use


class Task(Declaration, frozen=True, kw_only=True):
    """The fields of every roll: stat, difficulty, modifiers and costs."""

    secret: ClassVar[str] = "hidden"

    task: str = ""
    stat: Annotated[Stat | None, syntax(word=True)] = None
    difficulty: Annotated[int | None, syntax("v")] = None
    trained: Annotated[tuple[str, ...], syntax(plus="t")] = ()
    specialized: Annotated[tuple[str, ...], syntax(plus="s")] = ()
    unskilled: Annotated[bool, syntax(word=True)] = False
    assets: Annotated[tuple[Asset, ...], syntax(plus="a")] = ()
    helpers: Annotated[tuple[str, ...], syntax(plus="help", being=True)] = ()
    ease: Annotated[tuple[Modifier, ...], syntax(plus="")] = ()
    hinder: Annotated[tuple[Modifier, ...], syntax(minus="")] = ()
    denied: Annotated[tuple[Denied, ...], syntax(minus="")] = ()
    effort: Annotated[int, syntax("e")] = 0
    effort_pool: Stat | None = None
    free_effort: Annotated[int, syntax("f")] = 0
    initial_cost: Annotated[int, syntax("c")] = 0
    initial_stat: Stat | None = None
    ability_cost: tuple[Cost, ...] = ()
    destiny_first: tuple[Use, ...] = ()
    refund: tuple[Cost, ...] = ()
    take20: Annotated[bool, syntax(word=True)] = False
    duration: Annotated[int | None, syntax(seconds=True)] = None
    hidden: Annotated[bool, syntax(word=True)] = False
    physical: bool | None = None  # None: a task of Might or Speed is, one of Intellect is not
    slot: Literal["standard", "bonus", "none"] | None = None


class Directed(Task, frozen=True, kw_only=True):
    """The fields of a roll directed at somebody: the distance and the situations (`+cover`, `+dim`)."""

    at: Far | None = None
    feet: int | None = None
    situations: Annotated[tuple[str, ...], syntax(plus="")] = ()


class Search(Directed, frozen=True, kw_only=True):
    """A task that may be directed at somebody (`toward`), or find somebody who is hidden or unseen (`locates`).

    `skill`: the task of the sheet that it is rolled as, where its own words are others.
    """

    skill: Annotated[str, syntax(named=True)] = ""
    toward: Annotated[str, syntax(being=True)] = ""
    locates: Annotated[str, syntax(being=True)] = ""


class Attempt(Search, frozen=True, kw_only=True, tag="attempt"):
    """Try something: `k sneak v5 e1`, `k sneaks past the guard v5`, `o "force the door" m v5 c3 +a1"crowbar"`.

    `skill=sneak`: it is rolled as that task of the sheet, as is one with its word in it. `new="another wall"`: this is
    another task than the one of the same name that failed.
    """

    verbs: ClassVar[tuple[str, ...]] = ("attempt",)
    free: ClassVar[str] = "task"
    free_as: ClassVar[str] = "skill"

    new: Annotated[str, syntax(named=True)] = ""


class Retry(Search, frozen=True, kw_only=True, tag="retry"):
    """Try a failed task again, with at least one level of Effort: `k retry e1`."""

    verbs: ClassVar[tuple[str, ...]] = ("retry", "again")

    of: Annotated[str | None, syntax(entry=True)] = None


class ForbidRetry(GameMasterDeclaration, frozen=True, kw_only=True, tag="forbid-retry"):
    """Rule that a failed attempt cannot be tried again: `! forbid 1.4 "no more talk"`."""

    verbs: ClassVar[tuple[str, ...]] = ("forbid",)

    of: Annotated[str, syntax(entry=True)]
    reason: str


class SpendDestiny(Declaration, frozen=True, kw_only=True, tag="spend-destiny"):
    """Spend Destiny on one's own open roll: `k destiny reroll`, `k D regain:speed`."""

    verbs: ClassVar[tuple[str, ...]] = ("destiny", "D")
    on_own_roll: ClassVar[bool] = True

    uses: Annotated[tuple[Use, ...], syntax(word=True)]
    refund: tuple[Cost, ...] = ()
    effect: str = ""


class SpendDoom(GameMasterDeclaration, frozen=True, kw_only=True, tag="spend-doom"):
    """Spend Doom: `! doom 1 change-target`, `! doom 2 "reinforcements" because="too quiet"`."""

    verbs: ClassVar[tuple[str, ...]] = ("doom",)

    points: Annotated[int, syntax(word=True)] = 1
    use: Annotated[Literal["change-target", "other"], syntax(word=True)] = "other"
    purpose: str = ""
    effect: str = ""
    because: str = ""


class Close(Declaration, frozen=True, kw_only=True, tag="close"):
    """Close the open roll, which makes its result final: `close`."""

    verbs: ClassVar[tuple[str, ...]] = ("close",)
    lets_go: ClassVar[bool] = True
    alone: ClassVar[bool] = True
