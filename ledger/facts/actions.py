"""Actions that may be taken, and counts that are cleared at a turn, round, rest or day."""

from ledger.facts.base import BaseFact, Whole


class Counted(BaseFact, frozen=True, kw_only=True, tag="counted", gc=False):
    """A count changed. `of` is its size, `until` what clears it (empty: nothing); `who` is empty for the campaign."""

    who: str
    name: str
    change: Whole
    now: Whole
    of: Whole | None = None
    until: str = ""
    because: str = ""


class CountsCleared(BaseFact, frozen=True, kw_only=True, tag="counts-cleared", gc=False):
    """All counts with this `until` were cleared, of one being or of all (`who` empty)."""

    until: str
    who: str = ""


class Allowed(BaseFact, frozen=True, kw_only=True, tag="allowed", gc=False):
    """Beings received their actions: how many of each may be taken."""

    who: tuple[str, ...]
    actions: tuple[tuple[str, Whole], ...]
    until: str


class ActionSpent(BaseFact, frozen=True, kw_only=True, tag="action-spent", gc=False):
    """An action is gone. `outcome`: used, passed, given up, lost, delayed or unused."""

    who: str
    action: str
    cost: Whole
    left: Whole
    outcome: str
