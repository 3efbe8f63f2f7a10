"""The explanation of an entry in a few lines: what it lacked, its results with their steps, what else was possible."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cli.output import paint
from cli.phrases.conditions import condition_texts
from cli.phrases.entries import INDENT, fact_lines, heading
from cli.phrases.parts import in_brackets
from cli.phrases.results import operand, result, sum_text
from cli.phrases.sums import first_die, result_numbers, result_title
from cli.questions.why import Explanation
from cli.render.why import amended_text
from ledger.facts import Declared, Judged, Sum
from ledger.implied_passes import is_turn
from ledger.names import escape
from ledger.records import Record
from rulebooks.common.texts import Wording

RESULTS_MOST: Final = 2


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
