"""`campaign watch`: saves in every way that editors save, to a file that another process follows."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from cli.play.claim_writer import replace_file
from tests.cli.conftest import PROGRAM, Folder, environment, one_error
from tests.cli.terminal import Terminal

pytestmark = pytest.mark.slow  # run with --long

PATIENCE_SECONDS = 15
HEAD = re.compile(r"^(\d+\.\d+) +(.*)$", re.MULTILINE)


class Followed:
    """A session file, the process that follows it, and what that process has printed."""

    def __init__(self, folder: Folder, name: str = "evening.session") -> None:
        self.folder = folder
        self.path = folder.path / name
        self.printed_to = folder.path.parent / f"{name}.printed"
        self.process: subprocess.Popen | None = None

    def start(self, *options: str) -> None:
        env = environment(PYTHONPATH=os.environ.get("PYTHONPATH", ""))
        with self.printed_to.open("ab") as printed:
            self.process = self.folder.start_process(
                "watch", str(self.path), *options, env=env, stdout=printed, stderr=subprocess.STDOUT
            )
        self.prints("Following")

    def end(self, number: signal.Signals) -> int:
        """Send a signal and return the exit code."""
        assert self.process is not None
        os.kill(self.process.pid, number)
        return self.process.wait(PATIENCE_SECONDS)

    @property
    def printed(self) -> str:
        return self.printed_to.read_text(encoding="utf-8") if self.printed_to.exists() else ""

    def prints(self, text: str, times: int = 1) -> None:
        """Wait until the text was printed so often."""
        self.wait(lambda: self.printed.count(text) >= times, text)

    def wait(self, condition: Callable[[], bool], what: str = "") -> None:
        """Wait until a condition holds, as long as the process runs."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not condition():
            assert time.monotonic() < deadline, f"{what!r} was not printed:\n{self.printed}"
            assert self.process is None or self.process.poll() is None, self.printed
            time.sleep(0.02)

    def append(self, text: str | bytes) -> None:
        with self.path.open("ab") as file:
            file.write(text.encode() if isinstance(text, str) else text)

    def save(self, text: str) -> None:
        """Empty the file and write it in place."""
        self.path.write_bytes(text.encode())

    def quiet(self) -> None:
        """Wait until a save has been seen and the file polled once."""
        time.sleep(1.3)

    @property
    def lines(self) -> list[str]:
        """Return the lines in the log after the opening."""
        return [line for _, line in HEAD.findall(self.folder.run("log", "1", "--typed"))][1:]


@contextmanager
def following(folder: Folder, content: str = "", options: Sequence[str] = ()) -> Iterator[Followed]:
    followed = Followed(folder)
    followed.save(content)
    followed.start(*options)
    try:
        yield followed
    finally:
        if followed.process is not None and followed.process.poll() is None:
            followed.process.kill()
            followed.process.wait()


def renamed(path: Path, text: str) -> None:
    new = path.with_name("new~")
    new.write_bytes(text.encode())
    new.replace(path)


def backed_up(path: Path, text: str) -> None:
    path.replace(path.with_name("evening.session~"))
    path.write_bytes(text.encode())


def linked(path: Path, text: str) -> None:
    """Copy the file to a backup, then write it in place."""
    backup = path.with_name("evening.bak")
    backup.unlink(missing_ok=True)
    os.link(path, backup)
    renamed(path, text)


def deleted(path: Path, text: str) -> None:
    path.unlink()
    path.write_bytes(text.encode())


def in_pieces(path: Path, text: str) -> None:
    """Empty the file, then write three bytes at a time."""
    with path.open("wb", buffering=0) as file:
        for start in range(0, len(text.encode()), 3):
            file.write(text.encode()[start : start + 3])


def in_place(path: Path, text: str) -> None:
    path.write_bytes(text.encode())


def appended(path: Path, text: str) -> None:
    with path.open("ab") as file:
        file.write(text.encode()[path.stat().st_size :])


SAVES = (appended, in_place, renamed, backed_up, linked, deleted, in_pieces, renamed, in_place, appended)


def test_every_way_of_saving_is_seen_and_counts_once(folder: Folder) -> None:
    with following(folder, "# Начало: one\n") as followed:
        followed.prints("# Начало: one")
        text = "# Начало: one\n"
        for number, save in enumerate(SAVES, start=2):
            text += f"> line {number}, {save.__name__} – “so”\n"
            save(followed.path, text)
            followed.prints(f"> line {number},")
        assert followed.lines == text.splitlines()
        assert followed.printed.count("\n1.") == len(SAVES) + 1
        assert "Error" not in followed.printed
        assert followed.end(signal.SIGINT) == 130
    folder.run("verify")


def test_line_without_newline_waits(folder: Folder) -> None:
    with following(folder, "# One\r\n> Tw") as followed:
        followed.prints("# One")
        followed.append("o, “halves".encode()[:-2])  # within a letter
        followed.quiet()
        assert followed.lines == ["# One"]
        followed.append(b"lves\r\n; a comment\r\n\r\nk sneak v5 e1\r\n")
        followed.prints("open: Destiny and Doom")
        assert followed.lines[-1] == "k sneak v5 e1"
        assert len(followed.lines) == 3
        assert followed.end(signal.SIGTERM) == 143


def test_edits_stop_nothing_behind_them(folder: Folder) -> None:
    with following(folder, "# One\n> Two\nk sneak v5\nclose\n") as followed:
        followed.prints("1.4 ")
        renamed(followed.path, "# One, mended\n> Two\nk sneak v6\nclose\n> Three\n")
        followed.prints("~ 1.1 # One, mended")
        followed.prints("> Three")
        followed.prints("evening.session:3: entry 1.3 was: k sneak v5")
        followed.prints("evening.session:3: not written. To write it: campaign run ")
        followed.append("> Four\n")
        followed.prints("> Four")
        assert followed.printed.count("entry 1.3 was") == 1
        before = folder.bytes
        followed.save("")
        followed.prints("most of the lines that were taken are not in the file")
        followed.save("# One, mended\n> Two\nclose\n> Three\n> Four\n")
        followed.prints("evening.session: the line of entry 1.3 was taken out: k sneak v5")
        assert folder.bytes == before
        followed.save("# One, mended\n> Two\nk sneak v5\nclose\n> Three\n> Four\n> Five\n")
        followed.prints("> Five")
        lines = ["# One, mended", "> Two", "k sneak v5", "close", "~ 1.1 # One, mended", "> Three", "> Four", "> Five"]
        assert followed.lines == lines
    folder.run("verify")


def test_undo_in_another_window_is_reported(folder: Folder) -> None:
    with following(folder, "# One\n> Two\n> Three\n") as followed:
        followed.prints("> Three")
        folder.run("undo")
        followed.prints("evening.session:3: entry 1.3 was taken back by 1.4. Take the line out, or say it again")
        folder.run("do", "~ 2 > Other words")
        followed.prints("evening.session:2: entry 1.2 was corrected by 1.5 and reads: > Other words.")
        followed.save("# One\n> Other words\n> Four\n")
        followed.prints("> Four")
        followed.quiet()
        assert followed.printed.count("was taken back") == 1
        assert followed.lines == ["# One", "> Other words", "> Four", "undo", "~ 2 > Other words"]


def test_results_are_written_behind_their_lines(folder: Folder) -> None:
    text = b"# One\r\n; so\r\n\r\nk  sneak v5 /7.6  \r\n> Two => no claim\r\nclose"
    with following(folder, options=("--write",)) as followed:
        followed.path.write_bytes(text)
        followed.prints("> Two")
        followed.wait(lambda: b"k  sneak v5 /7.6 => success 13, dawn  \r\n" in followed.path.read_bytes())
        assert followed.path.read_bytes() == text.replace(b"/7.6", b"/7.6 => success 13, dawn")
        followed.append("\r\n")
        followed.wait(lambda: followed.path.read_bytes().endswith(b"close => success 13\r\n"))
        followed.quiet()
        assert followed.printed.count("1.") == len(["1.1", "1.2", "1.3", "1.4"])
        renamed(followed.path, text.decode() + "\r\n# Three\r\n")  # the editor has the text without claims
        followed.wait(lambda: followed.path.read_bytes().count(b"=> success") == 2)
        assert followed.path.read_bytes().endswith(b"# Three\r\n")
        assert followed.lines == ["# One", "k  sneak v5 /7.6", "> Two => no claim", "close", "# Three"]
        assert followed.end(signal.SIGTERM) == 143
    assert [path.name for path in folder.path.glob(".evening*")] == []


def test_refused_line_holds_back_the_later_ones(folder: Folder) -> None:
    with following(folder) as followed:
        followed.append("# One\nzed sneak v5\n> Three\n")
        followed.prints("evening.session:2, column")
        followed.append("> Four\n")
        followed.prints("evening.session:2, column", 2)
        assert followed.lines == ["# One"]
        followed.save("# One\nk sneak v14\n> Three\n> Four\n")
        followed.prints("DB-E-DIFFICULTY")
        renamed(followed.path, followed.path.read_text())  # saved again as it is
        followed.quiet()
        followed.save("# One\nk sneak v5\n> Three\n> Four\n")
        followed.prints("> Four")
        assert followed.lines == ["# One", "k sneak v5", "> Three", "> Four"]
        assert followed.printed.count("DB-E-DIFFICULTY") == 1


@pytest.mark.slow
def test_killed_watch_goes_on_where_it_stopped(folder: Folder) -> None:
    with following(folder, "# One\n> Two\n") as followed:
        followed.prints("> Two")
        assert followed.end(signal.SIGKILL) == -signal.SIGKILL
        renamed(followed.path, "# One\n> Two\n> Three\n> Fo")
        followed.printed_to.unlink()
        followed.start()
        followed.prints("> Three")
        assert "> Two" not in followed.printed
        followed.append("ur\n")
        followed.prints("> Four")
        assert followed.lines == ["# One", "> Two", "> Three", "> Four"]
        assert followed.end(signal.SIGTERM) == 143


def test_missing_file_is_waited_for_without_a_lock(folder: Folder) -> None:
    with following(folder, "# One\n") as followed:
        followed.prints("# One")
        followed.path.unlink()
        followed.prints("is missing; waiting for it")
        folder.run("do", "> Said by hand")
        followed.save("# One\n> Two\n")
        followed.prints("> Two")
        assert followed.lines == ["# One", "> Said by hand", "> Two"]
        folder.run("close")
        followed.append("> Three\n")
        assert followed.process is not None
        assert followed.process.wait(PATIENCE_SECONDS) == 1
        assert "session 1 is closed" in followed.printed
        assert "> Three" not in followed.printed


# Once, and what stops it at the start


def test_once_takes_the_lines_and_stops(folder: Folder) -> None:
    file = str(folder.file("evening.session", "# One\n> Two\n> Thr"))
    assert HEAD.findall(folder.run("watch", "--once", file)) == [("1.1", "# One"), ("1.2", "> Two")]
    assert folder.run("watch", "--once", file) == ""
    folder.file("evening.session", "# One\n> Two\nzed sneak v5\n> Four\n")
    assert one_error(folder.invoke("watch", "--once", file), 3).startswith(f"{file}:3, column 1: ")
    folder.file("evening.session", "# One\n> Two\nk sneak v14\n")
    assert "DB-E-DIFFICULTY" in one_error(folder.invoke("watch", "--once", file), 1)
    assert one_error(folder.invoke("watch", "--once", file + "x"), 3).endswith("Name a .session file.")


def test_run_and_watch_share_the_taken_lines(folder: Folder) -> None:
    file = str(folder.file("evening.session", "# One\n> Two\n"))
    folder.run("run", file)
    assert folder.run("watch", "--once", file) == ""


@pytest.mark.parametrize("command", [("run",), ("watch", "--once")], ids=" ".join)
def test_act_in_place_of_a_comment_is_an_insert(folder: Folder, command: tuple[str, ...]) -> None:
    file = str(folder.file("evening.session", "# One\n; two\n> Three\n"))
    folder.run(*command, file)
    before = folder.bytes
    folder.file("evening.session", '# One\no speed -1 "rain"\n; two\n> Three\n')
    done = folder.invoke(*command, file)
    assert done.exit_code == 1
    assert "1.1+1 inserted: o speed -1" in done.stdout
    assert folder.bytes == before
    folder.run(*command, "--yes", file)
    assert folder.invoke(*command, file).exit_code == 0


def test_result_follows_its_line_and_own_claims_stay(folder: Folder) -> None:
    path = folder.file("evening.session", "k sneak v5 /7.6\nclose => 13\no climb v3 /3.4 => success 7\n")
    path.chmod(0o640)
    folder.run("do", "; nothing")
    assert "close" not in folder.invoke("watch", "--once", "--write", str(path)).stdout  # 13 has no name
    path.write_text("k sneak v5 /7.6 => success 13, dawn\nclose\no climb v3 /3.4 => success 7\n")
    folder.run("watch", "--once", "--write", str(path))
    said = "k sneak v5 /7.6 => success 13, dawn\nclose => success 13\no climb v3 /3.4 => success 7\n"
    assert (path.read_text(), path.stat().st_mode & 0o777) == (said, 0o640)
    path.write_text(said.replace("v5", "v10"))
    folder.run("watch", "--once", "--write", "--yes", str(path))
    assert path.read_text() == said.replace("v5", "v10").replace("success 13", "failure 13")
    assert [path.name for path in folder.path.glob(".evening*")] == []
    folder.run("verify")


def test_newer_version_of_the_file_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "evening.session"
    path.write_bytes(b"newer")
    replace_file(path, b"read", b"written")
    assert path.read_bytes() == b"newer"
    replace_file(path, b"newer", b"written")
    assert path.read_bytes() == b"written"
    assert list(tmp_path.iterdir()) == [path]


def test_link_to_the_file_stays_a_link(folder: Folder) -> None:
    target = folder.file("notes/evening.txt", "k sneak v5 /7.6\n")
    link = folder.path / "evening.session"
    link.symlink_to(target)
    folder.run("watch", "--once", "--write", str(link))
    assert link.is_symlink()
    assert target.read_text() == "k sneak v5 /7.6 => success 13, dawn\n"


@pytest.mark.parametrize(
    ("command", "answer", "line"),
    [(("run",), "y", "k sneak v6"), (("run",), "", "k sneak v5"), (("watch", "--once"), "n", "k sneak v5")],
)
def test_edit_is_asked_for_at_a_terminal(folder: Folder, command: tuple[str, ...], answer: str, line: str) -> None:
    path = folder.file("evening.session", "# One\nk sneak v5\nclose\n")
    folder.run("run", str(path))
    folder.file("evening.session", "# One\nk sneak v6\nclose\n> More\n")
    terminal = Terminal([str(PROGRAM), "-C", str(folder.path), *command, str(path)], environment())
    before = terminal.read_until("[y/N]: ")
    assert before.index("> More") < before.index("1.2   amended: k sneak v6")
    terminal.type(f"{answer}\r")
    assert terminal.end() == (0 if answer == "y" else 1)
    assert line in folder.run("log", "1", "--typed").splitlines()[4]


def test_question_ends_when_the_file_is_saved(folder: Folder) -> None:
    path = folder.file("evening.session", "# One\nk sneak v5\nclose\n")
    folder.run("run", str(path))
    folder.file("evening.session", "# One\nk sneak v6\nclose\n")
    terminal = Terminal([str(PROGRAM), "-C", str(folder.path), "watch", str(path)], environment())
    terminal.read_until("amended: k sneak v6")
    terminal.read_until("[y/N]: ")
    folder.file("evening.session", "# One\nk sneak v4\nclose\n> Behind\n")
    assert "> Behind" in terminal.read_until("amended: k sneak v4")
    terminal.read_until("[y/N]: ")
    terminal.type("y\r")
    terminal.read_until("new takes: 1.2@2, 1.3@2")
    terminal.type("\x03")
    assert terminal.end() == 130
    folder.run("verify")


def test_watch_needs_an_open_session_and_its_own_file(folder: Folder) -> None:
    file = str(folder.file("evening.session", "; tonight\n# One\n"))
    folder.run("watch", "--once", file)
    folder.run("close")
    assert "no session is open" in one_error(folder.invoke("watch", "--once", file), 1)
    folder.run("open", "Two")
    assert "the file was played in session 1" in one_error(folder.invoke("watch", "--once", file), 1)
    folder.file("evening.session", "# Another evening\n")
    folder.run("watch", "--once", file)


def test_missing_folder_is_an_error(folder: Folder) -> None:
    done = folder.invoke("watch", str(folder.path / "nowhere" / "evening.session"))
    assert "there is no such folder" in one_error(done, 3)
