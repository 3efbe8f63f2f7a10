"""`rules`: the rule book by heading, one rule in full, or a search."""

from __future__ import annotations

from collections.abc import Mapping

import click

from cli import completion, options, output, pager
from cli.context import CampaignContext
from cli.questions.players_ledger import store_for
from cli.questions.rule_uses import rule_uses
from cli.questions.rules import find_rules, rule_entry
from cli.questions.state_at import state_at
from cli.render.rules import coverage, refusal_in_full, rule_in_full, rules_by_heading
from ledger.errors import LedgerError
from ledger.facts import Scalar
from ledger.records import latest_takes, shown_records
from rulebooks import GAMES, load_game
from rulebooks.common.texts import Rule, Texts


@click.command()
@click.argument("what", nargs=-1, shell_complete=completion.complete_rule)
@options.game_option("The book of this game, with its default readings.")
@click.option(
    "--coverage", "count", is_flag=True, help="Which rules this campaign has used, how often, and where first."
)
@options.view_option()
@options.json_option("The rules as JSON.")
@options.pass_campaign
def rules_command(
    context: CampaignContext, what: tuple[str, ...], game: str | None, count: bool, role: str, json: bool
) -> None:
    """List the rules by heading; or show one rule in full, the rules of a heading, or those with all the words.

    Examples: campaign rules   campaign rules DB-ROLL-1   campaign rules wounds   campaign rules stunned turn
    """
    texts, chosen = _open_book(context, game)
    query = " ".join(what)
    rules = find_rules(texts, query)
    if count:
        _print_coverage(context, rules, game, role, json=json)
        return
    entries = [rule_entry(texts, rule, chosen) for rule in rules]
    if json:
        output.print_json({"game": texts.content.name, "version": texts.content.version, "rules": entries})
        return
    with pager.paged():
        output.print_wrapped(line for line in refusal_in_full(texts, query) if line)
        whole = len(entries) == 1 and bool(query)
        output.print_wrapped(rule_in_full(texts, entries[0]) if whole else rules_by_heading(entries, query))


def _print_coverage(context: CampaignContext, rules: list[Rule], game: str | None, role: str, *, json: bool) -> None:
    """Print which of these rules the ledger has used, in what a role may see."""
    if game is not None:
        raise click.UsageError("--coverage and --game cannot be combined; leave one out.")
    store = store_for(context.store(write=False), context.game(), role)
    uses = rule_uses(rules, shown_records(latest_takes(store.takes())))
    if json:
        output.print_json(uses)
    else:
        with pager.paged():
            output.print_wrapped(coverage(uses))


def _open_book(context: CampaignContext, game: str | None) -> tuple[Texts, Mapping[str, Scalar]]:
    """Return the texts of the named game, or of the ledger here with the options that its table chose."""
    if game is not None:
        return load_game(game).texts(), {}
    try:
        context.source  # noqa: B018 - only to add a hint to the error
    except LedgerError as error:
        hint = f"Name a game (--game {next(iter(GAMES))}), or a ledger's folder with -C."
        raise error.with_hint(hint) from error
    return context.game().texts(), state_at(context.store(write=False), None, None).state.options
