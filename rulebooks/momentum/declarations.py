"""Declarations of Momentum: their fields, and how a line says them.

The type of a field gives its form, `syntax` how it is typed. The domains that a rule gives are checked where the rule
is applied, so that the refusal has the rule's own code. An empty field means: the value from the sheet or the state.
"""

from typing import Annotated, ClassVar, Literal

import msgspec

from ledger.declarations import Declaration, GameMasterDeclaration, Setting, syntax
from rulebooks.common.pronouns import NamedSheet

Side = Literal["pc", "foe", "bystander"]


class Weapon(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A weapon on a sheet: its dice, its Rushed dice if it has any, the scores it needs, its tags."""

    name: str
    damage: str
    rushed: str = ""
    needs: tuple[tuple[str, int], ...] = ()
    tags: tuple[str, ...] = ()


class Path(msgspec.Struct, frozen=True):
    """Two zones that are neighbours."""

    one: Annotated[str, syntax()]
    other: Annotated[str, syntax()]


class Stand(msgspec.Struct, frozen=True):
    """A combatant and their starting zone."""

    who: Annotated[str, syntax(being=True)]
    zone: str


class Reaction(msgspec.Struct, frozen=True):
    """A reaction on the line of the attack that it answers; `late` is Help after the roll.

    Help says how, and why the game master finds it reasonable, or not: then it is `refused`.
    """

    who: Annotated[str, syntax(being=True)]
    kind: Literal["defend", "interpose", "help", "late"]
    how: str = ""
    because: str = ""
    refused: bool = False


class Combatant(NamedSheet, frozen=True, kw_only=True):
    """The entries of a sheet; `hp_now` for somebody who joins hurt."""

    side: Side
    hp: int
    hp_now: int | None = None
    defense: int
    scores: tuple[tuple[str, int], ...] = ()
    weapons: tuple[Weapon, ...] = ()
    shield: bool = False
    armor: str = ""
    rank: int | None = None
    player: str = ""


class CreateCombatant(Combatant, frozen=True, kw_only=True, tag="create-combatant"):
    """Join the campaign with a sheet."""


class ChangeSheet(Combatant, frozen=True, kw_only=True, tag="change-sheet"):
    """Change a sheet in play: only the entries that differ, with the reason."""

    because: str
    entries: tuple[str, ...] | None = None


class StartEncounter(GameMasterDeclaration, frozen=True, kw_only=True, tag="start-encounter"):
    """Begin a fight: `! fight "the gate" paths=yard:gate,yard:wall pcs=yard foes=gate`.

    `zones` are those without a path; `pcs` and `foes` name the zone of a side, else the first; `at` the exceptions.
    """

    verbs: ClassVar[tuple[str, ...]] = ("fight",)

    kind: str = ""
    zones: Annotated[tuple[str, ...], syntax()] = ()
    paths: tuple[Path, ...] = ()
    pcs: Annotated[str, syntax(named=True)] = ""
    foes: Annotated[str, syntax(named=True)] = ""
    at: tuple[Stand, ...] = ()
    participants: Annotated[tuple[str, ...], syntax(being=True, word=True)] = ()


class JoinFight(GameMasterDeclaration, frozen=True, kw_only=True, tag="join-fight"):
    """Bring somebody into a running fight: `! join brute hall`."""

    verbs: ClassVar[tuple[str, ...]] = ("join",)

    who: Annotated[str, syntax(being=True, word=True)]
    zone: Annotated[str, syntax(word=True)]


class SeizeMomentum(Declaration, frozen=True, kw_only=True, tag="seize-momentum"):
    """Make the check that opens a fight: `kael momentum`."""

    verbs: ClassVar[tuple[str, ...]] = ("momentum",)

    advantage: Annotated[bool, syntax(word=True)] = False
    disadvantage: Annotated[bool, syntax(word=True)] = False
    reason: str = ""


class BypassMomentum(GameMasterDeclaration, frozen=True, kw_only=True, tag="bypass-momentum"):
    """Lift the need for the opening check: `! bypass kael "they sprang the ambush"`."""

    verbs: ClassVar[tuple[str, ...]] = ("bypass",)

    who: Annotated[str, syntax(being=True, word=True)]
    actions: Annotated[int, syntax(word=True)] = 2
    reason: str = ""


class Allowance(GameMasterDeclaration, frozen=True, kw_only=True, tag="allowance"):
    """Ask how many actions somebody's next turn begins with: `! allowance kael`.

    Or set it, for that turn or for the one that is open: `! allowance kael 1 "stunned by the fall"`.
    """

    verbs: ClassVar[tuple[str, ...]] = ("allowance",)

    who: Annotated[str, syntax(being=True, word=True)]
    actions: Annotated[int | None, syntax(word=True)] = None
    reason: str = ""


class Move(Declaration, frozen=True, kw_only=True, tag="move"):
    """Move to a neighbouring zone: `kael move gate`."""

    verbs: ClassVar[tuple[str, ...]] = ("move",)

    zone: Annotated[str, syntax(being=True, word=True)]


class Strike(Declaration, frozen=True, kw_only=True):
    """The fields of every attack: target, weapon, reactions, and the dice that Help rolls again.

    `reroll` are the numbers of dice, 0 for none; while empty, they are chosen after the roll.
    """

    target: Annotated[str, syntax(being=True, word=True)]
    weapon: Annotated[str, syntax(word=True, after="with")] = ""
    thrown: Annotated[bool, syntax(word=True)] = False
    reactions: Annotated[tuple[Reaction, ...], syntax(answers=True)] = ()
    reroll: tuple[int, ...] = ()


class Attack(Strike, frozen=True, kw_only=True, tag="attack"):
    """Attack somebody: `kael attack leader`, `! leader attack kael broadsword ^sira:interpose`."""

    verbs: ClassVar[tuple[str, ...]] = ("attack",)


class DoubleAttack(Strike, frozen=True, kw_only=True, tag="double-attack"):
    """Roll both attacks of a turn at once: `sira double leader second=brynn:help:"he calls out":"it fits"`.

    `second` and `reroll_second` are the reactions to the second attack and its dice that Help rolls again.
    """

    verbs: ClassVar[tuple[str, ...]] = ("double",)

    second: tuple[Reaction, ...] = ()
    reroll_second: tuple[int, ...] = ()


class Answer(Declaration, frozen=True, kw_only=True):
    """A reaction to an announced attack, or to the first or the second of a double attack."""

    answers: ClassVar[bool] = True

    attack: Annotated[Literal[1, 2], syntax(word=True)] = 1


class Defend(Answer, frozen=True, kw_only=True, tag="defend"):
    """Defend with a shield against an attack on oneself: `^ kael defend`."""

    verbs: ClassVar[tuple[str, ...]] = ("defend",)


class Interpose(Answer, frozen=True, kw_only=True, tag="interpose"):
    """Push the target aside and take its place: `^ sira interpose`."""

    verbs: ClassVar[tuple[str, ...]] = ("interpose",)


class Help(Answer, frozen=True, kw_only=True, tag="help"):
    """Help an ally's attack, with the game master's leave: `^ brynn help "an arrow at his feet" "that would do it"`.

    Or without it: `^ brynn help "I shout" "he cannot hear you" refused`.
    """

    verbs: ClassVar[tuple[str, ...]] = ("help",)

    how: str = ""
    because: str = ""
    refused: Annotated[bool, syntax(word=True)] = False


class Reroll(Declaration, frozen=True, kw_only=True, tag="reroll"):
    """Choose the dice that Help rolls again by number: `kael reroll dice=1,3`, or `second=2` for a second attack."""

    verbs: ClassVar[tuple[str, ...]] = ("reroll",)

    dice: tuple[int, ...] = ()
    second: tuple[int, ...] = ()


class OtherAction(Declaration, frozen=True, kw_only=True, tag="other-action"):
    """Do anything else within reason, as the game master rules: `sira does "shove the guard" "STR, or he stands" str`.

    The changes that a success makes may be set: `guard.place="Stair"`.
    """

    verbs: ClassVar[tuple[str, ...]] = ("does",)

    deed: str
    ruling: str = ""
    ability: Annotated[str, syntax(word=True)] = ""
    advantage: Annotated[bool, syntax(word=True)] = False
    disadvantage: Annotated[bool, syntax(word=True)] = False
    changes: Annotated[tuple[Setting, ...], syntax(sets=True)] = ()


class AbilityCheck(Declaration, frozen=True, kw_only=True, tag="ability-check"):
    """Make a check of one ability, which costs no action: `kael check agi "the wet ledge"`."""

    verbs: ClassVar[tuple[str, ...]] = ("check",)

    ability: Annotated[str, syntax(word=True)]
    reason: str = ""
    advantage: Annotated[bool, syntax(word=True)] = False
    disadvantage: Annotated[bool, syntax(word=True)] = False


class Flee(Declaration, frozen=True, kw_only=True, tag="flee"):
    """Leave the fight, as the game master rules: `! archer flee "his nerve breaks"`."""

    verbs: ClassVar[tuple[str, ...]] = ("flee", "leave")

    reason: str = ""


class EndEncounter(GameMasterDeclaration, frozen=True, kw_only=True, tag="end-encounter"):
    """End the fight by a ruling: `! over "they yield"`."""

    verbs: ClassVar[tuple[str, ...]] = ("over",)

    reason: str = ""
