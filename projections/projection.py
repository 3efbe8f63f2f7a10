"""The tally: one table of fact to function, and the state packed and unpacked.

A fact that is not in the table falls through: it is told, not summed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec

from ledger.facts import BaseFact, EntryId, Scalar
from ledger.projection import RowChange, Value
from projections import beings, tokens
from projections import conditions as holding
from projections import counts as tallying
from projections import encounters as cycle
from projections import options as agreed
from projections import pools as points
from projections import positions as placing
from projections import read_models as tables
from projections import windows as waiting
from projections.state import (
    Being,
    Condition,
    Count,
    Encounter,
    Evolve,
    Place,
    Pool,
    Ruling,
    State,
    Token,
    Window,
    Wound,
)
from projections.values import values

EVOLVE: Final[Evolve] = {
    **beings.EVOLVE,
    **points.EVOLVE,
    **tokens.EVOLVE,
    **tallying.EVOLVE,
    **holding.EVOLVE,
    **cycle.EVOLVE,
    **placing.EVOLVE,
    **waiting.EVOLVE,
    **agreed.EVOLVE,
}


class Packed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A state as it is stored: pairs for what several names are the key of, sorted: equal states, equal bytes."""

    beings: dict[str, Being]
    sheets: tuple[tuple[tuple[str, str], Scalar], ...]
    pools: tuple[tuple[tuple[str, str], Pool], ...]
    tokens: tuple[tuple[tuple[str, str], Token], ...]
    counts: tuple[tuple[tuple[str, str], Count], ...]
    allowances: tuple[tuple[tuple[str, str], int], ...]
    wounds: tuple[tuple[tuple[str, str], Wound], ...]
    conditions: dict[str, Condition]
    places: dict[str, Place]
    links: tuple[tuple[tuple[str, str, str], int], ...]
    encounters: dict[str, Encounter]
    windows: dict[str, Window]
    options: dict[str, Scalar]
    rulings: dict[str, Ruling]
    clock: dict[str, int]


PAIRED: Final = ("sheets", "pools", "tokens", "counts", "allowances", "wounds", "links")
ENCODER: Final = msgspec.json.Encoder(order="deterministic")
DECODER: Final = msgspec.json.Decoder(Packed)


class StateProjection:
    """The tally of every game, over one `State`."""

    read_models: Final = tables.TABLES

    def empty(self) -> State:
        """Nothing has happened yet."""
        return State()

    def step(self, state: State, entry: EntryId, fact: BaseFact) -> None:
        """Fold one fact. Raises OutOfBalance when its numbers are not the sum."""
        evolve = EVOLVE.get(type(fact))
        if evolve is not None:
            evolve(state, entry, fact)

    def mark(self, state: State) -> int:
        """A place to roll back to."""
        return len(state.journal)

    def roll_back(self, state: State, mark: int) -> None:
        """Undo every step since `mark`."""
        state.roll_back(mark)

    def commit(self, state: State) -> None:
        """Forget how to roll back."""
        state.journal.clear()

    def pack(self, state: State) -> bytes:
        """The state as canonical JSON."""
        fields: dict[str, Any] = {name: getattr(state, name) for name in Packed.__struct_fields__}
        for name in PAIRED:
            fields[name] = tuple(sorted(fields[name].items(), key=lambda pair: pair[0]))
        return ENCODER.encode(Packed(**fields))

    def unpack(self, body: bytes) -> State:
        """The state that was packed. Raises msgspec.ValidationError for anything else."""
        packed, state = DECODER.decode(body), State()
        for name in Packed.__struct_fields__:
            setattr(state, name, dict(getattr(packed, name)))
        return state

    def values(self, state: State) -> Mapping[str, Value]:
        """Every value by name."""
        return values(state)

    def row_changes(self, state: State) -> Iterable[RowChange]:
        """The rows of the read tables that were touched since the state was settled."""
        return tables.changes(state)
