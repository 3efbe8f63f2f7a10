"""`when`: the first entry after which values compared so, or every stretch of entries. Folded from zero, once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

import click

from cli.looking import looked
from cli.main import Misspoken, typed
from cli.output import aligned, as_json, paint, safe, say
from cli.place import Place, pass_place
from cli.telling import INDENT, heading
from cli.tokens import fitting
from cli.tracing import causes, changed, facts_of, stands, value_meant
from ledger.errors import LedgerError
from ledger.facts import EntryId
from ledger.game import Value
from ledger.records import Record, counting
from projections.history import Change, histories
from projections.question import Question, Stretch, named, settled, stretches, written
from projections.reading import read

Past = Mapping[str, Sequence[Change]]
WORDS_MOST = 6


@click.command()
@click.argument("question")
@click.option("--all", "every", is_flag=True, help="Every stretch in which it held, not only the first.")
@click.option("--session", type=click.IntRange(min=0), help="In this session only.")
@click.option("--at", help="Up to the end of this entry, as in 1.4.")
@click.option("--as-of", type=click.IntRange(min=1), help="What the ledger said at this position.")
@click.option("--json", "plain", is_flag=True, help="The stretches as JSON.")
@pass_place
@click.pass_context
def when_command(
    ctx: click.Context,
    place: Place,
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
    with typed():
        asked = read(question)
    store = place.store(write=False)
    found = looked(store, at, as_of)
    upto = found.last if session is None else min(found.last, EntryId(session + 1, -1))
    records = {record.id: record for record in counting(store.takes(upto=upto, as_of=found.position))}
    start = next((id for id in records if session in (None, id.session)), None)
    if start is None:
        mend = f"It ends in session {found.last.session}."
        raise Misspoken(LedgerError(f"session {session} has no entry up to {found.last}", where="--session", mend=mend))
    past = histories(facts_of(records))
    now = [name for name, changes in past.items() if changes[-1].after is not None]
    short = place.book().texts().words.short
    with typed():
        asked = settled(asked, partial(value_meant, now=now, ever=list(past), short=short), partial(whole, past))
    held = stretches(asked, past, start)
    last = max(records)
    shown = held if every else held[:1]
    if plain:
        told = [as_told(asked, stretch, past, records) for stretch in shown]
        as_json({"asked": written(asked), "entry": str(last), "held": bool(held), "stretches": told})
    else:
        for line in lines(asked, shown, past, records) if held else never(asked, past, start, last):
            say(line)
    ctx.exit(0 if held else 1)


def whole(past: Past, word: str) -> str | None:
    """The value of which this is the whole name."""
    found = fitting(word, past)
    return found.found[0] if found.exact else None


def as_told(asked: Question, stretch: Stretch, past: Past, records: Mapping[EntryId, Record]) -> dict[str, object]:
    """A stretch for machines: where it began and ended, the values there, and what changed them."""
    return {
        "since": str(stretch.since),
        "until": None if stretch.until is None else str(stretch.until),
        "by": records[stretch.since].by,
        "line": records[stretch.since].line,
        "values": valued(last_changes(asked, stretch.since, past), records),
        "ended": valued(ending(asked, stretch, past), records),
    }


def valued(changes: Iterable[tuple[str, Change]], records: Mapping[EntryId, Record]) -> list[dict[str, object]]:
    """Values and the changes that made them so, for machines."""
    return [{"value": name, "now": change.after, **changed(change, records[change.entry])} for name, change in changes]


def last_changes(asked: Question, entry: EntryId, past: Past) -> Iterator[tuple[str, Change]]:
    """The change of each value of the question that counted last at the end of an entry, if there was one by then."""
    for name in named(asked):
        before = [change for change in past[name] if change.entry <= entry]
        if before:
            yield name, before[-1]


def ending(asked: Question, stretch: Stretch, past: Past) -> list[tuple[str, Change]]:
    """The changes in the entry that ended a stretch."""
    if stretch.until is None:
        return []
    return [pair for pair in last_changes(asked, stretch.until, past) if pair[1].entry == stretch.until]


def lines(asked: Question, held: Sequence[Stretch], past: Past, records: Mapping[EntryId, Record]) -> Iterator[str]:
    """Each stretch: its first entry with the values there and what changed them, then what ended it."""
    question = safe(written(asked))
    for stretch in held:
        record = records[stretch.since]
        yield f"{paint(str(stretch.since).ljust(5), bold=True)} {heading(record)}"
        yield from rows(last_changes(asked, stretch.since, past), stretch.since, records)
        if stretch.until is None:
            yield f"{INDENT}{question} holds still at {max(records)}"
            continue
        yield f"{INDENT}{question} held until {stretch.until}: {heading(records[stretch.until])}"
        yield from rows(ending(asked, stretch, past), stretch.until, records)


def rows(
    changes: Iterator[tuple[str, Change]] | Sequence[tuple[str, Change]],
    here: EntryId,
    records: Mapping[EntryId, Record],
) -> Iterator[str]:
    """Values as they stood, and the fact that made them so; its line where that was another entry's."""
    found = []
    for name, change in changes:
        record = records[change.entry]
        *cells, line = causes(change, record)
        found.append([safe(name), stands(change.after), *cells, "" if change.entry == here else line])
    yield from (INDENT + row for row in aligned(found))


def never(asked: Question, past: Past, start: EntryId, last: EntryId) -> Iterator[str]:
    """That it did not hold, and what its values were instead."""
    yield f"{safe(written(asked))} never held"
    found = [[safe(name), spanned(past[name], start)] for name in named(asked)]
    yield from (f"{INDENT}{row}, up to {last}" for row in aligned(found))


def spanned(changes: Sequence[Change], start: EntryId) -> str:
    """All that a value was since an entry, in short: `was 3 to 14`."""
    before = [change.after for change in changes if change.entry <= start]
    stood: list[Value | None] = [*before[-1:], *(change.after for change in changes if change.entry > start)]
    numbers = [value for value in stood if isinstance(value, int)]
    words = sorted({safe(value) or "none" for value in stood if isinstance(value, str)})
    least, most = min(numbers, default=0), max(numbers, default=0)
    span = [f"{least} to {most}" if most > least else f"{most}"] if numbers else []
    return f"was {', '.join([*span, *words[:WORDS_MOST], *(['...'] if words[WORDS_MOST:] else [])]) or 'not there'}"
