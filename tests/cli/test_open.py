"""`campaign open` and `campaign close`."""

from __future__ import annotations

import re

from tests.cli.conftest import one_error


def test_open_prints_the_commitment_and_remarks_the_head(closed):
    done = closed.invoke("open", "Rooftops", "--seed", "the door's own")
    assert done.exit_code == 0
    assert re.fullmatch(r"1\.0   session 1 opens: Rooftops\n +commitment [0-9a-f]{64} .*a fixed seed\)\n", done.stdout)
    assert re.fullmatch(r"head 4 [0-9a-f]{64}\n", done.stderr)
    assert closed.run("open", "--help")
    assert one_error(closed.invoke("open", "Again"), 1).startswith("L-OPEN")


def test_session_needs_no_title(closed):
    assert closed.run("open").splitlines()[0] == "1.0   session 1 opens"


def test_close_prints_the_seed_and_the_head(folder):
    folder.run("do", "k sneak v5")
    told = folder.run("close")
    assert re.search(r"^      seed [0-9a-f]{64}\nhead \d+ [0-9a-f]{64}\n\Z", told, re.MULTILINE)
    assert folder.seeds == []
    assert one_error(folder.invoke("close"), 1).startswith("L-CLOSED")
