"""When a comparison of values held: the stretches of entries, and the changes that began and ended each."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import partial

import msgspec

from cli.errors import InputError, input_errors
from cli.notation.resolve import match_word
from cli.queries.histories import Histories, seen_histories
from cli.queries.value_lookup import find_value
from cli.queries.value_words import bare_name
from cli.queries.view import View
from cli.queries.who import refuse_hidden, value_naming
from ledger.facts import EntryId
from ledger.ledger_state import LedgerState
from projections.query import Question, Stretch, resolve, stretches, value_names
from projections.state import State
from projections.value_history import ValueChange
from rulebooks.common.texts import Lexicon


class StretchAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A question with its names resolved, and the stretches from entry `start` on in which it held."""

    question: Question
    histories: Histories
    start: EntryId
    stretches: Sequence[Stretch]

    @property
    def last(self) -> EntryId:
        """The last entry that was looked at."""
        return max(self.histories.records)

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
    view: View, question: Question, position: LedgerState[State], session: int | None, lexicon: Lexicon
) -> StretchAnswer:
    """Answer a question up to a position, within one session or all. Raises InputError for unknown values."""
    upto = position.last if session is None else min(position.last, EntryId(session + 1, -1))
    past = seen_histories(view, position, upto)
    start = next((id for id in past.records if session in (None, id.session)), None)
    if start is None:
        hint = f"The last entry is {position.last}."
        raise InputError(f"there is no entry of session {session}", where="--session", hint=hint)
    now = [name for name, changes in past.changes.items() if changes[-1].after is not None]

    naming = value_naming(position.state, lexicon)

    def find(word: str) -> str:
        with refuse_hidden(view, word):
            return find_value(word, now, list(past.changes), naming, bare_name)

    with input_errors():
        question = resolve(question, find, partial(_whole_name, list(past.changes)))
    return StretchAnswer(
        question=question, histories=past, start=start, stretches=stretches(question, past.changes, start)
    )


def _whole_name(names: Sequence[str], word: str) -> str | None:
    """Return the value with exactly this name."""
    match = match_word(word, names)
    return match.words[0] if match.exact else None
