"""Actions that may be taken, and counts that are cleared at a turn, round, rest or day."""

from ledger.facts.base import BaseFact, Hides, Whole


class Counted(BaseFact, frozen=True, kw_only=True, tag="counted", gc=False):
    """A count changed. `of` is its size, `until` what clears it (empty: nothing); `who` is empty for the campaign."""

    hides = Hides(owner="who", open="who", own="name change now of until because")

    who: str
    name: str
    change: Whole
    now: Whole
    of: Whole | None = None
    until: str = ""
    because: str = ""


class CountsCleared(BaseFact, frozen=True, kw_only=True, tag="counts-cleared", gc=False):
    """All counts with this `until` were cleared, of one being or of all (`who` empty)."""

    hides = Hides(open="until who")

    until: str
    who: str = ""


class Allowed(BaseFact, frozen=True, kw_only=True, tag="allowed", gc=False):
    """Beings received their actions: how many of each may be taken."""

    hides = Hides(open="actions until", part="who")

    who: tuple[str, ...]
    actions: tuple[tuple[str, Whole], ...]
    until: str


class ActionSpent(BaseFact, frozen=True, kw_only=True, tag="action-spent", gc=False):
    """An action is gone. `outcome`: used, passed, given up, lost, delayed or unused."""

    hides = Hides(owner="who", open="who", own="action cost left outcome")

    who: str
    action: str
    cost: Whole
    left: Whole
    outcome: str
