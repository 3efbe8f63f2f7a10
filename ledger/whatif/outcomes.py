"""Edits of entries, and the outcome of each entry in a changed world.

- `unchanged`, `carried` (the same except for running values), `changed`;
- `no longer possible`: the rules refuse it now; `possible again`: an earlier correction had made it impossible;
- `new turn`: somebody gets a turn that they did not have, or gets it back because the line that used it is gone, and
  says nothing in it. They pass it in an entry of its own after the last one (`3.42+1`), unless an edit inserts
  something there;
- `new pass`, `no pass`: a pass that another entry implies now, or no longer;
- `amended`, `inserted`, `removed`, `restored`: the edits themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal

import msgspec

from ledger.diff import ReplayDifference, diff_values, first_difference
from ledger.facts import BaseFact, Declared, EntryId, Fact, Invalidated, Told
from ledger.odds import Chance
from ledger.projection import Value
from ledger.records import Head, Record
from ledger.redecide import Input
from ledger.whatif.remedies import Remedy

OutcomeName = Literal[
    "unchanged",
    "carried",
    "changed",
    "no longer possible",
    "possible again",
    "new turn",
    "new pass",
    "no pass",
    "amended",
    "inserted",
    "removed",
    "restored",
]
EDITED: Final = ("amended", "inserted", "removed", "restored")
RUNNING_FIELDS: Final = ("now", "was", "left")  # fields of facts that depend on all facts before


class Edit(msgspec.Struct, frozen=True, kw_only=True):
    """The new input of an entry, or None to remove it. `outcome` is that of `Amended`.

    `in_order`: typed faces are taken in their order, because they are new or belonged to another declaration.
    """

    input: Input | None
    outcome: str
    in_order: bool = False

    @property
    def may_be_refused(self) -> bool:
        """It only restores an earlier declaration, which the rules may refuse again."""
        return self.outcome in ("restore", "revoke")


Edits = Mapping[EntryId, Edit]


class EntryOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of one entry: its recorded take, and its facts in the changed world (none: it is removed)."""

    id: EntryId
    outcome: OutcomeName
    input: Input | None
    before: Record | None
    after: tuple[Fact, ...]
    difference: ReplayDifference | None = None
    remedy: Remedy | None = None
    restored: bool = False  # its input from before a correction counts again, even if the facts are the same

    @property
    def refusal(self) -> str:
        """Why it is no longer possible."""
        return next((f"{fact.code}: {fact.what}" for fact in self.after if isinstance(fact, Invalidated)), "")

    @property
    def writes(self) -> bool:
        """Whether a correction writes a new take of it."""
        return self.restored or self.before is None or self.before.facts != self.after


class Need(msgspec.Struct, frozen=True, kw_only=True):
    """The end of a run: an entry needs dice that were never drawn, or other faces than were typed."""

    id: EntryId
    line: str
    purpose: str
    sides: tuple[int, ...]
    why: str
    odds: Callable[[], tuple[Chance, ...]]  # computed on demand: up to ten thousand branches


class WhatIfResult(msgspec.Struct, frozen=True, kw_only=True):
    """Both worlds: the outcome of each entry from the first change on, and all values at the end.

    `head` is that at which it was computed. `rule_difference` is the first entry that the installed rules
    decide differently without any change: then the result mixes the change with the rules and is never written.
    """

    head: Head
    outcomes: tuple[EntryOutcome, ...]
    need: Need | None
    rule_difference: ReplayDifference | None
    before: Mapping[str, Value]
    after: Mapping[str, Value]

    def entries_with_outcome(self, *names: OutcomeName) -> list[EntryOutcome]:
        """Return the entries with one of these outcomes."""
        return [entry for entry in self.outcomes if entry.outcome in names]

    @property
    def is_text(self) -> bool:
        """Whether it changes only scenes, fiction, quotes and deeds."""
        told = (fact for entry in self.outcomes if entry.writes for fact in (*entry_facts(entry.before), *entry.after))
        return all(isinstance(fact, Declared | Told) for fact in told)

    @property
    def value_changes(self) -> list[tuple[str, Value | None, Value | None]]:
        """The values that end differently: name, recorded, and in the changed world; None for a missing value."""
        return [(diff.value, diff.left, diff.right) for diff in diff_values(self.before, self.after)]


def entry_facts(record: Record | None) -> tuple[Fact, ...]:
    """Return the facts of a record; nothing without one."""
    return record.facts if record else ()


def entry_outcome(
    id: EntryId,
    edit: Edit | None,
    said: Input | None,
    record: Record | None,
    after: tuple[Fact, ...],
    remedy: Remedy | None = None,
) -> EntryOutcome:
    """Return the outcome of an entry whose facts are now `after`."""
    difference = first_difference(record, after[1:]) if record and record.facts and after else None
    return EntryOutcome(
        id=id,
        outcome=_outcome_name(edit, entry_facts(record), after),
        input=said,
        before=record,
        after=after,
        difference=difference,
        remedy=remedy,
        restored=edit is not None and edit.outcome == "restore",
    )


def pass_outcome(id: EntryId, said: Input | None, record: Record | None, after: tuple[Fact, ...]) -> EntryOutcome:
    """Return the outcome of an implied pass, whose facts are now `after`."""
    if record is not None and record.facts and after:
        return entry_outcome(id, None, said, record, after)
    return EntryOutcome(id=id, outcome="new pass" if after else "no pass", input=said, before=record, after=after)


def _outcome_name(edit: Edit | None, before: Sequence[Fact], after: Sequence[Fact]) -> OutcomeName:
    """Return the name of the outcome."""
    if edit is not None:
        if before and after:
            return "amended"
        return "removed" if not after else "restored" if edit.may_be_refused else "inserted"
    if before == after:
        return "unchanged"
    was, now = (any(isinstance(fact, Invalidated) for fact in facts) for facts in (before, after))
    if was != now:
        return "no longer possible" if now else "possible again"
    return "carried" if without_running_values(before) == without_running_values(after) else "changed"


def without_running_values(facts: Sequence[BaseFact]) -> list[BaseFact]:
    """Return the facts with their running values set to 0."""
    return [
        msgspec.structs.replace(fact, **{name: 0 for name in RUNNING_FIELDS if name in fact.__struct_fields__})
        for fact in facts
    ]
