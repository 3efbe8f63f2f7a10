"""`campaign demo`."""

from __future__ import annotations

import pytest

from tests.cli.commands import run
from tests.cli.conftest import Folder, one_error
from tests.golden import samples


@pytest.mark.slow
def test_demo_plays_prints_its_log_and_agrees(tmp_path):
    done = run("demo", "--all", str(tmp_path / "demo"))
    assert done.exit_code == 0
    assert "the replay agrees" in done.stdout
    assert str(tmp_path / "demo") in done.stderr
    assert str(tmp_path) not in done.stdout
    folder = Folder(tmp_path / "demo")
    assert done.stdout.startswith(folder.run("log"))
    folder.run("verify")
    assert folder.seeds == []


@pytest.mark.slow
def test_demo_prints_the_begin_of_its_log(tmp_path):
    done = run("demo", str(tmp_path / "demo"))
    assert len(done.stdout.splitlines()) < 60
    head, _, end = done.stdout.partition("... and ")
    assert Folder(tmp_path / "demo").run("log").startswith(head)
    assert "the replay agrees" in end


def test_demo_of_an_unknown_sample_is_an_error(tmp_path):
    error = one_error(run("demo", "--sample", "nothing", str(tmp_path / "demo")), 2)
    assert error == f"there is no sample 'nothing'. There is: {', '.join(samples())}."
    assert len(samples()) > 3
    assert not (tmp_path / "demo").exists()
    assert not (tmp_path / "demo").exists()
