"""Check each recorded line: it must read as the declaration that was recorded with it.

A line that the grammar does not read may have been said in words. `hear` says how it may be heard now. Later versions
may hear a sentence otherwise than it was heard and shown on the evening: `verify` tells it (`HeardOtherwise`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, takewhile

import msgspec

from cli.notation.line_parser import ParsedLine, parse_each
from cli.notation.tokens import normalize_line
from cli.questions.line_scope import line_scope
from ledger.builtin import BUILTIN, Correct
from ledger.declarations import Declaration, with_fallbacks
from ledger.errors import LedgerError, stored_errors
from ledger.facts import Declared, EntryId, parse_entry_id
from ledger.game import decoder
from ledger.ledger_state import LedgerState, load_state
from ledger.processes import Processes, process_ledger
from ledger.projection import Projection
from ledger.records import Record
from ledger.store import Store
from ledger.take_check import Moments
from ledger.verify import Finding
from ledger.writing_order import Log
from projections.state import State
from rulebooks.common.game import Game

Hear = Callable[[Declared, LedgerState[State], Game], Iterable[ParsedLine]]  # how a line may be heard in a state


class HeardOtherwise(Finding, frozen=True):
    """A line that was said in words, and is heard otherwise by this version than it was recorded. No error."""


def hear_nothing(declared: Declared, state: LedgerState[State], book: Game) -> Iterable[ParsedLine]:
    """Hear no line that is not of the grammar."""
    return ()


def check_lines(log: Log, book: Game, projection: Projection[State], hear: Hear = hear_nothing) -> Iterator[Finding]:
    """Yield the takes whose line says something else than their declaration, as it read when it was typed.

    Takes that only follow from a correction share the line of their input and are not read again.
    """
    return _line_findings(Moments(projection, log, log.touched.reach), book, hear)


def _line_findings(moments: Moments[State], book: Game, hear: Hear) -> Iterator[Finding]:
    """Check the lines of takes in the states before them."""
    decode = decoder(book, BUILTIN).decode
    for take, state in moments.states_before(_first_of_line):
        assert take.declared is not None
        try:
            said = decode(take.declared.said)
        except msgspec.MsgspecError:
            continue  # the replay names it
        if not isinstance(said, Correct) and (found := _difference(take, said, state, book, hear)):
            yield found


def start_line_check(workers: Processes, store: Store, hear: Hear = hear_nothing) -> Callable[[], Iterator[Finding]]:
    """Begin to check all lines up to the head of this store; return a function that waits for the findings."""
    begun = [workers.submit(check_lines_between, *part, hear) for part in workers.parts(store)]
    return lambda: chain.from_iterable(each.result() for each in begun)


def check_lines_between(after: int, upto: int, hear: Hear = hear_nothing) -> list[Finding]:
    """Check the lines that were written between two positions, in a process of their own.

    It begins with the state as it was then, before the oldest entry that they need. A stored state that is wrong is
    found by the check of the snapshots.
    """
    store, book, projection = process_ledger()
    assert isinstance(book, Game)
    after, upto = (_end_of_correction(store, position) for position in (after, upto))
    log = Log(
        lambda: takewhile(lambda take: take.position <= upto, store.records(after=after)),
        lambda: takewhile(lambda pair: pair[0] <= upto, store.entry_ids(after=after)),
        load_state(store, projection, as_of=after).last,
    )
    oldest = min(log.touched.oldest, log.touched.reach.after(after) or log.touched.oldest)
    moments: Moments[State] = Moments(
        projection,
        log,
        log.touched.reach,
        load_state(store, projection, at=oldest.before, as_of=after),
        store.takes(after=oldest.before, as_of=after),
    )
    return list(_line_findings(moments, book, hear))


def _end_of_correction(store: Store, position: int) -> int:
    """Return the position at which a correction is written whole that has takes on both sides of this one."""
    follow = takewhile(lambda take: take.cause is not None, store.records(after=position))
    return max((take.position for take in follow), default=position)


def _difference(take: Record, said: Declaration, state: LedgerState[State], book: Game, hear: Hear) -> Finding | None:
    """Return how the line of a take differs from its declaration; None if it does not."""
    declared, where = take.declared, f"entry {take.id}@{take.take}"
    assert declared is not None
    read, error = list[ParsedLine](), ""
    try:
        with stored_errors("line"):
            read = parse_each(normalize_line(declared.line), line_scope(state, book))
    except LedgerError as unread:
        error = unread.what
    parsed = next((each for each in chain(read, hear(declared, state, book)) if said in _forms(each)), None)
    if parsed is None and error:
        return HeardOtherwise(
            where=where, what=f"its line '{declared.line}' was said in words, and is heard otherwise now: {error}"
        )
    if parsed is None:
        what = "reads as another declaration than was recorded" if read else "is empty"
        return Finding(where=where, what=f"its line '{declared.line}' {what}")
    if take.seen != parsed.seen:
        what = f"its line '{declared.line}' is for '{parsed.seen}', but it is shown to '{take.seen}'"
        return Finding(where=where, what=what)
    what = _input_difference(declared, parsed)
    return Finding(where=where, what=what) if what else None


def _first_of_line(take: Record) -> EntryId | None:
    """Return the entry before which the line of a take was read; None for a take without a line of its own."""
    if take.cause is not None or not take.line:
        return None
    return parse_entry_id(take.line_start) if take.line_start else take.id


def _forms(parsed: ParsedLine) -> tuple[Declaration, ...]:
    """Return what a line may have been recorded as: records from before a fallback say it."""
    return parsed.declaration, parsed.recorded, with_fallbacks(parsed.declaration)


def _input_difference(declared: Declared, parsed: ParsedLine) -> str:
    """Return how the faces and claims of a line differ from those that are recorded."""
    faces = declared.faces or ()
    if (parsed.faces or ())[: len(faces)] != faces:
        return f"its line '{declared.line}' has other faces than were recorded"
    if parsed.claims != declared.claims:
        return f"its line '{declared.line}' has other claims than were recorded"
    return ""
