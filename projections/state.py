"""The state that facts add up to: one dict per part, of immutable values, written by name through `State.put`.

Every write goes to one journal, which serves roll-back, changed rows and value histories. Code never relies on the
order of a dict: what needs an order sorts.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, Final, Literal, Protocol, get_args

import msgspec

from ledger.facts import BaseFact, Ends, EntryId, Scalar, Sheet, Slot, parse_entry_id
from ledger.names import name_key
from projections.derived import OWN_PARTS, DerivedValues, derived, grouped

Folds = Mapping[type[BaseFact], Callable[["State", EntryId, Any], None]]


class Being(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A being in play. `joined` is the number of beings that joined before."""

    name: str
    kind: str
    side: str
    seen: str
    joined: int


class Pool(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Points and their bounds. A bound that is None does not exist."""

    points: int
    least: int | None
    most: int | None


class Token(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The number held, and the most that may be held when no window is open."""

    count: int
    most: int | None


class Wound(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A wound. `taken` numbers the wounds of a being in the order in which it took them."""

    kind: str
    value: int
    in_force: bool
    at: str
    encounter: str
    taken: int


class Count(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A count, its size if it has one, and what clears it."""

    now: int
    of: int | None
    until: str


class Encounter(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """An encounter: its members, turn order, and the point that its cycle has reached.

    What follows from its fields is worked out once, where it is first asked for.
    """

    id: str
    kind: str
    scale: str
    sides: tuple[tuple[str, tuple[str, ...]], ...]
    since: EntryId = EntryId(0, 0)
    order: tuple[Slot, ...] = ()
    round: int = 0
    phase: str = ""
    phases: tuple[str, ...] = ()  # of this round, so far
    turn: str = ""
    done: tuple[str, ...] = ()  # in this phase
    waiting: tuple[str, ...] = ()  # beings that handed on their turn, the latest last

    @cached_property
    def members(self) -> tuple[str, ...]:
        """All members, in order of joining."""
        return tuple([who for _, side in self.sides for who in side])

    @cached_property
    def in_order(self) -> tuple[str, ...]:
        """All who have a place in the turn order, also those who share one."""
        return tuple([who for slot in self.order for who in slot.who])

    @cached_property
    def empty_places(self) -> frozenset[str]:
        """The places of the turn order whose owners have left."""
        return frozenset([slot.slot for slot in self.order if not slot.who])

    @cached_property
    def present(self) -> tuple[str, ...]:
        """The members and those who have a place in the turn order, without those who have left."""
        return tuple([who for who in dict.fromkeys((*self.members, *self.in_order)) if who not in self.empty_places])

    @cached_property
    def unplaced(self) -> tuple[str, ...]:
        """Those who are present and have no place of their own with a score in the turn order."""
        placed = {slot.slot for slot in self.order if slot.score is not None}
        return tuple([who for who in self.present if who not in placed])

    def slot(self, who: str) -> Slot | None:
        """Return the slot of a being in the turn order."""
        for slot in self.order:  # a generator takes twice as long
            if who in slot.who:
                return slot
        return None


class Condition(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A condition: since when, until what, and the game's own note; one with `data` is bookkeeping of the game.

    Of several of one name that a being has, the degrees add up if one of them `adds`; else the highest counts.
    """

    who: str
    name: str
    degree: int
    of: int | None
    effects: tuple[tuple[str, int], ...]
    about: str
    ends: tuple[Ends, ...]
    data: str
    since: EntryId
    note: str = ""
    adds: bool = False


class RulingInForce(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A ruling in force, for its session or for the campaign."""

    text: str
    because: str
    about: str
    cites: tuple[str, ...]
    scope: str
    agreed: tuple[str, ...]
    sets: Sheet = ()


class Place(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The place where a being is, and the square if the place has squares."""

    place: str
    square: tuple[int, int] | None


class Window(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """An open window, the entry that opened it, and its place among the windows that are open: `order` only rises."""

    kind: str
    who: str
    awaits: tuple[str, ...]
    data: str
    opened: EntryId
    order: int


Part = Literal[
    "beings",
    "sheets",
    "pools",
    "tokens",
    "counts",
    "allowances",
    "wounds",
    "conditions",
    "places",
    "links",
    "encounters",
    "windows",
    "options",
    "rulings",
    "clock",
    "scene",
    "book",
]
PARTS: Final[tuple[Part, ...]] = get_args(Part)
Ties = Mapping[tuple[str, str], tuple[str, ...]]  # by a being and the kind of the tie
Wounds = tuple[tuple[str, Wound], ...]
Conditions = tuple[tuple[str, Condition], ...]


class Index(Protocol):
    """Something that is looked up by another key, kept up to date with the first `upto` writes of the journal."""

    upto: int

    def put(self, part: Part, key: Any, before: Any, after: Any) -> object:
        """Take in one write."""


class State(DerivedValues):
    """Everything that the facts so far add up to, in named parts. Only the folds write to it."""

    __slots__ = (*PARTS, "encounter", "fact", "index", "is_read", "journal", "partial", "parts")

    beings: dict[str, Being]  # by case-folded name
    sheets: dict[tuple[str, str], Scalar]
    pools: dict[tuple[str, str], Pool]
    tokens: dict[tuple[str, str], Token]
    counts: dict[tuple[str, str], Count]
    allowances: dict[tuple[str, str], int]
    wounds: dict[tuple[str, str], Wound]
    conditions: dict[str, Condition]
    places: dict[str, Place]
    links: dict[tuple[str, str, str], int]  # (one, tie, other): degree
    encounters: dict[str, Encounter]  # the one that is running, by id
    windows: dict[str, Window]
    options: dict[str, Scalar]
    rulings: dict[str, RulingInForce]  # in force, by the id of their entry
    clock: dict[str, int]  # "seconds" passed in the story
    scene: dict[str, str]  # the entry at which it "began", and the last at which a long time "passed" in it
    book: dict[str, int]  # the "revision" of the rules that the session is decided by, unless it is the first

    def __init__(self) -> None:
        super().__init__()
        self.parts: dict[str, dict[Any, Any]] = {part: {} for part in PARTS}
        self.journal: list[tuple[Part, Any, Any, BaseFact | None]] = []  # part, key, value before, fact that wrote it
        self.encounter: Encounter | None = None  # the one of `encounters`: all rules ask for it, all the time
        self.fact: BaseFact | None = None  # that is being folded
        self.index: Index | None = None  # once somebody has asked for changed values
        self.is_read = True  # else nobody reads `Rolled` and `Judged`, which change no state: rules may leave them out
        self.partial = False  # facts were withheld from it: what others state may differ from its sums
        for part, items in self.parts.items():
            setattr(self, part, items)

    def put(self, part: Part, key: Any, value: Any) -> None:
        """Write a value into a part, or delete it (None), and record the value before in the journal."""
        values = self.parts[part]
        before = values.get(key)
        self.journal.append((part, key, before, self.fact))
        if part in self.dependents:
            self.forget(part)
        if value is None:
            values.pop(key, None)
        else:
            values[key] = value
        if part == "encounters":
            self.encounter = value
        elif part in OWN_PARTS:
            self.forget_own(part, key, before, value)

    def roll_back(self, mark: int) -> None:
        """Undo every write since the journal had the length `mark`."""
        undone, parts, index = self.journal[mark:], self.parts, self.index
        place = len(self.journal)
        for part, key, before, _ in reversed(undone):
            place -= 1
            if index is not None and place < index.upto:
                index.upto = place
                index.put(part, key, parts[part].get(key), before)
            if before is None:
                parts[part].pop(key, None)
            else:
                parts[part][key] = before
        del self.journal[mark:]
        for part in {write[0] for write in undone}:
            self.forget(part)
            if part in OWN_PARTS:
                self.own.clear()
        if undone:
            self.look_up_again()

    def changes_since_commit(self) -> dict[tuple[Part, Any], Any]:
        """Return every (part, key) written since the last commit, with the value before the first write."""
        before: dict[tuple[Part, Any], Any] = {}
        for part, key, value, _ in self.journal:
            before.setdefault((part, key), value)
        return before

    def being(self, name: str) -> Being | None:
        """Return the being of this name, in any case."""
        return self.beings.get(name_key(name))

    def kind(self, name: str) -> str:
        """Return the kind of a being; empty for an unknown name."""
        return being.kind if (being := self.being(name)) else ""

    def side(self, name: str) -> str:
        """Return the side of a being; empty for an unknown name."""
        return being.side if (being := self.being(name)) else ""

    @derived("beings")
    def beings_in_order(self) -> tuple[Being, ...]:
        """Return all beings, in order of joining."""
        return tuple(sorted(self.beings.values(), key=lambda being: being.joined))

    def sheet(self, name: str, entry: str) -> Scalar | None:
        """Return one entry of a being's sheet."""
        return self.sheets.get((name, entry))

    def sheet_of(self, name: str) -> Mapping[str, Scalar]:
        """Return the whole sheet of a being, sorted by entry."""
        return self._sheets_by_being().get(name, {})

    @derived("sheets")
    def _sheets_by_being(self) -> Mapping[str, Mapping[str, Scalar]]:
        """Return the sheet of each being, sorted by entry."""
        sheets: dict[str, dict[str, Scalar]] = {}
        for who, entry in sorted(self.sheets):
            sheets.setdefault(who, {})[entry] = self.sheets[who, entry]
        return sheets

    def points(self, name: str, pool: str) -> int:
        """Return the points in a pool; 0 when there is no such pool."""
        held = self.pools.get((name, pool))
        return held.points if held else 0

    def tokens_held(self, name: str, token: str) -> int:
        """Return the number of tokens that a being holds."""
        held = self.tokens.get((name, token))
        return held.count if held else 0

    def count(self, name: str, count: str) -> int:
        """Return a count; 0 when nothing was counted."""
        counted = self.counts.get((name, count))
        return counted.now if counted else 0

    def ruling_value(self, name: str) -> tuple[str, Scalar] | None:
        """Return the entry and the value of the latest ruling in force that sets this name."""
        if not self.rulings:
            return None
        values = [(entry, value) for entry, law in self.rulings.items() for key, value in law.sets if key == name]
        return max(values, key=lambda pair: parse_entry_id(pair[0])) if values else None

    def actions_left(self, name: str, action: str) -> int:
        """Return how many of an action a being may still take."""
        return self.allowances.get((name, action), 0)

    def place(self, name: str) -> str:
        """Return the place where a being is; empty when it has none."""
        position = self.places.get(name)
        return position.place if position else ""

    @property
    def revision(self) -> int:
        """The revision of the rules that the session is decided by."""
        return self.book.get("revision", 1)

    @property
    def seconds(self) -> int:
        """The seconds that have passed in the story."""
        return self.clock.get("seconds", 0)

    def look_up_again(self) -> None:
        """Find the running encounter, if there is one, and conditions by name, after parts were written otherwise."""
        self.encounter = next(iter(self.encounters.values()), None)
        self.name_conditions(self.conditions)

    def ties_from(self, name: str, tie: str) -> tuple[str, ...]:
        """Return the beings that a being has this tie to, sorted."""
        return self._own_ties().get((name, tie), ())

    def ties_to(self, name: str, tie: str) -> tuple[str, ...]:
        """Return the beings that have this tie to a being, in order of joining."""
        return self._ties_of_others().get((name, tie), ())

    @derived("links")
    def _own_ties(self) -> Ties:
        """Return the ties that each being has, sorted."""
        return grouped(((one, tie), other) for one, tie, other in sorted(self.links))

    @derived("links", "beings")
    def _ties_of_others(self) -> Ties:
        """Return the ties that others have to each being, in order of joining. Who is not in play is left out."""
        joined = {being.name: being.joined for being in self.beings.values()}
        links = sorted([link for link in self.links if link[0] in joined], key=lambda link: joined[link[0]])
        return grouped(((other, tie), one) for one, tie, other in links)

    def wounds_of(self, name: str) -> Wounds:
        """Return a being's wounds with their ids, oldest first."""
        return self._wounds_by_being().get(name, ())

    @derived("wounds")
    def _wounds_by_being(self) -> Mapping[str, Wounds]:
        """Return the wounds of each being with their ids, oldest first."""
        wounds = sorted(self.wounds.items(), key=lambda item: item[1].taken)
        return grouped((who, (id, wound)) for (who, id), wound in wounds)

    def conditions_of(self, name: str) -> Conditions:
        """Return a being's conditions with their ids, oldest first."""
        return self._conditions_by_being().get(name, ())

    @derived("conditions")
    def _conditions_by_being(self) -> Mapping[str, Conditions]:
        """Return the conditions of each being with their ids, oldest first."""
        return grouped((pair[1].who, pair) for pair in oldest_first(self.conditions.items()))


def oldest_first(conditions: Iterable[tuple[str, Condition]]) -> list[tuple[str, Condition]]:
    """Return conditions with their ids in the order in which they began."""
    return sorted(conditions, key=lambda pair: (pair[1].since, pair[0]))
