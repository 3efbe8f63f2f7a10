"""Test `campaign forecast`: what is asked, what is told, and what is refused."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest

from cli.forecast.begin import begin_fight
from cli.forecast.fight import GONE, OUT, MemberFall, RunEnd
from cli.forecast.forecaster import Forecaster, parts, summarize, widest
from cli.forecast.habits import AsWePlay, learn_habits
from cli.forecast.policies import Plain
from cli.forecast.runs import FightPlan, is_bounded, open_fight
from cli.forecast.tally import count_pairs, share
from cli.render.forecast import forecast_lines
from ledger.errors import InputError
from ledger.facts import EntryId
from tests.cli.conftest import Folder, copied, one_error
from tests.cli.forecast.fights import OPENINGS, fight_of, opened
from tests.cli.test_questions import asked
from tests.golden import CAMPAIGNS
from tests.rulebooks.open_game.seat import BOOK, Seat

FEW = ("--runs", "4", "--rounds", "2", "--jobs", "1")
ARCHWAY = ("--at", "1.2", *FEW)


@pytest.fixture(scope="module")
def archway(played_samples, tmp_path_factory):
    return copied(Sample(played_samples["broken-archway"]), tmp_path_factory.mktemp("archway"))


class Sample:
    def __init__(self, path):
        self.path = path


@pytest.mark.slow
@pytest.mark.parametrize("sample", OPENINGS)
def test_forecast_of_each_game(played_samples, tmp_path, sample):
    folder = copied(Sample(played_samples[sample]), tmp_path)
    before = folder.bytes
    told = json.loads(
        folder.run("forecast", "--at", OPENINGS[sample], "--runs", "2", "--rounds", "2", "--jobs", "1", "--json")
    )
    assert folder.bytes == before
    assert told["runs"] == 2
    assert {each["who"] for each in told["outlooks"]} == set(fight_of(played_samples[sample], sample).members)
    for each in told["outlooks"]:
        assert 0 <= each["falls"]["low"] <= each["falls"]["times"] / 2 <= each["falls"]["high"] <= 1
        assert each["dies"]["times"] <= each["falls"]["times"]
    assert 1 <= told["rounds"]["low"] <= told["rounds"]["middle"] <= told["rounds"]["high"]


@pytest.mark.slow
def test_forecast_tells_intervals_and_the_policy(archway):
    text = archway.run("forecast", *ARCHWAY)
    assert text.startswith("4 runs from 1.2; key 1\npolicy: as we play (no fight is known of Brynn, Kael, Sira, ")
    assert re.search(r"Kael +[█·]{20}  falls \d+ of 4 \([\d.]+ to [\d.]+ %\), in round ", text)
    assert " 0 of 4 (0 to 0 %)" not in text
    assert re.search(r"^rounds: \d+( \(\d+ to \d+\))?$", text, re.M)


@pytest.mark.slow
def test_choice_that_matters_most_is_told(archway):
    text = archway.run("forecast", "--at", "1.2", "--runs", "60", "--jobs", "2")
    moved = text.partition("What moves most how often somebody of the players falls, over the same runs:\n")[2]
    assert re.match(r"  foe: spread +\d+ % instead of \d+ % \(\d+ to \d+ points fewer, 60 runs\)\n", moved)


@pytest.mark.slow
def test_forecast_needs_no_seed_and_does_not_look_ahead(open_folder, tmp_path):
    thug = 'sheet = "npc"\nname = "Thug"\ndifficulty = 3\nhealth = 6\ndamage = 4\n'
    told = set()
    for seed in ("one", "two"):
        folder = copied(open_folder, tmp_path / seed)
        folder.run("close")
        folder.run("open", "--seed", seed)
        told.add(folder.run("forecast", "--with", f"{folder.file('thug.toml', thug)}*2", *FEW))
        for file in folder.seeds:
            file.unlink()
        told.add(folder.run("forecast", "--with", f"{folder.path / 'thug.toml'}*2", *FEW))
    assert len(told) == 1


@pytest.mark.slow
def test_other_key_gives_other_runs(archway):
    once, again, other = (archway.run("forecast", *ARCHWAY, "--key", key) for key in ("a", "a", "b"))
    assert once == again != other


@pytest.mark.slow
def test_plans_are_compared_over_the_same_runs(archway):
    text = archway.run("forecast", *ARCHWAY, "--vs", "foes: spread")
    assert re.search(r"^Somebody of the players falls: \d+ % instead of \d+ %", text, re.M)
    same = archway.run("forecast", *ARCHWAY, "--vs", "players: weakest")
    rows = [line.split("  ") for line in same.splitlines() if " falls " in line and " of 4" in line]
    assert rows
    assert all(len({cell.strip() for cell in row if " of 4" in cell}) == 1 for row in rows)
    first, second = json.loads(archway.run("forecast", *ARCHWAY, "--vs", "kael: flees at 99", "--json"))
    leaves = [
        next(each for each in one["outlooks"] if each["who"] == "Kael")["leaves"]["times"] for one in (first, second)
    ]
    assert leaves[0] == 0
    assert leaves[1] > 0


def test_choice_that_nobody_can_make_is_said(archway):
    assert "No strike could be made with kael: sing: all were made without." in archway.run(
        "forecast", *ARCHWAY, "--vs", "kael: sing"
    )


@pytest.mark.slow
def test_choice_of_effort_and_of_a_situation_change_strikes(demo, tmp_path):
    folder = copied(demo, tmp_path)
    for choice in ("kess: e2", "e1", "+dark", "kess: +cover"):
        text = folder.run("forecast", "--at", "2.20", *FEW, "--vs", choice)
        assert re.search(rf"^ +as it stands +{re.escape(choice)}$", text, re.M)


def test_reading_of_the_book_is_compared(demo, tmp_path):
    folder = copied(demo, tmp_path)
    text = folder.run("forecast", "--at", "2.20", *FEW, "--option", "light_wound_cost=per_level")
    assert "light_wound_cost=per_level" in text


@pytest.mark.slow
def test_forecast_in_the_shell(fight_folder):
    assert asked(fight_folder, "? forecast --runs 5 --jobs 1").stdout.startswith("5 runs from ")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("--at", "1.1", "--begin", "! fight"), "zones must be one or more"),
        (
            ("--at", "1.1", "--begin", "! fight zones=yard participants=kael,brynn"),
            "somebody of each side who can fight",
        ),
        (("--at", "1.2", "--vs", "x: spread"), "'x' is not in play"),
        (("--at", "1.2", "--vs", "kael: flies off"), "'flies off' changes no strike"),
        (("--at", "1.2", "--play", "\x1b[31m: spread"), "is not in play"),
        (("--at", "1.2", "--until", "nobody falls"), "'nobody' is not in play"),
        (("--at", "1.2", "--option", "sing=loud"), "'sing' is not an option"),
        (("--at", "9.9"), "there is no entry 9.9"),
        (("--at", "1.2", "--begin", "! fight"), "a fight is on already"),
        (("--at", "1.2", "--dask", "tcp://127.0.0.1:1"), "--jobs is for this machine"),
    ],
)
def test_what_cannot_be_forecast_is_refused(archway, arguments, error):
    done = archway.invoke("forecast", *arguments, *FEW)
    assert error in one_error(done, done.exit_code)
    assert "\x1b" not in done.output


def test_players_do_not_see_a_fight_with_hidden_numbers(archway):
    done = archway.invoke("forecast", *ARCHWAY, "--as", "players")
    assert "somebody in this fight has numbers that are the game master's" in one_error(done, 2)


@pytest.mark.slow
def test_players_forecast_is_of_what_they_see(fight_folder, tmp_path):
    """A secret that moves the forecast of the game master does not move theirs."""
    folder = copied(fight_folder, tmp_path)
    for line in ("a wound /4.3", "close", "! reveal captain", "! reveal thug", "! damage captain 10"):
        folder.run("do", line)
    told = {}
    given = ("--runs", "20", "--rounds", "4", "--jobs", "1", "--vs", "foes: weakest")
    for line in ("> a lamp goes out", "!! ! condition captain prone"):
        folder.run("do", line)
        for role in ("gm", "players"):
            first, _ = json.loads(folder.run("forecast", *given, "--as", role, "--json"))
            told.setdefault(role, set()).add(json.dumps(first | {"at": ""}))
    assert [len(told[role]) for role in ("gm", "players")] == [2, 1]


@pytest.mark.slow
def test_players_do_not_forecast_while_a_roll_is_open(fight_folder, tmp_path):
    folder = copied(fight_folder, tmp_path)
    for line in ("! reveal captain", "! reveal thug"):
        folder.run("do", line)
    done = folder.invoke("forecast", *FEW, "--as", "players")
    assert "a roll is open, and the players do not see all of it" in one_error(done, 2)
    assert folder.run("forecast", *FEW)


@pytest.mark.slow
def test_fight_of_sheets_needs_no_ledger(tmp_path):
    party, foes = (str(CAMPAIGNS / "broken-archway" / name) for name in ("cast", "foes"))
    folder = Folder(tmp_path)
    text = folder.run("forecast", "--game", "momentum", "--with", party, "--with", foes, *FEW)
    assert text.startswith("4 runs from the sheets; key 1\n")
    assert not list(tmp_path.iterdir())
    done = folder.invoke("forecast", "--game", "momentum", "--with", party, "--at", "1.2", *FEW)
    assert "--game begins without a ledger, so there is no moment" in one_error(done, 2)
    done = folder.invoke("forecast", "--game", "monolith", "--with", party, *FEW)
    assert "brynn.toml" in done.stderr
    assert done.exit_code in (2, 3)
    done = folder.invoke("forecast", "--game", "momentum", "--with", party, *FEW)
    assert "somebody of each side who can fight" in done.stderr


@pytest.mark.slow
def test_choice_for_one_foe_is_named(archway):
    text = archway.run("forecast", *ARCHWAY, "--play", "leader: flees at 7", "--play", "foes: spread")
    assert "policy: as we play (no fight is known of " in text
    assert "; leader: flees at 7; foes: spread\n" in text
    told = json.loads(archway.run("forecast", *ARCHWAY, "--play", "leader: flees at 7", "--json"))
    assert next(each for each in told["outlooks"] if each["who"] == "Leader")["leaves"]["times"] == 4


@pytest.mark.parametrize(
    "choice", ["leader: flees", "leader: flees at", "leader: flees at -1", "leader:", ":", "leader: \x00"]
)
def test_choice_that_cannot_be_read_says_how(archway, choice):
    done = archway.invoke("forecast", *ARCHWAY, "--play", choice)
    assert "Write it as in 'foes: flees at 3'" in done.stderr or "is not in play" in done.stderr
    assert done.exit_code == 2


@pytest.mark.slow
def test_run_that_a_fall_ends_is_not_without_an_end(archway):
    given = ("forecast", "--at", "1.2", "--runs", "8", "--jobs", "1", "--until", "kael falls")
    text = archway.run(*given)
    assert text.startswith("8 runs from 1.2, each until Kael is out of it; key 1\n")
    assert "no end within" not in text
    told = json.loads(archway.run(*given, "--rounds", "1", "--json"))
    kael = next(each for each in told["outlooks"] if each["who"] == "Kael")
    assert 0 < told["unended"]["times"] == 8 - kael["falls"]["times"] < 8


def test_fights_without_an_end_are_told_with_their_bound(played_samples):
    """Also where they are so few that nine runs of ten took fewer rounds."""
    plan = plan_of(played_samples["choir-of-glass"], "choir-of-glass")
    fight = open_fight(plan)
    over = RunEnd(rounds=3, entries=9, falls=(), is_over=True, winners="", values=fight.watched_values())
    unended = msgspec.structs.replace(over, rounds=8, is_over=False)
    forecast = summarize(plan, fight, [over] * 19 + [unended], name="", policy="")
    assert "no end within 8 rounds: 1 of 20 (0.9 to 24 %)" in forecast_lines(
        forecast, fight.game.texts().lexicon.wording
    )


def run_end(*falls, is_over=False):
    return RunEnd(rounds=3, entries=9, falls=falls, is_over=is_over, winners="", values=())


ASH_FELL, ASH_LEFT = MemberFall("Ash", OUT, 2), MemberFall("Ash", GONE, 2)


def test_runs_are_counted_by_who_falls_in_which():
    before = [run_end(ASH_FELL), run_end(ASH_FELL), run_end(), run_end(ASH_LEFT)]
    after = [run_end(ASH_FELL), run_end(), run_end(), run_end()]
    assert count_pairs(before, after, ["Ash"]) == (1, 1, 0)
    assert count_pairs(after, before, ["Ash"]) == (1, 0, 1)


@pytest.mark.parametrize(
    ("end", "until", "bounded"),
    [
        (run_end(ASH_FELL), "", True),
        (run_end(ASH_FELL), "Bryn", True),
        (run_end(ASH_FELL), "Ash", False),
        (run_end(ASH_FELL, is_over=True), "", False),
    ],
)
def test_run_is_bounded_unless_it_came_to_its_end(end, until, bounded):
    assert is_bounded(end, until) is bounded


@pytest.mark.slow
def test_choice_of_play_that_nobody_can_make_is_said(archway):
    said = "no strike could be made as --play says: all were made without\n"
    assert said in archway.run("forecast", *ARCHWAY, "--play", "kael: sing")
    assert said not in archway.run("forecast", *ARCHWAY, "--play", "kael: flees at 2")


def test_share_has_the_interval_of_wilson():
    known = share(3, 1000)
    assert (round(known.low, 4), round(known.high, 4)) == (0.001, 0.0088)
    assert share(0, 100).high > 0
    assert share(100, 100).low < 1


def plan_of(path, sample):
    fight = fight_of(path, sample)
    return FightPlan(
        game=fight.game.name,
        packed=fight.ledger_state.pack(),
        last=fight.ledger_state.last,
        policies=dict.fromkeys(fight.members, Plain("weakest")),
    )


@pytest.mark.slow
def test_any_executor_gives_the_same_runs(played_samples):
    plan = plan_of(played_samples["choir-of-glass"], "choir-of-glass")
    alone = Forecaster().runs(plan, 30)
    with ThreadPoolExecutor(1) as pool:
        assert Forecaster(pool, 3).runs(plan, 30) == alone
    assert len(alone) == 30
    assert parts(60) == [(0, 25), (25, 25), (50, 10)]


@pytest.mark.slow
def test_runs_stop_once_they_are_enough(played_samples):
    plan = plan_of(played_samples["choir-of-glass"], "choir-of-glass")
    forecaster = Forecaster()
    assert 25 <= len(forecaster.runs(plan, 1000, lambda ends: widest(plan, ends) <= 0.2)) < 100


@pytest.mark.slow
def test_interrupted_forecast_keeps_what_it_has(played_samples, monkeypatch):
    plan, played = plan_of(played_samples["choir-of-glass"], "choir-of-glass"), []

    def interrupt(*task):
        if played:
            raise KeyboardInterrupt
        played.append(task)
        return real(*task)

    from cli.forecast import forecaster as module

    real = module.play_runs
    monkeypatch.setattr(module, "play_runs", interrupt)
    forecaster = Forecaster()
    assert len(forecaster.runs(plan, 100)) == 25
    assert forecaster.stopped
    assert forecaster.runs(plan, 100) == []


def test_habits_are_those_of_the_ledger(played_samples):
    store, game = opened(played_samples["gutter-saints"])
    habits = learn_habits(store, game)
    kess = habits.habits["Kess"]
    assert {act.said.__struct_config__.tag for act, _ in kess.acts} >= {"attack"}
    assert all(act.said.by == "" or act.actor != "by" for act, _ in kess.acts)
    assert "Watchman" in habits.habits
    assert "Watchman 1" not in habits.habits
    assert learn_habits(store, game, EntryId(1, 0)) == AsWePlay(habits={})
    store.close()


def test_fight_that_begins_with_dice_is_begun_at_the_table():
    """The house rules of this table roll for the order."""
    seat = Seat()
    with pytest.raises(InputError, match=r"dice are thrown when one begins.*campaign do '! fight'"):
        begin_fight(seat.ledger.state, BOOK, (), None)
