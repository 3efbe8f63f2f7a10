"""When a comparison of values held: the stretches of entries, and the changes that began and ended each."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import partial

import msgspec

from cli.notation.known_words import match_word
from cli.questions.histories import Histories, load_past
from cli.questions.value_lookup import find_value
from cli.questions.value_words import bare_name
from cli.questions.who import refuse_hidden, value_naming
from ledger.errors import InputError, input_errors
from ledger.facts import EntryId
from ledger.ledger_state import LedgerState, load_state
from ledger.records import latest_takes
from ledger.store import ReadableStore
from projections.projection import StateProjection
from projections.query import Question, Stretch, resolve, stretches, value_names
from projections.state import State
from projections.value_history import ValueChange
from rulebooks.common.texts import Lexicon


class StretchAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A question with its names resolved, and the stretches from entry `start` up to `last` in which it held."""

    question: Question
    histories: Histories
    start: EntryId
    last: EntryId
    stretches: Sequence[Stretch]

    def changes(self, name: str) -> Sequence[ValueChange]:
        """Return all changes of a value."""
        return self.histories.changes[name]

    def changes_before(self, entry: EntryId) -> Iterator[tuple[str, ValueChange]]:
        """Return the last change of each value of the question up to the end of an entry."""
        for name in value_names(self.question):
            changes = self.changes(name)
            if index := bisect_right(changes, entry, key=lambda change: change.entry):
                yield name, changes[index - 1]

    def changes_ending(self, stretch: Stretch) -> list[tuple[str, ValueChange]]:
        """Return the changes in the entry that ended a stretch."""
        if stretch.until is None:
            return []
        return [pair for pair in self.changes_before(stretch.until) if pair[1].entry == stretch.until]


def answer(
    store: ReadableStore, question: Question, position: LedgerState[State], session: int | None, lexicon: Lexicon
) -> StretchAnswer:
    """Answer a question up to a position, within one session or all. Raises InputError for unknown values."""
    after, upto = None, position.last
    if session is not None:
        after, upto = EntryId(session, -1), min(upto, EntryId(session + 1, -1))
    first = next(latest_takes(store.takes(after=after, upto=upto, as_of=position.position)), None)
    if first is None:
        hint = f"The last entry is {position.last}."
        raise InputError(f"there is no entry of session {session}", where="--session", hint=hint)
    end = load_state(store, StateProjection(), at=upto, as_of=position.position)
    past, values = load_past(store, position, upto), end.values()
    names = list(past.counts())
    now, naming = [name for name in names if name in values], value_naming(position.state, lexicon)

    def find(word: str) -> str:
        with refuse_hidden(store, word):
            return find_value(word, now, names, naming, bare_name)

    with input_errors():
        question = resolve(question, find, partial(_whole_name, names))
    histories = past.histories(value_names(question))
    if first.id not in histories.records:
        histories = msgspec.structs.replace(histories, records={first.id: first, **histories.records})
    return StretchAnswer(
        question=question,
        histories=histories,
        start=first.id,
        last=end.last,
        stretches=stretches(question, histories.changes, first.id),
    )


def _whole_name(names: Sequence[str], word: str) -> str | None:
    """Return the value with exactly this name."""
    match = match_word(word, names)
    return match.words[0] if match.exact else None
