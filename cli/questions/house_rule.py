"""Another reading of the book, or another revision of its rules, over all evenings of a ledger.

Each evening is decided again from the state in which it began on record: what came of an evening does not change the
next, and one that needs dice which were never thrown ends there and counts up to that entry.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from cli.questions.edits import parse_reading, parse_revision
from ledger.facts import ConditionBegan, EntryId, Fact, Judged, OptionSet
from ledger.ledger_state import load_state
from ledger.store import Store
from ledger.whatif import EntryOutcome, WhatIf, WhatIfResult
from projections.projection import StateProjection
from projections.state import State
from rulebooks.common.game import Game
from rulebooks.common.texts import Wording

AWAY: Final = frozenset(Wording().gone)  # who is away may come back, in any game


class Flip(msgspec.Struct, frozen=True):
    """A result that would be another: the entry that threw for it, its line, whose it is, and both results."""

    entry: str
    line: str
    who: str
    what: str
    was: str
    now: str


class Fate(msgspec.Struct, frozen=True):
    """An end of a being that happens in one world only: `lives` in the other one; `is_player`: a character's."""

    entry: str
    who: str
    what: str
    lives: bool
    is_player: bool


class Stop(msgspec.Struct, frozen=True):
    """An entry at which an evening ends, because it needs dice, or which is no longer possible; and why."""

    entry: str
    line: str
    why: str


class HouseRule(msgspec.Struct, kw_only=True):
    """What another reading comes to in one ledger.

    Attributes:
        evenings: sessions that were decided again, and how many of them have another result or another end.
        results: that were compared.
        changed: entries with other facts.
        impossible: entries that fall away.
        needs: where evenings ended for want of dice.
        rule_differences: entries that the installed rules decide otherwise without the reading.
    """

    evenings: int = 0
    touched: int = 0
    results: int = 0
    changed: int = 0
    flips: list[Flip] = []
    fates: list[Fate] = []
    impossible: list[Stop] = []
    needs: list[Stop] = []
    rule_differences: list[str] = []

    def add(self, result: WhatIfResult, wording: Wording, state: State) -> None:
        """Take in one evening."""
        before = (len(self.flips), len(self.fates))
        self.evenings += 1
        flips = Flips()
        for entry in result.outcomes:
            flips.add(entry)
            self.changed += entry.outcome == "changed"
            if entry.outcome == "no longer possible":
                self.impossible.append(Stop(str(entry.id), _line(entry), entry.refusal))
        self.results += flips.results
        self.flips += flips.found
        self.fates += _fates(result.outcomes, wording, state)
        if result.need is not None:
            dice = " and ".join(f"d{sides}" for sides in result.need.sides)
            self.needs.append(Stop(str(result.need.id), result.need.line, f"the {dice} of '{result.need.purpose}'"))
        if result.rule_difference is not None:
            self.rule_differences.append(result.rule_difference.entry)
        self.touched += (len(self.flips), len(self.fates)) != before


class Flips:
    """The results of entries that would be others. Filled entry by entry."""

    def __init__(self) -> None:
        self.found, self.results = list[Flip](), 0
        self._opening = dict[str, tuple[EntryOutcome, str]]()  # by window, the entry of its roll and what is judged

    def add(self, entry: EntryOutcome) -> None:
        """Compare the final results of an entry on record with those instead."""
        was = results_of(entry.before.facts if entry.before else ())
        now = results_of(entry.after)
        self.results += sum(fact.final for facts in was.values() for fact in facts)
        for key, judged in now.items():
            for new, old in zip(judged, was.get(key, ()), strict=False):
                opening, what = self._opening.get(new.window, (entry, new.what))
                if new.window and not new.final:
                    self._opening[new.window] = entry, new.what
                if new.final and old.result != new.result:
                    flip = Flip(str(opening.id), _line(opening), new.who, what, old.result, new.result)
                    self.found.append(flip)


def results_of(facts: Iterable[Fact]) -> dict[tuple[str, str, str], list[Judged]]:
    """Return the results of rolls and sums, by what is judged, whose it is and against whom."""
    found: dict[tuple[str, str, str], list[Judged]] = {}
    for fact in facts:
        if isinstance(fact, Judged) and (fact.total is not None or fact.rolls):
            found.setdefault((fact.what, fact.who, fact.against), []).append(fact)
    return found


def _line(entry: EntryOutcome) -> str:
    """Return the line of an entry."""
    return entry.input.line if entry.input else entry.before.line if entry.before else ""


def _fates(outcomes: Sequence[EntryOutcome], wording: Wording, state: State) -> Iterator[Fate]:
    """Yield the ends of beings that happen in one world only, those on record first."""
    was = dict(_ends(((entry.id, entry.before.facts) for entry in outcomes if entry.before), wording))
    now = dict(_ends(((entry.id, entry.after) for entry in outcomes), wording))
    for ends, others, lives in ((was, now, True), (now, was, False)):
        for (who, what), entry in ends.items():
            if (who, what) not in others:
                yield Fate(str(entry), who, what, lives, state.kind(who) == "pc")


def _ends(
    entries: Iterable[tuple[EntryId, Iterable[Fact]]], wording: Wording
) -> Iterator[tuple[tuple[str, str], EntryId]]:
    """Yield who is gone for good and in which way, with the entry."""
    for id, facts in entries:
        for fact in facts:
            if isinstance(fact, ConditionBegan) and fact.name in wording.gone and fact.name not in AWAY:
                yield (fact.who, fact.name), id


def house_rule(store: Store, book: Game, wording: Wording, options: Sequence[str], revision: str | None) -> HouseRule:
    """Return what other readings, or another revision of the rules, come to in all sessions of a ledger.

    Raises InputError for a reading that the book does not have, or a revision that the program does not have.
    """
    found, supposed = HouseRule(), parse_revision(book, revision)
    last = load_state(store, StateProjection()).state
    readings_of(book, last, options)  # also where no session was played
    for session in filter(None, store.session_sizes()):
        start, upto = EntryId(session, 0), EntryId(session + 1, -1)
        first = next(iter(store.takes(after=start.before, upto=upto))).id
        state = load_state(store, StateProjection(), at=first.before).state
        chosen = readings_of(book, state, options)
        what_if = WhatIf(store, book, StateProjection(), supposed)
        found.add(what_if.run({}, start=first, upto=upto, chosen=chosen), wording, last)
    return found


def readings_of(book: Game, state: State, options: Sequence[str]) -> list[OptionSet]:
    """Return a fact for each `NAME=READING`. Raises InputError for one that the book does not have."""
    return [parse_reading(book, state, text) for text in options]
