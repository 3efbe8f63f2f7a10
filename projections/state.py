"""The state that facts add up to: beings with sheets, pools, tokens, wounds, conditions; windows, options, clock.

Plain dicts of immutable values, written through one `put` that remembers what was there before: that gives
roll-back of a refused declaration. Dicts are never asked for their order; whoever needs an order sorts.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, TypeVar

import msgspec

from ledger.facts import BaseFact, Ends, EntryId, Scalar, Sheet, Slot, parse_entry_id
from ledger.names import name_key as name_key

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
Evolve = Mapping[type[BaseFact], Callable[["State", EntryId, Any], None]]


class Being(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody or something in play. `joined` counts those who came before."""

    name: str
    kind: str
    side: str
    seen: str
    joined: int


class Pool(msgspec.Struct, frozen=True, kw_only=True):
    """Points and their bounds; None is no bound."""

    points: int
    least: int | None
    most: int | None


class Token(msgspec.Struct, frozen=True, kw_only=True):
    """How many are held, and how many may be when nothing is open."""

    count: int
    most: int | None


class Wound(msgspec.Struct, frozen=True, kw_only=True):
    """A wound as it stands. `taken` counts the wounds that this being took before."""

    kind: str
    value: int
    in_force: bool
    at: str
    encounter: str
    taken: int


class Count(msgspec.Struct, frozen=True, kw_only=True):
    """A count, its size if it has one, and what clears it."""

    now: int
    of: int | None
    until: str


class Encounter(msgspec.Struct, frozen=True, kw_only=True):
    """A scene with turns: where its cycle stands, and who is done in this phase."""

    id: str
    kind: str
    scale: str
    sides: tuple[tuple[str, tuple[str, ...]], ...]
    order: tuple[Slot, ...] = ()
    round: int = 0
    phase: str = ""
    phases: tuple[str, ...] = ()  # that this round has had
    turn: str = ""
    done: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()  # those whose turn was handed on, the last on top

    @property
    def members(self) -> tuple[str, ...]:
        """All who are in it, in order of joining."""
        return tuple(who for _, side in self.sides for who in side)

    def slot(self, who: str) -> Slot | None:
        """The place of somebody in the order."""
        return next((slot for slot in self.order if who in slot.who), None)


class Condition(msgspec.Struct, frozen=True, kw_only=True):
    """Something that holds, since when, until what, and the game's own note about it."""

    who: str
    name: str
    degree: int
    of: int | None
    effects: tuple[tuple[str, int], ...]
    about: str
    ends: tuple[Ends, ...]
    data: str
    since: EntryId


class Ruling(msgspec.Struct, frozen=True, kw_only=True):
    """A decision of the table that is law from its entry on: for its session, or for the campaign."""

    text: str
    because: str
    about: str
    cites: tuple[str, ...]
    scope: str
    agreed: tuple[str, ...]
    sets: Sheet = ()


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where somebody is, and on which square where the place has squares."""

    place: str
    square: tuple[int, int] | None


class Window(msgspec.Struct, frozen=True, kw_only=True):
    """Something that waits for an answer, and the entry that opened it."""

    kind: str
    who: str
    awaits: tuple[str, ...]
    data: str
    opened: EntryId


class State:
    """Everything that the facts so far add up to. Written by the tally alone."""

    __slots__ = (
        "allowances",
        "beings",
        "clock",
        "conditions",
        "counts",
        "encounters",
        "journal",
        "links",
        "options",
        "places",
        "pools",
        "rulings",
        "sheets",
        "tokens",
        "windows",
        "wounds",
    )

    def __init__(self) -> None:
        self.beings: dict[str, Being] = {}  # by case-folded name
        self.sheets: dict[tuple[str, str], Scalar] = {}
        self.pools: dict[tuple[str, str], Pool] = {}
        self.tokens: dict[tuple[str, str], Token] = {}
        self.counts: dict[tuple[str, str], Count] = {}
        self.allowances: dict[tuple[str, str], int] = {}
        self.wounds: dict[tuple[str, str], Wound] = {}
        self.conditions: dict[str, Condition] = {}
        self.places: dict[str, Place] = {}
        self.links: dict[tuple[str, str, str], int] = {}  # one, tie, other: its degree
        self.encounters: dict[str, Encounter] = {}  # those that are running
        self.windows: dict[str, Window] = {}
        self.options: dict[str, Scalar] = {}
        self.rulings: dict[str, Ruling] = {}  # those that are law, by their entry
        self.clock: dict[str, int] = {}  # "seconds" that have passed
        self.journal: list[tuple[dict[Any, Any], Any, Any]] = []

    def put(self, table: dict[K, V], key: K, value: V | None) -> None:
        """Write one value, or take it away (None), and remember what stood there."""
        self.journal.append((table, key, table.get(key)))
        if value is None:
            table.pop(key, None)
        else:
            table[key] = value

    def roll_back(self, mark: int) -> None:
        """As if nothing had been put since the past was `mark` long."""
        while len(self.journal) > mark:
            table, key, before = self.journal.pop()
            if before is None:
                table.pop(key, None)
            else:
                table[key] = before

    def being(self, name: str) -> Being | None:
        """Whoever is in play under this name, however it is spelled in case."""
        return self.beings.get(name_key(name))

    def in_order(self) -> list[Being]:
        """All beings, in order of joining."""
        return sorted(self.beings.values(), key=lambda being: being.joined)

    def sheet(self, name: str, entry: str) -> Scalar | None:
        """What stands on a being's sheet."""
        return self.sheets.get((name, entry))

    def sheet_of(self, name: str) -> dict[str, Scalar]:
        """The whole sheet of a being, sorted by entry."""
        return {entry: value for (who, entry), value in sorted(self.sheets.items()) if who == name}

    def points(self, name: str, pool: str) -> int:
        """The points in a pool; 0 when there is none."""
        found = self.pools.get((name, pool))
        return found.points if found else 0

    def tokens_held(self, name: str, token: str) -> int:
        """How many tokens are held."""
        found = self.tokens.get((name, token))
        return found.count if found else 0

    def count(self, name: str, count: str) -> int:
        """What a count stands at; 0 when nothing was counted."""
        found = self.counts.get((name, count))
        return found.now if found else 0

    def ruling_value(self, name: str) -> tuple[str, Scalar] | None:
        """What a ruling in force sets under this name, and its entry; of several the latest."""
        found = [(entry, value) for entry, law in self.rulings.items() for key, value in law.sets if key == name]
        return max(found, key=lambda pair: parse_entry_id(pair[0])) if found else None

    def actions_left(self, name: str, action: str) -> int:
        """How many of an action may still be taken."""
        return self.allowances.get((name, action), 0)

    def place(self, name: str) -> str:
        """Where somebody is; empty for nowhere in particular."""
        found = self.places.get(name)
        return found.place if found else ""

    @property
    def encounter(self) -> Encounter | None:
        """The encounter that is running, if any."""
        return next(iter(self.encounters.values()), None)

    def ties_from(self, name: str, tie: str) -> list[str]:
        """Those to whom somebody has this tie, sorted."""
        return sorted(other for one, kind, other in self.links if (one, kind) == (name, tie))

    def ties_to(self, name: str, tie: str) -> list[str]:
        """Those who have this tie to somebody, in order of joining."""
        mine = {one for one, kind, other in self.links if (kind, other) == (tie, name)}
        return [being.name for being in self.in_order() if being.name in mine]

    def wounds_of(self, name: str) -> list[tuple[str, Wound]]:
        """A being's wounds, oldest first."""
        mine = ((wound, found) for (who, wound), found in self.wounds.items() if who == name)
        return sorted(mine, key=lambda pair: pair[1].taken)

    def conditions_of(self, name: str) -> list[tuple[str, Condition]]:
        """What holds for a being, in the order in which it began."""
        mine = ((id, found) for id, found in self.conditions.items() if found.who == name)
        return sorted(mine, key=lambda pair: (pair[1].since, pair[0]))
