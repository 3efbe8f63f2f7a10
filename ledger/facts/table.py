"""Decisions and words of the table: options, rulings, corrections, claims, narration."""

from ledger.facts.base import BaseFact, Hides, Scalar, Sheet


class OptionSet(BaseFact, frozen=True, kw_only=True, tag="option-set", gc=False):
    """The table set an option, which applies to every later declaration."""

    hides = Hides(open="name was now because agreed")

    name: str
    was: Scalar | None
    now: Scalar
    because: str
    agreed: tuple[str, ...] = ()


class Ruled(BaseFact, frozen=True, kw_only=True, tag="ruled", gc=False):
    """The game master ruled. Numbers that the ruling changes are further facts of the same entry.

    `scope`: once, session or campaign. `about` is the entry or value that it decides, `repeals` the entry of an
    earlier ruling that it ends. `sets` are values that apply while it is in force, under names that the game looks up.
    """

    hides = Hides(open="name text because about cites scope agreed repeals", part="sets")

    name: str
    text: str
    because: str
    about: str = ""
    cites: tuple[str, ...] = ()
    scope: str = "once"
    agreed: tuple[str, ...] = ()
    repeals: str = ""
    sets: Sheet = ()


class Amended(BaseFact, frozen=True, kw_only=True, tag="amended", gc=False):
    """An earlier entry was corrected: one fact for each entry that the correction itself names.

    `entry` is the take that counted before (`1.4@1`), or a new entry (`1.4+1`). `outcome`: undo (a line is taken
    back), drop, retcon, insert, answer (faces or a pass that the correction needed), revoke (a correction is taken
    back), restore (the earlier declaration counts again), stand (the error is noted), compensate (an adjustment).
    All takes that follow are written in the same transaction, with this entry as their cause.
    """

    hides = Hides(open="entry outcome because agreed")

    entry: str
    outcome: str
    because: str
    agreed: tuple[str, ...] = ()


class Invalidated(BaseFact, frozen=True, kw_only=True, tag="invalidated", gc=False):
    """A correction made this declaration impossible: the refusal's code and sentence. The entry has no other effect."""

    hides = Hides(open="code", part="what")

    code: str
    what: str


class Told(BaseFact, frozen=True, kw_only=True, tag="told", gc=False):
    """A scene title, fiction, a quote or a deed, for the recap."""

    hides = Hides(open="kind by seen", part="text")

    kind: str
    by: str
    text: str
    seen: str = "table"


class Revealed(BaseFact, frozen=True, kw_only=True, tag="revealed", gc=False):
    """Something hidden was shown to the players: everything in an `entry`, or the numbers of a being (`who`)."""

    hides = Hides(open="entry who")

    entry: str = ""
    who: str = ""


class Claimed(BaseFact, frozen=True, kw_only=True, tag="claimed", gc=False):
    """The table stated a value. It is compared with the ledger's own and changes nothing."""

    hides = Hides(part="value claimed actual")

    value: str
    claimed: Scalar
    actual: Scalar | None
