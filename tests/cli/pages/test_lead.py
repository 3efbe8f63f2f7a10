"""Test the lead of a closed session: the moment, who fell, and what is open, each a link to where it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.story.lead_lines import lead_lines
from cli.web.pages.lead import DESCRIPTION_MOST, description, lead
from cli.web.pages.session_draft import session_page
from tests.cli.conftest import Folder
from tests.cli.pages.test_page import Parsed
from tests.cli.pages.test_session_page import seen


def lines_of(folder: Path, number: int) -> dict[str, list[tuple[str, str]]]:
    """Return the lines of a session's lead by name, each with its texts and addresses."""
    with seen(folder, "players") as (store, book):
        page = session_page(store, number, as_of=None, book=book, role="players")
    return {line.name: [(part.text, part.address) for part in line.parts] for line in lead_lines(page.recap)}


@pytest.mark.slow
def test_lead_names_the_moment_the_fallen_and_what_is_open(played_samples: dict[str, Path]) -> None:
    lines = lines_of(played_samples["broken-archway"], 1)
    assert [*lines] == ["The moment", "Who fell", "Open"]
    assert [address[:4] for _, address in lines["The moment"]] == ["#e1."]
    assert lines["Who fell"] == [
        ("the spearman was killed by Sira's battleaxe", "#e1.11"),
        ("the leader by Kael's rapier", "#e1.33"),
    ]
    assert lines["Open"] == [("the archer (fled)", "#open")]


@pytest.mark.slow
def test_lead_of_a_bloody_evening_names_the_players_first(played_samples: dict[str, Path]) -> None:
    fallen = lines_of(played_samples["choir-of-glass"], 1)["Who fell"]
    assert [text.split()[0] for text, _ in fallen[:3]] == ["Ilex", "Cant", "Doro"]
    assert fallen[3:] == [("4 more", "#lines")]


@pytest.mark.slow
def test_lead_lines_are_sentences(played_samples: dict[str, Path]) -> None:
    with seen(played_samples["broken-archway"], "players") as (store, book):
        page = session_page(store, 1, as_of=None, book=book, role="players")
    parsed = Parsed(lead(page))
    assert "Who fellThe spearman was killed by Sira's battleaxe, the leader by Kael's rapier.Open" in parsed.text


def test_lead_says_that_nobody_fell(played_samples: dict[str, Path]) -> None:
    lines = lines_of(played_samples["gutter-saints"], 3)
    assert (lines["Who fell"], lines["Open"]) == ([("nobody", "")], [("nothing", "")])


def test_who_fell_is_not_open_once_more(played_samples: dict[str, Path]) -> None:
    lines = lines_of(played_samples["choir-of-glass"], 1)
    assert [text for text, _ in lines["Open"] if "sexton" in text] == ["the third sexton (badly hurt, fled)"]


@pytest.mark.slow
def test_open_session_has_no_lead(night: Folder) -> None:
    assert lines_of(night.path, 4) == {}
    assert lines_of(night.path, 0) == {}


@pytest.mark.slow
@pytest.mark.parametrize("role", ["players", "gm"])
def test_pasted_link_shows_what_the_page_is(role: str, played_samples: dict[str, Path]) -> None:
    with seen(played_samples["broken-archway"], role) as (store, book):
        page = session_page(store, 1, as_of=None, book=book, role=role)
    text = description(page)
    assert len(text) <= DESCRIPTION_MOST
    assert ("spearman" in text) == (role == "players")  # a preview of the game master's page gives nothing away
    html = Folder(played_samples["broken-archway"]).run("recap", "--html")
    cards = {
        own["property"]: own["content"] for tag, own in Parsed(html).elements if tag == "meta" and "property" in own
    }
    assert cards["og:title"] == "The Collapsed Archway · Session 1 · The Broken Archway"
    assert str(cards["og:description"]).startswith("The moment: ")
