"""Test `sheet --from --map`: the sheet of an actor, with errors that name the key of the sheet and the path."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from cli.play import actor_sheet
from tests.cli.conftest import Folder, is_printable, one_error
from tests.golden import CAMPAIGNS

MAP = CAMPAIGNS / "barrow-road" / "maps" / "foundry.toml"
ACTOR = {
    "name": "Hale",
    "type": "character",
    "system": {
        "abilities": {"str": {"value": 15}, "dex": {"value": 9}, "wis": {"value": 12}},
        "attributes": {"hp": {"value": 7, "max": 11.0}, "ac": {"flat": None}},
        "currency": {"gp": 3},
        "details": {"biography": "<p>A <b>tall</b>\u202e one.</p>"},
    },
    "items": [{"name": "Rope", "system": {"quantity": 2}}],
}


def sheet(folder: Folder, actor: Any = ACTOR, map: str | Path = MAP) -> Any:
    path = map if isinstance(map, Path) else folder.file("map.toml", map)
    content = actor if isinstance(actor, str) else json.dumps(actor)
    return folder.invoke(
        "sheet", "--game", "open-game", "--from", str(folder.file("actor.json", content)), "--map", str(path)
    )


def with_value(value: Any, *keys: str) -> dict[str, Any]:
    """Return the actor with another value."""
    actor = json.loads(json.dumps(ACTOR))
    table = actor
    for key in keys[:-1]:
        table = table[key]
    table[keys[-1]] = value
    return actor


def test_map_of_the_sample_makes_a_sheet_that_joins(played_samples: dict[str, Path], tmp_path: Path) -> None:
    barrow = Folder(tmp_path)
    done = sheet(barrow)
    assert done.exit_code == 0, done.output
    assert tomllib.loads(done.stdout) == {
        "name": "Hale",
        "stats": {"str": 2, "dex": -1, "wis": 1, "ac": 10},
        "pools": {"hp": 11, "slots": 0},
        "now": {"hp": 7},
        "tokens": {"coins": 3},
    }
    barrow.run("new", "Hill", "--game", "open-game", str(tmp_path / "hill"))
    hill = Folder(tmp_path / "hill")
    hill.run("cast", str(hill.file("hale.toml", done.stdout)))
    assert "hp 7/11" in hill.run("show", "Hale")


def test_texts_lists_and_places_are_found(folder: Folder) -> None:
    map = """
sheet = "=npc"
name = "name"
conditions = ["type", "=tired"]
[tokens]
rope = "items.0.system.quantity"
hours = 3
[traits]
story = "system.details.biography"
"""
    done = sheet(folder, map=map)
    assert tomllib.loads(done.stdout) == {
        "sheet": "npc",
        "name": "Hale",
        "conditions": ["character", "tired"],
        "tokens": {"rope": 2, "hours": 3},
        "traits": {"story": "A tall one."},
    }
    assert is_printable(done.stdout)


@pytest.mark.parametrize(
    ("actor", "told"),
    [
        (
            with_value(None, "system", "attributes", "hp", "max"),
            "pools.hp: the actor has nothing at 'system.attributes.hp.max'",
        ),
        (with_value({}, "system", "attributes", "hp", "max"), "pools.hp: 'system.attributes.hp.max' is a table"),
        (with_value([1], "system", "attributes", "hp", "max"), "'system.attributes.hp.max' is a list"),
        (with_value(1.5, "system", "attributes", "hp", "max"), "'system.attributes.hp.max' is part of a number"),
        (with_value(10**30, "system", "attributes", "hp", "max"), "'system.attributes.hp.max' is too large"),
        (
            with_value("many", "system", "abilities", "str", "value"),
            "stats.str: 'system.abilities.str.value' is no number",
        ),
        (with_value(5, "system", "attributes", "hp", "max"), "now.hp must be a whole number from 0 to 5; got 7"),
        (with_value("eleven", "system", "attributes", "hp", "max"), "The value is from 'system.attributes.hp.max'."),
        (with_value(-5, "system", "currency", "gp"), "The value is from 'system.currency.gp'."),
        (with_value("x\n" * 100, "name"), "The value is from 'name'."),
    ],
)
def test_value_that_does_not_fit_names_key_and_path(folder: Folder, actor: Any, told: str) -> None:
    done = sheet(folder, actor)
    assert done.exit_code in (1, 2, 3)
    assert told in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("map", "told"),
    [
        ('name = "name"\n[stats]\nstr = { path = "name", lass = 2 }', "stats.str: 'lass' is nothing that a path has"),
        ('name = "name"\n[stats]\nstr = { path = "items.0.system.quantity", divide = 0 }', "divide 1 or more"),
        ('name = "name"\n[stats]\nstr = { path = "items.0.system.quantity", less = 2.5 }', "whole numbers"),
        ('name = "name"\n[stats]\nstr = "items.7.system"', "the actor has nothing at 'items.7.system'"),
        ('name = "name"\nmight = 7', "might"),
        ('name = "name', "it is not TOML"),
    ],
)
def test_wrong_map_is_an_error_with_its_place(folder: Folder, map: str, told: str) -> None:
    assert told in one_error(sheet(folder, map=map), 3)


@pytest.mark.parametrize(
    ("actor", "told"),
    [("[]", "it is no actor"), ("{", "it is not JSON"), ("[" * 100_000, "it is nested too deeply"), ("7", "no actor")],
)
def test_file_that_is_no_actor_is_an_error(folder: Folder, actor: str, told: str) -> None:
    assert told in one_error(sheet(folder, actor), 3)


def test_too_large_actor_is_an_error(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actor_sheet, "BYTES_MOST", 1 << 20)
    assert "has more than 1 MiB" in one_error(sheet(folder, "[" + " " * (1 << 20) + "]"), 2)


def test_from_and_map_go_together(folder: Folder) -> None:
    actor = str(folder.file("actor.json", json.dumps(ACTOR)))
    for arguments in (["--from", actor], ["--map", str(MAP)], ["pc", "--from", actor, "--map", str(MAP)]):
        assert "--from FILE and --map FILE go together" in one_error(folder.invoke("sheet", *arguments), 2)
