"""The keys of ordinary lines in the shell, which the page about play quotes, and the taps of attacks on a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.golden import samples_by_the_book
from tests.keystrokes import LINES, keystrokes, summary
from tests.readme import HELP
from tests.taps import taps


def test_every_sample_has_ten_ordinary_lines() -> None:
    assert {sample: len(lines) for sample, lines in LINES.items()} == dict.fromkeys(samples_by_the_book(), 10)


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize("sample", LINES)
def test_ordinary_lines_take_few_keys(sample: str, played_samples: dict[str, Path]) -> None:
    rows = list(keystrokes(sample, played_samples[sample]))
    assert [row.entry for row in rows if row.says != row.sample_says] == []
    assert [(row.typed, row.count) for row in rows if row.count > row.most] == []
    quoted = (HELP / "play.md").read_text(encoding="utf-8").splitlines()
    assert summary(sample, rows) in quoted, "python -m tests.keystrokes prints it"


@pytest.mark.slow
@pytest.mark.parametrize("sample", LINES)
def test_an_attack_takes_four_taps_at_most(sample: str, played_samples: dict[str, Path]) -> None:
    rows = list(taps(sample, played_samples[sample]))
    assert rows
    assert [(row.entry, row.labels) for row in rows if row.number > 4] == []
