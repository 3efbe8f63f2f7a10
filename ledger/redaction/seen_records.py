"""A record as the players see it, by what is known of secrets.

A fact that is hidden is `Withheld` in its place, so that the others keep their numbers. Of a secret entry everything
is, but numbers of the players that it changed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Protocol

import msgspec

from ledger.extracts import Extract
from ledger.facts import (
    GM,
    VISIBLE,
    Amended,
    BaseFact,
    EntryId,
    Judged,
    WindowChanged,
    WindowClosed,
    WindowOpened,
    parse_entry_id,
)
from ledger.records import Record
from ledger.redaction import fact_redaction
from ledger.redaction.fact_redaction import OlderRoll
from ledger.redaction.line_redaction import Hidden, seen_line

replace = msgspec.structs.replace


class Knowledge(Protocol):
    """What is known of the secrets of a ledger, and what is read of it to see what a record shows."""

    @property
    def hidden(self) -> Hidden:
        """What is hidden from the players."""

    @property
    def revealed(self) -> Collection[EntryId]:
        """The entries that were revealed."""

    def before(self, record: Record | Extract) -> Hidden:
        """Return what is hidden, with the vitals before a record of those hidden beings whose health it changes."""

    def opening(self, window: str, entry: EntryId) -> EntryId | None:
        """Return the entry that opened a window which is open before an entry; None if it is not open there."""

    def has_secret_take(self, entry: EntryId) -> bool:
        """Return whether a take of an entry is secret."""

    def takes(self, entry: EntryId) -> Iterable[Record]:
        """Return all takes of an entry."""

    def is_retaken(self, record: Record | Extract) -> bool:
        """Return whether the entry of a record has other takes."""


def seen_record(record: Record, known: Knowledge) -> Record:
    """Return a record as the players see it."""
    facts = seen_facts(record, known)
    if facts == record.facts:
        return record
    # A request may be a digest of the line, from which its numbers could be guessed.
    seen = replace(record, facts=facts, request=None)
    return replace(seen, by=GM, holder="", door="", cause=None) if is_secret(record, known) else seen


def seen_facts(record: Record, known: Knowledge) -> tuple[BaseFact, ...]:
    """Return the facts of a record as the players see them."""
    if is_secret(record, known):
        return tuple(fact_redaction.secret_facts(record.facts, known.hidden))
    if record.id in known.revealed:
        return tuple(fact_redaction.revealed_facts(record.facts, known.before(record)))
    others = known.takes(record.id) if known.is_retaken(record) else ()
    secret = any(has_hidden(take, known) for take in others)
    seen = fact_redaction.seen_facts(record, known.before(record), earlier_rolls(record, known), secret=secret)
    if record.declared is not None and any(has_hidden(take, known) for take in corrected_takes(record, known)):
        return (replace(seen[0], line=seen_line(record.line)), *seen[1:])
    return seen


def is_secret(record: Record | Extract, known: Knowledge) -> bool:
    """Return whether an entry is not for the players: it is secret, or corrects one that is."""
    return _is_secret_take(record, known) or any(
        _is_secret_take(take, known) for take in corrected_takes(record, known)
    )


def _is_secret_take(take: Record | Extract, known: Knowledge) -> bool:
    """Return whether a take is secret, and its entry was not revealed."""
    return take.seen != VISIBLE and take.id not in known.revealed


def has_hidden(record: Record, known: Knowledge) -> bool:
    """Return whether something in a record is hidden, so that its line may say it."""
    return record.id not in known.revealed and fact_redaction.has_secrets(
        record, known.hidden, earlier_rolls(record, known)
    )


def earlier_rolls(record: Record | Extract, known: Knowledge) -> Mapping[int, OlderRoll]:
    """Return what is hidden of earlier rolls that a record goes on with, by the number of the fact."""
    rolls = dict[int, OlderRoll]()
    own = set[str]()  # the windows that were opened or closed in the record itself
    for number, fact in enumerate(record.facts, start=1):
        if isinstance(fact, WindowOpened):
            own.add(fact.window)
        elif isinstance(fact, Judged | WindowChanged | WindowClosed) and fact.window and fact.window not in own:
            opened = known.opening(fact.window, record.id)
            if opened is not None:
                rolls[number] = _kind_of_roll(opened, known)
            if isinstance(fact, WindowClosed):
                own.add(fact.window)
    return rolls


def _kind_of_roll(opened: EntryId, known: Knowledge) -> OlderRoll:
    """Return what is hidden of a roll that an entry opened."""
    if opened in known.revealed:
        return "shown"
    return "secret" if known.has_secret_take(opened) else "older"


def corrected_takes(record: Record | Extract, known: Knowledge) -> Iterator[Record]:
    """Yield all takes of the entries that a correction names."""
    for fact in record.facts:
        if isinstance(fact, Amended):
            yield from known.takes(parse_entry_id(fact.entry.partition("@")[0]))
