"""The door: `campaign` and its commands, each imported only when it is called.

Help and completion of the command names are static, so that neither imports a command. Errors of this house
become one line on standard error and an exit code: 1 differs or refused, 2 wrong usage, 3 unreadable or damaged.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import click
from click.shell_completion import CompletionItem

from ledger.errors import BadFaces, LedgerError, NeverDrawn, OutOfBalance, Overtaken, Refused, Unreadable
from ledger.names import escaped

COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "new": ("commands.new", "Found a campaign: a folder with its ledger."),
    "cast": ("commands.new", "Let characters, foes and things join from sheets (TOML)."),
    "open": ("commands.do", "Open a session and commit to its dice."),
    "do": ("commands.do", "Say one line: declare, roll, spend."),
    "run": ("commands.do", "Say the lines of a .session file."),
    "watch": ("commands.watch", "Follow a .session file: say its lines as they are saved."),
    "fmt": ("commands.fmt", "How the ledger understands a line, written out in full."),
    "undo": ("commands.amend", "Take the last line back, or a correction; the dice stay what they are."),
    "amend": ("commands.amend", "Correct what was said earlier: preview, then retcon, stand or compensate."),
    "close": ("commands.do", "Close the session and reveal its seed."),
    "show": ("commands.show", "The party, or one of it, now or at any entry of the past."),
    "log": ("commands.show", "What was said, rolled and made of it."),
    "why": ("commands.why", "The arithmetic of an entry as it is recorded, with its rules and dice."),
    "who": ("commands.who", "Every change of one value, with its cause."),
    "when": ("commands.when", "The first entry after which a comparison of values held; with --all every stretch."),
    "diff": ("commands.diff", "Two sessions, takes, moments or ledgers held against each other."),
    "odds": ("commands.odds", "Exact chances of a line before it is said."),
    "whatif": ("commands.whatif", "What would be, had something else been said at an entry."),
    "rules": ("commands.rules", "The book by heading, one rule in full, or a search in it."),
    "rulings": ("commands.rulings", "What the table has decided, and what of it is law."),
    "search": ("commands.search", "Find what was said: lines, scenes, fiction, quotes."),
    "recap": ("commands.recap", "A page about a session in Markdown: cast, scenes, where the points went."),
    "replay": ("commands.replay", "Decide everything again and compare, byte for byte."),
    "verify": ("commands.replay", "Hold the whole ledger to its word: bytes, chain, dice, facts."),
    "rebuild": ("commands.replay", "Make checkpoints and read tables anew from the records."),
    "demo": ("commands.demo", "Play the sample campaign into a fresh ledger and replay it."),
}
REFUSALS: Final = (Refused, BadFaces, NeverDrawn, OutOfBalance, Overtaken)


class Wrong(click.ClickException):
    """An error of this house at the door: something is unreadable or damaged."""

    exit_code = 3

    def __init__(self, *errors: LedgerError) -> None:
        """A line for each error, with nothing in it that a terminal could act on."""
        super().__init__("\n".join(escaped(str(error)) for error in errors))


class Differs(Wrong):
    """The rules refuse it, or somebody was faster."""

    exit_code = 1


class Misspoken(Wrong):
    """What was typed cannot be read."""

    exit_code = 2


class Unheard(click.ClickException):
    """Standard output is full, or nobody reads it any more. What was appended is kept."""

    exit_code = 3

    def __init__(self, error: OSError) -> None:
        super().__init__(f"standard output: {error.strerror}")
        self.kept = False  # whether the command may have appended something

    def show(self, file: Any = None) -> None:
        """A reader that has seen enough (`log | head`) is no error worth a line; an answer that is lost is."""
        if self.kept or not isinstance(self.__cause__, BrokenPipeError):
            super().show(file)

    def format_message(self) -> str:
        """What failed, and what has happened all the same."""
        return self.message + (". What was taken is kept: look with campaign log." if self.kept else "")


@contextmanager
def typed() -> Iterator[None]:
    """What is read in here stood on the command line: when it cannot be read, that is wrong usage."""
    try:
        yield
    except Unreadable as error:
        raise Misspoken(error) from error


def harmless(text: str) -> str:
    """Lines with nothing in them that a terminal could act on."""
    return "\n".join(escaped(line) for line in text.split("\n"))


class Door(click.Group):
    """A group that imports a command only to run it or to show its own help."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, in the order in which a table meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command's module."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"cli.{COMMANDS[cmd_name][0]}")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Names of commands, without importing any."""
        return [CompletionItem(name, help=text) for name, (_, text) in COMMANDS.items() if name.startswith(incomplete)]

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; our errors become one line and an exit code."""
        try:
            return super().invoke(ctx)
        except Unheard as error:
            error.kept = ctx.obj is not None and ctx.obj.writes
            raise
        except LedgerError as error:
            raise (Differs if isinstance(error, REFUSALS) else Wrong)(error) from error
        except BrokenPipeError:
            raise
        except OSError as error:
            raise Wrong(LedgerError(error.strerror or str(error), where=str(error.filename or ""))) from error


@click.group(cls=Door, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "-C",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    envvar="CAMPAIGN_DIR",
    help="The campaign's folder.",
)
@click.option("--clock", envvar="CAMPAIGN_CLOCK", help="The time to write down, instead of now.")
@click.version_option(package_name="campaign-ledger", prog_name="campaign")
@click.pass_context
def campaign(ctx: click.Context, folder: Path | None, clock: str | None) -> None:
    """An event-sourced ledger for tabletop campaigns: say it, roll it, keep it, doubt it, replay it."""
    from cli.context import Place

    ctx.obj = Place(folder, clock)


def speaking(stream: Any) -> Any:
    """A stream in UTF-8, whatever the locale, so that every table prints the same; nowhere, if it is closed."""
    if stream is None:
        return open(os.devnull, "w", encoding="utf-8")
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    return stream


def main() -> None:
    """The console script. An interrupt ends with 130, like other programs."""
    sys.stdout, sys.stderr = speaking(sys.stdout), speaking(sys.stderr)
    try:
        code = campaign.main(standalone_mode=False)
    except click.exceptions.Abort:
        click.echo("interrupted", err=True)
        code = 130
    except click.ClickException as error:
        said = io.StringIO()
        error.show(said)
        with suppress(OSError):
            click.echo(harmless(said.getvalue()), nl=False, err=True)
        code = error.exit_code
    raise SystemExit(code if isinstance(code, int) else 0)


if __name__ == "__main__":
    main()
