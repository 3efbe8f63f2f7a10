"""The explanation of an entry as text: sums step by step, dice, changes, rules, other takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from cli.output import align_columns, paint
from cli.phrases.conditions import condition_texts
from cli.phrases.entries import INDENT, door_text, fact_lines, heading
from cli.phrases.parts import in_brackets, titled
from cli.phrases.results import operand, result, sum_text
from cli.phrases.sums import first_die, result_numbers, result_title, roll_source, sum_rows
from cli.questions.rule_uses import cited_rules
from cli.questions.rules import Reading
from cli.questions.why import CitedRule, ExplainedRuling, Explanation, NumberedFact, OtherTake
from ledger.facts import BaseFact, Declared, Fact, Joined, Judged, Rolled, Sum, tag
from ledger.implied_passes import implying_entry, is_turn
from ledger.names import escape
from ledger.records import Record
from rulebooks.common.guide import Situation
from rulebooks.common.texts import Wording

FIELD_MOST: Final = 60
RESULTS_MOST: Final = 2  # that a short explanation names
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
    door = f", {text}" if (text := door_text(record)) else ""
    yield f"{INDENT}by {escape(answer.by)} at {escape(answer.at)}{door}, position {answer.position}"
    if not answer.counts:
        yield f"{INDENT}does not count: {escape(answer.because)}"
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
    yield from _circumstance_lines(answer, rules, whole=whole)
    followed = [[each.entry, escape(each.what), escape(each.line)] for each in answer.followed]
    yield from titled("continued by", align_columns(followed))
    yield from _rule_lines(answer, rules, texts=texts)
    yield from _revision_lines(answer)
    yield from titled("other takes", (_take(take, answer.entry) for take in answer.takes))


def _circumstance_lines(answer: Explanation, rules: Sequence[str], *, whole: bool) -> Iterator[str]:
    """Return what was in force: readings, rulings, situations, and the passes that the entry implies."""
    yield from titled("readings that the table chose", (_reading(option, rules) for option in answer.options))
    rulings = [ruling for ruling in answer.rulings if ruling.bears or not whole]
    yield from titled("rulings in force", map(_ruling, rulings))
    if not whole:
        return
    known = [situation for situation in answer.known if situation.known]
    counted = [situation for situation in known if _is_counted(situation, answer)]
    yield from titled("known situations, taken into account", map(_situation, counted))
    yield from titled("also known", (_situation(each) for each in known if each not in counted))
    not_claimed = (situation for situation in answer.known if not situation.known)
    yield from titled("possible situations, not claimed", map(_situation, not_claimed))
    yield from titled("passes that it implies", (f"{entry} {escape(line)}" for entry, line in answer.implies))


def _revision_lines(answer: Explanation) -> Iterator[str]:
    """Return the revision of the rules, and how those that the entry names were mended since."""
    if answer.rules:
        yield f"decided by revision {answer.revision.number} of the rules"
        for mend in answer.revision.mended_later:
            yield f"{INDENT}mended since revision {mend.since} ({', '.join(map(escape, mend.rules))}): {mend.text}"


def _rule_lines(answer: Explanation, rules: Sequence[str], *, texts: bool) -> Iterator[str]:
    """Return the rules that the facts name: with their texts, or by heading."""
    cited = [rule for rule in answer.rules if rule.id in rules]
    if texts:
        yield from titled("rules", align_columns([[escape(rule.id), rule.text] for rule in cited]))
    else:
        yield from titled(f"rules (texts: campaign why {answer.entry} --rules)", align_columns(_by_heading(cited)))


def amended_text(answer: Explanation, record: Record) -> str:
    """Return what a correction did to the entry; empty for one that stands as it was said."""
    if record.cause is None or implying_entry(record):
        return ""
    before = [take for take in answer.takes if take.take < answer.take]
    if not before:
        return f"inserted by {escape(record.cause)}"
    was = before[-1].line
    by = escape(record.cause)
    return f"decided again by {by}" if was == record.line else f"amended by {by}, was: {escape(was)}"


def _by_heading(rules: Sequence[CitedRule]) -> list[list[str]]:
    """Return the headings of rules in the order of their first rule, each with its ids."""
    ids: dict[str, list[str]] = {}
    for rule in rules:
        ids.setdefault(rule.heading, []).append(escape(rule.id))
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
    return f"{option.name} {escape(str(option.value))}, by default {option.default}{question}"


def _ruling(ruling: ExplainedRuling) -> str:
    """Return a ruling on a line."""
    agreed = f", agreed by {escape(', '.join(ruling.agreed))}" if ruling.agreed else ""
    return f"{ruling.entry} {escape(ruling.text)} ({ruling.scope}: {escape(ruling.because)}{agreed})"


def _situation(situation: Situation) -> str:
    """Return a situation with its rules."""
    rules = f" [{', '.join(situation.rules)}]" if situation.rules else ""
    return f"{escape(situation.text)}{rules}"


def _take(take: OtherTake, entry: str) -> str:
    """Return another take of the entry, and its status."""
    status = escape(take.because) or "it counts"
    line = escape(take.line) or f"by {escape(take.by)}"
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


def _rules(fact: BaseFact) -> str:
    """Return the rules of a fact, the main one first."""
    return ", ".join(escape(rule) for rule in fact.rules)


def _in_words(fact: Fact, wording: Wording, by: str) -> str:
    """Return a fact in the words of the log; empty when the log omits it."""
    return "; ".join(fact_lines((fact,), wording, by))


def _fact_text(fact: Fact, wording: Wording, by: str) -> str:
    """Return a fact in the words of the log, or else its fields."""
    if isinstance(fact, Declared):
        return f"said by {escape(fact.by)}" + (f", faces {', '.join(map(str, fact.faces))}" if fact.faces else "")
    fields = [(name, getattr(fact, name)) for name in fact.__struct_fields__ if name != "rules"]
    plain = ", ".join(f"{name} {_field(value)}" for name, value in fields if value not in EMPTY)
    return _in_words(fact, wording, by) or f"{tag(type(fact))}: {plain}"


def _field(value: object) -> str:
    """Return the value of a field, shortened."""
    text = msgspec.json.encode(value).decode() if not isinstance(value, str) else value
    return escape(text if len(text) <= FIELD_MOST else f"{text[: FIELD_MOST - 3]}...")


def short_lines(answer: Explanation, record: Record, wording: Wording) -> Iterator[str]:
    """Yield an explanation in about five lines: what was possible and not claimed stands before the sums."""
    yield f"{paint(answer.entry, bold=True)} {heading(record)}{in_brackets(amended_text(answer, record))}"
    results = main_results(answer)
    for fact in results:
        yield f"{INDENT}{result_title(fact)}: {result(fact.result, wording)}{result_numbers(fact, wording)}"
    possible = [escape(situation.text) for situation in answer.known if not situation.known]
    if possible:
        yield f"{INDENT}possible, not claimed: {'; '.join(possible)}"
    for fact in results:
        if fact.sums:  # the players do not see those of a hidden roll
            yield INDENT + "; ".join(steps_text(total, fact, answer, wording) for total in fact.sums)
    facts = [each.fact for each in answer.facts if not isinstance(each.fact, Declared) and not is_turn(each.fact)]
    came_of_it = condition_texts(facts, wording)
    if not results:
        yield from (INDENT + line for line in fact_lines(facts, wording, record.by))
    elif came_of_it:
        yield INDENT + "; ".join(came_of_it)
    yield paint(f"{INDENT}rules, dice and all else: ? why {answer.entry} all", dim=True)


def main_results(answer: Explanation) -> Sequence[Judged]:
    """Return the results that a question is about: those that were compared with a number, else the others."""
    judged = [each.fact for each in answer.facts if isinstance(each.fact, Judged)]
    compared = [fact for fact in judged if fact.target is not None]
    own = [fact for fact in compared or judged if not is_repeated(fact, answer)]
    return (own or compared or judged)[:RESULTS_MOST]


def is_repeated(fact: Judged, answer: Explanation) -> bool:
    """Return whether a result only says again what an earlier entry has said."""
    return any(each.fact is fact and str(each.number) in answer.same for each in answer.facts)


def steps_text(total: Sum, fact: Judged, answer: Explanation, wording: Wording) -> str:
    """Return how a sum came about: `Dawn die 4, Dusk die +5 = 9`."""
    die = first_die(total, fact, answer.dice, wording)
    if not die:
        return sum_text(total)
    steps = [f"{escape(step.because)} {operand(step)}" for step in total.steps if step.counted]
    return f"{', '.join([f'{escape(die)} {total.start}', *steps])}" + (f" = {total.total}" if steps else "")
