"""Facts: what happened, in the past tense; one closed vocabulary for every game. README.md lists the kinds."""

from typing import Final, get_args

from ledger.facts.actions import ActionSpent, Allowed, Counted, CountsCleared
from ledger.facts.base import (
    ENTRY_ID,
    GM,
    RESERVED,
    VISIBLE,
    WITHHELD,
    BaseFact,
    Claims,
    EntryId,
    Hides,
    Scalar,
    Sheet,
    Whole,
    Withheld,
    parse_entry_id,
    tag,
)
from ledger.facts.beings import Joined, Linked, Placed, SheetChanged
from ledger.facts.conditions import ConditionBegan, ConditionEnded, Ends, WoundChanged, Wounded
from ledger.facts.encounters import EncounterBegan, EncounterEnded, OrderSet, Reached, Rested, Slot, TimePassed
from ledger.facts.numbers import PointsLost, PointsRegained, PointsSpent, PoolSet, TokensMoved
from ledger.facts.rolls import Die, Judged, Rolled, Step, Sum
from ledger.facts.session import CampaignCreated, ChainCommitted, Declared, SessionClosed, SessionOpened, WordsAdded
from ledger.facts.table import Amended, Claimed, Invalidated, OptionSet, Revealed, Ruled, Told
from ledger.facts.windows import AUTO, WindowChanged, WindowClosed, WindowOpened

Fact = (
    CampaignCreated
    | Declared
    | SessionOpened
    | WordsAdded
    | ChainCommitted
    | SessionClosed
    | Joined
    | SheetChanged
    | Placed
    | Linked
    | Rolled
    | Judged
    | PoolSet
    | PointsSpent
    | PointsRegained
    | PointsLost
    | TokensMoved
    | Counted
    | CountsCleared
    | Allowed
    | ActionSpent
    | Wounded
    | WoundChanged
    | ConditionBegan
    | ConditionEnded
    | EncounterBegan
    | OrderSet
    | Reached
    | EncounterEnded
    | TimePassed
    | Rested
    | WindowOpened
    | WindowChanged
    | WindowClosed
    | OptionSet
    | Ruled
    | Amended
    | Invalidated
    | Told
    | Revealed
    | Claimed
)
KINDS: Final[tuple[type[BaseFact], ...]] = get_args(Fact)
UNFOLDED: Final[tuple[type[BaseFact], ...]] = (
    Declared,
    ChainCommitted,
    Rolled,
    Judged,
    Rested,
    Amended,
    Invalidated,
    Claimed,
)
"""Kinds that change no state: they are recorded to be read."""
