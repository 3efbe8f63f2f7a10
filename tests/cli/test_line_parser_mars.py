"""Lines of MARS: attacks with their defences, answers, damage, effects and rests."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.notation.formatter import format_declaration
from cli.notation.line_parser import parse_line
from cli.notation.schema import EXAMPLE
from cli.questions.line_scope import line_scope
from ledger.declarations import Declaration
from ledger.errors import Unreadable
from ledger.facts import GM
from rulebooks.mars.declarations import harm
from rulebooks.mars.declarations.combat import Attack, Block, Evade, Parry
from rulebooks.mars.declarations.maneuvers import AnswerWithManeuver, Maneuver
from rulebooks.mars.declarations.parts import Modifier, Reaction
from rulebooks.mars.declarations.turns import Brandish, DropProne, Move, Rise, SeekCover
from tests.rulebooks.mars.seat import BOOK, Seat

PRESENT = ("Asha", "Bram", "Cora", "Dov", "Gil", "Hob")
SCOPE = line_scope(Seat(present=PRESENT).ledger.state, BOOK)
OWN = [kind for kind in BOOK.declarations if kind.verbs and kind.__module__.startswith("rulebooks.mars.")]
EXAMPLES = [line for kind in OWN for line in EXAMPLE.findall(kind.__doc__ or "") if " " in line]
LINES: dict[str, Declaration] = {
    "asha attack gil": Attack(by="Asha", target="Gil"),
    "a att g": Attack(by="Asha", target="Gil"),
    "a attack gil long flanked": Attack(by="Asha", target="Gil", weapon="longsword", flanked=True),
    "a attack gil unseen=no pick=2": Attack(by="Asha", target="Gil", unseen=False, pick=(2,)),
    'a attack gil unseen +1"uphill" -2"smoke" +adv"a net"': Attack(
        by="Asha",
        target="Gil",
        unseen=True,
        bonuses=(Modifier(1, "uphill"),),
        penalties=(Modifier(2, "smoke"),),
        advantage=("a net",),
    ),
    "! gil attack asha ^asha:parry:item=longsword ^asha:block": Attack(
        by="Gil", target="Asha", defences=(Reaction("Asha", "parry", item="longsword"), Reaction("Asha", "block"))
    ),
    "! gil attack bram ^bram:evade:prone": Attack(
        by="Gil", target="Bram", defences=(Reaction("Bram", "evade", after="prone"),)
    ),
    "! gil attack bram ^b:evade:reaction:step": Attack(
        by="Gil", target="Bram", defences=(Reaction("Bram", "evade_reaction", after="step"),)
    ),
    "! gil attack asha ^asha:block:behind": Attack(
        by="Gil", target="Asha", defences=(Reaction("Asha", "block", front=False),)
    ),
    "a maneuver heavy strike gil stamina": Maneuver(by="Asha", name="heavy-strike", target="Gil", improvise="stamina"),
    "a heavy strike gil": Maneuver(by="Asha", name="heavy-strike", target="Gil"),
    "dov trip g speed": Maneuver(by="Dov", name="trip", target="Gil", improvise="speed"),
    "^ bram back step": AnswerWithManeuver(by="Bram", name="back-step"),
    'a brandish "longsword"': Brandish(by="Asha", items=("longsword",)),
    "a drop prone": DropProne(by="Asha"),
    "a stand up": Rise(by="Asha"),
    'a seek cover "the cart"': SeekCover(by="Asha", object="the cart"),
    "a short rest 45": harm.ShortRest(by="Asha", minutes=45),
    "a long rest begin": harm.LongRest(by="Asha", begin=True),
    "a move 3m": Move(by="Asha", metres=3),
    '! restore gil hp 4 "a draught"': harm.Restore(by=GM, who="Gil", resource="health", amount=4, reason="a draught"),
    "! gil attack bram ^b:evade_r:step": Attack(
        by="Gil", target="Bram", defences=(Reaction("Bram", "evade_reaction", after="step"),)
    ),
    "^ bram evade": Evade(by="Bram"),
    "^ bram evade reaction step": Evade(by="Bram", reaction=True, after="step"),
    "^ asha parry longsword": Parry(by="Asha", item="longsword"),
    "^ asha block behind": Block(by="Asha", behind=True),
    '! damage gil 6 fire "a brazier"': harm.DealDamage(by=GM, target="Gil", amount=6, type="fire", source="a brazier"),
    "! damage asha roll=r16+2 graze ^asha:block": harm.DealDamage(
        by=GM, target="Asha", roll="r16+2", outcome="graze", defences=(Reaction("Asha", "block"),)
    ),
    "! effect gil burn 2": harm.ApplyEffect(by=GM, target="Gil", effect="burning", degree=2),
    "! effect gil sickness 3 v14 days=7": harm.ApplyEffect(
        by=GM, target="Gil", effect="sickness", degree=3, difficulty=14, days=7
    ),
    "! effect asha debilitation dex": harm.ApplyEffect(by=GM, target="Asha", effect="debilitation", stat="dexterity"),
    "! effect asha change strength amount=-2 rounds=2": harm.ApplyEffect(
        by=GM, target="Asha", effect="change", stat="strength", amount=-2, rounds=2
    ),
    '! remove asha blind "the smoke clears"': harm.RemoveEffect(
        by=GM, target="Asha", effect="blind", reason="the smoke clears"
    ),
    'asha break "the door" athletics v5 "thin planks"': harm.BreakObject(
        by="Asha", thing="the door", skill="athletics", difficulty=5, reason="thin planks"
    ),
    'b concentrate "light" keep="a ward"': harm.Concentrate(by="Bram", effect="light", keep="a ward"),
    "b keep decline": harm.ConcentrationCheck(by="Bram", decline=True),
    "asha short 100 activity=5": harm.ShortRest(by="Asha", minutes=100, activity=5),
    "asha long begin": harm.LongRest(by="Asha", begin=True),
    "bram treat asha": harm.Treat(by="Bram", patient="Asha"),
    '! repair asha shield 4 "the forge"': harm.Repair(
        by=GM, who="Asha", item="shield", durability=4, reason="the forge"
    ),
    '! restore gil health 4 "a draught"': harm.Restore(
        by=GM, who="Gil", resource="health", amount=4, reason="a draught"
    ),
    "! missed asha water met": harm.Deprive(by=GM, who="Asha", need="water", met=True),
}
REACTIONS = st.builds(
    Reaction,
    who=st.sampled_from(PRESENT),
    kind=st.sampled_from(("evade", "evade_reaction", "parry", "block")),
    after=st.sampled_from(("stay", "prone", "step")),
    item=st.sampled_from(("", "longsword", "two words")),
    front=st.booleans(),
    pick=st.sampled_from(((), (1,), (2, 1))),
)


def meant(line: str) -> Declaration:
    parsed = parse_line(line, SCOPE)
    assert parsed is not None
    return parsed.declaration


@pytest.mark.parametrize("line", LINES)
def test_line_parses_to_its_declaration(line: str) -> None:
    assert meant(line) == LINES[line]


@pytest.mark.quick_rows(30)
@pytest.mark.parametrize("line", [*LINES, *EXAMPLES])
def test_canonical_line_parses_to_the_same_declaration(line: str) -> None:
    said = meant(line)
    assert meant(format_declaration(said)) == said
    assert format_declaration(meant(format_declaration(said))) == format_declaration(said)


@given(st.lists(REACTIONS, max_size=2), st.booleans(), st.sampled_from((None, True, False)))
def test_any_defence_has_a_line(reactions: list[Reaction], flanked: bool, unseen: bool | None) -> None:
    said = Attack(by="Gil", target="Asha", flanked=flanked, unseen=unseen, defences=tuple(reactions))
    assert meant(format_declaration(said)) == said


@pytest.mark.parametrize("line", ["asha attack", "a attack nobody", "! damage", "! effect gil", "bram treat"])
def test_incomplete_line_shows_an_example(line: str) -> None:
    with pytest.raises(Unreadable) as raised:
        parse_line(line, SCOPE)
    assert raised.value.hint


def test_defence_has_no_defaults_in_its_line() -> None:
    said = Attack(by="Gil", target="Asha", defences=(Reaction("Asha", "block", front=False), Reaction("Asha", "evade")))
    assert format_declaration(said) == "Gil attack ^Asha:block:front=no ^Asha:evade target=Asha"


@pytest.mark.parametrize(
    ("line", "what", "hint"),
    [
        ("! encounter x", "'x' does not fit here", '"x".'),
        ("b concentrate light", "'light' does not fit here", '"light".'),
        ("a cover the cart", "'the' does not fit here", '"the cart".'),
        ("a ready attack gil when he moves", "does not fit here", '"when he moves".'),
        ('! damage asha,bram 3 fire "blast"', "'asha,bram' are several, and 'damage' is for one", "Write a line"),
        ('! damage zed 3 fire "blast"', "'zed' is nobody in play", "There is: Asha"),
    ],
)
def test_error_says_what_to_write_instead(line: str, what: str, hint: str) -> None:
    with pytest.raises(Unreadable) as raised:
        parse_line(line, SCOPE)
    assert what in raised.value.what
    assert hint in raised.value.hint
