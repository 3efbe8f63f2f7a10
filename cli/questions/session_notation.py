"""A session written back as the lines of a `.session` file, with every face that was thrown typed out.

The lines are those that count, in order of history: what was taken back or corrected is not in it. Its faces need no
seed, so that the file replays to the same facts in any ledger with the same cast. What no line can say (a character
read from a sheet, a correction) is a comment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

import msgspec

from cli.questions.canonical_line import canonical_line
from ledger.builtin import BUILTIN
from ledger.declarations import Declaration
from ledger.dice import RecordedDice
from ledger.errors import InputError, LedgerError, stored_errors
from ledger.facts import GM, Amended, EntryId, Joined, Rolled, SessionClosed, SessionOpened
from ledger.game import decoder
from ledger.implied_passes import implying_entry
from ledger.ledger_state import LedgerState, decide_and_fold, load_state
from ledger.names import escape
from ledger.records import Record, latest_takes
from ledger.store import Store
from projections.projection import StateProjection
from projections.state import State
from rulebooks.common.game import Game

Decode = Callable[[msgspec.Raw], Declaration]


def session_notation(store: Store, book: Game, session: int) -> Iterator[str]:
    """Yield the lines of a session. Raises InputError if there is none of this number."""
    records = [*latest_takes(store.takes(after=EntryId(session, -1), upto=EntryId(session + 1, -1)))]
    opened = next((fact for record in records for fact in record.facts if isinstance(fact, SessionOpened)), None)
    if opened is None:
        raise InputError(f"there is no session {session}", hint="List them: campaign log --oneline.")
    yield comment(f"session {session}: {opened.title or 'without a title'}, {opened.rulebook}")
    decode = decoder(book, BUILTIN).decode
    state = load_state(store, StateProjection(), at=EntryId(session, -1))
    is_open = True
    for record in records:
        faces = thrown_faces(record, state, decode, book)
        state.fold(record)
        is_open = is_open and not record.has(SessionClosed)
        if not record.facts or record.has(SessionOpened, SessionClosed) or implying_entry(record):
            continue
        line = spoken_line(record, faces, decode, book)
        if record.has(Amended) or not line:
            yield comment(f"{record.id} {_unsaid(record)}")
        elif is_open:
            yield line
        else:
            yield comment(f"{record.id}, after the close: {line}")


def spoken_line(record: Record, faces: Sequence[int], decode: Decode, book: Game) -> str:
    """Return the line of a record with these faces; empty if no line says it."""
    declared = record.declared
    if declared is None or not declared.line:
        return ""
    typed = msgspec.structs.replace(declared, faces=tuple(faces) or None)
    return canonical_line(typed, decode, book, secret=record.seen == GM) or declared.line


def thrown_faces(record: Record, state: LedgerState[State], decode: Decode, book: Game) -> Sequence[int]:
    """Return the faces of all dice of a record in the order in which the rules throw them.

    Facts may have them in another order. `state` is the state before the record.
    """
    declared, rolls = record.declared, [fact for fact in record.facts if isinstance(fact, Rolled)]
    if declared is None or not rolls or declared.faces is not None:
        return (declared and declared.faces) or ()
    shown: dict[str, list[tuple[int, int]]] = {}
    for roll in rolls:
        dice_of = sorted(roll.dice, key=lambda die: die.ordinal)
        shown.setdefault(roll.purpose, []).extend((die.sides, die.face) for die in dice_of)
    dice, mark = RecordedDice(shown, "table"), state.mark()
    with suppress(LedgerError), stored_errors("entry", record.id):
        decide_and_fold(book, state, decode(declared.said), dice, record.id)
    if state.mark() != mark:
        state.roll_back(mark)
    return dice.used_faces or [die.face for roll in rolls for die in roll.dice]


def comment(text: str) -> str:
    """Return a comment of one line."""
    return f"; {escape(text)}"


def _unsaid(record: Record) -> str:
    """Describe an entry that no line says."""
    if record.line:
        return f"was a correction: {record.line}"
    joined = ", ".join(fact.who for fact in record.facts if isinstance(fact, Joined))
    return f"{joined} joined from a sheet: campaign cast" if joined else "was not said in a line"
