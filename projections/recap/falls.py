"""Who fell, died or fled in a session: by whom, in which fight, and whether they still are so at its end."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, Literal

import msgspec

from ledger import facts
from projections.recap.episodes import Episode, final_results
from projections.state import State

GRAVITY: Final = ("died", "fell", "left")  # the gravest first


class Fall(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody died, fell, or left a fight.

    `name` is the condition, or how they left. `by` are those who did it, and `arms` what one alone did it with; where
    nobody did, `because` is the cause, if one is recorded. `lasting`: they still are so at the end of the session.
    """

    entry: str
    who: str
    kind: Literal["died", "fell", "left"]
    name: str
    by: tuple[str, ...] = ()
    arms: tuple[str, ...] = ()
    because: str = ""
    fight: str = ""
    lasting: bool = True


class FallWords(msgspec.Struct, frozen=True, kw_only=True):
    """The conditions of a book: of those who do not come back, of those who have fallen, of those who have fled."""

    lost: Collection[str] = ()
    fallen: Collection[str] = ()
    fled: Collection[str] = ()


class FallList:
    """Collects falls, episode by episode; it remembers who brought whom down, for those who die of it later."""

    def __init__(self, words: FallWords, after: State, fight: str) -> None:
        self._words, self._after, self._fight = words, after, fight
        self._by = dict[str, tuple[tuple[str, ...], tuple[str, ...]]]()  # and with what
        self._now = set[tuple[str, str]]()  # who is in which of these conditions
        self.falls = list[Fall]()

    def add(self, episode: Episode) -> None:
        """Take in an episode."""
        begins = (each.encounter for each in episode.facts if isinstance(each, facts.EncounterBegan))
        self._fight = next(begins, self._fight)
        changed = [each for each in episode.facts if isinstance(each, facts.ConditionBegan | facts.ConditionEnded)]
        began = {(each.who, each.name) for each in changed if isinstance(each, facts.ConditionBegan)}
        ended = {(each.who, each.name) for each in changed if isinstance(each, facts.ConditionEnded)} - began
        new = [key for key in dict.fromkeys((each.who, each.name) for each in changed) if key in began - self._now]
        self._now = (self._now | began) - ended
        for who in dict.fromkeys(who for who, name in new if self._kind(name)):
            self._add(episode, who, min((name for each, name in new if each == who), key=self._rank))
        for fact in episode.facts:
            if isinstance(fact, facts.EncounterEnded):
                self._leave(episode, fact)
                self._fight = ""

    def _kind(self, name: str) -> Literal["died", "fell", "left", ""]:
        """Return what a condition means; empty for one that is no fall."""
        if name in self._words.lost:
            return "died"
        if name in self._words.fallen:
            return "fell"
        return "left" if name in self._words.fled else ""

    def _rank(self, name: str) -> tuple[int, int]:
        """Return the order of conditions that begin together: the gravest first, as the book lists them."""
        kind = self._kind(name)
        return GRAVITY.index(kind) if kind else len(GRAVITY), [*self._words.fallen, name].index(name)

    def _add(self, episode: Episode, who: str, name: str) -> None:
        """Add a fall."""
        kind = self._kind(name)
        by = tuple(dict.fromkeys(each for each in doers(who, episode.facts) if each))
        arms = arms_of(by, who, episode.facts)
        if kind == "died" and not by:
            by, arms = self._by.get(who, ((), ()))
        if kind == "fell":
            self._by[who] = by, arms
        because = "" if by else cause_of(who, episode.facts)
        lasting = kind == "left" or any(item.name == name for _, item in self._after.conditions_of(who))
        entry = episode.entries[0]
        self.falls.append(
            Fall(
                entry=entry,
                who=who,
                kind=kind or "left",
                name=name,
                by=by if kind != "left" else (),
                arms=arms if kind != "left" else (),
                because=because,
                fight=self._fight,
                lasting=lasting,
            )
        )

    def _leave(self, episode: Episode, fact: facts.EncounterEnded) -> None:
        """Add those who are out of a fight that is over in another way than by a fall."""
        out = {fall.who for fall in self.falls if fall.fight == self._fight}
        for who, how in fact.out:
            if who not in out and not self._kind(how):
                entry = episode.entries[0]
                self.falls.append(Fall(entry=entry, who=who, kind="left", name=how, fight=fact.encounter))


def falls(episodes: Iterable[Episode], words: FallWords, before: State, after: State) -> list[Fall]:
    """Return who fell, died or fled, in order; `before` and `after` are the states around the session."""
    running = next(iter(before.encounters), "")
    found = FallList(words, after, running)
    for episode in episodes:
        found.add(episode)
    return found.falls


def is_common(who: str) -> bool:
    """Return whether somebody is one of several of a kind, as `Guard 2` is."""
    return who[-1:].isdigit()


def doers(who: str, among: Sequence[facts.Fact]) -> Iterator[str]:
    """Yield those who did something to somebody in these facts, also where somebody rolled to defend."""
    for result in final_results(among):
        if result.against == who and result.who != who:
            yield result.who
            yield from (each for each, _ in result.using if each not in ("", who))
        elif result.who == who and result.against and result.against != who:
            yield result.against
    for fact in among:
        if isinstance(fact, facts.PointsLost | facts.Wounded) and fact.who == who and fact.by not in ("", who):
            yield fact.by


def arms_of(by: Sequence[str], who: str, among: Sequence[facts.Fact]) -> tuple[str, ...]:
    """Return with what one alone did something to somebody in these facts; nothing for several."""
    used = (
        weapon
        for result in final_results(among)
        if who in (result.who, result.against)
        for user, weapon in result.using
        if [user] == [*by] and weapon
    )
    return tuple(dict.fromkeys(used))


def cause_of(who: str, among: Iterable[facts.Fact]) -> str:
    """Return why somebody lost points in these facts; empty where nothing is recorded."""
    own = [fact for fact in among if isinstance(fact, facts.PointsLost | facts.PoolSet) and fact.who == who]
    lost = (fact.because for fact in own if isinstance(fact, facts.PointsLost) or fact.now < fact.was)
    return next(lost, "")
