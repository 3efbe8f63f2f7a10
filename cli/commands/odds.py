"""`odds`: exact chances of a declaration before it is made, for each level of what may be put into it side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import click
import msgspec

from cli.context import CampaignContext, pass_campaign
from cli.errors import InputError, input_errors
from cli.notation.formatter import speak
from cli.notation.line_parser import read
from cli.options import json_option
from cli.output import aligned, paint, print_json, print_line, remark, safe
from cli.queries.line_scope import line_scope
from ledger.builtin import BUILTIN
from ledger.declarations import Declaration
from ledger.errors import Refused
from ledger.facts import EntryId
from ledger.game import decoder
from ledger.odds import Chance, Odds, odds
from ledger.position import LedgerState
from projections.state import State
from rulebooks.common.announcements import Announce
from rulebooks.common.game import Game

Outcome = tuple[str, str, str, str]


class Weighed(msgspec.Struct, frozen=True, kw_only=True):
    """A declaration at one level, with its odds."""

    level: str
    line: str
    odds: Odds


@click.command()
@click.argument("line")
@json_option("The chances as JSON.")
@pass_campaign
def odds_command(context: CampaignContext, line: str, json: bool) -> None:
    """What LINE may come to if it is said now: exact chances, counted through the rules. Nothing is said or drawn.

    Examples: campaign odds 'k sneak v5'   campaign odds 'o wound'   campaign odds 'k attack dovel d4'
    """
    table, book = context.ledger(write=False), context.book()
    with input_errors():
        said = read(line, line_scope(table.state, book))
    if said is None:
        raise InputError("the line says nothing", hint="Write one: campaign odds 'k sneak v5'.")
    if said.faces is not None:
        remark("The faces typed in are left out: the odds are about all of them.")
    what = decoder(book, BUILTIN).decode(said.said.what) if isinstance(said.said, Announce) else said.said
    weighed = list(levels(book, table.state, what))
    if json:
        print_json(weighed)
        return
    for text in told(weighed):
        print_line(text)


def levels(book: Game, place: LedgerState[State], said: Declaration) -> Iterator[Weighed]:
    """The declaration at every level that the rules allow. Raises Refused when they allow none."""
    id = EntryId(place.last.session, place.last.number + 1)
    refusal: Refused | None = None
    any_allowed = False
    for level, at_level in book.levels(said, place.state):
        try:
            found = odds(book, place, at_level, id)
        except Refused as error:
            refusal = refusal or error
            continue
        any_allowed = True
        yield Weighed(level=level, line=speak(at_level), odds=found)
    if not any_allowed and refusal is not None:
        raise refusal


def told(weighed: list[Weighed]) -> Iterator[str]:
    """The chances in a table: a row for each result, a column for each level; then what is expected of the numbers."""
    yield paint(safe(weighed[0].line), bold=True)
    head = ["", *(found.level for found in weighed)]
    likely: dict[Outcome, int] = {}
    for chance in (chance for found in weighed for chance in found.odds.chances):
        likely.setdefault(outcome(chance), -chance.ways)
    order = sorted(likely, key=lambda key: (key[0], key[1], key[2], likely[key], key[3]))
    rows = [[safe(named(one, order)), *(_share(found, one) for found in weighed)] for one in order]
    if rows:
        yield from aligned([head, *rows])
    names = sorted({number.value for found in weighed for number in found.odds.expected})
    if not rows and not names:
        yield "nothing hangs on dice, and no number changes"
    if names:
        yield ""
        means = [[safe(name), *(_mean(found, name) for found in weighed)] for name in names]
        yield from aligned([["on average", *head[1:]], *means])
    for found in weighed:
        if found.odds.unexplored:
            level = f" of {found.level}" if found.level else ""
            rest = f"{share(found.odds.unexplored, found.odds.of)}"
            yield f"not followed{level}: {rest}: each chance may be higher by so much at most"


def outcome(chance: Chance) -> Outcome:
    """Whose result, of what, against whom, and how it comes out."""
    return chance.who, chance.what, chance.against, chance.result


def named(one: Outcome, among: Iterable[Outcome]) -> str:
    """`Kess task success`; with the one against whom where there are several: `Kess attack success (Dovel)`."""
    who, what, against, result = one
    several = len({other[2] for other in among if other[:2] == one[:2]}) > 1
    return f"{who} {what} {result}".strip() + (f" ({against})" if several and against else "")


def _share(found: Weighed, wanted: Outcome) -> str:
    """`89 of 144 (62%)`."""
    for chance in found.odds.chances:
        if outcome(chance) == wanted:
            return share(chance.ways, chance.of)
    return "-"


def share(ways: int, of: int) -> str:
    """A chance, and its per cents rounded to the nearest, never to none or all."""
    percent = max(1, min(99, (200 * ways + of) // (2 * of))) if ways < of else 100
    return f"{ways} of {of} ({percent}%)"


def _mean(found: Weighed, name: str) -> str:
    """`14 > 11.75`, rounded to hundredths."""
    for number in found.odds.expected:
        if number.value == name:
            sign = "-" if number.total < 0 else ""
            hundredths = (200 * abs(number.total) + number.of) // (2 * number.of)
            return f"{number.before} > {sign}{hundredths // 100}.{hundredths % 100:02}"
    return "-"
