"""Test `who`: every change of a value."""

from __future__ import annotations

import json
import re

import pytest

from projections.projection import StateProjection
from projections.value_history import value_histories
from tests.cli.conftest import numbered_facts, one_error


def test_who_prints_every_change_with_its_cause(demo):
    assert demo.run("who", "kess.speed", "--at", "1.40").splitlines() == [
        "Kess speed is 5",
        "fact    change  cause     rule         line",
        "0.1.5   14      opened    DB-GAP-3     Kess joins (pc)",
        "1.5.2   14>11   Effort 1  DB-EFFORT-2  k sneak v5 e1",
        "1.8.5   11>8    Effort 1  DB-EFFORT-2  k sneak e1",
        "1.28.2  8>5     Effort 1  DB-EFFORT-2  k leap e1",
    ]
    assert demo.run("who", "kess.speed", "--at", "1.6").splitlines()[0] == "Kess speed is 11"
    assert len(demo.run("who", "kess.speed", "--as-of", "11").splitlines()) == 4


@pytest.mark.quick_rows(6)
@pytest.mark.parametrize(
    ("value", "name", "moves"),
    [
        ("ash.wounds", "ash.wounds", [(None, 1), (1, None)]),
        ("ash.stunned", "ash.stunned", [(None, 1), (1, None)]),
        ("ash.health", "ash.health", [(None, 10), (10, 5), (5, 1), (1, 0), (0, 1), (1, 6), (6, 10)]),
        ("encounter.round", "encounter.round", [(None, 0), (0, 1), (1, 2), (2, None)]),
        ("encounter.phase", "encounter.phase", None),
        ("ash.level", "ash.level", [(None, 2)]),
        ("captain.armor.physical", "captain.armor.physical", [(None, 1)]),
        ("a.day", "ash.day", [(None, 1)]),
        ("doom", "doom", None),
        ("doo", "doom", None),
        ("a.hp", "ash.health", None),
        ("ASH.HEALTH", "ash.health", None),
        ("a.mi", "ash.might", None),
        ("cap.ar.ph", "captain.armor.physical", None),
        ("e.r", "encounter.round", None),
        ("ash.might.most", "ash.might.most", [(None, 12)]),
        ("bryn.charging", "bryn.charging", [(None, 1), (1, None)]),
    ],
)
def test_who_finds_past_values_by_name_or_prefix(rested, value, name, moves):
    told = json.loads(rested.run("who", value, "--json"))
    assert told["value"] == name
    assert moves is None or [(change["before"], change["after"]) for change in told["changes"]] == moves
    assert told["now"] == told["changes"][-1]["after"]


def test_who_json_has_every_change(demo):
    told = json.loads(demo.run("who", "doom", "--json"))
    assert set(told) == {"value", "now", "entry", "changes"}
    assert told["changes"][1] == {
        "entry": "1.5",
        "fact": 5,
        "kind": "tokens-moved",
        "before": 0,
        "after": 2,
        "cause": "Dusk",
        "rules": ["DB-DEST-9"],
        "by": "Kess",
        "line": "k sneak v5 e1",
    }


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("kess.might.x", "Kess might"),
        ("nobody.might", "The nearest: "),
        ("kes.", "may be Kess "),
        ("k.", "may be Kess "),
        ("", "is not a value"),
    ],
)
def test_who_of_unknown_value_names_the_nearest(demo, value, said):
    assert said in one_error(demo.invoke("who", value), 2)


def test_who_of_ambiguous_prefix_names_the_values(fight_folder):
    assert "may be Captain damage, Captain difficulty" in one_error(fight_folder.invoke("who", "cap.d"), 2)
    assert fight_folder.run("who", "ash.m").startswith("Ash might is ")  # the book's own short name for it


@pytest.mark.slow
def test_value_histories_equal_the_values_after_each_fact(rested, demo, played):
    """Compare with the table of all values after every fact."""
    for folder in (rested, demo, played):
        books = StateProjection()
        state, last = books.empty(), dict[str, object]()
        moves: dict[str, list[tuple[str, int, object, object]]] = {}
        for entry, number, fact in numbered_facts(folder):
            books.step(state, entry, fact)
            books.commit(state)
            now = books.values(state)
            for name in {*last, *now}:
                if last.get(name) != now.get(name):
                    moves.setdefault(name, []).append((str(entry), number, last.get(name), now.get(name)))
            last = dict(now)
        found = value_histories(numbered_facts(folder))
        told = {name: [(str(c.entry), c.number, c.before, c.after) for c in past] for name, past in found.items()}
        assert told == dict(sorted(moves.items()))


def test_who_takes_a_value_as_it_is_printed(demo):
    told = demo.run("who", "watchman-1.health")
    assert told.startswith("Watchman 1 health is 5\n")
    assert demo.run("who", "Watchman 1 health") == demo.run("who", "watchman", "1", "health") == told


def test_who_of_a_being_lists_all_values_that_change(demo):
    first, header, *changes, last = demo.run("who", "orrin", "--at", "1.34").splitlines()
    assert first == "Orrin: destiny 0, might 16"
    assert header.split() == ["fact", "value", "change", "cause", "rule", "line"]
    assert changes[0].split()[:4] == ["0.2.3", "might", "16", "opened"]
    assert changes[-1].split()[:4] == ["1.34.3", "might", "15>16", "destiny"]
    assert re.fullmatch(r"\d+ values never changed: show Orrin", last)
    told = json.loads(demo.run("who", "orrin", "--at", "1.34", "--json"))
    assert told["who"] == "Orrin"
    assert [value["value"] for value in told["values"]] == ["orrin.destiny", "orrin.might"]
    assert "melee" not in demo.run("who", "orrin")  # the book has no words for it


@pytest.mark.parametrize("typed", ["kess might", "Késs might", "kés mig", "k.m", "KESS  MIGHT", "k M", "kess.might"])
def test_who_takes_words_of_a_value(demo, typed):
    assert demo.run("who", typed).startswith("Kess might is ")


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("kess might maximum", "Kess might maximum is 9"),
        ("watch 1 hp", "Watchman 1 health is 5"),
        ("time", "time passed is "),
        ("time passed", "time passed is "),
        ("encounter round", "round is "),
        ("dovel armor physical", "Dovel armor physical is "),
    ],
)
def test_who_takes_values_as_they_are_printed(demo, typed, printed):
    assert demo.run("who", typed).startswith(printed)


@pytest.mark.slow
@pytest.mark.parametrize("typed", ["kess.wounds", "kess wounds", "k wou"])
def test_who_of_what_never_changed_says_so(demo, typed):
    assert demo.run("who", typed) == "Kess wounds is 0: it never changed\n"
    assert json.loads(demo.run("who", typed, "--json")) == {
        "value": "kess.wounds", "now": 0, "entry": "3.39", "changes": [],
    }  # fmt: skip
    assert demo.run("who", typed, "--csv").splitlines()[1:] == []


@pytest.mark.slow
@pytest.mark.parametrize("typed", ["kess.foo", "zzz", "watchman health", "clock"])
def test_who_lists_names_as_they_are_typed_and_printed(demo, typed):
    error = one_error(demo.invoke("who", typed), 2)
    assert not re.search(r"[a-z]\.[a-z]", error.replace(typed, "")), error
    assert "moved" not in error  # the book has no words for it
    hint = re.split(r"nearest: |There is: |may be ", error.removesuffix(" Write more of it."))[-1]
    for name in hint.removesuffix(", ...").removesuffix(".").split(", "):
        assert demo.run("who", name).startswith(f"{name} is "), name


@pytest.mark.slow
def test_who_lists_the_last_changes(demo):
    whole, last = demo.run("who", "doom", "--all").splitlines(), demo.run("who", "doom", "-n", "2").splitlines()
    assert ([line.split() for line in last[1:-1]]) == [whole[1].split(), *(line.split() for line in whole[-2:])]
    assert last[0] == whole[0]
    assert last[-1] == f"{len(whole) - 4} earlier changes: who doom --all"
    assert (
        json.loads(demo.run("who", "doom", "-n", "2", "--json"))["changes"]
        == (json.loads(demo.run("who", "doom", "--json"))["changes"][-2:])
    )


def test_who_of_a_being_lists_the_last_changes_of_all_values(demo):
    whole, last = demo.run("who", "kess", "--all").splitlines(), demo.run("who", "kess", "-n", "3").splitlines()
    assert last[0] == whole[0]
    assert [line.split() for line in last[2:5]] == [line.split() for line in whole[-4:-1]]
    assert last[-2] == f"{len(whole) - 6} earlier changes: who Kess --all"
    assert last[-1] == whole[-1]


@pytest.mark.slow
def test_who_lists_a_page_unless_all_are_asked_for(demo, monkeypatch):
    monkeypatch.setattr("cli.commands.who.LISTED", 2)
    for value in ("doom", "kess"):
        assert demo.run("who", value) == demo.run("who", value, "-n", "2") != demo.run("who", value, "--all")
    every = json.loads(demo.run("who", "doom", "--json"))["changes"]
    assert len(demo.run("who", "doom", "--csv").splitlines()) - 1 == len(every) > 2
    assert "--all or -n" in one_error(demo.invoke("who", "doom", "--all", "-n", "2"), 2)


@pytest.mark.parametrize("question", ["hit bram?", "hit bram", "hurt old bram"])
def test_question_about_a_stranger_says_who_is_in_play(folder, question):
    who = "old bram" if "old" in question else "bram"
    assert one_error(folder.invoke("who", question), 2) == f"'{who}' is nobody in play. There is: Kess, Orrin."


def test_misspelt_value_is_no_stranger(folder):
    assert "The nearest: Kess might" in one_error(folder.invoke("who", "k mihgt"), 2)
