"""Golden stories: every sample campaign still tells the same story."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import campaign
from tests.golden import CAMPAIGNS, output, outputs, retold, samples, stories


@pytest.mark.quick_rows(24)
@pytest.mark.parametrize(("sample", "name"), [(sample, name) for sample in samples() for name in outputs(sample)])
def test_a_sample_tells_the_same_story(played_samples: dict[str, Path], sample: str, name: str) -> None:
    kept = (CAMPAIGNS / sample / "golden" / name).read_text(encoding="utf-8")
    told = output(played_samples[sample], outputs(sample)[name])
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
