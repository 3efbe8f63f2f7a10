"""`log`: the entries of a ledger as text."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from itertools import chain

import click

from cli.completion import complete_being
from cli.context import CampaignContext
from cli.errors import UsageError
from cli.options import csv_option, json_option, pass_campaign, session_option, view_option
from cli.output import print_json, print_verbatim, print_wrapped
from cli.pager import paged
from cli.phrases.entries import oneline_records, record_lines
from cli.questions import log
from cli.questions.players_ledger import printed_records, store_for
from cli.questions.written_line import written_records
from cli.render.csv import csv_lines
from ledger.errors import LedgerError
from ledger.names import NUMBER_MOST
from ledger.read_models import ENTRIES
from ledger.records import Record, encode
from ledger.store import follow


@click.command()
@click.argument("what", required=False, shell_complete=complete_being)
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
def log_command(
    context: CampaignContext,
    what: str | None,
    session: int | None,
    most: int | None,
    scene: str | None,
    typed: bool,
    oneline: bool,
    reverse: bool,
    takes: bool,
    following: bool,
    role: str,
    json: bool,
    csv: bool,
) -> None:
    """List the entries with their results: all, those of a session, those about a being, or those of a scene.

    WHAT is the number of a session or a name. Names and verbs are written out; --typed shows them as typed.

    Examples: campaign log 1   campaign log kess -n 3   campaign log --scene "lamp room"
    campaign log --oneline --reverse   campaign log -f --as players
    """
    if following and (most or reverse or scene or csv):
        raise UsageError(LedgerError("--follow has no end: leave out -n, --scene, --reverse and --csv"))
    store, book = context.store(write=False), context.game()
    seen = store_for(store, book, role)
    chosen = log.log_filter(seen, what, session, scene)

    def listed_of(records: Iterable[Record]) -> Iterator[Record]:
        written = records if json or typed else written_records(records, book)
        for record in printed_records(seen, written):
            if chosen.admits(record) and (json or takes or record.facts):
                yield record

    listed: Iterable[Record]
    if takes or following:
        own = follow(store, after=0, wake=wait if following else lambda: False)
        listed = listed_of(log.check_session(chosen.session, own))
        if most:
            listed = deque(listed, maxlen=most)
    else:
        in_sessions = log.LogFilter(chosen.session) if json else chosen  # as JSON also what was taken back
        sessions = log.listed_sessions(store, in_sessions, last_first=most is not None)
        by_session = (listed_of(log.session_records(store, session)) for session in sessions)
        listed = log.last_of(by_session, most) if most else chain.from_iterable(by_session)
    if json:
        for record in reversed(list(listed)) if reverse else listed:
            print_json(encode(record))
        return
    if csv:
        found = reversed(list(listed)) if reverse else listed
        print_verbatim(csv_lines([*ENTRIES.columns], log.entry_table(found, store)))
        return
    wording = context.wording
    if oneline:
        texts = oneline_records(listed, wording, takes=takes)
    else:
        texts = (record_lines(record, wording, takes=takes) for record in listed)
    with nullcontext() if following else paged():
        for lines in reversed(list(texts)) if reverse else texts:
            print_wrapped(lines)


def wait() -> bool:
    """Wait a little for somebody to append."""
    time.sleep(0.2)
    return True
