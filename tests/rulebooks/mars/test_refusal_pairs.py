"""The order of refusals: for every kind of declaration, every pair of errors that can apply together.

A fault is a fact or a field, added to a situation in which the declaration would be accepted.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec
import pytest

from ledger.declarations import Declaration
from ledger.facts import GM, ActionSpent, ConditionBegan, Counted, EncounterBegan, Fact, PoolSet
from rulebooks.mars.declarations.combat import Attack
from rulebooks.mars.declarations.harm import Concentrate, LongRest, ShortRest, Treat, Wake
from rulebooks.mars.declarations.maneuvers import Maneuver
from rulebooks.mars.declarations.parts import Reaction
from rulebooks.mars.declarations.tasks import UseSkill
from rulebooks.mars.declarations.turns import (
    Brandish,
    DropProne,
    Interact,
    Move,
    Ready,
    Rise,
    SeekCover,
    StartLongAction,
    TriggerReadied,
)
from tests.rulebooks.mars.seat import Seat
from tests.rulebooks.mars.test_rulebook import ORDER

pytestmark = pytest.mark.slow  # run with --long

Fault = Fact | Mapping[str, Any]
TEAMS = {"players": ["Asha", "Bram"], "guards": ["Gil", "Hob"]}
LEARNED = {"Asha": {"learned": {"heavy-strike": "martial", "brace": "martial"}}}
GROUP = {code: number for number, codes in enumerate(ORDER) for code in codes}


class Said(NamedTuple):
    """A declaration, the faults that it can have, the faces that it needs, and the situation."""

    said: Declaration
    faults: dict[str, Fault]
    faces: tuple[int, ...] = ()
    given: Mapping[str, Any] = {}


def condition(who: str, name: str) -> Fact:
    """Return the fact that a condition begins."""
    return ConditionBegan(id=f"{name} {who}", who=who, name=name)


def pool(who: str, name: str, now: int, most: int) -> Fact:
    """Return the fact that a full pool has fewer points."""
    return PoolSet(who=who, pool=name, was=most, now=now, least=0, most=most)


def spent(who: str, action: str, cost: int) -> Fact:
    """Return the fact that all actions of this kind are spent."""
    return ActionSpent(who=who, action=action, cost=cost, left=0, outcome="used")


def count(who: str, name: str, until: str) -> Fact:
    return Counted(who=who, name=name, change=1, now=1, until=until)


def defends(**fields: Any) -> Mapping[str, Any]:
    """Return the field of other defences."""
    return {"defences": (Reaction(**fields),)}


UNABLE: dict[str, Fault] = {"DEAD": condition("Asha", "dead"), "UNCONSCIOUS": condition("Asha", "unconscious")}
LATE: dict[str, Fault] = {**UNABLE, "NOT-TURN": {"turn": "Gil"}}
NO_AP: dict[str, Fault] = {"NO-AP": spent("Asha", "ap", 3)}
LATER: dict[str, Fault] = {**UNABLE, "NOT-TURN": {"then": "Gil"}}
WRONG_DICE: dict[str, Fault] = {"DICE": {"faces": (99, 1, 1, 1, 1)}}
TARGET: dict[str, Fault] = {"UNKNOWN": {"target": "Nobody"}}
WEAPON: dict[str, Fault] = {"NOT-WIELDED": {"weapon": "spear"}}
NO_STAMINA: dict[str, Fault] = {"NO-STAMINA": pool("Asha", "stamina", 0, 14)}

WARD = ConditionBegan(id="concentration Asha", who="Asha", name="concentration", about="ward")
BRAM_UNABLE: dict[str, Fault] = {"DEAD": condition("Bram", "dead"), "UNCONSCIOUS": condition("Bram", "unconscious")}
BLOCKED = Attack(by="Gil", target="Asha", defences=(Reaction("Asha", "block"),))
GIL: dict[str, Fault] = {
    "DEAD": condition("Gil", "dead"),
    "UNCONSCIOUS": condition("Gil", "unconscious"),
    "NOT-TURN": {"turn": "Bram"},
    "STUNNED": condition("Asha", "stunned"),
    "NO-AP": spent("Gil", "ap", 3),
    **WRONG_DICE,
}
SAID: dict[str, Said] = {
    "attack": Said(
        Attack(by="Asha", target="Gil", defences=(Reaction("Gil", "evade_reaction"),)),
        {
            **TARGET,
            **LATE,
            "STUNNED": condition("Gil", "stunned"),
            **WEAPON,
            "VALUE": {"pick": (9,), "advantage": ("high ground",)},
            "REACTION-USED": spent("Gil", "reaction", 1),
            "NO-STAMINA": pool("Gil", "stamina", 0, 10),
            **NO_AP,
            **WRONG_DICE,
        },
        (1, 1, 10),
    ),
    "step without the reaction": Said(
        Attack(by="Asha", target="Gil", defences=(Reaction("Gil", "evade"),)),
        {
            **TARGET,
            **LATE,
            "STEP-NEEDS-REACTION": defends(who="Gil", kind="evade", after="step"),
            "NO-STAMINA": pool("Gil", "stamina", 0, 10),
            **NO_AP,
            **WRONG_DICE,
        },
        (1, 1, 10),
    ),
    "step": Said(
        Attack(by="Asha", target="Gil", defences=(Reaction("Gil", "evade_reaction", "step"),)),
        {
            **LATE,
            "CANNOT-MOVE": condition("Gil", "overencumbered"),
            "REACTION-USED": spent("Gil", "reaction", 1),
            "NO-STAMINA": pool("Gil", "stamina", 0, 10),
            **NO_AP,
        },
        (1, 1, 10),
    ),
    "block": Said(
        BLOCKED,
        {**GIL, "NO-SHIELD": defends(who="Asha", kind="block", item="buckler"), **NO_STAMINA},
        (1, 1, 10),
        {"turn": "Gil"},
    ),
    "block with a broken shield": Said(
        BLOCKED, {**GIL, "SHIELD-BROKEN": pool("Asha", "shield", 0, 12), **NO_STAMINA}, (1, 1, 10), {"turn": "Gil"}
    ),
    "block from behind": Said(
        BLOCKED,
        {**GIL, "NOT-FRONT": defends(who="Asha", kind="block", front=False), **NO_STAMINA},
        (1, 1, 10),
        {"turn": "Gil"},
    ),
    "parry": Said(
        Attack(by="Gil", target="Asha", defences=(Reaction("Asha", "parry", item="longsword"),)),
        {**GIL, "NO-PARRY": defends(who="Asha", kind="parry", item="club"), **NO_STAMINA},
        (1, 1, 10, 6),
        {"turn": "Gil"},
    ),
    "move": Said(Move(by="Asha", metres=3), {**LATE, "CANNOT-MOVE": condition("Asha", "overencumbered"), **NO_AP}),
    "second move": Said(
        Move(by="Asha", metres=3),
        {**LATER, "TOO-FAR": {"metres": 9}, "NO-STAMINA": pool("Asha", "stamina", 0, 14), **NO_AP},
        given={"before": (Move(by="Asha", metres=1),)},
    ),
    "brandish": Said(
        Brandish(by="Asha", items=("shield",)),
        {**LATER, "NOT-WIELDED": {"items": ("spear",)}, **NO_AP},
        given={"before": (Brandish(by="Asha", items=()),)},
    ),
    "drop prone": Said(
        DropProne(by="Asha"),
        {**LATER, "PRONE": condition("Asha", "prone"), **NO_AP},
        given={"before": (Brandish(by="Asha", items=()),)},
    ),
    "interact": Said(Interact(by="Asha"), {**LATE, "VALUE": {"speed": -1}, **NO_AP}),
    "rise": Said(
        Rise(by="Asha"), {**LATE, "NOT-PRONE": {"conditions": {}}, **NO_AP}, given={"conditions": {"Asha": ["prone"]}}
    ),
    "seek cover": Said(SeekCover(by="Asha", object="a wall"), {**LATE, "NO-COVER": {"object": ""}, **NO_AP}),
    "ready": Said(
        Ready(by="Asha", action="attack", target="Gil", trigger="he moves"),
        {**LATE, "READIED": condition("Asha", "readied"), **NO_AP},
    ),
    "ready something slow": Said(
        Ready(by="Asha", action="other", speed=2, trigger="he moves"), {**LATE, "READY-SPEED": {"speed": 3}, **NO_AP}
    ),
    "trigger": Said(
        TriggerReadied(by="Asha", target="Gil"),
        {
            **UNABLE,
            "OWN-TURN": {"then": ""},
            "STUNNED": condition("Asha", "stunned"),
            "NOT-WIELDED": {"weapon": "spear"},
            "REACTION-USED": spent("Asha", "reaction", 1),
            **WRONG_DICE,
        },
        (1, 1, 8),
        {"before": (Ready(by="Asha", action="attack", target="Gil", trigger="he moves"),), "then": "Gil"},
    ),
    "long action": Said(StartLongAction(by="Asha", need=5), {**LATE, "NOT-LONG": {"need": 3}, **NO_AP}),
    "use of a skill": Said(
        UseSkill(by="Asha", name="athletics", difficulty=10),
        {**LATE, "UNTRAINED": {"name": "medicine"}, **NO_AP, **WRONG_DICE},
        (1, 1),
    ),
    "concentrate": Said(
        Concentrate(by="Asha", effect="light"),
        {
            **UNABLE,
            "CONCENTRATION": ConditionBegan(id="concentration Asha", who="Asha", name="concentration", about="ward"),
        },
    ),
    "maneuver": Said(
        Maneuver(by="Asha", name="heavy-strike", target="Gil"),
        {
            **TARGET,
            **LATE,
            **WEAPON,
            "SKILL": {"skill": "ranged"},
            "UNKNOWN-MANEUVER": {"name": "wild-strike"},
            **NO_STAMINA,
            **NO_AP,
            **WRONG_DICE,
        },
        (1, 1, 8),
        {"sheets": LEARNED},
    ),
    "maneuver used": Said(
        Maneuver(by="Asha", name="brace"),
        {**LATE, "IMPROVISE": {"name": "bullrush", "target": "Gil", "improvise": "speed", "metres": 6}, **NO_AP},
        given={"sheets": LEARNED},
    ),
    "short rest": Said(
        ShortRest(by="Asha", minutes=30),
        {
            "DEAD": condition("Asha", "dead"),
            "ENCOUNTER": EncounterBegan(encounter="e", kind="opposed", scale="combat", sides=(("players", ("Asha",)),)),
            "DYING": condition("Asha", "dying"),
            "REST-LENGTH": {"minutes": 10},
            "REST-LIMIT": Counted(who="Asha", name="short rests", change=2, now=2, until="day"),
        },
        given={"teams": None, "turn": "", "present": ["Asha"]},
    ),
    "treat": Said(
        Treat(by="Bram", patient="Asha"),
        {
            "DEAD": condition("Bram", "dead"),
            "UNCONSCIOUS": condition("Bram", "unconscious"),
            "NOT-RESTING": {"patient": "Gil"},
        },
        (1, 1),
        {"teams": None, "turn": "", "present": ["Asha", "Bram", "Gil"], "before": (LongRest(by="Asha", begin=True),)},
    ),
    "wake": Said(
        Wake(by=GM, who="Gil", reason="a bell"),
        {"DEAD": condition("Gil", "dead"), "DYING": condition("Gil", "dying"), "REASON": {"reason": ""}},
        given={"conditions": {"Gil": ["unconscious", "prone"]}},
    ),
}
OUTSIDE = {"NOT-TURN", "NO-AP"}  # outside the own turn nobody has points that could be spent
SITUATION = ("turn", "then", "conditions")


def merge_faults(said: Said, codes: Iterable[str]) -> tuple[Declaration, tuple[int, ...], dict[str, Any], list[Fact]]:
    """Return the declaration with these faults: with its faces, its situation, and the facts that are added to it."""
    fields, given, facts = dict[str, Any](), {"teams": TEAMS, "turn": "Asha", **said.given}, list[Fact]()
    for code in codes:
        fault = said.faults[code]
        if isinstance(fault, Mapping):
            fields.update(fault)
        else:
            facts.append(fault)
    given |= {name: fields.pop(name) for name in SITUATION if name in fields}
    faces = fields.pop("faces", said.faces)
    return msgspec.structs.replace(said.said, **fields), faces, given, facts


def seat_for(given: dict[str, Any], facts: list[Fact]) -> Seat:
    """Return the situation."""
    before, then = given.pop("before", ()), given.pop("then", "")
    if given["turn"] in TEAMS["guards"]:
        given["teams"] = {"guards": TEAMS["guards"], "players": TEAMS["players"]}
    elif given["turn"] == "Bram":
        given["teams"] = {"players": ["Bram", "Asha"], "guards": TEAMS["guards"]}
    seat = Seat(**given)
    for said in before:
        seat.say(said)
    if then:
        seat.next_turn(then)
    seat.add_facts(tuple(facts))
    return seat


def clashes(said: Said, one: str, other: str) -> bool:
    """Return whether two faults are of one field, of one group of the order, or impossible together."""
    fields = [set(fault) if isinstance(fault, Mapping) else set() for fault in (said.faults[one], said.faults[other])]
    return GROUP[one] == GROUP[other] or bool(fields[0] & fields[1]) or {one, other} == OUTSIDE


def pairs() -> Iterator[Any]:
    """Yield every pair of faults that can stand together, the earlier one first."""
    for name, said in SAID.items():
        for one, other in itertools.combinations(sorted(said.faults, key=lambda code: GROUP[code]), 2):
            if not clashes(said, one, other):
                yield pytest.param(said, one, other, id=f"{name} {one} {other}")


EACH = [pytest.param(said, code, id=f"{name} {code}") for name, said in SAID.items() for code in said.faults]


@pytest.mark.parametrize("said", [pytest.param(said, id=name) for name, said in SAID.items()])
def test_declaration_without_a_fault_is_taken(said: Said) -> None:
    declared, faces, given, facts = merge_faults(said, ())
    seat_for(given, facts).say(declared, *faces)


@pytest.mark.parametrize(("said", "code"), EACH)
def test_one_fault_is_refused_with_its_code(said: Said, code: str) -> None:
    declared, faces, given, facts = merge_faults(said, (code,))
    assert seat_for(given, facts).code(declared, *faces) == code


@pytest.mark.parametrize(("said", "earlier", "later"), list(pairs()))
def test_two_faults_are_refused_with_the_earlier_code(said: Said, earlier: str, later: str) -> None:
    declared, faces, given, facts = merge_faults(said, (earlier, later))
    assert seat_for(given, facts).code(declared, *faces) == earlier
