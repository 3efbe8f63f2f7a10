"""Declarations of the game master: cover, light, concealment, places, called shots, healing."""

from typing import Annotated, ClassVar, Literal

from ledger.declarations import GameMasterDeclaration, syntax


class SetCover(GameMasterDeclaration, frozen=True, kw_only=True, tag="set-cover"):
    """Rule on somebody's cover: `! cover thorn medium "a low wall"`.

    `object` names the cover, which several may share; `against` are those against whom it counts (empty: all).
    `matters`: an attack may hit it. Toughness and durability are numbers of the campaign:
    `! cover thorn medium "a plank wall" object=wall toughness=12 durability=3 matters`.
    """

    verbs: ClassVar[tuple[str, ...]] = ("cover",)

    who: Annotated[str, syntax(being=True, word=True)]
    grade: Annotated[str, syntax(word=True, whole=True)]
    reason: str = ""
    object: Annotated[str, syntax(named=True)] = ""
    toughness: Annotated[int | None, syntax()] = None
    durability: Annotated[int | None, syntax()] = None
    matters: Annotated[bool, syntax(word=True, whole=True)] = False
    against: Annotated[tuple[str, ...], syntax(being=True)] = ()


class SetLight(GameMasterDeclaration, frozen=True, kw_only=True, tag="set-light"):
    """Set the light of a place, or of where everybody is: `! light hazy`, `! light hazy dark place=yard`."""

    verbs: ClassVar[tuple[str, ...]] = ("light",)

    light: Annotated[str, syntax(word=True)]
    dark: Annotated[bool, syntax(word=True)] = False
    place: Annotated[str, syntax(named=True, place=True)] = ""


class Conceal(GameMasterDeclaration, frozen=True, kw_only=True, tag="conceal"):
    """Rule that somebody is concealed, invisible, dusted with something, or none of these (`off`).

    `! conceal thorn "tall grass"`, `! conceal thorn invisible "a spell"`, `! conceal thorn off "in the open"`.
    """

    verbs: ClassVar[tuple[str, ...]] = ("conceal",)

    who: Annotated[str, syntax(being=True, word=True)]
    how: Annotated[Literal["on", "off", "invisible", "dusted"], syntax(word=True, whole=True)] = "on"
    reason: str = ""


class PutAt(GameMasterDeclaration, frozen=True, kw_only=True, tag="put-at"):
    """Say where somebody is: `! put thorn yard square=5,5`."""

    verbs: ClassVar[tuple[str, ...]] = ("put",)

    who: Annotated[str, syntax(being=True, word=True)]
    place: Annotated[str, syntax(word=True, whole=True, place=True)] = ""
    square: Annotated[tuple[int, ...], syntax()] = ()


class SetFlanked(GameMasterDeclaration, frozen=True, kw_only=True, tag="set-flanked"):
    """Rule that somebody is flanked, where no squares say it: `! flanked thorn "an ogre on each side"`, or `off`."""

    verbs: ClassVar[tuple[str, ...]] = ("flanked",)

    who: Annotated[str, syntax(being=True, word=True)]
    reason: str = ""
    off: Annotated[bool, syntax(word=True, whole=True)] = False


class SetLocation(GameMasterDeclaration, frozen=True, kw_only=True, tag="set-location"):
    """Rule on the numbers of a called shot: `! location leg m1 a-1 "as agreed"`: Target +1, Toughness -1."""

    verbs: ClassVar[tuple[str, ...]] = ("location",)

    location: Annotated[str, syntax(word=True)]
    target: Annotated[int, syntax("m")]
    toughness: Annotated[int, syntax("a")]
    reason: str = ""


class Heal(GameMasterDeclaration, frozen=True, kw_only=True, tag="heal"):
    """Record what is healed or mended: `! heal thorn 1 "a night's rest"`, `! heal thorn "set" injuries=leg`.

    `wounds` end oldest first. `injuries` are locations, all of whose wounds and injuries end. `jam`: it is cleared.
    """

    verbs: ClassVar[tuple[str, ...]] = ("heal",)

    who: Annotated[str, syntax(being=True, word=True)]
    wounds: Annotated[int, syntax(word=True)] = 0
    injuries: Annotated[tuple[str, ...], syntax()] = ()
    jam: Annotated[bool, syntax(word=True, whole=True)] = False
    reason: str = ""
