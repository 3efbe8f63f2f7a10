"""Amend, insert or drop earlier entries, or note an error and let it stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from ledger.acts import entries_of_line
from ledger.builtin import AddWords, CloseSession, CommitChain, Correct, CreateCampaign, OpenSession
from ledger.corrections.correction import Correction, check_planned_at, correction_record, take_name
from ledger.corrections.undo import last_line
from ledger.errors import Refused
from ledger.facts import (
    VISIBLE,
    Amended,
    CampaignCreated,
    ChainCommitted,
    EntryId,
    SessionClosed,
    SessionOpened,
    WordsAdded,
)
from ledger.implied_passes import implying_entry
from ledger.projection import S
from ledger.records import Record
from ledger.redaction.line_redaction import Hidden, says_hidden, seen_line
from ledger.redaction.public_records import hidden_by
from ledger.redecide import Input, TakeHistory
from ledger.service import Ledger
from ledger.whatif import Edits, WhatIf

NEVER_AMENDED: Final = (CampaignCreated, SessionOpened, SessionClosed, WordsAdded, ChainCommitted)
NOT_AMENDABLE: Final = (CreateCampaign, OpenSession, CloseSession, AddWords, CommitChain, Correct)


def plan_amendment(
    ledger: Ledger[S],
    edits: Edits,
    *,
    by: str,
    because: str,
    agreed: Sequence[str] = (),
    what_if: WhatIf[S] | None = None,
) -> Correction:
    """Plan a correction with these edits. Raises Refused for entries that cannot be amended.

    `what_if` decides the entries again, if the caller wants to ask it how far it is.
    """
    ledger.refresh()
    head = ledger.state.head
    what_if = what_if or WhatIf(ledger.store, ledger.game, ledger.projection)
    for id, edit in edits.items():
        if edit.outcome == "insert":
            _check_insertable(ledger, id, edits)
        else:
            _check_amendable(ledger, id)
        if edit.input is not None and isinstance(what_if.decoder.decode(edit.input.declaration_json), NOT_AMENDABLE):
            raise Refused(
                "L-AMEND",
                f"this declaration is not allowed in a correction at {id}",
                hint="Use another line: openings, closings, words for the dice and corrections cannot be inserted.",
            )
    result = check_planned_at(head, what_if.run(edits), ledger)
    history = TakeHistory(ledger.store.takes(after=EntryId(min(edits).session, -1)))
    pairs = tuple((take_name(history, id), edit.outcome) for id, edit in sorted(edits.items()))
    hidden = hidden_by(ledger.projection.hidden_beings(ledger.state.state), ledger.game)
    secret = any(
        edit.input is not None and _tells_secret(edit.input, history.entries.get(id, ()), hidden)
        for id, edit in edits.items()
    )
    said = Correct(by=by, edits=pairs, because=because, agreed=tuple(agreed))
    return Correction(said=said, what_if=result, tells_secret=secret)


def _tells_secret(new: Input, takes: Sequence[Record], hidden: Hidden) -> bool:
    """Return whether the players may not read a new line of an entry, although its takes tell them nothing secret."""
    if new.seen != VISIBLE:
        return all(take.seen == VISIBLE for take in takes)
    if seen_line(new.line) == new.line or not says_hidden(msgspec.json.decode(new.declaration_json), hidden):
        return False
    earlier = (take.declared.said for take in takes if take.declared is not None)
    return not any(says_hidden(msgspec.json.decode(said), hidden) for said in earlier)


def note_error(
    ledger: Ledger[S], correction: Correction, outcome: str, *, at: str, line: str, request: str | None = None
) -> Record:
    """Append a note of the error that changes nothing else. Raises Overtaken if the ledger has moved on."""
    own = correction_record(ledger, correction.as_note(outcome), at=at, line=line, request=request)
    ledger.append([own], after=correction.head)
    return own


def check_not_last(ledger: Ledger[S], edits: Edits) -> None:
    """Raise Refused if the last line of an open session is dropped: said again, it could not take its number."""
    state = ledger.state
    dropped = [id for id, edit in edits.items() if edit.outcome == "drop" and id.session == state.last.session]
    if state.session.open and dropped and (last := last_line(ledger)).id in dropped:
        said = {take.id for take in entries_of_line(ledger.store, last)}
        then = " Then amend the others." if set(edits) - said else ""
        then = " Then say it for the others." if said - set(dropped) else then
        raise Refused("L-AMEND", f"entry {last.id} is the last line", hint=f"Undo it: campaign undo {last.id}.{then}")


def _check_insertable(ledger: Ledger[S], id: EntryId, edits: Edits) -> None:
    """Raise Refused unless the entry before exists and this is the next insert after it."""
    before = EntryId(id.session, id.number)
    inserts = {take.id.insert for take in ledger.store.takes(after=EntryId(id.session, id.number, -1), upto=id)}
    if 0 not in inserts:
        raise Refused("L-AMEND", f"there is no entry {before} to insert after", hint="Look at the log: campaign log.")
    edited = {other.insert for other in edits if (other.session, other.number) == (id.session, id.number)}
    if id.insert in inserts or not inserts | edited >= set(range(id.insert)):
        raise Refused("L-AMEND", f"nothing can be inserted at {id}", hint=f"Name the entry before it: {before}.")


def _check_amendable(ledger: Ledger[S], id: EntryId) -> None:
    """Raise Refused for a missing entry, an opening, a closing, words for the dice, and a correction."""
    takes = list(ledger.store.takes(after=id.before, upto=id))
    if not takes or not takes[-1].facts:
        raise Refused("L-AMEND", f"there is no entry {id} that counts", hint="Look at the log: campaign log.")
    if takes[-1].has(*NEVER_AMENDED):
        raise Refused(
            "L-AMEND",
            f"entry {id} cannot be amended",
            hint="Amend another entry: openings, closings and words for the dice cannot change.",
        )
    if implying := implying_entry(takes[-1]):
        hint = f"Amend {implying}, or insert a line before it."
        raise Refused("L-AMEND", f"entry {id} is a pass that entry {implying} implies", hint=hint)
    if takes[-1].has(Amended):
        raise Refused("L-AMEND", f"entry {id} is a correction itself", hint=f"Undo it: campaign undo {id}.")
