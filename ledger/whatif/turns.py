"""The turns of both worlds: when each line was said on record, and which turns nobody uses in the changed world.

A change gives somebody a turn that they did not have (a being that stays in the fight), or gives one back (the line
that used it is left out). Nobody of the record says anything in such a turn, so it is passed as soon as a later line
needs that. A turn in which a line of its owner is still to come is theirs, and is never passed.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import Final, Protocol

import msgspec

from ledger.facts import EncounterBegan, EntryId, Fact, Invalidated, Reached
from ledger.game import NextTurn
from ledger.records import ENCODER, Record
from ledger.redecide import Input, TakeHistory

TURN_POINTS: Final = ("slot", "resumed", "handed", "awaited")


class FightMoment(msgspec.Struct, frozen=True, gc=False):
    """A point of the fights: which encounter, its round and phase, and whose turn it is (empty: not said)."""

    encounter: int = 0
    round: int = 0
    phase: str = ""
    turn: str = ""

    def after(self, facts: Iterable[Fact]) -> FightMoment:
        """Return the moment after these facts."""
        moment = self
        for fact in facts:
            if isinstance(fact, EncounterBegan):
                moment = FightMoment(encounter=moment.encounter + 1)
            elif isinstance(fact, Reached):
                turn = fact.who if fact.point in TURN_POINTS else ""
                moment = FightMoment(encounter=moment.encounter, round=fact.round, phase=fact.phase, turn=turn)
        return moment

    def turn_of(self, who: str) -> FightMoment:
        """Return this phase of this round as the turn of somebody."""
        return FightMoment(encounter=self.encounter, round=self.round, phase=self.phase, turn=who)

    def is_later_round(self, other: FightMoment) -> bool:
        """Return whether its round comes after that of another moment."""
        return (self.encounter, self.round) > (other.encounter, other.round)


class Passes(Protocol):
    """Which turns are passed in a changed world. `are_written`: as a correction has done it."""

    start: FightMoment
    are_written: bool

    def allow(self, turn: NextTurn, now: FightMoment, new: EntryId, id: EntryId) -> bool:
        """Return whether a turn is passed in the entry `new`, so that the entry `id` may be possible."""

    def are_beyond(self, moment: FightMoment, id: EntryId) -> bool:
        """Return whether passes for the entry `id` would lead too far."""


class WrittenPasses:
    """The passes that a correction has written: they are decided again, and no others."""

    are_written = True

    def __init__(self, takes: Iterable[Record]) -> None:
        """`takes` are those that the correction has caused."""
        self.start = FightMoment()
        self._said = {take.id: take.declared.said for take in takes if take.declared is not None}

    def allow(self, turn: NextTurn, now: FightMoment, new: EntryId, id: EntryId) -> bool:
        """Return whether the correction has passed this turn in the entry `new`."""
        return self._said.get(new) == msgspec.Raw(ENCODER.encode(turn.passing))

    def are_beyond(self, moment: FightMoment, id: EntryId) -> bool:
        """Return False: they have been written."""
        return False


class UnusedTurns:
    """The turns in which nobody says anything any more with the edits: they are passed.

    An inserted line uses the turn that is open where it is decided, so it keeps no turn before it.
    No pass leads beyond the round in which the entry that needs it was said on record.
    """

    are_written = False

    def __init__(
        self,
        start: FightMoment,
        history: TakeHistory,
        inputs: Mapping[EntryId, Input | None],
        refused: Container[EntryId] = (),
    ) -> None:
        """`start` is the moment before the first entry, `inputs` are those of the edits, None for what is left out.

        No turn is passed for the entries that are to stay `refused`.
        """
        self.start = start
        self._refused = refused
        self._moments: dict[EntryId, FightMoment] = {}
        self._last: dict[FightMoment, EntryId] = {}
        moment = start
        for id in sorted({*history.entries, *inputs}):
            facts = history.entries[id][-1].facts if id in history.entries else ()
            declared = history.entries[id][-1].declared if id in history.entries else None
            own = [moment]
            for fact in facts:
                if (reached := moment.after((fact,))) is not moment:
                    moment = reached
                    own.append(moment)
            self._moments[id] = next((each for each in own[:0:-1] if declared and each.turn == declared.by), own[0])
            if any(isinstance(fact, Invalidated) for fact in facts):
                self._moments[id] = self._when_it_counted(id, history)
            said = inputs.get(id) if id in inputs else declared
            if declared is not None and said is not None and said.by == declared.by and id not in history.implied:
                for each in own:
                    if each.turn in ("", declared.by):
                        self._last[each.turn_of(declared.by)] = id

    def _when_it_counted(self, id: EntryId, history: TakeHistory) -> FightMoment:
        """Return the moment at which an entry that is impossible now was said: before its last take that was not."""
        counted = [take for take in history.entries[id] if take.facts and not take.has(Invalidated)]
        written = counted[-1].position if counted else history.entries[id][0].position
        earlier = (takes for other, takes in history.entries.items() if other < id)
        then = ([take for take in takes if take.position < written][-1:] for takes in earlier)
        return self.start.after(fact for takes in then for take in takes for fact in take.facts)

    def allow(self, turn: NextTurn, now: FightMoment, new: EntryId, id: EntryId) -> bool:
        """Return whether no line of those whose turn it is is still to come in it."""
        last = (self._last.get(now.turn_of(who)) for who in turn.who)
        return id not in self._refused and all(line is None or line < id for line in last)

    def are_beyond(self, moment: FightMoment, id: EntryId) -> bool:
        """Return whether a moment is in a later round than the entry on record, or than the turn that it began."""
        return moment.is_later_round(self._moments.get(id, FightMoment()))
