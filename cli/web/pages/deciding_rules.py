"""The two or three rules that decided an entry, out of all that it names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from cli.questions.rule_uses import cited_rules
from ledger.facts import BaseFact, ConditionBegan, Judged, PointsLost, PointsRegained, TokensMoved, Wounded
from ledger.names import escape
from rulebooks.common.texts import Wording

MOST: Final = 3
EFFECTS: Final = (Wounded, PointsLost, ConditionBegan, PointsRegained, TokensMoved)


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
