"""What was paid for a roll, in the words of the book."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from cli.phrases.patterns import fill, mark_name
from cli.story.clauses import Clause
from cli.story.weights import is_spent_token
from ledger.facts import GM, Fact, Judged, PointsSpent
from projections.recap.episodes import Episode

IN_VAIN: Final = " in vain"  # behind the key of a cost for a roll that came to nothing
OF_ANOTHER: Final = " in vain of another"  # where the sentence is of what somebody else did
OF_MASTER: Final = " of the game master"
EASE: Final = " with ease"


def costs_of(
    episode: Episode, clause: Clause, known: Mapping[str, str], is_failure: Callable[[Judged], bool]
) -> Iterator[str]:
    """Yield what was paid for the roll of a clause, in the `known` words for each reason or its first word.

    What was paid when the dice lay already is left out where it did not do what the words say.
    """
    paid = [
        (fact, turn_of(episode.facts[:place], episode.facts[place:], is_failure))
        for place, fact in enumerate(episode.facts)
        if isinstance(fact, PointsSpent) or is_spent_token(fact)
    ]
    blow = clause.blow
    ends, who = [""], mark_name(blow.who) if blow else ""
    if blow and blow.failed:
        ends = [*([OF_ANOTHER] if clause.subject and who not in clause.subject else []), IN_VAIN, ""]
    reasons = {(str(getattr(fact, "because", "")), getattr(fact, "who", "") == GM): turn for fact, turn in paid}
    for (reason, is_of_master), turn in reasons.items():
        whose = OF_MASTER if is_of_master else ""
        keys = [f"{key}{whose}{end}" for key in (reason, reason.split(" ")[0]) for end in ends]
        key = next((key for key in keys if key in known), "")
        is_so = turn is None or (turn == (True, True) if IN_VAIN in key else turn[0] != turn[1])
        cost = fill(known.get(key, ""), {"because": reason, "who": who})
        if cost and is_so:
            yield cost


def turn_of(
    before: Sequence[Fact], after: Sequence[Fact], is_failure: Callable[[Judged], bool]
) -> tuple[bool, bool] | None:
    """Return whether an open roll had failed before something was paid, and failed after it; None if none lay open."""
    open_rolls = [each for each in before if isinstance(each, Judged) and each.window and not each.final]
    if not open_rolls:
        return None
    was = open_rolls[-1]
    now = next((each for each in after if isinstance(each, Judged) and is_same_roll(each, was)), was)
    return is_failure(was), is_failure(now)


def is_same_roll(one: Judged, other: Judged) -> bool:
    """Return whether two results are of one roll."""
    return (one.who, one.what, one.against) == (other.who, other.what, other.against)


def without_ease(paid: Clause) -> None:
    """Leave out of a clause that something was easy, if it says what was paid for it."""
    if paid.costs and paid.blow:
        pattern, *others = (each.replace(EASE, "") for each in (paid.blow.pattern, *paid.blow.others))
        paid.blow = msgspec.structs.replace(paid.blow, pattern=pattern, others=tuple(others))
        paid.text = paid.text.replace(EASE, "")
