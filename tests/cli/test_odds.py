"""`campaign odds`."""

from __future__ import annotations

import re

import msgspec
import pytest

from cli.notation.line_parser import parse_line
from cli.questions.ledger_file import find_game
from cli.questions.line_scope import line_scope
from cli.questions.odds import LevelOdds, odds_at_any_time
from cli.render.odds import odds_lines, short_odds
from ledger.facts import parse_entry_id
from ledger.ledger_state import load_state
from ledger.odds import Chance, Expected, Odds
from ledger.sqlite_store import open_store
from projections.projection import StateProjection
from rulebooks.common.texts import Wording
from tests.cli.conftest import copied, one_error
from tests.rulebooks.semiautomagic.seat import Seat as SemiautomagicSeat


def test_odds_without_dice_list_the_changes(night):
    nothing = "no result depends on dice, and no value changes\n"
    assert night.run("odds", "# the tide") == nothing
    assert night.run("odds", "--full", "# the tide") == f"# the tide\n{nothing}"
    assert night.run("odds", '! damage kess 3 "a slate"') == "on average Kess health 15 > 13.00\n"
    printed = night.run("odds", "--full", '! damage kess 3 "a slate"').splitlines()
    assert [line.rstrip() for line in printed if "damage" in line] == [printed[0], "damage hurt  1 of 1 (100%)"]
    assert "Kess health" in printed[-1]


@pytest.mark.slow
def test_odds_write_situations_behind_their_sign(demo):
    assert demo.run("odds", "--full", "k dodge v4 +cover").startswith("Kess dodge v4 +cover\n")


@pytest.mark.slow
def test_odds_are_the_chance_of_success_at_each_level(demo):
    assert demo.run("odds", "k sneak v5") == "e0 62 %  e1 81 %  e2 93 %  e3 >99 %\n"


@pytest.mark.slow
def test_odds_join_the_words_of_a_line(demo):
    assert demo.run("odds", "k", "sneak", "v5") == demo.run("odds", "k sneak v5")


def test_odds_without_levels_list_the_results(fight_folder):
    told = fight_folder.run("odds", "a wound").split("  ")
    assert [word for word in ("winded", "light", "moderate") if any(each.startswith(word) for each in told)]
    shares = [int(each.split()[-2].strip("<>")) for each in told if "less than 1 %" not in each]
    assert sum(shares) in range(97, 104)  # each is rounded


@pytest.mark.quick_rows(1)
@pytest.mark.parametrize(
    ("sample", "entry", "line", "turn", "odds"),
    [
        ("gutter-saints", "2.20", "k attack dovel s d4", ("Kess", "action"), "e0 38 %  e1 62 %  e2 81 %"),
        ("gutter-saints", "2.20", "o dodge dovel", None, "e0 38 %  e1 62 %"),
        ("gutter-saints", "2.29", "o dodge dovel", ("Dovel", "action"), "e0 38 %  e1 62 %"),
        ("broken-archway", "1.20", "! archer attack sira", ("Archer", "foe"), "miss 50 %  1 hit 45 %"),
        ("powder-tithe", "1.60", "t attack orsk", ("Tobit", ""), "glass bolt: hit 67 %  hit cover 33 %"),
        ("lantern-ferry", "1.40", "p attack wick", ("Perrin", ""), "hit 52 %  critical 42 %  graze 7 %"),
        ("choir-of-glass", "1.12", "d attack verger rivet-gun", ("Doro", "acting"), "hurt 75 %  stopped 25 %"),
    ],
)
def test_odds_on_the_turn_of_somebody_else(played_samples, sample, entry, line, turn, odds):
    store = open_store(played_samples[sample] / "ledger.db", write=False)
    book = find_game(store)
    state = load_state(store, StateProjection(), at=parse_entry_id(entry))
    before = state.projection.pack(state.state)
    said = parse_line(line, line_scope(state, book)).declaration
    found, supposed = odds_at_any_time(book, state, said)
    assert (None if supposed is None else (supposed.who, supposed.phase)) == turn
    assert short_odds(found, said.by, book.texts().lexicon.wording)[0].startswith(odds)
    assert state.projection.pack(state.state) == before
    store.close()


@pytest.mark.slow
def test_odds_say_whose_turn_they_suppose(fight_folder, tmp_path):
    folder = copied(fight_folder, tmp_path)
    folder.run("do", "a wound /4.3")
    done = folder.invoke("odds", "b attack thug s d5")
    assert done.stderr == "Judged as if it were Bryn's turn (action phase).\n"
    assert done.stdout.startswith("e0 ")


def test_odds_are_refused_as_now_if_no_turn_allows_the_line(fight_folder):
    assert one_error(fight_folder.invoke("odds", "a attack thug s d5"), 1).startswith("DB-E-")


@pytest.mark.parametrize("width", [40, 60, 80])
def test_odds_break_between_chances(width):
    """Of a roll with many results a line ends behind a whole chance, and no line is wider than the terminal."""
    chances = tuple(
        Chance(who="Kael", what="hit", against="", result=f"{hits} hits", ways=1, of=20) for hits in range(20)
    )
    level = LevelOdds(level="long rapier", line="", odds=Odds(of=20, chances=chances, expected=()))
    other = msgspec.structs.replace(level, level="bow")
    wording = Wording()
    lines = short_odds([level, other], "Kael", wording, width)
    assert len(lines) > 2
    assert max(map(len, lines)) <= width
    assert all(re.fullmatch(r"( +|long rapier: |bow: )[0-9]+ hits 5 %(  [0-9]+ hits 5 %)*", line) for line in lines)
    assert lines[1].startswith(" " * len("long rapier: "))
    assert len(short_odds([level, other], "Kael", wording)) == 2


def test_rare_results_share_one_line():
    """What is rarer than one in a hundred is never told as 1 %."""
    ways = {"hit": 9950, "graze": 45, "slip": 4, "break": 1}
    chances = tuple(
        Chance(who="Kael", what="hit", against="", result=word, ways=n, of=10_000) for word, n in ways.items()
    )
    level = LevelOdds(level="", line="", odds=Odds(of=10_000, chances=chances, expected=()))
    assert short_odds([level], "Kael", Wording()) == ["hit >99 %  less than 1 % each: graze, slip, break"]
    assert "Kael hit slip   4 of 10000 (<1%)" in list(odds_lines([level], Wording()))


def test_odds_of_certain_damage_tell_what_the_target_loses():
    """Only some throws have a save; what is lost comes first, and the save says how often there is none."""
    chances = (
        Chance(who="Kael", what="damage", against="Orc", result="hurt", ways=8, of=8),
        Chance(who="Orc", what="save", against="", result="failed", ways=3, of=8),
        Chance(who="Orc", what="save", against="", result="passed", ways=1, of=8),
    )
    spread = ((0, 4), (1, 2), (2, 2))
    loss = Expected(value="orc.hp", before=3, total=6, of=8, spread=spread)
    level = LevelOdds(level="", line="", odds=Odds(of=8, chances=chances, expected=(loss,)))
    wording = Wording(colours={"passed": "green", "failed": "red"}, beings=("Orc",))
    assert short_odds([level], "Kael", wording, vital="hp") == [
        "Orc hp ends at 0 50 %  1 25 %  2 25 %",
        "Orc save: failed 38 %  passed 13 %  none 50 %",
    ]


@pytest.mark.slow
def test_odds_of_an_attack_go_on_to_the_wound():
    seat = SemiautomagicSeat()
    said = parse_line("rook attack thorn sword dodge", line_scope(seat.ledger.state, seat.book)).declaration
    found, _ = odds_at_any_time(seat.book, seat.ledger.state, said)
    attack, defence, toughness = short_odds(found, said.by, seat.book.texts().lexicon.wording)
    assert attack == "hit 100 %"
    assert defence.startswith("defence: ")
    assert "negated" in defence
    assert toughness.startswith("toughness: ")
    assert "wound" in toughness
    assert "dying" in toughness
