"""Test the picture of a campaign: lives with what befell them, years, and what others do not see."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest

from cli.web.pages.campaign_content import CampaignContent, Life, Milestone, SessionRow, campaign_content
from cli.web.pages.campaign_picture import campaign_picture, runs
from tests.cli.conftest import CAST, LEDGER, Folder
from tests.cli.pages.test_page import HOSTILE, Parsed
from tests.cli.pages.test_session_page import seen

Losses = Mapping[int, tuple[str, ...]]
NO_LOSSES: Losses = {}


def row(number: int, *losses: str) -> SessionRow:
    year = 2020 + number // 20
    deaths = tuple(Milestone(entry=f"{number}.9", session=number, kind="lost", text=who) for who in losses)
    return SessionRow(number=number, title="", dates=(f"{year}-01-01",), entries=1, who=(), losses=deaths, last=10)


def life(*sessions: int, marks: str = "", who: str = "Kess", gone: bool = False) -> Life:
    """Return a life; `marks` are a session and a kind each: `2 grave, 3 lost`."""
    found = [each.split() for each in marks.split(", ") if each]
    befell = tuple(Milestone(entry=f"{number}.1", session=int(number), kind=kind, text=kind) for number, kind in found)
    return Life(who=who, player="", sessions=sessions, milestones=(), marks=befell, gone=gone, now="")


def picture(
    content: CampaignContent, count: int, *lives: Life, losses: dict[int, tuple[str, ...]] | None = None
) -> str:
    rows = tuple(row(number, *(losses or {}).get(number, ())) for number in range(1, count + 1))
    replaced = msgspec.structs.replace(content, sessions=rows, lives=lives, series=(), hues={"Kess": 2})
    return str(campaign_picture(replaced))


@pytest.fixture(scope="module")
def content(played_samples: dict[str, Path]) -> CampaignContent:
    """The campaign page of a sample as the players see it."""
    with seen(played_samples["gutter-saints"], "players") as (view, book):
        return campaign_content(view, as_of=None, book=book, role="players")


@pytest.mark.slow
def test_life_is_thick_where_it_was_there(content: CampaignContent) -> None:
    text = picture(content, 10, life(2, 3, 6, marks="6 lost", gone=True))
    assert re.findall('class="there hue2" x1="([^"]*)" x2="([^"]*)"', text) == [("10%", "30%"), ("50%", "60%")]
    assert re.findall('class="away hue2" x1="([^"]*)" x2="([^"]*)"', text) == [("10%", "60%")]
    assert "Kess: sessions 2 to 3, 6 of 10, lost in session 6" in Parsed(text).attributes("aria-label")[0]


def test_life_is_wider_behind_each_change_of_its_sheet(content: CampaignContent) -> None:
    grown = tuple(Milestone(entry=f"{number}.9", session=number, kind="sheet", text="level 1→2") for number in (2, 4))
    text = picture(content, 10, msgspec.structs.replace(life(*range(1, 7)), milestones=grown))
    found = re.findall('class="there hue2" x1="([^"]*)" x2="([^"]*)" y1="57" y2="57" stroke-width="([^"]*)"', text)
    assert found == [("0%", "20%", "5"), ("20%", "40%", "6.5"), ("40%", "60%", "8")]
    assert "<title>4.9: level 1→2</title>" in text


def test_life_that_came_back_goes_on(content: CampaignContent) -> None:
    text = picture(content, 10, life(1, 9, marks="2 lost"))
    assert 'class="away hue2" x1="0%" x2="100%"' in text


BLOWS = "2 return, 2 grave, 2 wound, 2 wound, 3 wound"


def test_heaviest_sign_says_all_of_a_session(content: CampaignContent) -> None:
    text = picture(content, 10, life(1, 2, marks=BLOWS, who=HOSTILE))
    assert re.findall('class="sign ([^"]*)" x="([^"]*)"', text) == [("grave", "15%")]
    assert re.findall('class="wound" cx="([^"]*)" cy="[^"]*" r="([^"]*)"', text) == [("15%", "4"), ("25%", "3")]
    assert "2.1: grave; 2.1: return" in Parsed(text).text
    assert HOSTILE in Parsed(text).text


FEW = [("grave", "52.5%"), ("lost", "42.5%"), ("lost", "92.5%")]


def test_few_sessions_show_the_hour_and_the_names(content: CampaignContent) -> None:
    text = picture(content, 2, life(1, 2, marks="2 grave"), losses={1: ("Rat",), 2: (HOSTILE,)})
    assert re.findall('class="sign ([^"]*)" x="([^"]*)"', text) == FEW
    assert re.findall('class="(died[^"]*)"', text) == ["died", "died right"]
    assert HOSTILE in Parsed(text).text


def test_deaths_of_others_are_as_high_as_many(content: CampaignContent) -> None:
    text = picture(content, 10, life(1), losses={3: ("Rat", "Cat"), 7: ("Dog",)})
    assert re.findall('class="losses" y="[^"]*" height="([^"]*)"', text) == ["38", "19"]
    assert "Session 3: Rat and Cat" in Parsed(text).text


@pytest.mark.parametrize(("count", "names"), [(3, ["1", "2", "3"]), (60, ["2020", "2021", "2022"])])
def test_bands_are_sessions_or_years_of_many(count: int, names: list[str], content: CampaignContent) -> None:
    assert re.findall('class="year"[^>]*>([0-9]+)', picture(content, count, life(1))) == names


def test_picture_of_a_sample_has_its_falls(content: CampaignContent) -> None:
    tamsin = next(each for each in content.lives if each.who == "Tamsin")
    assert [(mark.entry, mark.kind) for mark in tamsin.marks][:2] == [("2.39", "grave"), ("2.41+1", "wound")]
    assert tamsin.marks[0].text in Parsed(str(campaign_picture(content))).text


@pytest.mark.parametrize(("role", "kinds"), [("gm", ["grave"]), ("players", [])])
def test_secret_fall_is_in_no_picture_of_the_players(role: str, kinds: list[str], tmp_path: Path) -> None:
    folder = Folder(tmp_path / "salt")
    folder.path.mkdir()
    folder.run("new", "Salt Ward", str(folder.path), "--game", "dusk-bastards", "--id", LEDGER)
    folder.run("cast", str(folder.file("kess.toml", CAST["kess.toml"])))
    folder.run("open", "Rooftops", "--seed", "one")
    folder.run("do", "!! ! condition kess stunned")
    with seen(folder.path, role) as (view, book):
        lives = campaign_content(view, as_of=None, book=book, role=role).lives
    assert [mark.kind for mark in lives[0].marks] == kinds


@pytest.mark.parametrize(
    ("numbers", "found"), [((), []), ((3,), [(3, 3)]), ((5, 1, 2, 3), [(1, 3), (5, 5)]), ((1, 3), [(1, 1), (3, 3)])]
)
def test_sessions_are_grouped_into_runs(numbers: tuple[int, ...], found: list[tuple[int, int]]) -> None:
    assert runs(numbers) == found
