"""Test the files that commands write: only over their own, through no link, and whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cli.play import files
from cli.play.files import FileKind, OutputFolder, write_lines
from ledger.errors import InputError, LedgerError
from tests.cli.conftest import Folder

TARGETS = {
    "page": (("recap", "--html", "{}/page.html"), "page.html"),
    "campaign": (("recap", "--campaign", "--html", "{}/page.html"), "page.html"),
    "pages": (("recap", "--campaign", "--html", "{}/"), "index.html"),
    "journal": (("recap", "--foundry", "{}/journal.json"), "journal.json"),
    "csv": (("export", "--csv", "{}"), "log.csv"),
    "vault": (("export", "--vault", "{}"), "Sessions/Session 1.md"),
    "metadata": (("browse", "--files", "{}"), "metadata.json"),
    "database": (("browse", "--files", "{}"), "campaign.db"),
}
SOURCES = {
    "ledger": "ledger.db",
    "sheet": "kess.toml",
    "session file": "evening.session",
    "journal": "ledger.db-journal",
    "seed": "seed-{}.secret",
}


def arguments(target: str, out: Path) -> list[str]:
    return [argument.format(out) for argument in TARGETS[target][0]]


def content(folder: Path) -> dict[str, bytes]:
    """Return the bytes of all files of a folder, and where its links lead."""
    return {
        str(path.relative_to(folder)): os.readlink(path).encode() if path.is_symlink() else path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_symlink() or path.is_file()
    }


@pytest.fixture
def precious(folder: Folder) -> dict[str, Path]:
    """Return files of a campaign that no command may harm."""
    folder.file("evening.session", "k sneak v5 /7.6\n")
    folder.file("kess.toml", 'name = "Kess"\n')
    folder.file("ledger.db-journal", "")
    (seed,) = folder.path.glob("seed-*.secret")
    return {name: seed if name == "seed" else folder.path / file for name, file in SOURCES.items()}


@pytest.mark.quick_rows(1)
@pytest.mark.parametrize("target", TARGETS)
def test_own_file_is_written_again(folder, target, tmp_path):
    out = tmp_path / "out"
    folder.run(*arguments(target, out))
    first = content(out)
    folder.run(*arguments(target, out))
    assert content(out).keys() == first.keys()
    assert TARGETS[target][1] in first


@pytest.mark.quick_rows(4)
@pytest.mark.parametrize(
    "source", ["ledger", *(pytest.param(source, marks=pytest.mark.slow) for source in SOURCES if source != "ledger")]
)
@pytest.mark.parametrize("target", TARGETS)
def test_file_of_others_is_refused_under_any_name(folder, precious, target, source, tmp_path):
    """The bytes of each file that matters, where a command would write one of its own."""
    path = tmp_path / "out" / TARGETS[target][1]
    path.parent.mkdir(parents=True)
    path.write_bytes(precious[source].read_bytes())
    before = content(tmp_path / "out")
    done = folder.invoke(*arguments(target, tmp_path / "out"))
    assert done.exit_code == 2, done.output
    assert str(path) in done.stderr
    assert content(tmp_path / "out") == before


@pytest.mark.quick_rows(3)
@pytest.mark.parametrize("target", TARGETS)
def test_force_replaces_a_file_but_no_ledger(folder, precious, target, tmp_path):
    path = tmp_path / "out" / TARGETS[target][1]
    path.parent.mkdir(parents=True)
    path.write_bytes(precious["sheet"].read_bytes())
    assert folder.invoke(*arguments(target, tmp_path / "out"), "--force").exit_code == 0
    assert path.read_bytes() != precious["sheet"].read_bytes()
    path.write_bytes(folder.ledger.read_bytes())
    done = folder.invoke(*arguments(target, tmp_path / "out"), "--force")
    assert (done.exit_code, "is a ledger" in done.stderr) == (2, True)
    assert path.read_bytes() == folder.ledger.read_bytes()


@pytest.mark.quick_rows(3)
@pytest.mark.parametrize("force", [(), ("--force",)], ids=["plain", "force"])
@pytest.mark.parametrize("source", ["ledger", "journal", "seed"])
def test_ledger_and_seed_are_never_replaced(folder, precious, source, force):
    before = content(folder.path)
    for name in (precious[source], precious[source].name.upper(), f"{precious[source].name}.html"):
        if source != "seed" or not str(name).endswith(".html"):
            done = folder.invoke("recap", "--html", str(folder.path / name), *force)
            assert (done.exit_code, "Name another file." in done.stderr) == (2, True), done.output
    assert content(folder.path) == before


def link_to_file(path: Path, other: Path) -> None:
    other.write_text("<mine>")
    path.symlink_to(other)


def dangling_link(path: Path, other: Path) -> None:
    path.symlink_to(other)


def folder_in_place(path: Path, other: Path) -> None:
    path.mkdir()


def fifo(path: Path, other: Path) -> None:
    os.mkfifo(path)


FORCE = [pytest.param((), id="plain", marks=pytest.mark.slow), pytest.param(("--force",), id="force")]
OBSTACLES: dict[str, tuple[Callable[[Path, Path], None], str]] = {
    "link": (link_to_file, "is a symbolic link"),
    "dangling link": (dangling_link, "is a symbolic link"),
    "folder": (folder_in_place, "is a folder"),
    "fifo": (fifo, "is not a file but a device or a pipe"),
}


@pytest.mark.quick_rows(4)
@pytest.mark.parametrize("force", FORCE)
@pytest.mark.parametrize("obstacle", OBSTACLES)
@pytest.mark.parametrize("target", TARGETS)
def test_what_is_no_file_is_refused(folder, target, obstacle, force, tmp_path):
    if (target, obstacle) == ("campaign", "folder"):
        pytest.skip("a folder gets all pages")
    make, expected = OBSTACLES[obstacle]
    path, other = tmp_path / "out" / TARGETS[target][1], tmp_path / "other"
    path.parent.mkdir(parents=True)
    make(path, other)
    before = content(tmp_path)
    done = folder.invoke(*arguments(target, tmp_path / "out"), *force)
    assert (done.exit_code, expected in done.stderr) == (2, True), done.output
    assert content(tmp_path) == before


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize("target", ["pages", "csv", "vault", "metadata"])
def test_linked_folder_is_refused_with_its_name(folder, target, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").symlink_to(tmp_path / "elsewhere")
    done = folder.invoke(*arguments(target, tmp_path / "out"))
    assert (done.exit_code, f"Name the folder itself: {tmp_path / 'elsewhere'}." in done.stderr) == (2, True)
    assert folder.invoke(*arguments(target, tmp_path / "elsewhere")).exit_code == 0


def test_page_is_written_below_a_linked_folder_that_exists(folder, tmp_path):
    (tmp_path / "out").symlink_to(tmp_path / "elsewhere")
    done = folder.invoke("recap", "1", "--html", tmp_path / "out" / "a.html")
    assert (done.exit_code, "is a symbolic link to nothing" in done.stderr) == (2, True), done.output
    (tmp_path / "elsewhere").mkdir()
    assert folder.invoke("recap", "1", "--html", tmp_path / "out" / "a.html").exit_code == 0
    assert (tmp_path / "elsewhere" / "a.html").is_file()


def test_linked_folder_of_a_vault_is_refused(folder, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "Sessions").symlink_to(tmp_path / "elsewhere")
    assert folder.invoke(*arguments("vault", tmp_path / "out")).exit_code == 2
    assert content(tmp_path / "elsewhere") == {}


def test_vault_with_one_foreign_note_is_not_begun(folder, tmp_path):
    note = tmp_path / "out" / "Sessions" / "Session 1.md"
    note.parent.mkdir(parents=True)
    note.write_text("# My own note\ngenerated: campaign export\n")
    assert folder.invoke(*arguments("vault", tmp_path / "out")).exit_code == 2
    assert [*content(tmp_path / "out")] == ["Sessions/Session 1.md"]


def test_note_with_more_front_matter_is_still_ours(folder, tmp_path):
    folder.run(*arguments("vault", tmp_path))
    note = tmp_path / "Campaign.md"
    note.write_text(note.read_text().replace("---\n", "---\ntags: mine\n", 1))
    folder.run(*arguments("vault", tmp_path))


@pytest.mark.parametrize("device", ["/dev/full", "/dev/null", "/dev/stdout"])
def test_device_is_refused(folder, device):
    done = folder.invoke("recap", "--html", device, "--force")
    assert done.exit_code == 2
    assert device in done.stderr


KIND = FileKind("a page", lambda first: first.startswith(b"old"))


def disk_full(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize(
    ("before", "left"), [({"page.html": b"old"}, "The old file is as it was."), ({}, "There is no file of this name.")]
)
def test_full_disk_leaves_what_was_there_and_says_so(tmp_path, monkeypatch, before, left):
    for name, old in before.items():
        (tmp_path / name).write_bytes(old)
    monkeypatch.setattr(files.os, "fsync", disk_full)
    with pytest.raises(LedgerError, match=r"No space left on device\. Free some space") as raised:
        write_lines(tmp_path / "page.html", ["new"], KIND)
    assert (isinstance(raised.value, InputError), str(raised.value).endswith(left)) == (False, True)
    assert content(tmp_path) == before


def test_error_while_writing_leaves_the_old_file(tmp_path):
    path = tmp_path / "page.html"
    path.write_text("old")

    def lines() -> Iterator[str]:
        yield "half"
        raise RuntimeError

    with pytest.raises(RuntimeError):
        write_lines(path, lines(), KIND)
    assert content(tmp_path) == {"page.html": b"old"}


def test_file_that_comes_meanwhile_is_kept(tmp_path):
    path = tmp_path / "page.html"

    def lines() -> Iterator[str]:
        path.write_text("mine")
        yield "new"

    with pytest.raises(InputError, match="is there"):
        write_lines(path, lines(), KIND)
    assert content(tmp_path) == {"page.html": b"mine"}


def test_mode_of_a_file_is_kept(tmp_path):
    path = tmp_path / "page.html"
    path.write_text("old")
    path.chmod(0o640)
    write_lines(path, ["new"], KIND)
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("new\n", 0o640)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_read_only_folder_is_an_error(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(InputError, match="Permission denied"):
        write_lines(tmp_path / "page.html", ["new"], KIND)


def test_read_only_file_is_refused(tmp_path, monkeypatch):
    (tmp_path / "page.html").write_text("old")
    monkeypatch.setattr(files.os, "access", lambda path, mode: False)
    with pytest.raises(InputError, match="is read-only for you"):
        OutputFolder(tmp_path).write("page.html", ["new"], KIND)
