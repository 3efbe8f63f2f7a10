"""Wounds, and conditions that hold until one of their ends comes."""

import msgspec

from ledger.facts.base import BaseFact, Hides, Whole


class Ends(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """When a condition ends: at a slot, turn, phase, round, encounter, rest, day, seconds, use, move or ruling.

    `whose` turn or slot it is; `due` is the absolute round, day or second, or the uses left, else 0.
    """

    at: str
    whose: str = ""
    phase: str = ""
    due: Whole = 0


class Wounded(BaseFact, frozen=True, kw_only=True, tag="wounded", gc=False):
    """A being was wounded. `at` is the part of the body; a wound not `in_force` has no effect yet.

    `rolled` is the entry of its roll, where a later entry closed that.
    """

    hides = Hides(owner="who", open="who", own="wound kind value in_force at encounter by rolled")

    who: str
    wound: str
    kind: str
    value: Whole
    in_force: bool
    at: str = ""
    encounter: str = ""
    by: str = ""
    rolled: str = ""


class WoundChanged(BaseFact, frozen=True, kw_only=True, tag="wound-changed", gc=False):
    """A wound healed, came into force, or became another kind. Value 0: it is healed."""

    hides = Hides(owner="who", open="who", own="wound kind value in_force because")

    who: str
    wound: str
    kind: str
    value: Whole
    in_force: bool
    because: str


class ConditionBegan(BaseFact, frozen=True, kw_only=True, tag="condition-began", gc=False):
    """A condition began for a being, until the first of its `ends`.

    `note` is the game's own note about it (JSON). `data` is one too; a condition with data is bookkeeping of the game,
    which nobody at the table asks about. Where a being has several of this name, their degrees add up if one `adds`;
    else the highest counts.
    """

    hides = Hides(owner="who", open="id who name about", own="of effects ends adds", always="note", part="data degree")

    id: str
    who: str
    name: str
    degree: Whole = 1
    of: Whole | None = None
    effects: tuple[tuple[str, Whole], ...] = ()
    about: str = ""
    ends: tuple[Ends, ...] = ()
    data: str = ""
    note: str = ""
    adds: bool | msgspec.UnsetType = msgspec.UNSET  # records of older versions do not have it


class ConditionEnded(BaseFact, frozen=True, kw_only=True, tag="condition-ended", gc=False):
    """A condition ended: due, used, removed or replaced."""

    hides = Hides(open="id who name because")

    id: str
    who: str
    name: str
    because: str
