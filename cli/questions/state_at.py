"""The state of the ledger after an entry, as the ledger said at a position; and one subject of it."""

from __future__ import annotations

import re
from typing import Final

from cli.notation.known_beings import prefer_creatures, prefer_first_names
from cli.notation.known_words import match_word
from cli.notation.tokens import join_with_or
from cli.questions.line_scope import things
from ledger.errors import InputError, input_errors
from ledger.facts import EntryId, Reached, parse_entry_id
from ledger.ledger_state import LedgerState, load_state
from ledger.name_match import fold_name, match_name
from ledger.names import escape, name_key
from ledger.projection import Value
from ledger.records import latest_takes
from ledger.store import ReadableStore
from projections.projection import StateProjection
from projections.state import Being, State

ENCOUNTER = "encounter"
ROUND: Final = re.compile(r"round\s+([0-9]{1,6})", re.ASCII | re.IGNORECASE)
PLAIN: Final = r"[\w+-]+"
Subject = Being | str  # a being, `encounter`, or the name of a token


def state_at(store: ReadableStore, at: str | None, as_of: int | None) -> LedgerState[State]:
    """Return the state after entry `at` (None: the last). Raises InputError for an unknown entry or position.

    `at` may be `round 3`: the entry in which that round of the last encounter began.
    """
    begun = ROUND.fullmatch(at.strip()) if at else None
    with input_errors():
        entry = entry_of_round(store, int(begun[1])) if begun else None if at is None else parse_entry_id(at)
    end = store.head().position
    if as_of is not None and as_of > end:
        raise InputError(f"the ledger ends at position {end}", where="--as-of")
    state = load_state(store, StateProjection(), at=entry, as_of=as_of)
    if entry not in (None, state.last):
        raise InputError(f"there is no entry {entry}", hint=f"The entry before it is {state.last}.")
    return state


def is_round(at: str) -> bool:
    """Return whether a moment is a round of an encounter: `round 3`."""
    return ROUND.fullmatch(at.strip()) is not None


def entry_of_round(store: ReadableStore, number: int) -> EntryId:
    """Return the entry in which a round began last. Raises InputError if no encounter came so far."""
    for take in reversed(list(latest_takes(store.takes()))):
        if any(isinstance(fact, Reached) and (fact.point, fact.round) == ("round", number) for fact in take.facts):
            return take.id
    raise InputError(f"no encounter has come to round {number}", hint="See the entries: campaign log.")


def find_subject(state: State, name: str) -> Subject:
    """Return the being, the encounter or the token that `name` is or begins. Raises InputError naming all of them."""
    words = [ENCOUNTER, *sorted({token for _, token in state.tokens})]
    everybody = match_name(name, [being.name for being in state.beings_in_order()])
    beings = prefer_first_names(name, prefer_creatures(everybody, things(state)))
    others = match_word(name, words)
    if others.exact and not beings.exact:
        return others.words[0]
    matches = beings.words or others.words
    if len(matches) == 1:
        return state.being(matches[0]) or matches[0]
    if matches:
        raise InputError(f"'{escape(name)}' may be {escape(join_with_or(matches))}", hint="Write more of it.")
    in_play = ", ".join(escape(being.name) for being in state.beings_in_order()) or "nobody"
    hint = f"In play: {in_play}. Also: {', '.join(map(escape, words))}."
    raise InputError(f"'{escape(name)}' is not in play", hint=hint)


def as_one_word(name: str) -> str:
    """Return a name as a shell takes it without quotation marks: `sister-ode`, `ash-oak`, `jonn` mean the same."""
    return name if re.fullmatch(PLAIN, name) else fold_name(name)


def find_being_in_play(state: State, name: str) -> Being:
    """Return the being that `name` is or begins. Raises InputError if it is none, or several."""
    subject = find_subject(state, name)
    if isinstance(subject, Being):
        return subject
    raise InputError(f"'{escape(name)}' is not a being", hint="Name a character, a foe or a thing.")


def subject_values(state: LedgerState[State], subject: Subject | None) -> dict[str, object]:
    """Return the values of one subject, or all, with the entry and the position where they were read."""
    return {"entry": str(state.last), "position": state.position, "values": own_values(state, subject)}


def own_values(state: LedgerState[State], subject: Subject | None) -> dict[str, Value]:
    """Return the values of one subject, or all, by name."""
    return {name: value for name, value in state.values().items() if _belongs(name, subject)}


def _belongs(name: str, subject: Subject | None) -> bool:
    """Return whether a value of this name belongs to the subject."""
    if isinstance(subject, Being):
        return name.startswith(f"{name_key(subject.name)}.")
    if subject == ENCOUNTER:
        return name.startswith(f"{ENCOUNTER}.")
    return subject is None or name == subject or name.endswith(f".{subject}")
