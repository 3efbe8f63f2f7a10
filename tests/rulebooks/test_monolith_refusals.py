"""Which refusal comes first, and what each of them says."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from ledger.errors import BadFaces, Refused
from ledger.facts import GM
from ledger.game import Declaration, Ruling, Setting
from rulebooks.monolith.book import TEXTS
from rulebooks.monolith.declarations import (
    Adjust,
    Aid,
    Ally,
    Attack,
    BeginRound,
    Blast,
    ChangeCombatant,
    ChangeGroup,
    Crawl,
    CreateCharacter,
    CreateGroup,
    CreateNpc,
    DeclareIntent,
    EndEncounter,
    EndPart,
    EndRound,
    Flee,
    JoinEncounter,
    Morale,
    Move,
    OtherAction,
    PassTime,
    Rest,
    Save,
    SetOption,
    SetOrder,
    StartEncounter,
    Telegraph,
)
from tests.rulebooks.monolith import Seat, rules

# Of the catalogue: what is wrong, in its order of precedence, and how a seat comes to it.
ATTACK = ("DECL", "TARGET", "OUT", "ORDER", "ACTION", "WEAPON", "AREA", "DICE")
MOVE = ("DECL", "OUT", "ORDER", "MOVE", "ACTION")


def seat_for(*wrong: str) -> Seat:
    """A Round in which Kade may not attack, for these reasons: the order first, since it takes the opponents' part."""
    seat = Seat()
    if "ORDER" in wrong:
        seat.say(SetOrder(by=GM, first=("Vega",), reason="the drop"))
    if "ACTION" in wrong:
        seat.say(rules(**{"option": 0})) if False else spend(seat)
    if "OUT" in wrong:
        seat.say(rules(**{"kade.critical": 1}))
    if "TARGET" in wrong:
        seat.say(rules(**{"r1.dead": 1}))
    if "DECL" in wrong:
        again = [who for who in ("Vega", "Kade") if f"critical {who}" not in seat.state.conditions]
        undeclare(seat, again)
    return seat
