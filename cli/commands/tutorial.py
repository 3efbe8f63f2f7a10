"""`tutorial`: ten minutes of play with somebody who has never seen the game."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Final

import click

from cli.context import CampaignContext
from cli.options import GAME, pass_campaign
from cli.output import paint, print_line, print_wrapped, remark
from cli.place import FolderType
from cli.play.tutorial import TutorialStep, begin_tutorial, load_tutorial
from cli.shell.editor import LineEditor
from cli.shell.shell import ENDS, Shell
from cli.shell.table import make_shell
from rulebooks import GAMES
from rulebooks.common.game import Game

ENTER: Final = "Enter"


@click.command()
@click.argument("folder", required=False, type=FolderType(path_type=Path, file_okay=False))
@click.option("--game", type=GAME, default=next(iter(GAMES)), show_default=True, help="Which game.")
@pass_campaign
@click.pass_context
def tutorial_command(ctx: click.Context, context: CampaignContext, folder: Path | None, game: str) -> None:
    """Play ten minutes with you: a scene, a roll, a fight of two rounds, a correction, the recap.

    Each step says one rule and proposes a line; Enter says it. Any other line is answered too, and the step goes on.
    The campaign of the tutorial is in FOLDER (default: a new one).

    Examples: campaign tutorial   campaign tutorial --game momentum
    """
    book = context.game_if_any(game)
    assert book is not None
    tutorial = load_tutorial(book)
    target = folder or Path(tempfile.mkdtemp(prefix="campaign-tutorial-"))
    begin_tutorial(book, tutorial, target, at=context.now)
    table = CampaignContext(target, None)
    try:
        shell, editor = make_shell(ctx, table)
        print_wrapped([paint(tutorial.title, bold=True)])
        for step in tutorial.steps:
            if not play_step(step, book, shell, editor):
                break
    finally:
        table.close()
    remark(f"The campaign is in {target}. Play on: campaign -C {target} play")


def play_step(step: TutorialStep, book: Game, shell: Shell, editor: LineEditor) -> bool:
    """Tell a step and say its line; return False if the tutorial is to end."""
    print_line("")
    print_wrapped([step.tell])
    if rule := book.texts().rules.get(step.rule):
        print_wrapped([paint(f"{rule.id}: {rule.text}", dim=True)])
    if not step.line:
        return True
    while True:
        print_wrapped([f"{ENTER} says: {step.line}"])
        said = next(editor.lines(shell.prompt), "")
        if said.strip() in ENDS:
            return False
        shell.answer(said or step.line)
        if not said:
            return True
