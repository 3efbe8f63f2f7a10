"""A page that is written over an older one: after a fault at every system call it is whole, the old or the new one."""

from __future__ import annotations

import re
import shutil

import pytest

from cli.play import files
from tests.cli.conftest import LEDGER, Folder
from tests.faults.checks import write_cast
from tests.faults.strace import FILE_CALLS, Fault, count_calls, named_paths, path_options, run_traced

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("strace")]

WRITES = r"openat\(.*O_CREAT|write|fsync|rename|close|chmod"
FAULTS = {
    "kill": Fault("inject={}:signal=KILL:when={}", re.compile(WRITES)),
    "EIO": Fault("inject={}:error=EIO:when={}", re.compile("openat.*O_CREAT|write|fsync|rename|chmod")),
    "ENOSPC": Fault("inject={}:error=ENOSPC:when={}+", re.compile(r"openat\(.*O_CREAT|write|fsync")),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_page_is_whole_after_every_fault(fault, tmp_path, monkeypatch):
    monkeypatch.setattr(files.secrets, "token_hex", lambda size: "00" * size)  # the calls are found by their paths
    folder, out = Folder(tmp_path / "salt"), tmp_path / "site"
    folder.run("new", "Salt Ward", str(folder.path), "--id", LEDGER)
    folder.run("cast", str(write_cast(tmp_path / "cast")))
    folder.run("open", "Night", "--seed", "one")
    page, command = out / "page.html", ["-C", str(folder.path), "recap", "--html", str(out / "page.html")]
    folder.run("recap", "--html", str(page))
    old = page.read_bytes()
    folder.run("do", "k climb v4")

    def run(*options: str):
        shutil.rmtree(out)
        out.mkdir()
        page.write_bytes(old)
        return run_traced(command, *options, scratch=tmp_path)

    paths = path_options(named_paths(run("-e", FILE_CALLS).calls, out))
    undisturbed = run("-e", FILE_CALLS, *paths)
    new, tried = page.read_bytes(), count_calls(undisturbed.calls, FAULTS[fault])
    assert new != old
    assert len(tried) >= 3
    for name, number in tried:
        done = run("-e", FILE_CALLS, *paths, "-e", FAULTS[fault].option.format(name, number))
        assert done.injected, (name, number)
        assert page.read_bytes() in (old, new), done.injected
        assert done.code != 0 or page.read_bytes() == new, done.injected
        if fault != "kill":
            assert [path.name for path in out.iterdir()] == ["page.html"], done.injected
