"""The lines of a lead: each the fullest way to say it that has room, in a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings

from cli.story.lead_falls import fall_ways, in_kinds
from cli.story.lead_lines import CUTS, lead_lines, moment_ways, open_ways, with_cut, with_small_link
from cli.story.lead_parts import LINE_MOST, LeadPart, fullest, text_of
from cli.story.page import Page
from cli.story.passages import Sentence
from cli.web.pages.session_draft import session_page
from projections.recap.events import RulingEvent
from projections.recap.falls import Fall
from projections.recap.threads import Thread
from tests.cli.pages.test_session_page import seen
from tests.cli.test_recap_ends import BRAM_DEAD
from tests.cli.test_recap_post import EXAMPLES, PAGE, member, page_of
from tests.cli.test_recap_story import played
from tests.cli.test_recap_truth import BRAM_STABBED

HOB = ("Hob",)
LEAP = 'bram check athletics v12 "leap the gate" /1'
FAILED_LEAP = (*BRAM_STABBED[:5], "! guard-1 end", LEAP, "bram end", "! guard-2 end", "asha end", BRAM_STABBED[5])


def fell(who: str, **own: Any) -> Fall:
    """Return that somebody fell, who is of the party and well again but for what is said."""
    return Fall(**{"entry": f"1.{len(who)}", "who": who, "kind": "fell", "name": "dying", "lasting": False, **own})


def line_of(falls: Sequence[Fall], party: Sequence[str] = ("Maren", "Tobit"), **more: Any) -> str:
    """Return the line of who fell."""
    page = msgspec.structs.replace(page_of(), falls=tuple(falls), party=tuple(map(member, party)), **more)
    return text_of(fullest(fall_ways(page)))


def sentence(text: str, entry: str = "1.1") -> Sentence:
    """Return a sentence."""
    return Sentence(entries=(entry,), text=text, weight=9)


@pytest.mark.parametrize(
    ("falls", "told"),
    [
        ([fell("Maren", by=HOB, arms=("gate_bar",))], "Maren fell to Hob's gate bar and came round"),
        ([fell("Maren", by=HOB, arms=("claws",))], "Maren fell to Hob and came round"),
        ([fell("Maren", by=HOB, lasting=True)], "Maren fell to Hob and is dying"),
        ([fell("Maren", by=HOB, kind="died")], "Maren was killed by Hob"),
        ([fell("Maren", kind="died", because="a slate")], "Maren died (a slate)"),
        ([fell("Maren", by=HOB), fell("Tobit", by=HOB)], "Maren and Tobit fell to Hob and came round"),
        ([fell("Maren", by=HOB), fell("Tobit")], "Maren fell to Hob; Tobit fell; both came round"),
        (
            [fell("Maren", by=HOB, lasting=True), fell("Tobit", by=HOB)],
            "Maren fell to Hob and is dying; Tobit fell to Hob and came round",
        ),
        ([fell("Maren", by=HOB), fell("Hob", kind="died")], "Maren fell to Hob and came round; Hob died"),
        ([fell("Hob", kind="died", by=("Maren",))], "None of the party; Hob was killed by Maren"),
    ],
)
def test_line_says_who_fell_and_why(falls: list[Fall], told: str) -> None:
    assert line_of(falls) == told


def test_line_without_room_leaves_out_what_matters_least() -> None:
    party = ("Ilex", "Cant", "Doro")
    called = {"Sexton 3": "the third sexton"}
    own = [
        fell("Ilex", by=("The Verger of the Marrow",), arms=("staff",)),
        fell("Cant", by=("Sexton 3",), arms=("hook",)),
        fell("Doro", by=("Understudy",)),
    ]
    short = "Ilex fell to the Verger of the Marrow, Cant to a sexton, Doro to Understudy"
    assert line_of(own, party, called=called) == short
    foes = [fell(f"Foe {number}", kind="died") for number in range(9)]
    assert line_of([*own, *foes], party, called=called).endswith("the Marrow, Cant to a sexton; 10 more")
    assert line_of([own[1], *foes], party, called=called) == "Cant fell to a sexton's hook and came round; 9 more"


def test_several_of_a_kind_who_fell_alike_are_counted() -> None:
    called = {"Wight 1": "the first wight", "Wight 2": "the second wight"}
    falls = [fell("Wight 1", by=HOB), fell("Wight 2", by=HOB)]
    assert line_of(falls, called=called) == "None of the party; two wights fell to Hob and came round"
    named = ["the first rat", "the Keeper", "the third rat", "the second knight"]
    assert in_kinds(named) == ["two rats", "the Keeper", "the second knight"]


@pytest.mark.slow
def test_fall_behind_a_failure_says_so(tmp_path: Path) -> None:
    folder = played("mars", tmp_path, *FAILED_LEAP)
    assert lines_of(folder.path)["Who fell"] == "Bram could not leap the gate, fell to a guard's spear and is dying"


@pytest.mark.slow
def test_fall_without_a_doer_says_what_people_said_of_it(tmp_path: Path) -> None:
    folder = played("semiautomagic", tmp_path, '! harm kit 13 "the floor gives way"')
    assert lines_of(folder.path)["Who fell"] == "Kit fell (the floor gives way) and is dying"


@pytest.mark.slow
def test_death_by_a_fall_says_with_what(tmp_path: Path) -> None:
    lines = lines_of(played("mars", tmp_path, *BRAM_DEAD).path)
    assert lines["The moment"] == "The first guard struck Bram down"
    assert lines["Who fell"] == "Bram was killed by a guard's spear"


def lines_of(folder: Path) -> dict[str, str]:
    """Return the lines of the lead of a session, as if it were closed."""
    with seen(folder, "players") as (store, book):
        recap = session_page(store, 1, as_of=None, book=book, role="players").recap
    return {line.name: line.text for line in lead_lines(msgspec.structs.replace(recap, open=False))}


@pytest.mark.parametrize(
    ("text", "cuts"),
    [
        (
            'Kess won, and the fight was over ("they yield")',
            ['Kess won: "they yield"', "Kess won, and the fight was over"],
        ),
        (
            'Kess won (a lie), and it was lost ("no")',
            ["Kess won (a lie), and it was lost", "Kess won, and it was lost"],
        ),
    ],
)
def test_end_of_a_fight_is_said_once(text: str, cuts: list[str]) -> None:
    assert [with_cut(text, cut) for cut in CUTS] == [text, *cuts]


def test_moment_is_told_to_the_core_where_it_is_long() -> None:
    lead = (sentence(f"Kess felled the Rat with {'a knife and ' * 6}great effort"),)
    page = msgspec.structs.replace(page_of(), lead=lead, moment=(sentence("Kess felled the Rat"),))
    assert text_of(fullest(moment_ways(page))) == "Kess felled the Rat"


def test_ruling_at_the_end_stands_with_who_fell() -> None:
    ruling = msgspec.structs.replace(sentence('"The roof is gone" (and so are they)', "1.9"), is_ruling=True)
    lead = (sentence("Kess leapt"), ruling)
    page = msgspec.structs.replace(page_of(), lead=lead, moment=lead)
    moment, who_fell, _ = lead_lines(page)
    assert (moment.text, who_fell.text) == ("Kess leapt", "Nobody; the roof is gone (and so are they)")
    assert who_fell.parts[1].address == "#e1.9"


@pytest.mark.parametrize(("number", "more"), [(1, ""), (2, ""), (3, "; and 1 more"), (9, "; and 7 more")])
def test_at_most_two_things_are_open(number: int, more: str) -> None:
    about = tuple(Thread(kind="at large", who=f"Rat {each}", names=("hurt",)) for each in range(1, number + 1))
    parts = fullest(open_ways(msgspec.structs.replace(page_of(), threads=about)))
    assert text_of(parts) == ("Rat 1 (hurt)" if number == 1 else f"Rat 1 (hurt); Rat 2 (hurt){more}")
    assert {part.address for part in parts} == {"#open"}


def test_long_ruling_ends_early_and_says_what_more_there_is() -> None:
    text = "Brannoc hangs for it, or he keeps the light at Oxmoor for nothing until he dies"
    ruling = RulingEvent(
        entry="1.9", name="ruling", text=text, because="", about="", cites=(), scope="campaign", agreed=()
    )
    rat = Thread(kind="at large", who="Rat")
    line = text_of(fullest(open_ways(msgspec.structs.replace(page_of(), rulings=(ruling,), threads=(rat,)))))
    assert line == "Brannoc hangs for it, or he keeps the light at Oxmoor for … and 1 more"


def test_last_way_is_cut_where_none_has_room() -> None:
    told = text_of(fullest([[LeadPart("word " * 40), LeadPart("end")]]))
    assert told.endswith("word …; end")
    assert len(told) <= LINE_MOST


@pytest.mark.parametrize(
    ("text", "first", "later"),
    [
        ("With that it was over", "it was over", "with that it was over"),
        ("Withy fell", "Withy fell", "Withy fell"),
        ("The rat fell", "The rat fell", "the rat fell"),
    ],
)
def test_link_to_a_sentence_is_small_or_left_out(text: str, first: str, later: str) -> None:
    assert (with_small_link(text, 0), with_small_link(text, 1)) == (first, later)


@pytest.mark.slow
@settings(max_examples=EXAMPLES)
@given(PAGE)
def test_lines_of_any_session_are_short(page: Page) -> None:
    for line in lead_lines(page):
        assert len(line.text) <= LINE_MOST
