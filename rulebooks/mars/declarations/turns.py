"""Encounters, turns, and what a turn is made of besides attacks and maneuvers."""

from typing import Annotated, ClassVar, Literal

import msgspec

from ledger.declarations import Declaration, GameMasterDeclaration, syntax
from rulebooks.mars.declarations.combat import Blow
from rulebooks.mars.declarations.parts import Rolling

Kind = Literal["opposed", "danger", "challenge"]
Readied = Literal[
    "attack", "maneuver", "move", "brandish", "drop-prone", "rise", "interact", "seek-cover", "use-skill", "other"
]


class TeamMember(msgspec.Struct, frozen=True):
    """Somebody's team in this encounter, where it is not that of the sheet."""

    who: Annotated[str, syntax(being=True)]
    team: str


class Minutes(msgspec.Struct, frozen=True):
    """How long somebody's check or minor action takes in a complex challenge."""

    who: Annotated[str, syntax(being=True)]
    minutes: int


class Found(msgspec.Struct, frozen=True):
    """An item that lies about, and whose it was."""

    owner: Annotated[str, syntax(being=True)]
    item: str


class StartEncounter(GameMasterDeclaration, frozen=True, kw_only=True, tag="start-encounter"):
    """Begin an encounter: `! encounter "the gate"`, `! encounter "foot race" no-combat`, `! encounter challenge`.

    All in play take part, or those named; the team is that of the sheet, unless `teams=dov:guards` says otherwise.
    `unaware` are those who know of no opponent; everybody else does.
    """

    verbs: ClassVar[tuple[str, ...]] = ("encounter",)

    reason: str = ""
    kind: Annotated[Kind, syntax(word=True)] = "opposed"
    combat: Annotated[Literal["combat", "no-combat"], syntax(word=True)] = "combat"
    participants: Annotated[tuple[str, ...], syntax(being=True, word=True)] = ()
    unaware: Annotated[tuple[str, ...], syntax(being=True)] = ()
    teams: tuple[TeamMember, ...] = ()


class JoinEncounter(GameMasterDeclaration, frozen=True, kw_only=True, tag="join-encounter"):
    """Bring somebody into the encounter: `! join hob`. Initiative is asked for only before the first turn."""

    verbs: ClassVar[tuple[str, ...]] = ("join",)

    who: Annotated[str, syntax(being=True, word=True)]
    team: Annotated[str, syntax(named=True)] = ""


class EndEncounter(GameMasterDeclaration, frozen=True, kw_only=True, tag="end-encounter"):
    """End the encounter: `! over`."""

    verbs: ClassVar[tuple[str, ...]] = ("over",)
    lets_go: ClassVar[bool] = True

    reason: str = ""


class RollInitiative(Rolling, frozen=True, kw_only=True, tag="roll-initiative"):
    """Roll initiative: `asha initiative`; `! initiative` for all of the game master's who have not."""

    verbs: ClassVar[tuple[str, ...]] = ("initiative",)
    alone: ClassVar[bool] = True


class InitiativeRuling(GameMasterDeclaration, frozen=True, kw_only=True, tag="initiative-ruling"):
    """Rule which of the tied teams goes first: `! order guards "they held the doorway"`."""

    verbs: ClassVar[tuple[str, ...]] = ("order",)

    reason: str = ""
    teams: Annotated[tuple[str, ...], syntax(word=True)]


class BeginTurn(Rolling, frozen=True, kw_only=True, tag="begin-turn"):
    """Begin one's turn: `gil begin`. Whoever acts begins it without saying so, where that needs no dice.

    The fields of a roll are those of the dying check: `gil begin total=7`, `gil begin +2"a hand to hold"`.
    """

    verbs: ClassVar[tuple[str, ...]] = ("begin",)


class Brandish(Declaration, frozen=True, kw_only=True, tag="brandish"):
    """Take exactly these items in hand: `asha brandish longsword shield`.

    `away=longsword`: that one is put away, and what else is in hand stays there. `+found:gil:spear` is one that lies
    about, because its owner has dropped it or is helpless.
    """

    verbs: ClassVar[tuple[str, ...]] = ("brandish",)

    items: Annotated[tuple[str, ...], syntax(word=True)] = ()
    away: Annotated[tuple[str, ...], syntax(named=True)] = ()
    found: Annotated[tuple[Found, ...], syntax(plus="found")] = ()


class DropProne(Declaration, frozen=True, kw_only=True, tag="drop-prone"):
    """Drop prone: `bram drop`."""

    verbs: ClassVar[tuple[str, ...]] = ("drop", "drop-prone")


class Rise(Declaration, frozen=True, kw_only=True, tag="rise"):
    """Rise from prone: `bram rise`."""

    verbs: ClassVar[tuple[str, ...]] = ("rise", "stand-up", "get-up")


class Interact(Declaration, frozen=True, kw_only=True, tag="interact"):
    """Handle something, at speed 1 or as the game master says: `asha interact "lifts the bar" 2`."""

    verbs: ClassVar[tuple[str, ...]] = ("interact",)

    note: str = ""
    speed: Annotated[int, syntax(word=True)] = 1


class SpecialAction(Declaration, frozen=True, kw_only=True, tag="act"):
    """Do something else that costs action points, a spell say: `cora act 2 "a bolt of ice" focus=3`."""

    verbs: ClassVar[tuple[str, ...]] = ("act",)

    note: str = ""
    speed: Annotated[int, syntax(word=True)]
    stamina: int = 0
    focus: int = 0


class Move(Declaration, frozen=True, kw_only=True, tag="move"):
    """Move: `asha move 6`, `asha move 4 d2` with 2 m of it over difficult terrain."""

    verbs: ClassVar[tuple[str, ...]] = ("move",)

    metres: Annotated[int, syntax(word=True)]
    difficult_metres: Annotated[int, syntax("d")] = 0


class SeekCover(Declaration, frozen=True, kw_only=True, tag="seek-cover"):
    """Seek cover: `bram cover "the crate"`; after two moves also `bram cover`."""

    verbs: ClassVar[tuple[str, ...]] = ("cover", "seek-cover", "take-cover")

    object: str = ""


class Ready(Declaration, frozen=True, kw_only=True, tag="ready"):
    """Ready an action of speed 0 to 2: `asha ready attack gil "when he comes through the door"`.

    `asha ready move m3 "when the bell rings"`, `asha ready maneuver trip hob "when he runs"`; anything else is
    `asha ready other 2 "when the gate opens"`.
    """

    verbs: ClassVar[tuple[str, ...]] = ("ready",)

    action: Annotated[Readied, syntax(word=True)]
    trigger: str = ""
    target: Annotated[str, syntax(being=True, word=True)] = ""
    speed: Annotated[int | None, syntax(word=True)] = None
    metres: Annotated[int, syntax("m")] = 0
    weapon: Annotated[str, syntax(named=True)] = ""
    maneuver: Annotated[str, syntax(word=True)] = ""
    improvise: Annotated[Literal["none", "stamina", "speed"], syntax(named=True)] = "none"
    boost: Annotated[bool, syntax(word=True)] = False
    skill: Annotated[str, syntax(named=True)] = ""
    items: Annotated[tuple[str, ...], syntax()] = ()
    object: Annotated[str, syntax(named=True)] = ""


class TriggerReadied(Blow, frozen=True, kw_only=True, tag="trigger-readied"):
    """Do what was readied, as the reaction: `asha trigger`, `! gil trigger asha ^asha:parry`.

    What was left open is said now: the target, the defences against an attack, the difficulty of a check, what a
    maneuver asks for (`bram trigger gil +also=hob`).
    """

    verbs: ClassVar[tuple[str, ...]] = ("trigger",)

    target: Annotated[str, syntax(being=True, word=True)] = ""
    also: Annotated[tuple[str, ...], syntax(being=True, plus="also")] = ()
    difficulty: Annotated[int | None, syntax("v")] = None
    metres: Annotated[int, syntax("m")] = 0
    item: Annotated[str, syntax(named=True)] = ""
    resist: Annotated[str, syntax(named=True)] = ""
    check: Annotated[str, syntax(named=True)] = ""


class StartLongAction(Declaration, frozen=True, kw_only=True, tag="start-long-action"):
    """Begin an action of more than 3 points: `cora start 7 "picks the lock"`; `pay=1`: not all that are left."""

    verbs: ClassVar[tuple[str, ...]] = ("start",)

    need: Annotated[int, syntax(word=True)]
    note: str = ""
    pay: int | None = None


class ContinueLongAction(Declaration, frozen=True, kw_only=True, tag="continue-long-action"):
    """Go on with a long action: `cora continue`."""

    verbs: ClassVar[tuple[str, ...]] = ("continue",)

    pay: int | None = None


class CancelLongAction(Declaration, frozen=True, kw_only=True, tag="cancel-long-action"):
    """Give up a long action, in one's own turn: `cora cancel`."""

    verbs: ClassVar[tuple[str, ...]] = ("cancel",)


class ChallengeTurn(GameMasterDeclaration, frozen=True, kw_only=True, tag="challenge-turn"):
    """Note how long the checks of a turn take: `! challenge minutes=asha:10,bram:20,cora:30`."""

    verbs: ClassVar[tuple[str, ...]] = ("challenge",)

    minutes: tuple[Minutes, ...]
