"""Check each recorded line: it must read as the declaration that was recorded with it."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from itertools import chain

import msgspec

from cli.notation.line_parser import ParsedLine, parse_each
from cli.notation.tokens import normalize_line
from cli.queries.line_scope import line_scope
from ledger.builtin import BUILTIN, BUILTIN_WITH_VERBS
from ledger.declarations import Declaration, Ruling, with_fallbacks
from ledger.errors import LedgerError, stored_errors
from ledger.facts import Declared, EntryId, parse_entry_id
from ledger.game import decoder
from ledger.ledger_state import LedgerState
from ledger.processes import Processes, Span, process_ledger
from ledger.projection import Projection
from ledger.records import Record
from ledger.store import Store
from ledger.take_check import Moments
from ledger.verify import Finding
from projections.state import State
from rulebooks.common.game import Game


def check_lines(
    takes: Sequence[Record], book: Game, projection: Projection[State], sessions: Container[int] | None = None
) -> Iterator[Finding]:
    """Yield the takes whose line says something else than their declaration, as it read when it was typed.

    Takes that only follow from a correction share the line of their input and are not read again. With `sessions`,
    only the lines of these are read; the takes of earlier sessions are needed too.
    """
    decode = decoder(book, BUILTIN).decode
    silent = tuple(kind for kind in BUILTIN if kind not in BUILTIN_WITH_VERBS and kind is not Ruling)
    moments = Moments(projection, takes)
    for take, state in moments.states_before(
        lambda take: _first_of_line(take) if sessions is None or take.session in sessions else None
    ):
        assert take.declared is not None
        try:
            said = decode(take.declared.said)
        except msgspec.MsgspecError:
            continue  # the replay names it
        if not isinstance(said, silent) and (what := _difference(take.declared, said, state, book)):
            yield Finding(where=f"entry {take.id}@{take.take}", what=what)


def start_line_check(workers: Processes, store: Store) -> Callable[[], Iterator[Finding]]:
    """Begin to check all lines up to the head of this store; return a function that waits for the findings."""
    position = store.head().position
    begun = [workers.submit(check_lines_of, span, position) for span in workers.spans(store)]
    return lambda: chain.from_iterable(each.result() for each in begun)


def check_lines_of(span: Span, as_of: int) -> list[Finding]:
    """Check the lines of some sessions, in a process of their own. The state before them is folded from the records."""
    store, book, projection = process_ledger()
    assert isinstance(book, Game)
    takes = list(store.takes(upto=span.upto, as_of=as_of))
    return list(check_lines(takes, book, projection, range(span.first, span.last + 1)))


def _difference(declared: Declared, said: Declaration, state: LedgerState[State], book: Game) -> str:
    """Return how a line differs from its declaration; empty if it does not."""
    try:
        with stored_errors("line"):
            said_by_each = parse_each(normalize_line(declared.line), line_scope(state, book))
    except LedgerError as error:
        return f"its line '{declared.line}' cannot be read: {error.what}"
    if not said_by_each:
        return f"its line '{declared.line}' is empty"
    parsed = next((each for each in said_by_each if said in _forms(each)), None)
    if parsed is None:
        return f"its line '{declared.line}' reads as another declaration than was recorded"
    return _input_difference(declared, parsed)


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
