"""Groups of beings that one word names: all, the players' side, the foes, any side by its name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ledger import names
from ledger.facts import GM
from projections.state import Being, Encounter, State
from rulebooks.common.absence import is_absent
from rulebooks.common.conditions import has_condition

CREATURES: Final = ("pc", "npc")
FOES: Final = (GM, "foe", "foes")  # sides of those whom the game master plays against the players
DEAD: Final = "dead"


def is_here(being: Being, state: State) -> bool:
    """Return whether a creature lives and has not left, and is in the fight if one is running."""
    return is_present(being, state) and ((fight := state.encounter) is None or _is_fighting(being.name, fight))


def is_present(being: Being, state: State) -> bool:
    """Return whether a creature lives and has not left, also beside the fight that is running, as a mount may be."""
    return being.kind in CREATURES and not has_condition(being.name, DEAD, state) and not is_absent(being.name, state)


def _is_fighting(who: str, encounter: Encounter) -> bool:
    """Return whether somebody is a member of an encounter who has not left it: a leaver's place is empty."""
    return who in encounter.members and who not in encounter.empty_places


def is_foe(who: str, state: State) -> bool:
    """Return whether somebody is a being that the game master plays against the players."""
    being = state.being(who)
    return being is not None and being.kind != "pc" and being.side in FOES


def groups_by_side(state: State) -> Mapping[str, tuple[str, ...]]:
    """Return the names of those who are here, under the word for their group."""
    here = [being for being in state.beings_in_order() if is_here(being, state)]
    return {
        **_named_sides(here, state.encounter),
        "all": tuple(being.name for being in here),
        "players": tuple(being.name for being in here if being.kind == "pc"),
        "foes": tuple(being.name for being in here if is_foe(being.name, state)),
    }


def _named_sides(here: Sequence[Being], encounter: Encounter | None) -> dict[str, tuple[str, ...]]:
    """Return those who are here, under the names of their sides: as they joined, and in the running encounter."""
    sides = dict[str, list[str]]()
    for being in here:
        own = [side for side, members in encounter.sides if being.name in members] if encounter else []
        for side in {names.fold_case(name) for name in (being.side, *own) if name != GM}:
            sides.setdefault(side, []).append(being.name)
    return {side: tuple(members) for side, members in sides.items()}
