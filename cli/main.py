"""The command line program `campaign`. A command's module is imported only when the command is called.

Help and completion of the command names need no import.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Mapping
from copy import copy
from importlib import import_module
from inspect import cleandoc
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, ClassVar, Final, NoReturn

import click
from click.shell_completion import CompletionItem

from cli.errors import ProgramError, command_errors, shorten
from cli.output import COLOUR_CHOICE
from cli.place import PlaceType
from cli.program import leave, print_last, report_interrupt, use_utf8
from ledger.errors import InputError
from ledger.names import escape

if TYPE_CHECKING:
    from ledger.postgres_address import DatabaseAddress

GROUPS: Final = {
    "Start": {
        "new": "Create a campaign: a folder with its ledger.",
        "sheet": "Print a template for a sheet.",
        "cast": "Add characters, foes and things from sheets (TOML).",
        "open": "Open a session and commit to its dice.",
        "close": "Close the session and reveal its seed.",
        "list": "List the campaigns of a folder or of a database.",
        "copy": "Copy a campaign to another folder or database.",
        "demo": "Play a sample campaign into a new ledger and replay it.",
        "tutorial": "Play ten minutes with you, one rule at a time.",
    },
    "Play": {
        "play": "Play in a shell: its prompt says whose turn it is.",
        "do": "Declare one line: act, roll, spend.",
        "run": "Declare the lines of a .session file.",
        "watch": "Follow a .session file: declare its lines as they are saved.",
        "undo": "Take back the last line or a correction; said again, it has its dice.",
    },
    "Look": {
        "show": "Show the party or one being, now or after any entry.",
        "log": "List the entries: what was said, rolled and changed.",
        "odds": "Count the exact chances of a line before it is declared.",
        "forecast": "Play the fight from here to its end, many times: who falls?",
        "encounter": "Find how many foes bring the risk that is wanted.",
        "search": "Find words in lines, scenes, fiction and quotes.",
        "recap": "Tell a session as a story: a post, a chronicle or a log.",
        "luck": "Compare the dice with all throws that were possible.",
        "serve": "Show the session live in browsers: a second screen, phones.",
    },
    "Dispute": {
        "why": "Show the recorded arithmetic of an entry with its rules and dice.",
        "who": "List every change of one value with its cause.",
        "when": "Find the first entry after which a comparison of values holds.",
        "whatif": "Show what would follow if an entry had been different.",
        "amend": "Correct an earlier entry: preview, then retcon, stand or compensate.",
        "diff": "Compare two sessions, takes, moments or ledgers.",
        "rules": "Look up a rule, a heading or some words in the rule book.",
        "rulings": "List the rulings of the table that are in force.",
    },
    "Trust": {
        "replay": "Decide every entry again and compare.",
        "verify": "Check every stored byte, hash, die and fact of the ledger.",
        "backup": "Copy the ledger into a file, also while somebody plays.",
        "restore": "Make a campaign of a backup.",
        "import": "Take in a bundle, or the rolls and words of a chat.",
        "head": "Print where the ledger ends, in words too, or keep what was read out.",
    },
    "Many": {
        "shelf": "Verify, replay, search or follow all campaigns below a folder.",
    },
    "Tools": {
        "fmt": "Show how the ledger understands a line, written out in full.",
        "export": "Write a bundle, tables, notes for Obsidian, or a session's lines.",
        "browse": "Look at the tables in a browser, with Datasette.",
        "game": "List the games, ours and those of other packages, and check one.",
        "mcp": "Answer an assistant's questions, which only read.",
        "rebuild": "Rebuild the snapshots and read models from the records.",
        "upgrade": "Move a ledger of format 2 into a new campaign.",
        "completion": "Print the completion script of a shell.",
        "help": "Explain a page, a game, a verb or a command.",
    },
}
OPEN_TO_PLAYERS: Final = ("new", "game", "sheet", "demo", "tutorial", "completion", "help")  # tell nothing of a ledger
WITHOUT_LEDGER: Final = (*OPEN_TO_PLAYERS, "import", "verify", "copy", "list")  # or with a bundle as an argument
LOOKING: Final = ("show", "log", "search", "recap", "why", "who", "when")  # of a bundle in place of a campaign
MEANT: Final = {  # words of other programs, with the commands that do it here
    "status": ["show"], "history": ["log"], "init": ["new"], "create": ["new"],
    "add": ["cast"], "revert": ["undo"], "redo": ["do redo"], "edit": ["amend"], "shell": ["play"], "find": ["search"],
}  # fmt: skip
EXAMPLES: Final = re.compile("(Examples?:) ")
COMMANDS: Final = {name: text for group in GROUPS.values() for name, text in group.items()}


def with_examples_by_line(text: str) -> str:
    """Return the help of a command with each of its examples in a line of its own, so that it can be copied."""
    start, *rest = EXAMPLES.split(text)
    if not rest:
        return text
    heading, examples = rest
    lines = re.split(r"   |\n", examples)
    return "\n".join([f"{start}\b\n{heading}", *(f"  {line}" for line in lines if line)])


def show_examples_by_line(command: click.Command) -> None:
    """Have the help of a command, and of those in it, show each example in a line of its own."""
    command.help = with_examples_by_line(cleandoc(command.help or ""))
    for inner in command.commands.values() if isinstance(command, click.Group) else ():
        show_examples_by_line(inner)


class CommandGroup(click.Group):
    """A group that imports a command's module only to run the command or to show its help."""

    groups: ClassVar[Mapping[str, Mapping[str, str]]] = GROUPS

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands in the order of a session."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"cli.commands.{cmd_name}")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        show_examples_by_line(command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands by group, without importing any."""
        width = max(map(len, COMMANDS))
        for group, commands in GROUPS.items():
            with formatter.section(group):
                formatter.write_dl([(name.ljust(width), text) for name, text in commands.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command. Raises UsageError with the nearest names for an unknown one."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = MEANT.get(args[0], []) or get_close_matches(args[0][:60], COMMANDS, n=3, cutoff=0.5)
            hint = f"Did you mean {' or '.join(near)}?" if near else "List them: campaign --help."
            ctx.fail(f"there is no command '{shorten(escape(args[0]))}'. {hint}")
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None and (view := os.environ.get("CAMPAIGN_VIEW")):
            command = for_role(command, str(name), view)
        folder = ctx.params.get("folder")
        if command is not None and isinstance(folder, Path) and name not in WITHOUT_LEDGER and folder.is_file():
            command = for_bundle(command, str(name))
        return name, command, rest

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the names of commands without importing any."""
        return [CompletionItem(name, help=text) for name, text in COMMANDS.items() if name.startswith(incomplete)]

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; turn its errors into one line and an exit code, and close its ledger."""
        try:
            with command_errors(lambda: ctx.obj):
                return super().invoke(ctx)
        except ProgramError as error:
            raise ShownError(error) from error


def for_role(command: click.Command, name: str, view: str) -> click.Command:
    """Return a command as the role of CAMPAIGN_VIEW has it: one without a players' view refuses to run for them."""
    from cli.options import takes_view
    from cli.questions.roles import GM_VIEW, PLAYERS

    if view == GM_VIEW or takes_view(command) or name in OPEN_TO_PLAYERS:
        return command
    if view == PLAYERS:
        error = InputError(f"'{name}' is the game master's: it has no players' view")
        may = "The players may ask why, who, when, show, log and odds"
        hint = f"{may}; the game master works without --as players and CAMPAIGN_VIEW."
    else:
        error = InputError(f"CAMPAIGN_VIEW is '{escape(view)}'")
        hint = f"Set it to {PLAYERS} or {GM_VIEW}, or leave it out."

    return refusing(command, error.with_hint(hint))


def for_bundle(command: click.Command, name: str) -> click.Command:
    """Return a command as it works on a bundle, which can be looked at."""
    if name in LOOKING:
        return command
    error = InputError(f"'{name}' does not work on a bundle")
    looking = ", ".join(LOOKING)
    return refusing(command, error.with_hint(f"Look at it ({looking}), check it (verify FILE) or import it."))


def refusing(command: click.Command, error: InputError) -> click.Command:
    """Return a command that raises an error."""

    def refuse(**_: object) -> NoReturn:
        raise error

    refused = copy(command)
    refused.callback = refuse
    return refused


class ShownError(click.ClickException):
    """An error of the program, as click shows it and ends with its exit code."""

    def __init__(self, error: ProgramError) -> None:
        super().__init__(error.format_message())
        self.exit_code = error.exit_code  # type: ignore[misc]  # click has it on the class

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the error, if anything is to be said."""
        if self.message:
            super().show(file)


@click.group(cls=CommandGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "-C",
    "folder",
    type=PlaceType(path_type=Path),
    envvar="CAMPAIGN_DIR",
    help="The campaign's folder, its address in a database, or a bundle to look at.",
)
@click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="Whether to print in colour; auto: at a terminal.",
)
@click.option("--clock", envvar="CAMPAIGN_CLOCK", help="The time to record instead of now.")
@click.option("--no-pager", is_flag=True, help="Print long output at once, without a pager.")
@click.version_option(package_name="campaign-ledger", prog_name="campaign")
@click.pass_context
def campaign(
    ctx: click.Context, folder: Path | DatabaseAddress | None, color: str, clock: str | None, no_pager: bool
) -> None:
    """An event-sourced ledger for tabletop role-playing campaigns, with replay."""
    from cli.context import CampaignContext  # help and completion start faster without the ledger

    ctx.color = {"always": True, "never": False}.get(color)
    chosen = COLOUR_CHOICE.set(ctx.color)
    ctx.call_on_close(lambda: COLOUR_CHOICE.reset(chosen))
    ctx.meta["no_pager"] = no_pager
    ctx.obj = CampaignContext(folder, clock)


def main() -> NoReturn:
    """Run the program and end the process."""
    leave(run_program())


def run_program() -> int:
    """Run the program with the arguments of the process, and return its exit code: 130 for an interrupt."""
    use_utf8()
    try:
        code = campaign.main(standalone_mode=False)
    except click.exceptions.Abort:
        return report_interrupt()
    except click.ClickException as error:
        message = io.StringIO()
        error.show(message)
        print_last(message.getvalue())
        code = error.exit_code
    return code if isinstance(code, int) else 0


if __name__ == "__main__":
    main()
