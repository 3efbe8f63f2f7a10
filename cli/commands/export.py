"""`export`: take a campaign elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

import click

from cli.context import CampaignContext
from cli.errors import UsageError
from cli.options import SESSION, VIEW_VARIABLE, force_option, is_typed, pass_campaign
from cli.output import print_json, print_json_parts, print_line, print_verbatim, remark
from cli.play.bundle_file import Packing, packing_of, write_bundle
from cli.play.files import FileKind, OutputFolder
from cli.play.name_table import campaign_names
from cli.play.parquet import part_name, write_parquet
from cli.progress import progress
from cli.questions.campaign import campaign_name, last_session, tables_of
from cli.questions.open_seed import open_seed
from cli.questions.players_ledger import store_for
from cli.questions.roles import GM_VIEW, PLAYERS
from cli.questions.session_notation import session_notation
from cli.render.csv import csv_heading, csv_lines
from cli.render.recap import RecapSource, session_recap
from cli.render.vault import BASE, CAMPAIGN, Vault
from cli.render.vault_markdown import is_own_base, is_own_note
from cli.story.style import STYLES
from ledger.bundle import Audience, Contents, bundle_lines
from ledger.errors import LedgerError, input_errors
from ledger.facts import parse_entry_id
from ledger.names import escape, plural
from ledger.records import ENCODER
from ledger.seal_proof import seal_proofs
from ledger.store import ReadableStore, Store
from ledger.table_file import NamedRows, named_rows
from rulebooks.common.game import Game

FOLDER = click.Path(path_type=Path, file_okay=False)
PATH = click.Path(path_type=Path)


@click.command()
@click.argument("session", required=False, type=SESSION)
@click.option("--bundle", type=PATH, metavar="FILE", help="The whole ledger as one file, for import and verify.")
@click.option("--gzip", "packing", flag_value="gzip", default="", help="Pack the bundle with gzip (FILE.gz does too).")
@click.option("--zstd", "packing", flag_value="zstd", help="Pack the bundle with zstd (FILE.zst does too).")
@click.option("--csv", "csv_folder", type=FOLDER, metavar="DIR", help="Every table as a CSV file in DIR.")
@click.option("--json", is_flag=True, help="All tables as JSON.")
@click.option("--parquet", type=FOLDER, metavar="DIR", help="Records, facts, dice and values as Parquet, for DuckDB.")
@click.option("--notation", is_flag=True, help="SESSION (default: the last) as a .session file, with all faces.")
@click.option("--proof", metavar="ENTRY", help="What is sealed of an entry, to prove a secret.")
@click.option("--vault", "vault_folder", type=FOLDER, metavar="DIR", help="Notes in Markdown, for Obsidian.")
@click.option(
    "--as",
    "role",
    type=click.Choice([PLAYERS, GM_VIEW]),
    envvar=VIEW_VARIABLE,
    help="What the players may see, or everything. Default: gm, but players for --vault and --parquet.",
)
@force_option("Replace files that are there and are not of an export.")
@pass_campaign
def export_command(
    context: CampaignContext,
    session: int | None,
    bundle: Path | None,
    packing: Packing,
    csv_folder: Path | None,
    json: bool,
    parquet: Path | None,
    notation: bool,
    proof: str | None,
    vault_folder: Path | None,
    role: str | None,
    force: bool,
) -> None:
    """Write the campaign for elsewhere: a bundle of all records, tables, notes for Obsidian, a session as its lines.

    A bundle is the ledger itself as text, one record a line: import takes it in and verify checks it. With --as players
    it has no secret in it, and the same hashes and head.

    The CSV has no formulas, and all text of the notes is escaped. A session file has every face that was thrown, so
    that it replays without the seed: run it into a campaign with the same cast.

    Examples: campaign export --bundle saints.jsonl   campaign export --bundle saints.gz --as players
    campaign export --csv tables   campaign export 2 --notation > 2.session
    campaign export --vault notes --as gm   campaign export --json > campaign.json
    """
    check_choice(bundle, csv_folder, json, parquet, notation, proof, vault_folder)
    if packing and not bundle:
        raise UsageError(LedgerError(f"--{packing} packs a bundle: name one with --bundle FILE"))
    if session is not None and not notation:
        raise UsageError(LedgerError("a session alone can be written with --notation only"))
    store, book = context.store(write=False), context.game()
    if notation:
        print_notation(store, book, session, role)
    elif proof:
        print_proof(store, proof, role)
    elif bundle:
        write_whole(context, bundle, "players" if role == PLAYERS else "gm", packing, force=force)
    elif parquet:
        write_data_set(context, parquet, role or PLAYERS, force=force)
    else:
        seen_by = role or (PLAYERS if vault_folder else GM_VIEW)
        with progress("export", lambda: store.records_read):
            seen = store_for(store, book, seen_by)
            tables = [*named_rows(tables_of(seen))]
        if json:
            print_json_parts(json_parts(campaign_name(store), tables))
        elif csv_folder:
            write_tables(OutputFolder(csv_folder, force=force), tables)
        elif vault_folder:
            vault = Vault(campaign_name(store), tables, lambda session: story(context, session, seen_by, seen))
            write_notes(OutputFolder(vault_folder, force=force), vault)


def check_choice(*ways: object) -> None:
    """Raise UsageError unless one of the ways to write a campaign was chosen."""
    if sum(map(bool, ways)) != 1:
        named = "--bundle FILE, --csv DIR, --json, --parquet DIR, --notation, --proof ENTRY or --vault DIR"
        raise UsageError(LedgerError(f"say what to write: {named}"))


def write_whole(context: CampaignContext, path: Path, audience: Audience, packing: Packing, *, force: bool) -> None:
    """Write the whole ledger as it is now as a bundle, and say what is not in it."""
    store, contents = context.store(write=False), Contents()
    with progress("export", lambda: store.records_read):
        head = store.head()
        for stored in store.read():
            if stored.position <= head.position:
                contents.add(stored)
        header, seed = contents.header(audience), open_seed(store)
        write_bundle(path, bundle_lines(header, store.read()), packing_of(path, packing), force=force)
    whose = " for the players" if audience == "players" else ""
    print_line(f"{plural(header.records, 'record', 'records')} in {escape(str(path))}{whose}, head {header.head}")
    if seed is not None:
        remark(
            f"Session {seed.session} is open: its seed is not in the bundle, or its dice could be known."
            + ("" if whose else f" To play on elsewhere close it first, or take its file along: {escape(seed.path)}.")
        )


def write_data_set(context: CampaignContext, folder: Path, role: str, *, force: bool) -> None:
    """Write the part of a campaign into a data set of Parquet files, and say what is in it."""
    store, book, name = context.store(write=False), context.game(), part_name(context.folder.resolve().name)
    with progress("export", lambda: store.records_read):
        counts = write_parquet(folder, name, store, store_for(store, book, role), book, force=force)
    rows = ", ".join(f"{count:,} {table}" for table, count in counts.items() if table != "campaigns")
    remark(f"{rows} in {folder}, as campaign={name}.")


def print_notation(store: Store, book: Game, session: int | None, role: str | None) -> None:
    """Print a session, or the last one, as the lines of a session file. Raises UsageError for the players' view."""
    if role == PLAYERS:
        way = "leave out --as players" if is_typed("role") else f"{VIEW_VARIABLE} is set: add --as gm"
        raise UsageError(LedgerError(f"what the players see does not replay: {way}"))
    print_verbatim(session_notation(store, book, last_session(store) if session is None else session))


def print_proof(store: Store, entry: str, role: str | None) -> None:
    """Print what is sealed of the takes of an entry. Raises LedgerError if nothing is."""
    if role == PLAYERS:
        raise UsageError(LedgerError("a proof is what the players do not see: leave out --as players"))
    with input_errors():
        id = parse_entry_id(entry)
    proofs = list(seal_proofs(store, id))
    if not proofs:
        raise LedgerError(f"nothing of entry {id} is sealed", hint="Everybody sees all of it in a bundle.")
    for each in proofs:
        print_json(each)
    remark("Whoever has a players' bundle checks it: campaign verify BUNDLE --proof FILE.")


def write_tables(folder: OutputFolder, tables: Sequence[NamedRows]) -> None:
    """Write each table as a CSV file: none if one of them may not be written."""
    kinds = [FileKind(f"the table {table.name}", partial(begins_with, csv_heading(table.columns))) for table in tables]
    for table, kind in zip(tables, kinds, strict=True):
        folder.check(f"{table.name}.csv", kind)
    for table, kind in zip(tables, kinds, strict=True):
        folder.write(f"{table.name}.csv", csv_lines(table.columns, table.rows), kind)
    remark(f"{len(tables)} files in {folder.path}.")


def begins_with(line: str, first: bytes) -> bool:
    """Return whether the first bytes of a file are those of a line. The heading of a table is never cut off."""
    return first.partition(b"\n")[0].rstrip(b"\r") == line.encode()


def write_notes(folder: OutputFolder, vault: Vault) -> None:
    """Write the notes of a vault and the table of them: none if one of them may not be written."""
    kind, table = FileKind("a note", is_own_note), FileKind("a table of notes", is_own_base)
    folder.check(f"{CAMPAIGN}.base", table)
    for path in vault.paths:
        folder.check(f"{path}.md", kind)
    for note in vault.notes():
        folder.write(f"{note.path}.md", note.lines, kind)
    folder.write(f"{CAMPAIGN}.base", BASE.splitlines(), table)
    remark(f"{len(vault.paths)} notes in {folder.path}.")


def story(context: CampaignContext, session: int, role: str, store: ReadableStore) -> list[str]:
    """Return the chronicle of a session as lines of Markdown."""
    names = campaign_names(context.folder, context.store(write=False))
    source = RecapSource(store=store, book=context.game(), wording=context.wording, role=role, names=names)
    return [*session_recap(source, session, STYLES["markdown"]).lines]


def json_parts(campaign: str, tables: Iterable[NamedRows]) -> Iterator[bytes]:
    """Yield all tables as one JSON object, row by row, with the keys of every object sorted."""
    yield b'{"campaign":' + ENCODER.encode(campaign) + b',"tables":{'
    for number, table in enumerate(sorted(tables, key=lambda table: table.name)):
        yield (b"," if number else b"") + ENCODER.encode(table.name) + b":["
        for index, row in enumerate(table.rows):
            yield (b"," if index else b"") + ENCODER.encode(dict(zip(table.columns, row, strict=True)))
        yield b"]"
    yield b"}}"
