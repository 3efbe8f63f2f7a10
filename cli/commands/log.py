"""`log`: the entries of a ledger as text."""

from __future__ import annotations

import time

import click

from cli.context import CampaignContext, pass_campaign
from cli.errors import InputError
from cli.options import SESSION, json_option
from cli.render.log import print_record
from ledger.records import latest_takes
from ledger.store import follow


@click.command()
@click.argument("session", required=False, type=SESSION)
@click.option("--takes", is_flag=True, help="All takes in the order of writing, also those that no longer count.")
@click.option("--follow", "-f", "following", is_flag=True, help="Continue as entries are appended.")
@json_option("Records as they are stored, one a line.")
@pass_campaign
def log_command(context: CampaignContext, session: int | None, takes: bool, following: bool, json: bool) -> None:
    """List the entries with their results, of all sessions or of SESSION.

    Examples: campaign log 1   campaign log --takes   campaign log -f
    """
    store = context.store(write=False)
    if takes or following:
        records = follow(store, after=0, wake=wait if following else lambda: False)
    else:
        records = latest_takes(store.takes())
    last = 0
    for record in records:
        last = max(last, record.session)
        if session in (None, record.session) and (json or takes or record.facts):
            print_record(record, context.wording, json=json, takes=takes)
    if session is not None and session > last:
        raise InputError(f"there is no session {session}", hint=f"The last one is {last}.")


def wait() -> bool:
    """Wait a little for somebody to append."""
    time.sleep(0.2)
    return True
