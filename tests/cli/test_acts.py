"""Acts: what may be tapped now, in fights of all games at random. Each line is taken when it is typed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from cli.notation.line_parser import parse_line
from cli.questions.act_options import ActOption, act_options
from cli.questions.acts import BLANK, DEPTH_MOST, LEVELS, ActChoice, Blank
from cli.questions.line_scope import line_scope
from cli.questions.players_ledger import PlayersLedger
from cli.questions.possible import before_dice, why_not_said
from cli.questions.turn_acts import TurnActs
from cli.table.taps import TapTable
from ledger.declarations import Declaration
from ledger.errors import LedgerError
from ledger.facts import PointsSpent
from ledger.ledger_state import load_state
from projections.projection import StateProjection
from tests.budget import BUDGET
from tests.cli.fights import FIGHTS, FacesLedger, begin, say

LINES = 4


def fight(game: str, *lines: str) -> FacesLedger:
    """Return a fight that has begun, after these lines."""
    ledger = begin(game)
    for line in (*FIGHTS[game].opening, *lines):
        assert not isinstance(said := say(ledger, line), LedgerError), (line, said)
    return ledger


def turn_acts(ledger: FacesLedger, levels: int = DEPTH_MOST) -> TurnActs:
    """Return the acts of now."""
    return TurnActs(ledger.state, ledger.game, line_scope(ledger.state, ledger.game), levels=levels)


def acts_of(ledger: FacesLedger, who: str) -> dict[str, ActChoice]:
    """Return the acts of somebody now by their labels."""
    return {act.label: act for each in turn_acts(ledger).of([who]) for act in each.acts}


def options_of(ledger: FacesLedger, line: str) -> dict[str, ActOption]:
    """Return the options of a line by their fields."""
    acts, said = turn_acts(ledger), declaration(ledger, line)
    levels = ledger.game.guide.levels(said, ledger.state.state)
    return {option.field: option for option in act_options(said, acts.table(), levels)}


def declaration(ledger: FacesLedger, line: str) -> Declaration:
    """Return what a line declares."""
    parsed = parse_line(line, line_scope(ledger.state, ledger.game))
    assert parsed is not None
    return parsed.declaration


def filled(line: str, *blanks: Blank) -> str:
    """Return a line with something in its blanks."""
    for blank in blanks:
        line = line.replace(BLANK, str(max(blank.least, 1)) if blank.is_number else "because", 1)
    return line


def proposed(ledger: FacesLedger, chance: Random, levels: int) -> Iterator[str]:
    """Yield a line of each act, and all options of one of them."""
    lines = []
    for each in turn_acts(ledger, levels).of(line_scope(ledger.state, ledger.game).beings, is_gm=chance.random() < 0.3):
        for act in each.acts:
            leaves = list(act.leaves())
            lines += [filled(leaf.line, *leaf.blanks) for leaf in chance.sample(leaves, min(1, len(leaves)))]
    yield from lines
    for option in options_of(ledger, chance.choice(lines)).values():
        yield from (filled(value.line, *[option.blank] if option.blank else []) for value in option.values)


@pytest.mark.quick_rows(1)
@pytest.mark.parametrize("game", sorted(FIGHTS))
@pytest.mark.parametrize("seed", BUDGET.seeds(1, 20))
def test_every_act_is_taken_when_it_is_typed(game: str, seed: int) -> None:
    ledger, chance = begin(game, f"acts {seed}"), Random(seed)
    for line in FIGHTS[game].opening[: chance.randrange(len(FIGHTS[game].opening) + 1)]:
        say(ledger, line)
    for line in chance.choices(FIGHTS[game].single, k=LINES):
        say(ledger, line)
        scope = line_scope(ledger.state, ledger.game)
        refused = [
            (each, error)
            for each in proposed(ledger, chance, DEPTH_MOST if seed else LEVELS)  # all of them take long
            if (error := why_not_said(each, ledger.state, ledger.game, scope)) is not None
        ]
        assert refused == []


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize(
    ("game", "who", "labels"),
    [
        ("dusk-bastards", "Holt", ["Thug 1", "Thug 2", "The Ferryman"]),
        ("mars", "Asha", ["Guard 1", "Guard 2", "Bram"]),
        ("momentum", "Vel", ["Raider 1", "Raider 2", "Osric"]),
        ("monolith", "Vega", ["Raider 1", "Raider 2", "Okoro"]),
        ("semiautomagic", "Kit", ["Brute 1", "Brute 2", "Brand"]),
    ],
)
def test_attack_offers_the_other_side_first(game: str, who: str, labels: list[str]) -> None:
    attack = acts_of(fight(game), who)["attack"]
    assert [choice.label for choice in attack.choices] == labels


def test_field_that_a_refusal_names_is_chosen_next() -> None:
    blast = acts_of(fight("dusk-bastards"), "Holt")["blast"]
    assert [(choice.label, choice.field, len(choice.choices)) for choice in blast.choices[:1]] == [
        ("Thug 1", "stat", 3)
    ]


@pytest.mark.slow
def test_choices_further_down_are_asked_for_by_their_path() -> None:
    ledger = fight("mars")
    acts = TurnActs(ledger.state, ledger.game, line_scope(ledger.state, ledger.game))
    whole = acts_of(ledger, "Asha")["maneuver"]
    (shown,) = [act for each in acts.of(["Asha"]) for act in each.acts if act.label == "maneuver"]
    assert [each.label for each in shown.choices] == [each.label for each in whole.choices]
    assert {len(each.choices) for each in shown.choices} == {0}
    path = ["maneuver", "advancing-strike", "Guard 1"]
    ((act,),) = [each.acts for each in acts.of(["Asha"], path=path)]
    strike = next(each for each in whole.choices if each.label == "advancing-strike")
    assert act.choices == strike.choices[0].choices
    assert [each.line for each in act.leaves()] == [
        f'Asha maneuver name="advancing-strike" target="Guard 1" {paid}' for paid in ("speed", "stamina")
    ]
    assert list(acts.of(["Asha"], path=["maneuver", "flight"])) == []
    ((act,),) = [each.acts for each in acts.of(["Asha"], path=["maneuver", "Guard 1"])]  # as where there is one name
    assert act.line == 'Asha maneuver name="heavy-strike" target="Guard 1"'


@pytest.mark.quick_rows(1)
@pytest.mark.parametrize(
    ("game", "who", "verb", "line", "blanks"),
    [
        ("monolith", "Vega", "does", 'Vega does "…" "…"', [Blank(field="text"), Blank(field="ruling")]),
        ("monolith", "Vega", "move", "Vega move …", [Blank(field="feet", is_number=True, most=40)]),
        ("dusk-bastards", "Holt", "use", 'Holt use "…"', [Blank(field="text")]),
        ("mars", "Asha", "concentrate", 'Asha concentrate "…"', [Blank(field="effect")]),
    ],
)
def test_what_has_to_be_typed_is_a_blank(game: str, who: str, verb: str, line: str, blanks: list[Blank]) -> None:
    act = acts_of(fight(game), who)[verb]
    assert (act.line, list(act.blanks)) == (line, blanks)


def test_announced_attack_leaves_only_answers_of_the_awaited() -> None:
    ledger = fight("mars", "a end", "! g1 attack asha ...")
    answers = list(turn_acts(ledger).of(["Asha", "Bram"]))
    assert [(each.who, each.reacts) for each in answers] == [("Asha", True)]
    lines = [leaf.line for act in answers[0].acts for leaf in act.leaves()]
    assert {"^ Asha evade", "^ Asha parry"} <= set(lines)
    assert [line for line in lines if not line.startswith("^ Asha ")] == []
    gm = {act.label for each in turn_acts(ledger).of([], is_gm=True) for act in each.acts}
    assert "go" in gm


def test_nobody_acts_before_one_who_has_a_main_action() -> None:
    ledger = fight("semiautomagic")
    kit, brand = turn_acts(ledger).of(["Brand", "Kit"])
    assert [(kit.who, kit.in_turn), (brand.who, brand.in_turn)] == [("Kit", True), ("Brand", False)]
    assert "attack" not in {act.label for act in brand.acts}


@pytest.mark.parametrize(
    ("game", "line", "field", "kind", "labels"),
    [
        ("dusk-bastards", "h attack thug 1", "effort", "choice", ["e0", "e1", "e2"]),
        ("monolith", "v attack r1", "weapons", "choice", ["bolt pistol", "knife", "bare hands"]),
        ("monolith", "v attack r1", "enhanced", "switches", ["helpless", "daring", "ambush", "from-above"]),
        ("mars", "a attack g1", "flanked", "switches", ["flanked"]),
        ("semiautomagic", "k attack brute 1", "at", "choice", ["", "leg", "body"]),
    ],
)
def test_options_are_those_that_the_rules_allow(game: str, line: str, field: str, kind: str, labels: list[str]) -> None:
    option = options_of(fight(game), line)[field]
    assert (option.kind, [value.label for value in option.values]) == (kind, labels)


def test_switch_that_is_on_is_taken_off_by_its_line() -> None:
    ledger = fight("monolith")
    (switch, *_) = options_of(ledger, "v attack r1 +helpless")["enhanced"].values
    assert (switch.on, switch.line) == (True, 'Vega attack target="Raider 1"')


def test_before_dice_has_the_price_and_the_dice() -> None:
    ledger = fight("dusk-bastards")
    before = before_dice(ledger.state, ledger.game, declaration(ledger, "h attack thug 1 e1"))
    assert [fact.points for fact in before.facts if isinstance(fact, PointsSpent)] == [3]
    assert (before.purpose, before.sides) == ("attack Holt", (12, 12))


def test_those_who_are_unknown_are_not_offered() -> None:
    ledger = fight("momentum")
    scope = line_scope(ledger.state, ledger.game)
    scope = msgspec.structs.replace(scope, beings=["Vel", "Osric"])
    (each,) = TurnActs(ledger.state, ledger.game, scope).of(["Vel"])
    assert {leaf.line for act in each.acts if act.label == "attack" for leaf in act.leaves()} == {
        "Vel attack target=Osric"
    }


def shown_to_players(ledger: FacesLedger, line: str) -> Any:
    """Return what the players' phones show: all taps, and this line before it is said."""
    seen = load_state(PlayersLedger(ledger.store, ledger.game), StateProjection())
    table = TapTable(ledger.state, ledger.game, line_scope(seen, ledger.game))
    own = [being.name for being in seen.state.beings_in_order() if being.kind == "pc"]
    return table.taps(own, is_gm=False).beings, table.line(table.parse(line).declaration)


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize(
    ("game", "line", "secret"),
    [
        ("dusk-bastards", "holt attack thug 1", "thug1 health -1"),
        pytest.param("mars", "asha attack guard 1", "guard1 health -1", marks=pytest.mark.slow),
        ("momentum", "vel attack raider 1", "raider1 hp -1"),
        ("monolith", "vega attack raider 1", "raider1 hp -1"),
        ("semiautomagic", "kit attack brute 1", "brute1 wounds +1"),
    ],
)
def test_taps_say_nothing_of_a_hidden_number(game: str, line: str, secret: str) -> None:
    ledger = fight(game)
    before = shown_to_players(ledger, line)
    assert not isinstance(say(ledger, f'!! {secret} "a stone"'), LedgerError)
    assert shown_to_players(ledger, line) == before
