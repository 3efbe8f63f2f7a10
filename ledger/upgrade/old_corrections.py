"""The corrections of an old ledger, made again in a new one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Generic

import msgspec

from ledger.builtin import BUILTIN, Correct
from ledger.corrections.amend import note_error, plan_amendment
from ledger.corrections.compensate import compensate
from ledger.corrections.correction import Correction, write_correction
from ledger.corrections.undo import plan_undo
from ledger.declarations import Declaration
from ledger.errors import Refused
from ledger.facts import EntryId, parse_entry_id
from ledger.game import decoder
from ledger.projection import S
from ledger.records import ENCODER, Record
from ledger.redecide import Input
from ledger.service import Ledger
from ledger.upgrade.old_records import OldRecord
from ledger.whatif import Edit, WhatIf, WhatIfResult

NOTES = ("stand", "compensate")


class OldCorrections(Generic[S]):
    """What corrections of an old ledger said, and the takes that they caused."""

    def __init__(self, ledger: Ledger[S], old: Sequence[OldRecord]) -> None:
        self.ledger = ledger
        self._decoder = decoder(ledger.game, BUILTIN)
        self._caused: dict[str, list[OldRecord]] = {}
        for record in old:
            if record.cause is not None:
                self._caused.setdefault(record.cause, []).append(record)

    def decode(self, record: OldRecord) -> Declaration:
        """Return what a record says. Raises Refused if the rules do not have such a declaration any more."""
        try:
            return self._decoder.decode(msgspec.json.encode(record.declaration))
        except msgspec.MsgspecError as error:
            raise Refused("L-RULES", f"the rulebook cannot read the declaration: {error}") from error

    def make(self, record: OldRecord) -> Record:
        """Make a correction again, and return its record. Raises Refused if it is not possible any more."""
        said = self.decode(record)
        assert isinstance(said, Correct)
        ledger, outcomes = self.ledger, dict(said.edits)
        entries = {parse_entry_id(name.partition("@")[0]): outcome for name, outcome in said.edits}
        if set(outcomes.values()) <= set(NOTES):
            return self._note(record, said)
        if "revoke" in outcomes.values():
            revoked = next(id for id, outcome in entries.items() if outcome == "revoke")
            correction = plan_undo(ledger, revoked, by=said.by, because=said.because)
        elif "undo" in outcomes.values():
            correction = self._plan_undo(said, entries)
        else:
            correction = self._amendment(record, said, entries)
        return write_correction(ledger, correction, at=record.at, line=record.line, request=record.request)[0]

    def _plan_undo(self, said: Correct, entries: Mapping[EntryId, str]) -> Correction:
        """Plan the undo of the last line again. Those who said it together may each have a line of their own now."""
        correction = plan_undo(self.ledger, by=said.by, because=said.because)
        if dict(correction.said.edits).keys() == dict(said.edits).keys():
            return correction
        what_if = WhatIf(self.ledger.store, self.ledger.game, self.ledger.projection)
        edits = {id: Edit(input=None, outcome="undo") for id in entries}
        return Correction(said=said, what_if=what_if.run(edits))

    def _note(self, record: OldRecord, said: Correct) -> Record:
        """Note an error again, with the adjustments that were made for it."""
        self.ledger.refresh()
        nothing = WhatIfResult(
            head=self.ledger.state.head, outcomes=(), need=None, rule_difference=None, before={}, after={}
        )
        correction, outcome = Correction(said=said, what_if=nothing, seen=record.seen), said.edits[0][1]
        if outcome == "stand":
            return note_error(self.ledger, correction, outcome, at=record.at, line=record.line, request=record.request)
        adjustments = [(self.decode(caused), caused.line) for caused in self._caused.get(str(record.id), ())]
        own, *_ = compensate(
            self.ledger, correction, adjustments, at=record.at, line=record.line, request=record.request
        )
        return own

    def _amendment(self, record: OldRecord, said: Correct, entries: Mapping[EntryId, str]) -> Correction:
        """Plan an amendment again. A later entry that needs dice gets those that it was given then."""
        caused = {take.id: take for take in self._caused.get(str(record.id), ())}
        edits = {id: self._edit(caused.get(id), outcome) for id, outcome in entries.items()}
        while True:
            correction = plan_amendment(self.ledger, edits, by=said.by, because=said.because, agreed=said.agreed)
            need = correction.what_if.need
            if need is None or need.id in edits or need.id not in caused:
                return correction
            edits[need.id] = self._edit(caused[need.id], "answer")

    def _edit(self, take: OldRecord | None, outcome: str) -> Edit:
        """Return the edit that gives an entry what this take of it says."""
        if take is None or not take.declaration:
            return Edit(input=None, outcome=outcome)
        faces = take.faces
        new = Input(
            declaration_json=msgspec.Raw(ENCODER.encode(self.decode(take))),
            by=take.by,
            line=take.line_with(take.all_faces),
            faces=take.all_faces or None,
            faces_by_purpose=faces or None,
            claims=tuple((name, value) for name, value in take.declared.get("claims", ())),
            seen=take.seen,
        )
        return Edit(input=new, outcome=outcome)
