"""Evenings in the shell: for each game the sheets, the lines of a fight and a rest, and the screen that they leave.

The sheets are cast in the order of `cast.txt`, the lines of `evening.txt` are typed at a pseudo-terminal;
`python -m tests.rewrite` writes `screen.txt` anew.
"""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from cli.main import campaign
from tests.cli.conftest import CLOCK, PROGRAM, environment
from tests.cli.picture import svg
from tests.cli.terminal import Terminal

EVENINGS = Path(__file__).parent / "evenings"
GAMES = sorted(path.name for path in EVENINGS.iterdir())
SHOWN = "dusk-bastards"  # the evening of which the README shows some rows, from one up to another
PICTURE_ROWS = ("» ? odds w attack thug 1", "» w dodge")


def lines_of(game: str) -> list[str]:
    """Return the lines that are typed in the evening of a game."""
    return (EVENINGS / game / "evening.txt").read_text(encoding="utf-8").splitlines()


def prepare(game: str, folder: Path, *options: str) -> None:
    """Create the campaign of a game with its sheets and a session that is open with these options."""
    sheets = [str(EVENINGS / game / name) for name in (EVENINGS / game / "cast.txt").read_text("utf-8").split()]
    for arguments in (
        ["new", "Evening", str(folder), "--game", game, "--id", "0" * 31 + "1"],
        ["-C", str(folder), "cast", *sheets],
        ["-C", str(folder), "open", "An evening", "--seed", f"an evening of {game}", *options],
    ):
        done = CliRunner().invoke(campaign, ["--clock", CLOCK, *arguments])
        assert done.exit_code == 0, done.output


def play(game: str, folder: Path, **more: str) -> Terminal:
    """Play the evening of a game in the shell at a terminal, to its end."""
    surroundings = environment(TERM="xterm-256color", CAMPAIGN_CLOCK=CLOCK, PAGER="cat", **more)
    terminal = Terminal([str(PROGRAM), "-C", str(folder), "play"], surroundings)
    for number, line in enumerate(lines_of(game), 1):
        terminal.read_prompt(number)
        terminal.type(line + "\r")
    terminal.read_prompt(number + 1)
    terminal.type("\x04")
    assert terminal.end() == 0
    return terminal


def screen_text(terminal: Terminal) -> str:
    """Return the screen as the golden file keeps it."""
    return "\n".join(terminal.display.lines()) + "\n"


def rows_between(terminal: Terminal, first: str, after: str) -> slice:
    """Return the rows from the first that ends so up to the next one that ends so."""
    ends = [line.endswith((first, after)) for line in terminal.display.lines()]
    start = ends.index(True)
    return slice(start, ends.index(True, start + 1))


def picture(terminal: Terminal) -> str:
    """Return the picture of the README."""
    return svg(terminal.display.rows[rows_between(terminal, *PICTURE_ROWS)], terminal.display.width)
