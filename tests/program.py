"""The program `campaign` run in this process: as fast as a function, and still all of it but its end."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from unittest.mock import patch

from click.testing import CliRunner

from cli.start import run_program


def run_main(*arguments: str, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Return what the program does. `stdout` has its standard output, and `args` both streams as a terminal shows them.

    Unexpected exceptions are raised.
    """
    with CliRunner(env=env).isolation() as streams, patch.object(sys, "argv", ["campaign", *arguments]):
        code = run_program()
        sys.stdout.flush()
        sys.stderr.flush()
    stdout, stderr, both = (stream.getvalue().decode() for stream in streams)
    return subprocess.CompletedProcess(both, code, stdout, stderr)
