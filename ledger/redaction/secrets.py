"""Who and what is hidden from the players, as the takes of a ledger say so far. Snapshots hold it with the state."""

from __future__ import annotations

from typing import Final

import msgspec

from ledger.extracts import Extract
from ledger.facts import BaseFact, ConditionBegan, Joined, Revealed, parse_entry_id
from ledger.records import Record
from ledger.redaction.fact_redaction import VISIBLE

TELLING: Final[frozenset[type[BaseFact]]] = frozenset((Joined, Revealed))  # facts that say what is hidden
Names = frozenset[str]


class Secrets(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What takes have said of secrets. No take takes back that somebody is hidden, but one that counts may reveal it.

    Attributes:
        joined: the beings that joined hidden, also in takes that no longer count.
        shown: the beings that were revealed.
        revealed: the entries that were revealed.
        struck: those who have had a condition of which a secret take tells.
        has_entries: whether there are secret takes.
    """

    joined: Names = frozenset()
    shown: Names = frozenset()
    revealed: Names = frozenset()
    struck: Names = frozenset()
    has_entries: bool = False

    @property
    def beings(self) -> Names:
        """The beings whose numbers are hidden."""
        return self.joined - self.shown

    def after(self, take: Record | Extract, *, counts: bool = True) -> Secrets:
        """Return what is hidden after a take; `counts`: it is the last one of its entry."""
        is_secret = take.seen != VISIBLE
        joined = {fact.who for fact in take.facts if type(fact) is Joined and fact.seen != VISIBLE}
        reveals = [fact for fact in take.facts if type(fact) is Revealed] if counts else []
        struck = {fact.who for fact in take.facts if type(fact) is ConditionBegan} if is_secret else set[str]()
        if not (is_secret or joined or reveals):
            return self
        return Secrets(
            joined=self.joined | joined,
            shown=self.shown | {fact.who for fact in reveals if not fact.entry},
            revealed=self.revealed | {fact.entry for fact in reveals if is_earlier(fact, take)},
            struck=self.struck | struck,
            has_entries=self.has_entries or is_secret,
        )


def is_earlier(fact: Revealed, take: Record | Extract) -> bool:
    """Return whether a take reveals an entry that comes before it."""
    return bool(fact.entry) and parse_entry_id(fact.entry) < take.id
