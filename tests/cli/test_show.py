"""Test `show`, and `log` of a fight, to the letter."""

from __future__ import annotations

import json
import re
from collections import defaultdict

import pytest

from cli.render.state import party
from ledger.facts import GM
from rulebooks.momentum.declarations import EndEncounter, StartEncounter
from tests.cli.conftest import Folder, one_error
from tests.rulebooks.momentum.seat import BOOK as MOMENTUM
from tests.rulebooks.momentum.seat import Seat as MomentumSeat


def body(told: str) -> list[str]:
    """The lines of a telling, without its head."""
    return [line.strip() for line in told.splitlines()[1:]]


@pytest.mark.parametrize(
    ("entry", "lines"),
    [
        ("1.1", ["the lamp room begins (combat): players Ash, Bryn; gm Thug, Captain", "order: Captain 18, Thug 12"]),
        (
            "1.4",
            [
                "Bryn's initiative is final (17)",
                "order: Captain 18, Bryn 17, Thug 12, Ash 11",
                "round 1, movement phase: Ash's turn",
            ],
        ),
        ("1.7", ["Bryn is charging at Thug", "movement phase: Thug's turn"]),
        ("1.9", ["Captain passes the move action", "action phase: Captain's turn"]),
        ("1.11", ["Ash's defence: failure is final (3 against 18)", "Ash health 10>5 (attack, by Captain)"]),
        (
            "1.18",
            [
                "Ash goes down, stunned",
                "Ash gets 1 health back when able to act again",
                "Ash health 1>0 (damage, 4 over)",
                "a wound of Ash is to be rolled",
            ],
        ),
    ],
)
def test_log_of_fight_is_short(fight_folder, entry, lines):
    told = fight_folder.run("log", "1").split(f"\n{entry.ljust(5)} ")[1].split("\n1.")[0]
    assert body(told) == lines


def test_log_of_wound_end_and_night(rested):
    wound, close, end, night = rested.told
    assert body(wound)[0].startswith("wound: Dawn 4, Dusk 3 [table dice] = 7, dawn")
    assert "Ash takes a winded wound of 1 (not in force yet), Ash health 0>1 (able to act again)" in body(close)
    assert body(close)[-2:] == ["round 2, movement phase: Ash's turn", "now: Ash (bonus, move, reaction, standard)"]
    assert 'wound "Ash w1" is winded 1, in force (the encounter ended)' in body(end)
    assert "the lamp room is over" in body(end)
    assert {"Ash rests for ten hours", 'wound "Ash w1" has healed (a night\'s rest)'} < set(body(night))


def test_show_party_names_encounter_and_open_windows(fight_folder):
    assert fight_folder.run("show").splitlines() == [
        "Ash      M 12/12  S 10/10  I 9/9    hp 0/10   D 1  rising, stunned",
        "Bryn     M 9/9    S 11/14  I 17/17  hp 14/14  D 0  left: reaction",
        "Thug                                hp 1/6         left: reaction",
        "Captain                             hp 10/10       left: reaction",
        "doom 8",
        "the lamp room (combat), round 1, action phase: Ash's turn",
        "order: Captain 18, Bryn 17, Thug 12, Ash 11",
        "wound due: Ash (since 1.18)",
        "session 1 is open, entry 1.18",
    ]


def test_show_leaves_out_who_is_dead_or_absent(demo):
    brief, every = demo.run("show").splitlines(), demo.run("show", "--all").splitlines()
    assert "2 dead or absent: show --all" in brief
    assert not [line for line in brief if line.startswith("Watchman")]
    assert [line.split() for line in every if line.startswith("Watchman")] == [
        ["Watchman", "1", "hp", "5/5", "absent"],
        ["Watchman", "2", "hp", "0/5", "dead"],
    ]
    assert "Watchman 2 (npc" in demo.run("show", "watchman 2")


def test_show_paints_what_is_below_its_maximum(fight_folder, monkeypatch):
    monkeypatch.setattr("cli.output.has_colour", lambda: True)
    ash, bryn, *_ = fight_folder.run("show").splitlines()
    bold = "\x1b[1m{}\x1b[0m"
    assert bold.format("hp 0/10") in ash
    assert bold.format("S 11/14") in bryn
    assert bold.format("M 9/9") not in bryn
    assert [line.find("M ") for line in (ash, bryn)] == [len(bold.format("Captain")) + 2] * 2


def test_show_counts_wide_letters_as_two(folder):
    folder.file("li.toml", 'name = "李雷"\nmight = 9\nspeed = 9\nintellect = 9\neffort_limit = 1\n')
    folder.run("cast", str(folder.path / "li.toml"))
    assert [line[: line.index(" M ")] for line in folder.run("show").splitlines()[:3]] == ["Kess  ", "Orrin ", "李雷  "]


def test_show_says_where_people_are(played_samples):
    assert Folder(played_samples["broken-archway"]).run("show").splitlines()[0] == "Brynn   hp 6/7   in rubble"


def test_show_encounter_lists_everybody_with_actions_left(fight_folder):
    assert fight_folder.run("show", "encounter").splitlines() == [
        "the lamp room (combat), round 1, action phase: Ash's turn",
        "Captain  18  done  reaction  health 10/10",
        "Bryn     17  done  reaction  speed 11/14, health 14/14",
        "Thug     12  done  reaction  health 1/6",
        "Ash      11  turn            health 0/10, rising, stunned",
        "wound due: Ash (since 1.18)",
    ]
    assert (
        fight_folder.run("show", "enc", "--at", "1.10")
        .splitlines()[1]
        .startswith("Captain  18  turn  bonus, reaction  ")
    )
    assert fight_folder.run("show", "encounter", "--at", "1.6").splitlines()[0] == (
        "the lamp room (combat), round 1, movement phase: Bryn's turn (before Thug)"
    )
    assert fight_folder.run("show", "encounter", "--at", "1.2").splitlines()[1:] == [
        "Captain  18      health 10/10",
        "Thug     12      health 6/6",
        "Ash      -       health 10/10",
        "Bryn     -       health 14/14",
        "open roll: Ash (since 1.2)",
        "  initiative Ash: Dawn 6, Dusk 5 [table dice]",
    ]
    assert fight_folder.run("show", "encounter", "--as-of", "6") == "no encounter is running\n"


def test_show_being_lists_wounds_conditions_and_actions(fight_folder, rested):
    told = fight_folder.run("show", "ash").splitlines()
    assert "stunned since 1.18, until the end of Ash's turn of round 1" in told
    assert not [line for line in told if line.startswith("left:")]  # the stunned cannot act
    assert "left: reaction" in fight_folder.run("show", "thug").splitlines()
    assert "charging at Thug since 1.7, until the end of round 1" in fight_folder.run("show", "b", "--at", "1.7")
    assert 'wound "Ash w1": winded 1, not in force yet' in rested.run("show", "ash", "--at", "1.20")
    assert 'wound "Ash w1": winded 1' in rested.run("show", "ash", "--at", "1.21").splitlines()


@pytest.mark.parametrize(
    ("what", "line"), [("doom", "doom 8"), ("DOO", "doom 8"), ("destiny", "Ash destiny 1/2"), ("de", "Ash destiny 1/2")]
)
def test_show_token_by_name_or_prefix(fight_folder, what, line):
    assert fight_folder.run("show", what).splitlines()[0] == line


@pytest.mark.parametrize(
    ("what", "names"),
    [
        ("doom", {"doom"}),
        ("destiny", {"ash.destiny", "bryn.destiny"}),
        ("encounter", {"encounter.round", "encounter.phase", "encounter.turn"}),
    ],
)
def test_show_json_has_values_of_the_subject(fight_folder, what, names):
    assert set(json.loads(fight_folder.run("show", what, "--json"))["values"]) == names


def test_show_of_unknown_name_lists_what_is_in_play(fight_folder):
    error = one_error(fight_folder.invoke("show", "zed"), 2)
    assert error.endswith("In play: Ash, Bryn, Thug, Captain. Also: encounter, destiny, doom.")


def test_show_of_the_party_or_one_being(folder):
    printed = folder.run("show")
    assert [line.split()[0] for line in printed.splitlines()] == ["Kess", "Orrin", "doom", "session"]
    assert folder.run("show", "k") == folder.run("show", "KESS") == folder.run("show", "Kess")
    assert folder.run("show", "kes").startswith("Kess (pc, players)\n")


def test_show_of_an_unknown_name_lists_the_known(folder):
    assert "In play: Kess, Orrin" in one_error(folder.invoke("show", "nobody"), 2)


def test_ambiguous_name_is_an_error(folder):
    sheet = 'name = "Kessel"\nmight = 9\nspeed = 9\nintellect = 9\neffort_limit = 1\n'
    folder.run("cast", str(folder.file("k.toml", sheet)))
    assert "Kessel" in one_error(folder.invoke("show", "k"), 2)
    assert folder.run("show", "kess").startswith("Kess (pc")


def test_show_json_prints_values_by_name(folder):
    printed = json.loads(folder.run("show", "--json"))
    assert set(printed) == {"entry", "position", "values"}
    assert (printed["entry"], printed["position"], printed["values"]["kess.might"]) == ("1.0", 4, 9)
    mine = json.loads(folder.run("show", "kess", "--json"))["values"]
    assert mine
    assert all(name.startswith("kess.") for name in mine)


@pytest.mark.slow
def test_show_at_and_as_of_repeat_earlier_output(folder):
    """Both agree until something is undone; only `--as-of` still shows what was undone."""
    lines = ["k sneak v5 e1", "o climb v3 /7.6", "close", "k sneak v6 e2 /1.1", "undo", "k sneak v6", "o lift v2"]
    seen = {4: folder.run("show", "--json")}
    for line in lines:
        folder.run("do", line)
        now = folder.run("show", "--json")
        seen[json.loads(now)["position"]] = now
    folder.run("rebuild")
    for position, then in seen.items():
        assert folder.run("show", "--json", "--as-of", str(position)) == then
    values = {json.loads(then)["entry"]: json.loads(then)["values"] for then in seen.values()}
    assert json.loads(folder.run("show", "--json", "--at", "1.2"))["values"] == values["1.2"]
    assert json.loads(folder.run("show", "--json", "--at", "0.2"))["entry"] == "0.2"
    assert "might 9/9" in folder.run("show", "k", "--at", "0.1")


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
def test_unknown_entry_or_session_is_wrong_usage(folder, arguments, said):
    assert said in one_error(folder.invoke(*arguments), 2)


@pytest.mark.slow
def test_show_being_says_ailments_and_distances(folder):
    """Conditions with what is known of them, and counts in the words of the book."""
    folder.file("raider.toml", 'sheet = "npc"\nname = "Raider"\nkind = "minion"\ndifficulty = 4\nhealth = 6\n')
    folder.run("cast", str(folder.path / "raider.toml"))
    for line in (
        '! disease kess v4 d2 "grey fever"',
        "! condition kess rattled defence=-1 10m",
        "! distance kess raider short",
        "! light dim",
        "k rest ten_minutes",
    ):
        folder.run("do", line)
    told = folder.run("show", "kess").splitlines()
    assert "diseased (grey fever, Might against 4) since 1.2" in told
    assert "a short distance from Raider" in told
    assert "rests left: one action, one hour, ten hours" in told
    assert "a short distance from Kess" in folder.run("show", "raider").splitlines()
    assert "dim light" in folder.run("show").splitlines()
    assert folder.run("show").splitlines()[0].endswith("diseased, rests left: one action, one hour, ten hours")
    assert "rests left" not in folder.run("show").splitlines()[1]  # Orrin has all of them


@pytest.mark.slow
def test_show_says_whom_somebody_charges_and_who_has_left(demo):
    charge = demo.run("show", "encounter", "--at", "2.15").splitlines()
    assert next(line for line in charge if line.startswith("Orrin ")).endswith("charging at Dovel")
    left = [line for line in demo.run("show", "encounter", "--at", "2.52").splitlines() if "Watchman 1" in line]
    assert [line.split() for line in left] == [["Watchman", "1", "-", "left", "health", "5/5,", "absent"]]


def test_show_has_nothing_left_for_who_is_stunned_or_dead(demo):
    rows = {line.split("  ")[0]: line for line in demo.run("show", "encounter", "--at", "2.46").splitlines()}
    for name in ("Tamsin", "Dovel", "Watchman 2"):
        assert not [word for word in ("reaction", "bonus", "standard", "nothing left") if word in rows[name]]


def test_show_in_the_middle_says_where_people_are(played_samples):
    archway = Folder(played_samples["broken-archway"])
    assert "Brynn   hp 6/7    in rubble, left: action 2" in archway.run("show", "--at", "1.20")
    encounter = archway.run("show", "encounter", "--at", "1.20")
    assert "pc: Brynn              action 2      in rubble, hp 6/7\n" in encounter
    assert "nobody" not in encounter
    assert "\nin rubble\nleft: action 2\n" in archway.run("show", "brynn", "--at", "1.20")


def test_show_counts_the_same_wound(played_samples):
    powder = Folder(played_samples["powder-tithe"])
    assert re.search(r"^wall +6 wounds$", powder.run("show"), re.MULTILINE)


def test_show_marks_what_is_below_its_maximum(demo):
    for command in (["show"], ["show", "encounter"], ["show", "kess"]):
        painted = demo.run("--color", "always", *command, "--at", "2.46")
        assert re.search(r"\x1b\[1m(S|speed) 5/14\x1b\[0m", painted), command
        assert not re.search(r"\x1b\[1m(hp|health) 14/14", painted)


def test_show_being_groups_its_sheet(demo):
    told = demo.run("show", "kess").splitlines()
    assert "skill         forge trained, leap trained, pick trained, sneak trained" in told
    assert not [line for line in told if "skill." in line or "_" in line]


def test_show_being_says_the_effects_of_a_condition(folder):
    folder.run("do", "! condition kess rattled defence=-1 10m")
    assert "rattled, defence -1 since 1.1, for 10 minutes more" in folder.run("show", "kess").splitlines()


def test_party_leaves_out_zones_of_an_earlier_fight():
    seat = MomentumSeat()
    zones = {being.name for being in seat.state.beings_in_order() if being.kind == "place"}
    assert zones
    seat.say(EndEncounter(by=GM, reason="they yield"))
    seat.say(StartEncounter(by=GM, kind="the ford", zones=("ford",), pcs="ford", foes="ford"))
    told = "\n".join(party(seat.ledger.state, MOMENTUM, defaultdict(list)))
    assert "elsewhere" not in told
    assert zones <= {line.split()[0] for line in party(seat.ledger.state, MOMENTUM, defaultdict(list), every=True)}


def test_show_at_the_begin_of_a_round(fight_folder):
    assert fight_folder.run("show", "--at", "round 1") == fight_folder.run("show", "--at", "1.4")
    error = one_error(fight_folder.invoke("show", "--at", "round 7"), 2)
    assert error == "no encounter has come to round 7. See the entries: campaign log."


def test_show_takes_a_name_of_several_words(fight_folder):
    assert fight_folder.run("show", "Thug") == fight_folder.run("show", "thug")
