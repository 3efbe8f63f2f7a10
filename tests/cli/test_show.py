"""`campaign show`."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import one_error


def test_show_of_the_party_or_one_being(table):
    told = table.fine("show")
    assert [line.split()[0] for line in told.splitlines()] == ["Kess", "Orrin", "doom", "session"]
    assert table.fine("show", "k") == table.fine("show", "KESS") == table.fine("show", "Kess")
    assert table.fine("show", "kes").startswith("Kess (pc, players)\n")


def test_show_of_an_unknown_name_lists_the_known(table):
    assert "In play: Kess, Orrin" in one_error(table.say("show", "nobody"), 2)


def test_ambiguous_name_is_an_error(table):
    sheet = 'name = "Kessel"\nmight = 9\nspeed = 9\nintellect = 9\neffort_limit = 1\n'
    table.fine("cast", str(table.file("k.toml", sheet)))
    assert "Kessel" in one_error(table.say("show", "k"), 2)
    assert table.fine("show", "kess").startswith("Kess (pc")


def test_show_json_prints_values_by_name(table):
    told = json.loads(table.fine("show", "--json"))
    assert set(told) == {"entry", "position", "values"}
    assert (told["entry"], told["position"], told["values"]["kess.might"]) == ("1.0", 4, 9)
    mine = json.loads(table.fine("show", "kess", "--json"))["values"]
    assert mine
    assert all(name.startswith("kess.") for name in mine)


def test_show_at_and_as_of_repeat_earlier_output(table):
    """As long as nothing is taken back, both are the same; `as of` also sees what an undo has changed since."""
    lines = ["k sneak v5 e1", "o climb v3 /7.6", "close", "k sneak v6 e2 /1.1", "undo", "k sneak v6", "o lift v2"]
    seen = {4: table.fine("show", "--json")}
    for line in lines:
        table.fine("do", line)
        now = table.fine("show", "--json")
        seen[json.loads(now)["position"]] = now
    table.fine("rebuild")
    for position, then in seen.items():
        assert table.fine("show", "--json", "--as-of", str(position)) == then
    values = {json.loads(then)["entry"]: json.loads(then)["values"] for then in seen.values()}
    assert json.loads(table.fine("show", "--json", "--at", "1.2"))["values"] == values["1.2"]
    assert json.loads(table.fine("show", "--json", "--at", "0.2"))["entry"] == "0.2"
    assert "might 9/9" in table.fine("show", "k", "--at", "0.1")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["show", "--at", "nonsense"], "is not an entry id"),
        (["show", "--at", "1.99"], "there is no entry 1.99"),
        (["show", "--at", "7.0"], "there is no entry 7.0"),
        (["show", "--as-of", "99"], "ends at position 4"),
        (["show", "--as-of", "0"], "as-of"),
        (["show", "--as-of", "x"], "as-of"),
        (["show", "orrin", "--at", "0.1"], "In play: Kess"),
        (["log", "7"], "no session 7"),
        (["log", "-1"], "-1"),
        (["replay", "7"], "no session 7"),
        (["verify", "--head", "17"], "is not a head"),
        (["dance"], "dance"),
    ],
)
def test_unknown_entry_or_session_is_wrong_usage(table, arguments, said):
    assert said in one_error(table.say(*arguments), 2)
