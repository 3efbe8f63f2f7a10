"""Test the campaign page: lives, tokens, wounds and sessions, alone or in a folder with a page for each session."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from cli.web.pages.campaign_content import CampaignContent, SessionRow, campaign_content
from cli.web.pages.campaign_page import campaign_html, session_links
from cli.web.pages.live import LiveCampaignPage, LiveSessionPage
from cli.web.pages.session_draft import session_page
from tests.cli.conftest import CAST, LEDGER, Folder
from tests.cli.pages.test_page import HOSTILE, Parsed, hostile_folder
from tests.cli.pages.test_session_page import seen

SAMPLE = "gutter-saints"


@pytest.fixture(scope="module")
def content(played_samples: dict[str, Path]) -> Iterator[CampaignContent]:
    """The campaign page of a sample as the game master sees it."""
    with seen(played_samples[SAMPLE], "gm") as (view, book):
        yield campaign_content(view, as_of=None, book=book, role="gm")


def test_life_has_its_sessions_and_milestones(content: CampaignContent) -> None:
    kess = content.lives[0]
    assert (kess.who, kess.player, kess.sessions) == ("Kess", "Ana", (1, 2, 3))
    assert [(each.entry, each.kind) for each in kess.milestones] == [("0.1", "joined"), ("2.67", "sheet")]
    assert "level 2→3" in kess.milestones[1].text


@pytest.mark.slow
def test_content_of_live_pages_is_plain_data(content: CampaignContent, played_samples: dict[str, Path]) -> None:
    with seen(played_samples[SAMPLE], "gm") as (view, book):
        session = session_page(view, None, as_of=None, book=book, role="gm")
    for page in (LiveCampaignPage(content), LiveSessionPage(session, "../")):
        assert len(msgspec.json.encode(page.content)) > 10_000


def test_tokens_have_a_number_for_each_session_end(content: CampaignContent, played_samples: dict[str, Path]) -> None:
    doom = next(each for each in content.series if not each.owner)
    folder = Folder(played_samples[SAMPLE])
    shown = [folder.run("show", "doom", "--at", entry).split()[-1] for entry in ("1.45", "2.67", "3.39")]
    assert [str(number) for number in doom.numbers[1:]] == shown


def test_dice_are_those_of_luck(content: CampaignContent, played_samples: dict[str, Path]) -> None:
    reports = json.loads(Folder(played_samples[SAMPLE]).run("luck", "--json"))
    assert [report.all.plain.dice for report in content.luck] == [each["all"]["unweighted"]["dice"] for each in reports]
    for line in content.dice:
        own = [each["unweighted"] for report in reports for each in report["players"] if each["name"] == line.owner]
        above = sum(2 * each["sum"] - each["expected_twice"] for each in own)
        assert abs(2 * line.numbers[-1] - above) <= 1
        assert line.numbers[0] == 0
        assert len(line.numbers) == len(content.sessions) + 1


def test_line_of_tokens_links_the_sessions_that_changed_it(content: CampaignContent) -> None:
    page = Parsed(campaign_html(content, session_links))
    doom = next(each for each in content.series if not each.owner)
    pairs = zip(content.sessions, pairwise(doom.numbers), strict=True)
    changed = [row.number for row, (one, other) in pairs if one != other]
    assert changed
    assert {f"session-{number}.html" for number in changed} <= {*page.attributes("href")}
    assert f"Session {changed[0]}: {doom.numbers[changed[0] - 1]} → {doom.numbers[changed[0]]}" in page.text


def test_last_time_has_scenes_fiction_and_links(content: CampaignContent) -> None:
    page = Parsed(campaign_html(content, session_links))
    last = content.recap.last.session
    kinds = {passage.kind for passage in content.recap.last.story}
    assert {"scene", "fiction"} <= kinds & {*page.attributes("class")}
    assert any(address.startswith(f"{session_links(last, '')}#e{last}.") for address in page.attributes("href"))


def test_life_says_who_is_gone_and_who_is_back(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "salt")
    folder.path.mkdir()
    folder.run("new", "Salt Ward", str(folder.path), "--game", "dusk-bastards", "--id", LEDGER)
    folder.run("cast", *(str(folder.file(name, sheet)) for name, sheet in CAST.items()))
    folder.run("open", "Rooftops", "--seed", "one")
    back = '! encounter "the lane" participants=kess'
    for line in ('! encounter "the loft"', "! leave kess", "! leave orrin", "! end", back):
        folder.run("do", line)
    with seen(folder.path, "players") as (view, book):
        lives = {life.who: life for life in campaign_content(view, as_of=None, book=book, role="players").lives}
    assert [each.kind for each in lives["Kess"].milestones] == ["joined", "gone", "back"]
    assert (lives["Kess"].gone, lives["Orrin"].gone) == (False, True)


def test_wound_names_the_entry_in_which_it_was_taken(content: CampaignContent) -> None:
    assert [(each.who, each.text, each.entry) for each in content.wounds] == [("Dovel", "winded wound 1", "2.46+1")]


def test_campaign_page_has_no_script_and_resolves_its_links(content: CampaignContent) -> None:
    page = Parsed(campaign_html(content))
    assert (page.faults, page.open) == ([], [])
    assert "script" not in {tag for tag, _ in page.elements}
    assert {link.removeprefix("#") for link in page.attributes("href")} <= {*page.attributes("id")}


@pytest.mark.slow
def test_folder_has_all_pages_with_links_that_resolve(played_samples: dict[str, Path], tmp_path: Path) -> None:
    Folder(played_samples[SAMPLE]).run("recap", "--campaign", "--html", f"{tmp_path / 'pages'}/")
    pages = {file.name: Parsed(file.read_text(encoding="utf-8")) for file in (tmp_path / "pages").iterdir()}
    assert {*pages} == {"index.html", "session-1.html", "session-2.html", "session-3.html"}
    for name, page in pages.items():
        for link in page.attributes("href"):
            file, _, id = link.partition("#")
            assert not id or id in pages[file or name].attributes("id"), (name, link)
    assert "session-2.html#e2.67" in pages["index.html"].attributes("href")
    assert {"session-1.html", "session-3.html", "index.html"} <= {*pages["session-2.html"].attributes("href")}


def test_campaign_without_a_session_links_nothing(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "new")
    Folder(tmp_path).run("new", "New", str(folder.path), "--game", "mars")
    folder.run("recap", "--campaign", "--html", str(folder.path / "page.html"))
    page = Parsed((folder.path / "page.html").read_text(encoding="utf-8"))
    assert "Before the first sessionNo session has been played yet." in page.text
    assert [*page.attributes("href")] == []


@pytest.mark.slow
def test_story_of_an_open_session_is_not_that_of_last_time(tmp_path: Path) -> None:
    folder = hostile_folder(tmp_path / "open")
    folder.run("recap", "--campaign", "--html", str(folder.path / "page.html"))
    assert "So far: Session 1" in (folder.path / "page.html").read_text(encoding="utf-8")
    assert "## So far (Session 1" in folder.run("recap", "--campaign")


@pytest.mark.slow
def test_hostile_names_are_no_markup(tmp_path: Path) -> None:
    page = Parsed(hostile_folder(tmp_path / "hostile").run("recap", "--campaign", "--html"))
    assert not {"script", "img"} & {tag for tag, _ in page.elements}
    assert page.text.count(HOSTILE) >= 2


def decade(content: CampaignContent) -> CampaignContent:
    """Return a campaign of 300 sessions in six years, with a token more in each."""
    first = SessionRow(number=1, title="", dates=("2020-01-01",), entries=9, who=("Kess",), losses=(), last=9)
    rows = tuple(
        msgspec.structs.replace(first, number=number, dates=(f"{2020 + number // 52}-01-01",))
        for number in range(1, 301)
    )
    series = [msgspec.structs.replace(each, numbers=tuple(range(301))) for each in content.series]
    dice = [msgspec.structs.replace(each, numbers=tuple(range(301))) for each in content.dice]
    return msgspec.structs.replace(content, sessions=rows, series=tuple(series), dice=tuple(dice))


def test_years_of_many_sessions_are_folded(content: CampaignContent) -> None:
    page = Parsed(campaign_html(decade(content), session_links))
    assert [own.get("open") for tag, own in page.elements if tag == "details" and "open" in own] == [None]
    assert "2021: 52 sessions" in page.text
    assert "2021: 51 → 103" in page.text  # the tokens
    assert page.text.count("Session 70") == 1  # in the table alone


def test_sessions_say_who_was_there(content: CampaignContent) -> None:
    assert [row.who for row in content.sessions] == 3 * [("Kess", "Orrin", "Tamsin")]
    assert [[loss.text for loss in row.losses] for row in content.sessions] == [[], ["Watchman 2"], []]
    assert "Kess, Orrin, Tamsin" in Parsed(campaign_html(content)).text


@pytest.mark.slow
@pytest.mark.parametrize(("role", "says"), [("players", "Bo: Orrin and Cem: Tamsin"), ("gm", "view of this")])
def test_pasted_link_of_a_campaign_says_what_it_is(role: str, says: str, played_samples: dict[str, Path]) -> None:
    with seen(played_samples[SAMPLE], role) as (view, book):
        page = Parsed(campaign_html(campaign_content(view, as_of=None, book=book, role=role)))
    (shown,) = [str(own["content"]) for tag, own in page.elements if own.get("property") == "og:description"]
    assert says in shown
    assert ("Kess" in shown) == (role == "players")
