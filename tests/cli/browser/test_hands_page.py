"""Test the page of those at the table in a browser: three phones and the game master's shell, in each game."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cli.commands.serve import LIBRARIES
from tests.budget import BUDGET
from tests.cli.browser.checkers import axe_faults
from tests.cli.browser.conftest import NARROW, SLOWEST, Open
from tests.cli.browser.test_live_page import HOSTILE
from tests.cli.conftest import Folder
from tests.cli.evenings import GAMES, prepare
from tests.cli.fights import FIGHTS

pytestmark = pytest.mark.skipif(any(find_spec(name) is None for name in LIBRARIES), reason='pip install -e ".[serve]"')
LINK = re.compile(r"(.*): (http://\S+)")
REFUSED = "error: Failed to load resource: the server responded with a status of 422 (Unprocessable Entity)"
MASTER = "The game master"
STEPS = 14  # of an evening: what is tapped and sent
CHOICES_MOST = 5
LETTING_GO = ("end", "pass")
GOING_ON = ("done", "round", "on")  # what the game master says where nobody can do anything more
SHOWN = "[hands.position, hands.state?.position ?? -1, hands.taps?.position ?? -1]"
NO_CONNECTION = "error: Failed to load resource: net::ERR_INTERNET_DISCONNECTED"
SCROLL_DOWN = "each => { for (let at = each; at; at = at.parentElement) at.scrollTop = at.scrollHeight; }"
LEFT_TO_ANSWER = "s left to answer, then the dice are thrown"
KEEP_TIMERS = """() => {
    window.timers = [];
    const shown = () => document.querySelectorAll("[role=timer]:not([hidden])");
    const keep = () => shown().forEach(each => timers.push(each.textContent));
    new MutationObserver(keep).observe(document.body, {subtree: true, childList: true, attributes: true});
}"""


class Served(NamedTuple):
    """A table that is served: its folder, and the links by whose they are."""

    folder: Folder
    links: dict[str, str]


def begin(game: str, path: Path, *lines: str, options: tuple[str, ...] = ()) -> Folder:
    """Return the evening of a game in which a fight has begun, after these lines; `options`: of the opening."""
    folder = Folder(path / game)
    prepare(game, folder.path, *options)
    for line in (*FIGHTS[game].opening, *lines):
        folder.run("do", line)
    return folder


def serve_folder(folder: Folder, stopping: list[subprocess.Popen], *options: str) -> Served:
    """Serve a campaign; `options`: of the server."""
    process = folder.start_process("serve", "--hands", "--port", "0", "--no-qr", *options)
    stopping.append(process)
    links = {}
    for row in iter(process.stdout.readline, ""):
        found = LINK.fullmatch(row.strip())
        if found:
            links[found[1]] = found[2]
        if row.startswith("Who watches"):
            return Served(folder, links)
    raise AssertionError(process.stderr.read())


@pytest.fixture
def serve(chromium: object, stopping: list[subprocess.Popen], tmp_path: Path) -> Callable[..., Served]:
    """Return a function that serves the evening of a game after some lines."""
    return lambda game, *lines, **more: serve_folder(begin(game, tmp_path, *lines, **more), stopping)


@pytest.fixture
def phone(open_page: Open) -> Callable[[Served, str], Any]:
    """Return a function that opens somebody's link on a phone, and waits until it shows the table."""

    def opened(served: Served, whose: str) -> Any:
        page = open_page(served.links[whose], size=NARROW, has_touch=True)
        page.locator("#connection", has_text="live").wait_for()
        page.locator("#words").filter(has_text=re.compile(r"\w")).wait_for()
        return page

    return opened


def faults(page: Any) -> list[str]:
    """Return what a page did wrong, without refusals and lost connections, which a browser counts as errors."""
    return [fault for fault in page.behaviour.faults if fault not in (REFUSED, NO_CONNECTION)]


def tap(page: Any, *labels: str) -> None:
    """Tap what may be said, choice by choice."""
    for label in labels:
        page.locator("#taps .grid").get_by_role("button", name=label, exact=True).tap()


def attack(page: Any, target: str) -> None:
    """Attack somebody."""
    tap(page, "attack", target)
    page.locator("#draft .send").tap()


@pytest.mark.parametrize("game", GAMES)
def test_attack_by_taps_is_on_every_phone(game: str, serve: Callable[..., Served], phone: Callable[..., Any]) -> None:
    served = serve(game)
    pages = {whose: phone(served, whose) for whose in ("Ana", "Bo", MASTER)}
    whose = next(each for each, page in pages.items() if page.evaluate("hands.state.turn.mine"))
    tap(pages[whose], "attack")
    target = pages[whose].locator("#taps .grid button").first.inner_text()
    tap(pages[whose], target)
    pages[whose].locator("#draft .option").first.wait_for()
    height = "document.documentElement.scrollHeight"
    assert pages[whose].evaluate(height) == NARROW["height"]  # what is open scrolls in its own part
    pages[whose].locator("#draft .send").tap()
    for page in pages.values():
        page.locator("#log .said", has_text=f'attack target="{target}"').wait_for()
    holder = "gm" if whose == MASTER else whose
    assert f"from the page of {holder}" in served.folder.run("log", "--takes")
    assert "#" not in pages[whose].url
    for page in pages.values():
        assert axe_faults(page) == []
        assert faults(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]


def test_line_of_the_shell_and_a_correction_are_on_every_phone(
    serve: Callable[..., Served], phone: Callable[..., Any]
) -> None:
    served = serve("momentum")
    ana, bo = phone(served, "Ana"), phone(served, "Bo")
    served.folder.run("do", "v attack raider 1 /9.9")
    for page in (ana, bo):
        page.locator("#log .said", has_text="v attack raider 1").wait_for()
    before = ana.locator("#words").inner_text()
    served.folder.run("undo")
    for page in (ana, bo):
        page.locator("#log li.corrected .said", has_text="taken back").wait_for()
    assert ana.locator("#words").inner_text() == bo.locator("#words").inner_text() != before


def test_attack_with_keys_alone_and_hostile_texts(serve: Callable[..., Served], phone: Callable[..., Any]) -> None:
    served = serve("momentum", *HOSTILE)
    ana = phone(served, "Ana")
    ana.locator("#turn.mine").wait_for()
    assert ana.title().startswith("Your turn")
    for line in HOSTILE:
        ana.locator("#log li", has_text=line.removeprefix("> ")).wait_for()
    ana.locator("#taps .grid").get_by_role("button", name="attack", exact=True).focus()
    for place in ("#taps .grid button:focus", "#draft .send:focus", ""):
        ana.keyboard.press("Enter")
        ana.locator(place or "#log .said", has_text="" if place else "attack target").first.wait_for()
    assert faults(ana) == []


def test_line_that_is_overtaken_says_so_before_it_is_sent(
    serve: Callable[..., Served], phone: Callable[..., Any]
) -> None:
    served = serve("momentum")
    ana = phone(served, "Ana")
    tap(ana, "attack", "Raider 1")
    served.folder.run("do", '! r1 flee "over the wall"')
    ana.locator("#draft .problem").wait_for()
    ana.locator("#draft").get_by_role("button", name="Back").tap()
    tap(ana, "attack")
    assert "Raider 1" not in ana.locator("#taps .grid").inner_text()


def test_question_is_answered_on_the_page(serve: Callable[..., Served], phone: Callable[..., Any]) -> None:
    served = serve("momentum")
    ana = phone(served, "Ana")
    ana.locator("#line").fill("? turn")
    ana.get_by_role("button", name="Say", exact=True).tap()
    ana.locator("#told", has_text="pc phase").wait_for()
    ana.locator("#queue").wait_for(state="hidden")
    assert axe_faults(ana) == []


def test_line_without_a_connection_is_sent_when_it_is_back(
    serve: Callable[..., Served], phone: Callable[..., Any]
) -> None:
    served = serve("momentum")
    ana = phone(served, "Ana")
    ana.locator("#taps .grid").get_by_role("button", name="attack", exact=True).wait_for()
    ana.context.set_offline(True)
    attack(ana, "Raider 1")
    ana.locator("#queue li", has_text="not sent yet").wait_for()
    ana.locator("#line").fill("vel end")
    ana.get_by_role("button", name="Say", exact=True).tap()
    assert ana.locator("#queue li").count() == 2
    assert axe_faults(ana) == []
    assert "attack" not in served.folder.run("log")
    ana.context.set_offline(False)
    ana.locator("#connection", has_text="live").wait_for()
    ana.locator("#queue").wait_for(state="hidden")
    ana.locator("#log .said", has_text="attack target").wait_for()
    lines = served.folder.run("log").splitlines()
    assert len([line for line in lines if "Vel attack target" in line]) == 1
    assert faults(ana) == []


def test_reaction_comes_up_on_the_phone_of_who_may_react(
    serve: Callable[..., Served], phone: Callable[..., Any]
) -> None:
    served = serve("mars", "a end")
    ana, master = phone(served, "Ana"), phone(served, MASTER)
    attack(master, "Asha")
    ana.locator("#taps h2", has_text="Answer").wait_for()
    tap(ana, "evade")
    ana.locator("#draft .send").tap()
    master.locator("#log .said", has_text="^ Asha evade").wait_for()
    master.get_by_role("button", name="Throw the dice").tap()
    ana.locator("#log .said", has_text="go").first.wait_for()


def test_time_that_is_left_to_answer_is_counted_down(serve: Callable[..., Served], phone: Callable[..., Any]) -> None:
    served = serve("mars", "a end", '! option answer_seconds 8 "quickly"')
    ana, master = phone(served, "Ana"), phone(served, MASTER)
    assert not ana.get_by_role("timer").is_visible()
    master.evaluate(KEEP_TIMERS)
    attack(master, "Asha")
    ana.get_by_role("timer").filter(has_text=LEFT_TO_ANSWER).wait_for()
    assert axe_faults(ana) == []
    ana.locator("#log .said", has_text="go").first.wait_for()
    ana.locator("#log .tag", has_text="time limit").wait_for()
    assert any(LEFT_TO_ANSWER in shown for shown in master.evaluate("timers"))  # it may be gone when we look
    assert not ana.get_by_role("timer").is_visible()
    assert faults(ana) == faults(master) == []


def test_faces_are_typed_and_an_option_is_tapped(serve: Callable[..., Served], phone: Callable[..., Any]) -> None:
    served = serve("dusk-bastards")
    ana = phone(served, "Ana")
    tap(ana, "attack", "Thug 1")
    ana.get_by_role("group", name="effort").get_by_role("button", name="e1", exact=True).tap()
    ana.locator("#draft .price", has_text="Effort 1").wait_for()
    ana.get_by_role("button", name="Type the faces").tap()
    for die, face in (("Die 1: d12", "7"), ("Die 2: d12", "6")):
        ana.get_by_role("group", name=die).get_by_role("button", name=face, exact=True).tap()
    ana.locator(".faces button").last.evaluate(SCROLL_DOWN)  # what sticks at the foot covers what is scrolled below it
    assert axe_faults(ana) == []
    ana.locator("#draft .send").tap()
    ana.locator("#log .said", has_text='target="Thug 1" /7.6').wait_for()
    assert 'Wren attack e1 target="Thug 1" /7.6' in served.folder.run("log")
    ana.locator("#pending").get_by_role("button", name="Close: the roll").tap()
    ana.locator("#log .said", has_text="close").nth(1).wait_for()  # the first closed the initiative
    assert faults(ana) == []


def test_tap_is_not_lost_where_the_chances_arrive_under_the_finger(
    serve: Callable[..., Served], phone: Callable[..., Any]
) -> None:
    served = serve("dusk-bastards")
    ana = phone(served, "Ana")
    waiting = []
    ana.route("**/odds?*", lambda route: waiting.append(route))
    tap(ana, "attack", "Thug 1")
    while not waiting:
        ana.wait_for_timeout(50)
    box = ana.locator("#draft .send").bounding_box()
    finger = ana.context.new_cdp_session(ana)
    at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
    with ana.expect_response("**/odds?*"):
        waiting[0].continue_()
    ana.wait_for_timeout(100)  # what would be drawn is drawn
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    ana.locator("#log .said", has_text='attack target="Thug 1"').wait_for()
    assert ana.locator("#draft").is_hidden()
    assert faults(ana) == []


def test_refused_line_says_why_and_holds_those_behind(serve: Callable[..., Served], phone: Callable[..., Any]) -> None:
    served = serve("momentum")
    ana = phone(served, "Ana")
    ana.context.set_offline(True)
    for line in ("osric end", "vel end"):
        ana.locator("#line").fill(line)
        ana.get_by_role("button", name="Say", exact=True).tap()
    ana.context.set_offline(False)
    ana.locator("#queue .problem", has_text="you do not speak for Osric").wait_for()
    ana.locator("#queue li.held", has_text="vel end").wait_for()
    ana.locator("#queue li.held").get_by_role("button", name="Send").tap()
    ana.locator("#log .said", has_text="vel end").wait_for()


def test_page_without_its_token_says_so(serve: Callable[..., Served], open_page: Open) -> None:
    served = serve("momentum")
    page = open_page(served.links["Ana"].partition("#")[0], size=NARROW)
    page.locator("#connection", has_text="whole link").wait_for()
    assert page.behaviour.faults == []


def test_dice_are_shared_with_the_pages(serve: Callable[..., Served], phone: Callable[..., Any]) -> None:
    served = serve("momentum", options=("--shared-dice",))
    ana = phone(served, "Ana")
    ana.locator("#log .said", has_text='Ana chain "').wait_for()
    attack(ana, "Raider 1")
    ana.locator("#log .said", has_text='attack target="Raider 1"').wait_for()
    assert "[seed alone]" not in served.folder.run("log", "-n", "1")
    ana.reload()
    ana.locator("#log .said", has_text="attack target").wait_for()
    assert served.folder.run("log").count("Ana chain") == 1
    assert ana.locator("#witness").is_hidden()
    assert faults(ana) == []
    served.folder.run("close")
    assert "on the seed and on a link of a player's page" in served.folder.run("verify")


def test_rewritten_past_is_told_in_red(serve: Callable[..., Served], phone: Callable[..., Any]) -> None:
    served = serve("momentum", "> It rains")
    ana = phone(served, "Ana")
    change = """() => {
      const name = Object.keys(localStorage).find((each) => /^seen \\w+ 0$/.test(each));
      const records = JSON.parse(localStorage.getItem(name));
      records.find(([, , entry]) => entry === "1.2")[0] = "f".repeat(64);
      localStorage.setItem(name, JSON.stringify(records));
    }"""
    ana.evaluate(change)
    ana.reload()
    ana.get_by_role("alert").filter(has_text="The past was rewritten. Entry 1.2 is not what").wait_for()
    assert axe_faults(ana) == []
    assert ana.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]


def step(pages: dict[str, Any]) -> str:
    """Let the first phone that can do something do it by taps; return what it did."""
    for whose, page in pages.items():
        if whose != MASTER and page.locator("#taps h2", has_text="Answer").is_visible():
            return tap_first(page, page.evaluate("hands.taps.beings[0].acts.at(-1).label"))
        for name in ("Throw the dice", "Close: "):
            if page.locator("#pending").get_by_role("button", name=name).count():
                page.locator("#pending").get_by_role("button", name=name).first.tap()
                return name
    for page in pages.values():
        labels = page.evaluate("(hands.taps.beings.find(each => each.in_turn)?.acts ?? []).map(act => act.label)")
        if label := next((label for label in ("attack", "declare", *LETTING_GO) if label in labels), ""):
            return tap_first(page, label)
    labels = pages[MASTER].evaluate("hands.taps.beings.at(-1).acts.map(act => act.label)")
    if (own := pages[MASTER].locator("#taps").get_by_role("button", name="Table")).count():
        own.tap()
    return tap_first(pages[MASTER], next(label for label in GOING_ON if label in labels))


def tap_first(page: Any, label: str) -> str:
    """Tap a verb, then the first choice each time, type what it asks for, and send the line."""
    more = page.locator("#taps .grid").get_by_role("button", name="More …")
    if more.count():
        more.tap()
    tap(page, label)
    for _ in range(CHOICES_MOST):
        heading = page.locator("#taps h2", has_text=f"{label}").or_(page.locator("#draft h2"))
        heading.filter(visible=True).wait_for()
        if page.locator("#draft").is_visible():
            break
        label = f"{label} › {page.locator('#taps .grid button').first.inner_text()}"
        page.locator("#taps .grid button").first.tap()
    if label == "declare":
        page.get_by_label("text", exact=True).fill("forward")
        page.keyboard.press("Tab")
        page.locator("#draft .said", has_text="forward").wait_for()
    page.locator("#draft .send").tap()
    return label.partition(" ")[0]


def settle(pages: dict[str, Any], position: int) -> None:
    """Wait until all phones show the table as it is behind a position."""
    for _ in range(200):
        shown = [page.evaluate(SHOWN) for page in pages.values()]
        if min(map(min, shown)) > position and len({each[0] for each in shown}) == 1:
            return
        pages[MASTER].wait_for_timeout(50)
    raise AssertionError([(whose, page.locator("#desk").inner_text()) for whose, page in pages.items()])


@pytest.mark.parametrize("game", BUDGET.drawn(GAMES))
def test_evening_of_three_phones_and_a_shell(
    game: str, serve: Callable[..., Served], phone: Callable[..., Any]
) -> None:
    """Play a fight by taps alone, whoever is in turn; the shell ends it. Nobody sees another past than the others."""
    served = serve(game)
    pages = {whose: phone(served, whose) for whose in ("Ana", "Bo", MASTER)}
    settle(pages, 0)
    done = []
    while len(done) < STEPS or pages[MASTER].evaluate("hands.state.windows.length"):  # what is open comes to its end
        position = pages[MASTER].evaluate("hands.position")
        done.append(step(pages))
        settle(pages, position)
    assert done.count("attack") >= 3, done
    position = pages[MASTER].evaluate("hands.position")
    served.folder.run("do", '! over "the bell rings"')
    settle(pages, position)
    assert len({page.locator("#words").inner_text() for page in pages.values()}) == 1
    ids = [
        page.locator("#entries li").evaluate_all("items => items.map(item => item.dataset.entry)")
        for page in pages.values()
    ]
    assert ids[0] == ids[1] == ids[2]
    assert [fault for page in pages.values() for fault in faults(page)] == []
    served.folder.run("replay", "1")


def test_forecast_is_asked_for_with_the_keyboard(serve: Callable[..., Served], phone: Callable[..., Any]) -> None:
    served = serve("momentum")
    ana, master = phone(served, "Ana"), phone(served, MASTER)
    assert ana.locator("#forecast").is_hidden()
    master.locator("#forecast summary").focus()
    master.keyboard.press("Enter")
    master.locator("#policy").focus()
    master.keyboard.type("weakest")
    master.locator("#choice").focus()
    master.keyboard.type("foes: flees at 3")
    master.keyboard.press("Enter")
    shown = master.locator("#foreseen")
    shown.locator("text=; foes: flees at 3").wait_for(timeout=3 * SLOWEST)
    assert re.match(r"\d+ runs from 1\.\d+", shown.locator("p").first.inner_text())
    assert shown.locator(".fates li").count() == 4
    assert master.evaluate("document.querySelector('#forecast').scrollTop") > 0  # the answer is in view
    assert re.search(r"falls \d+ of \d+ \(\S+ to \S+ %\)", shown.locator(".fates li").first.inner_text())
    assert shown.locator("meter").first.get_attribute("aria-label") == "Vel falls"
    assert axe_faults(master) == []
    assert faults(master) == []
    assert master.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    assert master.evaluate("document.documentElement.scrollHeight") == NARROW["height"]
    master.locator("#choice").fill("nobody: flees at 3")
    master.locator("#foresee button").tap()
    shown.locator(".problem").wait_for(timeout=2 * SLOWEST)
    master.locator("#line").fill('! over "they have had enough"')
    master.keyboard.press("Enter")
    master.locator("#forecast").wait_for(state="hidden")
