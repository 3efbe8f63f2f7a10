"""The gravest moments of a long life: found by their facts, in the sentences of their sessions."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

import msgspec

from cli.story.page import Storytellers, session_story
from cli.story.passages import Passage
from cli.story.span import SessionSpan, entry_of
from ledger import facts
from ledger.extracts import Extract, Kinds, OtherFact
from ledger.ledger_state import LedgerState, load_state
from ledger.records import latest_takes, shown_records
from ledger.store import ReadableStore
from projections.projection import StateProjection
from projections.state import State

MOMENTS: Final = 20  # that are told of a long life
GRAVE, WOUND, CHANGE, NONE = 1000, 500, 100, 0
LIVED: Final[Kinds] = frozenset(
    (facts.ConditionBegan, facts.ConditionEnded, facts.Declared, facts.SheetChanged, facts.Wounded)
)
WINDOWS: Final[Kinds] = frozenset(
    (facts.Judged, facts.Told, facts.WindowChanged, facts.WindowClosed, facts.WindowOpened)
)


class LifeCourse(msgspec.Struct, frozen=True):
    """The sessions in which somebody is named, and the gravest entries, in order."""

    sessions: tuple[int, ...]
    gravest: tuple[facts.EntryId, ...]


def find_life(store: ReadableStore, who: str, position: int, grave: Collection[str]) -> LifeCourse:
    """Return where somebody is named, and what was gravest for them; `grave` are the conditions that are."""
    sessions, weights = set[int](), dict[facts.EntryId, int]()
    for take in store.extracts(LIVED, as_of=position, name=who):
        if take.counts:
            sessions.add(take.session)
            known = (fact for fact in take.facts if not isinstance(fact, facts.Declared | OtherFact))
            weight = max((weight_of(fact, who, grave) for fact in known), default=NONE)
            if weight:
                weights[take.id] = weight
    gravest = sorted(weights, key=lambda id: (-weights[id], id))[:MOMENTS]
    return LifeCourse(tuple(sorted(sessions)), tuple(sorted(gravest)))


def weight_of(fact: object, who: str, grave: Iterable[str]) -> int:
    """Return how grave a fact is for somebody; 0 if it is not, or somebody else's."""
    match fact:
        case facts.ConditionBegan() | facts.ConditionEnded() if fact.who == who and fact.name in grave:
            return GRAVE
        case facts.Wounded() if fact.who == who:
            return WOUND + fact.value
        case facts.SheetChanged() if fact.who == who:
            return CHANGE
    return NONE


class StateWalk:
    """The states before entries. Of one session each is folded from the one before, if they are asked for in order."""

    def __init__(self, store: ReadableStore, position: int) -> None:
        self._store, self._position = store, position
        self._state: LedgerState[State] | None = None

    def before(self, entry: facts.EntryId) -> LedgerState[State]:
        """Return the state before an entry. It changes with the next one that is asked for."""
        state = self._state
        if state is None or state.last.session != entry.session or entry <= state.last:
            state = load_state(self._store, StateProjection(), at=entry.before, as_of=self._position)
        else:
            for record in latest_takes(self._store.takes(after=state.last, upto=entry.before, as_of=self._position)):
                state.fold(record)
        self._state = state
        return state


def moment_passages(
    store: ReadableStore, entry: facts.EntryId, last: LedgerState[State], walk: StateWalk, storytellers: Storytellers
) -> list[Passage]:
    """Return what came of an entry, and the scene in which it did; `last` is the state now."""
    position = last.position
    takes = [take for take in store.extracts(WINDOWS, session=entry.session, as_of=position) if take.counts]
    takes.sort(key=lambda take: take.id)
    scenes = [take.id for take in takes if take.id < entry and any(map(is_scene, take.facts))]
    own = sorted(entries_with(entry, rolls_of(takes)))
    records = [
        record
        for id in (*scenes[-1:], *own)
        for record in latest_takes(store.takes(after=id.before, upto=id, as_of=position))
    ]
    span = SessionSpan(
        number=entry.session,
        before=walk.before(own[0]),
        after=last,
        records=tuple(records),
        entries=tuple(entry_of(record, record.facts) for record in shown_records(records)),
    )
    return session_story(span, storytellers)[1]


def entries_with(entry: facts.EntryId, rolls: Iterable[set[facts.EntryId]]) -> set[facts.EntryId]:
    """Return an entry and those that have a part in its rolls, and in the rolls of those."""
    own, rest = {entry}, list(rolls)
    while near := [roll for roll in rest if roll & own]:
        rest = [roll for roll in rest if not roll & own]
        own = own.union(*near)
    return own


def rolls_of(takes: Iterable[Extract]) -> list[set[facts.EntryId]]:
    """Return for each window of a session the entries that opened, changed, judged and closed it."""
    rolls, running = list[set[facts.EntryId]](), dict[str, set[facts.EntryId]]()
    for take in takes:
        for fact in take.facts:
            if isinstance(fact, facts.WindowOpened):
                running[fact.window] = {take.id}
                rolls.append(running[fact.window])
            elif isinstance(fact, facts.Judged | facts.WindowChanged | facts.WindowClosed) and fact.window in running:
                running[fact.window].add(take.id)
                if isinstance(fact, facts.WindowClosed):
                    del running[fact.window]
    return rolls


def is_scene(fact: object) -> bool:
    """Return whether a fact begins a scene."""
    return isinstance(fact, facts.Told) and fact.kind == "scene"
