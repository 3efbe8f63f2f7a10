"""Lines of Monolith, and the commands on its sample."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.notation.formatter import format_declaration
from cli.notation.line_parser import parse_line
from cli.notation.schema import EXAMPLE
from cli.questions.line_scope import line_scope
from ledger.declarations import Declaration
from ledger.errors import Unreadable
from ledger.facts import GM
from rulebooks.common.adjustments import Adjust
from rulebooks.common.encounters import PassTime
from rulebooks.common.options import SetOption
from rulebooks.monolith.attack import attacker_parts
from rulebooks.monolith.declarations import (
    Aid,
    Ally,
    Attack,
    BeginRound,
    Blast,
    DeclareIntent,
    EndPart,
    Move,
    OtherAction,
    Save,
    SetOrder,
    StartEncounter,
)
from rulebooks.monolith.weapons import AttackerPart
from tests.cli.conftest import Folder
from tests.rulebooks.monolith.seat import BOOK, Seat

SCOPE = line_scope(Seat().ledger.state, BOOK)
EXAMPLES = [
    line.replace("vital", "hp").replace("brute", "boss")  # as in the examples of every game
    for kind in BOOK.declarations
    if kind.verbs
    for line in EXAMPLE.findall(kind.__doc__ or "")
    if " " in line
]
LINES: dict[str, Declaration] = {
    "v attack r1": Attack(by="Vega", target="R1"),
    "v att r1 rif": Attack(by="Vega", target="R1", weapons=("rifle",)),
    "o attack boss pistol second-pistol": Attack(by="Oru", target="Boss", weapons=("pistol", "second pistol")),
    "v attack r1 +helpless -cover": Attack(by="Vega", target="R1", enhanced=("helpless",), impaired=("cover",)),
    'v attack r1 knife +"from the gantry"': Attack(
        by="Vega", target="R1", weapons=("knife",), enhanced=("from the gantry",)
    ),
    'v attack boss +with:oru:pistol +with:oru:baton::"bound"': Attack(
        by="Vega",
        target="Boss",
        allies=(Ally(who="Oru", weapon="pistol"), Ally(who="Oru", weapon="baton", impaired="bound")),
    ),
    "! r1 attack vega der": Attack(by="R1", target="Vega", weapons=("derringer",)),
    'k blast r1 r2 vega grenade area="the lock"': Blast(
        by="Kade", targets=("R1", "R2", "Vega"), weapon="grenade", area="the lock"
    ),
    "k blast boss stun": Blast(by="Kade", targets=("Boss",), weapon="stun grenade"),
    "o pass": DeclareIntent(by="Oru"),
    'o declare "take cover"': DeclareIntent(by="Oru", text="take cover"),
    "! round": BeginRound(by=GM),
    '! encounter "the lock" participants=vega,r1': StartEncounter(by=GM, kind="the lock", participants=("Vega", "R1")),
    '! encounter "the lock" vega r1': StartEncounter(by=GM, kind="the lock", participants=("Vega", "R1")),
    '! order vega oru "the drop"': SetOrder(by=GM, first=("Vega", "Oru"), reason="the drop"),
    '! order reflex "a scramble"': SetOrder(by=GM, score="reflex", reason="a scramble"),
    '! order opponents "an ambush"': SetOrder(by=GM, opponents=True, reason="an ambush"),
    "! acted opp": EndPart(by=GM, part="opponents"),
    'v save ref "a leap" "or a long fall"': Save(by="Vega", score="reflex", reason="a leap", stakes="or a long fall"),
    "v move 25": Move(by="Vega", feet=25),
    'o does "the medkit" "it holds"': OtherAction(by="Oru", text="the medkit", ruling="it holds"),
    "o aid vega": Aid(by="Oru", patient="Vega"),
    '! time 50m "waiting"': PassTime(by=GM, seconds=3000, label="waiting"),
    '! option gang_scope phase "quicker"': SetOption(by=GM, name="gang_scope", value="phase", reason="quicker"),
    'v hp -3 "the fall"': Adjust(by="Vega", value="vega.hp", change=-3, reason="the fall"),
}


def meant(line: str) -> Declaration:
    parsed = parse_line(line, SCOPE)
    assert parsed is not None
    return parsed.declaration


def test_reason_with_a_minus_impairs_an_ally() -> None:
    """ML-MOD-1: as a minus does for the speaker."""
    said = meant('v attack boss +with:oru:baton:-"a door"')
    assert isinstance(said, Attack)
    assert attacker_parts(said)[1] == AttackerPart(who="Oru", weapons=("baton",), impaired=("a door",))


@pytest.mark.parametrize("line", LINES)
def test_line_parses_to_its_declaration(line: str) -> None:
    assert meant(line) == LINES[line]


@pytest.mark.quick_rows(20)
@pytest.mark.parametrize("line", [*LINES, *EXAMPLES])
def test_canonical_line_parses_to_the_same_declaration(line: str) -> None:
    said = meant(line)
    assert meant(format_declaration(said)) == said
    assert format_declaration(meant(format_declaration(said))) == format_declaration(said)


@pytest.mark.parametrize(
    "line", ["v attack", "v attack nobody rifle", "! begin", "v move", "! v round", "v attack r1 +x"]
)
def test_incomplete_line_shows_an_example(line: str) -> None:
    with pytest.raises(Unreadable) as raised:
        parse_line(line, SCOPE)
    assert raised.value.hint


def test_number_without_a_unit_is_asked_for_one() -> None:
    with pytest.raises(Unreadable, match=r"needs its unit. Write one of: 30s \(seconds\), 30m \(minutes\)"):
        parse_line('! time 30 "a breath"', SCOPE)


@pytest.fixture(scope="module")
def choir(played_samples: dict[str, Path]) -> Folder:
    return Folder(played_samples["choir-of-glass"])


def test_why_shows_pool_highest_die_and_situations(choir: Folder) -> None:
    shown = choir.run("why", "1.45")
    assert "Ilex's cutter d6 5" in shown
    assert "armor  -2  3  ML-ATK-1" in shown
    assert "Verger leads Sextons" in choir.run("why", "1.34")
    possible = choir.run("why", "1.21").partition("possible situations, not claimed")[2]
    assert 'Doro has declared "rivets into the Verger"' in possible
    assert "Cant has declared" not in possible


def test_who_shows_every_change_with_its_rule(choir: Folder) -> None:
    shown = choir.run("who", "ilex.body")
    assert "9>7" in shown
    assert "ML-DIR-1" in shown
    assert "Sexton 1 member Sextons is 1" in choir.run("who", "sexton-1.member.sextons")


def test_another_reading_changes_the_session(choir: Folder) -> None:
    done = choir.invoke("replay", "--option", "gang_scope=phase")
    assert "Verger body        2           0" in done.output


def test_whatif_shows_what_another_action_changes(choir: Folder) -> None:
    shown = choir.run("whatif", "1.22", "targets=Ilex,Doro")
    assert "Sexton 1 hp 4>0 (attack, 1 over)" in shown
    assert shown.startswith("would change no value: all end the same. 2 later entries change")


@pytest.mark.slow
def test_odds_of_each_weapon(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "lock")
    folder.path.mkdir()
    cast = folder.file(
        "vega.toml", 'name = "Vega"\nbody = 9\nresolve = 9\nhp = 4\nweapons = { rifle = "d8", knife = "d6" }'
    )
    foe = folder.file("rook.toml", 'sheet = "npc"\nname = "Rook"\nbody = 9\nresolve = 9\nhp = 9\narmor = 1')
    folder.run("new", "Lock", str(folder.path), "--game", "monolith")
    folder.run("cast", str(cast), str(foe))
    folder.run("open", "one")
    assert folder.run("odds", "v attack rook").splitlines()[:2] == [
        "knife: hurt 83 %  stopped 17 %",
        "rifle: hurt 88 %  stopped 13 %",
    ]
    shown = folder.run("odds", "--full", "v attack rook")
    assert "7 of 8 (88%)" in shown
    assert "5 of 6 (83%)" in shown
    assert "knife" in shown
    assert folder.run("do", "v attack rook knife /6").splitlines()[-1].strip() == "Rook hp 9>4 (attack)"
    folder.run("amend", "1.1", "/4", "--because", "misread", "--retcon")
    assert "Rook hp is 6" in folder.run("who", "rook.hp")
    folder.run("undo")
    assert "Rook hp is 4" in folder.run("who", "rook.hp")
    assert "the replay agrees" in folder.run("replay")


@pytest.mark.parametrize("typed", ["pistol", "pis", "with pistol", "bolt", "bolt-pistol"])
def test_any_word_of_a_weapon_names_it(typed: str) -> None:
    seat = Seat(sheets={"Vega": {"weapons": {"bolt pistol": "d6", "arc knife": "d6"}}})
    said = parse_line(f"v attack r1 {typed}", line_scope(seat.ledger.state, BOOK)).declaration
    assert said == Attack(by="Vega", target="R1", weapons=("bolt pistol",))


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("-helpless", 'There is: -blinded, -bound, -cover, -off-balance, -underwater, -"...".'),
        ("+covered", "+helpless, +with"),
    ],
)
def test_unknown_sign_lists_the_words_of_the_game(typed: str, hint: str) -> None:
    """Monolith has no assets and no circumstances with a number."""
    with pytest.raises(Unreadable) as error:
        parse_line(f"v attack r1 {typed}", SCOPE)
    assert hint in str(error.value)
    assert "asset" not in str(error.value)
