"""The examples in the docstrings of declarations, and lines of reactions, spells, hazards and ailments."""

from __future__ import annotations

from typing import Any

import pytest

from cli.notation.examples import example_hint
from cli.notation.formatter import format_declaration
from cli.notation.line_parser import parse_line
from cli.notation.scope import Scope
from ledger.builtin import AddWords
from ledger.declarations import Declaration
from ledger.facts import GM
from projections.projection import StateProjection
from rulebooks import load_game
from rulebooks.dusk_bastards.declarations.combat import (
    CastSpell,
    Defence,
    FinishLongSpell,
    Intercept,
    StartLongSpell,
    TakeCover,
)
from rulebooks.dusk_bastards.declarations.harm import Damage, Disease, Hazard, Poison
from rulebooks.dusk_bastards.declarations.parts import Cost, Effect
from rulebooks.dusk_bastards.declarations.turns import Deed, QuickDeed, UseAbility

BOOK = load_game("dusk-bastards")
NOBODY = StateProjection().empty()
SCOPE = Scope(
    beings=("Kess", "Orrin", "Tamsin", "Sergeant Dovel", "Brute", "Thug", "Captain", "Door"),
    declarations=(*BOOK.declarations, AddWords),
    words=lambda kind, field, by: BOOK.guide.vocabulary(kind, field, NOBODY, by),
    values=lambda: ("doom", "kess.destiny", "kess.health", "kess.might", "orrin.health"),
    short_names=lambda: {"hp": "health", "D": "destiny"},
    vital_value=lambda: "health",
)


def said(line: str) -> Declaration:
    parsed = parse_line(line, SCOPE)
    assert parsed
    return parsed.declaration


@pytest.mark.parametrize("kind", [kind for kind in BOOK.declarations if kind.verbs], ids=lambda kind: kind.__name__)
def test_example_of_every_hint_parses(kind: type[Declaration]) -> None:
    shown = example_hint(kind, SCOPE).removeprefix("For example: ").replace("vital", SCOPE.vital_value())
    assert type(said(shown)) is kind
    assert said(format_declaration(said(shown))) == said(shown)


def cost(**stats: int) -> tuple[Cost, ...]:
    return tuple(Cost(stat, number) for stat, number in stats.items())


FOE = "Sergeant Dovel"
LINES: list[tuple[str, Declaration]] = [
    ("k take cover", TakeCover(by="Kess")),
    ("k take cover yes", TakeCover(by="Kess", cover_near="yes")),
    ("k take cover full", TakeCover(by="Kess", cover_near="full")),
    ("! brute take cover", TakeCover(by="Brute")),
    ("k intercept dovel s", Intercept(by="Kess", target=FOE, stat="speed")),
    (
        "o intercept dovel protect=tamsin m e1",
        Intercept(by="Orrin", target=FOE, protect="Tamsin", stat="might", effort=1),
    ),
    ("! dovel intercept kess e1", Intercept(by=FOE, target="Kess", effort=1)),
    ('k cast "fog" intellect:3 bonus', CastSpell(by="Kess", task="fog", cost=cost(intellect=3), time="bonus")),
    ('k cast "fog" i:3 i v4', CastSpell(by="Kess", task="fog", cost=cost(intellect=3), stat="intellect", difficulty=4)),
    (
        'k cast "ray" dovel i i:2 s:1 d4 ranged at=short',
        CastSpell(
            by="Kess",
            task="ray",
            target=FOE,
            stat="intellect",
            cost=cost(intellect=2, speed=1),
            damage=4,
            mode="ranged",
            at="short",
        ),
    ),
    ('! dovel cast "hex" reaction', CastSpell(by=FOE, task="hex", time="reaction")),
    ('k begin "ward" intellect:4', StartLongSpell(by="Kess", spell="ward", cost=cost(intellect=4))),
    ('k finish "ward"', FinishLongSpell(by="Kess", task="ward")),
    ('k finish "ward" i v5 e1', FinishLongSpell(by="Kess", task="ward", stat="intellect", difficulty=5, effort=1)),
    ('k does "think of the way out" physical=no', Deed(by="Kess", text="think of the way out", physical=False)),
    ('k quick "kick the door shut"', QuickDeed(by="Kess", text="kick the door shut")),
    ('k does "bar the door" m:1', Deed(by="Kess", text="bar the door", cost=cost(might=1))),
    ('k use "Second Wind" speed:2', UseAbility(by="Kess", text="Second Wind", cost=cost(speed=2))),
    (
        'k use "Unsettle" target=dovel effect=unsettled:1:defence=-1',
        UseAbility(by="Kess", text="Unsettle", target=FOE, effect=Effect("unsettled", rounds=1, defence=-1)),
    ),
    (
        'k use "Stone Skin" effect="stone skin":armor=2:lasts=10m',
        UseAbility(by="Kess", text="Stone Skin", effect=Effect("stone skin", armor=2, lasts=600)),
    ),
    ("! hazard kess falling feet=30", Hazard(by=GM, target="Kess", row="falling", feet=30)),
    ("! hazard kess falling 30", Hazard(by=GM, target="Kess", row="falling", feet=30)),
    ("! hazard kess minor_fire rounds=3", Hazard(by=GM, target="Kess", row="minor_fire", rounds=3)),
    ("! hazard dovel shock lose_action", Hazard(by=GM, target=FOE, row="shock", lose_action=True)),
    ('! damage kess 3 lasting "rot"', Damage(by=GM, target="Kess", amount=3, lasting=True, source="rot")),
    ('! poison kess v5 d3 "the wine"', Poison(by=GM, target="Kess", difficulty=5, damage=3, source="the wine")),
    (
        "! poison kess v6 wound on_fail=dazed",
        Poison(by=GM, target="Kess", difficulty=6, wound=True, on_fail=(Effect("dazed"),)),
    ),
    ("k resist poison e1", Defence(by="Kess", cause="poison", effort=1)),
    ("k resist poison v5 d3", Defence(by="Kess", cause="poison", difficulty=5, damage=3)),
    (
        '! disease kess v4 d2 lasting "grey fever"',
        Disease(by=GM, target="Kess", difficulty=4, damage=2, lasting=True, source="grey fever"),
    ),
    ('k resist disease "grey fever"', Defence(by="Kess", cause="disease", task="grey fever")),
    (
        'k dodge "spear trap" v5 d3 lose_action',
        Defence(by="Kess", task="spear trap", difficulty=5, damage=3, lose_action=True),
    ),
]


@pytest.mark.parametrize(("line", "expected"), LINES, ids=lambda value: value if isinstance(value, str) else "")
def test_line_of_reaction_spell_hazard_or_ailment(line: str, expected: Any) -> None:
    assert said(line) == expected
    assert said(format_declaration(expected)) == expected
