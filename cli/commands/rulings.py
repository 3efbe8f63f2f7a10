"""`rulings`: the case law of the table: what was decided, by whom, and what of it holds."""

from __future__ import annotations

from collections.abc import Iterator

import click
import msgspec

from cli.commands.rules import says
from cli.commands.show import looked
from cli.context import CampaignContext, pass_campaign
from cli.output import aligned, paint, print_json, print_line, safe
from cli.render.phrases import settings
from ledger.facts import Ruled, Sheet
from ledger.records import counting
from rulebooks.common.texts import Texts


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """A ruling, and whether it is law where one looks."""

    entry: str
    text: str
    because: str
    cites: tuple[str, ...]
    scope: str
    agreed: tuple[str, ...]
    about: str
    repeals: str
    sets: Sheet
    in_force: bool
    rules: tuple[str, ...]


@click.command()
@click.option("--all", "every", is_flag=True, help="Also what was decided once, and what is law no longer.")
@click.option("--at", help="At the end of this entry, as in 1.4.")
@click.option("--as-of", type=click.IntRange(min=1), help="What the ledger said at this position.")
@click.option("--json", "plain", is_flag=True, help="The rulings as JSON.")
@pass_campaign
def rulings_command(context: CampaignContext, every: bool, at: str | None, as_of: int | None, plain: bool) -> None:
    """The rulings that are law: what was decided, with the rules that it cites and who agreed.

    Examples: campaign rulings   campaign rulings --all   campaign rulings --at 2.17
    """
    store = context.store(write=False)
    found = looked(store, at, as_of)
    decisions = [
        Decision(
            entry=str(record.id),
            text=fact.text,
            because=fact.because,
            cites=fact.cites,
            scope=fact.scope,
            agreed=fact.agreed,
            about=fact.about,
            repeals=fact.repeals,
            sets=fact.sets,
            in_force=str(record.id) in found.state.rulings,
            rules=fact.rules,
        )
        for record in counting(store.takes(upto=found.last, as_of=found.position))
        for fact in record.facts
        if isinstance(fact, Ruled) and (every or str(record.id) in found.state.rulings)
    ]
    if plain:
        print_json(decisions)
        return
    texts = context.book().texts()
    for decision in decisions:
        for line in told(decision, texts):
            print_line(line)
    if not decisions:
        print_line("no ruling is law" if not every else "nothing was ruled")


def told(decision: Decision, texts: Texts) -> Iterator[str]:
    """A ruling in lines: what, for how long, why, what it sets, and the rules that it cites."""
    scope = decision.scope if decision.in_force or decision.scope == "once" else f"{decision.scope}, no longer in force"
    yield f"{paint(decision.entry.ljust(5), bold=True)} {safe(decision.text)} ({scope})"
    agreed = [["agreed", safe(", ".join(decision.agreed))]] if decision.agreed else []
    about = [["about", safe(decision.about)]] if decision.about else []
    repeals = [["repeals", safe(decision.repeals)]] if decision.repeals else []
    sets = [["sets", settings(decision.sets)]] if decision.sets else []
    cites = [[safe(rule), says(texts, rule)] for rule in decision.cites]
    rows = [["because", safe(decision.because)], *about, *repeals, *agreed, *sets, *cites]
    yield from (f"      {line}" for line in aligned(rows))
