"""Claims: results and values as the players remember them, compared with the facts. A claim changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from ledger.facts import ActionSpent, Claimed, Claims, ConditionBegan, EncounterEnded, Fact, Judged, Scalar
from ledger.names import fold_case
from ledger.projection import Value

OUTCOME_PREFIX: Final = "outcome."  # begins a claim about a result; any other claim names a value
TARGET: Final = "target"  # the number to reach
LEFT: Final = "left"  # actions left
OVER: Final = "over"  # the encounter has ended
YES: Final = "yes"  # the claim of a result without a number


def compare_claims(claims: Claims, facts: Sequence[Fact], values: Callable[[], Mapping[str, Value]]) -> Iterator[Fact]:
    """Yield each claim with the actual value: values by their names, results as `outcome.hit`.

    A result claimed with a number is compared with the totals of that result, one without a number with yes or no.
    """
    actual = values()
    for name, claimed in claims:
        if name.startswith(OUTCOME_PREFIX):
            value: Scalar | None = _actual_outcome(name.removeprefix(OUTCOME_PREFIX), claimed, facts)
        else:
            value = actual.get(name)
        yield Claimed(value=name, claimed=claimed, actual=value)


def _actual_outcome(word: str, claimed: Scalar, facts: Sequence[Fact]) -> Scalar | None:
    """Return the result in the facts. Where there are several numbers, the claimed one counts, else the first."""
    matches = [number for fact in facts for number in _matches(word, fact)]
    if isinstance(claimed, str):
        return YES if matches else "no"
    numbers = [number for number in matches if number is not None]
    return claimed if claimed in numbers else next(iter(numbers), None)


def _matches(word: str, fact: Fact) -> Iterator[int | None]:
    """Yield the numbers that a fact has for a word, None for a match without a number.

    A word may be a result, what was judged, a sum of it, its target, a condition, `left` or `over`.
    """
    match fact:
        case Judged():
            if word == fold_case(fact.what) or word in fold_case(fact.result).split("-"):
                yield fact.total
                yield fact.margin
            yield from (part.total for part in fact.sums if fold_case(part.name) == word)
            if word == TARGET and fact.target is not None:
                yield fact.target
        case ConditionBegan() if fold_case(fact.name) == word:
            yield fact.degree
        case ActionSpent() if word == LEFT:
            yield fact.left
        case EncounterEnded() if word == OVER:
            yield None
