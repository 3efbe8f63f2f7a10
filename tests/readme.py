"""The transcripts of the README and the help pages: blocks of ```console, each `$ command` with what it prints.

The README, the page about trust and that about disputes go on from one another; each game's page begins anew. What
`campaign play` prints is the screen of a pseudo-terminal; behind its prompts stand the lines that are typed there.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from tests.cli.terminal import Terminal
from tests.program import run_main

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
HELP = ROOT / "cli" / "help"
CHAINS = [
    [README, HELP / "trust.md", HELP / "disputes.md"],
    [HELP / "forecast.md"],
    [HELP / "discord.md"],
    [HELP / "obsidian.md"],
    [HELP / "foundry.md"],
    [HELP / "chat-log.md"],
] + [[page] for page in sorted(ROOT.glob("rulebooks/*/help.md"))]
if find_spec("mcp") is not None:
    CHAINS.append([HELP / "mcp.md"])  # its client is the library's
PLAIN = re.compile(  # one command without a variable, whose output goes to the terminal, into a file or into a pipe
    r"""campaign (?P<given>(?:[^'"|&;<>$`\\\n~*?]|'[^'\n]*'|"[^"$`\\\n]*")*?)(?P<quiet> 2>/dev/null)?"""
    r"(?: > (?P<file>[\w./-]+)| \| (?P<pipe>[^|&;<>$`\n]+))?"
)
PLAY = "campaign play"
PROMPT = "»"
CLOCK = "2026-01-09T19:30:00Z"


class Step(NamedTuple):
    """One command of the README, and what it prints there."""

    line: int
    command: str
    printed: str


def blocks(text: str) -> Iterator[tuple[int, list[str]]]:
    """The console blocks: the number of the first line inside, and the lines."""
    inside: list[str] | None = None
    start = 0
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("```"):
            if inside is not None:
                yield start, inside
                inside = None
            elif line == "```console":
                inside, start = [], number + 1
        elif inside is not None:
            inside.append(line)


def steps(text: str) -> list[Step]:
    """Every command in order; `> ` lines go on with the command above (a heredoc)."""
    found: list[Step] = []
    for start, lines in blocks(text):
        command: list[str] = []
        printed: list[str] = []
        begun = start
        for number, line in enumerate([*lines, "$ "], start=start):
            if line.startswith("$ "):
                if command:
                    found.append(Step(begun, "\n".join(command), "\n".join(printed)))
                command, printed, begun = [line[2:]], [], number
            elif (line.startswith("> ") or line == ">") and not printed and "<<" in command[0]:
                command.append(line[2:])
            else:
                printed.append(line)
    return found


class Shell:
    """Runs the commands one after the other, where the last one left off."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.variables = ""
        self.environment = {
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "HOME": str(folder),
            "CAMPAIGN_CLOCK": CLOCK,
            "NO_COLOR": "1",
            "TMPDIR": str(folder),
            "CAMPAIGN_HEADS": str(folder / "heads"),
            "PYTHONPATH": f"{ROOT / 'tests' / 'salts'}:{ROOT}",  # the heads that a page shows have salts in them
        }

    def run(self, step: Step) -> str:
        """Return what a step prints: a command, or the lines typed in the shell."""
        return self.play(step) if step.command == PLAY else self.run_command(step.command)

    def play(self, step: Step) -> str:
        """Return the screen of the shell, in which the lines behind the prompts of the page are typed."""
        typed = [row.partition(PROMPT)[2].strip() for row in step.printed.splitlines() if PROMPT in row]
        program = [str(Path(sys.executable).parent / "campaign"), "-C", str(self.folder), "play"]
        terminal = Terminal(program, self.environment | {"TERM": "xterm", "LC_ALL": "C.UTF-8"})
        for number, line in enumerate(typed, 1):
            terminal.read_prompt(number)
            terminal.type(line + "\r")
        assert terminal.end() == 0
        return "\n".join(terminal.display.lines())

    def run_command(self, command: str) -> str:
        """Return the output of a command, both streams as a terminal shows them; `cd` and variables stay.

        What needs no shell runs in this process, which is much faster.
        """
        plain = PLAIN.fullmatch(command)
        return (self._run_here(plain) if plain else self._run_in_bash(command)).rstrip("\n")

    def _run_here(self, plain: re.Match[str]) -> str:
        """Return the output of one command of the program, behind what it writes into a file or a pipe."""
        with contextlib.chdir(self.folder):
            done = run_main(*shlex.split(plain["given"]), env=self.environment)
            remarks = "" if plain["quiet"] else done.stderr
            if plain["file"]:
                Path(plain["file"]).write_text(done.stdout, encoding="utf-8")
                return remarks
            if plain["pipe"]:
                end = ["bash", "-c", plain["pipe"]]
                return (
                    remarks
                    + subprocess.run(
                        end, env=self.environment, input=done.stdout, stdout=subprocess.PIPE, text=True, check=False
                    ).stdout
                )
            return done.stdout if plain["quiet"] else done.args

    def _run_in_bash(self, command: str) -> str:
        keep = """
echo __PWD__; pwd; for name in $(compgen -v | grep -xE '[a-z]+'); do printf '%s=%q\\n' $name "${!name}"; done"""
        done = subprocess.run(
            ["bash", "-c", f"{self.variables}\n{command}{keep}"],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        printed, _, after = done.stdout.partition("__PWD__\n")
        folder, *variables = after.splitlines()
        self.folder, self.variables = Path(folder), "\n".join(variables)
        return printed


def rewrite_pages(pages: list[Path], folder: Path) -> None:
    """Write pages that go on from one another with every transcript as the program prints it now."""
    shell = Shell(folder)
    for page in pages:
        lines = page.read_text(encoding="utf-8").splitlines()
        for step in reversed([(step, shell.run(step)) for step in steps("\n".join(lines))]):
            place, printed = step[0].line - 1 + len(step[0].command.splitlines()), step[1]
            old = len(step[0].printed.splitlines())
            lines[place : place + old] = printed.splitlines()
        page.write_text("\n".join(lines) + "\n", encoding="utf-8")
