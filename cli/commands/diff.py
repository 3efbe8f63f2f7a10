"""`diff`: two sessions, takes, moments or ledgers held against each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import click
import msgspec

from cli.commands.why import titled
from cli.context import CampaignContext, pass_campaign
from cli.output import aligned, paint, print_json, print_line, safe
from cli.queries.diff_operands import Side, both, things_asked
from cli.render.log import heading, tell, told
from cli.render.phrases import counted
from ledger.diff import EntryDiff, ValueDiff, diff_entries, diff_values, last_common_head
from ledger.field_diff import FactDiff
from ledger.projection import Value
from ledger.records import Head, Record

LEFT, RIGHT = ("-", "red"), ("+", "green")
LONG: Final = 60
BEFORE: Final = 20


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """A take of an entry, with its results in the words of the log."""

    entry: str
    take: int
    position: int
    by: str
    line: str
    results: tuple[str, ...]


class EntryApart(msgspec.Struct, frozen=True, kw_only=True):
    """An entry that is not the same on both sides."""

    one: Said | None
    other: Said | None
    partings: tuple[FactDiff, ...]


class End(msgspec.Struct, frozen=True, kw_only=True):
    """One side: its name, its ledger, and where its values were read."""

    name: str
    ledger: str
    entry: str
    position: int


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Two sides, as `--json` prints them. `agree` is the last head that the chains of two ledgers have in common."""

    kind: str
    same: bool
    one: End
    other: End
    agree: Head | None
    entries: tuple[EntryApart, ...]
    values: tuple[ValueDiff, ...]


@click.command()
@click.argument("things", nargs=-1, metavar="A [B]")
@click.option("--at", multiple=True, help="A moment: the end of this entry. Up to two.")
@click.option(
    "--as-of", type=click.IntRange(min=1), multiple=True, help="A moment: what the ledger said there. Up to two."
)
@click.option("--json", "plain", is_flag=True, help="Entries and values as JSON.")
@pass_campaign
@click.pass_context
def diff_command(
    ctx: click.Context,
    context: CampaignContext,
    things: tuple[str, ...],
    at: tuple[str, ...],
    as_of: tuple[int, ...],
    plain: bool,
) -> None:
    """Hold A against B: entries that stand on one side only or differ, and the values that differ at the end.

    Two sessions (1 2), two takes (1.4@1 1.4@2; 1.4 is the one that counts), two moments (1.4 2.7; @17 is what the
    ledger said at position 17), or two ledgers (paths; write ./1 for a folder named 1). B may be left out: a moment
    is then held against now, a take against the one that counts, another ledger against this one.
    Exits with 1 if they differ.

    Examples: campaign diff 1.4@1   campaign diff 1.4 2.7   campaign diff --as-of 10 --as-of 30   campaign diff ../copy
    """
    asked = things_asked(things, at, as_of)
    one, other = both(context, *asked)
    apart = list(diff_entries(one.records, other.records))
    values = list(diff_values(one.values, other.values))
    found = Report(
        kind=type(asked[0]).__name__.lower(),
        same=not apart and not values and one.chain[-1:] == other.chain[-1:],
        one=end(one),
        other=end(other),
        agree=last_common_head(one.chain, other.chain) if one.chain else None,
        entries=tuple(EntryApart(one=said(pair.one), other=said(pair.other), partings=pair.partings) for pair in apart),
        values=tuple(values),
    )
    if plain:
        print_json(found)
    else:
        for line in lines(found, apart):
            print_line(line)
    ctx.exit(0 if found.same else 1)


def end(side: Side) -> End:
    """A side for machines."""
    return End(name=side.name, ledger=side.ledger, entry=side.entry, position=side.position)


def said(record: Record | None) -> Said | None:
    """An entry for machines."""
    if record is None:
        return None
    results = tuple(click.unstyle(line) for line in told(record.facts[1:], record.by) if line)
    return Said(
        entry=str(record.id),
        take=record.take,
        position=record.position,
        by=record.by,
        line=record.line,
        results=results,
    )


def lines(found: Report, apart: Sequence[EntryDiff]) -> Iterator[str]:
    """Both names, the ledgers' chains, then entries and values; of moments the values come first, entries in brief."""
    yield marked(LEFT, found.one.name)
    yield marked(RIGHT, found.other.name)
    if found.agree is not None:
        yield from chains(found, found.agree)
    if found.same:
        yield paint("they are the same", fg="green")
        return
    if found.kind == "moment":
        yield from side_by_side(found.values)
        yield from titled("entries", (line for pair in apart for line in brief(pair)))
    else:
        for pair in apart:
            yield ""
            yield from in_full(pair, found)
        yield from side_by_side(found.values)
    yield ""
    yield summed(found, apart)


def marked(mark: tuple[str, str], line: str) -> str:
    """A line of one side."""
    sign, colour = mark
    return f"{paint(sign, fg=colour)} {line}"


def chains(found: Report, agree: Head) -> Iterator[str]:
    """Whether these are two ledgers or one, up to where their chains agree, and how far each goes on."""
    if found.one.ledger != found.other.ledger:
        yield f"two ledgers: their ids are {safe(found.one.ledger)} and {safe(found.other.ledger)}"
        return
    yield f"the chains agree up to position {agree}"
    for mark, side in ((LEFT, found.one), (RIGHT, found.other)):
        more = side.position - agree.position
        yield marked(mark, f"goes on to position {side.position}" if more else "has nothing beyond")


def in_full(pair: EntryDiff, found: Report) -> Iterator[str]:
    """An entry that is not the same: where it stands or parts, then what was said and what came of it on each side."""
    takes = found.kind == "take"
    if pair.one is None or pair.other is None:
        record, side = (pair.other, found.other) if pair.one is None else (pair.one, found.one)
        assert record is not None
        yield f"{paint(str(record.id), bold=True)} only in {side.name}"
    else:
        place = " and ".join(dict.fromkeys((str(pair.one.id), str(pair.other.id))))
        for parting in in_step(pair.partings) if takes else pair.partings[:1]:
            yield f"{paint(place, bold=True)} {where(parting)}"
    sides = [(mark, tell(record, takes=takes)) for mark, record in marks(pair)]
    if len(sides) == 2 and sides[0][1] == sides[1][1]:
        sides = [((" ", ""), sides[0][1])]
    for mark, told_lines in sides:
        yield from (marked(mark, line) for line in told_lines)


def in_step(found: Sequence[FactDiff]) -> Iterator[FactDiff]:
    """Fact by fact, as long as facts of the same kind stand in the same places."""
    for parting in found:
        yield parting
        if parting.field == "fact":
            return


def marks(pair: EntryDiff) -> Iterator[tuple[tuple[str, str], Record]]:
    """What there is of an entry, each with the mark of its side."""
    for mark, record in ((LEFT, pair.one), (RIGHT, pair.other)):
        if record is not None:
            yield mark, record


def where(parting: FactDiff) -> str:
    """Where two facts part: `fact 2 (rolled), dice[0].face: 7 | 1`; of long fields what stands around there."""
    letters = zip(parting.one, parting.other, strict=False)
    start = next((place for place, (old, new) in enumerate(letters) if old != new), 0) - BEFORE
    one, other = (safe(clipped(text, start)) for text in (parting.one, parting.other))
    return f"fact {parting.fact} ({parting.kind}), {safe(parting.field)}: {one} | {other}"


def clipped(text: str, start: int) -> str:
    """A text if it is short, or else a part of it."""
    if len(text) <= LONG:
        return text
    begin = max(0, min(start, len(text) - LONG))
    return ("..." if begin else "") + text[begin : begin + LONG] + ("..." if begin + LONG < len(text) else "")


def brief(pair: EntryDiff) -> Iterator[str]:
    """An entry on a line; on two where another take of it counts."""
    anew = pair.one is not None and pair.other is not None
    for mark, record in marks(pair):
        name = f"{record.id}@{record.take}" if anew else str(record.id)
        yield marked(mark, f"{paint(name.ljust(5), bold=True)} {heading(record)}")


def side_by_side(values: Sequence[ValueDiff]) -> Iterator[str]:
    """The values that differ, in two columns; a dash where there is none."""
    rows = [[safe(found.value), stands(found.one), stands(found.other)] for found in values]
    if rows:
        yield from titled("values", aligned([["", LEFT[0], RIGHT[0]], *rows]))


def stands(value: Value | None) -> str:
    """A value, or a dash where there is none."""
    return "-" if value is None else safe(str(value)) or '""'


def summed(found: Report, apart: Sequence[EntryDiff]) -> str:
    """How much differs, on a line."""
    only = [
        (len([pair for pair in apart if pair.other is None]), found.one),
        (len([pair for pair in apart if pair.one is None]), found.other),
    ]
    differ = len(apart) - sum(number for number, _ in only)
    parts = [f"{counted(differ, 'entry differs', 'entries differ')}"] if differ else []
    parts += [f"{number} only in {side.name}" for number, side in only if number]
    parts += [counted(len(found.values), "value differs", "values differ")] if found.values else []
    return "; ".join(parts) or "all facts are the same; what stands beside them (time, request, takes) is not"
