"""What the facts of a ledger say to be hidden from the players: entries, beings, and what was revealed of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import msgspec

from ledger.builtin import BUILTIN
from ledger.declarations import Declaration
from ledger.extracts import Extract, Kinds, OtherFact
from ledger.facts import VISIBLE, ConditionBegan, EntryId, Joined, Revealed, parse_entry_id
from ledger.game import GameProtocol
from ledger.health import VITAL_KINDS, VitalHistory, is_vital
from ledger.names import name_key
from ledger.records import Record
from ledger.redaction.line_redaction import Hidden

HEALTH_KINDS: Final = frozenset((*VITAL_KINDS, ConditionBegan))  # after which a word for health may be another
TELLING: Final[Kinds] = frozenset((*VITAL_KINDS, ConditionBegan, Joined, Revealed))  # that say what is hidden


@lru_cache(maxsize=8)
def kinds_by_tag(declarations: tuple[type[Declaration], ...]) -> Mapping[str, type[Declaration]]:
    """Return the declarations of a game and of the ledger by their tags."""
    return {str(kind.__struct_config__.tag): kind for kind in (*declarations, *BUILTIN)}


class KnownSecrets:
    """What is known of secrets after the takes that were added, in order of entries.

    `entries`: those that the players do not see. `revealed`: those that they see since a later one.
    """

    def __init__(self, game: GameProtocol[Any]) -> None:
        self._vital, self._wording, self._kinds = game.vital, game.wording, kinds_by_tag(game.declarations)
        self._beings: set[str] = set()
        self._conditions: set[str] = set()  # who has had a condition that began in a secret entry
        self._vitals = VitalHistory()
        self.entries: set[EntryId] = set()
        self.revealed: set[EntryId] = set()
        self.add([], [])

    @property
    def knowledge(self) -> tuple[object, ...]:
        """What can change how an older entry is seen, and whether secret entries are looked for in the state."""
        return self.hidden, frozenset(self.revealed), bool(self.entries)

    def add(self, takes: Sequence[Extract | Record], latest: Sequence[Extract | Record]) -> None:
        """Take in takes of entries behind all others, in order of id, and those of them that count."""
        for take in takes:
            if take.seen != VISIBLE:
                self.entries.add(take.id)
            for fact in take.facts:
                if isinstance(fact, Joined) and fact.seen != VISIBLE:
                    self._beings.add(fact.who)
        for take in latest:
            self._add_latest(take)
        self.entries -= self.revealed
        for take in takes:
            if take.id in self.entries:
                self._conditions.update(fact.who for fact in take.facts if isinstance(fact, ConditionBegan))
        self.hidden = Hidden(
            beings=frozenset(self._beings),
            conditions=frozenset(self._conditions),
            keys=frozenset(map(name_key, self._beings)),
            vitals={},
            vital=self._vital,
            kinds=self._kinds,
            wording=self._wording,
        )

    def _add_latest(self, take: Extract | Record) -> None:
        """Take in the facts of a take that counts: how beings are, and what was revealed."""
        entry = take.id
        for fact in take.facts:
            if isinstance(fact, OtherFact):
                continue
            if is_vital(fact, self._vital):
                self._vitals.add(entry, fact)
            elif isinstance(fact, Revealed) and not fact.entry:
                self._beings.discard(fact.who)
            elif isinstance(fact, Revealed) and (shown := parse_entry_id(fact.entry)) < entry:
                self.revealed.add(shown)

    def before(self, record: Record | Extract) -> Hidden:
        """Return what is hidden, with the vitals before a record of those hidden beings whose health it changes."""
        changed = {getattr(fact, "who", "") for fact in record.facts if type(fact) in HEALTH_KINDS} & self._beings
        if not changed:
            return self.hidden
        vitals = {who: self._vitals.before(who, record.id) for who in changed}
        return msgspec.structs.replace(self.hidden, vitals=vitals)
