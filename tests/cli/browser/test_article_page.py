"""Test the page of a closed session in a browser: the article, the board of an entry, the list, search and links."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.browser.checkers import axe_faults
from tests.cli.browser.conftest import NARROW, WIDE, Open
from tests.cli.conftest import Folder

ARCHWAY = "broken-archway"  # one fight: two die, one flees
PHONE = {"width": 320, "height": 640}
ROWS = (
    "element => Math.round(element.getBoundingClientRect().height / parseFloat(getComputedStyle(element).lineHeight))"
)
TOP = "element => element.getBoundingClientRect().top"
Show = Callable[..., Any]


@pytest.fixture(scope="module")
def files(played_samples: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The page of the archway, and that of the second session of the gutter saints."""
    folder = tmp_path_factory.mktemp("articles")
    for name, number in ((ARCHWAY, 1), ("gutter-saints", 2)):
        Folder(played_samples[name]).run("recap", str(number), "--html", str(folder / f"{name}.html"))
    return {file.stem: file for file in folder.glob("*.html")}


@pytest.fixture
def show(files: dict[str, Path], open_page: Open) -> Show:
    """Return a function that opens a page at an address."""

    def page_at(hash: str = "", *, name: str = ARCHWAY, **more: Any) -> Any:
        return open_page(f"{files[name].as_uri()}{hash}", **more)

    return page_at


def at(page: Any) -> str:
    """Return the part of the address behind the page."""
    return str(page.evaluate("location.hash"))


def chosen(page: Any) -> str:
    """Return the entry that is marked in the lines; nothing without one."""
    marked = page.locator("li.entry.current")
    return str(marked.get_attribute("id")) if marked.count() else ""


# The article


@pytest.mark.parametrize("size", [WIDE, NARROW, PHONE])
def test_closed_session_opens_at_its_story(size: Any, show: Show) -> None:
    page = show(size=size)
    lead, story = page.locator("#lead"), page.locator("#story")
    assert lead.evaluate(TOP) < story.evaluate(TOP)
    assert story.evaluate(TOP) < size["height"]
    assert page.locator("#story .sentence").first.is_visible()
    assert not page.locator("#board").is_visible()
    assert not page.locator("#lines").is_visible()
    assert lead.locator("dt").all_inner_texts() == ["THE MOMENT", "WHO FELL", "OPEN"]
    assert [each.get_attribute("href") for each in lead.locator("dd").nth(1).locator("a").all()] == ["#e1.11", "#e1.33"]


@pytest.mark.parametrize(("width", "rows"), [(390, 2), (320, 3)])
def test_lines_of_the_lead_are_short_on_a_phone(
    width: int, rows: int, played_samples: dict[str, Path], tmp_path: Path, open_page: Open
) -> None:
    """Of every sample; who fell, and why, stands on the first screen."""
    for name, folder in played_samples.items():
        file = tmp_path / f"{name}.html"
        Folder(folder).run("recap", "--html", str(file))
        lead = open_page(file.as_uri(), size={"width": width, "height": 640}).locator("#lead")
        for line in lead.locator("dd").all():
            assert line.evaluate(ROWS) <= rows, f"{name}: {line.inner_text()}"
        box = lead.locator("dt", has_text="Who fell").bounding_box()
        assert box["y"] < 320


def test_line_of_the_lead_leads_to_its_entry_and_back(show: Show) -> None:
    page = show(size=WIDE)
    page.mouse.wheel(0, 60)
    page.wait_for_function("() => scrollY === 60")
    page.locator("#lead a", has_text="the leader by Kael").click()
    assert (chosen(page), at(page)) == ("e1.33", "#e1.33")
    assert page.locator("#board #entry .id").inner_text() == "1.33"
    assert page.locator("#story .told").first.is_visible()
    page.go_back()
    page.locator("#board").wait_for(state="hidden")
    assert (chosen(page), page.evaluate("scrollY")) == ("", 60)
    page.locator("#lead a", has_text="fled").click()
    assert page.locator("#open").evaluate(TOP) < WIDE["height"]


def test_masthead_is_low(show: Show) -> None:
    for size in (WIDE, NARROW):
        assert show(size=size).locator("header").bounding_box()["height"] < 105


def test_search_stands_beside_the_tabs_where_both_fit(show: Show) -> None:
    for size, is_beside in ((WIDE, True), (NARROW, False)):
        page = show(size=size)
        tabs, search = page.get_by_role("tablist").bounding_box(), page.get_by_role("search").bounding_box()
        assert (search["y"] < tabs["y"] + tabs["height"]) == is_beside


def test_phone_shows_board_or_text_with_controls_at_its_foot(show: Show) -> None:
    page = show(size=NARROW)
    page.locator("#lead a").first.click()
    assert page.locator("#entry").is_visible()
    assert not page.locator("#story").is_visible()
    bar = page.locator("#bar").bounding_box()
    assert bar["y"] + bar["height"] == pytest.approx(NARROW["height"], abs=1)
    assert page.locator("#entry").evaluate(TOP) < NARROW["height"] / 2
    page.locator("#tab-lines").click()
    assert page.locator("li.entry.current").is_visible()
    assert not page.locator("#board").is_visible()
    page.locator("#to-after").click()  # the text stays, and follows
    assert page.locator("#lines").is_visible()
    box = page.locator("li.entry.current").bounding_box()
    assert 0 <= box["y"] < bar["y"]
    page.locator("#tab-board").click()
    assert page.locator("#entry").is_visible()
    assert axe_faults(page) == []


def test_card_of_a_phone_has_its_sentence_in_full_width(show: Show) -> None:
    page = show("#e1.11", size=NARROW)
    told, card = (page.locator(each).bounding_box() for each in ("#entry .line", "#entry"))
    assert told["width"] == pytest.approx(card["width"], abs=1)
    assert page.locator("#entry .copy").evaluate(TOP) < told["y"]


def test_sheets_of_a_phone_are_rows_that_open(show: Show) -> None:
    page = show("#e2.17", name="gutter-saints", size=NARROW)
    kess = page.locator("#state .being.pc").first
    assert kess.bounding_box()["height"] < 64
    assert "speed" in kess.locator(".strip").inner_text()
    assert not kess.locator(".level").first.is_visible()
    kess.locator("summary").click()
    assert kess.locator(".level").first.is_visible()
    page.locator("#to-after").click()
    assert kess.locator(".level").first.is_visible()  # it stays open
    assert axe_faults(page) == []
    assert show("#e2.17", name="gutter-saints").locator("#state .being .level").first.is_visible()


# The list


def test_lines_are_told_with_what_was_typed_below(show: Show) -> None:
    page = show("#e2.33/lines", name="gutter-saints")
    entry = page.locator("li[id='e2.33']")
    assert entry.locator(".line").inner_text() == "Tamsin killed the second watchman."
    assert not entry.locator(".results").is_visible()  # it stands on the board
    assert page.locator("#entry .results").is_visible()
    typed = entry.locator(".typed")
    assert typed.evaluate(TOP) > entry.locator(".line").evaluate(TOP)
    size = "element => parseFloat(getComputedStyle(element).fontSize)"
    assert typed.evaluate(size) < entry.locator(".line").evaluate(size)


def test_idle_entries_are_one_row_that_opens(show: Show) -> None:
    page = show("#lines", name="gutter-saints")
    run = page.locator("li.run", has=page.locator("[id='e2.31']"))
    assert run.locator("summary").inner_text().endswith("5 moves, 1 pass")
    assert not page.locator("li[id='e2.31']").is_visible()
    page.get_by_label("all lines").check()
    assert page.locator("li[id='e2.31']").is_visible()
    page.get_by_label("all lines").uncheck()
    assert not page.locator("li[id='e2.31']").is_visible()
    page.evaluate("location.hash = '#e2.31/lines'")  # a link opens the run of its entry
    page.locator("li.current[id='e2.31']").wait_for(state="visible")


def test_turning_points_are_marked_in_list_and_slider(show: Show) -> None:
    page = show("#lines")
    marked = page.locator("li.entry[data-turn]")
    assert marked.count() > 3
    assert page.locator("li[id='e1.11'] .turn.lost").is_visible()
    places = page.locator("#turns .turn").evaluate_all(
        "all => all.map(each => parseFloat(each.style.insetInlineStart))"
    )
    entries = page.locator("li.entry").evaluate_all("all => all.map(each => each.dataset.turn ?? '')")
    assert places == pytest.approx([100 * (at + 1) / len(entries) for at, kind in enumerate(entries) if kind])
    slider = page.locator("#scrubber").bounding_box()
    mark = page.locator("#turns .lost").first.bounding_box()
    assert slider["x"] < mark["x"] < slider["x"] + slider["width"]


# Links


def test_link_keeps_the_tab_and_an_open_why(show: Show) -> None:
    page = show("#e1.12", permissions=["clipboard-read", "clipboard-write"])
    page.locator("#tab-lines").click()
    page.locator("#why summary").first.click()
    page.wait_for_function("() => location.hash === '#e1.12/lines/why'")
    page.get_by_role("button", name="Copy link").click()
    page.get_by_role("button", name="Copied").wait_for()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == f"{ARCHWAY}.html#e1.12/lines/why"
    other = show(f"#{link.partition('#')[2]}")
    assert chosen(other) == "e1.12"
    assert other.locator("#lines").is_visible()
    assert other.locator("#why > details").evaluate("details => details.open")
    other.locator("#why summary").first.click()
    other.wait_for_function("() => location.hash === '#e1.12/lines'")


def test_back_returns_over_a_walk_in_one_go(show: Show) -> None:
    page = show("#e1.11")
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    assert chosen(page) != "e1.11"
    page.locator("#tab-lines").click()
    page.locator("li[id='e1.33'] .said a").click()
    assert (chosen(page), at(page)) == ("e1.33", "#e1.33/lines")
    seen = []
    for _ in range(3):
        page.go_back()
        page.wait_for_timeout(50)
        seen.append(at(page))
    assert seen[0].endswith("/lines")
    assert (seen[1], seen[2]) == (seen[0].removesuffix("/lines"), "#e1.11")
    assert chosen(page) == "e1.11"


def test_escape_and_its_button_close_the_board(show: Show) -> None:
    for press in (lambda page: page.keyboard.press("Escape"), lambda page: page.locator("#close").click()):
        page = show("#e1.12")
        press(page)
        assert not page.locator("#board").is_visible()
        assert (at(page), chosen(page)) == ("", "")
        assert page.evaluate("document.activeElement.id") == "tab-story"
        page.go_back()
        page.locator("#board").wait_for(state="visible")


def test_entry_of_another_session_is_looked_for_beside_the_page(
    played_samples: dict[str, Path], tmp_path: Path, open_page: Open
) -> None:
    Folder(played_samples["gutter-saints"]).run("recap", "--campaign", "--html", f"{tmp_path}/")
    page = open_page(f"{(tmp_path / 'session-3.html').as_uri()}#e2.17")
    assert page.locator("#missing").inner_text() == "There is no 2.17 here. Look in session 2."
    page.locator("#missing a").click()
    page.wait_for_url("**/session-2.html#e2.17")
    assert chosen(page) == "e2.17"


# The search, the filter and the play


def test_search_leaves_what_has_the_word(show: Show) -> None:
    page = show("#lines")
    page.get_by_role("searchbox").fill("RAPIER")
    shown = page.locator("li.entry:visible")
    assert 0 < shown.count() < 10
    assert all("rapier" in text for text in shown.all_inner_texts())
    assert page.locator("#found").inner_text().startswith(f"{shown.count()} of ")
    assert page.locator("#lines h4:visible").count() < page.locator("#lines h4").count()
    page.locator("#tab-story").click()
    assert all("rapier" in text for text in page.locator("#story .found").all_inner_texts())
    assert axe_faults(page) == []
    page.get_by_role("searchbox").fill("")
    assert page.locator("#story > p:visible").count() == page.locator("#story > p").count()
    assert page.locator("#found").inner_text() == ""


def test_filter_leaves_what_a_character_was_in(show: Show) -> None:
    page = show("#lines")
    page.get_by_label("Only with").select_option("Sira")
    ids = page.locator("li.entry:visible").evaluate_all("all => all.map(each => each.id)")
    assert "e1.11" in ids
    assert "e1.7" not in ids  # Brynn and the spearman
    page.locator("#to-opening").click()
    page.locator("#play").click()
    page.wait_for_function("() => document.querySelector('li.entry.current')")
    assert chosen(page) in ids


def test_play_goes_on_by_itself_and_passes_over_idle_lines(show: Show) -> None:
    page = show("", name="gutter-saints", size=NARROW)
    page.get_by_label("How fast it plays").select_option("4")
    page.evaluate("window.seen = new Set(); document.addEventListener('step', () => seen.add(location.hash))")
    page.locator("#play").click()
    assert page.locator("#play").get_attribute("aria-pressed") == "true"
    page.wait_for_function("() => seen.size > 3")
    page.locator("#play").click()
    count = page.evaluate("seen.size")
    page.wait_for_timeout(700)
    assert page.evaluate("seen.size") == count
    page.evaluate("location.hash = '#e2.28'")
    page.locator("li.current[id='e2.28']").wait_for(state="attached")
    page.locator("#play").click()
    page.locator("li.current[id='e2.33']").wait_for(state="attached")
    assert page.evaluate("[...seen].some(hash => ['#e2.29', '#e2.30', '#e2.32'].includes(hash))") is False
    page.keyboard.press("ArrowLeft")  # any step ends it
    assert page.locator("#play").get_attribute("aria-pressed") == "false"


def test_page_is_read_at_four_hundred_per_cent(show: Show) -> None:
    page = show("#e1.12", size={"width": 320, "height": 225})
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    buttons = page.locator(".buttons > :visible").evaluate_all("all => all.map(each => each.getBoundingClientRect())")
    assert max(box["right"] for box in buttons) <= 320
    assert page.locator("#bar").evaluate("bar => getComputedStyle(bar).position") == "static"
    assert axe_faults(page) == []
