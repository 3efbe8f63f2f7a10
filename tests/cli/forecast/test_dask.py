"""Test forecasts on a Dask cluster of two workers on this machine, and what is said without one."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.cli.conftest import environment
from tests.cluster import NO_DASK, running_cluster

ASKED = ["forecast", "--at", "1.2", "--runs", "60", "--rounds", "2"]


@pytest.mark.slow
@pytest.mark.skipif(bool(NO_DASK), reason=NO_DASK)
def test_cluster_plays_the_runs_that_one_process_plays(played_samples, tmp_path):
    command = [sys.executable, "-m", "cli.main", "-C", str(played_samples["broken-archway"]), *ASKED]
    with running_cluster(tmp_path) as cluster:
        on_cluster, here = (
            subprocess.run(
                [*command, *more], env=environment(), capture_output=True, text=True, timeout=240, check=True
            ).stdout
            for more in (("--dask", cluster.address), ("--jobs", "1"))
        )
    assert on_cluster == here
    assert on_cluster.startswith("60 runs from 1.2; key 1")
