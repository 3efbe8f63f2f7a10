"""The lines of an old ledger, said again in a new one, with the faces that they had."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Generic

import msgspec

from ledger.builtin import Tell
from ledger.declarations import Declaration
from ledger.declared_line import DeclaredLine
from ledger.dice import AskedDice
from ledger.errors import BadFaces, Damaged, LedgerError, NeverDrawn, Refused
from ledger.facts import GM, EntryId
from ledger.implied_passes import decide_with_passes, free_ids
from ledger.names import escape
from ledger.projection import S
from ledger.records import Record
from ledger.service import Ledger
from ledger.upgrade.old_corrections import OldCorrections
from ledger.upgrade.old_records import OldRecord


class ReplayedLedger(Generic[S]):
    """A new ledger, empty at first, into which the records of an old one are played.

    Attributes:
        refused: for each entry that cannot be said any more a sentence: a note stands in its place.
    """

    def __init__(self, ledger: Ledger[S], old: Sequence[OldRecord], write_line: Callable[[Declaration], str]) -> None:
        """`write_line` returns the line of a declaration, for those of a line of several."""
        self.ledger, self.old, self._write_line = ledger, old, write_line
        self.refused: list[str] = []
        self.corrections = OldCorrections(ledger, old)

    def play(self) -> None:
        """Play all of it. Raises Damaged if an entry gets another number, so that nothing after it would fit."""
        for line in self._lines():
            first = line[0]
            try:
                made = [record.id for record in self._say(line)]
            except (Refused, BadFaces, NeverDrawn) as error:
                self.refused += (f"{record.id}: not possible any more, {error}" for record in line)
                made = [self._note(record) for record in line]
            if made != [record.id for record in line]:
                raise Damaged(
                    f"it has number {made[0]} in the new ledger, so that nothing after it fits",
                    where=f"entry {first.id}",
                    hint="The ledger cannot be moved: run its session files into a new campaign.",
                )

    def _lines(self) -> Iterator[list[OldRecord]]:
        """Yield what was said, in order: the records of each line, which several may have said."""
        own = (record for record in self.old if record.is_own)
        for _, group in groupby(own, key=lambda record: record.declared.get("line_start") or record.position):
            line = list(group)
            if line[1:] and any(record.faces for record in line):  # typed faces are those of one who says a line
                yield from ([self._alone(record)] for record in line)
            else:
                yield line

    def _say(self, line: Sequence[OldRecord]) -> Sequence[Record]:
        """Say a line again, and return its records."""
        first, ledger = line[0], self.ledger
        said = first.declaration
        match said["say"]:
            case "create-campaign":
                return [ledger.create(said["name"], at=first.at, ledger=said["ledger"])]
            case "open-session":
                return [ledger.open_session(said["title"], at=first.at, players=tuple(said.get("players", ())))]
            case "close-session":
                return [ledger.close_session(at=first.at)]
            case "correct":
                return [self.corrections.make(first)]
        return self._declare(line, [self.corrections.decode(record) for record in line])

    def _alone(self, record: OldRecord) -> OldRecord:
        """Return a record with a line that only its speaker says, in place of one of several."""
        _, arrow, claim = record.line.partition(" => ")
        try:
            line = self._write_line(self.corrections.decode(record)) + arrow + claim
        except Refused:
            return record  # saying it will raise this again
        return msgspec.structs.replace(record, facts=({**record.declared, "line": line}, *record.facts[1:]))

    def _declare(self, line: Sequence[OldRecord], said: Sequence[Declaration]) -> Sequence[Record]:
        """Declare what a line says, with the faces that it had."""
        first, ask = line[0], OldFaces(line)
        declared = DeclaredLine(
            at=first.at,
            text=first.line_with(self._faces_in_order(said[0], ask)),
            ask=ask,
            request=line[-1].request,
            seen=first.seen,
            claims=tuple((name, value) for name, value in first.declared.get("claims", ())),
        )
        return self.ledger.declare_each(said, declared)

    def _note(self, record: OldRecord) -> EntryId:
        """Write a note in place of a line that cannot be said any more, so that all others keep their numbers."""
        text = f"In the ledger before the upgrade: {escape(record.line or record.declaration['say'])}"
        said = Tell(by=GM, kind="fiction", who=GM, text=text)
        return self.ledger.declare(said, at=record.at, line=f"!! > {text}", seen=GM).id

    def _faces_in_order(self, said: Declaration, ask: OldFaces) -> tuple[int, ...]:
        """Return the faces that a declaration throws now, in the order in which a line has to name them."""
        ledger, dice = self.ledger, list[AskedDice]()
        state, entry = ledger.state, ledger.state.next_entry()

        def new_dice() -> AskedDice:
            dice.append(AskedDice(ask))
            return dice[-1]

        try:
            with state.trial():
                decide_with_passes(ledger.game, state, said, new_dice, entry, (), free_ids(ledger.store, entry))
        except LedgerError:
            return ()  # saying it will raise this again
        return dice[-1].used_faces


class OldFaces:
    """The faces that were thrown for a line, by purpose: what an old die showed, the new one shows."""

    def __init__(self, line: Sequence[OldRecord]) -> None:
        self._faces = {purpose: dice for record in line for purpose, dice in record.faces.items()}

    def __call__(self, purpose: str, sides: tuple[int, ...]) -> tuple[int, ...]:
        """Return the faces of a throw. Raises NeverDrawn if these dice were not thrown."""
        dice = self._faces.get(purpose, [])[: len(sides)]
        if tuple(most for most, _ in dice) != sides:
            raise NeverDrawn(purpose, sides)
        return tuple(face for _, face in dice)
