"""Test the content of the replay page: the state after each entry is that of `show`, and nothing hidden is in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cli.output import plain_texts
from cli.phrases.overview import Overview, overview_lines
from cli.questions.ledger_file import find_game
from cli.questions.players_ledger import store_for
from cli.questions.state_at import state_at, subject_values
from cli.questions.window_dice import window_dice
from cli.render.state import party, session
from cli.web.pages.content import PageEntry, SessionPage
from cli.web.pages.page import data_of, page_html
from cli.web.pages.session_draft import session_page
from ledger.sqlite_store import open_store
from ledger.store import ReadableStore
from rulebooks.common.game import Game
from tests.cli.conftest import CAST, LEDGER, Folder
from tests.cli.pages.test_page import Parsed
from tests.golden import samples

QUICK = "gutter-saints"
THUG = 'sheet = "npc"\nname = "Thug"\ndifficulty = 3\nhealth = 9\ndamage = 7\n'
EACH = [sample if sample == QUICK else pytest.param(sample, marks=pytest.mark.slow) for sample in samples()]


@contextmanager
def seen(folder: Path, role: str) -> Iterator[tuple[ReadableStore, Game]]:
    """Open a ledger as somebody sees it."""
    store = open_store(folder / "ledger.db", write=False, models=None)
    try:
        book = find_game(store)
        yield store_for(store, book, role), book
    finally:
        store.close()


def overview_of(rows: dict[str, Any]) -> Overview:
    """Return the overview that rows under keys say."""
    beings = sorted((row for key, row in rows.items() if key.startswith("being ")), key=lambda row: row["joined"])
    slots = [rows[f"slot {number}"] for number in range(len(rows)) if f"slot {number}" in rows]
    encounter = {**rows["encounter"], "rows": slots} if "encounter" in rows else None
    parts = {name: rows.get(name, empty) for name, empty in (("tokens", ()), ("windows", ()), ("options", ()))}
    texts = {name: rows.get(name, "") for name in ("counts", "passed")}
    return msgspec.convert({"beings": beings, "encounter": encounter, **parts, **texts}, Overview)


def states(page: SessionPage) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Yield the rows and the values after each entry, folded from the page's data as its script folds them."""
    data = json.loads(msgspec.json.encode(data_of(page)))
    rows, values = data["opening"], data["values"]
    columns = data["entries"]
    for id, changed, changes in zip(columns["id"], columns["rows"], columns["changes"], strict=True):
        rows = {**rows, **(changed or {})}
        rows = {key: row for key, row in rows.items() if row is not None}
        for name, before, after, _ in changes or ():
            assert values.get(name) == before
            values = {**values, name: after}
        values = {name: value for name, value in values.items() if value is not None}
        yield id, rows, values


def check_states(store: ReadableStore, book: Game, role: str, number: int) -> int:
    """Compare the state after every entry of a session with `show --at`; return the number of entries."""
    page = session_page(store, number, as_of=None, book=book, role=role)
    for entry, rows, values in states(page):
        position = state_at(store, entry, None)
        with plain_texts():
            shown = party(position, book, window_dice(store, position), every=True)
            assert [*overview_lines(overview_of(rows), book, every=True), session(position)] == shown, entry
        assert values == subject_values(position, None)["values"], entry
        for row in (row for key, row in rows.items() if key.startswith("being ")):  # a number is asked for by its name
            for name, _, now, _ in (*row.get("pools", ()), *row.get("tokens", ())):
                assert values[f"{row['key']}.{name}"] == now
    return len(page.entries)


@pytest.mark.slow
@pytest.mark.parametrize("sample", EACH)
@pytest.mark.parametrize("role", ["players", "gm"])
def test_state_at_each_entry_is_that_of_show(role: str, sample: str, played_samples: dict[str, Path]) -> None:
    with seen(played_samples[sample], role) as (store, book):
        last = state_at(store, None, None).session.number
        sessions = [last] if sample == QUICK else range(last + 1)
        assert sum(check_states(store, book, role, number) for number in sessions) > 25


@pytest.mark.slow
def test_superseded_take_is_a_variation_where_it_branches(played_samples: dict[str, Path]) -> None:
    with seen(played_samples[QUICK], "players") as (store, book):
        page = session_page(store, 1, as_of=None, book=book, role="players")
    variations = {each.take: (entry.id, each) for entry in page.entries for each in entry.variations}
    branch, undone = variations["1.31@1"]
    assert branch in ("1.30", "1.31")
    assert "1.32" in undone.because
    assert undone.results


@pytest.mark.slow
def test_signs_are_those_of_the_results_that_are_named(played_samples: dict[str, Path]) -> None:
    with seen(played_samples[QUICK], "players") as (store, book):
        page = session_page(store, 1, as_of=None, book=book, role="players")
    words = {entry.id: [each.word for each in entry.marks] for entry in page.entries}
    assert words["1.8"] == ["success", "dusk"]  # the line also makes the failure of 1.5 final
    assert (words["1.15"], words["1.22"]) == ([], [])


@pytest.mark.slow
def test_page_names_players_fights_and_results_in_words(played_samples: dict[str, Path]) -> None:
    with seen(played_samples["broken-archway"], "players") as (store, book):
        page = session_page(store, 1, as_of=None, book=book, role="players")
    assert "Brynn, Kael and Sira · no players recorded" in page_html(page)
    assert {(each.sign, each.word) for entry in page.entries for each in entry.marks} >= {("✓", "1 hit"), ("✗", "miss")}
    slots = [row for _, rows, _ in states(page) for key, row in rows.items() if key.startswith("slot ")]
    assert {(row["who"], row["slot"]) for row in slots if row["who"] == "Archer"} == {("Archer", "foe")}
    titles = {rows["encounter"]["title"] for _, rows, _ in states(page) if "encounter" in rows}
    assert all(title.startswith("the archway (combat)") for title in titles)


def entry_of(page: SessionPage, id: str) -> PageEntry:
    return next(entry for entry in page.entries if entry.id == id)


@pytest.mark.slow
def test_players_see_what_they_paid_and_rolled_for_a_hidden_number(played_samples: dict[str, Path]) -> None:
    with seen(played_samples[QUICK], "players") as (store, book):
        page = session_page(store, 2, as_of=None, book=book, role="players")
    attack = entry_of(page, "2.17").sums[-1]
    assert [row[:3] for row in attack.rows] == [
        ("paid", "", "3"),
        ("  Effort 1 from intellect", "-3", "15"),
        ("rolled", "", "21"),
        ("  Dawn die", "", "10"),
        ("  Dusk die", "+11", "21"),
    ]
    assert "The number to reach is the game master's" in attack.note
    assert "against" not in attack.numbers


@pytest.mark.slow
def test_game_master_sees_the_whole_arithmetic(played_samples: dict[str, Path]) -> None:
    with seen(played_samples[QUICK], "gm") as (store, book):
        page = session_page(store, 2, as_of=None, book=book, role="gm")
    attack = entry_of(page, "2.17").sums[-1]
    assert attack.note == ""
    assert any(row[0].strip() == "three for each step" for row in attack.rows)


@pytest.mark.slow
@pytest.mark.parametrize("role", ["players", "gm"])
def test_what_an_attack_did_stands_at_the_attack(role: str, played_samples: dict[str, Path]) -> None:
    with seen(played_samples[QUICK], role) as (store, book):
        page = session_page(store, 2, as_of=None, book=book, role=role)
    attack, closing = entry_of(page, "2.17"), entry_of(page, "2.18+1")
    assert closing.of == "2.17"
    assert attack.outcome is not None
    assert attack.outcome.entry == "2.18+1"
    assert any("Watchman 2" in text for text in attack.outcome.results)
    assert "phase" not in "".join(attack.outcome.results)
    assert entry_of(page, "2.10").of == ""  # a close of initiatives, of which nothing came


@pytest.mark.slow
def test_corrected_entry_does_not_tell_the_end_of_the_roll_before(dusk: Folder) -> None:
    dusk.run("do", "k sneak v5 /9.8")
    dusk.run("do", "k juggle v3 /9.9")
    last = dusk.run("log", "--oneline").splitlines()[-1].split()[0]
    dusk.run("do", f'~ {last} v4 because="wet" retcon')
    with seen(dusk.path, "gm") as (view, book):
        corrected = entry_of(session_page(view, None, as_of=None, book=book, role="gm"), last).corrected
    assert corrected is not None
    assert corrected.results.count("success") == 1


def test_corrected_entry_names_its_correction_and_what_it_was(dusk: Folder) -> None:
    dusk.run("amend", "1.1", "v5", "--because", "rain", "--retcon")
    with seen(dusk.path, "players") as (store, book):
        page = session_page(store, 1, as_of=None, book=book, role="players")
    corrected = entry_of(page, "1.1").corrected
    assert corrected is not None
    assert corrected.by in {entry.id for entry in page.entries}
    assert "v6" in corrected.line
    assert corrected.how == "corrected"
    assert "against" in corrected.results
    assert [entry.id for entry in page.entries if entry.corrected and entry.corrected.how == "changed"] == ["1.2"]


@pytest.fixture
def dusk(tmp_path: Path) -> Folder:
    """A session with a line that is secret and changes a number that everybody knows."""
    folder = Folder(tmp_path / "salt")
    folder.path.mkdir()
    folder.run("new", "Salt Ward", str(folder.path), "--game", "dusk-bastards", "--id", LEDGER)
    folder.run("cast", str(folder.file("kess.toml", CAST["kess.toml"])))
    folder.run("open", "Rooftops", "--seed", "one")
    for line in ("k climb v6 /6.5", "close", "!! > The lamplighter is the thief", '!! k hp -1 "a poisoned lamp"'):
        folder.run("do", line)
    return folder


@pytest.mark.parametrize("role", ["players", "gm"])
def test_state_behind_a_secret_entry_is_that_of_show(role: str, dusk: Folder) -> None:
    with seen(dusk.path, role) as (store, book):
        assert check_states(store, book, role, 1) > 3


def test_secret_change_of_a_known_number_has_no_reason(dusk: Folder) -> None:
    with seen(dusk.path, "players") as (store, book):
        page = session_page(store, None, as_of=None, book=book, role="players")
    secret = [entry for entry in page.entries if entry.kind == "secret"]
    changes = [(each.value, [reason.cause for reason in each.reasons]) for entry in secret for each in entry.changes]
    assert changes == [("kess.health", ["secret"])]
    assert not re.search("poison|thief", page_html(page))


@pytest.mark.slow
def test_nothing_secret_is_in_a_closed_page(dusk: Folder) -> None:
    """Not in the lead, in the words of a line, in what a search finds, or in what a pasted link shows."""
    dusk.run("cast", str(dusk.file("thug.toml", THUG)))
    for line in ("k leap v7 hidden /9.8", "close", '!! k hp -13 "xyzzy"', "!! # xyzzy", "! thug damage kess 7"):
        dusk.invoke("do", line)
    dusk.run("close")
    with seen(dusk.path, "players") as (store, book):
        page = page_html(session_page(store, 1, as_of=None, book=book, role="players"))
    assert not re.search("xyzzy|poison|thief", page)
    assert "leap v7" not in page
    with seen(dusk.path, "gm") as (store, book):
        page = page_html(session_page(store, 1, as_of=None, book=book, role="gm"))
    assert "xyzzy" in page
    assert "xyzzy" not in page.partition("<style")[0]


@pytest.mark.parametrize(("role", "labels"), [("gm", 2), ("players", 0)])
def test_game_master_sees_what_was_said_in_secret(role: str, labels: int, dusk: Folder) -> None:
    with seen(dusk.path, role) as (store, book):
        page = session_page(store, 1, as_of=None, book=book, role=role)
    assert page_html(page).count(">in secret<") == labels


def test_claims_name_values_as_people_say_them(dusk: Folder) -> None:
    dusk.run("do", "= k might 4")
    with seen(dusk.path, "players") as (store, book):
        page = session_page(store, 1, as_of=None, book=book, role="players")
    assert any("Kess might 4" in text for text in page.entries[-1].results), page.entries[-1].results


@pytest.mark.slow
def test_implied_pass_names_its_being_once(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "two words")
    Folder(tmp_path).run("new", "Two words", str(folder.path), "--game", "dusk-bastards")
    for name, sheet in (
        ("marta.toml", CAST["kess.toml"].replace('"Kess"', '"Marta Sable"')),
        ("thug.toml", 'sheet = "npc"\nname = "Thug"\ndifficulty = 3\nhealth = 9\ndamage = 1\n'),
    ):
        folder.run("cast", str(folder.file(name, sheet)))
    folder.run("open", "The quay")
    fight = ('! encounter "x"', "m initiative /9.9", "close", "! thug pass", "m pass")
    for line in (*fight, "m attack thug s d1 /9.9", "close", "m dodge thug /9.9"):
        folder.run("do", line)
    assert "1.7+1 Marta Sable passes" in Parsed(folder.run("recap", "--html")).text
