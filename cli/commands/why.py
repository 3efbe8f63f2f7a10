"""`why`: the arithmetic of an entry as it is recorded, step by step. Nothing is decided anew."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import click
import msgspec

from cli.commands.rules import Reading
from cli.context import CampaignContext, pass_campaign
from cli.errors import input_errors
from cli.output import aligned, paint, print_json, print_line, result, safe
from cli.queries.explain import Law, Lying, Numbered, Take, Why, cited, explained
from cli.render.log import INDENT, heading, operand, score, told
from ledger.errors import Unreadable
from ledger.facts import BaseFact, Declared, EntryId, Fact, Joined, Judged, Rolled, Sum, parse_entry_id, tag
from ledger.game import Situation
from ledger.records import Record

ASKED: Final = re.compile(r"([0-9]+\.[0-9]+(?:\+[0-9]+)?)(?:@([0-9]+))?(?:\.([0-9]+))?(?:@([0-9]+))?", re.ASCII)
SOURCES: Final = {
    "seed": "drawn from the session's seed",
    "revealed": "drawn by a correction, when the seed was known already,",
    "table": "typed in from the table",
}


@click.command()
@click.argument("entry")
@click.option("--json", "plain", is_flag=True, help="Facts, dice, rules, readings and takes as JSON.")
@pass_campaign
def why_command(context: CampaignContext, entry: str, plain: bool) -> None:
    """The arithmetic of ENTRY as it is recorded, step by step, with the rules; ENTRY.FACT asks about one fact of it.

    Examples: campaign why 1.4   campaign why 1.4.3   campaign why 1.4@1 (its first take)
    """
    id, number, take = asked(entry)
    answer, record = explained(context.store(write=False), context.book(), id, number, take)
    if plain:
        print_json(answer)
        return
    for line in reasons(answer, record, whole=number is None):
        print_line(line)


def asked(text: str) -> tuple[EntryId, int | None, int | None]:
    """The entry, the fact and the take that `1.4`, `1.4.3`, `1.4@1` or `1.4.3@1` ask for."""
    with input_errors():
        found = ASKED.fullmatch(text.strip())
        if found is None or (found[2] and found[4]):
            raise Unreadable(f"'{text}' is no entry", hint="Ask for 1.4, for 1.4.3 (its third fact), or for 1.4@1.")
        take = found[2] or found[4]
        return parse_entry_id(found[1]), int(found[3]) if found[3] else None, int(take) if take else None


def reasons(answer: Why, record: Record, *, whole: bool) -> Iterator[str]:
    """The answer in lines: what was said, results with their steps, dice, changes, readings, rules, other takes.

    The whole entry leaves out what was only carried on; its numbers say how to ask for it.
    """
    own = next((fact.who for fact in record.facts if isinstance(fact, Joined)), record.by)
    yield f"{paint(answer.entry if answer.counts else f'{answer.entry}@{answer.take}', bold=True)} {heading(record)}"
    yield f"{INDENT}by {safe(answer.by)} at {safe(answer.at)}, position {answer.position}"
    if not answer.counts:
        yield f"{INDENT}does not count: {safe(answer.because)}"
    judged = [found for found in answer.facts if isinstance(found.fact, Judged)]
    for numbered in judged:
        yield from ruled(numbered, answer, whole=whole)
    yield from titled("dice", (thrown(dice, answer) for dice in answer.dice))
    said: tuple[type[BaseFact], ...] = (Judged, Declared, Rolled) if whole else (Judged,)
    others = [found for found in answer.facts if not isinstance(found.fact, said)]
    plain = [found for found in others if not whole or in_words(found.fact, own)]
    rows = [[f"{answer.entry}.{found.number}", plainly(found.fact, own), rules_of(found.fact)] for found in plain]
    yield from titled("what happened", aligned(rows))
    carried = [f"{answer.entry}.{found.number} {tag(type(found.fact))}" for found in others if found not in plain]
    if carried:
        yield f"  (and for the record: {', '.join(carried)})"
    named = list(cited(found.fact for found in (*judged, *plain) if not whole or str(found.number) not in answer.same))
    texts = {rule.id: rule.text for rule in answer.rules}
    yield from titled("readings that the table chose", (chosen(option, named) for option in answer.options))
    yield from titled("rulings in force", (law_told(law) for law in answer.rulings if law.bears or not whole))
    yield from titled(
        "known, and taken into account", (situated(found) for found in answer.known if whole and found.known)
    )
    yield from titled(
        "possible, and not claimed", (situated(found) for found in answer.known if whole and not found.known)
    )
    yield from titled("what followed", aligned([[o.entry, safe(o.what), safe(o.line)] for o in answer.followed]))
    yield from titled("rules", aligned([[safe(rule), texts[rule]] for rule in named]))
    yield from titled("other takes", (other(take, answer.entry) for take in answer.takes))


def chosen(option: Reading, named: Sequence[str]) -> str:
    """A reading in force; with its question where the entry names a rule that it bears on."""
    question = f": {option.text}" if {*option.rules, option.gap} & {*named} else ""
    return f"{option.name} {safe(str(option.value))}, by default {option.default}{question}"


def law_told(law: Law) -> str:
    """A ruling on a line."""
    agreed = f", agreed by {safe(', '.join(law.agreed))}" if law.agreed else ""
    return f"{law.entry} {safe(law.text)} ({law.scope}: {safe(law.because)}{agreed})"


def situated(found: Situation) -> str:
    """Something that bore on the entry, or might have, with its rules."""
    rules = f" [{', '.join(found.rules)}]" if found.rules else ""
    return f"{safe(found.text)}{rules}"


def other(take: Take, entry: str) -> str:
    """Another take of the entry, and why it does not count."""
    fate = safe(take.because) or "it counts"
    return (
        f"{entry}@{take.take}  {safe(take.line) or 'by ' + safe(take.by)}  ({fate}; campaign why {entry}@{take.take})"
    )


def titled(title: str, lines: Iterable[str]) -> Iterator[str]:
    """Lines below a title, or nothing."""
    found = list(lines)
    if found:
        yield ""
        yield paint(title, bold=True)
        yield from (f"  {line}" for line in found)


def ruled(numbered: Numbered, answer: Why, *, whole: bool) -> Iterator[str]:
    """A result: how it came out, then its sums step by step."""
    fact = numbered.fact
    assert isinstance(fact, Judged)
    stood = answer.same.get(str(numbered.number))
    title = safe(fact.what) + (f" of {safe(fact.who)}" if fact.who else "")
    title += f", {safe(fact.against)}" if fact.against and fact.against != fact.who else ""
    marks = ", ".join(part for part in (score(fact), by_how_much(fact)) if part)
    how = f" ({marks})" if marks else ""
    yield ""
    place = f"{answer.entry}.{numbered.number}"
    how += "" if fact.final else ", not final yet"
    yield f"{place}  {paint(title, bold=True)}: {result(safe(fact.result))}{how}"
    if stood and whole:
        yield f"  as it stood: campaign why {stood}"
        return
    yield from (f"  {line}" for line in aligned([row for total in fact.sums for row in steps(total)]))
    if fact.rules:
        yield f"  by {rules_of(fact)}"


def by_how_much(fact: Judged) -> str:
    """The margin in words."""
    if fact.margin is None:
        return ""
    return f"{abs(fact.margin)} {'over' if fact.margin > 0 else 'short'}" if fact.margin else "exactly"


def steps(total: Sum) -> Iterator[list[str]]:
    """A sum, row by row: what, the operation, the value so far, the rule. What was left out stands in brackets."""
    yield [safe(total.name), "", str(total.start), ""]
    for step in total.steps:
        does = operand(step)
        if step.counted:
            yield [f"  {safe(step.reason)}", does, str(step.now), safe(step.rule)]
        else:
            yield [f"  {safe(step.reason)}", f"({does})", str(step.now), f"{safe(step.rule)}, left out"]


def thrown(dice: Lying, answer: Why) -> str:
    """Dice as they lay, all that ever did, and where they came from."""
    lay = ", ".join(
        " ".join(part for part in (safe(die.why), f"d{die.sides}", str(die.face)) if part)
        + (f" (after die {die.of + 1})" if die.of is not None else "")
        + ("" if die.kept else " (left out)")
        for die in dice.roll.dice
    )
    place = "" if dice.entry == answer.entry else f" in {dice.entry}"
    origin = SOURCES.get(dice.roll.source, safe(dice.roll.source))
    return f'{lay}: {origin}{place} as "{safe(dice.roll.purpose)}"'


def rules_of(fact: BaseFact) -> str:
    """The rules that made a fact, the main one first."""
    return ", ".join(safe(rule) for rule in fact.rules)


def in_words(fact: Fact, by: str) -> str:
    """A fact in the words of the log, if it has any there."""
    return "; ".join(line for line in told((fact,), by) if line)


def plainly(fact: Fact, by: str) -> str:
    """A fact in the words of the log, or else its fields."""
    if isinstance(fact, Declared):
        return f"said by {safe(fact.by)}" + (f", faces {', '.join(map(str, fact.faces))}" if fact.faces else "")
    fields = [(name, getattr(fact, name)) for name in fact.__struct_fields__ if name != "rules"]
    plain = ", ".join(f"{name} {field(value)}" for name, value in fields if value not in ("", (), None))
    return in_words(fact, by) or f"{tag(type(fact))}: {plain}"


def field(value: object) -> str:
    """A field of a fact, short."""
    text = msgspec.json.encode(value).decode() if not isinstance(value, str) else value
    return safe(text if len(text) <= 60 else f"{text[:57]}...")
