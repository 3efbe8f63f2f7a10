"""Declarations of Monolith: their fields, and how a line says them.

The type of a field gives its form, `syntax` how it is typed. The domains that a rule gives are checked where the rule
is applied, so that the refusal has the rule's own code.
"""

from typing import Annotated, ClassVar, Literal

import msgspec

from ledger.declarations import Declaration, GameMasterDeclaration, syntax
from rulebooks.common.pronouns import NamedSheet


class Ally(msgspec.Struct, frozen=True):
    """One more attacker of the same target: the weapon, and why the attack is enhanced or impaired.

    An ally with two weapons is named with each of them. A reason with a minus before it impairs.
    """

    who: Annotated[str, syntax(being=True)]
    weapon: str = ""
    enhanced: str = ""
    impaired: str = ""


# Sheets


class Combatant(NamedSheet, frozen=True, kw_only=True):
    """The entries of every sheet; `now` for points below their maximum when a running campaign moves in."""

    body: int
    resolve: int
    hp: int
    armor: int = 0
    scores: tuple[tuple[str, int], ...] = ()
    weapons: tuple[tuple[str, str], ...] = ()
    now: tuple[tuple[Literal["hp", "body"], int], ...] = ()


class CreateCharacter(Combatant, frozen=True, kw_only=True, tag="create-character"):
    """Join the campaign as a player's character."""

    player: str = ""


class CreateNpc(Combatant, frozen=True, kw_only=True, tag="create-npc"):
    """Join the game master's side."""


class CreateGroup(NamedSheet, frozen=True, kw_only=True, tag="create-group"):
    """Form a group of enemies that make their morale Saves together, with its own Resolve or its leader's."""

    members: tuple[str, ...]
    resolve: int | None = None
    leader: str = ""


class ChangeCombatant(Combatant, frozen=True, kw_only=True, tag="change-sheet"):
    """Change a sheet in play: only the entries that differ, with the reason."""

    player: str = ""
    because: str
    entries: tuple[str, ...] | None = None


class ChangeGroup(CreateGroup, frozen=True, kw_only=True, tag="change-group"):
    """Change the sheet of a group."""

    because: str
    entries: tuple[str, ...] | None = None


# Rounds and their order


class StartEncounter(GameMasterDeclaration, frozen=True, kw_only=True, tag="start-encounter"):
    """Begin a fight, with all in play, or with those named: `! encounter "the lower lock"`."""

    verbs: ClassVar[tuple[str, ...]] = ("encounter",)

    kind: str = ""
    participants: Annotated[tuple[str, ...], syntax(being=True, word=True)] = ()


class EndEncounter(GameMasterDeclaration, frozen=True, kw_only=True, tag="end-encounter"):
    """End the fight: `! over "they yield"`."""

    verbs: ClassVar[tuple[str, ...]] = ("over", "end")
    lets_go: ClassVar[bool] = True

    reason: str = ""


class BeginRound(GameMasterDeclaration, frozen=True, kw_only=True, tag="begin-round"):
    """Begin a Round, in which everybody declares an intent: `! round`."""

    verbs: ClassVar[tuple[str, ...]] = ("round",)


class EndRound(GameMasterDeclaration, frozen=True, kw_only=True, tag="end-round"):
    """End the Round of ten seconds: `! done`."""

    verbs: ClassVar[tuple[str, ...]] = ("done",)
    lets_go: ClassVar[bool] = True


class Telegraph(GameMasterDeclaration, frozen=True, kw_only=True, tag="telegraph"):
    """Show what somebody is most likely to do: `! telegraph r1 "fires at whoever moves"`."""

    verbs: ClassVar[tuple[str, ...]] = ("telegraph",)

    who: Annotated[str, syntax(being=True, word=True)]
    text: str


class DeclareIntent(Declaration, frozen=True, kw_only=True, tag="declare-intent"):
    """Declare what the character is going to do, or pass: `v declare "shoot R1"`, `o pass`."""

    verbs: ClassVar[tuple[str, ...]] = ("declare", "pass")

    text: str = "pass"


class SetOrder(GameMasterDeclaration, frozen=True, kw_only=True, tag="order"):
    """Rule who acts first in a Round, or which Save decides: `! order vega "the drop"`, `! order reflex "a scramble"`.

    `opponents`: they act before everybody.
    """

    verbs: ClassVar[tuple[str, ...]] = ("order",)

    first: Annotated[tuple[str, ...], syntax(being=True, word=True)] = ()
    score: Annotated[str, syntax(word=True)] = ""
    opponents: Annotated[bool, syntax(word=True, whole=True)] = False
    reason: str = ""


class EndPart(GameMasterDeclaration, frozen=True, kw_only=True, tag="end-part"):
    """End a part of the Round's order, of those who act first or of the opponents: `! acted opponents`."""

    verbs: ClassVar[tuple[str, ...]] = ("acted",)
    lets_go: ClassVar[bool] = True

    part: Annotated[Literal["first", "opponents"], syntax(word=True)]


# Actions


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
    weapons: Annotated[tuple[str, ...], syntax(word=True, after="with")] = ()
    enhanced: Annotated[tuple[str, ...], syntax(plus="")] = ()
    impaired: Annotated[tuple[str, ...], syntax(minus="")] = ()
    allies: Annotated[tuple[Ally, ...], syntax(plus="with", joins=True)] = ()


class Blast(Declaration, frozen=True, kw_only=True, tag="blast"):
    """Attack all in an area: `k blast r1 r2 grenade`, `k blast r1 stun-grenade area="the lock"`."""

    verbs: ClassVar[tuple[str, ...]] = ("blast",)

    targets: Annotated[tuple[str, ...], syntax(being=True, word=True)] = ()
    weapon: Annotated[str, syntax(word=True, after="with")] = ""
    area: Annotated[str, syntax()] = ""
    enhanced: Annotated[tuple[str, ...], syntax(plus="")] = ()
    impaired: Annotated[tuple[str, ...], syntax(minus="")] = ()


class OtherAction(Declaration, frozen=True, kw_only=True, tag="other-action"):
    """Use an item or do something else, with its result: `o does "use the medkit" "the bleeding stops"`."""

    verbs: ClassVar[tuple[str, ...]] = ("does",)

    text: str
    ruling: str = ""


class Crawl(Declaration, frozen=True, kw_only=True, tag="crawl"):
    """Crawl, all that Critical Damage allows: `v crawl "five feet, behind the crate"`."""

    verbs: ClassVar[tuple[str, ...]] = ("crawl",)

    ruling: str = ""


class Aid(Declaration, frozen=True, kw_only=True, tag="aid"):
    """Aid somebody under Critical Damage, which stops the clock: `o aid vega`."""

    verbs: ClassVar[tuple[str, ...]] = ("aid",)

    patient: Annotated[str, syntax(being=True, word=True)]


class Rest(Declaration, frozen=True, kw_only=True, tag="rest"):
    """Rest, which after aid makes stable: `v rest`."""

    verbs: ClassVar[tuple[str, ...]] = ("rest",)


# The game master


class Morale(GameMasterDeclaration, frozen=True, kw_only=True, tag="morale"):
    """Ask for a morale Save: `! morale raiders "the lights go out"`.

    `! morale r1 only "they see the blood"`: of one member, where each rolls for themselves.
    """

    verbs: ClassVar[tuple[str, ...]] = ("morale",)

    group: Annotated[str, syntax(being=True, word=True)]
    only: Annotated[bool, syntax(word=True)] = False
    reason: str = ""


class Flee(GameMasterDeclaration, frozen=True, kw_only=True, tag="flee"):
    """Rule that somebody flees from the fight: `! flee r1 "out of the airlock"`."""

    verbs: ClassVar[tuple[str, ...]] = ("flee", "leave")

    who: Annotated[str, syntax(being=True, word=True)]
    reason: str = ""
