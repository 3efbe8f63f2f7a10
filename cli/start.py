"""The start of the program: a line without options is declared at once, anything else is read by `cli.main`.

Most of what is typed at a table is such a line, and click, which reads options, takes as long to load as a rule book.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Final, NoReturn

from cli.program import leave, null_stream, print_last, report, report_interrupt, use_utf8

READ_BY_CLICK: Final = ("CAMPAIGN_DIR", "CAMPAIGN_VIEW", "_CAMPAIGN_COMPLETE")


def main() -> NoReturn:
    """Run the program and end the process."""
    leave(run_program())


def run_program() -> int:
    """Run the program with the arguments of the process, and return its exit code: 130 for an interrupt."""
    use_utf8()
    if line := plain_line(sys.argv[1:]):
        return declare_plain_line(line)
    from cli import main as program  # to start faster

    return program.run_program()


def plain_line(arguments: Sequence[str]) -> str:
    """Return the line of `do LINE` if there is no option to be read, on the command line or in the environment."""
    command, *words = arguments or [""]
    if command != "do" or any(word.startswith("-") for word in words) or any(map(os.environ.get, READ_BY_CLICK)):
        return ""
    return " ".join(words)


def declare_plain_line(line: str) -> int:
    """Declare a line, print what it caused, and return the exit code: as `do` does for `cli.main`."""
    from cli.context import CampaignContext
    from cli.do_line import say_line
    from cli.errors import ProgramError, command_errors

    context = CampaignContext(None, os.environ.get("CAMPAIGN_CLOCK") or None)
    try:
        with command_errors(lambda: context):
            say_line(context, line)
    except ProgramError as error:
        return report(error)
    except BrokenPipeError:  # nobody reads standard error
        sys.stdout = sys.stderr = null_stream()
        return 1
    except (EOFError, KeyboardInterrupt):
        print_last("\n")
        return report_interrupt()
    return 0
