"""`campaign amend`: retcon, stand, compensate."""

from __future__ import annotations

import json
import os
import pty
import subprocess

import pytest

from tests.cli.conftest import PROGRAM, environment
from tests.cli.disputes import (
    BECAUSE,
    LAMP,
    OPENED,
    RECORD,
    SETTLED,
    WHATIF_KEYS,
    WOUND,
    outcomes,
    unchanged,
    unchanged_after_preview,
    values,
)

pytestmark = pytest.mark.slow  # run with --long


@pytest.mark.slow
def test_sheet_can_be_dropped_but_not_changed(demo):
    assert "only a whole line" in unchanged(demo, "whatif", "0.1", "might=10", code=2)
    printed = demo.run("whatif", "--drop", "0.3")  # the strongbox
    assert outcomes(printed)["0.3"] == "removed"
    assert "Strongbox state          1          none\n" in printed
    without_kess = json.loads(demo.run("whatif", "--drop", "0.1", "--json"))  # without Kess hardly anything is possible
    assert sum(entry["outcome"] == "no longer possible" for entry in without_kess["entries"]) > 40


def test_retcon_writes_what_whatif_shows(saints):
    saints.run(*OPENED)
    result = json.loads(saints.run("whatif", *LAMP, "--json"))
    done = json.loads(saints.run("amend", *LAMP, *BECAUSE, "--agreed", "Ana,Bo", "--retcon", "--pass", "--json"))
    assert set(done) == SETTLED
    assert {name: done[name] for name in WHATIF_KEYS} == result
    assert (done["outcome"], done["age"], done["left"]) == ("retcon", "earlier_session", [])
    own, *takes = done["written"]
    assert {frozenset(record) for record in done["written"]} == {frozenset(RECORD)}
    assert (own["session"], own["number"], own["cause"]) == (4, 1, None)
    assert own["facts"][1] == {
        "fact": "amended", "rules": [], "entry": "2.39@1", "outcome": "drop", "because": "the wall",
        "agreed": ["Ana", "Bo"],
    }  # fmt: skip
    assert {take["cause"] for take in takes} == {"4.1"}
    written = {
        f"{take['session']}.{take['number']}" + (f"+{take['insert']}" if take["insert"] else "") for take in takes
    }
    assert written == {entry["entry"] for entry in result["entries"] if entry["outcome"] != "unchanged"}
    assert values(saints)["tamsin.destiny"] == 2
    saints.run("verify")
    saints.run("replay")


def test_as_of_shows_the_state_before_a_correction(saints):
    before, said = saints.run("show"), values(saints)
    saints.run("amend", *LAMP, *BECAUSE, "--retcon", "--pass")
    assert saints.run("show", "--as-of", "172") == before
    assert values(saints, "--as-of", "172") == said != values(saints)


def test_error_of_an_earlier_session_is_compensated(saints):
    printed = saints.run("amend", "1.36", '! ruling "storm damage" "a lie" doom=1', *BECAUSE)
    assert "notes an error and adjusts its values: 1.36@1 (the wall)\n" in printed
    assert '3.41  ! adjust "doom" change=-2 "the wall"\n' in printed
    assert values(saints)["doom"] == 15
    assert "1.36@2" not in saints.run("log", "--takes")


def test_compensation_of_one_value(saints):
    error = unchanged_after_preview(saints, "amend", "--drop", "2.33", *BECAUSE, "--compensate", "--only", "kess.speed")
    assert error == (
        "L-AMEND: 'kess.speed' ends the same with the change. "
        "Different at the end: clock.seconds, doom, watchman-2.dead, watchman-2.health."
    )
    printed = saints.run("amend", "--drop", "2.33", *BECAUSE, "--compensate", "--only", "watchman-2.health")
    assert "Watchman 2 health 0>2\n" in printed
    assert values(saints)["doom"] == 17
    refusal = saints.invoke("amend", "--drop", "2.33", *BECAUSE, "--compensate")
    assert refusal.exit_code == 1
    assert "was compensated in 3.40" in refusal.output
    saints.run("undo")
    done = json.loads(saints.run("amend", "--drop", "2.33", *BECAUSE, "--compensate", "--json"))
    assert (done["outcome"], done["left"]) == ("compensate", ["clock.seconds", "watchman-2.dead"])
    assert [record["cause"] for record in done["written"]] == [None, "3.43", "3.43"]
    assert values(saints)["doom"] == 15
    assert unchanged_after_preview(saints, "amend", "1.14", "e1", *BECAUSE, "--compensate", "--only", "doom").endswith(
        "All values end the same: use --stand."
    )


def test_stand_only_notes_the_error(saints):
    before = values(saints)
    done = json.loads(saints.run("amend", "2.55", "no e1", *BECAUSE, "--by", "Bo", "--stand", "--json"))
    (own,) = done["written"]
    assert (done["outcome"], own["by"], own["facts"][1]["outcome"]) == ("stand", "Bo", "stand")
    assert values(saints) == before
    assert "other takes" not in saints.run("why", "2.55")


def test_custom_to_ask_writes_nothing(night):
    before = night.bytes
    done = night.invoke("amend", "4.1", "v6", *BECAUSE)
    assert (done.exit_code, night.bytes) == (1, before)
    assert done.stderr == "Nothing is written. The error is of this session: add --retcon, --stand or --compensate.\n"
    demo = night.invoke("amend", "4.1", "v6", *BECAUSE, "--json")
    assert (demo.exit_code, night.bytes) == (1, before)
    assert {name: json.loads(demo.stdout)[name] for name in ("outcome", "age", "written")} == {
        "outcome": "", "age": "same_session", "written": [],
    }  # fmt: skip


def test_custom_can_be_changed(night):
    night.run("do", '! corrections same_session stand "we never look back"')
    assert "notes an error and changes nothing" in night.run("amend", "4.1", "v6", *BECAUSE)
    night.run("do", '! corrections same_session retcon "after all"')
    assert "amends 4.1@1" in night.run("amend", "4.1", "v6", *BECAUSE)
    night.run("do", '! corrections earlier_session ask "we talk"')
    assert night.invoke("amend", "1.14", "e1", *BECAUSE).exit_code == 1


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("retcon\n", "retcon"),
        ("\n", None),
        pytest.param("stand\n", "stand", marks=pytest.mark.slow),
        pytest.param("nothing\n", None, marks=pytest.mark.slow),
    ],
)
def test_terminal_prompts_for_the_outcome(night, answer, outcome):
    ours, theirs = pty.openpty()
    os.write(ours, answer.encode())
    command = [str(PROGRAM), "-C", str(night.path), "amend", "4.1", "v6", *BECAUSE]
    done = subprocess.run(
        command, stdin=theirs, capture_output=True, text=True, env=environment(), timeout=60, check=False
    )
    os.close(ours)
    os.close(theirs)
    assert "The error is of this session. Settle it by (retcon, stand, compensate, nothing) [nothing]: " in done.stderr
    assert done.returncode == (0 if outcome else 1)
    records = [json.loads(line) for line in night.run("log", "4", "--takes", "--json").splitlines()]
    said = [fact["outcome"] for record in records for fact in record["facts"] if fact["fact"] == "amended"]
    assert said == ([] if outcome is None else [outcome])


def test_new_turn_is_passed_or_played(saints):
    for command in (["amend", *LAMP], ["amend", *LAMP, "--insert", "2.54", "t move"]):
        error = unchanged_after_preview(saints, *command, *BECAUSE, "--retcon")
        assert error.startswith("L-OPENED: the change gives Tamsin a turn at 2.54+")
        assert error.endswith("Add --pass to skip it, or --insert 2.54 'LINE' to play it.")
    filled = ("--insert", "2.54", "t move", "--insert", "2.54", "t pass")
    printed = saints.run("amend", *LAMP, *filled, *BECAUSE, "--retcon")
    assert {"2.54+1": "inserted", "2.54+2": "inserted"}.items() <= outcomes(printed).items()
    saints.run("verify")


def test_missing_face_is_typed_or_its_entry_dropped(night):
    result = json.loads(night.run("whatif", *WOUND, "--json"))
    need = result["need"]
    assert set(need) == {"entry", "line", "purpose", "sides", "why", "odds"}
    assert (need["entry"], need["purpose"], need["sides"]) == ("4.4", "task Tamsin", [12, 12])
    assert {chance["of"] for chance in need["odds"]} == {144}
    assert result["entries"][-1]["entry"] == "4.3"
    for outcome in ("--retcon", "--compensate"):
        error = unchanged_after_preview(night, "amend", *WOUND, *BECAUSE, outcome)
        assert error.startswith("L-NEEDS: entry 4.4 needs faces that were never drawn")
        assert error.endswith("Type them (--faces 4.4 /7.6), or remove it (--drop 4.4).")
    voided = night.run("whatif", *WOUND, "--drop", "4.4")
    assert outcomes(voided)["4.4"] == "removed"
    printed = night.run("amend", *WOUND, "--faces", "4.4", "7.6", *BECAUSE, "--retcon")
    assert "4.4   amended: t read v2 /7.6\n" in printed
    assert "typed in from the table" in night.run("why", "4.4")
    assert "answers 4.4@1" in night.run("log", "4")
    night.run("close")
    night.run("verify")
    night.run("replay")


def test_changed_entry_needs_its_own_faces(night):
    for change in (["--insert", "4.6", "k leap v6"], ["4.4", "v5"]):
        error = unchanged_after_preview(night, "amend", *change, *BECAUSE, "--retcon")
        assert "add them to the change, as in: " in error
        assert error.endswith(" /6.6.")
    night.run("amend", "--insert", "4.6", "k leap v6 /6.6", "4.4", "v5", "/6.6", *BECAUSE, "--retcon")
    night.run("verify")


def test_error_may_stand_though_a_face_is_missing(night):
    assert "notes an error and changes nothing" in night.run("amend", *WOUND, *BECAUSE, "--stand")
    assert "notes an error and changes nothing: " in night.run("recap", "4", "--log").partition("## Corrections")[2]


def test_no_die_is_drawn_between_sessions(demo):
    for entry in ("1.42", "3.39"):
        assert (
            json.loads(demo.run("whatif", "--insert", entry, "k sneak v4", "--json"))["need"]["entry"] == f"{entry}+1"
        )
    assert json.loads(demo.run("whatif", "--insert", "1.42", "k sneak v4 /7.6", "--json"))["need"] is None


def test_changed_rules_are_never_part_of_a_retcon(saints, monkeypatch):
    from rulebooks.dusk_bastards.tasks import costs

    monkeypatch.setattr(costs, "effort_cost", lambda levels: 4 * levels)
    printed = saints.run("whatif", "3.14", "+1")
    assert "\nthe installed rules differ without the change: 3.14" in printed
    assert json.loads(saints.run("whatif", "3.14", "+1", "--json"))["rule_difference"]["entry"] == "3.14"
    error = unchanged_after_preview(saints, "amend", "3.14", "+1", *BECAUSE, "--retcon")
    assert error.startswith("L-RULES: the installed rules decide entry 3.14 differently even without the change")
    assert error.endswith("Use --stand or --compensate, or amend it with the rulebook that it was played with.")
    assert "installed rules differ" not in saints.run("whatif", "3.35", "= k M9")  # nothing behind it pays for Effort
    saints.run("amend", "3.14", "+1", *BECAUSE, "--stand")
