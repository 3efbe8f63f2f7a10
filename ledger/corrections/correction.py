"""A planned correction: its declaration, its changes, and writing it.

A correction is planned at a head and written at that head, or not at all (Overtaken). It is one transaction: its own
entry (`Correct`), then new takes of the entries whose facts differ. It is refused where an entry needs faces or a
choice that only the players have, and where the installed rules decide the record differently without any change.
"""

from __future__ import annotations

import msgspec

from ledger.builtin import Correct, decide_builtin
from ledger.errors import Refused
from ledger.facts import GM, VISIBLE, Declared, EntryId
from ledger.projection import S
from ledger.records import ENCODER, Head, Record
from ledger.redecide import TakeHistory
from ledger.service import Ledger
from ledger.store import overtaken
from ledger.whatif import WhatIfResult


class Correction(msgspec.Struct, frozen=True, kw_only=True):
    """A planned correction: its declaration, and the outcome of every later entry.

    `tells_secret`: it gives an entry a line that the players may not read, although they see the takes of that entry.
    """

    said: Correct
    what_if: WhatIfResult
    tells_secret: bool = False
    seen: str = VISIBLE

    @property
    def head(self) -> Head:
        """The head at which it was planned."""
        return self.what_if.head

    def as_note(self, outcome: str) -> Correction:
        """Return a correction that changes nothing: every entry that it names gets this outcome.

        A line that tells a secret stands in no take of its own then, so that the note is secret itself.
        """
        edits = tuple((take, outcome) for take, _ in self.said.edits)
        said = msgspec.structs.replace(self.said, edits=edits)
        return msgspec.structs.replace(self, said=said, seen=GM if self.tells_secret else VISIBLE)


def check_planned_at(head: Head, what_if: WhatIfResult, ledger: Ledger[S]) -> WhatIfResult:
    """Return `what_if`. Raises Overtaken if the ledger has moved on from the head at which it was asked for."""
    if what_if.head != head:
        raise overtaken(ledger.store, head)
    return what_if


def take_name(history: TakeHistory, id: EntryId) -> str:
    """Return the name of the take that counts (`1.4@1`); for a new entry its id."""
    takes = history.entries.get(id)
    return f"{id}@{takes[-1].take}" if takes else str(id)


def check_writable(correction: Correction) -> None:
    """Raise Refused if a die is not known, or if the installed rules decide the record differently."""
    if (difference := correction.what_if.rule_difference) is not None:
        raise Refused(
            "L-RULES",
            f"the installed rules decide entry {difference.entry} differently even without the change ({difference})",
            hint="Use --stand or --compensate, or amend it with the rulebook that it was played with.",
        )
    check_dice_known(correction.what_if)


def check_dice_known(what_if: WhatIfResult) -> None:
    """Raise Refused if an entry needs faces that were never drawn: the later entries are unknown."""
    if what_if.need is not None:
        id = what_if.need.id
        raise Refused(
            "L-NEEDS",
            f"entry {id} needs faces that were never drawn: {what_if.need.why}",
            hint=f"Type them (--faces {id} /7.6), or remove it (--drop {id}).",
        )


def write_correction(
    ledger: Ledger[S], correction: Correction, *, at: str, line: str, request: str | None = None
) -> tuple[Record, list[Record]]:
    """Append a correction and the takes that it causes; return both.

    Raises Refused like `check_writable`, Overtaken if the ledger has moved on.
    """
    check_writable(correction)
    own = correction_record(ledger, correction, at=at, line=line, request=request)
    takes = [own]
    for outcome in correction.what_if.outcomes:
        if outcome.writes:
            before, input = outcome.before, outcome.input
            takes.append(
                Record(
                    position=own.position + len(takes),
                    session=outcome.id.session,
                    number=outcome.id.number,
                    insert=outcome.id.insert,
                    take=before.take + 1 if before else 1,
                    cause=str(own.id),
                    request=None,
                    by=input.by if input and outcome.after else own.by,
                    holder=own.holder,
                    door=own.door,
                    at=at,
                    seen=input.seen if input else before.seen if before else own.seen,
                    facts=outcome.after,
                )
            )
    ledger.append(takes, after=correction.head)
    return own, takes[1:]


def correction_record(ledger: Ledger[S], correction: Correction, *, at: str, line: str, request: str | None) -> Record:
    """Return the entry of the correction itself. Raises Overtaken if the ledger has moved on."""
    state, said = ledger.state, correction.said
    if state.head != correction.head:
        raise overtaken(ledger.store, correction.head)
    facts = tuple(decide_builtin(said, state.session, state.values))
    declared = Declared(by=said.by, said=msgspec.Raw(ENCODER.encode(said)), line=line, faces=None)
    return Record(
        position=correction.head.position + 1,
        session=state.last.session,
        number=state.last.number + 1,
        insert=0,
        take=1,
        cause=None,
        request=request,
        by=said.by,
        holder=ledger.sender.holder,
        door=ledger.sender.door,
        at=at,
        seen=correction.seen,
        facts=(declared, *facts),
    )
