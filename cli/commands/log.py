"""`log`: the entries of a ledger as text."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from typing import Any

import click
import msgspec

from cli import completion, output, pager
from cli.context import CampaignContext
from cli.errors import UsageError
from cli.options import csv_option, json_option, pass_campaign, session_option, view_option
from cli.phrases.entries import oneline_records, record_lines
from cli.questions import log
from cli.questions.players_ledger import store_for
from cli.render.csv import csv_lines
from ledger.errors import LedgerError
from ledger.facts import Told
from ledger.head_words import spoken_head
from ledger.names import NUMBER_MOST
from ledger.read_models import ENTRIES
from ledger.records import Head, Record, encode
from ledger.store import ReadableStore, Store
from rulebooks.common.texts import Wording


class LogOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The arguments and options of `log`."""

    what: str | None
    session: int | None
    most: int | None
    scene: str | None
    typed: bool
    oneline: bool
    reverse: bool
    takes: bool
    following: bool
    role: str
    json: bool
    csv: bool


@click.command()
@click.argument("what", required=False, shell_complete=completion.complete_being)
@session_option("Only the entries of this session.")
@click.option("-n", "most", type=click.IntRange(1, NUMBER_MOST), help="Only the last N entries.", metavar="N")
@click.option("--scene", help="Only the entries of this scene: words of its title, or its number in the session.")
@click.option("--typed", is_flag=True, help="Lines as they were typed, not written out.")
@click.option("--oneline", is_flag=True, help="One line for each entry: what was said, and what came of it.")
@click.option("--reverse", is_flag=True, help="The last entry first.")
@click.option("--takes", is_flag=True, help="All takes in the order of writing, also those that no longer count.")
@click.option("--follow", "-f", "following", is_flag=True, help="Continue as entries are appended.")
@view_option()
@json_option("Records as they are stored, one a line.")
@csv_option("Entries as CSV, with the columns of the table `entries`.")
@pass_campaign
def log_command(context: CampaignContext, /, **given: Any) -> None:
    """List the entries with their results: all, those of a session, those about a being, or those of a scene.

    WHAT is the number of a session or a name. Names and verbs are written out; --typed shows them as typed.

    Examples: campaign log 1   campaign log kess -n 3   campaign log --scene "lamp room"
    campaign log --oneline --reverse   campaign log -f --as players
    """
    options = LogOptions(**given)
    if options.following and (options.most or options.reverse or options.scene or options.csv):
        raise UsageError(LedgerError("--follow has no end: leave out -n, --scene, --reverse and --csv"))
    store, book = context.store(write=False), context.game()
    seen = store_for(store, book, options.role)
    listing = log.Listing(
        chosen=log.log_filter(seen, options.what, options.session, options.scene),
        most=options.most,
        typed=options.typed or options.json,
        takes=options.takes,
        whole=options.json,
        wake=wait if options.following else None,
    )
    listed = log.listed_records(store, seen, book, listing)
    if options.json or options.csv:
        ordered = reversed(list(listed)) if options.reverse else listed
        print_records(ordered, store, csv=options.csv)
    else:
        print_entries(listed, store, context.wording, options)


def print_records(listed: Iterable[Record], store: ReadableStore, *, csv: bool) -> None:
    """Print records as they are stored, or as the rows of `entries`."""
    if csv:
        output.print_verbatim(csv_lines([*ENTRIES.columns], log.entry_table(listed, store)))
        return
    for record in listed:
        output.print_json(encode(record))


def print_entries(listed: Iterable[Record], store: Store, wording: Wording, options: LogOptions) -> None:
    """Print entries as text, page by page unless it goes on without an end; with a scene the head in words."""
    if options.oneline:
        texts = oneline_records(listed, wording, takes=options.takes)
    else:
        texts = ([*record_lines(record, wording, takes=options.takes), *scene_head(record, store)] for record in listed)
    with nullcontext() if options.following else pager.paged():
        for lines in reversed(list(texts)) if options.reverse else texts:
            output.print_wrapped(lines)


def scene_head(record: Record, store: Store) -> Iterator[str]:
    """Yield for an entry that begins a scene the head of the ledger there, in words that can be noted."""
    if any(isinstance(fact, Told) and fact.kind == "scene" for fact in record.facts):
        stored = next(store.read(after=record.position - 1))
        yield f"      head {spoken_head(Head(stored.position, stored.hash))}"


def wait() -> bool:
    """Wait a little for somebody to append."""
    time.sleep(0.2)
    return True
