"""The correction that an edit of a session file would be: planned, so that it can be shown, and written.

A changed line amends its entry, an inserted one is a new entry before that of the line that follows it, a removed one
is dropped, or undone if it is the last line of the ledger. A changed last line that needs dice is undone too: said
again as a new line, it meets the dice of its number.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import msgspec

from cli.notation import claims, formatter
from cli.notation.edits import parse_change
from cli.notation.line_parser import ParsedLine, parse_each
from cli.notation.tokens import AMEND_MARK, is_text, normalize_line
from cli.play import declare, only_speaker, result_claims, settlement
from cli.play.file_alignment import FileEdit
from cli.play.taken_lines import TakenLine
from cli.questions.correction_line_check import read_amend_line, read_tilde_line
from cli.questions.edits import entries_at, line_input, recorded_input
from cli.questions.line_scope import line_scope
from ledger.corrections.amend import plan_amendment
from ledger.corrections.correction import Correction, write_correction
from ledger.corrections.undo import last_line, plan_undo
from ledger.declarations import Declaration, with_fallbacks
from ledger.dice import RecordedDice
from ledger.errors import LedgerError, NeverDrawn, Refused, Unreadable
from ledger.facts import GM, EntryId
from ledger.ledger_state import LedgerState, decide_and_fold, load_state
from ledger.records import ENCODER, Record
from ledger.redecide import Input
from ledger.service import Ledger
from ledger.whatif import Edit, last_insert
from projections.projection import StateProjection
from projections.state import State
from rulebooks.common.game import Game

NO_DICE: Final = RecordedDice({}, "seed")


class PlannedEdit(msgspec.Struct, frozen=True, kw_only=True):
    """The correction that an edit would be, and the line that it is recorded with."""

    edit: FileEdit
    correction: Correction
    line: str

    @property
    def is_undo(self) -> bool:
        """Whether it takes back the last line or a correction."""
        return any(outcome in ("undo", "revoke") for _, outcome in self.correction.said.edits)


class EditPlanner:
    """Plans and writes the corrections that the edits of a file would be."""

    def __init__(self, ledger: Ledger[State], book: Game, because: str) -> None:
        self.ledger, self.book, self.because = ledger, book, because

    def plan(self, edit: FileEdit) -> PlannedEdit | None:
        """Return the correction; None if the ledger says the same already. Raises LedgerError for an impossible one."""
        if edit.line is None:
            assert edit.taken is not None
            return self._plan_removal(edit, edit.taken)
        if declare.is_correction(edit.line.text) or (edit.taken and edit.taken.is_correction):
            entry = f": campaign undo {edit.taken.id}" if edit.taken and edit.taken.is_correction else ""
            raise Refused(
                "L-AMEND",
                "a correction cannot be amended or inserted",
                hint=f"Undo it{entry}" if entry else "Put it at the end of the file",
            )
        if edit.taken is None:
            return self._plan_insert(edit, edit.line.text)
        try:
            return self._plan_change(edit, edit.taken, edit.line.text)
        except Refused as error:
            if not error.is_idle:
                raise
            return self._plan_removal(edit, edit.taken)  # what stands there now lets go nothing

    def write(self, planned: PlannedEdit, *, at: str, request: str) -> list[Record]:
        """Append a planned correction, and return its records. Raises Refused, or Overtaken if the ledger moved on."""
        if not planned.is_undo:
            settlement.check_edits_have_faces(planned.correction)
            settlement.check_new_turns(planned.correction, passing=False)
        own, takes = write_correction(self.ledger, planned.correction, at=at, line=planned.line, request=request)
        return [own, *takes]

    def _plan_removal(self, edit: FileEdit, taken: TakenLine) -> PlannedEdit:
        """Plan to take back a removed line."""
        if taken.is_correction:
            correction = plan_undo(self.ledger, taken.id, by=GM, because=self.because)
            return PlannedEdit(edit=edit, correction=correction, line=f"undo {taken.id}")
        if self._is_last(taken):
            return self._plan_undo(edit)
        edits = {id: Edit(input=None, outcome="drop") for id in taken.entries}
        line = " ".join([AMEND_MARK, *(f"--drop {id}" for id in taken.entries)])
        return PlannedEdit(edit=edit, correction=self._amendment(edits), line=line)

    def _plan_undo(self, edit: FileEdit) -> PlannedEdit:
        """Plan to undo the last line of the ledger."""
        correction = plan_undo(self.ledger, by=GM, because=self.because)
        return PlannedEdit(edit=edit, correction=correction, line="undo")

    def _plan_change(self, edit: FileEdit, taken: TakenLine, text: str) -> PlannedEdit | None:
        """Plan to amend the entries of a changed line."""
        if any(result_claims.is_result_claim(text, take) for take in taken.takes):
            text = claims.without_claims(text)  # what came of the old line
        said = self._parse(text, self._state_at(taken.entries[0].before), taken.takes[0].by)
        if len(said) != len(taken.entries):
            return self._plan_removal(edit, taken)  # what stands there now is said by others
        edits, same, line, is_open = dict[EntryId, Edit](), True, "", True
        for id, parsed in zip(taken.entries, said, strict=True):
            recorded, declaration = recorded_input(self.ledger.store, self.book, id)
            same = same and _says_the_same(parsed, recorded) and parsed.seen == recorded.seen
            seen, is_open = parsed.seen, {parsed.seen, recorded.seen} == {"table"}
            parsed, line = self._readable(parsed, declaration, recorded, id)
            new = line_input(parsed, claims=parsed.claims or recorded.claims, seen=seen)
            new = msgspec.structs.replace(new, line_start=recorded.line_start)
            edits[id] = Edit(input=new, outcome="retcon", in_order=True)
        if same:
            return None
        correction = self._amendment(edits)
        if correction.what_if.need is not None and self._is_last(taken):
            return self._plan_undo(edit)
        return PlannedEdit(edit=edit, correction=correction, line=line if is_open and len(edits) == 1 else "")

    def _plan_insert(self, edit: FileEdit, text: str) -> PlannedEdit | None:
        """Plan to insert a line before the entry of the line that follows it; None if it would let go nothing."""
        assert edit.before is not None
        if edit.before.entries[0].insert and edit.is_text and is_text(edit.before.line):
            drop = {edit.before.id: Edit(input=None, outcome="drop")}  # it is inserted again behind the new text
            return PlannedEdit(
                edit=edit, correction=self._amendment(drop), line=f"{AMEND_MARK} --drop {edit.before.id}"
            )
        id = self._free_insert(edit)
        state = self._state_at(id.before)
        said = self._parse(text, state)
        if len(said) > 1:
            names = ", ".join(parsed.declaration.by for parsed in said)
            hint = "Write a line for each of them, or put it at the end of the file."
            raise Unreadable(f"the line is for {names}", hint=hint)
        if all(type(parsed.declaration).lets_go for parsed in said) and self._is_idle(said, state, id):
            return None
        new = line_input(said[0], claims=said[0].claims, seen=said[0].seen)
        edits = {id: Edit(input=new, outcome="insert", in_order=True)}
        line = f"{AMEND_MARK} --insert {EntryId(id.session, id.number)} {said[0].line}"
        expected = ("insert", str(EntryId(id.session, id.number)), said[0].line)
        if said[0].secret or expected not in _readings(line):
            line = ""  # a secret is not told by its correction
        return PlannedEdit(edit=edit, correction=self._amendment(edits), line=line)

    def _free_insert(self, edit: FileEdit) -> EntryId:
        """Return the entry in which an inserted line is put. Raises Refused if none is between its neighbours."""
        assert edit.before is not None
        before, after = edit.before.entries[0], edit.after.id if edit.after else EntryId(edit.before.id.session, 0)
        at = EntryId(before.session, before.number if before.insert else before.number - 1)
        id = EntryId(at.session, at.number, 1 + last_insert(entries_at(self.ledger.store, at), at))
        if edit.before.is_correction or not after < id < before:
            hint = "Put the new line behind it, or at the end of the file"
            raise Refused("L-REQUEST", f"nothing can be inserted before {edit.before.line}", hint=hint)
        return id

    def _amendment(self, edits: dict[EntryId, Edit]) -> Correction:
        """Plan a correction with these edits."""
        return plan_amendment(self.ledger, edits, by=GM, because=self.because)

    def _is_last(self, taken: TakenLine) -> bool:
        """Return whether a line is the last of the ledger, which can be undone."""
        with suppress(Refused):
            return last_line(self.ledger).id in taken.entries
        return False

    def _state_at(self, id: EntryId) -> LedgerState[State]:
        """Return the state after an entry."""
        return load_state(self.ledger.store, StateProjection(), at=id)

    def _parse(self, text: str, state: LedgerState[State], by: str = "") -> Sequence[ParsedLine]:
        """Return what each of its speakers says with the line; one that may mean several is said by `by`."""
        scope = line_scope(state, self.book)
        line = only_speaker.with_known_speaker(normalize_line(text), by, scope)
        return parse_each(only_speaker.with_only_speaker(line, state, self.book, scope), scope)

    def _readable(
        self, parsed: ParsedLine, declaration: Declaration, recorded: Input, id: EntryId
    ) -> tuple[ParsedLine, str]:
        """Return what a line says, and the line of its correction: one from which it can be read again.

        A line that might be a change of the old one is written in full; one that cannot be read has none.
        """
        scope = line_scope(self._state_at(id.before), self.book)
        texts = [parsed.line]
        with suppress(Unreadable):
            texts.append(formatter.format_line(parsed, scope))
        for text in texts:
            line = f"{AMEND_MARK} {id} {text}"
            with suppress(LedgerError):
                again = parse_change(text, declaration, recorded.faces, scope)
                is_same = (again.recorded, again.faces, again.claims) == (parsed.recorded, parsed.faces, parsed.claims)
                if is_same and ("retcon", str(id), text) in _readings(line) and again.line == text:
                    return again, line
        return parsed, ""

    def _is_idle(self, said: Sequence[ParsedLine], state: LedgerState[State], id: EntryId) -> bool:
        """Return whether a line would let go nothing."""
        try:
            for parsed in said:
                decide_and_fold(self.book, state, parsed.declaration, NO_DICE, id)
        except Refused as error:
            return error.is_idle
        except NeverDrawn:
            return False
        return False


def _says_the_same(parsed: ParsedLine, recorded: Input) -> bool:
    """Return whether a line says what is recorded, in other words; claims do not count."""
    given = bytes(recorded.declaration_json)
    said = {ENCODER.encode(each) for each in (parsed.recorded, parsed.declaration)}
    said |= {ENCODER.encode(with_fallbacks(each)) for each in (parsed.recorded, parsed.declaration)}
    used = len(recorded.faces or ())  # more may have been typed
    return given in said and (parsed.faces if recorded.faces is None else (parsed.faces or ())[:used]) == recorded.faces


def _readings(line: str) -> list[tuple[str, str, str]]:
    """Return the changes that the line of a correction can be read as."""
    with suppress(LedgerError):
        return [change for changes in (*read_tilde_line(line), *read_amend_line(line)) for change in changes]
    return []
