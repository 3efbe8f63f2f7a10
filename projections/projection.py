"""The projection: one table of kinds of facts and their folds, and the state packed and unpacked.

A kind that is not in the table changes no state (`ledger.facts.UNFOLDED`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec

from ledger.facts import BaseFact, EntryId, Scalar
from ledger.projection import RowChange, Value
from projections import (
    beings,
    clock,
    conditions,
    counts,
    encounters,
    options,
    pools,
    positions,
    rulings,
    tokens,
    windows,
    wounds,
)
from projections.read_models import READ_MODELS, row_changes
from projections.state import (
    PARTS,
    Being,
    Condition,
    Count,
    Encounter,
    Folds,
    Part,
    Place,
    Pool,
    Ruling,
    State,
    Token,
    Window,
    Wound,
)
from projections.values import values

FOLDS: Final[Folds] = {
    **beings.FOLDS,
    **pools.FOLDS,
    **tokens.FOLDS,
    **counts.FOLDS,
    **conditions.FOLDS,
    **wounds.FOLDS,
    **encounters.FOLDS,
    **positions.FOLDS,
    **windows.FOLDS,
    **options.FOLDS,
    **rulings.FOLDS,
    **clock.FOLDS,
}


class Packed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A state as it is stored. Parts with compound keys are sorted pairs, because JSON keys are strings."""

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


PAIRED: Final[tuple[Part, ...]] = ("sheets", "pools", "tokens", "counts", "allowances", "wounds", "links")
ENCODER: Final = msgspec.json.Encoder(order="deterministic")
DECODER: Final = msgspec.json.Decoder(Packed)


class StateProjection:
    """The projection of every game (see `ledger.projection.Projection`)."""

    read_models: Final = READ_MODELS

    def empty(self) -> State:
        """Return the state before the first fact."""
        return State()

    def step(self, state: State, entry: EntryId, fact: BaseFact) -> None:
        """Fold one fact. Raises OutOfBalance when its numbers differ from the sums in the state."""
        fold = FOLDS.get(type(fact))
        if fold is not None:
            fold(state, entry, fact)

    def mark(self, state: State) -> int:
        """Return a point to roll back to."""
        return len(state.journal)

    def roll_back(self, state: State, mark: int) -> None:
        """Undo every step since `mark`."""
        state.roll_back(mark)

    def commit(self, state: State) -> None:
        """Make all steps so far permanent."""
        state.journal.clear()

    def pack(self, state: State) -> bytes:
        """Return the state as canonical JSON."""
        fields: dict[str, Any] = {**state.parts}
        for part in PAIRED:
            fields[part] = tuple(sorted(state.parts[part].items()))
        return ENCODER.encode(Packed(**fields))

    def unpack(self, body: bytes) -> State:
        """Return the state that was packed. Raises msgspec.ValidationError for other bytes."""
        packed, state = DECODER.decode(body), State()
        for part in PARTS:
            state.parts[part].update(getattr(packed, part))
        return state

    def values(self, state: State) -> Mapping[str, Value]:
        """Return every value by name."""
        return values(state)

    def row_changes(self, state: State) -> Iterable[RowChange]:
        """Return the rows of the read models that changed since the last commit."""
        return row_changes(state)
