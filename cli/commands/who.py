"""`who`: every change of one value, and what changed it. Folded from zero."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import click

from cli.commands.show import looked
from cli.context import CampaignContext, pass_campaign
from cli.errors import InputError
from cli.notation.tokens import fitting, fold, nearest, there
from cli.output import aligned, paint, print_json, print_line, safe
from cli.render.log import heading
from cli.render.phrases import cause
from ledger.facts import EntryId, Fact, tag
from ledger.projection import Value
from ledger.records import Record, counting
from projections.value_history import ValueChange, value_histories


@click.command()
@click.argument("value")
@click.option("--at", help="Up to the end of this entry, as in 1.4.")
@click.option("--as-of", type=click.IntRange(min=1), help="What the ledger said at this position.")
@click.option("--json", "plain", is_flag=True, help="The changes as JSON.")
@pass_campaign
def who_command(context: CampaignContext, value: str, at: str | None, as_of: int | None, plain: bool) -> None:
    """Every change of VALUE: at which fact, from what to what, why, by which rule, and the line that did it.

    Examples: campaign who kess.might   campaign who doom   campaign who kess.wounds --at 2.7
    """
    store = context.store(write=False)
    found = looked(store, at, as_of)
    records = {record.id: record for record in counting(store.takes(upto=found.last, as_of=found.position))}
    past = value_histories(facts_of(records))
    name = value_meant(value, list(found.values()), list(past), context.book().texts().words.short)
    if plain:
        print_json(
            {
                "value": name,
                "now": past[name][-1].after,
                "entry": str(found.last),
                "changes": [changed(change, records[change.entry]) for change in past[name]],
            }
        )
        return
    for line in traced(name, past[name], records):
        print_line(line)


def facts_of(records: Mapping[EntryId, Record]) -> Iterator[tuple[EntryId, int, Fact]]:
    """All facts of these records, each with its entry and its number there."""
    for id, record in records.items():
        for number, fact in enumerate(record.facts, 1):
            yield id, number, fact


def value_meant(word: str, now: Sequence[str], ever: Sequence[str], short: Mapping[str, str]) -> str:
    """The value that `word` names or begins, part by part; one that there is now before one that there was.

    Raises InputError naming all that it may mean, or the nearest.
    """
    if word in ever:
        return word
    for known in (now, ever):
        found = named(word, [name for name in known if name in ever], short) if word else []
        if len(found) == 1:
            return found[0]
        if found:
            raise InputError(f"'{safe(word)}' may be {', '.join(map(safe, found[:12]))}", hint="Write more.")
    near = [name for name in now if fold(name).startswith(fold(word))] or nearest(word, ever)
    hint = f"The nearest: {', '.join(map(safe, near[:12]))}." if near else there(list(ever))
    raise InputError(f"'{safe(word)}' is no value", hint=hint)


def named(word: str, known: Sequence[str], short: Mapping[str, str]) -> list[str]:
    """The names that this word is, or whose parts its parts begin: `k.mi` is `kess.might`, `k.hp` is `kess.health`."""
    if (whole := fitting(word, known)).exact:
        return whole.found
    parts = fold(word).split(".")
    spelled = {fold(letters): fold(name) for letters, name in short.items()}
    if (last := spelled.get(parts[-1])) and len(parts) > 1:
        exact = [name for name in known if begun([*parts[:-1], last], name) and fold(name).split(".")[-1] == last]
        if exact:
            return exact
    found = [name for name in known if begun(parts, name)]
    return [name for name in found if fold(name).split(".")[1:] == parts[1:]] or found


def begun(parts: Sequence[str], name: str) -> bool:
    """Whether each part of a name begins so."""
    own = fold(name).split(".")
    return len(own) == len(parts) and all(mine.startswith(part) for part, mine in zip(parts, own, strict=True))


def changed(change: ValueChange, record: Record) -> dict[str, object]:
    """A change for machines."""
    fact = record.facts[change.number - 1]
    return {
        "entry": str(change.entry),
        "fact": change.number,
        "kind": tag(type(fact)),
        "before": change.before,
        "after": change.after,
        "cause": cause(fact),
        "rules": fact.rules,
        "by": record.by,
        "line": record.line,
    }


def traced(name: str, changes: Sequence[ValueChange], records: Mapping[EntryId, Record]) -> Iterator[str]:
    """The changes of a value, one a line, oldest first."""
    yield f"{paint(safe(name), bold=True)} is {stands(changes[-1].after)}"
    yield from aligned([causes(change, records[change.entry]) for change in changes])


def causes(change: ValueChange, record: Record) -> list[str]:
    """A change in columns: which fact, from what to what, why, by which rule, and the line that did it."""
    fact = record.facts[change.number - 1]
    moved = stands(change.after) if change.before is None else f"{stands(change.before)}>{stands(change.after)}"
    rule = safe((fact.rules or ("",))[0])
    return [f"{change.entry}.{change.number}", moved, cause(fact), rule, heading(record)]


def stands(value: Value | None) -> str:
    """A value, in words where there is none or an empty one."""
    return "gone" if value is None else safe(str(value)) or "none"
