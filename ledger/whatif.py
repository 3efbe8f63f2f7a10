"""Foreseeing: what everything since an entry would be, had something else been said there. Nothing is written.

The entries from the first change on are decided again, in order, up to the present and across sessions, each with
the dice that it had. Two worlds stand side by side: the one on record, and the one that would have been. Each entry
is sorted by what the change makes of it:

- `unchanged`, `carried` (the same but for running values), `changed`;
- `no longer possible`: the rules refuse it now; `possible again`: an earlier correction had made it impossible;
- `newly open`: a place in the order that was lost in the record comes up. Whoever it is passes it, unless something is
  put in for them: that is an entry of its own behind the last (`3.42+1`);
- `amended`, `put in`, `left out`, `brought back`: the change itself;
- where an entry needs a face that was never drawn, the run ends: `Need` says whose and with what odds. While a
  session is open its seed is not even read.

An entry of which today's rules make something else than the record, without any change, is told (`otherwise`): what
is foreseen behind it mixes the change with the rules, and is never written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, Generic, Literal

import msgspec

from ledger.builtin import BUILTIN
from ledger.declarations import Declaration
from ledger.dice import Dice, RecordedDice, TypedDice
from ledger.diff import diff_values
from ledger.errors import BadFaces, LedgerError, NeverDrawn, Refused
from ledger.facts import BaseFact, Declared, EncounterBegan, EntryId, Fact, Invalidated, Reached
from ledger.field_diff import ReplayDifference, first_difference
from ledger.game import GameProtocol, decoder
from ledger.odds import Chance, odds
from ledger.position import LedgerState, decide_and_fold, load_state
from ledger.projection import Projection, S, Value
from ledger.records import ENCODER, Record
from ledger.redecide import (
    Input,
    RevealedSeed,
    TakeHistory,
    dice_for_entry,
    invalidation,
    redecide,
    revealed_seeds,
    typed_faces_used,
)
from ledger.store import Store

OutcomeName = Literal[
    "unchanged",
    "carried",
    "changed",
    "no longer possible",
    "possible again",
    "newly open",
    "amended",
    "put in",
    "left out",
    "brought back",
]
EDITED: Final = ("amended", "put in", "left out", "brought back")
RUNNING_FIELDS: Final = ("now", "was", "left")  # fields of facts that only carry on what stood before
MAX_PASSES: Final = 100


class Edit(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be said at an entry instead, or nothing (None). `outcome` is that of `Amended`.

    `in_order`: faces typed in are taken in their order, since they are new, or were thrown for another declaration.
    """

    input: Input | None
    outcome: str
    in_order: bool = False

    @property
    def may_be_refused(self) -> bool:
        """Whether it only brings back what was said: then the rules may refuse it again."""
        return self.outcome in ("restore", "revoke")


Edits = Mapping[EntryId, Edit]


class EntryOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """What becomes of one entry: its take on record, and its facts as they would be (none: it would be left out)."""

    id: EntryId
    outcome: OutcomeName
    input: Input | None
    before: Record | None
    after: tuple[Fact, ...]
    difference: ReplayDifference | None = None
    restored: bool = False  # what was said before a correction counts again, also where the same comes of it

    @property
    def refusal(self) -> str:
        """Why it is no longer possible."""
        return next((f"{fact.code}: {fact.what}" for fact in self.after if isinstance(fact, Invalidated)), "")

    @property
    def writes(self) -> bool:
        """Whether it would be another take."""
        return self.restored or self.before is None or self.before.facts != self.after


class Need(msgspec.Struct, frozen=True, kw_only=True):
    """Where the run ends: an entry needs dice that were never drawn, or other faces than are there."""

    id: EntryId
    line: str
    purpose: str
    sides: tuple[int, ...]
    why: str
    odds: Callable[[], tuple[Chance, ...]]  # counted when asked: up to ten thousand branches


class WhatIfResult(msgspec.Struct, frozen=True, kw_only=True):
    """Both worlds: the fate of each entry from the first change on, and all values at the end."""

    position: int  # of the head at which it was foreseen
    outcomes: tuple[EntryOutcome, ...]
    need: Need | None
    rule_difference: ReplayDifference | None
    before: Mapping[str, Value]
    after: Mapping[str, Value]

    def with_outcome(self, *names: OutcomeName) -> list[EntryOutcome]:
        """The entries with one of these fates."""
        return [found for found in self.outcomes if found.outcome in names]

    @property
    def value_changes(self) -> list[tuple[str, Value | None, Value | None]]:
        """Values that end otherwise: name, on record, as foreseen. None: there is none."""
        return [(apart.value, apart.left, apart.right) for apart in diff_values(self.before, self.after)]


class TurnPoints:
    """Places in the order that have come up: in which encounter, round and phase, and whose."""

    def __init__(self) -> None:
        self.encounters = 0
        self.seen: set[tuple[int, int, str, str]] = set()

    def add(self, facts: Iterable[Fact]) -> None:
        """Take in what has happened."""
        for fact in facts:
            if isinstance(fact, EncounterBegan):
                self.encounters += 1
            elif isinstance(fact, Reached) and fact.point in ("slot", "resumed", "handed", "awaited"):
                self.seen.add((self.encounters, fact.round, fact.phase, fact.who))


class WhatIf(Generic[S]):
    """One ledger, seen once as it is and once as it would be."""

    def __init__(self, store: Store, game: GameProtocol[S], projection: Projection[S]) -> None:
        self.store, self.game, self.projection = store, game, projection
        self.decoder = decoder(game, BUILTIN)

    def run(
        self,
        edits: Edits,
        *,
        start: EntryId | None = None,
        upto: EntryId | None = None,
        chosen: Sequence[Fact] = (),
    ) -> WhatIfResult:
        """What would be with these edits, and with readings `chosen` at the `start` (else the first edit).

        Up to the present, or `upto` an entry. Raises Refused when the rules do not allow what an edit says.
        """
        position = self.store.head().position
        first = min((*edits, *([start] if start else [])))
        past = TakeHistory(self.store.takes(after=first.before, as_of=position), upto=upto)
        seeds = revealed_seeds(self.store.takes(after=EntryId(first.session, -1), as_of=position))
        places = [load_state(self.store, self.projection, at=first.before, as_of=position) for _ in range(2)]
        left_out = {id for id, edit in edits.items() if edit.input is None}
        slots, otherwise = self._fold_record(places[0], past, seeds, left_out)
        new = places[1]
        for fact in chosen:
            new.step(first, fact)
        world = AlternativeRun(self, new, past, seeds, edits, slots)
        fates = tuple(world.outcomes())
        return WhatIfResult(
            position=position,
            outcomes=fates,
            need=world.need,
            rule_difference=otherwise,
            before=places[0].values(),
            after=new.values(),
        )

    def _fold_record(
        self, state: LedgerState[S], history: TakeHistory, seeds: Mapping[int, RevealedSeed], left_out: set[EntryId]
    ) -> tuple[TurnPoints, ReplayDifference | None]:
        """Fold the record; the places that came up in it, and the first entry that is decided otherwise today."""
        slots, otherwise = TurnPoints(), None
        for id, takes in history.entries.items():
            record = takes[-1]
            if otherwise is None and id not in left_out and record.declared is not None:
                otherwise = self._rule_difference(state, record, record.declared, takes, seeds)
            state.fold(record)
            slots.add(record.facts)
        return slots, otherwise

    def _rule_difference(
        self,
        state: LedgerState[S],
        record: Record,
        declared: Declared,
        takes: Sequence[Record],
        seeds: Mapping[int, RevealedSeed],
    ) -> ReplayDifference | None:
        """Where today's rules make something else of an entry than its record."""
        dice: Dice = (
            dice_for_entry(state, record.id, takes, seeds) if declared.faces is None else TypedDice(declared.faces)
        )
        mark = state.mark()
        try:
            said = self.decoder.decode(declared.said)
            return first_difference(record, redecide(self.game, state, said, dice, record.id, declared.claims))
        except (LedgerError, msgspec.MsgspecError) as error:
            return ReplayDifference(
                entry=str(record.id),
                fact=1,
                kind="declared",
                field="said",
                recorded=f"{len(record.facts) - 1} facts",
                derived=str(error),
                rules=(),
            )
        finally:
            state.roll_back(mark)


class AlternativeRun(Generic[S]):
    """The world that would have been, entry by entry."""

    def __init__(
        self,
        sight: WhatIf[S],
        place: LedgerState[S],
        past: TakeHistory,
        seeds: Mapping[int, RevealedSeed],
        edits: Edits,
        recorded: TurnPoints,
    ) -> None:
        self.what_if, self.state, self.history, self.seeds, self.edits = sight, place, past, seeds, edits
        self.recorded, self.turn_points = recorded, TurnPoints()
        self.need: Need | None = None
        self.passes: list[EntryOutcome] = []
        self._inserted: dict[EntryId, int] = {}  # the last insert behind each number

    def outcomes(self) -> Iterator[EntryOutcome]:
        """The fate of each entry, up to the first that needs the table."""
        behind = min((*self.history.entries, *self.edits), default=EntryId(0, 0))
        for id in sorted({*self.history.entries, *self.edits}):
            takes = self.history.entries.get(id, [])
            edit = self.edits.get(id)
            said = edit.input if edit else self.history.input(id)
            after = () if said is None else self._decide(id, said, edit, takes, behind)
            yield from self.passes
            self.passes.clear()
            if after is None:
                return
            self.state.projection.commit(self.state.state)
            self.turn_points.add(after)
            record = takes[-1] if takes else None
            if after or (record is not None and record.facts):
                yield _entry_outcome(id, edit, said, record, after)
            behind = id

    def _decide(
        self, id: EntryId, said: Input, edit: Edit | None, takes: Sequence[Record], behind: EntryId
    ) -> tuple[Fact, ...] | None:
        """The facts of an entry as they would be; None where it needs the table."""
        while True:
            dice = self._dice(id, said, takes, in_order=edit is not None and edit.in_order)
            try:
                declaration = self._read(said)
                facts = decide_and_fold(self.what_if.game, self.state, declaration, dice, id, said.claims)
                return (_declared(said, typed_faces_used(dice)), *facts)
            except Refused as error:
                if edit is not None and not edit.may_be_refused:
                    raise error.at(f"entry {id}") from error
                if not self._insert_pass(error, behind, id):
                    fact = invalidation(error)
                    return (_declared(said, said.faces), fact)
            except (NeverDrawn, BadFaces) as error:
                self._set_need(id, said, declaration, error)
                return None

    def _read(self, said: Input) -> Declaration:
        """What was said. Raises Refused where today's rulebook does not know it any more."""
        try:
            return self.what_if.decoder.decode(said.said)
        except msgspec.MsgspecError as error:
            raise Refused("L-RULES", f"the rulebook cannot read what was said: {error}") from error

    def _dice(self, id: EntryId, said: Input, takes: Sequence[Record], *, in_order: bool) -> Dice:
        """The dice that an entry meets: those of the table by purpose or in their order, or its seed."""
        if said.faces is None:
            return dice_for_entry(self.state, id, takes, self.seeds)
        if in_order or said.faces_by_purpose is None:
            return TypedDice(said.faces)
        return RecordedDice(said.faces_by_purpose, "table")

    def _insert_pass(self, error: Refused, behind: EntryId, id: EntryId) -> bool:
        """Whether somebody else's place has newly come up before this: then it is passed, as an entry of its own."""
        if error.first is None or len(self._inserted) > MAX_PASSES:
            return False
        number = EntryId(behind.session, behind.number)
        last = self._inserted.get(number) or last_insert((*self.history.entries, *self.edits), number)
        new = EntryId(number.session, number.number, last + 1)
        if not behind < new < id:
            return False
        mark = self.state.mark()
        try:
            facts = decide_and_fold(self.what_if.game, self.state, error.first, RecordedDice({}, "seed"), new)
        except LedgerError:
            return False
        known = set(self.turn_points.seen)
        self.turn_points.add(facts)
        if not {slot for slot in self.turn_points.seen if slot[-1] == error.first.by} - self.recorded.seen:
            self.turn_points.seen = known
            self.state.roll_back(mark)
            return False
        self._inserted[number] = new.insert
        by, verb = error.first.by, (*error.first.verbs, "")[0]
        said = Input(said=msgspec.Raw(ENCODER.encode(error.first)), by=by, line=f"{by} {verb}")
        self.passes.append(
            EntryOutcome(id=new, outcome="newly open", input=said, before=None, after=(_declared(said, None), *facts))
        )
        return True

    def _set_need(self, id: EntryId, said: Input, declaration: Declaration, error: NeverDrawn | BadFaces) -> None:
        """The run ends here: what the entry asks of the table, and its odds."""

        def chances() -> tuple[Chance, ...]:
            try:
                return odds(self.what_if.game, self.state, declaration, id).chances
            except LedgerError:
                return ()

        sides = error.sides if isinstance(error.sides, tuple) else (error.sides,)
        self.need = Need(id=id, line=said.line, purpose=error.purpose, sides=sides, why=str(error), odds=chances)


def last_insert(entries: Iterable[EntryId], at: EntryId) -> int:
    """The highest number of what was put in behind an entry, 0 where nothing was."""
    return max((id.insert for id in entries if (id.session, id.number) == (at.session, at.number)), default=0)


def _declared(said: Input, faces: tuple[int, ...] | None) -> Declared:
    """The first fact of the take."""
    return Declared(by=said.by, said=said.said, line=said.line, faces=faces, claims=said.claims)


def _entry_outcome(
    id: EntryId, edit: Edit | None, said: Input | None, record: Record | None, after: tuple[Fact, ...]
) -> EntryOutcome:
    """The fate of an entry: what was changed on purpose, or else what differs."""
    facts = record.facts if record else ()
    difference = first_difference(record, after[1:]) if record and record.facts and after else None
    return EntryOutcome(
        id=id,
        outcome=_outcome_name(edit, facts, after),
        input=said,
        before=record,
        after=after,
        difference=difference,
        restored=edit is not None and edit.outcome == "restore",
    )


def _outcome_name(edit: Edit | None, before: Sequence[Fact], after: Sequence[Fact]) -> OutcomeName:
    """The name of a fate."""
    if edit is not None:
        if before and after:
            return "amended"
        return "left out" if not after else "brought back" if edit.may_be_refused else "put in"
    if before == after:
        return "unchanged"
    was, now = (any(isinstance(fact, Invalidated) for fact in facts) for facts in (before, after))
    if was != now:
        return "no longer possible" if now else "possible again"
    return "carried" if without_running_values(before) == without_running_values(after) else "changed"


def without_running_values(facts: Sequence[BaseFact]) -> list[BaseFact]:
    """The facts without their running values."""
    return [
        msgspec.structs.replace(fact, **{name: 0 for name in RUNNING_FIELDS if name in fact.__struct_fields__})
        for fact in facts
    ]
