"""The numbers of throws: a die is keyed by its purpose and by the number of the throw of this purpose in its session.

A throw has the lowest number, from 1, that no entry which counts has when it is first decided. The entry keeps its
numbers in all its takes. So neither a note nor any other line moves a die; an undone line that is said again meets the
same dice, whatever was said between; and a correction changes no die of an entry that goes on to be thrown.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import count

import msgspec

from ledger.dice import FROM_SEED, DieKey
from ledger.facts import EntryId, Fact, Rolled
from ledger.links import ALONE, links_of
from ledger.records import BY_POSITION, Record
from ledger.store import ReadableStore

Throws = tuple[str, int, "Throws"] | None  # the purpose and the number of the last throw, and those before it
Numbered = tuple[str, int]  # the purpose of a throw and its number


def list_throws(throws: Throws) -> Iterator[Numbered]:
    """Yield the purpose and the number of each throw, the last one first."""
    while throws is not None:
        purpose, number, throws = throws
        yield purpose, number


def next_number(taken: Iterable[int]) -> int:
    """Return the lowest number, from 1, that is not taken."""
    numbers = set(taken)
    return next(number for number in count(1) if number not in numbers)


def seeded_throws(facts: Iterable[Fact]) -> list[Numbered]:
    """Return the throws from a seed among these facts."""
    return [(fact.purpose, fact.throw) for fact in facts if type(fact) is Rolled and fact.source in FROM_SEED]


class CountingThrows:
    """The throws of the entries of one session that count; a correction may have brought back one that counts twice."""

    def __init__(self, thrown: Iterable[Numbered] = ()) -> None:
        self._taken = defaultdict[str, Counter[int]](Counter)  # by purpose, how often each number counts
        self._least = dict[str, int]()  # by purpose, the number up to which all before it are taken
        self.replace((), thrown)

    def next(self, purpose: str) -> int:
        """Return the number of the next throw of a purpose."""
        taken, number = self._taken[purpose], self._least.get(purpose, 1)
        while taken.get(number):
            number += 1
        self._least[purpose] = number
        return number

    def replace(self, before: Iterable[Numbered], after: Iterable[Numbered]) -> None:
        """Count the throws of a take in place of those of the take before it."""
        for purpose, number in before:
            self._taken[purpose][number] -= 1
            self._least[purpose] = max(1, min(number, self._least.get(purpose, 1)))
        for purpose, number in after:
            self._taken[purpose][number] += 1


class ChangedThrows:
    """The throws that count while a correction is planned: those of a store, and of the takes that will be written.

    A session is read when a throw of it is asked for: most corrections draw no new die.
    """

    def __init__(self, store: ReadableStore, position: int) -> None:
        """`position` is the head at which the correction is planned."""
        self._store, self._position = store, position
        self._sessions: dict[int, CountingThrows] = {}
        self._links: dict[int, dict[DieKey, str]] = {}  # of shared dice, by session
        self._changes: dict[int, list[tuple[list[Numbered], list[Numbered]]]] = {}  # by session, until it is read

    def next(self, entry: EntryId, purpose: str) -> int:
        """Return the number of the next throw of a purpose in the session of an entry."""
        session = entry.session
        if session not in self._sessions:
            takes = self._store.extracts(frozenset({Rolled}), session=session, as_of=self._position)
            thrown = (numbered for take in takes if take.counts for numbered in seeded_throws(take.facts))
            counting = self._sessions[session] = CountingThrows(thrown)
            for before, after in self._changes.pop(session, ()):
                counting.replace(before, after)
        return self._sessions[session].next(purpose)

    def link(self, session: int, die: DieKey) -> str:
        """Return the link that a shared die has had in a session; empty if it had none."""
        if session not in self._links:
            takes = self._store.extracts(frozenset({Rolled}), session=session, as_of=self._position)
            self._links[session] = links_of(fact for take in takes for fact in take.facts)
        return self._links[session].get(die, ALONE)

    def replace(self, entry: EntryId, before: Iterable[Fact], after: Iterable[Fact]) -> None:
        """Count the throws of the take of an entry that will be written in place of those of the one before it."""
        change = seeded_throws(before), seeded_throws(after)
        if entry.session in self._sessions:
            self._sessions[entry.session].replace(*change)
        elif any(change):
            self._changes.setdefault(entry.session, []).append(change)


def own_throws(takes: Iterable[Record], said: msgspec.Raw | None = None) -> dict[str, int]:
    """Return the number of each purpose that these takes of one entry have thrown.

    Of two numbers that of a take that says `said` counts, then that of the later take: another declaration may have
    taken the place of one that was undone.
    """
    if said is not None and len(takes := list(takes)) > 1:
        takes = sorted(takes, key=lambda take: take.declared is not None and take.declared.said == said)
    return {purpose: number for take in takes for purpose, number in seeded_throws(take.facts)}


def throw_problems(takes: Iterable[Record]) -> Iterator[tuple[Record, str]]:
    """Yield each take of a session that numbers a throw wrongly, with what is wrong. `takes` come in any order."""
    counting = CountingThrows()
    thrown = defaultdict[EntryId, list[Record]](list)  # the takes so far of the entries with throws
    for take in sorted(takes, key=BY_POSITION):
        throws, id = seeded_throws(take.facts), take.id
        earlier = thrown.get(id)
        if not throws and not earlier:
            continue
        own: dict[str, int] = {}
        if earlier:
            counting.replace(seeded_throws(earlier[-1].facts), ())
            if take.cause is not None:
                own = own_throws(earlier, take.declared.said if take.declared else None)
        for purpose, number in throws:
            expected = own.get(purpose) or counting.next(purpose)
            if number != expected:
                yield take, f"{purpose} is throw {number} of the session, and should be throw {expected}"
        counting.replace((), throws)
        thrown[id].append(take)


def taken_back(takes: Iterable[tuple[Iterable[Fact], bool]]) -> int:
    """Return how many throws of a session were seen and do not count: those of no take that counts.

    `takes` are the facts of each take, and whether it counts.
    """
    seen, kept = set[Numbered](), set[Numbered]()
    for facts, counts in takes:
        (kept if counts else seen).update(seeded_throws(facts))
    return len(seen - kept)


def shared_throws(takes: Iterable[Iterable[Fact]]) -> int:
    """Return how many throws of a session several entries have; `takes` are the facts of those that count."""
    times = Counter(numbered for facts in takes for numbered in seeded_throws(facts))
    return sum(number > 1 for number in times.values())
