"""Each player's dice over the sessions: how far their sum is above what was expected of so many dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import Final

import msgspec

from cli.questions.luck import ThrownDice
from cli.web.pages.content import Series
from ledger.facts import Judged, Rolled, SessionClosed, SessionOpened, WordsAdded
from ledger.names import escape
from ledger.records import Record
from projections.state import State

ProofFact = SessionOpened | WordsAdded | SessionClosed
TITLE: Final = "against expectation"


def dice_of_record(record: Record) -> Record | None:
    """Return a record with its dice, results and proofs alone; None without any: years of them are kept."""
    facts = tuple(fact for fact in record.facts if isinstance(fact, Rolled | Judged | ProofFact))
    return msgspec.structs.replace(record, facts=facts) if facts else None


def dice_history(records: Sequence[Record], state: State, sessions: Sequence[int]) -> list[Series]:
    """Return a line for each player: the sum of all dice so far, less what was expected, at the end of each session.

    It begins with 0 before the first session. Where low faces are the good ones, they count from the other end.
    """
    thrown = ThrownDice(state, {})
    for record in records:
        thrown.add(record.session, record.facts)
    low = thrown.low()
    twice: dict[str, Counter[int]] = {}  # of each player the doubled difference, by session
    for record in records:
        rolls = (fact for fact in record.facts if isinstance(fact, Rolled))
        for throw in chain.from_iterable(thrown.dice_of(record.session, fact) for fact in rolls):
            above = 2 * throw.face - throw.sides - 1
            own = twice.setdefault(throw.player, Counter())
            own[record.session] += -above if throw.situation in low else above
    return [line(player, own, sessions) for player, own in sorted(twice.items())]


def line(player: str, twice: Counter[int], sessions: Sequence[int]) -> Series:
    """Return the line of one player, in whole points."""
    sums = [sum(number for session, number in twice.items() if session <= last) for last in (0, *sessions)]
    numbers = tuple(round(number / 2) for number in sums)
    return Series(owner=escape(player), name=TITLE, value="", numbers=numbers, most=None)
