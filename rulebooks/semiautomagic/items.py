"""Items that are worn, held or carried: where they are, the hands that hold them, their Target and Toughness."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from ledger.errors import Refused
from ledger.facts import Fact, Linked
from ledger.names import name_key
from projections.derived import derived, derived_of_being
from projections.state import State
from rulebooks.common.beings import speaker
from rulebooks.common.conditions import find_condition, has_condition
from rulebooks.common.sums import SumSteps
from rulebooks.common.values import sheet_number
from rulebooks.semiautomagic.guards import CONTROLLING, MOVING
from rulebooks.semiautomagic.texts import option, refusal

ITEM: Final = "item"
HELD: Final = "held"
WORN: Final = "worn"
CARRIED: Final = "carried"
PART: Final = "part"  # natural: part of the body, or a spell
TIES: Final = (HELD, WORN, CARRIED, PART)
DESTROYED: Final = "destroyed"
JAMMED: Final = "jammed"
DISABLED: Final = "disabled"  # of limbs
CRAWLING: Final = "crawling"
MAKES: Final[dict[str, tuple[int, int | None]]] = {  # TT-OUT-13: Target, Toughness
    "small metal": (6, 10),
    "metal": (5, 13),
    "large metal": (4, 16),
    "wooden hafted": (5, None),
}


def items_of(who: str, state: State, *ties: str) -> list[str]:
    """Return what a creature has by these ties, or by any; what is held in order of the hands."""
    wanted = ties or TIES
    own = [
        (wanted.index(tie), degree, item)
        for (item, tie, owner), degree in state.links.items()
        if owner == who and tie in wanted
    ]
    return [item for _, _, item in sorted(own)]


def short_name(item: str, state: State) -> str:
    """Return how a line names an item: `knife` for "Thorn's knife"."""
    return str(state.sheet(item, "short") or item)


def find_item(who: str, name: str, state: State, *ties: str) -> str:
    """Return an item of a creature by its short or its full name, also a dropped one, unless `ties` are given.

    Raises the refusal of any other.
    """
    own = items_of(who, state, *ties)
    item = _find_named(name, own, state)
    if not item and not ties:
        whole = (item for item in lying_items(state) if name_key(item) == name_key(name))
        item = _find_named(name, dropped_items(who, state), state) or next(whole, "")
    if item:
        return item
    has = ", ".join(short_name(item, state) for item in own) or "nothing"
    raise refusal("UNKNOWN", what="item", domain=f"what {who} has ({has})", name=name)


def _find_named(name: str, items: Iterable[str], state: State) -> str:
    """Return the first of these items that has this short or full name, or an empty text."""
    key = name_key(name)
    return next((item for item in items if key in (name_key(short_name(item, state)), name_key(item))), "")


def dropped_items(who: str, state: State) -> list[str]:
    """Return what a creature has had and lost: it lies about."""
    return [item for item in lying_items(state) if item.startswith(f"{who}'s ")]


def lying_items(state: State) -> list[str]:
    """Return the items that nobody has, in order of joining."""
    had = {item for item, tie, _ in state.links if tie in TIES}
    return [being.name for being in state.beings_in_order() if being.kind == ITEM and being.name not in had]


def no_hand(case: str, who: str, item: str, state: State, limb: str = "hand") -> Refused:
    """TT-CAL-4: return the refusal of an act that needs a hand, or something in it."""
    held = next((short_name(each, state) for each in items_of(who, state, HELD)), "")
    case = "reins" if case == "full" and not held else case
    return refusal("HAND", case=case, name=who, item=item, limb=limb, line=speaker(who, state), held=held)


@derived("links")
def tie_and_owner(item: str, state: State) -> tuple[str, str]:
    """Return how an item is with its owner, and who that is; empty texts for one that lies about."""
    ties = [(TIES.index(tie), owner) for one, tie, owner in state.links if one == item and tie in TIES]
    if not ties:
        return "", ""
    place, owner = min(ties)
    return TIES[place], owner


def owner_of(item: str, state: State) -> str:
    """Return who wears, holds or carries an item, or an empty text."""
    return tie_and_owner(item, state)[1]


def tie_of(item: str, state: State) -> str:
    """Return how an item is with its owner; empty for one that lies about."""
    return tie_and_owner(item, state)[0]


def is_destroyed(item: str, state: State) -> bool:
    """TT-ITM-4: whether an item is destroyed."""
    return has_condition(item, DESTROYED, state)


@derived_of_being
def wounds(who: str, state: State) -> int:
    """TT-OUT-6, TT-ITM-2: the number of wounds of a creature, an item or a cover."""
    return sum(wound.value for _, wound in state.wounds_of(who))


def is_armour(item: str, state: State) -> bool:
    """TT-ITM-6: whether an item gives a Defence bonus."""
    return sheet_number(item, "defence", state) > 0


def item_target(item: str, state: State) -> int | None:
    """TT-OUT-13: the Target of an item's row, less its scale (TT-ITM-5). None: as its wearer (TT-ITM-6), or unknown."""
    written, row = state.sheet(item, "target"), MAKES.get(str(state.sheet(item, "make")))
    if isinstance(written, int):
        return written
    return None if row is None else row[0] - scale_steps(item, state)


def scale_steps(item: str, state: State) -> int:
    """TT-ITM-5: the scales above 0 that an item is made for; those below 0 as the table reads it (TT-GAP-23)."""
    steps = sheet_number(item, "scale", state)
    return steps if option(state, "small_items") == "on" else max(0, steps)


def item_toughness(item: str, state: State) -> SumSteps | None:
    """TT-OUT-13, TT-ITM-5, TT-ITM-6: the Toughness of an item, less its wounds. None: the campaign has not said it."""
    written, row = state.sheet(item, "toughness"), MAKES.get(str(state.sheet(item, "make")))
    if isinstance(written, int):
        steps = SumSteps("toughness", written)
    elif is_armour(item, state):
        steps = SumSteps("toughness", 3)
        scale = sheet_number(owner_of(item, state) or item, "scale", state)
        steps.add(3 * scale, "TT-ITM-6", "3 x scale of the wearer")
        steps.add(sheet_number(item, "defence", state), "TT-ITM-6", "Defence bonus")
    elif row is not None and row[1] is not None:
        steps = SumSteps("toughness", row[1])
        steps.add(3 * scale_steps(item, state), "TT-ITM-5", "3 for each scale")
    else:
        return None
    steps.add(-wounds(item, state), "TT-GAP-25", "wounds")
    return steps


# Hands


def hands_on(item: str, state: State) -> list[int]:
    """Return the numbers of the hands that hold an item."""
    owner = owner_of(item, state)
    first = state.links.get((item, HELD, owner))
    return [] if first is None else list(range(first, first + sheet_number(item, "hands", state, 1)))


def is_disabled(who: str, limb: str, index: int, state: State) -> bool:
    """TT-CAL-4: whether a limb is of no use until its wound is healed."""
    return any(
        condition.name == DISABLED and condition.about == f"{limb} {index}" for _, condition in state.conditions_of(who)
    )


def is_crawling(who: str, state: State) -> bool:
    """TT-CAL-4, TT-GAP-41: whether all legs are disabled, so that a creature can only crawl."""
    legs = sheet_number(who, "legs", state)
    return bool(legs) and all(is_disabled(who, "leg", index, state) for index in range(1, legs + 1))


def usable_hands(who: str, state: State) -> list[int]:
    """TT-CAL-4: the hands that can hold something: neither the hand nor its arm is disabled."""
    count = sheet_number(who, "hands", state)
    return [
        index
        for index in range(1, count + 1)
        if not is_disabled(who, "hand", index, state) and not is_disabled(who, "arm", index, state)
    ]


def free_hands(who: str, state: State) -> list[int]:
    """Return the usable hands that hold nothing. TT-MNT-3: the control of a mount that moves takes one more."""
    full = {index for item in items_of(who, state, HELD) for index in hands_on(item, state)}
    free = [index for index in usable_hands(who, state) if index not in full]
    control = find_condition(who, CONTROLLING, state)
    return free[1:] if control and control.about == MOVING else free


def why_not_drawn(who: str, item: str, state: State) -> str:
    """TT-CAL-4: return what is in the way of taking an item in hand: hands of no use, or none free; else nothing."""
    needed = sheet_number(item, "hands", state, 1)
    if len(usable_hands(who, state)) < needed:
        return "disabled"
    return "full" if first_hand(free_hands(who, state), needed) is None else ""


def first_hand(hands: list[int], needed: int) -> int | None:
    """Return the first of as many neighbouring hands as an item needs, or None."""
    return next((index for index in hands if all(index + more in hands for more in range(needed))), None)


def drop(who: str, hand: int, state: State) -> Iterator[Fact]:
    """TT-CAL-4: what a hand holds falls to the ground."""
    for item in items_of(who, state, HELD):
        if hand in hands_on(item, state):
            degree = state.links[item, HELD, who]
            yield Linked(rules=("TT-CAL-4",), one=item, tie=HELD, other=who, on=False, degree=degree)
