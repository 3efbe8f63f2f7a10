"""Lines of Momentum: announcements, answers, and all other declarations."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.notation.formatter import format_line
from cli.notation.line_parser import ParsedLine, parse_line
from cli.notation.scope import Scope
from ledger.builtin import BUILTIN_WITH_VERBS
from ledger.declarations import Declaration
from ledger.errors import Unreadable
from ledger.facts import GM
from rulebooks.common.announcements import Go, announcement
from rulebooks.common.encounters import EndTurn
from rulebooks.momentum.declarations import (
    AbilityCheck,
    Attack,
    BypassMomentum,
    Defend,
    DoubleAttack,
    EndEncounter,
    Flee,
    Help,
    Interpose,
    Move,
    OtherAction,
    Path,
    Reaction,
    Reroll,
    SeizeMomentum,
    StartEncounter,
)
from tests.rulebooks.momentum.seat import BOOK
from tests.rulebooks.momentum.test_machine import FOES, PCS, PLAYED

ZONES = ("Gate", "Yard", "Hall", "Stair", "Tower")
WEAPONS = {"Arlo": ("short sword", "dagger"), "Brute": ("maul",)}


def known_words(kind: type[Declaration], field: str, by: str) -> Iterable[str]:
    if field == "changes":
        return ("option",)
    return WEAPONS.get(by, ()) if field == "weapon" else ("str", "agi", "fin") if field == "ability" else ()


SCOPE = Scope(
    beings=(*PCS, *FOES, *ZONES, "Late", "cole", "Nobody", "Moon"),
    declarations=(*BOOK.declarations, *BUILTIN_WITH_VERBS),
    words=known_words,
    values=lambda: ("arlo.hp", "arlo.hp.most", "arlo.place", "brute.hp", "brute.weapon.maul.damage"),
    short_names=lambda: BOOK.texts().lexicon.short,
    vital_value=lambda: BOOK.texts().lexicon.vital,
)

LINES: list[tuple[str, Declaration]] = [
    ("arlo momentum", SeizeMomentum(by="Arlo")),
    ('! bypass bex "they sprang it"', BypassMomentum(by=GM, who="Bex", reason="they sprang it")),
    ("arlo move yard", Move(by="Arlo", zone="Yard")),
    ("arlo attack brute", Attack(by="Arlo", target="Brute")),
    ("arlo attack brute dagger thrown", Attack(by="Arlo", target="Brute", weapon="dagger", thrown=True)),
    ("! brute attack arlo", Attack(by="Brute", target="Arlo")),
    (
        "! brute attack arlo ^arlo:defend ^bex:interpose",
        Attack(by="Brute", target="Arlo", reactions=(Reaction("Arlo", "defend"), Reaction("Bex", "interpose"))),
    ),
    (
        'arlo attack brute ^bex:help:"a stone":"it fits" reroll=1,3',
        Attack(by="Arlo", target="Brute", reactions=(Reaction("Bex", "help", "a stone", "it fits"),), reroll=(1, 3)),
    ),
    (
        "bex double brute second=arlo:late:x:y reroll=0",
        DoubleAttack(by="Bex", target="Brute", second=(Reaction("Arlo", "late", "x", "y"),), reroll=(0,)),
    ),
    ("! brute attack arlo ...", announcement(Attack(by="Brute", target="Arlo"))),
    ("arlo attack brute   ...", announcement(Attack(by="Arlo", target="Brute"))),
    ("^ bex interpose", Interpose(by="Bex")),
    ("^bex interpose", Interpose(by="Bex")),
    ("^ arlo defend 2", Defend(by="Arlo", attack=2)),
    ('^ bex help "I shout" "he is deaf" refused', Help(by="Bex", how="I shout", because="he is deaf", refused=True)),
    ("go", Go(by=GM)),
    ("go wait", Go(by=GM, wait=True)),
    ("arlo reroll dice=1,3", Reroll(by="Arlo", dice=(1, 3))),
    (
        'arlo does "climb the wall" "a rope" str advantage',
        OtherAction(by="Arlo", deed="climb the wall", ruling="a rope", ability="str", advantage=True),
    ),
    ('arlo check agi "the ledge"', AbilityCheck(by="Arlo", ability="agi", reason="the ledge")),
    ("arlo end", EndTurn(by="Arlo")),
    ('! brute flee "his nerve breaks"', Flee(by="Brute", reason="his nerve breaks")),
    ('! over "they yield"', EndEncounter(by=GM, reason="they yield")),
    (
        '! fight "the gate" paths=gate:yard,yard:hall pcs=gate foes=hall',
        StartEncounter(
            by=GM, kind="the gate", paths=(Path("gate", "yard"), Path("yard", "hall")), pcs="gate", foes="hall"
        ),
    ),
]


@pytest.mark.parametrize(("line", "expected"), LINES, ids=[line for line, _ in LINES])
def test_line_parses_to_its_declaration(line: str, expected: Declaration) -> None:
    parsed = parse_line(line, SCOPE)
    assert parsed is not None
    assert parsed.recorded == expected


WRONG: list[tuple[str, str]] = [
    ("cole interpose", "'interpose' answers an announcement. Start with ^. For example: ^ sira interpose"),
    ("^ cole attack brute", "'attack' needs a speaker in play"),
    ("^", "no speaker"),
    ("^ cole", "no verb after cole"),
    ("arlo attack brute ^cole:laugh", "'laugh' is not a value of kind"),
    ("arlo move yard ^cole:interpose", "'^cole:interpose' does not fit here"),
    ("...", "no speaker"),
]


@pytest.mark.parametrize(("line", "sentence"), WRONG, ids=[line for line, _ in WRONG])
def test_wrong_line_names_its_error(line: str, sentence: str) -> None:
    with pytest.raises(Unreadable) as raised:
        parse_line(line, SCOPE)
    assert sentence in str(raised.value)


def test_announcement_is_refused_in_a_game_without_answers() -> None:
    plain = msgspec.structs.replace(SCOPE, declarations=(Attack, *BUILTIN_WITH_VERBS))
    with pytest.raises(Unreadable, match="this game has no announcements"):
        parse_line("arlo attack brute ...", plain)


SAYABLE = st.one_of(*(strategy for kind, strategy in PLAYED.items() if kind.verbs))


@given(SAYABLE.filter(lambda said: said.by in SCOPE.beings or said.by == GM), st.booleans())
def test_canonical_line_parses_to_the_same_declaration(said: Declaration, announced: bool) -> None:
    parsed = ParsedLine(said, None, "", announced=announced)
    again = parse_line(format_line(parsed), SCOPE)
    assert again is not None
    assert (again.declaration, again.announced) == (said, announced)
