"""Test the list of entries: lines as sentences, with what was typed beside them, and runs in which nothing happens."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from cli.story.line_words import LineWords
from cli.web.pages.content import PageEntry, SessionPage
from cli.web.pages.idle_entries import run_text, runs
from cli.web.pages.moves import move_list
from cli.web.pages.session_draft import session_page
from tests.cli.pages.test_page import Parsed
from tests.cli.pages.test_session_page import seen

WORDS = [  # of the last session of a sample: the entry and its line in words
    ("gutter-saints", "3.7", "Kess tries to treat"),
    ("gutter-saints", "3.26", "Kess tries to notice"),
    ("gutter-saints", "3.27", "Orrin acts: bar the door"),
    ("broken-archway", "1.8", "Kael moves to the archway"),
    ("broken-archway", "1.34", "Archer flees (his nerve breaks)"),
    ("choir-of-glass", "1.22", "Verger strikes at Ilex, Doro and Sexton 1 with the censer"),
    ("lantern-ferry", "1.33", "Brannoc tries a heavy-strike on Ysolt ..."),
    ("powder-tithe", "1.28", "Maren attacks Hob with the lance"),
    ("powder-tithe", "1.5", "the light is hazy"),
    ("powder-tithe", "1.9", "Ise's cover is light: a row of salt pans"),
    ("powder-tithe", "1.89", "Plum joins in"),
    ("lantern-ferry", "1.77", "it is ruled who goes first: the boy has less time than Perrin has bandages"),
    ("lantern-ferry", "1.71", "Can medicine stabilise the dying? From now on: by a check against 10"),
]


@pytest.fixture(scope="module")
def pages(played_samples: dict[str, Path]) -> dict[str, SessionPage]:
    """A session of a sample, as both roles see it."""
    found = {}
    for role in ("players", "gm"):
        with seen(played_samples["gutter-saints"], role) as (store, book):
            found[role] = session_page(store, 2, as_of=None, book=book, role=role)
    return found


@pytest.mark.parametrize(("sample", "entry", "words"), WORDS)
def test_line_is_a_sentence(sample: str, entry: str, words: str, played_samples: dict[str, Path]) -> None:
    with seen(played_samples[sample], "gm") as (store, book):
        record = next(each for each in store.records() if str(each.id) == entry)
        assert record.declared is not None
        assert LineWords(book).text(msgspec.json.decode(record.declared.said), record.by) == words


def test_every_line_of_a_sample_is_told_in_words(played_samples: dict[str, Path]) -> None:
    for folder in played_samples.values():
        with seen(folder, "players") as (store, book):
            page = session_page(store, None, as_of=None, book=book, role="players")
        said = [each for each in page.entries if each.kind == "said"]
        assert [each.line for each in said if not (each.words or each.told or each.results)] == []


def entry(id: str, idle: str = "") -> PageEntry:
    """Return an entry with nothing in it."""
    texts = {"kind": "said", "by": "Kess", "line": "k move", "at": "", "begins": ""}
    empty = ("results", "marks", "sums", "dice", "rules", "changes", "variations")
    return PageEntry(id=id, secret=False, rows={}, idle=idle, **texts, **dict.fromkeys(empty, ()))


def test_runs_are_folded_and_single_entries_are_not() -> None:
    idle = ["", "motion", "pass", "motion", "", "close", ""]
    found = list(runs(entry(f"1.{number}", kind) for number, kind in enumerate(idle)))
    assert [[each.id for each in run] for run in found] == [["1.0"], ["1.1", "1.2", "1.3"], ["1.4"], ["1.5"], ["1.6"]]
    assert run_text(found[1]) == "2 moves, 1 pass"


@pytest.mark.slow
@pytest.mark.parametrize("role", ["players", "gm"])
def test_nothing_happens_in_what_is_folded(role: str, pages: dict[str, SessionPage]) -> None:
    page = pages[role]
    folded = [each for each in page.entries if each.idle]
    assert len(folded) > len(page.entries) // 4
    values = {change.value.split(".")[-1] for each in folded for change in each.changes if not each.of}
    assert values.isdisjoint({"health", "might", "speed", "intellect", "destiny", "doom", "wounds"})
    assert not any(each.turns for each in folded)
    assert {each.id for each in folded}.isdisjoint({"2.17", "2.36"})  # an attack, and a spend


def test_line_is_told_as_in_the_story_with_what_was_typed(pages: dict[str, SessionPage]) -> None:
    page = pages["gm"]
    text = Parsed("".join(move_list(page.entries, page.before))).text
    assert "2.33 Tamsin killed the second watchman, by a hair." in text
    assert "2.15 Orrin charges at Dovel" in text  # the story has no sentence for it
    assert 't attack "watchman 2" i d3 ranged /7.8' in text
    assert "2 moves" in text


def test_turning_point_stands_where_it_is_told(pages: dict[str, SessionPage]) -> None:
    entries = {each.id: each for each in pages["players"].entries}
    assert [turn.kind for turn in entries["2.33"].turns] == ["lost"]
    assert (entries["2.34+1"].of, entries["2.34+1"].turns, entries["2.34+1"].idle) == ("2.33", (), "pass")


def test_list_shows_results_only_where_a_line_does_not_say_them(pages: dict[str, SessionPage]) -> None:
    page = pages["players"]
    brief = {each.id: "brief" in html for each in page.entries for html in move_list([each], ())}
    text = "".join(html for each in page.entries for html in move_list([each], ()) if each.id == "2.33")
    assert "brief" in text
    assert "✓" in Parsed(text.partition("results")[0]).text
    assert (brief["2.26"], brief["2.7"]) == (True, False)  # sheets that agree, and a roll that the story leaves out
