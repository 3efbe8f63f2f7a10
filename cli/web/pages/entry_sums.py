"""The arithmetic of an entry's results as rows, and what stands in its place where it is the game master's."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from cli.phrases.sums import first_die, result_numbers, result_title, sum_rows
from cli.questions.why import EntryRoll
from cli.web.pages.content import ResultSums
from cli.web.pages.marks import mark
from ledger.facts import Judged, PointsSpent
from ledger.names import escape
from ledger.records import Record
from rulebooks.common.texts import Wording

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
