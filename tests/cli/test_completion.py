"""Completion at a Tab: what the program offers each shell, and a real bash."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from cli.questions.state_at import as_one_word
from tests.cli.conftest import PROGRAM, Folder, environment
from tests.cli.terminal import Terminal

pytestmark = pytest.mark.slow  # run with --long


def offered(folder: Folder, shell: str, *words: str) -> list[str]:
    """Return what a Tab after these words offers in a shell, by the protocol of its script."""
    line = {"COMP_WORDS": " ".join(words), "COMP_CWORD": words[-1] if shell == "fish" else str(len(words) - 1)}
    done = subprocess.run(
        [PROGRAM],
        cwd=folder.path,
        env=environment(_CAMPAIGN_COMPLETE=f"{shell}_complete", **line),
        capture_output=True,
        text=True,
        check=True,
    )
    assert not done.stderr
    lines = done.stdout.splitlines()
    if shell == "zsh":
        return lines[1::3]
    return [line.split(",", 1)[1] for line in lines if line]


TABS = [
    (("campaign", "sho"), "show"),
    (("campaign", "show", "ke"), "Kess"),
    (("campaign", "cast", "--undo", "ke"), "Kess"),
    (("campaign", "who", "kess.mi"), "kess.might"),
    (("campaign", "why", "1.1"), "1.1"),
    (("campaign", "diff", "1.1"), "1.1"),
    (("campaign", "rules", "DB-ROLL-1"), "DB-ROLL-1"),
    (("campaign", "help", "disp"), "disputes"),
    (("campaign", "help", "att"), "attack"),
    (("campaign", "sheet", "p"), "pc"),
    (("campaign", "demo", "--sample", "gut"), "gutter-saints"),
]


@pytest.mark.parametrize(
    "shell", ["bash", pytest.param("zsh", marks=pytest.mark.slow), pytest.param("fish", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize(("words", "word"), TABS, ids=lambda value: " ".join(value) if isinstance(value, tuple) else "")
def test_tab_offers_what_the_ledger_has(night, shell, words, word):
    assert word in [each.partition("\t")[0] for each in offered(night, shell, *words)]


@pytest.mark.parametrize("command", ["cast", "run", "watch"])
def test_shell_completes_files_itself(night, command):
    words = ("campaign", command, "cast/k")
    done = subprocess.run(
        [PROGRAM],
        cwd=night.path,
        env=environment(_CAMPAIGN_COMPLETE="bash_complete", COMP_WORDS=" ".join(words), COMP_CWORD=str(len(words) - 1)),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"file,{words[-1]}\n"


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("Kess", "Kess"),
        ("Sister Ode", "sister-ode"),
        ("Thug 1", "thug-1"),
        ("J'onn", "jonn"),
        ("Ash & Oak", "ash-oak"),
        ("Dr. Crow", "dr-crow"),
        ("Élodie", "Élodie"),
    ],
)
def test_name_is_offered_as_one_word(name, word):
    assert as_one_word(name) == word


def test_offered_name_is_found(closed):
    kind = 'sheet = "npc"\nkind = "minion"\ndifficulty = 3\nhealth = 6\n'
    closed.run("cast", str(closed.file("ash.toml", f'name = "Ash & Oak"\n{kind}')))
    assert offered(closed, "bash", "campaign", "show", "as") == ["ash-oak"]
    assert closed.run("show", "ash-oak").startswith("Ash & Oak")
    assert closed.run("who", "ash-oak.health").startswith("Ash & Oak health is 6")


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes_commands_names_values_and_files(night):
    (night.path / "later.toml").write_text("", encoding="utf-8")
    path = f"{PROGRAM.parent}:{os.environ['PATH']}"
    terminal = Terminal(["/bin/bash", "--norc", "-i"], environment(TERM="dumb", PS1="$ ", PATH=path))
    terminal.type(f'cd {night.path}; eval "$(campaign completion bash)"; echo rea""dy\n')
    terminal.read_until("ready")
    for typed, added in [
        ("campaign sho", "show "),
        ("campaign show ke", "Kess "),
        ("campaign who doo", "doom "),
        ("campaign cast late", "later.toml "),
    ]:
        terminal.type(f"{typed}\t")
        terminal.read_until(added)
        terminal.type("\x15")  # takes the line back
    terminal.type("exit\n")
    assert terminal.end() == 0


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_script_is_read_by_its_shell(night, shell, tmp_path):
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    script = tmp_path / "script"
    script.write_text(night.run("completion", shell), encoding="utf-8")
    subprocess.run([shell, "-n", str(script)], check=True)
