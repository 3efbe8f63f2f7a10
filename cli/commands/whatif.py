"""`whatif`: the entries and values that would follow from another declaration at an entry. Nothing is written."""

from __future__ import annotations

from time import monotonic

import click

from cli import output, pager
from cli.context import CampaignContext
from cli.edit_options import SETTINGS, EditCommand, edit_options
from cli.options import json_option, pass_campaign, reading_option, session_option
from cli.progress import deciding
from cli.questions.edits import EditArguments, parse_edits, parse_readings
from cli.render.settlement import announce_retcon
from cli.render.whatif import whatif_json, whatif_lines
from ledger.corrections.amend import plan_amendment
from ledger.facts import GM
from ledger.whatif import WhatIf
from projections.projection import StateProjection


@click.command(cls=EditCommand, context_settings=SETTINGS)
@edit_options
@reading_option("Another reading of the book.")
@session_option("With --option: from this session on, else from the first.")
@json_option("Print every entry with its facts before and after, as JSON.")
@pass_campaign
def whatif_command(
    context: CampaignContext, edits: EditArguments, options: tuple[str, ...], session: int | None, json: bool
) -> None:
    """Show the entries and values if ENTRY had CHANGE: +1"in cover", v4, dovel, no rope, /7.6, a whole line.

    All later entries are decided again with the dice that they had; nothing is written.

    Examples: campaign whatif 2.14 +1"in cover"   campaign whatif 2.14 no rope   campaign whatif --drop 2.14
    campaign whatif --insert 2.14 '! damage kess 2 "poison"'   campaign whatif --option light_wound_cost=per_use
    """
    ledger, book = context.ledger(write=False), context.game()
    changes = parse_edits(ledger.store, book, edits)
    if session is not None and not options:
        raise click.UsageError("--session needs --option.")
    if not changes and not options:
        raise click.UsageError("No change is given. Write ENTRY CHANGE, --drop, --insert or --option.")
    store = context.store(write=False)
    what_if, start = WhatIf(store, book, StateProjection()), monotonic()
    with deciding("whatif", what_if):
        if changes:  # also checks that they may be amended
            result = plan_amendment(ledger, changes, by=GM, because="", what_if=what_if).what_if
        if options:
            first, readings = parse_readings(store, book, session, options)
            result = what_if.run(changes, start=first, chosen=readings)
    seconds = monotonic() - start
    if json:
        output.print_json(whatif_json(result))
        return
    with pager.paged():
        output.print_wrapped(whatif_lines(result, context.wording))
    if not options:
        announce_retcon(what_if.decided, seconds)
