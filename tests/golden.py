"""Golden outputs of the sample campaigns: what each command prints about them, kept beside them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from click.testing import CliRunner

from cli.main import campaign

ROOT = Path(__file__).parent.parent
CAMPAIGNS = ROOT / "campaigns"
OUTPUTS = {
    "log.txt": ["log"],
    "takes.txt": ["log", "--takes"],
    "show.txt": ["show"],
    "show.json": ["show", "--json"],
    "replay.txt": ["replay"],
    "verify.txt": ["verify"],
}


def samples() -> list[str]:
    """Every sample campaign."""
    return sorted(found.parent.name for found in CAMPAIGNS.glob("*/campaign.toml"))


def played(sample: str, folder: Path) -> None:
    """Play a sample into a folder."""
    done = CliRunner().invoke(campaign, ["demo", "--sample", sample, str(folder)])
    assert done.exit_code == 0, done.output


def printed(folder: Path) -> Iterator[tuple[str, str]]:
    """The name of each golden file, and what it should hold."""
    for name, arguments in OUTPUTS.items():
        done = CliRunner().invoke(campaign, ["-C", str(folder), *arguments])
        assert done.exit_code == 0, done.output
        yield name, done.stdout
