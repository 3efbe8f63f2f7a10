"""What a game and a tally are to the ground: two protocols, and the declarations that every game has.

`ledger/` is handed a game (rules) and a tally (sums) and is generic over their state. A game decides, a tally
folds; the table lets every fact be folded as it is yielded, so that the next line of a rule reads the state that
the book would see. A declaration is a frozen Struct with a typed-out tag; notes for the line grammar stand in
the `Meta.extra` of its fields (`Say`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any, ClassVar, Generic, Literal, Protocol, TypeVar

import msgspec

from ledger.dice import Dice
from ledger.facts import EntryId, Fact, Scalar

Value = Scalar
Claims = tuple[tuple[str, Scalar], ...]
S = TypeVar("S")
S_contra = TypeVar("S_contra", contravariant=True)
Row = tuple[Scalar | None, ...]


class Declaration(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="say"):
    """What somebody says they do: the only input. `by` is a being, a person, or `gm`.

    `verbs` are the words that begin it in a line (the first is its name), `aside` whether only the game master's
    side says it (`! ...`), `alone` whether it may be said without a speaker, and `free` the field that takes any
    words at all in place of a verb. One that `adjusts` is said without a verb, as `k hp -3 "the stairs"`: it has the
    fields `value`, `change` and `reason`.
    """

    verbs: ClassVar[tuple[str, ...]] = ()
    aside: ClassVar[bool] = False
    alone: ClassVar[bool] = False
    adjusts: ClassVar[bool] = False
    answers: ClassVar[bool] = False
    free: ClassVar[str] = ""

    by: str


def syntax(
    short: str = "",
    *,
    plus: str | None = None,
    minus: str | None = None,
    word: bool = False,
    whole: bool = False,
    being: bool = False,
    entry: bool = False,
    seconds: bool = False,
    sets: bool = False,
    answers: bool = False,
) -> msgspec.Meta:
    """How a field is said in a line. Every field may also be said as `name=value`.

    `short`: letters before its value (`v5`). `plus`, `minus`: it is a list, and one of it is said `+a1"rope"` or
    `-1"rain"` behind these letters. `word`: it is set by a bare word or number of its own; `whole`: by whole words
    only, since a shorter one is another field's. `being`: it names somebody in play; `entry`: an entry (`1.4`);
    `seconds`: a time (`10m`); `sets`: pairs like `kess.might=3`; `answers`: a list, one of
    it said `^sira:interpose`.
    Texts without any of these take the quoted strings of the line in their order.
    """
    notes = {
        "short": short,
        "plus": plus,
        "minus": minus,
        "word": word,
        "whole": whole,
        "being": being,
        "entry": entry,
        "seconds": seconds,
        "sets": sets,
        "answers": answers,
    }
    return msgspec.Meta(extra={key: value for key, value in notes.items() if value or (value == "" and key != "short")})


class Setting(msgspec.Struct, frozen=True):
    """What a ruling sets: a value (`kess.might`, `doom`), or a reading of the book (`option.NAME`)."""

    value: str
    to: int | str


class Ruling(Declaration, frozen=True, kw_only=True, tag="ruling"):
    """The game master decides, and may set values: `! ruling "a gift of the tide" "agreed" kess.destiny=1`.

    As case law it holds for the session or the campaign: `! rule DB-PLAY-7 "crates are cover" "a vote" campaign`.
    `result` is that of the roll that is open. What a ruling may set and which rules it may cite, the book decides.
    """

    verbs: ClassVar[tuple[str, ...]] = ("ruling", "rule")
    aside: ClassVar[bool] = True

    text: str
    reason: str
    cites: Annotated[tuple[str, ...], syntax(word=True)] = ()
    scope: Annotated[Literal["once", "session", "campaign"], syntax(word=True)] = "once"
    agreed: tuple[str, ...] = ()
    about: Annotated[str, syntax(entry=True)] = ""
    repeals: Annotated[str, syntax(entry=True)] = ""
    result: Annotated[str, syntax()] = ""
    changes: Annotated[tuple[Setting, ...], syntax(sets=True)] = ()


class ReadModel(msgspec.Struct, Generic[S], frozen=True, kw_only=True, eq=False):
    """A table for readers, in the same file as the records: what `rows` makes of a state, and nothing else.

    The first columns are its `key`. Rows come sorted by it, and no two have the same.
    """

    name: str
    columns: Mapping[str, Literal["TEXT", "INTEGER"]]
    key: tuple[str, ...]
    rows: Callable[[S], Iterable[Row]]


class RowChange(msgspec.Struct, frozen=True, eq=False):
    """What becomes of the row with this key: the row as it is now, or None where there is none any more."""

    model: ReadModel[Any]
    key: Row
    row: Row | None


class Projection(Protocol[S]):
    """Facts in, state out: arithmetic only. Fulfilled in `projections/`."""

    def empty(self) -> S:
        """The state before the first fact."""

    def step(self, state: S, entry: EntryId, fact: Fact) -> None:
        """Fold one fact. Raises OutOfBalance when its numbers are not what the fold makes of it."""

    def mark(self, state: S) -> int:
        """A place to roll back to."""

    def roll_back(self, state: S, mark: int) -> None:
        """Undo every step since `mark`."""

    def commit(self, state: S) -> None:
        """Forget how to roll back: what was folded stays."""

    def pack(self, state: S) -> bytes:
        """The state as canonical JSON: equal states, equal bytes."""

    def unpack(self, body: bytes) -> S:
        """The state that `pack` made these bytes of."""

    def values(self, state: S) -> Mapping[str, Value]:
        """Every number and word that somebody may ask for by name: `talos.might` -> 7."""

    @property
    def read_models(self) -> tuple[ReadModel[S], ...]:
        """The read tables that are kept of a state."""

    def row_changes(self, state: S) -> Iterable[RowChange]:
        """What the steps since the state was settled come to in the read tables: touched rows, and no others."""


class Situation(msgspec.Struct, frozen=True, kw_only=True):
    """Something that bore, or may have borne, on a declaration and was not said: its name, what it is, its rules.

    `known`: the state has it, and the decision took it into account; else it was possible, and nobody claimed it.
    """

    name: str
    text: str
    known: bool
    rules: tuple[str, ...] = ()


class Game(Protocol[S_contra]):
    """Declaration, state and dice in, facts out. Pure. Fulfilled in `rulebooks/`."""

    name: str
    version: str
    declarations: tuple[type[Declaration], ...]

    def decide(self, said: Declaration, state: S_contra, dice: Dice) -> Iterator[Fact]:
        """What follows from the declaration, fact by fact. Raises Refused when no rule allows it."""

    def before_close(self, state: S_contra) -> Iterator[Fact]:
        """What comes to its end before a session closes (a roll left open, say)."""

    def decide_ruling(self, said: Ruling, state: S_contra) -> Iterator[Fact]:
        """What a ruling (`Ruling`) is and sets. Raises Refused for what cannot be set."""

    def vocabulary(self, declaration: type[Declaration], field: str, state: S_contra, by: str) -> Iterable[str]:
        """Words that this field is known to take from this speaker: for prefixes and nearest words."""

    def unclaimed(self, said: Declaration, state: S_contra) -> Iterable[Situation]:
        """What was known, and what would have been possible and was not said, before this was decided."""


def decoder(game: Game[Any], ground: Iterable[type[Declaration]]) -> msgspec.json.Decoder[Declaration]:
    """Reads what was said: any declaration of the game or of the ground, by its tag."""
    kinds: Any = None
    for kind in (*game.declarations, *ground):
        kinds = kind if kinds is None else kinds | kind
    return msgspec.json.Decoder(kinds)
