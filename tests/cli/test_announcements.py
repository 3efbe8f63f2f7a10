"""Test a fight through the commands: announcements, answers, late reactions, odds, claims of a printed example."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import campaign
from tests.cli.conftest import CLOCK, LEDGER, Folder, copied, one_error
from tests.golden import CAMPAIGNS

SHEETS = CAMPAIGNS / "broken-archway"
BEGIN = (
    '! fight "the archway" paths=causeway:archway,causeway:rubble pcs=archway foes=archway',
    "kael momentum /12.1",
    "brynn momentum /12.1",
    '! bypass sira "she was first"',
)


@pytest.fixture(scope="module")
def begun_fight(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """The archway in round 1, dice fixed. Copy it; do not write to it."""
    folder = Folder(tmp_path_factory.mktemp("fight") / "archway")
    arguments = ["--clock", CLOCK, "new", "Archway", str(folder.path), "--id", LEDGER, "--game", "momentum"]
    made = CliRunner().invoke(campaign, arguments)
    assert made.exit_code == 0, made.output
    folder.run("cast", str(SHEETS / "cast"), str(SHEETS / "foes"))
    folder.run("open", "Night", "--seed", "the archway")
    for line in BEGIN:
        folder.run("do", line)
    return folder


@pytest.fixture
def fight(begun_fight: Folder, tmp_path: Path) -> Folder:
    """A fight of one's own."""
    return copied(begun_fight, tmp_path)


def foes_act(fight: Folder) -> None:
    for who in ("kael", "brynn", "sira"):
        fight.run("do", f"{who} end")


@pytest.mark.slow
def test_attack_is_announced_answered_and_thrown(fight: Folder) -> None:
    foes_act(fight)
    assert "announced for Leader, waits for " in fight.run("do", "! leader attack kael ...")
    assert "interpose: Sira for Kael" in fight.run("do", "^ sira interpose")
    assert "Defense 6; hits 2 (d2 7, d3 12)" in fight.run("do", "go /1.7.12.1")
    fight.run("close")
    assert "the replay agrees" in fight.run("replay")


def test_announcement_without_possible_answer_happens_at_once(fight: Folder) -> None:
    """A remark says so, and the attack happens."""
    for who in ("kael", "brynn", "sira"):
        fight.run("do", f'! ruling "far off" "the test" {who}.place="rubble"')
    fight.run("do", '! ruling "here" "the test" kael.place="archway"')
    fight.run("do", '! ruling "shooting" "the test" archer.place="causeway"')
    foes_act(fight)
    done = fight.invoke("do", "! archer attack kael /6 ...")
    assert "Nobody can answer, so it happens at once." in done.stderr
    assert "Kael hp 6>5" in done.stdout
    assert "L-ANNOUNCED: nothing is announced" in one_error(fight.invoke("do", "go"), 1)


def test_announcement_of_no_attack_happens_at_once(fight: Folder) -> None:
    done = fight.invoke("do", "kael move causeway ...")
    assert "Nobody can answer" in done.stderr
    assert "kael move causeway" in done.stdout


@pytest.mark.slow
def test_late_reaction_is_refused_until_amended(fight: Folder) -> None:
    foes_act(fight)
    fight.run("do", "! leader attack kael ...")
    thrown = fight.run("do", "go")
    number = int(thrown.split()[0].partition(".")[2])
    before, go = f"1.{number - 1}", f"1.{number}"
    assert one_error(fight.invoke("do", "^ sira interpose"), 1).startswith(
        "MO-E-TIMING: Too late, or too early: no attack waits for the answer of Sira"
    )
    told = fight.run("amend", "--insert", before, "^ sira interpose", "--because", "she said so", "--retcon")
    assert f"{before}+1 inserted: ^ sira interpose" in told
    why = fight.run("why", f"{before}+1")
    assert f"it came after the dice of {go}: position " in why
    assert f"its dice are those of {before}, which announced it" in fight.run("why", go)
    assert f"inserts {before}+1 (she said so)" in fight.run("log")
    fight.run("close")
    assert "all is well" in fight.run("verify")


@pytest.mark.slow
def test_odds_tell_exact_and_uncounted_chances(fight: Folder) -> None:
    told = fight.run("odds", "kael attack leader", "--full")
    assert "Kael hit 2 hits" in told
    assert "not followed: " in told
    assert fight.run("odds", "--full", "kael attack leader ...") == told
    short = fight.run("odds", "kael attack leader")
    assert short.startswith("1 hit 42 %  2 hits 37 %  miss 13 %")
    assert short.endswith("(not followed <1 %)\n")


def test_looking_commands_know_the_fight(fight: Folder) -> None:
    said = fight.run("do", "sira attack leader /12.7.1.3")
    entry = said.split()[0]
    assert f"{entry}." in fight.run("who", "leader.hp")
    assert "archway" in fight.run("who", "sira.place")
    told = fight.run("whatif", entry, "/1.1.1")
    assert "Leader hp ends at 7 instead of 5" in told
    assert "MO-EXP-2" in fight.run("rules", "MO-EXP-2")
    assert "Sira" in fight.run("recap", "1")
    assert "possible situations, not claimed" in fight.run("why", entry)
    fight.run("undo")
    assert "Leader hp is 7" in fight.run("who", "leader.hp")


def test_ruling_sets_a_reading(fight: Folder) -> None:
    assert "wounded_at half_or_less>off (no wounds)" in fight.run(
        "do", '! ruling "no wounds" "a vote" option.wounded_at=off'
    )


def test_replay_of_printed_fight_finds_its_two_slips(print_of_it: Folder) -> None:
    claims = [line for line in print_of_it.run("replay").splitlines() if " claims " in line]
    assert claims == ["1.27 claims defense 5, the ledger says 4", "1.30 claims Sira hp 8, the ledger says 7"]


SLIPS = {"defense 5, the ledger would say 4", "Sira hp 8, the ledger would say 7"}
WOUNDED = {"Kael wounded 1, the ledger would say nothing", "actions 1, the ledger would say 2"}


@pytest.mark.quick_rows(4)
@pytest.mark.parametrize(
    ("reading", "claims", "refused"),
    [
        (
            "ranged_same_zone=forbid",
            (SLIPS - {"defense 5, the ledger would say 4"}) | WOUNDED | {"Kael hp 3, the ledger would say 4"},
            True,
        ),
        ("wounded_at=off", SLIPS | WOUNDED | {"wounded yes, the ledger would say no"}, False),
        ("wounded_at=three_or_less", SLIPS, False),
        ("check_adv=three_dice", SLIPS, False),
        ("foe_actions=1", SLIPS, False),
        ("reaction_cost=subtract_one", SLIPS, False),
        ("help_timing=before_roll", SLIPS, False),
        ("help_extra_dice=no", SLIPS, False),
        ("help_stacks=yes", SLIPS, False),
        ("precise_repeat=once", SLIPS, False),
        ("thrown_leaves_hand=yes", SLIPS, False),
        ("foes_wounded=yes", SLIPS, False),
    ],
)
def test_other_readings_differ_where_the_catalogue_says(
    reading: str, claims: set[str], refused: bool, print_of_it: Folder
) -> None:
    told = print_of_it.invoke("replay", "--option", reading).stdout
    assert {line.partition(" claims ")[2] for line in told.splitlines() if " claims " in line} == claims
    assert ("MO-E-RANGE" in told) is refused


@pytest.fixture(scope="module")
def print_of_it(played_samples: dict[str, Path]) -> Folder:
    """The printed fight, played. Do not write to it."""
    return Folder(played_samples["broken-archway"])


def test_dice_that_wait_are_printed_as_thrown(fight: Folder) -> None:
    """The base dice stand in `go wait`, in the log, in `show`, and beside the hits."""
    fight.run("do", "kael attack leader ...")
    fight.run("do", '^ sira help "quick" "a shout"')
    waiting = fight.run("do", "go wait")
    (dice,) = (line.strip() for line in waiting.splitlines()[1:-1])
    assert waiting.splitlines()[-1].startswith("now: Kael (action 2); announced: Kael")
    assert dice.startswith("attack Kael: d12 ")
    assert f"      {dice}" in fight.run("log")
    assert f"  {dice}" in fight.run("show")
    assert f"  {dice}" in fight.run("show", "encounter")
    faces = [part.rpartition(" ")[2] for part in dice.split(", ")]
    counted = fight.run("do", "go").splitlines()[1]
    assert all(f"d{number} {face}" in counted for number, face in enumerate(faces, 1) if face != "1")  # a 1 is precise


def test_word_in_place_of_the_target_is_nobody(fight: Folder) -> None:
    """Not a lacking target: the word was taken as the name of a weapon."""
    error = one_error(fight.invoke("do", "kael attack zorblax"), 2)
    assert error.startswith("column 13: 'zorblax' is nobody in play. There is: Brynn, Kael, Sira")


def test_refused_announcement_has_no_remark(fight: Folder) -> None:
    one_error(fight.invoke("do", "leader attack kael ..."), 1)


def test_show_says_the_actions_of_the_next_turn(fight: Folder) -> None:
    assert "allowance 2" in fight.run("show", "kael").splitlines()
    fight.run("do", '! allowance kael 1 "stunned"')
    assert "allowance 2, the game master's ruling makes it 1 = 1" in fight.run("show", "kael").splitlines()
    assert "allowance" not in fight.run("show", "rubble")


def test_line_takes_a_path_away(fight: Folder) -> None:
    assert "no longer" in fight.run("do", '! ruling "it burns" "oil" causeway.neighbour.rubble=0')
    assert "MO-E-NEIGHBOUR" in one_error(fight.invoke("do", "kael move rubble"), 1)


def test_late_help_is_put_into_a_resolved_line(fight: Folder) -> None:
    """MO-GAP-16: hit points have changed, so the refusal says how to amend, and that works."""
    number = fight.run("do", "kael attack leader /2.3").split()[0]
    error = one_error(fight.invoke("do", '^ sira help "a shout" "loud"'), 1)
    assert "the last one is resolved already" in error
    assert "^sira:late:" in error.lower()
    again = 'kael attack leader ^sira:late:"a shout":"loud" reroll=1 /2.3.11'
    told = fight.run("amend", number, again, "--because", "forgotten", "--retcon")
    assert "1 hit (1 against" in told
    assert "allowance 2, reacted at most 1 = 1: Sira's next turn" in fight.run("do", "! allowance sira")


def test_show_says_the_actions_of_a_momentum_check(begun_fight: Folder, tmp_path: Path) -> None:
    """In the words of the book, for a failed check as for one that succeeded."""
    folder = copied(begun_fight, tmp_path)
    for line in ("undo", "undo", "brynn momentum /4.5", '! bypass sira "she was first"'):
        folder.run("do", line)
    told = {line.split()[0]: line for line in folder.run("show").splitlines()}
    assert told["Kael"].endswith(", has two actions in round 1, left: action 2")
    assert told["Brynn"].endswith(", has one action in round 1, left: action")
    assert [line[:9] for line in folder.run("show", "encounter").splitlines() if "has one action" in line] == [
        "pc: Brynn"
    ]
