"""Golden stories: every sample campaign still tells the same story."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.golden import CAMPAIGNS, outputs, played, printed, retold, samples, stories


@pytest.fixture(scope="module", params=samples())
def told(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, dict[str, str]]:
    folder = tmp_path_factory.mktemp("golden") / request.param
    played(request.param, folder)
    return request.param, dict(printed(folder))


@pytest.mark.parametrize("name", sorted({name for sample in samples() for name in outputs(sample)}))
def test_a_sample_tells_the_same_story(told: tuple[str, dict[str, str]], name: str) -> None:
    sample, found = told
    if name not in outputs(sample):
        pytest.skip(f"{sample} has no such session")
    kept = (CAMPAIGNS / sample / "golden" / name).read_text(encoding="utf-8")
    assert found[name] == kept, "python -m tests.rewrite rewrites it; read the difference before you keep it"


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Every sample that has stories, played. Copy it; do not write to it."""
    folder = tmp_path_factory.mktemp("stories")
    found = {sample: folder / sample for sample in samples() if stories(sample)}
    for sample, path in found.items():
        played(sample, path)
    return found


@pytest.mark.parametrize(
    ("sample", "name"), [(sample, name) for sample in samples() for name in stories(sample)], ids=lambda part: str(part)
)
def test_a_story_is_told_the_same(fresh: dict[str, Path], tmp_path: Path, sample: str, name: str) -> None:
    kept = stories(sample)[name]
    told = retold(kept, fresh[sample], tmp_path / sample)
    assert told == kept, "python -m tests.rewrite rewrites it; read the difference before you keep it"


def test_a_sample_is_played_again_over_nothing(tmp_path: Path) -> None:
    from click.testing import CliRunner

    from cli.main import campaign

    folder = tmp_path / "twice"
    played(samples()[0], folder)
    again = CliRunner().invoke(campaign, ["demo", str(folder)])
    assert again.exit_code == 3
    assert "there is a ledger already" in again.output
