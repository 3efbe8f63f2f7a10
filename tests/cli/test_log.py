"""`campaign log`."""

from __future__ import annotations

import os
import signal
import time
from contextlib import closing
from pathlib import Path

import pytest

from cli.questions.log import LogFilter, is_about, listed_sessions, session_records
from ledger.sqlite_store import open_store
from tests.cli.commands import RECORD, heads, records
from tests.cli.conftest import one_error
from tests.golden import samples


def test_log_of_all_sessions_or_one(played):
    assert heads(played.run("log"))[:4] == ["0.0", "0.1", "0.2", "1.0"]
    assert heads(played.run("log", "1"))[0] == "1.0"
    assert played.run("log", "0") + played.run("log", "1") == played.run("log")


def test_log_takes_are_in_order_of_writing(played):
    plain, takes = played.run("log", "1"), played.run("log", "1", "--takes")
    assert "Orrin climb v3" not in plain
    assert "Orrin climb v3" in takes
    positions = [record["position"] for record in records(played.run("log", "--takes", "--json"))]
    assert positions == sorted(positions)
    assert len(positions) == len(set(positions))
    assert set(heads(takes)) >= {"1.5@1", "1.5@2", "1.5@3"}


def test_log_json_prints_the_stored_records(played):
    printed = records(played.run("log", "--json"))
    assert all(set(record) == RECORD for record in printed)
    assert len(printed) == len({(record["session"], record["number"], record["insert"]) for record in printed})


def test_log_n_lists_the_last_entries(played):
    every = heads(played.run("log"))
    assert heads(played.run("log", "-n", "2")) == every[-2:]
    assert heads(played.run("log", "-n", "99")) == every
    assert heads(played.run("log", "0", "-n", "1")) == ["0.2"]


def test_log_reverse_lists_the_last_entry_first(played):
    every = heads(played.run("log"))
    assert heads(played.run("log", "--reverse")) == every[::-1]
    assert heads(played.run("log", "--oneline", "--reverse", "-n", "3")) == every[:-4:-1]
    positions = [record["position"] for record in records(played.run("log", "--json", "--reverse", "-n", "2"))]
    assert positions == sorted(positions, reverse=True)


def test_log_session_option_is_the_argument(played):
    assert played.run("log", "--session", "1") == played.run("log", "1")
    assert "two sessions" in one_error(played.invoke("log", "1", "--session", "1"), 2)
    assert "no session 7" in one_error(played.invoke("log", "--session", "7"), 2)


def test_log_of_a_being_lists_what_it_does_and_suffers(rested):
    told = rested.run("log", "bryn", "--session", "1")
    assert told == rested.run("log", "B", "--session", "1")
    listed = heads(told)
    assert {"1.3", "1.7", "1.13", "1.14"} <= set(listed)  # initiative, charge, attack, pass
    assert not {"1.5", "1.11", "1.18"} & set(listed)  # Ash moves, Ash is hurt
    assert {"1.11", "1.18"} <= set(heads(rested.run("log", "ash")))


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("zed", "'zed' is not in play"),
        ("doom", "'doom' is no being"),
        ("1.3", "'1.3' is an entry, and log lists those of a session or of a being. For one entry: campaign why 1.3"),
    ],
)
def test_log_of_an_unknown_name_is_an_error(rested, name, error):
    assert error in one_error(rested.invoke("log", name), 2)


def test_log_oneline_has_one_line_for_each_entry(rested):
    lines = rested.run("log", "1", "--oneline").splitlines()
    assert [line.split()[0] for line in lines] == heads(rested.run("log", "1"))
    assert "1.0   session 1 opens" in lines
    assert "1.10  Ash dodge Captain /1.2 -> defence failure (3 against 18), dusk; doom 2>4 (Dusk)" in lines


def test_log_writes_lines_out_unless_typed(rested):
    for typed, written in (("b charge thug", "Bryn charge Thug"), ("thug pass", "Thug pass"), ("close", "! close")):
        assert f" {written}\n" in rested.run("log")
        assert f" {typed}\n" in rested.run("log", "--typed")
        assert f" {written}\n" not in rested.run("log", "--typed")


def test_log_keeps_faces_claims_and_dots_of_a_line(folder):
    for line in ("k sneak v5 /7.6 => success", "= k M9", "# a scene", "close", "k,o rest ten_minutes order=might"):
        folder.run("do", line)
    lines = folder.run("log", "1", "--oneline")
    assert " Kess sneak v5 /7.6 => success -> " in lines
    assert " = k M9 -> " in lines
    assert " # a scene\n" in lines
    assert " Orrin rest order=might ten_minutes -> " in lines


@pytest.mark.slow
def test_log_of_a_scene_by_words_or_number(saints):
    lamp = heads(saints.run("log", "--scene", "LAMP room"))
    assert lamp == heads(saints.run("log", "2", "--scene", "1")) == heads(saints.run("log", "2"))[2:]
    assert heads(saints.run("log", "--scene", "2")) == heads(
        saints.run("log", "--scene", "second night")
    )  # of session 3
    assert heads(saints.run("log", "kess", "--scene", "lamp room")) == [
        id for id in heads(saints.run("log", "kess", "--session", "2")) if id in lamp
    ]


def test_log_of_an_unknown_scene_names_the_scenes(saints):
    error = one_error(saints.invoke("log", "2", "--scene", "harbour"), 2)
    assert error == "there is no scene 'harbour'. There is: 1 The Lamp Room."
    assert "there is no scene '7'" in one_error(saints.invoke("log", "--scene", "7"), 2)
    assert "--scene" in one_error(saints.invoke("log", "-f", "--scene", "1"), 2)


def test_log_follow_takes_no_end(played):
    assert "leave out -n" in one_error(played.invoke("log", "-f", "-n", "2"), 2)


def appears(text: str, file: Path) -> bool:
    """Return whether the text appears in the file within ten seconds."""
    end = time.monotonic() + 10
    while text not in file.read_text(encoding="utf-8"):
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


@pytest.mark.slow
def test_log_follow_prints_new_entries_until_interrupted(folder, tmp_path, stopping):
    printed = tmp_path / "printed"
    with printed.open("w") as out:
        stopping.append(folder.start_process("log", "-f", stdout=out))
    (process,) = stopping
    assert appears("commitment", printed)
    assert folder.run_process("do", "# Somebody knocks").returncode == 0
    assert appears("1.1   # Somebody knocks\n", printed)
    assert process.poll() is None
    os.kill(process.pid, signal.SIGINT)
    assert process.wait(timeout=10) == 130
    assert process.stderr.read().strip() == "interrupted"


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize("sample", samples())
def test_sessions_without_a_being_are_not_listed_for_it(sample: str, played_samples: dict[str, Path]) -> None:
    with closing(open_store(played_samples[sample] / "ledger.db", write=False)) as store:
        every = listed_sessions(store, LogFilter(), last_first=False)
        assert every == [*store.session_sizes()]
        records = [record for session in every for record in session_records(store, session)]
        for who in {record.by for record in records} | {"Nobody"}:
            about = {record.session for record in records if record.facts and is_about(record, who)}
            assert about <= {*listed_sessions(store, LogFilter(who=who), last_first=False)}
        assert listed_sessions(store, LogFilter(who="Nobody"), last_first=True) == []


def test_secret_scene_is_no_scene_of_the_players(folder):
    for line in ("# The roof", "k sneak v5", "!! # The vault", "k climb v3", "# The vault door"):
        folder.run("do", line)
    log = ["log", "--scene", "vault"]
    assert [line.split()[0] for line in folder.run(*log, "--oneline").splitlines()] == ["1.3", "1.4", "1.5"]
    players = [*log, "--oneline", "--as", "players"]
    assert [line.split()[0] for line in folder.run(*players).splitlines()] == ["1.5"]
    folder.run("do", "! reveal 1.3")
    assert folder.run(*players).splitlines()[0].startswith("1.3")


def test_answer_to_an_unknown_scene_names_the_last_ones(folder, monkeypatch):
    monkeypatch.setattr("cli.questions.log.NAMED_MOST", 2)
    for line in ("# The roof", "# The yard", "# The vault"):
        folder.run("do", line)
    error = one_error(folder.invoke("log", "--scene", "lamp"), 2)
    assert error.endswith("There is: ..., 2 The yard, 3 The vault.")
