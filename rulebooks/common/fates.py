"""Fates: who stands at the end of an encounter, and how the others went out of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from projections.state import State
from rulebooks.common.absence import ABSENT
from rulebooks.common.conditions import has_condition

LEFT = "left"  # how somebody who is absent went out


class Fates(msgspec.Struct, frozen=True):
    """Those who stand, by side, and the others, each with how they went out."""

    stand: tuple[tuple[str, tuple[str, ...]], ...]
    out: tuple[tuple[str, str], ...]


def find_fates(members: Iterable[str], ways: Sequence[str], state: State) -> Fates:
    """Return the fates of the members of an encounter.

    Args:
        members: all who were in it at any time.
        ways: the conditions with which somebody is out, the one to tell first.
        state: the state before anybody recovers.
    """
    sides: dict[str, list[str]] = {}
    out = []
    for who in dict.fromkeys(members):
        way = next((name for name in (*ways, ABSENT) if has_condition(who, name, state)), "")
        if way:
            out.append((who, LEFT if way == ABSENT else way))
        elif being := state.being(who):
            sides.setdefault(being.side, []).append(who)
    return Fates(tuple((side, tuple(names)) for side, names in sides.items()), tuple(out))
