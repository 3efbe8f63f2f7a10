"""The order of refusals: for every kind of declaration, every pair of errors that can apply together.

A fault is a fact or a field, added to a fight in which the declaration would be accepted.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
import pytest

from ledger.declarations import Declaration
from ledger.facts import ActionSpent, ConditionBegan, Counted, Ends, Fact, Joined, PoolSet, WindowOpened, Wounded
from rulebooks.dusk_bastards.declarations.combat import (
    Attack,
    CastSpell,
    Defence,
    FinishLongSpell,
    Intercept,
    StartLongSpell,
    TakeCover,
)
from rulebooks.dusk_bastards.declarations.parts import Cost, Modifier
from rulebooks.dusk_bastards.declarations.tasks import Attempt
from rulebooks.dusk_bastards.declarations.turns import Charge, Deed, FullDefence, Move, QuickDeed, UseAbility
from tests.rulebooks.dusk_bastards.seat import Seat, merge_faults, uses
from tests.rulebooks.dusk_bastards.test_rulebook import ORDER

pytestmark = pytest.mark.slow  # run with --long

WHO = ("Ash", "Bryn", "thug", "captain")
FACES = (6, 7)
Fault = Fact | Mapping[str, Any]


def condition(who: str, name: str, **more: Any) -> Fact:
    """Return the fact that a condition begins."""
    return ConditionBegan(id=f"{name} {who}", who=who, name=name, **more)


def used_action(action: str, who: str = "Ash") -> Fact:
    return ActionSpent(who=who, action=action, cost=1, left=0, outcome="used")


def count(name: str) -> Fact:
    return Counted(who="Ash", name=name, change=1, now=1, until="round")


DEAD: dict[str, Fault] = {
    "DEAD": condition("Ash", "dead"),
    "PENDING-WOUND": WindowOpened(window="wound due Bryn", kind="wound due", who="Bryn", awaits=("Bryn",), data=""),
}
UNABLE: dict[str, Fault] = {
    **DEAD,
    "NOACT": Wounded(who="Ash", wound="Ash w1", kind="critical", value=8, in_force=True),
    "STUNNED": condition("Ash", "stunned", ends=(Ends(at="turn", whose="Ash", due=9),)),
    "PARALYSED": condition("Ash", "paralysed"),
}
AWAKE: dict[str, Fault] = {code: fault for code, fault in UNABLE.items() if code != "PARALYSED"}  # needs no movement
WRONG_DICE: dict[str, Fault] = {"VALUE": {"ease": (Modifier(steps=0),)}, "DIE": {"faces": (13, 1)}}
NUMBER: dict[str, Fault] = {"DIFFICULTY": {"difficulty": 13}}
OTHERS_TURN: dict[str, Fault] = {"TURN": {"turn": "captain"}}
IN_ACTION: dict[str, Fault] = {"PHASE": {"phase": "movement"}, "SLOT": used_action("standard"), **OTHERS_TURN}
IN_MOVEMENT: dict[str, Fault] = {"PHASE": {"phase": "action"}, "SLOT": used_action("move"), **OTHERS_TURN}
NO_HURRY: dict[str, Fault] = {"T20-COMBAT": {"take20": True}}
PAYING: dict[str, Fault] = {
    "DESTINY-NONE": {"destiny_first": uses("activate:a", "activate:b", "activate:c")},
    "DESTINY-USE": {"destiny_first": uses("reroll")},
    "POOL-FULL": {"destiny_first": uses("regain:intellect")},
    "EFFORT-POOL": {"effort": 1, "effort_pool": "intellect"},
    "EFFORT-SIX": {"effort": 7},
    "EFFORT-LIMIT": {"effort": 3},
    "POINTS": PoolSet(who="Ash", pool="speed", was=10, now=1, least=0, most=10),
}
UNSEEN: dict[str, Fault] = {"HIDDEN": condition("thug", "invisible")}
UNARMED: dict[str, Fault] = {**UNSEEN, "COVER": {"situations": ("full_cover", "located")}, "REACH": {"at": "long"}}
AFAR: dict[str, Fault] = {
    **UNSEEN,
    "COVER": {"situations": ("full_cover", "located")},
    "UNDERWATER": {"situations": ("underwater",)},
    "MAXRANGE": {"at": "extreme"},
}
BROKEN: dict[str, Fault] = {"OBJECT": PoolSet(who="door", pool="state", was=2, now=0, least=0, most=2)}

SAID: dict[str, tuple[Declaration, dict[str, Fault]]] = {
    "attempt": (
        Attempt(by="Ash", stat="speed", difficulty=5, effort=1),
        {**WRONG_DICE, **NUMBER, **UNABLE, **IN_ACTION, **NO_HURRY, **PAYING},
    ),
    "attack": (
        Attack(by="Ash", target="thug", stat="speed", effort=1),
        {**WRONG_DICE, **NUMBER, **UNABLE, **IN_ACTION, **NO_HURRY, **UNARMED, **PAYING},
    ),
    "shot": (
        Attack(by="Ash", target="thug", stat="speed", effort=1, mode="ranged", at="short", max_range="long"),
        {**WRONG_DICE, **NUMBER, **UNABLE, **IN_ACTION, **NO_HURRY, **AFAR, **PAYING},
    ),
    "attack on a thing": (
        Attack(by="Ash", target="door", difficulty=4, stat="speed", effort=1),
        {**WRONG_DICE, **NUMBER, **UNABLE, **IN_ACTION, **NO_HURRY, **BROKEN, "REACH": {"at": "long"}, **PAYING},
    ),
    "defence": (Defence(by="Ash", difficulty=5, effort=1), {**WRONG_DICE, **NUMBER, **DEAD, **NO_HURRY, **PAYING}),
    "move": (
        Move(by="Ash", distance="short", effort=1),
        {**WRONG_DICE, **UNABLE, **IN_MOVEMENT, **NO_HURRY, "MOVE-DISTANCE": {"distance": "long"}, **PAYING},
    ),
    "charge": (
        Charge(by="Ash", target="thug"),
        {"VALUE": {"target": "Nobody"}, **UNABLE, **IN_MOVEMENT, "CHARGE": {"distance": "long"}},
    ),
    "full defence": (FullDefence(by="Ash"), {**UNABLE, **IN_MOVEMENT}),
    "spell": (
        CastSpell(by="Ash", task="hex", target="thug", stat="speed", effort=1),
        {
            **WRONG_DICE,
            **NUMBER,
            **UNABLE,
            **IN_ACTION,
            **NO_HURRY,
            "SPELL": count("reaction spell"),
            **UNARMED,
            **PAYING,
        },
    ),
    "bonus spell": (
        CastSpell(by="Ash", task="hex", time="bonus", stat="speed"),
        {"VALUE": {"task": ""}, **UNABLE, **IN_ACTION, "SLOT": used_action("bonus")},
    ),
    "reaction spell": (
        CastSpell(by="Ash", task="hex", target="thug", time="reaction", stat="speed", effort=1),
        {
            **WRONG_DICE,
            **NUMBER,
            **UNABLE,
            "REACTION": used_action("reaction"),
            **NO_HURRY,
            "SPELL": count("standard spell"),
            **UNARMED,
            **PAYING,
        },
    ),
    "start of a long spell": (
        StartLongSpell(by="Ash", spell="hex", physical=True),
        {"VALUE": {"cost": (Cost("might", -1),)}, **UNABLE, **IN_MOVEMENT, "SPELL": count("reaction spell")},
    ),
    "finish of a long spell": (
        FinishLongSpell(by="Ash", task="hex", stat="speed", difficulty=5, effort=1),
        {**WRONG_DICE, **NUMBER, **UNABLE, **IN_ACTION, **NO_HURRY, "SPELL": {"task": "another"}, **PAYING},
    ),
    "take cover": (TakeCover(by="Ash"), {**UNABLE, "REACTION": used_action("reaction")}),
    "intercept": (
        Intercept(by="Ash", target="thug", protect="Bryn", stat="speed", effort=1),
        {**WRONG_DICE, **UNABLE, "REACTION": used_action("reaction"), **NO_HURRY, **UNARMED, **PAYING},
    ),
    "deed": (Deed(by="Ash"), {"VALUE": {"cost": (Cost("might", -1),)}, **AWAKE, **IN_ACTION}),
    "quick deed": (QuickDeed(by="Ash"), {**AWAKE, **IN_ACTION, "SLOT": used_action("bonus")}),
    "ability": (UseAbility(by="Ash", text="x"), {**AWAKE, **IN_ACTION, "SLOT": {"is_attack": True}}),
}

PRECEDENCE = ORDER.split()
MOVING = ("move", "charge", "full defence", "start of a long spell")
DOOR = (
    Joined(who="door", kind="object", side="", sheet=(), seen="table"),
    PoolSet(who="door", pool="state", was=0, now=2, least=0, most=2),
)
STARTED = condition("Ash", "casting", about="hex", data="[]", ends=(Ends(at="round", due=1),))


def pairs(kind: str) -> Iterator[tuple[str, str]]:
    """Yield every two errors of a declaration, the one that is reported first."""
    for codes in itertools.combinations(sorted(SAID[kind][1], key=PRECEDENCE.index), 2):
        if codes != ("HIDDEN", "COVER"):  # who is wholly behind cover is hidden too, unless located
            yield codes


@pytest.mark.parametrize("kind", SAID)
def test_first_of_two_errors_is_reported(kind: str) -> None:
    assert [codes for codes in pairs(kind) if refusal_code(kind, codes) != codes[0]] == []


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "code"), [(kind, code) for kind, (_, faults) in SAID.items() for code in faults])
def test_each_error_is_refused_alone(kind: str, code: str) -> None:
    """Each fault alone gives its own error."""
    assert refusal_code(kind, (code,)) == code


@pytest.mark.parametrize("kind", SAID)
def test_declaration_without_error_is_accepted(kind: str) -> None:
    seat, said, faces = fight_with(kind, ())
    seat.say(said, *faces)


def refusal_code(kind: str, codes: Iterable[str]) -> str:
    seat, said, faces = fight_with(kind, codes)
    return seat.code(said, *faces)


def fight_with(kind: str, codes: Iterable[str]) -> tuple[Seat, Declaration, tuple[int, ...]]:
    """Return a fight with the faults of these codes, the declaration and its faces."""
    said, faults = SAID[kind]
    wrong = [faults[code] for code in codes]
    fields: dict[str, Any] = {}
    for fault in wrong:
        if isinstance(fault, Mapping):
            fields = merge_faults(fields, fault)
    phase = fields.pop("phase", "movement" if kind in MOVING else "action")
    turn = fields.pop("turn", "Ash")
    faces = fields.pop("faces", FACES if needs_faces(said) else ())
    order = ("Ash", "captain", "thug", "Bryn") if phase == "action" else ("Bryn", "captain", "thug", "Ash")
    started = (*DOOR, STARTED) if kind.startswith("finish") else DOOR
    seat = Seat(
        *WHO,
        encounter={"order": order, "phase": phase, "turn": turn},
        facts=(*started, *(fault for fault in wrong if not isinstance(fault, Mapping))),
        Ash={"destiny": 2},
    )
    return seat, msgspec.structs.replace(said, **fields), faces


def needs_faces(said: Declaration) -> bool:
    """Return whether the declaration takes typed faces."""
    return isinstance(said, Attempt | Attack | Defence | Move | Intercept | CastSpell | FinishLongSpell) and (
        not isinstance(said, CastSpell) or bool(said.target)
    )
