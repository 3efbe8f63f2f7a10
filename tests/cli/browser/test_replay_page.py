"""Test the replay page in a browser: by keyboard, by link, narrow and wide, light and dark, with hostile texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cli.web.pages.campaign_content import campaign_content
from cli.web.pages.campaign_page import campaign_html
from tests.budget import BUDGET
from tests.cli.browser.checkers import axe_faults, html_faults
from tests.cli.browser.conftest import NARROW, WIDE, Open
from tests.cli.conftest import CAST, Folder
from tests.cli.pages.test_campaign_page import decade
from tests.cli.pages.test_page import hostile_folder
from tests.cli.pages.test_session_page import seen
from tests.golden import samples

SAMPLE = "gutter-saints"
TINY = {"width": 320, "height": 640}
LOOKS = [(TINY, True), (WIDE, False), (NARROW, False), (WIDE, True)]
HOSTILE = "hostile"
OTHERS = [(name, *look) for name in [*samples(), HOSTILE] if name != SAMPLE for look in LOOKS[:2]]
OTHERS.remove((HOSTILE, *LOOKS[0]))
EVERY_LOOK = [*((SAMPLE, *look) for look in LOOKS), (HOSTILE, *LOOKS[0]), *BUDGET.drawn(OTHERS)]  # each takes seconds
OPEN_ALL = "document.querySelectorAll('details').forEach(details => { details.open = true; })"
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def pages(played_samples: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The page of the last session of each sample, and one with hostile texts; the page of three campaigns."""
    folder = tmp_path_factory.mktemp("pages")
    for sample in samples():
        Folder(played_samples[sample]).run("recap", "--html", str(folder / f"{sample}.html"))
    Folder(played_samples[SAMPLE]).run("recap", "--campaign", "--html", str(folder / "campaign.html"))
    for name, campaign in (("long", long_names(folder / "long")), ("new", new_campaign(folder / "new"))):
        campaign.run("recap", "--campaign", "--html", str(folder / f"{name}.html"))
    with seen(played_samples[SAMPLE], "players") as (view, book):
        content = campaign_content(view, as_of=None, book=book, role="players")
    (folder / "decade.html").write_text(campaign_html(decade(content)), encoding="utf-8")
    hostile_folder(folder / "hostile").run("recap", "--html", str(folder / "hostile.html"))
    return {file.stem: file for file in folder.glob("*.html")}


def new_campaign(path: Path) -> Folder:
    """Return a campaign in which nobody is in play."""
    folder = Folder(path)
    folder.path.mkdir()
    folder.run("new", "New", str(path), "--game", "dusk-bastards")
    return folder


def long_names(path: Path) -> Folder:
    """Return a campaign whose character and player have names that do not fit into a row."""
    folder = new_campaign(path)
    sheet = CAST["kess.toml"].replace('"Kess"', '"Donaudampfschifffahrtselektrizitätenhauptbetriebswerk"')
    sheet = f'player = "Wolfeschlegelsteinhausenbergerdorff the Elder"\n{sheet}'
    folder.run("cast", str(folder.file("kess.toml", sheet)))
    folder.run("open", "An evening with a title that goes on and on, well beyond what anybody would call a title")
    folder.run("do", "don climb v4 /7.6")
    return folder


def line(page: Any) -> str:
    """Return the id of the entry that the page shows; nothing at the opening."""
    return page.locator("#entry .id").inner_text() if page.locator("#entry .id").count() else ""


@pytest.mark.usefixtures("installed")
def test_html_is_valid(pages: dict[str, Path], tmp_path: Path) -> None:
    assert html_faults([*pages.values()], tmp_path) == []


@pytest.mark.parametrize(("name", "size", "dark"), EVERY_LOOK)
def test_page_is_accessible_in_every_size(
    name: str, size: Any, dark: bool, pages: dict[str, Path], open_page: Open
) -> None:
    page = open_page(pages[name], size=size, dark=dark)
    assert axe_faults(page) == []
    for press in ("ArrowLeft", "PageUp"):
        page.keyboard.press(press)
        page.evaluate(OPEN_ALL)
        assert axe_faults(page) == []
        assert page.evaluate(OVERFLOW) == 0
    page.locator("#tab-lines").click()
    page.evaluate(OPEN_ALL)
    assert axe_faults(page) == []
    assert page.evaluate(OVERFLOW) == 0
    assert page.behaviour.faults == []
    assert len(page.behaviour.requests) == 1


@pytest.mark.parametrize("name", ["campaign", "long", "new", "decade"])
@pytest.mark.parametrize(("size", "dark"), [(TINY, True), (WIDE, False)])
def test_campaign_page_is_accessible(name: str, size: Any, dark: bool, pages: dict[str, Path], open_page: Open) -> None:
    page = open_page(pages[name], size=size, dark=dark)
    page.evaluate(OPEN_ALL)
    assert axe_faults(page) == []
    assert page.evaluate(OVERFLOW) == 0
    assert page.behaviour.faults == []


def test_keys_step_through_the_session(pages: dict[str, Path], open_page: Open) -> None:
    page = open_page(pages[SAMPLE])
    assert line(page) == "3.39"
    shown = []
    for press in ("ArrowLeft", "Home", "ArrowRight", "ArrowRight", "PageDown", "End"):
        page.keyboard.press(press)
        shown.append(line(page))
    assert shown == ["3.38", "", "3.0", "3.1", "3.12", "3.39"]
    assert page.url.endswith("#e3.39")


def test_entry_is_said_to_a_screen_reader(pages: dict[str, Path], open_page: Open) -> None:
    page = open_page(f"{pages[SAMPLE].as_uri()}#e3.27")
    page.keyboard.press("ArrowRight")
    said = page.locator("[aria-live=polite]").inner_text()
    assert said.startswith("3.28 Tamsin managed to carry off the bluff, but only just.; ")
    assert "Tamsin intellect 18 to 15" in said


def test_number_is_said_with_whose_it_is(pages: dict[str, Path], open_page: Open) -> None:
    page = open_page(f"{pages[SAMPLE].as_uri()}#e3.28")
    spoken = page.locator("#state").aria_snapshot()
    assert 'button "Tamsin intellect 3 less, now 15/18"' in spoken
    assert "- list\n" not in spoken  # an empty one says nothing


def test_link_opens_its_entry_with_the_controls_in_sight(pages: dict[str, Path], open_page: Open) -> None:
    page = open_page(f"{pages[SAMPLE].as_uri()}#e3.28/lines")
    assert line(page) == "3.28"
    assert page.locator("#entry").is_visible()
    assert page.evaluate("scrollY") == 0
    page.get_by_role("link", name="3.20 Tamsin rested").click()
    assert line(page) == "3.20"


def test_line_of_a_linked_entry_is_in_sight(pages: dict[str, Path], open_page: Open) -> None:
    page = open_page(f"{pages[SAMPLE].as_uri()}#e3.28/lines")
    box = page.locator("li[id='e3.28']").bounding_box()
    assert 0 < box["y"] < WIDE["height"] - box["height"]


def test_changed_number_opens_its_arithmetic(pages: dict[str, Path], open_page: Open) -> None:
    page = open_page(f"{pages[SAMPLE].as_uri()}#e3.28")
    button = page.get_by_role("button", name="intellect 3 less, now 15/18")
    button.focus()
    page.keyboard.press("Enter")
    why = page.locator("#why")
    assert why.locator(".asked").inner_text().startswith("Tamsin intellect 18 → 15")
    assert "trained in bluff" in why.inner_text()
    page.get_by_role("button", name="might 16/16").click()
    assert "Orrin might" in why.inner_text()
    assert why.locator("a").first.get_attribute("href") == "#e3.4"  # the entry that changed it last


def test_superseded_take_opens_where_it_branches(
    played_samples: dict[str, Path], tmp_path: Path, open_page: Open
) -> None:
    file = tmp_path / "one.html"
    Folder(played_samples[SAMPLE]).run("recap", "1", "--html", str(file))
    page = open_page(f"{file.as_uri()}#lines")
    take = page.locator("details.variation", has_text="1.31@1")
    assert "superseded: taken back by 1.32" in take.inner_text()
    take.locator("summary").click()
    assert "failure (10 against 12)" in take.inner_text()


def test_copied_link_names_the_entry(pages: dict[str, Path], open_page: Open) -> None:
    page = open_page(f"{pages[SAMPLE].as_uri()}#e3.28", permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy link").click()
    page.get_by_role("button", name="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == f"{SAMPLE}.html#e3.28"  # no path of this machine


def test_chart_and_scrubber_move_together(pages: dict[str, Path], open_page: Open) -> None:
    page = open_page(pages[SAMPLE])
    page.locator("figure.chart .plot").first.click(position={"x": 1, "y": 10})
    assert page.locator("#scrubber").input_value() == "0"
    page.locator("#scrubber").fill("5")
    cursors = page.locator(".cursor").evaluate_all("lines => lines.map(line => line.getAttribute('x1'))")
    assert cursors == len(cursors) * [f"{100 * 5 / 40}%"]


def test_pointer_shows_the_numbers_of_its_entry(pages: dict[str, Path], open_page: Open) -> None:
    page = open_page(pages[SAMPLE])
    tamsin, line_there = page.locator("#graphs .legend li", has_text="Tamsin"), page.locator("#graphs .pointed")
    at_end = tamsin.locator("output").all_inner_texts()
    plot = page.locator("figure.chart .plot").first
    plot.hover(position={"x": plot.bounding_box()["width"] * 29 / 40, "y": 30})
    assert line_there.inner_text().startswith("3.28 Tamsin managed to carry off the bluff")
    assert "15" in tamsin.locator("output").all_inner_texts()
    assert line(page) == "3.39"
    page.mouse.move(2, 2)
    assert tamsin.locator("output").all_inner_texts() == at_end
    assert line_there.inner_text() == ""


def test_tap_on_the_chart_goes_to_its_entry(pages: dict[str, Path], open_page: Open) -> None:
    page = open_page(pages["powder-tithe"], size=NARROW, has_touch=True)
    plot = page.locator("figure.chart.first .plot")
    sign = plot.locator(".sign.grave").first
    entry = sign.locator("title").text_content().partition(":")[0]
    sign.tap()
    assert line(page) == entry
    assert page.locator("#graphs .pointed").inner_text() == ""
    hues = page.locator("#graphs .first .who").evaluate_all("all => all.map(each => getComputedStyle(each).color)")
    assert len(set(hues)) == len(hues) == 3


@pytest.mark.parametrize("dark", [False, True])
def test_chart_has_rounds_harm_and_turning_points(dark: bool, pages: dict[str, Path], open_page: Open) -> None:
    page = open_page(pages["broken-archway"], dark=dark)
    plot = page.locator("figure.chart.first .plot")
    assert plot.locator("rect title").all_text_contents() == [f"the archway, Round {number}" for number in (1, 2, 3)]
    harm, sign = (plot.locator(each).first for each in (".harm", ".sign.lost"))
    stroke, fill = (
        each.evaluate("each => [getComputedStyle(each).stroke, getComputedStyle(each).fill]") for each in (harm, sign)
    )
    assert stroke[0] == fill[1] not in ("none", "rgb(0, 0, 0)")
    box, around = sign.bounding_box(), plot.bounding_box()
    assert around["x"] < box["x"] < around["x"] + around["width"]
    assert sign.locator("title").text_content().startswith("1.11: ")


def test_page_reads_and_prints_without_a_script(pages: dict[str, Path], open_page: Open) -> None:
    page = open_page(pages[SAMPLE], java_script_enabled=False)
    assert page.get_by_role("heading", name="The second night").count() == 2  # among the lines and in the story
    assert not page.locator(".controls").is_visible()
    scripted = open_page(pages[SAMPLE])
    scripted.emulate_media(media="print")
    assert scripted.locator("#story").is_visible()
    assert scripted.locator("#lines").is_visible()


@pytest.mark.parametrize("what", ["#state .level", "#why summary", "#entry .copy", "#state .encounter"])
def test_focus_stays_at_each_step(what: str, pages: dict[str, Path], open_page: Open) -> None:
    page = open_page(f"{pages['broken-archway'].as_uri()}#e1.12")
    page.locator(what).first.focus()
    before = page.evaluate("document.activeElement.className + document.activeElement.nodeName")
    for press in ("ArrowRight", "ArrowRight", "ArrowLeft", "ArrowLeft", "ArrowLeft"):
        page.keyboard.press(press)
        assert page.evaluate("document.activeElement.isConnected")
        now = page.evaluate("document.activeElement.className + document.activeElement.nodeName")
        assert now.replace(" changed", "") == before.replace(" changed", "")


def test_missing_entry_is_said(pages: dict[str, Path], open_page: Open) -> None:
    page = open_page(f"{pages[SAMPLE].as_uri()}#e9.99")
    assert page.locator("#missing").inner_text() == "There is no 9.99 here."
    assert page.locator("#story").is_visible()
    page.keyboard.press("ArrowLeft")
    assert page.locator("#missing").inner_text() == ""
    page.evaluate("location.hash = '#e8.1'")
    page.locator("#missing", has_text="There is no 8.1 here.").wait_for()
    assert axe_faults(page) == []


@pytest.mark.parametrize("hash", ["#e%E0%A4%A", "#%", "#e", "#lines", "#e3.28%"])
def test_malformed_address_is_no_error(hash: str, pages: dict[str, Path], open_page: Open) -> None:
    page = open_page(f"{pages[SAMPLE].as_uri()}{hash}")
    assert line(page) == "3.39"
    assert page.behaviour.faults == []


def test_why_that_is_opened_stays_open(pages: dict[str, Path], open_page: Open) -> None:
    page = open_page(f"{pages[SAMPLE].as_uri()}#e3.28")
    page.locator("#why summary").first.click()
    for press in ("Home", "ArrowRight", "End"):
        page.keyboard.press(press)
        assert page.locator("#why > details").evaluate("details => details.open")
    page.locator("#why summary").first.click()
    page.keyboard.press("ArrowLeft")
    assert not page.locator("#why > details").evaluate("details => details.open")


def test_keys_scroll_a_list_that_has_the_focus(pages: dict[str, Path], open_page: Open) -> None:
    page = open_page(f"{pages[SAMPLE].as_uri()}#e3.39/lines")
    page.locator("#lines").focus()
    page.keyboard.press("Home")
    assert line(page) == "3.39"
    page.wait_for_timeout(300)
    assert page.locator("#lines").evaluate("lines => lines.scrollTop") == 0
    page.keyboard.press("ArrowLeft")
    assert line(page) == "3.38"


def test_keys_scroll_a_page_of_one_column(pages: dict[str, Path], open_page: Open) -> None:
    page = open_page(pages[SAMPLE], size=NARROW)
    page.keyboard.press("PageDown")
    page.wait_for_timeout(300)
    assert page.evaluate("scrollY") > 0
    assert line(page) == "3.39"
    page.locator("#scrubber").focus()
    page.keyboard.press("Home")
    assert line(page) == ""


def test_wide_page_without_a_script_has_one_column(pages: dict[str, Path], open_page: Open) -> None:
    page = open_page(pages[SAMPLE], java_script_enabled=False)
    box = page.locator("#lines").bounding_box()
    assert box["x"] < 100


def test_fiction_looks_the_same_in_the_card(pages: dict[str, Path], open_page: Open) -> None:
    fiction = "#lines li.fiction"
    id = open_page(pages[SAMPLE]).locator(fiction).first.get_attribute("id")
    page = open_page(f"{pages[SAMPLE].as_uri()}#{id}")
    entry = page.locator(fiction).first
    family = "line => [getComputedStyle(line).fontFamily, getComputedStyle(line).fontStyle]"
    assert page.locator("#entry .line").evaluate(family) == entry.locator(".line").evaluate(family)


def test_change_has_the_colour_of_its_meaning(pages: dict[str, Path], open_page: Open) -> None:
    page = open_page(f"{pages[SAMPLE].as_uri()}#e3.28")
    assert page.locator("#state .being .delta.bad").first.inner_text().startswith("▼")
    seen = set()
    for press in 38 * ["ArrowLeft"]:
        page.keyboard.press(press)
        seen |= {
            (element["tone"], element["sign"])
            for element in page.locator("#state .table .delta").evaluate_all(
                "all => all.map(each => ({tone: each.classList[1], sign: each.innerText[0]}))"
            )
        }
    assert seen == {("bad", "▲"), ("good", "▼")}


def test_who_is_gone_is_struck_out_of_the_turn_order(
    played_samples: dict[str, Path], tmp_path: Path, open_page: Open
) -> None:
    folder, file = Folder(played_samples["broken-archway"]), tmp_path / "one.html"
    folder.run("recap", "1", "--html", str(file))
    page = open_page(f"{file.as_uri()}#e1.12")
    assert page.locator(".slot.out .name").all_inner_texts() == ["Spearman"]


def test_secret_label_stands_in_the_column_of_the_text(night: Folder, tmp_path: Path, open_page: Open) -> None:
    night.run("do", '!! k hp -1 "a poisoned lamp"')
    night.run("recap", "--html", str(tmp_path / "one.html"), "--as", "gm")
    page = open_page(tmp_path / "one.html")
    entry = page.locator("#lines li", has=page.locator(".label")).last
    label, words = entry.locator(".label").bounding_box(), entry.locator(".line").bounding_box()
    assert label["x"] >= words["x"]
    assert label["y"] < words["y"] + words["height"]


def test_correction_is_marked_on_the_card(night: Folder, tmp_path: Path, open_page: Open) -> None:
    night.run("amend", "4.1", "v4", "--because", "the lamp was out", "--retcon")
    night.run("recap", "--html", str(tmp_path / "one.html"))
    page = open_page(f"{(tmp_path / 'one.html').as_uri()}#e4.1")
    words = page.locator("#entry .corrected").inner_text()
    assert "corrected by 4.7; was: k sneak v5" in words
    assert "against" in words
    assert axe_faults(page) == []
    page.locator("#entry .corrected a").click()
    assert line(page) == "4.7"


def test_hostile_texts_run_no_script(pages: dict[str, Path], open_page: Open) -> None:
    page = open_page(pages["hostile"])
    for _ in range(8):
        page.keyboard.press("ArrowLeft")
        page.evaluate(OPEN_ALL)
    assert page.behaviour.faults == []
    assert page.locator("img").count() == 0


def test_dice_stand_in_the_card_as_dice(pages: dict[str, Path], open_page: Open) -> None:
    page = open_page(f"{pages['lantern-ferry'].as_uri()}#e1.6")
    throw = page.locator("#entry .throws")
    assert throw.locator(".die text").all_text_contents() == ["3", "9"]
    assert "= 12 ≥ 10" in throw.inner_text()
    box = throw.locator(".die").first.bounding_box()
    assert box["width"] == box["height"] > 20
    assert not page.locator("#lines .throws").first.is_visible()
    page.locator("#why summary").first.click()
    decided = page.locator("#why .rules").first.locator("summary").all_inner_texts()
    assert 1 <= len(decided) <= 3
    assert axe_faults(page) == []
    plain = open_page(pages["lantern-ferry"], java_script_enabled=False)
    assert plain.locator("#lines .throws").first.is_visible()


def test_wide_campaign_page_shows_what_is_open_beside_last_time(pages: dict[str, Path], open_page: Open) -> None:
    page = open_page(pages["campaign"])
    last, lives, still_open = (page.locator(each).bounding_box() for each in ("#last", "#lives", "#open"))
    assert still_open["x"] > last["x"] + last["width"]
    assert still_open["y"] == pytest.approx(lives["y"] + lives["height"] + 32, abs=1)


def test_life_is_hovered_in_the_picture(pages: dict[str, Path], open_page: Open) -> None:
    page = open_page(pages["campaign"], size=NARROW)
    sign = page.locator("#picture .sign.grave")
    assert sign.locator("title").text_content().startswith("2.39: Tamsin")
    lines = page.locator("#picture line.there")
    assert len({*lines.evaluate_all("lines => lines.map(line => getComputedStyle(line).stroke)")}) == 3
    assert lines.last.bounding_box()["width"] > 300
    heights = lines.evaluate_all("lines => lines.map(line => parseFloat(getComputedStyle(line).strokeWidth))")
    assert heights[1] > heights[0]
    assert "level 2→3" in lines.locator("title").first.text_content()


@pytest.mark.parametrize("has_script", [True, False])
def test_print_begins_with_the_story_and_ends_with_the_state(
    has_script: bool, pages: dict[str, Path], open_page: Open
) -> None:
    page = open_page(f"{pages['broken-archway'].as_uri()}#e1.12", dark=True, java_script_enabled=has_script)
    page.emulate_media(media="print", color_scheme="dark")
    places = [page.locator(each).bounding_box()["y"] for each in ("#lead", "#story", "#graphs", "#lines", "#party")]
    assert places == sorted(places)
    drawn = page.locator(".entry, .chart, #story > p").evaluate_all(
        "all => all.map(each => getComputedStyle(each).contentVisibility)"
    )
    assert {*drawn} == {"visible"}  # also what no screen has shown
    assert "Kael" in page.locator("#party").inner_text()
    for control in ("#board", "#bar", "#state", "[role=tablist]", "#search", ".skip"):
        assert not any(page.locator(control).evaluate_all("all => all.map(each => each.checkVisibility())"))
    colours = "[getComputedStyle(document.documentElement).backgroundColor, getComputedStyle(document.body).color]"
    back, ink = page.evaluate(colours)
    assert (back, ink) == ("rgb(255, 255, 255)", "rgb(0, 0, 0)")
    page.emulate_media(media="screen")
    assert page.locator("#party").is_visible() != has_script
