"""Complex challenges: encounters in minutes instead of action points, and foes who fall at one blow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.facts import Fact, Judged, TimePassed
from projections.state import State
from rulebooks.common.conditions import has_condition, new_condition
from rulebooks.common.sums import SumSteps
from rulebooks.mars.declarations.turns import ChallengeTurn
from rulebooks.mars.guards import DEFEATED, check_alive, is_challenge, running_encounter
from rulebooks.mars.texts import check_whole, refusal, value_refusal

SECONDS_A_MINUTE: Final = 60
GRADE: Final = "grade"
SIMPLE: Final = "simple"


def challenge_turn(said: ChallengeTurn, state: State) -> Iterator[Fact]:
    """GR-CHAL-2, GR-GAP-59: the length of a turn is the exact mean of what its checks and minor actions take."""
    from fractions import Fraction  # imported here to start faster: few encounters are challenges

    for time in said.minutes:
        check_alive(time.who, state)
    running_encounter(state)
    if not is_challenge(state):
        raise refusal("NO-ENCOUNTER", case="turns", way="Begin one as a challenge: ! encounter challenge")
    if not said.minutes:
        raise value_refusal("minutes", "somebody and the minutes of their check (NAME:10)", None)
    total = SumSteps("minutes", 0)
    for time in said.minutes:
        check_whole(f"minutes of {time.who}", time.minutes, 0)
        total.take("+", time.minutes, "GR-CHAL-2", time.who)
    mean = Fraction(total.total, len(said.minutes))
    yield Judged(
        rules=("GR-CHAL-2", "GR-CHAL-1"),
        what="challenge turn",
        who="",
        sums=(total.sum(),),
        result=f"{mean} minutes",
        final=True,
    )
    seconds = int(mean * SECONDS_A_MINUTE)
    yield TimePassed(rules=("GR-CHAL-2",), seconds=seconds, because="a turn of the challenge")


def drop_simple(who: str, state: State) -> Iterator[Fact]:
    """GR-CHAL-3: in a challenge a foe whom the game master has ruled simple drops from one hit, whatever its pools."""
    if is_challenge(state) and state.sheet(who, GRADE) == SIMPLE and not has_condition(who, DEFEATED, state):
        yield new_condition(who, DEFEATED, "GR-CHAL-3")
