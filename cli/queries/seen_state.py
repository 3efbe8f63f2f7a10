"""What the players see of the state: no numbers of hidden beings, and nothing that only a secret entry put there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from copy import copy
from typing import Any, Final

import msgspec

from cli.queries.health import Vitals, is_change_of_health, is_vital
from cli.queries.redaction import UNKNOWN
from cli.queries.seen_line import Hidden
from ledger.facts import BaseFact, EntryId
from ledger.ledger_state import LedgerState
from ledger.records import Record
from projections.projection import StateProjection
from projections.state import Condition, Encounter, Part, RulingInForce, State

Written = Mapping[tuple[Part, Any], Any]  # what was there before secret entries wrote it; None: nothing
Health = Mapping[str, EntryId]  # the last change of the vital value of each being

OWNED: Final[tuple[Part, ...]] = ("sheets", "pools", "tokens", "counts", "allowances", "wounds")  # (who, name)
OPEN: Final[tuple[Part, ...]] = ("pools", "tokens")  # of visible beings: known to the players, however they came

replace = msgspec.structs.replace


class SeenFold:
    """Makes the states of a view, entry by entry: all records that count up to a state are added in their order."""

    def copy(self) -> SeenFold:
        """Return the same fold; what is added to one is not added to the other."""
        return self

    def add(self, record: Record) -> None:
        """Take in the next record."""

    def state(self, position: LedgerState[State]) -> LedgerState[State]:
        """Return the state after the last record as it is seen."""
        return position


class PlayersFold(SeenFold):
    """Makes the states as the players see them: it knows what secret entries wrote, and the last change of health."""

    def __init__(self, hidden: Hidden, is_secret: Callable[[Record], bool] | None) -> None:
        self._hidden = hidden
        self._writes = SecretWrites(is_secret, hidden) if is_secret else None
        self.health = dict[str, EntryId]()  # the entry that last changed the health of each being

    def copy(self) -> PlayersFold:
        """Return the same fold; what is added to one is not added to the other."""
        other = copy(self)
        other.health = dict(self.health)
        other._writes = self._writes.copy() if self._writes else None
        return other

    def add(self, record: Record) -> None:
        """Take in the next record."""
        self.health.update(dict.fromkeys(vital_changes(record.facts, self._hidden.vital), record.id))
        if self._writes is not None:
            self._writes.add(record)

    def state(self, position: LedgerState[State]) -> LedgerState[State]:
        """Return the state after the last record as the players see it."""
        return seen_state(position, self._hidden, self._writes.before if self._writes else {}, self.health)


def vital_changes(facts: Iterable[BaseFact], vital: str) -> list[str]:
    """Return whose health these facts changed."""
    return [fact.who for fact in facts if is_vital(fact, vital) and is_change_of_health(fact)]


class SecretWrites:
    """The items of the state that secret entries wrote last, as they were before. Records are added in their order."""

    def __init__(self, is_secret: Callable[[Record], bool], hidden: Hidden) -> None:
        self._is_secret, self._hidden = is_secret, hidden
        self._projection = StateProjection()
        self._state = self._projection.empty()
        self.before = dict[tuple[Part, Any], Any]()

    def copy(self) -> SecretWrites:
        """Return the same writes; what is added to one is not added to the other."""
        other = copy(self)
        other._state = self._projection.unpack(self._projection.pack(self._state))
        other.before = dict(self.before)
        return other

    def add(self, record: Record) -> None:
        """Fold the next record."""
        for fact in record.facts:
            self._projection.step(self._state, record.id, fact)
        secret = self._is_secret(record)
        for (part, key), value in self._state.changes_since_commit().items():
            if not secret:
                self.before.pop((part, key), None)
            elif part not in OPEN or self._hidden.is_hidden(key[0]):
                self.before.setdefault((part, key), value)
        self._projection.commit(self._state)


def seen_state(position: LedgerState[State], hidden: Hidden, written: Written, health: Health) -> LedgerState[State]:
    """Return a copy of the state as the players see it."""
    state = State()
    for part, items in position.state.parts.items():
        state.parts[part].update(items)
    for (part, key), value in written.items():
        if value is None:
            state.parts[part].pop(key, None)
        else:
            state.parts[part][key] = value
    words = list(_health_words(state, hidden))
    for part in OWNED:
        for key in [key for key in state.parts[part] if key[0] in hidden.beings]:
            del state.parts[part][key]
    state.conditions.update({id: _condition(condition, hidden.beings) for id, condition in state.conditions.items()})
    state.links.update({key: 1 for key in state.links if hidden.is_hidden(key[0])})
    for who in hidden.beings & state.places.keys():
        state.places[who] = replace(state.places[who], square=None)
    state.encounters.update({id: _encounter(encounter, hidden) for id, encounter in state.encounters.items()})
    state.rulings.update({id: _ruling(ruling, hidden) for id, ruling in state.rulings.items()})
    for who, word in words:
        state.conditions[f"{who} {word}"] = _health_condition(who, word, health.get(who, position.last))
    seen = LedgerState(position.projection, state, position.session, position.last)
    seen.position = position.position
    return seen


def _health_words(state: State, hidden: Hidden) -> Iterable[tuple[str, str]]:
    """Yield how each hidden being is, in a word; nothing for those who have nothing left, if a condition says more."""
    told_of = {condition.who for condition in state.conditions.values() if not condition.data}
    wounded = {who for who, _ in state.wounds}
    for who in sorted(hidden.beings):
        pool = state.pools.get((who, hidden.vital))
        told = who in told_of
        has_wounds = who in wounded and state.being(who)
        wounds = frozenset(name for name, _ in state.wounds_of(who)) if has_wounds else frozenset()
        vitals = Vitals(wounds=wounds) if pool is None else Vitals(pool.points, pool.most, wounds)
        word = vitals.word(hidden.wording)
        if word and (pool is None or pool.points > 0 or not told):
            yield who, word


def _health_condition(who: str, word: str, since: EntryId) -> Condition:
    """Return how a hidden being is, as a condition."""
    return Condition(who=who, name=word, degree=1, of=None, effects=(), about="", ends=(), data="", since=since)


def _condition(condition: Condition, beings: Collection[str]) -> Condition:
    """Return a condition; of a hidden being only its name and beginning."""
    if condition.who not in beings:
        return condition
    return replace(condition, degree=UNKNOWN, of=None, effects=(), ends=(), note="")


def _encounter(encounter: Encounter, hidden: Hidden) -> Encounter:
    """Return an encounter without the scores of hidden beings."""
    slots = (replace(slot, score=None) if hidden.is_hidden(slot.slot, *slot.who) else slot for slot in encounter.order)
    return replace(encounter, order=tuple(slots))


def _ruling(ruling: RulingInForce, hidden: Hidden) -> RulingInForce:
    """Return a ruling without the values that it sets for hidden beings."""
    return replace(ruling, sets=tuple(pair for pair in ruling.sets if not hidden.owns(pair[0])))
