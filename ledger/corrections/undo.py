"""Undo the last line, or a correction.

Undoing a correction restores the input that its entries had before it: inserted entries are dropped, dropped ones
restored, refused ones decided again. It is refused for an entry that a later correction has changed; that one has to be
undone first. A correction and its undo leave everything as it was, except for their own two entries.
"""

from __future__ import annotations

from collections.abc import Callable

from ledger.acts import entries_of_line
from ledger.builtin import Correct, words_too_late
from ledger.corrections.correction import Correction, check_planned_at, write_correction
from ledger.dice import FROM_SEED
from ledger.errors import Refused
from ledger.facts import (
    Amended,
    CampaignCreated,
    ChainCommitted,
    EntryId,
    Invalidated,
    Joined,
    Rolled,
    SessionClosed,
    SessionOpened,
    WordsAdded,
    parse_entry_id,
)
from ledger.implied_passes import implying_entry
from ledger.projection import S
from ledger.records import Record, latest_takes
from ledger.redecide import TakeHistory, corrected_entry
from ledger.service import Ledger
from ledger.store import Store
from ledger.whatif import Edit, WhatIf

Pairs = tuple[tuple[str, str], ...]


def undo(
    ledger: Ledger[S], entry: EntryId | None = None, *, by: str, at: str, line: str = "undo", request: str | None = None
) -> Record:
    """Undo the last line, or the correction `entry`; return the record of the undo."""
    if earlier := ledger.find_request(request, line):
        return earlier
    correction = plan_undo(ledger, entry, by=by)
    return write_correction(ledger, correction, at=at, line=line, request=request)[0]


def plan_undo(
    ledger: Ledger[S], entry: EntryId | None = None, *, by: str, because: str = "", what_if: WhatIf[S] | None = None
) -> Correction:
    """Plan the undo of the last line, or of the correction `entry`. Raises Refused when there is nothing to undo.

    The last line may be named as well, where a newer correction would come first.

    `what_if` decides the entries again, if the caller wants to ask it how far it is.
    """
    ledger.refresh()
    head = ledger.state.head
    what_if = what_if or WhatIf(ledger.store, ledger.game, ledger.projection)
    restored: int | None = None
    if entry is None or _is_of_last_line(ledger, entry):
        takes = entries_of_line(ledger.store, last_line(ledger))
        takes = [*turns_passed_before(ledger.store, takes[0].id), *takes]
        edits = {take.id: Edit(input=None, outcome="undo") for take in takes}
        pairs: Pairs = tuple((f"{take.id}@{take.take}", "undo") for take in takes)
    else:
        edits, pairs, restored = _edits_before(ledger, entry)
    said = Correct(by=by, edits=pairs, because=because)
    return Correction(said=said, what_if=check_planned_at(head, what_if.run(edits, restored=restored), ledger))


def last_line(ledger: Ledger[S], but: Callable[[Record], bool] = lambda record: False) -> Record:
    """Return the last entry that counts, has facts, and is no correction and no chain. Raises Refused without one.

    Entries for which `but` is true are skipped.
    """
    last: Record | None = None
    for record in latest_takes(ledger.store.takes(after=EntryId(ledger.state.last.session, -1))):
        if record.facts and not record.has(Amended, Invalidated, ChainCommitted) and not but(record):
            last = record
    if last is None or last.has(CampaignCreated, SessionOpened, SessionClosed):
        hint = "The opening and closing of a session cannot be undone."
        raise Refused("L-UNDO", "there is no line to undo", hint=hint)
    if last.has(WordsAdded) and ledger.has_drawn_dice():
        raise words_too_late()
    return last


def _is_of_last_line(ledger: Ledger[S], entry: EntryId) -> bool:
    """Return whether an entry was said with the last line."""
    try:
        return any(take.id == entry for take in entries_of_line(ledger.store, last_line(ledger)))
    except Refused:
        return False


def turns_passed_before(store: Store, line: EntryId) -> list[Record]:
    """Return the turns that corrections have passed for a line: nobody has said anything between them and it."""
    before = store.takes(after=EntryId(line.session, -1), upto=line.before)
    passed = list[Record]()
    for take in reversed([*latest_takes(before)]):
        if not take.facts or take.has(Amended, Invalidated) or implying_entry(take):
            continue
        if not is_passed_turn(store, take):
            break
        passed.insert(0, take)
    return passed


def is_passed_turn(store: Store, take: Record) -> bool:
    """Return whether an entry is a turn that a correction has passed: it has written it, and does not name it."""
    first = next(iter(store.takes(after=take.id.before, upto=take.id)))
    if first.cause is None:
        return False
    entry = parse_entry_id(first.cause)
    own = next(iter(store.takes(after=entry.before, upto=entry)))
    named = {corrected_entry(fact) for fact in own.facts if isinstance(fact, Amended)}
    return own.has(Amended) and str(take.id) not in named


def last_amendment(ledger: Ledger[S]) -> EntryId | None:
    """Return the correction that a plain `undo` takes back: one that counts and is newer than the last line.

    An undo is no such correction; what brings an undone act back is.
    """
    history = CorrectionHistory(ledger)
    newest = max((act.position for act in history.acts if not history.is_undo(act)), default=0)
    try:
        line = history.typed_at(last_line(ledger).id)
    except Refused:
        line = 0
    return next((act.id for act in history.acts if act.position == newest > line), None)


def last_undo(ledger: Ledger[S]) -> EntryId:
    """Return the undo that `redo` takes back. Raises Refused if there is none, or something newer than it counts."""
    ledger.refresh()
    history = CorrectionHistory(ledger)
    undone = max((act for act in history.acts if history.is_undo(act)), key=lambda act: act.position, default=None)
    if undone is None:
        raise Refused("L-UNDO", "nothing was taken back in this session", hint="Look at the log: campaign log --takes.")
    newer = [take for take in history.own_lines() if take.position > undone.position]
    if newer:
        what = f"'{newer[-1].line}' was said after the undo {undone.id}"
        raise Refused("L-UNDO", what, hint=f"To bring back what that took, type: undo {undone.id}")
    return undone.id


def next_undo(ledger: Ledger[S]) -> Record | None:
    """Return what the next plain `undo` would take back; None if there is nothing."""
    try:
        id = last_amendment(ledger)
        return last_line(ledger) if id is None else list(ledger.store.takes(after=id.before, upto=id))[-1]
    except Refused:
        return None


class CorrectionHistory:
    """The takes of this session: the corrections that count, and when each line was typed last."""

    def __init__(self, ledger: Ledger[S]) -> None:
        self._takes = list(ledger.store.takes(after=EntryId(ledger.state.last.session, -1)))
        self._latest = {take.id: take for take in self._takes}
        self._written = {take.id: take for take in reversed(self._takes) if take.has(Amended)}
        self.acts = [take for id, take in self._written.items() if self._latest[id].facts]

    def is_undo(self, act: Record) -> bool:
        """Return whether a correction takes something back: a line, or another correction that is no undo."""
        outcomes = {fact.outcome: fact for fact in act.facts if isinstance(fact, Amended)}
        if "revoke" not in outcomes:
            return "undo" in outcomes
        revoked = self._written.get(parse_entry_id(corrected_entry(outcomes["revoke"])))
        return revoked is None or not self.is_undo(revoked)

    def typed_at(self, id: EntryId) -> int:
        """Return the position of the take in which an entry was typed last."""
        return max((take.position for take in self._takes if take.id == id and take.cause is None), default=0)

    def own_lines(self) -> list[Record]:
        """Return the lines that count and the corrections that are neither undo nor redo, the newest last."""
        lines = [
            take
            for take in self._takes
            if take.cause is None and take.facts and take.line and self._latest[take.id].facts
            if not any(fact.outcome in ("undo", "revoke") for fact in take.facts if isinstance(fact, Amended))
        ]
        return sorted(lines, key=lambda take: take.position)


def corrected_takes(store: Store, correction: Record) -> list[Record]:
    """Return the takes that a correction names: they no longer count."""
    takes = list[Record]()
    for fact in correction.facts:
        if isinstance(fact, Amended) and "@" in fact.entry:
            id, number = parse_entry_id(corrected_entry(fact)), int(fact.entry.partition("@")[2])
            takes += [take for take in store.takes(after=id.before, upto=id) if take.take == number]
    return takes


def undo_refusal(ledger: Ledger[S], entry: EntryId) -> str:
    """Return why a correction cannot be undone now; empty if it can."""
    try:
        _edits_before(ledger, entry)
    except Refused as error:
        return error.what
    return ""


def _edits_before(ledger: Ledger[S], entry: EntryId) -> tuple[dict[EntryId, Edit], Pairs, int]:
    """Return the edits that restore the input from before a correction, the takes that they name, and its position."""
    takes = list(ledger.store.takes(after=entry.before, upto=entry))
    own = _correction_take(takes, entry)
    written = own if own.take == 1 else takes[0]
    facts = [fact for fact in written.facts if isinstance(fact, Amended)]
    first = min((parse_entry_id(corrected_entry(fact)) for fact in facts), default=entry)
    history = TakeHistory(ledger.store.takes(after=first.before))
    edits = {entry: Edit(input=None, outcome="revoke")}
    pairs = [(f"{entry}@{takes[-1].take}", "revoke")]
    named = {corrected_entry(fact) for fact in facts}
    caused = [take for take in history.takes() if take.cause == str(entry) and take.id not in history.implied]
    changed = [take for take in caused if take.take == 1 or str(take.id) in named]
    for id in dict.fromkeys(take.id for take in changed):
        inputs = history.input_takes(id)
        if all(take is None or take.cause != str(entry) for take in inputs):
            raise Refused("L-UNDO", f"entry {id} has been changed since", hint=_hint(inputs[-1]))
        if any(take.has(WordsAdded) for take in history.entries[id]) and _has_drawn(ledger, id.session):
            raise words_too_late()
        edits[id] = Edit(input=history.input(id, before=written.position), outcome="restore")
        pairs.append((f"{id}@{history.entries[id][-1].take}", "restore"))
    return edits, tuple(pairs), written.position


def _correction_take(takes: list[Record], entry: EntryId) -> Record:
    """Return the last take that is a correction. Raises Refused if there is none, or if it is undone."""
    if not takes:
        raise Refused("L-UNDO", f"there is no entry {entry}", hint="Look at the log: campaign log.")
    own = next((take for take in reversed(takes) if take.has(Amended)), None)
    if own is None:
        joined = next((fact.who for fact in takes[-1].facts if isinstance(fact, Joined)), "")
        way = f'campaign cast --undo "{joined}"' if joined else f"campaign amend --drop {entry}"
        raise Refused(
            "L-UNDO",
            f"entry {entry} is not a correction",
            hint=f"`undo` takes the last line or a correction; to remove {entry} use: {way}.",
        )
    if not takes[-1].facts:
        raise Refused("L-UNDO", f"entry {entry} is undone already", hint="Look at the log: campaign log --takes.")
    return own


def _has_drawn(ledger: Ledger[S], session: int) -> bool:
    """Return whether a die was drawn from the seed of this session."""
    takes = ledger.store.takes(after=EntryId(session, -1), upto=EntryId(session + 1, -1))
    return any(isinstance(fact, Rolled) and fact.source in FROM_SEED for take in takes for fact in take.facts)


def _hint(changed: Record | None) -> str:
    """Return the hint that names the entry to undo first."""
    if changed is None or changed.cause is None:
        return "Amend the line that counts there now."
    return f"Undo that first: campaign undo {changed.cause}."
