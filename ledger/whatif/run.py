"""Decide the entries of a changed world, one after the other, each with the dice that it had.

The run ends at an entry that needs a face that was never drawn, or where the world on record is the same again.
In an open session the seed is not read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Generic

import msgspec

from ledger.declarations import Declaration
from ledger.dice import Dice, RecordedDice, TypedDice
from ledger.errors import BadFaces, LedgerError, NeverDrawn, Refused
from ledger.facts import Declared, EntryId, Fact
from ledger.game import GameProtocol
from ledger.implied_passes import fold_pass, free_inserts, next_pass, place_before
from ledger.ledger_state import LedgerState, RollbackPoint, decide_and_fold
from ledger.odds import Chance, count_odds
from ledger.projection import S
from ledger.records import ENCODER, Record
from ledger.redecide import Input, RevealedSeed, TakeHistory, dice_for_entry, invalidation, typed_faces_used
from ledger.whatif.outcomes import Edit, Edits, EntryOutcome, Need, entry_outcome, pass_outcome
from ledger.whatif.record import RecordedWorld, TurnPoints

MAX_PASSES: Final = 100


class Act(msgspec.Struct):
    """Where the state is to go back to if a declaration is refused after its implied passes, and the first refusal."""

    mark: RollbackPoint
    turn_points: tuple[set[tuple[int, int, str, str]], int]
    passes: int
    inserted: dict[EntryId, int]
    refused: Refused | None = None


class AlternativeRun(Generic[S]):
    """The changed world, entry by entry. After `outcomes` is exhausted, `need` says why the run ended early."""

    def __init__(
        self,
        game: GameProtocol[S],
        decoder: msgspec.json.Decoder[Declaration],
        state: LedgerState[S],
        history: TakeHistory,
        seeds: Mapping[int, RevealedSeed],
        edits: Edits,
        recorded: RecordedWorld[S],
    ) -> None:
        """`state` is that before the first edit, `recorded` the world on record from there on."""
        self.game, self.decoder, self.state, self.history = game, decoder, state, history
        self.seeds, self.edits, self.recorded = seeds, edits, recorded
        self.turn_points = TurnPoints()
        self.need: Need | None = None
        self.decided = 0  # entries so far
        self._passes: list[EntryOutcome] = []
        self._declared = {*history.entries, *edits} - history.implied
        self._recorded_passes = history.implied & history.entries.keys()
        self._inserted: dict[EntryId, int] = {}  # the last insert after each number

    @property
    def entries(self) -> int:
        """How many entries there are to decide."""
        return len(self._declared)

    def outcomes(self) -> Iterator[EntryOutcome]:
        """Yield the outcome of each entry, up to the first that needs a face."""
        ids = sorted(self._declared)
        before = ids[0] if ids else EntryId(0, 0)
        for id in ids:
            takes = self.history.entries.get(id, [])
            edit = self.edits.get(id)
            said = edit.input if edit else self.history.input(id)
            after = () if said is None else self._decide(id, said, edit, takes, before)
            if after is not None:
                self._void_passes(id)
            yield from self._passes
            self._passes.clear()
            if after is None:
                return
            self.state.projection.commit(self.state.state)
            self.turn_points.add(after)
            record = takes[-1] if takes else None
            if after or (record is not None and record.facts):
                yield entry_outcome(id, edit, said, record, after)
            self.decided += 1
            if self.recorded.joins(id, self.state):
                yield from self.recorded.outcomes_left()
                return
            before = id

    def _decide(
        self, id: EntryId, said: Input, edit: Edit | None, takes: Sequence[Record], before: EntryId
    ) -> tuple[Fact, ...] | None:
        """Return the facts of an entry; None if it needs a face."""
        act = self._begin_act()
        while True:
            dice = self._dice(id, said, takes, in_order=edit is not None and edit.in_order)
            try:
                declaration = self._read(said)
                facts = decide_and_fold(self.game, self.state, declaration, dice, id, said.claims)
                return (_declared(said, typed_faces_used(dice)), *facts)
            except Refused as error:
                act.refused = act.refused or error
                if error.first is not None and self._imply_pass(declaration, error, id):
                    continue
                if edit is not None and not edit.may_be_refused:
                    raise error.at(f"entry {id}") from error
                if error.first is None or not self._insert_pass(error.first, before, id):
                    self._take_back(act)
                    return (_declared(said, said.faces), invalidation(act.refused))
                act = self._begin_act()
            except (NeverDrawn, BadFaces) as error:
                self.need = self._need(id, said, declaration, error)
                return None

    def _begin_act(self) -> Act:
        """Return where to go back to if a declaration is refused after passes that it would imply."""
        seen = set(self.turn_points.seen), self.turn_points.encounters
        return Act(self.state.mark(), seen, len(self._passes), dict(self._inserted))

    def _take_back(self, act: Act) -> None:
        """Take back the passes that a refused declaration would have implied."""
        self.state.roll_back(act.mark)
        self.turn_points.seen, self.turn_points.encounters = act.turn_points
        del self._passes[act.passes :]
        self._inserted = act.inserted

    def _imply_pass(self, said: Declaration, refused: Refused, id: EntryId) -> bool:
        """Decide the next pass that a declaration implies, in an entry before it; return whether there was one."""
        at = place_before(id)
        fixed = (other.insert for other in self._declared if at <= other < id)
        place = next(free_inserts(id, max(self._inserted.get(at, 0), *fixed, 0)), None)
        passing = next_pass(self.game, self.state, said, refused)
        if place is None or passing is None:
            return False
        try:
            implied = fold_pass(self.game, self.state, passing, place, id)
        except LedgerError:
            return False
        self._inserted[at] = place.insert
        self.turn_points.add(implied.facts)
        takes = self.history.entries.get(place, ())
        said_json, by, line = implied.declared.said, implied.declared.by, implied.declared.line
        input = Input(declaration_json=said_json, by=by, line=line)
        self._passes.append(pass_outcome(place, input, takes[-1] if takes else None, implied.facts))
        return True

    def _void_passes(self, id: EntryId) -> None:
        """Void the recorded passes before an entry that it does not imply now."""
        self._recorded_passes -= {entry.id for entry in self._passes}
        for other in [other for other in self._recorded_passes if other < id]:
            self._recorded_passes.remove(other)
            if (take := self.history.entries[other][-1]).facts:
                self._passes.append(pass_outcome(other, None, take, ()))
        self._passes.sort(key=lambda entry: entry.id)

    def _read(self, said: Input) -> Declaration:
        """Decode a declaration. Raises Refused if the installed rulebook does not have it."""
        try:
            return self.decoder.decode(said.declaration_json)
        except msgspec.MsgspecError as error:
            raise Refused("L-RULES", f"the rulebook cannot read the declaration: {error}") from error

    def _dice(self, id: EntryId, said: Input, takes: Sequence[Record], *, in_order: bool) -> Dice:
        """Return the dice of an entry: typed faces in order or by purpose, or those from its seed."""
        if said.faces is None:
            return dice_for_entry(self.state, id, takes, self.seeds, said.declaration_json)
        if in_order or said.faces_by_purpose is None:
            return TypedDice(said.faces)
        return RecordedDice(said.faces_by_purpose, "table")

    def _insert_pass(self, passing: Declaration, before: EntryId, id: EntryId) -> bool:
        """Pass a turn that the record did not reach, in an entry after `before`; return whether there was one."""
        new = self._free_insert(before)
        if len(self._inserted) > MAX_PASSES or not before < new < id:
            return False
        mark = self.state.mark()
        try:
            facts = decide_and_fold(self.game, self.state, passing, RecordedDice({}, "seed"), new)
        except LedgerError:
            return False
        known = set(self.turn_points.seen)
        self.turn_points.add(facts)
        if not {turn for turn in self.turn_points.seen if turn[-1] == passing.by} - self.recorded.turn_points.seen:
            self.turn_points.seen = known
            self.state.roll_back(mark)
            return False
        self._inserted[EntryId(new.session, new.number)] = new.insert
        line = f"{passing.by} {(*passing.verbs, '')[0]}"
        said = Input(declaration_json=msgspec.Raw(ENCODER.encode(passing)), by=passing.by, line=line)
        after = (_declared(said, None), *facts)
        self._passes.append(EntryOutcome(id=new, outcome="new turn", input=said, before=None, after=after))
        return True

    def _free_insert(self, before: EntryId) -> EntryId:
        """Return the next id that can be inserted after the number of `before`."""
        number = EntryId(before.session, before.number)
        known = last_insert((*self.history.entries, *self.edits), number)
        last = max(self._inserted.get(number, 0), known)
        return EntryId(number.session, number.number, last + 1)

    def _need(self, id: EntryId, said: Input, declaration: Declaration, error: NeverDrawn | BadFaces) -> Need:
        """Return the dice that an entry needs, with the odds of its results."""

        def chances() -> tuple[Chance, ...]:
            try:
                return count_odds(self.game, self.state, declaration, id).chances
            except LedgerError:
                return ()

        sides = error.sides if isinstance(error.sides, tuple) else (error.sides,)
        return Need(id=id, line=said.line, purpose=error.purpose, sides=sides, why=str(error), odds=chances)


def last_insert(entries: Iterable[EntryId], at: EntryId) -> int:
    """Return the highest insert after an entry, 0 if there is none."""
    return max((id.insert for id in entries if (id.session, id.number) == (at.session, at.number)), default=0)


def _declared(said: Input, faces: tuple[int, ...] | None) -> Declared:
    """Return the first fact of the take."""
    return Declared(
        by=said.by,
        said=said.declaration_json,
        line=said.line,
        faces=faces,
        claims=said.claims,
        line_start=said.line_start,
        cut_short=said.cut_short,
    )
