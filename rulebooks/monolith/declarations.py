"""What can be said in Monolith, and how it is written in a line.

A field's type says what may stand there, `say` how it is typed. Ranges that the book names are checked where the
book is read, so that the refusal carries the book's own code.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec

from ledger.declarations import Declaration, syntax
from rulebooks.common.adjustments import Adjust as Adjust
from rulebooks.common.options import SetOption as SetOption


class Ally(msgspec.Struct, frozen=True):
    """One more attacker of the same target: with which weapon, and why the attack is enhanced or impaired.

    Who strikes with two weapons is named with each of them.
    """

    who: Annotated[str, syntax(being=True)]
    weapon: str = ""
    enhanced: str = ""
    impaired: str = ""


# The sheets


class Combatant(Declaration, frozen=True, kw_only=True):
    """What stands on everybody's sheet; with `now` a running campaign moves in."""

    name: str
    body: int
    resolve: int
    hp: int
    armor: int = 0
    scores: tuple[tuple[str, int], ...] = ()
    weapons: tuple[tuple[str, str], ...] = ()
    now: tuple[tuple[Literal["hp", "body"], int], ...] = ()


class CreateCharacter(Combatant, frozen=True, kw_only=True, tag="create-character"):
    """A player's character joins, with a sheet."""

    player: str = ""


class CreateNpc(Combatant, frozen=True, kw_only=True, tag="create-npc"):
    """Somebody joins the game master's side."""


class CreateGroup(Declaration, frozen=True, kw_only=True, tag="create-group"):
    """Enemies that make their morale Saves together, with a Resolve of their own, or that of a leader."""

    name: str
    members: tuple[str, ...]
    resolve: int | None = None
    leader: str = ""


class ChangeCombatant(Combatant, frozen=True, kw_only=True, tag="change-sheet"):
    """A sheet that was edited: what differs is appended, with the reason."""

    player: str = ""
    because: str


class ChangeGroup(CreateGroup, frozen=True, kw_only=True, tag="change-group"):
    """The sheet of a group that was edited."""

    because: str


# Rounds and their order


class StartEncounter(Declaration, frozen=True, kw_only=True, tag="start-encounter"):
    """A fight begins, with all in play, or with those named: `! encounter "the lower lock"`."""

    verbs: ClassVar[tuple[str, ...]] = ("encounter",)
    aside: ClassVar[bool] = True

    kind: str = ""
    participants: Annotated[tuple[str, ...], syntax(being=True)] = ()


class JoinEncounter(Declaration, frozen=True, kw_only=True, tag="join-encounter"):
    """Somebody joins the fight: `! join stalker`."""

    verbs: ClassVar[tuple[str, ...]] = ("join",)
    aside: ClassVar[bool] = True

    who: Annotated[str, syntax(being=True, word=True)]


class EndEncounter(Declaration, frozen=True, kw_only=True, tag="end-encounter"):
    """The fight is over: `! end`."""

    verbs: ClassVar[tuple[str, ...]] = ("end",)
    aside: ClassVar[bool] = True


class BeginRound(Declaration, frozen=True, kw_only=True, tag="begin-round"):
    """A Round begins, and everybody says what they mean to do: `! round`."""

    verbs: ClassVar[tuple[str, ...]] = ("round",)
    aside: ClassVar[bool] = True


class EndRound(Declaration, frozen=True, kw_only=True, tag="end-round"):
    """The Round is over, and with it ten seconds: `! done`."""

    verbs: ClassVar[tuple[str, ...]] = ("done",)
    aside: ClassVar[bool] = True


class Telegraph(Declaration, frozen=True, kw_only=True, tag="telegraph"):
    """The game master shows what somebody is most likely to do: `! telegraph r1 "fires at whoever moves"`."""

    verbs: ClassVar[tuple[str, ...]] = ("telegraph",)
    aside: ClassVar[bool] = True

    who: Annotated[str, syntax(being=True, word=True)]
    text: str


class DeclareIntent(Declaration, frozen=True, kw_only=True, tag="declare-intent"):
    """A player says what the character is going to do, or passes: `v declare "shoot R1"`, `o pass`."""

    verbs: ClassVar[tuple[str, ...]] = ("declare", "pass")

    text: str = "pass"


class SetOrder(Declaration, frozen=True, kw_only=True, tag="order"):
    """Who acts first in this Round, or which Save decides: `! order vega "the drop"`, `! order reflex "a scramble"`.

    `opponents`: they act before everybody.
    """

    verbs: ClassVar[tuple[str, ...]] = ("order",)
    aside: ClassVar[bool] = True

    first: Annotated[tuple[str, ...], syntax(being=True, word=True)] = ()
    score: Annotated[str, syntax(word=True)] = ""
    opponents: Annotated[bool, syntax(word=True, whole=True)] = False
    reason: str = ""


class EndPart(Declaration, frozen=True, kw_only=True, tag="end-part"):
    """A part of the Round's order is over: those who act first, or the opponents: `! over opponents`."""

    verbs: ClassVar[tuple[str, ...]] = ("over",)
    aside: ClassVar[bool] = True

    part: Annotated[Literal["first", "opponents"], syntax(word=True)]


# What somebody does


class Save(Declaration, frozen=True, kw_only=True, tag="save"):
    """Roll a Save that the game master calls for: `o save reflex "leaping the gap"`. To act first: `v save reflex`."""

    verbs: ClassVar[tuple[str, ...]] = ("save",)

    score: Annotated[str, syntax(word=True)]
    reason: str = ""
    stakes: str = ""


class Move(Declaration, frozen=True, kw_only=True, tag="move"):
    """Move up to 40 feet: `v move 40`. The second move of a Round is its action."""

    verbs: ClassVar[tuple[str, ...]] = ("move",)

    feet: Annotated[int, syntax(word=True)]


class Attack(Declaration, frozen=True, kw_only=True, tag="attack"):
    """Attack, alone or with others: `v attack r1 rifle`, `v attack boss knife +helpless +with:kade:shotgun`.

    `+` and a reason: enhanced; `-` and a reason: impaired. Without a weapon: the first on the sheet.
    """

    verbs: ClassVar[tuple[str, ...]] = ("attack",)

    target: Annotated[str, syntax(being=True, word=True)]
    weapons: Annotated[tuple[str, ...], syntax(word=True)] = ()
    enhanced: Annotated[tuple[str, ...], syntax(plus="")] = ()
    impaired: Annotated[tuple[str, ...], syntax(minus="")] = ()
    allies: Annotated[tuple[Ally, ...], syntax(plus="with")] = ()


class Blast(Declaration, frozen=True, kw_only=True, tag="blast"):
    """Attack all in an area: `k blast r1 boss r2 grenade`, `k blast r1 stun-grenade area="the lock"`."""

    verbs: ClassVar[tuple[str, ...]] = ("blast",)

    targets: Annotated[tuple[str, ...], syntax(being=True, word=True)] = ()
    weapon: Annotated[str, syntax(word=True)] = ""
    area: Annotated[str, syntax()] = ""
    enhanced: Annotated[tuple[str, ...], syntax(plus="")] = ()
    impaired: Annotated[tuple[str, ...], syntax(minus="")] = ()


class OtherAction(Declaration, frozen=True, kw_only=True, tag="other-action"):
    """Use an item or do something else, with what it comes to: `o does "use the medkit" "the bleeding stops"`."""

    verbs: ClassVar[tuple[str, ...]] = ("does",)

    text: str
    ruling: str = ""


class Crawl(Declaration, frozen=True, kw_only=True, tag="crawl"):
    """All that Critical Damage leaves: `v crawl "five feet, behind the crate"`."""

    verbs: ClassVar[tuple[str, ...]] = ("crawl",)

    ruling: str = ""


class Aid(Declaration, frozen=True, kw_only=True, tag="aid"):
    """Aid somebody under Critical Damage, which stops the clock: `o aid vega`."""

    verbs: ClassVar[tuple[str, ...]] = ("aid",)

    patient: Annotated[str, syntax(being=True, word=True)]


class Rest(Declaration, frozen=True, kw_only=True, tag="rest"):
    """Rest, which after aid makes stable: `v rest`."""

    verbs: ClassVar[tuple[str, ...]] = ("rest",)


# What the game master says


class PassTime(Declaration, frozen=True, kw_only=True, tag="pass-time"):
    """Time passes: `! time 50m "waiting for the lift"`."""

    verbs: ClassVar[tuple[str, ...]] = ("time",)
    aside: ClassVar[bool] = True

    seconds: Annotated[int, syntax(seconds=True)]
    label: str = ""


class Morale(Declaration, frozen=True, kw_only=True, tag="morale"):
    """A morale Save that the game master asks for: `! morale raiders "the lights go out"`."""

    verbs: ClassVar[tuple[str, ...]] = ("morale",)
    aside: ClassVar[bool] = True

    group: Annotated[str, syntax(being=True, word=True)]
    reason: str = ""


class Flee(Declaration, frozen=True, kw_only=True, tag="flee"):
    """Somebody is gone from the fight by ruling: `! flee r1 "out of the airlock"`."""

    verbs: ClassVar[tuple[str, ...]] = ("flee",)
    aside: ClassVar[bool] = True

    who: Annotated[str, syntax(being=True, word=True)]
    reason: str = ""


DECLARATIONS: tuple[type[Declaration], ...] = (
    CreateCharacter,
    CreateNpc,
    CreateGroup,
    ChangeCombatant,
    ChangeGroup,
    StartEncounter,
    JoinEncounter,
    EndEncounter,
    BeginRound,
    EndRound,
    Telegraph,
    DeclareIntent,
    SetOrder,
    EndPart,
    Save,
    Move,
    Attack,
    Blast,
    OtherAction,
    Crawl,
    Aid,
    Rest,
    PassTime,
    Morale,
    Flee,
    SetOption,
    Adjust,
)
