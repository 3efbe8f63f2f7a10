"""Compare the world on record with the world of some edits, from the first edit up to the present, across sessions."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Generic

import msgspec

from ledger.builtin import BUILTIN
from ledger.dice import Dice, TypedDice
from ledger.diff import ReplayDifference, first_difference, refused_difference
from ledger.errors import LedgerError, NewerRules
from ledger.facts import EntryId, Fact, parse_entry_id
from ledger.game import GameProtocol, decoder
from ledger.implied_passes import between, implied_entries, implying_entry, place_before, start_of
from ledger.ledger_state import LedgerState, load_state
from ledger.projection import Projection, S
from ledger.records import Record, latest_takes
from ledger.redecide import RevealedSeed, TakeHistory, dice_for_entry, redecide, revealed_seeds
from ledger.replay import pass_difference
from ledger.store import Store
from ledger.throws import ChangedThrows
from ledger.whatif.outcomes import Edits, WhatIfResult
from ledger.whatif.record import RecordedWorld
from ledger.whatif.run import AlternativeRun, last_insert
from ledger.whatif.turns import FightMoment, UnusedTurns


class WhatIf(Generic[S]):
    """A what-if over one ledger."""

    def __init__(
        self, store: Store, game: GameProtocol[S], projection: Projection[S], revision: int | None = None
    ) -> None:
        """`revision` is that of the rules by which every session is decided, in place of the one that it records."""
        self.revision = revision
        self.store, self.game, self.projection = store, game, projection
        self.decoder = decoder(game, BUILTIN)
        self.entries = 0  # that are decided again at most
        self._run: AlternativeRun[S] | None = None

    @property
    def decided(self) -> int:
        """How many entries were decided again so far."""
        return self._run.decided if self._run else 0

    def run(
        self,
        edits: Edits,
        *,
        start: EntryId | None = None,
        upto: EntryId | None = None,
        chosen: Sequence[Fact] = (),
        restored: int | None = None,
    ) -> WhatIfResult:
        """Decide every entry from the first edit on again, up to the present or to the entry `upto`.

        It ends where the record is the same again: nothing that comes later can have changed.

        `chosen` are facts (readings of the book) that hold from `start` on, else from the first edit.
        `restored` is the position of the correction that the edits undo: no turn is passed for what was refused then.
        Raises Refused when the rules do not allow an edit.
        """
        position = (head := self.store.head()).position
        first = self._first_of_act(min((*edits, *([start] if start else []))))
        history = TakeHistory(self.store.takes(after=first.before, as_of=position), upto=upto)
        seeds = revealed_seeds(self.store.takes(after=EntryId(first.session, -1), as_of=position))
        old, new = (load_state(self.store, self.projection, at=first.before, as_of=position) for _ in range(2))
        rules = RuleCheck(self, history, seeds, {id for id, edit in edits.items() if edit.input is None})
        recorded = RecordedWorld(old, history, edits, rules.check)
        new.supposed_revision = self.revision
        for fact in chosen:
            new.step(first, fact)
        inputs = {id: edit.input for id, edit in edits.items()}
        refused = () if restored is None else history.refused(before=restored)
        passes = UnusedTurns(self._moment_before(first, position), history, inputs, refused)
        place = place_before(first)
        inserted = {place: last_insert((take.id for take in between(self.store, first)), place)}
        throws = ChangedThrows(self.store, position)
        run = AlternativeRun(self.game, self.decoder, new, history, seeds, edits, recorded, passes, throws, inserted)
        self.entries, self._run = run.entries, run
        outcomes = tuple(run.outcomes())
        if recorded.is_joined:
            old = new = load_state(self.store, self.projection, at=upto, as_of=position)
        else:
            recorded.fold_rest()
        return WhatIfResult(
            head=head,
            outcomes=outcomes,
            need=run.need,
            rule_difference=rules.difference,
            before=old.values(),
            after=new.values(),
        )

    def _moment_before(self, first: EntryId, position: int) -> FightMoment:
        """Return the moment before an entry, as far as its session tells."""
        takes = self.store.takes(after=EntryId(first.session, -1), upto=first.before, as_of=position)
        return FightMoment().after(fact for take in latest_takes(takes) for fact in take.facts)

    def _first_of_act(self, id: EntryId) -> EntryId:
        """Return the first entry of the act of an entry: the passes that it implies are decided again with it."""
        return start_of(id, implied_entries(between(self.store, id)))


class RuleCheck(Generic[S]):
    """Finds the first entry on record that the installed rules decide differently, without any change."""

    def __init__(
        self, what_if: WhatIf[S], history: TakeHistory, seeds: Mapping[int, RevealedSeed], dropped: Container[EntryId]
    ) -> None:
        """Entries that are `dropped` need not be possible any more."""
        self.game, self.decoder = what_if.game, what_if.decoder
        self.history, self.seeds, self.dropped = history, seeds, dropped
        self.difference: ReplayDifference | None = None

    def check(self, state: LedgerState[S], takes: Sequence[Record]) -> bool:
        """Decide the last of these takes of an entry again in the state before it; return whether none differs yet."""
        if self.difference is None and takes[-1].id not in self.dropped:
            self.difference = self._rule_difference(state, takes) or self._pass_difference(state, takes[-1])
        return self.difference is None

    def _pass_difference(self, state: LedgerState[S], record: Record) -> ReplayDifference | None:
        """Return the difference of a pass from the one that its entry implies by the installed rules."""
        if not (implying := implying_entry(record)):
            return None
        takes = self.history.entries.get(parse_entry_id(implying), ())
        return pass_difference(self.game, self.decoder, state, record, takes[-1] if takes else None)

    def _rule_difference(self, state: LedgerState[S], takes: Sequence[Record]) -> ReplayDifference | None:
        """Return the first difference between an entry and its decision with the installed rules."""
        record = takes[-1]
        declared = record.declared
        if declared is None:
            return None
        dice: Dice = (
            dice_for_entry(state, takes, self.seeds, declared.said)
            if declared.faces is None
            else TypedDice(declared.faces)
        )
        try:
            with state.trial():
                said = self.decoder.decode(declared.said)
                return first_difference(record, redecide(self.game, state, said, dice, record.id, declared.claims))
        except NewerRules:
            raise
        except (LedgerError, msgspec.MsgspecError) as error:
            return refused_difference(record, error)
