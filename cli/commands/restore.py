"""`restore`: make a campaign of a backup."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

import click
from click.exceptions import Exit

from cli.options import pass_campaign
from cli.output import print_line, remark
from cli.place import FolderType
from cli.play.backup import restore
from cli.play.kept_heads import is_in_ledger, kept_heads_of
from cli.progress import progress
from cli.questions.open_seed import open_seed
from ledger.head_words import spoken_head
from ledger.names import escape
from ledger.sqlite_store import SqliteStore


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.argument("folder", type=FolderType(path_type=Path, file_okay=False))
@pass_campaign
def restore_command(_: object, file: Path, folder: Path) -> None:
    """Make a campaign in FOLDER of the backup FILE, and check it. A ledger that is there is never written over.

    To go on where a damaged ledger was, restore into a new folder and move the other files there.

    Example: campaign restore saints.backup saints-again
    """
    with progress("restore", int):
        store = restore(file, folder)
    with closing(store):
        head, seed = store.head(), open_seed(store)
        print_line(f"{escape(str(file))} is restored into {escape(str(folder))}: head {head}")
        print_line(f"words {spoken_head(head)}")
        if seed and seed.is_missing:
            remark(
                f"Session {seed.session} is open, and its seed is in no backup: put its file into the folder"
                f" ({escape(os.path.basename(seed.path))}), or close the session without it (close --seed-lost)."
            )
        raise Exit(0 if print_kept(store) else 1)


def print_kept(store: SqliteStore) -> bool:
    """Say which of the heads that were kept of a campaign a restored ledger lacks; return whether all others fit."""
    kept = [(each, is_in_ledger(store, each.kept)) for each in kept_heads_of(store).read()]
    if later := [each.kept.position for each, fits in kept if fits is None]:
        remark(f"What was said since is not in it: a head was kept at {max(later)}.")
    for each, fits in kept:
        if fits is False:
            print_line(escape(f"It is not what it was: the head that was kept does not fit: {each.head}"))
    return all(fits is not False for _, fits in kept)
