"""`when`: the first entry after which values compared so, or every stretch of entries. Folded from zero, once."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

import click
import msgspec

from cli.commands.show import looked
from cli.commands.who import causes, changed, facts_of, stands, value_meant
from cli.context import CampaignContext, ledger_errors, pass_campaign
from cli.errors import InputError, input_errors
from cli.notation.tokens import fitting
from cli.output import aligned, paint, print_json, print_line, safe
from cli.render.log import INDENT, heading
from ledger.facts import EntryId
from ledger.position import LedgerState
from ledger.projection import Value
from ledger.records import Record, counting
from ledger.store import Store
from projections.query import Question, Stretch, named, settled, stretches, written
from projections.query_parser import read
from projections.state import State
from projections.value_history import ValueChange, value_histories

Past = Mapping[str, Sequence[ValueChange]]
WORDS_MOST: Final = 6


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """A settled question, the stretches in which it held from `start` on, and all that they were found in."""

    asked: Question
    past: Past
    records: Mapping[EntryId, Record]
    start: EntryId
    held: Sequence[Stretch]


@click.command()
@click.argument("question")
@click.option("--all", "every", is_flag=True, help="Every stretch in which it held, not only the first.")
@click.option("--session", type=click.IntRange(min=0), help="In this session only.")
@click.option("--at", help="Up to the end of this entry, as in 1.4.")
@click.option("--as-of", type=click.IntRange(min=1), help="What the ledger said at this position.")
@click.option("--json", "plain", is_flag=True, help="The stretches as JSON.")
@pass_campaign
@click.pass_context
def when_command(
    ctx: click.Context,
    context: CampaignContext,
    question: str,
    every: bool,
    session: int | None,
    at: str | None,
    as_of: int | None,
    plain: bool,
) -> None:
    """The first entry at whose end QUESTION was to be answered with yes, and the changes that made it so.

    A question compares values, named as for `who`, with numbers, words or other values (< <= = != >= >), joined by
    and, or, not and brackets. A value that there is not yet, or no more, makes its comparison false, also one with !=.
    Exits with 1 if it never held.

    Examples: campaign when 'k.hp < 3'   campaign when 'encounter.phase = action and not doom > 5' --all --session 2
    """
    with input_errors():
        asked = read(question)
    store = context.store(write=False)
    with ledger_errors(store.path):
        answer = answered(context, store, asked, looked(store, at, as_of), session)
    shown = answer.held if every else answer.held[:1]
    if plain:
        told = [as_told(answer, stretch) for stretch in shown]
        last = str(max(answer.records))
        print_json({"asked": written(answer.asked), "entry": last, "held": bool(shown), "stretches": told})
    else:
        for line in lines(answer, shown) if shown else never(answer):
            print_line(line)
    ctx.exit(0 if shown else 1)


def answered(
    context: CampaignContext, store: Store, asked: Question, found: LedgerState[State], session: int | None
) -> Answer:
    """The answer, up to where the ledger stands there. Raises InputError for a session or a value that there is not."""
    short = context.book().texts().words.short
    upto = found.last if session is None else min(found.last, EntryId(session + 1, -1))
    records = {record.id: record for record in counting(store.takes(upto=upto, as_of=found.position))}
    start = next((id for id in records if session in (None, id.session)), None)
    if start is None:
        hint = f"The ledger stands at {found.last}."
        raise InputError(f"there is no entry of session {session}", where="--session", hint=hint)
    past = value_histories(facts_of(records))
    now = [name for name, changes in past.items() if changes[-1].after is not None]
    with input_errors():
        asked = settled(asked, partial(value_meant, now=now, ever=list(past), short=short), partial(whole, past))
    return Answer(asked=asked, past=past, records=records, start=start, held=stretches(asked, past, start))


def whole(past: Past, word: str) -> str | None:
    """The value of which this is the whole name."""
    found = fitting(word, past)
    return found.found[0] if found.exact else None


def as_told(answer: Answer, stretch: Stretch) -> dict[str, object]:
    """A stretch for machines: where it began and ended, the values there, and what changed them."""
    record = answer.records[stretch.since]
    return {
        "since": str(stretch.since),
        "until": None if stretch.until is None else str(stretch.until),
        "by": record.by,
        "line": record.line,
        "values": valued(answer, changes_by(answer, stretch.since)),
        "ended": valued(answer, ending(answer, stretch)),
    }


def valued(answer: Answer, changes: Iterable[tuple[str, ValueChange]]) -> list[dict[str, object]]:
    """Values and the changes that made them so, for machines."""
    return [
        {"value": name, "now": change.after, **changed(change, answer.records[change.entry])}
        for name, change in changes
    ]


def changes_by(answer: Answer, entry: EntryId) -> Iterator[tuple[str, ValueChange]]:
    """The last change of each value that is asked about, by the end of an entry; none of one that was not yet there."""
    for name in named(answer.asked):
        changes = answer.past[name]
        if place := bisect_right(changes, entry, key=lambda change: change.entry):
            yield name, changes[place - 1]


def ending(answer: Answer, stretch: Stretch) -> list[tuple[str, ValueChange]]:
    """The changes in the entry that ended a stretch."""
    if stretch.until is None:
        return []
    return [pair for pair in changes_by(answer, stretch.until) if pair[1].entry == stretch.until]


def lines(answer: Answer, shown: Sequence[Stretch]) -> Iterator[str]:
    """Each stretch: its first entry with the values there and what changed them, then what ended it."""
    question = safe(written(answer.asked))
    for stretch in shown:
        yield f"{paint(str(stretch.since).ljust(5), bold=True)} {heading(answer.records[stretch.since])}"
        yield from rows(answer, changes_by(answer, stretch.since), stretch.since)
        if stretch.until is None:
            yield f"{INDENT}{question} holds still at {max(answer.records)}"
            continue
        yield f"{INDENT}{question} held until {stretch.until}: {heading(answer.records[stretch.until])}"
        yield from rows(answer, ending(answer, stretch), stretch.until)


def rows(answer: Answer, changes: Iterable[tuple[str, ValueChange]], here: EntryId) -> Iterator[str]:
    """Values as they stood, and the fact that made them so; its line where that was another entry's."""
    found = []
    for name, change in changes:
        *cells, line = causes(change, answer.records[change.entry])
        found.append([safe(name), stands(change.after), *cells, "" if change.entry == here else line])
    yield from (INDENT + row for row in aligned(found))


def never(answer: Answer) -> Iterator[str]:
    """That it did not hold, and what its values were instead."""
    yield f"{safe(written(answer.asked))} never held"
    found = [[safe(name), spanned(answer.past[name], answer.start)] for name in named(answer.asked)]
    yield from (f"{INDENT}{row}, up to {max(answer.records)}" for row in aligned(found))


def spanned(changes: Sequence[ValueChange], start: EntryId) -> str:
    """All that a value was since an entry, in short: `was 3 to 14`."""
    before = [change.after for change in changes if change.entry <= start]
    stood: list[Value | None] = [*before[-1:], *(change.after for change in changes if change.entry > start)]
    numbers = [value for value in stood if isinstance(value, int)]
    words = sorted({safe(value) or "none" for value in stood if isinstance(value, str)})
    least, most = min(numbers, default=0), max(numbers, default=0)
    span = [f"{least} to {most}" if most > least else f"{most}"] if numbers else []
    return f"was {', '.join([*span, *words[:WORDS_MOST], *(['...'] if words[WORDS_MOST:] else [])]) or 'not there'}"
