"""What was paid for a roll, in the words of the book."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from cli.phrases.patterns import fill, mark_name
from cli.story.clauses import Clause
from cli.story.weights import is_spent_token
from ledger.facts import GM, PointsSpent
from projections.recap.episodes import Episode

IN_VAIN: Final = " in vain"  # behind the key of a cost for a roll that came to nothing
OF_ANOTHER: Final = " in vain of another"  # where the sentence is of what somebody else did
OF_MASTER: Final = " of the game master"
EASE: Final = " with ease"


def costs_of(episode: Episode, clause: Clause, known: Mapping[str, str]) -> Iterator[str]:
    """Yield what was paid for the roll of a clause, in the `known` words for each reason or its first word."""
    paid = (fact for fact in episode.facts if isinstance(fact, PointsSpent) or is_spent_token(fact))
    blow = clause.blow
    ends, who = [""], mark_name(blow.who) if blow else ""
    if blow and blow.failed:
        ends = [*([OF_ANOTHER] if clause.subject and who not in clause.subject else []), IN_VAIN, ""]
    reasons = dict.fromkeys((str(getattr(fact, "because", "")), getattr(fact, "who", "") == GM) for fact in paid)
    for reason, is_of_master in reasons:
        whose = OF_MASTER if is_of_master else ""
        keys = [f"{key}{whose}{end}" for key in (reason, reason.split(" ")[0]) for end in ends]
        cost = fill(next((known[key] for key in keys if key in known), ""), {"because": reason, "who": who})
        if cost:
            yield cost


def without_ease(paid: Clause) -> None:
    """Leave out of a clause that something was easy, if it says what was paid for it."""
    if paid.costs and paid.blow:
        pattern, *others = (each.replace(EASE, "") for each in (paid.blow.pattern, *paid.blow.others))
        paid.blow = msgspec.structs.replace(paid.blow, pattern=pattern, others=tuple(others))
        paid.text = paid.text.replace(EASE, "")
