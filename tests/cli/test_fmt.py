"""`campaign fmt`: full lines, and lines that are the same in another form."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli.main import campaign
from tests.cli.conftest import one_error
from tests.golden import CAMPAIGNS


@pytest.fixture(scope="module")
def path(played_samples: dict[str, Path]) -> Path:
    """Return the sample with Kess, Orrin and Tamsin in play and no session open."""
    return played_samples["gutter-saints"]


def run(path: Path, *arguments: str) -> Result:
    return CliRunner().invoke(campaign, ["-C", str(path), *arguments])


@pytest.mark.quick_rows(5)
@pytest.mark.parametrize(
    ("line", "full"),
    [
        ("k sn v5 e1", 'Kess "sneak" v5 e1'),
        ("  k  swim e1 v5 ", 'Kess "swim" v5 e1'),  # a task that nobody knows
        ("o force v5 c3 /6.6", 'Orrin "force" v5 c3 /6.6'),
        ("k sneak /7.6/4", 'Kess "sneak" /7.6.4'),
        ("k sneak 90m +a -1", 'Kess "sneak" +a1 -1 90m'),
        ("k search v3 +dim +t", 'Kess "search" v3 +t"search" +dim'),
        ('k dodge v4 +cover -1"ice" +1"rope"', 'Kess dodge v4 +1"rope" -1"ice" +cover'),
        ("k retry 1.04 e1", "Kess retry e1 1.4"),
        ("k sneak v13", 'Kess "sneak" v13'),  # the rules are not asked
        ('! doo 2 oth "x"', '! doom 2 "x"'),
        ("close", "! close"),
        ("undo ", "undo"),
        ("#  The  attic ", "# The  attic"),
        ("> It holds a name.", "> It holds a name."),
        ('" o: She does that: on purpose', '" Orrin: She does that: on purpose'),
        ("= k hp 9 M9 doom 3", "= kess.health=9 kess.might=9 doom=3"),
        ('ana words "brass kettle"', 'ana words "brass kettle"'),
        ("k e\u0301tude", 'Kess "\u00e9tude"'),
    ],
)
def test_full_line_is_its_own_full_line(path: Path, line: str, full: str) -> None:
    once = run(path, "fmt", line)
    assert (once.exit_code, once.stdout) == (0, full + "\n")
    assert run(path, "fmt", full).stdout == once.stdout


@pytest.mark.parametrize("line", ["", "  ", "; nobody sees her there"])
def test_empty_line_prints_nothing(path: Path, line: str) -> None:
    printed = run(path, "fmt", line)
    assert (printed.exit_code, printed.output) == (0, "")


@pytest.mark.parametrize("line", ["x sneak", "k sneak 5", "k undo", "k sneak\x1b", 'k "sneak'])
def test_unreadable_line_is_wrong_usage(path: Path, line: str) -> None:
    printed = run(path, "fmt", line)
    assert (printed.exit_code, printed.stdout) == (2, "")
    assert printed.stderr.startswith("Error: column ")


@pytest.mark.slow
def test_full_lines_of_the_samples_are_stable(path: Path) -> None:
    said = (CAMPAIGNS / "gutter-saints" / "sessions" / "1.session").read_text(encoding="utf-8").splitlines()
    full = [run(path, "fmt", line).stdout.removesuffix("\n") for line in said]
    assert [run(path, "fmt", line).stdout.removesuffix("\n") for line in full] == full
    assert [line for line, out in zip(said, full, strict=True) if not out] == [
        line for line in said if not line or line.startswith(";")
    ]


def test_fmt_writes_nothing(path: Path) -> None:
    before = {file: file.read_bytes() for file in sorted(path.rglob("*")) if file.is_file()}
    run(path, "fmt", "k sneak v5 /7.6")
    assert {file: file.read_bytes() for file in sorted(path.rglob("*")) if file.is_file()} == before


@pytest.mark.parametrize("again", ["# Cafe\u0301", "  # Caf\u00e9  ", "# Caf\u00e9\r"])
def test_line_is_compared_in_nfc(path: Path, tmp_path: Path, again: str) -> None:
    shutil.copytree(path, tmp_path / "saints")
    first = run(tmp_path / "saints", "do", "--request", "mine", "--json", " # Cafe\u0301 ")
    assert first.exit_code == 0, first.output
    assert run(tmp_path / "saints", "do", "--request", "mine", "--json", again).stdout == first.stdout
    other = run(tmp_path / "saints", "do", "--request", "mine", "# Cafe")
    assert (other.exit_code, "L-REQUEST" in other.stderr) == (1, True)


def test_fmt_prints_the_full_line_and_keeps_nothing(folder):
    before = folder.bytes
    full = folder.run("fmt", "k sneak v5 e1")
    assert full.startswith("Kess ")
    assert folder.run("fmt", full.rstrip("\n")) == full
    one_error(folder.invoke("fmt", "nobody sneak v5"), 2)
    assert folder.bytes == before
