"""Test the links that pages of players give for shared dice: which page is asked, and what a page that lies does."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

import msgspec
import pytest

pytest.importorskip("starlette", reason='pip install -e ".[serve]"')

from cli.table.page_links import GivenLink, LinkWanted, PageLinks
from cli.table.seats import GAME_MASTER, Seat
from ledger.links import LinkAsked
from tests.cli.asgi import get, opened, until
from tests.cli.conftest import Folder
from tests.cli.test_table_app import ANA, BO, Served, run
from tests.ledger.shared import LEDGER, Page

Behaviour = Callable[[PageLinks, LinkWanted, Page], None]


def gives(links: PageLinks, wanted: LinkWanted, page: Page) -> None:
    links.give(page.who, GivenLink(id=wanted.id, link=page.before(wanted.last)))


def lies(links: PageLinks, wanted: LinkWanted, page: Page) -> None:
    links.give(page.who, GivenLink(id=wanted.id, link="f" * 64))


def is_away(links: PageLinks, wanted: LinkWanted, page: Page) -> None:
    links.pass_over(wanted.id)


def sleeps(links: PageLinks, wanted: LinkWanted, page: Page) -> None:
    """Answer nothing."""


def gives_for_another(links: PageLinks, wanted: LinkWanted, page: Page) -> None:
    links.give("Cem", GivenLink(id=wanted.id, link=page.before(wanted.last)))


def given(*behaviours: Behaviour, by: str = "Kess", seen: str = "table") -> tuple[list[str], list[LinkWanted]]:
    """Return whose link each of three throws gets, and what was asked of the pages of Ana and Bo; Kess is Bo's."""
    pages = {who: Page(who) for who in ("Ana", "Bo")}
    last, asked = {who: page.chain[-1] for who, page in pages.items()}, list[LinkWanted]()

    def send(who: str, wanted: LinkWanted) -> None:
        asked.append(wanted)
        dict(zip(pages, behaviours, strict=True))[who](links, wanted, pages[who])

    links = PageLinks(send, seconds=0.01)
    links.player_of = lambda being: "bo" if being == "Kess" else ""
    owners = list[str]()
    for throw in range(1, 4):
        link = links.next_link(LinkAsked(LEDGER, 1, by, "task Kess", throw, seen, dict(last)))
        owner = next((who for who, page in pages.items() if link in page.chain), "")
        owners.append(owner)
        last |= {owner: link} if owner else {}
    return owners, asked


@pytest.mark.parametrize(
    ("behaviours", "by", "owners", "times"),
    [
        pytest.param((gives, gives), "Kess", ["Bo", "Bo", "Bo"], 3, id="of the roller"),
        pytest.param((gives, gives), "Ogre", ["Ana", "Bo", "Ana"], 3, id="of a foe: in turn"),
        pytest.param((gives, is_away), "Kess", ["Ana", "Ana", "Ana"], 6, id="the roller is away"),
        pytest.param((gives, lies), "Kess", ["Ana", "Ana", "Ana"], 6, id="the roller lies"),
        pytest.param((gives, sleeps), "Kess", ["Ana", "Ana", "Ana"], 4, id="the roller sleeps: asked once"),
        pytest.param((gives, gives_for_another), "Kess", ["Ana", "Ana", "Ana"], 4, id="by another link"),
        pytest.param((lies, is_away), "Kess", ["", "", ""], 6, id="nobody"),
    ],
)
def test_page_whose_link_is_taken(behaviours: tuple[Behaviour, ...], by: str, owners: list[str], times: int) -> None:
    found, asked = given(*behaviours, by=by)
    assert (found, len(asked)) == (owners, times)


def asking(by: str, purpose: str, throw: int = 1, **chains: str) -> LinkAsked:
    return LinkAsked(LEDGER, 1, by, purpose, throw, "table", chains)


def test_link_is_used_again_for_its_throw_and_not_for_another() -> None:
    """A line that is decided again needs no page. As long as no entry has the link, other pages are asked first."""
    pages = {who: Page(who) for who in ("Ana", "Bo")}
    ana, bo = (page.chain[-1] for page in pages.values())
    asked = list[str]()

    def send(who: str, wanted: LinkWanted) -> None:
        asked.append(who)
        links.give(who, GivenLink(id=wanted.id, link=pages[who].before(wanted.last)))

    links = PageLinks(send, seconds=0.01)
    for wanted, link, who in (
        (asking("Ana", "task Ana", Ana=ana, Bo=bo), pages["Ana"].chain[-2], ["Ana"]),
        (asking("Ana", "task Ana", Ana=ana, Bo=bo), pages["Ana"].chain[-2], []),
        (asking("Ana", "task Ana", 2, Ana=ana, Bo=bo), pages["Bo"].chain[-2], ["Bo"]),
        (asking("Bo", "task Bo", Ana=ana), pages["Ana"].chain[-2], ["Ana"]),
        (asking("Ana", "task Ana", Ana=pages["Ana"].chain[-2]), pages["Ana"].chain[-3], ["Ana"]),
    ):
        asked.clear()
        assert (links.next_link(wanted), asked) == (link, who)


def test_purpose_of_a_secret_throw_is_not_told() -> None:
    assert {(wanted.purpose, wanted.throw) for wanted in given(gives, gives)[1]} == {
        ("task Kess", n) for n in (1, 2, 3)
    }
    assert {(wanted.purpose, wanted.throw) for wanted in given(gives, gives, seen="gm")[1]} == {("", 0)}


@pytest.mark.slow
def test_page_gives_its_part_over_http(night: Folder) -> None:
    night.run("do", "close")
    night.run("close")
    night.run("open", "Five", "--shared-dice", "--players", "ana,bo")

    async def work(served: Served) -> None:
        state = json.loads((await served.ask(ANA, "/state")).body)
        assert state["chains"] == []
        page = Page("Ana", state["ledger"], 5)
        assert json.loads((await served.say(ANA, f'Ana chain "{page.commits.chain}" 20')).body)["status"] == "taken"
        events = opened(served.app, "/events?after=0", **served.headers(ANA))
        async with events as heard:
            saying = asyncio.create_task(served.say(ANA, "k sneak v4"))
            await until(heard, "event: link")
            wanted = json.loads(heard.text.partition("event: link\ndata: ")[2].splitlines()[0])
            assert (wanted["last"], wanted["purpose"]) == (page.commits.chain, "task Kess")
            answers = [await give(served, seat, wanted["id"], page.before(wanted["last"])) for seat in (BO, ANA, ANA)]
            assert answers == ["too late", "taken", "too late"]
            await saying
        assert served.table.page_links.player_of("Kess") == "Ana"
        alone = json.loads((await served.say(GAME_MASTER, "close")).body)
        log = json.loads((await served.ask(BO, "/log?after=0")).body)
        assert alone["status"] == "taken"
        assert [chain["who"] for chain in log["chains"]] == ["Ana"]
        assert [(used["purpose"], used["links"]) for used in log["links"]] == [("task Kess", [page.chain[-2]])]
        assert json.loads((await served.ask(BO, "/state")).body)["chains"][0]["left"] == 19

    run(night, work)


@pytest.mark.parametrize("token", ["", "guess", "of Ana"])
def test_nobody_but_the_owner_asks_for_links(night: Folder, token: str) -> None:
    """Not even a player: with many links of others one could look ahead."""
    asked = msgspec.json.encode(LinkAsked(LEDGER, 4, "Ana", "task Kess", 1, "table", {"Ana": "f" * 64}))

    async def work(served: Served) -> None:
        given = {"method": "POST", "content_type": "application/json"}
        known = served.links.token(ANA) if token == "of Ana" else token
        answer = await get(served.app, "/ask-link", asked, authorization=f"Bearer {known}", **given)
        assert (answer.status, json.loads(answer.body)["code"]) == (401, "L-TOKEN")

    run(night, work)


async def give(served: Served, seat: Seat, id: str, link: str) -> str:
    body = json.dumps({"id": id, "link": link}).encode()
    headers = {"method": "POST", "content_type": "application/json"} | served.headers(seat)
    return str(json.loads((await get(served.app, "/link", body, **headers)).body)["status"])
