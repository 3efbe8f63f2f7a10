"""Compare the world on record with the world of some edits, from the first edit up to the present, across sessions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Generic

import msgspec

from ledger.builtin import BUILTIN
from ledger.dice import Dice, TypedDice
from ledger.diff import ReplayDifference, first_difference, refused_difference
from ledger.errors import LedgerError
from ledger.facts import EntryId, Fact, parse_entry_id
from ledger.game import GameProtocol, decoder
from ledger.implied_passes import between, implied_entries, implying_entry, start_of
from ledger.ledger_state import LedgerState, load_state
from ledger.projection import Projection, S
from ledger.records import Record
from ledger.redecide import RevealedSeed, TakeHistory, dice_for_entry, redecide, revealed_seeds
from ledger.replay import pass_difference
from ledger.store import Store
from ledger.whatif.outcomes import Edits, WhatIfResult
from ledger.whatif.run import AlternativeRun, TurnPoints


class WhatIf(Generic[S]):
    """A what-if over one ledger."""

    def __init__(self, store: Store, game: GameProtocol[S], projection: Projection[S]) -> None:
        self.store, self.game, self.projection = store, game, projection
        self.decoder = decoder(game, BUILTIN)

    def run(
        self, edits: Edits, *, start: EntryId | None = None, upto: EntryId | None = None, chosen: Sequence[Fact] = ()
    ) -> WhatIfResult:
        """Decide every entry from the first edit on again, up to the present or to the entry `upto`.

        `chosen` are facts (readings of the book) that hold from `start` on, else from the first edit.
        Raises Refused when the rules do not allow an edit.
        """
        position = self.store.head().position
        first = self._first_of_act(min((*edits, *([start] if start else []))))
        history = TakeHistory(self.store.takes(after=first.before, as_of=position), upto=upto)
        seeds = revealed_seeds(self.store.takes(after=EntryId(first.session, -1), as_of=position))
        old, new = (load_state(self.store, self.projection, at=first.before, as_of=position) for _ in range(2))
        dropped = {id for id, edit in edits.items() if edit.input is None}
        turn_points, rule_difference = self._fold_record(old, history, seeds, dropped)
        for fact in chosen:
            new.step(first, fact)
        run = AlternativeRun(self.game, self.decoder, new, history, seeds, edits, turn_points)
        return WhatIfResult(
            position=position,
            outcomes=tuple(run.outcomes()),
            need=run.need,
            rule_difference=rule_difference,
            before=old.values(),
            after=new.values(),
        )

    def _first_of_act(self, id: EntryId) -> EntryId:
        """Return the first entry of the act of an entry: the passes that it implies are decided again with it."""
        return start_of(id, implied_entries(between(self.store, id)))

    def _fold_record(
        self, state: LedgerState[S], history: TakeHistory, seeds: Mapping[int, RevealedSeed], dropped: set[EntryId]
    ) -> tuple[TurnPoints, ReplayDifference | None]:
        """Fold the record; return its turns, and the first entry that the installed rules decide differently."""
        turn_points, difference = TurnPoints(), None
        for id, takes in history.entries.items():
            record = takes[-1]
            if difference is None and id not in dropped:
                difference = self._rule_difference(state, takes, seeds)
                difference = difference or self._pass_difference(state, takes[-1], history)
            state.fold(record)
            turn_points.add(record.facts)
        return turn_points, difference

    def _pass_difference(self, state: LedgerState[S], record: Record, history: TakeHistory) -> ReplayDifference | None:
        """Return the difference of a pass from the one that its entry implies by the installed rules."""
        if not (implying := implying_entry(record)):
            return None
        takes = history.entries.get(parse_entry_id(implying), ())
        return pass_difference(self.game, self.decoder, state, record, takes[-1] if takes else None)

    def _rule_difference(
        self, state: LedgerState[S], takes: Sequence[Record], seeds: Mapping[int, RevealedSeed]
    ) -> ReplayDifference | None:
        """Return the first difference between an entry and its decision with the installed rules."""
        record = takes[-1]
        declared = record.declared
        if declared is None:
            return None
        dice: Dice = (
            dice_for_entry(state, record.id, takes, seeds, declared.said)
            if declared.faces is None
            else TypedDice(declared.faces)
        )
        mark = state.mark()
        try:
            said = self.decoder.decode(declared.said)
            return first_difference(record, redecide(self.game, state, said, dice, record.id, declared.claims))
        except (LedgerError, msgspec.MsgspecError) as error:
            return refused_difference(record, error)
        finally:
            state.roll_back(mark)
