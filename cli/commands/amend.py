"""`amend`: correct an earlier entry; everything since is decided again. It writes what it previews."""

from __future__ import annotations

import sys
from time import monotonic
from typing import Any

import click
import msgspec

from cli.context import CampaignContext
from cli.edit_options import SETTINGS, EditCommand, edit_options
from cli.notation.tokens import OUTCOMES
from cli.options import choose_one, json_option, pass_campaign
from cli.output import print_json, print_wrapped, remark
from cli.play.settlement import AGES, parse_people, settle, usual_outcome
from cli.progress import deciding, progress
from cli.questions.edits import EditArguments, parse_edits
from cli.render.settlement import announce_retcon, settlement_json, settlement_lines
from cli.render.whatif import whatif_lines
from ledger.corrections.age import entry_age
from ledger.corrections.amend import check_not_last, plan_amendment
from ledger.corrections.correction import Correction
from ledger.errors import input_errors
from ledger.facts import GM
from ledger.names import normalize, valid_name
from ledger.service import Ledger
from ledger.whatif import WhatIf
from ledger.whatif.outcomes import Edits
from projections.state import State


class AmendOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The arguments and options of `amend`."""

    edits: EditArguments
    because: str
    by: str
    agreed: str
    retcon: bool
    stand: bool
    compensate: bool
    only: tuple[str, ...]
    passing: bool
    json: bool


@click.command(cls=EditCommand, context_settings=SETTINGS)
@edit_options
@click.option("--because", required=True, help="The reason for the correction.")
@click.option("--by", default=GM, help="The person who makes the correction.")
@click.option("--agreed", default="", help="The people who agreed: Ana,Bo.")
@click.option("--retcon", is_flag=True, help="Rewrite the entry and everything that follows from it.")
@click.option("--stand", is_flag=True, help="Note the error and change nothing else.")
@click.option("--compensate", is_flag=True, help="Leave old entries as they are and adjust the values that differ now.")
@click.option("--only", multiple=True, metavar="VALUE", help="With --compensate: only this value.")
@click.option("--pass", "passing", is_flag=True, help="Skip every turn that the change gives to somebody.")
@json_option("Print the preview and what was written, as JSON.")
@pass_campaign
@click.pass_context
def amend_command(ctx: click.Context, context: CampaignContext, /, **given: Any) -> None:
    """Correct ENTRY by CHANGE: +1"in cover", v4, no rope, /7.6, a whole line. The preview comes first.

    Without --retcon, --stand or --compensate the policy for errors of this age decides. Where the policy is
    to ask, you are asked at a terminal; elsewhere nothing is written.

    Examples: campaign amend 2.14 +1"in cover" --because "we forgot the wall" --retcon
    campaign amend --insert 2.14 '! damage kess 2 "poison"' --because "the poison tick"
    """
    asked = AmendOptions(**given)
    ledger = context.ledger(write=True)
    outcome = choose_one("outcome", retcon=asked.retcon, stand=asked.stand, compensate=asked.compensate)
    changes = parse_edits(ledger.store, context.game(), asked.edits)
    if not changes:
        raise click.UsageError("No change is given. Write ENTRY CHANGE, --drop or --insert.")
    what_if, start = WhatIf(ledger.store, context.game(), ledger.projection), monotonic()
    correction, age = plan(ledger, changes, asked, what_if), entry_age(ledger, min(changes))
    seconds = monotonic() - start
    if not asked.json:
        print_wrapped(whatif_lines(correction.what_if, context.wording))
    if outcome is None:
        outcome = usual_outcome(ledger, correction, age)
        if sys.stdin.isatty() and not asked.json:
            outcome = prompt_outcome(age, outcome)
    if outcome is None:
        announce_retcon(what_if.decided, seconds)
    line, only, passing = asked.edits.line, asked.only, asked.passing
    with progress("amend", lambda: context.store(write=True).records_read):
        settled = settle(ledger, correction, outcome, age, line=line, at=context.now, only=only, passing=passing)
    if passing and not correction.what_if.entries_with_outcome("new turn"):
        remark("--pass passes nothing: the change gives nobody a turn.")
    if asked.json:
        print_json(settlement_json(settled))
    else:
        print_wrapped(settlement_lines(settled, context.wording))
    ctx.exit(0 if settled.records else 1)


def plan(ledger: Ledger[State], changes: Edits, asked: AmendOptions, what_if: WhatIf[State]) -> Correction:
    """Return the correction that changes entries. Raises UsageError without a reason."""
    with input_errors():
        by, people = valid_name(asked.by, where="--by"), parse_people(asked.agreed)
        why = normalize(asked.because, where="--because")
    if not why.strip():
        raise click.UsageError("--because is empty. Write the reason for the correction.")
    check_not_last(ledger, changes)
    with deciding("amend", what_if):
        return plan_amendment(ledger, changes, by=by, because=why, agreed=people, what_if=what_if)


def prompt_outcome(age: str, default: str | None) -> str | None:
    """Ask at the terminal for the outcome of the correction; None: the answer was empty."""
    text = f"The error is {AGES[age]}. Settle it by"
    answer: str = click.prompt(text, type=click.Choice([*OUTCOMES, "nothing"]), default=default or "nothing", err=True)
    return answer if answer in OUTCOMES else None
