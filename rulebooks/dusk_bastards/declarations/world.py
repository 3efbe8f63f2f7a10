"""Light, view, distances and time."""

from typing import Annotated, ClassVar, Literal

from ledger.declarations import GameMasterDeclaration, syntax
from rulebooks.dusk_bastards.declarations.parts import Far


class SetLight(GameMasterDeclaration, frozen=True, kw_only=True, tag="light"):
    """Set the light, until it is set again: `! light dim`."""

    verbs: ClassVar[tuple[str, ...]] = ("light",)

    light: Annotated[Literal["bright", "dim", "very_dim", "dark"], syntax(word=True)]


class SetObscurity(GameMasterDeclaration, frozen=True, kw_only=True, tag="obscurity"):
    """Set mist or fog that obscures everybody, until it is set again: `! obscurity heavy`."""

    verbs: ClassVar[tuple[str, ...]] = ("obscurity",)

    obscurity: Annotated[Literal["none", "light", "heavy"], syntax(word=True)]


class SetDistance(GameMasterDeclaration, frozen=True, kw_only=True, tag="distance"):
    """Set the distance of two, until one of them moves: `! distance kess brute short`, or in feet: `... 30`."""

    verbs: ClassVar[tuple[str, ...]] = ("distance",)

    between: Annotated[tuple[str, ...], syntax(being=True, word=True)]
    at: Annotated[Far | None, syntax(word=True)] = None
    feet: Annotated[int | None, syntax(word=True)] = None


class AdvanceTime(GameMasterDeclaration, frozen=True, kw_only=True, tag="advance-time"):
    """Let time pass: `! time 2h "waiting for the tide"`."""

    verbs: ClassVar[tuple[str, ...]] = ("time",)

    seconds: Annotated[int, syntax(seconds=True)]
    label: str = ""
    rest_day: Annotated[tuple[str, ...], syntax(being=True)] = ()
