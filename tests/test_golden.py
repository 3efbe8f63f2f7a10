"""Golden stories: every sample campaign still tells the same story."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import campaign
from tests.golden import CAMPAIGNS, outputs, printed, retold, samples, stories


@pytest.fixture(scope="module")
def outputs_of(played_samples: dict[str, Path]) -> Callable[[str], dict[str, str]]:
    """Return what each command prints about a sample; each is asked once."""
    return cache(lambda sample: dict(printed(played_samples[sample])))


@pytest.mark.parametrize(("sample", "name"), [(sample, name) for sample in samples() for name in outputs(sample)])
def test_a_sample_tells_the_same_story(outputs_of: Callable[[str], dict[str, str]], sample: str, name: str) -> None:
    kept = (CAMPAIGNS / sample / "golden" / name).read_text(encoding="utf-8")
    told = outputs_of(sample)[name]
    assert told == kept, "python -m tests.rewrite rewrites it; read the difference before you keep it"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sample", "name"), [(sample, name) for sample in samples() for name in stories(sample)], ids=lambda part: str(part)
)
def test_a_story_is_told_the_same(played_samples: dict[str, Path], tmp_path: Path, sample: str, name: str) -> None:
    kept = stories(sample)[name]
    told = retold(kept, played_samples[sample], tmp_path / sample)
    assert told == kept, "python -m tests.rewrite rewrites it; read the difference before you keep it"


def test_a_sample_is_played_again_over_nothing(played_samples: dict[str, Path]) -> None:
    again = CliRunner().invoke(campaign, ["demo", str(played_samples[samples()[0]])])
    assert again.exit_code == 3
    assert "there is a ledger already" in again.output
