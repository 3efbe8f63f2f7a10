"""`open`: open a session."""

from __future__ import annotations

from collections import Counter

import click

from cli.context import CampaignContext
from cli.options import pass_campaign
from cli.output import remark
from cli.phrases.throws import NO_WORDS
from cli.render.log import print_record
from ledger.clock_check import last_time, runs_backwards
from ledger.dice import fixed_seed
from ledger.errors import Unreadable, input_errors
from ledger.facts.base import RESERVED
from ledger.head_words import spoken_head
from ledger.names import name_key, normalize, valid_name


@click.command()
@click.argument("title", default="")
@click.option("--seed", help="A text that fixes the dice, for tests and samples; recorded in the ledger.")
@click.option("--players", help="Who may add words to the dice, with commas between: ana,bo.")
@click.option("--shared-dice", is_flag=True, help="The dice rest on links of the players' pages too.")
@pass_campaign
def open_command(
    context: CampaignContext, title: str, seed: str | None, players: str | None, shared_dice: bool
) -> None:
    """Open the next session, called TITLE. Show the players the commitment that it prints.

    With --shared-dice the pages of the players give their part of every throw (campaign help trust).

    Examples: campaign open "Rooftops of the Salt Ward"   campaign open "The Tide" --players ana,bo
    """
    ledger = context.ledger(write=True)
    with input_errors():
        title = normalize(title, where="title", most=200)
        fixed = None if seed is None else fixed_seed(normalize(seed))
        listed = listed_players(players or "")
    before, now = last_time(ledger.store), context.now
    record = ledger.open_session(title, at=now, seed=fixed, players=listed, shared_dice=shared_dice)
    print_record(record, context.wording)
    head = ledger.store.head()
    remark(f"head {head}")
    remark(f"words {spoken_head(head)}")
    if runs_backwards(before, now):
        remark(f"The clock ran backwards: it is {now}, and the last entry is of {before}.")
    if shared_dice:
        remark("A page of a player that commits to a chain adds its part to each throw; a throw without one is marked.")
    elif fixed is None:
        who = listed[0].lower() if listed else "ana"
        remark(f"Until a player adds words (campaign do '{who} words \"brass kettle\"'), {NO_WORDS}.")


def listed_players(text: str) -> tuple[str, ...]:
    """Return the names in a list with commas. Raises Unreadable for what is no name, and for a name that is twice."""
    names = [valid_name(part, where="--players") for part in text.split(",") if part.strip()]
    for name, times in Counter(map(name_key, names)).items():
        if times > 1 or name in RESERVED:
            what = f"'{name}' is listed twice" if times > 1 else f"'{name}' is not the name of a player"
            raise Unreadable(what, where="--players", hint="List each player once: --players ana,bo")
    return tuple(names)
