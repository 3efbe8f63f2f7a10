"""`log`: the entries of a ledger as text."""

from __future__ import annotations

import time

import click

from cli.context import CampaignContext, pass_campaign
from cli.errors import InputError
from cli.output import print_json, print_line
from cli.render.log import tell
from ledger.records import Record, counting, encode
from ledger.store import follow


@click.command()
@click.argument("session", required=False, type=click.IntRange(min=0))
@click.option("--takes", is_flag=True, help="All takes in order of writing, also those that no longer count.")
@click.option("--follow", "-f", "following", is_flag=True, help="Go on as entries are appended.")
@click.option("--json", "plain", is_flag=True, help="Records as they are stored, one a line.")
@pass_campaign
def log_command(context: CampaignContext, session: int | None, takes: bool, following: bool, plain: bool) -> None:
    """What was said and what came of it, of all sessions or of one.

    Examples: campaign log 1   campaign log --takes   campaign log -f
    """
    store = context.store(write=False)
    if takes or following:
        records = follow(store, after=0, wake=waited if following else lambda: False)
    else:
        records = counting(store.takes())
    last = 0
    for record in records:
        last = max(last, record.session)
        if session is None or record.session == session:
            logged(record, plain=plain, takes=takes)
    if session is not None and session > last:
        raise InputError(f"there is no session {session}", hint=f"The last one is {last}.")


def waited() -> bool:
    """Wait a little for somebody to append."""
    time.sleep(0.2)
    return True


def logged(record: Record, *, plain: bool, takes: bool) -> None:
    """One record of the log; void entries are left out unless all takes are asked for."""
    if plain:
        print_json(encode(record))
    elif record.facts or takes:
        for line in tell(record, takes=takes):
            print_line(line)
