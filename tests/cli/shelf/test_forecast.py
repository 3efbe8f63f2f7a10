"""Test `shelf forecast`: the fights that were fought, what came of them, and a house rule."""

from __future__ import annotations

import json
import shutil

import pytest
from click.testing import CliRunner

from cli.forecast.fought import fought_fights
from cli.main import campaign
from tests.cli.forecast.fights import OPENINGS, opened
from tests.golden import FORECASTS, foretold


@pytest.fixture(scope="module")
def tables(played_samples, tmp_path_factory):
    top = tmp_path_factory.mktemp("tables")
    for sample in ("choir-of-glass", "gutter-saints"):
        shutil.copytree(played_samples[sample], top / sample)
    return top


def shelf(top, *arguments):
    return CliRunner().invoke(campaign, ["shelf", "forecast", str(top), "--jobs", "1", *arguments])


@pytest.mark.parametrize("sample", OPENINGS)
def test_fights_that_were_fought_are_found(played_samples, sample):
    store, game = opened(played_samples[sample])
    fights = list(fought_fights(store, game))
    assert OPENINGS[sample] in {str(fight.at) for fight in fights}
    for fight in fights:
        assert fight.open_state().state.encounter.members == fight.members
        assert fight.fell <= set(fight.members)
    store.close()


def test_fallen_are_those_of_the_record(played_samples):
    store, game = opened(played_samples["broken-archway"])
    (fight,) = fought_fights(store, game)
    assert fight.fell == {"Leader", "Spearman"}
    assert fight.left == {"Archer"}  # fled, as its recap says
    store.close()


@pytest.mark.slow
def test_forecast_of_a_shelf_is_set_beside_what_came(tables):
    done = shelf(tables, "--runs", "3")
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines[0] == "3 fights fought in 2 campaigns; policy: as we play; key 1"
    assert lines[1].startswith("somebody of the players fell: 2 of 3 (")
    assert " of 9 (" in lines[2]
    assert "  choir-of-glass: 2 fights fought; somebody of the players fell in 2" in lines
    rows = [json.loads(line) for line in shelf(tables, "--runs", "3", "--json").stdout.splitlines()]
    assert {row["campaign"]: len(row["content"]) for row in rows} == {"choir-of-glass": 2, "gutter-saints": 1}
    assert shelf(tables, "--runs", "3", "--again").stdout == done.stdout


@pytest.mark.slow
def test_house_rule_is_played_over_the_same_runs(tables):
    done = shelf(tables, "--runs", "3", "--option", "light_wound_cost=per_level")
    assert done.exit_code == 0, done.output
    assert (
        done.stdout.splitlines()[0] == "1 fight fought in 1 campaign; policy: as we play; key 1"
    )  # the other has no such option
    assert "with light_wound_cost=per_level: " in done.stdout
    done = shelf(tables, "--runs", "3", "--option", "light_wound_cost=per_level", "--json")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert sum(row["content"] is None for row in rows) == 1


def test_option_that_no_book_has_is_refused(tables):
    done = shelf(tables, "--option", "sing=loud")
    assert done.exit_code == 2
    assert "'sing' is not an option of this book" in done.stderr


@pytest.mark.slow
def test_forecasts_of_the_samples_are_beside_what_came(played_samples):
    told = foretold(next(iter(played_samples.values())).parent)
    assert told == FORECASTS.read_text(encoding="utf-8"), "python -m tests.rewrite rewrites it"
    assert all(f"    from {opening}\n" in told for opening in OPENINGS.values())


@pytest.mark.slow
def test_members_are_beside_what_became_of_them(tables):
    lines = shelf(tables, "--runs", "4", "--all").stdout.splitlines()
    rows = {line.split("  ")[3]: line.split()[-1] for line in lines if " of 4 (" in line}
    assert "    from 2.6" in lines
    assert (rows["Watchman 2"], rows["Kess"], rows["Ilex"]) == ("fell", "not", "not")
