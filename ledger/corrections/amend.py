"""Corrections: what was said is taken back, amended, put in or left out, and everything since is decided again.

Every correction is one act: today's entry (`Correct`), then new takes of just those entries whose facts differ, in
one transaction. It is foreseen at a head and written at that head, or not at all (Overtaken): what was shown is what
is written. It is refused where an entry needs faces or a choice that only the table has, and where today's rules
decide the record otherwise without any change: then it would smuggle in other rules.

Outcomes of an error that is found later: `retcon` writes the new takes; `stand` notes the error and changes nothing;
`compensate` says adjustments now, each an entry of its own, for the values that differ at the end.

What a correction names is what somebody said; the rest follows. Taking a correction back restores what was said before
it at the entries that it names, unless a later correction, or a line that took over the number, has spoken there
since: that has to be taken back first. What was put in is left out again, what was left out comes back, what had
become impossible is tried again. So a correction and its undo leave everything as if neither had been, but for
their own two entries.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Literal

import msgspec

from ledger.builtin import AddWords, CloseSession, Correct, CreateCampaign, OpenSession, decide_builtin
from ledger.declarations import Declaration
from ledger.dice import RecordedDice
from ledger.errors import LedgerError, Overtaken, Refused
from ledger.facts import (
    Amended,
    CampaignCreated,
    Declared,
    EncounterBegan,
    EncounterEnded,
    EntryId,
    Invalidated,
    Reached,
    Rolled,
    SessionClosed,
    SessionOpened,
    WindowClosed,
    WindowOpened,
    WordsAdded,
    parse_entry_id,
)
from ledger.position import decide_and_fold
from ledger.projection import S
from ledger.records import ENCODER, Record, latest_takes
from ledger.redecide import FROM_SEED, TakeHistory, corrected_entry
from ledger.service import Ledger, words_too_late
from ledger.store import Store
from ledger.whatif import Edit, Edits, WhatIf, WhatIfResult

Age = Literal["same_round", "same_session", "earlier_session"]
NEVER_AMENDED: Final = (CampaignCreated, SessionOpened, SessionClosed, WordsAdded)
NEVER_SAID_LATER: Final = (CreateCampaign, OpenSession, CloseSession, AddWords, Correct)  # what no correction may say


class Correction(msgspec.Struct, frozen=True, kw_only=True):
    """A correction that was foreseen: what is said, and what comes of it."""

    said: Correct
    what_if: WhatIfResult

    @property
    def position(self) -> int:
        """The head at which it holds."""
        return self.what_if.position


def plan_amendment(ledger: Ledger[S], edits: Edits, *, by: str, because: str, agreed: Sequence[str] = ()) -> Correction:
    """What a retcon with these edits would be. Raises Refused for entries that cannot be amended."""
    ledger.refresh()
    position = ledger.state.position
    foreseeing = WhatIf(ledger.store, ledger.game, ledger.projection)
    for id, edit in edits.items():
        if edit.outcome == "insert":
            _check_insertable(ledger, id, edits)
        else:
            _check_amendable(ledger, id)
        if edit.input is not None and isinstance(foreseeing.decoder.decode(edit.input.said), NEVER_SAID_LATER):
            raise Refused(
                "L-AMEND",
                f"this cannot be said at {id} any more",
                hint="Openings, closings, words for the dice and corrections are said when it is time for them.",
            )
    sight = _check_head(position, foreseeing.run(edits))
    past = TakeHistory(ledger.store.takes(after=EntryId(min(edits).session, -1)))
    pairs = tuple((take_name(past, id), edit.outcome) for id, edit in sorted(edits.items()))
    return Correction(said=Correct(by=by, edits=pairs, because=because, agreed=tuple(agreed)), what_if=sight)


def _check_head(position: int, sight: WhatIfResult) -> WhatIfResult:
    """What was foreseen where it was decided what is corrected. Raises Overtaken when the ledger moved on between."""
    if sight.position != position:
        raise Overtaken(position, sight.position)
    return sight


def take_name(past: TakeHistory, id: EntryId) -> str:
    """`1.4@1`: the take of an entry that counts now, or the new entry."""
    takes = past.entries.get(id)
    return f"{id}@{takes[-1].take}" if takes else str(id)


def _check_insertable(ledger: Ledger[S], id: EntryId, edits: Edits) -> None:
    """What is put in stands behind an entry that is there, and right behind all that was put in there before."""
    behind = EntryId(id.session, id.number)
    there = {take.id.insert for take in ledger.store.takes(after=EntryId(id.session, id.number, -1), upto=id)}
    if 0 not in there:
        raise Refused("L-AMEND", f"there is no entry {behind} to put something in behind", hint="Look at the log.")
    with_it = {other.insert for other in edits if (other.session, other.number) == (id.session, id.number)}
    if id.insert in there or not there | with_it >= set(range(id.insert)):
        raise Refused("L-AMEND", f"nothing can be put in at {id}", hint=f"Name the entry before it: {behind}.")


def _check_amendable(ledger: Ledger[S], id: EntryId) -> None:
    """Openings, closings, words for the dice and corrections are not amended; nor is what is not there."""
    there = list(ledger.store.takes(after=id.before, upto=id))
    if not there or not there[-1].facts:
        raise Refused("L-AMEND", f"there is no entry {id} that counts", hint="Look at the log: campaign log.")
    if there[-1].has(*NEVER_AMENDED):
        raise Refused(
            "L-AMEND", f"entry {id} cannot be amended", hint="Openings, closings and words for the dice stay."
        )
    if there[-1].has(Amended):
        raise Refused("L-AMEND", f"entry {id} is a correction itself", hint=f"Take it back: campaign undo {id}.")


def check_not_last(ledger: Ledger[S], edits: Edits) -> None:
    """In an open session the last line is taken back, not left out: said again, it would meet other dice."""
    place = ledger.state
    left_out = [id for id, edit in edits.items() if edit.outcome == "drop" and id.session == place.last.session]
    if place.session.open and left_out and (last := last_line(ledger).id) in left_out:
        raise Refused("L-AMEND", f"entry {last} is the last line", hint="Take it back: campaign undo.")


def check_writable(correction: Correction) -> None:
    """Raises Refused where the table is asked for something first, or today's rules are others than the record's."""
    sight = correction.what_if
    if (difference := sight.rule_difference) is not None:
        raise Refused(
            "L-RULES",
            f"today's rules decide entry {difference.entry} otherwise without any change ({difference})",
            hint="Let it stand or compensate, or amend it with the rulebook that it was played with.",
        )
    check_dice_known(sight)


def check_dice_known(sight: WhatIfResult) -> None:
    """Raises Refused where the table is asked for something first: nobody knows what would be behind it."""
    if sight.need is not None:
        raise Refused(
            "L-NEEDS",
            f"entry {sight.need.id} needs faces that were never drawn: {sight.need.why}",
            hint=f"Type them (--faces {sight.need.id} /7.6), or leave it out (--drop {sight.need.id}).",
        )


def write_correction(
    ledger: Ledger[S], correction: Correction, *, at: str, line: str, request: str | None = None
) -> tuple[Record, list[Record]]:
    """Write a correction that was foreseen: its own entry, and the takes that it causes.

    Raises Refused where the table has to be asked, Overtaken when the ledger has moved on since.
    """
    check_writable(correction)
    own = correction_record(ledger, correction, at=at, line=line, request=request)
    takes = [own]
    for fate in correction.what_if.outcomes:
        if fate.writes:
            takes.append(
                Record(
                    position=own.position + len(takes),
                    session=fate.id.session,
                    number=fate.id.number,
                    insert=fate.id.insert,
                    take=fate.before.take + 1 if fate.before else 1,
                    cause=str(own.id),
                    request=None,
                    by=fate.input.by if fate.input and fate.after else own.by,
                    at=at,
                    seen=fate.input.seen if fate.input else fate.before.seen if fate.before else own.seen,
                    facts=fate.after,
                )
            )
    ledger.append(takes)
    return own, takes[1:]


def note_error(
    ledger: Ledger[S], correction: Correction, outcome: str, *, at: str, line: str, request: str | None = None
) -> Record:
    """Note an error and change nothing but that: outcome `stand`. Raises Overtaken when the ledger has moved on."""
    noted = _without_changes(correction, outcome)
    own = correction_record(ledger, noted, at=at, line=line, request=request)
    ledger.append([own])
    return own


def _without_changes(correction: Correction, outcome: str) -> Correction:
    """The same correction, as words alone."""
    edits = tuple((take, outcome) for take, _ in correction.said.edits)
    return msgspec.structs.replace(correction, said=msgspec.structs.replace(correction.said, edits=edits))


def plan_compensation(
    ledger: Ledger[S], correction: Correction, only: Iterable[str] = ()
) -> tuple[list[Declaration], list[str]]:
    """The adjustments that make good what ends otherwise, and the names of values that no adjustment can set.

    Raises Refused where it is not known how they end.
    """
    check_dice_known(correction.what_if)
    _check_not_compensated(ledger, correction)
    wanted, found, left = set(only), list[Declaration](), list[str]()
    place = ledger.state
    mark = place.mark()
    try:
        for name, was, now in correction.what_if.value_changes:
            if wanted and name not in wanted:
                continue
            change = (now or 0) - (was or 0) if _is_number(was) and _is_number(now) else 0  # type: ignore[operator]  # both are numbers
            reason = correction.said.because or "made good"
            said = ledger.game.adjustment(correction.said.by, name, change, reason)
            if not change or said is None:
                left.append(name)
                continue
            try:
                decide_and_fold(ledger.game, place, said, RecordedDice({}, "seed"), place.last)
                found.append(said)
            except LedgerError:
                left.append(name)
    finally:
        place.roll_back(mark)
    return found, left


def _check_not_compensated(ledger: Ledger[S], correction: Correction) -> None:
    """What was made good once is not made good again."""
    wanted = {take for take, _ in correction.said.edits}
    for record in latest_takes(ledger.store.takes(after=EntryId(min(_entry_ids(wanted)).session, -1))):
        for fact in record.facts:
            if isinstance(fact, Amended) and fact.outcome == "compensate" and fact.entry in wanted:
                raise Refused(
                    "L-AMEND",
                    f"{fact.entry} was made good in {record.id}",
                    hint=f"Take that back first: campaign undo {record.id}.",
                )


def _entry_ids(takes: Iterable[str]) -> Iterable[EntryId]:
    """The entries of takes that are named."""
    return (parse_entry_id(take.partition("@")[0]) for take in takes)


def _is_number(value: object) -> bool:
    """Whether a value is a number, or none at all."""
    return value is None or isinstance(value, int)


def compensate(
    ledger: Ledger[S],
    correction: Correction,
    adjustments: Sequence[tuple[Declaration, str]],
    *,
    at: str,
    line: str,
    request: str | None = None,
) -> tuple[Record, list[Record]]:
    """Note an error and make it good: its entry, then each adjustment (and its line) as an entry of its own.

    Raises Refused for an adjustment that the rules do not allow, Overtaken when the ledger has moved on.
    """
    own = correction_record(ledger, _without_changes(correction, "compensate"), at=at, line=line, request=request)
    place, records = ledger.state, [own]
    mark = place.mark()
    try:
        for fact in own.facts:
            place.step(own.id, fact)
        for said, words in adjustments:
            id = EntryId(own.session, own.number + len(records))
            facts = decide_and_fold(ledger.game, place, said, RecordedDice({}, "seed"), id)
            declared = Declared(by=said.by, said=msgspec.Raw(ENCODER.encode(said)), line=words, faces=None)
            record = msgspec.structs.replace(
                own,
                position=own.position + len(records),
                number=id.number,
                cause=str(own.id),
                request=None,
                by=said.by,
                facts=(declared, *facts),
            )
            records.append(record)
    finally:
        place.roll_back(mark)
    ledger.append(records)
    return own, records[1:]


def correction_record(ledger: Ledger[S], correction: Correction, *, at: str, line: str, request: str | None) -> Record:
    """Today's entry: what is said of earlier ones."""
    place, said = ledger.state, correction.said
    if place.position != correction.position:
        raise Overtaken(correction.position, place.position)
    id = EntryId(place.last.session, place.last.number + 1)
    facts = tuple(decide_builtin(said, place.session, place.values))
    declared = Declared(by=said.by, said=msgspec.Raw(ENCODER.encode(said)), line=line, faces=None)
    return Record(
        position=correction.position + 1,
        session=id.session,
        number=id.number,
        insert=0,
        take=1,
        cause=None,
        request=request,
        by=said.by,
        at=at,
        seen="table",
        facts=(declared, *facts),
    )


# Taking back


def plan_undo(ledger: Ledger[S], entry: EntryId | None = None, *, by: str, because: str = "") -> Correction:
    """What taking back the last line would be, or a correction that is named by its entry.

    Raises Refused when there is nothing to take back: openings and closings stay.
    """
    ledger.refresh()
    position = ledger.state.position
    sight = WhatIf(ledger.store, ledger.game, ledger.projection)
    if entry is None:
        last = last_line(ledger)
        edits = {last.id: Edit(input=None, outcome="undo")}
        pairs: tuple[tuple[str, str], ...] = ((f"{last.id}@{last.take}", "undo"),)
    else:
        edits, pairs = _edits_before(ledger, entry)
    said = Correct(by=by, edits=pairs, because=because)
    return Correction(said=said, what_if=_check_head(position, sight.run(edits)))


def last_line(ledger: Ledger[S]) -> Record:
    """The last entry that counts, is no correction and has come to something."""
    last: Record | None = None
    for record in latest_takes(ledger.store.takes(after=EntryId(ledger.state.last.session, -1))):
        if record.facts and not record.has(Amended, Invalidated):
            last = record
    if last is None or last.has(CampaignCreated, SessionOpened, SessionClosed):
        raise Refused("L-UNDO", "there is no line to take back", hint="Openings and closings of a session stay.")
    if last.has(WordsAdded) and ledger.has_drawn_dice():
        raise words_too_late()
    return last


def last_amendment(ledger: Ledger[S]) -> EntryId | None:
    """The last thing said, where it amends, notes or makes good something: who takes the last back, means it."""
    last: Record | None = None
    for record in latest_takes(ledger.store.takes(after=EntryId(ledger.state.last.session, -1))):
        last = record if record.facts else last
    if last is not None and last.cause is not None and last.take == 1:
        return parse_entry_id(last.cause)  # an adjustment that a correction has made
    outcomes = [fact.outcome for fact in last.facts if isinstance(fact, Amended)] if last else []
    return last.id if last and outcomes and not {"undo", "revoke"} & {*outcomes} else None


def _edits_before(ledger: Ledger[S], entry: EntryId) -> tuple[dict[EntryId, Edit], tuple[tuple[str, str], ...]]:
    """What was said before a correction, at each entry that it names."""
    here = list(ledger.store.takes(after=entry.before, upto=entry))
    if not here:
        raise Refused("L-UNDO", f"there is no entry {entry}", hint="Look at the log: campaign log.")
    own = next((take for take in reversed(here) if take.has(Amended)), None)
    if own is None:
        raise Refused(
            "L-UNDO",
            f"entry {entry} corrects nothing",
            hint=f"Only the last line is taken back so; else: campaign amend --drop {entry}.",
        )
    if not here[-1].facts:
        raise Refused("L-UNDO", f"entry {entry} is taken back already", hint="Look at the log: campaign log --takes.")
    written = own if own.take == 1 else here[0]
    facts = [fact for fact in written.facts if isinstance(fact, Amended)]
    first = min((parse_entry_id(corrected_entry(fact)) for fact in facts), default=entry)
    past = TakeHistory(ledger.store.takes(after=first.before))
    edits = {entry: Edit(input=None, outcome="revoke")}
    pairs = [(f"{entry}@{here[-1].take}", "revoke")]
    said_so = {corrected_entry(fact) for fact in facts}
    made = [take for take in past.takes_caused_by(entry) if take.take == 1 or str(take.id) in said_so]
    for id in dict.fromkeys(take.id for take in made):
        spoken = past.input_takes(id)
        if all(said is None or said.cause != str(entry) for said in spoken):
            raise Refused("L-UNDO", f"entry {id} has been said anew since", hint=_hint(spoken[-1]))
        if any(take.has(WordsAdded) for take in past.entries[id]) and _has_drawn(ledger, id.session):
            raise words_too_late()
        edits[id] = Edit(input=past.input(id, before=written.position), outcome="restore")
        pairs.append((f"{id}@{past.entries[id][-1].take}", "restore"))
    return edits, tuple(pairs)


def _has_drawn(ledger: Ledger[S], session: int) -> bool:
    """Whether anybody has seen a seeded face of a session."""
    takes = ledger.store.takes(after=EntryId(session, -1), upto=EntryId(session + 1, -1))
    return any(isinstance(fact, Rolled) and fact.source in FROM_SEED for take in takes for fact in take.facts)


def _hint(said: Record | None) -> str:
    """What to take back first."""
    if said is None or said.cause is None:
        return "What was said there instead counts; amend that."
    return f"Take that back first: campaign undo {said.cause}."


# How old an error is


def entry_age(ledger: Ledger[S], id: EntryId) -> Age:
    """Whether an entry is of this round (or the last line, or still open), of this session, or of an earlier one."""
    if id.session != ledger.state.last.session:
        return "earlier_session"
    fighting, over, last = False, False, True
    waits: set[str] = set()  # what the entry has opened and nothing has closed
    for record in latest_takes(ledger.store.takes(after=EntryId(id.session, -1))):
        behind = record.id > id
        last = last and not (behind and record.facts and not record.has(Amended, Invalidated))
        for fact in record.facts:
            if isinstance(fact, WindowOpened) and record.id == id:
                waits.add(fact.window)
            elif isinstance(fact, WindowClosed) and behind:
                waits.discard(fact.window)
            bounds = isinstance(fact, EncounterBegan | EncounterEnded)
            over = over or (behind and (bounds or (isinstance(fact, Reached) and fact.point == "round")))
            fighting = isinstance(fact, EncounterBegan) if bounds and not behind else fighting
    return "same_round" if last or waits or (fighting and not over) else "same_session"


def undo(
    ledger: Ledger[S],
    entry: EntryId | None = None,
    *,
    by: str,
    at: str,
    because: str = "",
    line: str = "undo",
    request: str | None = None,
) -> Record:
    """Take the last line back, or a correction: the record of the undo, after which follow the takes that it causes."""
    if earlier := ledger.find_request(request, line):
        return earlier
    return write_correction(
        ledger, plan_undo(ledger, entry, by=by, because=because), at=at, line=line, request=request
    )[0]


def named_takes(store: Store, correction: Record) -> list[Record]:
    """The takes that a correction says do not count any more, in the order in which it names them."""
    found = []
    for fact in correction.facts:
        if isinstance(fact, Amended) and "@" in fact.entry:
            id, take = parse_entry_id(corrected_entry(fact)), int(fact.entry.partition("@")[2])
            here = store.takes(after=id.before, upto=id)
            found += [other for other in here if other.take == take]
    return found
