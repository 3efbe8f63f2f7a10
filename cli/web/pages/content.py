"""The content of the replay page: a session entry by entry, with the state, the reasons and the variations.

The state after an entry is the state at the opening with the changes of every entry up to it: `rows` as `show` prints
them, `values` as `show --json` does.
"""

from __future__ import annotations

from typing import Any

import msgspec

from cli.questions.luck import LuckReport
from cli.story.page import Page
from ledger.projection import Value


class Mark(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """A result: its word, its sign and its colour in this book; empty without."""

    word: str
    sign: str
    tone: str


class TurningPoint(msgspec.Struct, frozen=True, kw_only=True):
    """A turning point: something after which the evening went another way.

    `kind`: lost, grave, return, rare, token or correction; `who`: whose it is; `text`: what happened, in a sentence.
    """

    kind: str
    who: str
    text: str


class DieFace(msgspec.Struct, frozen=True, kw_only=True):
    """A die as it lies there: `tone` is the colour of its name in the book, else of the player who threw it."""

    sides: int
    face: int
    kept: bool
    label: str
    tone: str


class EntryThrow(msgspec.Struct, frozen=True, kw_only=True):
    """Dice that were thrown for a result.

    `between` stands between those that add up, `total` behind them: `= 21 ≥ 9`.
    """

    what: str
    dice: tuple[DieFace, ...]
    between: str = ""
    total: str = ""


class ResultSums(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """A result with its arithmetic: rows of reason, operation, value so far and rule. `note`: what is hidden of it."""

    title: str
    mark: Mark
    numbers: str
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


class Reason(msgspec.Struct, frozen=True, array_like=True):
    """A fact that changed a value: the value before and after, the cause, and the first of its rules if it has any."""

    before: Value | None
    after: Value | None
    cause: str
    rule: str


class ValueDifference(msgspec.Struct, frozen=True, array_like=True):
    """A value before and after an entry (None: there is none), and why."""

    value: str
    before: Value | None
    after: Value | None
    reasons: tuple[Reason, ...]


class Variation(msgspec.Struct, frozen=True, kw_only=True):
    """A take that does not count: who said it, its line, what came of it, and what became of it."""

    take: str
    by: str
    line: str
    results: tuple[str, ...]
    marks: tuple[Mark, ...]
    because: str


class BeforeCorrection(msgspec.Struct, frozen=True, kw_only=True):
    """What an entry was before a correction: the entry that corrected it, and the line and the results that differ.

    `how`: corrected itself, or changed as a consequence.
    """

    by: str
    how: str
    line: str
    results: str


class LaterOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """What came of an entry's roll when a later entry made it final."""

    entry: str
    results: tuple[str, ...]


class PageEntry(msgspec.Struct, frozen=True, kw_only=True):
    """An entry that counts, and what it changed.

    Attributes:
        kind: scene, fiction, quote, session, correction, pass, secret or said.
        line: as it was typed, or the text of a scene, of fiction or of a quote.
        words: what the line says, as a sentence; empty where it has none.
        told: what came of it, as the story tells it; empty where it does not.
        quiet: whether its line says all of it, so that what it changed need not stand beside it in the list.
        idle: what it is where nothing happens in it but a turn going on: motion, pass or close; else empty.
        who: the beings that act or suffer in it.
        secret: whether it was said in secret: the game master sees it, and the players once it is revealed.
        results: what came of it, in a few words.
        begins: what begins behind it, if anything does: a round, or what comes after an encounter.
        rows: the changed rows of the state; None for one that is gone.
        turns: what makes it a turning point, the heaviest first.
        throws: the dice that were thrown in it.
        decided: the rules, of all that it names, that decided it.
        variations: takes of this entry, and of undone entries behind it, that do not count.
        corrected: what it was, if a later entry has corrected it.
        of: the entry whose roll it made final, where it says nothing else.
        outcome: what came of its roll then.
    """

    id: str
    kind: str
    by: str
    line: str
    at: str
    secret: bool
    results: tuple[str, ...] = ()
    marks: tuple[Mark, ...] = ()
    begins: str = ""
    sums: tuple[ResultSums, ...] = ()
    dice: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    rows: dict[str, Any] = {}
    changes: tuple[ValueDifference, ...] = ()
    variations: tuple[Variation, ...] = ()
    turns: tuple[TurningPoint, ...] = ()
    words: str = ""
    told: str = ""
    quiet: bool = False
    idle: str = ""
    who: tuple[str, ...] = ()
    throws: tuple[EntryThrow, ...] = ()
    decided: tuple[str, ...] = ()
    corrected: BeforeCorrection | None = None
    of: str = ""
    outcome: LaterOutcome | None = None


class Series(msgspec.Struct, frozen=True, kw_only=True):
    """A number over the session: whose it is (empty: everybody's), its name, and its value after each entry.

    The first value is that at the opening. `harm`: 1 if more of it is harm, -1 if less of it is, 0 if neither.
    """

    owner: str
    name: str
    value: str
    numbers: tuple[int | None, ...]
    most: int | None
    harm: int = 0


class SessionPage(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that the replay page of a session shows, as a view shows it.

    `hues` are the numbers of the colours of players and their characters.
    """

    game: str
    role: str
    recap: Page
    opening: dict[str, Any]
    values: dict[str, Value]
    before: tuple[Variation, ...]
    entries: tuple[PageEntry, ...]
    names: dict[str, str]
    rules: dict[str, tuple[str, str]]
    series: tuple[Series, ...]
    luck: tuple[LuckReport, ...]
    hues: dict[str, int]
