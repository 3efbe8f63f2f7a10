"""Test `campaign encounter build`: numbers of foes for a risk in each game, and lines that are accepted when typed."""

from __future__ import annotations

import json
import shlex

import pytest
from click.testing import CliRunner

from cli.forecast import encounter, forecaster
from cli.forecast.encounter import EncounterAsked, Trial, bracket, ways
from cli.forecast.habits import learn_habits
from cli.forecast.question import ForecastAsked
from cli.forecast.tally import share
from cli.main import campaign
from cli.questions.players_ledger import store_for
from cli.questions.roles import PLAYERS
from tests.cli.conftest import Folder, copied, one_error
from tests.cli.forecast.fights import OPENINGS, opened
from tests.golden import CAMPAIGNS

FEW = ("--runs", "25", "--rounds", "3", "--jobs", "1", "--budget", "2")
FOES = {  # the entry before the fight of each sample, and one of its foes
    "gutter-saints": ("2.5", "watchman"),
    "broken-archway": ("1.1", "spearman"),
    "choir-of-glass": ("1.9", "sexton"),
    "lantern-ferry": ("1.9", "oarsman"),
    "powder-tithe": ("1.24", "lugh"),
}
THUG = 'sheet = "npc"\nname = "Thug"\ndifficulty = 3\nhealth = 6\ndamage = 4\n'


def sheet_of(sample):
    return str(CAMPAIGNS / sample / "foes" / f"{FOES[sample][1]}.toml")


@pytest.mark.slow
@pytest.mark.parametrize("sample", FOES)
def test_foes_are_proposed_in_each_game(played_samples, tmp_path, sample):
    folder = copied(Folder(played_samples[sample]), tmp_path)
    before = folder.bytes
    told = json.loads(
        folder.run("encounter", "build", "--at", FOES[sample][0], "--foe", sheet_of(sample), *FEW, "--json")
    )
    assert folder.bytes == before
    assert told
    for proposal in told:
        assert proposal["risk"]["of"] >= 25
        assert [count for _, count in proposal["foes"]] in ([1], [2])
        sides = {each["side"] for each in proposal["forecast"]["outlooks"]}
        assert len(sides) == 2
        assert proposal["begin"].startswith("! ")


@pytest.mark.slow
def test_proposed_lines_are_accepted(open_folder, tmp_path):
    folder = copied(open_folder, tmp_path)
    thug, boss = folder.file("thug.toml", THUG), folder.file("boss.toml", THUG.replace("Thug", "Big Boss"))
    text = folder.run("encounter", "build", "--foe", str(thug), "--foe", f"{boss}*1", *FEW)
    assert text.startswith("wanted: somebody of the players falls in 25 of 100 fights; key 1\npolicy: as we play (")
    lines = [shlex.split(line)[1:] for line in text.splitlines() if line.startswith("  campaign ")]
    assert ["cast", f"{thug}*1", str(boss)] in lines
    for number, (cast, begin) in enumerate(zip(lines[::2], lines[1::2], strict=True)):
        typed = copied(folder, tmp_path / str(number))
        typed.run(*cast)
        typed.run(*begin)
        shown = typed.run("show", "encounter")
        assert shown.count("Thug") + shown.count("Boss") == sum(int(word.partition("*")[2] or 1) for word in cast[1:])


def test_names_of_those_who_take_no_part_are_left_out(open_folder, tmp_path):
    folder = copied(open_folder, tmp_path)
    thug = folder.file("thug.toml", THUG)
    folder.run("cast", str(thug))
    told = json.loads(folder.run("encounter", "build", "--foe", f"{thug}*1", *FEW, "--json"))
    assert told[0]["begin"] == '! encounter participants=Kess,Orrin,"Thug 1"'
    members = {each["who"] for each in told[0]["forecast"]["outlooks"]}
    assert members == {"Kess", "Orrin", "Thug 1"}


@pytest.mark.slow
def test_party_and_allies_may_come_from_sheets(tmp_path):
    folder = Folder(tmp_path / "empty")
    CliRunner().invoke(campaign, ["new", "Empty", str(folder.path), "--game", "momentum"])
    party = str(CAMPAIGNS / "broken-archway" / "cast")
    given = ("encounter", "build", "--with", party, "--foe", sheet_of("broken-archway"), *FEW)
    assert "left in half of the fights: Kael hp 6 > 4\n" in folder.run(*given)
    told = json.loads(folder.run(*given, "--json"))
    players = {each["who"] for each in told[0]["forecast"]["outlooks"] if each["side"] == "pc"}
    assert players == {"Brynn", "Kael", "Sira"}
    assert told[0]["begin"] == '! fight zones="here"'


def test_ways_keep_to_the_budget():
    assert list(ways([3], 2)) == [[(1,), (2,)]]
    for way in ways([20, 1, 5], 6):
        assert way == sorted(way)
        assert all(sum(counts) <= 6 and counts[1] <= 1 for counts in way)
    assert list(ways([4, 4], 1)) == [[(1, 0)], [(0, 1)], [], [], []]


@pytest.mark.parametrize("risk_of", [lambda n: n / 20, lambda n: 0.0, lambda n: 1.0])
def test_search_brackets_the_wanted_risk(monkeypatch, risk_of):
    played = []

    class Search:
        asked = EncounterAsked(
            risk=0.25, dies=False, budget=12, forecast=ForecastAsked(runs=1, rounds=1, policy="", key="")
        )

        def trial(self, counts):
            return Trial(counts=counts, begin="", question=None)

    def play(trial, asked, forecaster):
        played.append(trial.counts)
        trial.ends = [None]
        trial.risk = share(round(1000 * risk_of(trial.counts[0])), 1000)

    monkeypatch.setattr(encounter, "play", play)
    found = bracket([(n,) for n in range(1, 13)], Search(), forecaster.Forecaster(), {})
    expected = [n for n in range(1, 13) if risk_of(n) <= 0.25][-1:] + [n for n in range(1, 13) if risk_of(n) > 0.25][:1]
    assert [trial.counts[0] for trial in found] == expected
    assert len(played) == len(set(played)) <= 7


def test_interrupted_search_tells_what_it_has(open_folder, tmp_path, monkeypatch):
    folder, played, real = copied(open_folder, tmp_path), [], forecaster.play_runs

    def interrupt(*task):
        played.append(task)
        if len(played) > 1:
            raise KeyboardInterrupt
        return real(*task)

    monkeypatch.setattr(forecaster, "play_runs", interrupt)
    foe = str(folder.file("thug.toml", THUG))
    assert "; interrupted, so this is what was found" in folder.run("encounter", "build", "--foe", foe, *FEW)
    done = folder.invoke("encounter", "build", "--foe", foe, *FEW)
    assert "interrupted before a fight was over" in one_error(done, 2)


@pytest.mark.quick_rows(5)
@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("--foe", "thug.toml*0"), "0 foes"),
        (("--foe", "thug.toml*1000000000"), "1000000000 foes"),
        (("--foe", "thug.toml*-1"), "-1 foes"),
        (("--foe", "thug.toml*x"), "'x' is not a"),
        (("--foe", "none.toml"), "there is no such file"),
        (("--foe", "kess.toml"), "is nobody whom the players fight"),
        (("--foe", "alien.toml"), "alien.toml"),
        (("--foe", "escape.toml"), "escape.toml"),
        (("--foe", "thug.toml", "--foe", "thug.toml"), "two sheets are of Thug"),
        (("--foe", "thug.toml", "--begin", "! sing"), "sing"),
        (("--foe", "thug.toml", "--begin", ""), "the line that begins the fight is empty"),
        (("--foe", "thug.toml", "--play", "nobody: spread"), "'nobody' is not in play"),
        (("--foe", "thug.toml", "--at", "7.1"), "there is no entry 7.1"),
        (tuple(f"--foe=thug{number}.toml" for number in range(6)), "6 sheets of foes"),
    ],
)
def test_what_cannot_be_built_is_refused(open_folder, tmp_path, monkeypatch, arguments, error):
    folder = copied(open_folder, tmp_path)
    folder.file("thug.toml", THUG)
    folder.file("kess.toml", 'name = "Vash"\nmight = 9\nspeed = 14\nintellect = 17\neffort_limit = 2\n')
    folder.file("escape.toml", THUG.replace("Thug", "Th\\u001b[31mug"))
    folder.file("alien.toml", (CAMPAIGNS / "lantern-ferry/foes/oarsman.toml").read_text())
    monkeypatch.chdir(folder.path)
    done = folder.invoke("encounter", "build", *FEW, *arguments)
    assert done.exit_code in (2, 3)
    assert error in done.stderr
    assert "\x1b" not in done.output
    assert "Traceback" not in done.output


@pytest.mark.parametrize(
    "arguments",
    [("encounter", "build", "--risk", "nan"), ("forecast", "--seconds", "nan"), ("forecast", "--within", "NaN")],
)
def test_no_number_is_refused(arguments):
    assert "is not a number" in one_error(CliRunner().invoke(campaign, [*arguments]), 2)


def test_nothing_is_built_while_a_fight_is_on(fight_folder, tmp_path):
    folder = copied(fight_folder, tmp_path)
    done = folder.invoke("encounter", "build", "--foe", str(folder.file("thug.toml", THUG)), *FEW)
    assert "a fight is on here already" in one_error(done, 2)


@pytest.mark.slow
def test_players_build_of_what_they_see(open_folder, tmp_path):
    folder = copied(open_folder, tmp_path)
    given = ("encounter", "build", "--foe", str(folder.file("thug.toml", THUG)), *FEW)
    assert folder.run(*given, "--as", "players") == folder.run(*given)
    folder.run("do", "k sneak v5")
    done = folder.invoke(*given, "--as", "players")
    assert "a roll is open, and the players do not see all of it" in one_error(done, 2)


@pytest.mark.slow
@pytest.mark.parametrize("sample", sorted(OPENINGS))
def test_habits_are_learnt_from_what_the_players_see(played_samples, sample):
    store, book = opened(played_samples[sample])
    policy = learn_habits(store_for(store, book, PLAYERS), book)
    assert {*policy.habits} <= {*learn_habits(store, book).habits}
    store.close()


@pytest.mark.slow
def test_encounter_by_another_reading_of_the_book(open_folder, tmp_path):
    folder = copied(open_folder, tmp_path)
    given = ("encounter", "build", "--foe", str(folder.file("thug.toml", THUG)), *FEW)
    text = folder.run(*given, "--option", "light_wound_cost=per_level")
    assert text.startswith(
        "wanted: somebody of the players falls in 25 of 100 fights, with light_wound_cost=per_level;"
    )
    assert "'sing' is not an option of this book" in one_error(folder.invoke(*given, "--option", "sing=loud"), 2)
    done = folder.invoke(*given, "--dask", "tcp://127.0.0.1:1")
    assert "--jobs is for this machine: leave it out with --dask." in done.stderr
