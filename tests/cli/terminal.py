"""A program at a pseudo-terminal of 100 columns: type, and read the screen as text."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from collections.abc import Mapping, Sequence

from tests.cli.screen import Screen

ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|[()][A-Z0-9]|[=>])|[\r\a]")
WIDTH, HEIGHT = 100, 40
WAIT_MOST = 20.0  # seconds


class Terminal:
    """A process at a terminal of its own."""

    def __init__(self, arguments: Sequence[str], environment: Mapping[str, str]) -> None:
        self.process, self.file = pty.fork()
        if not self.process:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # a test run in the background ignores it
            os.execve(arguments[0], list(arguments), dict(environment))
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, WIDTH, 0, 0))
        self.display = Screen(WIDTH, HEIGHT, self._answer)
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self.screen = ""

    def read_until(self, text: str) -> str:
        """Return what is printed until this text has come, without escape sequences. Raises TimeoutError."""
        end = time.monotonic() + WAIT_MOST
        while text not in self.screen:
            self._read(end, text)
        before, _, self.screen = self.screen.partition(text)
        return before + text

    def read_prompt(self, number: int) -> None:
        """Read until the line editor has begun to read its line with this number, from 1. Raises TimeoutError."""
        end = time.monotonic() + WAIT_MOST
        while self.display.prompts < number:
            self._read(end, f"prompt {number}")

    def read_row(self, end: str) -> None:
        """Read until the row of the cursor ends in this text. Raises TimeoutError."""
        last = time.monotonic() + WAIT_MOST
        while not self.display.current_row().endswith(end):
            self._read(last, end)

    def _read(self, end: float, awaited: str) -> None:
        ready, _, _ = select.select([self.file], [], [], max(0.0, end - time.monotonic()))
        if not ready:
            raise TimeoutError(f"{awaited!r} did not come: {self.screen!r}")
        printed = self._decoder.decode(os.read(self.file, 65536))
        self.display.feed(printed)
        self.screen += ESCAPES.sub("", printed)

    def _answer(self, keys: bytes) -> None:
        os.write(self.file, keys)

    def type(self, text: str) -> None:
        """Type these keys."""
        os.write(self.file, text.encode())

    def enter(self, line: str, until: str) -> str:
        """Type a line with Enter, and return what is printed until this text has come."""
        self.type(line + "\r")
        return self.read_until(until)

    def end(self) -> int:
        """Wait for the end of the process, and return its exit code."""
        end = time.monotonic() + WAIT_MOST
        while True:
            try:
                self._read(end, "its end")
            except TimeoutError:
                os.kill(self.process, signal.SIGKILL)
            except OSError:  # the other side of the terminal is closed
                break
        _, status = os.waitpid(self.process, 0)
        os.close(self.file)
        return os.waitstatus_to_exitcode(status)

    def hang_up(self) -> None:
        """Close the terminal under the process, and wait for its end."""
        os.close(self.file)
        os.waitpid(self.process, 0)

    def kill(self) -> None:
        """Kill the process, as a power cut would."""
        os.kill(self.process, signal.SIGKILL)
        self.end()
