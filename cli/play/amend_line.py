"""Lines that amend an earlier entry: `~ 11 v4 because="the wall" agreed=Ana,Bo retcon`."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Final

import msgspec

from cli.notation.claims import CLAIM_LINE_MARK
from cli.notation.tokens import (
    OUTCOMES,
    SHORT_ENTRY,
    LineToken,
    normalize_line,
    text_in_change,
    tokenize,
    without_lead_in,
)
from cli.play.settlement import AGES, Settlement, parse_people, settle, usual_outcome
from cli.questions.edits import EditArguments, parse_edits
from ledger.acts import entries_of_line
from ledger.corrections.age import entry_age
from ledger.corrections.amend import check_not_last, plan_amendment
from ledger.corrections.undo import last_line
from ledger.errors import Refused, Unreadable
from ledger.facts import ENTRY_ID, GM, EntryId, Rolled, parse_entry_id
from ledger.records import Record
from ledger.service import Ledger
from ledger.whatif import Edit
from projections.state import State
from rulebooks.common.game import Game

CLOSES: Final = ("close", "! close")
DROP: Final = "drop"  # the change that leaves an entry out


class TildeLine(msgspec.Struct, frozen=True, kw_only=True):
    """What a `~` line says."""

    entry: EntryId
    is_named: bool
    change: str
    because: str
    agreed: tuple[str, ...]
    outcome: str | None


def parse_tilde(line: str, ledger: Ledger[State], book: Game) -> TildeLine:
    """Return the parts of the line, which names an entry or means the last line. Raises Unreadable for no change."""
    told = text_in_change(line)
    tokens, text = (tokenize(f"{told[0]} {told[2]}"), told[1]) if told else (tokenize(" " + line[1:]), "")
    named = pop_entry(tokens, ledger)
    because, change = "", [text] if text else list[str]()
    agreed: tuple[str, ...] = ()
    for token in tokens:
        left, *right = token.split("=", 1)
        if right and left.raw == "because":
            because = right[0].text
        elif right and left.raw == "agreed":
            agreed = parse_people(right[0].text)
        else:
            change.append(token.raw)
    outcome = change.pop() if change and change[-1] in OUTCOMES else None
    if not change:
        hint = 'Write what is different, as in: ~ 11 +1"in cover".'
        raise Unreadable("the change is empty", where="column 1", hint=hint)
    text = " ".join(without_lead_in(change))
    return TildeLine(
        entry=named or entry_of_change(ledger, book, text),
        is_named=named is not None,
        change=text,
        because=because,
        agreed=agreed,
        outcome=outcome,
    )


def pop_entry(tokens: list[LineToken], ledger: Ledger[State]) -> EntryId | None:
    """Remove the first token if it names an entry (`11`, `11+1`, `2.11`), and return it."""
    if tokens and re.fullmatch(SHORT_ENTRY, tokens[0].raw):
        return parse_entry_id(f"{ledger.state.last.session}.{tokens.pop(0).raw}")
    if tokens and ENTRY_ID.fullmatch(tokens[0].raw):
        return parse_entry_id(tokens.pop(0).raw)
    return None


def entry_of_change(ledger: Ledger[State], book: Game, change: str) -> EntryId:
    """Return the entry that a change is about if none is named: the last line, or the last roll if only it fits."""
    last = last_line_to_amend(ledger)
    if any(take.has(Rolled) for take in ledger.store.takes(after=last.before, upto=last)):
        return last
    try:
        plan_amendment(ledger, parse_edits(ledger.store, book, EditArguments(str(last), (change,))), by=GM, because="")
    except (Unreadable, Refused):
        with suppress(Refused, Unreadable):
            roll = last_line(ledger, but=lambda record: not record.has(Rolled)).id
            parse_edits(ledger.store, book, EditArguments(str(roll), (change,)))
            return roll
    return last


def last_line_to_amend(ledger: Ledger[State]) -> EntryId:
    """Return the last line that is neither the close of a roll, in which nothing can be different, nor a claim.

    Raises Refused if several said it: which of them is meant has to be named.
    """
    last = last_line(ledger, but=is_close_or_claim)
    if len(entries := entries_of_line(ledger.store, last)) > 1:
        named = ", ".join(f"{take.id.number} ({take.line if take.by == GM else take.by})" for take in entries)
        raise Refused("L-AMEND", f"the last line was said for several: {named}", hint="Name the entry behind the ~.")
    return last.id


def is_close_or_claim(record: Record) -> bool:
    """Return whether an entry only closes a roll, or reads values aloud."""
    return record.line in CLOSES or record.line.startswith(CLAIM_LINE_MARK)


def replaces_drawn_faces(ledger: Ledger[State], id: EntryId, edit: Edit) -> bool:
    """Whether an edit types faces where dice were drawn."""
    takes = list(ledger.store.takes(after=id.before, upto=id))
    drawn = bool(takes) and any(isinstance(fact, Rolled) and fact.source != "table" for fact in takes[-1].facts)
    return drawn and edit.input is not None and edit.input.faces is not None


def tilde_edits(said: TildeLine, ledger: Ledger[State], book: Game) -> dict[EntryId, Edit]:
    """Return the edit of a `~` line. Raises Unreadable, with the entry that it is about where none is named."""
    if said.change == DROP:
        return parse_edits(ledger.store, book, EditArguments(drop=(str(said.entry),)))
    try:
        return parse_edits(ledger.store, book, EditArguments(str(said.entry), (said.change,)))
    except Unreadable as error:
        if said.is_named:
            raise
        told = f"{error.hint.rstrip('.')}. " if error.hint and not error.hint.endswith("?") else f"{error.hint} "
        hint = f"{told.lstrip()}This is about entry {said.entry}; another one is named first, as in ~ 11 {said.change}"
        raise error.with_hint(hint) from error


def amend_by_line(ledger: Ledger[State], book: Game, text: str, *, at: str, request: str | None = None) -> Settlement:
    """Correct as a `~` line says. Raises Refused where the policy is to ask and the line names no outcome."""
    line = normalize_line(text).strip()
    said = parse_tilde(line, ledger, book)
    edits = tilde_edits(said, ledger, book)
    reasoned = f'{line} because="why"'
    if not said.because and replaces_drawn_faces(ledger, said.entry, edits[said.entry]):
        raise Refused("L-AMEND", "typed faces replace faces that were drawn", hint=f"Say why. Type: {reasoned}")
    check_not_last(ledger, edits)
    correction = plan_amendment(ledger, edits, by=GM, because=said.because, agreed=said.agreed)
    age = entry_age(ledger, said.entry)
    outcome = said.outcome or usual_outcome(ledger, correction, age)
    if outcome is None:
        raise Refused(
            "L-ASK",
            f"entry {said.entry} is {AGES[age]}, and the line does not say how to settle it",
            hint=f"End it with retcon, stand or compensate. Type: {line} {OUTCOMES[0]}",
        )
    if age == "earlier_session" and not said.because:
        raise Refused("L-AMEND", f"entry {said.entry} is {AGES[age]}", hint=f"Say why. Type: {reasoned}")
    try:
        return settle(ledger, correction, outcome, age, line=line, at=at, request=request)
    except Refused as error:
        if error.code in ("L-NEEDS", "L-OPENED") and "--" in error.hint:
            hint = f"{error.hint} Both are options of: campaign amend {said.entry} ..."
            raise error.with_hint(hint) from error
        raise
