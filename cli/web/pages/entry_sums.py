"""Why an entry came out as it did: the arithmetic of its results as rows, and the few rules that decided it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import Final

from cli.phrases.sums import first_die, result_numbers, result_title, sum_rows
from cli.questions.rule_uses import cited_rules
from cli.questions.why import EntryRoll
from cli.web.pages.content import ResultSums
from cli.web.pages.marks import mark
from ledger.facts import BaseFact, ConditionBegan, Judged, PointsLost, PointsRegained, PointsSpent, TokensMoved, Wounded
from ledger.names import escape
from ledger.records import Record
from rulebooks.common.texts import Wording

MOST: Final = 3  # rules that decided an entry
EFFECTS: Final = (Wounded, PointsLost, ConditionBegan, PointsRegained, TokensMoved)
HIDDEN_TARGET: Final = "The number to reach is the game master's: it is shown here once the entry is revealed."
HIDDEN_SUMS: Final = "The arithmetic is the game master's: it is shown here once the entry is revealed."
Row = tuple[str, ...]


def result_sums(
    record: Record, blank: Collection[int], dice: Sequence[EntryRoll], wording: Wording
) -> Iterator[ResultSums]:
    """Yield each result of an entry with its arithmetic.

    Args:
        record: the entry.
        blank: the numbers of the results of which the arithmetic is hidden.
        dice: those that its results rest on.
        wording: the words of the book.
    """
    spent = [fact for fact in record.facts if isinstance(fact, PointsSpent)]
    for number, fact in enumerate(record.facts, start=1):
        if not isinstance(fact, Judged):
            continue
        is_hidden = number in blank
        rows = [tuple(row) for total in fact.sums for row in sum_rows(total, first_die(total, fact, dice, wording))]
        if is_hidden:
            rows = [*cost_rows([each for each in spent if each.who == fact.who]), *dice_rows(fact, dice, wording)]
            spent = [each for each in spent if each.who != fact.who]  # it stands with the first result that it paid for
        note = (HIDDEN_TARGET if fact.total is not None else HIDDEN_SUMS) if is_hidden else ""
        yield ResultSums(
            title=result_title(fact),
            mark=mark(fact.result, wording),
            numbers=result_numbers(fact, wording).strip(),
            rows=tuple(rows),
            note=note,
        )


def cost_rows(spent: Sequence[PointsSpent]) -> Iterator[Row]:
    """Yield what was paid for a result."""
    if spent:
        yield "paid", "", str(sum(fact.points for fact in spent)), ""
    for fact in spent:
        rule = escape(fact.rules[0]) if fact.rules else ""
        yield f"  {escape(fact.because or 'cost')} from {escape(fact.pool)}", f"-{fact.points}", str(fact.now), rule


def dice_rows(result: Judged, dice: Sequence[EntryRoll], wording: Wording) -> Iterator[Row]:
    """Yield the dice of a result, if they are all that its score is made of."""
    faces = [die for each in dice if each.roll.purpose in result.rolls for die in each.roll.dice if die.kept]
    if result.total is None or sum(die.face for die in faces) != result.total:
        return
    yield "rolled", "", str(result.total), ""
    total = 0
    for die in faces:
        sign, total = f"+{die.face}" if total else "", total + die.face
        name = next((name for name in wording.dice if die.label and name.startswith(die.label)), f"d{die.sides}")
        yield f"  {escape(name)}", sign, str(total), ""


def deciding_rules(facts: Sequence[BaseFact], wording: Wording) -> tuple[str, ...]:
    """Return the rules that decided an entry: of its results, of what weighed most in them, and of what they did.

    An entry without results was decided by the first rules that it names.
    """
    results = [fact for fact in facts if isinstance(fact, Judged) and fact.what not in wording.effects]
    decisive = sorted(results, key=lambda fact: (fact.result not in wording.colours, fact.total is None))
    effects = [fact for fact in facts if isinstance(fact, EFFECTS) and not getattr(fact, "data", "")]
    rules = [*_rules_of_results(decisive[:1]), *_first_rules(effects[:1]), *_first_rules(decisive[1:])]
    cited = rules or list(islice(cited_rules(facts), MOST - 1))
    return tuple(map(escape, list(dict.fromkeys(cited))[:MOST]))


def _rules_of_results(results: Sequence[Judged]) -> Iterator[str]:
    """Yield the first rule of each result, and the rule of the step that changed it most."""
    for fact in results:
        yield from fact.rules[:1]
        steps = [step for total in fact.sums for step in total.steps if step.counted and step.rule and step.value]
        if steps:
            yield max(steps, key=lambda step: abs(step.value)).rule


def _first_rules(facts: Sequence[BaseFact]) -> Iterator[str]:
    """Yield the first rule of each fact."""
    for fact in facts:
        yield from fact.rules[:1]
