"""Golden outputs of the sample campaigns: the text of each command, kept beside them.

A file `dispute-*.txt` tells a story: remarks (`# `), commands (`$ campaign ...`, without a shell), what each prints on
both streams, and its exit code where it is not 0. The commands are read from the file; each story has a copy of the
sample to itself.
"""

from __future__ import annotations

import shlex
import shutil
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

from click.testing import CliRunner

from cli.main import campaign

ROOT = Path(__file__).parent.parent
CAMPAIGNS = ROOT / "campaigns"
FORECASTS = CAMPAIGNS / "forecasts.txt"
CLOCK = "2026-01-09T21:00:00Z"
PROMPT = "$ campaign "
STORIES = "dispute-*.txt"
OUTPUTS = {
    "log.txt": ["log"],
    "takes.txt": ["log", "--takes"],
    "show.txt": ["show"],
    "show.json": ["show", "--json"],
    "replay.txt": ["replay"],
    "verify.txt": ["verify"],
}

ASKED = {
    "gutter-saints": {
        "when.txt": ["when", "tamsin.health < 7 and (doom > 16 or encounter.phase = action)", "--all"],
        "diff-takes.txt": ["diff", "1.31@1", "1.31"],
        "diff-moments.txt": ["diff", "2.5", "2.60"],
    }
}
EXITS = {"diff": 1}  # they differ


def samples() -> list[str]:
    """Every sample campaign."""
    return sorted(found.parent.name for found in CAMPAIGNS.glob("*/campaign.toml"))


def samples_by_the_book() -> list[str]:
    """The samples whose book has turns and attacks: in the open game a table writes its own, and nobody has to pass."""
    games = {sample: tomllib.loads((CAMPAIGNS / sample / "campaign.toml").read_text("utf-8")) for sample in samples()}
    return [sample for sample, campaign_file in games.items() if campaign_file["game"] != "open-game"]


def played(sample: str, folder: Path) -> None:
    """Play a sample into a folder."""
    done = CliRunner().invoke(campaign, ["demo", "--sample", sample, str(folder)])
    assert done.exit_code == 0, done.output


def sessions(sample: str) -> int:
    """How many sessions a sample has."""
    plan = tomllib.loads((CAMPAIGNS / sample / "campaign.toml").read_text(encoding="utf-8"))
    return len(plan["sessions"])


def outputs(sample: str) -> dict[str, list[str]]:
    """Every golden file of a sample, and the command that prints it."""
    recaps = {
        f"recap-{number}{size.replace('--', '-')}.md": ["recap", str(number), *([size] if size else [])]
        for number in range(1, sessions(sample) + 1)
        for size in ("", "--post", "--log")
    }
    return OUTPUTS | recaps | ASKED.get(sample, {})


def printed(folder: Path) -> Iterator[tuple[str, str]]:
    """The name of each golden file, and what it should hold. The folder is called like the sample."""
    for name, arguments in outputs(folder.name).items():
        yield name, output(folder, arguments)


def output(folder: Path, arguments: list[str]) -> str:
    """What a command prints about a sample."""
    done = CliRunner().invoke(campaign, ["-C", str(folder), *arguments])
    assert done.exit_code == EXITS.get(arguments[0], 0), done.output
    return done.stdout


def foretold(folder: Path) -> str:
    """The forecast of each fight of the samples in a folder from where it began, beside what came."""
    with tempfile.TemporaryDirectory() as scratch:
        results = ["--results", str(Path(scratch) / "shelf.db")]
        asked = ["shelf", "forecast", str(folder), *results, "--runs", "40", "--jobs", "1", "--all"]
        done = CliRunner().invoke(campaign, asked)
    assert done.exit_code == 0, done.output
    text = done.stdout.replace(f"{folder}/", "campaigns/")
    return f"$ campaign shelf forecast campaigns --runs 40 --all\n{text}"


def stories(sample: str) -> dict[str, str]:
    """The stories of a sample, as they are kept, by name."""
    kept = sorted((CAMPAIGNS / sample / "golden").glob(STORIES))
    return {path.name: path.read_text(encoding="utf-8") for path in kept}


def retold(story: str, played: Path, folder: Path) -> str:
    """A story with what its commands print now, in a copy of the campaign that was `played`."""
    shutil.copytree(played, folder)
    lines: list[str] = []
    for line in story.splitlines():
        if line.startswith("# "):
            lines += ["", line] if lines else [line]
        elif line.startswith(PROMPT):
            done = CliRunner().invoke(campaign, ["--clock", CLOCK, "-C", str(folder), *shlex.split(line)[2:]])
            if done.exception and not isinstance(done.exception, SystemExit):
                raise done.exception
            lines += ["", line, *done.output.splitlines()]
            lines += [f"[exit {done.exit_code}]"] if done.exit_code else []
    return "\n".join(lines) + "\n"
