"""The cheats of a game master who has the seed, one by one: what the ledger shows, and what `help trust` says of it.

A claim stands in the help, in these words, so that it says neither more nor less than what the commands show.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import msgspec
import pytest

from ledger import service
from ledger.links import LineLinks
from tests.budget import BUDGET
from tests.cli.conftest import Folder, copied
from tests.cli.test_leaf_forgeries import forge, saying, stored_records
from tests.cli.test_proof import evening
from tests.ledger.shared import Page

ROLL = "k climb v4"
UNNOTICED = "No kept head was given"
KEPT = "its hash differs from the head that was kept"
COUNTED = ("verify", "recap", "luck", "replay")


def faces_of(folder: Folder, entry: str, session: str = "2") -> list[int]:
    """Return the faces of the throws of an entry."""
    records = map(json.loads, folder.run("log", session, "--json").splitlines())
    (record,) = (record for record in records if entry == f"{record['session']}.{record['number']}")
    return [die["face"] for fact in record["facts"] if fact["fact"] == "rolled" for die in fact["dice"]]


def new_place(folder: Folder, name: str) -> Path:
    """Return a new folder beside one."""
    place = folder.path.parent / name
    place.mkdir()
    return place


def head_of(folder: Folder) -> str:
    """Return the head of a ledger now."""
    return folder.run("verify", "--quick").partition("head ")[2].splitlines()[0]


def is_found(folder: Folder, *options: str) -> bool:
    """Return whether `verify` finds an error."""
    return folder.invoke("verify", *options).exit_code == 1


def looks_ahead(folder: Folder) -> None:
    """In a copy of the folder the next roll can be seen; nothing of that stands in the ledger."""
    copy = copied(folder, folder.path.parent / "copy")
    copy.run("do", ROLL)
    folder.run("do", ROLL)
    assert faces_of(copy, "2.1") == faces_of(folder, "2.1")
    assert not is_found(folder)


def pads_with_notes(folder: Folder) -> None:
    """Secret notes before a roll, and other lines, do not move its dice."""
    plain = copied(folder, folder.path.parent / "plain")
    for number in range(4):
        folder.run("do", f"!! > note {number}")
    folder.run("do", "o climb v4")
    folder.run("do", "close")
    for each in (plain, folder):
        each.run("do", ROLL)
    assert faces_of(folder, "2.7") == faces_of(plain, "2.1")


def rolls_until_it_suits(folder: Folder) -> None:
    """A roll that is undone and said again, with a note between, has the same dice; one that is not is counted."""
    folder.run("do", ROLL)
    before = faces_of(folder, "2.1")
    for number in range(2):
        folder.run("undo")
        folder.run("do", f"!! > note {number}")
        folder.run("do", ROLL)
    assert faces_of(folder, "2.5") == before
    folder.run("undo")
    folder.run("do", "o climb v4")
    for command in COUNTED:
        assert "taken back after" in folder.run(command), command
    assert "taken back after" in folder.run("recap", "--as", "players")


def says_the_last_words(folder: Folder) -> None:
    """Words of somebody who is not there are told; with a list of players they are refused."""
    folder.run("do", 'ana words "brass kettle"')
    folder.run("do", 'zed words "heron 60"')
    folder.run("do", ROLL)
    assert "zed spoke last" in folder.run("verify")
    for by in ("gm", "Ana"):
        assert folder.invoke("do", f'{by} words "later"').exit_code == 1
    listed = copied(folder, folder.path.parent / "listed")
    listed.run("do", "close")
    listed.run("close")
    listed.run("open", "Two", "--players", "ana,bo")
    for by in ("zed", "kess", "anna"):
        assert "not one of the players" in listed.invoke("do", f'{by} words "heron"').output


def grinds_the_seed(folder: Folder) -> None:
    """Where no player added words, the game master alone chose the dice."""
    folder.run("do", ROLL)
    for command in ("verify", "replay", "luck"):
        assert "no player added words: the game master alone chose these dice" in folder.run(command), command


def plays_again_from_a_copy(folder: Folder) -> None:
    """The evening again from its opening: a head of the opening fits, one from within the evening does not."""
    opening = head_of(folder)
    again = copied(folder, folder.path.parent / "again")
    folder.run("do", ROLL)
    within = head_of(folder)
    again.run("do", "o climb v4")
    again.run("do", "close")
    assert not is_found(again, "--head", opening)
    assert is_found(again, "--head", within)
    assert KEPT in again.invoke("verify", "--head", within).output


def writes_all_anew(folder: Folder) -> None:
    """Another ledger with the same id and another seed is well in itself; only a kept head shows it."""
    folder.run("do", ROLL)
    kept = head_of(folder)
    other = evening(new_place(folder, "other"), words=True)
    assert not is_found(other)
    assert UNNOTICED in other.invoke("verify").output
    assert is_found(other, "--head", kept)


def loses_the_seed(folder: Folder) -> None:
    """Faces of a session that is closed without its seed are unproved, everywhere."""
    folder.run("do", ROLL)
    folder.run("do", "close")
    for seed in folder.path.glob("seed-*.secret"):
        seed.unlink()
    folder.run("close", "--seed-lost")
    for command in COUNTED:
        assert "unproved" in folder.run(command), command
    assert "all is well" not in folder.run("verify")


def fixes_the_seed(folder: Folder) -> None:
    """A seed that was given beforehand is said wherever faces are counted."""
    fixed = evening(new_place(folder, "fixed"), "--seed", "7", words=True)
    for command in COUNTED:
        assert "fixed seed" in fixed.run(command), command


def amends_after_the_close(folder: Folder) -> None:
    """Faces that a correction draws after the reveal are marked."""
    closed = evening(new_place(folder, "closed"), words=True)
    closed.run("amend", "--insert", "1.1", "o climb v4", "--because", "forgotten", "--retcon")
    for command in COUNTED:
        assert "after the seed was revealed" in closed.run(command), command
    assert "[drawn after the reveal]" in closed.run("log", "1")


def types_faces(folder: Folder) -> None:
    """Typed faces are counted apart."""
    folder.run("do", f"{ROLL} /12.12")
    assert "table dice" in folder.run("log", "2")
    assert "2 typed at the table" in folder.run("replay")


def turns_the_clock_back(folder: Folder) -> None:
    """A clock that runs backwards is said."""
    assert folder.invoke("do", "> late", clock="2026-01-09T18:00:00Z").exit_code == 0
    assert "backwards" in folder.run("verify")


def shows_the_players_another_fact(folder: Folder) -> None:
    """A public part that says something else than everybody saw is found, also under right hashes."""
    folder.run("do", "!! > the lamplighter is the thief")
    kept = stored_records(folder)
    name = list(kept)[-1]
    forge(folder, {name: saying("public", '"by":"gm"', '"by":"Ana"')(kept[name])}, chained=True)
    assert is_found(folder)
    assert is_found(folder, "--quick")


def writes_a_secret_anew(folder: Folder) -> None:
    """A secret that is changed later fits under new hashes, and no head that anybody kept fits it."""
    folder.run("do", "!! > the lamplighter is the thief")
    kept = head_of(folder)
    records = stored_records(folder)
    name = list(records)[-1]
    sealed = records[name].sealed
    assert sealed is not None
    other = msgspec.structs.replace(records[name], sealed=sealed.replace(b"lamplighter", b"lampwright"))
    forge(folder, {name: other}, chained=True)
    folder.run("rebuild")
    assert not is_found(folder)
    assert KEPT in folder.invoke("verify", "--head", kept).output


def looks_ahead_at_shared_dice(folder: Folder) -> None:
    """Where dice are shared, a copy of the folder shows what no page has given a link for, and that is marked."""
    folder.run("do", "close")
    folder.run("close")
    folder.run("open", "Three", "--shared-dice", "--seed", "ferry")
    created = json.loads(folder.run("log", "0", "--json").splitlines()[0])
    page = Page("ana", created["facts"][1]["ledger"], 3)
    folder.run("do", f'ana chain "{page.commits.chain}" {page.commits.length}')
    copy = copied(folder, folder.path.parent / "copy")
    copy.run("do", ROLL)
    with patch.object(service, "LineLinks", lambda store, session, _: LineLinks(store, session, page)):
        folder.run("do", ROLL)
    assert "[seed alone]" in copy.run("log", "3")
    assert "[seed alone]" not in folder.run("log", "3")
    assert faces_of(copy, "3.2", "3") != faces_of(folder, "3.2", "3")
    for each, told in ((copy, "2 faces on the seed alone"), (folder, "2 faces rest on the seed and on a link")):
        each.run("do", "close")
        each.run("close")
        assert not is_found(each)
        assert told in each.run("verify")


class Cheat(NamedTuple):
    """A cheat, and what `help trust` says of it, in parts."""

    tried: Callable[[Folder], None]
    claims: tuple[str, ...]


CHEATS = (
    Cheat(looks_ahead, ("could look ahead and so choose what is rolled and when",)),
    Cheat(pads_with_notes, ("Nothing that is said before a roll moves its dice", "No note, secret line or other roll")),
    Cheat(rolls_until_it_suits, ("what was undone meets the same ones", "rolls that were taken back")),
    Cheat(says_the_last_words, ("or add words last", "those of invented players look the same")),
    Cheat(grinds_the_seed, ("the game master alone chose the seed, perhaps one of many that were tried",)),
    Cheat(plays_again_from_a_copy, ("a head of its opening still fits", "a head from within the evening shows it")),
    Cheat(writes_all_anew, ("If somebody kept the commitment that open printed", "rewritten after the last head")),
    Cheat(loses_the_seed, ("nothing: invented faces look the same",)),
    Cheat(fixes_the_seed, ("whoever chose the text could know every face beforehand",)),
    Cheat(amends_after_the_close, ("its writer knew them: they are marked",)),
    Cheat(types_faces, ("or that typed faces are true",)),
    Cheat(turns_the_clock_back, ()),
    Cheat(shows_the_players_another_fact, ("verify finds a public part that says something else",)),
    Cheat(looks_ahead_at_shared_dice, ("nobody knows it before both have given their part", "are marked [seed alone]")),
    Cheat(writes_a_secret_anew, ("a secret that is shown later is proved to have stood there",)),
)

QUICK = [cheat for cheat in CHEATS if cheat.tried in (types_faces, shows_the_players_another_fact)]


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """Return a campaign with an open session of a secret seed, in which nothing was said."""
    folder = evening(tmp_path_factory.mktemp("cheats"), words=True)
    folder.run("open", "Two")
    return folder


@pytest.mark.parametrize("cheat", BUDGET.cases(QUICK, CHEATS), ids=lambda cheat: cheat.tried.__name__)
def test_cheat_shows_what_the_help_claims(cheat: Cheat, opened: Folder, tmp_path: Path) -> None:
    cheat.tried(copied(opened, tmp_path / "salt"))
    trust = " ".join(opened.run("help", "trust").replace("`", "").split())
    assert [claim for claim in cheat.claims if claim not in trust] == []
