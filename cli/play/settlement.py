"""Settle an error that is found later: retcon, stand or compensate, as chosen or as the policy says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from cli.notation.formatter import format_declaration
from cli.notation.tokens import OUTCOMES
from ledger.builtin import correction_policy
from ledger.corrections.amend import note_error
from ledger.corrections.compensate import compensate, plan_compensation
from ledger.corrections.correction import Correction, check_writable, write_correction
from ledger.errors import Refused
from ledger.facts import EntryId
from ledger.names import valid_name
from ledger.records import Record
from ledger.service import Ledger
from projections.state import State

AGES: Final = {
    "same_round": "of this round",
    "same_session": "of this session",
    "earlier_session": "of an earlier session",
}


class Settlement(msgspec.Struct, frozen=True, kw_only=True):
    """A correction, how it was settled (empty: not at all), and the records that were written."""

    correction: Correction
    outcome: str
    age: str
    records: tuple[Record, ...]
    left: tuple[str, ...] = ()  # values that no adjustment can set


def parse_people(text: str) -> tuple[str, ...]:
    """Return names written with commas between them. Raises Unreadable for what is no name."""
    return tuple(valid_name(part.strip(), where="agreed") for part in text.split(",") if part.strip())


def usual_outcome(ledger: Ledger[State], correction: Correction, age: str) -> str | None:
    """Return how a correction is settled where nobody says it; None: the table is asked. A mere text is rewritten."""
    policy = OUTCOMES[0] if correction.what_if.is_text else correction_policy(age, ledger.state.values())
    return policy if policy in OUTCOMES else None


def settle(
    ledger: Ledger[State],
    correction: Correction,
    outcome: str | None,
    age: str,
    *,
    line: str,
    at: str,
    only: Sequence[str] = (),
    passing: bool = False,
    request: str | None = None,
) -> Settlement:
    """Write a correction with this outcome, or nothing (None).

    `only`: the values to compensate, else all. `passing`: beings to whom the change gives a turn skip it.
    Raises Refused where the players have to be asked first.
    """
    records: tuple[Record, ...] = ()
    left: list[str] = []
    if outcome in ("retcon", "compensate"):
        check_edits_have_faces(correction)
    if outcome == "retcon":
        check_writable(correction)
        check_new_turns(correction, passing=passing)
        own, takes = write_correction(ledger, correction, at=at, line=line, request=request)
        records = (own, *takes)
    elif outcome == "stand":
        records = (note_error(ledger, correction, "stand", at=at, line=line, request=request),)
    elif outcome == "compensate":
        check_values_differ(correction, only)
        adjustments, left = plan_compensation(ledger, correction, only)
        pairs = [(adjustment, format_declaration(adjustment)) for adjustment in adjustments]
        own, more = compensate(ledger, correction, pairs, at=at, line=line, request=request)
        records = (own, *more)
    return Settlement(correction=correction, outcome=outcome or "", age=age, records=records, left=tuple(left))


def check_edits_have_faces(correction: Correction) -> None:
    """Raise Refused if an edited entry itself needs faces: they are typed with the edit."""
    need = correction.what_if.need
    if need is not None and str(need.id) in {entry.partition("@")[0] for entry, _ in correction.said.edits}:
        faces = ".".join(str((sides + 1) // 2) for sides in need.sides)
        raise Refused(
            "L-NEEDS",
            f"entry {need.id} needs faces that were never drawn, for '{need.purpose}'",
            hint=f"Roll them at the table and add them to the change, as in: {need.line} /{faces}",
        )


def check_values_differ(correction: Correction, only: Iterable[str]) -> None:
    """Raise Refused if a value is to be compensated that ends the same."""
    differing = [name for name, _, _ in correction.what_if.value_changes]
    for value in only:
        if correction.what_if.need is None and value not in differing:
            hint = (
                f"Different at the end: {', '.join(differing)}."
                if differing
                else "All values end the same: use --stand."
            )
            raise Refused("L-AMEND", f"'{value}' ends the same with the change", hint=hint)


def check_new_turns(correction: Correction, *, passing: bool) -> None:
    """Raise Refused if the change gives somebody a turn that is neither played nor passed."""
    turns = correction.what_if.entries_with_outcome("new turn")
    if turns and not passing:
        behind = EntryId(turns[0].id.session, turns[0].id.number)
        raise Refused(
            "L-OPENED",
            "; ".join(f"the change gives {turn.input.by} a turn at {turn.id}" for turn in turns if turn.input),
            hint=f"Add --pass to skip it, or --insert {behind} 'LINE' to play it.",
        )
