"""Names of values in outputs: words as people say them, not the names that the program has for them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import campaign
from tests.budget import BUDGET
from tests.golden import samples

DOTTED = re.compile(r"(?<![\w./@=-])[a-z][\w'-]*(?:\.[a-z_][\w'-]*)+")  # `kess.might`
ASKED = (
    ["log"],
    ["log", "--oneline"],
    ["recap"],
    ["recap", "--log"],
    ["rulings"],
    ["replay"],
    ["luck"],
    ["undo", "--list"],
    ["show", "--all"],
)
EVERY = [pytest.param(sample, asked, id=f"{sample}-{' '.join(asked)}") for sample in samples() for asked in ASKED]


def printed(folder: Path, *arguments: str) -> str:
    """Return what a command prints."""
    done = CliRunner().invoke(campaign, ["-C", str(folder), *arguments])
    assert done.exit_code in (0, 1), done.output
    return done.stdout


@cache
def lines_typed(folder: Path) -> set[str]:
    """Return the lines of a ledger as they were typed."""
    lines = (line for line in printed(folder, "log", "--takes").splitlines() if line[0] != " ")
    return {line.partition(" ")[2].strip().removesuffix(" (from a file)") for line in lines}


def dotted_names(text: str, typed: set[str]) -> Iterator[str]:
    """Yield the lines of a text with the program's name for a value in what the program says."""
    for line in text.splitlines():
        own = line
        for said in typed:
            own = own.replace(said, "")
        if DOTTED.search(own):
            yield line


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize(("sample", "arguments"), BUDGET.cases(EVERY[::4], EVERY))
def test_samples_print_no_names_with_dots(played_samples: dict[str, Path], sample: str, arguments: list[str]) -> None:
    folder = played_samples[sample]
    assert list(dotted_names(printed(folder, *arguments), lines_typed(folder))) == []


@pytest.mark.slow
@pytest.mark.parametrize("sample", samples())
def test_questions_print_no_names_with_dots(played_samples: dict[str, Path], sample: str) -> None:
    folder = played_samples[sample]
    typed = lines_typed(folder)
    entries = [line.split()[0] for line in printed(folder, "log", "--oneline").splitlines() if " -> " in line]
    asked = [["diff", entries[5], entries[-5]], *(["why", entry] for entry in entries[::9])]
    asked += [["whatif", "--drop", entry] for entry in entries[7::29]]
    for arguments in asked:
        assert list(dotted_names(printed(folder, *arguments), typed)) == [], arguments


@pytest.mark.slow
def test_claims_name_their_values_in_words(night) -> None:
    printed = night.run("do", "k leap v4 /7.6 => success 13, kess.destiny 4, k 15")
    assert "Kess destiny 4: agreed" in printed
    assert "outcome" not in printed
    printed = night.run("do", "k climb v4 /7.6 => failure, k 14")
    assert "Kess health 14: the ledger says 15" in printed
    assert "Kess health:" in printed
