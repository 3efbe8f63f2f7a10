"""`cast`: add characters, foes and things from their sheets."""

from __future__ import annotations

from collections.abc import Iterator

import click

from cli import completion, options, output
from cli.context import CampaignContext
from cli.phrases.entries import fact_lines
from cli.play import sheet_files
from cli.play.free_names import check_name_is_free
from cli.play.uncast import undo_cast
from cli.render.log import print_record
from cli.render.settlement import settlement_lines
from ledger.batch import declare_together
from ledger.declarations import Declaration
from ledger.names import word_list


@click.command()
@click.argument("sheets", nargs=-1, type=click.Path())
@click.option("--because", default="", help="The reason for changes to a sheet that was cast before.")
@click.option(
    "--undo",
    multiple=True,
    metavar="NAME",
    shell_complete=completion.complete_being,
    help="Take back the cast of NAME, as long as nothing that happened depends on it.",
)
@options.pass_campaign
def cast_command(context: CampaignContext, sheets: tuple[str, ...], because: str, undo: tuple[str, ...]) -> None:
    """Add the beings of SHEETS (TOML files, or folders of them): all of them, or none if one is refused.

    A sheet that was edited since it was cast changes the one in play; --because is then required. FILE*3 adds three, as
    does `copies = 3` in the sheet.

    Examples: campaign cast cast/kess.toml 'cast/brute.toml*3'   campaign cast kess.toml --because "level 3"
    campaign cast --undo kess
    """
    if bool(sheets) == bool(undo):
        raise click.UsageError("Name the sheets to cast, or with --undo whose cast to take back.")
    ledger, book = context.ledger(write=True, door="keyboard" if undo else "file"), context.game()
    for name in undo:
        output.print_wrapped(settlement_lines(undo_cast(ledger, name, at=context.now), context.wording))
    if undo:
        return
    unchanged: list[str] = []

    def changes() -> Iterator[tuple[str, Declaration]]:
        unchanged.clear()
        taken = {being.name for being in ledger.state.state.beings_in_order()}
        for path, sheet in sheet_files.those_who_join_first(ledger, sheet_files.read_sheets(book, sheets, taken)):
            if copies := sheet_files.unchanged_copies(ledger, sheet):
                unchanged.append(f"{path}: in play as {word_list(copies)}; {path}*1 adds one more")
                continue
            declaration = sheet_files.sheet_change(ledger, book, sheet, because)
            if declaration is None:
                unchanged.append(f"{path}: already in play, and the sheet has not changed")
                continue
            yield path, declaration
            if declaration is sheet:
                check_name_is_free(ledger.state, book, sheet, f"{path}, name")

    try:
        records = declare_together(ledger, changes, at=context.now)
    except sheet_files.ReasonMissing as error:
        for line in fact_lines(error.facts, context.wording):
            output.remark(f"  {line}")
        raise
    for remarked in unchanged:
        output.remark(remarked)
    for record in records:
        print_record(record, context.wording)
