"""The cheats at a table of phones, one by one: each row of the tables in `help trust`, and what shows it.

What the phone of a player says is asked of the scripts of its page, under node, with the log that the server sends.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import msgspec
import pytest

pytest.importorskip("starlette", reason='pip install -e ".[serve]"')

import cli
from cli.context import CampaignContext
from cli.play.declare import declare_line
from cli.table.links import SeatLinks, absent_players, seats_for
from cli.table.seats import GAME_MASTER, Seat
from cli.table.view import TableView
from ledger import service
from ledger.dice import face, fixed_seed, session_key
from ledger.links import LineLinks, LinkAsked
from ledger.records import Sender
from tests.cli.asgi import get
from tests.cli.conftest import CLOCK, Folder, copied
from tests.cli.pages.test_witness import log_of, noticed
from tests.cli.test_cheats import (
    KEPT,
    ROLL,
    faces_of,
    is_found,
    looks_ahead_at_shared_dice,
    opened,
    writes_a_secret_anew,
)
from tests.cli.test_table_app import ANA, Served, problem, run
from tests.cli.verifiers import needs_node
from tests.ledger.shared import Page

__all__ = ["opened"]  # a fixture
SEED = "ferry"
ALONE = "[seed alone]"
OTHER_ROLL = "o climb v4"  # another roll


class Shared(NamedTuple):
    """A session of shared dice in which the page of Ana has committed to its chain."""

    folder: Folder
    page: Page

    def log(self) -> str:
        return self.folder.run("log", "3")

    def state(self) -> list[Any]:
        """Return the table as the page of Ana gets it."""
        view = TableView(CampaignContext(self.folder.path, CLOCK))
        try:
            return ["state", msgspec.to_builtins(view.state(Seat("player", "ana")))]
        finally:
            view.context.close()

    def noticed(self, *gave: str) -> dict[str, Any]:
        """Return what the page of Ana notices in the log, after it gave its first link for the throw of a purpose."""
        _, state = self.state()
        fresh = state | {"chains": []}  # from which it makes its chain
        committed = state | {"chains": [{"who": "ana", "last": self.page.chain[-1], "left": len(self.page.chain) - 1}]}
        wanted = {"id": "a", "session": 3, "last": self.page.chain[-1], "throw": 1}
        asked = [act for purpose in gave for act in (["ask", wanted | {"purpose": purpose}], ["answer", "a", "taken"])]
        return noticed(["state", fresh], ["state", committed], *asked, ["log", log_of(self.folder)], ["state", state])


def share(folder: Folder) -> Shared:
    """Open a session of shared dice, to which Ana's page commits."""
    folder.run("do", "close")
    folder.run("close")
    folder.run("open", "Three", "--shared-dice", "--seed", SEED)
    page = Page("ana", "0" * 31 + "7", 3, last_link="1" * 64, length=500)
    folder.run("do", f'ana chain "{page.commits.chain}" {page.commits.length}')
    return Shared(folder, page)


class Liar(Page):
    """A page that invents its links."""

    def next_link(self, asked: LinkAsked) -> str:
        return "f" * 64


@contextmanager
def answering(page: Page) -> Iterator[None]:
    """Let a page give its links for the lines that are said."""
    with patch.object(service, "LineLinks", lambda store, session, _: LineLinks(store, session, page)):
        yield


def tries_many_seeds(folder: Folder) -> None:
    """For each of eight words the faces are known in advance without the link, and none comes so."""
    shared = share(folder)
    known, thrown = list[list[int]](), list[list[int]]()
    for number in range(8):
        each = copied(folder, folder.path.parent / f"words {number}")
        each.run("do", f'zed words "heron {number}"')
        alone = copied(each, folder.path.parent / f"alone {number}")
        alone.run("do", ROLL)
        with answering(shared.page):
            each.run("do", ROLL)
        known.append(faces_of(alone, "3.3", "3"))
        thrown.append(faces_of(each, "3.3", "3"))
    assert [one for one, other in zip(known, thrown, strict=True) if one == other] == []


def throws_something_else(folder: Folder) -> None:
    shared = share(folder)
    with answering(shared.page):
        folder.run("do", OTHER_ROLL)
    assert 'has your link for "task Kess", throw 1 in it' in "".join(shared.noticed("task Kess")["alarms"])
    assert shared.noticed("task Orrin")["alarms"] == []


def says_the_page_was_away(folder: Folder) -> None:
    shared = share(folder)
    folder.run("do", ROLL)
    assert ALONE in shared.log()
    (alarm,) = shared.noticed("task Kess")["alarms"]
    assert alarm.startswith('You gave a link for "task Kess", throw 1, and entry 3.2 was thrown without it.')
    assert shared.noticed()["alarms"] == []


def commits_for_a_player(folder: Folder) -> None:
    shared = share(folder)
    assert shared.noticed()["stranger"] is False
    folder.run("do", f'ana chain "{"f" * 64}" 9')
    assert shared.noticed()["stranger"] is True
    assert "ana chain ffffffff" in shared.log().replace('"', "")


def invents_links(folder: Folder) -> None:
    shared = share(folder)
    with answering(Liar("ana")):
        folder.run("do", ROLL)
    assert ALONE in shared.log()


def knows_both(folder: Folder) -> None:
    """Whoever has the seed and the secret of the chain knows each face beforehand, and nothing shows it."""
    shared = share(folder)
    key = session_key(fixed_seed(SEED), "0" * 31 + "7", 3, [])
    known = [face(key, "task Kess", 1, ordinal, 12, shared.page.chain[-2]) for ordinal in range(2)]
    with answering(shared.page):
        folder.run("do", ROLL)
    assert faces_of(folder, "3.2", "3") == known
    assert not is_found(folder)
    assert shared.noticed("task Kess")["alarms"] == []


def two_pasts(folder: Folder) -> tuple[dict[str, Any], dict[str, Any], Folder]:
    """Return the log of an evening, that of another from its copy, and the folder of the second."""
    other = copied(folder, folder.path.parent / "other")
    folder.run("do", "> It rains")
    other.run("do", "> It snows")
    other.run("do", "> It thaws")
    return log_of(folder), log_of(other), other


def plays_again(folder: Folder) -> None:
    first, second, _ = two_pasts(folder)
    entry = first["lines"][-1]["entry"]
    (alarm,) = noticed(["log", first], ["open"], ["log", second])["alarms"]
    assert alarm.startswith(f"The past was rewritten. Entry {entry} is not what this page has seen")
    assert noticed(["log", second])["alarms"] == []  # who was not there


def cuts_off(folder: Folder) -> None:
    before = log_of(folder)
    folder.run("do", "> It rains")
    (alarm,) = noticed(["log", log_of(folder)], ["open"], ["log", before])["alarms"]
    assert alarm.startswith(f"The log was cut off: it ends at position {before['position']}")


def rewrites_a_secret(folder: Folder) -> None:
    seen = list[dict[str, Any]]()
    run_command = Folder.run

    def run_and_look(self: Folder, *arguments: str) -> str:
        said = run_command(self, *arguments)
        if arguments[:1] == ("do",):
            seen.append(log_of(self))
        return said

    with patch.object(Folder, "run", run_and_look):
        writes_a_secret_anew(folder)
    (alarm,) = noticed(["log", seen[-1]], ["open"], ["log", log_of(folder)])["alarms"]
    assert alarm.startswith(f"The past was rewritten. What stands at position {seen[-1]['position']} is not what")


def shows_another_campaign(folder: Folder) -> None:
    log = log_of(folder)
    (alarm,) = noticed(["log", log], ["open"], ["log", log | {"ledger": "f" * 32}])["alarms"]
    assert alarm == "This link has shown another campaign before: its log is another one."


def shows_two_pasts(folder: Folder) -> None:
    first, second, other = two_pasts(folder)
    assert first["words"] != second["words"]
    for log, each in ((first, folder), (second, other)):
        assert json.loads(each.run("head", "--json"))["words"] == list(log["words"])
    kept = f"{first['position']} {first['head']}"
    assert not is_found(folder, "--head", kept)
    assert KEPT in other.invoke("verify", "--head", kept).output


def changes_what_is_sent(folder: Folder) -> None:
    log = log_of(folder)
    for field in ("leaf", "hash"):
        changed = log | {"chain": [*log["chain"][:-1], log["chain"][-1] | {field: "f" * 64}]}
        assert "The log cannot be right" in "".join(noticed(["log", changed])["alarms"]), field


def is_a_page_of_somewhere_else(night: Folder) -> None:
    async def work(served: Served) -> None:
        for headers, code in (
            ({"origin": "http://evil.example"}, "L-ORIGIN"),
            ({"sec_fetch_site": "cross-site"}, "L-ORIGIN"),
            ({"host": "evil.example"}, "L-HOST"),
            ({"authorization": ""}, "L-TOKEN"),
        ):
            assert problem(await served.say(ANA, "k sneak v4", **headers))[1] == code

    run(night, work)


def has_no_link(night: Folder) -> None:
    async def work(served: Served) -> None:
        for path in ("/state", "/log?after=0", "/acts", "/events", "/odds?line=k", "/complete?line=k"):
            assert problem(await get(served.app, path, authorization="Bearer guess")) == (401, "L-TOKEN"), path
        page = await get(served.app, "/")
        assert page.status == 200
        assert not [name for name in ("Kess", "Ana", "Gutter") if name in page.text]

    run(night, work)


def has_a_players_link(night: Folder) -> None:
    """They speak for Kess alone, type faces that are marked, see no secret, and are named; a new link ends theirs."""
    night.run("do", "!! > the lamplighter is the thief")

    async def work(served: Served) -> None:
        stolen = served.headers(ANA)
        assert (await served.say(ANA, "k sneak v4 /12.12")).status == 200
        for line in ("o climb v4", "undo", '~ +1"rope"', "!! > I know", "! doom 1 change-target"):
            assert (await served.say(ANA, line)).status == 422, line
        assert "lamplighter" not in (await served.ask(ANA, "/log?after=0")).text
        SeatLinks(night.path, seats_for(["Ana", "Bo"]), new=[ANA])
        assert problem(await served.say(ANA, "k sneak v4", **stolen)) == (401, "L-TOKEN")

    run(night, work)
    taken = night.run("log", "--takes")
    assert "[table dice]" in taken
    assert taken.count("(from the page of Ana)") == 1


def has_the_link_of_one_who_is_absent(night: Folder) -> None:
    """They look, speak again in a session that lists the player, and see nothing once there is a new link."""
    night.run("do", "!! > the lamplighter is the thief")
    cem = Seat("player", "Cem")

    async def work() -> None:
        served = Served(night)  # nobody watches its ledger, so that it is said here who plays
        try:
            served.links.reseat(["Ana", "Bo", "Cem"])
            stolen = served.headers(cem)
            served.links.reseat(["Ana", "Bo"])
            log = await get(served.app, "/log?after=0", **stolen)
            assert log.status == 200
            assert "lamplighter" not in log.text
            answer = await served.say(cem, "t sneak v4", **stolen)
            assert problem(answer) == (422, "L-SEAT")
            assert "cem is not in this session" in answer.text
            served.links.reseat(["Ana", "Cem"])
            assert (await served.say(cem, "t sneak v4", **stolen)).status == 200
            served.links.reseat(["Ana", "Bo"])
            SeatLinks(night.path, seats_for(["Ana", "Bo"]), new=absent_players(night.path, served.links.seats))
            assert problem(await get(served.app, "/log?after=0", **stolen)) == (401, "L-TOKEN")
        finally:
            served.table.close()

    asyncio.run(work())


def has_the_link_of_the_game_master(night: Folder) -> None:
    """They see every secret, and not the seed of the session; they give no command options."""
    night.run("do", "!! > the lamplighter is the thief")
    seeds = [path.read_text().strip() for path in night.path.glob("seed-*.secret")]
    assert seeds

    async def work(served: Served) -> None:
        answers = [await served.ask(GAME_MASTER, path) for path in ("/state", "/log?after=0", "/acts")]
        answers += [await served.say(GAME_MASTER, line) for line in ("? show", "? verify", "? log")]
        assert "lamplighter" in answers[1].text
        for seed in seeds:
            assert not [answer for answer in answers if re.search(r"[0-9a-f]{64}", seed)[0] in answer.text]
        assert (await served.say(GAME_MASTER, "? log --json")).status == 422

    run(night, work)


def replays_a_request(night: Folder) -> None:
    """In every server of the ledger."""
    answers = list[bytes]()

    async def work(served: Served) -> None:
        answers.append((await served.say(ANA, "k sneak v4", key="recorded-request")).body)
        assert problem(await served.say(ANA, "k leap v4", key="recorded-request")) == (422, "L-REQUEST")

    heads = list[str]()
    for _ in range(3):
        run(night, work)
        heads.append(night.run("head", "--json"))
    assert (len(set(answers)), len(set(heads))) == (1, 1)


def writes_for_a_player(night: Folder) -> None:
    """The name in a record is no signature; Ana finds what she has not said in the log."""
    before = log_of(night)
    context = CampaignContext(night.path, CLOCK)
    try:
        ledger = context.ledger(write=True, door="page")
        ledger.sender = Sender("page", "Ana")
        declare_line(ledger, context.game(), "k sneak v4", at=CLOCK)
    finally:
        context.close()
    assert not is_found(night)
    log = log_of(night)
    assert noticed(["log", before], ["log", log])["alarms"] == []
    assert [line["holder"] for line in log["lines"]][-1] == "Ana"


OF_DICE: dict[str, Callable[[Folder], None]] = {
    "the game master looks ahead with the seed": looks_ahead_at_shared_dice,
    "the game master chooses the seed, tries many, or adds the last words": tries_many_seeds,
    "has a program that asks a page for a link, and then throws something else with it": throws_something_else,
    "says that a page was away, since the seed alone gives a better face": says_the_page_was_away,
    "commits to a chain in the name of a player": commits_for_a_player,
    "a player who invents links": invents_links,
    "a player with the seed, or a game master with a player's secret": knows_both,
}
OF_THE_PAST: dict[str, Callable[[Folder], None]] = {
    "plays the evening again from a copy": plays_again,
    "cuts off the end of the log": cuts_off,
    "writes a secret anew that no player was shown": rewrites_a_secret,
    "shows a link another campaign": shows_another_campaign,
    "shows two phones different pasts": shows_two_pasts,
    "changes what a phone is sent on its way": changes_what_is_sent,
}
OF_LINKS: dict[str, Callable[[Folder], None]] = {
    "a page of somewhere else in a player's browser, also one whose name is pointed at this machine": (
        is_a_page_of_somewhere_else
    ),
    "somebody in the network without a link": has_no_link,
    "who has a player's link, or a copy of it": has_a_players_link,
    "who has the link of a player who is not in the session": has_the_link_of_one_who_is_absent,
    "who has the game master's link": has_the_link_of_the_game_master,
    "who sends a recorded request again": replays_a_request,
    "the owner of the server": writes_for_a_player,
}
TABLES = (OF_DICE, OF_THE_PAST, OF_LINKS)


@pytest.mark.slow
@needs_node
@pytest.mark.parametrize("cheat", [*OF_DICE.values(), *OF_THE_PAST.values()], ids=lambda cheat: cheat.__name__)
def test_cheat_with_the_past_or_the_dice_is_seen(
    cheat: Callable[[Folder], None], opened: Folder, tmp_path: Path
) -> None:
    cheat(copied(opened, tmp_path / "salt"))


@pytest.mark.slow
@needs_node
@pytest.mark.parametrize("cheat", OF_LINKS.values(), ids=lambda cheat: cheat.__name__)
def test_link_can_no_more_than_is_said(cheat: Callable[[Folder], None], night: Folder) -> None:
    cheat(night)


def test_each_row_of_the_help_is_tried() -> None:
    trust = (Path(cli.__file__).parent / "help" / "trust.md").read_text()
    tables = trust.partition("## Shared dice")[2].partition("## Later versions")[0]
    rows = [row.split("|")[1].strip() for row in tables.splitlines() if row.startswith("| ")]
    tried = [name for table in TABLES for name in table]
    assert [row for row in rows if row not in ("somebody", "who", "---")] == tried
