"""Points in pools, and tokens."""

from ledger.facts.base import BaseFact, Hides, Whole


class PoolSet(BaseFact, frozen=True, kw_only=True, tag="pool-set", gc=False):
    """A pool was created, or its value and bounds were set together. A bound that is None does not exist."""

    hides = Hides(owner="who", open="who", own="pool was now least most because")

    who: str
    pool: str
    was: Whole
    now: Whole
    least: Whole | None
    most: Whole | None
    because: str = ""


class PointsSpent(BaseFact, frozen=True, kw_only=True, tag="points-spent", gc=False):
    """Points left a pool by choice. Their use is another fact."""

    hides = Hides(owner="who", open="who", own="pool points now because")

    who: str
    pool: str
    points: Whole
    now: Whole
    because: str


class PointsRegained(BaseFact, frozen=True, kw_only=True, tag="points-regained", gc=False):
    """Points came back to a pool. `over` is how many more it could not hold."""

    hides = Hides(owner="who", open="who", own="pool points now because over")

    who: str
    pool: str
    points: Whole
    now: Whole
    because: str
    over: Whole = 0


class PointsLost(BaseFact, frozen=True, kw_only=True, tag="points-lost", gc=False):
    """Points were taken from a pool. `over` is how many more it did not have; `by` is who took them, if anybody."""

    hides = Hides(owner="who", open="who", own="pool points now because by over")

    who: str
    pool: str
    points: Whole
    now: Whole
    because: str
    by: str = ""
    over: Whole = 0


class TokensMoved(BaseFact, frozen=True, kw_only=True, tag="tokens-moved", gc=False):
    """A number of tokens changed. `most` caps the number held when no window is open; None: no cap."""

    hides = Hides(owner="who", open="who", own="token change now most because")

    who: str
    token: str
    change: Whole
    now: Whole
    most: Whole | None
    because: str
