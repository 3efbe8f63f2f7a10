"""Test `recap --foundry`: a journal after Foundry's documents whose HTML holds the texts of the ledger and no more."""

from __future__ import annotations

import json
import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from cli.render.foundry import JOINER, STYLE, elements, journal, page_name
from cli.story.page import Page
from ledger.facts import Told
from ledger.names import escape
from tests.budget import BUDGET
from tests.cli.conftest import Folder, numbered_facts, one_error
from tests.cli.test_recap_post import PAGE

TAGS = {"h2", "h3", "p", "blockquote", "strong", "em", "sup", "ul", "li"}
TAGS |= {"table", "thead", "tbody", "tr", "th", "td"}
ENRICHED = re.compile(r"\[\[|@\w+\[|&\w+\[|https?://")  # what Foundry turns into rolls, links and buttons
ID = re.compile("[A-Za-z0-9]{16}")


class Outline(HTMLParser):
    """Reads HTML: raises AssertionError for a tag that is not known, has attributes, or is not closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open, self.quotations, self.text = list[str](), list[str](), list[str]()
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[Any]) -> None:
        assert tag in TAGS
        assert not attrs
        if tag == "blockquote":
            self.quotations.append("")
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        assert not ENRICHED.search(data)
        self.text.append(data)
        if "blockquote" in self.open:
            self.quotations[-1] += data

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    handle_decl = handle_pi = unknown_decl = handle_comment


def journal_of(folder: Folder, path: Path, *arguments: str) -> dict[str, Any]:
    folder.run("recap", *arguments, "--foundry", str(path))
    return json.loads(path.read_bytes())


def test_journal_has_a_page_for_each_session(demo: Folder, tmp_path: Path) -> None:
    entry = journal_of(demo, tmp_path / "all.json", "--campaign")
    assert entry["name"] == "Gutter Saints"
    assert [page["name"] for page in entry["pages"]] == [
        "Session 1: The Counting House",
        "Session 2: The Lamp Room",
        "Session 3: What the Tide Leaves",
    ]
    assert len({ID.fullmatch(each["_id"])[0] for each in [entry, *entry["pages"]]}) == 4
    assert entry["ownership"] == {"default": 0}  # the game master shows it to the players
    assert [page["ownership"] for page in entry["pages"]] == [{"default": -1}] * 3  # as the entry
    places = [page["sort"] for page in entry["pages"]]
    assert places == sorted({*places})
    for page in entry["pages"]:
        assert (page["type"], page["title"], page["text"]["format"]) == ("text", {"show": True, "level": 1}, 1)
    assert entry["pages"][1:2] == journal_of(demo, tmp_path / "second.json", "2")["pages"]


def test_own_words_come_back_from_the_pages(demo: Folder, tmp_path: Path) -> None:
    entry = journal_of(demo, tmp_path / "all.json", "--campaign")
    quotations = [text for page in entry["pages"] for text in Outline(page["text"]["content"]).quotations]
    facts = [fact for _, _, fact in numbered_facts(demo) if isinstance(fact, Told)]
    said = [f"{fact.by}: {fact.text}" for fact in facts if fact.kind == "quote"]
    assert said
    assert set(said) <= set(quotations)
    assert {fact.text for fact in facts if fact.kind == "fiction"} <= set(quotations)


@pytest.mark.slow
def test_same_call_gives_the_same_bytes(demo: Folder, tmp_path: Path) -> None:
    paths = [tmp_path / "1.json", tmp_path / "2.json"]
    for path in paths:
        journal_of(demo, path, "2")
    assert paths[0].read_bytes() == paths[1].read_bytes()
    other = journal_of(demo, tmp_path / "3.json", "3")["pages"][0]["_id"]
    assert other != json.loads(paths[0].read_bytes())["pages"][0]["_id"]


@pytest.mark.slow
def test_journal_is_written_again_but_not_over_other_files(demo: Folder, tmp_path: Path) -> None:
    journal_of(demo, tmp_path / "own.json")
    journal_of(demo, tmp_path / "own.json", "--campaign")
    (tmp_path / "other.json").write_text("{}")
    done = demo.invoke("recap", "--foundry", str(tmp_path / "other.json"))
    assert "is there, and is not a journal of this program" in one_error(done, 2)
    journal_of(demo, tmp_path / "other.json", "--force")


def test_players_journal_hides_what_they_do_not_see(folder: Folder, tmp_path: Path) -> None:
    folder.run("do", "!! # The xyzzy door")
    assert "xyzzy" not in json.dumps(journal_of(folder, tmp_path / "players.json"))
    assert "xyzzy" in json.dumps(journal_of(folder, tmp_path / "gm.json", "--as", "gm"))


def test_campaign_without_sessions_has_one_page(closed: Folder, tmp_path: Path) -> None:
    entry = journal_of(closed, tmp_path / "none.json", "--campaign")
    assert [page["name"] for page in entry["pages"]] == ["Before the first session"]


@pytest.mark.parametrize("session", ["2", "last"])
def test_session_in_place_of_a_file_is_an_error(demo: Folder, session: str) -> None:
    error = one_error(demo.invoke("recap", "--foundry", session), 2)
    assert error == f"'{session}' is a session. Write it first: recap {session} --foundry FILE."


def test_other_forms_are_refused(demo: Folder, tmp_path: Path) -> None:
    out = str(tmp_path / "out.json")
    for other in (["--post"], ["--facts"], ["--html", "a.html"], ["--json"], ["--character", "Kess"], ["--log"]):
        assert demo.invoke("recap", *other, "--foundry", out).exit_code == 2
    assert not Path(out).exists()


@pytest.mark.slow
@settings(max_examples=BUDGET.examples(10, 75))
@given(PAGE)
def test_hostile_texts_are_text(page: Page) -> None:
    entry = journal("<b>[[/r 1d6]]", "0" * 32, [page])
    (written,) = entry["pages"]
    assert written["name"] == page_name(page)
    assert written["name"] == escape(written["name"])
    outline = Outline(written["text"]["content"])
    told = "".join(outline.text).replace(JOINER, "")
    for passage in page.story:
        if passage.kind == "fiction":
            assert escape(passage.text).strip() in told


def test_text_is_no_link_and_no_roll() -> None:
    text = "https://evil.example [[/r 1d6]] @UUID[x]{y} &Reference[z] <b>"
    shown = unescape(STYLE.text(text))
    assert not ENRICHED.search(shown)
    assert shown.replace(JOINER, "") == text
    assert "<" not in STYLE.text(text)


def test_items_are_one_list_and_the_rest_paragraphs() -> None:
    lines = ["a", "", STYLE.item("b"), STYLE.item("c"), STYLE.strong("d"), *STYLE.heading(2, "e"), ""]
    assert list(elements(lines)) == [
        "<p>a</p>",
        "<ul><li>b</li><li>c</li></ul>",
        "<p><strong>d</strong></p>",
        "<h2>e</h2>",
    ]


@pytest.mark.slow
def test_title_of_the_chronicle_is_left_to_the_page(demo: Folder, tmp_path: Path) -> None:
    (page,) = journal_of(demo, tmp_path / "2.json", "2")["pages"]
    assert page["text"]["content"].startswith("<p>2026-01-09 · Ana: Kess")
