"""Open threads: what the ledger knows to be unfinished, and who of the other side is still about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import Final

import msgspec

from ledger.facts import ConditionEnded, Declared, EncounterBegan, EncounterEnded, Joined, OrderSet
from projections.recap.cast import Words, plain_words
from projections.recap.entries import Entry
from projections.state import Condition, State, oldest_first

AT_LARGE: Final = "at large"
DOWN: Final = "down but alive"  # who came to when a fight was over


class Thread(msgspec.Struct, frozen=True, kw_only=True):
    """Something unfinished.

    `kind` is encounter (`what` is running), window (`what` of `who` waits for `names`) or at large (`who`, with the
    conditions in `names`).

    Of somebody at large `fight` is the last encounter that ended with them in it, `out` how they went out of it (empty:
    they still stood), and `last` the last narration or ruling about them, with its entry. `down`: they have fallen.
    `settled`: the ruling says for certain what they do or what became of them since. `gave_up`: they left to
    surrender. `status`: what was said last of them, as it follows their name. `left`: the last narration is how they
    left their last fight.
    """

    kind: str
    who: str = ""
    what: str = ""
    names: tuple[str, ...] = ()
    fight: str = ""
    fight_entry: str = ""
    out: str = ""
    last: str = ""
    last_entry: str = ""
    ruled: bool = False
    settled: bool = False
    down: bool = False
    gave_up: bool = False
    status: str = ""
    left: bool = False


def threads(
    state: State,
    named: Collection[str],
    lost: Collection[str],
    words: Words = plain_words,
    fallen: Collection[str] = (),
) -> list[Thread]:
    """Return the open threads of a state.

    Args:
        state: the state at the end.
        named: the beings that may be at large.
        lost: the conditions of those who do not come back.
        words: a condition in words; empty for one that is not worth a word.
        fallen: the conditions of those who are down.
    """
    running = [Thread(kind="encounter", what=encounter.id) for encounter in state.encounters.values()]
    open_windows = sorted(state.windows.values(), key=lambda window: window.order)
    waiting = [
        Thread(kind="window", who=window.who, what=window.kind, names=window.awaits)
        for window in open_windows
        if window.awaits
    ]
    return [*running, *waiting, *_at_large(state, named, lost, words, fallen)]


def _at_large(
    state: State, named: Collection[str], lost: Collection[str], words: Words, fallen: Collection[str]
) -> list[Thread]:
    """Return the named others who are not lost, with the conditions that everybody knows."""
    threads, party = [], {being.side for being in state.beings.values() if being.kind == "pc"}
    known = defaultdict[str, list[Condition]](list)
    for _, item in oldest_first([*state.conditions.items()]):
        known[item.who] += [] if item.data else [item]
    for being in state.beings_in_order():
        conditions = known[being.name]
        is_other = being.side not in party and being.name in named
        if is_other and not {each.name for each in conditions} & {*lost}:
            worth = tuple(text for each in conditions if (text := words(each)))
            down = any(each.name in fallen for each in conditions)
            threads.append(Thread(kind=AT_LARGE, who=being.name, names=worth, down=down))
    return threads


def opponents(entries: Iterable[Entry]) -> set[str]:
    """Return all who were in the encounters of these entries."""
    return opponents_in(fact for entry in entries for fact in entry.facts)


def people_in(facts: Iterable[object]) -> set[str]:
    """Return all who spoke, joined or were in an encounter in these facts."""
    known = list(facts)
    speakers = {fact.by for fact in known if isinstance(fact, Declared)}
    return speakers | {fact.who for fact in known if isinstance(fact, Joined)} | opponents_in(known)


def opponents_in(facts: Iterable[object]) -> set[str]:
    """Return all who were in the encounters of these facts."""
    names = set[str]()
    for fact in facts:
        if isinstance(fact, EncounterBegan):
            names.update(who for _, side in fact.sides for who in side)
        elif isinstance(fact, OrderSet):
            names.update(who for slot in fact.slots for who in slot.who)
    return names


def fights_left(entries: Iterable[Entry], fallen: Collection[str] = ()) -> dict[str, tuple[str, str, str]]:
    """Return the last encounter that ended with somebody in it, by name: its entry, its name, how they went out.

    Who only came to because it ended, from one of the conditions `fallen`, was down.
    """
    left = dict[str, tuple[str, str, str]]()
    for entry in entries:
        freed = {fact.who for fact in entry.facts if isinstance(fact, ConditionEnded) and fact.name in fallen}
        for fact in entry.facts:
            if isinstance(fact, EncounterEnded):
                at, stand = (str(entry.id), fact.encounter), [who for _, members in fact.stand for who in members]
                left |= {who: (*at, DOWN if who in freed else "") for who in stand}
                left |= {who: (*at, how) for who, how in fact.out}
    return left
