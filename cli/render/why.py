"""The explanation of an entry as text: sums step by step, dice, changes, rules, other takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from cli.output import align_columns, paint, safe
from cli.queries.coverage import cited_rules
from cli.queries.rules import Reading
from cli.queries.why import CitedRule, EntryRoll, ExplainedRuling, Explanation, NumberedFact, OtherTake
from cli.render.log import INDENT, fact_lines, heading
from cli.render.phrases import in_brackets, titled
from cli.render.results import operand, result, score
from ledger.facts import BaseFact, Declared, Die, Fact, Joined, Judged, Rolled, Sum, tag
from ledger.implied_passes import implying_entry
from ledger.records import Record
from rulebooks.common.guide import Situation
from rulebooks.common.texts import Wording

SOURCES: Final = {
    "seed": "drawn from the session's seed",
    "unmixed": "drawn from the session's seed, to which no player added words,",
    "sealed": "drawn from the session's seed, which is sealed until it closes,",
    "fixed": "drawn from a fixed seed",
    "unproved": "unproved, since the session's seed is lost,",
    "revealed": "drawn by a correction, after the seed was revealed,",
    "table": "typed in from the table",
}
FIELD_MOST: Final = 60
EMPTY: Final = ("", (), None, msgspec.UNSET)  # values of fields that say nothing


def explanation_lines(
    answer: Explanation, record: Record, wording: Wording, *, whole: bool, texts: bool = False
) -> Iterator[str]:
    """Return an explanation in lines; `whole`: of the entire entry, facts without words only by number.

    `texts`: the rules with their texts, else by heading.
    """
    own = next((fact.who for fact in record.facts if isinstance(fact, Joined)), record.by)
    name = paint(answer.entry if answer.counts else f"{answer.entry}@{answer.take}", bold=True)
    yield f"{name} {heading(record)}{in_brackets(amended_text(answer, record))}"
    yield f"{INDENT}by {safe(answer.by)} at {safe(answer.at)}, position {answer.position}"
    if not answer.counts:
        yield f"{INDENT}does not count: {safe(answer.because)}"
    judged = [numbered for numbered in answer.facts if isinstance(numbered.fact, Judged)]
    for numbered in judged:
        yield from _result_lines(numbered, answer, wording, whole=whole)
    yield from titled("dice", (roll_source(roll, answer.entry) for roll in answer.dice))
    shown_above: tuple[type[BaseFact], ...] = (Judged, Declared, Rolled) if whole else (Judged,)
    others = [numbered for numbered in answer.facts if not isinstance(numbered.fact, shown_above)]
    happened = [numbered for numbered in others if not whole or _in_words(numbered.fact, wording, own)]
    rows = [[f"{answer.entry}.{n.number}", _fact_text(n.fact, wording, own), _rules(n.fact)] for n in happened]
    yield from titled("other facts", align_columns(rows))
    unnamed = [f"{answer.entry}.{n.number} {tag(type(n.fact))}" for n in others if n not in happened]
    if unnamed:
        yield f"  (and recorded only: {', '.join(unnamed)})"
    rules = list(cited_rules(n.fact for n in (*judged, *happened) if not whole or str(n.number) not in answer.same))
    yield from titled("readings that the table chose", (_reading(option, rules) for option in answer.options))
    rulings = [ruling for ruling in answer.rulings if ruling.bears or not whole]
    yield from titled("rulings in force", map(_ruling, rulings))
    known = [situation for situation in answer.known if whole]
    counted = [each for each in known if each.known and _is_counted(each, answer)]
    yield from titled("known situations, taken into account", map(_situation, counted))
    yield from titled("also known", (_situation(each) for each in known if each.known and each not in counted))
    yield from titled("possible situations, not claimed", map(_situation, (each for each in known if not each.known)))
    implied = [f"{entry} {safe(line)}" for entry, line in answer.implies if whole]
    yield from titled("passes that it implies", implied)
    yield from titled(
        "continued by",
        align_columns([[o.entry, safe(o.what), safe(o.line)] for o in answer.followed]),
    )
    cited = [rule for rule in answer.rules if rule.id in rules]
    if texts:
        yield from titled("rules", align_columns([[safe(rule.id), rule.text] for rule in cited]))
    else:
        yield from titled(f"rules (texts: campaign why {answer.entry} --rules)", align_columns(_by_heading(cited)))
    yield from titled("other takes", (_take(take, answer.entry) for take in answer.takes))


def amended_text(answer: Explanation, record: Record) -> str:
    """Return what a correction did to the entry; empty for one that stands as it was said."""
    if record.cause is None or implying_entry(record):
        return ""
    before = [take for take in answer.takes if take.take < answer.take]
    if not before:
        return f"inserted by {safe(record.cause)}"
    was = before[-1].line
    by = safe(record.cause)
    return f"decided again by {by}" if was == record.line else f"amended by {by}, was: {safe(was)}"


def _by_heading(rules: Sequence[CitedRule]) -> list[list[str]]:
    """Return the headings of rules in the order of their first rule, each with its ids."""
    ids: dict[str, list[str]] = {}
    for rule in rules:
        ids.setdefault(rule.heading, []).append(safe(rule.id))
    return [[heading, ", ".join(names)] for heading, names in ids.items()]


def _is_counted(situation: Situation, answer: Explanation) -> bool:
    """Return whether a step of a result counts a situation: one that says the same, or else one by its rule.

    A ruling is named only where the entry uses what it sets.
    """
    if situation.name in {ruling.entry for ruling in answer.rulings}:
        return True
    texts = {each.text for each in answer.known if each is not situation}
    steps = [
        step
        for numbered in answer.facts
        if isinstance(numbered.fact, Judged)
        for total in numbered.fact.sums
        for step in total.steps
        if step.counted
    ]
    return any(
        step.because == situation.text or (step.rule in situation.rules and step.because not in texts) for step in steps
    )


def _reading(option: Reading, rules: Sequence[str]) -> str:
    """Return a reading in force; with its question where the entry names a rule that it concerns."""
    question = f": {option.text}" if {*option.rules, option.gap} & {*rules} else ""
    return f"{option.name} {safe(str(option.value))}, by default {option.default}{question}"


def _ruling(ruling: ExplainedRuling) -> str:
    """Return a ruling on a line."""
    agreed = f", agreed by {safe(', '.join(ruling.agreed))}" if ruling.agreed else ""
    return f"{ruling.entry} {safe(ruling.text)} ({ruling.scope}: {safe(ruling.because)}{agreed})"


def _situation(situation: Situation) -> str:
    """Return a situation with its rules."""
    rules = f" [{', '.join(situation.rules)}]" if situation.rules else ""
    return f"{safe(situation.text)}{rules}"


def _take(take: OtherTake, entry: str) -> str:
    """Return another take of the entry, and its status."""
    status = safe(take.because) or "it counts"
    line = safe(take.line) or f"by {safe(take.by)}"
    return f"{entry}@{take.take}  {line}  ({status}; campaign why {entry}@{take.take})"


def _result_lines(numbered: NumberedFact, answer: Explanation, wording: Wording, *, whole: bool) -> Iterator[str]:
    """Return a result, then its sums step by step."""
    fact = numbered.fact
    assert isinstance(fact, Judged)
    repeated = answer.same.get(str(numbered.number))
    title, end = result_title(fact), result_numbers(fact, wording)
    yield ""
    yield f"{answer.entry}.{numbered.number}  {paint(title, bold=True)}: {result(fact.result, wording)}{end}"
    if repeated and whole:
        yield f"  unchanged since: campaign why {repeated}"
        return
    yield from (
        f"  {line}"
        for line in align_columns(
            [row for total in fact.sums for row in sum_rows(total, first_die(total, fact, answer.dice, wording))]
        )
    )
    if fact.rules:
        yield f"  by {_rules(fact)}"


def result_title(fact: Judged) -> str:
    """Return what was judged, of whom, and against whom."""
    title = safe(fact.what) + (f" of {safe(fact.who)}" if fact.who else "")
    return title + (f", {safe(fact.against)}" if fact.against and fact.against != fact.who else "")


def result_numbers(fact: Judged, wording: Wording) -> str:
    """Return ` (11 against 9, 2 over)`, and whether the result is not final."""
    numbers = ", ".join(part for part in (score(fact, wording), _margin(fact)) if part)
    return (f" ({numbers})" if numbers else "") + ("" if fact.final else ", not final yet")


def _margin(fact: Judged) -> str:
    """Return the margin in words."""
    if fact.margin is None:
        return ""
    return f"{abs(fact.margin)} {'over' if fact.margin > 0 else 'short'}" if fact.margin else "exactly"


def first_die(total: Sum, fact: Judged, dice: Sequence[EntryRoll], wording: Wording) -> str:
    """Return the name of the die with which a sum begins; empty if it begins with another number."""
    if total.total != fact.total:
        return ""
    rolls = [each.roll for each in dice if each.roll.purpose in fact.rolls]
    die = next((die for roll in rolls for die in roll.dice if die.kept and die.face == total.start), None)
    if die is None:
        return ""
    return next((name for name in wording.dice if die.label and name.startswith(die.label)), f"d{die.sides}")


def sum_rows(total: Sum, die: str) -> Iterator[list[str]]:
    """Return the rows of a sum: reason, operation, value so far, rule. Steps that do not count are in brackets."""
    yield [safe(total.name), "", "" if die else str(total.start), ""]
    if die:
        yield [f"  {safe(die)}", "", str(total.start), ""]
    for step in total.steps:
        operation = operand(step) if step.counted else f"({operand(step)})"
        rule = safe(step.rule) if step.counted else f"{safe(step.rule)}, not counted"
        yield [f"  {safe(step.because)}", operation, str(step.now), rule]


def roll_source(dice: EntryRoll, of: str) -> str:
    """Return the faces of a roll and where they came from: from another entry than `of`, or from it."""
    faces = ", ".join(
        " ".join(part for part in (safe(die.label), _sides(die), str(die.face)) if part)
        + (f" (after die {die.of + 1})" if die.of is not None else "")
        + ("" if die.kept else " (not counted)")
        for die in dice.roll.dice
    )
    entry = "" if dice.entry == of else f" in {dice.entry}"
    source = SOURCES.get(dice.origin or dice.roll.source, safe(dice.roll.source))
    return f'{faces}: {source}{entry} as "{safe(dice.roll.purpose)}"'


def _sides(die: Die) -> str:
    """Return `d6`; empty where the label has it already."""
    sides = f"d{die.sides}"
    return "" if sides in die.label.split() else sides


def _rules(fact: BaseFact) -> str:
    """Return the rules of a fact, the main one first."""
    return ", ".join(safe(rule) for rule in fact.rules)


def _in_words(fact: Fact, wording: Wording, by: str) -> str:
    """Return a fact in the words of the log; empty when the log omits it."""
    return "; ".join(fact_lines((fact,), wording, by))


def _fact_text(fact: Fact, wording: Wording, by: str) -> str:
    """Return a fact in the words of the log, or else its fields."""
    if isinstance(fact, Declared):
        return f"said by {safe(fact.by)}" + (f", faces {', '.join(map(str, fact.faces))}" if fact.faces else "")
    fields = [(name, getattr(fact, name)) for name in fact.__struct_fields__ if name != "rules"]
    plain = ", ".join(f"{name} {_field(value)}" for name, value in fields if value not in EMPTY)
    return _in_words(fact, wording, by) or f"{tag(type(fact))}: {plain}"


def _field(value: object) -> str:
    """Return the value of a field, shortened."""
    text = msgspec.json.encode(value).decode() if not isinstance(value, str) else value
    return safe(text if len(text) <= FIELD_MOST else f"{text[: FIELD_MOST - 3]}...")
