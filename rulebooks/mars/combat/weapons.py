"""Items: weapons and what parries, as sheets have them and hands hold them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from ledger.facts import Scalar
from ledger.names import fold_case
from projections.derived import derived_of_being
from projections.state import State
from rulebooks.mars.guards import STRENGTH
from rulebooks.mars.tasks.roll_values import RollValue, parse_roll_value
from rulebooks.mars.tasks.stat_values import Value, value_of
from rulebooks.mars.texts import check_whole, refusal, value_refusal

if TYPE_CHECKING:
    from rulebooks.mars.declarations.sheets import Item

HELD: Final = "held"
BARE_HANDS: Final = "bare hands"
MELEE: Final = "melee"
RANGED: Final = "ranged"
NONLETHAL: Final = "nonlethal"
WHOLE: Final = "="  # a damage that begins with it has no stat in it


class Weapon(msgspec.Struct, frozen=True, kw_only=True, cache_hash=True):
    """A weapon in hand. `damage` is its own roll value, to which strength is added unless it is `whole`.

    Of its features `nonlethal` and `dr` (damage reduction works against its element) matter to damage.
    """

    name: str
    damage: RollValue
    whole: bool = False
    critical: int = 0
    type: str = "bludgeoning"
    mode: str = MELEE
    skill: str = "martial"
    features: tuple[str, ...] = ()

    @property
    def nonlethal(self) -> bool:
        """GR-DMG-6: whether its damage is."""
        return NONLETHAL in self.features


HANDS: Final = Weapon(
    name=BARE_HANDS, damage=RollValue(0, 0), critical=2, skill="unarmed", features=(NONLETHAL,)
)  # GR-OUT-9


def item_entries(items: Iterable[Item]) -> dict[str, Scalar]:
    """Return the entries of items on a sheet."""
    entries: dict[str, Scalar] = {}
    for item in items:
        parts = {field: getattr(item, field) for field in item.__struct_fields__ if field not in ("name", "durability")}
        parts["features"] = ", ".join(item.features)
        entries |= {f"item.{item.name}.{part}": value for part, value in parts.items() if value}
    return entries


def check_item(item: Item, state: State) -> None:
    """Refuse an item without a name or with a comma in it, and values that cannot be."""
    if not item.name or "," in item.name or "." in item.name:
        raise value_refusal("name of an item", "words without a comma or a full stop", item.name or "nothing")
    if item.damage:
        parse_roll_value(item.damage.removeprefix(WHOLE), state, f"damage of {item.name}")
    if item.parry:
        parse_parry(str(item.parry), state)
    for part in ("critical", "block", "durability"):
        check_whole(f"{part} of {item.name}", getattr(item, part), 0)
    if item.mode not in ("", MELEE, RANGED):
        raise value_refusal(f"mode of {item.name}", f"{MELEE} or {RANGED}", item.mode)


def parse_parry(text: str, state: State) -> RollValue:
    """GR-PAR-1: return a parry value, a roll value or a flat number."""
    return RollValue(0, int(text)) if text.lstrip("+-").isdigit() else parse_roll_value(text, state, "parry")


def item_text(who: str, item: str, part: str, state: State) -> str:
    """Return a part of an item as text; empty if it has none."""
    value = state.sheet(who, f"item.{item}.{part}")
    return "" if value is None else str(value)


def item_number(who: str, item: str, part: str, state: State) -> int:
    """Return a part of an item that is a number; 0 if it has none."""
    value = state.sheet(who, f"item.{item}.{part}")
    return value if isinstance(value, int) else 0


@derived_of_being
def held_items(who: str, state: State) -> tuple[str, ...]:
    """GR-BRA-1: return the items that somebody has in hand, in their order."""
    held = state.sheet(who, HELD)
    return tuple(str(held).split(", ")) if held else ()


def carried_items(who: str, state: State) -> tuple[str, ...]:
    """Return the items on somebody's sheet, sorted."""
    keys = (key.split(".") for key in state.sheet_of(who))
    return tuple(sorted({key[1] for key in keys if key[0] == "item" and len(key) == 3}))


@derived_of_being
def weapon_of(who: str, item: str, state: State) -> Weapon | None:
    """GR-OUT-9: return an item as a weapon; None if it deals no damage."""
    damage = item_text(who, item, "damage", state)
    if not damage:
        return None
    mode = item_text(who, item, "mode", state) or MELEE
    features = item_text(who, item, "features", state)
    return Weapon(
        name=item,
        damage=parse_roll_value(damage.removeprefix(WHOLE), state, "damage"),
        whole=damage.startswith(WHOLE),
        critical=item_number(who, item, "critical", state),
        type=item_text(who, item, "type", state) or "bludgeoning",
        mode=mode,
        skill=item_text(who, item, "skill", state) or (RANGED if mode == RANGED else "martial"),
        features=tuple(features.split(", ")) if features else (),
    )


@derived_of_being
def held_weapons(who: str, state: State) -> tuple[Weapon, ...]:
    """Return the weapons that somebody has in hand; bare hands always."""
    weapons = (weapon_of(who, item, state) for item in held_items(who, state))
    return (*(weapon for weapon in weapons if weapon is not None), HANDS)


def wielded_weapon(who: str, name: str, state: State) -> Weapon:
    """GR-ATK-1: return the weapon of this name in hand, or the first. Raises the refusal of any other."""
    weapons = held_weapons(who, state)
    if not name:
        return weapons[0]
    weapon = next((each for each in weapons if fold_case(each.name) == fold_case(name)), None)
    if weapon is None:
        is_held = any(fold_case(item) == fold_case(name) for item in held_items(who, state))
        items = ", ".join(each.name for each in weapons)
        if is_held:
            raise refusal("NOT-WIELDED", case="harmless", name=who, item=name, items=items)
        raise refusal("NOT-WIELDED", name=who, item=name, items=items)
    return weapon


@derived_of_being
def damage_value(who: str, weapon: Weapon, state: State) -> Value:
    """GR-OUT-9: return the damage of a weapon, merged with strength (GR-OUT-2) unless it is whole."""
    if weapon.whole:
        return Value(roll=weapon.damage, stats=(), name=weapon.name)
    strength = value_of(who, STRENGTH, state)
    return Value(roll=strength.roll + weapon.damage, stats=strength.stats, name=weapon.name)


def parry_items(who: str, state: State) -> tuple[str, ...]:
    """GR-PAR-1: return what somebody has in hand to parry with. GR-BLK-6: a broken shield cannot."""
    held = held_to_parry(who, state)
    return tuple([item for item in held if not is_broken(who, item, state)]) if held else held


@derived_of_being
def held_to_parry(who: str, state: State) -> tuple[str, ...]:
    """GR-PAR-1: return what somebody has in hand that has a parry value, whole or broken."""
    return tuple([item for item in held_items(who, state) if item_text(who, item, "parry", state)])


@derived_of_being
def parry_value(who: str, item: str, state: State) -> RollValue:
    """GR-PAR-1: return the parry value of an item."""
    return parse_parry(item_text(who, item, "parry", state), state)


def is_broken(who: str, item: str, state: State) -> bool:
    """GR-BLK-6: whether an item has no durability left."""
    return (who, item) in state.pools and state.points(who, item) == 0


def choose(item: str, usable: Sequence[str]) -> str:
    """Return the item named, or the only one; empty where there is none of this name, or a choice."""
    if not item:
        return usable[0] if len(usable) == 1 else ""
    return next((each for each in usable if fold_case(each) == fold_case(item)), "")
