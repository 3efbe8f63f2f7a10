"""Beings: the look-up of somebody in play by name, and names that are still free."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.facts import RESERVED
from ledger.names import name_key, word_list
from projections.state import Being, State
from rulebooks.common.values import OutsideDomain, outside_domain


def find_being(
    field: str,
    who: str,
    state: State,
    kinds: tuple[str, ...] = (),
    domain: str = "",
    refusal: OutsideDomain = outside_domain,
) -> Being:
    """Return the being in play with exactly this name and of one of these kinds; all kinds, if none is named.

    Raises the refusal of anybody else; `domain` describes the beings that would be accepted.
    """
    being = state.being(who)
    if being is None or (kinds and being.kind not in kinds):
        raise refusal(field, domain or f"one in play ({' or '.join(kinds)})", who)
    if being.name != who:
        raise refusal(field, f"spelled {being.name}, as on the sheet", who)
    return being


def check_free(who: str, state: State, refusal: OutsideDomain = outside_domain) -> None:
    """Raise the refusal of a name that is taken (in any case), or that means a side."""
    if state.being(who) is not None or name_key(who) in RESERVED:
        raise refusal("name", "a name that nobody else has", who)


def name_list(names: Sequence[str], word: str = "and") -> str:
    """Return names for a sentence: `Kess`, `Kess and Orrin`, `Kess, Orrin and Tamsin`; `nobody` without any."""
    return word_list(names, word) or "nobody"


def name_in_line(who: str) -> str:
    """Return a name as it stands in a line: `Kess`, `"Old Wen"`."""
    return f'"{who}"' if " " in who else who


def speaker(who: str, state: State) -> str:
    """Return how a line of somebody begins: `Kess`, `"Old Wen"`, `! Brute` for those of the game master."""
    name = name_in_line(who)
    return f"! {name}" if state.kind(who) == "npc" else name
