"""The projection: one table of kinds of facts and their folds, and the state packed and unpacked.

A kind that is not in the table changes no state (`ledger.facts.UNFOLDED`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import itemgetter
from types import GenericAlias
from typing import Any, Final, get_args, get_type_hints

import msgspec

from ledger.errors import OutOfBalance
from ledger.facts import VISIBLE, BaseFact, EntryId, Withheld
from ledger.projection import ChangedValue, RowChange, Value
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
    scenes,
    tokens,
    windows,
    wounds,
)
from projections.partial import begin_partial, fold_stated
from projections.read_models import READ_MODELS, row_changes
from projections.state import Folds, State
from projections.value_changes import commit_index, value_changes
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
    **scenes.FOLDS,
    Withheld: begin_partial,
}


def _pairs(kind: Any) -> GenericAlias:
    """Return the type of a dict's items: pairs of key and item, because keys of JSON are strings."""
    return GenericAlias(tuple, (GenericAlias(tuple, get_args(kind)), ...))


PACKED: Final[Any] = msgspec.defstruct(
    "PackedState",
    [*((part, _pairs(kind)) for part, kind in get_type_hints(State).items()), ("partial", bool, False)],
    forbid_unknown_fields=True,
)
KEY: Final = itemgetter(0)  # of an item: comparing the keys alone takes half as long as comparing items
ENCODER: Final = msgspec.json.Encoder()
DECODER: Final = msgspec.json.Decoder(PACKED)


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
            state.fact = fact
            try:
                fold(state, entry, fact)
            except OutOfBalance:
                if not state.partial:
                    raise
                fold_stated(state, entry, fact)

    def fold(self, state: State, entry: EntryId, facts: Iterable[BaseFact]) -> None:
        """Fold the facts of an entry, one after the other."""
        for fact in facts:
            if type(fact) in FOLDS:
                self.step(state, entry, fact)

    def mark(self, state: State) -> int:
        """Return a point to roll back to."""
        return len(state.journal)

    def roll_back(self, state: State, mark: int) -> None:
        """Undo every step since `mark`."""
        state.roll_back(mark)

    def commit(self, state: State) -> None:
        """Make all steps so far permanent."""
        if state.index is not None:
            commit_index(state)
        state.journal.clear()

    def pack(self, state: State) -> bytes:
        """Return the state as canonical JSON."""
        packed: dict[str, object] = {part: sorted(items.items(), key=KEY) for part, items in state.parts.items()}
        return ENCODER.encode({**packed, "partial": True} if state.partial else packed)

    def unpack(self, body: bytes) -> State:
        """Return the state that was packed. Raises msgspec.ValidationError for other bytes."""
        packed, state = DECODER.decode(body), State()
        for part, items in state.parts.items():
            items.update(getattr(packed, part))
        state.look_up_again()
        state.partial = packed.partial
        return state

    def values(self, state: State) -> Mapping[str, Value]:
        """Return every value by name."""
        return values(state)

    def openings(self, state: State) -> Mapping[str, EntryId]:
        """Return the open windows, each with the entry that opened it."""
        return {name: window.opened for name, window in state.windows.items()}

    def hidden_beings(self, state: State) -> frozenset[str]:
        """Return the beings whose numbers the players do not see."""
        return frozenset(being.name for being in state.beings.values() if being.seen != VISIBLE)

    def value_changes(self, state: State) -> Iterable[ChangedValue]:
        """Return the values that changed since they were last asked for, or since the last commit."""
        return value_changes(state)

    def row_changes(self, state: State) -> Iterable[RowChange]:
        """Return the rows of the read models that changed since the last commit."""
        return row_changes(state)
