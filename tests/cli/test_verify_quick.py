"""Test what `verify --quick` finds of forged ledgers whose hashes were computed again, and what it says it does not."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import msgspec
import pytest

from cli.questions.line_check import hear_nothing
from cli.questions.verification import quick_verification, verification
from ledger.facts import CampaignCreated, Judged, PointsSpent, Rolled, SessionClosed, SessionOpened, Told, WordsAdded
from ledger.sqlite_store import open_store
from tests.cli import test_forgeries as forgeries
from tests.cli.conftest import Folder, copied, one_error
from tests.cli.test_forgeries import (
    BESIDE_THE_CHAIN,
    FACE,
    HASH,
    KEPT,
    NOTE,
    OTHER_SEED,
    REWRITES,
    adding,
    copying,
    line,
    said,
    take,
    told,
)
from tests.ledger.strategies import Forger, declared, dropping, edits

__all__ = ["told"]

SUMS = "its facts do not add up"
COMMITTED = "the seed that it reveals is not the one that the session committed to"


def typed(name, *faces):
    """Return an edit of the typed faces of a line alone."""

    def edit(records):
        return [
            msgspec.structs.replace(old, facts=(msgspec.structs.replace(declared(old), faces=faces), *old.facts[1:]))
            if str(old.id) == name
            else old
            for old in records
        ]

    return edit


FOUND = {
    "an entry removed": (dropping("1.2"), "entry 1.2: the entry is missing"),
    "a replaced take removed": (dropping("1.1", 1), "entry 1.1: take 1 is missing"),
    "an id doubled": (copying("1.2", "1.2"), "entry 1.2: take 2 is missing"),
    "a position left out": (take("1.3", position=99), "position 98: a record is missing"),
    "a face": (take("1.3@2", kind=Rolled, fact=FACE), "entry 1.3: the seed gives "),
    "a roll under another purpose": (take("1.3@2", kind=Rolled, fact={"purpose": "task Orrin"}), "entry 1.3: the seed"),
    "a face called typed": (
        take("1.3@2", kind=Rolled, fact={"source": "table"}),
        "entry 1.3: it shows the typed faces",
    ),
    "a face of no source": (
        take("1.3@2", kind=Rolled, fact={"source": "odds"}),
        "entry 1.3: its dice are of no source",
    ),
    "typed faces without a roll": (typed("1.2", 7), "entry 1.2: it shows the typed faces none, but its line has 7"),
    "a cost that does not add up": (take("2.2@3", kind=PointsSpent, fact={"points": 1}), f"entry 2.2: {SUMS}: "),
    "a seed": (
        edits(
            said("1.7", '"seed":"', '"seed":"' + OTHER_SEED), take("1.7", kind=SessionClosed, fact={"seed": OTHER_SEED})
        ),
        f"entry 1.7: {COMMITTED}",
    ),
    "a commitment": (take("2.0", kind=SessionOpened, fact={"commitment": OTHER_SEED}), COMMITTED),
    "a player's words": (
        edits(said("2.1", "kettle", "button"), take("2.1", kind=WordsAdded, fact={"words": "brass button"})),
        "entry 2.2: the seed gives ",
    ),
    "the ledger's id": (take("0.0", kind=CampaignCreated, fact={"ledger": "f" * 32}), "entry 1.3: the seed gives "),
    "who said it": (take("1.3", by="Orrin"), "entry 1.3: it is by Orrin, but its declaration is by Kess"),
}
NOT_FOUND = {  # by `verify` alone
    "a fact's text": take("1.2", kind=Told, fact={"text": "dark"}),
    "a result": take("1.3@2", kind=Judged, fact={"result": "success", "margin": 9}),
    "an invented fact": adding("1.2", NOTE),
    "a line": line("1.5", "o climb v9"),
    "a face in a replaced take": take("1.1", kind=Rolled, fact=FACE),
    "a correction's line": line("2.6", '~ 2.2 v6 because="again" retcon'),
}


findings = partial(forgeries.findings, check=quick_verification)  # of `verify --quick`


@pytest.mark.slow
def test_ledger_as_it_was_has_no_finding(told):
    assert findings(told, told.kept) == []


@pytest.mark.quick_rows(3)
@pytest.mark.parametrize("name", FOUND)
def test_forgery_is_found_without_the_rules(told, tmp_path: Path, name):
    folder = copied(told, tmp_path)
    edit, expected = FOUND[name]
    Forger(folder.ledger).rewrite(edit, chained=True)
    found = findings(folder)
    assert any(expected in finding for finding in found), found


@pytest.mark.slow
@pytest.mark.parametrize("name", NOT_FOUND)
def test_forgery_against_the_rules_needs_verify(told, tmp_path, name):
    folder = copied(told, tmp_path)
    Forger(folder.ledger).rewrite(NOT_FOUND[name], chained=True)
    folder.run("rebuild")
    done = folder.invoke("verify", "--quick")
    assert (done.exit_code, "The rules were not applied again" in done.stdout) == (0, True)
    store = open_store(folder.ledger, write=False)
    assert verification(store, (), None, hear_nothing).findings
    store.close()


@pytest.mark.parametrize("name", ["an entry removed", "a fact's text", "the time"])
def test_changed_bytes_are_found_by_the_chain(told, tmp_path, name):
    folder = copied(told, tmp_path)
    Forger(folder.ledger).rewrite(REWRITES[name][0], chained=False)
    assert any(HASH in finding for finding in findings(folder))


def test_ledger_rewritten_as_a_whole_needs_a_kept_head(told, tmp_path):
    folder = copied(told, tmp_path)
    Forger(folder.ledger).rewrite(REWRITES["the time"][0], chained=True)
    assert findings(folder) == []
    assert all(KEPT in finding for finding in findings(folder, told.kept))
    assert "a ledger that was rewritten as a whole" in folder.invoke("verify", "--quick").stderr


def test_ledger_that_was_cut_off_needs_a_kept_head(told, tmp_path):
    folder = copied(told, tmp_path)
    Forger(folder.ledger).rewrite(REWRITES["the last entries cut off"][0], chained=True)
    assert any("a head was kept there, but the ledger ends at" in found for found in findings(folder, told.kept))


@pytest.mark.parametrize("name", [name for name in BESIDE_THE_CHAIN if name != "a read model"])
def test_forgery_beside_the_chain_is_found(told, tmp_path, name):
    folder = copied(told, tmp_path)
    BESIDE_THE_CHAIN[name][0](folder)
    assert findings(folder, told.kept)


def test_answer_says_what_was_checked(told):
    answer = json.loads(told.run("verify", "--quick", "--json"))
    faces = {kind: answer["checked"][kind] for kind in ("drawn", "typed", "sealed")}
    assert (answer["ok"], answer["rules_applied"], faces) == (True, False, {"drawn": 8, "typed": 0, "sealed": 0})


def test_faces_of_an_open_session_are_sealed(folder):
    folder.run("do", "k sneak v5 e1")
    printed = folder.run("verify", "--quick")
    assert "0 faces drawn again from revealed seeds, 0 typed at the table\n" in printed
    assert "session 1: 2 faces sealed until the session closes\n" in printed


@pytest.mark.slow
def test_announced_dice_are_those_of_the_announcement(tmp_path):
    folder = Folder(tmp_path / "announced")
    folder.run("demo", "--sample", "lantern-ferry", str(folder.path))
    assert "all is well" in folder.run("verify", "--quick")


def test_quick_takes_no_jobs(played):
    assert "leave --jobs out" in one_error(played.invoke("verify", "--quick", "--jobs", "2"), 2)
