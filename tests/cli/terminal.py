"""A program at a pseudo-terminal of 100 columns: type, and read the screen as text."""

from __future__ import annotations

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

ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|[()][A-Z0-9]|[=>])|\r")
ANSWER_TO_POSITION = b"\x1b[1;1R"  # the editor asks where the cursor is
WAIT_MOST = 20.0  # seconds


class Terminal:
    """A process at a terminal of its own."""

    def __init__(self, arguments: Sequence[str], environment: Mapping[str, str]) -> None:
        self.process, self.file = pty.fork()
        if not self.process:
            os.execve(arguments[0], list(arguments), dict(environment))
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
        self.screen = ""

    def read_until(self, text: str) -> str:
        """Return what is printed until this text has come, without escape sequences. Raises TimeoutError."""
        end = time.monotonic() + WAIT_MOST
        while text not in self.screen:
            ready, _, _ = select.select([self.file], [], [], max(0.0, end - time.monotonic()))
            if not ready:
                raise TimeoutError(f"{text!r} did not come: {self.screen!r}")
            printed = os.read(self.file, 65536)
            if b"\x1b[6n" in printed:
                os.write(self.file, ANSWER_TO_POSITION)
            self.screen += ESCAPES.sub("", printed.decode())
        before, _, self.screen = self.screen.partition(text)
        return before + text

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
            if not select.select([self.file], [], [], max(0.0, end - time.monotonic()))[0]:
                os.kill(self.process, signal.SIGKILL)
            try:
                if not os.read(self.file, 65536):
                    break
            except OSError:
                break
        _, status = os.waitpid(self.process, 0)
        os.close(self.file)
        return os.waitstatus_to_exitcode(status)

    def kill(self) -> None:
        """Kill the process, as a power cut would."""
        os.kill(self.process, signal.SIGKILL)
        self.end()
