"""Declarations of sheets: creatures with what they wear and carry, and the campaign's table of called shots."""

from typing import Literal

import msgspec

from ledger.declarations import Declaration
from rulebooks.common.pronouns import NamedSheet

Make = Literal["", "small metal", "metal", "large metal", "wooden hafted"]
Carry = Literal["", "held", "worn", "carried"]


class Item(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that a creature wears, holds or carries, or a part of its body to attack with.

    Attributes:
        damage: the dice of a weapon, as in `1d8+3`; empty for what is no weapon.
        reach: how its attacks reach the target; `both` is thrown, too.
        magic: it attacks with the bonus for magic.
        make: its row in the table of common items.
        target, toughness: the campaign's own numbers; they take precedence over the table.
        seconds: what an attack with it costs; the campaign's own number.
        hands: how many hands it takes.
        carry: where it is when its owner joins; empty: in the hands while there are some, armour worn.
        defence: the Defence bonus of armour.
        natural: part of the body, or a spell: nobody can attack it, and no hand holds it.
        limb: the limb that it needs (leg, arm, hand), if it is natural.
    """

    name: str
    damage: str = ""
    reach: Literal["melee", "ranged", "both"] = "melee"
    magic: bool = False
    make: Make = ""
    target: int | None = None
    toughness: int | None = None
    seconds: int | None = None
    hands: int = 1
    carry: Carry = ""
    defence: int = 0
    shield: bool = False
    firearm: bool = False
    natural: bool = False
    limb: Literal["", "leg", "arm", "hand"] = ""


class Creature(NamedSheet, frozen=True, kw_only=True):
    """The entries of every sheet. Bonuses are those of the skills, without scale.

    Attributes:
        target: the base Target, where it is not 4 less the scale.
        armour: the Defence bonus of the natural armour.
        unarmoured: the Defence bonus of the skill.
        block: the bonus with a shield; None: the creature does not block.
        parry: None: the bonus of the melee skill.
        wounds: wounds that it joins with.
    """

    scale: int = 0
    target: int | None = None
    endurance: int = 0
    fortitude: int = 0
    armour: int = 0
    unarmoured: int = 0
    melee: int = 0
    ranged: int = 0
    magic: int = 0
    block: int | None = None
    dodge: int | None = None
    parry: int | None = None
    stealth: int = 0
    perception: int = 0
    ride: int = 0
    speed: int = 0
    flight: int = 0
    legs: int = 2
    arms: int = 2
    hands: int = 2
    wings: int = 0
    evasion: bool = False
    lowlight: bool = False
    sees_in_dark: bool = False
    warhorse: bool = False
    wounds: int = 0
    items: tuple[Item, ...] = ()


class CreateCharacter(Creature, frozen=True, kw_only=True, tag="create-character"):
    """Join the campaign as a player's character."""

    player: str = ""


class CreateNpc(Creature, frozen=True, kw_only=True, tag="create-npc"):
    """Join the game master's side, or that of the players (a mount, an ally)."""

    side: Literal["gm", "players"] = "gm"


class ChangeCreature(Creature, frozen=True, kw_only=True, tag="change-sheet"):
    """Change a sheet in play: only the entries that differ, with the reason."""

    player: str = ""
    side: Literal["gm", "players"] = "gm"
    because: str
    entries: tuple[str, ...] | None = None


class Location(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A row of the table of called shots: what it adds to Target and Toughness, and its results.

    The results are words of `locations.RESULTS`. A row of the book keeps its own results.
    """

    name: str
    target: int | None = None
    toughness: int | None = None
    wounding: tuple[str, ...] = ()
    felling: tuple[str, ...] = ()


class CreateLocations(Declaration, frozen=True, kw_only=True, tag="create-locations"):
    """Join the campaign's table of called shots."""

    name: str = "Called shots"
    rows: tuple[Location, ...] = ()


class ChangeLocations(CreateLocations, frozen=True, kw_only=True, tag="change-locations"):
    """Change the campaign's table of called shots."""

    because: str
    entries: tuple[str, ...] | None = None
