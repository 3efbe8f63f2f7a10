"""Decide the entries of a changed world, one after the other, each with the dice that it had.

The run ends at an entry that needs a face that was never drawn, or where the world on record is the same again.
In an open session the seed is not read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final, Generic, Protocol

import msgspec

from ledger import implied_passes
from ledger.declarations import Declaration
from ledger.dice import Dice, DieKey, RecordedDice, TypedDice
from ledger.errors import BadFaces, LedgerError, NeverDrawn, Refused, stored_errors
from ledger.facts import Declared, EntryId, Fact
from ledger.game import GameProtocol, NextTurn
from ledger.ledger_state import LedgerState, RollbackPoint, decide_and_fold
from ledger.odds import Chance, count_odds
from ledger.projection import S
from ledger.records import ENCODER, Record
from ledger.redecide import Input, RevealedSeed, TakeHistory, dice_for_entry, invalidation, typed_faces_used
from ledger.whatif.outcomes import Edit, Edits, EntryOutcome, Need, entry_outcome, pass_outcome
from ledger.whatif.record import RecordedWorld
from ledger.whatif.remedies import Remedy, find_remedy
from ledger.whatif.turns import FightMoment, Passes

MAX_PASSES: Final = 100  # of turns before one entry


class Act(msgspec.Struct):
    """Where the state is to go back to if a declaration is refused after its implied passes, and the first refusal."""

    mark: RollbackPoint
    moment: FightMoment
    passes: int
    inserted: dict[EntryId, int]
    refused: Refused | None = None


class ThrowNumbers(Protocol):
    """Numbers the throws of a changed world that no take has had."""

    def next(self, entry: EntryId, purpose: str) -> int:
        """Return the number of a new throw of a purpose in an entry."""

    def link(self, session: int, die: DieKey) -> str:
        """Return the link that a shared die has had in a session; empty if it had none."""

    def replace(self, entry: EntryId, before: Iterable[Fact], after: Iterable[Fact]) -> None:
        """Note the facts of a take that is written in place of another."""


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
        passes: Passes,
        throws: ThrowNumbers,
        inserted: Mapping[EntryId, int] | None = None,
    ) -> None:
        """`state` is that before the first edit, `recorded` the world on record from there on.

        `throws` numbers the throws that no take has had. `inserted` gives the last insert after an entry where
        `history` does not reach back to it.
        """
        self.game, self.decoder, self.state, self.history = game, decoder, state, history
        self.seeds, self.edits, self.recorded = seeds, edits, recorded
        self.passes, self.throws, self.moment = passes, throws, passes.start
        self.need: Need | None = None
        self.decided = 0  # entries so far
        self._passes: list[EntryOutcome] = []
        self._remedy: Remedy | None = None  # of the entry that is decided
        self._declared = {*history.entries, *edits} - history.implied
        self._recorded_passes = history.implied & history.entries.keys()
        self._inserted = dict(inserted or {})  # the last insert after each number

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
            self._remedy = None
            after = () if said is None else self._decide(id, said, edit, takes, before)
            if after is not None:
                self._void_passes(id)
            yield from self._passes
            self._passes.clear()
            if after is None:
                return
            self.state.projection.commit(self.state.state)
            self.moment = self.moment.after(after)
            record = takes[-1] if takes else None
            if after or (record is not None and record.facts):
                outcome = entry_outcome(id, edit, said, record, after, self._remedy)
                if outcome.writes:
                    self.throws.replace(id, record.facts if record else (), after)
                yield outcome
            self.decided += 1
            if self.recorded.joins(id, self.state):
                yield from self.recorded.outcomes_left()
                return
            before = id

    def _decide(
        self, id: EntryId, said: Input, edit: Edit | None, takes: Sequence[Record], before: EntryId
    ) -> tuple[Fact, ...] | None:
        """Return the facts of an entry; None if it needs a face."""
        act, declaration = self._begin_act(), None
        while True:
            dice = self._dice(id, said, takes, in_order=edit is not None and edit.in_order)
            try:
                declaration = self._read(said)
                facts = decide_and_fold(self.game, self.state, declaration, dice, id, said.claims)
                return (_declared(said, typed_faces_used(dice)), *facts)
            except Refused as error:
                act.refused = act.refused or error
                if declaration and error.first is not None and self._imply_pass(declaration, error, id):
                    continue
                if edit is not None and not edit.may_be_refused:
                    raise error.at(f"entry {id}") from error
                if declaration is None or not self._pass_turn(before, id):
                    self._take_back(act)
                    if declaration is not None and not self.passes.are_written:
                        self._remedy = self._find_remedy(declaration, said, takes, before, id)
                    return (_declared(said, said.faces), invalidation(act.refused))
                if self.passes.are_written:
                    act = self._begin_act()  # they stay, whatever comes of the entry
            except (NeverDrawn, BadFaces) as error:
                assert declaration is not None
                self.need = self._need(id, said, declaration, error)
                return None

    def _begin_act(self) -> Act:
        """Return where to go back to if a declaration is refused after passes that it would imply."""
        return Act(self.state.mark(), self.moment, len(self._passes), dict(self._inserted))

    def _take_back(self, act: Act) -> None:
        """Take back the passes before a refused declaration: it is not possible after them either."""
        self.state.roll_back(act.mark)
        self.moment = act.moment
        del self._passes[act.passes :]
        self._inserted = act.inserted

    def _imply_pass(self, said: Declaration, refused: Refused, id: EntryId) -> bool:
        """Decide the next pass that a declaration implies, in an entry before it; return whether there was one."""
        place = next(self._free_places(id), None)
        passing = implied_passes.next_pass(self.game, self.state, said, refused)
        if place is None or passing is None:
            return False
        try:
            implied = implied_passes.fold_pass(self.game, self.state, passing, place, id)
        except LedgerError:
            return False
        self._inserted[implied_passes.place_before(id)] = place.insert
        self.moment = self.moment.after(implied.facts)
        takes = self.history.entries.get(place, ())
        said_json, by, line = implied.declared.said, implied.declared.by, implied.declared.line
        input = Input(declaration_json=said_json, by=by, line=line)
        self._passes.append(pass_outcome(place, input, takes[-1] if takes else None, implied.facts))
        return True

    def _free_places(self, id: EntryId) -> Iterator[EntryId]:
        """Yield the ids for passes of an entry, behind every line that stands between it and the one before."""
        at = implied_passes.place_before(id)
        fixed = (other.insert for other in self._declared if at <= other < id)
        return implied_passes.free_inserts(id, max(self._inserted.get(at, 0), *fixed, 0))

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
            next_throw, known_link = partial(self.throws.next, id), partial(self.throws.link, id.session)
            return dice_for_entry(self.state, takes, self.seeds, said.declaration_json, next_throw, known_link)
        if in_order or said.faces_by_purpose is None:
            return TypedDice(said.faces)
        return RecordedDice(said.faces_by_purpose, "table")

    def _pass_turn(self, before: EntryId, id: EntryId) -> bool:
        """Pass a turn in which nobody speaks any more, in an entry after `before`. Return whether there was one."""
        new = self._free_insert(before)
        if len(self._passes) > MAX_PASSES or not before < new < id:
            return False
        for turn in self._next_turns():
            if not self.passes.allow(turn, self.moment, new, id):
                continue
            mark, moment = self.state.mark(), self.moment
            if (facts := self._fold_pass(turn.passing, new)) is None:
                continue
            if self.passes.are_beyond(self.moment, id):
                self.state.roll_back(mark)
                self.moment = moment
                continue
            self._inserted[EntryId(new.session, new.number)] = new.insert
            raw = msgspec.Raw(ENCODER.encode(turn.passing))
            said = Input(declaration_json=raw, by=turn.passing.by, line=implied_passes.pass_line(turn.passing))
            after = (_declared(said, None), *facts)
            self._passes.append(EntryOutcome(id=new, outcome="new turn", input=said, before=None, after=after))
            return True
        return False

    def _next_turns(self) -> Sequence[NextTurn]:
        """Return the turns that may be passed now."""
        with stored_errors("the state after entry", self.state.last):
            return tuple(self.game.next_turns(self.state.state))

    def _fold_pass(self, passing: Declaration, new: EntryId) -> list[Fact] | None:
        """Return the facts of a pass in the entry `new`, folded; None if it is refused, or needs a die."""
        try:
            facts = decide_and_fold(self.game, self.state, passing, implied_passes.NO_DICE, new)
        except LedgerError:
            return None
        self.moment = self.moment.after(facts)
        return facts

    def _find_remedy(
        self, declaration: Declaration, said: Input, takes: Sequence[Record], before: EntryId, id: EntryId
    ) -> Remedy | None:
        """Return the lines after `before` with which a refused declaration is possible, if there are any."""
        new = self._free_insert(before)
        if not before < new < id:
            return None
        is_possible = partial(self._is_possible, declaration, said, takes, id)
        with stored_errors("the state after entry", self.state.last):
            return find_remedy(self.game, self.state, before, new, is_possible)

    def _is_possible(self, declaration: Declaration, said: Input, takes: Sequence[Record], id: EntryId) -> bool:
        """Return whether a declaration would be taken now, after what it implies. Nothing is folded."""
        try:
            with self.state.trial():
                dice = partial(self._dice, id, said, takes, in_order=False)
                implied_passes.decide_with_passes(
                    self.game, self.state, declaration, dice, id, (), self._free_places(id)
                )
        except NeverDrawn:
            return True
        except LedgerError:
            return False
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
