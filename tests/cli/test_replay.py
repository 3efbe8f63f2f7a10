"""`campaign replay`, `verify` and `rebuild`."""

from __future__ import annotations

import json
import re

import pytest

from cli.commands import rebuild
from ledger.records import parse_head
from tests.cli.conftest import Folder, one_error


def test_replay_agrees_and_counts_what_it_compared(played):
    printed = played.run("replay")
    assert re.match(r"\d+ entries, \d+ facts decided again; \d+ faces drawn again .* \d+ typed at the table\n", printed)
    assert printed.endswith("the replay agrees\n")
    assert played.run("replay", "1").endswith("the replay agrees\n")


def test_replay_json_report(played):
    printed = json.loads(played.run("replay", "--json"))
    keys = {"entries", "facts", "drawn", "typed", "sealed", "rulebooks", "differences"}
    assert keys <= set(printed)
    assert (printed["sealed"], printed["differences"]) == (0, [])
    assert printed["drawn"] > 0


def test_replay_of_a_session_that_is_not_there_is_refused(saints):
    assert one_error(saints.invoke("replay", "9"), 2) == "there is no session 9. Leave it out to replay all."
    assert saints.run("replay", "3").endswith("the replay agrees\n")


def forge_die(folder: Folder) -> Folder:
    """Change Kess's Dawn die of 1.1, and hash the whole ledger again."""
    from ledger.facts import Rolled
    from ledger.records import Record
    from tests.ledger.strategies import Forger, changing

    def edit(all_of_them: list[Record]) -> list[Record]:
        (old,) = (record for record in all_of_them if (str(record.id), record.take) == ("1.1", 1))
        number, rolled = next((n, fact) for n, fact in enumerate(old.facts) if isinstance(fact, Rolled))
        from msgspec.structs import replace

        dice = (replace(rolled.dice[0], face=rolled.dice[0].face % 12 + 1), *rolled.dice[1:])
        return changing("1.1", fact=(number, {"dice": dice}))(all_of_them)

    Forger(folder.ledger).rewrite(edit, chained=True)
    return folder


@pytest.mark.slow
def test_forged_die_is_found_by_replay_and_verify(played):
    head = played.run("close") if played.seeds else played.run("verify").splitlines()[-1].partition("head ")[2]
    forge_die(played)
    done = played.invoke("replay")
    assert done.exit_code == 1
    assert "the replay differs" in done.stdout
    assert "1.1" in done.stdout
    difference = json.loads(played.invoke("replay", "--json").stdout)["differences"][0]
    assert set(difference) == {"entry", "fact", "kind", "field", "recorded", "derived", "rules"}
    verdict = played.invoke("verify")
    assert verdict.exit_code == 1
    assert "entry 1.1" in verdict.stdout
    kept = played.invoke("verify", "--head", head, "--json")
    report = json.loads(kept.stdout)
    assert kept.exit_code == 1
    assert set(report) == {"ok", "findings", "head", "replay", "proofs", "notices"}
    assert report["ok"] is False
    assert all(set(finding) == {"where", "what"} for finding in report["findings"])
    assert any("head that was kept" in finding["what"] for finding in report["findings"])


@pytest.mark.slow
def test_verify_passes_with_and_without_a_head(played):
    done = played.invoke("verify")
    assert done.exit_code == 0
    assert done.stdout.startswith("all is well\n")
    assert "No kept head was given" in done.stderr
    head = done.stdout.split("head ")[1].strip()
    assert parse_head(head)
    again = played.invoke("verify", "--head", head)
    assert (again.exit_code, again.stderr) == (0, "")
    assert json.loads(played.run("verify", "--json"))["head"] == head


@pytest.mark.slow
def test_verify_with_a_kept_head_finds_a_cut_ledger(folder):
    folder.run("do", "# One")
    before = folder.bytes
    folder.run("do", "# Two")
    head = folder.run("verify").split("head ")[1].strip()
    folder.ledger.write_bytes(before)
    assert folder.invoke("verify").exit_code == 0
    done = folder.invoke("verify", "--head", head)
    assert done.exit_code == 1
    assert "a head was kept there, but the ledger ends at 5" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("step", ["build_snapshots", "build_read_models"])
def test_amend_during_rebuild_leaves_no_stale_snapshot(folder, monkeypatch, step):
    folder.run("do", "k sneak v5 /7.6")
    folder.run("do", "close")
    build = getattr(rebuild, step)

    def overtaken(*arguments):
        made = build(*arguments)
        monkeypatch.undo()
        amend = folder.run_process("amend", "1.1", "v4", "--because", "so", "--retcon")
        assert amend.returncode == 0, amend.stderr
        return made

    monkeypatch.setattr(rebuild, step, overtaken)
    assert "made again" in folder.invoke("rebuild").stderr
    folder.run("verify")


@pytest.mark.slow
def test_rebuild_makes_the_snapshots_again(played):
    shown = played.run("show", "--json")
    done = played.run("rebuild")
    assert re.fullmatch(r"\d+ snapshots made from \d+ records\n", done)
    assert played.run("show", "--json") == shown
    played.run("verify")
    after = played.bytes
    played.run("rebuild")
    assert len(played.bytes) == len(after)
    played.run("verify")


def test_option_without_a_reading_is_told_how(saints):
    error = one_error(saints.invoke("replay", "--option", "light_wound_cost"), 2)
    assert error == (
        "'light_wound_cost' lacks its reading. Write it as light_wound_cost=READING. There is: per_level, per_use."
    )
